"""/report log as members use it: from the file to the card, with whoever is not known asked for."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import discord
import pytest

import bot.answers
import bot.log_report
from bot.sandbox import Interaction, SandboxRefusal
from bot.sandbox.objects import walk_components
from ratings.logs import LARGEST_FILE, GameLog
from ratings.models import GameState
from ratings.queries import accounts
from tests.club_evening import JSON, Evening, reply
from tests.correction_help import answered, ask, confirm, said
from tests.ledger_help import riichi
from tests.log_help import (
    FINAL,
    FINAL_3P,
    HOUOU,
    HOUOU_3P,
    NAMES_3P,
    TSUMO,
    agari,
    draw,
    hand_json,
    init,
    mjlog,
    tenhou6,
)
from tests.test_accounts import told as account

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "logs"
MEMBERS = ("Ann", "Борис", "千秋", "Dora")
TAGS = ("anneke", "борис2", "千秋", "dd")
BY_HAND = dict(zip(MEMBERS, ("40000", "30000", "20000", "10000"), strict=True))
LOG_ID = "2026112921gm-00a9-0000-0123abcd"
# Of a game that began in this hour, as those that are reported by hand.
RECENT = f"{datetime.now(timezone(timedelta(hours=9))):%Y%m%d%H}gm-00a9-0000-0123abcd"
LINK = f"https://tenhou.net/0/?log={LOG_ID}&tw=2"
FRESH = mjlog(init(), agari(0, 0, FINAL), names=TAGS)


async def log(
    evening: Evening, data: bytes = FRESH, /, by: str = "Ann", name: str = f"{LOG_ID}.mjlog", **options: Any
) -> Interaction:
    """Give /report log in private."""
    channel = evening.channels["mahjong"]
    interaction = await evening.as_(by).slash("report log", channel, file=(name, data), **options)
    assert interaction.ephemeral
    return interaction


async def told(evening: Evening, data: bytes = FRESH, /, **options: Any) -> str:
    """What /report log answers."""
    return said(reply(await log(evening, data, **options)))


async def linked(evening: Evening) -> None:
    """Let the four of the log link their accounts."""
    for member, tag in zip(MEMBERS, TAGS, strict=True):
        await account(evening, "link", member, site="tenhou", name=tag)


def parts(question: JSON, kind: int) -> list[JSON]:
    """The menus (5) or buttons (2) under a question."""
    return [each for each in walk_components(question["components"]) if each["type"] == kind]


def button(question: JSON, label: str) -> JSON:
    """A button by what is written on it."""
    return next(each for each in parts(question, 2) if label in each["label"])


async def choose(evening: Evening, question: JSON, who: str, *, by: str = "Ann", menu: int) -> None:
    """Choose a member in a menu of a question."""
    chosen = await evening.as_(by).choose(question, parts(question, 5)[menu]["custom_id"], [evening.users[who]])
    assert not chosen.failed


async def choose_all(evening: Evening, question: JSON, *members: str, by: str = "Ann") -> None:
    """Choose these members in the menus of a question, one after the other."""
    for menu, who in enumerate(members):
        await choose(evening, question, who, by=by, menu=menu)


async def submit(evening: Evening, question: JSON, *, by: str = "Ann") -> str:
    """Press Submit; what then stands in place of the question."""
    before = list(question["components"])
    await evening.as_(by).click(question, label="Submit")
    return said(await answered(evening, question, before))


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
    assert "Game #2 is reported" in await told(evening, other)


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
        assert "Game #2 is reported" in await told(evening, other)
        await evening.card_ready(2)
        await evening.quiet()
        assert (await evening.page()).total == 2
        assert len(evening.posts("approvals")) == 2


# What the club knows already


async def test_a_game_reported_by_hand_gets_its_log_and_its_card_says_so(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await evening.report(BY_HAND, by="Emi")
    await evening.approve(1)
    assert "📎" not in said(evening.card(1) or {})
    await linked(evening)
    answer = await told(evening, FRESH, link=RECENT)
    assert "The log is attached to game #1" in answer
    assert "everything agrees" in answer
    await evening.discord.until(lambda: "📎" in said(evening.card(1) or {}))
    assert (await evening.page()).total == 1
    assert await evening.state(1) is GameState.APPROVED


async def test_a_pending_game_keeps_its_card_when_a_log_comes(evening: Evening) -> None:
    await evening.report(BY_HAND, by="Emi")
    old = await evening.card_ready(1)
    await linked(evening)
    await told(evening, FRESH, link=RECENT)
    await evening.discord.until(lambda: "📎" in said(evening.card(1) or {}))
    assert (evening.card(1) or {})["id"] == old["id"]
    await evening.approve(1)


async def test_a_game_reported_by_hand_that_differs_is_told_and_nothing_is_kept(evening: Evening) -> None:
    await evening.report(BY_HAND | {"Ann": "30000", "Борис": "40000"}, by="Emi", length="tonpuu")
    card = await evening.card_ready(1)
    await linked(evening)
    answer = await told(evening, FRESH, link=RECENT)
    assert f"[game #1](https://discord.com/channels/{evening.id}/{card['channel_id']}/{card['id']})" in answer
    assert "- \u2068Ann\u2069 has 30,000 in the report and 40,000 in the log." in answer
    assert "- The report says tonpuu, the log says hanchan." in answer
    assert "Nothing was kept" in answer
    await evening.quiet()
    assert (await evening.page()).total == 1
    assert (await evening.game(1)).log is None


async def test_the_same_log_again_is_linked_to_the_first(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH)
    card = await evening.card_ready(1)
    place = f"[game #1](https://discord.com/channels/{evening.id}/{card['channel_id']}/{card['id']})"
    assert f"This log belongs to {place} already" in await told(evening, gzip.compress(FRESH), by="Борис")
    assert (await evening.page()).total == 1


async def test_a_rejected_game_gives_its_log_to_the_right_one(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await linked(evening)
    await told(evening)
    await evening.card_ready(1)
    await evening.reject(1)
    assert "Game #2 is reported" in await told(evening)
    assert "📎" in said(await evening.card_ready(2))
    await evening.discord.until(lambda: "📎" not in said(evening.card(1) or {}))


async def test_a_game_with_a_log_is_not_amended_against_it(evening: Evening) -> None:
    await linked(evening)
    await told(evening)
    seats = {"east": evening.users["Борис"], "south": evening.users["Ann"]}
    question = reply(await evening.as_("Kai").slash("game amend", evening.channels["mahjong"], game=1, **seats))
    assert "Who sat where and what everybody scored is what the log of" in said(question)
    assert [person.name for person in (await evening.game(1)).people] == list(MEMBERS)


async def test_nobody_is_asked_for_names_when_the_log_is_known(evening: Evening) -> None:
    question = reply(await log(evening, link=LINK))
    await choose_all(evening, question, *MEMBERS)
    await submit(evening, question)
    assert "belongs to" in await told(evening, FRESH, by="Emi")


# What counts, and what does not


@pytest.mark.parametrize(
    ("go", "kind", "reason"),
    [
        ('lobby="7447"', HOUOU, "in a private lobby"),
        ('lobby="0" csrule="4007C004,,"', HOUOU, "with rules of its own"),
        ('lobby="0"', HOUOU | 0x200, "a parlour game (雀荘)"),
    ],
)
async def test_games_that_were_unranked_give_statistics_only(
    evening: Evening, go: str, kind: int, reason: str
) -> None:
    await linked(evening)
    data = mjlog(init(), agari(0, 0, FINAL), names=TAGS, go=go, kind=kind)
    answer = await told(evening, data, name="game.mjlog")
    assert reason in answer
    assert "statistics only" in answer
    assert "unranked" in said(await evening.card_ready(1))
    assert not riichi(await evening.game(1)).ranked
    await evening.approve(1)


async def test_an_mjlog_without_its_link_is_for_the_statistics_until_the_link_comes(evening: Evening) -> None:
    await linked(evening)
    answer = await told(evening, name="game.mjlog")
    assert "does not say which lobby" in answer
    assert "give the file again with its link, after /game withdraw" in answer
    assert not riichi(await evening.game(1)).ranked
    await confirm(evening, "Ann", await ask(evening, "Ann", "withdraw", game=1))
    assert "Game #2 is reported" in await told(evening, link=LINK)
    assert riichi(await evening.game(2)).ranked


async def test_a_ranked_report_and_a_log_that_is_not_one_are_told_apart(evening: Evening) -> None:
    await evening.report(BY_HAND, by="Emi")
    await linked(evening)
    assert "but the log was given with ranked: no" in await told(evening, link=RECENT, ranked=False)
    assert "Give the link with the file" in await told(evening, name="game.mjlog")
    assert "The log is attached to game #1" in await told(evening, link=RECENT)


async def test_a_ranked_game_can_be_for_the_statistics_only(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH, ranked=False)
    assert not riichi(await evening.game(1)).ranked
    assert riichi(await evening.game(1)).lobby is None


async def test_a_mahjong_soul_game_knows_members_by_their_names_there(evening: Evening) -> None:
    for member, tag in zip(MEMBERS, TAGS, strict=True):
        await account(evening, "link", member, site="mahjong-soul", name=tag)
    soul = tenhou6(
        hand_json(TSUMO), ref="231014-84c11a6f-b3f7-4363-966e-25f37886cfbf", name=list(TAGS), dan=["雀傑★1"] * 4
    )
    answer = await told(evening, soul, name="paipu.json", link="https://game.mahjongsoul.com/?paipu=x")
    assert "It was not played on Tenhou." in answer
    assert "does not say when" in answer
    assert "📎 with its game log" in said(await evening.card_ready(1))


async def test_three_players(evening: Evening) -> None:
    data = mjlog(init(players=3), agari(1, 1, FINAL_3P), kind=HOUOU_3P, names=NAMES_3P)
    question = reply(await log(evening, data, link=LINK.replace("00a9", "00b9")))
    await choose_all(evening, question, "Ann", "Борис", "千秋")
    assert "three players" in await submit(evening, question)


async def test_a_banned_member_is_kept_out_of_ranked_logs_alone(evening: Evening) -> None:
    await linked(evening)
    channel = evening.channels["mahjong"]
    await evening.as_("Kai").slash("ladder ban", channel, member=evening.users["Dora"], reason="shared")
    assert "\u2068Dora\u2069 is banned from the ladder" in await told(evening, FRESH)
    assert "Game #1 is reported" in await told(evening, FRESH, ranked=False)


# Chips


async def chips(evening: Evening, **numbers: int) -> str:
    """Report the game by hand with chips."""
    options: dict[str, Any] = {f"{seat}_chips": won for seat, won in numbers.items()}
    return said(reply(await evening.report(BY_HAND, **options)))


async def test_chips_are_told_where_the_club_plays_for_them(evening: Evening) -> None:
    assert "does not play for chips" in await chips(evening, east=2, south=-2)
    owner, channel = evening.as_("Owner"), evening.channels["mahjong"]
    await owner.slash("settings set", channel, name="chips", value="yes")
    assert "add up to +1" in await chips(evening, east=2, south=-1)
    assert (await evening.page()).total == 0
    answer = await chips(evening, east=3, south=-2, north=-1)
    assert "**1st** 東 **\u2068Ann\u2069** 40,000 (+50.0) · chips +3" in answer
    assert "chips ±0" in answer
    card = await evening.card_ready(1)
    assert "**4th** 北 **\u2068Dora\u2069** 10,000 (−40.0) · chips −1" in said(card)
    assert (await evening.game(1)).chips == (3, -2, 0, -1)
    three = {"Ann": "50000", "Борис": "35000", "千秋": "20000"}
    answer = said(reply(await evening.report(three, north_chips=-1, east_chips=1)))
    assert "North has chips but no player" in answer
    assert "chips" not in said(reply(await evening.report(three)))


async def test_chips_of_a_parlour_log_are_taken_where_the_club_plays_for_them(evening: Evening) -> None:
    await linked(evening)
    end = "400,50.0,300,10.0,200,-20.0,100,-40.0,3,6.0,0,0.0,-1,-2.0,-2,-4.0"
    data = mjlog(init(), agari(0, 0, end), names=TAGS, kind=HOUOU | 0x200)
    await evening.as_("Owner").slash("settings set", evening.channels["mahjong"], name="chips", value="yes")
    assert "chips +3" in await told(evening, data, name="game.mjlog")
    assert (await evening.game(1)).chips == (3, 0, -1, -2)


# Files that are none


ENTITY = b'<!DOCTYPE m [<!ENTITY a "b">]>' + FRESH


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        (b"hello", {}, "That is no game log"),
        (b"", {}, "That is no game log"),
        (FRESH[:-40], {}, "cut off"),
        (gzip.compress(FRESH)[:60] + b"xxxx" + gzip.compress(FRESH)[64:], {}, "damaged"),
        (mjlog(init(), names=TAGS), {}, "cut off"),
        (gzip.compress(FRESH)[:-9], {}, "cut off"),
        (gzip.compress(b"<" + b"a" * 3_000_000), {}, "too large for a game log once it is unpacked: 1,000 kB"),
        (ENTITY, {}, "DOCTYPE or entities"),
        (FRESH.decode().encode("utf-16"), {}, "not in UTF-8"),
        (FRESH + FRESH, {}, "more than one game"),
        (b"[" * 5000 + b"]" * 5000, {}, "no game log is built"),
        (FRESH, {"link": LINK.replace("00a9", "00b9")}, "of another game than the link"),
        (tenhou6(hand_json(TSUMO)), {"link": LINK}, "of another game than the link"),
        (FRESH, {"link": "my best game"}, "no log id of Tenhou in “my best game”"),
        (mjlog(init(), agari(0, 0, FINAL), kind=HOUOU & ~1), {"name": "game.mjlog"}, "Computer players"),
        (mjlog(init(), agari(0, 0, FINAL.replace("400", "500"))), {}, "add up to 110,000"),
        (mjlog(init(), agari(7, 0, FINAL)), {}, "a value that cannot be"),
    ],
)
async def test_other_files_are_refused_in_a_sentence(
    evening: Evening, data: bytes, options: dict[str, Any], sentence: str
) -> None:
    answer = await told(evening, data, **options)
    assert sentence in answer
    assert answer.rstrip().endswith("Nothing was written down.")
    assert (await evening.page()).total == 0


async def test_a_file_that_is_too_large_is_not_even_fetched(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(_file: discord.Attachment) -> bytes:
        raise AssertionError("the file was fetched")

    monkeypatch.setattr(discord.Attachment, "read", read)
    answer = await told(evening, b"x" * (LARGEST_FILE + 1))
    assert "The file is too large for a game log: 1,000 kB is the most I take." in answer


async def test_a_file_that_cannot_be_fetched_is_asked_for_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(_file: discord.Attachment) -> bytes:
        raise TimeoutError

    monkeypatch.setattr(discord.Attachment, "read", read)
    assert "I did not get the file" in await told(evening)


async def test_a_file_that_comes_slowly_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    here, fetch = asyncio.Event(), discord.Attachment.read

    async def read(file: discord.Attachment) -> bytes:
        await here.wait()
        return await fetch(file)

    monkeypatch.setattr(discord.Attachment, "read", read)
    monkeypatch.setattr(bot.answers, "SOON", 0.05)
    await linked(evening)
    interaction = await log(evening)
    assert interaction.thinking
    here.set()
    await evening.discord.until(lambda: interaction.replies)
    assert "Game #1 is reported" in said(reply(interaction))


async def test_a_file_that_takes_too_long_to_read_is_given_up(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()

    def read_log(_data: bytes, _link: str | None) -> GameLog:
        free.wait(20)
        raise AssertionError

    monkeypatch.setattr(bot.log_report, "read_log", read_log)
    monkeypatch.setattr(bot.log_report, "READING", 0.05)
    answer = await told(evening)
    free.set()
    assert "not to its end" in answer


# Real logs


def real_logs() -> list[JSON]:
    """What is known of the logs beside this checkout."""
    if not (FOLDER / "index.json").exists():
        pytest.skip("the game logs are not beside this checkout")
    files: list[JSON] = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))["files"]
    return files


async def test_every_real_log_becomes_a_game(evening: Evening) -> None:
    seats = 0
    for number, file in enumerate(real_logs(), 1):
        data = (FOLDER / file["file"]).read_bytes()
        question = reply(await log(evening, data, name=file["file"]))
        await choose_all(evening, question, *MEMBERS[: file["players"]])
        assert f"Game #{number} is reported" in await submit(evening, question), file["file"]
        game = await evening.game(number)
        expected = file["expected"]
        assert list(riichi(game).scores) == [each["final_score"] for each in expected], file["file"]
        await evening.approve(number)
        places, _ = await evening.result(number)
        assert places == [each["place"] for each in expected], file["file"]
        seats += len(expected)
    assert seats > 40
