"""What a card says of a game whose log shows which lobby it was played in, and of files that are none."""

from __future__ import annotations

import gzip

from tests.club_evening import Evening
from tests.correction_help import ask, confirm, said
from tests.report_log_help import BY_HAND, FRESH, RECENT, linked, told

CLOSED = "On Tenhou, houou (鳳凰) would not let in"


async def test_a_log_shows_that_everybody_was_let_in(evening: Evening) -> None:
    await linked(evening)
    assert "Game #1 is reported" in await told(evening, FRESH)
    card = said(await evening.card_ready(1))
    assert "counts as houou (鳳凰)" in card
    assert CLOSED not in card
    await evening.approve(1)
    assert CLOSED not in said(evening.card(1) or {})


async def test_a_report_that_gets_its_log_loses_the_note(evening: Evening) -> None:
    await linked(evening)
    await evening.report(BY_HAND, lobby="houou")
    assert CLOSED in said(await evening.card_ready(1))
    assert "is attached" in await told(evening, FRESH, link=RECENT)
    await evening.discord.until(lambda: CLOSED not in said(evening.card(1) or {}))


async def test_an_unranked_game_made_one_of_a_lobby_keeps_the_note(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH, name="game.mjlog")
    await evening.card_ready(1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=1, ranked=True, lobby="houou"))
    await evening.discord.until(lambda: (card := evening.card(1)) is not None and CLOSED in said(card))


async def test_a_file_that_is_packed_twice_is_told_so(evening: Evening) -> None:
    answer = await told(evening, gzip.compress(gzip.compress(FRESH)))
    assert (
        answer.strip()
        == "The file is packed twice. Unpack it once, and send what comes out. Nothing was written down."
    )
