"""What the tests of game logs in the ledger share: a short log, the report of it, and how it is brought."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.ledger import LogMatch
from ratings.logs import GameLog, read_log
from ratings.models import Person, Refused, Report
from ratings.store import Store, tables
from tests.ledger_help import ANN, BORIS, CHIAKI, DORA, EMI, GUILD, NOW, everything
from tests.log_help import FINAL, agari, init, mjlog

__all__ = ["DAY", "LOG_ID", "SCORES", "TABLE", "bring", "hands", "played", "refusal", "say_all", "telling"]

TABLE = (ANN, BORIS, CHIAKI, DORA)
SCORES = (40000, 30000, 20000, 10000)
LOG_ID = "2026113000gm-00a9-0000-0123abcd"
DAY = 24 * 3600
_commands = itertools.count(5_000_000)


def played(
    *, names: tuple[str, ...] = ("Ann", "Борис", "千秋", "Dora"), final: str = FINAL, **changes: Any
) -> GameLog:
    """A houou hanchan of one hand in which East drew the winning tile, played ten minutes ago."""
    log = read_log(mjlog(init(), agari(0, 0, final), names=names), LOG_ID)
    wanted: dict[str, Any] = {"played_at": NOW - 600}
    return replace(log, **wanted | changes)


def telling(log: GameLog, players: tuple[Person, ...] = TABLE, **changes: Any) -> Report:
    """What a log reports of these players, each time by a command of its own."""
    told = Report(
        reporter=EMI,
        players=players,
        scores=tuple(seat.final_score for seat in log.seats),
        length=log.length,
        lobby=log.lobby,
        sticks=0,
        ranked=log.ranked,
        played_at=log.played_at or NOW,
        channel_id=31,
        interaction_id=next(_commands),
    )
    return replace(told, **changes)


async def bring(
    store: Store,
    log: GameLog,
    told: Report | None = None,
    *,
    guild: int = GUILD,
    now: int = NOW,
    admin: bool = False,
) -> LogMatch:
    """Submit a log."""
    return await store.write(ledger.submit_log, guild, log, told or telling(log), now, None, admin)


async def refusal(store: Store, log: GameLog, told: Report | None = None, *, now: int = NOW) -> Refused:
    """Why a log is refused; nothing may be kept of it."""
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await bring(store, log, told, now=now)
    assert await everything(store) == before
    return refused.value


async def hands(store: Store) -> list[tuple[Any, ...]]:
    """The figures of all logs by game and seat: name, hands, wins by tsumo."""
    rows = (await everything(store))["log_seats"]
    return [(row[1], row[2], row[3], row[4]) for row in sorted(rows)]


def say_all(connection: sa.Connection) -> None:
    """Let every letter have been said."""
    connection.execute(sa.update(tables.outbox).values(done_at=NOW))
