"""News of a club that has no channel for them, or none any more, and of one whose channel is only closed."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
import sqlalchemy as sa

from bot import client
from bot.ranking_days import RankingDays
from bot.sandbox import Permission, overwrite
from ratings.store import tables
from tests.club_evening import Evening
from tests.ledger_help import choose
from tests.ranking_days_help import NEXT_STEP, STEP, Clock, two_cups

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which the bot looks at the rankings: the day before the step, at noon."""
    standing = Clock(STEP - timedelta(1))
    monkeypatch.setattr(client, "RankingDays", partial(RankingDays, clock=standing))
    return standing


async def waiting(evening: Evening) -> list[str]:
    """The kinds of the letters that are still to be said, once nothing is in hand."""
    await evening.quiet()
    return await evening.store.read(_waiting)


def _waiting(connection: sa.Connection) -> list[str]:
    letters = tables.outbox
    return list(connection.execute(sa.select(letters.c.kind).where(letters.c.done_at.is_(None))).scalars())


async def close(evening: Evening, channel: str) -> None:
    """Take the right to write from everybody."""
    everybody = {"id": evening.guild["id"]}
    refused = [overwrite(everybody, deny=Permission.SEND_MESSAGES)]
    await evening.discord.set_overwrites(evening.channels[channel], refused)


@pytest.mark.parametrize("deleted", [False, True])
async def test_rankings_that_nobody_can_be_told_of_are_dropped(
    evening: Evening, clock: Clock, deleted: bool
) -> None:
    await two_cups(evening.store, evening.id)
    await evening.bot.ranking_days.round()
    if deleted:
        await evening.discord.delete_channel(evening.channels["announcements"])
    else:
        await choose(evening.store, evening.id, announcements_channel=None)
    clock.set(STEP)
    await evening.bot.ranking_days.round()
    assert await waiting(evening) == []
    await choose(evening.store, evening.id, announcements_channel=int(evening.channels["mahjong"]["id"]))
    clock.set(NEXT_STEP)
    await evening.bot.ranking_days.round()
    assert await waiting(evening) == []
    assert evening.titles("mahjong") == ["📊 The rankings on 2025-04-06"]
    (post,) = [post for each in evening.posts("mahjong") for post in each["embeds"]]
    assert post["description"].startswith("What moved since 2025-03-30:")


async def test_news_of_ranks_are_dropped_when_every_channel_is_deleted(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    for name in ("announcements", "mahjong"):
        await evening.discord.delete_channel(evening.channels[name])
    await evening.approve(1)
    assert await waiting(evening) == []


@pytest.mark.parametrize(("closed", "deleted"), [("announcements", "mahjong"), ("mahjong", "announcements")])
async def test_news_wait_while_one_of_the_channels_is_only_closed(
    evening: Evening, closed: str, deleted: str
) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    await evening.discord.delete_channel(evening.channels[deleted])
    await close(evening, closed)
    await evening.approve(1)
    assert await waiting(evening) == ["news"]
