"""Decisions: one for each game, written whole or not at all, with the figures that the rules give."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.models import GameState, Refusal, Refused, Standing, SystemName, Verdict
from ratings.queries import games
from ratings.store import Store, outbox
from ratings.store.bulk import upsert_tuples
from ratings.store.outbox import Kind
from ratings.store.tables import decisions, outcomes, rejection_reasons, standings
from tests.breaking import untouched_when_broken
from tests.ledger_help import (
    ANN,
    BORIS,
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
    count,
    everything,
    letters,
    paused,
    place_at,
    placed,
    reject,
    report,
    riichi_outcome,
    standing,
    submit,
)

DERIVED = (outcomes, standings)


async def test_an_approved_game_counts_with_everything_that_follows(store: Store) -> None:
    game = await approve(store, await submit(store), now=NOW + 60)
    assert game.state is GameState.APPROVED
    assert game.decision == games.Ruling(Verdict.APPROVE, "Kai", NOW + 60, 0, None)
    assert game.approval == games.Approval(1, 0)
    assert await store.read(placed, game) == [(1, 50000), (2, 10000), (3, -20000), (4, -40000)]
    # Newcomers in the lowest lobby: 30 points are a promotion at 20, 15 and 0 are not; R moves by its bases.
    assert await standing(store, ANN) == Standing(1, 0, 1530.0, 1)
    assert await standing(store, BORIS) == Standing(0, 15, 1510.0, 1)
    assert await standing(store, CHIAKI) == Standing(0, 0, 1490.0, 1)
    assert await standing(store, DORA) == Standing(0, 0, 1470.0, 1)
    assert await count(store, outcomes) == 4
    assert await count(store, standings) == 4
    assert await letters(store, game) == [Kind.CARD, Kind.NEWS, Kind.CARD]
    assert await store.read(games.pending, GUILD) == []


async def test_the_next_game_goes_on_from_there(store: Store) -> None:
    await approve(store, await submit(store))
    game = await approve(store, await submit(store, report(players=(DORA, CHIAKI, BORIS, ANN))))
    # The table is worth 1500 on average again, and a second game counts 0.998.
    assert await standing(store, DORA) == Standing(1, 0, 1470.0 + 0.998 * (30 + 30 / 40), 2)
    assert await standing(store, ANN) == Standing(1, 0, 1530.0 + 0.998 * (-30 - 30 / 40), 2)
    outcome = await store.read(ledger.outcome, GUILD, game)
    assert [step.before.rating for step in outcome.steps] == [1470.0, 1490.0, 1510.0, 1530.0]
    assert [step.before.games for step in outcome.steps] == [1, 1, 1, 1]


async def test_a_rejected_game_moves_nothing(store: Store) -> None:
    await approve(store, await submit(store))
    before = await everything(store)
    game = await reject(store, await submit(store), reason="  Борис was not there ", now=NOW + 60)
    after = await everything(store)
    assert game.state is GameState.REJECTED
    assert game.decision == games.Ruling(Verdict.REJECT, "Kai", NOW + 60, 0, "Борис was not there")
    assert game.approval is None
    assert all(after[table.name] == before[table.name] for table in DERIVED)
    assert await letters(store, game) == [Kind.CARD, Kind.REJECTION, Kind.CARD]


@pytest.mark.parametrize("first", Verdict)
@pytest.mark.parametrize("second", Verdict)
async def test_a_second_decision_finds_the_first(store: Store, first: Verdict, second: Verdict) -> None:
    game = await submit(store)
    taken = await store.write(ledger.decide, GUILD, game.id, first, KAI, NOW)
    before = await everything(store)
    late = await store.write(ledger.decide, GUILD, game.id, second, REI, NOW + 1, "Too late")
    assert (taken.taken, late.taken) == (True, False)
    assert late.game == taken.game
    assert await everything(store) == before


async def test_of_twenty_decisions_at_three_processes_one_is_taken(store: Store, database: str) -> None:
    game = await submit(store)
    async with another(database) as second, another(database) as third:
        processes = (store, second, third)
        wishes = (Verdict.REJECT, Verdict.APPROVE)
        answers = await asyncio.gather(
            *(
                processes[turn % 3].write(
                    ledger.decide, GUILD, game.id, wishes[turn % 2], (KAI, REI)[turn % 2], NOW
                )
                for turn in range(20)
            )
        )
    winners = [answer for answer in answers if answer.taken]
    assert len(winners) == 1
    assert {answer.game.decision for answer in answers} == {winners[0].game.decision}
    assert await count(store, decisions) == 1
    counted = 4 if winners[0].game.state is GameState.APPROVED else 0
    assert [await count(store, table) for table in DERIVED] == [counted] * 2


async def test_games_of_one_table_approved_at_once_are_rated_one_after_another(
    store: Store, database: str
) -> None:
    waiting = [await submit(store) for _ in range(8)]
    async with another(database) as other:
        await asyncio.gather(*(approve((store, other)[game.number % 2], game) for game in waiting))
    for person in (ANN, BORIS, CHIAKI, DORA):
        figures = await standing(store, person)
        assert figures is not None
        assert figures.games == 8
    assert await store.read(_games_before) == sorted([*range(8)] * 4)


def _games_before(connection: sa.Connection) -> list[int]:
    return sorted(connection.execute(sa.select(outcomes.c.games_before)).scalars())


@pytest.mark.parametrize(
    "place",
    [
        "ratings.club.settings_in_force",
        "ratings.store.outbox.enqueue",
        "ratings.systems.tenhou.explain",
        "ratings.ledger.figures.upsert_tuples",
        "ratings.queries.games.pending_of",
        "ratings.queries.games.by_id",
    ],
)
async def test_a_decision_that_breaks_anywhere_leaves_everything_untouched(
    store: Store, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await approve(store, await submit(store))
    game = await submit(store)
    await untouched_when_broken(store, monkeypatch, place, lambda: approve(store, game))
    await approve(store, game)
    figures = await standing(store, ANN)
    assert figures is not None
    assert figures.games == 2


@pytest.mark.parametrize("kind", [Kind.NEWS, Kind.CARD])
async def test_a_decision_that_breaks_at_its_letters_leaves_everything_untouched(
    store: Store, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await submit(store)
    before = await everything(store)
    enqueue = outbox.enqueue

    def breaks(connection: sa.Connection, guild: int, asked: Kind, ids: list[int], now: int) -> None:
        enqueue(connection, guild, asked, ids, now)
        if asked is kind:
            raise RuntimeError

    monkeypatch.setattr(outbox, "enqueue", breaks)
    with pytest.raises(RuntimeError):
        await approve(store, game)
    assert await everything(store) == before


@pytest.mark.parametrize("last", DERIVED, ids=lambda table: table.name)
async def test_a_decision_that_breaks_at_its_figures_leaves_everything_untouched(
    store: Store, last: sa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await submit(store)
    before = await everything(store)

    def breaks(connection: sa.Connection, table: sa.Table, rows: list[tuple[object, ...]]) -> None:
        upsert_tuples(connection, table, rows)
        if table is last:
            raise RuntimeError

    monkeypatch.setattr("ratings.ledger.figures.upsert_tuples", breaks)
    with pytest.raises(RuntimeError):
        await approve(store, game)
    assert await everything(store) == before


async def test_a_decision_whose_asker_is_cancelled_is_finished(store: Store) -> None:
    game, gate = await submit(store), Gate()
    deciding = store.write(paused, gate, ledger.decide, GUILD, game.id, Verdict.APPROVE, KAI, NOW)
    asking = await at_gate(deciding, gate)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await store.read(games.by_id, GUILD, game.id)).state is GameState.PENDING
    gate.open()
    # A write after it has waited for it on SQLite, and for the club's lock on PostgreSQL.
    late = await store.write(ledger.decide, GUILD, game.id, Verdict.REJECT, REI, NOW)
    assert not late.taken
    assert late.game.state is GameState.APPROVED
    assert [await count(store, table) for table in (decisions, *DERIVED)] == [1, 4, 4]


async def test_a_decision_whose_asker_gives_up_in_the_queue_is_whole_or_absent(store: Store) -> None:
    first, second, gate = await submit(store), await submit(store), Gate()
    holding = await at_gate(store.write(paused, gate, club.lock, GUILD, NOW), gate)
    askers = [asyncio.create_task(approve(store, game)) for game in (first, second)]
    # Both are in the queue once they have had a turn.
    await asyncio.wait(askers, timeout=0.05)
    for asker in askers:
        asker.cancel()
    gate.open()
    await holding
    await asyncio.wait(askers)
    # Whatever has begun goes on meanwhile, so both are counted at one moment.
    kept = await everything(store)
    assert len(kept["outcomes"]) == 4 * len(kept["decisions"])


async def test_a_broken_decision_whose_asker_is_cancelled_leaves_everything_untouched(store: Store) -> None:
    game, gate = await submit(store), Gate()
    before = await everything(store)

    def breaks_late(connection: sa.Connection) -> None:
        paused(connection, gate, ledger.decide, GUILD, game.id, Verdict.APPROVE, KAI, NOW)
        raise RuntimeError

    asking = await at_gate(store.write(breaks_late), gate)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    gate.open()
    await store.write(club.lock, GUILD, NOW)
    assert await everything(store) == before


async def test_whoever_decides_may_say_it_himself(store: Store) -> None:
    for verdict, kind in ((Verdict.APPROVE, Kind.NEWS), (Verdict.REJECT, Kind.REJECTION)):
        game = await submit(store)
        decision = await store.write(ledger.decide, GUILD, game.id, verdict, KAI, NOW, None, 15.0)
        (letter,) = decision.letters
        assert (letter.kind, letter.game_id, letter.attempts) == (kind, game.id, 1)
        assert await store.write(outbox.claim, letter.id, NOW, 15.0) is None
        assert decision.matter == await store.read(ledger.matter, GUILD, game.id)
        late = await store.write(ledger.decide, GUILD, game.id, verdict, KAI, NOW, None, 15.0)
        assert (late.taken, late.letters, late.matter) == (False, (), decision.matter)


async def test_an_unranked_game_has_places_but_moves_no_rating(store: Store) -> None:
    game = await approve(store, await submit(store, report(ranked=False)))
    assert await store.read(placed, game) == [(1, 50000), (2, 10000), (3, -20000), (4, -40000)]
    rows = (await everything(store))[outcomes.name]
    assert sorted(row[:2] for row in rows) == [(game.id, seat) for seat in range(4)]
    assert {row[5:] for row in rows} == {(None,) * 7}
    assert await count(store, standings) == 0
    assert await letters(store, game) == [Kind.CARD, Kind.CARD]
    outcome = riichi_outcome(await store.read(ledger.outcome, GUILD, game))
    assert (outcome.lobby, outcome.steps) == (None, ())


async def test_a_game_without_a_change_of_rank_is_no_news(store: Store) -> None:
    third_dan = Standing(12, 600, 1500.0, 0)
    await place_at(store, dict.fromkeys((ANN, BORIS, CHIAKI, DORA), third_dan))
    game = await approve(store, await submit(store))
    assert await standing(store, ANN) == Standing(12, 660, 1530.0, 1)
    assert await letters(store, game) == [Kind.CARD, Kind.CARD]


async def test_reasons_can_be_given_and_given_anew(store: Store) -> None:
    game = await reject(store, await submit(store))
    assert game.decision is not None
    assert game.decision.reason is None
    explained = await store.write(ledger.give_reason, GUILD, game.id, " Wrong seats ", REI, NOW + 5)
    assert explained.decision is not None
    assert (explained.decision.reason, explained.decision.by) == ("Wrong seats", "Kai")
    assert (await letters(store, game))[-2:] == [Kind.CARD, Kind.REASON]
    again = await store.write(ledger.give_reason, GUILD, game.id, "x" * 500, KAI, NOW + 9)
    assert again.decision is not None
    assert again.decision.reason == "x" * 500
    assert await count(store, rejection_reasons) == 2


@pytest.mark.parametrize(
    ("reason", "refusal", "values"),
    [
        ("  \n ", Refusal.EMPTY_REASON, {}),
        ("x" * 501, Refusal.LONG_REASON, {"limit": 500, "length": 501}),
    ],
)
async def test_a_reason_that_is_none_is_refused_with_its_rejection(
    store: Store, reason: str, refusal: Refusal, values: dict[str, int]
) -> None:
    game = await submit(store)
    rejected = await reject(store, await submit(store))
    before = await everything(store)
    for asked in (
        store.write(ledger.decide, GUILD, game.id, Verdict.REJECT, KAI, NOW, reason),
        store.write(ledger.give_reason, GUILD, rejected.id, reason, KAI, NOW),
    ):
        with pytest.raises(Refused) as refused:
            await asked
        assert (refused.value.refusal, refused.value.values) == (refusal, values)
    assert await everything(store) == before


@pytest.mark.parametrize("approved", [False, True])
async def test_only_a_rejected_game_takes_a_reason(store: Store, approved: bool) -> None:
    game = await submit(store)
    if approved:
        await approve(store, game)
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await store.write(ledger.give_reason, GUILD, game.id, "Wrong seats", KAI, NOW)
    assert (refused.value.refusal, refused.value.values) == (Refusal.NOT_REJECTED, {"number": 1})
    assert await everything(store) == before


async def test_open_cards_of_the_same_players_are_drawn_again(store: Store) -> None:
    decided = await submit(store)
    shared_player = await submit(store, report((50000, 35000, 20000), (EMI, KAI, ANN)))
    strangers = await submit(store, report((50000, 35000, 20000), (EMI, KAI, REI)))
    rejected = await reject(store, await submit(store, report((20000, 35000, 50000), (EMI, KAI, ANN))))
    neighbours = await submit(store, guild=NEIGHBOURS)
    before = {game.id: await letters(store, game) for game in (shared_player, strangers, rejected, neighbours)}
    await approve(store, decided)
    assert await letters(store, shared_player) == [*before[shared_player.id], Kind.CARD]
    for game in (strangers, rejected, neighbours):
        assert await letters(store, game) == before[game.id]


async def test_two_clubs_with_the_same_members_are_islands(store: Store) -> None:
    await approve(store, await submit(store))
    await approve(store, await submit(store))
    there = await submit(store, report((10000, 20000, 30000, 40000)), guild=NEIGHBOURS)
    forecast = await store.read(ledger.outcome, NEIGHBOURS, there)
    assert [step.before.games for step in forecast.steps] == [0, 0, 0, 0]
    await approve(store, there)
    here_figures, there_figures = await standing(store, ANN), await standing(store, ANN, guild=NEIGHBOURS)
    assert here_figures is not None
    assert here_figures.games == 2
    assert there_figures == Standing(0, 0, 1470.0, 1)
    assert await standing(store, ANN, SystemName.TENHOU_3P) is None
