"""PostgreSQL through asyncpg."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

__all__ = ["Postgres"]

T = TypeVar("T")


class Postgres:
    """A PostgreSQL database and a pool of connections to it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writes: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: sa.URL) -> Postgres:
        """A pool for the server that `url` names; connections are made when they are needed."""
        return cls(create_async_engine(url, pool_pre_ping=True))

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction that sees one moment of the database."""
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin():
                return await connection.run_sync(work)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction that goes on even if whoever asked for it stops waiting."""
        task = asyncio.create_task(self._transact(work))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    async def _transact(self, work: Callable[[sa.Connection], T]) -> T:
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Finish the writes that have begun, then close."""
        if self._writes:
            await asyncio.gather(*self._writes, return_exceptions=True)
        await self._engine.dispose()
