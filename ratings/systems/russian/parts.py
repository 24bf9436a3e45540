"""The two halves of the formula for one player (seed 002, "First part", "Second part").

W x A comes in units of a seven-hundredth, in which it is whole unless a tournament had cut-offs; W x R x A in
the same units. fsum rounds once, so that no order of results can show in the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

__all__ = ["ALWAYS_COUNTED", "LEAST_RESULTS", "UNIT", "part_a", "part_a_count", "part_b", "part_b_points"]

# A coefficient of one, in the units of this module.
UNIT = 700.0
LEAST_RESULTS = 2
ALWAYS_COUNTED = 5
HIGHEST = 1000.0


def part_a_count(results: int) -> int:
    """How many of a player's results part A has: five, and four fifths of the others, rounded up."""
    return results - max(0, results - ALWAYS_COUNTED) // 5


def part_a(points: Sequence[float], weights: Sequence[float]) -> tuple[float, Sequence[int]]:
    """Part A from W x R x A and W x A of each result, and which results it has, by index.

    Of the subsets of the prescribed size it has the one with the largest quotient: x being a quotient, the
    largest values of W x R x A - x W x A make up a subset with a larger one, until x is the largest there is.
    Missing results up to five count as W x A = 1 with R = 0.
    """
    count = len(points)
    kept: Sequence[int] = range(count)
    dropped = count - part_a_count(count)
    if not dropped:
        return _quotient(points, weights, UNIT * max(0, ALWAYS_COUNTED - count)), kept
    guess = _quotient(points, weights)
    # The search ends at the same place from anywhere; from near the end it is shorter.
    guess += dropped / count * min(guess, HIGHEST - guess)
    best = -1.0
    order: Sequence[int] = range(count)
    while True:
        surplus = [value - guess * weight for value, weight in zip(points, weights)]  # noqa: B905 - for speed
        order = sorted(order, key=surplus.__getitem__)
        candidate = order[dropped:]
        quotient = _quotient(map(points.__getitem__, candidate), map(weights.__getitem__, candidate))
        if quotient <= best:
            return best, kept
        guess = best = quotient
        kept = candidate


def part_b_points(points: Sequence[float], results: int) -> float:
    """The numerator of part B: the sum of the largest W x R x A, as many as `results`."""
    return fsum(sorted(points)[-results:])


def part_b(points: float, maxk: float) -> float:
    """Part B from its numerator and the sum of the maximal coefficients, both in units."""
    return min(HIGHEST, points / maxk)


def _quotient(points: Iterable[float], weights: Iterable[float], missing: float = 0.0) -> float:
    # With cut-offs W is not whole, and the last bit could rise above 1000.
    return min(HIGHEST, fsum(points) / (fsum(weights) + missing))
