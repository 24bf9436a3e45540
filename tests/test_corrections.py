"""Corrections as a club sees them: what would move is shown first, then done, announced, and on record."""

from __future__ import annotations

import sqlalchemy as sa

from ratings import club, ledger
from ratings.models import GameState, Verdict
from ratings.queries import games
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, OTHER, ask, confirm, figures, play, said, told
from tests.ledger_help import KAI, another, riichi


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
    # Nobody was congratulated on the rank that the correction takes back.
    assert evening.titles("announcements") == ["✏️ Correction 訂正"]
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


async def test_settings_of_the_approval_count_for_an_amendment(evening: Evening) -> None:
    await play(evening, GAME)
    changed = {"start_4p": 30000, "return_4p": 30000}
    await evening.store.write(club.change_settings, evening.id, changed, KAI, 1)
    question = await ask(evening, "Kai", "amend", game=1, east_score="45300", south_score="30000")
    assert question["components"]
