"""A game's number as an option of a command: while somebody types, the newest games that fit are offered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot import permissions
from bot.people import home
from bot.render.boards import game_label
from bot.texts import texts_for
from ratings.models import GameState
from ratings.queries import audit

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["GameNumber"]

CHOICES = 25


class GameNumber(app_commands.Transformer):
    """The number of a game in one of these `states`, of one `kind` ("riichi", "american") if it is named.

    With `own` only games that whoever asks has reported are offered. With `amends` those are offered that he may
    amend: his own pending ones, unless he is an admin."""

    def __init__(
        self, *states: GameState, kind: str | None = None, own: bool = False, amends: bool = False
    ) -> None:
        self._states = states
        self._kind = kind
        self._own = own
        self._amends = amends

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A whole number."""
        return discord.AppCommandOptionType.integer

    @property
    def min_value(self) -> int:
        """Games are counted from 1."""
        return 1

    async def transform(self, _interaction: discord.Interaction[Any], value: int, /) -> int:
        """The number itself: whether there is such a game is seen when it is looked up."""
        return value

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: int | float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """The newest games whose numbers begin with what was typed."""
        client: Tenbou = interaction.client
        guild_id, texts = home(interaction), texts_for(interaction.locale)
        states, reporter = self._states, interaction.user.id if self._own else None
        if self._amends and not await _is_admin(client, interaction):
            states, reporter = (GameState.PENDING,), interaction.user.id
        typed = re.sub(r"\D", "", str(value))
        found = await client.store.read(audit.newest, guild_id, typed, states, CHOICES, self._kind, reporter)
        return [app_commands.Choice(name=game_label(texts, game), value=game.number) for game in found]


async def _is_admin(client: Tenbou, interaction: discord.Interaction[Any]) -> bool:
    member = interaction.user
    settings = await client.settings(home(interaction))
    return isinstance(member, discord.Member) and permissions.is_admin(member, settings)
