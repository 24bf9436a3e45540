"""Whatever the ledger refuses, it is told in a sentence of its own."""

from __future__ import annotations

from datetime import date

import pytest

from bot.render import refusals
from bot.texts import texts_for
from ratings.models import GameState, Refusal, Refused

PARTICULARS = {
    "name": "Ann_*_",
    "number": 12,
    "played_at": 1_800_000_000,
    "total": 99_000,
    "expected": 100_000,
    "difference": -1_000,
    "sticks": 0,
    "state": GameState.APPROVED,
    "length": 600,
    "limit": 500,
    "players": 5,
    "year": 2025,
    "current": 2026,
    "line": "Three *bends*",
    "lines": [(2026, "Rivers", "Three *bends*")],
    "other": "Emi_*_",
    "games": [3, 7],
    "first": date(2026, 11, 29),
    "last": date(2026, 11, 27),
    "participants": 12,
    "results": 8,
    "place": 13,
    "member": "Emi_*_",
    "has_record": True,
}


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_has_a_sentence_of_its_own(refusal: Refusal) -> None:
    texts = texts_for("en-US")
    told = refusals.sentence(texts, Refused(refusal, **PARTICULARS))
    others = {refusals.sentence(texts, Refused(other, **PARTICULARS)) for other in Refusal if other is not refusal}
    assert told.endswith(".")
    assert told not in others
    assert "*bends*" not in told
    assert "Ann_" not in told


def test_a_sum_says_what_is_too_much_and_which_sticks_were_counted() -> None:
    values = PARTICULARS | {"total": 101_100, "expected": 98_000, "sticks": 2}
    told = refusals.sentence(texts_for("en-US"), Refused(Refusal.WRONG_SUM, **values))
    assert "3,100 too many" in told
    assert "I took 2 riichi sticks as left on the table" in told


@pytest.mark.parametrize(
    ("refusal", "state", "words"),
    [
        (Refusal.ALREADY_DECIDED, GameState.VOIDED, "is voided; nothing has changed"),
        (Refusal.ALREADY_DECIDED, GameState.WITHDRAWN, "is withdrawn; nothing has changed"),
        (Refusal.NOT_AMENDABLE, GameState.VOIDED, "/game restore"),
        (Refusal.NOT_AMENDABLE, GameState.REJECTED, "/game reopen"),
        (Refusal.NOT_PENDING, GameState.APPROVED, "only admins can change it"),
        (Refusal.NOT_PENDING, None, "is decided already"),
        (Refusal.NOT_REJECTED, GameState.APPROVED, "cannot be reopened"),
        (Refusal.NOT_REJECTED, None, "needs no reason"),
    ],
)
def test_where_a_game_stands_says_what_can_be_done(refusal: Refusal, state: GameState | None, words: str) -> None:
    values = {"number": 12} | ({} if state is None else {"state": state})
    told = refusals.sentence(texts_for("en-US"), Refused(refusal, **values))
    assert words in told
    assert "#12" in told


def test_games_at_which_two_records_sat_together_are_listed() -> None:
    texts = texts_for("en-US")
    assert "in game #3," in refusals.sentence(texts, Refused(Refusal.TOGETHER, games=[3]))
    many = refusals.sentence(texts, Refused(Refusal.TOGETHER, games=list(range(1, 500))))
    assert "in the games #1, #2, " in many
    assert "#20, …" in many
    assert len(many) < 300


def test_two_of_one_table_who_have_become_one_person_are_named_once() -> None:
    told = refusals.sentence(texts_for("en-US"), Refused(Refusal.ONE_PERSON, name="Ann", other="Ann"))
    assert told.count("Ann") == 1
