"""When a game on Mahjong Soul was played, by what its export says: its title, else the day in its id."""

from __future__ import annotations

import re
from datetime import datetime, time, tzinfo

__all__ = ["exported_at"]

_LONGEST = 40  # characters
_FIRST_YEAR = 2018  # Mahjong Soul opened
_NOON = time(12)
_CLOCK = r"(?:(?:, ?| |T)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?)?"
# 10/14/2023 is left out: nobody can tell the day from the month.
_TITLES = (
    re.compile(rf"(?P<year>20[0-9]{{2}})([-/.])(?P<month>[0-9]{{1,2}})\2(?P<day>[0-9]{{1,2}}){_CLOCK}"),
    re.compile(rf"(?P<day>[0-9]{{1,2}})\.(?P<month>[0-9]{{1,2}})\.(?P<year>20[0-9]{{2}}){_CLOCK}"),
)
_ID = re.compile(r"(?P<year>[0-9]{2})(?P<month>[0-9]{2})(?P<day>[0-9]{2})-.*")


def exported_at(title: object, paipu: str | None, zone: tzinfo) -> int | None:
    """The moment (seconds UTC) that an export tells: the end of the game in the second line of its title, else
    noon of the day in its id; None where there is neither.

    Scripts write the time of the computer they run on and do not name its time zone: it is read in `zone`.
    """
    words = title[1] if isinstance(title, list) and len(title) > 1 else None
    if isinstance(words, str):
        for form in _TITLES:
            if (found := form.fullmatch(words.strip()[:_LONGEST])) and (told := _moment(found, 0, zone)):
                return told
    found = _ID.fullmatch(paipu or "")
    return None if found is None else _moment(found, 2000, zone)


def _moment(found: re.Match[str], century: int, zone: tzinfo) -> int | None:
    parts = {name: int(text) for name, text in found.groupdict().items() if text is not None}
    try:
        day = datetime(century + parts["year"], parts["month"], parts["day"], tzinfo=zone)
        clock = time(parts["hour"], parts["minute"], parts.get("second", 0)) if "hour" in parts else _NOON
    except ValueError:
        return None
    return int(datetime.combine(day, clock, zone).timestamp()) if day.year >= _FIRST_YEAR else None
