"""Bots in processes of their own, as operators run them, and what such a process holds in memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox import LocalDiscord

__all__ = ["BARE_BOT", "MEMORY_GOAL", "TENBOU", "TOKEN", "Child", "running"]

TOKEN = "a-benchmark-token"
TENBOU = ("bot", "run")
BARE_BOT = ("tests.benchmarks.bare_bot",)
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
MEMORY_GOAL = 120e6  # bytes, of Tenbou's process


@dataclass(frozen=True, slots=True)
class Child:
    """A bot's process; `started` is the monotonic time just before it was made."""

    process: asyncio.subprocess.Process
    started: float

    def resident(self) -> int:
        """The memory the process holds now (VmRSS), in bytes; Linux only."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("The process has no resident memory any more.")


@contextlib.asynccontextmanager
async def running(
    module: tuple[str, ...], discord: LocalDiscord, folder: Path, database: str = ""
) -> AsyncIterator[Child]:
    """Run `python -m module` against a local Discord until it is connected; end it on leaving.

    The process works in `folder`, so that no configuration file of this machine is read, and logs there.
    """
    log_file = folder / f"{module[0]}.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TENBOU_")}
    environment |= {
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": database,
        "TENBOU_API_BASE": discord.rest_url,
        "TENBOU_GATEWAY_URL": discord.gateway_url,
    }
    with log_file.open("ab") as log:
        started = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *module, cwd=folder, env=environment, stdout=log, stderr=log
        )
    try:
        await _connected(process, discord, log_file)
        yield Child(process, started)
    finally:
        await _end(process)
        await discord.until(lambda: not discord.connected, PATIENCE)


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()


async def _connected(process: asyncio.subprocess.Process, discord: LocalDiscord, log_file: Path) -> None:
    ended = asyncio.create_task(process.wait())
    ready = asyncio.create_task(discord.ready(PATIENCE))
    await asyncio.wait({ended, ready}, return_when=asyncio.FIRST_COMPLETED)
    for task in (ended, ready):
        if not task.done():
            task.cancel()
    if not ready.done() or ready.exception():
        raise RuntimeError(f"The bot did not connect; it said:\n{_end_of(log_file)}")


def _end_of(log_file: Path) -> str:
    return log_file.read_text()[-4000:]
