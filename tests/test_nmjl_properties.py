"""American mahjong: what holds for any game under any rules (seed 000)."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.models import AmericanGame, AmericanWin, Line, Offence, Standing, WonBy
from ratings.systems.nmjl import NmjlRules, explain, rate

LINES = st.builds(Line, st.integers(1, 500), st.booleans(), st.booleans(), st.floats(0.1, 10))
RULE_SETS = st.builds(
    NmjlRules,
    k_factor=st.floats(0, 100),
    jokerless_bonus=st.integers(0, 100),
    concealed_bonus_multiplier=st.floats(0, 2),
    discard_penalty_multiplier=st.floats(0, 5),
    section_multipliers=st.booleans(),
    jokerless_doubles=st.booleans(),
    penalties=st.booleans(),
)
STANDINGS = st.builds(Standing, st.just(0), st.integers(0, 10**6), st.floats(-3000, 9000), st.integers(0, 5000))
Case = tuple[AmericanGame, list[Standing], NmjlRules]


@st.composite
def _wins(draw: st.DrawFn, players: list[int]) -> AmericanWin:
    winner = draw(st.sampled_from(players))
    by = draw(st.sampled_from(WonBy))
    losers = [player for player in players if player != winner]
    discarder = draw(st.sampled_from(losers)) if by is WonBy.DISCARD else None
    return AmericanWin(winner, draw(LINES), by, discarder, draw(st.booleans()), draw(st.booleans()))


@st.composite
def _cases(draw: st.DrawFn) -> Case:
    players = draw(st.lists(st.integers(1, 10**6), min_size=2, max_size=4, unique=True))
    win = draw(st.none() | _wins(players))
    offences = [offence for offence in Offence if win is None or offence is not Offence.DEAD_HAND]
    offence = st.tuples(st.sampled_from(players), st.sampled_from(offences))
    game = AmericanGame(tuple(players), win, tuple(draw(st.lists(offence, max_size=4))))
    return game, [draw(STANDINGS) for _ in players], draw(RULE_SETS)


CASES = _cases()


@given(CASES)
def test_total_points_never_fall_and_a_losers_never_move(case: Case) -> None:
    game, table, _ = case
    for player, old, new in zip(game.players, table, rate(*case), strict=True):
        assert new.points >= old.points
        if game.win is None or player != game.win.winner:
            assert new.points == old.points
        assert (new.rank, new.games) == (0, old.games + 1)


@pytest.mark.parametrize(
    "losers", [(1023.95, 1164.26, 1077.9), (1108.72, 1014.02, 1025.82), (938.69, 1116.43, 996.82)]
)
def test_losers_whose_plain_sums_differ_by_their_order(losers: tuple[float, ...]) -> None:
    win = AmericanWin(1, Line(35), WonBy.SELF_PICK, None, True, False)
    results = {
        tuple(sorted(rate(AmericanGame((1, *order), win), [_rated(1050.0), *map(_rated, table)], NmjlRules())))
        for order, table in zip(permutations((2, 3, 4)), permutations(losers), strict=True)
    }
    assert len(results) == 1


def _rated(rating: float) -> Standing:
    return Standing(0, 0, rating, 0)


@given(CASES, st.data())
def test_the_order_of_typing_does_not_matter_in_the_last_bit(case: Case, data: st.DataObject) -> None:
    game, table, rules = case
    order = data.draw(st.sampled_from(list(permutations(range(len(table))))))
    turned = replace(
        game,
        players=tuple(game.players[seat] for seat in order),
        penalties=tuple(data.draw(st.permutations(game.penalties))),
    )
    straight = rate(game, table, rules)
    after = rate(turned, [table[seat] for seat in order], rules)
    assert [new.rating.hex() for new in after] == [straight[seat].rating.hex() for seat in order]
    assert after == [straight[seat] for seat in order]


@given(CASES)
def test_explanations_lead_to_the_rated_standings(case: Case) -> None:
    game, table, _ = case
    steps = explain(*case)
    assert [step.before for step in steps] == table
    assert [step.after for step in steps] == rate(*case)
    for player, step in zip(game.players, steps, strict=True):
        change = step.concealed_part + step.jokerless + step.exchange
        assert step.after.rating == step.before.rating + change + step.penalty
        assert step.after.points == step.before.points + step.points_gained
        assert step.penalty <= 0
        if game.win is not None:
            assert (step.exchange >= 0) == (player == game.win.winner) or step.exchange == 0


@given(CASES)
def test_the_winner_gains_what_the_formula_says(case: Case) -> None:
    game, table, rules = case
    if game.win is None:
        return
    winner = game.players.index(game.win.winner)
    losers = [old.rating for seat, old in enumerate(table) if seat != winner]
    expected = 1 / (1 + math.pow(10, (sum(losers) / len(losers) - table[winner].rating) / 400))
    step = explain(*case)[winner]
    assert step.expected == pytest.approx(expected, rel=1e-9)
    assert step.exchange == pytest.approx(rules.k_factor * (1 - expected), rel=1e-9, abs=1e-9)
