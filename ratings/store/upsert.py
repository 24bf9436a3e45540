"""Insert or replace, spelled the same for both engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["insert_new", "upsert"]


def upsert(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; where the primary key is taken, overwrite the other columns."""
    key = [column.name for column in table.primary_key]
    statement = _insert(connection, table)
    fresh = {name: statement.excluded[name] for name in rows[0] if name not in key}
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_=fresh), rows)


def insert_new(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless one with its key, or another unique value of it, is there; True if it is new."""
    return bool(connection.execute(_insert(connection, table).on_conflict_do_nothing(), row).rowcount)


def _insert(connection: sa.Connection, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
