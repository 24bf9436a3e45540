"""Processes of the tests' own: the environment they run in, and one that is killed in the middle of its work."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

__all__ = ["PATIENCE", "ROOT", "environment", "killed_when_it_says"]

ROOT = Path(__file__).resolve().parents[1]
# Seconds after which a process that says nothing or does not end is given up; far more than any takes.
PATIENCE = 60


def environment(**settings: str) -> dict[str, str]:
    """The environment of a process that finds the program, and of its configuration these settings alone."""
    ours = ("TENBOU_", "DISCORD_", "DATABASE_URL")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"PYTHONPATH": str(ROOT)} | settings


async def killed_when_it_says(word: str, program: str, *arguments: str) -> None:
    """Run a program, and kill it at the line that is this word."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *arguments, env=environment(), stdin=PIPE, stdout=PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            assert await process.stdout.readline() == f"{word}\n".encode()
    finally:
        process.kill()
        await process.wait()
