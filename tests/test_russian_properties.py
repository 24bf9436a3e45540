"""RR, CRR and Online: what holds for any tournaments and any results (seed 002)."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.russian import (
    Event,
    Moment,
    Player,
    Pool,
    Ranking,
    RankingFacts,
    Result,
    Stage,
    Table,
    Tournament,
    base_rank,
    changes,
    explain,
    forecast,
    gather,
    moving_days,
    series,
    table,
    weight_at,
    weights,
)
from ratings.systems.russian.parts import part_a, part_a_count

DAY = date(2025, 2, 28)
PLAYERS = {number: Player(number, "RU", f"Player {number % 3}") for number in range(1, 7)}
DAYS = st.integers(-800, 30).map(lambda days: DAY + timedelta(days))


@st.composite
def _tournaments(draw: st.DrawFn, number: int) -> Tournament:
    participants = draw(st.integers(4, 190))
    stages: tuple[Stage, ...] = ()
    if draw(st.integers(0, 4)) == 0:
        cuts = sorted(draw(st.lists(st.integers(1, participants), max_size=3)), reverse=True)
        stages = tuple(Stage(size, draw(st.integers(1, 8))) for size in (participants, *cuts))
    last_day = draw(DAYS)
    return Tournament(
        id=number,
        name="",
        first_day=last_day - timedelta(draw(st.integers(0, 4))),
        last_day=last_day,
        hanchan=draw(st.none() | st.integers(1, 24)),
        participants=participants,
        country="RU",
        stages=stages,
    )


@st.composite
def _facts(draw: st.DrawFn, most: int = 14, stages: bool = True) -> RankingFacts:
    tournaments = [draw(_tournaments(number)) for number in range(1, draw(st.integers(1, most)) + 1)]
    if not stages:
        tournaments = [replace(tournament, stages=()) for tournament in tournaments]
    results = []
    for tournament in tournaments:
        for player in PLAYERS:
            if draw(st.integers(0, 3)):
                place = draw(st.integers(1, tournament.participants))
                results.append(Result(tournament.id, player, place, draw(st.integers(0, 9)) > 0))
    return RankingFacts({each.id: each for each in tournaments}, results, PLAYERS)


def _pool(facts: RankingFacts, ranking: Ranking = Ranking.RR) -> Pool:
    return gather(facts, ranking, only=facts.tournaments)


RANKINGS = st.sampled_from(Ranking)


def _subset(points: list[Fraction], weights: list[Fraction]) -> Fraction:
    """Part A by trying all subsets."""
    count = len(points)
    if count <= 5:
        return sum(points, Fraction(0)) / (sum(weights) + 5 - count)
    kept = part_a_count(count)
    return max(
        sum((points[i] for i in chosen), Fraction(0)) / sum(weights[i] for i in chosen)
        for chosen in combinations(range(count), kept)
    )


def _sevenths(last_day: date, day: date) -> int:
    """Ageing by walking from anniversary to anniversary."""
    if not 0 <= (day - last_day).days < 730:
        return 0
    passed = 0
    for months in range(12, 24, 2):
        year, month = divmod(last_day.month - 1 + months, 12)
        year, month = last_day.year + year, month + 1
        passed += date(year, month, min(last_day.day, monthrange(year, month)[1])) <= day
    return 7 - passed


def _reference(facts: RankingFacts, day: date, best: int) -> dict[int, Fraction]:
    """The whole formula in fractions, straight from the text, for tournaments without cut-offs."""
    aged = {
        each.id: Fraction(round(100 * weights(each)[0].total), 100) * Fraction(_sevenths(each.last_day, day), 7)
        for each in facts.tournaments.values()
    }
    counted = [result for result in facts.results if result[3] and aged[result[0]]]
    maximal = sorted((aged[number] for number in {result[0] for result in counted}), reverse=True)[:best]
    maxk = sum(maximal) + best - len(maximal)
    ratings: dict[int, Fraction] = {}
    for player in {result[1] for result in counted}:
        own = [result for result in counted if result[1] == player]
        if len(own) >= 2:
            heavy = [aged[number] for number, _, _, _ in own]
            sizes = [facts.tournaments[number].participants for number, _, _, _ in own]
            ranks = [Fraction(1000 * (size - own[i][2]), size - 1) for i, size in enumerate(sizes)]
            points = [weight * rank for weight, rank in zip(heavy, ranks, strict=True)]
            second = sum(sorted(points, reverse=True)[:best], Fraction(0)) / maxk
            ratings[player] = (_subset(points, heavy) + second) / 2
    return ratings


@given(_facts(stages=False), RANKINGS)
def test_the_table_is_the_formula_worked_out_in_fractions(facts: RankingFacts, ranking: Ranking) -> None:
    expected = _reference(facts, DAY, 3 if ranking is Ranking.ONLINE else 4)
    rows = table(_pool(facts, ranking), DAY).rows
    assert {row.player_id for row in rows} == expected.keys()
    for row in rows:
        assert row.rating == pytest.approx(float(expected[row.player_id]), abs=1e-9)


@st.composite
def _weighed(draw: st.DrawFn) -> list[tuple[int, Fraction]]:
    """W x A in seven-hundredths, and R, of up to sixteen results; often alike."""
    some = draw(st.integers(6, 16))
    heavy = st.sampled_from([120, 260 * 7]) | st.integers(1, 520 * 7)
    ranks = st.sampled_from([Fraction(0), Fraction(500), Fraction(1000)]) | st.builds(
        lambda size, place: Fraction(1000 * (size - 1 - place % size), size - 1),
        st.integers(4, 99),
        st.integers(0, 98),
    )
    return draw(st.lists(st.tuples(heavy, ranks), min_size=some, max_size=some))


@given(_weighed())
def test_the_subset_found_is_the_best_of_all(results: list[tuple[int, Fraction]]) -> None:
    points = [weight * rank for weight, rank in results]
    expected = _subset(points, [Fraction(weight) for weight, _ in results])
    found, kept = part_a([float(each) for each in points], [float(weight) for weight, _ in results])
    assert found == pytest.approx(float(expected), rel=1e-12, abs=1e-9)
    assert len(set(kept)) == len(kept) == part_a_count(len(results))
    exactly = sum(points[i] for i in kept) / sum(results[i][0] for i in kept)
    assert found == pytest.approx(float(exactly), rel=1e-12, abs=1e-9)


@given(_facts(), RANKINGS)
def test_ratings_and_places(facts: RankingFacts, ranking: Ranking) -> None:
    rows = table(_pool(facts, ranking), DAY).rows
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        assert row.results >= 2
        assert all(0 <= figure <= 1000 for figure in (row.rating, row.part_a, row.part_b))
        assert row.rating == 0.5 * (row.part_a + row.part_b)
    for higher, lower in pairwise(rows):
        keys = [(-row.rating, PLAYERS[row.player_id].name, row.player_id) for row in (higher, lower)]
        assert keys[0] < keys[1]


@given(_facts(), RANKINGS, st.randoms(use_true_random=False))
def test_the_order_of_the_facts_is_no_matter(facts: RankingFacts, ranking: Ranking, random: Random) -> None:
    results = random.sample(list(facts.results), len(facts.results))
    tournaments = random.sample(list(facts.tournaments.items()), len(facts.tournaments))
    players = random.sample(list(PLAYERS.items()), len(PLAYERS))
    shuffled = RankingFacts(dict(tournaments), [(*result,) for result in results], dict(players))
    pool, again = _pool(facts, ranking), _pool(shuffled, ranking)
    assert table(pool, DAY) == table(again, DAY)
    assert [explain(pool, player, DAY) for player in PLAYERS] == [
        explain(again, player, DAY) for player in PLAYERS
    ]


@given(_facts(), st.data())
def test_a_better_place_never_lowers_a_rating(facts: RankingFacts, data: st.DataObject) -> None:
    movable = [result for result in facts.results if result[2] > 1]
    if not movable:
        return
    worse = data.draw(st.sampled_from(movable))
    tournament = facts.tournaments[worse[0]]
    better = (worse[0], worse[1], data.draw(st.integers(1, worse[2] - 1)), worse[3])
    stages = weights(tournament)
    if weight_at(stages, better[2]) != weight_at(stages, worse[2]):
        # Across a cut-off the result weighs more as well, and a poor result that weighs more is worse.
        return
    results = [better if result == worse else result for result in facts.results]
    before, after = table(_pool(facts), DAY), table(_pool(replace(facts, results=results)), DAY)
    old = {row.player_id: row for row in before.rows}
    for row in after.rows:
        assert row.rating >= old[row.player_id].rating - 1e-9
        if row.player_id != worse[1]:
            assert row[2:] == old[row.player_id][2:]


@given(_facts(), RANKINGS, st.lists(DAYS, min_size=1, max_size=40).map(sorted))
def test_a_series_is_the_same_as_each_table(facts: RankingFacts, ranking: Ranking, days: list[date]) -> None:
    pool = _pool(facts, ranking)
    assert list(series(pool, days)) == [table(pool, day) for day in days]
    backwards = days[::-1]
    assert list(series(pool, backwards)) == [table(pool, day) for day in backwards]


@given(_facts(), RANKINGS)
def test_nothing_moves_between_the_moving_days(facts: RankingFacts, ranking: Ranking) -> None:
    pool = _pool(facts, ranking)
    first, last = DAY - timedelta(60), DAY + timedelta(60)
    moving = moving_days(pool, first, last)
    days = [first + timedelta(number) for number in range(121)]

    def shown(each: Table) -> object:
        return each.rows, each.maximal, each.maxk

    for before, after in pairwise(series(pool, days)):
        assert (shown(before) != shown(after)) <= (after.day in moving)


@given(_facts(), RANKINGS)
def test_an_explanation_is_the_table_to_the_last_bit(facts: RankingFacts, ranking: Ranking) -> None:
    pool = _pool(facts, ranking)
    found = table(pool, DAY)
    rows = {row.player_id: row for row in found.rows}
    for player in PLAYERS:
        said = explain(pool, player, DAY)
        assert said.listed is (player in rows)
        assert (said.maximal, said.maxk) == (found.maximal, found.maxk)
        assert len(said.in_part_a) == part_a_count(len(said.results))
        if player in rows:
            row = rows[player]
            assert (said.rating, said.part_a, said.part_b, len(said.results)) == row[2:]
        for result in said.results:
            assert result.base_rank == base_rank(result.place, result.participants)


@given(_facts(), st.integers(0, 120))
def test_whoever_moved_is_told_why(facts: RankingFacts, days: int) -> None:
    pool, later = _pool(facts), DAY + timedelta(days)
    old = {row.player_id: row for row in table(pool, DAY).rows}
    new = {row.player_id: row for row in table(pool, later).rows}
    found = changes(Moment(pool, DAY), Moment(pool, later))
    ratings = [{player: row.rating for player, row in rows.items()} for rows in (old, new)]
    assert {change.player_id for change in found} == {
        player for player in old | new if ratings[0].get(player) != ratings[1].get(player)
    }
    for change in found:
        assert (change.before, change.after) == (old.get(change.player_id), new.get(change.player_id))
        assert change.causes
        for cause in change.causes:
            assert cause.before != cause.after
            assert cause.event is not Event.CORRECTED
            assert (cause.event is Event.ENTERED) is (cause.before is None)
            assert (cause.event is Event.LEFT) is (cause.after is None)


@given(_facts(), _tournaments(number=50), st.sampled_from(sorted(PLAYERS)), st.data())
def test_a_forecast_comes_true(facts: RankingFacts, coming: Tournament, player: int, data: st.DataObject) -> None:
    coming = replace(coming, first_day=DAY, last_day=DAY)
    found = forecast(_pool(facts), player, coming)
    assert [prospect.place for prospect in found] == list(range(1, coming.participants + 1))
    place = data.draw(st.integers(1, coming.participants))
    played = RankingFacts(
        {**facts.tournaments, coming.id: coming}, [*facts.results, Result(coming.id, player, place)], PLAYERS
    )
    rows = {row.player_id: row for row in table(_pool(played), DAY).rows}
    prospect = found[place - 1]
    assert (player in rows) is (prospect.results >= 2)
    if player in rows:
        row = rows[player]
        assert prospect[1:4] == pytest.approx(row[2:5], abs=1e-9)
        assert prospect.results == row.results
