"""Scoring a finished riichi game: places, and final points after return, uma and oka.

docs/rules.md settles what the published texts leave open: equal scores, and sticks left on the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from ratings.models import ClubRules, RiichiGame

__all__ = ["STICK", "expected_total", "final_points", "places"]

STICK = 1000  # points
_UMA_UNIT = 1000  # points


def places(game: RiichiGame, shared: bool) -> tuple[int, ...]:
    """The place of each seat, 1 for first.

    Of equal scores the seat nearer to the first dealer is placed higher; with `shared` they share the place
    (1, 1, 3, 4).
    """
    scores = game.scores
    return tuple(
        1
        + sum(other > score for other in scores)
        + (0 if shared else sum(other == score for other in scores[:seat]))
        for seat, score in enumerate(scores)
    )


def final_points(game: RiichiGame, rules: ClubRules) -> tuple[int, ...]:
    """The final points of each seat, in points: score minus return score, plus uma, oka and left sticks.

    Oka is what everyone's return score exceeds the starting score by, and goes to first place, as the sticks
    do where the club says so; otherwise the sticks are divided equally among all. Seats that share a place
    divide what their places are worth. What cannot be divided in whole points goes to the earlier seats, a
    point each. So final points add up to 0 whenever the scores add up to `expected_total` and the uma to 0.
    """
    scores = game.scores
    players = len(scores)
    return_score = rules.return_score(players)
    worth = [thousands * _UMA_UNIT for thousands in rules.uma(players)]
    worth[0] += (return_score - rules.start_score(players)) * players
    sticks = game.sticks * STICK
    if rules.sticks_to_first:
        worth[0] += sticks
        everyone = [0] * players
    else:
        everyone = _divided(sticks, players)
    by_place = _by_seat(worth, places(game, rules.shared_places))
    return tuple(
        score - return_score + placed + equal
        for score, placed, equal in zip(scores, by_place, everyone, strict=True)
    )


def expected_total(game: RiichiGame, rules: ClubRules) -> int:
    """What the scores of all seats must add up to, in points: the starting scores less the sticks left."""
    players = len(game.seats)
    return rules.start_score(players) * players - game.sticks * STICK


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
