"""What no tournament can be, and what the club has already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter

import sqlalchemy as sa

from ratings import club
from ratings.models import Refusal, Refused
from ratings.queries.people import names
from ratings.tournaments import readers
from ratings.tournaments.names import key_of
from ratings.tournaments.records import Details, Line, Telling

__all__ = ["REASON_LENGTH", "checked", "checked_reason", "vet"]

REASON_LENGTH = 500


def vet(connection: sa.Connection, guild_id: int, details: Details, results: int, now: int) -> None:
    """Look at what a new tournament with so many results would be, before its players are. Raises Refused if it
    cannot be."""
    _check_details(details, results, now)
    _refuse_repetition(connection, guild_id, details, None)


def checked(
    connection: sa.Connection, guild_id: int, told: Telling, now: int, tournament_id: int | None
) -> Telling:
    """The telling with its lines by place. Raises Refused for what no tournament can be."""
    _check_details(told.details, len(told.lines), now)
    if not told.removed:
        _refuse_repetition(connection, guild_id, told.details, tournament_id)
    lines = tuple(sorted(told.lines, key=lambda line: (line.place, line.player_id)))
    counted = club.counted_as(connection, guild_id, [line.player_id for line in lines])
    if any(line.player_id not in counted for line in lines):
        raise Refused(Refusal.UNKNOWN_PLAYER)
    results = Counter(counted[line.player_id] for line in lines)
    twice = [player for player, number in results.items() if number > 1]
    if twice:
        raise Refused(Refusal.TWO_RESULTS, name=min(names(connection, guild_id, twice).values()))
    _check_places(lines, told.details.participants)
    return replace(told, lines=lines)


def checked_reason(reason: str | None) -> str | None:
    """A reason as it is kept, None for an empty one. Raises Refused (LONG_REASON)."""
    reason = None if reason is None else reason.strip()
    if reason is not None and len(reason) > REASON_LENGTH:
        raise Refused(Refusal.LONG_REASON, limit=REASON_LENGTH, length=len(reason))
    return reason or None


def _check_details(details: Details, results: int, now: int) -> None:
    if details.first_day is not None and details.first_day > details.last_day:
        raise Refused(Refusal.ENDS_FIRST, first=details.first_day, last=details.last_day)
    # Somewhere on earth it is already tomorrow.
    if details.last_day > (datetime.fromtimestamp(now, UTC) + timedelta(hours=14)).date():
        raise Refused(Refusal.NOT_OVER, last=details.last_day)
    if details.participants < max(4, results):
        raise Refused(Refusal.FEW_PARTICIPANTS, participants=details.participants, results=results)
    try:
        details.tournament(0)
    except ValueError:
        raise Refused(Refusal.UNFIT_STAGES, participants=details.participants) from None
    played = sum(hanchan for _, hanchan in details.stages)
    if details.stages and details.hanchan not in (None, played):
        raise Refused(Refusal.UNFIT_STAGES, hanchan=details.hanchan, played=played)


def _refuse_repetition(
    connection: sa.Connection, guild_id: int, details: Details, tournament_id: int | None
) -> None:
    for number, name in readers.numbers_on(connection, guild_id, details.last_day, besides=tournament_id):
        if key_of(name) == key_of(details.name):
            raise Refused(Refusal.SAME_TOURNAMENT, number=number, name=name)


def _check_places(lines: Sequence[Line], participants: int) -> None:
    for line in lines:
        if not 1 <= line.place <= participants:
            raise Refused(Refusal.HIGH_PLACE, place=line.place, participants=participants)
    taken = 0
    for place, group in groupby(lines, attrgetter("place")):
        sharers = len(list(group))
        # Those who share a place fill the places after it.
        if place <= taken or place + sharers - 1 > participants:
            raise Refused(Refusal.CROWDED_PLACE, place=place, participants=participants)
        taken = place + sharers - 1
