"""Scoring a finished riichi game: places, and final points after return, uma and oka.

docs/rules.md settles what the published texts leave open: equal scores, and sticks left on the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratings.models import ClubRules, RiichiGame

__all__ = ["STICK", "Scoring", "expected_total", "final_points", "places"]

STICK = 1000  # points
_UMA_UNIT = 1000  # points


class Scoring:
    """How a club scores a table of three or four, worked out once for many games."""

    def __init__(self, rules: ClubRules, players: int) -> None:
        self._players = players
        self._shared = rules.shared_places
        self._sticks_to_first = rules.sticks_to_first
        return_score = rules.return_score(players)
        worth = [thousands * _UMA_UNIT for thousands in rules.uma(players)]
        worth[0] += (return_score - rules.start_score(players)) * players
        self._worth = worth
        self._return_score = return_score
        self._by_place = [0, *(each - return_score for each in worth)]

    def score(self, scores: Sequence[int], sticks: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The place and the final points of each seat, as `places` and `final_points` tell them."""
        # Written for speed: a replay comes through here, and few tables have sticks left.
        if sticks or (self._shared and len(set(scores)) < self._players):
            placed = _places(scores, self._shared)
            return placed, self._final_points(scores, placed, sticks)
        return (_score_four if self._players == 4 else _score_three)(scores, self._by_place)

    def _final_points(self, scores: Sequence[int], placed: Sequence[int], sticks: int) -> tuple[int, ...]:
        worth, everyone = list(self._worth), [0] * self._players
        if self._sticks_to_first:
            worth[0] += sticks * STICK
        else:
            everyone = _divided(sticks * STICK, self._players)
        return tuple(
            score - self._return_score + gained + equal
            for score, gained, equal in zip(scores, _by_seat(worth, placed), everyone, strict=True)
        )


def places(game: RiichiGame, shared: bool) -> tuple[int, ...]:
    """The place of each seat, 1 for first.

    Of equal scores the seat nearer to the first dealer is placed higher; with `shared` they share the place
    (1, 1, 3, 4).
    """
    return _places(game.scores, shared)


def final_points(game: RiichiGame, rules: ClubRules) -> tuple[int, ...]:
    """The final points of each seat, in points: score minus return score, plus uma, oka and left sticks.

    Oka is what everyone's return score exceeds the starting score by, and goes to first place, as the sticks
    do where the club says so; otherwise the sticks are divided equally among all. Seats that share a place
    divide what their places are worth. What cannot be divided in whole points goes to the earlier seats, a
    point each. So final points add up to 0 whenever the scores add up to `expected_total` and the uma to 0.
    """
    return Scoring(rules, len(game.seats)).score(game.scores, game.sticks)[1]


def expected_total(game: RiichiGame, rules: ClubRules) -> int:
    """What the scores of all seats must add up to, in points: the starting scores less the sticks left."""
    players = len(game.seats)
    return rules.start_score(players) * players - game.sticks * STICK


def _places(scores: Sequence[int], shared: bool) -> tuple[int, ...]:
    return tuple(
        1
        + sum(other > score for other in scores)
        + (0 if shared else sum(other == score for other in scores[:seat]))
        for seat, score in enumerate(scores)
    )


def _score_three(scores: Sequence[int], worth: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Places and final points at a table of three by what each place is worth, every two scores compared once.

    Of equal ones the seat nearer to the first dealer is placed higher."""
    a, b, c = scores
    ab, ac, bc = a >= b, a >= c, b >= c
    p, q, r = 3 - ab - ac, 2 + ab - bc, 1 + ac + bc
    return (p, q, r), (a + worth[p], b + worth[q], c + worth[r])


def _score_four(scores: Sequence[int], worth: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The same at a table of four."""
    a, b, c, d = scores
    ab, ac, ad, bc, bd, cd = a >= b, a >= c, a >= d, b >= c, b >= d, c >= d
    p, q, r, s = 4 - ab - ac - ad, 3 + ab - bc - bd, 2 + ac + bc - cd, 1 + ad + bd + cd
    return (p, q, r, s), (a + worth[p], b + worth[q], c + worth[r], d + worth[s])


def _by_seat(worth: Sequence[int], seat_places: Sequence[int]) -> list[int]:
    """What each seat gets of the `worth` of all places, by place; a shared place divides those it spans."""
    result = [0] * len(worth)
    for place in set(seat_places):
        seats = [seat for seat, other in enumerate(seat_places) if other == place]
        spanned = sum(worth[place - 1 : place - 1 + len(seats)])
        for seat, share in zip(seats, _divided(spanned, len(seats)), strict=True):
            result[seat] = share
    return result


def _divided(points: int, ways: int) -> list[int]:
    share, remainder = divmod(points, ways)
    return [share + (position < remainder) for position in range(ways)]
