"""One door to the database: SQLite through aiosqlite, or PostgreSQL through asyncpg.

Work is a plain function that takes a connection first. `Store.read` and `Store.write` run it in one
transaction; a write is never torn, even if whoever asked for it stops waiting.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ratings.store.sqlite import Sqlite
from ratings.store.upgrade import StoreTooNew, upgrade

__all__ = ["Store", "StoreTooNew", "StoreUnreachable", "async_url"]

P = ParamSpec("P")
T = TypeVar("T")

# What may follow the ? of an address, once sslmode has become ssl.
OPTIONS = {"postgresql": {"host", "port", "prepared_statement_cache_size", "ssl"}, "sqlite": set[str]()}


class StoreUnreachable(Exception):
    """The database could not be opened; the message is for the operator."""


class Database(Protocol):
    """What an engine does for the store."""

    async def read(self, work: Callable[[sa.Connection], T]) -> T: ...
    async def study(self, work: Callable[[sa.Connection], T]) -> T: ...
    async def write(self, work: Callable[[sa.Connection], T]) -> T: ...
    async def rewrite(self, work: Callable[[sa.Connection], T]) -> T: ...
    async def remodel(self, work: Callable[[sa.Connection], T]) -> T: ...
    async def close(self) -> None: ...


def async_url(text: str) -> sa.URL:
    """Turn a database address as hosts hand it out into one with the driver Tenbou uses.

    `postgres://` and `postgresql://` get asyncpg, `sqlite://` gets aiosqlite. Raises ValueError when the
    address is of neither kind, names no file, or has an option that cannot be passed on.
    """
    try:
        url = sa.make_url(text)
    except (sa.exc.ArgumentError, ValueError):
        raise ValueError("it is not a database address") from None
    backend = url.get_backend_name()
    if backend in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+asyncpg")
        # Hosts add channel_binding for libpq; asyncpg does without.
        mode = url.query.get("sslmode")
        url = url.difference_update_query(["sslmode", "channel_binding"])
        if mode:
            url = url.update_query_dict({"ssl": mode})
    elif backend == "sqlite":
        if url.database in (None, "", ":memory:"):
            raise ValueError("an SQLite address must name a file, like sqlite+aiosqlite:///tenbou.db")
        url = url.set(drivername="sqlite+aiosqlite")
    else:
        raise ValueError(f"{backend} is not supported; use sqlite+aiosqlite:/// or postgresql://")
    if strange := sorted(set(url.query) - OPTIONS[url.get_backend_name()]):
        raise ValueError(f"its option {strange[0]} is not supported; leave it out")
    return url


class Store:
    """The club's database, opened and brought up to date."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    async def open(cls, address: str) -> Store:
        """Open the database at `address` and run the migrations it lacks.

        Raises ValueError for an address of an unknown kind, StoreUnreachable when it cannot be opened,
        StoreTooNew when it was written by a newer program.
        """
        url = async_url(address)
        store = None
        try:
            store = cls(await _open(url))
            await store._database.remodel(upgrade)
        except BaseException as error:
            if store is not None:
                await store.close()
            if isinstance(error, (DBAPIError, sqlite3.Error, OSError, OverflowError)):
                cause = error.orig if isinstance(error, DBAPIError) else error
                raise StoreUnreachable(str(cause)) from error
            raise
        return store

    async def read(self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(connection, ...)` in one read transaction and return its result.

        All its queries see the database as it was at the first of them.
        """
        return await self._database.read(_bound(work, *args, **kwargs))

    async def study(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do as `read` does, for work that takes seconds: on a connection and in a thread of its own, so that
        neither the event loop nor another reader waits for it."""
        return await self._database.study(_bound(work, *args, **kwargs))

    async def write(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work(connection, ...)` in one write transaction: all of it is kept, or none.

        Once begun it is finished even if the caller is cancelled meanwhile.
        """
        return await self._database.write(_bound(work, *args, **kwargs))

    async def rewrite(
        self, work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do as `write` does, for work that takes seconds: in a thread of its own, so that the event loop goes on
        meanwhile."""
        return await self._database.rewrite(_bound(work, *args, **kwargs))

    async def close(self) -> None:
        """Finish the writes that have begun, then close every connection."""
        await self._database.close()


async def _open(url: sa.URL) -> Database:
    if url.get_backend_name() == "sqlite":
        return await Sqlite.open(url)
    # Imported here: asyncpg and SQLAlchemy's asyncio layer cost memory that an SQLite club need not pay.
    from ratings.store.postgres import Postgres

    return await Postgres.open(url)


def _bound(
    work: Callable[Concatenate[sa.Connection, P], T], *args: P.args, **kwargs: P.kwargs
) -> Callable[[sa.Connection], T]:
    return lambda connection: work(connection, *args, **kwargs)
