"""How fast history is told anew: full replays, corrections of old and new games, and boards of many players."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import sqlalchemy as sa

from ratings import ledger
from ratings.models import Person, SystemName
from ratings.queries import boards
from ratings.queries.boards import Board, Order
from ratings.store import Store, tables
from tests.benchmarks import rating
from tests.benchmarks.children import ROOT
from tests.benchmarks.history import GUILD, LONG_AGO, fill, forget_figures
from tests.benchmarks.sample import sittings
from tests.benchmarks.table import Row, Sample, at_most, megabytes, milliseconds, per_second, seconds, times

__all__ = ["measure"]

STORED = (1_000, 10_000, 100_000)
REPLAYS = 3
ADMIN = Person(999, "Kai")
# openskill and trueskill need no more to show their pace.
OPENSKILL_GAMES, TRUESKILL_GAMES = 20_000, 1_000
PACE_GOAL = 2.0
OLDEST_GOAL, NEWEST_GOAL = 1.0, 0.020  # seconds, of 10,000 games
ANSWER_GOAL = 1.0
MEMORY_GOAL = 250e6
BOARD_PLAYERS, BOARD_ROUNDS, BOARD_PAGE, BOARD_GOAL = 100_000, 200, 10, 0.020


async def measure(folder: Path) -> list[Row]:
    """Replay and correct on SQLite with ever more games, then turn the pages of a large board."""
    rows = [Row("Full replay, read from and written to SQLite, beside others in memory")]
    games = sittings(OPENSKILL_GAMES)
    openskill = rating.pace(rating.rate_by_openskill, games)
    trueskill = rating.pace(rating.rate_by_trueskill, games[:TRUESKILL_GAMES])
    corrections = [Row("Corrections on SQLite, worked out and written")]
    for stored in STORED:
        path = folder / f"{stored}.db"
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        try:
            await fill(store, stored)
            pace = stored / min([await _replay(store) for _ in range(REPLAYS)])
            label = f"{stored:,} games"
            goal = PACE_GOAL if stored == STORED[-1] else None
            rows.append(times(f"{label}, beside openskill 6", pace, openskill, per_second, at_least=goal))
            rows.append(times(f"{label}, beside trueskill 0.4", pace, trueskill, per_second))
            corrections += await _corrections(store, stored)
            if stored == STORED[-1]:
                corrections += await _answers(store)
        finally:
            await store.close()
        rows.append(_memory(path, stored))
    return [*rows, *corrections, *await _boards(folder)]


async def _replay(store: Store) -> float:
    await store.write(forget_figures)
    started = time.perf_counter()
    plan = await store.study(ledger.plan_replay, GUILD)
    await store.write(ledger.write_replay, GUILD, plan, LONG_AGO)
    return time.perf_counter() - started


async def _corrections(store: Store, stored: int) -> list[Row]:
    # The first of a kind finds its statements uncompiled, and the log of the replays to be moved into the file.
    await _void(store, stored - 1)
    newest = await _timed(lambda: _void(store, stored))
    oldest = await _timed(lambda: _void(store, 1))
    if stored == 10_000:
        return [
            at_most(f"void the newest of {stored:,} games", newest, milliseconds, NEWEST_GOAL),
            at_most(f"void the oldest of {stored:,} games", oldest, seconds, OLDEST_GOAL),
        ]
    return [
        Row(f"void the newest of {stored:,} games", milliseconds(newest)),
        Row(f"void the oldest of {stored:,} games", seconds(oldest)),
    ]


async def _void(store: Store, game_id: int) -> None:
    proposal = await store.study(ledger.propose_void, GUILD, game_id, "a benchmark")
    await store.write(ledger.carry_out, GUILD, proposal, ADMIN, LONG_AGO)


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


async def _answers(store: Store) -> list[Row]:
    """The slowest answers of a board and of a write while everything is replayed."""
    replaying = asyncio.create_task(_replay(store))
    board = Board(SystemName.TENHOU_4P, Order.RATING)
    read, written = [0.0], [0.0]
    while not replaying.done():
        read.append(await _timed(lambda: store.read(boards.board_page, GUILD, board, 0, 10)))
        written.append(await _timed(lambda: store.write(_touch)))
    await replaying
    return [
        at_most("slowest board during a replay of 100,000 games", max(read), seconds, ANSWER_GOAL),
        at_most("slowest write during a replay of 100,000 games", max(written), seconds, ANSWER_GOAL),
    ]


def _touch(connection: sa.Connection) -> None:
    connection.execute(sa.update(tables.guilds).values(joined_at=LONG_AGO))


def _memory(path: Path, stored: int) -> Row:
    """The most memory that `python -m bot replay` holds, figures all to be told anew."""
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        forget_figures(connection)
    engine.dispose()
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DATABASE_URL": f"sqlite:///{path}"}
    command = [sys.executable, "-m", "bot", "replay"]
    peak = 0
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            peak = max(peak, _resident_peak(child.pid))
            time.sleep(0.02)
    if child.returncode:
        raise RuntimeError(f"The replay ended with status {child.returncode}.")
    label = f"memory of a full replay of {stored:,} games"
    if stored == STORED[-1]:
        return at_most(label, peak, megabytes, MEMORY_GOAL)
    return Row(label, megabytes(peak))


def _resident_peak(pid: int) -> int:
    """The most memory a process has held so far (VmHWM), in bytes; 0 once it has ended. Linux only."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


async def _boards(folder: Path) -> list[Row]:
    rows = [Row(f"A board of {BOARD_PLAYERS:,} players on SQLite")]
    store = await Store.open(f"sqlite+aiosqlite:///{folder / 'board.db'}")
    try:
        await store.write(_seat_many)
        for order in (Order.RANK, Order.RATING):
            board = Board(SystemName.TENHOU_4P, order)
            last = BOARD_PLAYERS // BOARD_PAGE - 1
            for name, page in (("first", 0), ("middle", last // 2), ("last", last)):
                turned = [
                    await _timed(lambda: store.read(boards.board_page, GUILD, board, page, BOARD_PAGE))  # noqa: B023
                    for _ in range(BOARD_ROUNDS)
                ]
                rows.append(at_most(f"{name} page by {order}, p99", Sample(turned).p99, milliseconds, BOARD_GOAL))
    finally:
        await store.close()
    return rows


def _seat_many(connection: sa.Connection) -> None:
    connection.execute(sa.insert(tables.guilds).values(id=GUILD, joined_at=LONG_AGO))
    people = [
        {"id": number, "guild_id": GUILD, "discord_id": number, "name": f"member {number}"}
        for number in range(1, BOARD_PLAYERS + 1)
    ]
    connection.execute(sa.insert(tables.players), people)
    standings = [
        {
            "guild_id": GUILD,
            "system": SystemName.TENHOU_4P,
            "player_id": number,
            "rank": number % 21,
            "points": number % 400,
            "rating": 1000 + number / 100,
            "games": 1 + number % 500,
        }
        for number in range(1, BOARD_PLAYERS + 1)
    ]
    connection.execute(sa.insert(tables.standings), standings)
    connection.exec_driver_sql("ANALYZE")
