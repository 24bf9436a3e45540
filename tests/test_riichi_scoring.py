"""Places and final points of a finished game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.models import Length, RiichiGame, Seat, TenhouRules
from ratings.systems.riichi import expected_total, final_points, places


@dataclass(frozen=True)
class Rules:
    """Tenhou's usual scoring unless told otherwise."""

    tenhou_rules: TenhouRules = TenhouRules.SEED
    shared_places: bool = False
    sticks_to_first: bool = True
    start: int | None = None
    returned: int | None = None
    uma_thousands: tuple[int, ...] | None = None

    def start_score(self, players: int) -> int:
        return (25000 if players == 4 else 35000) if self.start is None else self.start

    def return_score(self, players: int) -> int:
        return (30000 if players == 4 else 40000) if self.returned is None else self.returned

    def uma(self, players: int) -> Sequence[int]:
        return self.uma_thousands or ((20, 10, -10, -20) if players == 4 else (20, 0, -20))


def _game(*scores: int, sticks: int = 0) -> RiichiGame:
    return RiichiGame(
        tuple(Seat(player, score) for player, score in enumerate(scores)), Length.HANCHAN, sticks=sticks
    )


@pytest.mark.parametrize(
    ("scores", "ordered", "shared"),
    [
        ((35200, 28000, 20300, 16500), (1, 2, 3, 4), (1, 2, 3, 4)),
        ((16500, 20300, 28000, 35200), (4, 3, 2, 1), (4, 3, 2, 1)),
        ((30000, 20000, 30000, 20000), (1, 3, 2, 4), (1, 3, 1, 3)),
        ((25000, 25000, 25000, 25000), (1, 2, 3, 4), (1, 1, 1, 1)),
        ((40000, 20000, 20000, 20000), (1, 2, 3, 4), (1, 2, 2, 2)),
        ((-5000, 35000, 35000, 35000), (4, 1, 2, 3), (4, 1, 1, 1)),
        ((20000, 30000, 25000, 25000), (4, 1, 2, 3), (4, 1, 2, 2)),
        ((35000, 35000, 35000), (1, 2, 3), (1, 1, 1)),
        ((30000, 45000, 30000), (2, 1, 3), (2, 1, 2)),
    ],
)
def test_places(scores: tuple[int, ...], ordered: tuple[int, ...], shared: tuple[int, ...]) -> None:
    assert places(_game(*scores), shared=False) == ordered
    assert places(_game(*scores), shared=True) == shared


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((35200, 28000, 20300, 16500), (45200, 8000, -19700, -33500)),
        ((-1200, 61200, 15000, 25000), (-51200, 71200, -25000, 5000)),
        ((25000, 25000, 25000, 25000), (35000, 5000, -15000, -25000)),
        ((47000, 30000, 28000), (42000, -10000, -32000)),
    ],
)
def test_final_points(scores: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert final_points(_game(*scores), Rules()) == points
    assert sum(points) == 0


def test_sticks_go_to_first_place_after_placing() -> None:
    # South trails by 500: the two sticks do not change the places.
    game = _game(33500, 34000, 20000, 10500, sticks=2)
    assert final_points(game, Rules()) == (13500, 46000, -20000, -39500)


def test_sticks_that_go_to_nobody_are_divided_among_all() -> None:
    game = _game(34000, 33000, 20000, 11000, sticks=2)
    assert final_points(game, Rules(sticks_to_first=False)) == (44500, 13500, -19500, -38500)


def test_what_three_players_cannot_divide_goes_to_the_earlier_seats() -> None:
    game = _game(30000, 40000, 34000, sticks=1)
    assert final_points(game, Rules(sticks_to_first=False)) == (-29666, 35333, -5667)


def test_shared_places_divide_uma_oka_and_sticks() -> None:
    game = _game(34500, 20000, 34500, 10000, sticks=1)
    # First and second are worth 20000 + 20000 oka + 1000 sticks + 10000.
    assert final_points(game, Rules(shared_places=True)) == (30000, -20000, 30000, -40000)


def test_a_remainder_of_shared_places_goes_to_the_earlier_seats() -> None:
    # The three are worth 40000 + 10000 - 10000 = 40000: 13334, 13333 and 13333.
    game = _game(10000, 30000, 30000, 30000)
    assert final_points(game, Rules(shared_places=True)) == (-40000, 13334, 13333, 13333)
    # The lower three are worth 10000 - 10000 - 20000 = -20000.
    game = _game(40000, 20000, 20000, 20000)
    assert final_points(game, Rules(shared_places=True)) == (50000, -16666, -16667, -16667)


def test_no_oka_when_the_return_score_is_the_starting_score() -> None:
    rules = Rules(returned=25000, uma_thousands=(15, 5, -5, -15))
    assert final_points(_game(40000, 30000, 20000, 10000), rules) == (30000, 10000, -10000, -30000)


@pytest.mark.parametrize(
    ("players", "sticks", "total"), [(4, 0, 100_000), (4, 3, 97_000), (3, 0, 105_000), (3, 1, 104_000)]
)
def test_expected_total(players: int, sticks: int, total: int) -> None:
    assert expected_total(_game(*[0] * players, sticks=sticks), Rules()) == total


@st.composite
def scored_games(draw: st.DrawFn) -> tuple[RiichiGame, Rules]:
    """A game whose scores add up as they must, often with equal scores, under any club's rules."""
    players = draw(st.sampled_from([3, 4]))
    start = draw(st.integers(0, 500)) * 100
    uma = draw(st.lists(st.integers(-50, 50), min_size=players - 1, max_size=players - 1))
    rules = Rules(
        shared_places=draw(st.booleans()),
        sticks_to_first=draw(st.booleans()),
        start=start,
        returned=start + draw(st.integers(0, 200)) * 100,
        uma_thousands=(*uma, -sum(uma)),
    )
    sticks = draw(st.integers(0, 9))
    hundreds = st.integers(-200, 1000) | st.sampled_from([start // 100, 0])
    scores = [score * 100 for score in draw(st.lists(hundreds, min_size=players - 1, max_size=players - 1))]
    scores.append(start * players - 1000 * sticks - sum(scores))
    return _game(*draw(st.permutations(scores)), sticks=sticks), rules


@given(scored_games())
def test_final_points_add_up_to_zero(scored: tuple[RiichiGame, Rules]) -> None:
    game, rules = scored
    assert sum(game.scores) == expected_total(game, rules)
    assert sum(final_points(game, rules)) == 0


@given(scored_games())
def test_places_follow_the_scores(scored: tuple[RiichiGame, Rules]) -> None:
    game, _ = scored
    ordered, shared = places(game, shared=False), places(game, shared=True)
    assert sorted(ordered) == list(range(1, len(game.seats) + 1))
    for seat, score in enumerate(game.scores):
        for other, other_score in enumerate(game.scores):
            if score > other_score:
                assert ordered[seat] < ordered[other]
                assert shared[seat] < shared[other]
            elif score == other_score:
                assert shared[seat] == shared[other]
                assert (ordered[seat] < ordered[other]) == (seat < other)


@given(scored_games())
def test_seats_that_share_a_place_get_the_same_to_a_point(scored: tuple[RiichiGame, Rules]) -> None:
    game, rules = scored
    points = final_points(game, replace(rules, shared_places=True, sticks_to_first=True))
    for seat, score in enumerate(game.scores):
        equals = [points[other] for other, other_score in enumerate(game.scores) if other_score == score]
        assert equals == sorted(equals, reverse=True)
        assert points[seat] - min(equals) <= 1
