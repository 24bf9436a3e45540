"""Many rows at once, as plain values past SQLAlchemy's: a replay moves hundreds of thousands of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from ratings.store.upsert import upsert_statement

__all__ = ["Row", "Rows", "fetch_tuples", "split", "upsert_rows", "upsert_tuples"]

Row = tuple[Any, ...]
# The values of many rows, one row after the other in a single list: so they take half the memory of tuples.
Rows = list[Any]

_BATCH = 10_000
_PER_STATEMENT = 100


def fetch_tuples(connection: sa.Connection, query: sa.Select[Any], values: Mapping[str, Any]) -> list[Row]:
    """The rows of a query of whole numbers, floats and texts, just as the driver hands them over."""
    return list(map(tuple, connection.execute(query, values).cursor.fetchall()))


def split(table: sa.Table, rows: Rows) -> Iterator[Row]:
    """The single rows out of rows of a table."""
    return zip(*[iter(rows)] * len(table.columns), strict=True)


def upsert_tuples(connection: sa.Connection, table: sa.Table, rows: Iterable[Row]) -> None:
    """Insert rows with a value for each column of the table, in its order; where the primary key is taken,
    overwrite the other columns."""
    upsert_rows(connection, table, list(chain.from_iterable(rows)))


def upsert_rows(connection: sa.Connection, table: sa.Table, rows: Rows) -> None:
    """Do the same with rows that are in one list."""
    write = _write_to_sqlite if connection.dialect.name == "sqlite" else _write_to_postgresql
    size = _BATCH * len(table.columns)
    for start in range(0, len(rows), size):
        write(connection, table, rows[start : start + size])


def _write_to_sqlite(connection: sa.Connection, table: sa.Table, rows: Rows) -> None:
    # A statement of many rows takes SQLite little more than half the time of as many statements of one row.
    width = len(table.columns)
    single = len(rows) // width % _PER_STATEMENT * width
    for count, first, last in ((1, 0, single), (_PER_STATEMENT, single, len(rows))):
        size = count * width
        values = [tuple(rows[start : start + size]) for start in range(first, last, size)]
        if values:
            connection.exec_driver_sql(_statement(connection.dialect, table, count), values)


def _write_to_postgresql(connection: sa.Connection, table: sa.Table, rows: Rows) -> None:
    # PostgreSQL takes whole columns as arrays, in a fraction of the time it needs for row after row.
    width = len(table.columns)
    columns = tuple(rows[column::width] for column in range(width))
    connection.exec_driver_sql(_array_statement(connection.dialect, table), columns)


@functools.cache
def _statement(dialect: Dialect, table: sa.Table, count: int) -> str:
    """The statement that upserts this many rows."""
    head, values, conflict = _parts(dialect, table)
    return f"{head} VALUES {', '.join([values] * count)} ON CONFLICT {conflict}"


@functools.cache
def _array_statement(dialect: Dialect, table: sa.Table) -> str:
    """The statement that upserts any number of rows, with an array for each column."""
    head, _, conflict = _parts(dialect, table)
    types = (column.type.compile(dialect=dialect) for column in table.columns)
    arrays = ", ".join(f"${number}::{type_}[]" for number, type_ in enumerate(types, start=1))
    return f"{head} SELECT * FROM unnest({arrays}) ON CONFLICT {conflict}"  # noqa: S608


def _parts(dialect: Dialect, table: sa.Table) -> tuple[str, str, str]:
    """The statement that upserts one row: what comes before its values, its values, and what follows."""
    columns = table.columns.keys()
    statement = str(
        upsert_statement(dialect.name, table, tuple(columns)).compile(dialect=dialect, column_keys=columns)
    )
    head, _, rest = statement.partition(" VALUES ")
    values, _, conflict = rest.partition(" ON CONFLICT ")
    return head, values, conflict
