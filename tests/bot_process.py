"""The bot as an operator runs it: a process of its own, started by the Procfile's command."""

from __future__ import annotations

import asyncio
import shlex
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import ClassVar

from bot.sandbox import LocalDiscord
from tests.processes import PATIENCE, ROOT, environment

__all__ = ["BotProcess"]

TOKEN = "a-process-token"


def command() -> list[str]:
    """What the Procfile says a worker is."""
    (line,) = [line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("worker:")]
    program, *arguments = shlex.split(line.removeprefix("worker:"))
    assert program == "python"
    return [sys.executable, *arguments]


class BotProcess:
    """A running bot, and what it wrote."""

    running: ClassVar[list[Process]] = []

    def __init__(self, process: Process) -> None:
        self.process = process
        self.running.append(process)

    @classmethod
    async def bury(cls) -> None:
        """End what a failed test has left running."""
        while cls.running:
            process = cls.running.pop()
            if process.returncode is None:
                process.kill()
                await process.communicate()

    @classmethod
    async def start(cls, folder: Path, discord: LocalDiscord | None = None, **settings: str) -> BotProcess:
        """Start the bot in an empty folder; `settings` are environment variables."""
        told = {
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'club.db'}",
            "TENBOU_OUTBOX_LEASE": "0.5",
            "TENBOU_OUTBOX_BACKOFF": "0.05",
            "TENBOU_CONNECT_BACKOFF": "0.05",
        }
        if discord is not None:
            told |= {"TENBOU_API_BASE": discord.rest_url, "TENBOU_GATEWAY_URL": discord.gateway_url}
        process = await asyncio.create_subprocess_exec(
            *command(), cwd=folder, env=environment(**told | settings), stdout=PIPE, stderr=PIPE
        )
        return cls(process)

    @classmethod
    async def ready(cls, folder: Path, discord: LocalDiscord, **settings: str) -> BotProcess:
        """Start the bot and wait until it is in its guilds."""
        bot = await cls.start(folder, discord, **settings)
        async with asyncio.timeout(PATIENCE):
            await discord.ready()
        return bot

    async def ended(self) -> tuple[int, str]:
        """Wait for the end: the exit code, and what was written to stderr."""
        async with asyncio.timeout(PATIENCE):
            _, written = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, written.decode()

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it with a signal."""
        self.process.send_signal(number)
        return await self.ended()

    async def kill(self) -> None:
        """End it without warning."""
        await self.stop(signal.SIGKILL)
