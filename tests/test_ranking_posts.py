"""The post of the day on the local Discord: what it says, and that it comes once through whatever happens."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot import client
from bot.ranking_days import RankingDays
from bot.sandbox import Permission, overwrite
from ratings.store import Store
from ratings.tournaments import ledger as tournaments
from tests.club_evening import Evening
from tests.ledger_help import KAI, choose
from tests.ranking_days_help import CUP, NEXT_STEP, SPRING, STEP, Clock, keeper, noted, two_cups, unsaid
from tests.ranking_help import hold

AGED = "#1 \u2068Spring Cup\u2069 aged from 7/7 to 6/7"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which every bot of the test looks at the rankings: the day before the step, at noon."""
    standing = Clock(STEP - timedelta(1))
    monkeypatch.setattr(client, "RankingDays", partial(RankingDays, clock=standing))
    return standing


async def club_of(evening: Evening) -> RankingDays:
    """What looks at the rankings for the evening's club, which has two tournaments and a baseline."""
    await two_cups(evening.store, evening.id)
    await evening.bot.ranking_days.round()
    return evening.bot.ranking_days


def posts(evening: Evening) -> list[dict[str, Any]]:
    """The embeds of the posts about rankings."""
    found = [embed for post in evening.posts("announcements") for embed in post["embeds"]]
    return [embed for embed in found if embed["footer"]["text"].startswith("rankings ")]


async def test_the_post_of_a_day_names_the_step_of_ageing(evening_on_each_engine: Evening, clock: Clock) -> None:
    evening = evening_on_each_engine
    looking = await club_of(evening)
    clock.set(STEP)
    await looking.round()
    await evening.quiet()
    (post,) = posts(evening)
    assert post["title"] == "📊 The rankings on 2025-03-30"
    assert post["description"].startswith("What moved since 2025-03-29:")
    assert [field["name"] for field in post["fields"]] == ["RR", "CRR"]
    lines = post["fields"][0]["value"].split("\n")
    assert len(lines) == 6
    for name in CUP:
        (line,) = [number for number, text in enumerate(lines) if name in text]
        assert lines[line].startswith(("⬆️", "⬇️"))
        assert lines[line + 1] == f"-# {AGED}; and with it the maximal coefficients"
    clock.set(STEP + timedelta(1))
    await looking.round()
    await evening.quiet()
    assert len(posts(evening)) == 1
    clock.set(NEXT_STEP)
    await looking.round()
    await evening.quiet()
    assert [post["title"] for post in posts(evening)] == [
        "📊 The rankings on 2025-03-30",
        "📊 The rankings on 2025-04-06",
    ]
    assert "April Open" in posts(evening)[1]["fields"][0]["value"]


async def told_of_step(evening: Evening) -> None:
    """The club has been told of the step of ageing, once."""
    await evening.discord.until(lambda: posts(evening))
    evening.bot.worker.wake()
    await evening.quiet()
    assert [post["title"] for post in posts(evening)] == ["📊 The rankings on 2025-03-30"]
    assert AGED in posts(evening)[0]["fields"][0]["value"]
    assert await unsaid(evening.store, evening.id) == []


async def test_a_correction_is_told_as_one(evening: Evening, clock: Clock) -> None:
    looking = await club_of(evening)
    await hold(evening.store, evening.id, "May Cup", SPRING + timedelta(40), {"Bela": 1, "Cleo": 2}, now=clock.now)
    clock.set(STEP + timedelta(1))
    await looking.round()
    await evening.quiet()
    await evening.store.write(tournaments.remove, evening.id, 3, KAI, clock.now)
    clock.set(STEP + timedelta(2))
    await looking.round()
    await evening.quiet()
    entered, removed = posts(evening)
    assert "#3 \u2068May Cup\u2069 entered, place 1/40" in entered["fields"][0]["value"]
    assert entered["description"].startswith("What moved since 2025-03-29:")
    stopped = "-# #3 \u2068May Cup\u2069 does not count after a correction; and with it the maximal coefficients"
    assert removed["fields"][0]["value"].count(stopped) == 2
    # Who did not play in it is told why he moved all the same.
    (anna,) = [text for text in removed["fields"][0]["value"].split("\n⬆️") if "Anna" in text]
    assert "the maximal coefficients: #3 \u2068May Cup\u2069 does not count after a correction" in anna


async def test_after_three_days_offline_there_is_one_post(evening_on_each_engine: Evening, clock: Clock) -> None:
    evening = evening_on_each_engine
    await club_of(evening)
    await evening.stop_bot()
    clock.set(NEXT_STEP + timedelta(1))
    await evening.start_bot()
    await evening.discord.until(lambda: posts(evening))
    await evening.bot.ranking_days.round()
    await evening.quiet()
    (post,) = posts(evening)
    assert post["title"] == "📊 The rankings on 2025-04-07"
    assert post["description"].startswith("What moved since 2025-03-29:")
    assert "Spring Cup" in post["fields"][0]["value"]
    assert "April Open" in post["fields"][0]["value"]
    assert await noted(evening.store, evening.id) == ["2025-03-29", "2025-04-07"]


async def test_two_bots_on_one_database_post_once(evening_on_each_engine: Evening, clock: Clock) -> None:
    evening = evening_on_each_engine
    looking = await club_of(evening)
    clock.set(STEP)
    async with evening.second_bot() as other:
        await asyncio.gather(looking.round(), other.ranking_days.round())
        await evening.discord.until(lambda: posts(evening))
        # Whoever posted it has it marked before he is idle.
        other.worker.wake()
        await other.worker.idle()
        await told_of_step(evening)


async def test_a_restart_between_the_note_and_the_post_changes_nothing(evening: Evening, clock: Clock) -> None:
    await club_of(evening)
    await evening.stop_bot()
    store = await Store.open(evening.database)
    clock.set(STEP)
    await keeper(store, clock).round()
    await store.close()
    assert posts(evening) == []
    await evening.start_bot()
    await told_of_step(evening)
    await evening.stop_bot()
    await evening.start_bot()
    await evening.bot.ranking_days.round()
    await told_of_step(evening)


@pytest.mark.parametrize("done", [False, True])
async def test_a_lost_answer_makes_no_second_post(evening: Evening, clock: Clock, done: bool) -> None:
    looking = await club_of(evening)
    evening.discord.nonce_window = 0.0
    evening.discord.faults.cut(
        "POST", rf"/channels/{evening.channels['announcements']['id']}/messages$", done=done
    )
    clock.set(STEP)
    await looking.round()
    await evening.discord.until(lambda: evening.posts("announcements"))
    if done:
        # The next try finds the post, and puts the same into it.
        await evening.discord.until(lambda: evening.posts("announcements")[0]["edited_timestamp"])
    await told_of_step(evening)


async def test_what_could_not_be_posted_comes_in_one_post_once_it_can(evening: Evening, clock: Clock) -> None:
    looking = await club_of(evening)
    channel, role = evening.channels["announcements"], {"id": evening.guild["id"]}
    await evening.discord.set_overwrites(channel, [overwrite(role, deny=Permission.SEND_MESSAGES)])
    clock.set(STEP)
    await looking.round()
    await evening.quiet()
    assert posts(evening) == []
    clock.set(STEP + timedelta(1))
    await looking.round()
    await evening.quiet()
    assert await unsaid(evening.store, evening.id) == ["2025-03-31"]
    await evening.discord.set_overwrites(channel, [])
    clock.set(NEXT_STEP)
    await looking.round()
    await evening.quiet()
    (post,) = posts(evening)
    assert post["description"].startswith("What moved since 2025-03-29:")
    assert "Spring Cup" in post["fields"][0]["value"]
    assert "April Open" in post["fields"][0]["value"]


async def test_without_a_channel_nothing_is_posted_anywhere(evening: Evening, clock: Clock) -> None:
    looking = await club_of(evening)
    await choose(evening.store, evening.id, announcements_channel=None)
    clock.set(STEP)
    await looking.round()
    await evening.quiet()
    assert await unsaid(evening.store, evening.id) == []
    assert [evening.posts(name) for name in ("announcements", "approvals")] == [[], []]


async def test_a_club_that_changed_its_mind_is_told_nothing(evening: Evening, clock: Clock) -> None:
    await club_of(evening)
    await evening.stop_bot()
    store = await Store.open(evening.database)
    clock.set(STEP)
    await keeper(store, clock).round()
    await choose(store, evening.id, ranking_posts=False)
    assert await unsaid(store, evening.id) == ["2025-03-30"]
    await store.close()
    await evening.start_bot()
    await evening.quiet()
    assert (posts(evening), await unsaid(evening.store, evening.id)) == ([], [])


async def test_the_bot_looks_by_itself_when_it_starts_and_when_it_is_back(evening: Evening, clock: Clock) -> None:
    await club_of(evening)
    await evening.stop_bot()
    clock.set(STEP)
    await evening.start_bot()
    await told_of_step(evening)
    clock.set(NEXT_STEP)
    await evening.discord.drop_gateway()
    await evening.discord.until(lambda: len(posts(evening)) == 2)
    assert "April Open" in posts(evening)[1]["fields"][0]["value"]
