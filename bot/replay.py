"""`python -m bot replay`: every figure of a club worked out anew from its games, compared, and put right.

The bot may be running meanwhile. Each club is put right in one transaction, so that stopping at any moment
leaves it as it was or as it has to be.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

import sqlalchemy as sa
from tqdm import tqdm

from bot.config import Config
from bot.exits import ExitCode, Stop
from bot.render.replay import line
from bot.run import open_store
from bot.terminal import counted, say
from bot.texts import texts_for
from ratings import ledger
from ratings.club import hold
from ratings.store import Store

__all__ = ["ATTEMPTS", "Finding", "look", "put_right", "run"]

# How often a replay is made anew because games were decided while it was made.
ATTEMPTS = 3

Progress = Callable[[int], None]


class _Stopped(Exception):
    """The operator wants it to end."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a replay of a club found: how many games it played, what it would write, and the first differences."""

    games: int
    plan: ledger.Plan
    first: tuple[ledger.Difference, ...]

    @property
    def wrong(self) -> tuple[int, int]:
        """Of how many games, and how many standings, figures differ."""
        return len(self.plan.games), len(self.plan.moves) + len(self.plan.strays)

    @property
    def clean(self) -> bool:
        """Whether every stored figure is what the games give."""
        return not self.plan


def look(connection: sa.Connection, guild_id: int, progress: Progress | None = None, most: int = 0) -> Finding:
    """Replay a club and compare, writing nothing; at most `most` differences are named."""
    plan = ledger.plan_replay(connection, guild_id, progress)
    first = tuple(itertools.islice(ledger.differences(connection, plan), most))
    return Finding(ledger.counted_games(connection, guild_id), plan, first)


async def put_right(store: Store, guild_id: int, progress: Progress | None = None, most: int = 0) -> Finding:
    """Replay a club and put the figures it arrives at in the place of the stored ones; answers what differed.

    The work is done beside whatever else the store does, and anew if games were decided meanwhile. Raises Stale
    if that happens `ATTEMPTS` times; then nothing was changed.
    """
    for _ in range(ATTEMPTS):
        found = await store.study(look, guild_id, progress, most)
        if found.clean:
            return found
        try:
            await store.rewrite(ledger.write_replay, guild_id, found.plan, int(time.time()))
        except ledger.Stale:
            continue
        return found
    raise ledger.Stale


async def run(config: Config, *, check: bool, club: int | None) -> ExitCode:
    """Replay one club, or all. With `check` nothing is written, and differences make the exit code FAILURE.

    Raises Stop when the database cannot be opened, the club is unknown, or a signal came.
    """
    ending = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    store = await open_store(config, existing=True)
    try:
        wanted = await _wanted(store, club)
        clean = True
        for guild_id in wanted:
            clean &= await (_check if check else _mend)(store, guild_id, ending)
        if club is None:
            clean &= await _look_for_orphans(store, check=check)
        if not wanted:
            say("There is no club in this database yet.")
    except _Stopped:
        raise Stop(
            ExitCode.STOPPED, "The replay was stopped; clubs it had not come to the end of are as they were."
        ) from None
    except BrokenPipeError:
        # Whoever read the differences has seen enough. Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILURE
    finally:
        await store.close()
    return ExitCode.FAILURE if check and not clean else ExitCode.OK


async def _wanted(store: Store, club: int | None) -> list[int]:
    known = await store.read(ledger.clubs)
    if club is None:
        return known
    if club not in known:
        raise Stop(
            ExitCode.UNKNOWN_CLUB,
            f"There is no club {club} in this database: --club takes the id of its Discord server.",
        )
    return [club]


async def _check(store: Store, guild_id: int, ending: Event) -> bool:
    with _Bar(guild_id, await store.read(ledger.counted_games, guild_id), ending) as bar:
        found = await store.study(_tell_all, guild_id, bar, ending)
    say(f"club {guild_id}: {_outcome(found, 'differ')}.")
    return found.clean


def _tell_all(connection: sa.Connection, guild_id: int, bar: _Bar, ending: Event) -> Finding:
    found = look(connection, guild_id, bar.show)
    bar.close()
    for difference in ledger.differences(connection, found.plan):
        if ending.is_set():
            raise _Stopped
        say(f"club {guild_id}: {line(texts_for(None), difference)}")
    return found


async def _mend(store: Store, guild_id: int, ending: Event) -> bool:
    with _Bar(guild_id, await store.read(ledger.counted_games, guild_id), ending) as bar:
        try:
            found = await put_right(store, guild_id, bar.show)
        except ledger.Stale:
            # The club never rests for long enough, so it has to wait for once.
            found = await store.rewrite(_while_it_waits, guild_id, bar.show)
    say(f"club {guild_id}: {_outcome(found, 'were put right')}.")
    return True


def _while_it_waits(connection: sa.Connection, guild_id: int, progress: Progress) -> Finding:
    hold(connection, guild_id)
    found = look(connection, guild_id, progress)
    ledger.write_replay(connection, guild_id, found.plan, int(time.time()))
    return found


async def _look_for_orphans(store: Store, *, check: bool) -> bool:
    """Tell of figures that are of no club, and without `check` take them away; whether there are none."""
    found = await (store.study(ledger.orphans) if check else store.rewrite(ledger.clear_orphans))
    done = "" if check else ", taken away"
    for game_id, rows in found.games.items():
        say(f"no club: {counted(rows, 'row')} of a game that is not there (id {game_id}){done}.")
    for guild_id, rows in found.clubs.items():
        say(f"no club: {counted(rows, 'standing')} of a club that is not there (id {guild_id}){done}.")
    return not any(found)


class _Bar:
    """A progress bar on a terminal, nothing elsewhere; where a stopped replay takes notice of it."""

    def __init__(self, guild_id: int, games: int, ending: Event) -> None:
        self._ending = ending
        self._bar = tqdm(total=games, desc=f"club {guild_id}", unit=" games", leave=False, disable=None)

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def show(self, games: int) -> None:
        """So many games have been played."""
        if self._ending.is_set():
            raise _Stopped
        self._bar.update(games - self._bar.n)

    def close(self) -> None:
        """Wipe it away."""
        self._bar.close()


def _outcome(found: Finding, what: str) -> str:
    replayed = f"{counted(found.games, 'game')} replayed"
    if found.clean:
        return f"{replayed}, every stored figure is what they give"
    games, standings = found.wrong
    return f"{replayed}; figures of {counted(games, 'game')} and {counted(standings, 'standing')} {what}"
