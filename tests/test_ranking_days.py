"""The rankings' day: whose it is, and that all of it is told once, whatever else happens meanwhile."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.ranking_days import RankingDays
from ratings.store import Store, outbox, tables
from ratings.tournaments import days
from ratings.tournaments import ledger as tournaments
from ratings.tournaments.days import RankingDay
from tests.ledger_help import GUILD, KAI, NEIGHBOURS, another, choose
from tests.ranking_days_help import NEXT_STEP, STEP, Clock, keeper, noted, noted_rows, two_cups, unsaid
from tests.ranking_help import at


@pytest.fixture
def clock() -> Clock:
    """A clock that shows the day before the step, at noon."""
    return Clock(STEP - timedelta(1))


# Whose day it is


async def test_the_first_look_only_sets_the_baseline(store: Store, clock: Clock) -> None:
    await two_cups(store)
    clock.set(STEP)
    wrote = list[str]()
    await keeper(store, clock, wrote).round()
    assert (await noted(store), wrote, await unsaid(store)) == (["2025-03-30"], [], [])


async def test_a_day_on_which_nothing_moved_is_noted_and_not_told_of(store: Store, clock: Clock) -> None:
    await two_cups(store)
    wrote = list[str]()
    looking = keeper(store, clock, wrote)
    for day in (3, 2, 1):
        clock.set(STEP - timedelta(day))
        await looking.round()
        await looking.round()
    assert await noted(store) == ["2025-03-27", "2025-03-28", "2025-03-29"]
    assert (wrote, await unsaid(store)) == ([], [])
    clock.set(STEP)
    await looking.round()
    await looking.round()
    assert (wrote, await unsaid(store)) == (["letter"], ["2025-03-30"])


async def test_the_hour_is_that_of_the_clubs_clock(store: Store, clock: Clock) -> None:
    await two_cups(store)
    await choose(store, time_zone="Asia/Vladivostok", ranking_post_hour=8)
    looking = keeper(store, clock)
    # In Vladivostok it is ten hours later.
    for hour, minute, expected in ((21, 59, []), (22, 0, ["2025-03-31"]), (23, 59, ["2025-03-31"])):
        clock.set(STEP, hour, minute)
        await looking.round()
        assert await noted(store) == expected
    clock.set(STEP + timedelta(1), 21, 59)
    await looking.round()
    assert await noted(store) == ["2025-03-31"]
    clock.set(STEP + timedelta(1), 22)
    await looking.round()
    assert await noted(store) == ["2025-03-31", "2025-04-01"]


async def test_a_step_of_ageing_comes_with_the_clubs_midnight(store: Store, clock: Clock) -> None:
    await two_cups(store)
    await choose(store, time_zone="Asia/Vladivostok", ranking_post_hour=0)
    clock.set(STEP - timedelta(1), 13)
    wrote = list[str]()
    looking = keeper(store, clock, wrote)
    await looking.round()
    clock.set(STEP - timedelta(1), 13, 59)
    await looking.round()
    assert (await noted(store), wrote) == (["2025-03-29"], [])
    clock.set(STEP - timedelta(1), 14)
    await looking.round()
    assert (await noted(store), wrote) == (["2025-03-29", "2025-03-30"], ["letter"])


async def test_a_club_that_moves_to_an_earlier_zone_has_no_day_twice(store: Store, clock: Clock) -> None:
    await two_cups(store)
    await choose(store, time_zone="Pacific/Auckland", ranking_post_hour=0)
    clock.set(STEP, 13)
    looking = keeper(store, clock)
    await looking.round()
    await choose(store, time_zone="America/Los_Angeles")
    for hour in (13, 23):
        clock.set(STEP, hour)
        await looking.round()
    assert await noted(store) == ["2025-03-31"]
    clock.set(STEP + timedelta(2), 8)
    await looking.round()
    assert await noted(store) == ["2025-03-31", "2025-04-01"]


async def test_who_does_not_want_it_is_not_looked_at(store: Store, clock: Clock) -> None:
    await two_cups(store)
    await two_cups(store, NEIGHBOURS)
    await choose(store, ranking_posts=False)
    await choose(store, 900, ranking_posts=True)
    clock.set(STEP)
    assert await store.read(days.due, clock.now) == [NEIGHBOURS]
    looking = RankingDays(store, lambda guild_id: guild_id != NEIGHBOURS, lambda: None, clock)
    await looking.round()
    assert (await noted(store), await noted(store, NEIGHBOURS)) == ([], [])


async def test_one_clubs_trouble_is_not_anothers(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_cups(store)
    await two_cups(store, NEIGHBOURS)
    look = days.look

    def broken(connection: sa.Connection, guild_id: int, now: int) -> tuple[RankingDay, bool]:
        if guild_id == GUILD:
            raise OSError("out of order")
        return look(connection, guild_id, now)

    clock.set(STEP)
    looking = keeper(store, clock)
    with monkeypatch.context() as patched:
        patched.setattr(days, "look", broken)
        await looking.round()
        assert (await noted(store), await noted(store, NEIGHBOURS)) == ([], ["2025-03-30"])
    await looking.round()
    assert await noted(store) == ["2025-03-30"]


# Told once, and everything


async def test_what_changed_between_look_and_note_is_not_lost(store: Store, clock: Clock) -> None:
    await two_cups(store)
    looking = keeper(store, clock)
    await looking.round()
    clock.set(STEP)
    seen = await store.study(days.look, GUILD, clock.now)
    await store.write(tournaments.remove, GUILD, 2, KAI, clock.now)
    assert not await store.write(days.take_note, GUILD, *seen, clock.now)
    assert (await noted(store), await unsaid(store)) == (["2025-03-29"], [])
    await looking.round()
    (told,) = await store.read(_noted_changes)
    assert told == ("2025-03-29", 2, 3)


def _noted_changes(connection: sa.Connection) -> list[tuple[str, int, int]]:
    table = tables.ranking_days
    rows = connection.execute(sa.select(table).where(table.c.day == "2025-03-30"))
    first = connection.execute(sa.select(sa.func.min(tables.tournament_changes.c.id))).scalar_one() - 1
    return [(row.since_day, row.since_change - first, row.until_change - first) for row in rows]


async def test_of_two_processes_one_has_it_said(store: Store, clock: Clock, database: str) -> None:
    await two_cups(store)
    async with another(database) as other:
        wrote = list[str]()
        both = [keeper(each, clock, wrote) for each in (store, other)]
        for day in (STEP - timedelta(1), STEP):
            clock.set(day)
            await asyncio.gather(*(each.round() for each in both))
        assert (await noted(store), await unsaid(store), wrote) == (
            ["2025-03-29", "2025-03-30"],
            ["2025-03-30"],
            ["letter"],
        )


async def test_a_note_that_another_process_took_first_is_not_taken_again(store: Store, clock: Clock) -> None:
    await two_cups(store)
    await keeper(store, clock).round()
    now = at(STEP)
    seen = await store.study(days.look, GUILD, now)
    assert await store.write(days.take_note, GUILD, *seen, now)
    assert not await store.write(days.take_note, GUILD, *seen, now)
    assert await unsaid(store) == ["2025-03-30"]


async def test_while_a_letter_is_in_hand_no_other_is_written(store: Store, clock: Clock) -> None:
    await two_cups(store)
    looking = keeper(store, clock)
    await looking.round()
    clock.set(STEP)
    await looking.round()
    clock.set(NEXT_STEP)
    await looking.round()
    assert (await noted(store))[-1] == "2025-03-30"
    # It could not be said that day: what it was to tell is told with the rest.
    (letter_id,) = await store.read(_open_letters)
    await store.write(outbox.defer, letter_id, clock.now + 600, "Undeliverable: there is no channel to post in")
    await looking.round()
    assert (await noted(store), await unsaid(store)) == (
        ["2025-03-29", "2025-03-30", "2025-04-06"],
        ["2025-04-06"],
    )
    (newest,) = [row.id for row in await store.read(noted_rows, GUILD) if row.day == "2025-04-06"]
    told = await store.study(days.news, GUILD, newest)
    assert (told.since, told.day) == (STEP - timedelta(1), NEXT_STEP)


def _open_letters(connection: sa.Connection) -> list[int]:
    return list(
        connection.execute(sa.select(tables.outbox.c.id).where(tables.outbox.c.done_at.is_(None))).scalars()
    )


async def test_what_was_said_between_look_and_note_is_not_told_again(store: Store, clock: Clock) -> None:
    await two_cups(store)
    looking = keeper(store, clock)
    await looking.round()
    clock.set(STEP)
    await looking.round()
    (letter_id,) = await store.read(_open_letters)
    clock.set(NEXT_STEP)
    await store.write(outbox.defer, letter_id, clock.now, "Undeliverable: there is no channel to post in")
    seen = await store.study(days.look, GUILD, clock.now)
    letter = await store.write(outbox.claim, letter_id, clock.now, 15.0)
    assert letter is not None
    await store.write(outbox.finish, letter, clock.now)
    assert not await store.write(days.take_note, GUILD, *seen, clock.now)
    assert (await noted(store))[-1] == "2025-03-30"


async def test_a_late_post_is_the_only_one_of_its_day(store: Store, clock: Clock) -> None:
    await two_cups(store)
    looking = keeper(store, clock)
    await looking.round()
    clock.set(STEP)
    await looking.round()
    (letter_id,) = await store.read(_open_letters)
    clock.set(NEXT_STEP, 10)
    letter = await store.write(outbox.claim, letter_id, clock.now, 15.0)
    assert letter is not None
    await store.write(outbox.finish, letter, clock.now)
    await looking.round()
    assert (await noted(store))[-1] == "2025-03-30"
    clock.set(NEXT_STEP + timedelta(1))
    await looking.round()
    assert ((await noted(store))[-1], await unsaid(store)) == ("2025-04-07", ["2025-04-07"])
