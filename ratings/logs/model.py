"""What a game log says, and why a file is not read as one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from ratings.models import Length, Lobby

__all__ = ["GameLog", "LogFormat", "LogProblem", "LogRefused", "LogSeat", "Unranked"]


class LogFormat(StrEnum):
    """Where a log comes from: Tenhou's mjlog, Tenhou's JSON, or a Mahjong Soul export in that JSON form."""

    MJLOG = "mjlog"
    TENHOU6 = "tenhou6"
    MAHJONG_SOUL = "mahjong-soul"


class Unranked(StrEnum):
    """Why the game of a log was no ranked game of Tenhou. Where several hold, the first of this list is told."""

    OTHER_SITE = "other-site"
    PRIVATE_LOBBY = "private-lobby"
    CUSTOM_RULES = "custom-rules"
    PARLOUR = "parlour"
    AGAINST_BOTS = "against-bots"
    OTHER_VERSION = "other-version"
    UNKNOWN = "unknown"


class LogProblem(StrEnum):
    """Why a file cannot be read as a game log."""

    TOO_LARGE = "too-large"
    UNPACKS_TOO_LARGE = "unpacks-too-large"
    PACKED_TWICE = "packed-twice"
    NOT_UTF8 = "not-utf8"
    NOT_A_LOG = "not-a-log"
    DAMAGED = "damaged"
    CUT_OFF = "cut-off"
    DOCTYPE = "doctype"
    TOO_DEEP = "too-deep"
    TOO_MANY_PARTS = "too-many-parts"
    WRONG_TABLE = "wrong-table"
    SEVERAL_GAMES = "several-games"
    BROKEN_VALUE = "broken-value"
    OTHER_GAME = "other-game"


class LogRefused(Exception):
    """The file is not read. `values` are the particulars that a message needs: `where` names the part of the
    log that is wrong (such as "AGARI who"), `limit` is the limit that was passed (bytes, levels or parts)."""

    def __init__(self, problem: LogProblem, **values: Any) -> None:
        super().__init__(f"{problem}: {values}")
        self.problem = problem
        self.values = values


@dataclass(frozen=True, slots=True)
class LogSeat:
    """One player's game.

    `final_score` is in points; `result_points` is the log's own end result in thousands, with uma and oka (+45.2).
    `chips` is None outside parlour games. `dan` (index from 0, the newcomer) and `rate` (R) are Tenhou's from
    before the game, None where the log has none. The counts follow docs/rules.md.
    """

    name: str
    dan: int | None
    rate: float | None
    final_score: int
    result_points: Decimal
    chips: int | None
    place: int
    hands: int
    wins_tsumo: int
    wins_ron: int
    deal_in_hands: int
    rons_paid: int
    called_hands: int
    riichi_hands: int
    closed_kans: int
    kita: int

    @property
    def wins(self) -> int:
        """Hands won, by ron or tsumo."""
        return self.wins_tsumo + self.wins_ron

    @property
    def tobi(self) -> bool:
        """Whether the player ended below zero; zero itself is not tobi."""
        return self.final_score < 0


@dataclass(frozen=True, slots=True)
class GameLog:
    """A finished game as its log tells it; `seats` from the first dealer.

    `lobby` is that of a ranked Tenhou game, None otherwise. `log_id` is Tenhou's or Mahjong Soul's id of the game
    and `played_at` (seconds UTC) its start by the hour, or of a game on Mahjong Soul its end or its day; both are
    None where neither log nor link has them.
    `fingerprint` (sha256 in hexadecimal) is one for all copies of a game, packed or not, mjlog or JSON.
    `sticks` counts the riichi sticks that no win took; they are already in the first place's score. It is None
    where the log does not show whether the last one was paid.
    """

    format: LogFormat
    length: Length
    lobby: Lobby | None
    unranked: Unranked | None
    log_id: str | None
    played_at: int | None
    fingerprint: str
    sticks: int | None
    seats: tuple[LogSeat, ...]

    @property
    def ranked(self) -> bool:
        """Whether this was a ranked game of Tenhou."""
        return self.unranked is None

    @property
    def players(self) -> int:
        """How many played: three or four."""
        return len(self.seats)
