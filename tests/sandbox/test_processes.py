"""Bots in processes of their own, killed at the worst moments."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.sandbox.conftest import Club

ROOT = Path(__file__).resolve().parents[2]


Launch = Callable[[], Awaitable[asyncio.subprocess.Process]]


@pytest.fixture
async def launch(quiet: Club) -> AsyncIterator[Launch]:
    """Start the sample bot in its own process; what still runs in the end is killed."""
    started: list[asyncio.subprocess.Process] = []
    server = quiet.discord

    async def start() -> asyncio.subprocess.Process:
        places = (server.rest_url, server.gateway_url, server.token)
        command = [sys.executable, "-m", "tests.sandbox.sample", *places]
        started.append(await asyncio.create_subprocess_exec(*command, cwd=ROOT))
        await server.ready()
        return started[-1]

    yield start
    for process in started:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("done", [True, False])
async def test_killed_before_or_after_an_effect(quiet: Club, launch: Launch, done: bool) -> None:
    server = quiet.discord
    process = await launch()
    hold = server.faults.hold("PUT", "/reactions/", done=done)
    i = await quiet.ann.slash("report riichi", quiet.channel, east=quiet.bob.user, score=1)
    await hold.reached
    process.kill()
    await process.wait()
    await server.until(lambda: not server.connected)
    hold.release()
    await launch()
    assert i.reply is not None
    assert [r["me"] for r in i.reply["reactions"]] == ([True] if done else [])
    opened = await quiet.bob.click(i.reply, label="Add a note")
    sent = await quiet.bob.submit(opened, note="after the fall")
    assert sent.reply is not None
    assert server.closes == [1006]
