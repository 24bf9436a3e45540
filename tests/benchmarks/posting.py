"""From a report to its card, and from a ✅ to the announcement: Tenbou beside a bot that only posts.

Both run in processes of their own, each on a local Discord in this process; they take turns, so that a noisy
moment of the machine meets both. What is measured ends when the request arrives at the local Discord.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

from bot.letters import APPROVE
from bot.sandbox import LocalDiscord
from tests.benchmarks.children import BARE_BOT, MEMORY_GOAL, TENBOU, TOKEN, Child, running
from tests.benchmarks.table import Row, Sample, at_most, megabytes, milliseconds, times
from tests.club_evening import Club, card_title, reactions

__all__ = ["measure"]

WARM_UP = 20
TIMES_THE_FLOOR = 3.0
PATIENCE = 15.0
# Between two acts of people; what the bot does afterwards for itself has ended by then.
PAUSE = 0.01
SCORES = (45200, 30100, 15700, 9000)
WINS_EACH = 2
_POST = re.compile(r"/channels/(\d+)/messages")


class Evening:
    """A club with one of the bots, and the time at which the bot's posts arrive."""

    def __init__(self, club: Club, child: Child, *, says_approved: bool) -> None:
        self.club = club
        self.child = child
        self.discord = club.discord
        self.answers: list[float] = []
        self.cards: list[float] = []
        self.announcements: list[float] = []
        self._says_approved = says_approved
        self._read = 0
        self._posted: Counter[str] = Counter()
        self._arrived: dict[str, float] = {}
        self.discord.changes.listeners.append(self._look)

    def _look(self) -> None:
        now = time.monotonic()
        fresh = self.discord.requests[self._read :]
        self._read += len(fresh)
        for request in fresh:
            if request.method == "POST" and (found := _POST.fullmatch(request.path)):
                self._posted[found[1]] += 1
                self._arrived[found[1]] = now

    def _settled(self) -> bool:
        return all(request.status is not None for request in self.discord.requests[-20:])

    async def round(self, scores: dict[str, str]) -> None:
        """A member reports, an admin approves, the bot announces; wait until it has nothing left to do."""
        approvals, announcements = (self.club.channels[name] for name in ("approvals", "announcements"))
        card_posts, news_posts = self._posted[approvals["id"]], self._posted[announcements["id"]]

        started = time.monotonic()
        interaction = await self.club.report(scores, by=next(iter(scores)))
        if interaction.latency is None:
            raise RuntimeError("A report was not answered.")
        await self.discord.until(lambda: self._posted[approvals["id"]] > card_posts, PATIENCE)
        self.answers.append(interaction.latency)
        self.cards.append(self._arrived[approvals["id"]] - started)
        await self.discord.until(self._settled, PATIENCE)
        card = self.discord.world.message(approvals["last_message_id"])
        assert card is not None
        await self.discord.until(lambda: not self._says_approved or len(reactions(card)) == 2, PATIENCE)
        await self._pause()

        started = time.monotonic()
        await self.club.as_("Kai").react(card, APPROVE)
        await self.discord.until(lambda: self._posted[announcements["id"]] > news_posts, PATIENCE)
        self.announcements.append(self._arrived[announcements["id"]] - started)
        await self.discord.until(lambda: not self._says_approved or "approved" in card_title(card), PATIENCE)
        await self._pause()

    async def _pause(self) -> None:
        await self.discord.until(self._settled, PATIENCE)
        await asyncio.sleep(PAUSE)

    def forget(self) -> None:
        """The rounds so far were a warm-up."""
        for figures in (self.answers, self.cards, self.announcements):
            figures.clear()


async def measure(rounds: int, folder: Path) -> list[Row]:
    """The rows of this comparison over so many rounds."""
    database = f"sqlite+aiosqlite:///{folder / 'posting.db'}"
    async with (
        _evening(TENBOU, folder, rounds, database) as tenbou,
        _evening(BARE_BOT, folder, rounds) as bare,
    ):
        await tenbou.club.set_up()
        games = promoting_games()
        for number in range(WARM_UP + rounds):
            if number == WARM_UP:
                tenbou.forget()
                bare.forget()
            scores = next(games)
            for evening in (tenbou, bare) if number % 2 else (bare, tenbou):
                await evening.round(scores)
        return _rows(tenbou, bare, rounds)


@contextlib.asynccontextmanager
async def _evening(
    module: tuple[str, ...], folder: Path, rounds: int, database: str = ""
) -> AsyncIterator[Evening]:
    discord = LocalDiscord(TOKEN)
    # People take their pause here before the clock is started.
    discord.pause = 0.0
    await discord.start()
    try:
        club = Club(discord)
        for _, scores in zip(range(WARM_UP + rounds), promoting_games(), strict=False):
            for name in scores:
                if name not in club.users:
                    club.join(name)
        async with running(module, discord, folder, database) as child:
            yield Evening(club, child, says_approved=module == TENBOU)
    finally:
        await discord.stop()


def promoting_games() -> Iterator[dict[str, str]]:
    """Reports by name, without end, in each of which a newcomer or a low kyuu comes first and is promoted."""
    for table in count():
        names = [f"member {table}-{seat}" for seat in range(len(SCORES))]
        for win in range(len(names) * WINS_EACH):
            turned = SCORES[-(win % 4) :] + SCORES[: -(win % 4)]
            yield {name: str(score) for name, score in zip(names, turned, strict=True)}


def _rows(tenbou: Evening, bare: Evening, rounds: int) -> list[Row]:
    rows = [Row(f"Posting, {rounds} rounds on SQLite, beside a bare discord.py bot")]
    for label, ours, theirs in (
        ("report -> card posted", Sample(tenbou.cards), Sample(bare.cards)),
        ("approval -> announcement", Sample(tenbou.announcements), Sample(bare.announcements)),
    ):
        rows.append(times(f"{label}, median", ours.median, theirs.median, milliseconds, at_most=TIMES_THE_FLOOR))
        rows.append(times(f"{label}, p99", ours.p99, theirs.p99, milliseconds, at_most=TIMES_THE_FLOOR))
    answer, bare_answer = Sample(tenbou.answers).median, Sample(bare.answers).median
    rows.append(times("report -> private answer, median", answer, bare_answer, milliseconds))
    memory, bare_memory = tenbou.child.resident(), bare.child.resident()
    rows.append(at_most("memory afterwards", memory, megabytes, MEMORY_GOAL, theirs=bare_memory))
    return rows
