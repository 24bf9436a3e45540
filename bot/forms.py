"""Forms that work after a restart: what one is about stands in its custom_id, as with the buttons."""

from __future__ import annotations

import abc
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import discord

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["Form", "receive"]


class Form(discord.ui.Modal, abc.ABC):
    """The common part of such forms. A kind gives the `template` of its custom_ids, and what happens when one is
    sent."""

    template: ClassVar[re.Pattern[str]]

    def __init__(self, title: str, custom_id: str) -> None:
        super().__init__(title=title, custom_id=custom_id)
        # `receive` answers it: discord.py, which would forget it at a restart, need not remember it.
        self.stop()

    @classmethod
    @abc.abstractmethod
    async def sent(
        cls, interaction: discord.Interaction[Any], match: re.Match[str], written: Mapping[str, str]
    ) -> None:
        """Do what a form asks for: `written` has the texts of its fields by custom_id. That an answer, a private
        one, is on its way has been said; errors are explained."""


async def receive(interaction: discord.Interaction[Any], kinds: Iterable[type[Form]]) -> None:
    """Answer a form of one of these kinds; leave anything else alone."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return
    client: Tenbou = interaction.client
    data: Any = interaction.data
    for kind in kinds:
        if (match := kind.template.fullmatch(data["custom_id"])) is None:
            continue
        try:
            # Every process on a token gets every form, and Discord takes one announcement: whose it took acts.
            await interaction.response.defer(ephemeral=True, thinking=True)
            await kind.sent(interaction, match, dict(_written(data["components"])))
        except Exception as error:
            await client.explain_error(interaction, error)


def _written(components: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The custom_ids and texts of the fields, which stand in rows or under labels."""
    for each in components:
        if "value" in each:
            yield each["custom_id"], each["value"]
        yield from _written(each.get("components", ()))
        yield from _written([each["component"]] if "component" in each else ())
