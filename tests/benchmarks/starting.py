"""From the start of the process to the first answered command, and the memory of a bot at rest."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.sandbox import LocalDiscord
from tests.benchmarks.children import BARE_BOT, MEMORY_GOAL, TENBOU, TOKEN, running
from tests.benchmarks.table import Row, Sample, at_most, megabytes, seconds
from tests.club_evening import Club

__all__ = ["measure"]

STARTS = 5
SECONDS_GOAL = 2.0
# discord.py itself waits two seconds for guilds before it calls a bot ready; the rest begins after that.
REST = 4.0
GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}


@dataclass(slots=True)
class Starts:
    """What starts of one kind took (seconds), and the memory of the last at rest (bytes)."""

    durations: list[float] = field(default_factory=list)
    memory: int = 0

    @property
    def median(self) -> float:
        """The start in the middle, in seconds."""
        return Sample(self.durations).median


async def measure(folder: Path) -> list[Row]:
    """Start each bot again and again, in turns; the database is new for the first start and known to the next."""
    cold, warm, bare = Starts(), Starts(), Starts()
    for number in range(STARTS):
        last = number == STARTS - 1
        database = f"sqlite+aiosqlite:///{folder / f'start-{number}.db'}"
        async with _club() as club:
            await _start(cold, TENBOU, club, folder, database, rest=last)
            await _start(warm, TENBOU, club, folder, database, rest=last)
        async with _club() as club:
            await _start(bare, BARE_BOT, club, folder, rest=last)
    return [
        Row(f"Start, median of {STARTS}, beside a bare discord.py bot; memory at rest (VmRSS)"),
        at_most("first answer, new database", cold.median, seconds, SECONDS_GOAL, theirs=bare.median),
        at_most("first answer, known database", warm.median, seconds, SECONDS_GOAL, theirs=bare.median),
        at_most("memory, new database", cold.memory, megabytes, MEMORY_GOAL, theirs=bare.memory),
        at_most("memory, known database", warm.memory, megabytes, MEMORY_GOAL, theirs=bare.memory),
    ]


@contextlib.asynccontextmanager
async def _club() -> AsyncIterator[Club]:
    discord = LocalDiscord(TOKEN)
    await discord.start()
    try:
        yield Club(discord)
    finally:
        await discord.stop()


async def _start(
    starts: Starts, module: tuple[str, ...], club: Club, folder: Path, database: str = "", *, rest: bool
) -> None:
    async with running(module, club.discord, folder, database) as child:
        interaction = await club.report(GAME)
        if interaction.latency is None:
            raise RuntimeError("The first command was not answered.")
        starts.durations.append(time.monotonic() - child.started)
        if rest:
            await asyncio.sleep(REST)
            starts.memory = child.resident()
