"""Corrections that break, meet others or come too late: they happen whole, one after another, or not at all."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import card, ledger
from ratings.ledger import tellings
from ratings.models import GameState, Offence, Refusal, Refused, Verdict
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.tables import outcomes
from tests.correcting import (
    AFTERWARDS,
    PROMOTION,
    carry_out,
    correct,
    is_clean,
    play,
    promoted,
    record,
    same_in_both_clubs,
    void,
)
from tests.ledger_help import (
    ANN,
    BORIS,
    CARD,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    REI,
    Gate,
    another,
    approve,
    at_gate,
    choose,
    everything,
    hand,
    paused,
    penalise,
    reject,
    report,
    submit,
    submit_hand,
)
from tests.processes import killed_when_it_says


async def comes_too_late(store: Store, proposal: ledger.Proposal) -> None:
    """Try to carry out what does not hold any more: nothing is written."""
    before = await everything(store)
    with pytest.raises(ledger.Stale):
        await carry_out(store, proposal)
    assert await everything(store) == before


@pytest.mark.parametrize("meanwhile", ["approved", "rejected", "corrected"])
async def test_a_proposal_does_not_outlive_the_ledger_it_was_made_on(store: Store, meanwhile: str) -> None:
    first, second = await promoted(store)
    waiting = await submit(store, report((30000, 25000, 25000, 20000), (EMI, REI, KAI, DORA)))
    proposal = await void(store, first)
    if meanwhile == "approved":
        await approve(store, waiting)
    elif meanwhile == "rejected":
        await reject(store, waiting)
    else:
        await correct(store, ledger.propose_void, second.id, "A slip")
    await comes_too_late(store, proposal)
    await carry_out(store, await void(store, first))
    await is_clean(store)


async def test_reports_elsewhere_keep_no_proposal_from_being_made(store: Store) -> None:
    first, _ = await promoted(store)
    proposal = await void(store, first)
    await submit(store, report((30000, 25000, 25000, 20000), (EMI, REI, KAI, DORA)))
    await choose(store, shared_places=True)
    await carry_out(store, proposal)
    await is_clean(store)


async def test_two_who_have_just_been_reported_at_one_table_are_not_merged(store: Store) -> None:
    await play(store, report(players=(ANN, BORIS, CHIAKI, DORA)), report(players=(EMI, REI, KAI, DORA)))
    one, into = await record(store, EMI), await record(store, ANN)
    proposal = await store.read(ledger.propose_merge, GUILD, one, into)
    await submit(store, report(players=(EMI, ANN, BORIS, CHIAKI)))
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await carry_out(store, proposal)
    assert (refused.value.refusal, refused.value.values["games"]) == (Refusal.TOGETHER, [3])
    assert await everything(store) == before


async def test_a_hand_that_got_a_penalty_meanwhile_is_looked_at_again(store: Store, lines: dict[str, int]) -> None:
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(winner=None))
    told = replace(await store.read(tellings.read, game.id), played_at=NOW - 900)
    proposal = await store.read(ledger.propose_amend, GUILD, game.id, told, NOW)
    await penalise(store, game, (ANN, Offence.MISNAMED))
    await comes_too_late(store, proposal)


@pytest.mark.parametrize("what", ["restored", "amended"])
async def test_a_hand_whose_line_changed_meanwhile_is_looked_at_again(
    store: Store, lines: dict[str, int], what: str
) -> None:
    line = lines["Three bends"]
    told = hand(line, discarder=BORIS) if what == "restored" else hand(winner=None)
    (game,) = await play(store, told)
    if what == "restored":
        await correct(store, ledger.propose_void, game.id, "A slip")
        proposal = await store.read(ledger.propose_restore, GUILD, game.id)
    else:
        won: dict[str, Any] = {"winner": game.records[0], "line_id": line, "won_by": "self-pick"}
        again = replace(await store.read(tellings.read, game.id), **won)
        proposal = await store.read(ledger.propose_amend, GUILD, game.id, again, NOW)
    changed = [replace(each, points=35) if each.name == "Three bends" else each for each in CARD]
    await store.write(card.import_card, GUILD, changed, NOW)
    await comes_too_late(store, proposal)
    if what == "amended":
        await store.write(card.import_card, GUILD, [each for each in CARD if each.name != "Three bends"], NOW)
        await comes_too_late(store, proposal)


async def test_of_two_corrections_at_once_the_second_is_looked_at_again(store: Store, database: str) -> None:
    games, gate = await promoted(store), Gate()
    async with another(database) as other:
        first, second = await void(store, games[0]), await void(other, games[1])
        holding = await at_gate(store.write(paused, gate, ledger.carry_out, GUILD, first, KAI, NOW), gate)
        waiting = asyncio.create_task(carry_out(other, second))
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
        gate.open()
        await holding
        with pytest.raises(ledger.Stale):
            await waiting
        await carry_out(other, await void(other, games[1]))
    await is_clean(store)
    assert (await everything(store))[outcomes.name] == []


async def test_an_approval_waits_for_a_correction_and_counts_after_it(store: Store, database: str) -> None:
    games, gate = await promoted(store), Gate()
    third = await submit(store, report(PROMOTION))
    async with another(database) as other:
        proposal = await void(store, games[0])
        holding = await at_gate(store.write(paused, gate, ledger.carry_out, GUILD, proposal, KAI, NOW), gate)
        waiting = asyncio.create_task(approve(other, third))
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
        gate.open()
        await holding
        await waiting
    await is_clean(store)
    there = [await submit(store, report(each), guild=NEIGHBOURS) for each in (PROMOTION, AFTERWARDS, PROMOTION)]
    for game in there[1:]:
        await approve(store, game)
    await same_in_both_clubs(store)


async def test_a_correction_during_an_approval_is_looked_at_again(store: Store, database: str) -> None:
    games, gate = await promoted(store), Gate()
    third = await submit(store, report(PROMOTION))
    async with another(database) as other:
        proposal = await void(other, games[0])
        deciding = store.write(paused, gate, ledger.decide, GUILD, third.id, Verdict.APPROVE, KAI, NOW)
        holding = await at_gate(deciding, gate)
        waiting = asyncio.create_task(carry_out(other, proposal))
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
        gate.open()
        await holding
        with pytest.raises(ledger.Stale):
            await waiting
    await is_clean(store)


async def test_a_restless_evening_ends_with_the_figures_of_a_replay(store: Store, database: str) -> None:
    games = [await submit(store, report(each)) for each in (PROMOTION, AFTERWARDS) * 4]
    for game in games[:4]:
        await approve(store, game)

    async def corrects(at: Store, game: GameRecord) -> None:
        while True:
            try:
                await carry_out(at, await void(at, game))
            except ledger.Stale:
                continue
            return

    async with another(database) as other:
        await asyncio.gather(
            *(corrects(at, game) for at, game in zip((store, other) * 2, games[:4], strict=True)),
            *(approve(at, game) for at, game in zip((other, store) * 2, games[4:], strict=True)),
        )
    await is_clean(store)
    counted = {row[0] for row in (await everything(store))[outcomes.name]}
    assert counted == {game.id for game in games[4:]}


# ---- broken off ----------------------------------------------------------------------------------------


def _breaks(connection: sa.Connection, at: int, proposal: ledger.Proposal) -> None:
    """Carry out a proposal up to its statement of this number."""
    count = itertools.count()

    def stop(*_: Any) -> None:
        if next(count) == at:
            raise RuntimeError

    sa.event.listen(connection, "before_cursor_execute", stop)
    ledger.carry_out(connection, GUILD, proposal, KAI, NOW)


async def _proposals(store: Store, lines: dict[str, int]) -> dict[str, Callable[[sa.Connection], ledger.Proposal]]:
    """A correction of each sort, with penalties, open cards and a changed rank among what it has to write."""
    await choose(store, penalties=True)
    first, _ = await promoted(store)
    wall = await submit_hand(store, hand(winner=None))
    wall = await approve(store, await penalise(store, wall, (BORIS, Offence.DEAD_HAND)))
    await play(store, report(players=(EMI, REI, KAI, DORA)))
    await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA)))
    one, into = await record(store, REI), await record(store, ANN)
    won: dict[str, Any] = {"winner": wall.records[0], "line_id": lines["Three bends"], "won_by": "self-pick"}
    told = replace(await store.read(tellings.read, wall.id), **won)
    return {
        "void": lambda c: ledger.propose_void(c, GUILD, first.id, "A slip"),
        "amend": lambda c: ledger.propose_amend(c, GUILD, wall.id, told, NOW),
        "merge": lambda c: ledger.propose_merge(c, GUILD, one, into),
        "forget": lambda c: ledger.propose_forget(c, GUILD, into, NOW),
    }


@pytest.mark.parametrize("kind", ["void", "amend", "merge", "forget"])
async def test_broken_at_any_statement_nothing_is_written(store: Store, lines: dict[str, int], kind: str) -> None:
    proposal = await store.read((await _proposals(store, lines))[kind])
    before = await everything(store)
    for at in itertools.count():
        try:
            await store.write(_breaks, at, proposal)
        except RuntimeError:
            assert await everything(store) == before
        else:
            break
    assert at > 10
    assert await everything(store) != before
    await is_clean(store)


KILLED = """
import asyncio, itertools, sys
import sqlalchemy as sa
from ratings import ledger
from ratings.store import Store
from tests.ledger_help import GUILD, KAI, NOW

def stops(connection, game_id, at):
    proposal = ledger.propose_void(connection, GUILD, game_id, "A slip")
    count = itertools.count()
    def stop(*_):
        if next(count) == at:
            wait()
    sa.event.listen(connection, "before_cursor_execute", stop)
    ledger.carry_out(connection, GUILD, proposal, KAI, NOW)
    if at == -1:
        wait()

def wait():
    print("there", flush=True)
    sys.stdin.read()

async def main():
    store = await Store.open(sys.argv[1])
    await store.write(stops, int(sys.argv[2]), int(sys.argv[3]))
    wait()

asyncio.run(main())
"""
# At a statement in the middle, before the commit, and after it.
MOMENTS = [(8, False), (-1, False), (10_000, True)]


@pytest.mark.parametrize(("at", "happened"), MOMENTS)
async def test_a_killed_correction_has_happened_or_not(
    store: Store, database: str, at: int, happened: bool
) -> None:
    first, _ = await promoted(store)
    before = await everything(store)
    await killed_when_it_says("there", KILLED, database, str(first.id), str(at))
    assert (await everything(store) != before) is happened
    if not happened:
        await carry_out(store, await void(store, first))
    await is_clean(store)
    assert {row[0] for row in (await everything(store))[outcomes.name]} == {first.id + 1}


async def test_a_reason_may_be_long_but_not_too_long(store: Store) -> None:
    first, _ = await promoted(store)
    before = await everything(store)
    proposal = replace(await void(store, first), reason="x" * 501)
    with pytest.raises(Refused) as refused:
        await carry_out(store, proposal)
    assert (refused.value.refusal, refused.value.values) == (Refusal.LONG_REASON, {"limit": 500, "length": 501})
    assert await everything(store) == before
    made = await carry_out(store, replace(proposal, reason="x" * 500))
    assert made.game is not None
    assert made.game.state is GameState.VOIDED
