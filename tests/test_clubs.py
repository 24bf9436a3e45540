"""Clubs are islands; people come, go, and call themselves what they like."""

from __future__ import annotations

import pytest

from bot.letters import APPROVE
from ratings.models import GameState
from tests.club_evening import Club, Evening, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
ODD_NAMES = [
    "_ * ` || ~~@everyone~~ <@&1> [x](https://example.com)",
    "麻雀" * 16,
    "\u202eمحمد\u202c אבג",
    "👨\u200d👩\u200d👧\u200d👦 familie",
    "\u3164",
    "# heading",
    "> quote",
]


async def test_two_clubs_on_one_bot_never_see_each_other(evening: Evening) -> None:
    other = Club(evening.discord, "Другой клуб", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await evening.report(GAME)
    await other.report({"Ann": "9000", "Борис": "15700", "千秋": "30100", "Dora": "45200"})
    ours, theirs = await evening.card_ready(1), await other.card_ready(1)

    await evening.discord.set_roles(other.guild, other.users["Kai"], [])
    await other.as_("Kai").react(theirs, APPROVE)
    await evening.approve(1)
    assert "waiting" in str(other.card(1))

    board = await other.as_("Ann").slash("leaderboard", other.channels["mahjong"])
    assert "Nobody is on this board yet" in reply(board)["embeds"][0]["description"]
    await other.approve(1, by="Rei")
    first = await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"], board="rating")
    second = await other.as_("Ann").slash("leaderboard", other.channels["mahjong"], board="rating")
    assert reply(first)["embeds"][0]["description"].splitlines()[0].startswith("🥇 **\u2068Ann")
    assert reply(second)["embeds"][0]["description"].splitlines()[0].startswith("🥇 **\u2068Dora")
    assert ours["id"] != theirs["id"]


async def test_a_button_of_another_club_decides_nothing_there(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.reject(1)
    other = Club(evening.discord, "Other", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await other.report(GAME)
    await other.reject(1)
    foreign = await other.card_says(1, "rejected")
    ours = (await evening.game(1)).id
    foreign["components"][0]["components"][0]["custom_id"] = f"reason:{ours}"
    form = await other.as_("Kai").click(foreign, custom_id=f"reason:{ours}")
    answer = await other.as_("Kai").submit(form, reason="from outside")
    await evening.discord.until(lambda: answer.replies)
    assert "I do not know that game" in reply(answer)["content"]
    decision = (await evening.game(1)).decision
    assert decision is not None
    assert decision.reason is None


async def test_members_who_left_stay_in_the_history(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    await evening.discord.kick(evening.guild, evening.users["Dora"])
    await evening.approve(1)
    board = await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"])
    assert "Dora" in reply(board)["embeds"][0]["description"]
    listed = await evening.as_("Ann").slash("games list", evening.channels["mahjong"])
    assert "Dora" in reply(listed)["embeds"][0]["description"]


async def test_a_renamed_member_is_shown_under_his_new_name(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    await evening.discord.rename(evening.guild, evening.users["Ann"], nick="Аня")
    await evening.as_("Ann").slash("profile", evening.channels["mahjong"])
    board = await evening.as_("Борис").slash("leaderboard", evening.channels["mahjong"])
    description = reply(board)["embeds"][0]["description"]
    assert "Аня" in description
    assert "Ann" not in description


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_odd_names_are_shown_letter_for_letter_and_ping_nobody(evening: Evening, name: str) -> None:
    await evening.discord.rename(evening.guild, evening.users["Ann"], nick=name)
    await evening.report(GAME, by="Борис")
    await evening.approve(1)
    await evening.discord.until(lambda: evening.posts("announcements"))
    board = reply(await evening.as_("Борис").slash("leaderboard", evening.channels["mahjong"]))
    shown = [evening.posts("announcements")[0], board, evening.card(1) or {}]
    for message in shown:
        text = message["content"] + str([embed.get("description") for embed in message["embeds"]])
        assert "@everyone" not in text
        assert "<@&1>" not in text
        assert "](https://example.com" not in text
        assert "\u3164" not in text
        assert "\u202e" not in text
        assert message["mention_everyone"] is False
        assert message["mention_roles"] == []
    assert await evening.state(1) is GameState.APPROVED
