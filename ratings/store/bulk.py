"""Many rows at once, as plain tuples past SQLAlchemy's values: a replay moves hundreds of thousands of them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from ratings.store.upsert import upsert_statement

__all__ = ["fetch_tuples", "upsert_tuples"]

Row = tuple[Any, ...]
_BATCH = 10_000


def fetch_tuples(connection: sa.Connection, query: sa.Select[Any], values: Mapping[str, Any]) -> list[Row]:
    """The rows of a query of whole numbers, floats and texts, just as the driver hands them over."""
    return list(map(tuple, connection.execute(query, values).cursor.fetchall()))


def upsert_tuples(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Insert rows with a value for each column of the table, in its order; where the primary key is taken,
    overwrite the other columns."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_statement(connection.dialect, table), list(rows))
        return
    # PostgreSQL takes whole columns as arrays, in a fraction of the time it needs for row after row.
    for start in range(0, len(rows), _BATCH):
        columns = zip(*rows[start : start + _BATCH], strict=True)
        connection.exec_driver_sql(_array_statement(connection.dialect, table), tuple(map(list, columns)))


@functools.cache
def _statement(dialect: Dialect, table: sa.Table) -> str:
    statement = upsert_statement(dialect.name, table, tuple(table.columns.keys()))
    return str(statement.compile(dialect=dialect, column_keys=table.columns.keys()))


@functools.cache
def _array_statement(dialect: Dialect, table: sa.Table) -> str:
    """The same statement with all rows in one: its values become the columns of as many arrays."""
    values, _, conflict = _statement(dialect, table).partition(" ON CONFLICT")
    head = values.partition(" VALUES ")[0]
    types = (column.type.compile(dialect=dialect) for column in table.columns)
    arrays = ", ".join(f"${number}::{type_}[]" for number, type_ in enumerate(types, start=1))
    return f"{head} SELECT * FROM unnest({arrays}) ON CONFLICT{conflict}"  # noqa: S608
