"""Letters: claimed by one worker at a time, back after a lease, merged where they ask for the same card."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from ratings.queries.games import GameRecord
from ratings.store import Store, outbox
from ratings.store.outbox import Due, Kind, Letter
from ratings.store.tables import memos
from ratings.store.tables import outbox as outbox_table
from tests.ledger_help import (
    GUILD,
    NEIGHBOURS,
    NOW,
    Gate,
    another,
    at_gate,
    count,
    letters,
    paused,
    report,
    submit,
)

LEASE = 15.0


@pytest.fixture
async def game(store: Store) -> GameRecord:
    """A game whose card has been posted."""
    made = await submit(store)
    for waiting in await _due(store):
        letter = await store.write(outbox.claim, waiting.id, NOW, LEASE)
        assert letter is not None
        await store.write(outbox.finish, letter, NOW)
    return made


async def _due(store: Store, now: float = NOW) -> list[Due]:
    due, _ = await store.read(outbox.agenda, now)
    return due


async def _next_due(store: Store, now: float = NOW) -> float | None:
    _, next_due = await store.read(outbox.agenda, now)
    return next_due


async def _write(store: Store, game: GameRecord, kind: Kind, now: int = NOW) -> int:
    """Write one more letter; the answer is its id."""
    await store.write(outbox.enqueue, game.guild_id, kind, [game.id], now)
    return await store.read(_newest)


def _newest(connection: sa.Connection) -> int:
    newest: int = connection.execute(sa.select(sa.func.max(outbox_table.c.id))).scalar_one()
    return newest


def _error(connection: sa.Connection, letter_id: int) -> str | None:
    query = sa.select(outbox_table.c.error).where(outbox_table.c.id == letter_id)
    error: str | None = connection.execute(query).scalar_one()
    return error


async def _claim(store: Store, letter_id: int, now: float = NOW) -> Letter | None:
    return await store.write(outbox.claim, letter_id, now, LEASE)


async def _taken(store: Store, letter_id: int, now: float = NOW) -> Letter:
    letter = await _claim(store, letter_id, now)
    assert letter is not None
    return letter


async def test_letters_are_due_in_the_order_they_were_written(store: Store, game: GameRecord) -> None:
    other = await submit(store, report((50000, 35000, 20000)), guild=NEIGHBOURS)
    first = await store.read(_newest)
    news = await _write(store, game, Kind.NEWS)
    later = await _write(store, game, Kind.REASON, NOW + 10)
    assert await _due(store) == [
        Due(first, other.guild_id, Kind.CARD),
        Due(news, GUILD, Kind.NEWS),
    ]
    assert await _next_due(store) == NOW + 10
    assert [each.id for each in await _due(store, NOW + 10)] == [first, news, later]
    assert await _next_due(store, NOW + 10) is None


@pytest.mark.parametrize("kind", Kind)
async def test_a_letter_is_claimed_once(store: Store, game: GameRecord, kind: Kind) -> None:
    letter_id = await _write(store, game, kind)
    assert await _claim(store, letter_id) == Letter(letter_id, GUILD, kind, game.id, NOW, 1)
    assert await _claim(store, letter_id) is None
    assert await _due(store) == []
    assert await _next_due(store) == NOW + LEASE


async def test_a_letter_that_does_not_exist_or_is_not_due_is_not_claimed(store: Store, game: GameRecord) -> None:
    early = await _write(store, game, Kind.NEWS, NOW + 1)
    assert await _claim(store, early) is None
    assert await _claim(store, early + 1000) is None
    assert await _claim(store, early, NOW + 1) is not None


async def test_of_many_workers_one_gets_the_letter(store: Store, database: str, game: GameRecord) -> None:
    async with another(database) as other:
        for kind in (Kind.NEWS, Kind.CARD):
            letter_id = await _write(store, game, kind)
            answers = await asyncio.gather(*(_claim(each, letter_id) for each in (store, other) for _ in range(6)))
            assert sum(answer is not None for answer in answers) == 1


async def test_a_letter_whose_worker_died_comes_back(store: Store, game: GameRecord) -> None:
    letter_id = await _write(store, game, Kind.NEWS)
    await _taken(store, letter_id)
    assert await _claim(store, letter_id, NOW + LEASE - 0.01) is None
    again = await _taken(store, letter_id, NOW + LEASE)
    assert (again.attempts, again.created_at) == (2, NOW)


async def test_a_finished_letter_never_comes_back(store: Store, game: GameRecord) -> None:
    letter_id = await _write(store, game, Kind.NEWS)
    await store.write(outbox.finish, await _taken(store, letter_id), NOW)
    assert await _claim(store, letter_id, NOW + 10**6) is None
    assert await _due(store, NOW + 10**6) == []
    assert await letters(store, game) == []


async def test_a_deferred_letter_waits_and_keeps_why(store: Store, game: GameRecord) -> None:
    letter_id = await _write(store, game, Kind.NEWS)
    await _taken(store, letter_id)
    await store.write(outbox.defer, letter_id, NOW + 2.5, "HTTPException: " + "x" * 1000)
    kept = await store.read(_error, letter_id)
    assert kept is not None
    assert kept.startswith("HTTPException: xxx")
    assert len(kept) == 500
    assert await _claim(store, letter_id, NOW + 2.25) is None
    assert (await _taken(store, letter_id, NOW + 2.5)).attempts == 2
    assert await store.read(_error, letter_id) is None


async def test_letters_for_the_same_card_are_done_with_one(store: Store, game: GameRecord) -> None:
    first = await _write(store, game, Kind.CARD, NOW - 60)
    second = await _write(store, game, Kind.CARD)
    third = await _write(store, game, Kind.CARD)
    news = await _write(store, game, Kind.NEWS)
    taken = await _taken(store, second)
    assert (taken.id, taken.created_at) == (second, NOW - 60)
    assert [each.id for each in await _due(store)] == [news]
    assert await _claim(store, first) is None
    assert await _claim(store, third) is None
    await store.write(outbox.finish, taken, NOW)
    assert await letters(store, game) == [Kind.NEWS]


async def test_letters_of_other_kinds_and_other_cards_are_left_alone(store: Store, game: GameRecord) -> None:
    other = await submit(store, report((50000, 35000, 20000)))
    await _write(store, game, Kind.NEWS)
    await _write(store, game, Kind.NEWS)
    card = await _write(store, game, Kind.CARD)
    await store.write(outbox.finish, await _taken(store, card), NOW)
    assert await letters(store, other) == [Kind.CARD]
    news = [due.id for due in await _due(store) if due.kind is Kind.NEWS]
    assert len(news) == 2
    await store.write(outbox.finish, await _taken(store, news[0]), NOW)
    assert (await _taken(store, news[1])).attempts == 1


async def test_a_later_letter_waits_for_the_card_in_hand(store: Store, game: GameRecord) -> None:
    held = await _taken(store, await _write(store, game, Kind.CARD))
    later = await _write(store, game, Kind.CARD)
    assert await _claim(store, later) is None
    assert await _due(store, NOW + LEASE - 0.01) == []
    await store.write(outbox.finish, held, NOW + 1)
    released = await _taken(store, later, NOW + 1)
    assert (released.id, released.attempts) == (later, 1)


async def test_a_later_letter_takes_over_when_the_worker_died(store: Store, game: GameRecord) -> None:
    held = await _taken(store, await _write(store, game, Kind.CARD))
    later = await _write(store, game, Kind.CARD, NOW + 1)
    assert await _claim(store, later, NOW + 1) is None
    heir = await _taken(store, later, NOW + LEASE)
    assert (heir.attempts, heir.created_at) == (2, NOW)
    assert await _claim(store, held.id, NOW + LEASE) is None


async def test_a_later_letter_need_not_wait_for_a_deferred_card(store: Store, game: GameRecord) -> None:
    failed = await _write(store, game, Kind.CARD)
    await _taken(store, failed)
    await store.write(outbox.defer, failed, NOW + 600, "Forbidden: Missing Access")
    fresh = await _write(store, game, Kind.CARD, NOW + 1)
    taken = await _taken(store, fresh, NOW + 1)
    assert (taken.attempts, taken.created_at) == (2, NOW)
    assert await _claim(store, failed, NOW + 600) is None


async def test_two_letters_of_a_card_are_never_held_together(
    store: Store, database: str, game: GameRecord
) -> None:
    async with another(database) as other:
        for _ in range(5):
            pair = [await _write(store, game, Kind.CARD) for _ in range(2)]
            answers = await asyncio.gather(_claim(store, pair[0]), _claim(other, pair[1]))
            held = [answer for answer in answers if answer is not None]
            assert len(held) == 1
            await store.write(outbox.finish, held[0], NOW)
            assert await letters(store, game) == []


async def test_a_letter_written_while_its_card_is_being_claimed_waits(
    store: Store, database: str, game: GameRecord
) -> None:
    first = await _write(store, game, Kind.CARD)
    gate = Gate()
    async with another(database) as other, another(database) as third:
        claiming = await at_gate(store.write(paused, gate, outbox.claim, first, NOW, LEASE), gate)
        writing = asyncio.create_task(_write(third, game, Kind.CARD))
        # SQLite has one writer at a time; on PostgreSQL the letter is written at once.
        await asyncio.wait({writing}, timeout=10 if database.startswith("postgresql") else 0.1)
        late = asyncio.create_task(_claim(other, first + 1))
        done, _ = await asyncio.wait({late}, timeout=0.1)
        assert not done
        gate.open()
        assert await claiming is not None
        await writing
        assert await late is None


async def test_a_letter_said_by_its_writer_is_his_for_a_lease(store: Store, game: GameRecord) -> None:
    mine = await store.write(outbox.enqueue_claimed, GUILD, Kind.CARD, game.id, NOW, LEASE)
    assert mine == Letter(await store.read(_newest), GUILD, Kind.CARD, game.id, NOW, 1)
    assert await _claim(store, mine.id) is None
    assert await _next_due(store) == NOW + LEASE
    later = await _write(store, game, Kind.CARD)
    assert await _claim(store, later) is None
    await store.write(outbox.finish, mine, NOW)
    assert await _claim(store, later) is not None
    assert await _claim(store, mine.id, NOW + LEASE) is None


async def test_a_letter_its_writer_never_said_comes_back(store: Store, game: GameRecord) -> None:
    mine = await store.write(outbox.enqueue_claimed, GUILD, Kind.NEWS, game.id, NOW, LEASE)
    again = await _taken(store, mine.id, NOW + LEASE)
    assert again.attempts == 2


async def test_an_alarm_is_raised_once_until_it_is_forgotten(store: Store, game: GameRecord) -> None:
    assert await store.write(outbox.raise_alarm, GUILD, 41, game.id, NOW)
    assert not await store.write(outbox.raise_alarm, GUILD, 41, game.id, NOW + 1)
    assert await store.write(outbox.raise_alarm, GUILD, 42, game.id, NOW + 2)
    assert await letters(store, game) == [Kind.ALARM, Kind.ALARM]
    await store.write(outbox.forget_alarm, GUILD, 41)
    assert not await store.write(outbox.raise_alarm, GUILD, 42, game.id, NOW + 3)
    assert await store.write(outbox.raise_alarm, GUILD, 41, game.id, NOW + 4)
    assert len(await letters(store, game)) == 3


async def test_two_processes_raise_one_alarm(store: Store, database: str, game: GameRecord) -> None:
    gate = Gate()
    async with another(database) as other:
        first = await at_gate(store.write(paused, gate, outbox.raise_alarm, GUILD, 41, game.id, NOW), gate)
        second = asyncio.create_task(other.write(outbox.raise_alarm, GUILD, 41, game.id, NOW))
        await asyncio.wait({second}, timeout=0.1)
        gate.open()
        assert (await first, await second) == (True, False)
    assert await count(store, memos) == 1
    assert await letters(store, game) == [Kind.ALARM]
