"""A game with a log, told otherwise than its log: by whom that can be, and that its card says so."""

from __future__ import annotations

from typing import Any

import pytest

from ratings.models import Length, Lobby
from tests.club_evening import Evening
from tests.correction_help import GAME, ask, confirm, said
from tests.ledger_help import riichi
from tests.log_help import FINAL, HOUOU, agari, init, mjlog
from tests.report_log_help import BY_HAND, FRESH, LINK, RECENT, TAGS, linked, told

PRIVATE = mjlog(init(), agari(0, 1, FINAL), names=TAGS, go='lobby="1234"')
REFUSED = "Only an admin can amend that into something else"


@pytest.mark.parametrize(
    "wish",
    [
        {"ranked": True, "lobby": "houou"},
        {"ranked": True},
        {"lobby": "ippan"},
        {"length": "tonpuu"},
    ],
)
async def test_a_reporter_tells_nothing_against_the_log(evening: Evening, wish: dict[str, Any]) -> None:
    await linked(evening)
    await told(evening, PRIVATE, link=LINK)
    await evening.card_ready(1)
    answer = await ask(evening, "Ann", "amend", game=1, **wish)
    assert REFUSED in answer["content"]
    assert answer["components"] == []
    assert not riichi(await evening.game(1)).ranked


@pytest.mark.parametrize("wish", [{"ranked": False}, {"lobby": "ippan"}, {"lobby": "automatic"}])
async def test_of_a_ranked_log_the_reporter_keeps_lobby_and_rank(evening: Evening, wish: dict[str, Any]) -> None:
    await linked(evening)
    await told(evening)
    await evening.card_ready(1)
    assert REFUSED in (await ask(evening, "Ann", "amend", game=1, **wish))["content"]
    facts = riichi(await evening.game(1))
    assert (facts.ranked, facts.lobby, facts.length) == (True, Lobby.HOUOU, Length.HANCHAN)


async def test_a_reporter_can_put_right_what_the_log_says_and_the_report_did_not(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH, ranked=False)
    card = said(await evening.card_ready(1))
    assert "**its log: ranked**" in card
    await confirm(evening, "Ann", await ask(evening, "Ann", "amend", game=1, ranked=True, lobby="houou"))
    facts = riichi(await evening.game(1))
    assert (facts.ranked, facts.lobby) == (True, Lobby.HOUOU)
    await evening.discord.until(lambda: "Amended" in str(evening.card(1)))
    assert "its log:" not in said(evening.card(1) or {})


async def test_what_the_report_left_open_may_stay_so(evening: Evening) -> None:
    await linked(evening)
    await evening.report(BY_HAND)
    await evening.card_ready(1)
    assert "is attached" in await told(evening, link=RECENT)
    await evening.discord.until(lambda: "with its game log" in said(evening.card(1) or {}))
    assert "its log:" not in said(evening.card(1) or {})
    await confirm(evening, "Ann", await ask(evening, "Ann", "amend", game=1, played="2026-11-28 20:00"))
    assert riichi(await evening.game(1)).lobby is None


async def test_an_admin_may_know_better_and_the_card_says_what_the_log_says(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await linked(evening)
    await told(evening, PRIVATE, link=LINK)
    await evening.card_ready(1)
    question = await ask(evening, "Kai", "amend", game=1, ranked=True, lobby="tokujou", length="tonpuu")
    await confirm(evening, "Kai", question)
    await evening.discord.until(lambda: "Amended" in str(evening.card(1)))
    card = said(await evening.card_ready(1))
    assert "counts as tokujou (特上)" in card
    assert "· **its log: hanchan, unranked, private lobby**" in card
    assert "Amended since it was reported\nLength: hanchan → **tonpuu**\nLobby: by the players' ranks → " in card
    # His reporter may go back to what the log says, and nowhere else.
    assert REFUSED in (await ask(evening, "Ann", "amend", game=1, lobby="houou"))["content"]
    await confirm(evening, "Ann", await ask(evening, "Ann", "amend", game=1, length="hanchan"))
    assert riichi(await evening.game(1)).length is Length.HANCHAN


async def test_another_lobby_than_that_of_the_log_shows(evening: Evening) -> None:
    await linked(evening)
    await told(evening, mjlog(init(), agari(0, 0, FINAL), names=TAGS, kind=HOUOU))
    await evening.card_ready(1)
    await evening.approve(1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=1, lobby="ippan"))
    await evening.discord.until(lambda: "its log: houou (鳳凰)" in said(evening.card(1) or {}))


async def test_a_card_names_what_was_amended_by_whichever_amendment(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    await evening.card_ready(1)
    await confirm(evening, "Emi", await ask(evening, "Emi", "amend", game=1, lobby="houou"))
    await confirm(evening, "Emi", await ask(evening, "Emi", "amend", game=1, played="2026-11-28 20:00"))
    await evening.quiet()
    card = said(await evening.card_ready(1))
    assert "Amended since it was reported\nLobby: by the players' ranks → **houou (鳳凰)**\nPlayed: " in card
    await evening.reject(1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "reopen", game=1))
    await evening.quiet()
    assert "Lobby: by the players' ranks → **houou (鳳凰)**" in said(await evening.card_ready(1))
    await confirm(evening, "Emi", await ask(evening, "Emi", "amend", game=1, lobby="automatic"))
    await evening.quiet()
    assert "Lobby: " not in said(await evening.card_ready(1))
