"""One door to the database: SQLite through aiosqlite, or PostgreSQL through asyncpg.

Work is a plain function that takes a connection first. `Store.read` and `Store.write` run it in one
transaction; a write is never torn, even if whoever asked for it stops waiting.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ratings.store.upgrade import StoreTooNew, upgrade

__all__ = ["Store", "StoreTooNew", "StoreUnreachable", "async_url"]

P = ParamSpec("P")
T = TypeVar("T")

BUSY_SECONDS = 30
# What may follow the ? of an address, once sslmode has become ssl.
OPTIONS = {"postgresql": {"host", "port", "prepared_statement_cache_size", "ssl"}, "sqlite": set[str]()}


class StoreUnreachable(Exception):
    """The database could not be opened; the message is for the operator."""


def async_url(text: str) -> sa.URL:
    """Turn a database address as hosts hand it out into one with the driver Tenbou uses.

    `postgres://` and `postgresql://` get asyncpg, `sqlite://` gets aiosqlite. Raises ValueError when the
    address is of neither kind, has an option that cannot be passed on, or keeps its data in memory alone.
    """
    try:
        url = sa.make_url(text)
    except (sa.exc.ArgumentError, ValueError):
        raise ValueError("it is not a database address") from None
    backend = url.get_backend_name()
    if backend in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+asyncpg")
        if mode := url.query.get("sslmode"):
            url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    elif backend == "sqlite":
        url = url.set(drivername="sqlite+aiosqlite")
        if url.database in (None, "", ":memory:"):
            raise ValueError("it names no file, so nothing would be kept")
    else:
        raise ValueError(f"{backend} is not supported; use sqlite+aiosqlite:/// or postgresql://")
    if strange := sorted(set(url.query) - OPTIONS[url.get_backend_name()]):
        raise ValueError(f"its option {strange[0]} is not supported; leave it out")
    return url


class Store:
    """The club's database, opened and brought up to date."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._one_writer = asyncio.Lock()
        self._writes: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, address: str) -> Store:
        """Open the database at `address` and run the migrations it lacks.

        Raises ValueError for an address of an unknown kind, StoreUnreachable when it cannot be opened,
        StoreTooNew when it was written by a newer program.
        """
        url = async_url(address)
        store = cls(_engine(url))
        try:
            if store._is_sqlite:
                await asyncio.to_thread(_prepare_file, str(url.database))
            await store.write(upgrade)
        except (DBAPIError, sqlite3.Error, OSError, OverflowError) as error:
            await store.close()
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise StoreUnreachable(str(cause)) from error
        except BaseException:
            await store.close()
            raise
        return store

    async def read(self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(connection, ...)` in one read transaction and return its result.

        All its queries see the database as it was at the first of them.
        """
        async with self.engine.connect() as connection:
            if not self._is_sqlite:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin():
                return await connection.run_sync(work, *args, **kwargs)

    async def write(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work(connection, ...)` in one write transaction: all of it is kept, or none.

        Once begun it is finished even if the caller is cancelled meanwhile.
        """
        task = asyncio.create_task(self._write(work, *args, **kwargs))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    async def _write(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if not self._is_sqlite:
            return await self._transaction(work, *args, **kwargs)
        async with self._one_writer:
            return await self._transaction(work, *args, **kwargs)

    async def _transaction(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self.engine.connect() as connection:
            writer = await connection.execution_options(tenbou_writes=True)
            async with writer.begin():
                return await writer.run_sync(work, *args, **kwargs)

    async def close(self) -> None:
        """Finish the writes that have begun, then close every connection."""
        if self._writes:
            await asyncio.gather(*self._writes, return_exceptions=True)
        await self.engine.dispose()


def _engine(url: sa.URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_pre_ping=True)
    engine = create_async_engine(
        url,
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
        poolclass=sa.AsyncAdaptedQueuePool,
    )
    sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    sa.event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


def _prepare_file(path: str) -> None:
    # aiosqlite leaves a thread behind that complains when it cannot open the file, so this one tries first.
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("synchronous = NORMAL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    # A deferred transaction that reads first and writes later fails at once when another process has
    # written in between, so writers take the lock from the start.
    writes = connection.get_execution_options().get("tenbou_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
