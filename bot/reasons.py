"""The button under a rejected game's card, and the form in which an admin writes the reason."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import discord

from bot.answers import answer, answered
from bot.forms import Form
from bot.game_button import GameButton
from bot.people import person
from bot.texts import Texts, texts_for
from ratings import ledger

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["ReasonButton", "ReasonForm"]

_FIELD = "reason"


class ReasonButton(GameButton, template=r"reason:(?P<game>[0-9]{1,18})"):
    """Opens the form for the reason, for admins."""

    prefix = "reason"

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the form to an admin; tell anybody else why not."""
        client: Tenbou = interaction.client
        await client.require_admin(interaction)
        await interaction.response.send_modal(ReasonForm(texts_for(interaction.locale), self.game_id))


class ReasonForm(Form):
    """One text field: why the game was rejected."""

    template = re.compile(r"reason-form:(?P<game>[0-9]{1,18})")

    def __init__(self, texts: Texts, game_id: int) -> None:
        super().__init__(texts.gettext("Why was it rejected?"), f"reason-form:{game_id}")
        field: discord.ui.TextInput[ReasonForm] = discord.ui.TextInput(
            label=texts.gettext("Reason, as the reporter will read it"),
            style=discord.TextStyle.paragraph,
            max_length=ledger.REASON_LENGTH,
            custom_id=_FIELD,
        )
        self.add_item(field)

    @classmethod
    async def sent(
        cls, interaction: discord.Interaction[Any], match: re.Match[str], written: Mapping[str, str]
    ) -> None:
        """Keep the reason, if whoever wrote it may still decide."""
        client: Tenbou = interaction.client
        member = await client.require_admin(interaction)
        game_id, reason, now = int(match["game"]), written[_FIELD], int(time.time())
        game = await client.store.write(ledger.give_reason, member.guild.id, game_id, reason, person(member), now)
        client.worker.wake()
        told = texts_for(interaction.locale).gettext(
            "The reason is on the card of game #{number}, and I tell the reporter.", number=game.number
        )
        await answer(interaction, told)
