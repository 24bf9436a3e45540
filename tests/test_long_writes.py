"""Long writes: the event loop goes on meanwhile, and they are as whole, finished and in turn as short ones."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
import sqlalchemy as sa

from bot import replay
from ratings import archive, club, ledger
from ratings.models import SystemName
from ratings.queries import boards
from ratings.queries.boards import Board, Order
from ratings.store import Store, memos
from ratings.store.tables import outcomes
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, answered, ask, figures, play, press, said
from tests.ledger_help import (
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    PATIENCE,
    Gate,
    another,
    approve,
    at_gate,
    everything,
    paused,
    submit,
)


class Held:
    """Where a transaction holds its thread, as work without a pause does, until the loop lets it go on."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._opened = threading.Event()
        self._loop = asyncio.get_running_loop()

    def open(self) -> None:
        """Let it go on."""
        self._opened.set()

    def wait(self) -> None:
        """Hold whatever thread this is. If it is the loop's, nobody can ever open."""
        self._loop.call_soon_threadsafe(self.reached.set)
        assert self._opened.wait(PATIENCE), "the loop did not go on"


def memorises(connection: sa.Connection, held: Held, value: str) -> str:
    """Write something down and stay in the transaction."""
    club.lock(connection, GUILD, NOW)
    memos.memorise(connection, "table", value)
    held.wait()
    return value


async def test_the_loop_goes_on_during_a_long_write(store: Store) -> None:
    await store.write(memos.memorise, "table", "first")
    held = Held()
    writing = asyncio.create_task(store.rewrite(memorises, held, "second"))
    await asyncio.wait_for(held.reached.wait(), PATIENCE)
    for _ in range(100):
        await asyncio.sleep(0)
    assert await store.read(memos.recall, "table") == "first"
    assert await store.study(memos.recall, "table") == "first"
    assert not writing.done()
    held.open()
    assert await writing == "second"
    assert await store.read(memos.recall, "table") == "second"


async def test_a_long_write_is_finished_though_nobody_waits_for_it(store: Store, database: str) -> None:
    held = Held()
    writing = asyncio.create_task(store.rewrite(memorises, held, "kept"))
    await asyncio.wait_for(held.reached.wait(), PATIENCE)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    closing = asyncio.create_task(store.close())
    done, _ = await asyncio.wait({closing}, timeout=0.05)
    assert not done
    held.open()
    await closing
    async with another(database) as again:
        assert await again.read(memos.recall, "table") == "kept"


async def test_a_long_write_that_was_cancelled_before_it_began_is_done_too(store: Store, database: str) -> None:
    held = Held()
    first = asyncio.create_task(store.rewrite(memorises, held, "first"))
    await asyncio.wait_for(held.reached.wait(), PATIENCE)
    second = asyncio.create_task(store.rewrite(_adds, "more"))
    await asyncio.sleep(0)
    second.cancel()
    held.open()
    await first
    await store.close()
    async with another(database) as again:
        assert await again.read(memos.recall, "table") == "first more"


def _adds(connection: sa.Connection, value: str) -> None:
    club.lock(connection, GUILD, NOW)
    memos.memorise(connection, "table", f"{memos.recall(connection, 'table')} {value}")


async def test_a_long_write_that_raises_keeps_nothing(store: Store) -> None:
    def breaks(connection: sa.Connection) -> None:
        memos.memorise(connection, "name", "value")
        raise RuntimeError("the reason")

    with pytest.raises(RuntimeError, match="the reason"):
        await store.rewrite(breaks)
    assert not any((await everything(store)).values())


async def test_long_and_short_writes_take_turns_in_a_club(store: Store, database: str) -> None:
    async with another(database) as other:
        await store.write(memos.memorise, "table", "0")
        writes = [write for each in (store, other) for write in (each.write, each.rewrite)]
        await asyncio.gather(*(write(_counts) for write in writes for _ in range(10)))
    assert await store.read(memos.recall, "table") == "40"


def _counts(connection: sa.Connection) -> None:
    club.lock(connection, GUILD, NOW)
    memos.memorise(connection, "table", str(int(memos.recall(connection, "table") or 0) + 1))


async def test_a_report_waits_for_a_long_write_of_its_club(store: Store) -> None:
    gate = Gate()
    writing = await at_gate(store.rewrite(paused, gate, club.lock, GUILD, NOW), gate)
    waiting = asyncio.create_task(submit(store))
    done, _ = await asyncio.wait({waiting}, timeout=0.05)
    assert not done
    gate.open()
    await writing
    assert (await waiting).number == 1


async def test_a_plan_that_has_grown_stale_is_refused(store: Store) -> None:
    await approve(store, await submit(store))
    await store.write(_forget_figures)
    plan = await store.study(ledger.plan_replay, GUILD)
    await approve(store, await submit(store))
    before = await everything(store)
    with pytest.raises(ledger.Stale):
        await store.rewrite(ledger.write_replay, GUILD, plan, NOW)
    assert await everything(store) == before


def _forget_figures(connection: sa.Connection) -> None:
    connection.execute(sa.delete(outcomes))


async def test_boards_are_read_while_an_import_and_a_replay_are_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await approve(store, await submit(store))
    told = archive.parse(await store.study(archive.write_club, GUILD, NOW))
    await store.write(_forget_figures)
    board, write = Board(SystemName.TENHOU_4P, Order.RANK), ledger.write_replay
    held: list[Held] = []

    def holds(*arguments: Any) -> None:
        write(*arguments)
        held[-1].wait()

    monkeypatch.setattr(ledger, "write_replay", holds)
    for job in (replay.put_right(store, GUILD), store.rewrite(archive.read_club, NEIGHBOURS, told, KAI, 55, NOW)):
        held.append(Held())
        running = asyncio.create_task(job)
        await asyncio.wait_for(held[-1].reached.wait(), PATIENCE)
        assert (await store.read(boards.board_page, GUILD, board, 0, 10)).total == 4
        held[-1].open()
        await running
    for guild in (GUILD, NEIGHBOURS):
        assert (await store.study(replay.look, guild)).clean


async def test_a_board_is_shown_while_a_correction_is_written(
    evening_on_each_engine: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, held, carry_out = evening_on_each_engine, Held(), ledger.carry_out
    await play(evening, GAME)

    def holds(*arguments: Any) -> ledger.Correction:
        made = carry_out(*arguments)
        held.wait()
        return made

    monkeypatch.setattr(ledger, "carry_out", holds)
    question = await ask(evening, "Kai", "void", game=1, reason="a joke")
    buttons = list(question["components"])
    await press(evening, "Kai", question)
    await asyncio.wait_for(held.reached.wait(), PATIENCE)
    board = reply(await evening.as_("Emi").slash("leaderboard", evening.channels["mahjong"]))
    assert "Ann" in said(board)
    held.open()
    assert "is voided" in said(await answered(evening, question, buttons))
    await figures(evening)
