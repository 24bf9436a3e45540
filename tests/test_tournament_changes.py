"""Corrections of tournaments: each with what was before, taken back step by step, and never half-written."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from ratings.models import Refusal, Refused
from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import ledger, rankings
from ratings.tournaments.aftermath import aftermath, carry_out
from ratings.tournaments.entrants import record_of
from ratings.tournaments.records import ChangeKind, Telling
from tests.breaking import untouched_when_broken
from tests.ledger_help import DORA, GUILD, KAI, NOW
from tests.tournament_help import (
    DAY,
    NAMES,
    bring,
    edit,
    ids,
    merge,
    open_cup,
    put,
    record,
    refused,
    rows_of,
    table,
    trail,
    undo,
)


async def test_one_result_at_a_time(store: Store) -> None:
    assert await store.write(ledger.add_tournament, GUILD, open_cup(), KAI, NOW) == 1
    anna = await store.write(record_of, GUILD, 1, "Анна Белова")
    dora = await store.write(record_of, GUILD, 1, DORA)
    assert await store.write(record_of, GUILD, 1, DORA) == dora
    await put(store, 1, anna, 2, score="30.5", games=8)
    await put(store, 1, dora, 1)
    await put(store, 1, anna, 3)
    line = (await record(store)).lines[-1].line
    assert line is not None
    # What a correction leaves out stays.
    assert (line.place, line.score, line.games, line.replacement) == (3, "30.5", 8, False)
    await refused(put(store, 1, anna, 3, games=8), Refusal.NOTHING_TO_AMEND)
    assert (await store.write(ledger.take_result_out, GUILD, 1, dora, KAI, NOW)).place == 1
    await refused(store.write(ledger.take_result_out, GUILD, 1, dora, KAI, NOW), Refusal.NO_RESULT)
    assert await table(store) == [(3, "Анна Белова")]
    assert [change.kind for change in await trail(store)] == [ChangeKind.ADD, *[ChangeKind.RESULT] * 4]


async def test_edits_say_what_was_before_and_why(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    before, after = await store.write(
        ledger.edit_details, GUILD, 1, {"hanchan": 10, "ema": True}, KAI, NOW, "  typo "
    )
    assert (before.details, after.details) == (open_cup(), open_cup(hanchan=10, ema=True))
    change = (await trail(store))[-1]
    assert (change.kind, change.reason) == (ChangeKind.EDIT, "typo")
    assert (change.before, change.after) == (before, after)
    await refused(edit(store, hanchan=10), Refusal.NOTHING_TO_AMEND)
    long = store.write(ledger.remove, GUILD, 1, KAI, NOW, "x" * 501)
    assert await refused(long, Refusal.LONG_REASON) == {"limit": 500, "length": 501}
    assert not (await record(store)).removed


async def test_a_removed_tournament_counts_nowhere_and_comes_back(store: Store) -> None:
    for name, day in (("First", DAY), ("Second", DAY - timedelta(7))):
        await bring(store, rows_of(*NAMES), open_cup(name, last_day=day))
    full = await store.read(rankings.ranking, GUILD, Ranking.RR, DAY)

    def remove(connection: sa.Connection) -> Telling:
        return ledger.remove(connection, GUILD, 1, KAI, NOW, "was no such thing")

    _, between = await store.write(carry_out, GUILD, NOW, remove)
    told = await store.read(aftermath, GUILD, 1, between, DAY)
    assert (told.record.removed, told.verdicts) == (True, [])
    assert [view.ranking for view in told.moved] == [Ranking.RR, Ranking.CRR]
    assert all(change.after is None for view in told.moved for change in view.changes)
    assert len(told.moved[0].changes) == len(full.table.rows) == 5
    await refused(edit(store, hanchan=9), Refusal.REMOVED_TOURNAMENT)
    await refused(store.write(ledger.remove, GUILD, 1, KAI, NOW), Refusal.REMOVED_TOURNAMENT)
    await refused(put(store, 1, 1, 1), Refusal.REMOVED_TOURNAMENT)
    await store.write(ledger.restore, GUILD, 1, KAI, NOW)
    await refused(store.write(ledger.restore, GUILD, 1, KAI, NOW), Refusal.NOT_REMOVED)
    assert await store.read(rankings.ranking, GUILD, Ranking.RR, DAY) == full


async def test_a_chain_of_changes_is_taken_back_step_by_step(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    known = await ids(store)
    tellings = [(await trail(store))[-1].after]
    for step in (
        edit(store, hanchan=10, name="Winter Cup"),
        put(store, 1, known["Emil Novák"], 9),
        store.write(ledger.take_result_out, GUILD, 1, known["Анна Белова"], KAI, NOW),
        store.write(ledger.remove, GUILD, 1, KAI, NOW),
    ):
        await step
        tellings.append((await trail(store))[-1].after)
    # A change that is made between two undos is itself the newest.
    await undo(store)
    await edit(store, open_share=50)
    assert (await undo(store)).kind is ChangeKind.EDIT
    kinds = []
    for told in reversed(tellings[:3]):
        kinds.append((await undo(store)).kind)
        assert (await trail(store))[-1].after == told
        assert (await trail(store))[-1].kind is ChangeKind.UNDO
    assert kinds == [ChangeKind.RESULT, ChangeKind.RESULT, ChangeKind.EDIT]
    await refused(undo(store), Refusal.NOTHING_TO_UNDO)
    assert (await record(store)).details == open_cup()
    assert await table(store) == list(enumerate(NAMES, 1))


@pytest.mark.parametrize("seed", range(6))
async def test_any_chain_of_changes_is_taken_back_to_the_first_telling(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    await bring(store, rows_of(*NAMES))
    players = [player for name, player in (await ids(store)).items() if name in NAMES]
    steps: list[Callable[[], Any]] = [
        lambda: edit(store, hanchan=rng.randint(1, 20)),
        lambda: edit(store, last_day=DAY - timedelta(rng.randint(0, 9))),
        lambda: put(store, 1, rng.choice(players), rng.randint(1, 16)),
        lambda: store.write(ledger.take_result_out, GUILD, 1, rng.choice(players), KAI, NOW),
        lambda: store.write(ledger.remove, GUILD, 1, KAI, NOW),
        lambda: store.write(ledger.restore, GUILD, 1, KAI, NOW),
    ]
    stack = [(await trail(store))[-1].after]
    for _ in range(40):
        if len(stack) > 1 and rng.random() < 0.3:
            await undo(store)
            stack.pop()
        else:
            try:
                await rng.choice(steps)()
            except Refused:
                continue
            stack.append((await trail(store))[-1].after)
        now = (await trail(store))[-1].after
        kept = await record(store)
        assert now == stack[-1]
        assert (kept.details, kept.removed) == (now.details, now.removed)
        assert {line.line for line in kept.lines} == set(now.lines)
    while len(stack) > 1:
        await undo(store)
        stack.pop()
        assert (await trail(store))[-1].after == stack[-1]
    await refused(undo(store), Refusal.NOTHING_TO_UNDO)


async def test_what_would_give_one_person_two_results_is_not_taken_back(store: Store) -> None:
    await bring(store, rows_of("Anna", "Анна", "Boris Green"))
    known = await ids(store)
    await store.write(ledger.take_result_out, GUILD, 1, known["Анна"], KAI, NOW)
    await merge(store, known["Анна"], known["Anna"])
    assert await refused(undo(store), Refusal.TWO_RESULTS) == {"name": "Anna"}
    assert await table(store) == [(1, "Anna"), (3, "Boris Green")]


FAULTS = {
    "import": (
        "players.add_player",
        "ledger.enrol",
        "readers.fill_in",
        "ledger._write_lines",
        "ledger._archive",
    ),
    "link": ("players.keep_alias", "readers.fill_in", "ledger._archive"),
    "add": ("ledger._archive",),
    "result": ("ledger._write_lines", "ledger._archive"),
    "edit": ("ledger._archive",),
    "remove": ("ledger._archive",),
    "undo": ("ledger._write_lines", "ledger._archive"),
}


@pytest.mark.parametrize(("deed", "place"), [(deed, place) for deed, places in FAULTS.items() for place in places])
async def test_a_fault_leaves_nothing_half_written(
    store: Store, monkeypatch: pytest.MonkeyPatch, deed: str, place: str
) -> None:
    await bring(store, rows_of(*NAMES))
    known = await ids(store)
    await put(store, 1, known["Emil Novák"], 9)
    attempts: dict[str, Callable[[], Any]] = {
        "import": lambda: bring(store, rows_of("Somebody", "Emil Novák", country="DE"), open_cup("Second")),
        "link": lambda: bring(
            store, rows_of("Emil Novák", country="DE"), open_cup("Second"), members={2: DORA}, new_players=False
        ),
        "add": lambda: store.write(ledger.add_tournament, GUILD, open_cup("Second"), KAI, NOW),
        "result": lambda: put(store, 1, known["Boris Green"], 12),
        "edit": lambda: edit(store, hanchan=3),
        "remove": lambda: store.write(ledger.remove, GUILD, 1, KAI, NOW),
        "undo": lambda: undo(store),
    }
    await untouched_when_broken(store, monkeypatch, f"ratings.tournaments.{place}", attempts[deed])
    await attempts[deed]()
