"""Tournaments in the ledger: entered whole or not at all, once, and each club's own."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from ratings.models import Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.store import Store
from ratings.store.tables import tournament_results
from ratings.systems.russian import Ranking, Stage
from ratings.tournaments import ledger, rankings, readers
from ratings.tournaments import players as people
from ratings.tournaments.entrants import record_of
from ratings.tournaments.records import ChangeKind, Doubt, DoubtKind, Telling
from tests.ledger_help import ANN, GUILD, KAI, NEIGHBOURS, NOW, another, count, everything
from tests.tournament_help import (
    DAY,
    NAMES,
    bring,
    doubts,
    edit,
    ids,
    open_cup,
    put,
    record,
    refused,
    rows_of,
    table,
    trail,
    undo,
)


async def test_an_import_is_kept_to_the_last_cell(store: Store) -> None:
    held = open_cup(first_day=DAY - timedelta(1), open_share=60, ema=True, stages=(Stage(16, 6), Stage(4, 2)))
    rows = [
        ResultRow(2, 1, "Анна Белова", "RU", "04290001", 8, Decimal("45.25")),
        ResultRow(3, 2, "Boris Green", "GB", None, 8, Decimal("-3")),
        ResultRow(4, 2, "Stand In", None, None, 6, Decimal("-3"), replacement=True),
    ]
    done = await bring(store, rows, held)
    assert done == ledger.Imported(1, ("Анна Белова", "Boris Green", "Stand In"), ())
    kept = await record(store)
    assert (kept.number, kept.details, kept.removed) == (1, held, False)
    assert [
        (line.line.place, line.name, line.country, line.ema_number, line.line.games, line.line.score)
        for line in kept.lines
    ] == [
        (1, "Анна Белова", "RU", "04290001", 8, "45.25"),
        (2, "Boris Green", "GB", None, 8, "-3"),
        # Where nobody says where a new player of a tournament at home is at home, it is there.
        (2, "Stand In", "RU", None, 6, "-3"),
    ]
    assert [line.line.replacement for line in kept.lines] == [False, False, True]
    (change,) = await trail(store)
    assert (change.kind, change.by, change.at, change.before) == (ChangeKind.IMPORT, "Kai", NOW, None)
    assert change.after.details == held
    assert Telling.from_json(change.after.as_json()) == change.after


async def test_who_shares_a_place_fills_the_places_after_it(store: Store) -> None:
    await bring(store, rows_of(*NAMES, places=(1, 2, 2, 2, 5)))
    assert [place for place, _ in await table(store)] == [1, 2, 2, 2, 5]
    emil = (await ids(store))["Emil Novák"]
    newcomer = await store.write(record_of, GUILD, 1, "Newcomer")
    for place in (2, 3, 4):
        crowded = await refused(put(store, 1, newcomer, place), Refusal.CROWDED_PLACE)
        # Four who share place 2 take place 5 as well; otherwise the new place itself is not free.
        assert crowded["place"] == (5 if place == 2 else place)
    assert await refused(put(store, 1, emil, 17), Refusal.HIGH_PLACE) == {"place": 17, "participants": 16}
    await put(store, 1, emil, 16)
    await refused(put(store, 1, newcomer, 16), Refusal.CROWDED_PLACE)
    await put(store, 1, newcomer, 5)
    assert [place for place, _ in await table(store)] == [1, 2, 2, 2, 5, 16]


async def test_replacement_players_are_counted_and_not_listed(store: Store) -> None:
    for name, day in (("First", DAY), ("Second", DAY - timedelta(7))):
        rows = rows_of(*NAMES)
        rows[1] = ResultRow(3, 2, "Boris Green", replacement=True)
        await bring(store, rows, open_cup(name, last_day=day))
    known = await ids(store)
    view = await store.read(rankings.ranking, GUILD, Ranking.RR, DAY)
    listed = {row.player_id for row in view.table.rows}
    assert listed == {player for name, player in known.items() if name not in ("Boris Green", "Kai")}
    (first, _) = (
        await store.read(rankings.explain, GUILD, Ranking.RR, known["Clara Weiß"], DAY)
    ).explanation.results
    assert (first.place, first.participants) == (3, 16)


async def test_stages_weigh_for_those_who_played_them(store: Store) -> None:
    stages = (Stage(16, 6), Stage(4, 6))
    for name, day in (("First", DAY), ("Second", DAY - timedelta(7))):
        await bring(store, rows_of(*NAMES), open_cup(name, last_day=day, stages=stages, hanchan=None))
    known = await ids(store)
    weights = []
    for name in ("Анна Белова", "Emil Novák"):
        told = await store.read(rankings.explain, GUILD, Ranking.RR, known[name], DAY)
        weights.append(told.explanation.results[0].weight.hanchan)
    assert weights == [12, 6]
    for unfit in ((Stage(15, 6), Stage(4, 6)), (Stage(16, 6), Stage(17, 6)), (Stage(16, 0),)):
        await refused(edit(store, stages=unfit), Refusal.UNFIT_STAGES)
    await refused(edit(store, participants=20), Refusal.UNFIT_STAGES)


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        ({"first_day": DAY + timedelta(1)}, Refusal.ENDS_FIRST),
        ({"last_day": date(2026, 12, 2)}, Refusal.NOT_OVER),
        ({"participants": 3}, Refusal.FEW_PARTICIPANTS),
        ({"participants": 4}, Refusal.FEW_PARTICIPANTS),
        ({"stages": (Stage(12, 4),)}, Refusal.UNFIT_STAGES),
    ],
)
async def test_what_no_tournament_can_be(store: Store, told: dict[str, Any], refusal: Refusal) -> None:
    before = await everything(store)
    await refused(bring(store, rows_of(*NAMES), open_cup(**told)), refusal)
    assert await everything(store) == before
    await bring(store, rows_of(*NAMES))
    kept = await everything(store)
    await refused(edit(store, **told), refusal)
    assert await everything(store) == kept


async def test_the_same_tournament_is_there_once(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    again = open_cup("AUTUMN  cup", hanchan=4)
    values = await refused(bring(store, rows_of(*NAMES), again), Refusal.SAME_TOURNAMENT)
    assert values == {"number": 1, "name": "Autumn Cup"}
    # Told before the names are looked at.
    await refused(bring(store, rows_of("Nobody Known"), again, new_players=False), Refusal.SAME_TOURNAMENT)
    await refused(store.write(ledger.add_tournament, GUILD, again, KAI, NOW), Refusal.SAME_TOURNAMENT)
    await bring(store, rows_of(*NAMES), open_cup(last_day=DAY - timedelta(364)))
    await refused(edit(store, 2, last_day=DAY), Refusal.SAME_TOURNAMENT)
    await store.write(ledger.remove, GUILD, 1, KAI, NOW)
    await bring(store, rows_of(*NAMES), again)
    await refused(store.write(ledger.restore, GUILD, 1, KAI, NOW), Refusal.SAME_TOURNAMENT)
    await refused(undo(store), Refusal.SAME_TOURNAMENT)
    await bring(store, rows_of(*NAMES), guild=NEIGHBOURS)


async def test_two_imports_at_once_are_one_tournament(store: Store, database: str) -> None:
    async with another(database) as second:
        done = await asyncio.gather(
            *(bring(each, rows_of(*NAMES)) for each in (store, second)), return_exceptions=True
        )
    (fault,) = [each for each in done if isinstance(each, BaseException)]
    assert isinstance(fault, Refused)
    assert fault.refusal is Refusal.SAME_TOURNAMENT
    assert await count(store, tournament_results) == len(NAMES)


async def test_clubs_are_islands(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    assert (await bring(store, rows_of("Yuki"), guild=NEIGHBOURS)).number == 1
    ours, theirs = await ids(store), await ids(store, NEIGHBOURS)
    await store.write(ledger.add_tournament, GUILD, open_cup("Second"), KAI, NOW)
    before = await everything(store)
    missing = (
        store.read(readers.record, NEIGHBOURS, 2),
        store.write(ledger.edit_details, NEIGHBOURS, 2, {"hanchan": 1}, KAI, NOW),
        store.write(ledger.remove, NEIGHBOURS, 2, KAI, NOW),
        store.write(ledger.undo, NEIGHBOURS, 2, KAI, NOW),
        store.write(ledger.take_result_out, NEIGHBOURS, 2, theirs["Yuki"], KAI, NOW),
        store.write(record_of, NEIGHBOURS, 2, "Somebody"),
    )
    for attempt in missing:
        await refused(attempt, Refusal.UNKNOWN_TOURNAMENT)
    for stranger in (
        store.write(ledger.put_result, NEIGHBOURS, 1, ours["Emil Novák"], {"place": 2}, KAI, NOW),
        store.write(people.link, NEIGHBOURS, ours["Emil Novák"], ANN),
        store.read(people.entry, NEIGHBOURS, ours["Emil Novák"]),
    ):
        await refused(stranger, Refusal.UNKNOWN_PLAYER)
    assert await everything(store) == before
    assert await doubts(store, rows_of("Emil Novák"), open_cup("Third"), guild=NEIGHBOURS) == [
        Doubt(2, DoubtKind.UNKNOWN, "Emil Novák")
    ]
    assert (await store.read(people.meant, NEIGHBOURS, f"player:{ours['Emil Novák']}")).exactly == ()
    assert await store.read(readers.search, NEIGHBOURS, "Second", 25) == []


async def test_a_tournament_is_meant_by_what_is_typed(store: Store) -> None:
    for name, day in (("Autumn Cup", DAY), ("Autumn Cup", DAY - timedelta(365)), ("2", DAY), ("Кубок Невы", DAY)):
        await store.write(ledger.add_tournament, GUILD, open_cup(name, last_day=day), KAI, NOW)

    async def shown(typed: str) -> tuple[list[int], list[int]]:
        exactly, near_ones = await store.read(readers.meant, GUILD, typed)
        return [each.number for each in exactly], [each.number for each in near_ones]

    assert await shown("t:3") == await shown("#3") == await shown(" 3 ") == ([3], [])
    assert await shown("autumn cup") == ([1, 2], [])
    assert await shown("Kubok Nevy") == ([], [4])
    assert await shown("кубок") == ([], [4])
    assert await shown("t:99") == await shown("99") == await shown("zzz") == ([], [])
    await store.write(ledger.remove, GUILD, 1, KAI, NOW)

    async def offered(typed: str, removed: bool | None = None) -> list[int]:
        return [each.number for each in await store.read(readers.search, GUILD, typed, 25, removed=removed)]

    assert await offered("cup autumn") == [1, 2]
    assert await offered("cup 2026-11") == [1]
    assert await offered("", removed=False) == [4, 3, 2]
    assert await offered("", removed=True) == [1]
