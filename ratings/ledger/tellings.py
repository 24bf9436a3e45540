"""Tellings: what a game is said to have been. A report tells it first, an amendment tells it anew.

Players are ids of the records that were named; under which record a game counts is another matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.models import (
    AmericanGame,
    AmericanWin,
    Length,
    Lobby,
    Offence,
    Refusal,
    Refused,
    RiichiGame,
    Seat,
    SystemName,
    WonBy,
)
from ratings.queries import cards
from ratings.settings import ClubSettings
from ratings.store.tables import american_wins, games, seats
from ratings.systems import riichi

__all__ = [
    "AmericanTelling",
    "Penalised",
    "RiichiTelling",
    "Telling",
    "as_json",
    "check",
    "columns_of",
    "counting",
    "facts_of",
    "fingerprint",
    "fingerprint_of",
    "from_json",
    "insert_table",
    "named",
    "read",
    "rewrite",
    "seated",
]

# A clock a little ahead of ours is no date in the future.
CLOCK_TOLERANCE = 300
# 2000-01-01 UTC: older games are slips of the keyboard, and years near 1 have no time in every zone.
EARLIEST = 946_684_800


@dataclass(frozen=True, slots=True)
class RiichiTelling:
    """A riichi game: `players` and `scores` (points) by seat from East; `lobby` None is automatic.

    `chips` are those won or lost by seat, empty where nobody told."""

    players: tuple[int, ...]
    scores: tuple[int, ...]
    length: Length
    lobby: Lobby | None
    sticks: int
    ranked: bool
    played_at: int
    chips: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AmericanTelling:
    """An American hand; a wall game has no winner. `concealed` is None when nothing was said."""

    players: tuple[int, ...]
    winner: int | None
    line_id: int | None
    won_by: WonBy
    discarder: int | None
    used_jokers: bool
    concealed: bool | None
    played_at: int


Telling = RiichiTelling | AmericanTelling
# A penalty that somebody recorded: of which record, and for what.
Penalised = tuple[int, Offence]


def named(told: Telling) -> set[int]:
    """The records that a telling names, at the table or not."""
    records = set(told.players)
    if isinstance(told, AmericanTelling):
        records.update(record for record in (told.winner, told.discarder) if record is not None)
    return records


def check(
    connection: sa.Connection,
    guild_id: int,
    told: Telling,
    names: Mapping[int, str],
    settings: ClubSettings,
    now: int,
    before: Telling | None = None,
) -> Telling:
    """The telling, put straight where it says one thing in two ways. Raises Refused if it cannot be.

    `names` are those of whoever is named; `settings` those under which the game counts or would count. What was
    told like that `before`, under settings of its own, is not held against a telling that amends something else.
    """
    _check_table(connection, guild_id, told, names)
    if isinstance(told, RiichiTelling) and sum(told.chips) != 0:
        raise Refused(Refusal.UNEVEN_CHIPS, total=sum(told.chips))
    if told.played_at > now + CLOCK_TOLERANCE:
        raise Refused(Refusal.FUTURE, played_at=told.played_at)
    if told.played_at < EARLIEST:
        raise Refused(Refusal.TOO_LONG_AGO)
    if isinstance(told, RiichiTelling):
        if not isinstance(before, RiichiTelling) or _sums(told) != _sums(before):
            _check_scores(told, settings)
        return told
    if told.winner is None:
        told = AmericanTelling(told.players, None, None, WonBy.UNRECORDED, None, False, None, told.played_at)
    if told.discarder is not None and told.won_by is WonBy.UNRECORDED:
        # Whoever names the discarder has recorded him.
        told = replace(told, won_by=WonBy.DISCARD)
    same_line = isinstance(before, AmericanTelling) and before.line_id == told.line_id
    _check_win(connection, guild_id, told, names, None if same_line else settings)
    # Not declared concealed, and nothing said about it, is one and the same once it has been checked.
    return replace(told, concealed=told.concealed or None)


def seated(told: Telling, sitting: Mapping[int, int], counted: Mapping[int, int]) -> Telling:
    """The telling with whoever sat at the table or was penalised there under the record he had then (`sitting`, by
    the record under which it counts): naming somebody by another record of his moves nothing, and his penalties
    are his again when he comes back."""

    def record(named: int) -> int:
        return sitting.get(counted[named], named)

    told = replace(told, players=tuple(map(record, told.players)))
    if isinstance(told, RiichiTelling):
        return told
    winner = None if told.winner is None else record(told.winner)
    discarder = None if told.discarder is None else record(told.discarder)
    return replace(told, winner=winner, discarder=discarder)


def _check_table(connection: sa.Connection, guild_id: int, told: Telling, names: Mapping[int, str]) -> None:
    for player in told.players:
        if told.players.count(player) > 1:
            raise Refused(Refusal.SAME_PLAYER, name=names[player])
    counted = club.counted_as(connection, guild_id, told.players)
    for player in told.players:
        for other in told.players:
            if player != other and counted[player] == counted[other]:
                raise Refused(Refusal.ONE_PERSON, name=names[player], other=names[other])


def _sums(told: RiichiTelling) -> tuple[int, int, int]:
    return len(told.players), sum(told.scores), told.sticks


def _check_scores(told: RiichiTelling, settings: ClubSettings) -> None:
    start = settings.start_score(len(told.players)) * len(told.players)
    expected, total = start - riichi.STICK * told.sticks, sum(told.scores)
    if total != expected:
        raise Refused(
            Refusal.WRONG_SUM, total=total, expected=expected, sticks=told.sticks, difference=total - expected
        )


def _check_win(
    connection: sa.Connection,
    guild_id: int,
    told: AmericanTelling,
    names: Mapping[int, str],
    settings: ClubSettings | None,
) -> None:
    """Without `settings` the line of the card may be of any year."""
    if not 2 <= len(told.players) <= 4:
        raise Refused(Refusal.TABLE_SIZE, players=len(told.players))
    if told.winner is None:
        return
    if told.winner not in told.players:
        raise Refused(Refusal.WINNER_ABSENT, name=names[told.winner])
    _check_discarder(told, names)
    line = None if told.line_id is None else cards.line(connection, guild_id, told.line_id)
    if line is None:
        raise Refused(Refusal.UNKNOWN_LINE)
    if settings is not None:
        played_in = datetime.fromtimestamp(told.played_at, UTC).astimezone(settings.zone).year
        if line.year not in (settings.card_year, played_in):
            raise Refused(Refusal.OTHER_YEAR, year=line.year, current=settings.card_year)
    if told.used_jokers and line.line.singles_and_pairs:
        raise Refused(Refusal.JOKERS_ON_SINGLES, line=line.name)
    if told.concealed is False and line.line.concealed_only:
        raise Refused(Refusal.EXPOSED_ON_CONCEALED, line=line.name)


def _check_discarder(told: AmericanTelling, names: Mapping[int, str]) -> None:
    discarder = told.discarder
    if discarder is None:
        if told.won_by is WonBy.DISCARD:
            raise Refused(Refusal.DISCARDER_MISSING)
        return
    if told.won_by is WonBy.SELF_PICK:
        raise Refused(Refusal.SELF_PICK_DISCARDER, name=names[discarder])
    if discarder == told.winner:
        raise Refused(Refusal.DISCARDER_WON, name=names[discarder])
    if discarder not in told.players:
        raise Refused(Refusal.DISCARDER_ABSENT, name=names[discarder])


def fingerprint(told: Telling, interaction_id: int) -> str:
    """What two reports of one game have in common; two wall games of a table in an evening are no slip."""
    if isinstance(told, RiichiTelling):
        marks = [f"{player}:{score}" for player, score in zip(told.players, told.scores, strict=True)]
    else:
        marks = [str(player) for player in told.players]
        if told.winner is None:
            marks.append(f"interaction {interaction_id}")
        else:
            marks += [f"won {told.winner}", f"line {told.line_id}", told.won_by]
    return hashlib.sha256(";".join(sorted(marks)).encode()).hexdigest()


def fingerprint_of(connection: sa.Connection, game_id: int, told: Telling) -> str:
    """The fingerprint that a game has if it is told like this."""
    command = sa.select(games.c.interaction_id).where(games.c.id == game_id)
    return fingerprint(told, connection.execute(command).scalar_one())


def counting(told: Telling, recorded: Iterable[Penalised]) -> list[Penalised]:
    """Those of the `recorded` penalties that fit a game as it is told: of whoever sits at its table, for what can
    have happened in such a hand. The others wait until it is told otherwise."""
    won = isinstance(told, AmericanTelling) and told.winner is not None
    return [each for each in recorded if each[0] in told.players and each[1].fits(won=won)]


def facts_of(
    told: Telling, counted: Mapping[int, int], line: cards.CardLine | None, recorded: Iterable[Penalised]
) -> RiichiGame | AmericanGame:
    """The game that a telling tells, with its players under the records they count under, and those of the
    `recorded` penalties that fit it."""
    table = tuple(counted[player] for player in told.players)
    if isinstance(told, RiichiTelling):
        sat = tuple(Seat(player, score) for player, score in zip(table, told.scores, strict=True))
        return RiichiGame(sat, told.length, told.lobby, told.sticks, told.ranked)
    win = None
    if told.winner is not None and line is not None:
        win = AmericanWin(
            winner=counted[told.winner],
            line=line.line,
            won_by=told.won_by,
            discarder=None if told.discarder is None else counted[told.discarder],
            used_jokers=told.used_jokers,
            concealed=bool(told.concealed),
        )
    penalties = ((counted[record], offence) for record, offence in counting(told, recorded))
    return AmericanGame(table, win, tuple(penalties))


def columns_of(told: Telling) -> dict[str, Any]:
    """The columns of `games` that a telling decides."""
    if isinstance(told, RiichiTelling):
        ladder = SystemName.TENHOU_4P if len(told.players) == 4 else SystemName.TENHOU_3P
        return {
            "kind": "riichi",
            "system": ladder if told.ranked else None,
            "length": told.length,
            "lobby": told.lobby,
            "sticks": told.sticks,
            "ranked": int(told.ranked),
            "played_at": told.played_at,
        }
    return {
        "kind": "american",
        "system": SystemName.NMJL,
        "length": None,
        "lobby": None,
        "sticks": 0,
        "ranked": 1,
        "played_at": told.played_at,
    }


_NEW_SEATS, _NEW_WIN = sa.insert(seats), sa.insert(american_wins)


def insert_table(connection: sa.Connection, game_id: int, told: Telling) -> None:
    """Write who sat where with what, and what was won."""
    scores: Sequence[int | None] = [None] * len(told.players)
    chips = scores
    if isinstance(told, RiichiTelling):
        scores, chips = told.scores, told.chips or chips
    rows = [
        {"game_id": game_id, "seat": seat, "player_id": player, "score": score, "chips": won}
        for seat, (player, score, won) in enumerate(zip(told.players, scores, chips, strict=True))
    ]
    connection.execute(_NEW_SEATS, rows)
    if isinstance(told, AmericanTelling) and told.winner is not None:
        win = {
            "game_id": game_id,
            "winner_id": told.winner,
            "line_id": told.line_id,
            "won_by": told.won_by,
            "discarder_id": told.discarder,
            "used_jokers": int(told.used_jokers),
            "concealed": int(bool(told.concealed)),
        }
        connection.execute(_NEW_WIN, win)


def rewrite(connection: sa.Connection, game_id: int, told: Telling) -> None:
    """Put a new telling in the place of the old one, which the caller has written down as history."""
    connection.execute(sa.delete(american_wins).where(american_wins.c.game_id == game_id))
    connection.execute(sa.delete(seats).where(seats.c.game_id == game_id))
    this = games.c.id == game_id
    columns = columns_of(told) | {"fingerprint": fingerprint_of(connection, game_id, told)}
    connection.execute(sa.update(games).where(this).values(columns))
    insert_table(connection, game_id, told)


def read(connection: sa.Connection, game_id: int) -> Telling:
    """What a game of this id is said to have been, as it stands."""
    game = connection.execute(sa.select(games).where(games.c.id == game_id)).one()
    sat = connection.execute(sa.select(seats).where(seats.c.game_id == game_id).order_by(seats.c.seat)).all()
    table = tuple(row.player_id for row in sat)
    if game.kind == "riichi":
        return RiichiTelling(
            players=table,
            scores=tuple(row.score for row in sat),
            length=Length(game.length),
            lobby=None if game.lobby is None else Lobby(game.lobby),
            sticks=game.sticks,
            ranked=bool(game.ranked),
            played_at=game.played_at,
            chips=tuple(row.chips for row in sat if row.chips is not None),
        )
    win = connection.execute(sa.select(american_wins).where(american_wins.c.game_id == game_id)).one_or_none()
    if win is None:
        return AmericanTelling(table, None, None, WonBy.UNRECORDED, None, False, None, game.played_at)
    return AmericanTelling(
        players=table,
        winner=win.winner_id,
        line_id=win.line_id,
        won_by=WonBy(win.won_by),
        discarder=win.discarder_id,
        used_jokers=bool(win.used_jokers),
        concealed=bool(win.concealed) or None,
        played_at=game.played_at,
    )


def as_json(told: Telling) -> str:
    """A telling for the archive."""
    return json.dumps(asdict(told))


def from_json(text: str) -> Telling:
    """A telling out of the archive."""
    values = json.loads(text)
    values["players"] = tuple(values["players"])
    if "scores" in values:
        lobby = values["lobby"]
        values |= {
            "scores": tuple(values["scores"]),
            "chips": tuple(values.get("chips", ())),
            "length": Length(values["length"]),
            "lobby": None if lobby is None else Lobby(lobby),
        }
        return RiichiTelling(**values)
    return AmericanTelling(**values | {"won_by": WonBy(values["won_by"])})
