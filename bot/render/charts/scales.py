"""What the y axis measures: rank points up the ladder, or a rating."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from bot.render.charts.values import Point
from ratings.systems import tenhou

__all__ = ["Axis", "Band", "Figures", "Ladder", "Scale", "Tick", "round_ticks"]


@dataclass(frozen=True, slots=True)
class Tick:
    """A height on the axis and the figure beside it."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Band:
    """A rank's part of the axis: its name, the points that promote, and those it begins with, if any."""

    low: float
    high: float
    name: str
    target: Tick | None
    base: Tick | None


@dataclass(frozen=True, slots=True)
class Axis:
    """The heights that are shown, and what divides them: ticks, or the bands of ranks from the lowest up."""

    low: float
    high: float
    ticks: tuple[Tick, ...] = ()
    bands: tuple[Band, ...] = ()


class Scale(Protocol):
    """What a chart asks of a measure."""

    def height(self, point: Point) -> float:
        """Where a point stands on the y axis."""

    def figure(self, point: Point) -> str:
        """A point's value as people read it."""

    def axis(self, low: float, high: float, ticks: int) -> Axis:
        """An axis that shows all heights from `low` to `high`, with at most so many ticks."""


# A dan takes some 40 times the points of a kyuu. To root, both can be read in one picture.
_ROOMS: Mapping[int, tuple[float, ...]] = {
    players: tuple(math.sqrt(rank.target(players) or 2000) for rank in tenhou.RANKS) for players in (3, 4)
}
_FLOORS: Mapping[int, tuple[float, ...]] = {
    players: tuple(accumulate(rooms, initial=0.0)) for players, rooms in _ROOMS.items()
}


@dataclass(frozen=True, slots=True)
class Ladder:
    """Tenhou's ladder for three or four players, each rank a band on top of the one before.

    A band reaches from 0 points to the target and is as high as the root of the target; within it, height goes
    by points. Tenhoui has no points: it is drawn through the middle of its band.
    """

    players: int

    def height(self, point: Point) -> float:
        """The band's floor and the share of the target within it. Raises ValueError for a point without a rank."""
        if point.rank is None:
            raise ValueError("A point on the ladder needs a rank.")
        target = tenhou.RANKS[point.rank].target(self.players)
        share = 0.5 if target is None else min(max(point.value / target, 0.0), 1.0)
        return _FLOORS[self.players][point.rank] + share * _ROOMS[self.players][point.rank]

    def figure(self, point: Point) -> str:
        """三段 450/1200."""
        rank = tenhou.RANKS[point.rank or 0]
        target = rank.target(self.players)
        return rank.name if target is None else f"{rank.name} {point.value:.0f}/{target}"

    def axis(self, low: float, high: float, ticks: int) -> Axis:
        """The whole bands of all ranks in between."""
        bands = [band for band in map(self._band, tenhou.RANKS) if band.low <= high and low < band.high]
        return Axis(bands[0].low, bands[-1].high, bands=tuple(bands))

    def _band(self, rank: tenhou.Rank) -> Band:
        low, high = _FLOORS[self.players][rank.index : rank.index + 2]
        target = rank.target(self.players)
        if target is None:
            return Band(low, high, rank.name, None, None)
        base = Tick(low + (high - low) * rank.base / target, str(rank.base)) if rank.base else None
        return Band(low, high, rank.name, Tick(high, str(target)), base)


@dataclass(frozen=True, slots=True)
class Figures:
    """Any rating as it is, shown with so many decimals."""

    digits: int = 0

    def height(self, point: Point) -> float:
        """The value itself."""
        return point.value

    def figure(self, point: Point) -> str:
        """1,623 or −12.5."""
        return _figure(point.value, self.digits)

    def axis(self, low: float, high: float, ticks: int) -> Axis:
        """All values with some air around them; an even history is drawn through the middle."""
        middle = low / 2 + high / 2
        reach = max(high / 2 - low / 2, 10 * 10.0**-self.digits, abs(middle) * 1e-9) * 1.1
        low, high = middle - reach, middle + reach
        return Axis(low, high, tuple(round_ticks(low, high, ticks)))


def round_ticks(low: float, high: float, most: int) -> Iterator[Tick]:
    """At most `most` round figures (steps of 1, 2 or 5 and any zeros) from `low` to `high`."""
    least = high / most - low / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= least)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    for number in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield Tick(number * step, _figure(number * step, digits))


def _figure(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}" if abs(value) < 1e15 else f"{value:.4g}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.replace("-", "")
