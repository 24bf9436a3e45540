"""The only writer of tournaments. Every change keeps what was before it, so that it can be taken back.

Whatever is done, a tournament goes from one telling to another; the functions below only say to which.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.store.bulk import upsert_tuples
from ratings.store.tables import tournament_changes, tournament_results, tournaments
from ratings.tournaments import readers
from ratings.tournaments.checks import REASON_LENGTH, checked, checked_reason, vet
from ratings.tournaments.entrants import country_of_new, enrol, identify, settle
from ratings.tournaments.records import ChangeKind, Details, Line, Telling

__all__ = [
    "REASON_LENGTH",
    "Imported",
    "add_tournament",
    "done_already",
    "edit_details",
    "import_results",
    "put_result",
    "remove",
    "restore",
    "take_result_out",
    "undo",
]


@dataclass(frozen=True, slots=True)
class Imported:
    """A tournament as imported: its number, the names of the players who were made records of, of those whose
    records were linked to members, and of those of whom nobody knows where they are at home."""

    number: int
    new_players: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    homeless: tuple[str, ...] = ()


def import_results(
    connection: sa.Connection,
    guild_id: int,
    details: Details,
    rows: Sequence[ResultRow],
    by: Person,
    now: int,
    *,
    new_players: bool = False,
    members: Mapping[int, Person] | None = None,
) -> Imported:
    """Write down a tournament with all its results, or nothing.

    `details.participants` is the number of players, at least as many as there are rows. `members` are the
    members that rows (by number) name. With `new_players` whoever is not known gets a record; otherwise raises
    Refused (UNKNOWN_NAMES), whose `doubts` say of which rows it is not known who they are. Raises Refused also
    for what no tournament can be.
    """
    club.lock(connection, guild_id, now)
    vet(connection, guild_id, details, len(rows), now)
    members = members or {}
    entrants = identify(connection, guild_id, rows, members, new_players)
    if entrants.doubts:
        raise Refused(Refusal.UNKNOWN_NAMES, doubts=entrants.doubts)
    country = country_of_new(club.settings(connection, guild_id), details)
    enrolled = enrol(connection, guild_id, rows, members, entrants, country, by, now)
    lines = [
        Line(
            player_id=enrolled.players[row.row],
            place=row.place,
            replacement=row.replacement,
            score=None if row.score is None else str(row.score),
            games=row.games,
        )
        for row in rows
    ]
    number = _create(connection, guild_id, Telling(details, tuple(lines)), ChangeKind.IMPORT, by, now)
    return Imported(number, enrolled.made, enrolled.linked, enrolled.homeless)


def add_tournament(connection: sa.Connection, guild_id: int, details: Details, by: Person, now: int) -> int:
    """Write down a tournament without results yet; its number. Raises Refused for what none can be."""
    club.lock(connection, guild_id, now)
    return _create(connection, guild_id, Telling(details), ChangeKind.ADD, by, now)


def done_already(
    connection: sa.Connection, guild_id: int, interaction_id: int | None
) -> readers.ChangeRecord | None:
    """What was done by a command that was delivered before; None for a new one."""
    if interaction_id is None:
        return None
    this = (
        tournament_changes.c.guild_id == guild_id,
        tournament_changes.c.interaction_id == interaction_id,
    )
    query = sa.select(tournament_changes.c.id, tournament_changes.c.tournament_id).where(*this)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return next(each for each in readers.trail(connection, guild_id, row.tournament_id) if each.id == row.id)


def put_result(
    connection: sa.Connection,
    guild_id: int,
    number: int,
    player_id: int,
    told: Mapping[str, Any],
    by: Person,
    now: int,
    *,
    interaction_id: int | None = None,
) -> tuple[Line | None, Line]:
    """Give a player a place in a tournament, or another one than he has; the result as it was and as it is now.

    `told` are the `place` and further fields of a Line; what is left out stays as it was. Raises Refused if the
    place cannot be his, or if all that is told already.
    """
    club.lock(connection, guild_id, now)
    if (done := done_already(connection, guild_id, interaction_id)) is not None:
        return _results_in(connection, guild_id, done, player_id)
    tournament_id, before = readers.telling(connection, guild_id, number)
    others, mine = _apart(connection, guild_id, before, player_id)
    line = replace(mine or Line(player_id, told["place"]), **told)
    if line == mine:
        raise Refused(Refusal.NOTHING_TO_AMEND, number=number)
    after = replace(before, lines=(*others, line))
    settle(connection, guild_id, before.details, player_id, by, now)
    _change(connection, guild_id, tournament_id, before, after, by, now, interaction_id=interaction_id)
    return mine, line


def _results_in(
    connection: sa.Connection, guild_id: int, done: readers.ChangeRecord, player_id: int
) -> tuple[Line | None, Line]:
    """A player's result before and after a change that gave him one."""
    before = None if done.before is None else _apart(connection, guild_id, done.before, player_id)[1]
    after = _apart(connection, guild_id, done.after, player_id)[1]
    if after is None:
        raise Refused(Refusal.UNKNOWN_PLAYER)
    return before, after


def take_result_out(
    connection: sa.Connection, guild_id: int, number: int, player_id: int, by: Person, now: int
) -> Line:
    """Take a player's result out of a tournament; which it was. Raises Refused (NO_RESULT) if he has none."""
    club.lock(connection, guild_id, now)
    tournament_id, told = readers.telling(connection, guild_id, number)
    others, mine = _apart(connection, guild_id, told, player_id)
    if mine is None:
        raise Refused(Refusal.NO_RESULT, number=number)
    _change(connection, guild_id, tournament_id, told, replace(told, lines=others), by, now)
    return mine


def _apart(
    connection: sa.Connection, guild_id: int, told: Telling, player_id: int
) -> tuple[tuple[Line, ...], Line | None]:
    """The results of the others, and that of a player, under whichever of his records it was entered."""
    records = [player_id, *(line.player_id for line in told.lines)]
    counted = club.counted_as(connection, guild_id, records)
    mine = [line for line in told.lines if counted.get(line.player_id) == counted.get(player_id)]
    return tuple(line for line in told.lines if line not in mine), mine[0] if mine else None


def edit_details(
    connection: sa.Connection,
    guild_id: int,
    number: int,
    changes: Mapping[str, Any],
    by: Person,
    now: int,
    reason: str | None = None,
) -> tuple[Telling, Telling]:
    """Correct what a tournament was: how it was told before, and how it is now. Raises Refused.

    Fresh stages tell the number of hanchan, so that what was told of it before holds no more.
    """
    club.lock(connection, guild_id, now)
    tournament_id, told = readers.telling(connection, guild_id, number)
    stale = {"hanchan": None} if changes.get("stages", ()) not in ((), told.details.stages) else {}
    fresh = replace(told, details=replace(told.details, **{**stale, **changes}))
    if fresh == told:
        raise Refused(Refusal.NOTHING_TO_AMEND, number=number)
    _change(connection, guild_id, tournament_id, told, fresh, by, now, ChangeKind.EDIT, reason)
    return told, fresh


def remove(
    connection: sa.Connection, guild_id: int, number: int, by: Person, now: int, reason: str | None = None
) -> Telling:
    """Let a tournament count nowhere. Raises Refused if it is removed already."""
    club.lock(connection, guild_id, now)
    tournament_id, told = readers.telling(connection, guild_id, number)
    gone = replace(told, removed=True)
    return _change(connection, guild_id, tournament_id, told, gone, by, now, ChangeKind.REMOVE, reason)


def restore(connection: sa.Connection, guild_id: int, number: int, by: Person, now: int) -> Telling:
    """Let a removed tournament count again. Raises Refused if it is not removed."""
    club.lock(connection, guild_id, now)
    tournament_id, told = readers.telling(connection, guild_id, number, removed=True)
    back = replace(told, removed=False)
    return _change(connection, guild_id, tournament_id, told, back, by, now, ChangeKind.RESTORE)


def undo(
    connection: sa.Connection,
    guild_id: int,
    number: int,
    by: Person,
    now: int,
    *,
    interaction_id: int | None = None,
) -> readers.ChangeRecord:
    """Take back the newest change of a tournament that has not been taken back; which one it was.

    Raises Refused (NOTHING_TO_UNDO) when only its first telling is left.
    """
    club.lock(connection, guild_id, now)
    tournament_id = readers.id_of(connection, guild_id, number)
    trail = readers.trail(connection, guild_id, tournament_id)
    if (done := done_already(connection, guild_id, interaction_id)) is not None:
        return next(change for change in trail if change.id == done.undoes)
    undone = {change.undoes for change in trail}
    for change in reversed(trail):
        if change.kind is not ChangeKind.UNDO and change.id not in undone and change.before is not None:
            _change(
                connection,
                guild_id,
                tournament_id,
                trail[-1].after,
                change.before,
                by,
                now,
                ChangeKind.UNDO,
                undoes=change.id,
                interaction_id=interaction_id,
            )
            return change
    raise Refused(Refusal.NOTHING_TO_UNDO, number=number)


def _create(
    connection: sa.Connection, guild_id: int, told: Telling, kind: ChangeKind, by: Person, now: int
) -> int:
    told = checked(connection, guild_id, told, now, None)
    newest = sa.select(sa.func.coalesce(sa.func.max(tournaments.c.number), 0))
    number = connection.execute(newest.where(tournaments.c.guild_id == guild_id)).scalar_one() + 1
    row = _columns(told) | {"guild_id": guild_id, "number": number}
    new = sa.insert(tournaments).values(row).returning(tournaments.c.id)
    tournament_id = int(connection.execute(new).scalar_one())
    _write_lines(connection, tournament_id, told.lines)
    _archive(connection, guild_id, tournament_id, kind, None, told, by, now)
    return int(number)


def _change(
    connection: sa.Connection,
    guild_id: int,
    tournament_id: int,
    before: Telling,
    after: Telling,
    by: Person,
    now: int,
    kind: ChangeKind = ChangeKind.RESULT,
    reason: str | None = None,
    undoes: int | None = None,
    interaction_id: int | None = None,
) -> Telling:
    after = checked(connection, guild_id, after, now, tournament_id)
    this = tournaments.c.id == tournament_id
    connection.execute(sa.update(tournaments).where(this).values(_columns(after)))
    if after.lines != before.lines:
        mine = tournament_results.c.tournament_id == tournament_id
        connection.execute(sa.delete(tournament_results).where(mine))
        _write_lines(connection, tournament_id, after.lines)
    _archive(connection, guild_id, tournament_id, kind, before, after, by, now, reason, undoes, interaction_id)
    return after


def _archive(
    connection: sa.Connection,
    guild_id: int,
    tournament_id: int,
    kind: ChangeKind,
    before: Telling | None,
    after: Telling,
    by: Person,
    now: int,
    reason: str | None = None,
    undoes: int | None = None,
    interaction_id: int | None = None,
) -> None:
    row = {
        "guild_id": guild_id,
        "tournament_id": tournament_id,
        "kind": kind,
        "changed_by": club.player_ids(connection, guild_id, [by])[0],
        "changed_at": now,
        "reason": checked_reason(reason),
        "before": None if before is None else before.as_json(),
        "after": after.as_json(),
        "last_day": after.details.last_day.isoformat(),
        "undoes": undoes,
        "interaction_id": interaction_id,
    }
    connection.execute(sa.insert(tournament_changes).values(row))


def _columns(told: Telling) -> dict[str, object]:
    details = told.details
    return {
        "name": details.name,
        "first_day": None if details.first_day is None else details.first_day.isoformat(),
        "last_day": details.last_day.isoformat(),
        "hanchan": details.hanchan,
        "participants": details.participants,
        "country": details.country,
        "online": int(details.online),
        "accredited": int(details.accredited),
        "open_share": details.open_share,
        "ema": int(details.ema),
        "stages": json.dumps(details.stages),
        "removed": int(told.removed),
    }


def _write_lines(connection: sa.Connection, tournament_id: int, lines: Sequence[Line]) -> None:
    rows = [
        (tournament_id, line.player_id, line.place, int(line.replacement), line.score, line.games)
        for line in lines
    ]
    upsert_tuples(connection, tournament_results, rows)
