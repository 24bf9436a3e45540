"""What both formats have in common: hands as they were played, and the game that is made of them."""

from __future__ import annotations

import hashlib
import itertools
import json
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ratings.logs.model import GameLog, LogFormat, LogProblem, LogRefused, LogSeat, Unranked
from ratings.models import Length, Lobby

__all__ = [
    "HIGHEST_SCORE",
    "ROUNDS",
    "THREE_PLAYERS",
    "Hand",
    "Origin",
    "Player",
    "broken",
    "checked_name",
    "finished_game",
    "why_unranked",
]

HIGHEST_SCORE = 1_000_000  # points
ROUNDS = range(16)  # East 1 is 0, North 4 is 15
_FIRST_SOUTH = 4
_VERSION = "2.3"
_LONGEST_NAME = 40  # characters
_NOT_IN_NAMES = ("Cc", "Cs")

# Bits of Tenhou's game types.
THREE_PLAYERS = 0x10
_AGAINST_PEOPLE, _HANCHAN, _CUSTOM = 0x01, 0x08, 0x100
_PARLOUR = 0x200 | 0x400 | 0x800
_LOWER_LOBBY_BIT, _HIGHER_LOBBY_BIT = 0x20, 0x80
_LOBBY_BITS = _LOWER_LOBBY_BIT | _HIGHER_LOBBY_BIT
_LOBBIES = {
    0: Lobby.IPPAN,
    _HIGHER_LOBBY_BIT: Lobby.JOUKYUU,
    _LOWER_LOBBY_BIT: Lobby.TOKUJOU,
    _LOBBY_BITS: Lobby.HOUOU,
}


def broken(where: str) -> LogRefused:
    """The refusal of a log whose value at `where` cannot be."""
    return LogRefused(LogProblem.BROKEN_VALUE, where=where)


@dataclass(slots=True)
class Hand:
    """One hand while its log is read; seats count from the first dealer, scores are in points.

    `dealt` are kinds of tiles (11 to 47, red fives as plain ones) by seat. `wins` are pairs of winner and the seat
    the tile came from, the same for a tsumo. `unsure` marks a riichi of which nobody can tell whether it was paid.
    """

    round: int
    honba: int
    sticks: int
    scores: tuple[int, ...]
    dealt: tuple[tuple[int, ...], ...]
    wins: list[tuple[int, int]] = field(default_factory=list)
    drawn: bool = False
    called: set[int] = field(default_factory=set)
    riichi: set[int] = field(default_factory=set)
    paid_riichi: int = 0
    unsure: bool = False
    closed_kans: Counter[int] = field(default_factory=Counter)
    kita: Counter[int] = field(default_factory=Counter)

    @property
    def ended(self) -> bool:
        """Whether the log shows how the hand ended."""
        return self.drawn or bool(self.wins)

    @property
    def sticks_left(self) -> int | None:
        """Riichi sticks that lay on the table after the hand."""
        if self.wins:
            return 0
        return None if self.unsure else self.sticks + self.paid_riichi

    def follows(self, before: Hand) -> bool:
        """Whether this can be the hand right after `before`. With three players each fourth round is skipped."""
        next_round = before.round + 1
        if len(self.scores) == 3 and next_round % 4 == 3:
            next_round += 1
        if self.round == before.round:
            return self.honba == before.honba + 1
        return self.round == next_round and self.honba in (0, before.honba + 1)

    def win(self, winner: int, source: int, where: str) -> None:
        """Note a win. Further wins of a hand are rons on the same tile; anything else raises LogRefused."""
        if self.drawn or any(
            winner == other or source != same or source in (winner, other) for other, same in self.wins
        ):
            raise broken(where)
        self.wins.append((winner, source))


@dataclass(frozen=True, slots=True)
class Player:
    """What a log says of one player besides the hands; units as in LogSeat."""

    name: str
    dan: int | None
    rate: float | None
    final_score: int
    result_points: Decimal
    chips: int | None


def checked_name(name: str) -> str:
    """`name`, if it can be one. Raises LogRefused for control characters, half characters and great length."""
    if len(name) > _LONGEST_NAME or any(unicodedata.category(character) in _NOT_IN_NAMES for character in name):
        raise broken("name")
    return name


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a game was played: `kind` are Tenhou's type bits, `rules` the words of the rules; None, "" unknown."""

    format: LogFormat
    kind: int | None
    rules: str
    unranked: Unranked | None
    log_id: str | None
    played_at: int | None


def finished_game(origin: Origin, players: Sequence[Player], hands: Sequence[Hand]) -> GameLog:
    """The game with places, counts and fingerprint. Raises LogRefused CUT_OFF when a hand is missing."""
    _check_whole(hands)
    by_score = sorted(range(len(players)), key=lambda seat: -players[seat].final_score)
    return GameLog(
        format=origin.format,
        length=_length(origin, hands),
        lobby=None if origin.unranked or origin.kind is None else _LOBBIES[origin.kind & _LOBBY_BITS],
        unranked=origin.unranked,
        log_id=origin.log_id,
        played_at=origin.played_at,
        fingerprint=_fingerprint(hands, [player.final_score for player in players]),
        sticks=hands[-1].sticks_left,
        seats=tuple(_seat(seat, player, by_score.index(seat) + 1, hands) for seat, player in enumerate(players)),
    )


def _check_whole(hands: Sequence[Hand]) -> None:
    if not hands or not hands[-1].ended or (hands[0].round, hands[0].honba) != (0, 0):
        raise LogRefused(LogProblem.CUT_OFF)
    if not all(hand.follows(before) for before, hand in itertools.pairwise(hands)):
        raise LogRefused(LogProblem.CUT_OFF)


def _seat(seat: int, player: Player, place: int, hands: Sequence[Hand]) -> LogSeat:
    wins = [win for hand in hands for win in hand.wins]
    return LogSeat(
        name=player.name,
        dan=player.dan,
        rate=player.rate,
        final_score=player.final_score,
        result_points=player.result_points,
        chips=player.chips,
        place=place,
        hands=len(hands),
        wins_tsumo=wins.count((seat, seat)),
        wins_ron=sum(winner == seat != source for winner, source in wins),
        deal_in_hands=sum(any(_dealt_in(seat, win) for win in hand.wins) for hand in hands),
        rons_paid=sum(_dealt_in(seat, win) for win in wins),
        called_hands=sum(seat in hand.called for hand in hands),
        riichi_hands=sum(seat in hand.riichi for hand in hands),
        closed_kans=sum(hand.closed_kans[seat] for hand in hands),
        kita=sum(hand.kita[seat] for hand in hands),
    )


def _dealt_in(seat: int, win: tuple[int, int]) -> bool:
    winner, source = win
    return source == seat != winner


def _fingerprint(hands: Sequence[Hand], final_scores: Sequence[int]) -> str:
    """A hash over the deals, the scores and the wins: what every format tells alike.

    Names and end results stay out, so a copy with other names has the same fingerprint.
    """
    facts = [
        (
            hand.round,
            hand.honba,
            hand.sticks,
            hand.scores,
            [sorted(dealt) for dealt in hand.dealt],
            sorted(hand.wins),
        )
        for hand in hands
    ]
    return hashlib.sha256(json.dumps([facts, final_scores]).encode()).hexdigest()


def _length(origin: Origin, hands: Sequence[Hand]) -> Length:
    """By Tenhou's type bits, else by the words of the rules, else by whether a South hand was dealt."""
    if origin.kind is not None:
        return Length.HANCHAN if origin.kind & _HANCHAN else Length.TONPUU
    words = origin.rules.lower()
    if "南" in words or "south" in words:
        return Length.HANCHAN
    if "東" in words or "east" in words:
        return Length.TONPUU
    return Length.HANCHAN if any(hand.round >= _FIRST_SOUTH for hand in hands) else Length.TONPUU


def why_unranked(kind: int | None, lobbies: Sequence[str], version: str, *, custom: bool) -> Unranked | None:
    """Why a Tenhou game was not ranked, None if it was.

    `kind` are the type bits, `lobbies` what log and id call the lobby (any form of 0 is the public one), and
    `custom` says that the log shows rules of a lobby's own.
    """
    if any(lobby.strip("0") for lobby in lobbies):
        return Unranked.PRIVATE_LOBBY
    if kind is None or not lobbies:
        return Unranked.UNKNOWN
    if custom or kind & _CUSTOM:
        return Unranked.CUSTOM_RULES
    if kind & _PARLOUR:
        return Unranked.PARLOUR
    if not kind & _AGAINST_PEOPLE:
        return Unranked.AGAINST_BOTS
    return None if version == _VERSION else Unranked.OTHER_VERSION
