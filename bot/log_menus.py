"""The menus and buttons under a game log that waits for names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import discord

from bot.answers import answered
from bot.key_button import KeyButton
from bot.people import person
from bot.render import logs as drawing
from bot.texts import Texts
from ratings.logs import GameLog
from ratings.models import Person, Report
from ratings.settings import ClubSettings

__all__ = ["Draft", "LeaveButton", "LinkButton", "SeatSelect", "SubmitButton", "controls"]


@dataclass(slots=True)
class Draft:
    """A log that was read and waits for names: who asked and how, whoever is known by seat, and whether the
    names are to be linked. `open` are the seats that the menus ask for."""

    guild_id: int
    asked_by: int
    channel_id: int
    interaction_id: int
    log: GameLog
    ranked: bool
    people: list[Person | None]
    settings: ClubSettings
    open: tuple[int, ...] = ()
    link: bool = False
    linkable: frozenset[int] = field(default_factory=frozenset)

    def report(self, reporter: Person, now: int) -> Report:
        """The report that the log makes, once everybody is named."""
        ranked = self.ranked and self.log.ranked
        told = [seat.chips for seat in self.log.seats if seat.chips is not None]
        chips = tuple(told) if self.settings.chips and len(told) == self.log.players and not sum(told) else ()
        return Report(
            reporter=reporter,
            players=tuple(someone for someone in self.people if someone is not None),
            scores=tuple(seat.final_score for seat in self.log.seats),
            length=self.log.length,
            lobby=self.log.lobby if ranked else None,
            # Those that were left are in the score of first place already.
            sticks=0,
            ranked=ranked,
            played_at=now if self.log.played_at is None else self.log.played_at,
            channel_id=self.channel_id,
            interaction_id=self.interaction_id,
            chips=chips,
        )

    def links(self, by: discord.abc.User, is_admin: bool) -> list[tuple[Person, str]]:
        """Whose accounts to link, and under which names: a member's own one, an admin's choice of all."""
        if not self.link:
            return []
        chosen = [(self.people[seat], self.log.seats[seat].name) for seat in sorted(self.linkable)]
        return [(who, name) for who, name in chosen if who is not None and (is_admin or who.discord_id == by.id)]


class Reports(Protocol):
    """What menus and buttons ask of whoever keeps the drafts."""

    async def choose(self, interaction: discord.Interaction[Any], key: str, seat: int, chosen: Person) -> None: ...
    async def toggle(self, interaction: discord.Interaction[Any], key: str) -> None: ...
    async def submit(self, interaction: discord.Interaction[Any], key: str) -> None: ...
    async def leave(self, interaction: discord.Interaction[Any], key: str) -> None: ...


def controls(texts: Texts, key: str, draft: Draft) -> discord.ui.View:
    """A menu for each seat that nobody is known for, and the buttons to submit, to link the names and to leave."""
    view = discord.ui.View(timeout=None)
    for row, seat in enumerate(draft.open):
        asked = drawing.choice(texts, seat, draft.log.seats[seat])
        view.add_item(SeatSelect(key, seat, asked, draft.people[seat], row=row))
    view.add_item(SubmitButton(key, texts.gettext("Submit"), disabled=None in draft.people))
    if draft.linkable:
        label = texts.gettext("Link the names: yes") if draft.link else texts.gettext("Link the names: no")
        view.add_item(LinkButton(key, label))
    view.add_item(LeaveButton(key, texts.gettext("Leave it")))
    return view


class SeatSelect(
    discord.ui.DynamicItem[discord.ui.UserSelect[Any]], template=r"logseat:(?P<key>[\w-]{8,40}):(?P<seat>[0-3])"
):
    """Asks who sat in a seat."""

    def __init__(
        self, key: str, seat: int, placeholder: str = "", chosen: Person | None = None, row: int | None = None
    ) -> None:
        kind = discord.SelectDefaultValueType.user
        default = [] if chosen is None else [discord.SelectDefaultValue(id=chosen.discord_id, type=kind)]
        super().__init__(
            discord.ui.UserSelect(
                custom_id=f"logseat:{key}:{seat}",
                placeholder=placeholder or None,
                default_values=default,
                row=row,
            )
        )
        self._key, self._seat = key, seat

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The menu as its custom_id describes it."""
        return cls(match["key"], int(match["seat"]))

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Note the choice."""
        reports: Reports = interaction.client.log_reports
        await reports.choose(interaction, self._key, self._seat, person(self.item.values[0]))


class SubmitButton(KeyButton, template=r"logsubmit:(?P<key>[\w-]{8,40})"):
    """Submits the game of the log."""

    prefix = "logsubmit"
    style = discord.ButtonStyle.success

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Submit."""
        reports: Reports = interaction.client.log_reports
        await reports.submit(interaction, self.key)


class LinkButton(KeyButton, template=r"loglink:(?P<key>[\w-]{8,40})"):
    """Says whether names are linked as accounts."""

    prefix = "loglink"

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Change it."""
        reports: Reports = interaction.client.log_reports
        await reports.toggle(interaction, self.key)


class LeaveButton(KeyButton, template=r"logleave:(?P<key>[\w-]{8,40})"):
    """Leaves everything as it is."""

    prefix = "logleave"

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Leave it."""
        reports: Reports = interaction.client.log_reports
        await reports.leave(interaction, self.key)
