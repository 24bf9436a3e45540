"""/stats and /profile as members see them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ratings import club, ledger
from ratings.ledger import LogMatch
from ratings.logs import read_log
from ratings.models import Length, Person, Report, Verdict
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, play, said
from tests.log_help import agari, draw, init, mjlog

JSON = dict[str, Any]
NOW = 1_796_000_000
# What the log below ends with, by seat, and the table of it.
FINAL = "100,-40.0,350,35.0,300,10.0,250,-5.0"
SCORES = (10_000, 35_000, 30_000, 25_000)
NAMES = ("Ann", "Борис", "千秋", "Dora")


def person(evening: Evening, name: str) -> Person:
    """Somebody as the ledger knows him."""
    return Person(int(evening.users[name]["id"]), name)


def told(evening: Evening, scores: tuple[int, ...], number: int, played_at: int = NOW, **facts: Any) -> Report:
    """A report of the usual table, by a command of its own."""
    table = tuple(person(evening, name) for name in NAMES[: len(scores)])
    facts = {"ranked": True, "chips": (), **facts}
    return Report(
        reporter=table[0],
        players=table,
        scores=scores,
        length=Length.HANCHAN,
        lobby=None,
        sticks=0,
        played_at=played_at,
        channel_id=1,
        interaction_id=number,
        **facts,
    )


def write(connection: sa.Connection, guild_id: int, reports: list[Report]) -> None:
    """Games that count, written straight into the ledger."""
    for each in reports:
        game = ledger.submit(connection, guild_id, each, NOW).game
        ledger.decide(connection, guild_id, game.id, Verdict.APPROVE, each.reporter, NOW)


def write_log(connection: sa.Connection, guild_id: int, data: bytes, report: Report) -> LogMatch:
    """A game reported by its log, approved."""
    match = ledger.submit_log(connection, guild_id, read_log(data), report, NOW)
    ledger.decide(connection, guild_id, match.submission.game.id, Verdict.APPROVE, report.reporter, NOW)
    return match


async def stats(evening: Evening, by: str = "Emi", **options: Any) -> JSON:
    """The answer to /stats."""
    return reply(await evening.as_(by).slash("stats", evening.channels["mahjong"], **options))


def field(message: JSON, name: str) -> list[str]:
    """The lines of a field of an answer's embed."""
    (found,) = [each for each in message["embeds"][0]["fields"] if each["name"].startswith(name)]
    return str(found["value"]).splitlines()


async def test_the_whole_block_of_four_players(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await evening.report(GAME)
    await evening.approve(1)
    log = mjlog(init(), agari(1, 0), init(round_number=1), draw(final=FINAL))
    await evening.store.write(write_log, evening.id, log, told(evening, SCORES, 1, ranked=False))
    shown = await stats(evening, member=evening.users["Ann"])
    embed = shown["embeds"][0]
    assert "Statistics of \u2068Ann\u2069 · four players" in embed["title"]
    assert embed["description"].splitlines() == [
        "**９級 (9-kyuu)** 0 of 20 points, 20 to ８級 (8-kyuu)",
        "R1530.0, place 1 of 4",
        "2 games (対戦数), 1 of them unranked",
    ]
    assert field(shown, "Places") == [
        "`.500` 1st (１位率)",
        "`.000` 2nd (２位率)",
        "`.000` 3rd (３位率)",
        "`.500` 4th (４位率)",
        "`.000` tobi (飛び率)",
        "`+7.6` average score (平均得点)",
        "`2.50` average place (平均順位)",
    ]
    assert field(shown, "Hands") == [
        "`.000` win (和了率)",
        "`.500` deal-in (放銃率)",
        "`.000` call (副露率)",
        "`.000` riichi (立直率)",
        "-# on 2 hands of 1 game with a log",
    ]
    assert field(shown, "Total") == [
        "score (得点) **+15.2** / +7.6",
        "place (順位) **5** / 2.50",
        "total (総合) **+15.2** / +7.6",
        "top (トップ率) **.500** · upper half (連対率) **.500** · last (ラス率) **.500**",
    ]


async def test_without_a_log_rates_of_hands_are_a_dash(evening: Evening) -> None:
    await play(evening, GAME)
    hands = field(await stats(evening, by="Ann"), "Hands")
    assert hands[0] == "`–` win (和了率)"
    assert hands[-1] == "-# on 0 hands of 0 games with a log"


async def test_three_players_have_no_fourth_place(evening: Evening) -> None:
    await play(evening, {"Ann": "50000", "Борис": "35000", "千秋": "20000"})
    shown = await stats(evening, member=evening.users["千秋"], players=3)
    assert "three players" in shown["embeds"][0]["title"]
    assert [line.split(" ", 1)[1] for line in field(shown, "Places")] == [
        "1st (１位率)",
        "2nd (２位率)",
        "3rd (３位率)",
        "tobi (飛び率)",
        "average score (平均得点)",
        "average place (平均順位)",
    ]
    assert field(shown, "Total")[-1].endswith("last (ラス率) **1.000**")
    other = await evening.as_("千秋").slash("stats", evening.channels["mahjong"])
    assert other.ephemeral
    assert "no approved games with four players" in reply(other)["content"]


async def test_chips_and_income_where_the_club_plays_for_them(evening: Evening) -> None:
    await evening.store.write(
        club.change_settings, evening.id, {"chips": True, "stake": 50.0}, person(evening, "Kai"), NOW
    )
    games = [
        told(evening, (45_200, 30_100, 15_700, 9_000), 1, chips=(5, 0, -2, -3)),
        told(evening, (45_200, 30_100, 15_700, 9_000), 2),
    ]
    await evening.store.write(write, evening.id, games)
    assert field(await stats(evening, member=evening.users["Ann"]), "Total") == [
        "score (得点) **+110.4** / +55.2",
        "place (順位) **2** / 1.00",
        "chips (祝儀) **+5** / +5.0",
        "income (収支) **+6,020** / +3,010",
        "total (総合) **+120.4** / +60.2",
        "-# chips were told of 1 of 2 games",
        "top (トップ率) **1.000** · upper half (連対率) **1.000** · last (ラス率) **.000**",
    ]
    dora = field(await stats(evening, member=evening.users["Dora"]), "Total")
    assert dora[2:4] == ["chips (祝儀) **−3** / −3.0", "income (収支) **−4,400** / −2,200"]


async def test_earlier_months_are_turned_to_also_after_a_restart(evening: Evening) -> None:
    months = [int(datetime(2026, month, 15, tzinfo=UTC).timestamp()) for month in range(1, 9)]
    games = [told(evening, SCORES, number, at) for number, at in enumerate(months * 2, 1)]
    await evening.store.write(write, evening.id, games)
    shown = await stats(evening, by="Ann")
    assert field(shown, "Months")[0] == "2026-08 · 0 + 0 + 0 + 2 = 2 games"
    assert len(field(shown, "Months")) == 6
    assert shown["embeds"][0]["footer"]["text"] == "months by the club's clock (UTC) · page 1 of 2"
    await evening.stop_bot()
    await evening.start_bot()
    await evening.as_("Dora").click(shown, label="▶")
    assert [line.split(" ")[0] for line in field(shown, "Months")] == ["2026-02", "2026-01"]
    assert "Ann" in shown["embeds"][0]["title"]


async def test_the_profile_is_short_and_says_where_there_is_more(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.store.write(write, evening.id, [told(evening, SCORES, 1, ranked=False)])
    shown = reply(await evening.as_("Ann").slash("profile", evening.channels["mahjong"]))["embeds"][0]
    assert shown["fields"][0]["value"].splitlines()[2:] == [
        "1 + 0 + 0 + 0 = 1 game",
        "places 1.000 / .000 / .000 / .000",
    ]
    assert "/stats has more" in shown["footer"]["text"]


async def test_a_bot_has_no_figures(evening: Evening) -> None:
    robot = evening.discord.world.add_user("robot", display_name="Robot", bot=True)
    evening.discord.world.add_member(evening.guild, robot)
    for command in ("stats", "profile", "history"):
        answer = await evening.as_("Ann").slash(command, evening.channels["mahjong"], member=robot)
        assert answer.ephemeral
        assert reply(answer)["content"] == "\u2068Robot\u2069 is a bot and does not play."


async def test_a_member_who_left_keeps_the_name_he_had_in_the_club(evening: Evening) -> None:
    await evening.discord.rename(evening.guild, evening.users["Dora"], nick="Дора")
    await play(evening, GAME)
    await evening.discord.kick(evening.guild, evening.users["Dora"])
    assert "Дора" in (await stats(evening, member=evening.users["Dora"]))["embeds"][0]["title"]


async def test_a_new_nick_is_shown_at_once(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.discord.rename(evening.guild, evening.users["Dora"], nick="Дора")
    assert "Дора" in (await stats(evening, member=evening.users["Dora"]))["embeds"][0]["title"]


async def test_both_accounts_of_one_person_show_the_same(evening: Evening) -> None:
    await play(evening, GAME, {**dict.fromkeys(("Борис", "千秋", "Dora"), "20000"), "Emi": "40000"})
    await evening.store.write(merge, evening.id, person(evening, "Emi"), person(evening, "Ann"))
    shown = [await stats(evening, by="Kai", member=evening.users[name]) for name in ("Ann", "Emi")]
    assert shown[0]["embeds"] == shown[1]["embeds"]
    assert "2 games" in shown[0]["embeds"][0]["description"]


def merge(connection: sa.Connection, guild_id: int, record: Person, into: Person) -> None:
    """Make somebody's record count as somebody else's."""
    first, second = club.player_ids(connection, guild_id, [record, into])
    ledger.carry_out(connection, guild_id, ledger.propose_merge(connection, guild_id, first, second), into, NOW)


async def test_the_forgotten_leave_no_figures_behind(evening: Evening) -> None:
    await play(evening, GAME)
    shown = await stats(evening, member=evening.users["Ann"])
    await evening.store.write(forget, evening.id, person(evening, "Ann"))
    answer = await evening.as_("Emi").slash("stats", evening.channels["mahjong"], member=evening.users["Ann"])
    assert "no approved games" in reply(answer)["content"]
    assert "Ann" not in said(await stats(evening, member=evening.users["Dora"]))
    assert "Ann" in said(shown)


def forget(connection: sa.Connection, guild_id: int, who: Person) -> None:
    """Forget somebody."""
    (record,) = club.player_ids(connection, guild_id, [who])
    admin = replace(who, discord_id=1, name="Kai")
    ledger.carry_out(connection, guild_id, ledger.propose_forget(connection, guild_id, record, NOW), admin, NOW)
