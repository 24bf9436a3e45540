"""The facts of mahjong games, and the values the rating rules work on.

Units used everywhere: *score* is the raw score in points (25000); *final points* are the score after return,
uma and oka, also in points (+45200 is shown as +45.2); *rank points* belong to the Tenhou ladder.
Seats count from the first dealer: 0 East, 1 South, 2 West, 3 North.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

__all__ = [
    "AmericanGame",
    "AmericanReport",
    "AmericanWin",
    "ClubRules",
    "CorrectionKind",
    "GameState",
    "Length",
    "Line",
    "Lobby",
    "Offence",
    "Person",
    "Refusal",
    "Refused",
    "Report",
    "RiichiGame",
    "Seat",
    "Site",
    "Standing",
    "SystemName",
    "TenhouRules",
    "Verdict",
    "WonBy",
]


class Length(StrEnum):
    """How long a game is: East only, or East and South."""

    TONPUU = "tonpuu"
    HANCHAN = "hanchan"


class Lobby(StrEnum):
    """Tenhou's four lobbies, lowest first."""

    IPPAN = "ippan"
    JOUKYUU = "joukyuu"
    TOKUJOU = "tokujou"
    HOUOU = "houou"


class GameState(StrEnum):
    """Where a reported game stands."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    VOIDED = "voided"
    WITHDRAWN = "withdrawn"


class Verdict(StrEnum):
    """What an admin decided about a report."""

    APPROVE = "approve"
    REJECT = "reject"


class CorrectionKind(StrEnum):
    """What was set right after it had been reported or decided."""

    VOID = "void"
    RESTORE = "restore"
    AMEND = "amend"
    WITHDRAW = "withdraw"
    REOPEN = "reopen"
    DETACH = "detach"
    MERGE = "merge"
    SPLIT = "split"
    FORGET = "forget"


class SystemName(StrEnum):
    """The rating systems that fold over games."""

    TENHOU_4P = "tenhou-4p"
    TENHOU_3P = "tenhou-3p"
    NMJL = "nmjl"


class Site(StrEnum):
    """Where members have accounts."""

    TENHOU = "tenhou"
    MAHJONG_SOUL = "mahjong-soul"


class TenhouRules(StrEnum):
    """Which reading of the Tenhou rules a club follows (docs/rules.md)."""

    SEED = "seed"
    LIVE = "live"


class Refusal(StrEnum):
    """Why the ledger would not do what was asked."""

    BOT_PLAYER = "bot_player"
    SAME_PLAYER = "same_player"
    FUTURE = "future"
    TOO_LONG_AGO = "too_long_ago"
    WRONG_SUM = "wrong_sum"
    UNKNOWN_GAME = "unknown_game"
    ALREADY_DECIDED = "already_decided"
    NOT_REJECTED = "not_rejected"
    EMPTY_REASON = "empty_reason"
    LONG_REASON = "long_reason"
    TABLE_SIZE = "table_size"
    UNKNOWN_LINE = "unknown_line"
    OTHER_YEAR = "other_year"
    WINNER_ABSENT = "winner_absent"
    DISCARDER_WON = "discarder_won"
    DISCARDER_ABSENT = "discarder_absent"
    DISCARDER_MISSING = "discarder_missing"
    SELF_PICK_DISCARDER = "self_pick_discarder"
    JOKERS_ON_SINGLES = "jokers_on_singles"
    EXPOSED_ON_CONCEALED = "exposed_on_concealed"
    CARD_IN_USE = "card_in_use"
    NOT_PENDING = "not_pending"
    NOT_AMERICAN = "not_american"
    PENALTIES_OFF = "penalties_off"
    NOT_AT_THE_TABLE = "not_at_the_table"
    DEAD_HAND_ON_A_WIN = "dead_hand_on_a_win"
    NOT_APPROVED = "not_approved"
    NOT_VOIDED = "not_voided"
    NOT_AMENDABLE = "not_amendable"
    NOT_RIICHI = "not_riichi"
    NOTHING_TO_AMEND = "nothing_to_amend"
    NOT_YOUR_REPORT = "not_your_report"
    UNKNOWN_PLAYER = "unknown_player"
    ONE_RECORD = "one_record"
    MERGED_ALREADY = "merged_already"
    NOT_MERGED = "not_merged"
    TOGETHER = "together"
    ONE_PERSON = "one_person"
    UNEVEN_CHIPS = "uneven_chips"
    BANNED = "banned"
    ALREADY_BANNED = "already_banned"
    NOT_BANNED = "not_banned"
    STILL_BANNED = "still_banned"
    LOG_KNOWN = "log_known"
    LOG_ID_KNOWN = "log_id_known"
    LOG_FOR_ADMINS = "log_for_admins"
    NO_LOG = "no_log"
    LOG_DIFFERS = "log_differs"
    LOG_SETTLES = "log_settles"
    LOG_SAYS_OTHERWISE = "log_says_otherwise"
    ACCOUNT_TAKEN = "account_taken"
    NO_ACCOUNT = "no_account"
    NOT_EMPTY = "not_empty"
    UNKNOWN_TOURNAMENT = "unknown_tournament"
    REMOVED_TOURNAMENT = "removed_tournament"
    NOT_REMOVED = "not_removed"
    SAME_TOURNAMENT = "same_tournament"
    ENDS_FIRST = "ends_first"
    NOT_OVER = "not_over"
    FEW_PARTICIPANTS = "few_participants"
    UNFIT_STAGES = "unfit_stages"
    HIGH_PLACE = "high_place"
    CROWDED_PLACE = "crowded_place"
    TWO_RESULTS = "two_results"
    NO_RESULT = "no_result"
    UNKNOWN_NAMES = "unknown_names"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NAME_TAKEN = "name_taken"
    EMA_NUMBER_TAKEN = "ema_number_taken"
    NO_ALIAS = "no_alias"
    LINKED_ALREADY = "linked_already"


class Refused(Exception):
    """The ledger refuses, and nothing was written. `values` are the particulars that a message needs."""

    def __init__(self, refusal: Refusal, **values: Any) -> None:
        super().__init__(f"{refusal}: {values}")
        self.refusal = refusal
        self.values = values


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as Discord shows him at this moment, or as the club last saw him.

    Whoever is not on Discord has the `discord_id` 0; whoever asked to be forgotten has no name either.
    """

    discord_id: int
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A riichi game as a member reports it: `players`, `scores` (points) and, where the club plays for them,
    `chips` by seat from East.

    `interaction_id` is Discord's id of the command: the same command delivered twice is one report.
    """

    reporter: Person
    players: tuple[Person, ...]
    scores: tuple[int, ...]
    length: Length
    lobby: Lobby | None
    sticks: int
    ranked: bool
    played_at: int
    channel_id: int
    interaction_id: int
    chips: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AmericanReport:
    """An American hand as a member reports it: all `players`, and for a win who, with which line of the card
    (`line_id`), and how. `concealed` is None when nothing was said. A wall game has no winner."""

    reporter: Person
    players: tuple[Person, ...]
    winner: Person | None
    line_id: int | None
    won_by: WonBy
    discarder: Person | None
    used_jokers: bool
    concealed: bool | None
    played_at: int
    channel_id: int
    interaction_id: int


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat at the end of a game."""

    player_id: int
    score: int


@dataclass(frozen=True, slots=True)
class RiichiGame:
    """A finished riichi game as reported: `seats` from East, three or four of them.

    `sticks` counts riichi sticks (1000 points each) left on the table; `lobby` is None for automatic.
    """

    seats: tuple[Seat, ...]
    length: Length
    lobby: Lobby | None = None
    sticks: int = 0
    ranked: bool = True

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by seat, in points."""
        return tuple(seat.score for seat in self.seats)

    @property
    def system(self) -> SystemName:
        """The ladder the game belongs to: four and three players have one each."""
        return SystemName.TENHOU_4P if len(self.seats) == 4 else SystemName.TENHOU_3P


class WonBy(StrEnum):
    """How an American hand was won. UNRECORDED is a discard win of which nobody noted the discarder."""

    DISCARD = "discard"
    SELF_PICK = "self-pick"
    UNRECORDED = "unrecorded"


class Offence(StrEnum):
    """What the League's rules penalise, and a club may record in the approval step (seed 000)."""

    FED_TWO_EXPOSURES = "fed-two-exposures"
    FED_THREE_EXPOSURES = "fed-three-exposures"
    FED_TWO_ON_QUINT = "fed-two-on-quint"
    MISNAMED = "misnamed"
    MISNAMED_GAVE_MAHJONG = "misnamed-gave-mahjong"
    DEAD_HAND = "dead-hand"

    def fits(self, *, won: bool) -> bool:
        """Whether a hand that was `won`, or a wall game, can have it: dead hands are penalised in these only."""
        return not (won and self is Offence.DEAD_HAND)


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of the card says about a win. `points` is its point value."""

    points: int
    concealed_only: bool = False
    singles_and_pairs: bool = False
    section_multiplier: float = 1.0


@dataclass(frozen=True, slots=True)
class AmericanWin:
    """Who won an American hand with which line, and how. Players are ids; `concealed` is as declared."""

    winner: int
    line: Line
    won_by: WonBy
    discarder: int | None
    used_jokers: bool
    concealed: bool


@dataclass(frozen=True, slots=True)
class AmericanGame:
    """An American hand of two to four players (ids); `win` is None for a wall game.

    `penalties` are what the admins added in the approval step: a player and an offence each.
    """

    players: tuple[int, ...]
    win: AmericanWin | None
    penalties: tuple[tuple[int, Offence], ...] = ()

    @property
    def system(self) -> SystemName:
        """The rating system that American hands belong to."""
        return SystemName.NMJL


class Standing(NamedTuple):
    """A player's state in one rating system: ladder rank (index), rank points, rating, rated games."""

    rank: int
    points: int
    rating: float
    games: int


class ClubRules(Protocol):
    """The club settings that the rules of riichi and of the ladder ask for."""

    @property
    def tenhou_rules(self) -> TenhouRules: ...
    @property
    def shared_places(self) -> bool: ...
    @property
    def sticks_to_first(self) -> bool: ...
    def start_score(self, players: int) -> int: ...
    def return_score(self, players: int) -> int: ...
    def uma(self, players: int) -> Sequence[int]: ...
