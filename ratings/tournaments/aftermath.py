"""What a change of a tournament or of a player leads to: where it counts from then on, and whose ratings moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

import sqlalchemy as sa

from ratings import club
from ratings.settings import ClubSettings
from ratings.tournaments import rankings, readers
from ratings.tournaments.facts import newest_change

__all__ = ["Aftermath", "aftermath", "carry_out", "moved"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Aftermath:
    """How things stand `today` after a change of a tournament: in which rankings it counts (nothing for a removed
    one), and those in which somebody moved by the change."""

    record: readers.TournamentRecord
    verdicts: Sequence[rankings.Verdict]
    moved: Sequence[rankings.ChangesView]
    settings: ClubSettings
    today: date


def carry_out(
    connection: sa.Connection, guild_id: int, now: int, work: Callable[[sa.Connection], T]
) -> tuple[T, tuple[int, int]]:
    """Change tournaments or their players; the answer is that of `work`, and the newest changes before and
    after it."""
    club.lock(connection, guild_id, now)
    before = newest_change(connection, guild_id)
    result = work(connection)
    return result, (before, newest_change(connection, guild_id))


def aftermath(
    connection: sa.Connection, guild_id: int, number: int, between: tuple[int, int], today: date
) -> Aftermath:
    """How things stand today after what was done to a tournament between two changes."""
    record = readers.record(connection, guild_id, number)
    return Aftermath(
        record=record,
        verdicts=[] if record.removed else rankings.why(connection, guild_id, number, today),
        moved=moved(connection, guild_id, between, today),
        settings=club.settings(connection, guild_id),
        today=today,
    )


def moved(
    connection: sa.Connection, guild_id: int, between: tuple[int, int], today: date
) -> list[rankings.ChangesView]:
    """The rankings of today in which somebody moved by what was done between two changes."""
    views = rankings.changes_of_all(connection, guild_id, today, today, *between)
    return [view for view in views if view.changes]
