"""Whatever the ledger refuses, it is told in a sentence of its own."""

from __future__ import annotations

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
