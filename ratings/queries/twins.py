"""Twins: games that tell the same, so that one of them may be a second report of the other.

Of several, that one is named which counts, and of those the one that was reported first.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from ratings.models import GameState
from ratings.queries.records import Card, Twin
from ratings.store.tables import cards, games

__all__ = ["TWIN_ID", "naming", "of_mark"]

# Reports of one game are this far apart at most, in seconds.
_WINDOW = 7 * 24 * 3600
_other, _named = games.alias("other"), games.alias("named")


def _alike(guild: Any, mark: Any, reported_at: Any, but: Any) -> sa.ColumnElement[bool]:
    """That the other game has the same fingerprint (`mark`) and was reported at about that time."""
    return sa.and_(
        _other.c.guild_id == guild,
        _other.c.fingerprint == mark,
        _other.c.reported_at.between(reported_at - _WINDOW, reported_at + _WINDOW),
        _other.c.id != but,
    )


_TWIN = _alike(games.c.guild_id, games.c.fingerprint, games.c.reported_at, games.c.id)


def _first(state: GameState) -> sa.ScalarSelect[Any]:
    twins = sa.select(_other.c.id).where(_TWIN, _other.c.state == state)
    return twins.order_by(_other.c.id).limit(1).correlate(games).scalar_subquery()


# The id of a game's twin, as part of a query of `games`.
TWIN_ID = sa.func.coalesce(_first(GameState.APPROVED), _first(GameState.PENDING))

_COUNTS = _other.c.state == GameState.APPROVED
_WAITS = _other.c.state == GameState.PENDING
_EARLIER = _other.c.id < _named.c.id
_comes_first = sa.case(
    (_named.c.state == GameState.APPROVED, sa.and_(_COUNTS, _EARLIER)),
    else_=sa.or_(_COUNTS, sa.and_(_WAITS, _EARLIER)),
)
_NAMING = (
    sa.select(games.c.id)
    .join(cards, cards.c.game_id == games.c.id)
    .join(_named, sa.and_(_named.c.guild_id == games.c.guild_id, _named.c.fingerprint == games.c.fingerprint))
    .where(_named.c.id == sa.bindparam("game"), games.c.id != _named.c.id)
    .where(_named.c.state.in_([GameState.APPROVED, GameState.PENDING]))
    .where(games.c.reported_at.between(_named.c.reported_at - _WINDOW, _named.c.reported_at + _WINDOW))
    # The same as that its TWIN_ID is the one named, and found out without looking at every other for each.
    .where(~sa.exists().where(_TWIN, _comes_first).correlate(games, _named))
    .order_by(games.c.id)
)
_OF_MARK = (
    sa.select(_other.c.number, cards.c.channel_id, cards.c.message_id)
    .outerjoin(cards, cards.c.game_id == _other.c.id)
    .where(
        _alike(
            sa.bindparam("guild"),
            sa.bindparam("mark"),
            sa.bindparam("reported_at", type_=sa.BigInteger),
            sa.bindparam("but"),
        ),
        sa.or_(_COUNTS, _WAITS),
    )
    .order_by(sa.case((_COUNTS, 0), else_=1), _other.c.id)
    .limit(1)
)


def of_mark(connection: sa.Connection, guild_id: int, mark: str, reported_at: int, but: int) -> Twin | None:
    """The twin that a game (`but`) would have with the fingerprint `mark`; None without one."""
    wanted = {"guild": guild_id, "mark": mark, "reported_at": reported_at, "but": but}
    row = connection.execute(_OF_MARK, wanted).one_or_none()
    if row is None:
        return None
    return Twin(row.number, None if row.message_id is None else Card(guild_id, row.channel_id, row.message_id))


def naming(connection: sa.Connection, game_id: int) -> list[int]:
    """Ids of the games whose cards hang and name this game as their twin, wherever they stand themselves."""
    return list(connection.execute(_NAMING, {"game": game_id}).scalars())
