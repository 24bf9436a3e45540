"""Discord's permissions: the bits, and what a member may do in a guild and in a channel."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag
from typing import Any

__all__ = ["ALL", "BOT_DEFAULT", "EVERYONE_DEFAULT", "Permission", "in_channel", "in_guild", "overwrite"]


class Permission(IntFlag):
    """One bit for each permission, as in Discord's documentation."""

    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    PRIORITY_SPEAKER = 1 << 8
    STREAM = 1 << 9
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    VIEW_GUILD_INSIGHTS = 1 << 19
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    MUTE_MEMBERS = 1 << 22
    DEAFEN_MEMBERS = 1 << 23
    MOVE_MEMBERS = 1 << 24
    USE_VAD = 1 << 25
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    MANAGE_GUILD_EXPRESSIONS = 1 << 30
    USE_APPLICATION_COMMANDS = 1 << 31
    REQUEST_TO_SPEAK = 1 << 32
    MANAGE_EVENTS = 1 << 33
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    USE_EXTERNAL_STICKERS = 1 << 37
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EMBEDDED_ACTIVITIES = 1 << 39
    MODERATE_MEMBERS = 1 << 40
    VIEW_CREATOR_MONETIZATION_ANALYTICS = 1 << 41
    USE_SOUNDBOARD = 1 << 42
    CREATE_GUILD_EXPRESSIONS = 1 << 43
    CREATE_EVENTS = 1 << 44
    USE_EXTERNAL_SOUNDS = 1 << 45
    SEND_VOICE_MESSAGES = 1 << 46
    SEND_POLLS = 1 << 49
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51
    BYPASS_SLOWMODE = 1 << 52


P = Permission

ALL = sum(Permission)
"""What an administrator and the owner hold."""

EVERYONE_DEFAULT = (
    P.CREATE_INSTANT_INVITE
    | P.ADD_REACTIONS
    | P.STREAM
    | P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.READ_MESSAGE_HISTORY
    | P.MENTION_EVERYONE
    | P.USE_EXTERNAL_EMOJIS
    | P.CONNECT
    | P.SPEAK
    | P.USE_VAD
    | P.CHANGE_NICKNAME
    | P.USE_APPLICATION_COMMANDS
)
"""What @everyone may do in a new guild."""

BOT_DEFAULT = (
    P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.READ_MESSAGE_HISTORY
    | P.ADD_REACTIONS
    | P.MANAGE_MESSAGES
)
"""What the bot's own role may do where the guild's builder does not say otherwise."""

_NEEDS_SEND = P.MENTION_EVERYONE | P.SEND_TTS_MESSAGES | P.ATTACH_FILES | P.EMBED_LINKS


def overwrite(who: dict[str, Any], *, allow: int = 0, deny: int = 0) -> dict[str, Any]:
    """Build a channel overwrite for a role, a user or a member (their dicts)."""
    who = who.get("user", who)
    return {
        "id": who["id"],
        "type": 1 if "username" in who else 0,
        "allow": str(int(allow)),
        "deny": str(int(deny)),
    }


def in_guild(guild: dict[str, Any], member: dict[str, Any]) -> int:
    """Permissions of a member over the whole guild: everything for the owner and administrators."""
    if member["user"]["id"] == guild["owner_id"]:
        return ALL
    held = {guild["id"], *member["roles"]}
    bits = 0
    for role in guild["roles"]:
        if role["id"] in held:
            bits |= int(role["permissions"])
    return ALL if bits & P.ADMINISTRATOR else bits


def in_channel(guild: dict[str, Any], member: dict[str, Any], channel: dict[str, Any]) -> int:
    """Permissions of a member in a channel, after its overwrites.

    Order as in Discord's documentation: @everyone's overwrite, all role overwrites together, the member's
    own; then nothing at all without VIEW_CHANNEL, and nothing that sends without SEND_MESSAGES.
    """
    bits = in_guild(guild, member)
    if bits == ALL:
        return ALL
    overwrites = {o["id"]: o for o in channel.get("permission_overwrites", ())}
    bits = _apply(bits, [overwrites.get(guild["id"])])
    bits = _apply(bits, [overwrites.get(role_id) for role_id in member["roles"]])
    bits = _apply(bits, [overwrites.get(member["user"]["id"])])
    if not bits & P.VIEW_CHANNEL:
        return 0
    if not bits & P.SEND_MESSAGES:
        bits &= ~_NEEDS_SEND
    return bits


def _apply(bits: int, overwrites: Iterable[dict[str, Any] | None]) -> int:
    allow = deny = 0
    for entry in overwrites:
        if entry is not None:
            allow |= int(entry["allow"])
            deny |= int(entry["deny"])
    return bits & ~deny | allow
