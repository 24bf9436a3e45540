"""Tournaments as they stand, and what was done to them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

import sqlalchemy as sa

from ratings.models import Refusal, Refused
from ratings.store.tables import players, tournament_changes, tournament_results, tournaments
from ratings.systems.russian import Stage
from ratings.tournaments.names import key_of, near
from ratings.tournaments.records import ChangeKind, Details, Line, Telling

__all__ = [
    "TOURNAMENT_VALUE",
    "ChangeRecord",
    "PlayerResult",
    "ShownLine",
    "TournamentPage",
    "TournamentRecord",
    "details_of",
    "fill_in",
    "id_of",
    "meant",
    "numbers",
    "numbers_on",
    "page",
    "record",
    "results_of",
    "search",
    "telling",
    "trail",
]


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A result with the name of the record it counts under, as last seen."""

    line: Line
    player_id: int
    name: str
    country: str | None
    country_is_assumed: bool
    ema_number: str | None
    discord_id: int | None


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """A tournament as members see it. `number` is the club's own."""

    id: int
    number: int
    details: Details
    removed: bool
    lines: tuple[ShownLine, ...]


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A player's result, and the tournament it is of; `number` is the club's own."""

    number: int
    details: Details
    line: Line


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """The tournaments of page `number` (from 0) of `pages`, newest first; without their results."""

    tournaments: tuple[TournamentRecord, ...]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A change of a tournament: by whom (name as last seen), when, why, and how it was told before and after."""

    id: int
    kind: ChangeKind
    by: str
    at: int
    reason: str | None
    before: Telling | None
    after: Telling
    undoes: int | None


_OF_GUILD = tournaments.c.guild_id == sa.bindparam("guild")
_counts = sa.func.coalesce(players.c.merged_into, players.c.id)
_own = players.alias("own")


def _of_family(column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    """What a player's record tells, or else the first of those that were merged into it."""
    other = players.alias("other")
    first = (
        sa.select(other.c[column.name])
        .where(other.c.merged_into == players.c.id, other.c[column.name].is_not(None))
        .order_by(other.c.id)
        .limit(1)
        .scalar_subquery()
    )
    return sa.func.coalesce(column, first)


def _unless_forgotten(value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """Nothing of somebody who asked to be forgotten."""
    return sa.case((players.c.forgotten_at.is_(None), value))


_LINES = (
    sa.select(
        tournament_results,
        players.c.id.label("counts_as"),
        players.c.name,
        _unless_forgotten(_of_family(players.c.country)).label("told_country"),
        _unless_forgotten(_of_family(players.c.assumed_country)).label("assumed_country"),
        _unless_forgotten(_of_family(players.c.ema_number)).label("ema_number"),
        _unless_forgotten(_of_family(players.c.discord_id)).label("discord_id"),
    )
    .join(_own, _own.c.id == tournament_results.c.player_id)
    .join(players, players.c.id == sa.func.coalesce(_own.c.merged_into, _own.c.id))
    .where(tournament_results.c.tournament_id.in_(sa.bindparam("tournaments", expanding=True)))
    .order_by(tournament_results.c.place, players.c.name, players.c.id)
)
_NAMED = (
    sa.select(tournaments).where(_OF_GUILD).order_by(tournaments.c.last_day.desc(), tournaments.c.number.desc())
)
# A tournament as lists name it, or as people do.
TOURNAMENT_VALUE = "t:"
_NUMBER = re.compile(rf"({TOURNAMENT_VALUE}|#)?([0-9]{{1,9}})")


def id_of(connection: sa.Connection, guild_id: int, number: int) -> int:
    """The id of the club's tournament of this number. Raises Refused (UNKNOWN_TOURNAMENT)."""
    query = sa.select(tournaments.c.id).where(_OF_GUILD, tournaments.c.number == number)
    found = connection.execute(query, {"guild": guild_id}).scalar()
    if found is None:
        raise Refused(Refusal.UNKNOWN_TOURNAMENT, number=number)
    return int(found)


def telling(
    connection: sa.Connection, guild_id: int, number: int, *, removed: bool = False
) -> tuple[int, Telling]:
    """The id of a tournament and how it is told, with results by the records they were entered for.

    Raises Refused for an unknown one, and for one that is removed, or with `removed` for one that is not.
    """
    found = record(connection, guild_id, number)
    if found.removed and not removed:
        raise Refused(Refusal.REMOVED_TOURNAMENT, number=number)
    if removed and not found.removed:
        raise Refused(Refusal.NOT_REMOVED, number=number)
    return found.id, Telling(found.details, tuple(line.line for line in found.lines), found.removed)


def record(connection: sa.Connection, guild_id: int, number: int) -> TournamentRecord:
    """The club's tournament of this number with its results. Raises Refused (UNKNOWN_TOURNAMENT)."""
    query = sa.select(tournaments).where(_OF_GUILD, tournaments.c.number == number)
    row = connection.execute(query, {"guild": guild_id}).one_or_none()
    if row is None:
        raise Refused(Refusal.UNKNOWN_TOURNAMENT, number=number)
    return _record(row, connection.execute(_LINES, {"tournaments": [row.id]}).all())


def page(connection: sa.Connection, guild_id: int, number: int, size: int) -> TournamentPage:
    """Page `number` (from 0) of the club's tournaments; past the end, the last page."""
    mine = tournaments.c.guild_id == guild_id
    total = connection.execute(sa.select(sa.func.count()).select_from(tournaments).where(mine)).scalar_one()
    pages = max(1, -(-total // size))
    number = min(number, pages - 1)
    newest_first = (tournaments.c.last_day.desc(), tournaments.c.number.desc())
    query = sa.select(tournaments).where(mine).order_by(*newest_first).offset(number * size).limit(size)
    return TournamentPage(tuple(_record(row, ()) for row in connection.execute(query)), number, pages, total)


def search(
    connection: sa.Connection, guild_id: int, typed: str, limit: int, *, removed: bool | None = None
) -> list[TournamentRecord]:
    """The club's tournaments in whose name, number or last day every word typed occurs, newest first; without
    their results. `removed` asks for those that are, or are not."""
    words = key_of(typed).split()
    found = (
        row
        for row in connection.execute(_NAMED, {"guild": guild_id})
        if removed in (None, bool(row.removed))
        if all(word in key_of(f"#{row.number} {row.name} {row.last_day}") for word in words)
    )
    return [_record(row, ()) for row in islice(found, limit)]


def meant(
    connection: sa.Connection, guild_id: int, typed: str
) -> tuple[list[TournamentRecord], list[TournamentRecord]]:
    """The tournaments that a choice from a list, a number or a name in full means, and if there is none, those
    that are called something like it; without their results."""
    known = {row.number: _record(row, ()) for row in connection.execute(_NAMED, {"guild": guild_id})}
    number = _NUMBER.fullmatch(typed.strip())
    if number and int(number[2]) in known:
        return [known[int(number[2])]], []
    if number and number[1]:
        return [], []
    by_name: dict[str, list[TournamentRecord]] = {}
    for each in known.values():
        by_name.setdefault(key_of(each.details.name), []).append(each)
    key = key_of(typed)
    if key in by_name:
        return by_name[key], []
    alike = near(typed, {name: name for name in by_name}) or [name for name in by_name if key and key in name]
    return [], [each for name in alike for each in by_name[name]]


def numbers_on(
    connection: sa.Connection, guild_id: int, last_day: date, besides: int | None = None
) -> list[tuple[int, str]]:
    """Number and name of the club's tournaments that ended on a day and are not removed, without one (by id)."""
    query = sa.select(tournaments.c.number, tournaments.c.name).where(
        _OF_GUILD,
        tournaments.c.removed == 0,
        tournaments.c.last_day == last_day.isoformat(),
        tournaments.c.id != (besides or 0),
    )
    return [(row.number, row.name) for row in connection.execute(query, {"guild": guild_id})]


def numbers(connection: sa.Connection, guild_id: int) -> dict[int, int]:
    """The club's numbers of its tournaments, by id."""
    query = sa.select(tournaments.c.id, tournaments.c.number).where(_OF_GUILD)
    return {row.id: row.number for row in connection.execute(query, {"guild": guild_id})}


def trail(connection: sa.Connection, guild_id: int, tournament_id: int) -> list[ChangeRecord]:
    """What was done to a tournament, oldest first."""
    rows = connection.execute(
        sa.select(tournament_changes, players.c.name)
        .join(players, players.c.id == tournament_changes.c.changed_by)
        .where(tournament_changes.c.guild_id == guild_id, tournament_changes.c.tournament_id == tournament_id)
        .order_by(tournament_changes.c.id)
    )
    return [
        ChangeRecord(
            id=row.id,
            kind=ChangeKind(row.kind),
            by=row.name,
            at=row.changed_at,
            reason=row.reason,
            before=None if row.before is None else Telling.from_json(row.before),
            after=Telling.from_json(row.after),
            undoes=row.undoes,
        )
        for row in rows
    ]


def results_of(connection: sa.Connection, guild_id: int, player_id: int) -> list[PlayerResult]:
    """A player's results in tournaments that are not removed, newest first."""
    query = (
        sa.select(tournaments, tournament_results)
        .join(tournament_results, tournament_results.c.tournament_id == tournaments.c.id)
        .join(players, players.c.id == tournament_results.c.player_id)
        .where(tournaments.c.guild_id == guild_id, tournaments.c.removed == 0, _counts == player_id)
        .order_by(tournaments.c.last_day.desc(), tournaments.c.number.desc())
    )
    return [PlayerResult(row.number, details_of(row), _line(row)) for row in connection.execute(query)]


def fill_in(connection: sa.Connection, guild_id: int, told: Mapping[int, Mapping[str, str]]) -> None:
    """Keep what results tell of players (by record), and what is assumed of them, where nothing is kept yet."""
    for player_id, facts in told.items():
        for fact, value in facts.items():
            column = players.c[fact]
            mine = (players.c.guild_id == guild_id, players.c.id == player_id, column.is_(None))
            connection.execute(sa.update(players).where(*mine).values({column: value}))


def details_of(row: sa.Row[tuple[object, ...]]) -> Details:
    """What a tournament was, out of its row of the table."""
    return Details(
        name=row.name,
        first_day=None if row.first_day is None else date.fromisoformat(row.first_day),
        last_day=date.fromisoformat(row.last_day),
        hanchan=row.hanchan,
        participants=row.participants,
        country=row.country,
        online=bool(row.online),
        accredited=bool(row.accredited),
        open_share=row.open_share,
        ema=bool(row.ema),
        stages=tuple(Stage(*stage) for stage in json.loads(row.stages)),
    )


def _record(row: sa.Row[tuple[object, ...]], lines: Sequence[sa.Row[tuple[object, ...]]]) -> TournamentRecord:
    shown = tuple(
        ShownLine(
            line=_line(each),
            player_id=each.counts_as,
            name=each.name,
            country=each.told_country or each.assumed_country,
            country_is_assumed=each.told_country is None,
            ema_number=each.ema_number,
            discord_id=each.discord_id,
        )
        for each in lines
    )
    return TournamentRecord(row.id, row.number, details_of(row), bool(row.removed), shown)


def _line(row: sa.Row[tuple[object, ...]]) -> Line:
    return Line(row.player_id, row.place, bool(row.replacement), row.score, row.games)
