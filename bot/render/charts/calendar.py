"""Where the marks of a time axis stand: at round moments of the club's clock and calendar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

__all__ = ["Moment", "moments"]

_MINUTE, _HOUR, _DAY, _MONTH = 60, 3600, 86_400, 2_629_746
_CLOCK_STEPS = (*(minutes * _MINUTE for minutes in (1, 5, 15, 30)), *(hours * _HOUR for hours in (1, 2, 3, 6, 12)))
_DAY_STEPS = (1, 2, 7, 14)
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)


@dataclass(frozen=True, slots=True)
class Moment:
    """A mark on the time axis: seconds since 1970 UTC, its ISO 8601 date or time, and, under the first time of a
    day, the day."""

    at: float
    label: str
    day: str = ""


def moments(start: float, end: float, zone: ZoneInfo, room: Callable[[str], int]) -> list[Moment]:
    """The marks from `start` to `end` (seconds since 1970 UTC) by the finest step of which `room` has space.

    `room` tells how many labels as wide as a given one the axis can hold.
    """
    span = end - start
    for step in _CLOCK_STEPS:
        if span / step <= room("2024-10-11"):
            return list(_clock_times(start, end, zone, step))
    for days in _DAY_STEPS:
        if span / (days * _DAY) <= room("2024-10-11"):
            return list(_dates(start, end, zone, days))
    for months in _MONTH_STEPS:
        if span / (months * _MONTH) <= room("2024-10" if months < 12 else "2024"):
            return list(_months(start, end, zone, months))
    return []


def _local(seconds: float, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(seconds, UTC).astimezone(zone)


def _clock_times(start: float, end: float, zone: ZoneInfo, step: int) -> Iterator[Moment]:
    midnight = datetime.combine(_local(start, zone), time())
    shown: date | None = None
    for number in count():
        wall = midnight + timedelta(seconds=number * step)
        at = wall.replace(tzinfo=zone).timestamp()
        if at > end:
            return
        # Where clocks are put forward there are times that never come.
        if at >= start and _local(at, zone).replace(tzinfo=None) == wall:
            yield Moment(at, f"{wall:%H:%M}", "" if wall.date() == shown else wall.date().isoformat())
            shown = wall.date()


def _dates(start: float, end: float, zone: ZoneInfo, days: int) -> Iterator[Moment]:
    # Day 1 was a Monday: whole weeks begin on Mondays.
    first = (_local(start, zone).toordinal() - 1) // days * days + 1
    for ordinal in count(first, days):
        day = date.fromordinal(ordinal)
        at = datetime.combine(day, time(), zone).timestamp()
        if at > end:
            return
        if at >= start:
            yield Moment(at, day.isoformat())


def _months(start: float, end: float, zone: ZoneInfo, months: int) -> Iterator[Moment]:
    local = _local(start, zone)
    for number in count((local.year * 12 + local.month - 1) // months * months, months):
        day = date(number // 12, number % 12 + 1, 1)
        at = datetime.combine(day, time(), zone).timestamp()
        if at > end:
            return
        if at >= start:
            yield Moment(at, day.isoformat()[: 7 if months < 12 else 4])
