"""RR, CRR and Online: which tournaments count, and the reason given for one that does not (seed 002)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ratings.systems.russian import Exclusion, Ranking, RankingRules, Stage, exclusion, gather, table
from tests.ranking_help import cup
from tests.russian_help import ANN, BOB, CRR, DAY, KIM, ONLINE, RR, facts_of

HOME = RankingRules()


def excluded(ranking: Ranking, home_player: bool = False, rules: RankingRules = HOME, **given: Any) -> Any:
    return exclusion(cup(1, **given), ranking, rules, home_player)


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
    assert excluded(ranking, participants=participants, hanchan=hanchan, online=online) is reason


def test_accreditation_is_for_rr_alone() -> None:
    assert excluded(RR, accredited=False) is Exclusion.NOT_ACCREDITED
    assert excluded(CRR, accredited=False) is None
    assert excluded(ONLINE, accredited=False, online=True) is None


@pytest.mark.parametrize(("share", "reason"), [(None, None), (100, None), (50, None), (49, Exclusion.NOT_OPEN)])
def test_half_of_the_seats_are_open(share: int | None, reason: Exclusion | None) -> None:
    assert excluded(RR, open_share=share) is reason
    assert excluded(CRR, open_share=share) is None
    assert excluded(RR, open_share=share, accredited=False) is Exclusion.NOT_ACCREDITED


def test_until_2017_size_is_all_that_rr_asks_for() -> None:
    last_of_2017: dict[str, Any] = {"first_day": date(2017, 12, 30), "last_day": date(2017, 12, 31)}
    new_year: dict[str, Any] = {"first_day": date(2017, 12, 31), "last_day": date(2018, 1, 1)}
    small: dict[str, Any] = {"hanchan": 1, "accredited": False, "open_share": 0}
    assert excluded(RR, **last_of_2017, **small) is None
    assert excluded(RR, **last_of_2017, **small, participants=15) is Exclusion.TOO_FEW_PLAYERS
    assert excluded(RR, **new_year, **small) is Exclusion.TOO_FEW_HANCHAN
    assert excluded(RR, **new_year, accredited=False) is Exclusion.NOT_ACCREDITED
    assert excluded(CRR, **last_of_2017, **small) is Exclusion.TOO_FEW_HANCHAN


@pytest.mark.parametrize("ranking", [RR, CRR])
def test_abroad(ranking: Ranking) -> None:
    assert excluded(ranking, country="DE") is Exclusion.ABROAD
    assert excluded(ranking, True, country="DE") is Exclusion.ABROAD
    assert excluded(ranking, country="DE", ema=True) is Exclusion.NO_HOME_PLAYER
    small_ema: dict[str, Any] = {
        "country": "DE",
        "ema": True,
        "participants": 8,
        "hanchan": 2,
        "accredited": False,
    }
    assert excluded(ranking, True, **small_ema) is None


def test_an_ema_event_at_home_is_a_tournament_like_others() -> None:
    assert excluded(RR, True, ema=True, accredited=False) is Exclusion.NOT_ACCREDITED
    assert excluded(CRR, True, ema=True, accredited=False) is None
    assert excluded(CRR, True, ema=True, participants=8) is Exclusion.TOO_FEW_PLAYERS


def test_online_tournaments_have_a_rating_of_their_own() -> None:
    assert excluded(RR, online=True) is Exclusion.ONLINE
    assert excluded(CRR, True, online=True, country="DE", ema=True) is Exclusion.ONLINE
    assert excluded(ONLINE) is Exclusion.NOT_ONLINE
    assert excluded(ONLINE, online=True, country="JP") is None


def test_an_unknown_number_of_hanchan_is_told_apart_from_a_small_one() -> None:
    one_day: dict[str, Any] = {"hanchan": None, "first_day": date(2025, 3, 30)}
    assert excluded(CRR, **one_day) is Exclusion.UNKNOWN_HANCHAN
    assert excluded(CRR, hanchan=None) is Exclusion.UNKNOWN_HANCHAN
    assert excluded(RR, hanchan=None, first_day=date(2025, 3, 29)) is None


def test_all_stages_together_make_the_distance() -> None:
    assert excluded(RR, hanchan=None, stages=(Stage(40, 2), Stage(8, 2))) is None
    for hanchan in (None, 30):
        stages = (Stage(40, 2), Stage(8, 1))
        assert excluded(RR, hanchan=hanchan, stages=stages) is Exclusion.TOO_FEW_HANCHAN


def test_any_country_can_be_home() -> None:
    rules = RankingRules(home_country="KZ")
    assert excluded(RR, rules=rules, country="KZ") is None
    assert excluded(RR, rules=rules, country="RU") is Exclusion.ABROAD
    facts = facts_of(
        cup(1, country="KZ"),
        cup(2, ema=True),
        cup(3, ema=True),
        results=[(1, KIM, 1), (2, KIM, 5), (1, ANN, 2), (2, ANN, 1), (3, ANN, 1)],
    )
    pool = gather(facts, RR, rules)
    assert pool.excluded == {3: Exclusion.NO_HOME_PLAYER}
    assert [row.player_id for row in table(pool, DAY).rows] == [KIM]
    assert gather(facts, RR).excluded == {1: Exclusion.ABROAD}


def test_a_home_player_who_does_not_count_does_not_bring_an_event_in() -> None:
    facts = facts_of(cup(1, country="DE", ema=True), results=[(1, ANN, 3)], absent=ANN)
    assert gather(facts, RR).excluded == {1: Exclusion.NO_HOME_PLAYER}


def test_a_caller_may_choose_the_tournaments_himself() -> None:
    facts = facts_of(cup(1, participants=4), cup(2, participants=4), results=[(1, ANN, 1), (2, ANN, 1)])
    assert gather(facts, RR).excluded == dict.fromkeys((1, 2), Exclusion.TOO_FEW_PLAYERS)
    assert [row.results for row in table(gather(facts, RR, only={1, 2, 77}), DAY).rows] == [2]
    assert list(gather(facts, RR, only={2}).tournaments) == [2]


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
        cup(1, **given)


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
        gather(facts_of(cup(1), results=results), RR)
