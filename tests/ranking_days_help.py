"""What the tests of the rankings' day share: a clock, a club with two tournaments, and what was noted of it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from bot.ranking_days import RankingDays
from ratings.store import Store, tables
from tests.ledger_help import GUILD, choose
from tests.ranking_help import at, hold

__all__ = [
    "CUP",
    "NEXT_STEP",
    "SPRING",
    "STEP",
    "Clock",
    "keeper",
    "noted",
    "noted_rows",
    "two_cups",
    "unsaid",
]

SPRING = date(2024, 3, 30)
# On its first birthday the Spring Cup ages from 7/7 to 6/7, and the April Open a week later.
STEP, NEXT_STEP = date(2025, 3, 30), date(2025, 4, 6)
CUP = {"Anna": 1, "Bela": 5, "Cleo": 20}
OPEN = {"Anna": 3, "Bela": 2, "Cleo": 30}


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, day: date) -> None:
        self.set(day)

    def set(self, day: date, hour: int = 12, minute: int = 0) -> None:
        """Make it this moment (UTC)."""
        self.now = at(day, hour, minute)

    def __call__(self) -> float:
        return self.now


async def two_cups(store: Store, guild: int = GUILD) -> None:
    """A club with two tournaments that wants to be told."""
    await hold(store, guild, "Spring Cup", SPRING, CUP)
    await hold(store, guild, "April Open", SPRING + timedelta(7), OPEN)
    await choose(store, guild, ranking_posts=True)


def keeper(store: Store, clock: Clock, wrote: list[str] | None = None) -> RankingDays:
    """What looks at the rankings, in a process that sees every guild."""
    letters = [] if wrote is None else wrote
    return RankingDays(store, lambda _: True, lambda: letters.append("letter"), clock)


async def noted(store: Store, guild: int = GUILD) -> list[str]:
    """The days that were looked at."""
    return [row.day for row in await store.read(noted_rows, guild)]


def noted_rows(connection: sa.Connection, guild: int) -> list[Any]:
    """The notes of the days that were looked at."""
    table = tables.ranking_days
    return list(connection.execute(sa.select(table).where(table.c.guild_id == guild).order_by(table.c.day)))


async def unsaid(store: Store, guild: int = GUILD) -> list[str]:
    """The days that are still to be told of."""
    return await store.read(_unsaid, guild)


def _unsaid(connection: sa.Connection, guild: int) -> list[str]:
    letters, told = tables.outbox, tables.ranking_days
    query = sa.select(told.c.day).join(letters, letters.c.ranking_day_id == told.c.id)
    open_ones = query.where(letters.c.guild_id == guild, letters.c.done_at.is_(None)).order_by(told.c.day)
    return list(connection.execute(open_ones).scalars())
