"""What a chart is drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

__all__ = ["Curve", "Over", "Point"]


# A tuple, since histories are long and tuples are quick to make.
class Point(NamedTuple):
    """A standing after a game: when it came about (seconds since 1970 UTC) and its rank points or rating.

    `rank` is the rank's index on the ladder (`tenhou.RANKS`); a ladder chart needs it, others ignore it.
    """

    at: int
    value: float
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's name as he chose it, and his points, oldest first."""

    name: str
    points: Sequence[Point]


class Over(StrEnum):
    """What runs along the x axis: the club's calendar, or the games counted from one."""

    TIME = "time"
    GAMES = "games"
