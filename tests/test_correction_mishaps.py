"""Corrections where something comes between: a second process, a busy evening, closed channels, lost cards."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot import confirmations, waiting
from ratings import club, ledger
from ratings.models import GameState
from ratings.queries import audit
from ratings.store import Store, cards, outbox, tables
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, OTHER, ask, confirm, figures, play, press, said, told
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    EMI,
    GUILD,
    KAI,
    NOW,
    approve,
    report,
    riichi,
    submit,
)
from tests.people_help import command, forget

SWAPPED = {"east_score": "30100", "south_score": "45200"}


# ---- two processes -------------------------------------------------------------------------------------


async def test_either_of_two_bots_knows_its_own_questions(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME, OTHER)
    async with evening.second_bot():
        assert "is voided" in said(
            await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="x"))
        )
        left = await ask(evening, "Kai", "void", game=2, reason="x")
        await press(evening, "Kai", left, "Leave it")
        await evening.discord.until(lambda: left["content"] == "Nothing was changed.")
    assert [await evening.state(number) for number in (1, 2)] == [GameState.VOIDED, GameState.APPROVED]


@pytest.mark.parametrize("label", ["Do it", "Leave it"])
async def test_a_press_that_another_process_answered_first_can_be_made_again(evening: Evening, label: str) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")
    evening.discord.faults.fail("POST", r"/callback$", status=400, code=40060)
    patience, evening.discord.deadline = evening.discord.deadline, 1.0
    lost = await press(evening, "Kai", question, label)
    assert lost.replies == []
    evening.discord.deadline = patience
    assert await evening.state(1) is GameState.APPROVED
    await confirm(evening, "Kai", question)
    assert await evening.state(1) is GameState.VOIDED


# ---- what waits ----------------------------------------------------------------------------------------


async def test_a_question_is_forgotten_after_a_while(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")
    monkeypatch.setattr(waiting, "EXPIRY", 0)
    assert "I no longer know" in reply(await press(evening, "Kai", question))["content"]
    assert await evening.state(1) is GameState.APPROVED
    assert len(evening.bot.confirmations._waiting) == 0


class Values(list[Any]):
    """A list of which one can tell whether anybody still holds it."""


async def test_questions_hold_no_plans(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(evening, GAME, OTHER)
    made: list[weakref.ref[Values]] = []
    original = ledger.propose_void

    def propose(*arguments: Any) -> ledger.Proposal:
        proposal = original(*arguments)
        values = Values(proposal.plan.values)
        made.append(weakref.ref(values))
        return replace(proposal, plan=replace(proposal.plan, values=values))

    monkeypatch.setattr(ledger, "propose_void", propose)
    for count in range(1, 5):
        await ask(evening, "Kai", "void", game=1, reason="x")
        assert len(evening.bot.confirmations._waiting) == count
    # The store may hold on to what it did last.
    await evening.discord.until(lambda: sum(each() is not None for each in made) <= 1)
    assert len(made) == 4


async def test_an_old_correction_gets_through_in_a_club_that_never_rests(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")
    for number in range(3, 3 + confirmations.ATTEMPTS):
        await evening.report(OTHER)
        await evening.approve(number)
        question = await confirm(evening, "Kai", question)
        assert "Meanwhile something else was decided" in question["content"]
    # The figures are others once more, but nobody ends at another rank than he was shown to.
    await evening.report({"Emi": "25100", "Rei": "25000", "Kai": "25000", "Dora": "24900"})
    await evening.approve(number + 1)
    shown = await ask(evening, "Kai", "void", game=1, reason="x")
    assert told(shown["embeds"][0]) != told(question["embeds"][0])
    assert "Game #1 is voided" in said(await confirm(evening, "Kai", question))
    await figures(evening)


async def test_another_rank_is_shown_also_in_a_club_that_never_rests(evening: Evening) -> None:
    await play(evening, GAME, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")
    for number in range(3, 4 + confirmations.ATTEMPTS):
        await evening.report(GAME)
        await evening.approve(number)
        question = await confirm(evening, "Kai", question)
        assert "Meanwhile something else was decided" in question["content"]
    assert await evening.state(1) is GameState.APPROVED


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> list[Any]:
    return list(connection.execute(query).all())


# ---- what is said of a game ----------------------------------------------------------------------------


async def test_what_changes_in_the_game_itself_is_told(evening: Evening) -> None:
    await play(evening, GAME)
    preview = said(await ask(evening, "Kai", "amend", game=1, east_score="30100", south_score="45200"))
    assert "**\u2068Ann\u2069** 1st → 2nd · final points +55.2 → +10.1" in preview
    assert "**\u2068Борис\u2069** 2nd → 1st · final points +10.1 → +55.2" in preview
    assert "in the statistics" not in preview
    preview = said(await ask(evening, "Kai", "amend", game=1, east=evening.users["Emi"]))
    assert "**\u2068Ann\u2069** 1st → – · final points +55.2 → – · games in the statistics −1" in preview
    assert "**\u2068Emi\u2069** – → 1st · final points – → +55.2 · games in the statistics +1" in preview


async def test_an_unranked_game_leaves_the_statistics_and_comes_back(evening: Evening) -> None:
    await evening.report(GAME, ranked=False)
    await evening.approve(1)
    question = await ask(evening, "Kai", "void", game=1, reason="x")
    assert said(question).count("games in the statistics −1") == 4
    assert "nobody's number of games" not in said(question)
    await confirm(evening, "Kai", question)
    assert said(await ask(evening, "Kai", "restore", game=1)).count("games in the statistics +1") == 4


async def test_a_pending_game_tells_new_places_but_counts_nowhere(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    preview = said(await ask(evening, "Ann", "amend", game=1, **SWAPPED))
    assert "**\u2068Ann\u2069** 1st → 2nd · final points +55.2 → +10.1" in preview
    assert "in the statistics" not in preview


# ---- chips, and tables of three ------------------------------------------------------------------------


async def test_chips_are_amended(evening: Evening) -> None:
    await evening.store.write(club.change_settings, evening.id, {"chips": True}, KAI, NOW)
    await play(evening, GAME)
    uneven = await ask(evening, "Kai", "amend", game=1, east_chips=5)
    assert "must add up to 0" in said(uneven)
    nobody = await ask(evening, "Kai", "amend", game=1, east_chips=5, south_chips=-5)
    assert "Chips of East: – → **+5**" in said(nobody)
    assert "Chips of West: – → **±0**" in said(nobody)
    await confirm(evening, "Kai", nobody)
    assert (await evening.game(1)).chips == (5, -5, 0, 0)
    assert "Chips of East: – → **+5**" in said(await ask(evening, "Ann", "show", game=1))
    question = await ask(evening, "Kai", "amend", game=1, south_chips=-6, west_chips=1)
    assert "Chips of South: −5 → **−6**" in said(question)
    await confirm(evening, "Kai", question)
    assert (await evening.game(1)).chips == (5, -6, 1, 0)


async def test_a_club_without_chips_has_none_to_amend(evening: Evening) -> None:
    await play(evening, GAME)
    assert "does not play for chips" in said(
        await ask(evening, "Kai", "amend", game=1, east_chips=5, west_chips=-5)
    )


async def test_a_game_of_three_that_was_told_with_a_fourth(evening: Evening) -> None:
    await play(evening, GAME)
    scores = {"east_score": "50000", "south_score": "35000", "west_score": "20000"}
    odd = await ask(evening, "Kai", "amend", game=1, players=3, north_score="0", **scores)
    assert "nobody is North" in said(odd)
    question = await ask(evening, "Kai", "amend", game=1, players=3, **scores)
    assert "North: \u2068Dora\u2069 9,000 → **nobody**" in said(question)
    assert "**\u2068Dora\u2069** 4th → –" in said(question)
    await confirm(evening, "Kai", question)
    assert riichi(await evening.game(1)).scores == (50000, 35000, 20000)
    await figures(evening)


# ---- what is posted ------------------------------------------------------------------------------------


async def test_news_of_people_for_a_club_without_a_channel_is_no_news(evening: Evening) -> None:
    await play(evening, GAME, GAME)
    await evening.store.write(club.change_settings, evening.id, {"announcements_channel": None}, KAI, NOW)
    await evening.report({"Emi": "45200", "Rei": "30100", "Kai": "15700", "千秋": "9000"})
    await evening.approve(3)
    question = await command(evening, "merge", player="Emi", into="Ann")
    await confirm(evening, "Kai", question)
    await evening.quiet()
    kept = sa.select(tables.outbox.c.done_at).where(tables.outbox.c.kind == outbox.Kind.CORRECTION)
    letters = await evening.store.read(_rows, kept)
    assert len(letters) == 1
    assert letters[0].done_at is not None


async def test_a_correction_posts_no_card_anew_that_was_deleted(evening: Evening) -> None:
    await play(evening, GAME)
    card = evening.card(1)
    assert card is not None
    await evening.discord.delete_messages([card])
    await evening.quiet()
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=1, **SWAPPED))
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="x"))
    await evening.quiet()
    assert evening.card(1) is None


async def test_a_deleted_card_stays_away_while_an_undecided_game_gets_one(store: Store) -> None:
    decided = await approve(store, await submit(store, report()))
    waits = await submit(store, report(players=(EMI, BORIS, CHIAKI, ANN)))
    await store.write(outbox.silence, GUILD, NOW)
    proposal = await store.study(ledger.propose_void, GUILD, decided.id, "x")
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    assert await cards_asked_for(store) == [waits.id]
    await store.write(cards.hang, GUILD, decided.id, 41, 4001)
    proposal = await store.study(ledger.propose_restore, GUILD, decided.id)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    assert decided.id in await cards_asked_for(store)


async def cards_asked_for(store: Store) -> list[int]:
    """The games whose cards are to be drawn."""
    letters = tables.outbox
    open_ = sa.select(letters.c.game_id).where(letters.c.kind == outbox.Kind.CARD, letters.c.done_at.is_(None))
    return [row.game_id for row in await store.read(_rows, open_)]


# ---- somebody is forgotten -----------------------------------------------------------------------------


async def test_a_card_with_a_reason_that_named_him_is_drawn_anew(store: Store) -> None:
    await approve(store, await submit(store, report(players=(EMI, BORIS, CHIAKI, ANN))))
    other = await approve(store, await submit(store, report()))
    untouched = await approve(store, await submit(store, report()))
    for game in (other, untouched):
        await store.write(cards.hang, GUILD, game.id, 41, 4000 + game.id)
    proposal = await store.study(ledger.propose_void, GUILD, other.id, "Emi says it was not played")
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    await store.write(outbox.silence, GUILD, NOW)
    await forget(store, EMI)
    assert await cards_asked_for(store) == [other.id]


async def test_a_card_that_still_tells_who_was_forgotten_is_not_given_up(evening: Evening) -> None:
    await play(evening, GAME)
    path = rf"/channels/{evening.channels['approvals']['id']}/messages/"
    evening.discord.faults.fail("PATCH", path, status=403, code=50013, times=10)
    question = await command(evening, "forget", player="Ann")
    await confirm(evening, "Kai", question)
    await evening.quiet()
    letters = tables.outbox
    left = sa.select(letters.c.game_id, letters.c.error).where(letters.c.done_at.is_(None))
    open_letters = await evening.store.read(_rows, left)
    assert len(open_letters) == 1, open_letters
    letter = open_letters[0]
    assert letter.game_id == (await evening.game(1)).id
    assert letter.error.startswith("Undeliverable")


# ---- numbers that are offered --------------------------------------------------------------------------


async def test_games_to_choose_from_are_found_by_an_index(store: Store, database: str) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("PostgreSQL chooses its plans by how much there is")
    statements: list[tuple[str, Any]] = []

    def look(connection: sa.Connection) -> list[str]:
        sa.event.listen(connection, "before_cursor_execute", lambda *told: statements.append(told[2:4]))
        audit.newest(connection, GUILD, "1", (GameState.VOIDED, GameState.REJECTED, GameState.WITHDRAWN), 25)
        asked = [each for each in statements if "FROM games" in each[0] and "LIMIT" in each[0]][:3]
        return [
            str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all())
            for statement, values in asked
        ]

    plans_ = await store.read(look)
    assert len(plans_) == 3
    assert all("ix_games_undone (guild_id=? AND state=?)" in each for each in plans_)
