"""Stored figures that belong nowhere: the replay tells of them, takes them away, and goes on to the next club."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from bot import replay
from bot.exits import ExitCode
from ratings.models import SystemName
from ratings.store import Store
from ratings.store.tables import outcomes, players, standings
from tests.breaking import execute
from tests.correcting import derived
from tests.ledger_help import GUILD, NEIGHBOURS, approve, submit
from tests.replay_help import replayed

FIGURES = {"rank": 3, "points": 7, "rating": 1500.5, "games": 2}
NOWHERE = 4_711


async def put_in(store: Store, system: str, *, guild: int = GUILD, of: int = GUILD) -> int:
    """Write a standing in a club by hand, for somebody of the club `of`; whose it is."""
    someone = sa.select(sa.func.min(players.c.id)).where(players.c.guild_id == of)
    player = await store.read(_scalar, someone)
    row = {"guild_id": guild, "system": system, "player_id": player, **FIGURES}
    await store.write(execute, sa.insert(standings).values(row))
    return player


def _scalar(connection: sa.Connection, query: sa.Select[int]) -> int:
    return connection.execute(query).scalar_one()


@pytest.fixture
async def right(store: Store) -> object:
    """The figures of two clubs with a game each."""
    for guild in (GUILD, NEIGHBOURS):
        await approve(store, await submit(store, guild=guild))
    return await derived(store)


async def test_a_standing_of_somebody_of_another_club(
    store: Store, database: str, right: object, capsys: pytest.CaptureFixture[str]
) -> None:
    player = await put_in(store, SystemName.TENHOU_4P, of=NEIGHBOURS)
    assert await replayed(database, check=True) == ExitCode.FAILURE
    said = capsys.readouterr().out.splitlines()
    assert (
        f"club {GUILD}: a former member (player {player}), tenhou-4p, points: stored 7, replayed nothing" in said
    )
    assert said[-1] == f"club {NEIGHBOURS}: 1 game replayed, every stored figure is what they give."
    assert await replayed(database) == ExitCode.OK
    assert await derived(store) == right


async def test_a_standing_in_a_system_that_there_is_not(
    store: Store, database: str, right: object, capsys: pytest.CaptureFixture[str]
) -> None:
    player = await put_in(store, "tenhou-5p")
    assert await replayed(database, check=True) == ExitCode.FAILURE
    said = capsys.readouterr().out.splitlines()
    assert f"club {GUILD}: Ann (player {player}), tenhou-5p, rating: stored 1500.5, replayed nothing" in said
    assert f"club {GUILD}: 1 game replayed; figures of 0 games and 1 standing differ." in said
    assert await replayed(database, one=GUILD) == ExitCode.OK
    assert await derived(store) == right
    assert await replayed(database, check=True) == ExitCode.OK


async def test_the_bot_puts_it_right_too(store: Store, right: object) -> None:
    await put_in(store, "tenhou-5p")
    found = await replay.put_right(store, GUILD, None, 10)
    assert [difference.figure for difference in found.first] == ["rank", "points", "rating", "games"]
    assert (found.clean, found.wrong) == (False, (0, 1))
    assert await derived(store) == right


async def test_rows_of_a_game_that_there_is_not(
    store: Store, database: str, right: object, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"game_id": NOWHERE, "seat": seat, "player_id": 1} for seat in range(3)]
    await store.write(execute, sa.insert(outcomes).values(rows))
    wrong = await derived(store)
    assert await replayed(database, check=True) == ExitCode.FAILURE
    told = "no club: 3 rows of a game that is not there (id 4711)"
    assert capsys.readouterr().out.splitlines()[-1] == f"{told}."
    assert await derived(store) == wrong
    assert await replayed(database, one=GUILD) == ExitCode.OK
    assert await derived(store) == wrong
    capsys.readouterr()
    assert await replayed(database) == ExitCode.OK
    assert capsys.readouterr().out.splitlines()[-1] == f"{told}, taken away."
    assert await derived(store) == right
    assert await replayed(database, check=True) == ExitCode.OK


async def test_standings_of_a_club_that_there_is_not(
    store: Store, database: str, right: object, capsys: pytest.CaptureFixture[str]
) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("PostgreSQL never stores one")
    await store._database.remodel(_put_in_nowhere)
    assert await replayed(database, check=True) == ExitCode.FAILURE
    assert capsys.readouterr().out.endswith("no club: 1 standing of a club that is not there (id 4711).\n")
    assert await replayed(database) == ExitCode.OK
    assert await derived(store) == right


def _put_in_nowhere(connection: sa.Connection) -> None:
    row = {"guild_id": NOWHERE, "system": SystemName.NMJL, "player_id": 1, **FIGURES}
    connection.execute(sa.insert(standings).values(row))
