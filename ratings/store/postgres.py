"""PostgreSQL through asyncpg."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

__all__ = ["Postgres"]

T = TypeVar("T")

# How many long writes go on at the same time, those that wait for a club's turn among them: as many as the short
# ones have connections.
REWRITES = 15


class Postgres:
    """A PostgreSQL database and a pool of connections to it."""

    def __init__(self, url: sa.URL, readers: AsyncEngine, writers: AsyncEngine) -> None:
        self._url = url
        # Apart, so that writes which wait for a club's turn leave connections to those who only read.
        self._readers = readers
        self._writers = writers
        self._writes: set[asyncio.Task[Any]] = set()
        # Their own, so that those that wait take nobody's thread who studies or draws.
        self._threads = ThreadPoolExecutor(REWRITES, thread_name_prefix="rewrite")

    @classmethod
    async def open(cls, url: sa.URL) -> Postgres:
        """A pool for the server that `url` names; connections are made when they are needed."""
        return cls(url, *(create_async_engine(url, pool_pre_ping=True) for _ in range(2)))

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction that sees one moment of the database."""
        return await _read(self._readers, work)

    async def study(self, work: Callable[[sa.Connection], T]) -> T:
        """The same in a thread with an event loop of its own: `work` runs inside of the loop it is given."""
        return await asyncio.to_thread(asyncio.run, _study(self._url, work))

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction that goes on even if whoever asked for it stops waiting."""
        return await self._finished(_write(self._writers, work))

    async def rewrite(self, work: Callable[[sa.Connection], T]) -> T:
        """The same in a thread with an event loop of its own: `work` runs inside of the loop it is given."""
        return await self._finished(self._apart(work))

    async def remodel(self, work: Callable[[sa.Connection], T]) -> T:
        """The same for a change of the schema; PostgreSQL needs nothing else."""
        return await self.write(work)

    async def _finished(self, writing: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(writing)
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    async def _apart(self, work: Callable[[sa.Connection], T]) -> T:
        running = asyncio.get_running_loop().run_in_executor
        return await running(self._threads, lambda: asyncio.run(_rewrite(self._url, work)))

    async def close(self) -> None:
        """Finish the writes that have begun, then close."""
        if self._writes:
            await asyncio.gather(*self._writes, return_exceptions=True)
        self._threads.shutdown()
        await self._readers.dispose()
        await self._writers.dispose()


async def _read(engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        async with connection.begin():
            return await connection.run_sync(work)


async def _write(engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
    async with engine.begin() as connection:
        return await connection.run_sync(work)


async def _study(url: sa.URL, work: Callable[[sa.Connection], T]) -> T:
    return await _read(_of_its_own(url), work)


async def _rewrite(url: sa.URL, work: Callable[[sa.Connection], T]) -> T:
    return await _write(_of_its_own(url), work)


def _of_its_own(url: sa.URL) -> AsyncEngine:
    return create_async_engine(url, poolclass=sa.NullPool)
