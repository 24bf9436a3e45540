"""RR, CRR and Online: which tournaments count, the window, the table, and the reasons given (seed 002)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from ratings.systems.russian import (
    Cause,
    Change,
    Event,
    Exclusion,
    Maximal,
    Moment,
    Player,
    Ranking,
    RankingFacts,
    RankingRules,
    Result,
    Share,
    Stage,
    Tournament,
    ageing,
    changes,
    exclusion,
    explain,
    forecast,
    gather,
    in_window,
    months_between,
    moving_days,
    table,
    weight_at,
    weights,
)
from ratings.systems.russian.parts import part_a, part_b_points

RR, CRR, ONLINE = Ranking
HOME = RankingRules()
DAY = date(2025, 6, 30)
ANN, BOB, EVE, KIM = 1, 2, 3, 4
PLAYERS = {
    ANN: Player(ANN, "RU", "Ann"),
    BOB: Player(BOB, "RU", "Bob"),
    EVE: Player(EVE, "RU", "Eve"),
    KIM: Player(KIM, "KZ", "Kim"),
}


def _tournament(number: int = 1, **given: Any) -> Tournament:
    """W 2.6, three months old, and in RR and CRR, unless told otherwise."""
    values = {
        "name": f"Cup {number}",
        "last_day": date(2025, 3, 30),
        "hanchan": 8,
        "participants": 40,
        "country": "RU",
        "accredited": True,
        **given,
    }
    return Tournament(id=number, **values)


def _facts(
    *tournaments: Tournament, results: list[tuple[int, int, int]], absent: int | None = None
) -> RankingFacts:
    """Results as (tournament, player, place); those of `absent` do not count."""
    return RankingFacts(
        {tournament.id: tournament for tournament in tournaments},
        [Result(*result, counts=result[1] != absent) for result in results],
        PLAYERS,
    )


def _excluded(ranking: Ranking, home_player: bool = False, rules: RankingRules = HOME, **given: Any) -> Any:
    return exclusion(_tournament(**given), ranking, rules, home_player)


# Which tournaments count


@pytest.mark.parametrize(
    ("ranking", "participants", "hanchan", "reason"),
    [
        (RR, 16, 4, None),
        (RR, 15, 4, Exclusion.TOO_FEW_PLAYERS),
        (RR, 16, 3, Exclusion.TOO_FEW_HANCHAN),
        (CRR, 12, 3, None),
        (CRR, 11, 3, Exclusion.TOO_FEW_PLAYERS),
        (CRR, 12, 2, Exclusion.TOO_FEW_HANCHAN),
        (ONLINE, 12, 3, None),
        (ONLINE, 11, 3, Exclusion.TOO_FEW_PLAYERS),
        (ONLINE, 12, 2, Exclusion.TOO_FEW_HANCHAN),
    ],
)
def test_size(ranking: Ranking, participants: int, hanchan: int, reason: Exclusion | None) -> None:
    online = ranking is ONLINE
    assert _excluded(ranking, participants=participants, hanchan=hanchan, online=online) is reason


def test_accreditation_is_for_rr_alone() -> None:
    assert _excluded(RR, accredited=False) is Exclusion.NOT_ACCREDITED
    assert _excluded(CRR, accredited=False) is None
    assert _excluded(ONLINE, accredited=False, online=True) is None


@pytest.mark.parametrize(("share", "reason"), [(None, None), (100, None), (50, None), (49, Exclusion.NOT_OPEN)])
def test_half_of_the_seats_are_open(share: int | None, reason: Exclusion | None) -> None:
    assert _excluded(RR, open_share=share) is reason
    assert _excluded(CRR, open_share=share) is None
    assert _excluded(RR, open_share=share, accredited=False) is Exclusion.NOT_ACCREDITED


def test_until_2017_size_is_all_that_rr_asks_for() -> None:
    last_of_2017: dict[str, Any] = {"first_day": date(2017, 12, 30), "last_day": date(2017, 12, 31)}
    new_year: dict[str, Any] = {"first_day": date(2017, 12, 31), "last_day": date(2018, 1, 1)}
    small: dict[str, Any] = {"hanchan": 1, "accredited": False, "open_share": 0}
    assert _excluded(RR, **last_of_2017, **small) is None
    assert _excluded(RR, **last_of_2017, **small, participants=15) is Exclusion.TOO_FEW_PLAYERS
    assert _excluded(RR, **new_year, **small) is Exclusion.TOO_FEW_HANCHAN
    assert _excluded(RR, **new_year, accredited=False) is Exclusion.NOT_ACCREDITED
    assert _excluded(CRR, **last_of_2017, **small) is Exclusion.TOO_FEW_HANCHAN


@pytest.mark.parametrize("ranking", [RR, CRR])
def test_abroad(ranking: Ranking) -> None:
    assert _excluded(ranking, country="DE") is Exclusion.ABROAD
    assert _excluded(ranking, True, country="DE") is Exclusion.ABROAD
    assert _excluded(ranking, country="DE", ema=True) is Exclusion.NO_HOME_PLAYER
    small_ema: dict[str, Any] = {
        "country": "DE",
        "ema": True,
        "participants": 8,
        "hanchan": 2,
        "accredited": False,
    }
    assert _excluded(ranking, True, **small_ema) is None


def test_an_ema_event_at_home_is_a_tournament_like_others() -> None:
    assert _excluded(RR, True, ema=True, accredited=False) is Exclusion.NOT_ACCREDITED
    assert _excluded(CRR, True, ema=True, accredited=False) is None
    assert _excluded(CRR, True, ema=True, participants=8) is Exclusion.TOO_FEW_PLAYERS


def test_online_tournaments_have_a_rating_of_their_own() -> None:
    assert _excluded(RR, online=True) is Exclusion.ONLINE
    assert _excluded(CRR, True, online=True, country="DE", ema=True) is Exclusion.ONLINE
    assert _excluded(ONLINE) is Exclusion.NOT_ONLINE
    assert _excluded(ONLINE, online=True, country="JP") is None


def test_an_unknown_number_of_hanchan_is_told_apart_from_a_small_one() -> None:
    one_day: dict[str, Any] = {"hanchan": None, "first_day": date(2025, 3, 30)}
    assert _excluded(CRR, **one_day) is Exclusion.UNKNOWN_HANCHAN
    assert _excluded(CRR, hanchan=None) is Exclusion.UNKNOWN_HANCHAN
    assert _excluded(RR, hanchan=None, first_day=date(2025, 3, 29)) is None


def test_all_stages_together_make_the_distance() -> None:
    assert _excluded(RR, hanchan=None, stages=(Stage(40, 2), Stage(8, 2))) is None
    for hanchan in (None, 30):
        stages = (Stage(40, 2), Stage(8, 1))
        assert _excluded(RR, hanchan=hanchan, stages=stages) is Exclusion.TOO_FEW_HANCHAN


def test_any_country_can_be_home() -> None:
    rules = RankingRules(home_country="KZ")
    assert _excluded(RR, rules=rules, country="KZ") is None
    assert _excluded(RR, rules=rules, country="RU") is Exclusion.ABROAD
    facts = _facts(
        _tournament(1, country="KZ"),
        _tournament(2, ema=True),
        _tournament(3, ema=True),
        results=[(1, KIM, 1), (2, KIM, 5), (1, ANN, 2), (2, ANN, 1), (3, ANN, 1)],
    )
    pool = gather(facts, RR, rules)
    assert pool.excluded == {3: Exclusion.NO_HOME_PLAYER}
    assert [row.player_id for row in table(pool, DAY).rows] == [KIM]
    assert gather(facts, RR).excluded == {1: Exclusion.ABROAD}


def test_a_home_player_who_does_not_count_does_not_bring_an_event_in() -> None:
    facts = _facts(_tournament(1, country="DE", ema=True), results=[(1, ANN, 3)], absent=ANN)
    assert gather(facts, RR).excluded == {1: Exclusion.NO_HOME_PLAYER}


def test_a_caller_may_choose_the_tournaments_himself() -> None:
    facts = _facts(
        _tournament(1, participants=4), _tournament(2, participants=4), results=[(1, ANN, 1), (2, ANN, 1)]
    )
    assert gather(facts, RR).excluded == dict.fromkeys((1, 2), Exclusion.TOO_FEW_PLAYERS)
    assert [row.results for row in table(gather(facts, RR, only={1, 2, 77}), DAY).rows] == [2]
    assert list(gather(facts, RR, only={2}).tournaments) == [2]


# Ageing and window


@pytest.mark.parametrize(
    ("ended", "day", "months"),
    [
        (date(2023, 12, 31), date(2025, 2, 27), 13),
        (date(2023, 12, 31), date(2025, 2, 28), 14),
        (date(2024, 2, 29), date(2025, 2, 27), 11),
        (date(2024, 2, 29), date(2025, 2, 28), 12),
        (date(2023, 2, 28), date(2024, 2, 28), 12),
        (date(2022, 12, 31), date(2024, 2, 28), 13),
        (date(2022, 12, 31), date(2024, 2, 29), 14),
        (date(2025, 1, 31), date(2025, 4, 29), 2),
        (date(2025, 1, 31), date(2025, 4, 30), 3),
        (date(2025, 6, 30), date(2025, 6, 30), 0),
    ],
)
def test_whole_calendar_months(ended: date, day: date, months: int) -> None:
    assert months_between(ended, day) == months


def test_seven_steps_on_the_anniversary_days() -> None:
    assert [ageing(months) for months in range(27)] == [7] * 12 + [
        left for left in range(6, 0, -1) for _ in range(2)
    ] + [0] * 3


def test_the_last_counting_day_is_729_days_on() -> None:
    for ended in (date(2023, 6, 15), date(2024, 2, 29), date(2022, 3, 1)):
        assert [in_window(ended, ended + timedelta(days)) for days in (-1, 0, 729, 730)] == [
            False,
            True,
            True,
            False,
        ]
    # With a 29 February between, day 730 is not 24 months on and would still be worth a seventh.
    assert ageing(months_between(date(2022, 6, 15), date(2024, 6, 14))) == 1


def test_the_day_a_result_leaves() -> None:
    old, fresh = _tournament(1, last_day=date(2023, 6, 30)), _tournament(2)
    pool = gather(_facts(old, fresh, results=[(1, ANN, 1), (2, ANN, 1)]), RR)
    last = date(2023, 6, 30) + timedelta(729)
    assert last == date(2025, 6, 28)
    assert [row.results for row in table(pool, last).rows] == [2]
    assert table(pool, last).maxk == pytest.approx(2.6 + 2.6 / 7 + 2)
    assert table(pool, last + timedelta(1)).rows == ()
    assert table(pool, last + timedelta(1)).maxk == pytest.approx(2.6 + 3)


def test_a_tournament_counts_from_its_last_day_on() -> None:
    pool = gather(_facts(_tournament(1), _tournament(2, last_day=DAY), results=[(1, ANN, 1), (2, ANN, 1)]), RR)
    assert table(pool, DAY - timedelta(1)).rows == ()
    (row,) = table(pool, DAY).rows
    assert row.rating == pytest.approx(678.18, abs=0.005)


def test_the_days_on_which_anything_moves() -> None:
    pool = gather(_facts(_tournament(1, last_day=date(2023, 12, 31)), results=[(1, ANN, 1)]), RR)
    assert moving_days(pool, date(2023, 12, 1), date(2026, 1, 31)) == [
        date(2023, 12, 31),
        date(2024, 12, 31),
        date(2025, 2, 28),
        date(2025, 4, 30),
        date(2025, 6, 30),
        date(2025, 8, 31),
        date(2025, 10, 31),
        date(2025, 12, 30),
    ]
    assert moving_days(pool, date(2025, 2, 28), date(2025, 4, 30)) == [date(2025, 2, 28), date(2025, 4, 30)]


# The table


def test_two_results_at_least() -> None:
    facts = _facts(_tournament(1), _tournament(2), results=[(1, ANN, 1), (2, ANN, 2), (1, BOB, 2)])
    assert [row.player_id for row in table(gather(facts, RR), DAY).rows] == [ANN]
    assert explain(gather(facts, RR), BOB, DAY).listed is False


def test_who_is_listed() -> None:
    results = [(number, player, player) for number in (1, 2) for player in PLAYERS]
    home = _facts(_tournament(1), _tournament(2), results=results, absent=BOB)
    assert [row.player_id for row in table(gather(home, RR), DAY).rows] == [ANN, EVE]
    everybody = RankingRules(home_players_only=False)
    assert [row.player_id for row in table(gather(home, CRR, everybody), DAY).rows] == [ANN, EVE, KIM]
    online = _facts(_tournament(1, online=True), _tournament(2, online=True), results=results)
    assert [row.player_id for row in table(gather(online, ONLINE), DAY).rows] == [ANN, BOB, EVE, KIM]


def test_somebody_of_an_unknown_country_is_listed_online_alone() -> None:
    nobody = 99
    for ranking, online, listed in ((RR, False, []), (ONLINE, True, [nobody])):
        facts = _facts(
            _tournament(1, online=online), _tournament(2, online=online), results=[(1, nobody, 1), (2, nobody, 1)]
        )
        assert [row.player_id for row in table(gather(facts, ranking), DAY).rows] == listed


def test_equal_ratings_are_ordered_by_name_and_then_by_id() -> None:
    players = {1: Player(1, "RU", "Zed"), 2: Player(2, "RU", "Ann"), 3: Player(3, "RU", "Ann"), 4: Player(4, "RU")}
    results = [(number, player, 3, True) for number in (1, 2) for player in (3, 1, 2, 4)]
    facts = RankingFacts({number: _tournament(number) for number in (1, 2)}, results, players)
    rows = table(gather(facts, RR), DAY).rows
    assert [(row.place, row.player_id) for row in rows] == [(1, 4), (2, 2), (3, 3), (4, 1)]
    assert len({row.rating for row in rows}) == 1


def test_a_foreign_event_with_one_home_player_raises_the_coefficients_for_everybody() -> None:
    # The figures are those of the vectors: 554.03 falls to 421.00.
    small = _tournament(1, participants=16, hanchan=4), _tournament(2, participants=20, hanchan=8)
    big = _tournament(3, participants=180, hanchan=20, country="DE", ema=True)
    mine = [(1, ANN, 1), (2, ANN, 2)]
    without = table(gather(_facts(*small, big, results=[*mine, (3, KIM, 1)]), RR), DAY)
    assert without.rows[0].rating == pytest.approx(554.03, abs=0.005)
    assert [each.tournament_id for each in without.maximal] == [2, 1]
    with_bob = table(gather(_facts(*small, big, results=[*mine, (3, BOB, 90)]), RR), DAY)
    assert with_bob.rows[0].rating == pytest.approx(421.00, abs=0.005)
    assert with_bob.maximal == (Maximal(3, 520, 7), Maximal(2, 210, 7), Maximal(1, 120, 7))
    assert [each.value for each in with_bob.maximal] == pytest.approx([5.2, 2.1, 1.2])
    assert with_bob.maxk == pytest.approx(5.2 + 2.1 + 1.2 + 1)


def test_part_b_has_four_results_and_three_online() -> None:
    results = [(number, ANN, 1) for number in range(1, 6)]
    for ranking, online, best in ((RR, False, 4), (CRR, False, 4), (ONLINE, True, 3)):
        pool = gather(_facts(*(_tournament(n, online=online) for n in range(1, 6)), results=results), ranking)
        found = explain(pool, ANN, DAY)
        assert len(found.in_part_b) == best
        assert [each.tournament_id for each in found.maximal] == list(range(1, best + 1))
        assert found.rating == found.part_a == found.part_b == 1000


def test_last_places_make_a_rating_of_nothing() -> None:
    (row,) = table(
        gather(_facts(_tournament(1), _tournament(2), results=[(1, ANN, 40), (2, ANN, 40)]), RR), DAY
    ).rows
    assert str(row.rating) == "0.0"


def test_a_bad_small_result_can_raise_a_rating() -> None:
    # It takes the place of a missing result, which weighs 1.
    wins = [(1, ANN, 1), (2, ANN, 1)]
    small = _tournament(3, participants=12, hanchan=3)
    two = table(gather(_facts(_tournament(1), _tournament(2), small, results=wins), CRR), DAY)
    three = table(gather(_facts(_tournament(1), _tournament(2), small, results=[*wins, (3, ANN, 12)]), CRR), DAY)
    assert two.rows[0].rating == pytest.approx(678.18, abs=0.005)
    assert three.rows[0].rating == pytest.approx(687.18, abs=0.005)


@pytest.mark.parametrize("order", [1, -1])
def test_of_equal_results_the_one_with_the_lowest_id_is_dropped(order: int) -> None:
    tournaments = [_tournament(number) for number in range(1, 11)][::order]
    pool = gather(_facts(*tournaments, results=[(each.id, ANN, 9) for each in tournaments]), RR)
    found = explain(pool, ANN, DAY)
    assert found.in_part_a == frozenset(range(2, 11))
    assert found.in_part_b == frozenset(range(1, 5))


def test_sums_are_rounded_once() -> None:
    assert sum([0.1] * 9) != 0.9
    assert part_a([0.1] * 9, [1.0] * 9)[0] == 0.9 / 9
    assert part_b_points([0.1] * 9, 9) == 0.9


def test_with_cut_offs_everybody_has_the_weight_of_his_own_distance() -> None:
    staged = _tournament(1, participants=28, hanchan=None, stages=(Stage(28, 10), Stage(8, 10)))
    assert [round(weight_at(weights(staged), place).total, 4) for place in (1, 8, 9, 28)] == [
        3.1786,
        3.1786,
        2.7286,
        2.7286,
    ]
    pool = gather(_facts(staged, _tournament(2), results=[(1, ANN, 9), (2, ANN, 1), (1, BOB, 8), (2, BOB, 1)]), RR)
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


# What the facts must not be


@pytest.mark.parametrize(
    "given",
    [
        {"first_day": date(2025, 3, 31)},
        {"participants": 3},
        {"hanchan": 0},
        {"open_share": 101},
        {"open_share": -1},
        {"stages": (Stage(39, 5),)},
        {"stages": (Stage(40, 5), Stage(41, 5))},
        {"stages": (Stage(40, 5), Stage(0, 5))},
        {"stages": (Stage(40, 5), Stage(8, 0))},
    ],
    ids=str,
)
def test_tournaments_that_cannot_be(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="ournament 1"):
        _tournament(1, **given)


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([(1, ANN, 41)], "Tournament 1 has no place 41 among 40"),
        ([(1, ANN, 0)], "Tournament 1 has no place 0 among 40"),
        ([(1, ANN, -1)], "Tournament 1 has no place -1"),
        ([(1, ANN, 1), (1, BOB, 2), (1, ANN, 3)], "two results in tournament 1"),
        ([(1, ANN, 1), (7, ANN, 1)], "tournament 7, which is unknown"),
    ],
)
def test_results_that_cannot_be(results: list[tuple[int, int, int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gather(_facts(_tournament(1), results=results), RR)


# Why a rating is what it is


def test_the_explanation_adds_up() -> None:
    tournaments = [
        _tournament(n, last_day=date(2023, 8, 1) + timedelta(60 * n), hanchan=3 + n) for n in range(1, 12)
    ]
    pool = gather(_facts(*tournaments, results=[(n, ANN, 3 * n) for n in range(1, 12)]), RR)
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
    tournaments = [_tournament(number, last_day=DAY - timedelta(number)) for number in (1, 2, 3)]
    pool = gather(_facts(*tournaments, results=[(each.id, ANN, 9) for each in tournaments]), RR)
    assert [result.tournament_id for result in explain(pool, ANN, DAY).results] == [3, 2, 1]


def test_what_is_missing_is_said() -> None:
    pool = gather(_facts(_tournament(1), _tournament(2), results=[(1, ANN, 1), (2, ANN, 2)]), RR)
    found = explain(pool, ANN, DAY)
    assert (found.part_a_missing, found.part_b_missing, found.listed) == (3, 2, True)
    nothing = explain(pool, BOB, DAY)
    assert (nothing.results, nothing.rating, nothing.part_a_missing, nothing.listed) == ((), 0, 5, False)


def test_a_result_can_be_dropped_from_part_a_and_be_one_of_part_b() -> None:
    # The heaviest tournament by far: a middling result there is still among the four best by W x R x A.
    small = [_tournament(number, participants=16, hanchan=4) for number in range(2, 11)]
    big = _tournament(1, participants=180, hanchan=20)
    pool = gather(_facts(big, *small, results=[(1, ANN, 120), *((n, ANN, 3) for n in range(2, 11))]), RR)
    found = explain(pool, ANN, DAY)
    assert found.in_part_a == frozenset(range(2, 11))
    assert 1 in found.in_part_b


# What moved, and why


def _moved(facts: RankingFacts, before: date, after: date, later: RankingFacts | None = None) -> dict[int, Change]:
    found = changes(Moment(gather(facts, RR), before), Moment(gather(later or facts, RR), after))
    assert len({change.player_id for change in found}) == len(found)
    return {change.player_id: change for change in found}


def _events(change: Change) -> list[tuple[Event, int, bool]]:
    return [(cause.event, cause.tournament_id, cause.maximal) for cause in change.causes]


BASE = (_tournament(1), _tournament(2, last_day=date(2025, 4, 6)))
BASE_RESULTS = [(1, ANN, 5), (2, ANN, 8), (1, BOB, 6), (2, BOB, 2)]


def test_nothing_moves_without_a_cause() -> None:
    assert _moved(_facts(*BASE, results=BASE_RESULTS), DAY, DAY + timedelta(30)) == {}


def test_a_tournament_entered_and_moved_those_who_did_not_play_too() -> None:
    new = _tournament(3, last_day=DAY, participants=100)
    facts = _facts(*BASE, new, results=[*BASE_RESULTS, (3, ANN, 1), (3, EVE, 50)])
    moved = _moved(facts, DAY - timedelta(1), DAY)
    assert moved.keys() == {ANN, BOB}
    assert _events(moved[ANN]) == [(Event.ENTERED, 3, False), (Event.ENTERED, 3, True)]
    assert moved[ANN].causes[0] == Cause(Event.ENTERED, 3, False, None, Share(3.6, 7, 1, 100))
    assert _events(moved[BOB]) == [(Event.ENTERED, 3, True)]
    assert moved[BOB].causes[0].after == Share(3.6, 7, None, 100)
    before, after = moved[BOB].before, moved[BOB].after
    assert before is not None
    assert after is not None
    assert after.rating < before.rating
    assert after.part_a == before.part_a


def test_results_that_came_in_late_have_entered() -> None:
    late = _tournament(3, participants=16, hanchan=4)
    before = _facts(*BASE, late, results=BASE_RESULTS)
    after = _facts(*BASE, late, results=[*BASE_RESULTS, (3, BOB, 1)])
    moved = _moved(before, DAY, DAY, after)
    assert _events(moved[ANN]) == [(Event.ENTERED, 3, True)]
    assert _events(moved[BOB]) == [(Event.ENTERED, 3, False), (Event.ENTERED, 3, True)]


def test_a_step_of_ageing_moves_its_players_and_the_coefficients() -> None:
    day = date(2026, 3, 30)
    facts = _facts(
        *BASE, _tournament(3, participants=16, hanchan=4), results=[*BASE_RESULTS[1:], (3, ANN, 1), (3, EVE, 1)]
    )
    moved = _moved(facts, day - timedelta(1), day)
    assert moved.keys() == {ANN, BOB}
    assert _events(moved[BOB]) == [(Event.AGED, 1, False), (Event.AGED, 1, True), (Event.AGED, 3, True)]
    assert moved[BOB].causes[0].before == Share(2.6, 7, 6, 40)
    assert moved[BOB].causes[0].after == Share(2.6, 6, 6, 40)
    assert _events(moved[ANN]) == [(Event.AGED, 3, False), (Event.AGED, 1, True), (Event.AGED, 3, True)]


def test_leaving_the_window_and_the_table() -> None:
    old = _tournament(3, last_day=date(2023, 7, 1))
    facts = _facts(*BASE, old, results=[*BASE_RESULTS, (3, ANN, 40), (3, EVE, 1), (1, EVE, 1)])
    day = date(2023, 7, 1) + timedelta(730)
    moved = _moved(facts, day - timedelta(1), day)
    ann, bob, eve = moved[ANN], moved[BOB], moved[EVE]
    assert _events(ann) == [(Event.LEFT, 3, False), (Event.LEFT, 3, True)]
    assert ann.causes[0].before == Share(2.6, 1, 40, 40)
    assert ann.causes[0].after is None
    assert _events(bob) == [(Event.LEFT, 3, True)]
    assert (eve.after, _events(eve)) == (None, [(Event.LEFT, 3, False), (Event.LEFT, 3, True)])
    assert eve.before is not None


def test_joining_the_table() -> None:
    facts = _facts(*BASE, results=[(1, ANN, 1), (2, ANN, 1)])
    (ann,) = _moved(facts, date(2025, 4, 5), date(2025, 4, 6)).values()
    assert (ann.before, _events(ann)) == (None, [(Event.ENTERED, 2, False), (Event.ENTERED, 2, True)])
    assert ann.after is not None
    assert ann.after.place == 1


def test_corrections() -> None:
    before = _facts(*BASE, results=BASE_RESULTS)
    swapped = _facts(*BASE, results=[(1, ANN, 6), (2, ANN, 8), (1, BOB, 5), (2, BOB, 2)])
    moved = _moved(before, DAY, DAY, swapped)
    ann, bob = moved[ANN], moved[BOB]
    assert _events(ann) == _events(bob) == [(Event.CORRECTED, 1, False)]
    assert [cause.before and cause.before.place for cause in ann.causes] == [5]
    assert [cause.after and cause.after.place for cause in ann.causes] == [6]
    longer = _facts(replace(BASE[0], hanchan=10), BASE[1], results=BASE_RESULTS)
    for change in _moved(before, DAY, DAY, longer).values():
        assert _events(change) == [(Event.CORRECTED, 1, False), (Event.CORRECTED, 1, True)]
    without = _facts(*BASE, results=BASE_RESULTS[:3])
    (bob,) = _moved(before, DAY, DAY, without).values()
    assert (bob.player_id, bob.after, _events(bob)) == (BOB, None, [(Event.CORRECTED, 2, False)])
    (bob,) = _moved(without, DAY, DAY, before).values()
    assert (bob.before, _events(bob)) == (None, [(Event.ENTERED, 2, False)])


def test_what_was_told_before_counts_or_stops_by_a_correction() -> None:
    everything = {(1, ANN), (2, ANN), (1, BOB), (2, BOB)}
    counting = _facts(*BASE, results=BASE_RESULTS)
    unfit = _facts(BASE[0], replace(BASE[1], accredited=False), results=BASE_RESULTS)

    def events(old: RankingFacts, new: RankingFacts, **told: set[tuple[int, int]]) -> list[list[Any]]:
        known = {"before": everything, "after": everything, **told}
        sides = [Moment(gather(facts, RR), DAY, known[side]) for side, facts in (("before", old), ("after", new))]
        return [_events(change) for change in changes(*sides)]

    assert events(unfit, counting) == [[(Event.COUNTS, 2, False), (Event.COUNTS, 2, True)]] * 2
    assert events(counting, unfit) == [[(Event.STOPPED, 2, False), (Event.STOPPED, 2, True)]] * 2
    new = [[(Event.ENTERED, 2, False), (Event.ENTERED, 2, True)]] * 2
    assert events(unfit, counting, before={(1, ANN), (1, BOB)}) == new
    gone = [[(Event.CORRECTED, 2, False), (Event.CORRECTED, 2, True)]] * 2
    assert events(counting, unfit, after={(1, ANN), (1, BOB)}) == gone


def test_a_tournament_enters_by_the_calendar_although_it_was_told_before() -> None:
    facts = _facts(*BASE, results=BASE_RESULTS)
    told = {(1, ANN), (2, ANN), (1, BOB), (2, BOB)}
    eve, day = BASE[1].last_day - timedelta(1), BASE[1].last_day
    for change in changes(Moment(gather(facts, RR), eve, told), Moment(gather(facts, RR), day, told)):
        assert _events(change) == [(Event.ENTERED, 2, False), (Event.ENTERED, 2, True)]


def test_a_last_day_that_was_corrected_is_no_ageing() -> None:
    old = _facts(replace(BASE[0], last_day=DAY - timedelta(370)), BASE[1], results=BASE_RESULTS)
    for last_day in (DAY - timedelta(30), DAY - timedelta(430)):
        moved = _moved(
            old,
            DAY - timedelta(8),
            DAY,
            _facts(replace(BASE[0], last_day=last_day), BASE[1], results=BASE_RESULTS),
        )
        for change in moved.values():
            assert [event for event, _, _ in _events(change)] == [Event.CORRECTED] * 2


def test_a_correction_and_a_step_of_ageing_are_two_causes() -> None:
    day = date(2026, 3, 30)
    before = _facts(*BASE, results=BASE_RESULTS)
    after = _facts(*BASE, results=[(1, ANN, 9), *BASE_RESULTS[1:]])
    moved = _moved(before, day - timedelta(1), day, after)
    assert _events(moved[ANN]) == [(Event.AGED, 1, False), (Event.CORRECTED, 1, False), (Event.AGED, 1, True)]
    assert _events(moved[BOB]) == [(Event.AGED, 1, False), (Event.AGED, 1, True)]


def test_a_corrected_date_is_a_correction() -> None:
    before = _facts(*BASE, results=BASE_RESULTS)
    earlier = _facts(replace(BASE[0], last_day=date(2024, 3, 30)), BASE[1], results=BASE_RESULTS)
    for change in _moved(before, DAY, DAY, earlier).values():
        assert _events(change) == [(Event.CORRECTED, 1, False), (Event.CORRECTED, 1, True)]


def test_a_tournament_kept_in_the_window_by_a_correction_has_not_aged() -> None:
    old = _tournament(3, last_day=date(2023, 7, 1))
    results = [*BASE_RESULTS, (3, ANN, 1)]
    day = date(2023, 7, 1) + timedelta(730)
    later = _facts(*BASE, replace(old, last_day=date(2023, 9, 1)), results=results)
    moved = _moved(_facts(*BASE, old, results=results), day - timedelta(1), day, later)
    assert _events(moved[ANN]) == [(Event.CORRECTED, 3, False), (Event.CORRECTED, 3, True)]


def test_a_tournament_that_moves_up_among_the_coefficients_is_no_cause() -> None:
    heavy = [_tournament(3, hanchan=12, last_day=date(2023, 7, 1)), _tournament(4, last_day=date(2023, 7, 8))]
    light = _tournament(5, participants=16, hanchan=4, last_day=date(2023, 7, 15))
    facts = _facts(*BASE, *heavy, light, results=[*BASE_RESULTS, (3, EVE, 1), (4, EVE, 1), (5, EVE, 1)])
    day = date(2023, 7, 1) + timedelta(730)
    pool = gather(facts, RR)
    names = [{each.tournament_id for each in table(pool, when).maximal} for when in (day - timedelta(1), day)]
    assert names == [{1, 2, 3, 4}, {1, 2, 4, 5}]
    moved = _moved(facts, day - timedelta(1), day)
    assert moved.keys() == {ANN, BOB, EVE}
    assert _events(moved[ANN]) == _events(moved[BOB]) == [(Event.LEFT, 3, True)]


def test_coefficients_that_make_the_same_sum_are_no_cause() -> None:
    alike = [_tournament(number, last_day=date(2023, 7, 1) + timedelta(7 * number)) for number in range(3, 6)]
    facts = _facts(*BASE, *alike, results=[*BASE_RESULTS, *((number, EVE, number) for number in (3, 4, 5))])
    day = alike[0].last_day + timedelta(730)
    (eve,) = _moved(facts, day - timedelta(1), day).values()
    assert _events(eve) == [(Event.LEFT, 3, False)]


# What a coming tournament would bring


def test_a_forecast_is_the_rating_that_the_place_then_brings() -> None:
    coming = _tournament(3, participants=20, hanchan=10, last_day=date(2026, 4, 1))
    found = forecast(gather(_facts(*BASE, results=BASE_RESULTS), RR), ANN, coming)
    assert [prospect.place for prospect in found] == list(range(1, 21))
    for prospect in found:
        facts = _facts(*BASE, coming, results=[*BASE_RESULTS, (3, ANN, prospect.place)])
        row = next(row for row in table(gather(facts, RR), coming.last_day).rows if row.player_id == ANN)
        assert prospect[1:] == row[2:]


def test_a_forecast_for_a_later_day_and_for_a_newcomer() -> None:
    coming = _tournament(3, last_day=DAY)
    pool = gather(_facts(*BASE, results=BASE_RESULTS), RR)
    first, *_, last = forecast(pool, EVE, coming)
    assert (first.results, last.rating) == (1, 0)
    assert first.part_a == pytest.approx(1000 * 2.6 / 6.6)
    later = forecast(pool, EVE, coming, date(2026, 6, 30))[0]
    assert later.part_a == pytest.approx(1000 * 2.6 * 6 / 7 / (2.6 * 6 / 7 + 4))
    with pytest.raises(ValueError, match="Tournament 3 does not count on 2025-06-29"):
        forecast(pool, EVE, coming, date(2025, 6, 29))


def test_a_forecast_takes_the_place_of_a_tournament_of_the_same_id() -> None:
    pool = gather(_facts(*BASE, results=BASE_RESULTS), RR)
    found = forecast(pool, ANN, BASE[1], DAY)
    row = next(row for row in table(pool, DAY).rows if row.player_id == ANN)
    assert found[7].rating == row.rating
    assert found[7].results == row.results == 2
    many = [_tournament(number, hanchan=number) for number in range(3, 9)]
    pool = gather(_facts(*BASE, *many, results=[*BASE_RESULTS, *((each.id, BOB, 1) for each in many[1:])]), RR)
    row = next(row for row in table(pool, DAY).rows if row.player_id == BOB)
    assert forecast(pool, BOB, many[-1], DAY)[0][1:] == row[2:]
    shorter = replace(many[-1], hanchan=1)
    facts = _facts(*BASE, *many[:-1], shorter, results=[*BASE_RESULTS, *((each.id, BOB, 1) for each in many[1:])])
    row = next(row for row in table(gather(facts, RR, only=facts.tournaments), DAY).rows if row.player_id == BOB)
    assert forecast(pool, BOB, shorter, DAY)[0][1:] == row[2:]
