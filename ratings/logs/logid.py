"""Tenhou's log ids, as in links and in the names of saved files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

__all__ = ["LogId", "find_log_id"]

_LONGEST = 2_000  # characters
_JAPAN = timezone(timedelta(hours=9))
_FIRST_YEAR = 2006  # Tenhou opened
_ID = re.compile(
    r"(?<![0-9])([0-9]{10})gm-([0-9a-f]{4})-([0-9]{4,6})-(x[0-9a-f]{12}|[0-9a-f]{8})(?![0-9a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LogId:
    """A Tenhou log id: the hour the game began in (seconds UTC), the bits of its type, and its lobby."""

    text: str
    played_at: int
    kind: int
    lobby: str

    def may_be(self, other: LogId) -> bool:
        """Whether both can name one game. A scrambled hash (with an x) is not compared."""
        mine, theirs = self.text.rpartition("-"), other.text.rpartition("-")
        return mine[0] == theirs[0] and (mine[2] == theirs[2] or "x" in mine[2] + theirs[2])


def find_log_id(text: str | None) -> LogId | None:
    """The Tenhou log id in a link, a file name or a bare id, or None where there is none.

    Ids carry the time in Japan to the hour (YYYYMMDDHH).
    """
    match = _ID.search((text or "")[:_LONGEST])
    if match is None:
        return None
    try:
        hour = datetime.strptime(match[1], "%Y%m%d%H").replace(tzinfo=_JAPAN)
    except ValueError:
        return None
    if hour.year < _FIRST_YEAR:
        return None
    return LogId(match[0].lower(), int(hour.timestamp()), int(match[2], 16), match[3])
