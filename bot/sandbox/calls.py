"""A request of the bot on its way through the routes, with the look-ups and checks every route needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.errors import Refused, invalid_form
from bot.sandbox.hub import Hub
from bot.sandbox.messages import Upload
from bot.sandbox.objects import EPHEMERAL, Json
from bot.sandbox.permissions import Permission
from bot.sandbox.world import World

__all__ = ["Call", "Route", "as_snowflake"]


@dataclass(slots=True)
class Call:
    """One request."""

    hub: Hub
    params: dict[str, str]
    query: Mapping[str, str]
    body: Any = None
    uploads: list[Upload] = field(default_factory=list)

    @property
    def world(self) -> World:
        """The state."""
        return self.hub.world

    @property
    def bot(self) -> Json:
        """The bot's user."""
        return self.hub.world.bot

    def fields(self) -> Json:
        """The body, which must be a JSON object."""
        if self.body is None and self.uploads:
            return {}
        if not isinstance(self.body, dict):
            raise Refused(50109)
        return self.body

    def guild(self) -> Json:
        """The guild of the path; 10004 when it does not exist or the bot is not in it."""
        guild = self.world.guilds.get(self.params["guild"])
        if guild is None or self.world.member(guild, self.bot) is None:
            raise Refused(10004)
        return guild

    def channel(self) -> Json:
        """The channel of the path; 10003 when it does not exist, 50001 when the bot may not see it."""
        channel = self.world.channels.get(self.params["channel"])
        if channel is None:
            raise Refused(10003)
        if not self.may(channel, Permission.VIEW_CHANNEL):
            raise Refused(50001)
        return channel

    def message(self) -> Json:
        """The message of the path, in the channel of the path; 10008 when there is none."""
        channel = self.channel()
        message = self.world.message(self.params["message"])
        if message is None or message["channel_id"] != channel["id"] or message["flags"] & EPHEMERAL:
            raise Refused(10008)
        return message

    def user(self) -> Json:
        """The user of the path; 10013 when there is none."""
        user = self.world.users.get(self.params["user"])
        if user is None:
            raise Refused(10013)
        return user

    def member(self, guild: Json) -> Json:
        """The member of the path; 10007 when the user is not in the guild."""
        member = self.world.member(guild, self.user())
        if member is None:
            raise Refused(10007)
        return member

    def may(self, channel: Json, permission: int) -> bool:
        """Whether the bot holds all these permissions in a channel."""
        return self.world.permissions(self.bot, channel) & permission == permission

    def need(self, channel: Json, permission: int) -> None:
        """Refuse with 50013 unless the bot holds these permissions in a channel."""
        if not self.may(channel, permission):
            raise Refused(50013)

    def need_in_guild(self, guild: Json, permission: int) -> None:
        """Refuse with 50013 unless the bot holds these permissions in a guild."""
        if self.world.guild_permissions(guild, self.bot) & permission != permission:
            raise Refused(50013)

    def limit(self, default: int, most: int) -> int:
        """The ``limit`` of the query."""
        text = self.query.get("limit", str(default))
        if not text.isdigit() or not 1 <= int(text) <= most:
            raise invalid_form([("limit", f"int value should be between 1 and {most}.")])
        return int(text)


def as_snowflake(value: Any) -> str:
    """An id from a body, where it may be a number or text."""
    text = str(value)
    if not text.isdigit():
        raise invalid_form([("", f'Value "{text[:40]}" is not snowflake.')])
    return text


class Route:
    """A method and a path like ``/channels/{channel}/messages``, and what answers it.

    ``open`` routes carry their own token in the path and ask for no bot token; ``bucket`` names the rate limit
    a route falls under.
    """

    def __init__(
        self, method: str, path: str, answer: Callable[[Call], Any], *, open: bool = False, bucket: str = ""
    ) -> None:
        self.method = method
        self.path = path
        self.answer = answer
        self.open = open
        self.bucket = bucket
        self._pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """The parameters of a raw path that fits, else None."""
        found = self._pattern.fullmatch(path) if method == self.method else None
        return None if found is None else found.groupdict()
