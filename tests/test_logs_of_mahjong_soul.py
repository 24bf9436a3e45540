"""Games on Mahjong Soul: when they were played, and computer players at any site's tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ratings import ledger
from ratings.logs import LogFormat, LogProblem, LogRefused, read_log
from tests.ban_help import TOKYO, at
from tests.club_evening import Evening
from tests.log_help import TSUMO, agari, hand_json, init, mjlog, tenhou6
from tests.report_log_help import FRESH, TAGS, told

PAIPU = "231014-84c11a6f-b3f7-4363-966e-25f37886cfbf"
BERLIN = ZoneInfo("Europe/Berlin")


def soul(**changes: Any) -> bytes:
    """An export of a game on Mahjong Soul."""
    wanted: dict[str, Any] = {"ref": PAIPU, "dan": ["雀傑★1"] * 4, "title": ["友人戦", "2023-10-14 20:15:33"]}
    return tenhou6(hand_json(TSUMO), **wanted | changes)


def moment(zone: tzinfo = TOKYO, **changes: Any) -> datetime | None:
    """When an export says that its game was played, on the clock of a zone."""
    log = read_log(soul(**changes), zone=zone)
    assert log.format is LogFormat.MAHJONG_SOUL
    return None if log.played_at is None else datetime.fromtimestamp(log.played_at, zone)


@pytest.mark.parametrize(
    "title",
    [
        "2023-10-14 20:15:33",
        "2023/10/14 20:15:33",
        "14.10.2023, 20:15:33",
        "2023.10.14 20:15:33",
        " 2023-10-14T20:15:33 ",
    ],
)
@pytest.mark.parametrize("zone", [TOKYO, BERLIN, UTC])
def test_the_title_tells_the_time_on_the_clubs_clock(title: str, zone: ZoneInfo) -> None:
    assert moment(zone, title=["友人戦", title]) == datetime(2023, 10, 14, 20, 15, 33, tzinfo=zone)


def test_times_need_no_zeros_and_no_seconds() -> None:
    assert moment(title=["", "2023/1/4 8:05"]) == at("2023-01-04 08:05")


@pytest.mark.parametrize(
    "title",
    [
        None,
        [],
        ["友人戦"],
        ["友人戦", 5],
        "2023-10-14 20:15:33",
        *(
            ["友人戦", text]
            for text in (
                "",
                "10/14/2023, 8:15:33 PM",
                "2023-13-14 20:15:33",
                "2023-10-14 24:15:33",
                "2023-10-14 20:15:33" + " " * 30 + "x",
                "２０２３-10-14 20:15",
                "2017-12-31 20:15",
                "yesterday",
            )
        ),
    ],
)
def test_without_a_time_the_id_tells_the_day(title: object) -> None:
    assert moment(title=title) == at("2023-10-14 12:00")


def test_a_day_alone_is_its_noon() -> None:
    assert moment(title=["友人戦", "2023-10-15"]) == at("2023-10-15 12:00")


@pytest.mark.parametrize("ref", ["", PAIPU.replace("231014", "231314"), PAIPU.replace("231014", "170101")])
def test_where_neither_tells_it_nobody_knows(ref: str) -> None:
    assert moment(ref=ref, title=["友人戦", ""]) is None


def test_a_log_of_tenhou_has_its_time_from_its_id_alone() -> None:
    log = read_log(tenhou6(hand_json(TSUMO), title=["", "2023-10-14 20:15:33"]), zone=TOKYO)
    assert log.played_at == int(at("2021-01-02 17:00").timestamp())
    assert read_log(tenhou6(hand_json(TSUMO), ref=None, title=["", "2023-10-14 20:15:33"])).played_at is None


def test_the_fingerprint_knows_no_time_zone() -> None:
    assert read_log(soul(), zone=TOKYO).fingerprint == read_log(soul(), zone=BERLIN).fingerprint


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (soul(name=["anneke", "AI", "AI", "AI"]), True),
        (soul(name=["anneke", "b", "c", " ＡＩ "]), True),
        (soul(name=["anneke", "AIko", "CPU", "NoName"]), False),
        (tenhou6(hand_json(TSUMO), ref=None, name=["anneke", "CPU", "CPU", "CPU"]), True),
        (tenhou6(hand_json(TSUMO), name=["anneke", "NoName", "NoName", "AI"]), False),
        (mjlog(init(), agari(0, 0, "400,50.0,300,10.0,200,-20.0,100,-40.0"), names=("a", "b", "c", "cpu")), True),
        (mjlog(init(), agari(0, 0, "400,50.0,300,10.0,200,-20.0,100,-40.0"), kind=0xA8), True),
        (FRESH, False),
    ],
)
def test_computer_players_are_known_by_the_type_and_by_their_names(data: bytes, expected: bool) -> None:
    assert ledger.against_computers(read_log(data)) is expected


async def test_a_log_with_computer_players_is_refused(evening: Evening) -> None:
    answers = [await told(evening, soul(name=[TAGS[0], "AI", "AI", "AI"]), name="paipu.json")]
    three = tenhou6(hand_json(TSUMO), ref=None, name=[TAGS[0], "CPU", "CPU", "CPU"])
    answers.append(await told(evening, three, name="game.json"))
    for answer in answers:
        assert "Computer players sat at this table" in answer
        assert "Nothing was written down" in answer
    assert (await evening.page()).total == 0


async def test_a_game_has_the_time_of_its_export_in_the_clubs_zone(evening: Evening) -> None:
    await evening.as_("Owner").slash("setup", evening.channels["mahjong"], time_zone="Asia/Tokyo")
    answer = await told(evening, soul(), name="paipu.json")
    assert "2023-10-14 20:15" in answer
    assert "does not say when" not in answer


@pytest.mark.parametrize("ahead", [timedelta(hours=9), timedelta(days=40)])
async def test_a_clock_that_is_ahead_makes_no_game_of_the_future(evening: Evening, ahead: timedelta) -> None:
    before = datetime.now(UTC)
    title = f"{before + ahead:%Y-%m-%d %H:%M:%S}"
    answer = await told(evening, soul(title=["友人戦", title]), name="paipu.json")
    shown = [datetime.now(UTC) - timedelta(minutes=minutes) for minutes in range(2)]
    assert any(f"{now:%Y-%m-%d %H:%M}" in answer for now in (before, *shown))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (soul()[: soul().index("和".encode()) + 1], LogProblem.CUT_OFF),
        (b"\xef\xbb\xbf" + soul()[: soul().index("和".encode()) + 2], LogProblem.CUT_OFF),
        (b"  <mjloggm>\xe5", LogProblem.CUT_OFF),
        (b"\xe5\x92", LogProblem.NOT_UTF8),
        (b"hello \xe5\x92", LogProblem.NOT_UTF8),
        (soul()[:40] + b"\xe5\x92{", LogProblem.NOT_UTF8),
    ],
)
def test_a_log_cut_inside_of_a_character_is_cut_off(data: bytes, problem: LogProblem) -> None:
    with pytest.raises(LogRefused) as refused:
        read_log(data)
    assert refused.value.problem is problem
