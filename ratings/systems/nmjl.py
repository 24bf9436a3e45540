"""American mahjong's two numbers (seed 000; docs/rules.md settles what the text leaves open).

The *rating* moves for winner and losers; *total points* are what a table would have paid over a lifetime: the
winner alone gains, nobody ever loses. In a standing, `points` are the total points, `games` counts wall games
too, and `rank` stays 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from operator import attrgetter
from typing import NamedTuple

from ratings.models import AmericanGame, AmericanWin, Offence, Standing, WonBy

__all__ = ["PENALTIES", "NmjlRules", "Step", "explain", "initial", "rate"]


@dataclass(frozen=True, slots=True)
class NmjlRules:
    """The knobs of seed 000, "Current Default Values", then what a club may switch on beyond the seed.

    `section_multipliers` multiplies the line points in the rating by the section's multiplier.
    `jokerless_doubles` pays a jokerless hand twice over, in place of the flat `jokerless_bonus`.
    `penalties` lets the penalties recorded with a game count. `base_win_points` is in no formula.
    """

    starting_rating: float = 1000.0
    k_factor: float = 16.0
    jokerless_bonus: int = 5
    concealed_bonus_multiplier: float = 0.2
    discard_penalty_multiplier: float = 2.0
    base_win_points: int = 25
    section_multipliers: bool = False
    jokerless_doubles: bool = False
    penalties: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One player's change in one game, and what it was made of.

    The rating moves by `concealed_part` + `jokerless` + `exchange` + `penalty`. `line_points`, after the
    section multiplier, `concealed_part` and `jokerless` are the winner's and 0 for everybody else. `expected`
    is the winner's expected score, None for a wall game; `points_gained` belongs to the total points.
    """

    before: Standing
    after: Standing
    expected: float | None
    line_points: float
    concealed_part: float
    jokerless: float
    exchange: float
    penalty: int
    points_gained: int


class _Hand(NamedTuple):
    """What a won hand moves: `gain` is the winner's, the losses are positive."""

    expected: float
    line_points: float
    concealed_part: float
    jokerless: float
    exchange: float
    gain: float
    loss: float
    discarder_loss: float
    points: int


# Seed 000, "What We're Not Tracking (Yet)", in rating points.
PENALTIES: Mapping[Offence, int] = {
    Offence.FED_TWO_EXPOSURES: -10,
    Offence.FED_THREE_EXPOSURES: -25,
    Offence.FED_TWO_ON_QUINT: -25,
    Offence.MISNAMED: -10,
    Offence.MISNAMED_GAVE_MAHJONG: -25,
    Offence.DEAD_HAND: -10,
}

_DISCARD, _SELF_PICK, _DEAD_HAND = WonBy.DISCARD, WonBy.SELF_PICK, Offence.DEAD_HAND
_rating_of = attrgetter("rating")


def initial(rules: NmjlRules) -> Standing:
    """The standing of somebody who has not played yet."""
    return Standing(rank=0, points=0, rating=rules.starting_rating, games=0)


def rate(game: AmericanGame, before: Sequence[Standing], rules: NmjlRules) -> list[Standing]:
    """The standings after one game of two to four players, by the order of `game.players`.

    Everyone is rated on the standings from before the game. Seed 000, "Rating" and "Total Points":

        expected = 1 / (1 + 10 ^ ((mean of the losers - winner) / 400))
        winner   + concealed part + jokerless + K x (1 - expected)
        loser    - K x expected / losers, times the discard penalty multiplier for the discarder

    A wall game moves nobody and counts as played. Raises ValueError for a game that cannot have been played
    (players, winner, discarder or penalties that do not fit) and for standings that do not match its players.
    """
    _check(game, before)
    win = game.win
    if win is None:
        after = [Standing(rank, points, rating, games + 1) for rank, points, rating, games in before]
    else:
        winner, discarder = win.winner, win.discarder
        hand = _hand(win, game.players, before, rules)
        after = []
        for player, (rank, points, rating, games) in zip(game.players, before):  # noqa: B905 - both are counted
            if player == winner:
                rating += hand.gain
                points += hand.points
            else:
                rating -= hand.discarder_loss if player == discarder else hand.loss
            after.append(Standing(rank, points, rating, games + 1))
    if rules.penalties and game.penalties:
        return [
            _penalised(old, new, _penalty(player, game, rules))
            for player, old, new in zip(game.players, before, after, strict=True)
        ]
    return after


def explain(game: AmericanGame, before: Sequence[Standing], rules: NmjlRules) -> list[Step]:
    """What `rate` does to each player and why, for the player to read. Raises as `rate` does."""
    after = rate(game, before, rules)
    win = game.win
    hand = None if win is None else _hand(win, game.players, before, rules)
    steps = []
    for player, old, new in zip(game.players, before, after, strict=True):
        line_points = concealed_part = jokerless = exchange = 0.0
        if hand is not None and win is not None:
            if player == win.winner:
                _, line_points, concealed_part, jokerless, exchange, *_ = hand
            else:
                exchange = -(hand.discarder_loss if player == win.discarder else hand.loss)
        steps.append(
            Step(
                before=old,
                after=new,
                expected=hand.expected if hand is not None else None,
                line_points=line_points,
                concealed_part=concealed_part,
                jokerless=jokerless,
                exchange=exchange,
                penalty=_penalty(player, game, rules),
                points_gained=new.points - old.points,
            )
        )
    return steps


def _hand(win: AmericanWin, players: Sequence[int], before: Sequence[Standing], rules: NmjlRules) -> _Hand:
    line = win.line
    ratings = list(map(_rating_of, before))
    rating = ratings.pop(players.index(win.winner))
    losers = len(ratings)
    # fsum rounds once, so that the order of typing cannot show in the last bit.
    expected = _expected(rating, fsum(ratings) / losers)
    line_points = line.points * (line.section_multiplier if rules.section_multipliers else 1.0)
    concealed_part = line_points
    if win.concealed or line.concealed_only:
        concealed_part *= 1 + rules.concealed_bonus_multiplier
    jokerless = 0.0
    points = _payment(win, losers)
    if not win.used_jokers and not line.singles_and_pairs:
        if rules.jokerless_doubles:
            jokerless = line_points
            points *= 2
        else:
            jokerless = rules.jokerless_bonus
            points += rules.jokerless_bonus
    exchange = rules.k_factor * (1 - expected)
    gain = concealed_part + jokerless + exchange
    loss = rules.k_factor * expected / losers
    discarder_loss = loss * rules.discard_penalty_multiplier
    return _Hand(expected, line_points, concealed_part, jokerless, exchange, gain, loss, discarder_loss, points)


def _expected(rating: float, opponents: float) -> float:
    try:
        return 1 / (1 + 10 ** ((opponents - rating) / 400))
    except OverflowError:
        # More than 123,000 rating points behind: the formula's limit.
        return 0.0


def _payment(win: AmericanWin, losers: int) -> int:
    """What a real table would have paid, before the jokerless bonus (seed 000, "NMJL Payout Logic")."""
    line_points = win.line.points
    if win.won_by == _SELF_PICK:
        return losers * 2 * line_points
    if win.discarder is not None:
        return 2 * line_points + (losers - 1) * line_points
    return losers * line_points


def _penalty(player: int, game: AmericanGame, rules: NmjlRules) -> int:
    """What a player's offences cost, in rating points, zero or less."""
    if not rules.penalties:
        return 0
    return sum(PENALTIES[offence] for offender, offence in game.penalties if offender == player)


def _penalised(old: Standing, new: Standing, penalty: int) -> Standing:
    """`new` less the penalty; of the total points only this game's gain can shrink, down to nothing."""
    gained = max(0, new.points - old.points + penalty)
    return new._replace(rating=new.rating + penalty, points=old.points + gained)


def _check(game: AmericanGame, before: Sequence[Standing]) -> None:
    players, win = game.players, game.win
    if not 2 <= len(players) <= 4 or len(set(players)) != len(players):
        raise ValueError(f"{players} are not two to four different players.")
    if len(before) != len(players):
        raise ValueError(f"There are {len(players)} players but {len(before)} standings.")
    if win is not None:
        _check_win(win, players)
    for player, offence in game.penalties:
        if player not in players:
            raise ValueError(f"Player {player} has a penalty but was not at the table.")
        if offence == _DEAD_HAND and win is not None:
            raise ValueError("A dead hand is penalised in wall games only.")


def _check_win(win: AmericanWin, players: Sequence[int]) -> None:
    if win.winner not in players:
        raise ValueError(f"The winner {win.winner} was not at the table.")
    if win.discarder is None:
        if win.won_by == _DISCARD:
            raise ValueError("A win by discard needs its discarder, or is unrecorded.")
    elif win.won_by != _DISCARD:
        raise ValueError(f"A win by {win.won_by} has no discarder.")
    elif win.discarder == win.winner:
        raise ValueError("The winner cannot be the discarder.")
    elif win.discarder not in players:
        raise ValueError(f"The discarder {win.discarder} was not at the table.")
