"""Killed at any point of report → card → approval → announcement, the evening ends as if nothing had been."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.letters import APPROVE
from bot.sandbox import LocalDiscord
from tests.bot_process import TOKEN, BotProcess
from tests.club_evening import Club
from tests.openapi import checker

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
APPROVALS, ANNOUNCEMENTS = "approvals", "announcements"
POINTS = [
    ("POST", "/interactions/"),
    ("POST", APPROVALS),
    ("PUT", f"/reactions/{APPROVE}/"),
    ("PUT", "/reactions/❌/"),
    ("PATCH", "/messages/"),
    ("POST", ANNOUNCEMENTS),
]


@pytest.fixture
async def club() -> AsyncIterator[Club]:
    """A club whose bot is a process of its own."""
    local = LocalDiscord(TOKEN, check=checker())
    await local.start()
    yield Club(local)
    await BotProcess.bury()
    await local.stop()


def what_is_left(club: Club, folder: Path) -> dict[str, Any]:
    """The posts and the ledger at the end, without what differs from run to run."""
    database = sqlite3.connect(folder / "club.db")
    try:
        rows = {
            "outcomes": "SELECT player_id, rank, points, rating, games_before FROM outcomes ORDER BY player_id",
            "standings": "SELECT player_id, rank, points, rating, games FROM standings ORDER BY player_id",
            "decisions": "SELECT verdict FROM decisions",
            "games": "SELECT number, state FROM games",
            "unsaid": "SELECT kind FROM outbox WHERE done_at IS NULL",
        }
        stored = {name: database.execute(query).fetchall() for name, query in rows.items()}
    finally:
        database.close()
    footers = {
        name: [embed["footer"]["text"] for post in club.posts(name) for embed in post["embeds"]]
        for name in (APPROVALS, ANNOUNCEMENTS)
    }
    return stored | footers


UNDISTURBED = {
    "outcomes": [(1, 1, 0, 1530.0, 0), (2, 0, 15, 1510.0, 0), (3, 0, 0, 1490.0, 0), (4, 0, 0, 1470.0, 0)],
    "standings": [(1, 1, 0, 1530.0, 1), (2, 0, 15, 1510.0, 1), (3, 0, 0, 1490.0, 1), (4, 0, 0, 1470.0, 1)],
    "decisions": [("approve",)],
    "games": [(1, "approved")],
    "unsaid": [],
    APPROVALS: ["#1 · card"],
    ANNOUNCEMENTS: ["#1 · news"],
}


async def settle(club: Club, bot: BotProcess, folder: Path) -> None:
    """Wait for the end of the story, end the bot, and compare what is left with an undisturbed evening."""
    await club.discord.until(lambda: "approved" in str(club.card(1)), timeout=15)
    await club.discord.until(lambda: club.posts(ANNOUNCEMENTS), timeout=15)
    async with asyncio.timeout(15):
        while what_is_left(club, folder)["unsaid"]:  # noqa: ASYNC110 - another process' file tells no events
            await asyncio.sleep(0.02)
    code, written = await bot.stop()
    assert code == 0, written
    left = what_is_left(club, folder)
    first = left["outcomes"][0][0]
    for name in ("outcomes", "standings"):
        left[name] = [(player - first + 1, *rest) for player, *rest in left[name]]
    assert left == UNDISTURBED


def route(club: Club, place: str) -> str:
    """The path of a point in the story."""
    if place in club.channels:
        return rf"/channels/{club.channels[place]['id']}/messages$"
    return place


async def test_an_undisturbed_evening(club: Club, tmp_path: Path) -> None:
    bot = await BotProcess.ready(tmp_path, club.discord)
    await club.set_up()
    await club.report(GAME)
    await club.as_("Kai").react(await club.card_ready(1), APPROVE)
    await settle(club, bot, tmp_path)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("method", "place"), POINTS, ids=[f"{method}-{place}" for method, place in POINTS])
async def test_killed_at_a_request(club: Club, tmp_path: Path, method: str, place: str, done: bool) -> None:
    # Discord forgets a nonce within minutes; a bot that was away for longer must do without.
    club.discord.nonce_window = 0.0
    bot = await BotProcess.ready(tmp_path, club.discord)
    await club.set_up()
    point = club.discord.faults.hold(method, route(club, place), done=done)
    story = asyncio.create_task(tell(club))
    async with asyncio.timeout(15):
        await point.reached.wait()
    await bot.kill()
    point.release()
    bot = await BotProcess.ready(tmp_path, club.discord)
    await story
    await settle(club, bot, tmp_path)


@pytest.mark.parametrize("seed", range(4))
async def test_killed_some_moment_after_the_reaction(club: Club, tmp_path: Path, seed: int) -> None:
    bot = await BotProcess.ready(tmp_path, club.discord)
    await club.set_up()
    await club.report(GAME)
    await club.as_("Kai").react(await club.card_ready(1), APPROVE)
    await asyncio.sleep(random.Random(seed).uniform(0, 0.02))
    await bot.kill()
    bot = await BotProcess.ready(tmp_path, club.discord)
    await settle(club, bot, tmp_path)


async def tell(club: Club) -> None:
    """The story up to the reaction, told by people who try only once."""
    await club.report(GAME)
    await club.discord.until(lambda: club.card(1) is not None, timeout=15)
    card = club.card(1)
    assert card is not None
    await club.as_("Kai").react(card, APPROVE)
