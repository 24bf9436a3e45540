"""SQLite through aiosqlite: each connection has a thread, and whole transactions run inside of it.

aiosqlite hands every statement to the connection's thread and waits for it. Twenty statements would be twenty
waits, so a transaction goes there in one piece, written against SQLAlchemy's ordinary connection.
"""

from __future__ import annotations

import asyncio
import functools
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar

import aiosqlite
import sqlalchemy as sa

__all__ = ["Sqlite"]

T = TypeVar("T")

BUSY_SECONDS = 30
READERS = 2
# The writer itself moves its log into the file only when nobody else did for long: it would have to wait.
# What is deleted is overwritten: a name that was forgotten must not be found in the file.
PRAGMAS = ("synchronous = NORMAL", "foreign_keys = ON", "wal_autocheckpoint = 20000", "secure_delete = ON")
CHECKPOINT_EVERY = 100  # write transactions


class Sqlite:
    """An SQLite file: one connection that writes, a few that read at the same time."""

    def __init__(self, url: sa.URL, writer: _Lane, readers: list[_Lane]) -> None:
        self._url = url
        self._writer = writer
        self._readers = readers
        self._studies: list[_Lane] = []
        self._idle: list[_Lane] = []
        self._closed = False
        self._writes = 0
        self._checkpoint: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: sa.URL) -> Sqlite:
        """Open the file that `url` names. Raises sqlite3.Error or OSError when that is not possible."""
        await asyncio.to_thread(_try, url.database or "")
        lanes: list[_Lane] = []
        try:
            # A deferred transaction that reads first and writes later fails at once when another process has
            # written in between, so the writer takes the lock from the start.
            for begin in ("BEGIN IMMEDIATE", *["BEGIN"] * READERS):
                lanes.append(await _Lane.open(url, begin))
        except BaseException:
            for lane in lanes:
                await lane.close()
            raise
        return cls(url, lanes[0], lanes[1:])

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a read transaction on the reader with the least to do."""
        return await min(self._readers, key=lambda lane: lane.waiting).transact(work)

    async def study(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a read transaction on a connection that nobody else uses meanwhile."""
        if self._closed:
            raise sqlite3.ProgrammingError("the database is closed")
        if not self._idle:
            self._studies.append(await _Lane.open(self._url, "BEGIN"))
            self._idle.append(self._studies[-1])
        lane = self._idle.pop()
        try:
            return await lane.transact(work)
        finally:
            self._idle.append(lane)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a write transaction, after those that came before it."""
        result = await self._writer.transact(work)
        self._writes += 1
        if self._writes % CHECKPOINT_EVERY == 0:
            self._checkpoint = asyncio.create_task(self._readers[-1].checkpoint())
        return result

    async def rewrite(self, work: Callable[[sa.Connection], T]) -> T:
        """The same, however long it takes: the writer has a thread of its own."""
        return await self.write(work)

    async def remodel(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work`, which may put new tables in place of old ones: foreign keys are not enforced meanwhile."""
        await self._writer.tell("PRAGMA foreign_keys = OFF")
        try:
            return await self._writer.transact(work)
        finally:
            await self._writer.tell("PRAGMA foreign_keys = ON")

    async def close(self) -> None:
        """Finish what has been asked for, then close."""
        self._closed = True
        if self._checkpoint is not None:
            await asyncio.gather(self._checkpoint, return_exceptions=True)
        for lane in (self._writer, *self._readers):
            await lane.close()
        while self._studies:
            await self._studies.pop().close()


class _Lane:
    """A connection and its thread."""

    def __init__(self, connection: aiosqlite.Connection, begin: str) -> None:
        self.waiting = 0
        self._connection = connection
        self._engine = sa.create_engine("sqlite://", creator=lambda: connection._conn, poolclass=sa.StaticPool)
        sa.event.listen(self._engine, "begin", functools.partial(_begin, begin))

    @classmethod
    async def open(cls, url: sa.URL, begin: str) -> _Lane:
        connection = await aiosqlite.connect(url.database or "", isolation_level=None, timeout=BUSY_SECONDS)
        try:
            for pragma in PRAGMAS:
                await connection.execute_fetchall(f"PRAGMA {pragma}")
        except BaseException:
            await connection.close()
            raise
        return cls(connection, begin)

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        self.waiting += 1
        try:
            # Once handed over it runs to its end, whether or not anybody still waits for it.
            result: T = await self._connection._execute(self._run, work)  # type: ignore[no-untyped-call]
        finally:
            self.waiting -= 1
        return result

    async def checkpoint(self) -> None:
        """Move what the log holds into the file as far as no reader needs it, keeping no writer waiting."""
        await self.tell("PRAGMA wal_checkpoint(PASSIVE)")

    async def tell(self, statement: str) -> None:
        """Run a statement outside of any transaction."""
        await self._connection.execute_fetchall(statement)

    def _run(self, work: Callable[[sa.Connection], T]) -> T:
        with self._engine.connect() as connection, connection.begin():
            return work(connection)

    async def close(self) -> None:
        await self._connection.close()


def _try(path: str) -> None:
    # aiosqlite leaves a thread behind that complains when it cannot open the file, so this one goes first.
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                # SQLite does not wait by itself when another process changes the mode at the same moment.
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(0.01)


def _begin(statement: str, connection: sa.Connection) -> Any:
    connection.exec_driver_sql(statement)
