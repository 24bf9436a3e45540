"""Corrections as a club sees them: what would move is shown first, then done, announced, and on record."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
import sqlalchemy as sa

from bot import answers, confirmations, waiting
from ratings import club, ledger
from ratings.ledger import tellings
from ratings.models import GameState, Verdict
from ratings.queries import games
from ratings.store import tables
from tests.club_evening import Club, Evening, reply
from tests.correction_help import GAME, OTHER, answered, ask, confirm, figures, play, press, said, told
from tests.ledger_help import KAI, another, riichi

ELSEWHERE = {"Emi": "35000", "Kai": "35000", "Rei": "35000"}


async def test_a_game_that_promoted_somebody_is_voided(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME, GAME, OTHER, OTHER)
    before = await figures(evening)
    question = await ask(evening, "Kai", "void", game=1, reason="It was *never* played")
    (preview,) = question["embeds"]
    assert preview["title"] == "Void game #1?"
    assert "It was \\*never\\* played" in preview["description"]
    assert "**\u2068Ann\u2069** ８級 (8-kyuu) 0/20 ⬇️ ９級 (9-kyuu) 0/20" in told(preview)
    assert "R 1536.87 → 1508.95 (−27.92) · 4 → 3 games" in told(preview)
    assert "**\u2068千秋\u2069** 新人 (newcomer) 0/20" in told(preview)
    assert "**\u2068Emi\u2069** R −0.12" in told(preview)
    assert await figures(evening) == before

    (done,) = (await confirm(evening, "Kai", question))["embeds"]
    assert done["title"] == "Game #1 is voided"
    assert told(done) == told(preview)
    assert await evening.state(1) is GameState.VOIDED

    await evening.card_says(1, "voided")
    await evening.quiet()
    news = evening.posts("announcements")[-1]["embeds"][0]
    assert "Correction" in news["title"]
    assert news["footer"]["text"] == "#1 · correction 1"
    assert "\u2068Kai\u2069 has voided [game #1](https://discord.com/channels/" in news["description"]
    assert "⬇️ **\u2068Ann\u2069** ８級 (8-kyuu) → **９級 (9-kyuu)**" in news["description"]
    assert "⬇️ **\u2068Борис\u2069** ９級 (9-kyuu) → **新人 (newcomer)**" in news["description"]
    assert not any(name in news["description"] for name in ("千秋", "Dora", "Emi", "Congratulations"))
    card = evening.card(1)
    assert card is not None
    assert f"/{card['id']})" in news["description"]
    assert "Voided\nBy \u2068Kai\u2069" in told(card["embeds"][0])
    assert "Approved\nBy \u2068Kai\u2069" in told(card["embeds"][0])
    assert "R 1500" not in card["embeds"][0]["description"]
    await figures(evening)


async def test_a_restored_game_brings_back_every_figure(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME, OTHER, GAME, OTHER)
    before = await figures(evening)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=2, reason="wrong club"))
    assert await figures(evening) != before
    question = await ask(evening, "Rei", "restore", game=2, reason="it was ours after all")
    done = said(await confirm(evening, "Rei", question))
    assert "Game #2 is restored" in done
    assert "it was ours after all" in done
    assert await figures(evening) == before
    assert "Restored\nBy \u2068Rei\u2069" in said(await evening.card_says(2, "approved"))


async def test_a_wrong_score_is_amended(evening: Evening) -> None:
    await play(evening, GAME, OTHER)
    question = await ask(
        evening, "Kai", "amend", game=1, east_score="157", west_score="452", reason="swapped", lobby="houou"
    )
    preview = said(question)
    assert "East: \u2068Ann\u2069 45,200 → **\u2068Ann\u2069 15,700**" in preview
    assert "West: \u2068千秋\u2069 15,700 → **\u2068千秋\u2069 45,200**" in preview
    assert "South:" not in preview
    assert "Lobby: by the players' ranks → **houou (鳳凰)**" in preview
    assert "**\u2068Ann\u2069** 1st → 3rd" in preview
    done = said(await confirm(evening, "Kai", question))
    assert "Game #1 is amended" in done
    assert riichi(await evening.game(1)).scores == (15700, 30100, 45200, 9000)
    card = said(await evening.card_says(1, "approved"))
    await evening.discord.until(lambda: "Amended" in said(evening.card(1) or {}))
    card = said(evening.card(1) or {})
    assert "**1st** 西 **\u2068千秋\u2069** 45,200" in card
    assert "swapped" in card
    await figures(evening)
    question = await ask(evening, "Kai", "amend", game=1, lobby="automatic", length="tonpuu", ranked=False)
    preview = said(question)
    for line in ("houou (鳳凰) → **by the players' ranks**", "hanchan → **tonpuu**", "Ranked: yes → **no**"):
        assert line in preview
    assert "no games" in preview
    await confirm(evening, "Kai", question)
    await figures(evening)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"east_score": "45000"}, "200 are missing. Nothing was written down"),
        ({"sticks": 1}, "1,000 too many. I took 1 riichi stick as left on the table. Nothing was written down"),
        ({"south_score": "many"}, "“many”, the score of South"),
        ({"west_score": "15750"}, "“15750”, the score of West, is not a whole number of hundreds"),
        ({"east": "Борис"}, "\u2068Борис\u2069 cannot sit in two seats"),
        ({"played": "2999-01-01"}, "in the future"),
        ({"played": "soonish"}, "“soonish” as a date"),
        ({"length": "hanchan", "east": "Ann", "east_score": "45.2k"}, "says all that already"),
        ({}, "says all that already"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_changed(
    evening: Evening, options: dict[str, Any], sentence: str
) -> None:
    await play(evening, GAME)
    before = await figures(evening)
    if "east" in options:
        options = options | {"east": evening.users[options["east"]]}
    answer = await ask(evening, "Kai", "amend", game=1, **options)
    assert sentence in answer["content"]
    assert answer["components"] == []
    assert await figures(evening) == before


async def test_another_player_at_the_table_gets_a_record_and_a_bot_does_not(evening: Evening) -> None:
    await play(evening, GAME, OTHER)
    robot = evening.discord.world.add_user("robot", bot=True)
    evening.discord.world.add_member(evening.guild, robot)
    refused = await ask(evening, "Kai", "amend", game=1, east=robot)
    assert "is a bot" in refused["content"]
    evening.join("Newcomer")
    question = await ask(evening, "Kai", "amend", game=1, east=evening.users["Newcomer"])
    assert "East: \u2068Ann\u2069 45,200 → **\u2068Newcomer\u2069 45,200**" in said(question)
    assert "**\u2068Newcomer\u2069** no games → ９級 (9-kyuu) 0/20 · R 1530.00 · 1 game" in said(question)
    assert "2 → 1 game" in said(question)
    await confirm(evening, "Kai", question)
    assert [someone.name for someone in (await evening.game(1)).people] == ["Newcomer", "Борис", "千秋", "Dora"]
    await figures(evening)


async def test_a_fourth_player_who_was_forgotten_joins_a_game_of_three(evening: Evening) -> None:
    await play(evening, {"Ann": "60000", "Борис": "35000", "千秋": "10000"})
    lonely = await ask(evening, "Kai", "amend", game=1, north=evening.users["Dora"])
    assert "North has a player but no score" in lonely["content"]
    nobody = await ask(evening, "Kai", "amend", game=1, north_score="0")
    assert "North has a score but no player" in nobody["content"]
    scores = {"east_score": "55000", "north_score": "0"}
    question = await ask(evening, "Kai", "amend", game=1, north=evening.users["Dora"], **scores)
    assert "North: nobody → **\u2068Dora\u2069 0**" in said(question)
    assert "Three players" in said(question)
    assert "Four players" in said(question)
    await confirm(evening, "Kai", question)
    assert len((await evening.game(1)).people) == 4
    await figures(evening)


async def test_what_moves_nobody_says_so(evening: Evening) -> None:
    await evening.report(GAME, ranked=False)
    await evening.approve(1)
    question = await ask(evening, "Kai", "void", game=1, reason="not a club game")
    assert "No rank and no rating would move." in said(question)
    assert "**\u2068Ann\u2069** 1st → – · final points +55.2 → – · games in the statistics −1" in said(question)
    assert "has moved" in said(await confirm(evening, "Kai", question))
    await evening.quiet()
    assert evening.posts("announcements") == []


async def test_a_reporter_takes_his_report_back(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    card = await evening.card_ready(1)
    stranger = await ask(evening, "Ann", "withdraw", game=1)
    assert "was reported by somebody else" in stranger["content"]
    admin = await ask(evening, "Kai", "withdraw", game=1)
    assert "was reported by somebody else" in admin["content"]
    question = await ask(evening, "Emi", "withdraw", game=1)
    assert "would move" not in said(question)
    assert "Game #1 is withdrawn" in said(await confirm(evening, "Emi", question))
    assert "Withdrawn\nBy \u2068Emi\u2069" in said(await evening.card_says(1, "withdrawn"))
    await evening.as_("Kai").react(card, "✅")
    decided = await evening.as_("Kai").slash(
        "games decide", evening.channels["mahjong"], game=1, verdict="approve"
    )
    assert "Game #1 is withdrawn; nothing has changed" in reply(decided)["content"]
    assert await evening.state(1) is GameState.WITHDRAWN
    again = await ask(evening, "Emi", "withdraw", game=1)
    assert "is not pending any more" in again["content"]


async def test_whoever_is_neither_admin_nor_reporter_changes_nothing(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    people = await evening.store.read(_people)
    stranger = evening.join("Stranger")
    refused = await ask(evening, "Ann", "amend", game=1, east=stranger)
    assert "was reported by somebody else" in refused["content"]
    assert await evening.store.read(_people) == people
    await evening.approve(1)
    for command, options in (
        ("void", {"reason": "mine"}),
        ("restore", {}),
        ("reopen", {}),
    ):
        assert "Only admins" in (await ask(evening, "Emi", command, game=1, **options))["content"]
    late = await ask(evening, "Emi", "amend", game=1, sticks=1)
    assert "only admins can change it" in late["content"]


def _people(connection: sa.Connection) -> int:
    return len(connection.execute(sa.select(tables.players.c.id)).all())


async def test_an_admin_who_is_none_any_more_cannot_confirm(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="no")
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [])
    assert "Only admins" in reply(await press(evening, "Kai", question))["content"]
    assert await evening.state(1) is GameState.APPROVED
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [evening.referee])
    await confirm(evening, "Kai", question)
    assert await evening.state(1) is GameState.VOIDED


async def test_two_clicks_make_one_correction(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="twice")
    before = list(question["components"])
    clicks = await asyncio.gather(press(evening, "Kai", question), press(evening, "Kai", question))
    assert "is voided" in said(await answered(evening, question, before))
    sentences = [click.reply["content"] for click in clicks if click.reply and click.reply["id"] != question["id"]]
    assert ["I no longer know" in sentence for sentence in sentences] == [True]
    assert len(await evening.store.read(_corrections)) == 1


def _corrections(connection: sa.Connection) -> list[Any]:
    return list(connection.execute(sa.select(tables.corrections)).all())


async def test_after_a_restart_a_question_is_forgotten_and_says_so(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="later")
    await evening.stop_bot()
    await evening.start_bot()
    told_now = reply(await press(evening, "Kai", question))["content"]
    assert "I was restarted" in told_now
    assert await evening.state(1) is GameState.APPROVED


async def test_the_oldest_question_makes_room(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MOST", 1)
    await play(evening, GAME, OTHER)
    first = await ask(evening, "Kai", "void", game=1, reason="x")
    second = await ask(evening, "Kai", "void", game=2, reason="x")
    assert "I no longer know" in reply(await press(evening, "Kai", first))["content"]
    await confirm(evening, "Kai", second)
    assert [await evening.state(number) for number in (1, 2)] == [GameState.APPROVED, GameState.VOIDED]


async def test_a_club_that_never_rests_waits_for_a_correction_in_the_end(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")

    tries = itertools.count()

    def moved_again(*arguments: Any) -> ledger.Correction:
        if next(tries) < confirmations.ATTEMPTS:
            raise ledger.Stale
        return carry_out(*arguments)

    carry_out = ledger.carry_out
    monkeypatch.setattr(ledger, "carry_out", moved_again)
    assert "Game #1 is voided" in said(await confirm(evening, "Kai", question))
    assert next(tries) == confirmations.ATTEMPTS + 1
    await figures(evening)


async def test_a_slow_store_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(evening, GAME)
    monkeypatch.setattr(answers, "SOON", 0)
    wish = {"game": 1, "east": evening.users["Emi"]}
    interaction = await evening.as_("Kai").slash("game amend", evening.channels["mahjong"], **wish)
    question = await evening.discord.until(lambda: interaction.reply)
    assert interaction.ephemeral
    assert "Amend game #1?" in said(question)
    await confirm(evening, "Kai", question)
    interaction = await evening.as_("Kai").slash("game amend", evening.channels["mahjong"], **wish)
    assert "says all that already" in said(await evening.discord.until(lambda: interaction.reply))


async def test_left_as_it_is(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="perhaps")
    before = list(question["components"])
    await press(evening, "Kai", question, "Leave it")
    answer = await answered(evening, question, before)
    assert (answer["content"], answer["embeds"], answer["components"]) == ("Nothing was changed.", [], [])
    assert await evening.state(1) is GameState.APPROVED


async def test_what_happens_meanwhile_is_shown_before_it_is_done(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    await evening.report(OTHER)
    question = await ask(evening, "Kai", "void", game=1, reason="wrong")
    assert "Emi" not in told(question["embeds"][0])
    await evening.approve(2, by="Rei")
    again = await confirm(evening, "Kai", question)
    assert "Meanwhile something else was decided" in again["content"]
    assert "**\u2068Emi\u2069** R" in told(again["embeds"][0])
    assert await evening.state(1) is GameState.APPROVED
    done = await confirm(evening, "Kai", again)
    assert done["content"] == ""
    assert told(done["embeds"][0]) == told(again["embeds"][0])
    assert await evening.state(1) is GameState.VOIDED
    await figures(evening)


async def test_what_happens_meanwhile_to_others_changes_nothing(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.report(ELSEWHERE)
    question = await ask(evening, "Kai", "void", game=1, reason="wrong")
    await evening.approve(2, by="Rei")
    done = await confirm(evening, "Kai", question)
    assert "Game #1 is voided" in said(done)
    assert told(done["embeds"][0]) == told(question["embeds"][0])
    await figures(evening)


async def test_the_second_of_two_admins_is_told_what_the_first_did(evening: Evening) -> None:
    await play(evening, GAME)
    first = await ask(evening, "Kai", "void", game=1, reason="wrong")
    second = await ask(evening, "Rei", "void", game=1, reason="wrong")
    await confirm(evening, "Kai", first)
    late = await confirm(evening, "Rei", second)
    assert "Only an approved game can be voided" in late["content"]
    assert (late["embeds"], late["components"]) == ([], [])
    assert len(await evening.store.read(_corrections)) == 1


async def test_an_amendment_is_worked_out_on_what_the_game_says_when_it_is_made(evening: Evening) -> None:
    await play(evening, GAME)
    length = await ask(evening, "Kai", "amend", game=1, length="tonpuu")
    lobby = await ask(evening, "Rei", "amend", game=1, lobby="ippan")
    await confirm(evening, "Kai", length)
    again = await confirm(evening, "Rei", lobby)
    assert "hanchan" not in told(again["embeds"][0]).lower()
    await confirm(evening, "Rei", again)
    facts = riichi(await evening.game(1))
    assert (facts.length, facts.lobby) == ("tonpuu", "ippan")


async def test_each_state_refuses_what_does_not_fit_it(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.report(OTHER)

    async def refused(command: str, game: int = 1, **options: Any) -> str:
        return str((await ask(evening, "Kai", command, game=game, **options))["content"])

    assert "is not voided, so it cannot be restored" in await refused("restore")
    assert "neither rejected nor withdrawn" in await refused("reopen")
    assert "Only an approved game can be voided" in await refused("void", 2, reason="x")
    assert "The reason is empty" in await refused("void", reason="   ")
    assert "is not an American hand" in await refused("amend-hand", jokers=True)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="x"))
    assert "Restore it first with /game restore" in await refused("amend", sticks=1)
    await evening.reject(2)
    assert "Reopen it first with /game reopen" in await refused("amend", 2, sticks=1)
    for command, options in (
        ("void", {"reason": "x"}),
        ("restore", {}),
        ("reopen", {}),
        ("amend", {}),
        ("show", {}),
    ):
        assert "I do not know that game" in await refused(command, 99, **options)


async def test_a_game_of_another_club_is_unknown(evening: Evening) -> None:
    other = Club(evening.discord, "Ume", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await play(evening, GAME, OTHER)
    await other.report(GAME)
    await other.approve(1)
    for command, options in (("void", {"reason": "theirs"}), ("show", {}), ("amend", {"sticks": 1})):
        assert "I do not know that game" in (await ask(other, "Kai", command, game=2, **options))["content"]
    question = await ask(other, "Kai", "void", game=1, reason="ours")
    await confirm(other, "Kai", question)
    assert await evening.state(1) is GameState.APPROVED
    shown = said(await ask(other, "Ann", "show", game=1))
    assert "ours" in shown


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


async def test_news_of_a_game_that_no_longer_counts_are_not_told(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    await evening.report(GAME, by="Emi")
    await evening.card_ready(2)
    await evening.stop_bot()
    async with another(evening.database) as store:
        await store.write(_approve_and_void, evening.id)
        await store.write(_reject_and_reopen, evening.id)
    await evening.start_bot()
    await evening.quiet()
    await evening.card_says(1, "voided")
    assert evening.posts("announcements") == []
    assert evening.direct_messages("Emi") == []


def _approve_and_void(connection: sa.Connection, guild_id: int) -> None:
    game = games.by_number(connection, guild_id, 1)
    ledger.decide(connection, guild_id, game.id, Verdict.APPROVE, KAI, game.reported_at)
    proposal = ledger.propose_void(connection, guild_id, game.id, "slip")
    ledger.carry_out(connection, guild_id, proposal, KAI, game.reported_at)


def _reject_and_reopen(connection: sa.Connection, guild_id: int) -> None:
    game = games.by_number(connection, guild_id, 2)
    ledger.decide(connection, guild_id, game.id, Verdict.REJECT, KAI, game.reported_at, "slip")
    proposal = ledger.propose_reopen(connection, guild_id, game.id)
    ledger.carry_out(connection, guild_id, proposal, KAI, game.reported_at)


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
        told_anew = tellings.RiichiTelling(
            old.players, old.scores[::-1], old.length, None, 0, ranked=True, played_at=old.played_at
        )
        proposal = ledger.propose_amend(
            connection, guild_id, game.id, told_anew, old.played_at, f"reason {count} " + "*" * 400
        )
        ledger.carry_out(connection, guild_id, proposal, KAI, game.reported_at + count)


async def test_settings_of_the_approval_count_for_an_amendment(evening: Evening) -> None:
    await play(evening, GAME)
    changed = {"start_4p": 30000, "return_4p": 30000}
    await evening.store.write(club.change_settings, evening.id, changed, KAI, 1)
    question = await ask(evening, "Kai", "amend", game=1, east_score="45300", south_score="30000")
    assert question["components"]
