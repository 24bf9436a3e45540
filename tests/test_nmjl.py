"""American mahjong: every rule of seed 000, and its worked example."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from ratings.models import AmericanGame, AmericanWin, Line, Offence, Standing, WonBy
from ratings.systems.nmjl import PENALTIES, NmjlRules, Step, explain, initial, rate

RULES = NmjlRules()
DISCARD, SELF_PICK, UNRECORDED = WonBy
WINNER, SECOND, THIRD, FOURTH = 11, 22, 33, 44
PLAYERS = (WINNER, SECOND, THIRD, FOURTH)
EXAMPLE = (1050.0, 1000.0, 980.0, 1020.0)
EXAMPLE_LINE = Line(35)


def _table(*ratings: float, points: int = 500, games: int = 7) -> list[Standing]:
    return [Standing(0, points, rating, games) for rating in ratings]


def _game(
    line: Line = EXAMPLE_LINE,
    *,
    by: WonBy = SELF_PICK,
    discarder: int | None = None,
    jokers: bool = True,
    concealed: bool = False,
    players: int = 4,
    penalties: tuple[tuple[int, Offence], ...] = (),
) -> AmericanGame:
    win = AmericanWin(WINNER, line, by, discarder, jokers, concealed)
    return AmericanGame(PLAYERS[:players], win, penalties)


def _steps(game: AmericanGame, *ratings: float, rules: NmjlRules = RULES) -> list[Step]:
    return explain(game, _table(*ratings or (1000.0,) * len(game.players)), rules)


def _moves(steps: list[Step]) -> list[float]:
    return [step.after.rating - step.before.rating for step in steps]


def _worked_example() -> tuple[Decimal, Decimal]:
    """The winner's gain and a loser's share of the seed's example, to forty digits."""
    with localcontext() as context:
        context.prec = 40
        expected = 1 / (1 + Decimal(10) ** (Decimal(1000 - 1050) / 400))
        return 35 + 16 * (1 - expected), 16 * expected / 3


def _exactly(number: float, figure: Decimal) -> bool:
    # Ratings of about a thousand keep some thirteen decimals.
    return abs(Fraction(number) - Fraction(figure)) < Fraction(1, 10**12)


def test_worked_example_of_the_seed_in_full_precision() -> None:
    game = _game(by=DISCARD, discarder=THIRD)
    gain, share = _worked_example()
    moves = _moves(_steps(game, *EXAMPLE))
    assert str(gain).startswith("41.85659012146589708")
    assert str(share).startswith("3.0478032928447")
    assert [round(move, 2) for move in moves] == [41.86, -3.05, -6.10, -3.05]
    for move, figure in zip(moves, (gain, -share, -2 * share, -share), strict=True):
        assert _exactly(move, figure)


def test_worked_example_self_picked() -> None:
    gain, share = _worked_example()
    moves = _moves(_steps(_game(by=SELF_PICK), *EXAMPLE))
    for move, figure in zip(moves, (gain, -share, -share, -share), strict=True):
        assert _exactly(move, figure)


def test_the_parts_of_the_worked_example() -> None:
    winner, second, discarder, _ = _steps(_game(by=DISCARD, discarder=THIRD), *EXAMPLE)
    assert round(winner.expected or 0, 3) == 0.571
    assert (winner.line_points, winner.concealed_part, winner.jokerless) == (35, 35, 0)
    assert round(winner.exchange, 2) == 6.86
    assert winner.points_gained == 2 * 35 + 2 * 35
    assert (round(second.exchange, 2), round(discarder.exchange, 2)) == (-3.05, -6.1)
    assert discarder.exchange == 2 * second.exchange
    assert (second.line_points, second.concealed_part, second.jokerless, second.points_gained) == (0, 0, 0, 0)
    assert second.expected == winner.expected


def test_the_defaults_are_the_seeds() -> None:
    assert (RULES.starting_rating, RULES.k_factor, RULES.jokerless_bonus) == (1000, 16, 5)
    assert (RULES.concealed_bonus_multiplier, RULES.discard_penalty_multiplier) == (0.2, 2)
    assert RULES.base_win_points == 25
    assert not any((RULES.section_multipliers, RULES.jokerless_doubles, RULES.penalties))


def test_a_newcomer_starts_at_the_starting_rating() -> None:
    assert initial(RULES) == Standing(0, 0, 1000.0, 0)
    assert initial(NmjlRules(starting_rating=1200.0)) == Standing(0, 0, 1200.0, 0)


@pytest.mark.parametrize(
    ("players", "by", "jokers", "points"),
    [
        (4, SELF_PICK, True, 150),
        (4, DISCARD, True, 100),
        (4, UNRECORDED, True, 75),
        (4, SELF_PICK, False, 155),
        (4, DISCARD, False, 105),
        (4, UNRECORDED, False, 80),
        (3, SELF_PICK, True, 100),
        (3, DISCARD, True, 75),
        (3, UNRECORDED, True, 50),
        (2, SELF_PICK, True, 50),
        (2, DISCARD, True, 50),
        (2, UNRECORDED, True, 25),
    ],
)
def test_total_points_of_a_25_point_line(players: int, by: WonBy, jokers: bool, points: int) -> None:
    discarder = SECOND if by is DISCARD else None
    game = _game(Line(25), by=by, discarder=discarder, jokers=jokers, players=players)
    steps = _steps(game)
    assert [step.points_gained for step in steps] == [points, *[0] * (players - 1)]
    assert [step.after.points for step in steps] == [500 + points, *[500] * (players - 1)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_losers_share_the_exchange_whatever_their_number(players: int) -> None:
    # Among equals the winner's expected score is a half.
    assert _moves(_steps(_game(players=players))) == [43.0, *[pytest.approx(-8 / (players - 1))] * (players - 1)]
    steps = _steps(_game(by=DISCARD, discarder=SECOND, players=players))
    share = 8 / (players - 1)
    assert [step.exchange for step in steps] == [8, -2 * share, *[-share] * (players - 2)]


def test_an_unrecorded_discarder_falls_back_to_a_flat_split() -> None:
    unrecorded = _steps(_game(by=UNRECORDED), *EXAMPLE)
    assert _moves(unrecorded) == _moves(_steps(_game(by=SELF_PICK), *EXAMPLE))
    assert unrecorded[0].points_gained == 3 * 35


def test_the_discard_penalty_multiplier_leaves_the_others_alone() -> None:
    game = _game(by=DISCARD, discarder=FOURTH)
    doubled = _steps(game)
    fivefold = _steps(game, rules=NmjlRules(discard_penalty_multiplier=5.0))
    assert [step.after for step in fivefold[:3]] == [step.after for step in doubled[:3]]
    assert fivefold[3].exchange == 5 * doubled[1].exchange


@pytest.mark.parametrize(
    ("winner", "expected"), [(1400.0, Fraction(10, 11)), (600.0, Fraction(1, 11)), (1000.0, Fraction(1, 2))]
)
def test_a_gap_of_400_points_is_ten_to_one(winner: float, expected: Fraction) -> None:
    steps = _steps(_game(), winner, 1000.0, 1000.0, 1000.0)
    assert steps[0].expected == pytest.approx(float(expected), rel=1e-15)
    assert steps[0].exchange == pytest.approx(float(16 * (1 - expected)), rel=1e-14)
    assert steps[1].exchange == pytest.approx(float(-16 * expected / 3), rel=1e-14)


def test_the_expected_score_goes_by_the_mean_of_the_losers() -> None:
    spread = _steps(_game(), 1050.0, 400.0, 1000.0, 1600.0)
    level = _steps(_game(), 1050.0, 1000.0, 1000.0, 1000.0)
    assert spread[0].expected == level[0].expected
    assert [step.exchange for step in spread] == [step.exchange for step in level]


def test_the_k_factor_scales_the_exchange_alone() -> None:
    winner, loser, *_ = _steps(_game(concealed=True, jokers=False), rules=NmjlRules(k_factor=32.0))
    assert (winner.concealed_part, winner.jokerless, winner.exchange) == (42, 5, 16)
    assert loser.exchange == pytest.approx(-16 / 3)


def test_ratings_go_below_zero() -> None:
    steps = _steps(_game(by=DISCARD, discarder=SECOND), 0.0, 1.0, -1.0, 0.0)
    assert [step.exchange for step in steps] == [8, -16 / 3, -8 / 3, -8 / 3]
    assert [step.after.rating for step in steps] == [43, 1 - 16 / 3, -1 - 8 / 3, -8 / 3]


def test_ratings_far_below_zero_move_as_ratings_far_above() -> None:
    below = _steps(_game(), -950.0, -1000.0, -1000.0, -1000.0)
    above = _steps(_game(), 1050.0, 1000.0, 1000.0, 1000.0)
    assert [step.exchange for step in below] == [step.exchange for step in above]


@pytest.mark.parametrize(("winner", "expected"), [(0.0, 0.0), (400_000.0, 1.0)])
def test_no_gap_is_too_wide(winner: float, expected: float) -> None:
    steps = _steps(_game(), winner, 200_000.0, 200_000.0, 200_000.0)
    assert steps[0].expected == expected
    assert steps[0].exchange == 16 * (1 - expected)


@pytest.mark.parametrize(
    ("line", "concealed", "part"),
    [
        (Line(35), False, 35),
        (Line(35), True, 42),
        (Line(35, concealed_only=True), False, 42),
        (Line(35, concealed_only=True), True, 42),
    ],
)
def test_concealed_hands_count_a_fifth_more_in_the_rating_alone(line: Line, concealed: bool, part: float) -> None:
    winner = _steps(_game(line, concealed=concealed))[0]
    assert winner.concealed_part == part
    assert winner.after.rating == 1000 + part + 8
    assert (winner.line_points, winner.points_gained) == (35, 6 * 35)


def test_the_concealed_bonus_multiplier_is_a_knob() -> None:
    rules = NmjlRules(concealed_bonus_multiplier=0.5)
    assert _steps(_game(Line(50), concealed=True), rules=rules)[0].concealed_part == 75
    assert _steps(_game(Line(50)), rules=rules)[0].concealed_part == 50


@pytest.mark.parametrize(
    ("jokers", "pairs", "bonus"), [(False, False, 5), (True, False, 0), (False, True, 0), (True, True, 0)]
)
def test_the_jokerless_bonus_is_in_both_numbers(jokers: bool, pairs: bool, bonus: int) -> None:
    winner = _steps(_game(Line(50, singles_and_pairs=pairs), jokers=jokers))[0]
    assert winner.jokerless == bonus
    assert winner.after.rating == 1000 + 50 + bonus + 8
    assert winner.points_gained == 300 + bonus


def test_the_jokerless_bonus_is_a_knob() -> None:
    winner = _steps(_game(jokers=False), rules=NmjlRules(jokerless_bonus=12))[0]
    assert (winner.jokerless, winner.points_gained) == (12, 6 * 35 + 12)


def test_base_win_points_are_in_no_formula() -> None:
    assert _steps(_game(jokers=False), rules=NmjlRules(base_win_points=1000)) == _steps(_game(jokers=False))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_wall_game_moves_nobody_and_counts_as_played(players: int) -> None:
    table = _table(*EXAMPLE[:players])
    steps = explain(AmericanGame(PLAYERS[:players], None), table, RULES)
    assert [step.after for step in steps] == [old._replace(games=8) for old in table]
    assert all(step.expected is None and step.exchange == 0 and step.points_gained == 0 for step in steps)


def test_a_won_game_counts_as_played_for_everybody() -> None:
    assert [step.after.games for step in _steps(_game())] == [8, 8, 8, 8]


def test_the_table_gains_more_than_it_loses() -> None:
    # The discarder pays double, and line points come on top: 35 + 8 against 8/3 x 4.
    assert sum(_moves(_steps(_game(by=DISCARD, discarder=SECOND)))) == pytest.approx(43 - 32 / 3)


def test_section_multipliers_count_in_the_rating_when_switched_on() -> None:
    game = _game(Line(50, section_multiplier=1.5), concealed=True)
    assert _steps(game)[0].concealed_part == 60
    winner = _steps(game, rules=NmjlRules(section_multipliers=True))[0]
    assert (winner.line_points, winner.concealed_part, winner.points_gained) == (75, 90, 300)
    assert winner.after.rating == 1000 + 90 + 8


@pytest.mark.parametrize(("by", "points"), [(SELF_PICK, 420), (DISCARD, 280), (UNRECORDED, 210)])
def test_doubling_for_jokerless_hands_takes_the_place_of_the_bonus(by: WonBy, points: int) -> None:
    rules = NmjlRules(jokerless_doubles=True)
    discarder = SECOND if by is DISCARD else None
    winner = _steps(_game(by=by, discarder=discarder, jokers=False, concealed=True), rules=rules)[0]
    assert (winner.concealed_part, winner.jokerless, winner.points_gained) == (42, 35, points)
    assert winner.after.rating == 1000 + 42 + 35 + 8


@pytest.mark.parametrize(("jokers", "pairs"), [(True, False), (False, True)])
def test_nothing_doubles_with_jokers_or_in_singles_and_pairs(jokers: bool, pairs: bool) -> None:
    game = _game(Line(50, singles_and_pairs=pairs), jokers=jokers)
    assert _steps(game, rules=NmjlRules(jokerless_doubles=True)) == _steps(game)


def test_doubling_in_the_rating_goes_by_the_multiplied_line() -> None:
    rules = NmjlRules(jokerless_doubles=True, section_multipliers=True)
    winner = _steps(_game(Line(50, section_multiplier=1.5), jokers=False), rules=rules)[0]
    assert (winner.concealed_part, winner.jokerless, winner.points_gained) == (75, 75, 600)


PENALISED = NmjlRules(penalties=True)


@pytest.mark.parametrize(
    ("offence", "cost"),
    [
        (Offence.FED_TWO_EXPOSURES, -10),
        (Offence.FED_THREE_EXPOSURES, -25),
        (Offence.FED_TWO_ON_QUINT, -25),
        (Offence.MISNAMED, -10),
        (Offence.MISNAMED_GAVE_MAHJONG, -25),
    ],
)
def test_a_penalty_moves_the_rating_of_the_player(offence: Offence, cost: int) -> None:
    game = _game(by=DISCARD, discarder=SECOND, penalties=((SECOND, offence),))
    plain = _steps(replace(game, penalties=()), *EXAMPLE)
    steps = _steps(game, *EXAMPLE, rules=PENALISED)
    assert [step.penalty for step in steps] == [0, cost, 0, 0]
    assert steps[1].after == plain[1].after._replace(rating=plain[1].after.rating + cost)
    assert [steps[seat].after for seat in (0, 2, 3)] == [plain[seat].after for seat in (0, 2, 3)]


def test_every_offence_has_its_price() -> None:
    assert PENALTIES.keys() == set(Offence)


def test_a_dead_hand_is_penalised_in_a_wall_game() -> None:
    game = AmericanGame(PLAYERS, None, ((THIRD, Offence.DEAD_HAND),))
    steps = _steps(game, *EXAMPLE, rules=PENALISED)
    assert [step.after.rating for step in steps] == [1050, 1000, 970, 1020]
    assert [step.after.points for step in steps] == [500] * 4
    assert [step.after.games for step in steps] == [8] * 4


def test_penalties_add_up() -> None:
    penalties = ((THIRD, Offence.MISNAMED), (FOURTH, Offence.FED_TWO_EXPOSURES), (THIRD, Offence.MISNAMED))
    steps = _steps(_game(penalties=penalties), rules=PENALISED)
    assert [step.penalty for step in steps] == [0, 0, -20, -10]


@pytest.mark.parametrize(("line", "offences", "gained"), [(25, 1, 65), (25, 3, 15), (25, 4, 0), (1, 1, 0)])
def test_a_penalty_takes_from_the_winners_gain_of_the_game_at_most(line: int, offences: int, gained: int) -> None:
    penalties = ((WINNER, Offence.MISNAMED),) + ((WINNER, Offence.MISNAMED_GAVE_MAHJONG),) * (offences - 1)
    game = _game(Line(line), by=UNRECORDED, penalties=penalties)
    winner = _steps(game, rules=PENALISED)[0]
    assert winner.points_gained == gained
    assert winner.after.points == 500 + gained
    assert winner.after.rating == 1000 + line + 8 - 10 - 25 * (offences - 1)


def test_penalties_do_not_count_where_they_are_switched_off() -> None:
    game = _game(penalties=((WINNER, Offence.MISNAMED), (SECOND, Offence.FED_TWO_ON_QUINT)))
    assert _steps(game) == _steps(replace(game, penalties=()))


@pytest.mark.parametrize("rules", [RULES, PENALISED])
@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (AmericanGame((), None), "different players"),
        (AmericanGame((1,), None), "different players"),
        (AmericanGame((1, 2, 3, 4, 5), None), "different players"),
        (AmericanGame((1, 2, 2), None), "different players"),
        (replace(_game(), players=(SECOND, THIRD)), "winner 11 was not at the table"),
        (_game(by=DISCARD), "needs its discarder"),
        (_game(by=DISCARD, discarder=WINNER), "winner cannot be the discarder"),
        (_game(by=DISCARD, discarder=FOURTH, players=3), "discarder 44 was not at the table"),
        (_game(by=SELF_PICK, discarder=SECOND), "self-pick has no discarder"),
        (_game(by=UNRECORDED, discarder=SECOND), "unrecorded has no discarder"),
        (_game(penalties=((FOURTH, Offence.MISNAMED),), players=3), "44 has a penalty but was not"),
        (_game(penalties=((SECOND, Offence.DEAD_HAND),)), "wall games only"),
    ],
)
@pytest.mark.parametrize("step", [rate, explain])
def test_games_that_cannot_be_are_refused(game: AmericanGame, reason: str, rules: NmjlRules, step: object) -> None:
    assert callable(step)
    with pytest.raises(ValueError, match=reason):
        step(game, _table(*[1000.0] * len(game.players)), rules)


@pytest.mark.parametrize("standings", [3, 5])
def test_standings_must_match_the_players(standings: int) -> None:
    with pytest.raises(ValueError, match=f"4 players but {standings} standings"):
        rate(_game(), _table(*[1000.0] * standings), RULES)
