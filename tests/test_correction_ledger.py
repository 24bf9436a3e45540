"""Corrections of games: all figures become those of a club where it had been so from the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.ledger import tellings
from ratings.models import (
    AmericanReport,
    GameState,
    Length,
    Lobby,
    Offence,
    Person,
    Refusal,
    Standing,
    SystemName,
    WonBy,
)
from ratings.store import Store
from ratings.store.tables import card_lines, outcomes, penalties, players
from tests.correcting import (
    Lines,
    Told,
    amend,
    correct,
    evening,
    is_clean,
    open_club,
    play,
    record,
    refused,
    report_it,
    rows,
    same_in_both_clubs,
)
from tests.correction_draws import with_records
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
    choose,
    everything,
    hand,
    penalise,
    placed,
    reject,
    report,
    standing,
    submit,
    submit_hand,
)
from tests.twin_help import repeats

FIGURES = (outcomes.name, "standings")


@pytest.mark.parametrize("which", [0, 3, 6])
async def test_a_voided_game_has_never_been(store: Store, which: int) -> None:
    for guild in (GUILD, NEIGHBOURS):
        told = [report(), *evening(await open_club(store, guild))]
        games = [await report_it(store, each, guild) for each in told]
        for position, game in enumerate(games):
            if guild == GUILD or position != which:
                await approve(store, game)
        if guild == GUILD:
            made = await correct(store, ledger.propose_void, games[which].id, " Nobody was there ")
    assert made.game is not None
    assert (made.game.state, made.game.approval) == (GameState.VOIDED, None)
    assert made.game.note is not None
    assert (made.game.note.by, made.game.note.reason) == ("Kai", "Nobody was there")
    await same_in_both_clubs(store)


@pytest.mark.parametrize("which", [0, 1, 2, 6])
async def test_restoring_brings_every_figure_back(store: Store, lines: Lines, which: int) -> None:
    games = await play(store, report(), *evening(lines))
    before, figures = await everything(store), await store.read(stored_figures, GUILD)
    await correct(store, ledger.propose_void, games[which].id, "A slip")
    assert bits(await store.read(stored_figures, GUILD)) != bits(figures)
    made = await correct(store, ledger.propose_restore, games[which].id)
    assert bits(await store.read(stored_figures, GUILD)) == bits(figures)
    after = await everything(store)
    assert all(after[table] == before[table] for table in (*FIGURES, "games", "seats"))
    assert made.game is not None
    assert made.game.approval == games[which].approval


def _win(lines: Lines, **changes: Any) -> AmericanReport:
    return replace(hand(lines["Three bends"], discarder=BORIS), **changes)


AMENDMENTS: list[tuple[Callable[[Lines], Told], Callable[[Lines], Told]]] = [
    (lambda _: report((30000, 40000, 20000, 10000)), lambda _: report()),
    (lambda _: report(), lambda _: report(players=(DORA, CHIAKI, BORIS, ANN))),
    (lambda _: report(), lambda _: report(players=(ANN, BORIS, CHIAKI, EMI))),
    (lambda _: report(), lambda _: report(players=(ANN, BORIS, CHIAKI, REI))),
    (lambda _: report(), lambda _: report(length=Length.TONPUU)),
    (lambda _: report(), lambda _: report(lobby=Lobby.HOUOU)),
    (lambda _: report(), lambda _: report((39000, 30000, 20000, 10000), sticks=1)),
    (lambda _: report(), lambda _: report((45000, 35000, 25000))),
    (lambda _: report((45000, 35000, 25000)), lambda _: report()),
    (lambda _: report(), lambda _: report(ranked=False)),
    (lambda _: report(ranked=False), lambda _: report()),
    (lambda _: report(), lambda _: report(played_at=NOW - 7200)),
    (lambda lines: _win(lines), lambda lines: _win(lines, winner=CHIAKI)),
    (lambda lines: _win(lines), lambda lines: _win(lines, line_id=lines["Hidden pass"])),
    (lambda lines: _win(lines), lambda lines: _win(lines, discarder=DORA)),
    (lambda lines: _win(lines), lambda lines: _win(lines, won_by=WonBy.SELF_PICK, discarder=None)),
    (lambda lines: _win(lines), lambda lines: _win(lines, used_jokers=False, concealed=True)),
    (lambda lines: _win(lines), lambda lines: _win(lines, players=(ANN, BORIS))),
    (lambda lines: _win(lines), lambda lines: _win(lines, players=(REI, BORIS, EMI), winner=REI)),
    (lambda lines: _win(lines), lambda _: hand(winner=None)),
    (lambda _: hand(winner=None), lambda lines: _win(lines)),
]


@pytest.mark.parametrize(("wrong", "right"), AMENDMENTS)
async def test_an_amended_game_counts_as_if_told_so_at_once(
    store: Store, wrong: Callable[[Lines], Told], right: Callable[[Lines], Told]
) -> None:
    first = {}
    for guild, telling in ((GUILD, wrong), (NEIGHBOURS, right)):
        lines = await open_club(store, guild)
        (first[guild],) = await play(store, telling(lines), guild=guild)
        # The settings of the approval are those that count, whatever the club has chosen since.
        await choose(store, guild, uma_4p=[30, 10, -10, -30], uma_3p=[15, 0, -15], shared_places=True)
        await choose(store, guild, k_factor=32.0, starting_rating=1234.5, tenhou_rules="live")
        await play(store, *evening(lines), guild=guild)
    told = await _translated(store, await store.read(tellings.read, first[NEIGHBOURS].id))
    made = await correct(store, ledger.propose_amend, first[GUILD].id, told, NOW)
    assert await store.read(tellings.read, first[GUILD].id) == told
    assert made.game is not None
    assert (made.game.approval, made.game.state) == (first[GUILD].approval, GameState.APPROVED)
    await same_in_both_clubs(store)
    assert (await refused(store, ledger.propose_amend, first[GUILD].id, told, NOW)).refusal is (
        Refusal.NOTHING_TO_AMEND
    )


async def test_an_amendment_keeps_the_settings_of_the_approval(store: Store) -> None:
    (game,) = await play(store, report((30000, 40000, 20000, 10000)))
    await choose(store, uma_4p=[30, 10, -10, -30], return_4p=25000)
    await amend(store, game, scores=(40000, 30000, 20000, 10000))
    assert await store.read(placed, game) == [(1, 50000), (2, 10000), (3, -20000), (4, -40000)]


async def test_a_game_of_three_moves_to_the_other_ladder(store: Store) -> None:
    game, _ = await play(store, report(), report(players=(ANN, BORIS, CHIAKI, EMI)))
    table = [await record(store, person) for person in (ANN, BORIS, DORA)]
    made = await amend(store, game, players=tuple(table), scores=(50000, 35000, 20000))
    assert await standing(store, DORA) is None
    assert await standing(store, DORA, SystemName.TENHOU_3P) == Standing(0, 0, 1470.0, 1)
    figures = await standing(store, ANN)
    assert figures is not None
    assert figures.games == 1
    assert {(move.name, move.system) for move in made.moves if move.after is None} == {("Dora", "tenhou-4p")}
    assert {move.name for move in made.moves if move.before is None} == {"Ann", "Борис", "Dora"}


async def test_an_unranked_game_keeps_its_places_and_moves_nobody(store: Store) -> None:
    game, _ = await play(store, report(), report(players=(EMI, REI, ANN, KAI)))
    made = await amend(store, game, ranked=False)
    assert await store.read(placed, game) == [(1, 50000), (2, 10000), (3, -20000), (4, -40000)]
    assert [await standing(store, person) for person in (BORIS, CHIAKI, DORA)] == [None] * 3
    assert await standing(store, ANN) == Standing(0, 0, 1490.0, 1)
    assert {move.name for move in made.moves} == {"Ann", "Борис", "千秋", "Dora", "Emi", "Rei", "Kai"}


async def test_everybody_starts_under_the_rules_of_his_first_game(store: Store, lines: Lines) -> None:
    await choose(store, starting_rating=1000.0)
    (first,) = await play(store, hand(winner=None))
    await choose(store, starting_rating=1500.0)
    await play(store, hand(winner=None))
    assert (await standing(store, ANN, SystemName.NMJL)) == Standing(0, 0, 1000.0, 2)
    await correct(store, ledger.propose_void, first.id, "A slip")
    assert (await standing(store, ANN, SystemName.NMJL)) == Standing(0, 0, 1500.0, 1)
    await correct(store, ledger.propose_restore, first.id)
    assert (await standing(store, ANN, SystemName.NMJL)) == Standing(0, 0, 1000.0, 2)


async def test_a_correction_leaves_the_other_systems_alone(store: Store, lines: Lines) -> None:
    games = await play(store, report(), *evening(lines))
    before = await store.read(stored_figures, GUILD)
    await correct(store, ledger.propose_void, games[2].id, "A slip")
    after = await store.read(stored_figures, GUILD)
    hands = {games[2].id, games[5].id}
    assert {key for key, row in before.rows.items() if after.rows.get(key) != row} == {
        key for key in before.rows if key[0] in hands
    }
    assert {key[0] for key, each in before.standings.items() if after.standings.get(key) != each} == {
        SystemName.NMJL
    }


async def test_a_reopened_game_counts_from_its_new_approval(store: Store) -> None:
    told = (report(), report((10000, 20000, 30000, 40000)), report((25000, 27000, 24000, 24000)))
    here = [await submit(store, each) for each in told]
    await reject(store, here[0], reason="Wrong seats")
    await approve(store, here[2])
    made = await correct(store, ledger.propose_reopen, here[0].id)
    assert made.game is not None
    assert made.game.state is GameState.PENDING
    await approve(store, here[1])
    again = await approve(store, here[0], now=NOW + 60)
    assert again.decision is not None
    assert again.decision.reason is None
    there = [await submit(store, each, guild=NEIGHBOURS) for each in told]
    for position in (2, 1, 0):
        await approve(store, there[position])
    await same_in_both_clubs(store)
    # Voided and restored, it is back at its new place.
    await correct(store, ledger.propose_void, here[0].id, "A slip")
    await correct(store, ledger.propose_restore, here[0].id)
    await same_in_both_clubs(store)


async def test_penalties_count_while_they_fit_and_come_back_by_themselves(store: Store, lines: Lines) -> None:
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(winner=None))
    await penalise(store, game, (ANN, Offence.MISNAMED), (BORIS, Offence.MISNAMED), (CHIAKI, Offence.DEAD_HAND))
    game = await approve(store, game)
    old, now = await record(store, BORIS), await record(store, REI)
    await correct(store, ledger.propose_merge, old, now)
    ann, _, chiaki, dora = game.records
    emi = await record(store, EMI)
    recorded = await store.read(rows, sa.select(penalties))
    made = await amend(store, game, players=(emi, now, chiaki, dora))
    assert _counting(made) == {(now, Offence.MISNAMED), (chiaki, Offence.DEAD_HAND)}
    line = {"line_id": lines["Three bends"], "won_by": WonBy.SELF_PICK}
    made = await amend(store, game, winner=emi, **line)
    assert _counting(made) == {(now, Offence.MISNAMED)}
    # Whoever was penalised is named by another record of his, and it is he who comes back.
    wall = {"winner": None, "line_id": None, "won_by": WonBy.UNRECORDED}
    made = await amend(store, game, players=(dora, chiaki, emi), **wall)
    assert _counting(made) == {(chiaki, Offence.DEAD_HAND)}
    made = await amend(store, game, players=(ann, now, chiaki, dora))
    assert _counting(made) == {(ann, Offence.MISNAMED), (now, Offence.MISNAMED), (chiaki, Offence.DEAD_HAND)}
    assert made.game is not None
    assert made.game.records == game.records
    assert await store.read(rows, sa.select(penalties)) == recorded
    await is_clean(store)


def _counting(made: ledger.Correction) -> set[tuple[int, Offence]]:
    assert made.game is not None
    return {(each.player_id, each.offence) for each in made.game.penalties}


async def test_voided_and_withdrawn_games_are_no_duplicates(store: Store) -> None:
    (first,) = await play(store, report())
    assert repeats(await submit(store)) == 1
    await correct(store, ledger.propose_void, first.id, "A slip")
    second = await submit(store)
    assert repeats(second) == 2
    for number in (2, 3):
        await correct(store, ledger.propose_withdraw, second.id - 3 + number, ANN)
    fourth = await submit(store)
    assert repeats(fourth) is None
    # An amended game is compared by what it is told as now.
    await amend(store, fourth, scores=(39000, 31000, 20000, 10000))
    assert repeats(await submit(store)) is None
    assert repeats(await submit(store, report((39000, 31000, 20000, 10000)))) == 4


async def _translated(store: Store, told: tellings.Telling) -> tellings.Telling:
    """What the neighbours tell, with the records and the card of this club."""
    theirs = dict(await store.read(rows, sa.select(players.c.id, players.c.discord_id)))
    ours = {id_: await record(store, Person(theirs[id_], await _name(store, id_))) for id_ in told.players}
    told = with_records(told, ours.__getitem__)
    if isinstance(told, tellings.AmericanTelling) and told.line_id is not None:
        name = sa.select(card_lines.c.name).where(card_lines.c.id == told.line_id).scalar_subquery()
        line = sa.select(card_lines.c.id).where(card_lines.c.guild_id == GUILD, card_lines.c.name == name)
        told = replace(told, line_id=(await store.read(rows, line))[0][0])
    return told


async def _name(store: Store, player_id: int) -> str:
    return str((await store.read(rows, sa.select(players.c.name).where(players.c.id == player_id)))[0][0])
