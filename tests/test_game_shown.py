"""/game show, and games offered while typing: a game's whole story, in pages, with names as they are."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from ratings import ledger
from ratings.ledger import tellings
from ratings.queries import games
from tests.club_evening import Evening
from tests.correction_help import GAME, OTHER, ask, confirm, play, said
from tests.ledger_help import KAI


async def test_names_are_shown_as_they_are(evening: Evening) -> None:
    odd = "_*[x](https://e.com)*_ `@everyone`"[:32]
    evening.users["Ann"]["global_name"] = odd
    await play(evening, GAME, GAME, OTHER)
    question = await ask(evening, "Kai", "void", game=1, reason="<@&1> [x](https://e.com)")
    await confirm(evening, "Kai", question)
    await evening.quiet()
    shown = await ask(evening, "Emi", "show", game=1)
    news = evening.posts("announcements")[-1]
    for message in (question, shown, news):
        assert "\\_\\*\\[x\\]" in said(message)
        assert "[x](" not in said(message)
    for message in (question, shown, news):
        assert "&1\\> \\[x\\]" in said(message)
        assert "<@&1>" not in said(message)


async def test_games_are_offered_while_their_number_is_typed(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME, OTHER)
    await evening.report(GAME, by="Emi")
    await evening.report(OTHER, by="Ann")
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="x"))

    async def offered(who: str, command: str, typed: str = "") -> list[int]:
        channel = evening.channels["mahjong"]
        choices = await evening.as_(who).autocomplete(f"game {command}", channel, option="game", text=typed)
        return [choice["value"] for choice in choices]

    assert await offered("Ann", "show") == [4, 3, 2, 1]
    assert await offered("Ann", "show", "3") == [3]
    assert await offered("Kai", "void") == [2]
    assert await offered("Kai", "restore") == [1]
    assert await offered("Kai", "reopen") == []
    assert await offered("Kai", "amend") == [4, 3, 2]
    assert await offered("Emi", "amend") == [3]
    assert await offered("Emi", "withdraw") == [3]
    assert await offered("Kai", "withdraw") == []
    assert await offered("Kai", "amend-hand") == []


async def test_a_game_tells_its_whole_history(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await evening.report(GAME, by="Emi")
    await evening.card_ready(1)
    decide = {"game": 1, "verdict": "reject", "reason": "Dora had 9100"}
    await evening.as_("Kai").slash("games decide", evening.channels["mahjong"], **decide)
    await evening.card_says(1, "rejected")
    await confirm(evening, "Rei", await ask(evening, "Rei", "reopen", game=1, reason="she had not"))
    await evening.card_says(1, "waiting")
    await evening.approve(1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=1, length="tonpuu"))
    shown = said(await ask(evening, "Ann", "show", game=1))
    order = ["Emi\u2069 reported it.", "Kai\u2069 rejected it.", "Kai\u2069 said why:", "> Dora had 9100"]
    order += ["Rei\u2069 reopened it.", "> she had not"]
    order += ["Kai\u2069 approved it.", "Kai\u2069 amended it.", "-# Length: hanchan → **tonpuu**"]
    # Events of one second need not stand in this order: a story in a test is faster than people are.
    assert all(line in shown for line in order)
    assert "What it changed" in shown
    assert "新人 (newcomer) 0/20 ⬆️ ９級 (9-kyuu) 0/20\n-# R 1500.00 → 1530.00 (+30.00) · 0 → 1 game" in shown
    assert "Go to its card" in shown


async def test_a_long_history_has_pages(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.store.write(_many_amendments, evening.id, 40)
    answer = await ask(evening, "Ann", "show", game=1)
    seen = said(answer)
    while True:
        buttons = [each for row in answer["components"] for each in row["components"]]
        if buttons[2]["disabled"]:
            break
        await evening.as_("Ann").click(answer, custom_id=buttons[2]["custom_id"])
        answer = evening.discord.world.message(answer["id"]) or {}
        seen += said(answer)
    assert "page 3 of" in seen
    for number in range(40):
        assert f"reason {number} " in seen
    assert "page 1 of" in said(await ask(evening, "Ann", "show", game=1))


def _many_amendments(connection: sa.Connection, guild_id: int, number: int) -> None:
    game = games.by_number(connection, guild_id, 1)
    for count in range(number):
        old = tellings.read(connection, game.id)
        assert isinstance(old, tellings.RiichiTelling)
        told_anew = replace(old, scores=old.scores[::-1])
        proposal = ledger.propose_amend(
            connection, guild_id, game.id, told_anew, old.played_at, f"reason {count} " + "*" * 400
        )
        ledger.carry_out(connection, guild_id, proposal, KAI, game.reported_at + count)
