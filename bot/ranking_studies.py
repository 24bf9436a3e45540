"""What people ask of the rankings: a few studies at the same time, and a table computed once for all who leaf
through it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from datetime import date
from typing import Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import rankings
from ratings.tournaments.rankings import RankingView

__all__ = ["RankingStudies"]

P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = 2
TABLES = 16

# A table, and the edition of the rankings that it belongs to.
Kept = tuple[str, RankingView]


class RankingStudies:
    """Takes turns, so that many who ask at once do not take the whole machine from everybody else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tables: OrderedDict[tuple[int, Ranking, date], Kept] = OrderedDict()

    async def study(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `Store.study` gives, once there is room."""
        async with self._room:
            return await self._store.study(work, *args, **kwargs)

    async def table(
        self, guild_id: int, which: Ranking, day: date, who: int | None = None
    ) -> tuple[RankingView, int | None]:
        """The ranking of a day, and the place in it of the member `who`."""
        key = (guild_id, which, day)
        async with self._room:
            kept, place = await self._store.study(_table, *key, who, self._tables.get(key))
        self._tables[key] = kept
        self._tables.move_to_end(key)
        while len(self._tables) > TABLES:
            self._tables.popitem(last=False)
        return kept[1], place


def _table(
    connection: sa.Connection, guild_id: int, which: Ranking, day: date, who: int | None, kept: Kept | None
) -> tuple[Kept, int | None]:
    edition = rankings.edition(connection, guild_id)
    if kept is None or kept[0] != edition:
        kept = (edition, rankings.ranking(connection, guild_id, which, day))
    return kept, None if who is None else rankings.place_of(connection, guild_id, kept[1], who)
