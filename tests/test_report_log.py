"""/report log as members use it: from the file to the card, with whoever is not known asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.sandbox import SandboxRefusal
from ratings.queries import accounts
from tests.account_help import told as account
from tests.club_evening import JSON, Evening, reply
from tests.correction_help import said
from tests.log_help import FINAL, FINAL_3P, HOUOU_3P, NAMES_3P, agari, draw, init, mjlog
from tests.report_log_help import (
    FRESH,
    LINK,
    LOG_ID,
    MEMBERS,
    TAGS,
    choose,
    choose_all,
    linked,
    log,
    parts,
    submit,
    told,
)


def button(question: JSON, label: str) -> JSON:
    """A button by what is written on it."""
    return next(each for each in parts(question, 2) if label in each["label"])


async def bound(evening: Evening, who: str) -> list[str]:
    """The names of a member's accounts."""
    found = await evening.store.read(accounts.accounts_of, evening.id, int(evening.users[who]["id"]))
    return [each.name for each in found]


async def test_a_table_of_linked_members_is_reported_at_once(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await linked(evening)
    answer = await told(evening, FRESH, by="Emi", link=LINK)
    assert "Game #1 is reported" in answer
    assert "**1st** 東 **\u2068Ann\u2069** 40,000 (+50.0)" in answer
    assert "houou (鳳凰)" in answer
    card = await evening.card_ready(1)
    assert f"📎 [with its game log](https://tenhou.net/0/?log={LOG_ID})" in said(card)
    assert "Reported by \u2068Emi\u2069" in said(card)
    game = await evening.game(1)
    assert datetime.fromtimestamp(game.played_at, UTC) == datetime(2026, 11, 29, 12, tzinfo=UTC)
    await evening.approve(1)
    assert "📎" in said(evening.card(1) or {})


async def test_whoever_is_not_known_is_asked_for(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await account(evening, "link", "Борис", site="tenhou", name=TAGS[1])
    question = reply(await log(evening, link=LINK))
    assert "Who sat where in this game log?" in said(question)
    assert "Hanchan · four players · 2026-11-29 12:00 · houou" in said(question)
    assert "東 \u2068anneke\u2069 40,000 → ❔" in said(question)
    assert "南 \u2068борис2\u2069 30,000 → **\u2068Борис\u2069**" in said(question)
    menus = parts(question, 5)
    assert [menu["placeholder"] for menu in menus] == [
        "東 anneke, 40,000: who is that?",
        "西 千秋, 20,000: who is that?",
        "北 dd, 10,000: who is that?",
    ]
    await choose_all(evening, question, "Ann", "千秋")
    assert button(question, "Submit")["disabled"]
    with pytest.raises(SandboxRefusal):
        await evening.as_("Ann").click(question, label="Submit")
    await choose(evening, question, "Dora", menu=2)
    assert "北 \u2068dd\u2069 10,000 → **\u2068Dora\u2069**" in said(question)
    kept = [int(menu["default_values"][0]["id"]) for menu in parts(question, 5)]
    assert kept == [int(evening.users[name]["id"]) for name in ("Ann", "千秋", "Dora")]
    assert (await evening.page()).total == 0
    assert "Game #1 is reported" in await submit(evening, question)
    await evening.approve(1)
    assert [person.name for person in (await evening.game(1)).people] == list(MEMBERS)
    assert await bound(evening, "Ann") == []


async def test_names_are_linked_if_that_is_wished_and_ones_own(evening: Evening) -> None:
    question = reply(await log(evening, link=LINK))
    await evening.as_("Ann").click(question, label="Link the names: no")
    await choose_all(evening, question, *MEMBERS)
    assert button(question, "Link the names: yes")
    answer = await submit(evening, question)
    assert "“\u2068anneke\u2069” on Tenhou (天鳳) is the account of \u2068Ann\u2069" in answer
    assert [await bound(evening, who) for who in MEMBERS] == [["anneke"], [], [], []]


async def test_an_admin_links_everybodys_names_and_the_next_log_asks_for_nobody(evening: Evening) -> None:
    question = reply(await log(evening, by="Kai", link=LINK))
    await choose_all(evening, question, *MEMBERS, by="Kai")
    await evening.as_("Kai").click(question, label="Link the names: no")
    await submit(evening, question, by="Kai")
    assert [await bound(evening, who) for who in MEMBERS] == [[tag] for tag in TAGS]
    other = mjlog(init(), draw(), init(1), agari(0, 0, FINAL), names=TAGS)
    assert "Game #2 is reported" in await told(evening, other, name="other.mjlog")


async def test_guests_and_namesakes_are_told_apart_by_seat_and_never_linked(evening: Evening) -> None:
    names = ("NoName", "same", "NoName", "same")
    question = reply(await log(evening, mjlog(init(), agari(0, 0, FINAL), names=names), by="Kai", link=LINK))
    assert "Two at this table have one name" in said(question)
    assert [each["placeholder"] for each in parts(question, 5)] == [
        "東 NoName, 40,000: who is that?",
        "南 same, 30,000: who is that?",
        "西 NoName, 20,000: who is that?",
        "北 same, 10,000: who is that?",
    ]
    assert [each["label"] for each in parts(question, 2)] == ["Submit", "Leave it"]
    await choose_all(evening, question, *MEMBERS, by="Kai")
    assert "Game #1 is reported" in await submit(evening, question, by="Kai")
    assert [await bound(evening, who) for who in MEMBERS] == [[]] * 4


async def test_names_with_markup_are_shown_letter_for_letter(evening: Evening) -> None:
    names = ("*_a_*", "<@1>", "\u202ebc", "||d||")
    question = reply(await log(evening, mjlog(init(), agari(0, 0, FINAL), names=names), link=LINK))
    shown = said(question)
    for text in ("\u2068\\*\\_a\\_\\*\u2069", "\u2068\\<\\@", "\u2068bc\u2069", "\u2068\\|\\|d\\|\\|\u2069"):
        assert text in shown
    assert parts(question, 5)[0]["placeholder"] == "東 *_a_*, 40,000: who is that?"


async def test_bots_and_a_member_in_two_seats_are_refused_and_can_be_put_right(evening: Evening) -> None:
    evening.users["robot"] = evening.discord.world.add_user("robot", bot=True)
    evening.discord.world.add_member(evening.guild, evening.users["robot"])
    question = reply(await log(evening, link=LINK))
    await choose_all(evening, question, "Ann", "Борис", "千秋", "robot")
    assert "\u2068robot\u2069 is a bot and cannot have played" in question["content"]
    assert button(question, "Submit")["disabled"]
    await choose(evening, question, "Ann", menu=3)
    assert question["content"] == ""
    click = await evening.as_("Ann").click(question, label="Submit")
    await evening.discord.until(lambda: click.replies)
    assert "\u2068Ann\u2069 cannot sit in two seats" in said(click.replies[-1])
    assert (await evening.page()).total == 0
    await choose(evening, question, "Dora", menu=3)
    assert "Game #1 is reported" in await submit(evening, question)


async def test_after_a_restart_the_menus_say_that_nothing_has_happened(evening: Evening) -> None:
    question = reply(await log(evening, link=LINK))
    await choose_all(evening, question, *MEMBERS)
    await evening.stop_bot()
    await evening.start_bot()
    click = await evening.as_("Ann").click(question, label="Submit")
    assert "I no longer know this log" in said(reply(click))
    again = await evening.as_("Ann").choose(question, parts(question, 5)[0]["custom_id"], [evening.users["Emi"]])
    assert "I no longer know this log" in said(reply(again))
    assert (await evening.page()).total == 0


async def test_a_log_can_be_left(evening: Evening) -> None:
    question = reply(await log(evening, link=LINK))
    await evening.as_("Ann").click(question, label="Leave it")
    assert question["content"] == "Nothing was written down."
    assert question["components"] == question["embeds"] == []


async def test_two_bots_on_one_database_report_once(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    async with evening.second_bot():
        question = reply(await log(evening, link=LINK))
        await choose_all(evening, question, *MEMBERS)
        assert "Game #1 is reported" in await submit(evening, question)
        await linked(evening)
        other = mjlog(init(), draw(), init(1), agari(0, 0, FINAL), names=TAGS)
        assert "Game #2 is reported" in await told(evening, other, name="other.mjlog")
        await evening.card_ready(2)
        await evening.quiet()
        assert (await evening.page()).total == 2
        assert len(evening.posts("approvals")) == 2


async def test_nobody_is_asked_for_names_when_the_log_is_known(evening: Evening) -> None:
    question = reply(await log(evening, link=LINK))
    await choose_all(evening, question, *MEMBERS)
    await submit(evening, question)
    assert "belongs to" in await told(evening, FRESH, by="Emi")


async def test_three_players(evening: Evening) -> None:
    data = mjlog(init(players=3), agari(1, 1, FINAL_3P), kind=HOUOU_3P, names=NAMES_3P)
    question = reply(await log(evening, data, link=LINK.replace("00a9", "00b9")))
    await choose_all(evening, question, "Ann", "Борис", "千秋")
    assert "three players" in await submit(evening, question)
