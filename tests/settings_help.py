"""/settings as the tests give it: commands, answers, files, and what the store then has."""

from __future__ import annotations

from typing import Any

from bot.sandbox import Interaction
from ratings import club
from ratings.card import import_card
from ratings.cardfile import CardLine
from ratings.settings import ClubSettings
from tests.answer_help import attached as attached_file
from tests.club_evening import Club, Evening, reply
from tests.correction_help import said as all_said

__all__ = ["attached", "change", "command", "said", "settings", "with_card"]


async def command(evening: Club, subcommand: str, *, by: str = "Kai", **options: Any) -> Interaction:
    """A member uses a subcommand of /settings."""
    return await evening.as_(by).slash(f"settings {subcommand}", evening.channels["mahjong"], **options)


def said(interaction: Interaction) -> str:
    """Everything that is to be read in an answer."""
    return all_said(reply(interaction))


async def settings(evening: Evening) -> ClubSettings:
    """The club's settings as the store has them."""
    return await evening.store.read(club.settings, evening.id)


async def change(evening: Evening, subcommand: str, **options: Any) -> str:
    """An admin changes a setting; there must be a change."""
    answer = said(await command(evening, subcommand, **options))
    assert "changed" in answer.splitlines()[1], answer
    return answer


def attached(evening: Evening, interaction: Interaction) -> bytes:
    """The file of an answer."""
    return attached_file(evening, interaction)[1]


async def with_card(evening: Evening) -> None:
    """A card of 2026 for the club, which is not its current one."""
    lines = [CardLine(2026, "Rivers", 1.0, "The ford", 25, False, False)]
    await evening.store.write(import_card, evening.id, lines, 1_700_000_000)
