"""RR, CRR and Online: why a rating is what it is, and what a coming tournament would bring (seed 002)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from ratings.systems.russian import ageing, explain, forecast, gather, table
from tests.ranking_help import cup
from tests.russian_help import ANN, BASE, BASE_RESULTS, BOB, DAY, EVE, RR, facts_of


def test_the_explanation_adds_up() -> None:
    tournaments = [cup(n, last_day=date(2023, 8, 1) + timedelta(60 * n), hanchan=3 + n) for n in range(1, 12)]
    pool = gather(facts_of(*tournaments, results=[(n, ANN, 3 * n) for n in range(1, 12)]), RR)
    found = explain(pool, ANN, DAY)
    (row,) = table(pool, DAY).rows
    assert (found.rating, found.part_a, found.part_b) == (row.rating, row.part_a, row.part_b)
    assert [result.tournament_id for result in found.results] == list(range(1, 12))
    for result in found.results:
        weight = result.weight
        assert weight.total == pytest.approx(weight.k_participants + weight.k_hanchan)
        assert (weight.k_participants, weight.k_mean_hanchan) == (1.0, None)
        assert result.sevenths == ageing(result.months)
        assert result.points == pytest.approx(weight.total * result.base_rank * result.sevenths / 7)
        assert result.base_rank == pytest.approx(1000 * (40 - result.place) / 39)
    assert (len(found.in_part_a), len(found.in_part_b)) == (10, 4)
    kept = [result for result in found.results if result.tournament_id in found.in_part_a]
    assert found.part_a_points == pytest.approx(sum(result.points for result in kept))
    assert found.part_a_weight == pytest.approx(sum(each.weight.total * each.sevenths / 7 for each in kept))
    assert found.part_a == pytest.approx(found.part_a_points / (found.part_a_weight + found.part_a_missing))
    best = sorted((result.points for result in found.results), reverse=True)[:4]
    assert found.part_b_points == pytest.approx(sum(best))
    assert found.maxk == pytest.approx(sum(each.value for each in found.maximal) + found.part_b_missing)
    assert found.part_b == pytest.approx(found.part_b_points / found.maxk)
    assert found.rating == pytest.approx((found.part_a + found.part_b) / 2)


def test_results_are_explained_in_order_of_time() -> None:
    tournaments = [cup(number, last_day=DAY - timedelta(number)) for number in (1, 2, 3)]
    pool = gather(facts_of(*tournaments, results=[(each.id, ANN, 9) for each in tournaments]), RR)
    assert [result.tournament_id for result in explain(pool, ANN, DAY).results] == [3, 2, 1]


def test_what_is_missing_is_said() -> None:
    pool = gather(facts_of(cup(1), cup(2), results=[(1, ANN, 1), (2, ANN, 2)]), RR)
    found = explain(pool, ANN, DAY)
    assert (found.part_a_missing, found.part_b_missing, found.listed) == (3, 2, True)
    nothing = explain(pool, BOB, DAY)
    assert (nothing.results, nothing.rating, nothing.part_a_missing, nothing.listed) == ((), 0, 5, False)


def test_a_result_can_be_dropped_from_part_a_and_be_one_of_part_b() -> None:
    # The heaviest tournament by far: a middling result there is still among the four best by W x R x A.
    small = [cup(number, participants=16, hanchan=4) for number in range(2, 11)]
    big = cup(1, participants=180, hanchan=20)
    pool = gather(facts_of(big, *small, results=[(1, ANN, 120), *((n, ANN, 3) for n in range(2, 11))]), RR)
    found = explain(pool, ANN, DAY)
    assert found.in_part_a == frozenset(range(2, 11))
    assert 1 in found.in_part_b


# What a coming tournament would bring


def test_a_forecast_is_the_rating_that_the_place_then_brings() -> None:
    coming = cup(3, participants=20, hanchan=10, last_day=date(2026, 4, 1))
    found = forecast(gather(facts_of(*BASE, results=BASE_RESULTS), RR), ANN, coming)
    assert [prospect.place for prospect in found] == list(range(1, 21))
    for prospect in found:
        facts = facts_of(*BASE, coming, results=[*BASE_RESULTS, (3, ANN, prospect.place)])
        row = next(row for row in table(gather(facts, RR), coming.last_day).rows if row.player_id == ANN)
        assert prospect[1:] == row[2:]


def test_a_forecast_for_a_later_day_and_for_a_newcomer() -> None:
    coming = cup(3, last_day=DAY)
    pool = gather(facts_of(*BASE, results=BASE_RESULTS), RR)
    first, *_, last = forecast(pool, EVE, coming)
    assert (first.results, last.rating) == (1, 0)
    assert first.part_a == pytest.approx(1000 * 2.6 / 6.6)
    later = forecast(pool, EVE, coming, date(2026, 6, 30))[0]
    assert later.part_a == pytest.approx(1000 * 2.6 * 6 / 7 / (2.6 * 6 / 7 + 4))
    with pytest.raises(ValueError, match="Tournament 3 does not count on 2025-06-29"):
        forecast(pool, EVE, coming, date(2025, 6, 29))


def test_a_forecast_takes_the_place_of_a_tournament_of_the_same_id() -> None:
    pool = gather(facts_of(*BASE, results=BASE_RESULTS), RR)
    found = forecast(pool, ANN, BASE[1], DAY)
    row = next(row for row in table(pool, DAY).rows if row.player_id == ANN)
    assert found[7].rating == row.rating
    assert found[7].results == row.results == 2
    many = [cup(number, hanchan=number) for number in range(3, 9)]
    pool = gather(facts_of(*BASE, *many, results=[*BASE_RESULTS, *((each.id, BOB, 1) for each in many[1:])]), RR)
    row = next(row for row in table(pool, DAY).rows if row.player_id == BOB)
    assert forecast(pool, BOB, many[-1], DAY)[0][1:] == row[2:]
    shorter = replace(many[-1], hanchan=1)
    facts = facts_of(
        *BASE, *many[:-1], shorter, results=[*BASE_RESULTS, *((each.id, BOB, 1) for each in many[1:])]
    )
    row = next(row for row in table(gather(facts, RR, only=facts.tournaments), DAY).rows if row.player_id == BOB)
    assert forecast(pool, BOB, shorter, DAY)[0][1:] == row[2:]
