"""Penalties of a hand that counts: proposed by an admin, shown first, and a correction like any other."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.models import GameState, Offence, Refusal, Standing
from ratings.queries.records import GameRecord
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import penalties
from tests.american_evening import hand as report_hand
from tests.american_evening import line, with_card
from tests.club_evening import Evening
from tests.correcting import correct, play, refused, rows
from tests.correction_help import ask, confirm, figures, said
from tests.ledger_help import (
    ANN,
    BORIS,
    DORA,
    KAI,
    NOW,
    REI,
    american,
    american_figures,
    approve,
    choose,
    hand,
    letters,
    penalise,
    report,
    submit_hand,
)

MISNAMED, DEAD = Offence.MISNAMED, Offence.DEAD_HAND


async def wall(store: Store) -> GameRecord:
    """An approved wall game of Ann and Boris, in which Ann is penalised for a misnamed tile."""
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(players=(ANN, BORIS), winner=None))
    return await approve(store, await penalise(store, game, (ANN, MISNAMED)))


async def test_a_wrong_and_a_missing_penalty_are_put_right(store: Store) -> None:
    game = await wall(store)
    ann, boris = game.players
    await play(store, hand(players=(BORIS, DORA), winner=None))
    made = await correct(
        store, ledger.propose_penalties, game.id, [(boris, DEAD)], [(ann, MISNAMED)], "A mix-up", by=REI
    )
    assert await american_figures(store, ANN, BORIS) == [Standing(0, 0, 1000.0, 1), Standing(0, 0, 990.0, 2)]
    assert made.game is not None
    assert american(made.game).penalties == ((boris, DEAD),)
    assert {move.player_id for move in made.moves} == {ann, boris}
    taken = sa.select(penalties.c.player_id, penalties.c.added_at, penalties.c.removed_by.is_(None))
    assert await store.read(rows, taken.order_by(penalties.c.id)) == [(ann, NOW, False), (boris, NOW, True)]
    # Once more the other way round, and everything is as it was.
    await correct(store, ledger.propose_penalties, game.id, [(ann, MISNAMED)], [(boris, DEAD)])
    assert await american_figures(store, ANN, BORIS) == [Standing(0, 0, 990.0, 1), Standing(0, 0, 1000.0, 2)]
    assert (await letters(store, game))[-1] is Kind.CARD


@pytest.mark.parametrize(
    ("added", "removed", "refusal"),
    [
        ([(0, MISNAMED)], [], Refusal.NOTHING_TO_AMEND),
        ([], [(1, MISNAMED)], Refusal.NOTHING_TO_AMEND),
        ([(1, DEAD)], [(1, DEAD)], Refusal.NOTHING_TO_AMEND),
        ([(2, MISNAMED)], [], Refusal.NOT_AT_THE_TABLE),
    ],
)
async def test_what_cannot_be_penalised_is_refused(
    store: Store, added: Any, removed: Any, refusal: Refusal
) -> None:
    game = await wall(store)
    (other,) = await play(store, hand(players=(BORIS, DORA), winner=None))
    people = (*game.players, other.players[1])
    new, gone = ([(people[who], sin) for who, sin in each] for each in (added, removed))
    assert (await refused(store, ledger.propose_penalties, game.id, new, gone)).refusal is refusal


async def test_only_hands_that_count_under_rules_with_penalties_are_corrected_like_this(
    store: Store, lines: dict[str, int]
) -> None:
    (before,) = await play(store, hand(players=(ANN, BORIS), winner=None))
    ann = before.players[0]
    game = await wall(store)
    won, riichi = await play(store, hand(lines["Three bends"], discarder=DORA), report())
    waiting = await submit_hand(store, hand(players=(ANN, BORIS), winner=None))
    for told, sin, refusal, values in (
        (before, MISNAMED, Refusal.PENALTIES_OFF, {"number": before.number}),
        (won, DEAD, Refusal.DEAD_HAND_ON_A_WIN, {}),
        (riichi, MISNAMED, Refusal.NOT_AMERICAN, {"number": riichi.number}),
        (waiting, MISNAMED, Refusal.NOT_AMENDABLE, {"number": waiting.number, "state": GameState.PENDING}),
    ):
        found = await refused(store, ledger.propose_penalties, told.id, [(ann, sin)], [])
        assert (found.refusal, found.values) == (refusal, values)
    # What counts now is another question than what counted then.
    await choose(store, penalties=False)
    await correct(store, ledger.propose_penalties, game.id, [], [(ann, MISNAMED)])


async def test_a_proposal_of_penalties_is_stale_once_something_else_was_corrected(store: Store) -> None:
    game = await wall(store)
    ann, boris = game.players
    first, second = [
        await store.read(ledger.propose_penalties, game.guild_id, game.id, [(who, DEAD)], [])
        for who in (ann, boris)
    ]
    await store.write(ledger.carry_out, game.guild_id, first, KAI, NOW)
    with pytest.raises(ledger.Stale):
        await store.write(ledger.carry_out, game.guild_id, second, KAI, NOW)


async def open_list(evening: Evening, who: str, number: int = 1) -> dict[str, Any]:
    """The list of penalties that /game penalties shows."""
    return await ask(evening, who, "penalties", game=number)


async def tick(evening: Evening, who: str, sheet: dict[str, Any], *labels: str) -> dict[str, Any]:
    """Tick just these entries; the answer, or the list where it shows what counts now."""
    (menu,) = sheet["components"][0]["components"]
    values = [each["value"] for each in menu["options"] if any(label in each["label"] for label in labels)]
    assert len(values) == len(labels)
    return (await evening.as_(who).choose(sheet, menu["custom_id"], values)).reply or sheet


async def test_an_admin_puts_the_penalties_of_an_approved_hand_right(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await with_card(evening)
    await evening.as_("Owner").slash("settings set", evening.channels["mahjong"], name="penalties", value="yes")
    await report_hand(evening, "bends")
    assert "Only admins" in (await open_list(evening, "Ann"))["content"]
    # While it waits they count at once.
    await tick(evening, "Kai", await open_list(evening, "Kai"), "Dora: misnamed a discard (−10)")
    await evening.approve(1)
    sheet = await open_list(evening, "Rei")
    question = await tick(evening, "Rei", sheet, "Борис: fed a hand with two exposures (−10)")
    preview = said(question)
    assert "Amend game #1?" in preview
    assert "Penalty of \u2068Борис\u2069, fed a hand with two exposures (−10): **added**" in preview
    assert "Penalty of \u2068Dora\u2069, misnamed a discard (−10): **taken back**" in preview
    assert len((await evening.game(1)).penalties) == 1
    assert "Game #1 is amended" in said(await confirm(evening, "Rei", question))
    await figures(evening)
    await evening.quiet()
    card = said(evening.card(1) or {})
    assert "⚠️ \u2068Борис\u2069: fed a hand with two exposures (−10); added by \u2068Rei\u2069" in card
    assert "misnamed" not in card
    shown = said(await ask(evening, "Ann", "show", game=1))
    assert "\u2068Rei\u2069 took back a penalty: \u2068Dora\u2069, misnamed a discard (−10)." in shown


async def test_a_penalty_that_fits_no_more_is_offered_to_be_taken_back(evening: Evening) -> None:
    await with_card(evening)
    await evening.as_("Owner").slash("settings set", evening.channels["mahjong"], name="penalties", value="yes")
    await report_hand(evening, "bends")
    await tick(evening, "Kai", await open_list(evening, "Kai"), "Dora: fed a hand with three exposures (−25)")
    await evening.approve(1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend-hand", game=1, won="wall"))
    assert len((await evening.game(1)).penalties) == 1
    await confirm(evening, "Kai", await tick(evening, "Kai", await open_list(evening, "Kai")))
    assert (await evening.game(1)).penalties == ()
    await figures(evening)


async def test_where_no_penalties_count_no_list_opens(evening: Evening) -> None:
    await with_card(evening)
    await report_hand(evening, "bends")
    assert "does not use penalties" in (await open_list(evening, "Kai"))["content"]
    await evening.approve(1)
    await evening.as_("Owner").slash("settings set", evening.channels["mahjong"], name="penalties", value="yes")
    assert "approved when this club did not use penalties" in (await open_list(evening, "Kai"))["content"]
    wish = {"winner": evening.users["Ann"], "line": await line(evening, "ford"), "jokers": True}
    question = await ask(evening, "Kai", "amend-hand", game=1, **wish)
    assert "Penalty" not in said(question)
