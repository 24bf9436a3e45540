"""Cards of games that were told anew: what hung before goes, and reactions to it decide nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from bot.letters import APPROVE, REJECT
from bot.sandbox.faults import Hold
from ratings import ledger
from ratings.ledger import tellings
from ratings.models import GameState
from ratings.queries import games
from tests.club_evening import Evening, reactions
from tests.correction_help import GAME, ask, confirm, figures, said
from tests.ledger_help import another

POST = r"/messages$"
SWAPPED = {"east_score": "30100", "south_score": "45200"}


async def new_card(evening: Evening, old: dict[str, Any]) -> dict[str, Any]:
    """Wait until another card than the old one hangs, with both reactions."""

    def ready() -> bool:
        card = evening.card(1)
        return card is not None and card["id"] != old["id"] and len(reactions(card)) == 2

    await evening.discord.until(ready)
    assert evening.discord.world.message(old["id"]) is None
    card = evening.card(1)
    assert card is not None
    return card


async def on_its_way(evening: Evening) -> tuple[Hold, dict[str, Any]]:
    """Report a game whose card hangs while the bot has not heard so yet."""
    posting = rf"/channels/{evening.channels['approvals']['id']}{POST}"
    slow = evening.discord.faults.hold("POST", posting, done=True)
    await evening.report(GAME, by="Emi")
    await slow.reached.wait()
    card = evening.card(1)
    assert card is not None
    return slow, card


async def test_a_rejected_game_is_reopened_and_the_old_reaction_does_not_reject_it_again(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await evening.report(GAME, by="Emi")
    old = await evening.card_ready(1)
    await evening.reject(1)
    question = await ask(evening, "Kai", "reopen", game=1, reason="my mistake")
    assert "Game #1 is open again" in said(await confirm(evening, "Kai", question))
    card = await new_card(evening, old)
    assert "Reopened\nBy \u2068Kai\u2069" in said(card)
    assert "my mistake" in said(card)
    assert reactions(card) == {APPROVE: 1, REJECT: 1}
    await evening.stop_bot()
    await evening.start_bot()
    await evening.quiet()
    assert await evening.state(1) is GameState.PENDING
    await evening.approve(1)
    assert "Reopened" not in said(evening.card(1) or {})
    await figures(evening)


async def test_a_second_rejection_does_not_repeat_why_the_first_one_was(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    old = await evening.card_ready(1)
    wish = {"game": 1, "verdict": "reject", "reason": "nonsense"}
    await evening.as_("Kai").slash("games decide", evening.channels["mahjong"], **wish)
    await evening.discord.until(lambda: evening.direct_messages("Emi"))
    await evening.store.write(_a_minute_ago)
    await confirm(evening, "Kai", await ask(evening, "Kai", "reopen", game=1))
    await new_card(evening, old)
    await evening.reject(1)
    await evening.discord.until(lambda: len(evening.direct_messages("Emi")) == 2)
    assert "nonsense" not in said(evening.direct_messages("Emi")[1])
    assert "nonsense" not in said(evening.card(1) or {})


def _a_minute_ago(connection: sa.Connection) -> None:
    """Let what was decided so far have been decided earlier: people are slower than tests."""
    connection.execute(sa.text("UPDATE decisions SET decided_at = decided_at - 60"))
    connection.execute(sa.text("UPDATE rejection_reasons SET given_at = given_at - 60"))


async def test_a_reporter_amends_his_game_and_it_hangs_anew(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    old = await evening.card_ready(1)
    question = await ask(evening, "Emi", "amend", game=1, **SWAPPED, reason="mixed up")
    assert "would move" in said(question)
    await confirm(evening, "Emi", question)
    card = await new_card(evening, old)
    assert "**1st** 南 **\u2068Борис\u2069** 45,200" in said(card)
    assert "Amended\nBy \u2068Emi\u2069" in said(card)
    await evening.approve(1)
    assert "Amended\nBy \u2068Emi\u2069" in said(evening.card(1) or {})
    await figures(evening)


async def test_a_reaction_that_is_looked_up_when_the_game_is_amended_decides_nothing(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await evening.report(GAME, by="Emi")
    old = await evening.card_ready(1)
    await evening.stop_bot()
    await evening.as_("Kai").react(old, APPROVE)
    slow = evening.discord.faults.hold("GET", rf"/members/{evening.users['Kai']['id']}$")
    await evening.start_bot()
    await slow.reached.wait()
    question = await ask(evening, "Emi", "amend", game=1, **SWAPPED)
    await confirm(evening, "Emi", question)
    slow.release()
    await new_card(evening, old)
    await evening.quiet()
    assert await evening.state(1) is GameState.PENDING
    await evening.approve(1)


async def test_a_card_that_was_on_its_way_when_the_game_was_amended_is_replaced(evening: Evening) -> None:
    slow, old = await on_its_way(evening)
    await confirm(evening, "Emi", await ask(evening, "Emi", "amend", game=1, **SWAPPED))
    await evening.as_("Kai").react(old, APPROVE)
    slow.release()
    card = await new_card(evening, old)
    assert "45,200" in said(card)
    await evening.quiet()
    assert await evening.state(1) is GameState.PENDING


async def test_a_card_of_which_nobody_knew_is_not_taken_for_the_amended_game(evening: Evening) -> None:
    slow, old = await on_its_way(evening)
    evening.bot.postman._store = None  # type: ignore[assignment]
    slow.release()
    await evening.stop_bot()
    await evening.as_("Kai").react(old, REJECT)
    async with another(evening.database) as store:
        await store.write(_amend, evening.id)
    await evening.start_bot()
    card = await new_card(evening, old)
    assert "**1st** 北" in said(card)
    await evening.quiet()
    assert await evening.state(1) is GameState.PENDING


def _amend(connection: sa.Connection, guild_id: int) -> None:
    game = games.by_number(connection, guild_id, 1)
    old = tellings.read(connection, game.id)
    assert isinstance(old, tellings.RiichiTelling)
    told = replace(old, scores=old.scores[::-1])
    proposal = ledger.propose_amend(connection, guild_id, game.id, told, old.played_at)
    ledger.carry_out(connection, guild_id, proposal, game.reporter, game.reported_at)


async def test_a_withdrawn_game_can_be_reopened_and_hangs_anew(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    old = await evening.card_ready(1)
    await confirm(evening, "Emi", await ask(evening, "Emi", "withdraw", game=1))
    await evening.card_says(1, "withdrawn")
    await confirm(evening, "Rei", await ask(evening, "Rei", "reopen", game=1))
    await new_card(evening, old)
    await evening.approve(1)


async def test_an_amended_game_that_counts_keeps_its_card(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    old = evening.card(1)
    assert old is not None
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=1, **SWAPPED))
    await evening.discord.until(lambda: "Amended" in said(evening.card(1) or {}))
    await evening.quiet()
    assert (evening.card(1) or {})["id"] == old["id"]
