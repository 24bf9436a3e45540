"""The places of a tournament: working them out from the scores, and whether given ones can be true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby

from ratings.resultsfile.values import Problem, ProblemKind, ResultRow

__all__ = ["out_of_sequence", "ranked"]


def ranked(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows in their order with places by more games, then by score; who is level in both shares a place.

    A shared place takes up as many as share it: 1, 2, 2, 2, 5. Each row has a score.
    """
    keys = [(row.games or 0, row.score or Decimal(0)) for row in rows]
    places: dict[tuple[int, Decimal], int] = {}
    for position, key in enumerate(sorted(keys, reverse=True), start=1):
        places.setdefault(key, position)
    return [replace(row, place=places[key]) for row, key in zip(rows, keys, strict=True)]


def out_of_sequence(places: Sequence[tuple[int, int]], complete: bool) -> Problem | None:
    """The first place that cannot be true beside the better ones, in pairs of row and place; None if all can.

    Those who share a place fill as many. If these results are not `complete`, others may have places in between.
    """
    by_place = sorted(places, key=lambda pair: (pair[1], pair[0]))
    expected = 1
    for place, group in groupby(by_place, key=lambda pair: pair[1]):
        (row, _), *others = group
        if place < expected or (complete and place > expected):
            kind = ProblemKind.MISSING_PLACE if place > expected else ProblemKind.IMPOSSIBLE_PLACE
            return Problem(row, kind, str(place), number=expected)
        expected = place + 1 + len(others)
    return None
