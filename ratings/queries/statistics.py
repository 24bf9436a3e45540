"""A member's games as his statistics count them."""

from __future__ import annotations

import sqlalchemy as sa

from ratings import club, statistics
from ratings.queries.people import records_of
from ratings.statistics import Game, Hands, Statistics
from ratings.store.bulk import fetch_tuples
from ratings.store.tables import games, log_seats, outcomes, seats

__all__ = ["counts_at", "log_hands", "statistics_of"]

_last_seat = seats.alias("last_seat")
_NORTH = 3


def counts_at(players: int) -> sa.ColumnElement[bool]:
    """Whether a game is one of riichi at a table of three or four that counts, ranked or not."""
    has_north = sa.exists().where(_last_seat.c.game_id == games.c.id, _last_seat.c.seat == _NORTH)
    riichi = sa.and_(games.c.kind == "riichi", games.c.approval_id.is_not(None))
    return sa.and_(riichi, has_north if players == 4 else ~has_north)


def log_hands(connection: sa.Connection, game_id: int) -> int:
    """How many hands the log of a game tells; 0 without one."""
    dealt = sa.select(sa.func.max(log_seats.c.hands)).where(log_seats.c.game_id == game_id)
    return connection.execute(dealt).scalar() or 0


def statistics_of(connection: sa.Connection, guild_id: int, discord_id: int, players: int) -> Statistics:
    """A member's figures at tables of three or four: of every riichi game that counts, ranked or not."""
    query = (
        sa.select(
            games.c.played_at,
            outcomes.c.place,
            outcomes.c.final_points,
            seats.c.score,
            games.c.ranked,
            seats.c.chips,
            log_seats.c.hands,
            log_seats.c.wins_tsumo,
            log_seats.c.wins_ron,
            log_seats.c.deal_in_hands,
            log_seats.c.called_hands,
            log_seats.c.riichi_hands,
        )
        .select_from(seats)
        .join(games, games.c.id == seats.c.game_id)
        .join(outcomes, sa.and_(outcomes.c.game_id == seats.c.game_id, outcomes.c.seat == seats.c.seat))
        .outerjoin(log_seats, sa.and_(log_seats.c.game_id == seats.c.game_id, log_seats.c.seat == seats.c.seat))
        .where(seats.c.player_id.in_(records_of(guild_id, discord_id)), counts_at(players))
        .order_by(games.c.played_at, games.c.id)
    )
    rows = fetch_tuples(connection, query, {})
    zone = club.settings(connection, guild_id).zone
    return statistics.gather((_game(*row) for row in rows), players, zone)


def _game(
    played_at: int,
    place: int,
    final_points: int,
    score: int,
    ranked: int,
    chips: int | None,
    dealt: int | None,
    tsumo: int,
    ron: int,
    dealt_in: int,
    called: int,
    riichi: int,
) -> Game:
    hands = None if dealt is None else Hands(dealt, tsumo + ron, dealt_in, called, riichi)
    return Game(played_at, place, final_points, score, bool(ranked), chips, hands)
