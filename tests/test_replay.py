"""The replay: figures that somebody tampered with are found and put right, club by club, while games go on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from bot import replay
from bot.exits import ExitCode, Stop
from ratings import ledger
from ratings.models import SystemName
from ratings.store import Store
from ratings.store.tables import outcomes, players, standings
from tests.benchmarks.history import forget_figures
from tests.correcting import derived
from tests.ledger_help import GUILD, NEIGHBOURS, another, approve, everything, submit
from tests.replay_help import TAMPERED_RATING, Interfering, one_of, play_season, replayed, tamper_rating

Tampering = Callable[[sa.Connection, list[int]], None]


def of(connection: sa.Connection, name: str, system: SystemName) -> sa.ColumnElement[bool]:
    """The standing of somebody."""
    known = sa.select(players.c.id).where(players.c.name == name, players.c.guild_id == GUILD)
    return sa.and_(standings.c.player_id == connection.execute(known).scalar_one(), standings.c.system == system)


def tamper_place(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(outcomes).where(one_of(ids[4], 0)).values(place=4))


def tamper_hand(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(outcomes).where(one_of(ids[5], 0)).values(points=31))


def lose_a_row(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.delete(outcomes).where(one_of(ids[1], 2)))


def lose_a_game(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.delete(outcomes).where(outcomes.c.game_id == ids[3]))


def add_a_row(connection: sa.Connection, ids: list[int]) -> None:
    ann = sa.select(players.c.id).where(players.c.name == "Ann").scalar_subquery()
    connection.execute(sa.insert(outcomes).values(game_id=ids[1], seat=4, player_id=ann, place=5))


def keep_a_voided_game(connection: sa.Connection, ids: list[int]) -> None:
    ann = sa.select(players.c.id).where(players.c.name == "Ann").scalar_subquery()
    row = {"game_id": ids[6], "seat": 0, "player_id": ann, "place": 1, "final_points": 50000}
    connection.execute(sa.insert(outcomes).values(row))


def tamper_standing(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(standings).where(of(connection, "Ann", SystemName.TENHOU_3P)).values(rank=19))


def lose_a_standing(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.delete(standings).where(of(connection, "Борис", SystemName.NMJL)))


def add_a_standing(connection: sa.Connection, ids: list[int]) -> None:
    player = connection.execute(sa.select(players.c.id).where(players.c.name == "Kai")).scalar_one()
    row = {"guild_id": GUILD, "system": SystemName.NMJL, "player_id": player}
    connection.execute(sa.insert(standings).values(**row, rank=0, points=8, rating=1.5, games=2))


TAMPERED: dict[Tampering, str] = {
    tamper_rating: TAMPERED_RATING,
    tamper_place: "game #5, East (Ann), place: stored 4, replayed 1",
    tamper_hand: "game #6, Ann, points: stored 31, replayed ",
    lose_a_row: "game #2, West (千秋), final_points: stored nothing, replayed 10000",
    lose_a_game: "game #4, West (千秋), place: stored nothing, replayed 3",
    add_a_row: "game #2, seat 5 (Ann), place: stored 5, replayed nothing",
    keep_a_voided_game: "game #7, East (Ann), final_points: stored 50000, replayed nothing",
    tamper_standing: "tenhou-3p, rank: stored 19, replayed 1",
    lose_a_standing: "nmjl, games: stored nothing, replayed 1",
    add_a_standing: "nmjl, points: stored 8, replayed nothing",
}


@pytest.fixture
async def season(store: Store, lines: dict[str, int]) -> list[int]:
    """The games' ids of a club with a few games of each kind."""
    return await play_season(store, lines)


@pytest.mark.parametrize("tampering", TAMPERED)
async def test_a_figure_that_was_tampered_with_is_found_and_put_right(
    store: Store,
    database: str,
    season: list[int],
    capsys: pytest.CaptureFixture[str],
    tampering: Tampering,
) -> None:
    right = await derived(store)
    await store.write(tampering, season)
    wrong = await everything(store)
    assert {name: wrong[name] for name in right} != right
    assert await replayed(database, check=True) == ExitCode.FAILURE
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said[:-1] if line.startswith(f"club {GUILD}: ") and TAMPERED[tampering] in line]
    assert said[-1].startswith(f"club {GUILD}: 6 games replayed; figures of ")
    assert said[-1].endswith(" differ.")
    assert await everything(store) == wrong
    assert await replayed(database) == ExitCode.OK
    assert capsys.readouterr().out.endswith(" were put right.\n")
    assert await derived(store) == right
    assert await replayed(database, check=True) == ExitCode.OK
    clean = f"club {GUILD}: 6 games replayed, every stored figure is what they give.\n"
    assert capsys.readouterr().out == clean


async def test_a_clean_club_is_left_alone(
    store: Store, database: str, season: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    before = await everything(store)
    assert await replayed(database) == ExitCode.OK
    assert "every stored figure is what they give" in capsys.readouterr().out
    assert await everything(store) == before


async def test_all_that_is_derived_can_be_dropped(store: Store, database: str, season: list[int]) -> None:
    right = await derived(store)
    await store.write(forget_figures)
    assert await replayed(database) == ExitCode.OK
    assert await derived(store) == right


async def test_one_club_is_replayed_and_its_neighbours_are_not(
    store: Store, database: str, season: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = await approve(store, await submit(store, guild=NEIGHBOURS))
    right = await derived(store)
    await store.write(tamper_rating, season)
    await store.write(tamper_rating, [theirs.id])
    assert await replayed(database, one=GUILD) == ExitCode.OK
    assert str(NEIGHBOURS) not in capsys.readouterr().out
    assert await replayed(database, one=GUILD, check=True) == ExitCode.OK
    assert await replayed(database, check=True) == ExitCode.FAILURE
    lines = capsys.readouterr().out.splitlines()
    assert f"club {NEIGHBOURS}: 1 game replayed; figures of 1 game and 0 standings differ." in lines
    await replayed(database)
    assert await derived(store) == right


async def test_a_club_nobody_knows(store: Store, database: str, season: list[int]) -> None:
    with pytest.raises(Stop, match="no club 4711 in this database") as stop:
        await replayed(database, one=4711)
    assert stop.value.code == ExitCode.UNKNOWN_CLUB


async def test_a_database_without_clubs(store: Store, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await replayed(database, check=True) == ExitCode.OK
    assert capsys.readouterr().out == "There is no club in this database yet.\n"


async def test_pending_games_of_whoever_moved_are_drawn_again(
    store: Store, database: str, season: list[int]
) -> None:
    await submit(store)
    before = await everything(store)
    await store.write(tamper_standing, season)
    await replayed(database)
    after = await everything(store)
    assert len(after["outbox"]) == len(before["outbox"]) + 1
    assert {name for name in after if after[name] != before[name]} == {"outbox", "memos"}


@pytest.mark.parametrize("times", range(replay.ATTEMPTS + 1))
async def test_games_are_decided_meanwhile(
    store: Store, database: str, season: list[int], monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    await store.write(tamper_rating, season)
    async with another(database) as bots:

        async def play() -> None:
            await approve(bots, await submit(bots))

        interfering = Interfering(monkeypatch, times, play)
        assert await replayed(database) == ExitCode.OK
    assert interfering.looks == times + 1
    monkeypatch.undo()
    assert await replayed(database, check=True) == ExitCode.OK
    assert len((await derived(store))["outcomes"]) == 23 + 4 * times


async def test_a_restless_club_is_not_held_up_by_the_bot(
    store: Store, season: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.write(tamper_rating, season)

    async def play() -> None:
        await approve(store, await submit(store))

    Interfering(monkeypatch, 1_000, play)
    with pytest.raises(ledger.Stale):
        await replay.put_right(store, GUILD)
