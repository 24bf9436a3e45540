"""The statistics block of a player (seed 003, "Individual player statistics"), as a fold over his games, and how
two players did at the tables they shared.

Definitions are in docs/rules.md. Rates are kept as counts: whoever shows them divides, and 0 of 0 is no rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import NamedTuple
from zoneinfo import ZoneInfo

__all__ = ["Game", "Hands", "HeadToHead", "Month", "Placing", "Statistics", "gather", "head_to_head"]

Month = tuple[int, int]


class Hands(NamedTuple):
    """What a log tells of a player's hands in a game: how many were dealt, and in how many he won, dealt in,
    called a tile, and declared riichi."""

    dealt: int
    won: int
    dealt_in: int
    called: int
    riichi: int


class Game(NamedTuple):
    """A player's game: when it was played (seconds since 1970 UTC), his place, final points and score (points),
    whether it was ranked, his chips if they were told, and his hands if there is a log."""

    played_at: int
    place: int
    final_points: int
    score: int
    ranked: bool
    chips: int | None
    hands: Hands | None


NO_HANDS = Hands(0, 0, 0, 0, 0)


@dataclass(slots=True)
class Statistics:
    """A player's figures at tables of `players`.

    `placed` counts his games by place, as `months` do by (year, month) of the club's clock. `final_points` and
    `places` are sums, the former in points; `hands` are those of the `logged` games alone.
    """

    players: int
    games: int = 0
    unranked: int = 0
    placed: list[int] = field(default_factory=list)
    tobi: int = 0
    final_points: int = 0
    places: int = 0
    chips: int = 0
    games_with_chips: int = 0
    logged: int = 0
    hands: Hands = NO_HANDS
    months: dict[Month, list[int]] = field(default_factory=dict)

    def rate_of_place(self, place: int) -> Fraction | None:
        """How often he came in at this place (ichiiritsu …)."""
        return _rate(self.placed[place - 1], self.games)

    @property
    def tobi_rate(self) -> Fraction | None:
        """How often he ended below zero (tobiritsu)."""
        return _rate(self.tobi, self.games)

    @property
    def average_final_points(self) -> Fraction | None:
        """The mean of his final points, in points (heikin tokuten)."""
        return _rate(self.final_points, self.games)

    @property
    def average_place(self) -> Fraction | None:
        """The mean of his places (heikin junii)."""
        return _rate(self.places, self.games)

    @property
    def top_rate(self) -> Fraction | None:
        """How often he came in first (topritsu)."""
        return self.rate_of_place(1)

    @property
    def upper_half_rate(self) -> Fraction | None:
        """How often he came in first or second (rentairitsu)."""
        return _rate(self.placed[0] + self.placed[1], self.games)

    @property
    def last_rate(self) -> Fraction | None:
        """How often he came in last (rasuritsu)."""
        return self.rate_of_place(self.players)

    @property
    def win_rate(self) -> Fraction | None:
        """Hands won by hands dealt (agariritsu)."""
        return _rate(self.hands.won, self.hands.dealt)

    @property
    def deal_in_rate(self) -> Fraction | None:
        """Hands in which his tile was ronned by hands dealt (houjuuritsu)."""
        return _rate(self.hands.dealt_in, self.hands.dealt)

    @property
    def call_rate(self) -> Fraction | None:
        """Hands with a call by hands dealt (nakiritsu)."""
        return _rate(self.hands.called, self.hands.dealt)

    @property
    def riichi_rate(self) -> Fraction | None:
        """Hands with a riichi declared by hands dealt (riichiritsu)."""
        return _rate(self.hands.riichi, self.hands.dealt)

    @property
    def average_chips(self) -> Fraction | None:
        """The mean of his chips in the games of which they were told (shuugi)."""
        return _rate(self.chips, self.games_with_chips)

    def total_points(self, chip_value: int) -> int:
        """Final points and chips at their value, in points (sougou)."""
        return self.final_points + self.chips * chip_value

    def average_total(self, chip_value: int) -> Fraction | None:
        """The mean of that in a game, in points."""
        return _rate(self.total_points(chip_value), self.games)

    def income(self, chip_value: int, stake: float) -> Fraction:
        """What the total is worth, at `stake` for a thousand points (shuushi)."""
        # By the digits somebody wrote: a stake of 0.1 is a tenth.
        return Fraction(self.total_points(chip_value), 1000) * Fraction(str(stake))


def gather(games: Iterable[Game], players: int, zone: ZoneInfo) -> Statistics:
    """Fold a player's games at tables of three or four into his figures; months are those of `zone`."""
    found = Statistics(players, placed=[0] * players)
    totals = list(NO_HANDS)
    for game in games:
        found.games += 1
        found.unranked += not game.ranked
        found.placed[game.place - 1] += 1
        found.places += game.place
        found.final_points += game.final_points
        found.tobi += game.score < 0
        if game.chips is not None:
            found.chips += game.chips
            found.games_with_chips += 1
        if game.hands is not None:
            found.logged += 1
            totals = [total + count for total, count in zip(totals, game.hands, strict=True)]
        played = datetime.fromtimestamp(game.played_at, UTC).astimezone(zone)
        month = found.months.setdefault((played.year, played.month), [0] * players)
        month[game.place - 1] += 1
    found.hands = Hands(*totals)
    return found


class Placing(NamedTuple):
    """How somebody came in: his place, and his final points (in points) where there are any."""

    place: int
    final_points: int | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How two players did where both took part, `together` times: so often the first came in `ahead` of the
    second, and so often `behind` him; the others are ties.

    `place_difference` is by how many places the first came in better on average, and `points_difference` how many
    final points (in points) he had more; None where there is nothing to take a mean of.
    """

    together: int
    ahead: int
    behind: int
    place_difference: Fraction | None
    points_difference: Fraction | None

    @property
    def ties(self) -> int:
        """How often neither was ahead."""
        return self.together - self.ahead - self.behind


def head_to_head(first: Mapping[int, Placing], second: Mapping[int, Placing]) -> HeadToHead:
    """Two players beside each other, given how each came in, by what they took part in."""
    pairs = [(first[each], second[each]) for each in first.keys() & second.keys()]
    points = [
        mine.final_points - theirs.final_points
        for mine, theirs in pairs
        if mine.final_points is not None and theirs.final_points is not None
    ]
    return HeadToHead(
        together=len(pairs),
        ahead=sum(mine.place < theirs.place for mine, theirs in pairs),
        behind=sum(mine.place > theirs.place for mine, theirs in pairs),
        place_difference=_rate(sum(theirs.place - mine.place for mine, theirs in pairs), len(pairs)),
        points_difference=_rate(sum(points), len(points)),
    )


def _rate(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None
