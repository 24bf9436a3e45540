"""Which rules a game is rated under: its ladder, its lobby, the club's settings, and those of its day."""

from __future__ import annotations

import itertools

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.models import Length, Lobby, Person, Standing, SystemName, TenhouRules, Verdict
from ratings.queries.games import GameRecord
from ratings.settings import ClubSettings
from ratings.store import Store
from ratings.store.tables import outcomes, players
from ratings.systems import tenhou
from ratings.systems.riichi import places as places_of
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
    approve,
    everything,
    place_at,
    reject,
    report,
    riichi,
    riichi_outcome,
    standing,
    submit,
)

FOUR = (ANN, BORIS, CHIAKI, DORA)
TIED = (35000, 35000, 15000, 15000)


async def _set(store: Store, **wishes: object) -> None:
    await store.write(club.change_settings, GUILD, wishes, KAI, NOW)


async def _outcome(store: Store, game: GameRecord) -> ledger.RiichiOutcome:
    return riichi_outcome(await store.read(ledger.outcome, game.guild_id, game))


def _stored(connection: sa.Connection, game: GameRecord) -> list[tuple[object, ...]]:
    """By seat: place, final points, and what the rating change says before and after."""
    query = sa.select(outcomes).where(outcomes.c.game_id == game.id).order_by(outcomes.c.seat)
    rows = connection.execute(query).all()
    assert [row[:3] for row in rows] == [(game.id, seat, player) for seat, player in enumerate(game.players)]
    return [tuple(row[3:]) for row in rows]


def _as_stored(outcome: ledger.RiichiOutcome) -> list[tuple[object, ...]]:
    return [
        (place, points, *step.before, step.after.rank, step.after.points, step.after.rating)
        for place, points, step in zip(outcome.places, outcome.final_points, outcome.steps, strict=True)
    ]


async def test_three_players_have_a_ladder_of_their_own(store: Store) -> None:
    await approve(store, await submit(store))
    game = await approve(store, await submit(store, report((50000, 35000, 20000), (DORA, ANN, BORIS))))
    assert (await _outcome(store, game)).final_points == (45000, -5000, -40000)
    three = SystemName.TENHOU_3P
    assert await standing(store, DORA, three) == Standing(1, 0, 1530.0, 1)
    assert await standing(store, ANN, three) == Standing(0, 0, 1500.0, 1)
    assert await standing(store, BORIS, three) == Standing(0, 0, 1470.0, 1)
    assert await standing(store, CHIAKI, three) is None
    assert await standing(store, DORA) == Standing(0, 0, 1470.0, 1)
    assert await standing(store, ANN) == Standing(1, 0, 1530.0, 1)


async def test_without_a_lobby_the_highest_that_all_may_enter_counts(store: Store) -> None:
    fourth_dan = Standing(13, 800, 1850.0, 500)
    await place_at(store, dict.fromkeys(FOUR, fourth_dan))
    strong = await submit(store)
    assert (await _outcome(store, strong)).lobby is Lobby.TOKUJOU
    await approve(store, strong)
    assert await standing(store, ANN) == Standing(13, 875, 1856.0, 501)
    newcomer = await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA)))
    assert (await _outcome(store, newcomer)).lobby is Lobby.IPPAN


async def test_the_lobby_of_the_report_counts_whoever_plays(store: Store) -> None:
    game = await approve(store, await submit(store, report(lobby=Lobby.HOUOU, length=Length.TONPUU)))
    assert (await _outcome(store, game)).lobby is Lobby.HOUOU
    # 60 and 30 points for East-only games there: newcomers are promoted at 20.
    assert [await standing(store, person) for person in FOUR] == [
        Standing(1, 0, 1530.0, 1),
        Standing(1, 0, 1510.0, 1),
        Standing(0, 0, 1490.0, 1),
        Standing(0, 0, 1470.0, 1),
    ]


async def test_equal_scores_go_to_the_earlier_seat(store: Store) -> None:
    game = await approve(store, await submit(store, report(TIED)))
    outcome = await _outcome(store, game)
    assert outcome.places == (1, 2, 3, 4)
    assert outcome.final_points == (45000, 15000, -25000, -35000)


async def test_equal_scores_share_a_place_where_the_club_says_so(store: Store) -> None:
    await _set(store, shared_places=True)
    game = await approve(store, await submit(store, report(TIED)))
    outcome = await _outcome(store, game)
    assert outcome.places == (1, 1, 3, 3)
    assert outcome.final_points == (30000, 30000, -30000, -30000)
    assert [step.after.rating for step in outcome.steps] == [1520.0, 1520.0, 1480.0, 1480.0]
    assert await store.read(_stored, game) == _as_stored(outcome)


@pytest.mark.parametrize(
    ("rules", "first", "last"),
    [
        # After ten games 0.98 counts: R moves by 29.4 around a table average of 1402; below zero a rank is lost.
        (TenhouRules.SEED, Standing(8, 35, 1431.4, 11), Standing(7, 0, 1372.6, 11)),
        # Live the table is worth 1500 and a new R is rounded up to a hundredth; a kyuu is never lost.
        (TenhouRules.LIVE, Standing(8, 35, 1433.81, 11), Standing(8, 0, 1375.01, 11)),
    ],
)
async def test_the_club_chooses_between_the_seed_and_the_live_rules(
    store: Store, rules: TenhouRules, first: Standing, last: Standing
) -> None:
    await _set(store, tenhou_rules=rules)
    await place_at(store, dict.fromkeys(FOUR, Standing(8, 5, 1402.0, 10)))
    await approve(store, await submit(store))
    assert await standing(store, ANN) == first
    assert await standing(store, DORA) == last


async def test_a_change_of_settings_leaves_past_games_as_they_were(store: Store) -> None:
    before = await approve(store, await submit(store, report(TIED)))
    stored = await store.read(_stored, before)
    open_game = await submit(store, report(TIED))
    rejected = await reject(store, await submit(store, report(TIED)))
    await _set(store, shared_places=True, tenhou_rules="live", uma_4p=[30, 10, -10, -30], return_4p=25000)
    assert await store.read(_stored, before) == stored
    assert _as_stored(await _outcome(store, before)) == stored
    after = await approve(store, open_game)
    assert after.decision is not None
    assert before.decision is not None
    assert after.decision.settings_version > before.decision.settings_version == 0
    new = await _outcome(store, after)
    assert new.places == (1, 1, 3, 3)
    assert new.final_points == (30000, 30000, -30000, -30000)
    assert (await _outcome(store, rejected)).places == (1, 1, 3, 3)
    await _set(store, uma_4p=[15, 5, -5, -15])
    for game in (before, after):
        assert _as_stored(await _outcome(store, game)) == await store.read(_stored, game)


async def test_the_forecast_of_a_pending_game_is_what_approval_does(store: Store) -> None:
    await approve(store, await submit(store))
    game = await submit(store, report(players=(DORA, CHIAKI, BORIS, ANN)))
    forecast = await _outcome(store, game)
    assert forecast == await _outcome(store, await approve(store, game))
    assert await store.read(_stored, game) == _as_stored(forecast)


async def test_left_sticks_go_to_first_or_to_all(store: Store) -> None:
    told = report((40000, 30000, 20000, 8000), sticks=2)
    game = await submit(store, told)
    assert (await _outcome(store, game)).final_points == (52000, 10000, -20000, -42000)
    await _set(store, sticks_to_first=False)
    assert (await _outcome(store, game)).final_points == (50500, 10500, -19500, -41500)


async def test_settings_of_the_neighbours_do_not_count_here(store: Store) -> None:
    await store.write(club.change_settings, NEIGHBOURS, {"uma_4p": [0, 0, 0, 0]}, KAI, NOW)
    game = await approve(store, await submit(store))
    assert (await _outcome(store, game)).final_points == (50000, 10000, -20000, -40000)


async def test_a_season_on_either_engine_is_the_same_fold_to_the_last_bit(store: Store) -> None:
    expected: dict[Person, Standing] = {}
    rules = ClubSettings()
    turns = itertools.islice(itertools.permutations((*FOUR, EMI), 4), 0, None, 5)
    for turn, table in enumerate(turns):
        if turn == 12:
            await _set(store, tenhou_rules="live", shared_places=True)
            rules = ClubSettings(tenhou_rules=TenhouRules.LIVE, shared_places=True)
        scores = (41000 - 100 * turn, 29000, 29000, 1000 + 100 * turn)
        game = await submit(store, report(scores, table))
        if turn % 6 == 5:
            await reject(store, game)
            continue
        game = await approve(store, game)
        known = [expected.get(person, tenhou.INITIAL) for person in table]
        places = places_of(riichi(game), rules.shared_places)
        lobby = tenhou.automatic_lobby(known)
        after = tenhou.rate(places, known, lobby, Length.HANCHAN, rules.tenhou_rules)
        expected |= dict(zip(table, after, strict=True))
    assert len(expected) == 5
    for person, figures in expected.items():
        assert await standing(store, person) == figures


async def test_a_person_who_decides_is_no_player_of_the_ladder(store: Store) -> None:
    game = await submit(store)
    await store.write(ledger.decide, GUILD, game.id, Verdict.APPROVE, KAI, NOW)
    rows = await everything(store)
    assert len(rows[players.name]) == 5
    assert await standing(store, KAI) is None
