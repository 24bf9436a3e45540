"""What a correction writes, has drawn anew and announces: only what it moves."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.ledger import plans
from ratings.store import Store
from ratings.store.bulk import Rows, split, upsert_rows, upsert_tuples
from ratings.store.outbox import Kind
from ratings.store.tables import outbox, outcomes, standings
from tests.correcting import (
    amend,
    carry_out,
    correct,
    is_clean,
    play,
    promoted,
    record,
    rows,
    void,
)
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NOW,
    REI,
    letters,
    report,
    submit,
)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of figures that plans write from now on, by table."""
    spied: dict[str, list[tuple[Any, ...]]] = {outcomes.name: [], standings.name: []}

    def spy_tuples(connection: sa.Connection, table: sa.Table, values: list[tuple[Any, ...]]) -> None:
        spied[table.name] += values
        upsert_tuples(connection, table, values)

    def spy_rows(connection: sa.Connection, table: sa.Table, rows: Rows) -> None:
        spied[table.name] += split(table, rows)
        upsert_rows(connection, table, rows)

    monkeypatch.setattr(plans, "upsert_tuples", spy_tuples)
    monkeypatch.setattr(plans, "upsert_rows", spy_rows)
    return spied


async def test_figures_that_come_out_the_same_are_not_written(
    store: Store, written: dict[str, list[tuple[Any, ...]]]
) -> None:
    first, newest = await promoted(store)
    await play(store, report(players=(EMI, REI, KAI, CHIAKI), ranked=False))
    for scores in ((45000, 35000, 25000), (30000, 35000, 40000)):
        await play(store, report(scores, (EMI, REI, KAI)))
    await amend(store, first, played_at=NOW - 3600)
    assert written == {outcomes.name: [], standings.name: []}
    await carry_out(store, await void(store, newest))
    assert written[outcomes.name] == []
    assert {row[2] for row in written[standings.name]} == set(newest.players)
    written[standings.name].clear()
    await carry_out(store, await void(store, first))
    assert (written[outcomes.name], written[standings.name]) == ([], [])


async def test_a_correction_reaches_only_those_who_met_its_players(
    store: Store, written: dict[str, list[tuple[Any, ...]]]
) -> None:
    others = (EMI, REI, KAI)
    first, apart, meeting = await play(
        store,
        report((45000, 35000, 25000), (ANN, BORIS, CHIAKI)),
        report((45000, 35000, 25000), others),
        report((25000, 35000, 45000), (ANN, EMI, DORA)),
    )
    await play(store, report((45000, 35000, 25000), (BORIS, CHIAKI, DORA)), report((45000, 35000, 25000), others))
    await carry_out(store, await void(store, first))
    touched = {row[0] for row in written[outcomes.name]}
    assert apart.id not in touched
    assert meeting.id in touched
    await is_clean(store)


async def test_a_correction_has_cards_drawn_anew_and_says_whose_rank_changed(store: Store) -> None:
    first, second = await promoted(store)
    moved = await submit(store, report((45000, 35000, 25000), (EMI, REI, ANN)))
    other = await submit(store, report((45000, 35000, 25000), (EMI, REI, KAI)))
    games = (first, second, moved, other)
    before = {game.id: await letters(store, game) for game in games}
    made = await carry_out(store, await void(store, first))
    assert [move.name for move in made.moves if move.changes_rank] == ["Ann"]
    after = {
        game.id: (await letters(store, game))[len(before[game.id]) :] for game in (first, second, moved, other)
    }
    assert after == {first.id: [Kind.CARD], second.id: [], moved.id: [Kind.CARD], other.id: []}
    assert await _announced(store) == [made.id]
    # Restored, she is promoted again; a game without a new rank in it is not told.
    again = await correct(store, ledger.propose_restore, first.id)
    assert await _announced(store) == [made.id, again.id]
    await amend(store, second, lobby="joukyuu", length="tonpuu")
    await amend(store, second, played_at=NOW - 7200)
    assert (await _announced(store))[:2] == [made.id, again.id]


async def test_open_cards_show_whom_a_merge_made_one(store: Store) -> None:
    await promoted(store)
    waiting = await submit(store, report((45000, 35000, 25000), (EMI, REI, KAI)))
    before = await letters(store, waiting)
    emi, ann = await record(store, EMI), await record(store, ANN)
    made = await correct(store, ledger.propose_merge, emi, ann)
    assert made.moves == ()
    assert await letters(store, waiting) == [*before, Kind.CARD]
    forecast = await store.read(ledger.matter, GUILD, waiting.id)
    assert forecast.game.people[0] == ANN
    await correct(store, ledger.propose_split, emi)
    assert await letters(store, waiting) == [*before, Kind.CARD, Kind.CARD]


async def _announced(store: Store) -> list[int]:
    query = sa.select(outbox.c.correction_id).where(outbox.c.kind == Kind.CORRECTION).order_by(outbox.c.id)
    return [row[0] for row in await store.read(rows, query)]
