"""What the tests of the ledger share: a few members, reports in a word, and a look at everything stored."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.util import await_only

from ratings import club, ledger
from ratings.models import Length, Lobby, Person, Report, Standing, SystemName, Verdict
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import metadata, outbox, players, standings

__all__ = [
    "ANN",
    "BORIS",
    "CHIAKI",
    "DORA",
    "EMI",
    "GUILD",
    "KAI",
    "NEIGHBOURS",
    "NOW",
    "REI",
    "Gate",
    "Snapshot",
    "another",
    "approve",
    "at_gate",
    "count",
    "everything",
    "letters",
    "paused",
    "place_at",
    "reject",
    "report",
    "standing",
    "submit",
]

NOW = 1_796_000_000
GUILD, NEIGHBOURS = 700, 800
ANN, BORIS, CHIAKI = Person(11, "Ann"), Person(12, "Борис"), Person(13, "千秋")
DORA, EMI = Person(14, "Dora"), Person(15, "Emi")
KAI, REI = Person(21, "Kai"), Person(22, "Rei")

Snapshot = dict[str, list[tuple[Any, ...]]]
P = ParamSpec("P")
T = TypeVar("T")

# How long a transaction waits at a gate that nobody opens, because the test has failed.
PATIENCE = 20
_interactions = itertools.count(1)


def report(
    scores: tuple[int, ...] = (40000, 30000, 20000, 10000),
    players: tuple[Person, ...] | None = None,
    *,
    reporter: Person = ANN,
    length: Length = Length.HANCHAN,
    lobby: Lobby | None = None,
    sticks: int = 0,
    ranked: bool = True,
    played_at: int = NOW - 600,
    interaction_id: int | None = None,
) -> Report:
    """A report of Ann, Борис, 千秋 (and Dora), each time by a command of its own."""
    return Report(
        reporter=reporter,
        players=players or (ANN, BORIS, CHIAKI, DORA)[: len(scores)],
        scores=scores,
        length=length,
        lobby=lobby,
        sticks=sticks,
        ranked=ranked,
        played_at=played_at,
        channel_id=31,
        interaction_id=next(_interactions) if interaction_id is None else interaction_id,
    )


async def submit(store: Store, told: Report | None = None, *, guild: int = GUILD, now: int = NOW) -> GameRecord:
    """Submit a report; the answer is the game."""
    submission = await store.write(ledger.submit, guild, told or report(), now)
    return submission.game


async def approve(store: Store, game: GameRecord, *, by: Person = KAI, now: int = NOW) -> GameRecord:
    """Approve a pending game."""
    decision = await store.write(ledger.decide, game.guild_id, game.id, Verdict.APPROVE, by, now)
    assert decision.taken
    return decision.game


async def reject(
    store: Store, game: GameRecord, *, by: Person = KAI, reason: str | None = None, now: int = NOW
) -> GameRecord:
    """Reject a pending game."""
    decision = await store.write(ledger.decide, game.guild_id, game.id, Verdict.REJECT, by, now, reason)
    assert decision.taken
    return decision.game


class Gate:
    """Where a transaction waits: `reached` says that it is there, and `open` lets it go on."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._opened = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    def open(self) -> None:
        """Let the transaction go on."""
        self._opened.set()

    def wait(self) -> None:
        """Wait inside a transaction, which is a thread on SQLite and a greenlet of the loop on PostgreSQL."""
        self._loop.call_soon_threadsafe(self.reached.set)
        waiting = asyncio.wait_for(self._opened.wait(), PATIENCE)
        if threading.get_ident() == self._thread:
            await_only(waiting)
        else:
            asyncio.run_coroutine_threadsafe(waiting, self._loop).result()


def paused(
    connection: sa.Connection,
    gate: Gate,
    work: Callable[Concatenate[sa.Connection, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Do the work, and keep its transaction open at the gate before it can end."""
    result = work(connection, *args, **kwargs)
    gate.wait()
    return result


async def at_gate(running: Coroutine[Any, Any, T], gate: Gate) -> asyncio.Task[T]:
    """Start a transaction and wait until it is at the gate; if it fails before, so does this."""
    task = asyncio.create_task(running)
    reached = asyncio.create_task(gate.reached.wait())
    await asyncio.wait({task, reached}, return_when=asyncio.FIRST_COMPLETED)
    if not reached.done():
        reached.cancel()
        task.result()
    return task


@asynccontextmanager
async def another(database: str) -> AsyncIterator[Store]:
    """A second process on the same database, as far as the store can tell."""
    store = await Store.open(database)
    try:
        yield store
    finally:
        await store.close()


async def everything(store: Store) -> Snapshot:
    """Every row of every table."""
    return await store.read(_everything)


def _everything(connection: sa.Connection) -> Snapshot:
    return {
        table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
        for table in metadata.sorted_tables
    }


async def count(store: Store, table: sa.Table) -> int:
    """How many rows a table has."""
    return len((await everything(store))[table.name])


async def letters(store: Store, game: GameRecord) -> list[Kind]:
    """The kinds of the open letters about a game, oldest first."""
    query = sa.select(outbox.c.kind).where(outbox.c.game_id == game.id, outbox.c.done_at.is_(None))
    return [Kind(kind) for kind in await store.read(_scalars, query.order_by(outbox.c.id))]


def _scalars(connection: sa.Connection, query: sa.Select[Any]) -> list[Any]:
    return list(connection.execute(query).scalars())


async def standing(
    store: Store, person: Person, system: SystemName = SystemName.TENHOU_4P, *, guild: int = GUILD
) -> Standing | None:
    """A member's stored standing; None before the first rated game."""
    return await store.read(_standing, guild, person, system)


def _standing(connection: sa.Connection, guild: int, person: Person, system: SystemName) -> Standing | None:
    row = connection.execute(
        sa.select(standings.c.rank, standings.c.points, standings.c.rating, standings.c.games)
        .join(players, players.c.id == standings.c.player_id)
        .where(players.c.guild_id == guild, players.c.discord_id == person.discord_id)
        .where(standings.c.system == system)
    ).one_or_none()
    return None if row is None else Standing(*row)


async def place_at(
    store: Store, wanted: dict[Person, Standing], system: SystemName = SystemName.TENHOU_4P, *, guild: int = GUILD
) -> None:
    """Put members where a test needs them, as if they had played their way there."""
    await store.write(_place_at, wanted, system, guild)


def _place_at(connection: sa.Connection, wanted: dict[Person, Standing], system: SystemName, guild: int) -> None:
    club.lock(connection, guild, NOW)
    for person, figures in wanted.items():
        player = club.player_ids(connection, guild, [person])[0]
        row = {"guild_id": guild, "system": system, "player_id": player, **figures._asdict()}
        connection.execute(sa.insert(standings).values(row))
