"""How one player's rating of a day came about, figure by figure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import fsum

from ratings.systems.russian.facts import PART_B_RESULTS, Ranking
from ratings.systems.russian.parts import (
    ALWAYS_COUNTED,
    LEAST_RESULTS,
    UNIT,
    part_a,
    part_b,
    part_b_points,
)
from ratings.systems.russian.pool import CountedResult, Pool
from ratings.systems.russian.table import Maximal, maximal_coefficients, maxk_units

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A player's rating of a day and what it is made of; `results` by the day the tournaments ended.

        part A = `part_a_points` / (`part_a_weight` + `part_a_missing`)
        part B = `part_b_points` / `maxk`
        rating = part A / 2 + part B / 2

    `in_part_a` and `in_part_b` have the ids of the tournaments whose results these parts consist of; a result
    may be left out of part A and be one of part B's all the same. `maxk` is the sum of the `maximal`
    coefficients and of `part_b_missing` ones. Who has fewer than two results is not `listed` in the table.
    """

    ranking: Ranking
    day: date
    player_id: int
    listed: bool
    rating: float
    results: tuple[CountedResult, ...]
    in_part_a: frozenset[int]
    part_a: float
    part_a_points: float
    part_a_weight: float
    part_a_missing: int
    in_part_b: frozenset[int]
    part_b: float
    part_b_points: float
    part_b_missing: int
    maximal: tuple[Maximal, ...]
    maxk: float


def explain(pool: Pool, player_id: int, day: date) -> Explanation:
    """How the player's rating of `day` came about; rating and parts are the table's to the last bit."""
    results = pool.results_of(player_id, day)
    points = [result.point_units for result in results]
    first, indices = part_a(points, [result.weight_units for result in results])
    kept = [results[i] for i in indices]
    best = PART_B_RESULTS[pool.ranking]
    leading = sorted(results, key=lambda result: (-result.point_units, result.tournament_id))[:best]
    numerator = part_b_points(points, best)
    maximal = maximal_coefficients(pool, day)
    maxk = maxk_units(maximal, best)
    second = part_b(numerator, maxk)
    return Explanation(
        ranking=pool.ranking,
        day=day,
        player_id=player_id,
        listed=len(results) >= LEAST_RESULTS,
        rating=0.5 * (first + second),
        results=tuple(sorted(results, key=lambda result: (result.last_day, result.tournament_id))),
        in_part_a=frozenset(result.tournament_id for result in kept),
        part_a=first,
        part_a_points=fsum(result.point_units for result in kept) / UNIT,
        part_a_weight=fsum(result.weight_units for result in kept) / UNIT,
        part_a_missing=max(0, ALWAYS_COUNTED - len(results)),
        in_part_b=frozenset(result.tournament_id for result in leading),
        part_b=second,
        part_b_points=numerator / UNIT,
        part_b_missing=best - len(maximal),
        maximal=maximal,
        maxk=maxk / UNIT,
    )
