"""The table of a rating at a date, and tables of many dates in a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import compress
from math import fsum
from operator import mul
from typing import NamedTuple

from ratings.systems.russian.coefficients import base_ranks, sevenths_on, turning_days
from ratings.systems.russian.facts import PART_B_RESULTS
from ratings.systems.russian.parts import LEAST_RESULTS, UNIT, part_a, part_b, part_b_points
from ratings.systems.russian.pool import Pool

__all__ = [
    "Maximal",
    "Row",
    "Table",
    "alike",
    "heaviest",
    "maximal_coefficients",
    "maxk_units",
    "moving_days",
    "series",
    "table",
]


_DECIMALS = 9


class Row(NamedTuple):
    """A player's line: `part_a` and `part_b` from 0 to 1000 each, and how many results he has in the window."""

    place: int
    player_id: int
    rating: float
    part_a: float
    part_b: float
    results: int


class Maximal(NamedTuple):
    """One of the maximal coefficients: `hundredths` of W and `sevenths` of A."""

    tournament_id: int
    hundredths: float
    sevenths: int

    @property
    def units(self) -> float:
        """W x A in seven-hundredths."""
        return self.hundredths * self.sevenths

    @property
    def value(self) -> float:
        """W x A."""
        return self.units / UNIT


@dataclass(frozen=True, slots=True)
class Table:
    """A rating at a date. `maximal` has the tournaments that form MAXK, the heaviest first; where there are too
    few of them, each missing one counts 1 in `maxk`, the sum."""

    day: date
    rows: tuple[Row, ...]
    maximal: tuple[Maximal, ...]
    maxk: float


def alike(rating: float) -> float:
    """The rating without its last bits, in which equal ones may differ that were added up in another order."""
    return round(rating, _DECIMALS)


class _Parts(NamedTuple):
    part_a: float
    part_b_points: float
    results: int


def table(pool: Pool, day: date) -> Table:
    """The table of `day`: everybody with two results or more in the window, by unrounded rating.

    Players of equal rating (see `alike`) are ordered by name, then by id, and have places of their own.
    """
    return next(series(pool, (day,)))


def series(pool: Pool, days: Iterable[date]) -> Iterator[Table]:
    """The tables of several days, each the same as `table` makes it.

    From day to day only those are rated anew who have a result in a tournament that entered, aged or left; days
    that follow each other closely are therefore quickest.
    """
    course = _Course(pool)
    last: Table | None = None
    for day in days:
        last = course.table(day) if course.go_to(day) or last is None else replace(last, day=day)
        yield last


def moving_days(pool: Pool, first: date, last: date) -> list[date]:
    """The days from `first` to `last` on which a tournament enters, ages or leaves; between them no rating
    moves."""
    turns = {day for tournament in pool.tournaments.values() for day in turning_days(tournament.last_day)}
    return sorted(day for day in turns if first <= day <= last)


def maximal_coefficients(pool: Pool, day: date, count: int | None = None) -> tuple[Maximal, ...]:
    """The tournaments that form MAXK on `day`, the heaviest first, or the `count` heaviest (seed 002, "Second
    part").

    A tournament with cut-offs enters with the W of those who played it to the end.
    """
    found = [
        Maximal(tournament_id, pool.weights[tournament_id][-1].hundredths, sevenths)
        for tournament_id, tournament in pool.tournaments.items()
        if (sevenths := sevenths_on(tournament.last_day, day))
    ]
    return heaviest(found, count or PART_B_RESULTS[pool.ranking])


def heaviest(found: Collection[Maximal], count: int) -> tuple[Maximal, ...]:
    """The `count` largest W x A; of equal ones those of the lower tournament ids."""
    return tuple(sorted(found, key=lambda each: (-each.units, each.tournament_id))[:count])


def maxk_units(maximal: Collection[Maximal], count: int) -> float:
    """The sum of `count` maximal coefficients in seven-hundredths, missing ones being 1."""
    return fsum([each.units for each in maximal]) + UNIT * (count - len(maximal))


class _Course:
    """The state of a rating as it goes from day to day: W x A and W x R x A by cell, and everybody's parts."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._best = PART_B_RESULTS[pool.ranking]
        self._sevenths = dict.fromkeys(pool.tournaments, 0)
        self._weights = [0.0] * pool.size
        self._points = [0.0] * pool.size
        self._parts: dict[int, _Parts] = {}
        self._entrants: dict[int, set[int]] = {}

    def go_to(self, day: date) -> bool:
        """Take in what entered, aged or left; False when nothing did."""
        before = self._sevenths
        tournaments = self._pool.tournaments.items()
        now = {tournament_id: sevenths_on(each.last_day, day) for tournament_id, each in tournaments}
        moved = [tournament_id for tournament_id, sevenths in now.items() if sevenths != before[tournament_id]]
        self._sevenths = now
        if not moved:
            return False
        for tournament_id in moved:
            self._weigh(tournament_id)
        self._rate(self._touched(moved))
        return True

    def table(self, day: date) -> Table:
        """The table as things stand."""
        maximal = maximal_coefficients(self._pool, day)
        maxk = maxk_units(maximal, self._best)
        lines = []
        for player, (first, points, results) in self._parts.items():
            second = part_b(points, maxk)
            lines.append((-alike(0.5 * (first + second)), self._name(player), player, first, second, results))
        lines.sort()
        rows = tuple(
            Row(place, player, 0.5 * (first + second), first, second, results)
            for place, (_, _, player, first, second, results) in enumerate(lines, 1)
        )
        return Table(day, rows, maximal, maxk / UNIT)

    def _name(self, player: int) -> str:
        known = self._pool.players.get(player)
        return known.name if known is not None else ""

    def _weigh(self, tournament_id: int) -> None:
        """Write W x A and W x R x A of every place of a tournament."""
        pool, sevenths = self._pool, self._sevenths[tournament_id]
        first = pool.first_cells[tournament_id]
        by_place: list[float] = []
        for stage in reversed(pool.weights[tournament_id]):
            by_place += [stage.hundredths * sevenths] * (stage.participants - len(by_place))
        run = slice(first, first + len(by_place))
        self._weights[run] = by_place
        self._points[run] = map(mul, by_place, base_ranks(len(by_place)))

    def _touched(self, moved: Collection[int]) -> Collection[int]:
        if not self._parts:
            return self._pool.cells
        entrants = self._entrants = self._entrants or _entrants(self._pool)
        return set().union(*(entrants[tournament_id] for tournament_id in moved))

    def _rate(self, players: Iterable[int]) -> None:
        weight_of, points_of = self._weights.__getitem__, self._points.__getitem__
        for player in players:
            cells = self._pool.cells[player]
            weights = list(map(weight_of, cells))
            points = list(map(points_of, cells))
            if not all(weights):
                points = list(compress(points, weights))
                weights = list(compress(weights, weights))
            if len(points) >= LEAST_RESULTS:
                first, _ = part_a(points, weights)
                self._parts[player] = _Parts(first, part_b_points(points, self._best), len(points))
            else:
                self._parts.pop(player, None)


def _entrants(pool: Pool) -> dict[int, set[int]]:
    """Who has a result in each tournament."""
    owners = [
        tournament_id
        for tournament_id, tournament in pool.tournaments.items()
        for _ in range(tournament.participants)
    ]
    found: defaultdict[int, set[int]] = defaultdict(set)
    for player, cells in pool.cells.items():
        for cell in cells:
            found[owners[cell]].add(player)
    return found
