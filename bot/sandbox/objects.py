"""Discord's objects as JSON dicts: templates, snowflakes, and what of them may be shown to the bot."""

from __future__ import annotations

import itertools
import time
from datetime import UTC, datetime
from typing import Any

__all__ = [
    "EPHEMERAL",
    "LOADING",
    "V2",
    "Json",
    "Snowflakes",
    "channel_template",
    "created_ms",
    "dm_template",
    "emoji_key",
    "emoji_object",
    "guild_template",
    "member_template",
    "now_iso",
    "public_channel",
    "public_member",
    "public_user",
    "role_template",
    "user_template",
    "walk_components",
]

Json = dict[str, Any]

EPOCH_MS = 1420070400000
EPHEMERAL = 1 << 6
LOADING = 1 << 7
V2 = 1 << 15
"""Message flags: seen by one person only; "thinking…"; laid out by components, without content and embeds."""

_PRIVATE_USER_KEYS = ("locale", "dms_closed")


class Snowflakes:
    """Ids that grow: the time in their upper bits, never the same twice."""

    def __init__(self, last: int = 0) -> None:
        self._last = last

    def __call__(self) -> str:
        now = (time.time_ns() // 1_000_000 - EPOCH_MS) << 22
        self._last = max(self._last + 1, now)
        return str(self._last)


def created_ms(snowflake: str | int) -> int:
    """When the object with this id was made, in milliseconds since 1970."""
    return (int(snowflake) >> 22) + EPOCH_MS


def now_iso() -> str:
    """Now, as Discord writes times."""
    return datetime.now(UTC).isoformat()


def user_template(user_id: str, name: str, display_name: str | None, *, bot: bool) -> Json:
    """A user; ``locale`` and ``dms_closed`` are for the sandbox and are never shown to the bot."""
    return {
        "id": user_id,
        "username": name,
        "discriminator": "0",
        "global_name": display_name,
        "avatar": None,
        "bot": bot,
        "system": False,
        "public_flags": 0,
        "locale": "en-US",
        "dms_closed": False,
    }


def role_template(role_id: str, name: str, permissions: int, position: int) -> Json:
    """A role of a guild."""
    return {
        "id": role_id,
        "name": name,
        "permissions": str(int(permissions)),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def member_template(user: Json, roles: list[str], nick: str | None) -> Json:
    """A member of a guild; holds the very dict of its user."""
    return {
        "user": user,
        "nick": nick,
        "avatar": None,
        "banner": None,
        "roles": roles,
        "joined_at": now_iso(),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None,
    }


def channel_template(channel_id: str, guild_id: str, name: str, position: int, overwrites: list[Json]) -> Json:
    """A text channel of a guild."""
    return {
        "id": channel_id,
        "type": 0,
        "guild_id": guild_id,
        "name": name,
        "position": position,
        "permission_overwrites": overwrites,
        "topic": None,
        "nsfw": False,
        "parent_id": None,
        "last_message_id": None,
        "rate_limit_per_user": 0,
        "flags": 0,
    }


def dm_template(channel_id: str, user: Json) -> Json:
    """The private channel between the bot and a user."""
    return {"id": channel_id, "type": 1, "recipients": [user], "last_message_id": None, "flags": 0}


def guild_template(guild_id: str, name: str, owner_id: str, locale: str) -> Json:
    """A guild with nothing in it."""
    empty = ("emojis", "stickers", "features", "roles", "channels", "threads", "members", "voice_states")
    more = ("presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds")
    return {
        "id": guild_id,
        "name": name,
        "owner_id": owner_id,
        "preferred_locale": locale,
        "icon": None,
        "description": None,
        "member_count": 0,
        "large": False,
        "unavailable": False,
        "joined_at": now_iso(),
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "application_id": None,
        "premium_progress_bar_enabled": False,
        **{key: [] for key in itertools.chain(empty, more)},
    }


def public_user(user: Json) -> Json:
    """A user as the bot may see it."""
    return {key: value for key, value in user.items() if key not in _PRIVATE_USER_KEYS}


def public_member(member: Json, *, with_user: bool = True) -> Json:
    """A member as the bot may see it, optionally without the user inside."""
    shown = {key: value for key, value in member.items() if key != "user"}
    shown["roles"] = list(member["roles"])
    if with_user:
        shown["user"] = public_user(member["user"])
    return shown


def emoji_object(key: str) -> Json:
    """The emoji object for ``✅`` or ``name:id``."""
    name, _, emoji_id = key.rpartition(":")
    if name and emoji_id.isdigit():
        return {"id": emoji_id, "name": name, "animated": False}
    return {"id": None, "name": key}


def emoji_key(emoji: Json) -> str:
    """The text that stands for an emoji in a URL: ``✅`` or ``name:id``."""
    return f"{emoji['name']}:{emoji['id']}" if emoji.get("id") else str(emoji["name"])


def walk_components(components: list[Json] | None) -> list[Json]:
    """Every component at any depth, parents before children."""
    found: list[Json] = []
    for component in components or ():
        found.append(component)
        inner = [*component.get("components", ())]
        inner += [component[key] for key in ("accessory", "component") if isinstance(component.get(key), dict)]
        found += walk_components(inner)
    return found


def public_channel(channel: Json) -> Json:
    """A channel as the bot may see it."""
    if "recipients" not in channel:
        return channel
    return {**channel, "recipients": [public_user(user) for user in channel["recipients"]]}
