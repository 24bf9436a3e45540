"""Listings with pages: one kind of button turns the pages of every listing, also after a restart.

A button carries the listing's name, its question and the page; whoever made the listing registers how a page
of it is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, Self

import discord

from bot.answers import answer, answered, answering
from bot.texts import Texts, texts_for

__all__ = ["MINE", "Drawn", "Listings", "PageButton", "turn_buttons"]

# The page on which the member who presses the button stands.
MINE = "mine"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One drawn page: what it shows, which it is (from 0), and how many there are."""

    embed: discord.Embed
    page: int
    pages: int


class Listing(Protocol):
    """Draws a page of a listing for whoever asks; `page` is a number or MINE."""

    def __call__(
        self, interaction: discord.Interaction, question: str, page: str
    ) -> Coroutine[Any, Any, Drawn]: ...


class Listings:
    """The listings that the cogs have registered, by name."""

    def __init__(self) -> None:
        self._draw: dict[str, tuple[Listing, bool]] = {}

    def register(self, name: str, draw: Listing, *, has_mine: bool = False) -> None:
        """Make `draw` the way to draw the listing `name`; `has_mine` adds a button to one's own place."""
        self._draw[name] = (draw, has_mine)

    async def open(
        self,
        interaction: discord.Interaction,
        name: str,
        question: str,
        page: str = "0",
        *,
        private: bool = False,
    ) -> None:
        """Answer a command with a page of a listing, for everybody to see or for whoever asks."""
        draw, has_mine = self._draw[name]
        drawn = await answering(interaction, draw(interaction, question, page), public=not private)
        view = turn_buttons(texts_for(interaction.guild_locale), name, question, drawn, has_mine)
        buttons: dict[str, Any] = {} if view is None else {"view": view}
        await answer(interaction, embed=drawn.embed, public=not private, **buttons)

    async def turn(self, interaction: discord.Interaction, name: str, question: str, page: str) -> None:
        """Answer a pressed button by drawing its page in place of the old one."""
        draw, has_mine = self._draw[name]
        drawn = await answering(interaction, draw(interaction, question, page), in_place=True)
        view = turn_buttons(texts_for(interaction.guild_locale), name, question, drawn, has_mine)
        if interaction.response.is_done():
            await interaction.edit_original_response(embed=drawn.embed, view=view)
        else:
            await interaction.response.edit_message(embed=drawn.embed, view=view)


def turn_buttons(texts: Texts, name: str, question: str, drawn: Drawn, has_mine: bool) -> discord.ui.View | None:
    """The buttons under a page; none under a listing of a single page."""
    if drawn.pages <= 1:
        return None
    view = discord.ui.View(timeout=None)
    last = drawn.pages - 1
    for symbol, page, dead in (
        ("⏮", 0, drawn.page == 0),
        ("◀", max(0, drawn.page - 1), drawn.page == 0),
        ("▶", min(last, drawn.page + 1), drawn.page == last),
        ("⏭", last, drawn.page == last),
    ):
        # Discord wants every custom_id of a message to differ, also of dead buttons.
        view.add_item(PageButton(name, question, f"{page}{symbol}", label=symbol, disabled=dead))
    if has_mine:
        view.add_item(PageButton(name, question, MINE, label=texts.gettext("My place")))
    return view


class PageButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"page:(?P<name>[a-z]+):(?P<question>[^\s]*):(?P<page>[0-9]{1,9}|mine)(?P<symbol>[^:]?)",
):
    """A button that shows one page of a listing."""

    def __init__(self, name: str, question: str, page: str, *, label: str = "", disabled: bool = False) -> None:
        super().__init__(
            discord.ui.Button(label=label or page, disabled=disabled, custom_id=f"page:{name}:{question}:{page}")
        )
        self._listing, self._question, self._page = name, question, page

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as its custom_id describes it."""
        return cls(match["name"], match["question"], match["page"])

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Turn to this button's page."""
        listings: Listings = interaction.client.listings
        await listings.turn(interaction, self._listing, self._question, self._page)
