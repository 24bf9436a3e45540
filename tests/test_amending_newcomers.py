"""Amendments that name somebody the club has no record of: one is made, and nobody waits while figures are worked
out."""

from __future__ import annotations

from typing import Any

import pytest

from ratings import ledger
from ratings.models import SystemName
from ratings.queries import boards
from ratings.queries.boards import Board, Order
from ratings.store import tables
from tests.club_evening import Evening
from tests.correction_help import GAME, OTHER, answered, ask, confirm, figures, play, press, said
from tests.ledger_help import Gate, at_gate, count, submit
from tests.people_help import command

BOARD = Board(SystemName.TENHOU_4P, Order.RATING)


async def test_whoever_is_named_has_a_record_and_nothing_else(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    before = await figures(evening)
    newcomer = evening.join("Newcomer")
    people = await count(evening.store, tables.players)
    refused = await ask(evening, "Kai", "amend", game=1, east=newcomer, east_score="45000")
    assert "missing" in said(refused)
    question = await ask(evening, "Kai", "amend", game=1, east=newcomer)
    assert "**\u2068Newcomer\u2069 45,200**" in said(question)
    await press(evening, "Kai", question, "Leave it")
    await evening.discord.until(lambda: question["content"] == "Nothing was changed.")
    assert await count(evening.store, tables.players) == people + 1
    assert await figures(evening) == before
    page = await evening.store.read(boards.board_page, evening.id, BOARD, 0, 10)
    assert "Newcomer" not in [row.name for row in page.rows]


async def test_what_happens_meanwhile_is_shown_and_then_done(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    question = await ask(evening, "Kai", "amend", game=1, east=evening.join("Newcomer"))
    await evening.report(GAME)
    await evening.approve(2)
    question = await confirm(evening, "Kai", question)
    assert "Meanwhile something else was decided" in question["content"]
    people = await count(evening.store, tables.players)
    await confirm(evening, "Kai", question)
    assert (await evening.game(1)).people[0].name == "Newcomer"
    assert await count(evening.store, tables.players) == people
    await figures(evening)


async def test_nobody_is_written_down_for_a_game_that_there_is_not(evening: Evening) -> None:
    await play(evening, GAME)
    people = await count(evening.store, tables.players)
    assert "do not know that game" in said(
        await ask(evening, "Kai", "amend", game=7, east=evening.join("Newcomer"))
    )
    assert await count(evening.store, tables.players) == people


async def test_somebody_forgotten_in_between_is_somebody_new(evening: Evening) -> None:
    await play(evening, OTHER)
    question = await ask(evening, "Kai", "amend", game=1, east=evening.join("Newcomer"))
    await confirm(evening, "Rei", await command(evening, "forget", by="Rei", player="Newcomer"))
    again = await confirm(evening, "Kai", question)
    await confirm(evening, "Kai", again)
    assert (await evening.game(1)).people[0].name == "Newcomer"
    await figures(evening)


async def test_reports_are_taken_while_it_is_worked_out(
    evening_on_each_engine: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, propose, gates = evening_on_each_engine, ledger.propose_amend, list[Gate]()
    await play(evening, GAME)

    def held(*arguments: Any) -> ledger.Proposal:
        proposal = propose(*arguments)
        gates[-1].wait()
        return proposal

    async def reported() -> None:
        number = (await submit(evening.store, guild=evening.id)).number
        assert (await evening.game(number)).number == number
        gates[-1].open()

    monkeypatch.setattr(ledger, "propose_amend", held)
    newcomer = evening.join("Newcomer")
    gates.append(Gate())
    asking = await at_gate(ask(evening, "Kai", "amend", game=1, east=newcomer), gates[-1])
    await reported()
    question = await asking
    assert "Amend game #1?" in said(question)
    gates.append(Gate())
    buttons = list(question["components"])
    pressing = await at_gate(press(evening, "Kai", question), gates[-1])
    await reported()
    await pressing
    assert "is amended" in said(await answered(evening, question, buttons))
    await figures(evening)
