"""Bans from the ladder (seed 003, "Account sharing policy"): ranked reports that name the banned are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.ledger.decisions import REASON_LENGTH
from ratings.models import Person, Refusal, Refused
from ratings.queries.people import records_counting_as
from ratings.store.tables import ladder_bans, players

__all__ = ["ban", "refuse_banned", "refuse_forgetting", "unban"]


def in_force(now: int) -> sa.ColumnElement[bool]:
    """Whether a ban holds at a moment, as part of a query."""
    return sa.and_(
        ladder_bans.c.lifted_at.is_(None), sa.or_(ladder_bans.c.until.is_(None), ladder_bans.c.until > now)
    )


def ban(
    connection: sa.Connection,
    guild_id: int,
    player_id: int,
    reason: str,
    until: int | None,
    by: Person,
    now: int,
) -> None:
    """Ban a player from ranked games, for good or until a moment.

    Raises Refused for one who is banned already, and for a reason that is empty or too long.
    """
    club.lock(connection, guild_id, now)
    reason = reason.strip()
    if not reason:
        raise Refused(Refusal.EMPTY_REASON)
    if len(reason) > REASON_LENGTH:
        raise Refused(Refusal.LONG_REASON, limit=REASON_LENGTH, length=len(reason))
    if found := _banned(connection, guild_id, [player_id], now):
        raise Refused(Refusal.ALREADY_BANNED, name=found[0].name, until=found[0].until)
    (admin,) = club.player_ids(connection, guild_id, [by])
    row = {"guild_id": guild_id, "player_id": player_id, "reason": reason, "until": until}
    connection.execute(sa.insert(ladder_bans).values(row | {"banned_by": admin, "banned_at": now}))


def unban(connection: sa.Connection, guild_id: int, player_id: int, by: Person, now: int) -> None:
    """Lift the ban of a player. Raises Refused (NOT_BANNED) if none is in force."""
    club.lock(connection, guild_id, now)
    (admin,) = club.player_ids(connection, guild_id, [by])
    lifted = connection.execute(
        sa.update(ladder_bans)
        .where(ladder_bans.c.guild_id == guild_id, ladder_bans.c.player_id.in_(_records_of(player_id)))
        .where(in_force(now))
        .values(lifted_by=admin, lifted_at=now)
    )
    if not lifted.rowcount:
        raise Refused(Refusal.NOT_BANNED)


def refuse_banned(connection: sa.Connection, guild_id: int, records: Sequence[int], now: int) -> None:
    """Raises Refused (BANNED) if a ban of one of these players is in force."""
    for row in _banned(connection, guild_id, records, now):
        raise Refused(Refusal.BANNED, name=row.name, until=row.until)


def refuse_forgetting(connection: sa.Connection, guild_id: int, records: Sequence[int], now: int) -> None:
    """Raises Refused (STILL_BANNED) if a ban of one of these players is in force: who is forgotten comes back as
    somebody new, whom it would not hold."""
    for row in _banned(connection, guild_id, records, now):
        raise Refused(Refusal.STILL_BANNED, name=row.name, until=row.until)


def _banned(connection: sa.Connection, guild_id: int, records: Sequence[int], now: int) -> Sequence[Any]:
    """The bans in force of these records' people, under the names of these records."""
    named, banned = players.alias("named"), players.alias("banned")
    query = (
        sa.select(named.c.name, ladder_bans.c.until)
        .select_from(ladder_bans)
        .join(banned, banned.c.id == ladder_bans.c.player_id)
        .join(named, _person(named) == _person(banned))
        .where(ladder_bans.c.guild_id == guild_id, named.c.id.in_(records), in_force(now))
        .order_by(ladder_bans.c.id)
    )
    return connection.execute(query).all()


def _person(record: Any) -> sa.ColumnElement[int]:
    """The record under which a record counts: a ban is of the person, under whichever record it was spoken."""
    return sa.func.coalesce(record.c.merged_into, record.c.id)


def _records_of(player_id: int) -> sa.Select[tuple[int]]:
    """The ids of all records of a player's person."""
    return records_counting_as(sa.select(_person(players)).where(players.c.id == player_id).scalar_subquery())
