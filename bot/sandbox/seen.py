"""What a member sees on the page of the sandbox: the club, the channels, the messages of the open one."""

from __future__ import annotations

from bot.sandbox.objects import EPHEMERAL, LOADING, Json
from bot.sandbox.people import Person
from bot.sandbox.permissions import Permission
from bot.sandbox.server import LocalDiscord

__all__ = ["channels_of", "person", "seen"]

HISTORY = 100


def seen(discord: LocalDiscord, guild: Json, viewer: Json, wanted: str | None) -> Json:
    """Everything the page shows to a member who looks at the channel with the id `wanted`, or at the first one."""
    world = discord.world
    channels = channels_of(discord, guild, viewer)
    channel = next((c for c in channels if c["id"] == wanted), channels[0])
    me = person(discord, guild, viewer, channel)
    return {
        "connected": discord.connected,
        "guild": {"id": guild["id"], "name": guild["name"]},
        "viewer": viewer["id"],
        "channel": channel["id"],
        "channels": [_channel(discord, guild, viewer, c) for c in channels],
        "members": [_member(discord, guild, m) for m in guild["members"]],
        "roles": [{"id": r["id"], "name": r["name"]} for r in guild["roles"]],
        "names": {user["id"]: _name(discord, guild, user) for user in world.users.values()},
        "commands": [c for c in me.commands(channel) if c["type"] == 1],
        "messages": [_message(discord, guild, me, channel, m) for m in me.history(channel)[-HISTORY:]],
    }


def channels_of(discord: LocalDiscord, guild: Json, viewer: Json) -> list[Json]:
    """The text channels a member sees, and the member's DM with the bot."""
    visible = [
        channel
        for channel in guild["channels"]
        if channel["type"] in (0, 5) and discord.world.permissions(viewer, channel) & Permission.VIEW_CHANNEL
    ]
    return [*visible, discord.world.dm_channel(viewer)]


def person(discord: LocalDiscord, guild: Json, viewer: Json, channel: Json) -> Person:
    """The member as one who acts in this channel."""
    return discord.person(None if channel["type"] == 1 else guild, viewer)


def _channel(discord: LocalDiscord, guild: Json, viewer: Json, channel: Json) -> Json:
    direct = channel["type"] == 1
    messages = person(discord, guild, viewer, channel).history(channel)
    return {
        "id": channel["id"],
        "name": _name(discord, guild, discord.world.bot) if direct else channel["name"],
        "type": channel["type"],
        "direct": direct,
        "newest": messages[-1]["id"] if messages else "0",
    }


def _member(discord: LocalDiscord, guild: Json, member: Json) -> Json:
    user = member["user"]
    roles = [role["name"] for role in guild["roles"] if role["id"] in member["roles"]]
    if user["id"] == guild["owner_id"]:
        roles.insert(0, "owner")
    return {
        "id": user["id"],
        "name": _name(discord, guild, user),
        "username": user["username"],
        "bot": user["bot"],
        "roles": roles,
    }


def _message(discord: LocalDiscord, guild: Json, me: Person, channel: Json, message: Json) -> Json:
    author, flags = message["author"], message["flags"]
    about = message.get("interaction_metadata") or {}
    mine = author["id"] == me.user["id"]
    others = channel["type"] != 1 and me.can(channel, Permission.MANAGE_MESSAGES)
    shown = ("id", "content", "timestamp", "embeds", "attachments", "components")
    return {
        **{key: message[key] for key in shown},
        "author": {"id": author["id"], "name": _name(discord, guild, author), "bot": author["bot"]},
        "edited": message["edited_timestamp"],
        "reactions": [
            {"emoji": key, "count": len(users), "mine": me.user["id"] in users}
            for key, users in discord.world.reactors.get(message["id"], {}).items()
            if users
        ],
        "used": {"by": about["user"]["id"], "command": about["name"]} if "name" in about else None,
        "ephemeral": bool(flags & EPHEMERAL),
        "thinking": bool(flags & LOADING),
        "deletable": not flags & EPHEMERAL and (mine or others),
    }


def _name(discord: LocalDiscord, guild: Json, user: Json) -> str:
    member = discord.world.member(guild, user["id"])
    nick = member["nick"] if member else None
    return str(nick or user["global_name"] or user["username"])
