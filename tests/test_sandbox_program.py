"""The sandbox as a program: it opens with a made-up club, keeps it, and ends cleanly."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import aiohttp
import sqlalchemy as sa

from bot.exits import ExitCode
from bot.sandbox import World, club
from ratings.models import GameState, SystemName
from ratings.store import Store
from ratings.store.tables import games, outbox, rejection_reasons, standings
from ratings.systems import tenhou
from tests.processes import PATIENCE, environment


async def test_the_club_has_a_history_and_nothing_left_to_say(tmp_path: Path) -> None:
    store, world, now = await Store.open(f"sqlite:///{tmp_path / 'club.db'}"), World(), 1_800_000_000
    made = club.build(world)
    await club.seed(store, made, world, now)

    def look(connection: sa.Connection) -> tuple[list[str], list[int], int, int, int]:
        ranks = sa.select(standings.c.rank).where(standings.c.system == SystemName.TENHOU_4P)
        open_letters = sa.select(sa.func.count()).where(outbox.c.done_at.is_(None))
        reasons = sa.select(sa.func.count()).select_from(rejection_reasons)
        return (
            list(connection.execute(sa.select(games.c.state)).scalars()),
            list(connection.execute(ranks).scalars()),
            connection.execute(open_letters).scalar_one(),
            connection.execute(reasons).scalar_one(),
            connection.execute(sa.select(sa.func.max(games.c.reported_at))).scalar_one(),
        )

    states, ranks, open_letters, reasons, newest = await store.read(look)
    await store.close()
    assert states.count(GameState.APPROVED) > 150
    assert states.count(GameState.PENDING) == 0
    assert states.count(GameState.REJECTED) == reasons > 0
    shodan = next(rank.index for rank in tenhou.RANKS if rank.id == "1dan")
    assert sum(rank >= shodan for rank in ranks) >= 3
    assert open_letters == 0
    assert newest < now


class Program:
    """`python -m bot sandbox` in a process of its own."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[str] = []

    @classmethod
    async def start(cls, folder: Path, *arguments: str, **settings: str) -> Program:
        told = environment(**{"TMPDIR": str(folder), **settings})
        command = (sys.executable, "-m", "bot", "sandbox", *arguments)
        return cls(await asyncio.create_subprocess_exec(*command, cwd=folder, env=told, stdout=PIPE, stderr=PIPE))

    async def address(self) -> str:
        """Wait for the line with the address."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while line := (await self.process.stdout.readline()).decode():
                self.lines.append(line)
                if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                    return found[0]
        raise AssertionError((await self.ended())[1])

    async def ended(self) -> tuple[int, str]:
        """Wait for the end: the exit code, and what was written to stderr; never a traceback."""
        async with asyncio.timeout(PATIENCE):
            said, written = await self.process.communicate()
        self.lines += said.decode().splitlines()
        assert "Traceback" not in written.decode()
        assert self.process.returncode is not None
        return self.process.returncode, written.decode()

    async def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return (await self.ended())[0]


async def _look(address: str) -> dict[str, list[str]]:
    """The titles of what is posted, by channel."""
    titles: dict[str, list[str]] = {}
    async with aiohttp.ClientSession(address) as session, session.get("/page/state") as response:
        state = await response.json()
        assert state["connected"] is True
        assert {"report", "leaderboard", "profile", "setup"} <= {c["name"] for c in state["commands"]}
        for channel in state["channels"]:
            async with session.get("/page/state", params={"channel": channel["id"]}) as shown:
                posts = (await shown.json())["messages"]
            titles[channel["name"]] = [embed["title"] for post in posts for embed in post["embeds"]]
    return titles


async def test_the_sandbox_opens_with_every_kind_of_card_and_keeps_its_club(tmp_path: Path) -> None:
    kept = ("--port", "0", "--database", "club.db")
    first = await Program.start(tmp_path, *kept)
    seen = await _look(await first.address())
    assert await first.stop(signal.SIGINT) == ExitCode.OK
    assert [title.split(" is ")[1] for title in seen["approvals"]] == [
        "approved",
        "rejected",
        "waiting for approval",
        "waiting for approval",
    ]
    assert seen["announcements"]
    assert seen["mahjong"]

    second = await Program.start(tmp_path, *kept)
    again = await _look(await second.address())
    assert await second.stop(signal.SIGTERM) == ExitCode.OK
    assert again == seen
    assert not any("Setting up" in line for line in second.lines)


async def test_a_bot_that_cannot_run_ends_the_sandbox_and_nothing_is_left_behind(tmp_path: Path) -> None:
    program = await Program.start(tmp_path, "--port", "0", TENBOU_LOG_LEVEL="nonsense")
    code, written = await program.ended()
    assert code == ExitCode.FAILURE
    assert "The bot ended by itself" in written.splitlines()[-1]
    assert os.listdir(tmp_path) == []


async def test_a_busy_port_and_half_a_club_are_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "half.db").touch()
    code, written = await (await Program.start(tmp_path, "--database", "half.db")).ended()
    assert code == ExitCode.FAILURE
    assert "half.db.discord.json is not" in written.splitlines()[-1]
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = str(busy.getsockname()[1])
        program = await Program.start(tmp_path, "--port", port, "--database", "club.db")
        code, written = await program.ended()
    assert code == ExitCode.FAILURE
    assert f"Port {port} is in use" in written.splitlines()[-1]
    assert os.listdir(tmp_path) == ["half.db"]
