"""What a coming tournament would make of a player's rating."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from ratings.systems.russian.coefficients import base_rank, sevenths_on, weight_at, weights
from ratings.systems.russian.facts import PART_B_RESULTS, Tournament
from ratings.systems.russian.parts import part_a, part_b, part_b_points
from ratings.systems.russian.pool import Pool
from ratings.systems.russian.table import Maximal, heaviest, maximal_coefficients, maxk_units

__all__ = ["Prospect", "forecast"]


class Prospect(NamedTuple):
    """The rating that a place would bring. With fewer than two `results` the table would not list it."""

    place: int
    rating: float
    part_a: float
    part_b: float
    results: int


def forecast(pool: Pool, player_id: int, coming: Tournament, day: date | None = None) -> list[Prospect]:
    """A player's rating on `day`, by his place in a tournament that is still to be played, first place first.

    Without a day it is the last of the tournament. The tournament counts, also among the maximal coefficients;
    where the pool has one of the same id, `coming` takes its place. Raises ValueError when it does not count on
    that day.
    """
    return list(_prospects(pool, player_id, coming, day or coming.last_day))


def _prospects(pool: Pool, player_id: int, coming: Tournament, day: date) -> Iterator[Prospect]:
    sevenths = sevenths_on(coming.last_day, day)
    if not sevenths:
        raise ValueError(f"Tournament {coming.id} does not count on {day}.")
    best = PART_B_RESULTS[pool.ranking]
    stages = weights(coming)
    others = [result for result in pool.results_of(player_id, day) if result.tournament_id != coming.id]
    found = [each for each in maximal_coefficients(pool, day, best + 1) if each.tournament_id != coming.id]
    found.append(Maximal(coming.id, stages[-1].hundredths, sevenths))
    maxk = maxk_units(heaviest(found, best), best)
    other_weights = [result.weight_units for result in others]
    other_points = [result.point_units for result in others]
    for place in range(1, coming.participants + 1):
        weight = weight_at(stages, place).hundredths * sevenths
        points = [*other_points, weight * base_rank(place, coming.participants)]
        first, _ = part_a(points, [*other_weights, weight])
        second = part_b(part_b_points(points, best), maxk)
        yield Prospect(place, 0.5 * (first + second), first, second, len(points))
