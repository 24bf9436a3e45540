"""People with two records, and people who asked to be forgotten: the figures stay exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.ledger import tellings
from ratings.models import (
    Person,
    Refusal,
    Report,
)
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.tables import players
from tests.correcting import (
    Lines,
    Told,
    amend,
    correct,
    evening,
    open_club,
    play,
    record,
    refused,
    report_it,
    rows,
    same_in_both_clubs,
)
from tests.correction_model import bits, stored_figures
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
    approve,
    everything,
    hand,
    reject,
    report,
    submit,
)


async def test_one_person_with_two_records_counts_once(store: Store, lines: Lines) -> None:
    other = Person(99, "Ann's old account")
    for guild, second in ((GUILD, other), (NEIGHBOURS, ANN)):
        lines = await open_club(store, guild)
        told = [_as(each, second) for each in evening(lines)]
        games = await play(store, report(), *told, report(players=(EMI, ANN, BORIS, CHIAKI)), guild=guild)
        if guild == GUILD:
            figures = await store.read(stored_figures, GUILD)
            pending = await submit(store, report(players=(second, BORIS, CHIAKI, DORA)))
            one, into = await record(store, other), await record(store, ANN)
            made = await correct(store, ledger.propose_merge, one, into)
            assert (made.game, {move.name for move in made.moves if move.after is None}) == (
                None,
                {"Ann's old account"},
            )
    await same_in_both_clubs(store)
    assert len(games) == 8
    await correct(store, ledger.propose_split, one)
    assert bits(await store.read(stored_figures, GUILD)) == bits(figures)
    await approve(store, pending)
    assert (await store.read(ledger.plan_replay, GUILD)).rows == []


async def test_splitting_takes_along_what_had_been_merged_before(store: Store) -> None:
    games = await play(store, *(report(players=(person, CHIAKI, DORA, EMI)) for person in (ANN, BORIS, REI)))
    one, two, three = [await record(store, person) for person in (ANN, BORIS, REI)]
    own = await store.read(stored_figures, GUILD)
    await correct(store, ledger.propose_merge, one, two)
    merged = await store.read(stored_figures, GUILD)
    await correct(store, ledger.propose_merge, two, three)
    assert await _counts(store, games) == [three] * 3
    await correct(store, ledger.propose_split, two)
    assert await _counts(store, games) == [two, two, three]
    assert bits(await store.read(stored_figures, GUILD)) == bits(merged)
    # Split off and merged anew on its own, it stays when the other goes.
    await correct(store, ledger.propose_merge, two, three)
    await correct(store, ledger.propose_split, one)
    assert await _counts(store, games) == [one, three, three]
    await correct(store, ledger.propose_merge, one, three)
    await correct(store, ledger.propose_split, two)
    assert await _counts(store, games) == [three, two, three]
    await correct(store, ledger.propose_split, one)
    assert bits(await store.read(stored_figures, GUILD)) == bits(own)
    assert (await refused(store, ledger.propose_split, one)).refusal is Refusal.NOT_MERGED


@pytest.mark.parametrize("tell", [report, lambda: hand(winner=None)], ids=["riichi", "american"])
async def test_two_who_became_one_cannot_sit_at_one_table(store: Store, tell: Callable[[], Told]) -> None:
    await play(store, report(players=(CHIAKI, DORA, EMI, REI)))
    one, into = await record(store, ANN), await record(store, BORIS)
    games = await play(store, tell())
    games.append(await report_it(store, tell()))
    answer = await refused(store, ledger.propose_merge, one, into)
    assert (answer.refusal, answer.values["games"]) == (Refusal.TOGETHER, [2, 3])
    await correct(store, ledger.propose_void, games[0].id, "A slip")
    await reject(store, games[1])
    await correct(store, ledger.propose_merge, one, into)
    for propose, game in zip((ledger.propose_restore, ledger.propose_reopen), games, strict=True):
        answer = await refused(store, propose, game.id)
        assert (answer.refusal, set(answer.values.values())) == (Refusal.ONE_PERSON, {"Борис"})
        shown = await store.read(ledger.matter, GUILD, game.id)
        assert [person.name for person in shown.game.people] == ["Борис", "Борис", "千秋", "Dora"]
        assert len(set(shown.game.players)) == 4
    await correct(store, ledger.propose_split, one)
    await correct(store, ledger.propose_restore, games[0].id)


async def test_a_merged_record_sits_down_under_the_one_it_counts_as(store: Store) -> None:
    game, _ = await play(store, report(players=(EMI, BORIS, CHIAKI, DORA)), report(players=(REI, KAI, EMI, DORA)))
    one, into = await record(store, ANN), await record(store, REI)
    await correct(store, ledger.propose_merge, one, into)
    table = list(game.records)
    made = await amend(store, game, players=(one, *table[1:]))
    assert made.game is not None
    assert made.game.players == (into, *table[1:])
    # Naming him by his other record says nothing new.
    told = replace(await store.read(tellings.read, game.id), players=(into, *table[1:]))
    assert (await refused(store, ledger.propose_amend, game.id, told, NOW)).refusal is Refusal.NOTHING_TO_AMEND
    told = replace(told, players=(into, one, *table[2:]))
    assert (await refused(store, ledger.propose_amend, game.id, told, NOW)).refusal is Refusal.ONE_PERSON


async def test_whoever_is_forgotten_keeps_his_place_in_the_figures(store: Store, lines: Lines) -> None:
    await play(store, report(), *evening(lines), report(players=(REI, KAI, EMI, DORA)))
    old, new = await record(store, REI), await record(store, ANN)
    await correct(store, ledger.propose_merge, old, new)
    figures = await store.read(stored_figures, GUILD)
    # An admin may have himself forgotten, and is not known again by having done so.
    await correct(store, ledger.propose_forget, new, NOW, by=ANN)
    assert await store.read(stored_figures, GUILD) == figures
    known = await store.read(
        rows, sa.select(players.c.name, players.c.discord_id).where(players.c.id.in_((old, new)))
    )
    assert known == [("", None)] * 2
    assert ANN.discord_id not in [row[2] for row in (await everything(store))[players.name]]
    (again,) = await play(store, report())
    assert again.players[0] not in (old, new)
    await correct(store, ledger.propose_split, old)


def _as(told: Told, person: Person) -> Told:
    """The same with somebody in Ann's place."""

    def seated(each: Person) -> Person:
        return person if each == ANN else each

    told = replace(told, players=tuple(map(seated, told.players)))
    if isinstance(told, Report) or told.discarder is None:
        return told
    return replace(told, discarder=seated(told.discarder))


async def _counts(store: Store, games: Sequence[GameRecord]) -> list[int]:
    """Under which record the first seat of each game counts."""
    rows = (await store.read(stored_figures, GUILD)).rows
    return [rows[game.id, 0][2] for game in games]
