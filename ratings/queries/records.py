"""Games as the ledger shows them: values that the readers hand out."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.logs import LogFormat, Unranked
from ratings.models import (
    AmericanGame,
    CorrectionKind,
    GameState,
    Length,
    Lobby,
    Offence,
    Person,
    RiichiGame,
    Verdict,
)
from ratings.queries.cards import CardLine

__all__ = [
    "Approval",
    "AttachedLog",
    "Card",
    "Carded",
    "GamePage",
    "GameRecord",
    "Note",
    "Penalty",
    "Ruling",
    "Twin",
]


@dataclass(frozen=True, slots=True)
class Card:
    """Where a game's card hangs. A `stale` one shows the game as it was told before."""

    guild_id: int
    channel_id: int
    message_id: int
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Carded:
    """Which game a card shows, and where the game stands."""

    game_id: int
    number: int
    state: GameState
    card: Card


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided about a game, by whom (name as last seen), when, and under which settings."""

    verdict: Verdict
    by: str
    at: int
    settings_version: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Approval:
    """The decision under which a game counts, and the version of the settings in force at it."""

    decision_id: int
    settings_version: int


@dataclass(frozen=True, slots=True)
class Note:
    """A correction of a game: what was done, by whom (name as last seen), when, and why."""

    kind: CorrectionKind
    by: str
    at: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty that counts with an American hand, and the name of the admin who added it."""

    player_id: int
    offence: Offence
    by: str


@dataclass(frozen=True, slots=True)
class AttachedLog:
    """The log of a game: its form, the site's id of the game if it has one, and what it says the game was. The
    `lobby` is that of a ranked game of Tenhou; `unranked` is why it was none."""

    format: LogFormat
    log_id: str | None
    length: Length
    lobby: Lobby | None
    unranked: Unranked | None

    @classmethod
    def of(
        cls, kind: str | None, log_id: str | None, length: str | None, lobby: str | None, unranked: str | None
    ) -> AttachedLog | None:
        """The log with these values of the store; None without one."""
        if kind is None or length is None:
            return None
        return cls(
            LogFormat(kind),
            log_id,
            Length(length),
            None if lobby is None else Lobby(lobby),
            None if unranked is None else Unranked(unranked),
        )


@dataclass(frozen=True, slots=True)
class Twin:
    """A pending or counting game that tells the same as another, so that both may be one: its number, and its
    card if one hangs."""

    number: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A reported game. `number` is what members see; `players` (ids) and `people` (named as last seen) are in
    the order of the table: those under whose records the game counts, where `records` are those it was told of.
    Of a riichi game the `chips` by seat may be told, and it may have a `log`. A won American hand has the `line`
    of the card it was won with, and a hand the `penalties` that fit it as it is told, where `recorded` (record,
    offence) are all that nobody took back. `approval` is there while the game counts, `note` tells of the newest
    correction. A `twin` is pending or counts.
    """

    id: int
    guild_id: int
    number: int
    state: GameState
    facts: RiichiGame | AmericanGame
    players: tuple[int, ...]
    people: tuple[Person, ...]
    reporter: Person
    played_at: int
    reported_at: int
    report_channel_id: int
    twin: Twin | None
    card: Card | None
    decision: Ruling | None
    line: CardLine | None = None
    penalties: tuple[Penalty, ...] = ()
    records: tuple[int, ...] = ()
    approval: Approval | None = None
    note: Note | None = None
    chips: tuple[int, ...] = ()
    log: AttachedLog | None = None
    recorded: tuple[tuple[int, Offence], ...] = ()

    @property
    def shown_on(self) -> Card | None:
        """The card that shows the game as it stands: a stale one of a pending game is about to go."""
        going = self.card is not None and self.card.stale and self.state is GameState.PENDING
        return None if going else self.card

    def name_of(self, player_id: int) -> str:
        """The name of somebody at the table, as last seen."""
        return self.people[self.players.index(player_id)].name


@dataclass(frozen=True, slots=True)
class GamePage:
    """The games of page `number` (from 0) of `pages`; `total` counts them all."""

    games: tuple[GameRecord, ...]
    number: int
    pages: int
    total: int
