"""How fast the rankings of tournaments come out of the store: a table, an explanation, two years of days."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ratings.store import Store, tables
from ratings.systems import russian
from ratings.systems.russian import Pool, Ranking
from ratings.tournaments import rankings
from ratings.tournaments.facts import facts_now
from tests.benchmarks.table import Row, Sample, at_most, milliseconds, seconds

__all__ = ["measure"]

GUILD = 1
DAY = date(2026, 11, 30)
SEED = 20261130
# Players, tournaments, results of each player.
LARGE, CLUB = (2_000, 200, 60), (200, 40, 20)
GROWTH = (500, 1_000, 2_000, 5_000)
REPEATS, EXPLANATIONS = 5, 500
TABLE_GOAL, EXPLANATION_GOAL, SERIES_GOAL = 0.3, 0.001, 2.0  # seconds
YEARS = timedelta(days=730)


async def measure(folder: Path) -> list[Row]:
    """Fill clubs of several sizes on SQLite and compute their rankings; the best of some runs counts, since noise
    only ever slows."""
    players, held, results = LARGE
    rows = [Row(f"Rankings from SQLite to the table, {held} tournaments, {results} results each player")]
    for count in GROWTH:
        store = await _club(folder / f"{count}.db", count, held, results)
        try:
            took = min([await store.study(_timed, _table) for _ in range(REPEATS)])
            label = f"the table of a day, {count:,} players"
            if count == players:
                rows.append(at_most(label, took, seconds, TABLE_GOAL))
                explaining = Sample(await store.study(_explanations))
            else:
                rows.append(Row(label, seconds(took)))
        finally:
            await store.close()
    label = f"a player with {results} results explained, median"
    rows.append(at_most(label, explaining.median, milliseconds, EXPLANATION_GOAL))
    players, held, results = CLUB
    store = await _club(folder / "club.db", players, held, results)
    try:
        took = min([await store.study(_timed, _every_day) for _ in range(REPEATS)])
        label = f"two years of daily tables, {players} players, {held} tournaments"
        rows.append(at_most(label, took, seconds, SERIES_GOAL))
    finally:
        await store.close()
    return rows


def _timed(connection: sa.Connection, work: Callable[[sa.Connection], object]) -> float:
    started = time.perf_counter()
    work(connection)
    return time.perf_counter() - started


def _table(connection: sa.Connection) -> int:
    return len(rankings.ranking(connection, GUILD, Ranking.RR, DAY).table.rows)


def _every_day(connection: sa.Connection) -> int:
    first = DAY - YEARS
    pool = russian.gather(facts_now(connection, GUILD, DAY, first), Ranking.RR)
    days = (first + timedelta(days=number) for number in range(YEARS.days))
    return sum(len(table.rows) for table in russian.series(pool, days))


def _explanations(connection: sa.Connection) -> list[float]:
    pool = russian.gather(facts_now(connection, GUILD, DAY), Ranking.RR)
    return [_explained(pool, player) for player in list(pool.cells)[:EXPLANATIONS]]


def _explained(pool: Pool, player: int) -> float:
    started = time.perf_counter()
    russian.explain(pool, player, DAY)
    return time.perf_counter() - started


async def _club(path: Path, players: int, held: int, results: int) -> Store:
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    await store.write(_fill, players, held, results)
    return store


def _fill(connection: sa.Connection, players: int, held: int, results: int) -> None:
    """Write a club down: everybody with so many results in tournaments of the last two years."""
    dice = random.Random(SEED)
    entrants: dict[int, list[int]] = {tournament: [] for tournament in range(1, held + 1)}
    for player in range(1, players + 1):
        for tournament in dice.sample(range(1, held + 1), results):
            entrants[tournament].append(player)
    connection.execute(sa.insert(tables.guilds).values(id=GUILD, joined_at=0))
    people = [
        {"id": number, "guild_id": GUILD, "name": f"player {number}", "country": "RU"}
        for number in range(1, players + 1)
    ]
    connection.execute(sa.insert(tables.players), people)
    cups = [_cup(dice, tournament, len(took_part)) for tournament, took_part in entrants.items()]
    connection.execute(sa.insert(tables.tournaments), cups)
    for tournament, took_part in entrants.items():
        dice.shuffle(took_part)
        lines = [
            {"tournament_id": tournament, "player_id": player, "place": place, "replacement": 0}
            for place, player in enumerate(took_part, 1)
        ]
        connection.execute(sa.insert(tables.tournament_results), lines)
    connection.exec_driver_sql("ANALYZE")


def _cup(dice: random.Random, number: int, participants: int) -> dict[str, Any]:
    return {
        "id": number,
        "guild_id": GUILD,
        "number": number,
        "name": f"tournament {number}",
        "last_day": (DAY - timedelta(days=dice.randrange(YEARS.days))).isoformat(),
        "hanchan": dice.randrange(4, 21),
        "participants": max(16, participants),
        "country": "RU",
        "online": 0,
        "accredited": 1,
        "ema": 0,
        "stages": "[]",
        "removed": 0,
    }
