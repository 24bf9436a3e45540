"""Games made up by a fixed seed: the same on every machine and in every run."""

from __future__ import annotations

import random
from dataclasses import dataclass

__all__ = ["PLAYERS", "Sitting", "sittings"]

PLAYERS = 500
SEED = 20261129
TOTAL = 100_000


@dataclass(frozen=True, slots=True)
class Sitting:
    """Four of the players (numbers from 0) with scores in points and places, by seat."""

    players: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]


def sittings(count: int, seed: int = SEED) -> list[Sitting]:
    """This many four-player games between `PLAYERS` people, no two equal scores in one."""
    dice = random.Random(seed)
    return [_sitting(dice) for _ in range(count)]


def _sitting(dice: random.Random) -> Sitting:
    while True:
        first_three = [dice.randrange(-100, 700) * 100 for _ in range(3)]
        scores = (*first_three, TOTAL - sum(first_three))
        if len(set(scores)) == len(scores):
            break
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Sitting(tuple(dice.sample(range(PLAYERS), 4)), scores, places)
