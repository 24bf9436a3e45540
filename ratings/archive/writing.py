"""Writing a club down."""

from __future__ import annotations

import gzip
import io
import json
from typing import Any

import sqlalchemy as sa

from ratings.archive.shape import FACTS
from ratings.store import tables

__all__ = ["FORMAT", "LARGEST_UNPACKED", "VERSION", "parse", "write_club"]

FORMAT, VERSION = "tenbou-club", 1
LARGEST_UNPACKED = 100_000_000  # bytes
# A club of 100,000 games has some 16 million values in 2 million lists.
MOST_LISTS = 3_000_000
_BYTES_PER_LIST = 8


def write_club(connection: sa.Connection, guild_id: int, now: int) -> bytes:
    """Everything the store knows of a club, as JSON packed with gzip."""
    of_games = sa.select(tables.games.c.id).where(tables.games.c.guild_id == guild_id)
    of_tournaments = sa.select(tables.tournaments.c.id).where(tables.tournaments.c.guild_id == guild_id)
    facts: dict[str, list[list[Any]]] = {}
    for table in FACTS:
        if "guild_id" in table.columns:
            mine = table.c.guild_id == guild_id
        elif "game_id" in table.columns:
            mine = table.c.game_id.in_(of_games)
        else:
            mine = table.c.tournament_id.in_(of_tournaments)
        kept = [column for column in table.columns if column.name != "guild_id"]
        rows = connection.execute(sa.select(*kept).where(mine).order_by(*table.primary_key))
        facts[table.name] = [[column.name for column in kept], *map(list, rows)]
    standing = sa.select(tables.standings).where(tables.standings.c.guild_id == guild_id)
    figures = connection.execute(standing.order_by(*tables.standings.primary_key))
    told = {
        "format": FORMAT,
        "version": VERSION,
        "written_at": now,
        "guild_id": guild_id,
        "facts": facts,
        "standings": [list(row)[1:] for row in figures],
    }
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=now)


def parse(data: bytes) -> Any:
    """The JSON of a file, packed or not. Raises ValueError for what is none, and for what would take too much."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(LARGEST_UNPACKED + 1)
        except (OSError, EOFError) as error:
            raise ValueError(str(error)) from None
    if len(data) > LARGEST_UNPACKED:
        raise ValueError("too large")
    # Lists cost far more than the two bytes they are written with: what has hardly anything else is no club.
    if data.count(b"[") + data.count(b"{") > min(MOST_LISTS, 1000 + len(data) // _BYTES_PER_LIST):
        raise ValueError("too many lists")
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("too deep") from None
