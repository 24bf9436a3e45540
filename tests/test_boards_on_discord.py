"""Leaderboards and lists as members see them: pages, one's own place, a restart, and Discord's limits."""

from __future__ import annotations

import random
from typing import Any

import sqlalchemy as sa

from ratings.models import GameState, Length, SystemName
from ratings.store import tables
from tests.club_evening import Evening, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
WIDE = "麻雀倶楽部会員名前長過東南西北白發中一二三四五六七八九萬筒索風"


def fill(connection: sa.Connection, guild_id: int, members: int, games: int) -> None:
    """A big club, written straight into the tables: boards only read."""
    chance = random.Random(7)
    first = 10**15
    connection.execute(
        sa.insert(tables.players),
        [{"guild_id": guild_id, "discord_id": first + n, "name": f"{n:03}{WIDE}"[:32]} for n in range(members)],
    )
    ids = (
        connection.execute(
            sa.select(tables.players.c.id)
            .where(tables.players.c.discord_id < first + members)
            .order_by(tables.players.c.id)
        )
        .scalars()
        .all()
    )
    connection.execute(
        sa.insert(tables.standings),
        [
            {
                "guild_id": guild_id,
                "system": SystemName.TENHOU_4P,
                "player_id": player,
                "rank": chance.randrange(21),
                "points": chance.randrange(200),
                "rating": chance.uniform(1200, 2300),
                "games": chance.randrange(1, 400),
            }
            for player in ids
        ],
    )
    if not games:
        return
    connection.execute(
        sa.insert(tables.games),
        [
            {
                "id": number,
                "guild_id": guild_id,
                "number": number,
                "kind": "riichi",
                "state": GameState.APPROVED,
                "length": Length.HANCHAN,
                "sticks": 0,
                "ranked": 1,
                "played_at": 1_700_000_000 + number,
                "reported_at": 1_700_000_000 + number,
                "reported_by": ids[0],
                "report_channel_id": 1,
                "interaction_id": number,
                "fingerprint": str(number),
            }
            for number in range(1, games + 1)
        ],
    )
    connection.execute(
        sa.insert(tables.seats),
        [
            {"game_id": number, "seat": seat, "player_id": player, "score": -123_400}
            for number in range(1, games + 1)
            for seat, player in enumerate(chance.sample(list(ids), 4))
        ],
    )


def labels(message: dict[str, Any]) -> list[str]:
    return [button["label"] for row in message["components"] for button in row["components"]]


async def test_a_small_board_has_no_buttons(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    board = reply(await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"], min_games=1))
    assert board["components"] == []
    few = reply(await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"], min_games=2))
    assert "Nobody" in few["embeds"][0]["description"]


async def test_three_hundred_players_with_wide_names_and_five_thousand_games(evening: Evening) -> None:
    await evening.store.write(fill, evening.id, 300, 5000)
    channel, ann = evening.channels["mahjong"], evening.as_("Ann")
    for board in ("rank", "rating"):
        message = reply(await ann.slash("leaderboard", channel, board=board))
        assert message["embeds"][0]["footer"]["text"].endswith("page 1 of 20")
        turned = 1
        while not next(b for b in message["components"][0]["components"] if b["label"] == "▶")["disabled"]:
            await ann.click(message, label="▶")
            turned += 1
        assert turned == 20
        assert message["embeds"][0]["footer"]["text"].endswith("page 20 of 20")
    listed = reply(await ann.slash("games list", channel))
    await ann.click(listed, label="⏭")
    assert listed["embeds"][0]["footer"]["text"] == "5000 games · page 500 of 500"
    assert "[#1]" in listed["embeds"][0]["description"] or "#1 " in listed["embeds"][0]["description"]


async def test_buttons_work_after_a_restart_and_find_ones_own_place(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    await evening.store.write(fill, evening.id, 60, 0)
    message = reply(await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"]))
    assert labels(message) == ["⏮", "◀", "▶", "⏭", "My place"]
    await evening.stop_bot()
    await evening.start_bot()
    await evening.as_("Dora").click(message, label="My place")
    (line,) = [line for line in message["embeds"][0]["description"].splitlines() if "◀" in line]
    assert "Dora" in line
    stranger = await evening.as_("Emi").click(message, label="My place")
    assert "not on this board" in reply(stranger)["content"]


async def test_a_profile_says_where_a_member_stands(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    other = await evening.as_("Emi").slash("profile", evening.channels["mahjong"], member=evening.users["Ann"])
    text = reply(other)["embeds"][0]["fields"][0]["value"]
    assert "**９級 (9-kyuu)** 0 of 20 points, 20 to ８級 (8-kyuu)" in text
    assert "R1530.0, place 1 of 4" in text
    assert "1 + 0 + 0 + 0 = 1 game" in text


async def test_pending_games_are_listed_first(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.report({"Ann": "25000", "Борис": "25000", "千秋": "25000", "Emi": "25000"})
    await evening.approve(2)
    listed = reply(await evening.as_("Ann").slash("games list", evening.channels["mahjong"]))
    description = listed["embeds"][0]["description"]
    assert description.index("⏳ [#1]") < description.index("✅ [#2]")
    hers = reply(
        await evening.as_("Ann").slash("games list", evening.channels["mahjong"], member=evening.users["Emi"])
    )
    assert "#1" not in hers["embeds"][0]["description"]
