"""RR, CRR and Online: who is listed, in which order, and with which rating (seed 002)."""

from __future__ import annotations

import pytest

from ratings.systems.russian import (
    Maximal,
    Player,
    RankingFacts,
    RankingRules,
    Stage,
    explain,
    gather,
    table,
    weight_at,
    weights,
)
from ratings.systems.russian.parts import part_a, part_b_points
from tests.ranking_help import cup
from tests.russian_help import ANN, BOB, CRR, DAY, EVE, KIM, ONLINE, PLAYERS, RR, facts_of


def test_two_results_at_least() -> None:
    facts = facts_of(cup(1), cup(2), results=[(1, ANN, 1), (2, ANN, 2), (1, BOB, 2)])
    assert [row.player_id for row in table(gather(facts, RR), DAY).rows] == [ANN]
    assert explain(gather(facts, RR), BOB, DAY).listed is False


def test_who_is_listed() -> None:
    results = [(number, player, player) for number in (1, 2) for player in PLAYERS]
    home = facts_of(cup(1), cup(2), results=results, absent=BOB)
    assert [row.player_id for row in table(gather(home, RR), DAY).rows] == [ANN, EVE]
    everybody = RankingRules(home_players_only=False)
    assert [row.player_id for row in table(gather(home, CRR, everybody), DAY).rows] == [ANN, EVE, KIM]
    online = facts_of(cup(1, online=True), cup(2, online=True), results=results)
    assert [row.player_id for row in table(gather(online, ONLINE), DAY).rows] == [ANN, BOB, EVE, KIM]


def test_somebody_of_an_unknown_country_is_listed_online_alone() -> None:
    nobody = 99
    for ranking, online, listed in ((RR, False, []), (ONLINE, True, [nobody])):
        facts = facts_of(cup(1, online=online), cup(2, online=online), results=[(1, nobody, 1), (2, nobody, 1)])
        assert [row.player_id for row in table(gather(facts, ranking), DAY).rows] == listed


def test_equal_ratings_are_ordered_by_name_and_then_by_id() -> None:
    players = {1: Player(1, "RU", "Zed"), 2: Player(2, "RU", "Ann"), 3: Player(3, "RU", "Ann"), 4: Player(4, "RU")}
    results = [(number, player, 3, True) for number in (1, 2) for player in (3, 1, 2, 4)]
    facts = RankingFacts({number: cup(number) for number in (1, 2)}, results, players)
    rows = table(gather(facts, RR), DAY).rows
    assert [(row.place, row.player_id) for row in rows] == [(1, 4), (2, 2), (3, 3), (4, 1)]
    assert len({row.rating for row in rows}) == 1


def test_a_foreign_event_with_one_home_player_raises_the_coefficients_for_everybody() -> None:
    # The figures are those of the vectors: 554.03 falls to 421.00.
    small = cup(1, participants=16, hanchan=4), cup(2, participants=20, hanchan=8)
    big = cup(3, participants=180, hanchan=20, country="DE", ema=True)
    mine = [(1, ANN, 1), (2, ANN, 2)]
    without = table(gather(facts_of(*small, big, results=[*mine, (3, KIM, 1)]), RR), DAY)
    assert without.rows[0].rating == pytest.approx(554.03, abs=0.005)
    assert [each.tournament_id for each in without.maximal] == [2, 1]
    with_bob = table(gather(facts_of(*small, big, results=[*mine, (3, BOB, 90)]), RR), DAY)
    assert with_bob.rows[0].rating == pytest.approx(421.00, abs=0.005)
    assert with_bob.maximal == (Maximal(3, 520, 7), Maximal(2, 210, 7), Maximal(1, 120, 7))
    assert [each.value for each in with_bob.maximal] == pytest.approx([5.2, 2.1, 1.2])
    assert with_bob.maxk == pytest.approx(5.2 + 2.1 + 1.2 + 1)


def test_part_b_has_four_results_and_three_online() -> None:
    results = [(number, ANN, 1) for number in range(1, 6)]
    for ranking, online, best in ((RR, False, 4), (CRR, False, 4), (ONLINE, True, 3)):
        pool = gather(facts_of(*(cup(n, online=online) for n in range(1, 6)), results=results), ranking)
        found = explain(pool, ANN, DAY)
        assert len(found.in_part_b) == best
        assert [each.tournament_id for each in found.maximal] == list(range(1, best + 1))
        assert found.rating == found.part_a == found.part_b == 1000


def test_last_places_make_a_rating_of_nothing() -> None:
    (row,) = table(gather(facts_of(cup(1), cup(2), results=[(1, ANN, 40), (2, ANN, 40)]), RR), DAY).rows
    assert str(row.rating) == "0.0"


def test_a_bad_small_result_can_raise_a_rating() -> None:
    # It takes the place of a missing result, which weighs 1.
    wins = [(1, ANN, 1), (2, ANN, 1)]
    small = cup(3, participants=12, hanchan=3)
    two = table(gather(facts_of(cup(1), cup(2), small, results=wins), CRR), DAY)
    three = table(gather(facts_of(cup(1), cup(2), small, results=[*wins, (3, ANN, 12)]), CRR), DAY)
    assert two.rows[0].rating == pytest.approx(678.18, abs=0.005)
    assert three.rows[0].rating == pytest.approx(687.18, abs=0.005)


@pytest.mark.parametrize("order", [1, -1])
def test_of_equal_results_the_one_with_the_lowest_id_is_dropped(order: int) -> None:
    tournaments = [cup(number) for number in range(1, 11)][::order]
    pool = gather(facts_of(*tournaments, results=[(each.id, ANN, 9) for each in tournaments]), RR)
    found = explain(pool, ANN, DAY)
    assert found.in_part_a == frozenset(range(2, 11))
    assert found.in_part_b == frozenset(range(1, 5))


def test_sums_are_rounded_once() -> None:
    assert sum([0.1] * 9) != 0.9
    assert part_a([0.1] * 9, [1.0] * 9)[0] == 0.9 / 9
    assert part_b_points([0.1] * 9, 9) == 0.9


def test_with_cut_offs_everybody_has_the_weight_of_his_own_distance() -> None:
    staged = cup(1, participants=28, hanchan=None, stages=(Stage(28, 10), Stage(8, 10)))
    assert [round(weight_at(weights(staged), place).total, 4) for place in (1, 8, 9, 28)] == [
        3.1786,
        3.1786,
        2.7286,
        2.7286,
    ]
    pool = gather(facts_of(staged, cup(2), results=[(1, ANN, 9), (2, ANN, 1), (1, BOB, 8), (2, BOB, 1)]), RR)
    heaviest = table(pool, DAY).maximal[0]
    assert (heaviest.tournament_id, heaviest.sevenths) == (1, 7)
    assert heaviest.value == pytest.approx(3.1786, abs=5e-5)
    assert [row.player_id for row in table(pool, DAY).rows] == [BOB, ANN]
    for player, weight in ((ANN, 2.7286), (BOB, 3.1786)):
        found = explain(pool, player, DAY)
        result = next(each for each in found.results if each.tournament_id == 1)
        assert result.weight.total == pytest.approx(weight, abs=5e-5)
        assert result.weight.k_mean_hanchan == pytest.approx(2.1571, abs=5e-5)
        assert found.rating == next(row.rating for row in table(pool, DAY).rows if row.player_id == player)
