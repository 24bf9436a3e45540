"""From the question to the correction: who may press the button, once, and what happens meanwhile."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
import sqlalchemy as sa

from bot import answers, confirmations, waiting
from ratings import ledger
from ratings.models import GameState
from ratings.store import tables
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, OTHER, answered, ask, confirm, figures, play, press, said, told
from tests.ledger_help import riichi

ELSEWHERE = {"Emi": "35000", "Kai": "35000", "Rei": "35000"}


async def test_an_admin_who_is_none_any_more_cannot_confirm(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="no")
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [])
    assert "Only admins" in reply(await press(evening, "Kai", question))["content"]
    assert await evening.state(1) is GameState.APPROVED
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [evening.referee])
    await confirm(evening, "Kai", question)
    assert await evening.state(1) is GameState.VOIDED


async def test_two_clicks_make_one_correction(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="twice")
    before = list(question["components"])
    clicks = await asyncio.gather(press(evening, "Kai", question), press(evening, "Kai", question))
    assert "is voided" in said(await answered(evening, question, before))
    sentences = [click.reply["content"] for click in clicks if click.reply and click.reply["id"] != question["id"]]
    assert ["I no longer know" in sentence for sentence in sentences] == [True]
    assert len(await evening.store.read(_corrections)) == 1


def _corrections(connection: sa.Connection) -> list[Any]:
    return list(connection.execute(sa.select(tables.corrections)).all())


async def test_after_a_restart_a_question_is_forgotten_and_says_so(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="later")
    await evening.stop_bot()
    await evening.start_bot()
    told_now = reply(await press(evening, "Kai", question))["content"]
    assert "I was restarted" in told_now
    assert await evening.state(1) is GameState.APPROVED


async def test_the_oldest_question_makes_room(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MOST", 1)
    await play(evening, GAME, OTHER)
    first = await ask(evening, "Kai", "void", game=1, reason="x")
    second = await ask(evening, "Kai", "void", game=2, reason="x")
    assert "I no longer know" in reply(await press(evening, "Kai", first))["content"]
    await confirm(evening, "Kai", second)
    assert [await evening.state(number) for number in (1, 2)] == [GameState.APPROVED, GameState.VOIDED]


async def test_a_club_that_never_rests_waits_for_a_correction_in_the_end(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")

    tries = itertools.count()

    def moved_again(*arguments: Any) -> ledger.Correction:
        if next(tries) < confirmations.ATTEMPTS:
            raise ledger.Stale
        return carry_out(*arguments)

    carry_out = ledger.carry_out
    monkeypatch.setattr(ledger, "carry_out", moved_again)
    assert "Game #1 is voided" in said(await confirm(evening, "Kai", question))
    assert next(tries) == confirmations.ATTEMPTS + 1
    await figures(evening)


async def test_a_slow_store_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(evening, GAME)
    monkeypatch.setattr(answers, "SOON", 0)
    wish = {"game": 1, "east": evening.users["Emi"]}
    interaction = await evening.as_("Kai").slash("game amend", evening.channels["mahjong"], **wish)
    question = await evening.discord.until(lambda: interaction.reply)
    assert interaction.ephemeral
    assert "Amend game #1?" in said(question)
    await confirm(evening, "Kai", question)
    interaction = await evening.as_("Kai").slash("game amend", evening.channels["mahjong"], **wish)
    assert "says all that already" in said(await evening.discord.until(lambda: interaction.reply))


async def test_left_as_it_is(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="perhaps")
    before = list(question["components"])
    await press(evening, "Kai", question, "Leave it")
    answer = await answered(evening, question, before)
    assert (answer["content"], answer["embeds"], answer["components"]) == ("Nothing was changed.", [], [])
    assert await evening.state(1) is GameState.APPROVED


async def test_what_happens_meanwhile_is_shown_before_it_is_done(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    await evening.report(OTHER)
    question = await ask(evening, "Kai", "void", game=1, reason="wrong")
    assert "Emi" not in told(question["embeds"][0])
    await evening.approve(2, by="Rei")
    again = await confirm(evening, "Kai", question)
    assert "Meanwhile something else was decided" in again["content"]
    assert "**\u2068Emi\u2069** R" in told(again["embeds"][0])
    assert await evening.state(1) is GameState.APPROVED
    done = await confirm(evening, "Kai", again)
    assert done["content"] == ""
    assert told(done["embeds"][0]) == told(again["embeds"][0])
    assert await evening.state(1) is GameState.VOIDED
    await figures(evening)


async def test_what_happens_meanwhile_to_others_changes_nothing(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.report(ELSEWHERE)
    question = await ask(evening, "Kai", "void", game=1, reason="wrong")
    await evening.approve(2, by="Rei")
    done = await confirm(evening, "Kai", question)
    assert "Game #1 is voided" in said(done)
    assert told(done["embeds"][0]) == told(question["embeds"][0])
    await figures(evening)


async def test_the_second_of_two_admins_is_told_what_the_first_did(evening: Evening) -> None:
    await play(evening, GAME)
    first = await ask(evening, "Kai", "void", game=1, reason="wrong")
    second = await ask(evening, "Rei", "void", game=1, reason="wrong")
    await confirm(evening, "Kai", first)
    late = await confirm(evening, "Rei", second)
    assert "Only an approved game can be voided" in late["content"]
    assert (late["embeds"], late["components"]) == ([], [])
    assert len(await evening.store.read(_corrections)) == 1


async def test_an_amendment_is_worked_out_on_what_the_game_says_when_it_is_made(evening: Evening) -> None:
    await play(evening, GAME)
    length = await ask(evening, "Kai", "amend", game=1, length="tonpuu")
    lobby = await ask(evening, "Rei", "amend", game=1, lobby="ippan")
    await confirm(evening, "Kai", length)
    again = await confirm(evening, "Rei", lobby)
    assert "hanchan" not in told(again["embeds"][0]).lower()
    await confirm(evening, "Rei", again)
    facts = riichi(await evening.game(1))
    assert (facts.length, facts.lobby) == ("tonpuu", "ippan")
