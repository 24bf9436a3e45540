"""The Tenhou ladder and R beyond the published rows: the seed's text, shared places, lobbies, properties."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.models import Length, Lobby, Standing, TenhouRules
from ratings.systems.tenhou import (
    ADJUSTMENTS,
    INITIAL,
    PLACEMENT_BASES,
    RANKS,
    TENHOUI,
    RankEvent,
    Step,
    automatic_lobby,
    explain,
    open_lobbies,
    rate,
)

EAST, SOUTH = Length.TONPUU, Length.HANCHAN
IPPAN, JOUKYUU, TOKUJOU, HOUOU = Lobby
SEED, LIVE = TenhouRules
INDEX = {rank.id: rank.index for rank in RANKS}
PLACINGS = {
    players: [
        places
        for places in product(range(1, players + 1), repeat=players)
        if all(place == 1 + sum(other < place for other in places) for place in places)
    ]
    for players in (3, 4)
}


def _play(rank: str, points: int, place: int, lobby: Lobby, length: Length, *, players: int = 4) -> Step:
    """One game under the seed's rules of a player of `rank` against newcomers."""
    others = [other for other in range(1, players + 1) if other != place]
    table = [Standing(INDEX[rank], points, 1500.0, 0), *[INITIAL] * (players - 1)]
    return explain([place, *others], table, lobby, length, SEED)[0]


@pytest.mark.parametrize(
    ("rank", "points", "place", "lobby", "length", "rank_after", "points_after", "event"),
    [
        ("shinjin", 10, 4, IPPAN, SOUTH, "shinjin", 10, None),
        ("shinjin", 10, 2, IPPAN, EAST, "9kyu", 0, RankEvent.PROMOTION),
        ("3kyu", 0, 4, IPPAN, SOUTH, "3kyu", 0, None),
        ("2kyu", 15, 4, IPPAN, SOUTH, "2kyu", 0, None),
        ("2kyu", 10, 4, IPPAN, SOUTH, "3kyu", 0, RankEvent.DEMOTION),
        ("2kyu", 9, 4, IPPAN, EAST, "3kyu", 0, RankEvent.DEMOTION),
        ("1kyu", 20, 4, JOUKYUU, EAST, "1kyu", 0, None),
        ("1kyu", 19, 4, JOUKYUU, EAST, "2kyu", 0, RankEvent.DEMOTION),
        ("1dan", 30, 4, JOUKYUU, EAST, "1dan", 0, None),
        ("1dan", 0, 4, JOUKYUU, EAST, "1kyu", 0, RankEvent.DEMOTION),
        ("2dan", 50, 4, JOUKYUU, SOUTH, "1dan", 200, RankEvent.DEMOTION),
        ("7dan", 134, 4, HOUOU, SOUTH, "6dan", 1200, RankEvent.DEMOTION),
        ("10dan", 119, 4, HOUOU, EAST, "9dan", 1800, RankEvent.DEMOTION),
        ("2kyu", 85, 2, IPPAN, SOUTH, "1kyu", 0, RankEvent.PROMOTION),
        ("1kyu", 90, 1, JOUKYUU, SOUTH, "1dan", 200, RankEvent.PROMOTION),
        ("5dan", 1924, 1, TOKUJOU, SOUTH, "5dan", 1999, None),
        ("5dan", 1925, 1, TOKUJOU, SOUTH, "6dan", 1200, RankEvent.PROMOTION),
        ("10dan", 3910, 1, HOUOU, SOUTH, "tenhoui", 0, RankEvent.TENHOUI),
        ("tenhoui", 0, 4, HOUOU, SOUTH, "tenhoui", 0, None),
        ("tenhoui", 0, 1, HOUOU, SOUTH, "tenhoui", 0, None),
    ],
)
def test_seed_ladder(
    rank: str,
    points: int,
    place: int,
    lobby: Lobby,
    length: Length,
    rank_after: str,
    points_after: int,
    event: RankEvent | None,
) -> None:
    step = _play(rank, points, place, lobby, length)
    assert (RANKS[step.after.rank].id, step.after.points, step.event) == (rank_after, points_after, event)


@pytest.mark.parametrize(
    ("rank", "points", "place", "rank_after", "points_after"),
    [("2kyu", 0, 2, "2kyu", 0), ("2kyu", 0, 3, "3kyu", 0), ("1dan", 44, 3, "1kyu", 0)],
)
def test_seed_ladder_of_three_players(
    rank: str, points: int, place: int, rank_after: str, points_after: int
) -> None:
    after = _play(rank, points, place, IPPAN, SOUTH, players=3).after
    assert (RANKS[after.rank].id, after.points) == (rank_after, points_after)


def test_losing_streak_under_the_seed_stops_at_three_kyuu() -> None:
    standing = Standing(INDEX["1dan"], 40, 1500.0, 0)
    walk = []
    for _ in range(5):
        standing = rate((4, 1, 2, 3), [standing, INITIAL, INITIAL, INITIAL], IPPAN, SOUTH, SEED)[0]
        walk.append((RANKS[standing.rank].id, standing.points))
    assert walk == [("1kyu", 0), ("2kyu", 0), ("3kyu", 0), ("3kyu", 0), ("3kyu", 0)]


@pytest.mark.parametrize("rules", TenhouRules)
def test_tenhoui_keeps_the_rank_while_the_rating_moves(rules: TenhouRules) -> None:
    table = [Standing(TENHOUI, 0, 2200.0, 900)] * 4
    after = rate((1, 2, 3, 4), table, HOUOU, SOUTH, rules)
    assert [(standing.rank, standing.points) for standing in after] == [(TENHOUI, 0)] * 4
    assert [standing.rating for standing in after] == [2206.0, 2202.0, 2198.0, 2194.0]


@pytest.mark.parametrize(
    ("games", "adjustment"), [(0, 1.0), (1, 0.998), (100, 0.8), (399, 0.202), (400, 0.2), (1000, 0.2)]
)
def test_adjustment_by_games(games: int, adjustment: float) -> None:
    table = [Standing(0, 0, 1500.0, games)] * 4
    step = explain((1, 2, 3, 4), table, IPPAN, SOUTH, SEED)[0]
    assert step.adjustment == adjustment
    assert step.after.rating == 1500 + adjustment * 30


def test_every_adjustment_is_the_float_nearest_to_the_formula() -> None:
    assert list(ADJUSTMENTS) == [float(1 - Fraction(2, 1000) * games) for games in range(400)]


@pytest.mark.parametrize(
    ("places", "bases", "deltas"),
    [
        # Ranks by seat: newcomer, 2-kyuu, 1-kyuu, 4-dan; ippan hanchan pays 30, 15, 0 and -0, -15, -30, -90.
        ((1, 1, 3, 4), [20, 20, -10, -30], [22, 22, 0, -90]),
        ((1, 2, 2, 4), [30, 0, 0, -30], [30, 7, 7, -90]),
        ((1, 2, 3, 3), [30, 10, -20, -20], [30, 15, -15, -45]),
        ((1, 3, 3, 2), [30, -20, -20, 10], [30, -7, -15, 15]),
        ((1, 1, 1, 4), [10, 10, 10, -30], [15, 15, 15, -90]),
        ((1, 2, 2, 2), [30, -10, -10, -10], [30, 0, -5, -25]),
        ((1, 1, 1, 1), [0, 0, 0, 0], [11, 7, 3, -11]),
        ((3, 3, 1, 1), [-20, -20, 20, 20], [0, -7, 22, 22]),
    ],
)
def test_shared_places_share_bases_and_rank_points(
    places: tuple[int, ...], bases: list[int], deltas: list[int]
) -> None:
    ranks = ("shinjin", "2kyu", "1kyu", "4dan")
    table = [Standing(INDEX[rank], 0, 1500.0, 0) for rank in ranks]
    steps = explain(places, table, IPPAN, SOUTH, SEED)
    assert [step.placement_base for step in steps] == bases
    assert [step.rank_delta for step in steps] == deltas


@pytest.mark.parametrize(
    ("places", "bases", "deltas"),
    [
        ((1, 1, 3), [15, 15, -30], [22, 22, -15]),
        ((1, 2, 2), [30, -15, -15], [45, -7, -7]),
        ((1, 1, 1), [0, 0, 0], [10, 10, 10]),
    ],
)
def test_shared_places_of_three_players(places: tuple[int, ...], bases: list[int], deltas: list[int]) -> None:
    steps = explain(places, [Standing(INDEX["2kyu"], 0, 1500.0, 0)] * 3, IPPAN, SOUTH, SEED)
    assert [step.placement_base for step in steps] == bases
    assert [step.rank_delta for step in steps] == deltas


@pytest.mark.parametrize(
    ("table", "lobby"),
    [
        ([("7dan", 2000.0)] * 4, HOUOU),
        ([("7dan", 2100.0)] * 3 + [("7dan", 1999.99)], TOKUJOU),
        ([("7dan", 2100.0)] * 3 + [("3dan", 2100.0)], JOUKYUU),
        ([("4dan", 1800.0)] * 3, TOKUJOU),
        ([("10dan", 2300.0)] * 3 + [("shinjin", 1500.0)], IPPAN),
    ],
)
def test_automatic_lobby(table: list[tuple[str, float]], lobby: Lobby) -> None:
    assert automatic_lobby([Standing(INDEX[rank], 0, rating, 0) for rank, rating in table]) == lobby


@pytest.mark.parametrize(
    "places",
    [
        (),
        (1,),
        (1, 2),
        (1, 2, 4),
        (1, 1, 2, 3),
        (0, 1, 2, 3),
        (2, 2, 3, 4),
        (1, 2, 3, 5),
        (1, 2, 3, 4, 5),
    ],
)
@pytest.mark.parametrize("step", [rate, explain])
def test_places_that_no_table_can_have_are_refused(step: object, places: tuple[int, ...]) -> None:
    assert callable(step)
    with pytest.raises(ValueError, match="are not the places"):
        step(places, [INITIAL] * len(places), IPPAN, SOUTH, SEED)


@pytest.mark.parametrize("standings", [3, 5])
def test_standings_must_match_the_places(standings: int) -> None:
    with pytest.raises(ValueError, match=f"4 places but {standings} standings"):
        rate((1, 2, 3, 4), [INITIAL] * standings, IPPAN, SOUTH, SEED)


Game = tuple[tuple[int, ...], list[Standing]]
ANY_RATING = st.floats(0, 4000)
HUNDREDTHS = st.integers(0, 400_000).map(lambda rating: rating / 100)
KINDS = st.tuples(st.sampled_from(Lobby), st.sampled_from(Length))
RULE_SETS = st.sampled_from(TenhouRules)


@st.composite
def standings(draw: st.DrawFn, ratings: st.SearchStrategy[float] = ANY_RATING) -> Standing:
    rank = draw(st.sampled_from(RANKS))
    highest = min(rank.target(4) or 1, rank.target(3) or 1) - 1
    return Standing(rank.index, draw(st.integers(0, highest)), draw(ratings), draw(st.integers(0, 1000)))


@st.composite
def games(draw: st.DrawFn, ratings: st.SearchStrategy[float] = ANY_RATING) -> Game:
    places = draw(st.sampled_from(PLACINGS[3] + PLACINGS[4]))
    return places, draw(st.lists(standings(ratings), min_size=len(places), max_size=len(places)))


@given(games(), KINDS, st.integers(0, 1000))
def test_rating_changes_add_up_to_zero_with_one_adjustment(
    game: Game, kind: tuple[Lobby, Length], played: int
) -> None:
    places, table = game
    table = [standing._replace(games=played) for standing in table]
    after = rate(places, table, *kind, SEED)
    changes = sum(new.rating - old.rating for old, new in zip(table, after, strict=True))
    assert changes == pytest.approx(0, abs=1e-8)


@given(games(), KINDS, RULE_SETS, st.data())
def test_the_order_of_the_seats_does_not_matter(
    game: Game,
    kind: tuple[Lobby, Length],
    rules: TenhouRules,
    data: st.DataObject,
) -> None:
    places, table = game
    order = data.draw(st.sampled_from(list(permutations(range(len(places))))))
    straight = rate(places, table, *kind, rules)
    turned = rate([places[seat] for seat in order], [table[seat] for seat in order], *kind, rules)
    assert turned == [straight[seat] for seat in order]


@given(games(), KINDS, RULE_SETS)
def test_one_game_moves_a_rank_by_one_at_most(game: Game, kind: tuple[Lobby, Length], rules: TenhouRules) -> None:
    places, table = game
    for old, new in zip(table, rate(places, table, *kind, rules), strict=True):
        assert abs(new.rank - old.rank) <= 1
        assert 0 <= new.points < (RANKS[new.rank].target(len(places)) or 1)
        if new.rank != old.rank:
            assert new.points == RANKS[new.rank].base
        if rules is LIVE and old.rank < INDEX["1dan"]:
            assert new.rank >= old.rank
        assert new.games == old.games + 1


@given(games(), KINDS, RULE_SETS)
def test_explanations_lead_to_the_rated_standings(
    game: Game, kind: tuple[Lobby, Length], rules: TenhouRules
) -> None:
    places, table = game
    steps = explain(places, table, *kind, rules)
    assert [step.before for step in steps] == table
    assert [step.after for step in steps] == rate(places, table, *kind, rules)
    for step in steps:
        old, new = step.before, step.after
        change = step.adjustment * (step.placement_base + (step.table_average - old.rating) / 40)
        assert new.rating == pytest.approx(old.rating + change, abs=0.01 if rules is LIVE else 0, rel=0)
        if step.event is None:
            assert (new.rank, new.points) == (old.rank, max(0, old.points + step.rank_delta))
        elif step.event is RankEvent.DEMOTION:
            assert new.rank == old.rank - 1
            assert old.points + step.rank_delta < 0
        else:
            assert new.rank == old.rank + 1
            assert old.points + step.rank_delta >= (RANKS[old.rank].target(len(places)) or 0)
            assert (step.event is RankEvent.TENHOUI) == (new.rank == TENHOUI)


def test_the_smallest_excess_there_can_be_is_rounded_up() -> None:
    table = [Standing(0, 0, rating, 1) for rating in (1500.0, 1500.0, 1500.0, 1794.99)]
    # 1500 + 0.998 x (10 + 73.7475 / 40) = 1511.820000125
    assert rate((1, 2, 3, 4), table, IPPAN, SOUTH, LIVE)[1].rating == 1511.83


@given(games(HUNDREDTHS))
def test_live_ratings_are_rounded_up_from_the_exact_result(game: Game) -> None:
    _check_live_ratings(*game)


@given(games(), HUNDREDTHS)
def test_live_ratings_that_need_no_rounding_stay_as_they_are(game: Game, rating: float) -> None:
    # Among equals everyone moves by whole hundredths, so that any excess is float noise.
    places, table = game
    _check_live_ratings(places, [standing._replace(rating=rating) for standing in table])


def _check_live_ratings(places: Sequence[int], table: Sequence[Standing]) -> None:
    after = rate(places, table, IPPAN, SOUTH, LIVE)
    exact = _exact(places, table)
    assert [new.rating for new in after] == [ceil(rating * 100) / 100 for rating in exact]


def _exact(places: Sequence[int], table: Sequence[Standing]) -> list[Fraction]:
    """The live formula in fractions, before rounding."""
    players = len(places)
    ratings = [Fraction(round(standing.rating * 100), 100) for standing in table]
    average = max(Fraction(1500), sum(ratings, Fraction(0)) / players)
    results = []
    for place, rating, standing in zip(places, ratings, table, strict=True):
        sharers = places.count(place)
        base = Fraction(sum(PLACEMENT_BASES[players][place - 1 : place - 1 + sharers]), sharers)
        adjustment = max(Fraction(1, 5), 1 - Fraction(standing.games, 500))
        results.append(rating + adjustment * (base + (average - rating) / 40))
    return results


@given(st.lists(standings(), min_size=3, max_size=4))
def test_the_automatic_lobby_is_the_highest_that_all_may_enter(table: list[Standing]) -> None:
    order = list(Lobby)
    chosen = automatic_lobby(table)
    assert all(chosen in open_lobbies(standing) for standing in table)
    for higher in order[order.index(chosen) + 1 :]:
        assert not all(higher in open_lobbies(standing) for standing in table)
