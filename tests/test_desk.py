"""The approval desk: who may decide, when, and that there is one decision whatever happens at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.letters import APPROVE, REJECT
from bot.sandbox import Permission, overwrite
from ratings.models import GameState
from tests.club_evening import Evening, reactions, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}


async def announced(evening: Evening, number: int) -> int:
    """How often the rank news of a game was posted."""
    footers = [embed["footer"]["text"] for post in evening.posts("announcements") for embed in post["embeds"]]
    return footers.count(f"#{number} · news")


async def test_a_rejected_game_tells_the_reporter_and_an_admin_adds_the_reason(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    await evening.reject(1)
    await evening.discord.until(lambda: evening.direct_messages("Emi"))
    card = await evening.card_says(1, "rejected")
    form = await evening.as_("Rei").click(card, label="Add a reason")
    await evening.as_("Rei").submit(form, reason="Dora had 9100, *not* 9000")
    await evening.discord.until(lambda: len(evening.direct_messages("Emi")) == 2)
    assert "Dora had 9100, \\*not\\* 9000" in evening.direct_messages("Emi")[1]["embeds"][0]["description"]
    await evening.discord.until(lambda: "Dora had 9100" in str(evening.card(1)))
    assert await evening.state(1) is GameState.REJECTED
    assert evening.posts("announcements") == []


async def test_a_member_cannot_open_the_form_for_the_reason(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.reject(1)
    card = await evening.card_says(1, "rejected")
    answer = await evening.as_("Ann").click(card, label="Add a reason")
    assert answer.modal is None
    assert "Only admins" in reply(answer)["content"]


async def test_closed_direct_messages_do_not_keep_the_news_from_the_reporter(evening: Evening) -> None:
    evening.users["Emi"]["dms_closed"] = True
    await evening.report(GAME, by="Emi")
    await evening.reject(1)
    await evening.discord.until(lambda: any("game #1" in title for title in evening.titles("mahjong")))
    told = evening.posts("mahjong")[-1]
    assert told["content"] == f"<@{evening.users['Emi']['id']}>"


async def test_a_reaction_without_the_right_is_taken_away_with_a_note(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.as_("Ann").react(card, APPROVE)
    await evening.discord.until(lambda: reactions(evening.card(1))[APPROVE] == 1)
    await evening.discord.until(
        lambda: any("only admins" in post["content"] for post in evening.posts("approvals"))
    )
    await evening.as_("Борис").react(card, "🀄")
    await evening.approve(1)
    assert reactions(evening.card(1))["🀄"] == 1


async def test_the_right_counts_at_the_moment_of_the_reaction(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [])
    await evening.as_("Kai").react(card, APPROVE)
    await evening.discord.until(lambda: reactions(evening.card(1))[APPROVE] == 1)
    assert await evening.state(1) is GameState.PENDING
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [evening.referee])
    await evening.approve(1)


async def test_manage_server_is_enough(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1, by="Owner")


async def test_an_emoji_from_a_keyboard_that_adds_a_selector(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.as_("Kai").react(card, APPROVE + "\ufe0f")
    await evening.card_says(1, "approved")


@pytest.mark.parametrize("other", [APPROVE, REJECT])
async def test_two_admins_at_once_make_one_decision(evening: Evening, other: str) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await asyncio.gather(evening.as_("Kai").react(card, APPROVE), evening.as_("Rei").react(card, other))
    await evening.discord.until(lambda: "waiting" not in str(evening.card(1)))
    await evening.quiet()
    await evening.assert_one_decision(1)
    assert await announced(evening, 1) == (1 if await evening.state(1) is GameState.APPROVED else 0)


async def test_add_remove_add_makes_one_decision(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    kai = evening.as_("Kai")
    await kai.react(card, APPROVE)
    await kai.unreact(card, APPROVE)
    await kai.react(card, APPROVE)
    await evening.card_says(1, "approved")
    await evening.quiet()
    await evening.assert_one_decision(1)
    assert await announced(evening, 1) == 1


async def test_an_event_delivered_twice_makes_one_decision(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    evening.discord.faults.repeat("MESSAGE_REACTION_ADD", times=5)
    await evening.approve(1)
    await evening.quiet()
    await evening.assert_one_decision(1)
    assert await announced(evening, 1) == 1


async def test_a_deleted_card_comes_again(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.as_("Owner").delete(card)
    await evening.discord.until(lambda: (evening.card(1) or card)["id"] != card["id"])
    await evening.approve(1)
    again = evening.card(1)
    assert again is not None
    await evening.as_("Owner").delete(again)
    await evening.report({"Ann": "25000", "Борис": "25000", "千秋": "25000", "Dora": "25000"})
    await evening.card_ready(2)
    await evening.quiet()
    assert evening.card(1) is None


async def test_cards_deleted_in_bulk_come_again(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.report({"Ann": "25000", "Борис": "25000", "千秋": "25000", "Dora": "25000"})
    old = [await evening.card_ready(1), await evening.card_ready(2)]
    await evening.discord.delete_messages(old)
    await evening.approve(1)
    await evening.approve(2)


async def test_open_cards_of_the_same_players_show_the_new_forecast(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.report({"Ann": "40000", "Борис": "30000", "千秋": "20000", "Dora": "10000"})
    await evening.card_ready(2)
    await evening.approve(1)
    await evening.discord.until(lambda: "R 1530 →" in str(evening.card(2)))
    assert "９級 (9-kyuu) ⬆️ **８級 (8-kyuu)**" in str(evening.card(2))


async def test_a_game_is_decided_by_command(evening: Evening) -> None:
    await evening.report(GAME)
    channel = evening.channels["mahjong"]
    denied = await evening.as_("Ann").slash("games decide", channel, game=1, verdict="approve")
    assert "Only admins" in reply(denied)["content"]
    (choice,) = await evening.as_("Kai").autocomplete(
        "games decide", channel, option="game", text="", verdict="approve"
    )
    assert choice["value"] == 1
    assert "Борис" in choice["name"]
    done = await evening.as_("Kai").slash("games decide", channel, game=1, verdict="reject", reason="Twice")
    assert "rejected" in reply(done)["content"]
    await evening.discord.until(lambda: evening.direct_messages("Ann"))
    assert "Twice" in evening.direct_messages("Ann")[0]["embeds"][0]["description"]
    late = await evening.as_("Rei").slash("games decide", channel, game=1, verdict="approve")
    assert "rejected already" in reply(late)["content"]
    nothing = await evening.as_("Rei").slash("games decide", channel, game=77, verdict="approve")
    assert "I do not know that game" in reply(nothing)["content"]


async def test_the_approvals_channel_disappears(evening: Evening) -> None:
    await evening.discord.delete_channel(evening.channels["approvals"])
    await evening.report(GAME)
    await evening.discord.until(lambda: any("cannot post" in title for title in evening.titles("mahjong")))
    await evening.report({"Ann": "25000", "Борис": "25000", "千秋": "25000", "Dora": "25000"})
    await evening.quiet()
    alarms = [post for post in evening.posts("mahjong") if "cannot post" in str(post["embeds"])]
    assert len(alarms) == 1
    assert alarms[0]["content"] == f"<@&{evening.referee['id']}>"
    assert await evening.state(1) is GameState.PENDING
    done = await evening.as_("Kai").slash("games decide", evening.channels["mahjong"], game=1, verdict="approve")
    assert "approved" in reply(done)["content"]
    await evening.discord.until(lambda: evening.posts("announcements"))
    new = await evening.discord.create_channel(evening.guild, "desk")
    evening.channels["approvals"] = new
    await evening.as_("Owner").slash("setup", evening.channels["mahjong"], approvals=new)
    await evening.approve(2)


async def test_a_forbidden_approvals_channel_opens_again(evening: Evening) -> None:
    role = evening.discord.world.bot_role(evening.guild)
    closed = overwrite(role, deny=Permission.SEND_MESSAGES)
    await evening.discord.set_overwrites(evening.channels["approvals"], [closed])
    setup = await evening.set_up()
    assert "Send Messages" in reply(setup)["embeds"][0]["fields"][0]["value"]
    await evening.report(GAME)
    await evening.discord.until(lambda: any("cannot post" in title for title in evening.titles("mahjong")))
    await evening.discord.set_overwrites(evening.channels["approvals"], [])
    await evening.set_up()
    await evening.approve(1)


async def test_cards_follow_when_the_club_moves_its_approvals(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    await evening.as_("Owner").slash(
        "setup", evening.channels["mahjong"], approvals=evening.channels["announcements"]
    )
    await evening.card_ready(1, "announcements")
    await evening.discord.until(lambda: evening.card(1, "approvals") is None)
