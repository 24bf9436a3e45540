"""A hand that is restored after its line of the card was changed: it counts with the line as it is now."""

from __future__ import annotations

import time
from dataclasses import replace

from ratings.card import import_card
from tests.american_evening import hand, with_card
from tests.club_evening import Evening
from tests.correction_help import GAME, ask, confirm, figures, play, said
from tests.ledger_help import CARD

AS_IT_IS = "It counts with its line as the card has it now."


async def test_a_restored_hand_counts_with_its_line_as_the_card_has_it_now(evening: Evening) -> None:
    await with_card(evening)
    await hand(evening, "bends")
    await evening.approve(1)
    question = await ask(evening, "Kai", "void", game=1, reason="the card is wrong")
    assert "**\u2068Ann\u2069** rating 1043.00" in said(await confirm(evening, "Kai", question))
    changed = [replace(line, points=45) if line.name == "Three bends" else line for line in CARD]
    await evening.store.write(import_card, evening.id, changed, int(time.time()))
    question = await ask(evening, "Kai", "restore", game=1)
    assert f"in its old place among the others. {AS_IT_IS}" in said(question)
    assert "**\u2068Ann\u2069** no games → rating 1053.00 · 180 total points" in said(question)
    assert AS_IT_IS in said(await confirm(evening, "Kai", question))
    await figures(evening)


async def test_of_a_restored_riichi_game_nothing_is_said_about_a_card(evening: Evening) -> None:
    await play(evening, GAME)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="a test"))
    question = said(await ask(evening, "Kai", "restore", game=1))
    assert "in its old place among the others." in question
    assert AS_IT_IS not in question
