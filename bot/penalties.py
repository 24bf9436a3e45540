"""Penalties on an American hand: an admin chooses them from a list.

While the hand is pending they count at once, and he sees the new forecast; once it is approved another choice is a
correction, shown first and made when it is confirmed.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Self

import discord
import sqlalchemy as sa

from bot.answers import answer, answered
from bot.confirmations import Question
from bot.game_button import GameButton
from bot.people import home, person
from bot.render import american
from bot.render.card import COLOURS, body
from bot.render.names import plain_name
from bot.texts import Texts, texts_for
from ratings import ledger
from ratings.ledger import Matter
from ratings.models import AmericanGame, GameState, Offence, Refusal, Refused

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["AdjustButton", "PenaltySelect", "send_list"]


class AdjustButton(GameButton, template=r"adjust:(?P<game>[0-9]{1,18})"):
    """Opens the list of penalties, for admins."""

    prefix = "adjust"

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the list to an admin, with what counts at present."""
        client: Tenbou = interaction.client
        await client.require_admin(interaction)
        await send_list(interaction, await client.store.read(ledger.matter, home(interaction), self.game_id))


async def send_list(interaction: discord.Interaction[Any], matter: Matter) -> None:
    """Show whoever asked, in private, the list of penalties of a hand. Raises Refused for any other game, and for
    a hand that neither waits nor counts."""
    texts = texts_for(interaction.locale)
    await answer(interaction, embed=_preview(texts, matter), view=_list(texts, matter))


class PenaltySelect(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"penalties:(?P<game>[0-9]{1,18})"):
    """The list: one entry for each player and offence, those that count ticked."""

    def __init__(self, game_id: int, options: list[discord.SelectOption], placeholder: str) -> None:
        select: discord.ui.Select[Any] = discord.ui.Select(
            custom_id=f"penalties:{game_id}",
            options=options,
            placeholder=placeholder,
            min_values=0,
            max_values=len(options),
        )
        super().__init__(select)
        self._game_id = game_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The list of the game its custom_id names, with the options it was sent with."""
        options = item.options if isinstance(item, discord.ui.Select) else []
        return cls(int(match["game"]), options, "")

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Make what was ticked the penalties of a pending hand, or propose them for one that counts."""
        client: Tenbou = interaction.client
        member = await client.require_admin(interaction)
        # Another admin may have changed the list meanwhile: only what this one changed is changed.
        shown = {option.value for option in self.item.options if option.default}
        ticked = set(self.item.values)
        added, removed = ([_read(value) for value in sorted(each)] for each in (ticked - shown, shown - ticked))
        matter = await client.store.read(ledger.matter, member.guild.id, self._game_id)
        if matter.game.state is GameState.APPROVED:
            await self._propose(interaction, member.guild.id, added, removed)
            return
        matter = await client.store.write(
            ledger.change_penalties,
            member.guild.id,
            self._game_id,
            added,
            removed,
            person(member),
            int(time.time()),
        )
        client.worker.wake()
        texts = texts_for(interaction.locale)
        await interaction.response.edit_message(embed=_preview(texts, matter), view=_list(texts, matter))

    async def _propose(
        self,
        interaction: discord.Interaction[Any],
        guild_id: int,
        added: list[tuple[int, Offence]],
        removed: list[tuple[int, Offence]],
    ) -> None:
        client: Tenbou = interaction.client
        game_id = self._game_id

        def propose(connection: sa.Connection) -> ledger.Proposal:
            return ledger.propose_penalties(connection, guild_id, game_id, added, removed)

        await client.confirmations.ask(interaction, Question(guild_id, propose, client.require_admin))


def _preview(texts: Texts, matter: Matter) -> discord.Embed:
    return discord.Embed(
        title=texts.gettext("Game #{number}: penalties", number=matter.game.number),
        description="\n".join(body(texts, matter)),
        colour=COLOURS[matter.game.state],
    )


def _list(texts: Texts, matter: Matter) -> discord.ui.View:
    game, hand = matter.game, matter.game.facts
    if not isinstance(hand, AmericanGame):
        raise Refused(Refusal.NOT_AMERICAN, number=game.number)
    if game.state not in (GameState.PENDING, GameState.APPROVED):
        raise Refused(Refusal.NOT_AMENDABLE, number=game.number, state=game.state)
    options = [
        discord.SelectOption(
            label=f"{plain_name(texts, someone.name, 24)}: {american.offence_name(texts, offence)}"[:100],
            value=f"{player}:{offence}",
            default=(player, offence) in hand.penalties,
        )
        for player, someone in zip(game.players, game.people, strict=True)
        for offence in Offence
        # What counts can be taken back, also where it could not be added.
        if offence in american.possible_offences(hand, player) or (player, offence) in hand.penalties
    ]
    view = discord.ui.View(timeout=None)
    view.add_item(PenaltySelect(game.id, options, texts.gettext("Choose all penalties that count")))
    return view


def _read(value: str) -> tuple[int, Offence]:
    player, offence = value.split(":", 1)
    return int(player), Offence(offence)
