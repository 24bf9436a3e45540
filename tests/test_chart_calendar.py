"""The time axis of charts: days and hours of the club's own clock, marked few and round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from bot.render.charts.calendar import Moment, moments
from tests.chart_help import DAY, TOKYO


def seconds(text: str, zone: ZoneInfo) -> float:
    """The moment that a club's clock shows as this ISO 8601 text."""
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def labels(start: str, end: str, zone: ZoneInfo, room: int = 5) -> list[str]:
    """The labels of a time axis between two local moments."""
    return [mark.label for mark in moments(seconds(start, zone), seconds(end, zone), zone, lambda _: room)]


def test_days_and_months_begin_at_the_clubs_midnight() -> None:
    assert labels("2024-10-10T12:00", "2024-10-13T12:00", TOKYO) == ["2024-10-11", "2024-10-12", "2024-10-13"]
    mark, *_ = moments(seconds("2024-10-30T12:00", TOKYO), seconds("2024-11-02", TOKYO), TOKYO, lambda _: 3)
    assert mark.at == datetime(2024, 10, 30, 15, tzinfo=UTC).timestamp()
    assert labels("2024-01-20", "2024-05-20", TOKYO) == ["2024-02", "2024-03", "2024-04", "2024-05"]
    assert labels("2014-05-01", "2024-02-01", TOKYO) == ["2016", "2018", "2020", "2022", "2024"]
    assert labels("2024-09-30T12:00", "2024-10-29", TOKYO, 4) == ["2024-09-30", "2024-10-14", "2024-10-28"][1:]


def test_an_evening_is_marked_by_the_clock_and_its_days_are_named() -> None:
    marks = moments(seconds("2024-10-11T21:30", TOKYO), seconds("2024-10-12T01:30", TOKYO), TOKYO, lambda _: 5)
    assert [(mark.label, mark.day) for mark in marks] == [
        ("22:00", "2024-10-11"),
        ("23:00", ""),
        ("00:00", "2024-10-12"),
        ("01:00", ""),
    ]


def test_a_change_of_the_clocks_moves_no_mark() -> None:
    york = ZoneInfo("America/New_York")
    marks = list(
        _local(moments(seconds("2024-03-08", york), seconds("2024-03-12", york), york, lambda _: 5), york)
    )
    assert marks == [f"2024-03-{day:02} 00:00" for day in range(8, 13)]
    assert labels("2024-03-10T00:30", "2024-03-10T05:30", york) == ["01:00", "03:00", "04:00", "05:00"]


def _local(marks: Sequence[Moment], zone: ZoneInfo) -> Iterator[str]:
    for mark in marks:
        yield f"{datetime.fromtimestamp(mark.at, zone):%Y-%m-%d %H:%M}"


@given(
    st.integers(157_766_400, 7_258_118_400),
    st.integers(60, 50 * 366 * DAY),
    st.sampled_from(["Asia/Tokyo", "Europe/Moscow", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia"]),
    st.integers(3, 9),
)
def test_marks_are_within_the_axis_in_order_and_few(first: int, span: int, name: str, room: int) -> None:
    zone = ZoneInfo(name)
    marks = moments(first, first + span, zone, lambda _: room)
    stands = [mark.at for mark in marks]
    assert stands == sorted(set(stands))
    assert all(first <= at <= first + span for at in stands)
    assert len(marks) <= room + 2
    assert marks or span < 300
