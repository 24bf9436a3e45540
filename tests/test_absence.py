"""What happens while the bot is away, or the network misbehaves: found, retried, said once."""

from __future__ import annotations

import pytest

from bot.letters import APPROVE, REJECT
from ratings.models import GameState
from tests.club_evening import Evening, reactions

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
DRAW = {"Ann": "25000", "Борис": "25000", "千秋": "25000", "Dora": "25000"}
POST = r"/channels/\d+/messages"


def news(evening: Evening) -> list[str]:
    """The footers of the announcements."""
    return [embed["footer"]["text"] for post in evening.posts("announcements") for embed in post["embeds"]]


async def test_reactions_given_while_the_bot_was_away_are_decided_at_start(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.report(DRAW)
    first, second = await evening.card_ready(1), await evening.card_ready(2)
    await evening.stop_bot()
    await evening.as_("Ann").react(first, APPROVE)
    await evening.as_("Kai").react(first, APPROVE)
    await evening.as_("Ann").react(second, REJECT)
    await evening.start_bot()
    await evening.card_says(1, "approved")
    await evening.discord.until(lambda: reactions(evening.card(2))[REJECT] == 1)
    await evening.quiet()
    assert await evening.state(2) is GameState.PENDING
    assert news(evening) == ["#1 · news"]


async def test_the_right_is_checked_when_the_bot_is_back(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.stop_bot()
    await evening.as_("Kai").react(card, APPROVE)
    await evening.discord.set_roles(evening.guild, evening.users["Kai"], [])
    await evening.start_bot()
    await evening.discord.until(lambda: reactions(evening.card(1))[APPROVE] == 1)
    assert await evening.state(1) is GameState.PENDING


async def test_an_admin_who_left_meanwhile_decides_nothing(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.stop_bot()
    await evening.as_("Kai").react(card, APPROVE)
    await evening.discord.kick(evening.guild, evening.users["Kai"])
    await evening.start_bot()
    await evening.approve(1, by="Rei")
    assert evening.card(1) is not None
    assert "Rei" in str(evening.card(1))


async def test_with_both_verdicts_waiting_the_rejection_counts(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.stop_bot()
    await evening.as_("Kai").react(card, APPROVE)
    await evening.as_("Rei").react(card, REJECT)
    await evening.start_bot()
    await evening.card_says(1, "rejected")
    await evening.assert_one_decision(1)


async def test_a_card_deleted_while_the_bot_was_away_comes_again(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.stop_bot()
    await evening.as_("Owner").delete(card)
    await evening.start_bot()
    await evening.approve(1)


@pytest.mark.parametrize("abrupt", [False, True])
async def test_a_resumed_connection_misses_no_reaction(evening: Evening, abrupt: bool) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    evening.discord.faults.lose("MESSAGE_REACTION_ADD")
    await evening.as_("Kai").react(card, APPROVE)
    await evening.discord.drop_gateway(resumable=True, abrupt=abrupt)
    await evening.card_says(1, "approved")
    await evening.quiet()
    await evening.assert_one_decision(1)
    assert news(evening) == ["#1 · news"]


async def test_a_new_session_misses_no_reaction(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    evening.discord.faults.lose("MESSAGE_REACTION_ADD")
    await evening.as_("Kai").react(card, APPROVE)
    await evening.discord.drop_gateway(resumable=False)
    await evening.card_says(1, "approved")


@pytest.mark.parametrize("fault", ["reset before", "reset after", "5xx before", "5xx after", "429"])
@pytest.mark.parametrize("channel", ["approvals", "announcements"])
async def test_a_post_that_fails_is_retried_until_it_is_out_and_out_once(
    evening: Evening, fault: str, channel: str
) -> None:
    path = rf"/channels/{evening.channels[channel]['id']}/messages$"
    faults = evening.discord.faults
    match fault.split():
        case ["reset", when]:
            faults.cut("POST", path, times=2, done=when == "after")
        case ["5xx", when]:
            faults.fail("POST", path, status=502, done=when == "after")
        case _:
            faults.rate_limit("POST", path, retry_after=0.1, times=2)
    await evening.report(GAME)
    await evening.approve(1)
    await evening.discord.until(lambda: evening.posts("announcements"))
    await evening.quiet()
    assert news(evening) == ["#1 · news"]
    assert len(evening.posts("approvals")) == 1


@pytest.mark.parametrize("done", [False, True])
async def test_a_lost_answer_makes_no_second_post_even_after_the_nonce_is_forgotten(
    evening: Evening, done: bool
) -> None:
    evening.discord.nonce_window = 0.0
    evening.discord.faults.cut("POST", POST, done=done)
    await evening.report(GAME)
    await evening.card_ready(1)
    evening.discord.faults.cut("POST", POST, done=done)
    await evening.approve(1)
    await evening.discord.until(lambda: evening.posts("announcements"))
    await evening.quiet()
    assert len(evening.posts("approvals")) == 1
    assert news(evening) == ["#1 · news"]


async def test_a_cut_while_the_reactions_are_added_leaves_a_complete_card(evening: Evening) -> None:
    evening.discord.faults.cut("PUT", r"/reactions/", times=2)
    await evening.report(GAME)
    await evening.approve(1)


async def test_two_bots_on_one_database_say_everything_once(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    games = [GAME, DRAW, {"Ann": "9000", "Борис": "30100", "千秋": "15700", "Emi": "45200"}]
    async with evening.second_bot():
        for number, game in enumerate(games, 1):
            await evening.report(game)
            await evening.approve(number)
            await evening.assert_one_decision(number)
        await evening.discord.until(lambda: len(news(evening)) >= 2)
        await evening.quiet()
    assert len(news(evening)) == len(set(news(evening)))
    assert len(evening.posts("approvals")) == 3


async def test_what_discord_says_after_the_bot_has_left_is_not_heard(evening: Evening) -> None:
    await evening.stop_bot()
    # A session that was still beginning is announced when its guilds are counted, which may be too late.
    evening.bot.dispatch("ready")
    evening.bot.dispatch("resumed")
    await evening.start_bot()
    await evening.report(GAME)
    await evening.approve(1)
