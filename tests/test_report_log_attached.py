"""/report log of a game that the club knows already: attached to it, refused, or freed for another."""

from __future__ import annotations

import gzip

from ratings.models import GameState
from tests.club_evening import Evening, reply
from tests.correction_help import said
from tests.report_log_help import BY_HAND, FRESH, MEMBERS, RECENT, linked, told


async def test_a_game_reported_by_hand_gets_its_log_and_its_card_says_so(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await evening.report(BY_HAND, by="Emi")
    await evening.approve(1)
    assert "📎" not in said(evening.card(1) or {})
    await linked(evening)
    answer = await told(evening, FRESH, by="Kai", link=RECENT)
    assert "The log is attached to game #1" in answer
    assert "everything agrees" in answer
    await evening.discord.until(lambda: "📎" in said(evening.card(1) or {}))
    assert (await evening.page()).total == 1
    assert await evening.state(1) is GameState.APPROVED


async def test_a_pending_game_keeps_its_card_when_a_log_comes(evening: Evening) -> None:
    await evening.report(BY_HAND, by="Emi")
    old = await evening.card_ready(1)
    await linked(evening)
    await told(evening, FRESH, link=RECENT)
    await evening.discord.until(lambda: "📎" in said(evening.card(1) or {}))
    assert (evening.card(1) or {})["id"] == old["id"]
    await evening.approve(1)


async def test_a_game_reported_by_hand_that_differs_is_told_and_nothing_is_kept(evening: Evening) -> None:
    await evening.report(BY_HAND | {"Ann": "30000", "Борис": "40000"}, by="Emi", length="tonpuu")
    card = await evening.card_ready(1)
    await linked(evening)
    answer = await told(evening, FRESH, link=RECENT)
    assert f"[game #1](https://discord.com/channels/{evening.id}/{card['channel_id']}/{card['id']})" in answer
    assert "- \u2068Ann\u2069 has 30,000 in the report and 40,000 in the log." in answer
    assert "- The report says tonpuu, the log says hanchan." in answer
    assert "Nothing was kept" in answer
    await evening.quiet()
    assert (await evening.page()).total == 1
    assert (await evening.game(1)).log is None


async def test_the_same_log_again_is_linked_to_the_first(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH)
    card = await evening.card_ready(1)
    place = f"[game #1](https://discord.com/channels/{evening.id}/{card['channel_id']}/{card['id']})"
    assert f"This log belongs to {place} already" in await told(evening, gzip.compress(FRESH), by="Борис")
    assert (await evening.page()).total == 1


async def test_a_rejected_game_gives_its_log_to_the_right_one(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await linked(evening)
    await told(evening)
    await evening.card_ready(1)
    await evening.reject(1)
    assert "Game #2 is reported" in await told(evening)
    assert "📎" in said(await evening.card_ready(2))
    await evening.discord.until(lambda: "📎" not in said(evening.card(1) or {}))


async def test_a_game_with_a_log_is_not_amended_against_it(evening: Evening) -> None:
    await linked(evening)
    await told(evening)
    seats = {"east": evening.users["Борис"], "south": evening.users["Ann"]}
    question = reply(await evening.as_("Kai").slash("game amend", evening.channels["mahjong"], game=1, **seats))
    assert "Who sat where and what everybody scored is what the log of" in said(question)
    assert [person.name for person in (await evening.game(1)).people] == list(MEMBERS)


async def test_a_ranked_report_and_a_log_that_is_not_one_are_told_apart(evening: Evening) -> None:
    await evening.report(BY_HAND, by="Emi")
    await linked(evening)
    assert "but the log was given with ranked: no" in await told(evening, link=RECENT, ranked=False)
    assert "Give the link with the file" in await told(evening, name="game.mjlog")
    assert "The log is attached to game #1" in await told(evening, link=RECENT)
