"""Scores and moments as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratings.reading import ScoreFault, Unreadable, UnreadableMoment, read_moment, read_scores

# --- scores


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("25000", 25000),
        ("25,000", 25000),
        ("25 000", 25000),
        ("25\u00a0000", 25000),
        ("25\u202f000", 25000),
        ("25\u2009000", 25000),
        ("25\u3000000", 25000),
        ("25'000", 25000),
        ("25’000", 25000),
        ("25.000", 25000),
        ("２５０００", 25000),
        ("２５，０００", 25000),
        ("２５．０００", 25000),
        ("٢٥٠٠٠", 25000),
        ("२५०००", 25000),
        ("  25000\n", 25000),
        ("\u200e25000\u200b", 25000),
        ("+25000", 25000),
        ("＋２５０００", 25000),
        ("+ 25,000", 25000),
        ("-5000", -5000),
        ("- 5000", -5000),
        ("−5000", -5000),
        ("–5000", -5000),
        ("—5000", -5000),
        ("－5000", -5000),
        ("－５，０００", -5000),
        ("▲5000", -5000),
        ("▲ 5,000", -5000),
        ("△5000", -5000),
        ("25.0k", 25000),
        ("25k", 25000),
        ("25 k", 25000),
        ("25.3K", 25300),
        ("25,3k", 25300),
        ("２５．３ｋ", 25300),
        ("-1.2k", -1200),
        ("▲0.5k", -500),
        ("0", 0),
        ("-0", 0),
        ("000", 0),
        ("1,000,000", 1_000_000),
        ("-1 000 000", -1_000_000),
        ("1.000.000", 1_000_000),
    ],
)
def test_score_as_written(text: str, score: int) -> None:
    assert read_scores([text], 100_000) == (score,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", ScoreFault.EMPTY),
        (" \u3000\t", ScoreFault.EMPTY),
        ("\u200b", ScoreFault.EMPTY),
        ("abc", ScoreFault.NOT_A_NUMBER),
        ("k", ScoreFault.NOT_A_NUMBER),
        ("-", ScoreFault.NOT_A_NUMBER),
        ("--5000", ScoreFault.NOT_A_NUMBER),
        ("-▲5000", ScoreFault.NOT_A_NUMBER),
        ("5000-", ScoreFault.NOT_A_NUMBER),
        ("25.0", ScoreFault.NOT_A_NUMBER),
        ("25,00", ScoreFault.NOT_A_NUMBER),
        ("2,5000", ScoreFault.NOT_A_NUMBER),
        ("1,000.000", ScoreFault.NOT_A_NUMBER),
        ("1 000,000", ScoreFault.NOT_A_NUMBER),
        ("25.3333k", ScoreFault.NOT_A_NUMBER),
        ("25kk", ScoreFault.NOT_A_NUMBER),
        ("2500²", ScoreFault.NOT_A_NUMBER),
        ("②5000", ScoreFault.NOT_A_NUMBER),
        ("1e5", ScoreFault.NOT_A_NUMBER),
        ("nan", ScoreFault.NOT_A_NUMBER),
        ("0x100", ScoreFault.NOT_A_NUMBER),
        ("2_500", ScoreFault.NOT_A_NUMBER),
        ("25000 30000", ScoreFault.NOT_A_NUMBER),
        ("0" * 41, ScoreFault.NOT_A_NUMBER),
        ("25050", ScoreFault.NOT_HUNDREDS),
        ("-25001", ScoreFault.NOT_HUNDREDS),
        ("25.35k", ScoreFault.NOT_HUNDREDS),
        ("250", ScoreFault.NOT_HUNDREDS),
        ("1000100", ScoreFault.TOO_LARGE),
        ("-1,000,100", ScoreFault.TOO_LARGE),
        ("1001k", ScoreFault.TOO_LARGE),
        ("9" * 40, ScoreFault.TOO_LARGE),
        ("9" * 39 + "k", ScoreFault.TOO_LARGE),
    ],
)
def test_score_that_cannot_be_read(text: str, reason: ScoreFault) -> None:
    with pytest.raises(Unreadable) as caught:
        read_scores(["25000", text, "30000"], 100_000)
    fault = caught.value
    assert (fault.index, fault.text, fault.reason) == (1, text[:40], reason)
    assert str(fault).startswith("Score 2, ")


@pytest.mark.parametrize(
    ("texts", "index"), [(["", "?", "25000"], 0), (["25000", "?", ""], 1), (["25050", "9000000", "?"], 2)]
)
def test_the_first_text_that_is_no_number_is_named(texts: list[str], index: int) -> None:
    with pytest.raises(Unreadable) as caught:
        read_scores(texts, 100_000)
    assert caught.value.index == index


@pytest.mark.parametrize(
    ("texts", "expected_total", "scores"),
    [
        (["250", "250", "250", "250"], 100_000, (25000, 25000, 25000, 25000)),
        (["352", "280", "203", "165"], 100_000, (35200, 28000, 20300, 16500)),
        (["-12", "612", "150", "250"], 100_000, (-1200, 61200, 15000, 25000)),
        (["▲１２", "６１２", "150", "250"], 100_000, (-1200, 61200, 15000, 25000)),
        (["0", "500", "0", "500"], 100_000, (0, 50000, 0, 50000)),
        (["1012", "-12", "0", "0"], 100_000, (101_200, -1200, 0, 0)),
        (["350", "350", "340"], 104_000, (35000, 35000, 34000)),
        # The sum in hundreds does not fit: as they stand.
        (["300", "300", "300", "200"], 100_000, (300, 300, 300, 200)),
        (["0", "0", "0", "0"], 100_000, (0, 0, 0, 0)),
        (["100000", "0", "0", "0"], 100_000, (100_000, 0, 0, 0)),
        # The sum would fit in hundreds, but these are no small numbers.
        (["25000", "-24500", "300", "200"], 100_000, (25000, -24500, 300, 200)),
    ],
)
def test_scores_in_hundreds(texts: list[str], expected_total: int, scores: tuple[int, ...]) -> None:
    assert read_scores(texts, expected_total) == scores


def test_small_scores_whose_sum_is_wrong_are_not_hundreds() -> None:
    with pytest.raises(Unreadable) as caught:
        read_scores(["250", "250", "250", "251"], 100_000)
    assert (caught.value.index, caught.value.reason) == (0, ScoreFault.NOT_HUNDREDS)


STYLES = [
    "{}".format,
    "{:,}".format,
    lambda score: f"{score:,}".replace(",", " "),
    lambda score: f"{score:,}".replace(",", "."),
    lambda score: f"{score:,}".replace(",", "'"),
    lambda score: str(score).translate({ord(str(digit)): ord("０") + digit for digit in range(10)}),
    lambda score: str(score).replace("-", "▲"),
    lambda score: f"{score / 1000:.1f}k",
    "{:+}".format,
]


@given(st.lists(st.integers(-10_000, 10_000), min_size=3, max_size=4), st.data())
def test_scores_in_any_style_read_back(hundreds: list[int], data: st.DataObject) -> None:
    scores = [score * 100 for score in hundreds]
    texts = [data.draw(st.sampled_from(STYLES))(score) for score in scores]
    assert read_scores(texts, sum(scores)) == tuple(scores)


typed = st.text() | st.text(alphabet=" 0123456789,.'+-−▲kKｋ０５，．\u3000", max_size=12)


@given(st.lists(typed, max_size=5), st.integers())
@example(["\ud800"], 0)
@example(["ﷺ" * 40], 0)
def test_any_text_is_read_or_refused(texts: list[str], expected_total: int) -> None:
    try:
        scores = read_scores(texts, expected_total)
    except Unreadable:
        return
    assert len(scores) == len(texts)
    assert all(score % 100 == 0 and abs(score) <= 1_000_000 for score in scores)


# --- moments

BERLIN, TOKYO, MOSCOW = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Moscow")
NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)  # 19:00 in Berlin


def _berlin(text: str, now: datetime = NOW) -> str:
    """What a member in Berlin means, as Berlin's clock shows it."""
    moment = read_moment(text, BERLIN, now)
    assert moment.utcoffset() == timedelta(0)
    return moment.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-11-29 21:30", "2026-11-29 21:30:00"),
        ("2026-11-29T21:30", "2026-11-29 21:30:00"),
        ("2026-11-29 21:30:15", "2026-11-29 21:30:15"),
        ("2026-11-29", "2026-11-29 12:00:00"),
        ("2026/11/29 21:30", "2026-11-29 21:30:00"),
        ("  2026-11-29   9:05 ", "2026-11-29 09:05:00"),
        ("２０２６－１１－２９　２１：３０", "2026-11-29 21:30:00"),
        ("29.11.2026 21:30", "2026-11-29 21:30:00"),
        ("29.11.2026", "2026-11-29 12:00:00"),
        ("1.2.2026 0:00", "2026-02-01 00:00:00"),
        ("29.11. 21:30", "2026-11-29 21:30:00"),
        ("29.11 21:30", "2026-11-29 21:30:00"),
        ("29.11.", "2026-11-29 12:00:00"),
        ("29.11", "2026-11-29 12:00:00"),
        ("30.11. 18:59", "2026-11-30 18:59:00"),
        ("30.11. 19:00", "2026-11-30 19:00:00"),
        ("30.11. 19:01", "2025-11-30 19:01:00"),
        ("1.12. 10:00", "2025-12-01 10:00:00"),
        ("31.12.", "2025-12-31 12:00:00"),
        ("18:30", "2026-11-30 18:30:00"),
        ("19:00", "2026-11-30 19:00:00"),
        ("21:30", "2026-11-29 21:30:00"),
        ("today", "2026-11-30 12:00:00"),
        ("Today 18:00", "2026-11-30 18:00:00"),
        ("today 20:00", "2026-11-30 20:00:00"),
        ("yesterday", "2026-11-29 12:00:00"),
        ("YESTERDAY 21:30", "2026-11-29 21:30:00"),
        ("昨日 21:30", "2026-11-29 21:30:00"),
        ("昨日２１：３０", "2026-11-29 21:30:00"),
        ("昨日", "2026-11-29 12:00:00"),
        ("今日 20:00", "2026-11-30 20:00:00"),
        ("2026年11月29日 21:30", "2026-11-29 21:30:00"),
        ("2026年11月29日21:30", "2026-11-29 21:30:00"),
        ("2026年11月29日", "2026-11-29 12:00:00"),
        ("11月29日", "2026-11-29 12:00:00"),
        ("12月1日 21:30", "2025-12-01 21:30:00"),
        ("вчера 21:30", "2026-11-29 21:30:00"),
        ("Вчера", "2026-11-29 12:00:00"),
        ("сегодня", "2026-11-30 12:00:00"),
        ("2026-11-29T21:30+09:00", "2026-11-29 13:30:00"),
        ("2026-11-29 21:30:00+0900", "2026-11-29 13:30:00"),
        ("2026-11-29T21:30:00Z", "2026-11-29 22:30:00"),
        ("2026-11-29t21:30:00.250z", "2026-11-29 22:30:00"),
        # Spelled out, so the reader does not judge it.
        ("2027-01-01 10:00", "2027-01-01 10:00:00"),
        ("2027-01-01", "2027-01-01 12:00:00"),
    ],
)
def test_moment_as_written(text: str, read: str) -> None:
    assert _berlin(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "11/29",
        "11/29 21:30",
        "29/11/2026",
        "11-29",
        "29.11.26",
        "29.13.2026",
        "31.11.",
        "30.02.2026",
        "0.1.2026",
        "2026-02-30",
        "2026-11/29",
        "2026-11-29 24:00",
        "2026-11-29 21:60",
        "2026-11-29 21:30:60",
        "2026-11-2921:30",
        "2026-11-29T21:30+99:00",
        "0000-01-01",
        "0001-01-01T00:00+12:00",
        "9999-12-31T23:59-12:00",
        "25:00",
        "21.30",
        "21",
        "9:5",
        "tomorrow",
        "yesterdayish",
        "13月1日",
        "last week",
        "2026-11-29 21:30 or so",
        "2026-11-29" + " " * 26 + "21:30",
    ],
)
def test_moment_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UnreadableMoment) as caught:
        read_moment(text, BERLIN, NOW)
    assert caught.value.text == text[:40]


@pytest.mark.parametrize("text", ["today", "今日", "сегодня", "30.11.", "2026-11-30", "11月30日"])
def test_a_day_whose_noon_is_still_to_come_means_now(text: str) -> None:
    now = datetime(2026, 11, 30, 8, 15, tzinfo=UTC)
    assert read_moment(text, BERLIN, now) == now


def test_the_club_zone_decides_which_day_it_is() -> None:
    now = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
    assert read_moment("yesterday 21:30", TOKYO, now) == datetime(2026, 11, 30, 12, 30, tzinfo=UTC)
    assert read_moment("yesterday 21:30", MOSCOW, now) == datetime(2026, 11, 30, 18, 30, tzinfo=UTC)
    assert read_moment("yesterday 21:30", BERLIN, now) == datetime(2026, 11, 29, 20, 30, tzinfo=UTC)


def test_now_may_come_in_any_zone() -> None:
    assert read_moment("21:30", BERLIN, NOW.astimezone(TOKYO)) == read_moment("21:30", BERLIN, NOW)
    morning = datetime(2026, 11, 30, 8, 15, tzinfo=UTC).astimezone(TOKYO)
    assert read_moment("today", BERLIN, morning).utcoffset() == timedelta(0)


def test_early_in_january_last_december_is_meant() -> None:
    assert _berlin("31.12. 22:00", datetime(2027, 1, 1, 9, 0, tzinfo=UTC)) == "2026-12-31 22:00:00"


@pytest.mark.parametrize(
    ("now", "read"),
    [(datetime(2028, 3, 5, tzinfo=UTC), "2028-02-29"), (datetime(2029, 3, 5, tzinfo=UTC), "2028-02-29")],
)
def test_a_leap_day_without_a_year_is_the_last_there_was(now: datetime, read: str) -> None:
    assert _berlin("29.02.", now).startswith(read)


def test_a_leap_day_in_neither_year_is_refused() -> None:
    with pytest.raises(UnreadableMoment):
        read_moment("29.02.", BERLIN, NOW)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        # 25 October 2026: 02:30 comes in summer time first, then an hour later in winter time.
        ("2026-10-25 02:30", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        # 29 March 2026: clocks go from 02:00 to 03:00.
        ("2026-03-29 02:30", datetime(2026, 3, 29, 0, 30, tzinfo=UTC)),
        ("2026-03-29 01:59", datetime(2026, 3, 29, 0, 59, tzinfo=UTC)),
        ("2026-03-29 03:00", datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
    ],
)
def test_times_that_the_clocks_skip_or_repeat(text: str, read: datetime) -> None:
    assert read_moment(text, BERLIN, NOW) == read


spoken = st.text() | st.text(alphabet="0123456789-/.: TZ+年月日昨今", max_size=20)
moments = st.datetimes(timezones=st.just(UTC))


@given(spoken, st.sampled_from([BERLIN, TOKYO, MOSCOW]), moments)
@example("\ud800", BERLIN, NOW)
@example("9999-12-31 23:59", ZoneInfo("America/New_York"), NOW)
@example("0001-01-01 00:00", TOKYO, NOW)
@example("yesterday", BERLIN, datetime(1, 1, 1, tzinfo=UTC))
@example("1.1.", BERLIN, datetime(1, 1, 1, 5, tzinfo=UTC))
def test_any_text_is_a_moment_or_refused(text: str, zone: ZoneInfo, now: datetime) -> None:
    try:
        moment = read_moment(text, zone, now)
    except UnreadableMoment:
        return
    assert moment.utcoffset() == timedelta(0)


@given(st.integers(0, 10_000_000))
def test_moments_read_back(minutes_ago: int) -> None:
    moment = NOW - timedelta(minutes=minutes_ago)
    local = moment.astimezone(TOKYO)
    for form in ("%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%Y年%m月%d日 %H:%M", "%Y-%m-%dT%H:%M%z"):
        assert read_moment(local.strftime(form), TOKYO, NOW) == moment


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_bare_time_is_the_last_one_there_was(hour: int, minute: int) -> None:
    moment = read_moment(f"{hour}:{minute:02}", BERLIN, NOW)
    assert NOW - timedelta(days=1) < moment <= NOW
    assert (moment.astimezone(BERLIN).hour, moment.astimezone(BERLIN).minute) == (hour, minute)
