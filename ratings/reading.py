"""Reading what people type: scores as written at a table, and moments as spoken of in a club.

The readers take any text at all and answer with a value or with their one exception.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from zoneinfo import ZoneInfo

__all__ = ["ScoreFault", "Unreadable", "UnreadableMoment", "read_end", "read_moment", "read_scores"]

_LONGEST = 40  # characters
_LARGEST = 1_000_000  # points


class ScoreFault(StrEnum):
    """Why a score cannot be read."""

    EMPTY = "empty"
    NOT_A_NUMBER = "not-a-number"
    NOT_HUNDREDS = "not-hundreds"
    TOO_LARGE = "too-large"


class Unreadable(ValueError):
    """A score that cannot be read: which one (`index` from 0), its `text` (cut to 40 characters), and why."""

    def __init__(self, index: int, text: str, reason: ScoreFault) -> None:
        self.index = index
        self.text = text[:_LONGEST]
        self.reason = reason
        super().__init__(f"Score {index + 1}, {self.text!r}, cannot be read: {reason}.")


class UnreadableMoment(ValueError):
    """A moment that cannot be read; `text` is what was typed, cut to 40 characters."""

    def __init__(self, text: str) -> None:
        self.text = text[:_LONGEST]
        super().__init__(f"{self.text!r} is not a moment that can be read.")


def _plain(text: str) -> str:
    """`text` with ASCII digits, half-width signs, single spaces, small letters and nothing invisible."""
    characters = []
    for character in text:
        digit = unicodedata.decimal(character, None)
        if digit is not None:
            characters.append(str(digit))
        elif "！" <= character <= "～":
            characters.append(chr(ord(character) - ord("！") + ord("!")))
        elif unicodedata.category(character) != "Cf":
            characters.append(character)
    return " ".join("".join(characters).casefold().split())


# Hyphens, dashes and minus signs, and the triangles that stand for a minus in Japanese score sheets.
_SIGNS = str.maketrans(dict.fromkeys("‐‑‒–—−▲△", "-") | {"’": "'"})
_WHOLE = re.compile(r"([+-]?) ?(\d+|\d{1,3}(?:([ ,.'])\d{3})(?:\3\d{3})*)")
_THOUSANDS = re.compile(r"([+-]?) ?(\d+(?:[.,]\d{1,3})?) ?k")


def read_scores(texts: Sequence[str], expected_total: int) -> tuple[int, ...]:
    """The scores that people typed, in points.

    Reads 25000 with any usual grouping (25,000 · 25 000 · 25'000 · 25.000), in any script's digits, signed
    with any minus or ▲, and in thousands as 25.3k. When every score is small and the sum, taken in hundreds,
    is `expected_total`, all are taken in hundreds (250 for 25000). The sum is not checked otherwise.

    Raises Unreadable for the first score that is empty, no number, not in hundreds of points or beyond a
    million points.
    """
    values = [_whole(index, text) for index, text in enumerate(texts)]
    in_hundreds = [value * 100 for value in values]
    right_as_typed = sum(values) == expected_total
    if (
        not right_as_typed
        and sum(in_hundreds) == expected_total
        and all(abs(value) <= _LARGEST for value in in_hundreds)
    ):
        return tuple(in_hundreds)
    for index, (text, value) in enumerate(zip(texts, values, strict=True)):
        if abs(value) > _LARGEST:
            raise Unreadable(index, text, ScoreFault.TOO_LARGE)
        if value % 100:
            raise Unreadable(index, text, ScoreFault.NOT_HUNDREDS)
    return tuple(values)


def _whole(index: int, text: str) -> int:
    if len(text) > _LONGEST:
        raise Unreadable(index, text, ScoreFault.NOT_A_NUMBER)
    plain = _plain(text).translate(_SIGNS)
    if not plain:
        raise Unreadable(index, text, ScoreFault.EMPTY)
    if match := _WHOLE.fullmatch(plain):
        return int(match[1] + re.sub(r"\D", "", match[2]))
    if match := _THOUSANDS.fullmatch(plain):
        return int(Decimal(match[1] + match[2].replace(",", ".")) * 1000)
    raise Unreadable(index, text, ScoreFault.NOT_A_NUMBER)


_DAYS_AGO = {
    "today": 0, "今日": 0, "сегодня": 0,
    "yesterday": 1, "昨日": 1, "вчера": 1,
}  # fmt: skip
_DAYS_AHEAD = {
    "today": 0, "今日": 0, "сегодня": 0,
    "tomorrow": 1, "明日": 1, "завтра": 1,
}  # fmt: skip
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?"
_DAYS = (
    r"(?P<year>\d{4})([-/])(?P<month>\d{1,2})\2(?P<day>\d{1,2})",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.?",
    r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
)


def _forms(words: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """How moments are written, days also as one of these words."""
    days = (*_DAYS, rf"(?P<word>{'|'.join(words)})")
    return (*(re.compile(rf"{day}(?:[ t]{_CLOCK})?") for day in days), re.compile(_CLOCK))


_FORMS, _END_FORMS = _forms(_DAYS_AGO), _forms(_DAYS_AHEAD)
_WITH_OFFSET = re.compile(r"\d{4}-\d{2}-\d{2}[ t]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(z|[+-]\d{2}:?\d{2})")
_NOON = time(12)
# 29 February may be this far away.
_YEARS_AHEAD = 8


def read_moment(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """The moment that a person means by `text`, in UTC; `zone` is the club's and `now` is aware.

    Reads dates as 2026-11-29, 29.11.2026, 29.11. and 2026年11月29日, "yesterday" and "today" in English,
    Japanese and Russian, each with or without a time, a time alone, and ISO 8601 with an offset. Where the
    year or the day is left out, the latest that is not in the future is meant. A day without a time means its
    noon, or now while today's noon is still to come. A time that the clocks skip or repeat is read as the
    earlier of its two moments. A future moment that was spelled out is returned as it is.

    Raises UnreadableMoment for anything else, and for 11/29, where nobody can tell the day from the month.
    """
    return _read(text, _FORMS, lambda parts: _moment(parts, zone, now.astimezone(UTC)))


def read_end(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """The moment, in UTC, until which a person means something to last by `text`.

    Reads what `read_moment` reads, and "tomorrow" in place of "yesterday". Where the year or the day is left out,
    the next one that is still to come is meant. A day without a time lasts to its end, the midnight after it. A
    past moment that was spelled out is returned as it is.

    Raises UnreadableMoment as `read_moment` does.
    """
    return _read(text, _END_FORMS, lambda parts: _end(parts, zone, now.astimezone(UTC)))


def _read(
    text: str, forms: Iterable[re.Pattern[str]], meant: Callable[[dict[str, str | None]], datetime]
) -> datetime:
    if len(text) > _LONGEST:
        raise UnreadableMoment(text)
    # Japanese needs no space between the day and the time.
    plain = " ".join(_plain(text).replace("日", "日 ").split())
    try:
        if _WITH_OFFSET.fullmatch(plain):
            return datetime.fromisoformat(plain.upper()).astimezone(UTC)
        for form in forms:
            if match := form.fullmatch(plain):
                return meant(match.groupdict())
    except (ValueError, OverflowError):
        raise UnreadableMoment(text) from None
    raise UnreadableMoment(text)


def _end(parts: dict[str, str | None], zone: ZoneInfo, now: datetime) -> datetime:
    clock = _clock(parts)
    ends = [
        _midnight(day + timedelta(days=1), zone) if clock is None else _instant(day, clock, zone)
        for day in _coming_days(parts, now.astimezone(zone).date())
    ]
    return next((end for end in ends if end > now), ends[-1])


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """The first moment of a day, also where the clocks skip midnight or repeat it."""
    return datetime.combine(day, time(0), zone).astimezone(UTC)


def _coming_days(parts: dict[str, str | None], today: date) -> list[date]:
    """The days that may be meant, earliest first."""
    word, year, month, day = (parts.get(name) for name in ("word", "year", "month", "day"))
    if word is not None:
        return [today + timedelta(days=_DAYS_AHEAD[word])]
    if month is None or day is None:
        return [today, today + timedelta(days=1)]
    if year is not None:
        return [date(int(year), int(month), int(day))]
    return _in_years(range(today.year, today.year + _YEARS_AHEAD + 1), int(month), int(day))


def _in_years(years: Iterable[int], month: int, day: int) -> list[date]:
    """This day of these years; 29 February is not in every one."""
    days = []
    for year in years:
        with suppress(ValueError):
            days.append(date(year, month, day))
    if not days:
        raise ValueError("No year has such a day.")
    return days


def _moment(parts: dict[str, str | None], zone: ZoneInfo, now: datetime) -> datetime:
    today = now.astimezone(zone).date()
    clock = _clock(parts)
    moments = [_instant(day, clock or _NOON, zone) for day in _possible_days(parts, today)]
    if clock is None and moments[0] > now and moments[0].astimezone(zone).date() == today:
        return now
    return next((moment for moment in moments if moment <= now), moments[0])


def _clock(parts: dict[str, str | None]) -> time | None:
    hour, minute = parts["hour"], parts["minute"]
    if hour is None or minute is None:
        return None
    return time(int(hour), int(minute), int(parts["second"] or 0))


def _possible_days(parts: dict[str, str | None], today: date) -> list[date]:
    """The days that may be meant, latest first: one, or up to two where the year or the day is left out."""
    word, year, month, day = (parts.get(name) for name in ("word", "year", "month", "day"))
    if word is not None:
        return [today - timedelta(days=_DAYS_AGO[word])]
    if month is None or day is None:
        return [today, today - timedelta(days=1)]
    if year is not None:
        return [date(int(year), int(month), int(day))]
    return _in_years((today.year, today.year - 1), int(month), int(day))


def _instant(day: date, clock: time, zone: ZoneInfo) -> datetime:
    local = datetime.combine(day, clock, zone)
    return min(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
