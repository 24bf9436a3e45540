"""Interactions: what a person started, and what the bot answered."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bot.sandbox.objects import EPHEMERAL, LOADING, Json, public_channel, public_member, public_user
from bot.sandbox.world import World

__all__ = ["NO_ANSWER", "Interaction", "Interactions", "payload"]

ATTACHMENT_LIMIT = 10 * 1024 * 1024
_REMEMBERED = 20_000
NO_ANSWER = "The application did not respond"


@dataclass(eq=False, slots=True)
class Interaction:
    """A slash command, click, choice, submitted form or autocomplete of one person, with the bot's answers.

    ``acknowledged`` is the callback type of the first answer, ``latency`` the time to it in seconds;
    ``replies`` are live message dicts, without the placeholder that says the bot is thinking; ``failed`` is
    what the person reads when no answer came in time.
    """

    id: str
    token: str
    type: int
    user: Json
    channel: Json
    guild: Json | None = None
    message: Json | None = None
    command_name: str = ""
    context_menu: bool = False
    started: float = field(default_factory=time.monotonic)
    acknowledged: int | None = None
    modal: Json | None = None
    choices: list[Json] | None = None
    failed: str | None = None
    latency: float | None = None
    messages: list[Json] = field(default_factory=list)
    original: Json | None = None
    first_ephemeral: bool = False

    @property
    def replies(self) -> list[Json]:
        """The messages the bot answered with, oldest first."""
        return [m for m in self.messages if not m["flags"] & LOADING]

    @property
    def reply(self) -> Json | None:
        """The first message the bot answered with, if any."""
        return next(iter(self.replies), None)

    @property
    def thinking(self) -> bool:
        """Whether the bot deferred its answer and has not given it yet."""
        return any(m["flags"] & LOADING for m in self.messages)

    @property
    def ephemeral(self) -> bool:
        """Whether the first answer is shown to this person only."""
        return bool(self.messages and self.messages[0]["flags"] & EPHEMERAL) or self.first_ephemeral

    @property
    def age(self) -> float:
        """Seconds since the person acted."""
        return time.monotonic() - self.started

    def answer(self, kind: int) -> None:
        """Note the first answer."""
        self.acknowledged = kind
        self.latency = self.age


class Interactions:
    """The interactions so far."""

    def __init__(self) -> None:
        self.by_id: dict[str, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}

    def add(self, interaction: Interaction) -> None:
        """Remember an interaction, and let go of the oldest when there are very many."""
        self.by_id[interaction.id] = interaction
        self.by_token[interaction.token] = interaction
        if len(self.by_id) > _REMEMBERED:
            oldest = next(iter(self.by_id.values()))
            del self.by_id[oldest.id], self.by_token[oldest.token]

    def forget_message(self, message: Json) -> None:
        """Take a deleted message out of the replies of its interaction."""
        interaction = self.by_id.get((message.get("interaction_metadata") or {}).get("id", ""))
        if interaction is not None:
            interaction.messages = [m for m in interaction.messages if m["id"] != message["id"]]


def payload(world: World, interaction: Interaction, data: Json) -> Json:
    """The INTERACTION_CREATE payload."""
    channel, guild, user = interaction.channel, interaction.guild, interaction.user
    permissions = world.permissions(user, channel)
    body: Json = {
        "id": interaction.id,
        "application_id": world.application_id,
        "type": interaction.type,
        "token": interaction.token,
        "version": 1,
        "channel_id": channel["id"],
        "channel": {**public_channel(channel), "permissions": str(permissions)},
        "locale": user["locale"],
        "app_permissions": str(world.permissions(world.bot, channel)),
        "entitlements": [],
        "context": 1 if guild is None else 0,
        "authorizing_integration_owners": {"0": guild["id"] if guild else "0"},
        "attachment_size_limit": ATTACHMENT_LIMIT,
        "data": data,
    }
    if guild is None:
        body["user"] = public_user(user)
    else:
        member = world.member(guild, user)
        if member is None:
            raise LookupError(f"{user['username']} is not a member of {guild['name']}.")
        locale = guild["preferred_locale"]
        body["guild_id"] = guild["id"]
        body["guild_locale"] = locale
        body["guild"] = {"id": guild["id"], "locale": locale, "features": guild["features"]}
        body["member"] = {**public_member(member), "permissions": str(permissions)}
    if interaction.message is not None:
        body["message"] = interaction.message
    return body
