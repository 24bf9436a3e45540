"""How many games a second Tenhou's R and ladder take, beside openskill and trueskill; one thread, in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import trueskill
from openskill.models import PlackettLuce

from ratings.models import AmericanGame, AmericanWin, Length, Line, Lobby, Standing, TenhouRules, WonBy
from ratings.systems import nmjl, tenhou
from tests.benchmarks.sample import PLAYERS, Sitting, sittings
from tests.benchmarks.table import Row, per_second, times

__all__ = ["measure", "pace", "rate_by_openskill", "rate_by_trueskill"]

GAMES = 20_000
# trueskill takes some 100 times as long as the others: fewer games tell as much.
TRUESKILL_GAMES = 1_000
REPEATS = 3
GOAL = 10.0

Game = TypeVar("Game")


def measure() -> list[Row]:
    """Rate the same games with each; the best of three runs counts, since noise only ever slows."""
    games = sittings(GAMES)
    ours = pace(_tenhou, games)
    openskill = pace(rate_by_openskill, games)
    others = pace(rate_by_trueskill, games[:TRUESKILL_GAMES])
    american = pace(_nmjl, [_hand(game) for game in games])
    return [
        Row(f"Rating in memory, {GAMES:,} games of {PLAYERS} players, one thread"),
        times("R and ladder, beside openskill 6 PlackettLuce", ours, openskill, per_second, at_least=GOAL),
        times("R and ladder, beside trueskill 0.4", ours, others, per_second),
        times("American rating, beside openskill 6 PlackettLuce", american, openskill, per_second),
        times("American rating, beside trueskill 0.4", american, others, per_second),
    ]


def pace(fold: Callable[[Sequence[Game]], object], games: Sequence[Game]) -> float:
    return len(games) / min(_duration(partial(fold, games)) for _ in range(REPEATS))


def _duration(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _tenhou(games: Sequence[Sitting]) -> dict[int, Standing]:
    standings = dict.fromkeys(range(PLAYERS), tenhou.INITIAL)
    lobby, length, rules = Lobby.IPPAN, Length.HANCHAN, TenhouRules.SEED
    for game in games:
        before = [standings[player] for player in game.players]
        after = tenhou.rate(game.places, before, lobby, length, rules)
        standings.update(zip(game.players, after, strict=True))
    return standings


def _hand(game: Sitting) -> AmericanGame:
    """The same table as an American hand: first place won on a discard of second place."""
    winner, discarder = (game.players[game.places.index(place)] for place in (1, 2))
    win = AmericanWin(winner, Line(25), WonBy.DISCARD, discarder, used_jokers=True, concealed=False)
    return AmericanGame(tuple(game.players), win)


def _nmjl(hands: Sequence[AmericanGame]) -> dict[int, Standing]:
    rules = nmjl.NmjlRules()
    standings = dict.fromkeys(range(PLAYERS), nmjl.initial(rules))
    for hand in hands:
        after = nmjl.rate(hand, [standings[player] for player in hand.players], rules)
        standings.update(zip(hand.players, after, strict=True))
    return standings


def rate_by_openskill(games: Sequence[Sitting]) -> dict[int, Any]:
    model = PlackettLuce()
    standings: dict[int, Any] = {player: model.rating() for player in range(PLAYERS)}
    for game in games:
        teams = [[standings[player]] for player in game.players]
        after = model.rate(teams, ranks=list(game.places))
        standings.update((player, team[0]) for player, team in zip(game.players, after, strict=True))
    return standings


def rate_by_trueskill(games: Sequence[Sitting]) -> dict[int, Any]:
    model = trueskill.TrueSkill()
    standings: dict[int, Any] = {player: model.create_rating() for player in range(PLAYERS)}
    for game in games:
        teams = [(standings[player],) for player in game.players]
        after = model.rate(teams, ranks=game.places)
        standings.update((player, team[0]) for player, team in zip(game.players, after, strict=True))
    return standings
