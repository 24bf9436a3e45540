"""Boards and profiles: who stands where in a rating system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ratings.models import Standing, SystemName
from ratings.queries.american import wins_of
from ratings.queries.people import player_of, records_of
from ratings.store.tables import games, outcomes, players, seats, standings

__all__ = ["Board", "BoardPage", "BoardRow", "Order", "Profile", "board_page", "position", "profile"]


class Order(StrEnum):
    """What a board is sorted by: ladder rank, then rank points; the rating; or total points alone."""

    RANK = "rank"
    RATING = "rating"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Board:
    """Which board: a system, its order, and how many rated games a player needs to be on it."""

    system: SystemName
    order: Order
    min_games: int = 1

    @property
    def columns(self) -> tuple[sa.Column[int | float], ...]:
        """What the board is sorted by, highest first."""
        # Where total points are kept, everybody's rank is 0.
        return (standings.c.rating,) if self.order is Order.RATING else (standings.c.rank, standings.c.points)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line of a board. Players with equal values share a place. `wins` counts American hands."""

    place: int
    discord_id: int
    name: str
    standing: Standing
    wins: int = 0


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The lines of page `number` (from 0) of `pages`; `total` counts the players on the board."""

    rows: tuple[BoardRow, ...]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A member in one system: his standing, his place by R among `rated` players, and how often he was
    first, second, third (and fourth) in rated games."""

    system: SystemName
    standing: Standing
    rating_place: int
    rated: int
    placed: tuple[int, ...]


# They have no account, and so an index finds them.
_FORGOTTEN = sa.select(players.c.id).where(
    players.c.guild_id == sa.bindparam("guild"),
    players.c.discord_id.is_(None),
    players.c.forgotten_at.is_not(None),
)


def board_page(connection: sa.Connection, guild_id: int, board: Board, number: int, size: int) -> BoardPage:
    """Page `number` (from 0) of a club's board, `size` lines a page; past the end, the last page."""
    on_board = _on(connection, guild_id, board)
    total = connection.execute(sa.select(sa.func.count()).select_from(standings).where(on_board)).scalar_one()
    pages = max(1, -(-total // size))
    number = min(number, pages - 1)
    offset = number * size
    rows = _lines(connection, on_board, board, offset, min(size, total - offset), total)
    american = board.system is SystemName.NMJL
    wins = wins_of(connection, [row.player_id for row in rows]) if american else {}
    lines: list[BoardRow] = []
    for index, row in enumerate(rows):
        values = [row._mapping[column] for column in board.columns]
        if index == 0:
            # Those with equal values stand between the page before and the first of them.
            place = 1 + offset - _level_before(connection, on_board, board, values, row.player_id)
        elif values != [rows[index - 1]._mapping[column] for column in board.columns]:
            place = offset + index + 1
        standing = Standing(row.rank, row.points, row.rating, row.games)
        lines.append(BoardRow(place, row.discord_id or 0, row.name, standing, wins.get(row.player_id, 0)))
    return BoardPage(tuple(lines), number, pages, total)


def _lines(
    connection: sa.Connection,
    on_board: sa.ColumnElement[bool],
    board: Board,
    offset: int,
    size: int,
    total: int,
) -> Sequence[Any]:
    """So many lines of a board after the first `offset`, counted from whichever end of it is nearer."""
    keys = (*board.columns, standings.c.player_id)
    downwards, upwards = [key.desc() for key in keys], [key.asc() for key in keys]
    order, skipped = (downwards, offset) if offset <= total // 2 else (upwards, total - offset - size)
    chosen = (
        sa.select(standings.c.player_id).where(on_board).order_by(*order).offset(skipped).limit(size).subquery()
    )
    return connection.execute(
        sa.select(standings, players.c.discord_id, players.c.name)
        .join(chosen, chosen.c.player_id == standings.c.player_id)
        .join(players, players.c.id == standings.c.player_id)
        .where(on_board)
        .order_by(*downwards)
    ).all()


def position(connection: sa.Connection, guild_id: int, board: Board, discord_id: int) -> int | None:
    """How many lines of the board come before this member's; None when he is not on it."""
    mine = connection.execute(
        sa.select(standings).where(
            _on(connection, guild_id, board), standings.c.player_id == player_of(guild_id, discord_id)
        )
    ).one_or_none()
    if mine is None:
        return None
    values = [mine._mapping[column] for column in board.columns]
    on_board = _on(connection, guild_id, board)
    level = _level_before(connection, on_board, board, values, mine.player_id)
    return _ahead(connection, guild_id, board, values) + level


def profile(connection: sa.Connection, guild_id: int, system: SystemName, discord_id: int) -> Profile | None:
    """A member's figures in one system; None before his first rated game there."""
    row = connection.execute(
        sa.select(standings)
        .where(standings.c.guild_id == guild_id, standings.c.system == system)
        .where(standings.c.player_id == player_of(guild_id, discord_id))
    ).one_or_none()
    if row is None:
        return None
    board = Board(system, Order.RATING)
    places = connection.execute(
        sa.select(outcomes.c.place, sa.func.count().label("times"))
        .join(seats, sa.and_(seats.c.game_id == outcomes.c.game_id, seats.c.seat == outcomes.c.seat))
        .join(games, games.c.id == outcomes.c.game_id)
        .where(seats.c.player_id.in_(records_of(guild_id, discord_id)), games.c.system == system)
        .group_by(outcomes.c.place)
    )
    counted = {each.place: each.times for each in places}
    everybody = sa.select(sa.func.count()).select_from(standings).where(_on(connection, guild_id, board))
    return Profile(
        system=system,
        standing=Standing(row.rank, row.points, row.rating, row.games),
        rating_place=1 + _ahead(connection, guild_id, board, [row.rating]),
        rated=connection.execute(everybody).scalar_one(),
        placed=tuple(counted.get(place, 0) for place in range(1, 5 if system is SystemName.TENHOU_4P else 4)),
    )


def _on(connection: sa.Connection, guild_id: int, board: Board) -> sa.ColumnElement[bool]:
    """Who is on a board: whoever asked to be forgotten is not, and takes nobody's place."""
    on_board = sa.and_(standings.c.guild_id == guild_id, standings.c.system == board.system)
    if board.min_games > 1:
        on_board = sa.and_(on_board, standings.c.games >= board.min_games)
    # Asked for by themselves: they are few or none, and a condition costs something for each line of the board.
    forgotten = list(connection.execute(_FORGOTTEN, {"guild": guild_id}).scalars())
    return sa.and_(on_board, standings.c.player_id.not_in(forgotten)) if forgotten else on_board


def _level_before(
    connection: sa.Connection,
    on_board: sa.ColumnElement[bool],
    board: Board,
    values: list[int | float],
    player_id: int,
) -> int:
    """How many lines with the same values come before a player's."""
    level = [column == value for column, value in zip(board.columns, values, strict=True)]
    query = sa.select(sa.func.count()).select_from(standings)
    return connection.execute(query.where(on_board, *level, standings.c.player_id > player_id)).scalar_one()


def _ahead(connection: sa.Connection, guild_id: int, board: Board, values: list[int | float]) -> int:
    better = sa.tuple_(*board.columns) > sa.tuple_(*values)
    query = sa.select(sa.func.count()).select_from(standings).where(_on(connection, guild_id, board), better)
    return connection.execute(query).scalar_one()
