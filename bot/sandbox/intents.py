"""Gateway intents: which events a session gets, and which parts of a message it may read."""

from __future__ import annotations

from enum import IntFlag

from bot.sandbox.objects import Json

__all__ = ["PRIVILEGED", "Intent", "intent_for", "readable_message"]


class Intent(IntFlag):
    """One bit for each group of events, as in Discord's documentation."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT

_BLANK: Json = {"content": "", "embeds": [], "attachments": [], "components": []}


def intent_for(event: str, *, direct: bool) -> Intent | None:
    """The intent an event needs; None for events that everybody gets."""
    if event.startswith("MESSAGE_REACTION_"):
        return Intent.DIRECT_MESSAGE_REACTIONS if direct else Intent.GUILD_MESSAGE_REACTIONS
    if event.startswith("MESSAGE_"):
        return Intent.DIRECT_MESSAGES if direct else Intent.GUILD_MESSAGES
    if event.startswith("GUILD_MEMBER_"):
        return Intent.GUILD_MEMBERS
    if event.startswith(("GUILD_", "CHANNEL_")):
        return Intent.GUILDS
    return None


def readable_message(message: Json, bot_id: str, *, allowed: bool, direct: bool) -> Json:
    """A message as the bot may read it.

    Without the message content intent, what people write is blank unless it mentions the bot or is a DM.
    """
    mentioned = any(user["id"] == bot_id for user in message.get("mentions", ()))
    if allowed or direct or mentioned or message["author"]["id"] == bot_id:
        return message
    return {**message, **_BLANK}
