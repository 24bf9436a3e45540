"""Boards and profiles: who stands where in a rating system."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from ratings.models import Standing, SystemName
from ratings.queries.american import wins_of
from ratings.store.tables import changes, placements, players, standings

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
        if self.order is Order.RANK:
            return standings.c.rank, standings.c.points
        return (standings.c.points,) if self.order is Order.POINTS else (standings.c.rating,)


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


def board_page(connection: sa.Connection, guild_id: int, board: Board, number: int, size: int) -> BoardPage:
    """Page `number` (from 0) of a club's board, `size` lines a page; past the end, the last page."""
    on_board = _on(guild_id, board)
    total = connection.execute(sa.select(sa.func.count()).select_from(standings).where(on_board)).scalar_one()
    pages = max(1, -(-total // size))
    number = min(number, pages - 1)
    offset = number * size
    rows = connection.execute(
        sa.select(standings, players.c.discord_id, players.c.name)
        .join(players, players.c.id == standings.c.player_id)
        .where(on_board)
        .order_by(*(column.desc() for column in board.columns), standings.c.player_id)
        .offset(offset)
        .limit(size)
    ).all()
    american = board.system is SystemName.NMJL
    wins = wins_of(connection, [row.player_id for row in rows]) if american else {}
    lines: list[BoardRow] = []
    for index, row in enumerate(rows):
        values = [row._mapping[column] for column in board.columns]
        if index == 0:
            place = 1 + _ahead(connection, guild_id, board, values)
        elif values != [rows[index - 1]._mapping[column] for column in board.columns]:
            place = offset + index + 1
        standing = Standing(row.rank, row.points, row.rating, row.games)
        lines.append(BoardRow(place, row.discord_id, row.name, standing, wins.get(row.player_id, 0)))
    return BoardPage(tuple(lines), number, pages, total)


def position(connection: sa.Connection, guild_id: int, board: Board, discord_id: int) -> int | None:
    """How many lines of the board come before this member's; None when he is not on it."""
    mine = connection.execute(
        sa.select(standings)
        .join(players, players.c.id == standings.c.player_id)
        .where(_on(guild_id, board), players.c.discord_id == discord_id)
    ).one_or_none()
    if mine is None:
        return None
    values = [mine._mapping[column] for column in board.columns]
    level = sa.and_(*(column == value for column, value in zip(board.columns, values, strict=True)))
    tied = sa.select(sa.func.count()).select_from(standings)
    before_me = tied.where(_on(guild_id, board), level, standings.c.player_id < mine.player_id)
    return _ahead(connection, guild_id, board, values) + connection.execute(before_me).scalar_one()


def profile(connection: sa.Connection, guild_id: int, system: SystemName, discord_id: int) -> Profile | None:
    """A member's figures in one system; None before his first rated game there."""
    row = connection.execute(
        sa.select(standings)
        .join(players, players.c.id == standings.c.player_id)
        .where(standings.c.guild_id == guild_id, standings.c.system == system, players.c.discord_id == discord_id)
    ).one_or_none()
    if row is None:
        return None
    board = Board(system, Order.RATING)
    places = connection.execute(
        sa.select(placements.c.place, sa.func.count().label("times"))
        .join(changes, sa.and_(changes.c.game_id == placements.c.game_id, changes.c.player_id == row.player_id))
        .where(placements.c.player_id == row.player_id, changes.c.system == system)
        .group_by(placements.c.place)
    )
    counted = {each.place: each.times for each in places}
    everybody = sa.select(sa.func.count()).select_from(standings).where(_on(guild_id, board))
    return Profile(
        system=system,
        standing=Standing(row.rank, row.points, row.rating, row.games),
        rating_place=1 + _ahead(connection, guild_id, board, [row.rating]),
        rated=connection.execute(everybody).scalar_one(),
        placed=tuple(counted.get(place, 0) for place in range(1, 5 if system is SystemName.TENHOU_4P else 4)),
    )


def _on(guild_id: int, board: Board) -> sa.ColumnElement[bool]:
    return sa.and_(
        standings.c.guild_id == guild_id,
        standings.c.system == board.system,
        standings.c.games >= board.min_games,
    )


def _ahead(connection: sa.Connection, guild_id: int, board: Board, values: list[int | float]) -> int:
    better = sa.tuple_(*board.columns) > sa.tuple_(*values)
    query = sa.select(sa.func.count()).select_from(standings).where(_on(guild_id, board), better)
    return connection.execute(query).scalar_one()
