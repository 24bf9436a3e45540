"""What goes wrong around the desk: guilds that cannot be seen yet, failed writes, lost channels, odd choices."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
import sqlalchemy as sa

from bot.letters import APPROVE, REJECT
from bot.sandbox import Permission, overwrite
from bot.sandbox.sessions import Session
from ratings import club, ledger
from ratings.models import GameState, Length, Person, Report
from ratings.store import outbox, tables
from tests.club_evening import Club, Evening, reactions, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
DRAW = {"Ann": "25000", "Борис": "25000", "千秋": "25000", "Dora": "25000"}


async def neighbours(evening: Evening) -> Club:
    """A second club with the same people, on the same bot."""
    other = Club(evening.discord, "Ume", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    return other


@pytest.mark.parametrize("fault", ["cut", "5xx"])
async def test_a_card_that_cannot_be_looked_at_is_looked_at_again(evening: Evening, fault: str) -> None:
    await evening.report(GAME)
    await evening.report(DRAW)
    first, second = await evening.card_ready(1), await evening.card_ready(2)
    await evening.stop_bot()
    await evening.as_("Kai").react(first, APPROVE)
    await evening.as_("Kai").react(second, REJECT)
    if fault == "cut":
        evening.discord.faults.cut("GET", rf"/messages/{first['id']}$", times=3)
    else:
        evening.discord.faults.fail("GET", rf"/messages/{first['id']}$", status=500, times=1)
    await evening.start_bot()
    await evening.card_says(1, "approved")
    await evening.card_says(2, "rejected")


async def test_a_guild_seen_late_is_looked_at_when_it_is_seen(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    await evening.stop_bot()
    await evening.as_("Kai").react(card, APPROVE)
    dispatch, late = Session.dispatch, asyncio.get_running_loop().call_later

    def slow(self: Session, name: str, *args: Any, **options: Any) -> None:
        if name == "GUILD_CREATE":
            late(0.5, lambda: dispatch(self, name, *args, **options))
        else:
            dispatch(self, name, *args, **options)

    monkeypatch.setattr(Session, "dispatch", slow)
    await evening.start_bot()
    await evening.card_says(1, "approved")
    assert reactions(evening.card(1))[APPROVE] == 2


async def test_a_bot_that_is_invited_again_looks_at_its_cards(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    evening.discord.actions.bot_leaves(evening.guild)
    await evening.as_("Kai").react(card, APPROVE)
    evening.discord.actions.bot_joins(evening.guild)
    await evening.card_says(1, "approved")


async def test_a_decision_whose_write_fails_is_taken_all_the_same(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    decide, failures = ledger.decide, iter([True])

    def fails_once(*args: Any) -> ledger.Decision:
        if next(failures, False):
            raise sa.exc.OperationalError("UPDATE games", {}, Exception("server closed the connection"))
        return decide(*args)

    monkeypatch.setattr(ledger, "decide", fails_once)
    await evening.as_("Kai").react(card, APPROVE)
    await evening.card_says(1, "approved")
    await evening.assert_one_decision(1)


async def test_the_admin_role_and_manage_server_may_both_set_up(evening: Evening) -> None:
    moderator = await evening.discord.create_role(evening.guild, "Mod", permissions=Permission.MANAGE_GUILD)
    evening.join("Max", [moderator])
    for name in ("Kai", "Max"):
        shown = await evening.as_(name).slash("setup", evening.channels["mahjong"])
        assert "How the club is set up" in reply(shown)["embeds"][0]["title"]
    denied = await evening.as_("Ann").slash("setup", evening.channels["mahjong"])
    assert "Only admins" in reply(denied)["content"]


async def test_everyone_is_no_admin_role_and_a_choice_can_be_taken_back(evening: Evening) -> None:
    channel, owner = evening.channels["mahjong"], evening.as_("Owner")
    everyone = next(role for role in evening.guild["roles"] if role["id"] == evening.guild["id"])
    refused = await owner.slash("setup", channel, admin_role=everyone)
    assert "every member could approve" in reply(refused)["content"]
    await owner.slash("setup", channel, forget="admin_role")
    assert (await evening.store.read(club.settings, evening.id)).admin_role is None


async def test_dates_beyond_reason_are_refused(evening: Evening) -> None:
    await evening.as_("Owner").slash("setup", evening.channels["mahjong"], time_zone="America/New_York")
    answer = await evening.report(GAME, played="0001-01-01T00:00Z")
    assert "before the year 2000" in reply(answer)["content"]
    assert (await evening.page()).total == 0


async def test_two_clubs_write_to_one_reporter_without_mixing_their_posts(evening: Evening) -> None:
    other = await neighbours(evening)
    await evening.report(GAME, by="Emi")
    await other.report(GAME, by="Emi")
    await evening.reject(1)
    await evening.discord.until(lambda: len(evening.direct_messages("Emi")) == 1)
    chat = evening.discord.world.dm_channel(evening.users["Emi"])
    evening.discord.faults.cut("POST", rf"/channels/{chat['id']}/messages$", times=2)
    await other.reject(1)
    await evening.discord.until(lambda: len(evening.direct_messages("Emi")) == 2)
    await evening.quiet()
    titles = [message["embeds"][0]["title"] for message in evening.direct_messages("Emi")]
    assert ["Sakura" in titles[0], "Ume" in titles[1], len(titles)] == [True, True, 2]


async def test_each_reason_reaches_the_reporter(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    await evening.reject(1)
    card = await evening.card_says(1, "rejected")
    for count, reason in enumerate(("first thought", "second thought"), 2):
        button = "Add a reason" if count == 2 else "Change the reason"
        await evening.discord.until(lambda button=button: button in str(evening.card(1)))  # type: ignore[misc]
        form = await evening.as_("Rei").click(card, label=button)
        await evening.as_("Rei").submit(form, reason=reason)
        await evening.discord.until(lambda count=count: len(evening.direct_messages("Emi")) == count)  # type: ignore[misc]
        assert reason in str(evening.direct_messages("Emi")[-1]["embeds"])


async def test_cards_in_a_channel_that_is_deleted_are_missed_at_once(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    await evening.discord.delete_channel(evening.channels["approvals"])
    await evening.discord.until(lambda: any("cannot post" in title for title in evening.titles("mahjong")))
    answer = await evening.report(DRAW)
    assert "I cannot post its card" in reply(answer)["embeds"][0]["description"]


async def test_a_player_who_has_left_is_named_in_the_refusal(evening: Evening) -> None:
    await evening.discord.kick(evening.guild, evening.users["Dora"])
    answer = await evening.report(GAME)
    assert "Dora\u2069 is not a member of this server any more" in reply(answer)["content"]


async def test_a_name_that_cannot_be_kept_fails_no_command(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise sa.exc.OperationalError("SELECT", {}, Exception("server closed the connection"))

    monkeypatch.setattr(evening.bot, "remember", fails)
    assert "Game #1 is reported" in reply(await evening.report(GAME))["embeds"][0]["title"]


async def test_a_letter_that_cannot_be_taken_does_not_keep_the_bot_busy(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    await evening.quiet()
    tries: list[int] = []
    handle = evening.bot.worker._handle

    async def counted(letter_id: int) -> None:
        tries.append(letter_id)
        await handle(letter_id)

    evening.bot.worker._handle = counted  # type: ignore[method-assign]
    await evening.store.write(_spoil, evening.id, (await evening.game(1)).id)
    evening.bot.worker.wake()
    other = await neighbours(evening)
    await other.report(GAME)
    await evening.discord.until(lambda: len(reactions(other.card(1))) == 2)
    assert len([letter for letter in tries if letter == tries[0]]) == 1


def _spoil(connection: sa.Connection, guild_id: int, game_id: int) -> None:
    """A setting that no longer means anything, and a letter that needs it."""
    (author,) = club.player_ids(connection, guild_id, [Person(1, "x")])
    nonsense = {"name": "time_zone", "value": '"Nowhere/Land"', "changed_by": author, "changed_at": 1}
    connection.execute(sa.insert(tables.settings_changes).values(guild_id=guild_id, **nonsense))
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game_id], int(time.time()))


async def test_one_clubs_backlog_does_not_hold_up_another(evening: Evening) -> None:
    other = await neighbours(evening)
    await other.report(GAME)
    card = await other.card_ready(1)
    await evening.quiet()
    slow = evening.discord.faults.hold("POST", rf"/channels/{evening.channels['approvals']['id']}/messages$")
    await evening.store.write(_backlog, evening.id, int(evening.channels["mahjong"]["id"]))
    evening.bot.worker.wake()
    await slow.reached.wait()
    await other.as_("Rei").react(card, APPROVE)
    await other.card_says(1, "approved")
    assert await evening.state(1) is GameState.PENDING
    slow.release()


def _backlog(connection: sa.Connection, guild_id: int, channel_id: int) -> None:
    people = tuple(Person(100 + seat, f"p{seat}") for seat in range(4))
    now = int(time.time())
    for number in range(450):
        told = Report(
            Person(1, "r"), people, (25000,) * 4, Length.HANCHAN, None, 0, True, now, channel_id, 10_000 + number
        )
        ledger.submit(connection, guild_id, told, now)


async def test_where_no_channel_is_open_the_owner_is_told(evening: Evening) -> None:
    role = evening.discord.world.bot_role(evening.guild)
    for channel in evening.channels.values():
        await evening.discord.set_overwrites(channel, [overwrite(role, deny=Permission.SEND_MESSAGES)])
    await evening.report(GAME)
    chat = evening.discord.world.dm_channel(evening.owner)
    await evening.discord.until(lambda: evening.discord.world.history(chat))
    (told,) = evening.discord.world.history(chat)
    assert "Sakura\u2069: I cannot post in the approvals channel" in told["embeds"][0]["title"]
    assert await evening.state(1) is GameState.PENDING


async def test_news_falls_back_to_where_the_game_was_reported(evening: Evening) -> None:
    role = evening.discord.world.bot_role(evening.guild)
    closed = overwrite(role, deny=Permission.SEND_MESSAGES)
    await evening.discord.set_overwrites(evening.channels["announcements"], [closed])
    await evening.report(GAME)
    await evening.approve(1)
    await evening.discord.until(lambda: any("Promotion" in title for title in evening.titles("mahjong")))


async def test_a_decision_is_kept_when_its_card_can_no_longer_be_changed(evening: Evening) -> None:
    await evening.report(GAME)
    card = await evening.card_ready(1)
    evening.discord.faults.fail("PATCH", rf"/messages/{card['id']}$", status=403, code=50001)
    await evening.as_("Kai").react(card, APPROVE)
    await evening.discord.until(lambda: evening.posts("announcements"))
    await evening.quiet()
    await evening.assert_one_decision(1)
    assert await evening.state(1) is GameState.APPROVED


async def test_without_the_right_to_react_the_card_hangs_all_the_same(evening: Evening) -> None:
    role = evening.discord.world.bot_role(evening.guild)
    closed = overwrite(role, deny=Permission.ADD_REACTIONS)
    await evening.discord.set_overwrites(evening.channels["approvals"], [closed])
    await evening.report(GAME)
    await evening.discord.until(lambda: evening.card(1) is not None)
    card = evening.card(1)
    assert card is not None
    await evening.as_("Kai").react(card, APPROVE)
    await evening.card_says(1, "approved")
