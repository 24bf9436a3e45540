"""REST routes for reactions."""

from __future__ import annotations

from bot.sandbox.calls import Call, Route, as_snowflake
from bot.sandbox.emoji import is_emoji
from bot.sandbox.errors import Refused
from bot.sandbox.objects import Json, emoji_key, public_user
from bot.sandbox.permissions import Permission

__all__ = ["ROUTES"]

_MOST_DIFFERENT = 20


def _emoji(call: Call) -> str:
    """The emoji of the path; 10014 when it is none. Variants with U+FE0F are emoji of their own."""
    text = call.params["emoji"]
    if is_emoji(text):
        return text
    _, _, emoji_id = text.rpartition(":")
    for guild in call.world.guilds.values():
        for emoji in guild["emojis"]:
            if emoji["id"] == emoji_id:
                return emoji_key(emoji)
    raise Refused(10014)


def add_reaction(call: Call) -> None:
    """React as the bot."""
    message, channel, key = call.message(), call.channel(), _emoji(call)
    call.need(channel, Permission.READ_MESSAGE_HISTORY)
    reactors = call.world.reactions_of(message["id"])
    if key not in reactors:
        call.need(channel, Permission.ADD_REACTIONS)
        if len(reactors) >= _MOST_DIFFERENT:
            raise Refused(30010)
    call.hub.actions.react(call.bot, message, key)


def remove_own(call: Call) -> None:
    """Take the bot's own reaction away."""
    message, channel, key = call.message(), call.channel(), _emoji(call)
    call.need(channel, Permission.READ_MESSAGE_HISTORY)
    call.hub.actions.unreact(call.bot, message, key)


def remove_of_user(call: Call) -> None:
    """Take somebody's reaction away."""
    message, channel, key, user = call.message(), call.channel(), _emoji(call), call.user()
    if user["id"] != call.bot["id"]:
        _need_manage(call, channel)
    call.hub.actions.unreact(user, message, key)


def remove_emoji(call: Call) -> None:
    """Take all reactions with one emoji away."""
    message, channel, key = call.message(), call.channel(), _emoji(call)
    _need_manage(call, channel)
    call.hub.actions.clear_reactions(message, key)


def remove_all(call: Call) -> None:
    """Take all reactions away."""
    message, channel = call.message(), call.channel()
    _need_manage(call, channel)
    call.hub.actions.clear_reactions(message)


def _need_manage(call: Call, channel: Json) -> None:
    if channel["type"] == 1:
        raise Refused(50003, status=403, message="Cannot execute action on a DM channel")
    call.need(channel, Permission.MANAGE_MESSAGES)


def get_reactions(call: Call) -> list[Json]:
    """Who reacted with an emoji, by id: ``limit`` users after ``after``; there are no super reactions."""
    message, channel, key = call.message(), call.channel(), _emoji(call)
    call.need(channel, Permission.READ_MESSAGE_HISTORY)
    limit, after = call.limit(25, 100), int(as_snowflake(call.query.get("after", "0")))
    if call.query.get("type", "0") == "1":
        return []
    users = sorted(call.world.reactions_of(message["id"]).get(key, ()), key=int)
    return [public_user(call.world.users[i]) for i in users if int(i) > after][:limit]


_ALL = "/channels/{channel}/messages/{message}/reactions"

ROUTES = [
    Route("DELETE", _ALL, remove_all),
    Route("GET", f"{_ALL}/{{emoji}}", get_reactions),
    Route("DELETE", f"{_ALL}/{{emoji}}", remove_emoji),
    Route("PUT", f"{_ALL}/{{emoji}}/@me", add_reaction, bucket="reactions"),
    Route("DELETE", f"{_ALL}/{{emoji}}/@me", remove_own, bucket="reactions"),
    Route("DELETE", f"{_ALL}/{{emoji}}/{{user}}", remove_of_user, bucket="reactions"),
]
