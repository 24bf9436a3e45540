"""What the tests of tournaments in the ledger share: a cup, its rows, and what is done and kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import ledger as games
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.store import Store
from ratings.store.tables import players as players_table
from ratings.tournaments import ledger, readers
from ratings.tournaments.readers import ChangeRecord, TournamentRecord
from ratings.tournaments.records import Details, Doubt, Telling
from tests.ledger_help import GUILD, KAI, NOW, everything
from tests.ranking_help import players

__all__ = [
    "DAY",
    "NAMES",
    "bring",
    "doubts",
    "edit",
    "ids",
    "merge",
    "open_cup",
    "put",
    "record",
    "refused",
    "rename",
    "rows_of",
    "table",
    "trail",
    "undo",
]

DAY = date(2026, 11, 22)
NAMES = ("Анна Белова", "Boris Green", "Clara Weiß", "Дина Юрьева", "Emil Novák")


def open_cup(name: str = "Autumn Cup", **told: Any) -> Details:
    """A tournament that counts in RR and CRR, unless told otherwise."""
    values = {"last_day": DAY, "hanchan": 8, "participants": 16, "country": "RU", "accredited": True, **told}
    return Details(name=name, **values)


def rows_of(*names: str, places: Sequence[int] = (), **same: Any) -> list[ResultRow]:
    """Rows of a file with these names, first place first unless `places` are given."""
    taken = places or range(1, len(names) + 1)
    return [
        ResultRow(number, place, name, **same)
        for number, (name, place) in enumerate(zip(names, taken, strict=True), 2)
    ]


async def bring(
    store: Store,
    rows: Sequence[ResultRow],
    held: Details | None = None,
    *,
    guild: int = GUILD,
    new_players: bool = True,
    members: dict[int, Person] | None = None,
) -> ledger.Imported:
    """Import a tournament."""
    return await store.write(
        ledger.import_results,
        guild,
        held or open_cup(),
        rows,
        KAI,
        NOW,
        new_players=new_players,
        members=members,
    )


async def refused(attempt: Any, refusal: Refusal) -> dict[str, Any]:
    """Await what must be refused; its particulars."""
    with pytest.raises(Refused) as caught:
        await attempt
    assert caught.value.refusal is refusal
    return caught.value.values


async def doubts(store: Store, rows: Sequence[ResultRow], held: Details, **options: Any) -> list[Doubt]:
    """Import what must be refused for not knowing the players, without a trace; the doubts."""
    before = await everything(store)
    values = await refused(bring(store, rows, held, **{"new_players": False, **options}), Refusal.UNKNOWN_NAMES)
    assert await everything(store) == before
    return list(values["doubts"])


async def record(store: Store, number: int = 1, guild: int = GUILD) -> TournamentRecord:
    """A tournament as it stands."""
    return await store.read(readers.record, guild, number)


async def table(store: Store, number: int = 1, guild: int = GUILD) -> list[tuple[int, str]]:
    """Places and names of a tournament."""
    return [(line.line.place, line.name) for line in (await record(store, number, guild)).lines]


async def trail(store: Store, number: int = 1) -> list[ChangeRecord]:
    """What was done to a tournament."""
    return await store.read(readers.trail, GUILD, (await record(store, number)).id)


async def ids(store: Store, guild: int = GUILD) -> dict[str, int]:
    """The ids of a club's players by name."""
    return await players(store, guild)


async def put(store: Store, number: int, player: int, place: int, **told: Any) -> None:
    """Give a player a place."""
    await store.write(ledger.put_result, GUILD, number, player, {"place": place, **told}, KAI, NOW)


async def edit(store: Store, number: int = 1, **changes: Any) -> tuple[Telling, Telling]:
    """Correct what a tournament was."""
    return await store.write(ledger.edit_details, GUILD, number, changes, KAI, NOW)


async def undo(store: Store, number: int = 1) -> ChangeRecord:
    """Take the newest change back."""
    return await store.write(ledger.undo, GUILD, number, KAI, NOW)


async def merge(store: Store, one: int, into: int) -> None:
    """Let two records count as one."""
    proposal = await store.read(games.propose_merge, GUILD, one, into)
    await store.write(games.carry_out, GUILD, proposal, KAI, NOW)


def rename(connection: sa.Connection, player_id: int, name: str) -> None:
    """Let somebody be shown under a name that another one has, as Discord lets people do."""
    connection.execute(sa.update(players_table).where(players_table.c.id == player_id).values(name=name))
