"""Club files of earlier and later programs, and of no program at all."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.archiving import run_import
from bot.config import Config
from bot.exits import ExitCode, Stop
from ratings import ledger
from ratings.archive import BadArchive, Loaded, NewerArchive, parse, read_club, write_club
from ratings.archive.shape import FACTS
from ratings.store import Store
from ratings.store.tables import games, outcomes, players, seats, standings
from ratings.store.upgrade import revisions
from ratings.tournaments import edits
from tests.club_evening import Evening
from tests.club_story import live
from tests.ledger_help import EMI, GUILD, NEIGHBOURS, NOW, count, everything
from tests.test_large_clubs import bring

FILES = {
    path.name: path.read_bytes() for path in sorted((Path(__file__).parent / "vectors").glob("club_*.json.gz"))
}
# What the games of the frozen files come to: name, system, rank, points, rating, games.
FIGURES: set[tuple[Any, ...]] = {
    ("Ann", "nmjl", 0, 120, 1038.0, 2),
    ("Борис", "nmjl", 0, 0, 984.6666666666666, 2),
    ("千秋", "nmjl", 0, 0, 997.3333333333334, 2),
    ("Dora", "nmjl", 0, 0, 997.3333333333334, 2),
    ("Ann", "tenhou-3p", 1, 0, 1530.0, 1),
    ("Борис", "tenhou-3p", 0, 0, 1500.0, 1),
    ("千秋", "tenhou-3p", 0, 0, 1470.0, 1),
    ("Ann", "tenhou-4p", 3, 0, 1577.94, 3),
    ("Борис", "tenhou-4p", 1, 0, 1529.78, 2),
    ("千秋", "tenhou-4p", 0, 15, 1500.23, 2),
    ("Dora", "tenhou-4p", 0, 0, 1412.48, 3),
    ("Emi", "tenhou-4p", 0, 0, 1480.34, 2),
}


async def load(store: Store, told: Any) -> Loaded:
    """Read a file into an empty club."""
    return await store.rewrite(read_club, NEIGHBOURS, told, EMI, 55, NOW)


async def written(store: Store) -> Any:
    """The file of a club that has lived."""
    await live(store)
    return parse(await store.read(write_club, GUILD, NOW))


def _figures(connection: sa.Connection) -> set[tuple[Any, ...]]:
    query = sa.select(players.c.name, *list(standings.c)[1:2], *list(standings.c)[3:])
    mine = query.join(players, players.c.id == standings.c.player_id).where(standings.c.guild_id == NEIGHBOURS)
    return {tuple(row) for row in connection.execute(mine)}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
async def test_files_of_earlier_programs_are_read_for_ever(store: Store, data: bytes) -> None:
    told = parse(data)
    assert all(len(rows) > 1 for rows in told["facts"].values())
    assert await load(store, told) == Loaded(games=10, tournaments=2, players=24, same_figures=True)
    assert await store.read(_figures) == FIGURES
    plan = await store.read(ledger.plan_replay, NEIGHBOURS)
    assert (plan.rows, plan.cleared, plan.moves) == ([], [], [])
    kept = parse(await store.read(write_club, NEIGHBOURS, NOW))["facts"]
    # The settings of the server that it comes to are put back behind its own.
    more = {"settings_changes": 1}
    assert {name: len(rows) for name, rows in kept.items()} == {
        name: len(rows) + more.get(name, 0) for name, rows in told["facts"].items()
    }


def test_there_is_a_file_of_a_released_schema() -> None:
    assert "club_0004.json.gz" in FILES


async def test_a_file_of_today_has_something_of_each_table(store: Store) -> None:
    told = await written(store)
    assert told["schema"] == revisions()[-1]
    assert {name: len(rows) > 1 for name, rows in told["facts"].items()} == {table.name: True for table in FACTS}
    assert (await load(store, told)).same_figures


async def test_what_an_earlier_schema_did_not_have_is_filled_in(store: Store) -> None:
    told = await written(store)
    told["schema"] = "0003"
    del told["facts"]["ladder_bans"]
    assert told["facts"]["seats"][0][4:] == ("chips",)
    told["facts"]["seats"] = [row[:4] for row in told["facts"]["seats"]]
    assert (await load(store, told)).same_figures
    chips = sa.select(seats.c.chips).join(games).where(games.c.guild_id == NEIGHBOURS)
    assert set(await store.read(lambda connection: connection.execute(chips).scalars().all())) == {None}


async def test_a_column_with_a_default_gets_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    told = await written(store)
    place = told["facts"]["games"][0].index("sticks")
    told["facts"]["games"] = [row[:place] + row[place + 1 :] for row in told["facts"]["games"]]
    with pytest.raises(BadArchive, match="no column sticks of games"):
        await load(store, told)
    monkeypatch.setattr(games.c.sticks, "server_default", sa.DefaultClause("0"))
    assert (await load(store, told)).games == 10


async def test_columns_may_stand_in_another_order(store: Store) -> None:
    told = await written(store)
    told["facts"]["decisions"] = [row[::-1] for row in told["facts"]["decisions"]]
    assert (await load(store, told)).same_figures


STRANGE: dict[str, dict[str, Any]] = {
    "no schema": {"schema": None},
    "a schema that is none": {"schema": "four"},
    "a schema that never was": {"schema": "0000"},
    "no version": {"version": None},
    "a version that is none": {"version": True},
    "version 0": {"version": 0},
}


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE.keys())
async def test_a_file_that_does_not_say_what_it_is(store: Store, strange: dict[str, Any]) -> None:
    await refuses(store, await written(store) | strange)


async def refuses(store: Store, told: Any) -> BadArchive:
    """How a file is refused, of which nothing may be kept."""
    before = await everything(store)
    with pytest.raises(BadArchive) as refused:
        await load(store, told)
    assert await everything(store) == before
    return refused.value


async def test_unknown_columns_and_tables_are_refused(store: Store) -> None:
    told = await written(store)
    facts = told["facts"]
    rows = facts["accounts"]
    wider = [(*rows[0], "colour"), *((*row, "blue") for row in rows[1:])]
    twice = [(*row, row[0]) for row in rows]
    for spoiled in ({"accounts": wider}, {"accounts": twice}, {"colours": [("id",)]}):
        for schema in ("0004", "0003"):
            refused = await refuses(store, told | {"schema": schema, "facts": facts | spoiled})
            assert not isinstance(refused, NewerArchive)
    for missing in ("seats", "ladder_bans"):
        left = {name: rows for name, rows in facts.items() if name != missing}
        assert missing in str(await refuses(store, told | {"facts": left}))


NEWER: dict[str, dict[str, Any]] = {
    "a newer schema": {"schema": "0907"},
    "a newer version": {"version": 2, "schema": None},
}


@pytest.mark.parametrize("newer", NEWER.values(), ids=NEWER.keys())
async def test_a_file_of_a_newer_program_says_so(
    store: Store, database: str, tmp_path: Path, newer: dict[str, Any]
) -> None:
    told = await written(store) | newer | {"facts": {"colours": [["id"]]}}
    assert isinstance(await refuses(store, told), NewerArchive)
    path = tmp_path / "club.json.gz"
    path.write_text(json.dumps(told))
    with pytest.raises(Stop) as stopped:
        await run_import(Config(database_url=database), path, NEIGHBOURS)
    assert (stopped.value.code, str(stopped.value)) == (
        ExitCode.BAD_FILE,
        f"{path} was written by a newer Tenbou: update this one first. Nothing was imported.",
    )


async def test_discord_is_told_so_too(evening: Evening) -> None:
    told = json.loads(gzip.decompress(FILES["club_0004.json.gz"])) | {"schema": "0907"}
    answer = await bring(evening, json.dumps(told).encode())
    assert answer == "This file was written by a newer Tenbou: update me first. Nothing was imported."
    assert await count(evening.store, games) == 0


# By table and column, what reads as JSON but means nothing to whoever looks it up later.
NONSENSE = {
    "no JSON": ("tournament_changes", "facts", "nonsense"),
    "no object": ("tournament_changes", "facts", "[1]"),
    "no steps": ("tournament_changes", "facts", '{"country": 1}'),
    "too short a step": ("tournament_changes", "facts", '{"country": ["JP", "RU"]}'),
    "a number for a name": ("tournament_changes", "facts", '{"name": ["A", "B", 7]}'),
    "too deep": ("tournament_changes", "facts", "[" * 100_000),
    "an unknown deed": ("tournament_changes", "kind", "dance"),
    "an unknown offence": ("penalties", "offence", "sneeze"),
    "an unknown correction": ("corrections", "kind", "dance"),
    "a strange day": ("ranking_days", "day", "20261129"),
    "strange stages": ("tournaments", "stages", '[["many"]]'),
    "an unknown log": ("game_logs", "format", "mp3"),
    "no number": ("card_lines", "multiplier", float("inf")),
    "a telling of nothing": ("tournament_changes", "after", '{"lines": []}'),
    "half a telling": ("corrections", "after", '{"players": []}'),
}


@pytest.mark.parametrize(("table", "column", "value"), NONSENSE.values(), ids=NONSENSE.keys())
async def test_what_nobody_could_read_later_is_refused(store: Store, table: str, column: str, value: Any) -> None:
    told = await written(store)
    head, *rows = told["facts"][table]
    at = head.index(column)
    spoilt = next(number for number, row in reversed(list(enumerate(rows))) if row[at] is not None)
    rows[spoilt] = (*rows[spoilt][:at], value, *rows[spoilt][at + 1 :])
    told["facts"][table] = [head, *rows]
    await refuses(store, told)


async def test_what_was_told_of_players_comes_along(store: Store) -> None:
    await load(store, await written(store))
    renamed = sa.select(players.c.id, players.c.guild_id).where(players.c.name == "Игрок 2")
    found = {
        row.guild_id: row.id for row in await store.read(lambda connection: connection.execute(renamed).all())
    }
    told = [
        [(change.kind, change.by, change.at, change.reason, change.facts) for change in changes]
        for changes in [await store.read(edits.trail, guild, player) for guild, player in sorted(found.items())]
    ]
    assert told[0] == told[1]
    assert len(told[0]) == 3


async def test_places_and_points_come_along(store: Store) -> None:
    await load(store, await written(store))
    kept = sa.select(games.c.guild_id, games.c.number, *list(outcomes.c)[1:2], *list(outcomes.c)[3:])
    query = kept.join(games, games.c.id == outcomes.c.game_id)
    rows = await store.read(lambda connection: connection.execute(query).all())
    mine, theirs = ({tuple(row)[1:] for row in rows if row.guild_id == guild} for guild in (GUILD, NEIGHBOURS))
    assert mine == theirs != set()
