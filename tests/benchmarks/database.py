"""What the ledger asks of the database for a report and for a decision, with much and with little stored."""

from __future__ import annotations

import time
from pathlib import Path

from ratings import ledger
from ratings.models import Length, Person, Report, Verdict
from ratings.store import Store
from tests.benchmarks.history import GUILD, fill, member
from tests.benchmarks.sample import Sitting, sittings
from tests.benchmarks.table import Row, Sample, at_most, milliseconds, times
from tests.conftest import ENGINES, fresh_database

__all__ = ["measure"]

DECISIONS = 1_000
STORED = (1_000, 10_000, 100_000)
ADMIN = Person(999, "Kai")
APPROVAL_GOAL = 0.010  # seconds, p99
GROWTH_GOAL = 1.3


async def measure(folder: Path) -> list[Row]:
    """Submit and decide games on each engine there is a server for, and on SQLite always."""
    rows = []
    for engine in ENGINES:
        rows.append(Row(f"Ledger on {engine}, {DECISIONS:,} games reported and approved"))
        medians: list[float] = []
        for stored in STORED:
            async with fresh_database(engine, folder) as address:
                store = await Store.open(address)
                try:
                    await fill(store, stored)
                    submitted, decided = await _keep_score(store)
                finally:
                    await store.close()
            named = f"{stored:,} games stored"
            rows.append(Row(f"submit, {named}, median", milliseconds(submitted.median)))
            rows.append(Row(f"submit, {named}, p99", milliseconds(submitted.p99)))
            rows.append(Row(f"decide, {named}, median", milliseconds(decided.median)))
            rows.append(at_most(f"decide, {named}, p99", decided.p99, milliseconds, APPROVAL_GOAL))
            medians.append(decided.median)
        label = f"decide, {STORED[-1]:,} beside {STORED[0]:,} games, median"
        rows.append(times(label, medians[-1], medians[0], milliseconds, at_most=GROWTH_GOAL))
    return rows


async def _keep_score(store: Store) -> tuple[Sample, Sample]:
    submitting, deciding = [], []
    now = int(time.time())
    for number, game in enumerate(sittings(DECISIONS, seed=1), start=1):
        told = _report(game, number, now)
        started = time.perf_counter()
        submission = await store.write(ledger.submit, GUILD, told, now)
        submitted = time.perf_counter()
        await store.write(ledger.decide, GUILD, submission.game.id, Verdict.APPROVE, ADMIN, now)
        submitting.append(submitted - started)
        deciding.append(time.perf_counter() - submitted)
    return Sample(submitting), Sample(deciding)


def _report(game: Sitting, number: int, now: int) -> Report:
    players = tuple(member(player) for player in game.players)
    return Report(
        reporter=players[0],
        players=players,
        scores=game.scores,
        length=Length.HANCHAN,
        lobby=None,
        sticks=0,
        ranked=True,
        played_at=now,
        channel_id=1,
        interaction_id=10**9 + number,
    )
