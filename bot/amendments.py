"""Amendments as members ask for them: only what is named changes, whatever the game says at that moment."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import discord
import sqlalchemy as sa

from bot.people import Problem
from bot.render import amendment_refusals, receipt, refusals
from bot.texts import Texts
from ratings.ledger.tellings import AmericanTelling, RiichiTelling, Telling
from ratings.models import Length, Lobby, Refusal, Refused, WonBy
from ratings.queries import people
from ratings.reading import Unreadable, read_scores
from ratings.settings import ClubSettings
from ratings.systems.riichi import STICK

__all__ = ["AUTOMATIC", "WALL", "HandWish", "RiichiWish", "User", "in_words", "players_named", "records_named"]

AUTOMATIC = "automatic"
WALL = "wall"
NORTH = 3
# Whoever has left the server is a user, but no member.
User = discord.Member | discord.User


@dataclass(frozen=True, slots=True)
class RiichiWish:
    """What is to be told anew of a riichi game; `players` (Discord ids), `scores` (as typed) and `chips` by seat
    from East. With `three` North leaves the table.

    The `lobby` AUTOMATIC is the one that the players' ranks choose."""

    players: Mapping[int, int] = field(default_factory=dict)
    scores: Mapping[int, str] = field(default_factory=dict)
    chips: Mapping[int, int] = field(default_factory=dict)
    three: bool = False
    length: str | None = None
    lobby: str | None = None
    sticks: int | None = None
    ranked: bool | None = None
    played_at: int | None = None

    def told(
        self, texts: Texts, number: int, old: Telling, settings: ClubSettings, records: Mapping[int, int]
    ) -> RiichiTelling:
        """The game told anew; `records` are those of the people named. Raises Refused for an American hand,
        Problem for what cannot be."""
        if not isinstance(old, RiichiTelling):
            raise Refused(Refusal.NOT_RIICHI, number=number)
        if self.three:
            self._check_north_left(texts)
            old = replace(old, players=old.players[:NORTH], scores=old.scores[:NORTH], chips=old.chips[:NORTH])
        joins, scores = (seats.keys() - range(len(old.players)) for seats in (self.players, self.scores))
        if joins != scores:
            raise Problem(refusals.lonely_seat(texts, has_player=bool(joins)))
        table = dict(enumerate(old.players)) | {seat: records[who] for seat, who in self.players.items()}
        sticks = old.sticks if self.sticks is None else self.sticks
        lobby = old.lobby
        if self.lobby is not None:
            lobby = None if self.lobby == AUTOMATIC else Lobby(self.lobby)
        return replace(
            old,
            players=tuple(table[seat] for seat in sorted(table)),
            scores=self._read(texts, old, settings.start_score(len(table)) * len(table) - sticks * STICK),
            length=old.length if self.length is None else Length(self.length),
            lobby=lobby,
            sticks=sticks,
            ranked=old.ranked if self.ranked is None else self.ranked,
            played_at=old.played_at if self.played_at is None else self.played_at,
            chips=self._chips(texts, old, len(table), settings),
        )

    def _check_north_left(self, texts: Texts) -> None:
        if any(NORTH in each for each in (self.players, self.scores, self.chips)):
            raise Problem(
                texts.gettext(
                    "At a table of three nobody is North. Leave out north, score and chips of North, or players; "
                    "nothing has changed."
                )
            )

    def _chips(self, texts: Texts, old: RiichiTelling, players: int, settings: ClubSettings) -> tuple[int, ...]:
        """The chips by seat; empty where nobody told."""
        if not self.chips and not old.chips:
            return ()
        if self.chips and not settings.chips and not old.chips:
            raise Problem(receipt.no_chips(texts))
        if self.chips.keys() - range(players):
            raise Problem(receipt.chips_of_nobody(texts))
        told = dict(enumerate(old.chips)) | dict(self.chips)
        return tuple(told.get(seat, 0) for seat in range(players))

    def _read(self, texts: Texts, old: RiichiTelling, expected: int) -> tuple[int, ...]:
        """All scores by seat, of which the typed ones are read as if the others were right."""
        scores = dict(enumerate(old.scores))
        typed = sorted(self.scores)
        rest = sum(score for seat, score in scores.items() if seat not in self.scores)
        try:
            read = read_scores([self.scores[seat] for seat in typed], expected - rest)
        except Unreadable as error:
            names = receipt.seat_names(texts)
            raise Problem(refusals.bad_score(texts, error, [names[seat] for seat in typed])) from None
        scores |= dict(zip(typed, read, strict=True))
        return tuple(scores[seat] for seat in sorted(scores))


@dataclass(frozen=True, slots=True)
class HandWish:
    """What is to be told anew of an American hand; people are Discord ids. `players` are all at the table.

    `won` is a WonBy, or WALL for a game that nobody won."""

    players: tuple[int, ...] = ()
    winner: int | None = None
    line_id: int | None = None
    won: str | None = None
    discarder: int | None = None
    used_jokers: bool | None = None
    concealed: bool | None = None
    played_at: int | None = None

    def told(self, texts: Texts, number: int, old: Telling, records: Mapping[int, int]) -> AmericanTelling:
        """The hand told anew; `records` are those of the people named. Raises Refused for a riichi game, Problem
        for what says too little or too much."""
        if not isinstance(old, AmericanTelling):
            raise Refused(Refusal.NOT_AMERICAN, number=number)
        # The order of an American table means nothing.
        named = tuple(records[who] for who in self.players)
        players = named if named and set(named) != set(old.players) else old.players
        if len(set(named)) < len(named):
            players = named
        played_at = old.played_at if self.played_at is None else self.played_at
        told = replace(old, players=players, played_at=played_at)
        if self.won == WALL:
            return self._wall(texts, told)
        if old.winner is None and not self._says_nothing_of_a_win():
            self._check_complete(texts)
        return self._win(texts, number, told, records)

    def _win(
        self, texts: Texts, number: int, told: AmericanTelling, records: Mapping[int, int]
    ) -> AmericanTelling:
        won_by = told.won_by if self.won is None else WonBy(self.won)
        if self.won is None and self.discarder is not None and won_by is WonBy.SELF_PICK:
            raise Problem(amendment_refusals.self_picked(texts, number))
        discarder = told.discarder if self.discarder is None else records[self.discarder]
        if self.discarder is None and self.won is not None and won_by is not WonBy.DISCARD:
            discarder = None
        return replace(
            told,
            winner=told.winner if self.winner is None else records[self.winner],
            line_id=told.line_id if self.line_id is None else self.line_id,
            won_by=won_by,
            discarder=discarder,
            used_jokers=told.used_jokers if self.used_jokers is None else self.used_jokers,
            concealed=told.concealed if self.concealed is None else self.concealed,
        )

    def _says_nothing_of_a_win(self) -> bool:
        said = (self.winner, self.line_id, self.won, self.discarder, self.used_jokers, self.concealed)
        return all(each is None for each in said)

    def _check_complete(self, texts: Texts) -> None:
        if None in (self.winner, self.line_id, self.won, self.used_jokers):
            raise Problem(
                texts.gettext(
                    "Nobody has won that hand so far. To make it a win, name winner, line, won and jokers "
                    "together; nothing has changed."
                )
            )

    def _wall(self, texts: Texts, told: AmericanTelling) -> AmericanTelling:
        said = (self.winner, self.line_id, self.discarder, self.used_jokers, self.concealed)
        if any(each is not None for each in said):
            raise Problem(
                texts.gettext(
                    "A wall game has no winner, line or discarder, no jokers and nothing concealed. Leave them "
                    "out, or choose how the hand was won; nothing has changed."
                )
            )
        return replace(
            told,
            winner=None,
            line_id=None,
            won_by=WonBy.UNRECORDED,
            discarder=None,
            used_jokers=False,
            concealed=None,
        )


def players_named(*users: User | None) -> list[User]:
    """Those who were named, each once. Raises Refused for a bot."""
    named = {user.id: user for user in users if user is not None}
    for user in named.values():
        if user.bot:
            raise Refused(Refusal.BOT_PLAYER, name=user.display_name)
    return list(named.values())


def records_named(connection: sa.Connection, texts: Texts, guild_id: int, named: Sequence[User]) -> dict[int, int]:
    """The records of those who were named. Raises Problem for somebody without one, who can be no member."""
    records = people.records_by_account(connection, guild_id, [user.id for user in named])
    for user in named:
        if user.id not in records:
            raise Problem(amendment_refusals.stranger(texts, user.display_name))
    return records


@contextlib.contextmanager
def in_words(texts: Texts) -> Iterator[None]:
    """Says in its own words why an amendment is refused, where it has some."""
    try:
        yield
    except Refused as refused:
        if (told := amendment_refusals.sentence(texts, refused)) is None:
            raise
        raise Problem(told) from None
