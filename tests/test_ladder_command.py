"""/ladder on the local Discord: an admin bans, lifts and looks, and what members then read."""

from __future__ import annotations

from typing import Any

from bot.sandbox import Interaction
from ratings.models import Person
from tests.ban_help import at, ban
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, said


async def ladder(evening: Evening, command: str, by: str = "Kai", /, **options: Any) -> Interaction:
    """Give a command of /ladder in private."""
    interaction = await evening.as_(by).slash(f"ladder {command}", evening.channels["mahjong"], **options)
    assert interaction.ephemeral
    return interaction


async def told(evening: Evening, command: str, by: str = "Kai", /, **options: Any) -> str:
    """What a command of /ladder answers."""
    return said(reply(await ladder(evening, command, by, **options)))


async def test_an_admin_bans_and_lifts(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    ann = evening.users["Ann"]
    answer = await told(evening, "ban", member=ann, reason="two people, *one* account")
    assert "\u2068Ann\u2069 is banned from the ladder until somebody lifts" in answer
    refusal = said(reply(await evening.report(GAME, by="Emi")))
    assert "\u2068Ann\u2069 is banned from the ladder, so only unranked games" in refusal
    assert (await evening.page()).total == 0
    assert "#1 is reported" in said(reply(await evening.report(GAME, by="Emi", ranked=False)))
    assert "banned from the ladder already" in await told(evening, "ban", member=ann, reason="again")
    assert "is lifted" in await told(evening, "unban", "Rei", member=ann)
    assert "No ban" in await told(evening, "unban", member=ann)
    assert "#2 is reported" in said(reply(await evening.report(GAME, by="Emi")))
    bans = await told(evening, "bans")
    assert f"▫️ **\u2068Ann\u2069** (<@{ann['id']}>) · banned by \u2068Kai\u2069" in bans
    assert "lifted by \u2068Rei\u2069" in bans
    assert "> two people, \\*one\\* account" in bans
    assert "0 of 1 in force" in bans


async def test_a_ban_until_a_day_says_when_it_ends(evening: Evening) -> None:
    await evening.as_("Owner").slash("setup", evening.channels["mahjong"], time_zone="Asia/Tokyo")
    end = int(at("2100-01-01 00:00").timestamp())
    answer = await told(evening, "ban", member=evening.users["Ann"], reason="shared", until="31.12.2099")
    assert f"until <t:{end}:f>" in answer
    assert f"until <t:{end}:f>" in said(reply(await evening.report(GAME)))
    assert "until 2100-01-01 00:00" in await told(evening, "bans")
    assert f"already, until <t:{end}:f>" in await told(evening, "ban", member=evening.users["Ann"], reason="again")


async def test_an_end_that_cannot_be_is_answered_in_a_sentence(evening: Evening) -> None:
    wish = {"member": evening.users["Ann"], "reason": "shared"}
    assert "as the end of a ban" in await told(evening, "ban", **wish, until="some day")
    assert "is over already" in await told(evening, "ban", **wish, until="2020-01-01")
    assert "The reason is empty" in await told(evening, "ban", member=wish["member"], reason=" ")
    assert "Nobody was ever banned" in await told(evening, "bans")


async def test_only_admins_ban_lift_and_look(evening: Evening) -> None:
    ann = evening.users["Ann"]
    assert "Only admins" in await told(evening, "ban", "Борис", member=ann, reason="no")
    assert "Only admins" in await told(evening, "unban", "Борис", member=ann)
    assert "Only admins" in await told(evening, "bans", "Борис")
    robot = evening.discord.world.add_user("robot", bot=True)
    evening.discord.world.add_member(evening.guild, robot)
    assert "is a bot" in await told(evening, "ban", member=robot, reason="no")


async def test_somebody_who_has_left_can_be_banned_and_the_ban_lifted(evening: Evening) -> None:
    ann = evening.users["Ann"]
    evening.discord.world.remove_member(evening.guild, ann)
    assert "is banned" in await told(evening, "ban", member=ann, reason="left in a hurry")
    assert "is lifted" in await told(evening, "unban", member=ann)


async def test_no_board_shows_a_ban_and_no_game_is_lost(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    channel, kai = evening.channels["mahjong"], evening.as_("Kai")
    before = reply(await kai.slash("leaderboard", channel))["embeds"]
    await told(evening, "ban", member=evening.users["Ann"], reason="shared")
    after = reply(await kai.slash("leaderboard", channel))["embeds"]
    assert after == before
    assert "Ann" in said(reply(await kai.slash("games list", channel)))


async def test_many_bans_are_listed_in_pages(evening: Evening) -> None:
    for number in range(7):
        await ban(evening.store, Person(900 + number, f"Nr {number}"), f"reason {number}", guild=evening.id)
    first = reply(await ladder(evening, "bans"))
    assert "7 of 7 in force · page 1 of 2" in said(first)
    await evening.as_("Kai").click(first, label="▶")
    await evening.discord.until(lambda: "page 2 of 2" in said(first))
    assert "reason 0" in said(first)
