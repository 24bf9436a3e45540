"""What the Russian ratings are computed from: tournaments, who took which place, where players are at home."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

__all__ = [
    "PART_B_RESULTS",
    "PlainResult",
    "Player",
    "Ranking",
    "RankingFacts",
    "RankingRules",
    "Result",
    "Stage",
    "Tournament",
]

PlainResult = tuple[int, int, int, bool]


class Ranking(StrEnum):
    """The three tournament ratings of seed 002."""

    RR = "rr"
    CRR = "crr"
    ONLINE = "online"


# Seed 002, "Second part" and "Online rating": how many results and maximal coefficients part B has.
PART_B_RESULTS: Mapping[Ranking, int] = {Ranking.RR: 4, Ranking.CRR: 4, Ranking.ONLINE: 3}


@dataclass(frozen=True, slots=True)
class RankingRules:
    """Whose ratings these are. Countries are ISO 3166 alpha-2 codes in capitals.

    RR and CRR list players of the home country alone, unless `home_players_only` is off.
    """

    home_country: str = "RU"
    home_players_only: bool = True


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `country` is None when nobody knows; `name` only orders players of equal rating.

    Who is not `shown` is in no table, but tournaments count by his results as by anybody's.
    """

    id: int
    country: str | None
    name: str = ""
    shown: bool = True


class Stage(NamedTuple):
    """One stage of a tournament with cut-offs: how many took part in it, and how many hanchan it had."""

    participants: int
    hanchan: int


class Result(NamedTuple):
    """Who took which place. `counts` is False for replacement players and for whoever is excluded: the place
    stays taken, and nobody is rated for it. A plain tuple of the same four values serves as well."""

    tournament_id: int
    player_id: int
    place: int
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament. Of its days the last alone decides about age and window.

    `hanchan` and `first_day` are None when unknown. `participants` counts replacement players too.
    `open_share` is the percentage of the seats that were open to free registration, None when unknown.
    `stages` is empty unless there were cut-offs: who finished within the participants of a stage played
    through it, the first stage has all participants, and `hanchan` is not looked at then.
    Raises ValueError for figures that no tournament can have.
    """

    id: int
    name: str
    first_day: date | None = None
    last_day: date
    hanchan: int | None = None
    participants: int
    country: str
    online: bool = False
    accredited: bool = False
    open_share: int | None = None
    ema: bool = False
    stages: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        if self.first_day is not None and self.first_day > self.last_day:
            raise ValueError(f"Tournament {self.id} ends before it begins.")
        if self.participants < 4:
            raise ValueError(f"{self.participants} participants do not fill a table of tournament {self.id}.")
        if self.hanchan is not None and self.hanchan < 1:
            raise ValueError(f"Tournament {self.id} has {self.hanchan} hanchan; an unknown number is None.")
        if self.open_share is not None and not 0 <= self.open_share <= 100:
            raise ValueError(f"{self.open_share} is not a percentage of tournament {self.id}'s seats.")
        if self.stages:
            _check_stages(self)

    @property
    def distance(self) -> int:
        """The hanchan of the tournament, all stages together.

        An unknown number is taken as four for each night between the first and the last day, at most twelve; so
        it is 0 for an event of one day.
        """
        if self.stages:
            return sum(hanchan for _, hanchan in self.stages)
        if self.hanchan is not None:
            return self.hanchan
        if self.first_day is None:
            return 0
        return min(12, 4 * (self.last_day - self.first_day).days)

    @property
    def distance_is_assumed(self) -> bool:
        """Whether nobody said how many hanchan were played."""
        return self.hanchan is None and not self.stages


def _check_stages(tournament: Tournament) -> None:
    sizes = [size for size, _ in tournament.stages]
    if sizes[0] != tournament.participants:
        raise ValueError(f"The first stage of tournament {tournament.id} has not all of its participants.")
    if any(later > earlier for earlier, later in pairwise(sizes)) or sizes[-1] < 1:
        raise ValueError(f"The stages of tournament {tournament.id} do not narrow.")
    if any(hanchan < 1 for _, hanchan in tournament.stages):
        raise ValueError(f"Every stage of tournament {tournament.id} needs its hanchan.")


@dataclass(frozen=True, slots=True)
class RankingFacts:
    """All that a table is made from: tournaments and players by id, and the results in any order.

    Somebody who has results but is not among `players` is from an unknown country.
    """

    tournaments: Mapping[int, Tournament]
    results: Collection[PlainResult]
    players: Mapping[int, Player]
