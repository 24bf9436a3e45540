"""Penalties on American hands: who may get one and when, what is kept of them, and what they cost."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

import pytest
import sqlalchemy as sa

from ratings import ledger
from ratings.models import (
    GameState,
    Offence,
    Refusal,
    Refused,
    Standing,
    Verdict,
    WonBy,
)
from ratings.queries import games
from ratings.queries.games import GameRecord
from ratings.store import Store, outbox
from ratings.store.outbox import Kind
from ratings.store.tables import (
    penalties,
    players,
)
from ratings.systems import nmjl
from ratings.systems.nmjl import NmjlRules
from tests.ledger_help import (
    ANN,
    BORIS,
    CARD,
    CHIAKI,
    DORA,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    REI,
    american,
    american_changes,
    american_figures,
    another,
    approve,
    as_changes,
    choose,
    everything,
    hand,
    hand_outcome,
    letters,
    penalise,
    report,
    submit,
    submit_hand,
)

FOUR = (ANN, BORIS, CHIAKI, DORA)
BENDS, PASS, BOOTS, FORD = (line.name for line in CARD)


async def _refused_penalty(
    store: Store, game: GameRecord, wanted: Collection[tuple[int, Offence]], guild: int = GUILD
) -> Refusal:
    """Why these penalties are refused, having made sure that nothing was written."""
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await store.write(ledger.set_penalties, guild, game.id, wanted, KAI, NOW)
    assert await everything(store) == before
    return refused.value.refusal


async def test_penalties_are_off_until_a_club_turns_them_on(store: Store, lines: dict[str, int]) -> None:
    game = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    sins = [(game.players[0], Offence.MISNAMED)]
    await choose(store, NEIGHBOURS, penalties=True)
    assert await _refused_penalty(store, game, sins) is Refusal.PENALTIES_OFF
    assert await _refused_penalty(store, game, []) is Refusal.PENALTIES_OFF
    await choose(store, penalties=True)
    assert len((await penalise(store, game, (ANN, Offence.MISNAMED))).penalties) == 1
    await choose(store, penalties=False)
    assert await _refused_penalty(store, game, []) is Refusal.PENALTIES_OFF


async def test_what_was_added_and_taken_back_and_by_whom_is_kept(store: Store) -> None:
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(winner=None))
    ann, _, _, dora = game.players
    game = await penalise(store, game, (ANN, Offence.MISNAMED), (DORA, Offence.DEAD_HAND), now=NOW + 1)
    assert set(game.penalties) == {
        games.Penalty(ann, Offence.MISNAMED, "Kai"),
        games.Penalty(dora, Offence.DEAD_HAND, "Kai"),
    }
    wanted = ((ANN, Offence.MISNAMED), (ANN, Offence.DEAD_HAND))
    game = await penalise(store, game, *wanted, by=REI, now=NOW + 2)
    assert game.penalties == (
        games.Penalty(ann, Offence.MISNAMED, "Kai"),
        games.Penalty(ann, Offence.DEAD_HAND, "Rei"),
    )
    assert american(game).penalties == ((ann, Offence.MISNAMED), (ann, Offence.DEAD_HAND))
    # Once more with the same is no change, and what was taken back can be added again.
    kept = await store.read(_rows)
    await penalise(store, game, *wanted, now=NOW + 3)
    assert await store.read(_rows) == kept
    game = await penalise(store, game, (DORA, Offence.DEAD_HAND), now=NOW + 4)
    assert game.penalties == (games.Penalty(dora, Offence.DEAD_HAND, "Kai"),)
    assert await store.read(_rows) == sorted(
        [
            ("Ann", Offence.MISNAMED, "Kai", NOW + 1, "Kai", NOW + 4),
            ("Dora", Offence.DEAD_HAND, "Kai", NOW + 1, "Rei", NOW + 2),
            ("Ann", Offence.DEAD_HAND, "Rei", NOW + 2, "Kai", NOW + 4),
            ("Dora", Offence.DEAD_HAND, "Kai", NOW + 4, None, None),
        ],
        key=repr,
    )
    assert await letters(store, game) == [Kind.CARD] * 5
    # Taking back what was added again leaves alone what was taken back before.
    assert (await penalise(store, game, by=REI, now=NOW + 5)).penalties == ()
    assert [row for row in await store.read(_rows) if row[:2] == ("Dora", Offence.DEAD_HAND)] == [
        ("Dora", Offence.DEAD_HAND, "Kai", NOW + 1, "Rei", NOW + 2),
        ("Dora", Offence.DEAD_HAND, "Kai", NOW + 4, "Rei", NOW + 5),
    ]


def _rows(connection: sa.Connection) -> list[tuple[object, ...]]:
    """Every penalty: whose, for what, added by whom and when, taken back by whom and when."""
    rows = connection.execute(sa.select(penalties)).all()
    names = {row.id: row.name for row in connection.execute(sa.select(players))}
    made = [
        (
            names[row.player_id],
            Offence(row.offence),
            names[row.added_by],
            row.added_at,
            names.get(row.removed_by),
            row.removed_at,
        )
        for row in rows
    ]
    return sorted(made, key=repr)


async def test_penalties_are_for_those_at_the_table(store: Store) -> None:
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(players=(ANN, BORIS), winner=None))
    absent = (await submit_hand(store, hand(players=(ANN, DORA), winner=None))).players[1]
    fine = (game.players[0], Offence.MISNAMED)
    for stranger in (absent, 10**6):
        wanted = [fine, (stranger, Offence.MISNAMED)]
        assert await _refused_penalty(store, game, wanted) is Refusal.NOT_AT_THE_TABLE


async def test_a_dead_hand_is_penalised_in_wall_games_only(store: Store, lines: dict[str, int]) -> None:
    await choose(store, penalties=True)
    won = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    wanted = [(won.players[1], Offence.MISNAMED), (won.players[1], Offence.DEAD_HAND)]
    assert await _refused_penalty(store, won, wanted) is Refusal.DEAD_HAND_ON_A_WIN
    wall = await submit_hand(store, hand(winner=None))
    assert len((await penalise(store, wall, (BORIS, Offence.DEAD_HAND))).penalties) == 1


@pytest.mark.parametrize("verdict", Verdict)
async def test_a_decided_hand_takes_no_penalties(store: Store, lines: dict[str, int], verdict: Verdict) -> None:
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    game = await penalise(store, game, (DORA, Offence.FED_TWO_EXPOSURES))
    await store.write(ledger.decide, GUILD, game.id, verdict, KAI, NOW)
    for wanted in ([], [(game.players[0], Offence.MISNAMED)]):
        assert await _refused_penalty(store, game, wanted) is Refusal.NOT_PENDING


async def test_penalties_are_for_american_hands_of_this_club(store: Store) -> None:
    for guild in (GUILD, NEIGHBOURS):
        await choose(store, guild, penalties=True)
    riichi_game, wall = await submit(store), await submit_hand(store, hand(winner=None))
    sin = [(riichi_game.players[0], Offence.MISNAMED)]
    assert await _refused_penalty(store, riichi_game, sin) is Refusal.NOT_AMERICAN
    assert await _refused_penalty(store, wall, sin, NEIGHBOURS) is Refusal.UNKNOWN_GAME


async def test_a_penalty_moves_the_rating_and_lessens_what_is_gained(store: Store, lines: dict[str, int]) -> None:
    await choose(store, penalties=True)
    clean = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    free = [step.after for step in (await hand_outcome(store, clean)).steps]
    sins = ((ANN, Offence.MISNAMED), (DORA, Offence.FED_THREE_EXPOSURES), (DORA, Offence.MISNAMED_GAVE_MAHJONG))
    game = await penalise(store, clean, *sins)
    forecast = await hand_outcome(store, game)
    assert [step.penalty for step in forecast.steps] == [-10, 0, 0, -50]
    game = await approve(store, game)
    assert await american_figures(store, *FOUR) == [
        free[0]._replace(rating=1028.0, points=110),
        free[1],
        free[2],
        free[3]._replace(rating=free[3].rating - 50),
    ]
    assert await hand_outcome(store, game) == forecast
    assert await store.read(american_changes, game) == as_changes(game, forecast)
    wall = await penalise(store, await submit_hand(store, hand(winner=None)), (ANN, Offence.DEAD_HAND))
    await approve(store, wall)
    # Nothing was gained in a wall game, so the total points stay; the rating falls.
    assert await american_figures(store, ANN) == [Standing(0, 110, 1018.0, 2)]


async def test_of_a_games_total_points_a_penalty_leaves_nothing_at_worst(
    store: Store, lines: dict[str, int]
) -> None:
    await choose(store, penalties=True)
    told = hand(lines[BENDS], players=(ANN, BORIS), won_by=WonBy.UNRECORDED)
    await approve(store, await submit_hand(store, told))
    assert await american_figures(store, ANN) == [Standing(0, 30, 1038.0, 1)]
    sins = ((ANN, Offence.MISNAMED), (ANN, Offence.FED_THREE_EXPOSURES))
    again = await submit_hand(store, replace(told, interaction_id=told.interaction_id + 10**6))
    game = await approve(store, await penalise(store, again, *sins))
    (ann, _) = await american_figures(store, ANN, BORIS)
    assert ann is not None
    assert (ann.points, ann.games) == (30, 2)
    free = nmjl.rate(replace(american(game), penalties=()), _befores(await hand_outcome(store, game)), NmjlRules())
    assert ann.rating == free[0].rating - 35


def _befores(outcome: ledger.AmericanOutcome) -> list[Standing]:
    return [step.before for step in outcome.steps]


async def test_penalties_of_a_club_that_turned_them_off_again_do_not_count(
    store: Store, lines: dict[str, int]
) -> None:
    await choose(store, penalties=True)
    game = await penalise(
        store, await submit_hand(store, hand(lines[BENDS], discarder=DORA)), (ANN, Offence.MISNAMED)
    )
    await choose(store, penalties=False)
    game = await approve(store, game)
    assert len(game.penalties) == 1
    assert await american_figures(store, ANN) == [Standing(0, 120, 1038.0, 1)]
    await choose(store, penalties=True)
    assert [step.penalty for step in (await hand_outcome(store, game)).steps] == [0, 0, 0, 0]
    assert await store.read(american_changes, game) == as_changes(game, await hand_outcome(store, game))


async def test_of_a_decision_and_penalties_at_once_the_stored_figures_are_those_shown(
    store: Store, lines: dict[str, int], database: str
) -> None:
    await choose(store, penalties=True)
    made = [await submit_hand(store, hand(lines[BENDS], discarder=DORA)) for _ in range(4)]
    async with another(database) as other:
        answers = await asyncio.gather(
            *(approve(store, game) for game in made),
            *(penalise(other, game, (ANN, Offence.MISNAMED)) for game in made),
            return_exceptions=True,
        )
    late = [answer for answer in answers if isinstance(answer, BaseException)]
    assert all(isinstance(each, Refused) and each.refusal is Refusal.NOT_PENDING for each in late)
    for game in made:
        decided = await store.read(games.by_id, GUILD, game.id)
        assert decided.state is GameState.APPROVED
        assert await store.read(american_changes, decided) == as_changes(
            decided, await hand_outcome(store, decided)
        )


async def test_penalties_that_break_while_written_leave_everything_untouched(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await choose(store, penalties=True)
    game = await submit_hand(store, hand(winner=None))
    game = await penalise(store, game, (ANN, Offence.MISNAMED))
    before = await everything(store)

    def broken(*_: object) -> None:
        raise RuntimeError("no letters")

    monkeypatch.setattr(outbox, "enqueue", broken)
    with pytest.raises(RuntimeError, match="no letters"):
        await penalise(store, game, (BORIS, Offence.DEAD_HAND))
    assert await everything(store) == before


async def test_the_cards_of_both_kinds_of_game_stand_in_one_list(store: Store, lines: dict[str, int]) -> None:
    made = [
        await submit_hand(store, hand(lines[PASS], won_by=WonBy.SELF_PICK)),
        await submit(store, report((50000, 35000, 20000))),
        await submit_hand(store, hand(winner=None)),
    ]
    assert await store.read(games.pending, GUILD) == made
    page = await store.read(games.page, GUILD, ANN.discord_id, 0, 5)
    assert list(page.games) == made[::-1]
