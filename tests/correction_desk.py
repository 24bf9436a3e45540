"""The store as the corrections' stateful test uses it: work that is waited for, and what is to be found there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from ratings import card, club
from ratings.models import GameState, Line
from ratings.queries import cards
from ratings.settings import ClubSettings
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import games, metadata, outbox, players
from tests.ledger_help import CARD, KAI, NOW

__all__ = ["Desk", "emptied", "letters", "merged", "open_desk", "opened", "states"]

P = ParamSpec("P")
T = TypeVar("T")


class Desk:
    """A store whose work is waited for."""

    def __init__(self, runner: asyncio.Runner, store: Store) -> None:
        self._runner, self._store = runner, store

    def read(self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read; whatever writes here is refused by the engine."""

        def looks_only(connection: sa.Connection) -> T:
            lite = connection.dialect.name == "sqlite"
            if lite:
                connection.exec_driver_sql("PRAGMA query_only = ON")
            try:
                return work(connection, *args, **kwargs)
            finally:
                if lite:
                    connection.exec_driver_sql("PRAGMA query_only = OFF")

        return self._runner.run(self._store.read(looks_only))

    def write(self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write in one transaction."""
        return self._runner.run(self._store.write(work, *args, **kwargs))


@contextmanager
def open_desk(database: str) -> Iterator[Desk]:
    """A desk at the database of this address."""
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(database))
        try:
            yield Desk(runner, store)
        finally:
            runner.run(store.close())


def emptied(connection: sa.Connection) -> None:
    """Take everything out of the store."""
    for table in reversed(metadata.sorted_tables):
        connection.execute(sa.delete(table))


def opened(connection: sa.Connection, guild: int, with_penalties: bool) -> tuple[ClubSettings, dict[int, Line]]:
    """Give a club its card; its rules, and the lines by their ids, in the order of CARD."""
    card.import_card(connection, guild, CARD, NOW)
    wished = {"card_year": 2025, "penalties": with_penalties}
    rules, _ = club.change_settings(connection, guild, wished, KAI, NOW)
    known = {each.name: each for year in (2025, 2026) for each in cards.lines(connection, guild, year)}
    return rules, {known[line.name].id: known[line.name].line for line in CARD}


def states(connection: sa.Connection, guild: int) -> dict[int, GameState]:
    """The state of each of a club's games."""
    rows = connection.execute(sa.select(games.c.id, games.c.state).where(games.c.guild_id == guild))
    return {row.id: GameState(row.state) for row in rows}


def merged(connection: sa.Connection, guild: int) -> dict[int, int]:
    """The record under which each record of a club counts."""
    query = sa.select(players.c.id, players.c.merged_into).where(players.c.guild_id == guild)
    return {row.id: row.merged_into or row.id for row in connection.execute(query)}


def letters(connection: sa.Connection, kind: Kind) -> int:
    """How many letters of a kind were ever written."""
    query = sa.select(sa.func.count()).select_from(outbox).where(outbox.c.kind == kind)
    return int(connection.execute(query).scalar_one())
