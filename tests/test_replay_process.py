"""The replay as an operator runs it: exit codes, what it prints and where, and signals in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.exits import ExitCode
from ratings.store import Store
from tests.benchmarks.history import forget_figures
from tests.correcting import derived
from tests.ledger_help import GUILD, NEIGHBOURS, Snapshot, another, approve, submit
from tests.processes import PATIENCE, environment
from tests.replay_help import TAMPERED_RATING, play_season, replayed, tamper_rating


async def start(database: str, folder: Path, *command: str, stdout: int = PIPE, stderr: int = PIPE) -> Process:
    """Start a command of ours in an empty folder."""
    told = environment(DATABASE_URL=database)
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, cwd=folder, env=told, stdout=stdout, stderr=stderr
    )


async def ended(process: Process) -> tuple[int, str, str]:
    """Wait for the end: the exit code, and what was written to stdout and stderr."""
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, (out or b"").decode(), (err or b"").decode()


@pytest.fixture
async def season(store: Store, lines: dict[str, int]) -> list[int]:
    """The games' ids of a club with a few games of each kind."""
    return await play_season(store, lines)


async def test_the_command(store: Store, database: str, season: list[int], tmp_path: Path) -> None:
    await store.write(tamper_rating, season)
    code, out, err = await ended(await start(database, tmp_path, "bot", "replay", "--check"))
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        f"club {GUILD}: {TAMPERED_RATING}",
        f"club {GUILD}: 6 games replayed; figures of 1 game and 0 standings differ.",
    ]
    code, out, err = await ended(await start(database, tmp_path, "bot", "replay", "--club", str(GUILD)))
    assert (code, err) == (0, "")
    assert out == f"club {GUILD}: 6 games replayed; figures of 1 game and 0 standings were put right.\n"
    code, out, err = await ended(await start(database, tmp_path, "bot", "replay", "--club", "1"))
    assert (code, out) == (8, "")
    assert err.startswith("tenbou: There is no club 1 ")


async def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    folder = f"sqlite:///{tmp_path}"
    code, _, err = await ended(await start(folder, tmp_path, "bot", "replay"))
    assert code == ExitCode.NO_DATABASE
    assert err.startswith("tenbou: The database cannot be opened")


async def test_a_bar_on_a_terminal_alone(store: Store, database: str, season: list[int], tmp_path: Path) -> None:
    terminal, end = os.openpty()
    termios.tcsetwinsize(end, (24, 100))
    os.set_blocking(terminal, False)
    try:
        code, out, _ = await ended(await start(database, tmp_path, "bot", "replay", stderr=end))
        shown = os.read(terminal, 100_000).decode()
    finally:
        os.close(terminal)
        os.close(end)
    assert code == 0
    assert f"club {GUILD}:" in shown
    assert " games" in shown
    assert out == f"club {GUILD}: 6 games replayed, every stored figure is what they give.\n"


async def test_whoever_reads_the_differences_may_stop_reading(
    store: Store, database: str, season: list[int], tmp_path: Path
) -> None:
    await store.write(forget_figures)
    reading, writing = os.pipe()
    os.close(reading)
    process = await start(database, tmp_path, "bot", "replay", "--check", stdout=writing)
    os.close(writing)
    assert await ended(process) == (1, "", "")


@asynccontextmanager
async def held(database: str, folder: Path, place: str, *options: str) -> AsyncIterator[Process]:
    """A replay that waits at a place until a signal comes."""
    process = await start(database, folder, "tests.held_replay", place, "replay", *options)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            first = await process.stdout.readline()
            assert first == b"held\n", first + await ended(process)  # type: ignore[operator]
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


@pytest.fixture
async def two_clubs(tmp_path: Path) -> AsyncIterator[tuple[str, Store, Snapshot, Snapshot]]:
    """Two clubs in an SQLite file, both tampered with: the address, the store, the right figures, the wrong."""
    address = f"sqlite+aiosqlite:///{tmp_path / 'clubs.db'}"
    async with another(address) as store:
        ids = [(await approve(store, await submit(store, guild=guild))).id for guild in (GUILD, NEIGHBOURS)]
        right = await derived(store)
        for game in ids:
            await store.write(tamper_rating, [game])
        yield address, store, right, await derived(store)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("options", [(), ("--check",)], ids=["replay", "check"])
async def test_a_signal_in_the_middle_of_the_games(
    two_clubs: tuple[str, Store, Snapshot, Snapshot],
    tmp_path: Path,
    number: signal.Signals,
    options: tuple[str, ...],
) -> None:
    address, store, _, wrong = two_clubs
    async with held(address, tmp_path, "plan", *options) as process:
        process.send_signal(number)
        code, out, err = await ended(process)
    assert (code, out) == (ExitCode.STOPPED, "")
    assert err == "tenbou: The replay was stopped; clubs it had not come to the end of are as they were.\n"
    assert await derived(store) == wrong


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_while_figures_are_written(
    two_clubs: tuple[str, Store, Snapshot, Snapshot], tmp_path: Path, number: signal.Signals
) -> None:
    address, store, right, wrong = two_clubs
    async with held(address, tmp_path, "write") as process:
        process.send_signal(number)
        code, out, _ = await ended(process)
    assert code == ExitCode.STOPPED
    assert out == f"club {GUILD}: 1 game replayed; figures of 1 game and 0 standings were put right.\n"
    after = await derived(store)
    assert after not in (right, wrong)
    assert await replayed(address, one=GUILD, check=True) == ExitCode.OK
    assert await replayed(address, one=NEIGHBOURS, check=True) == ExitCode.FAILURE


@pytest.mark.parametrize("place", ["plan", "write"])
async def test_killed_in_the_middle(
    two_clubs: tuple[str, Store, Snapshot, Snapshot], tmp_path: Path, place: str
) -> None:
    address, store, right, wrong = two_clubs
    async with held(address, tmp_path, place) as process:
        process.kill()
        assert (await ended(process))[0] == -signal.SIGKILL
    assert await derived(store) == wrong
    assert await replayed(address) == ExitCode.OK
    assert await derived(store) == right
