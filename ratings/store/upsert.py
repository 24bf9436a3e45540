"""Insert or replace, spelled the same for both engines."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["insert_new", "upsert", "upsert_statement"]


def upsert(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; where the primary key is taken, overwrite the other columns."""
    connection.execute(upsert_statement(connection.dialect.name, table, tuple(rows[0])), rows)


def insert_new(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless one with its key, or another unique value of it, is there; True if it is new."""
    return bool(connection.execute(_insert_new(connection.dialect.name, table), row).rowcount)


@functools.cache
def upsert_statement(dialect: str, table: sa.Table, columns: tuple[str, ...]) -> sa.Insert:
    """The statement behind `upsert`, for the engine of this name."""
    key = [column.name for column in table.primary_key]
    statement = _insert(dialect, table)
    fresh = {name: statement.excluded[name] for name in columns if name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=fresh)


@functools.cache
def _insert_new(dialect: str, table: sa.Table) -> sa.Insert:
    return _insert(dialect, table).on_conflict_do_nothing()


def _insert(dialect: str, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
