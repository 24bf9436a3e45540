"""What the tests of the replay share: a club's season, figures tampered with, and games decided meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from bot import replay
from bot.config import Config
from bot.exits import ExitCode
from ratings.store import Store
from ratings.store.tables import outcomes
from tests.correcting import carry_out, void
from tests.ledger_help import BORIS, approve, hand, report, submit, submit_hand
from tests.processes import PATIENCE

__all__ = ["TAMPERED_RATING", "Interfering", "one_of", "play_season", "replayed", "tamper_rating"]

SCORES = ((40000, 30000, 20000, 10000), (10000, 20000, 30000, 40000), (31000, 29000, 24000, 16000))


async def play_season(store: Store, lines: dict[str, int]) -> list[int]:
    """Give a club a few games of each kind, the last of them voided; the games' ids."""
    played = [await approve(store, await submit(store, report(scores))) for scores in SCORES]
    played += [
        await approve(store, await submit(store, report((50000, 35000, 20000)))),
        await approve(store, await submit(store, report(ranked=False))),
        await approve(store, await submit_hand(store, hand(lines["Three bends"], discarder=BORIS))),
        await approve(store, await submit(store)),
    ]
    await carry_out(store, await void(store, played[-1]))
    return [game.id for game in played]


async def replayed(database: str, *, check: bool = False, one: int | None = None) -> ExitCode:
    """Do what `python -m bot replay` does, in this process."""
    return await replay.run(Config(database_url=database), check=check, club=one)


def one_of(game: int, seat: int) -> sa.ColumnElement[bool]:
    """The stored row of a seat."""
    return sa.and_(outcomes.c.game_id == game, outcomes.c.seat == seat)


# How the replay tells of what `tamper_rating` does to the first game of a club.
TAMPERED_RATING = "game #1, South (Борис), rating: stored 1777.25, replayed 1510.0"


def tamper_rating(connection: sa.Connection, ids: list[int]) -> None:
    """Change the rating that somebody has after the first of these games."""
    connection.execute(sa.update(outcomes).where(one_of(ids[0], 1)).values(rating=1777.25))


class Interfering:
    """Something that happens right after each of the next replays of a club, before it can be written down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int, work: Callable[[], Any]) -> None:
        self.looks = 0
        self._times = times
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._look = replay.look
        monkeypatch.setattr(replay, "look", self)

    def __call__(self, *arguments: Any) -> replay.Finding:
        found = self._look(*arguments)
        self.looks += 1
        if self.looks <= self._times:
            asyncio.run_coroutine_threadsafe(self._work(), self._loop).result(PATIENCE)
        return found
