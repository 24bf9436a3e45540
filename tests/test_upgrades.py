"""Upgrades: a database of an earlier program is brought to the schema of this one, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.models import Standing
from ratings.queries import games as reading
from ratings.store import Store, StoreUnreachable, upgrade
from ratings.store.tables import games, outbox, outcomes
from tests.breaking import foreign_keys_hold
from tests.first_revision import LEFT, leave_behind, outcomes_left, what_is_there
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    american_figures,
    another,
    approve,
    count,
    everything,
    report,
    standing,
    submit,
)
from tests.twin_help import repeats

# The system and the approval of each game of the old club.
COUNTED = {
    1: ("tenhou-4p", 2),
    2: ("tenhou-3p", 1),
    3: (None, 6),
    4: ("nmjl", 4),
    5: ("tenhou-4p", 3),
    6: ("tenhou-4p", None),
    7: ("nmjl", 7),
    8: ("tenhou-4p", 8),
    9: ("tenhou-4p", None),
    10: ("nmjl", None),
    11: (None, None),
    12: ("tenhou-4p", None),
}


async def test_a_database_of_the_first_revision_is_brought_up_with_nothing_lost(bare_database: str) -> None:
    await leave_behind(bare_database)
    async with another(bare_database) as store:
        kept = {name: rows for name, rows in LEFT.items() if name not in ("placements", "changes")}
        # Which game a report repeats is found out whenever it is shown.
        kept["games"] = [{name: row[name] for name in row.keys() - {"duplicate_of"}} for row in kept["games"]]
        assert await store.read(what_is_there) == kept
        assert (await everything(store))["outcomes"] == sorted(outcomes_left(), key=repr)
        counted = await store.read(_rows, sa.select(games.c.id, games.c.system, games.c.approval_id))
        assert {game: tuple(rest) for game, *rest in counted} == COUNTED
        for game, (_, approval) in COUNTED.items():
            if approval is not None:
                assert await store.read(_explained, game) == [row for row in outcomes_left() if row[0] == game]
        await foreign_keys_hold(store)


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(query)]


def _explained(connection: sa.Connection, game_id: int) -> list[tuple[Any, ...]]:
    """What the ledger says today that a game did, as rows of `outcomes`."""
    guild = connection.execute(sa.select(games.c.guild_id).where(games.c.id == game_id)).scalar_one()
    game = reading.by_id(connection, guild, game_id)
    said = ledger.outcome(connection, guild, game)
    table = range(len(game.players))
    placed: list[Any] = [(None, None) for _ in table]
    if isinstance(said, ledger.RiichiOutcome):
        placed = list(zip(said.places, said.final_points, strict=True))
    moved: list[Any] = [(*step.before, *step.after[:3]) for step in said.steps] or [(None,) * 7 for _ in table]
    return [(game_id, seat, game.players[seat], *placed[seat], *moved[seat]) for seat in table]


async def test_the_ledger_goes_on_in_a_database_of_the_first_revision(bare_database: str) -> None:
    await leave_behind(bare_database)
    async with another(bare_database) as store:
        for game_id in (9, 10, 11):
            game = await approve(store, await store.read(reading.by_id, GUILD, game_id))
            assert game.approval == reading.Approval(game_id + 1, 3)
        # As the program of that time would have gone on.
        assert [await standing(store, person) for person in (CHIAKI, BORIS, EMI, ANN)] == [
            Standing(1, 0, 1520.434067696875, 2),
            Standing(1, 0, 1490.57811799375, 3),
            Standing(1, 0, 1509.826508321875, 2),
            Standing(2, 0, 1518.4110330937501, 3),
        ]
        assert await american_figures(store, EMI, DORA) == [
            Standing(0, 0, 962.9079006654217, 2),
            Standing(0, 100, 1067.9079006654217, 2),
        ]
        assert await count(store, outcomes) == len(outcomes_left()) + 4 + 2 + 3
        repeated = await submit(store, report(interaction_id=99))
        assert (repeated.number, repeated.id, repeats(repeated)) == (12, 13, 1)


@pytest.mark.parametrize("pruned", ["DELETE FROM outbox", "DELETE FROM outbox WHERE id = 37"])
async def test_an_upgrade_gives_no_id_out_twice(bare_database: str, pruned: str) -> None:
    await leave_behind(bare_database, pruned)
    async with another(bare_database) as store:
        game = await submit(store, report((39000, 31000, 20000, 10000), interaction_id=99))
        newest = sa.select(sa.func.max(outbox.c.id))
        assert (game.id, await store.read(_rows, newest)) == (13, [(38,)])


async def test_an_upgrade_that_breaks_leaves_the_database_at_its_revision(
    bare_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave_behind(bare_database)
    run = upgrade._run_alembic
    seen: list[object] = []

    def looks_first_and_breaks_at_the_end(connection: sa.Connection) -> None:
        revision = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        seen.append((revision, what_is_there(connection)))
        run(connection)
        raise RuntimeError

    monkeypatch.setattr(upgrade, "_run_alembic", looks_first_and_breaks_at_the_end)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await Store.open(bare_database)
    assert seen == [("0001", LEFT)] * 2


async def test_an_upgrade_finds_references_that_lead_nowhere(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/club.db"
    await leave_behind(database, "DELETE FROM games WHERE id = 12")
    for _ in range(2):
        with pytest.raises(StoreUnreachable, match="reference of"):
            await Store.open(database)
