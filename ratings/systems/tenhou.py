"""Tenhou's ladder of ranks and its R rating (seed 003; docs/rules.md settles what the text leaves open).

*Rank points* move along the ladder: first and second gain by the lobby that was played, last place loses by
the player's own rank. *R* starts at 1500 and moves by place and by the strength of the table. Four- and
three-player games have a ladder and an R each: the same functions, with standings kept apart by the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import ceil, fsum, inf
from operator import itemgetter

from ratings.models import Length, Lobby, Standing, TenhouRules

__all__ = [
    "ADJUSTMENTS",
    "GAINS",
    "INITIAL",
    "LOBBY_ENTRIES",
    "PLACEMENT_BASES",
    "RANKS",
    "SETTLED_ADJUSTMENT",
    "TENHOUI",
    "LobbyEntry",
    "Rank",
    "RankEvent",
    "Step",
    "automatic_lobby",
    "explain",
    "open_lobbies",
    "rate",
]


@dataclass(frozen=True, slots=True)
class Rank:
    """One rung of the ladder. `tonpuu_last` and `hanchan_last` are what last place costs, in rank points.

    Tenhoui has no points and no target: its base is 0 and its targets are None.
    """

    index: int
    id: str
    name: str
    base: int
    tonpuu_last: int
    hanchan_last: int
    target_4p: int | None
    target_3p: int | None

    def target(self, players: int) -> int | None:
        """The rank points that promote to the next rank, None for Tenhoui."""
        return self.target_4p if players == 4 else self.target_3p

    def last(self, length: Length) -> int:
        """What last place costs at this rank, zero or less."""
        return self.hanchan_last if length is Length.HANCHAN else self.tonpuu_last


@dataclass(frozen=True, slots=True)
class LobbyEntry:
    """What a lobby asks of everyone who enters: a rank (index) and an R."""

    lobby: Lobby
    min_rank: int
    min_rating: float


class RankEvent(StrEnum):
    """What a game did to a rank."""

    PROMOTION = "promotion"
    DEMOTION = "demotion"
    TENHOUI = "tenhoui"


@dataclass(frozen=True, slots=True)
class Step:
    """One player's change in one game, and what it was made of.

    `rank_delta` is the game's rank points before promotion, demotion or the floor at zero is applied;
    `table_average` is the average R that entered the formula.
    """

    before: Standing
    after: Standing
    rank_delta: int
    placement_base: float
    table_average: float
    adjustment: float
    event: RankEvent | None


# Seed 003, "Ladder scale": the four-player table, with the targets of the three-player one beside it.
# fmt: off
RANKS: tuple[Rank, ...] = (
    #     位             初期pt  東風戦  東南戦  昇段pt
    #                               last    last      4p     3p
    Rank( 0, "shinjin", "新人",      0,     0,     0,    20,    30),
    Rank( 1, "9kyu",    "９級",      0,     0,     0,    20,    30),
    Rank( 2, "8kyu",    "８級",      0,     0,     0,    20,    30),
    Rank( 3, "7kyu",    "７級",      0,     0,     0,    20,    60),
    Rank( 4, "6kyu",    "６級",      0,     0,     0,    40,    60),
    Rank( 5, "5kyu",    "５級",      0,     0,     0,    60,    60),
    Rank( 6, "4kyu",    "４級",      0,     0,     0,    80,    90),
    Rank( 7, "3kyu",    "３級",      0,     0,     0,   100,   100),
    Rank( 8, "2kyu",    "２級",      0,   -10,   -15,   100,   100),
    Rank( 9, "1kyu",    "１級",      0,   -20,   -30,   100,   100),
    Rank(10, "1dan",    "初段",    200,   -30,   -45,   400,   400),
    Rank(11, "2dan",    "二段",    400,   -40,   -60,   800,   800),
    Rank(12, "3dan",    "三段",    600,   -50,   -75,  1200,  1200),
    Rank(13, "4dan",    "四段",    800,   -60,   -90,  1600,  1600),
    Rank(14, "5dan",    "五段",   1000,   -70,  -105,  2000,  2000),
    Rank(15, "6dan",    "六段",   1200,   -80,  -120,  2400,  2400),
    Rank(16, "7dan",    "七段",   1400,   -90,  -135,  2800,  2800),
    Rank(17, "8dan",    "八段",   1600,  -100,  -150,  3200,  3200),
    Rank(18, "9dan",    "九段",   1800,  -110,  -165,  3600,  3600),
    Rank(19, "10dan",   "十段",   2000,  -120,  -180,  4000,  4000),
    Rank(20, "tenhoui", "天鳳位",    0,     0,     0,  None,  None),
)

# Seed 003, "Ladder scale": rank points by players, lobby and length, first place first, last place left out.
_EAST, _SOUTH = Length.TONPUU, Length.HANCHAN
GAINS: Mapping[int, Mapping[Lobby, Mapping[Length, tuple[int, ...]]]] = {
    4: {            #        東風戦  1位 2位 3位       東南戦  1位  2位 3位
        Lobby.IPPAN:   {_EAST: (20, 10, 0), _SOUTH: ( 30, 15, 0)},
        Lobby.JOUKYUU: {_EAST: (40, 10, 0), _SOUTH: ( 60, 15, 0)},
        Lobby.TOKUJOU: {_EAST: (50, 20, 0), _SOUTH: ( 75, 30, 0)},
        Lobby.HOUOU:   {_EAST: (60, 30, 0), _SOUTH: ( 90, 45, 0)},
    },
    3: {            #        東風戦  1位 2位    東南戦  1位 2位
        Lobby.IPPAN:   {_EAST: (30, 0), _SOUTH: ( 45, 0)},
        Lobby.JOUKYUU: {_EAST: (50, 0), _SOUTH: ( 75, 0)},
        Lobby.TOKUJOU: {_EAST: (70, 0), _SOUTH: (105, 0)},
        Lobby.HOUOU:   {_EAST: (90, 0), _SOUTH: (135, 0)},
    },
}

# Seed 003: the rows on which the lobbies' labels stand, and "R rating" for the two higher lobbies.
LOBBY_ENTRIES: tuple[LobbyEntry, ...] = (
    LobbyEntry(Lobby.IPPAN,    0,    0.0),
    LobbyEntry(Lobby.JOUKYUU,  9,    0.0),
    LobbyEntry(Lobby.TOKUJOU, 13, 1800.0),
    LobbyEntry(Lobby.HOUOU,   16, 2000.0),
)
# fmt: on

# Seed 003, "R rating". Dividing once gives the float nearest to 1 - 0.002 x games.
PLACEMENT_BASES: Mapping[int, tuple[int, ...]] = {4: (30, 10, -10, -30), 3: (30, 0, -30)}
_SETTLED_GAMES = 400
ADJUSTMENTS: tuple[float, ...] = tuple((500 - games) / 500 for games in range(_SETTLED_GAMES))
SETTLED_ADJUSTMENT = 0.2

INITIAL = Standing(0, 0, 1500.0, 0)
# What Standing(...) does, without the call in between.
_standing = tuple.__new__
_rating_of = itemgetter(Standing._fields.index("rating"))
_LOBBIES_ABOVE = tuple((entry.lobby, entry.min_rank, entry.min_rating) for entry in LOBBY_ENTRIES[1:])
TENHOUI = RANKS[-1].index

_FIRST_DAN = 10
_LIVE = TenhouRules.LIVE
_LIVE_LOWEST_AVERAGE = 1500.0
# A new R exceeds a hundredth by nothing or by 1.25e-7 and more (1.25e-5 of a hundredth): less is float noise.
_NOISE_IN_HUNDREDTHS = 1e-6


def _placings(players: int) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """Every possible result of a table, shared places included, with the share (place, sharers) by seat."""
    for places in product(range(1, players + 1), repeat=players):
        if all(place == 1 + sum(other < place for other in places) for place in places):
            yield places, tuple((place, places.count(place)) for place in places)


def _mean(values: Sequence[int], share: tuple[int, int]) -> float:
    place, sharers = share
    return sum(values[place - 1 : place - 1 + sharers]) / sharers


# A share is a place and how many share it, as an index; `rate` looks everything up by shares.
_SHARES = {n: sorted({share for _, shares in _placings(n) for share in shares}) for n in PLACEMENT_BASES}
_SHARES_BY_SEAT: Mapping[tuple[int, ...], tuple[int, ...]] = {
    places: tuple(_SHARES[n].index(share) for share in shares)
    for n in PLACEMENT_BASES
    for places, shares in _placings(n)
}
_BASES = {n: tuple(_mean(bases, share) for share in _SHARES[n]) for n, bases in PLACEMENT_BASES.items()}


def _ladder_row(rank: Rank, players: int, length: Length, gains: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
    """A rank's target and its rank points by share; an average that is not whole is cut toward zero."""
    target = rank.target(players)
    if target is None:
        return inf, (0,) * len(_SHARES[players])
    by_place = (*gains, rank.last(length))
    return target, tuple(int(_mean(by_place, share)) for share in _SHARES[players])


_LADDERS = {
    (n, lobby, length): tuple(_ladder_row(rank, n, length, gains) for rank in RANKS)
    for n, lobbies in GAINS.items()
    for lobby, lengths in lobbies.items()
    for length, gains in lengths.items()
}


def open_lobbies(standing: Standing) -> tuple[Lobby, ...]:
    """The lobbies a player may enter by rank and R, lowest first (seed 003, "R rating")."""
    return tuple(
        entry.lobby
        for entry in LOBBY_ENTRIES
        if standing.rank >= entry.min_rank and standing.rating >= entry.min_rating
    )


def automatic_lobby(standings: Sequence[Standing]) -> Lobby:
    """The highest lobby that every player at the table may enter."""
    # Every lobby asks for more than the one below it, so the lowest rank and the lowest R decide.
    rank = min(standings)[0]
    rating = min(map(_rating_of, standings))
    highest = Lobby.IPPAN
    for lobby, min_rank, min_rating in _LOBBIES_ABOVE:
        if rank < min_rank or rating < min_rating:
            break
        highest = lobby
    return highest


def rate(
    places: Sequence[int], before: Sequence[Standing], lobby: Lobby, length: Length, rules: TenhouRules
) -> list[Standing]:
    """The standings after one game of three or four players, by seat.

    `places` are by seat from 1; seats that share a place carry the same one (1, 1, 3, 4) and get the average
    of what the shared places are worth. Everyone is rated on the standings from before the game, in which
    `games` counts the games rated so far. Seed 003, "R rating" and "Rank points":

        new R = R + adjustment x (placement base + (table average - R) / 40)

    Raises ValueError for places that no table can have and for standings that do not match them.
    """
    # Written for speed: a replay comes through here four times a game.
    shares = _shares_by_seat(places, before)
    players = len(shares)
    ladder = _LADDERS[players, lobby, length]
    bases = _BASES[players]
    live = rules is _LIVE
    average = _table_average(before, live)
    after = []
    for (rank, points, rating, games), share in zip(before, shares):  # noqa: B905 - both are counted
        target, deltas = ladder[rank]
        points += deltas[share]
        if not 0 <= points < target:
            rank, points = _changed_rank(rank, points, live)
        adjustment = ADJUSTMENTS[games] if games < _SETTLED_GAMES else SETTLED_ADJUSTMENT
        rating += adjustment * (bases[share] + (average - rating) / 40)
        if live:
            rating = ceil(rating * 100 - _NOISE_IN_HUNDREDTHS) / 100
        after.append(_standing(Standing, (rank, points, rating, games + 1)))
    return after


def explain(
    places: Sequence[int], before: Sequence[Standing], lobby: Lobby, length: Length, rules: TenhouRules
) -> list[Step]:
    """What `rate` does to each seat and why, for the player to read. Raises as `rate` does."""
    after = rate(places, before, lobby, length, rules)
    shares = _shares_by_seat(places, before)
    players = len(shares)
    average = _table_average(before, rules == _LIVE)
    return [
        Step(
            before=old,
            after=new,
            rank_delta=_LADDERS[players, lobby, length][old.rank][1][share],
            placement_base=_BASES[players][share],
            table_average=average,
            adjustment=ADJUSTMENTS[old.games] if old.games < _SETTLED_GAMES else SETTLED_ADJUSTMENT,
            event=_event(old.rank, new.rank),
        )
        for old, new, share in zip(before, after, shares, strict=True)
    ]


def _shares_by_seat(places: Sequence[int], before: Sequence[Standing]) -> tuple[int, ...]:
    shares = _SHARES_BY_SEAT.get(tuple(places))
    if shares is None:
        raise ValueError(f"{tuple(places)} are not the places of three or four players.")
    if len(shares) != len(before):
        raise ValueError(f"There are {len(shares)} places but {len(before)} standings.")
    return shares


def _table_average(before: Sequence[Standing], live: bool) -> float:
    # fsum rounds once, so that the order of the seats cannot show in the last bit.
    average = fsum(map(_rating_of, before)) / len(before)
    return max(average, _LIVE_LOWEST_AVERAGE) if live else average


def _changed_rank(rank: int, points: int, live: bool) -> tuple[int, int]:
    """The rank and the points once a total has reached the target or fallen below zero."""
    if points < 0:
        lowest = _FIRST_DAN if live else 1
        return (rank - 1, RANKS[rank - 1].base) if rank >= lowest else (rank, 0)
    return rank + 1, RANKS[rank + 1].base


def _event(old: int, new: int) -> RankEvent | None:
    if new == old:
        return None
    if new < old:
        return RankEvent.DEMOTION
    return RankEvent.TENHOUI if new == TENHOUI else RankEvent.PROMOTION
