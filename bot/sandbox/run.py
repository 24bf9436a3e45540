"""The sandbox as a program: a local Discord, the page, the made-up club, and the real bot as a child process."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from bot.exits import ExitCode, Stop
from bot.sandbox import club
from bot.sandbox.errors import SandboxRefusal
from bot.sandbox.server import LocalDiscord
from bot.sandbox.web import Page
from bot.sandbox.world import World
from ratings.store import Store, StoreTooNew, StoreUnreachable

__all__ = ["run"]

HOST = "127.0.0.1"
CONNECTING = 60.0
ENDING = 10.0


async def run(database: Path | None, port: int) -> ExitCode:
    """Run the sandbox until Ctrl-C or SIGTERM. `database` keeps the club; without it everything is forgotten.

    Raises Stop when it cannot start, or when the bot ends by itself.
    """
    stopping = asyncio.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # Windows has no such handlers, and no SIGHUP; there Ctrl-C cancels this coroutine.
        with contextlib.suppress(NotImplementedError, AttributeError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), stopping.set)
    with tempfile.TemporaryDirectory(prefix="tenbou-sandbox-", ignore_cleanup_errors=True) as folder:
        kept = (database or Path(folder) / "club.db").absolute()
        await _sandbox(kept, port, stopping, forget=database is None)
    return ExitCode.OK


async def _sandbox(database: Path, port: int, stopping: asyncio.Event, *, forget: bool) -> None:
    beside = database.with_name(database.name + ".discord.json")
    kept = _kept(database, beside)
    world = kept or World()
    made = _found(world) if kept else club.build(world)
    discord = LocalDiscord(secrets.token_urlsafe(), world=world)
    Page(discord, made.guild)
    await _listen(discord, port)
    try:
        if not kept:
            await _seed(world, made, database)
        async with _Bot(discord, database) as bot:
            await _until_stopped(stopping, bot, discord.ready(CONNECTING))
            if not world.messages and not stopping.is_set():
                await _until_stopped(stopping, bot, _evening(discord, made, database))
            if not stopping.is_set():
                _say(f"The club is open at http://{HOST}:{discord.port}/ (Ctrl-C stops it).")
                _say(_about(database, forget=forget))
                await _until_stopped(stopping, bot, asyncio.Event().wait())
    finally:
        await discord.stop()
        if database.exists():  # noqa: ASYNC240 - the event loop has nothing else to do any more
            world.save(beside)
    _say("The sandbox has stopped.")


def _about(database: Path, *, forget: bool) -> str:
    if forget:
        return "It is forgotten when it stops; --database FILE keeps it."
    return f"It is kept in {database} and opens as you left it next time."


def _kept(database: Path, beside: Path) -> World | None:
    """The world of an earlier time; None where there is none. Raises Stop when only half of it is there."""
    there = [path for path in (database, beside) if path.exists()]
    if len(there) == 1:
        (missing,) = {database, beside} - set(there)
        sentence = f"{there[0]} is there but {missing} is not; a kept club needs both. Choose another --database."
        raise Stop(ExitCode.FAILURE, sentence)
    if not there:
        return None
    try:
        return World.load(beside)
    except (ValueError, OSError) as error:
        raise Stop(ExitCode.FAILURE, f"The kept club cannot be read: {error}") from None


def _found(world: World) -> club.Club:
    try:
        return club.find(world)
    except LookupError as error:
        raise Stop(ExitCode.FAILURE, f"The kept club cannot be used: {error}.") from None


async def _seed(world: World, made: club.Club, database: Path) -> None:
    _say("Setting up a made-up club with five weeks of games …")
    store = await _store(database)
    try:
        await club.seed(store, made, world, int(time.time()))
    finally:
        await store.close()


async def _store(database: Path) -> Store:
    try:
        return await Store.open(_address(database))
    except (StoreUnreachable, StoreTooNew) as error:
        raise Stop(ExitCode.NO_DATABASE, f"{database} cannot be opened: {error}.") from None


def _address(database: Path) -> str:
    return f"sqlite+aiosqlite:///{database.as_posix()}"


async def _listen(discord: LocalDiscord, port: int) -> None:
    try:
        await discord.start(HOST, port)
    except (OSError, OverflowError) as error:
        await discord.stop()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            sentence = f"Port {port} is in use; choose another with --port, or --port 0 for a free one."
        else:
            sentence = f"The page cannot be served at port {port}: {error}."
        raise Stop(ExitCode.FAILURE, sentence) from None


async def _evening(discord: LocalDiscord, made: club.Club, database: Path) -> None:
    """Let the members act. Where the bot does not play along the club opens all the same."""
    store = await _store(database)
    try:
        await club.act(discord, made, store)
    except (TimeoutError, SandboxRefusal) as problem:
        _say(f"The members could not do all they wanted: {problem}")
    finally:
        await store.close()


async def _until_stopped(stopping: asyncio.Event, bot: _Bot, work: Coroutine[Any, Any, Any]) -> None:
    """Do some work until it is done or the sandbox is stopped. Raises Stop when the bot ends meanwhile."""
    tasks = [asyncio.create_task(c) for c in (work, stopping.wait(), bot.ended())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not stopping.is_set():
            for task in tasks:
                if task.done():
                    task.result()
    except TimeoutError:
        raise Stop(ExitCode.FAILURE, f"The bot did not connect within {CONNECTING:g} seconds.") from None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Bot:
    """The bot as a child process, from its start to its end."""

    def __init__(self, discord: LocalDiscord, database: Path) -> None:
        self._environment = os.environ | {
            "DISCORD_TOKEN": discord.token,
            "DATABASE_URL": _address(database),
            "TENBOU_API_BASE": discord.rest_url,
            "TENBOU_GATEWAY_URL": discord.gateway_url,
            "TENBOU_LOG_LEVEL": os.environ.get("TENBOU_LOG_LEVEL", "warning"),
        }
        self._process: asyncio.subprocess.Process

    async def __aenter__(self) -> _Bot:
        # A session of its own: Ctrl-C in a terminal would reach the child as well, before it is told to end.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=self._environment, start_new_session=True
        )
        return self

    async def ended(self) -> None:
        """Wait for the bot to end by itself, which it should not. Raises Stop then."""
        code = await self._process.wait()
        raise Stop(ExitCode.FAILURE, f"The bot ended by itself with exit code {code}; what it said is above.")

    async def __aexit__(self, *_problem: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), ENDING)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - this is what the program says to whoever runs it
