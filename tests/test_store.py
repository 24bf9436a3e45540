"""The store: addresses, migrations, transactions, and what is kept when something breaks off."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import IntegrityError

from ratings import club
from ratings.store import Store, StoreTooNew, StoreUnreachable, memos, upgrade
from ratings.store.engine import async_url
from ratings.store.tables import games, metadata
from tests.breaking import execute, foreign_keys_hold
from tests.ledger_help import ANN, GUILD, NOW, Gate, another, approve, at_gate, everything, paused, submit
from tests.processes import killed_when_it_says


@pytest.mark.parametrize(
    ("text", "driver", "rendered"),
    [
        ("postgres://u:p@host/club", "postgresql+asyncpg", "postgresql+asyncpg://u:p@host/club"),
        ("postgresql://host:5433/club", "postgresql+asyncpg", "postgresql+asyncpg://host:5433/club"),
        ("postgresql+psycopg2://host/club", "postgresql+asyncpg", "postgresql+asyncpg://host/club"),
        ("postgresql+asyncpg://host/club", "postgresql+asyncpg", "postgresql+asyncpg://host/club"),
        (
            "postgresql://host/club?sslmode=require",
            "postgresql+asyncpg",
            "postgresql+asyncpg://host/club?ssl=require",
        ),
        ("sqlite:///club.db", "sqlite+aiosqlite", "sqlite+aiosqlite:///club.db"),
        ("sqlite:////var/club.db", "sqlite+aiosqlite", "sqlite+aiosqlite:////var/club.db"),
        ("sqlite+aiosqlite:///club.db", "sqlite+aiosqlite", "sqlite+aiosqlite:///club.db"),
    ],
)
def test_an_address_gets_the_driver_of_its_engine(text: str, driver: str, rendered: str) -> None:
    url = async_url(text)
    assert url.drivername == driver
    assert url.render_as_string(hide_password=False) == rendered


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not a database address"),
        ("club.db", "not a database address"),
        ("postgresql://host:door/club", "not a database address"),
        ("mysql://host/club", "mysql is not supported"),
        ("postgresql://host/club?sslmode=require&sslrootcert=here.pem", "option sslrootcert"),
        ("sqlite:///club.db?mode=ro", "option mode"),
        ("sqlite://", "must name a file"),
        ("sqlite+aiosqlite:///:memory:", "must name a file"),
    ],
)
async def test_an_address_that_cannot_be_used_is_refused_in_words(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        await Store.open(text)


@pytest.mark.parametrize(
    "address",
    [
        "sqlite:///{folder}/missing/club.db",
        "sqlite:///{folder}",
        "sqlite:///{folder}/notes.txt",
        "postgresql://nobody@127.0.0.1:1/club",
        "postgresql://nobody@127.0.0.1:70000/club",
    ],
)
async def test_a_database_that_cannot_be_opened_is_said_to_be_unreachable(tmp_path: Path, address: str) -> None:
    (tmp_path / "notes.txt").write_text("The players of the evening, none of them a database. " * 10)
    with pytest.raises(StoreUnreachable) as raised:
        await Store.open(address.format(folder=tmp_path))
    assert str(raised.value)


async def test_a_database_the_server_does_not_have_is_unreachable(database: str, tmp_path: Path) -> None:
    url = async_url(database)
    missing = f"{tmp_path}/no/club.db" if url.drivername.startswith("sqlite") else "tenbou_no_such_club"
    with pytest.raises(StoreUnreachable):
        await Store.open(url.set(database=missing).render_as_string(hide_password=False))


async def test_the_migrations_make_exactly_the_tables(store: Store) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, metadata))

    assert await store.read(differences) == []
    assert await store.read(_revision) == upgrade.revisions()[-1]


def _revision(connection: sa.Connection) -> str | None:
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


async def test_opening_again_changes_nothing(store: Store, database: str) -> None:
    await approve(store, await submit(store))
    before = await everything(store)
    async with another(database) as again:
        assert await everything(again) == before


async def test_a_database_of_a_newer_program_is_left_alone(store: Store, database: str) -> None:
    await approve(store, await submit(store))
    await store.write(execute, sa.text("UPDATE alembic_version SET version_num = '9999'"))
    before = await everything(store)
    with pytest.raises(StoreTooNew) as raised:
        await Store.open(database)
    assert (raised.value.found, raised.value.newest) == ("9999", upgrade.revisions()[-1])
    assert await everything(store) == before
    assert await store.read(_revision) == "9999"


async def test_a_migration_that_breaks_leaves_an_empty_database_empty(
    bare_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = upgrade._run_alembic

    def breaks_at_the_end(connection: sa.Connection) -> None:
        run(connection)
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(upgrade, "_run_alembic", breaks_at_the_end)
        with pytest.raises(RuntimeError):
            await Store.open(bare_database)

    tables: list[str] = []

    def looks_first(connection: sa.Connection) -> None:
        tables.extend(sa.inspect(connection).get_table_names())
        run(connection)

    monkeypatch.setattr(upgrade, "_run_alembic", looks_first)
    async with another(bare_database) as store:
        assert tables == []
        assert (await submit(store)).number == 1


async def test_several_processes_may_open_an_empty_database_at_once(bare_database: str) -> None:
    stores = await asyncio.gather(*(Store.open(bare_database) for _ in range(4)))
    try:
        assert [await store.read(_revision) for store in stores] == [upgrade.revisions()[-1]] * 4
        assert [(await submit(store)).number for store in stores] == [1, 2, 3, 4]
    finally:
        for store in stores:
            await store.close()


async def test_foreign_keys_are_enforced(store: Store) -> None:
    await submit(store)
    await foreign_keys_hold(store)


async def test_states_outside_the_lifecycle_are_refused(store: Store) -> None:
    await submit(store)
    for values in ({"state": "lost"}, {"ranked": 2}):
        with pytest.raises(IntegrityError):
            await store.write(execute, sa.update(games).values(values))


async def test_sqlite_keeps_every_table_strict(tmp_path: Path) -> None:
    def loose(connection: sa.Connection) -> list[str]:
        rows = connection.execute(sa.text("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'"))
        return sorted(name for name, strict in rows if not strict and not name.startswith("sqlite_"))

    async with another(f"sqlite:///{tmp_path}/club.db") as store:
        assert await store.read(loose) == ["alembic_version"]
        with pytest.raises(IntegrityError, match="cannot store TEXT value"):
            await store.write(execute, sa.text("INSERT INTO guilds (id, joined_at) VALUES (1, 'noon')"))


async def test_a_write_that_raises_keeps_nothing(store: Store) -> None:
    def breaks(connection: sa.Connection) -> None:
        club.lock(connection, GUILD, NOW)
        memos.memorise(connection, "name", "value")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await store.write(breaks)
    assert not any((await everything(store)).values())


async def test_a_reader_is_not_kept_waiting_by_a_long_write(store: Store) -> None:
    await store.write(memos.memorise, "table", "first")
    gate = Gate()
    writing = await at_gate(store.write(paused, gate, memos.memorise, "table", "second"), gate)
    assert await asyncio.wait_for(store.read(memos.recall, "table"), 5) == "first"
    assert not writing.done()
    gate.open()
    await writing
    assert await store.read(memos.recall, "table") == "second"


async def test_a_writer_is_not_kept_waiting_by_a_long_read(store: Store) -> None:
    gate = Gate()
    reading = await at_gate(store.read(paused, gate, memos.recall, "table"), gate)
    await asyncio.wait_for(store.write(memos.memorise, "table", "first"), 5)
    assert not reading.done()
    assert await asyncio.wait_for(store.read(memos.recall, "table"), 5) == "first"
    gate.open()
    assert await reading is None


async def test_all_queries_of_a_read_see_the_same_moment(store: Store) -> None:
    await store.write(memos.memorise, "table", "first")
    gate = Gate()

    def reads_twice(connection: sa.Connection) -> tuple[str | None, str | None]:
        return paused(connection, gate, memos.recall, "table"), memos.recall(connection, "table")

    reading = await at_gate(store.read(reads_twice), gate)
    await store.write(memos.memorise, "table", "second")
    gate.open()
    assert await reading == ("first", "first")
    assert await store.read(memos.recall, "table") == "second"


async def test_closing_waits_for_the_write_in_hand(store: Store, database: str) -> None:
    gate = Gate()
    writing = await at_gate(store.write(paused, gate, memos.memorise, "table", "kept"), gate)
    writing.cancel()
    closing = asyncio.create_task(store.close())
    done, _ = await asyncio.wait({closing}, timeout=0.05)
    assert not done
    gate.open()
    await closing
    async with another(database) as again:
        assert await again.read(memos.recall, "table") == "kept"


async def test_writes_that_wait_their_turn_are_all_kept(store: Store, database: str) -> None:
    def adds_one(connection: sa.Connection) -> None:
        club.lock(connection, GUILD, NOW)
        so_far = memos.recall(connection, "count")
        memos.memorise(connection, "count", str(int(so_far or 0) + 1))

    async with another(database) as other:
        await asyncio.gather(*(each.write(adds_one) for each in (store, other) for _ in range(15)))
    assert await store.read(memos.recall, "count") == "30"


KILLED = """
import asyncio, sys
from ratings import ledger
from ratings.models import Verdict
from ratings.store import Store
from tests.ledger_help import GUILD, KAI, NOW

def stops(connection, game_id):
    ledger.decide(connection, GUILD, game_id, Verdict.APPROVE, KAI, NOW)
    print("decided", flush=True)
    sys.stdin.read()

async def main():
    store = await Store.open(sys.argv[1])
    await store.write(stops, int(sys.argv[2]))

asyncio.run(main())
"""


async def test_a_process_killed_in_a_decision_leaves_everything_untouched(store: Store, database: str) -> None:
    game = await submit(store)
    before = await everything(store)
    await killed_when_it_says("decided", KILLED, database, str(game.id))
    assert await everything(store) == before
    await approve(store, game)
    assert await store.read(club.known_person, GUILD, ANN.discord_id) == ANN
