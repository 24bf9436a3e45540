"""What the tests stand on: a store on each engine, and an evening at the club on a local Discord."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from sqlalchemy.ext.asyncio import create_async_engine

from ratings.store import Store
from ratings.store.engine import async_url
from tests.club_evening import Evening

settings.register_profile("tenbou", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tenbou")

POSTGRES = os.environ.get("TENBOU_TEST_DATABASE_URL")
ENGINES = ["sqlite", *(["postgresql"] if POSTGRES else [])]


@asynccontextmanager
async def fresh_database(engine: str, folder: Path) -> AsyncIterator[str]:
    """The address of an empty database, gone afterwards."""
    if engine == "sqlite":
        yield f"sqlite+aiosqlite:///{folder / f'{uuid.uuid4().hex}.db'}"
        return
    assert POSTGRES is not None
    name = f"tenbou_{uuid.uuid4().hex}"
    server = create_async_engine(async_url(POSTGRES), isolation_level="AUTOCOMMIT")
    try:
        async with server.connect() as connection:
            await connection.execute(sa.text(f"CREATE DATABASE {name}"))
        yield async_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
        async with server.connect() as connection:
            await connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        await server.dispose()


@pytest.fixture(params=ENGINES)
def engine_name(request: pytest.FixtureRequest) -> str:
    """Each engine there is a server for; SQLite always."""
    return str(request.param)


@pytest.fixture
async def database(engine_name: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of an empty database."""
    async with fresh_database(engine_name, tmp_path) as address:
        yield address


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """An open store with nothing in it."""
    opened = await Store.open(database)
    yield opened
    await opened.close()


@pytest.fixture
async def evening_on_each_engine(database: str) -> AsyncIterator[Evening]:
    """The same evening on each engine there is a server for."""
    async with Evening.begin(database) as club:
        yield club


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """A club on a local Discord with the bot connected to it, on SQLite."""
    async with Evening.begin(f"sqlite+aiosqlite:///{tmp_path / 'club.db'}") as club:
        yield club
