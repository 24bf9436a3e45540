"""The button under a rejected game's card, and the form in which an admin writes the reason."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import discord

from bot.answers import answered
from bot.game_button import GameButton
from bot.people import person
from bot.texts import Texts, texts_for
from ratings import ledger

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["ReasonButton"]


class ReasonButton(GameButton, template=r"reason:(?P<game>[0-9]{1,18})"):
    """Opens the form for the reason, for admins."""

    prefix = "reason"

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the form to an admin; tell anybody else why not."""
        client: Tenbou = interaction.client
        await client.require_admin(interaction)
        await interaction.response.send_modal(ReasonForm(texts_for(interaction.locale), self.game_id))


class ReasonForm(discord.ui.Modal):
    """One text field: why the game was rejected."""

    def __init__(self, texts: Texts, game_id: int) -> None:
        super().__init__(title=texts.gettext("Why was it rejected?"), custom_id=f"reason-form:{game_id}")
        self._game_id = game_id
        self.reason: discord.ui.TextInput[ReasonForm] = discord.ui.TextInput(
            label=texts.gettext("Reason, as the reporter will read it"),
            style=discord.TextStyle.paragraph,
            max_length=ledger.REASON_LENGTH,
            custom_id="reason",
        )
        self.add_item(self.reason)

    @answered
    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        """Keep the reason, if whoever wrote it may still decide."""
        client: Tenbou = interaction.client
        member = await client.require_admin(interaction)
        texts = texts_for(interaction.locale)
        guild_id, now = member.guild.id, int(time.time())
        game = await client.store.write(
            ledger.give_reason, guild_id, self._game_id, self.reason.value, person(member), now
        )
        client.worker.wake()
        await interaction.response.send_message(
            texts.gettext(
                "The reason is on the card of game #{number}, and I tell the reporter.", number=game.number
            ),
            ephemeral=True,
        )
