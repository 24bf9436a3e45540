"""Which role a member should wear for his rank, and the roles of Discord that stand for ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.queries.people import records_counting_as
from ratings.store import memos, outbox
from ratings.store.tables import memos as memo_table
from ratings.store.tables import players, standings

__all__ = ["RankWearer", "keep_role", "made", "wearer"]


@dataclass(frozen=True, slots=True)
class RankWearer:
    """A player's Discord accounts and the rank whose role they should wear; None for no role.

    `roles` are the ids of the roles made so far, by rank (index)."""

    discord_ids: tuple[int, ...]
    rank: int | None
    roles: Mapping[int, int]


def wearer(connection: sa.Connection, guild_id: int, player_id: int) -> RankWearer:
    """What role a player should wear now: that of the record he counts as, and none where the club has no rank
    roles."""
    system = club.settings(connection, guild_id).rank_roles
    player_id = club.counted_as(connection, guild_id, [player_id])[player_id]
    accounts = sa.select(players.c.discord_id).where(
        players.c.guild_id == guild_id,
        players.c.discord_id.is_not(None),
        players.c.id.in_(records_counting_as(player_id)),
    )
    rank = sa.select(standings.c.rank).where(
        standings.c.guild_id == guild_id, standings.c.system == system, standings.c.player_id == player_id
    )
    return RankWearer(
        discord_ids=tuple(connection.execute(accounts.order_by(players.c.id)).scalars()),
        rank=None if system is None else connection.execute(rank).scalar(),
        roles=made(connection, guild_id),
    )


def made(connection: sa.Connection, guild_id: int) -> dict[int, int]:
    """The ids of the roles that were made for ranks, by rank (index). Some may have been deleted since."""
    prefix = _memo(guild_id, "")
    kept = sa.select(memo_table).where(memo_table.c.name.startswith(prefix, autoescape=True))
    return {int(row.name.removeprefix(prefix)): int(row.value) for row in connection.execute(kept)}


def keep_role(
    connection: sa.Connection, guild_id: int, rank: int, role_id: int, gone: int | None, now: int
) -> int:
    """Remember which role stands for a rank from now on, in place of one that is `gone`.

    Returns the role that does: another one if somebody was faster. Whoever wore the one that is gone has to be
    given the new one.
    """
    club.hold(connection, guild_id)
    known = made(connection, guild_id).get(rank)
    if known is not None and known != gone:
        return known
    memos.memorise(connection, _memo(guild_id, str(rank)), str(role_id))
    if gone is not None:
        of_rank = sa.select(standings.c.player_id).where(
            standings.c.guild_id == guild_id,
            standings.c.system == club.settings(connection, guild_id).rank_roles,
            standings.c.rank == rank,
        )
        bare = connection.execute(of_rank.order_by(standings.c.player_id)).scalars().all()
        outbox.enqueue_roles(connection, guild_id, bare, now)
    return role_id


def _memo(guild_id: int, rank: str) -> str:
    return f"rank-role:{guild_id}:{rank}"
