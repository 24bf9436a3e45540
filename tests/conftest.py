"""What the tests stand on: a store on each engine, and an evening at the club on a local Discord."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
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
from ratings.store.tables import metadata
from ratings.store.upgrade import revisions
from tests.club_evening import Evening
from tests.ledger_help import this_years_card

settings.register_profile("tenbou", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tenbou")

POSTGRES = os.environ.get("TENBOU_TEST_DATABASE_URL")
ENGINES = ["sqlite", *(["postgresql"] if POSTGRES else [])]


DATABASE = f"tenbou_test_{os.getpid()}"
made: list[str] = []
# Migrations take far longer than most tests, so they run once and what they made is copied.
templates: list[Path] = []
EMPTY_ALL = f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY CASCADE"


@asynccontextmanager
async def fresh_database(engine: str, folder: Path, *, bare: bool = False) -> AsyncIterator[str]:
    """The address of a database without a row; a `bare` one has no tables either. On PostgreSQL it is one and the
    same, emptied for each test."""
    if engine == "sqlite":
        path = folder / f"{uuid.uuid4().hex}.db"
        if not bare:
            shutil.copy(await _template(), path)
        yield f"sqlite+aiosqlite:///{path}"
        return
    address = await _own_database()
    if bare or not await _emptied(address):
        await _run(address, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
        if not bare:
            await (await Store.open(address)).close()
    yield address


async def _template() -> Path:
    if not templates:
        path = Path(tempfile.mkdtemp()) / "template.db"
        await (await Store.open(f"sqlite+aiosqlite:///{path}")).close()
        templates.append(path)
    return templates[0]


async def _emptied(address: str) -> bool:
    """Empty the tables of a database that has exactly those of this program."""
    server = create_async_engine(async_url(address), poolclass=sa.NullPool)
    try:
        async with server.begin() as connection:
            version = await connection.execute(sa.text("SELECT version_num FROM alembic_version"))
            if version.scalar() != revisions()[-1]:
                return False
            await connection.execute(sa.text(EMPTY_ALL))
    except sa.exc.DBAPIError:
        return False
    return True


async def _own_database() -> str:
    assert POSTGRES is not None
    if not made:
        await _run(POSTGRES, f"CREATE DATABASE {DATABASE}")
        made.append(DATABASE)
    return async_url(POSTGRES).set(database=DATABASE).render_as_string(hide_password=False)


async def _run(address: str, *statements: str) -> None:
    server = create_async_engine(async_url(address), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    async with server.connect() as connection:
        for statement in statements:
            await connection.execute(sa.text(statement))


def pytest_sessionfinish() -> None:
    """Leave no database behind."""
    for template in templates:
        shutil.rmtree(template.parent)
    if POSTGRES is not None:
        asyncio.run(_run(POSTGRES, f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)"))


@pytest.fixture(params=ENGINES)
def engine_name(request: pytest.FixtureRequest) -> str:
    """Each engine there is a server for; SQLite always."""
    return str(request.param)


@pytest.fixture
async def database(engine_name: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database without a row."""
    async with fresh_database(engine_name, tmp_path) as address:
        yield address


@pytest.fixture
async def bare_database(engine_name: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database without a table."""
    async with fresh_database(engine_name, tmp_path, bare=True) as address:
        yield address


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """An open store with nothing in it."""
    opened = await Store.open(database)
    yield opened
    await opened.close()


@pytest.fixture
async def lines(store: Store) -> dict[str, int]:
    """The ids of the lines of the club's card, by name; 2026 is the year of the card."""
    return await this_years_card(store)


@pytest.fixture
async def evening_on_each_engine(database: str) -> AsyncIterator[Evening]:
    """The same evening on each engine there is a server for."""
    async with Evening.begin(database) as club:
        yield club


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """A club on a local Discord with the bot connected to it, on SQLite."""
    async with fresh_database("sqlite", tmp_path) as address, Evening.begin(address) as club:
        yield club
