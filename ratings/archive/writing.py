"""Writing a club down, piece by piece: a large one is never in memory as a whole."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from typing import Any, Protocol

import sqlalchemy as sa

from ratings.archive.shape import FACTS
from ratings.store import tables
from ratings.store.upgrade import revisions

__all__ = ["FORMAT", "VERSION", "pour_club", "write_club"]

FORMAT, VERSION = "tenbou-club", 1
_ROWS = 1_000  # at a time


class Sink(Protocol):
    """What a file is written into."""

    def write(self, data: bytes, /) -> object: ...
    def flush(self) -> object: ...


def write_club(connection: sa.Connection, guild_id: int, now: int) -> bytes:
    """Everything the store knows of a club, as JSON packed with gzip."""
    out = io.BytesIO()
    pour_club(connection, guild_id, now, out)
    return out.getvalue()


def pour_club(connection: sa.Connection, guild_id: int, now: int, out: Sink) -> None:
    """The same, written into `out` bit by bit."""
    with gzip.GzipFile("", "wb", fileobj=out, mtime=now) as packed:
        for piece in _pieces(connection, guild_id, now):
            packed.write(piece.encode())


def _pieces(connection: sa.Connection, guild_id: int, now: int) -> Iterator[str]:
    head = {
        "format": FORMAT,
        "version": VERSION,
        "schema": revisions()[-1],
        "written_at": now,
        "guild_id": guild_id,
    }
    yield f'{_json(head)[:-1]},"facts":{{'
    for number, (table, mine) in enumerate(_facts(guild_id)):
        kept = [column for column in table.columns if column.name != "guild_id"]
        yield f"{',' if number else ''}{_json(table.name)}:[{_json([column.name for column in kept])}"
        rows = sa.select(*kept).where(mine).order_by(*table.primary_key)
        yield from (f",{batch}" for batch in _batches(connection, rows))
        yield "]"
    yield '},"standings":['
    standings = [column for column in tables.standings.columns if column.name != "guild_id"]
    figures = sa.select(*standings).where(tables.standings.c.guild_id == guild_id)
    for number, batch in enumerate(_batches(connection, figures.order_by(*tables.standings.primary_key))):
        yield f"{',' if number else ''}{batch}"
    yield "]}"


def _facts(guild_id: int) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Each table of facts, and which of its rows are the club's."""
    of_games = sa.select(tables.games.c.id).where(tables.games.c.guild_id == guild_id)
    of_tournaments = sa.select(tables.tournaments.c.id).where(tables.tournaments.c.guild_id == guild_id)
    for table in FACTS:
        if "guild_id" in table.columns:
            yield table, table.c.guild_id == guild_id
        elif "game_id" in table.columns:
            yield table, table.c.game_id.in_(of_games)
        else:
            yield table, table.c.tournament_id.in_(of_tournaments)


def _batches(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[str]:
    """The rows of a query as lists with commas in between, some at a time."""
    for rows in connection.execute(query.execution_options(yield_per=_ROWS)).partitions():
        yield _json([list(row) for row in rows])[1:-1]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
