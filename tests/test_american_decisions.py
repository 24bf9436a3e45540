"""Decisions on American hands: what they do to the ratings, and that they are whole, once, and each club's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ratings import ledger
from ratings.models import (
    AmericanReport,
    GameState,
    Offence,
    Person,
    Refusal,
    Refused,
    Standing,
    Verdict,
    WonBy,
)
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import decisions, outcomes, standings
from ratings.systems import nmjl
from ratings.systems.nmjl import NmjlRules
from tests.breaking import untouched_when_broken
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
    american,
    american_changes,
    american_figures,
    approve,
    as_changes,
    choose,
    count,
    everything,
    hand,
    hand_outcome,
    hang_card,
    letters,
    penalise,
    placed,
    reject,
    standing,
    submit,
    submit_hand,
)
from tests.twin_help import repeats

FOUR = (ANN, BORIS, CHIAKI, DORA)
BENDS, PASS, BOOTS, FORD = (line.name for line in CARD)


async def test_an_approved_hand_moves_everybody_at_the_table(store: Store, lines: dict[str, int]) -> None:
    game = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    assert await american_figures(store, *FOUR) == [None] * 4
    game = await approve(store, game, now=NOW + 60)
    assert game.state is GameState.APPROVED
    # Level players expect one half: 30 and K x 1/2 for the winner, a third of K x 1/2 off each, the discarder two;
    # the table would have paid 30 + 30 + 60.
    third = 16 * 0.5 / 3
    assert await american_figures(store, *FOUR) == [
        Standing(0, 120, 1038.0, 1),
        Standing(0, 0, 1000.0 - third, 1),
        Standing(0, 0, 1000.0 - third, 1),
        Standing(0, 0, 1000.0 - 2 * third, 1),
    ]
    assert await store.read(american_changes, game) == as_changes(game, await hand_outcome(store, game))
    assert [await count(store, table) for table in (outcomes, decisions)] == [4, 1]
    assert await store.read(placed, game) == [(None, None)] * 4
    assert await letters(store, game) == [Kind.CARD, Kind.CARD]
    assert await standing(store, ANN) is None
    assert await american_figures(store, KAI, EMI) == [None, None]


@pytest.mark.parametrize(
    ("line", "how", "rating", "points"),
    [
        (BENDS, {"won_by": WonBy.SELF_PICK}, 1038.0, 180),
        (BENDS, {"won_by": WonBy.UNRECORDED}, 1038.0, 90),
        (BENDS, {"won_by": WonBy.SELF_PICK, "used_jokers": False}, 1043.0, 185),
        (BENDS, {"won_by": WonBy.UNRECORDED, "concealed": True}, 1044.0, 90),
        (PASS, {"won_by": WonBy.UNRECORDED}, 1056.0, 120),
        (BOOTS, {"won_by": WonBy.SELF_PICK, "used_jokers": False}, 1068.0, 300),
    ],
)
async def test_what_the_winner_of_a_hand_gets(
    store: Store, lines: dict[str, int], line: str, how: dict[str, Any], rating: float, points: int
) -> None:
    told = replace(hand(lines[line]), **how)
    await approve(store, await submit_hand(store, told))
    assert await american_figures(store, ANN) == [Standing(0, points, rating, 1)]


async def test_games_count_for_everybody_at_the_table_once_approved(store: Store, lines: dict[str, int]) -> None:
    await approve(store, await submit_hand(store, hand(winner=None)))
    assert await american_figures(store, *FOUR) == [Standing(0, 0, 1000.0, 1)] * 4
    await submit_hand(store, hand(winner=None))
    await submit_hand(store, hand(lines[BENDS], players=(ANN, EMI), discarder=EMI))
    await reject(store, await submit_hand(store, hand(winner=None)))
    await reject(store, await submit_hand(store, hand(lines[BENDS], players=(ANN, EMI), discarder=EMI)))
    assert await american_figures(store, *FOUR, EMI) == [Standing(0, 0, 1000.0, 1)] * 4 + [None]
    await approve(store, await submit_hand(store, hand(players=(ANN, EMI), winner=None)))
    assert await american_figures(store, ANN, DORA, EMI) == [
        Standing(0, 0, 1000.0, 2),
        Standing(0, 0, 1000.0, 1),
        Standing(0, 0, 1000.0, 1),
    ]


async def test_an_evening_of_hands_is_the_fold_of_the_rating(store: Store, lines: dict[str, int]) -> None:
    await choose(store, penalties=True, section_multipliers=True, jokerless_doubles=True, k_factor=20.5)
    rules = NmjlRules(k_factor=20.5, section_multipliers=True, jokerless_doubles=True, penalties=True)
    expected: dict[int, Standing] = {}
    told = [
        hand(lines[BENDS], discarder=DORA, used_jokers=False),
        hand(lines[PASS], players=(EMI, ANN, BORIS), winner=BORIS, won_by=WonBy.SELF_PICK),
        hand(winner=None),
        hand(lines[BOOTS], winner=DORA, won_by=WonBy.UNRECORDED, used_jokers=False),
        hand(lines[PASS], players=(EMI, DORA), winner=EMI, discarder=DORA),
        hand(players=(EMI, CHIAKI, ANN), winner=None),
        hand(lines[BENDS], players=(CHIAKI, EMI, DORA), winner=CHIAKI, discarder=EMI, concealed=True),
    ]
    waiting = [await submit_hand(store, each) for each in told]
    # Decided backwards: the order of decisions is the order of the rating.
    for game in reversed(waiting):
        last = game.people[-1]
        game = await penalise(store, game, (last, Offence.MISNAMED), (last, Offence.FED_TWO_ON_QUINT))
        before = [expected.get(player, nmjl.initial(rules)) for player in game.players]
        forecast = await hand_outcome(store, game)
        game = await approve(store, game)
        after = nmjl.rate(american(game), before, rules)
        assert await hand_outcome(store, game) == forecast
        assert [step.after for step in forecast.steps] == after
        assert await store.read(american_changes, game) == as_changes(game, forecast)
        expected |= dict(zip(game.players, after, strict=True))
    rows = (await everything(store))[standings.name]
    assert {row[2]: Standing(*row[3:]) for row in rows} == expected
    assert {row[:2] for row in rows} == {(GUILD, "nmjl")}
    assert len(expected) == 5


async def test_a_riichi_game_and_a_hand_of_one_table_know_nothing_of_each_other(
    store: Store, lines: dict[str, int]
) -> None:
    await approve(store, await submit_hand(store, hand(lines[BENDS], discarder=DORA)))
    riichi_game, open_hand = await submit(store), await submit_hand(store, hand(winner=None))
    assert riichi_game.number == 2
    await approve(store, riichi_game)
    assert await standing(store, ANN) == Standing(1, 0, 1530.0, 1)
    assert await american_figures(store, ANN) == [Standing(0, 120, 1038.0, 1)]
    # Both are games of the same people, so the open card is drawn again.
    assert await letters(store, open_hand) == [Kind.CARD, Kind.CARD]


async def test_ratings_start_where_the_club_says(store: Store, lines: dict[str, int]) -> None:
    await approve(store, await submit_hand(store, hand(players=(ANN, BORIS), winner=None)))
    await choose(store, starting_rating=1500.5)
    game = await approve(store, await submit_hand(store, hand(players=(BORIS, CHIAKI), winner=None)))
    assert await american_figures(store, ANN, BORIS, CHIAKI) == [
        Standing(0, 0, 1000.0, 1),
        Standing(0, 0, 1000.0, 2),
        Standing(0, 0, 1500.5, 1),
    ]
    await choose(store, starting_rating=900.0)
    assert [step.before.rating for step in (await hand_outcome(store, game)).steps] == [1000.0, 1500.5]
    fresh = await submit_hand(store, hand(players=(BORIS, DORA), winner=None))
    assert [step.before.rating for step in (await hand_outcome(store, fresh)).steps] == [1000.0, 900.0]


@pytest.mark.parametrize(
    "turned",
    [
        {"starting_rating": 1200.0},
        {"k_factor": 40.0},
        {"jokerless_bonus": 50},
        {"concealed_bonus_multiplier": 1.0},
        {"discard_penalty_multiplier": 3.0},
        {"section_multipliers": True},
        {"jokerless_doubles": True},
        {"penalties": False},
    ],
    ids=lambda turned: next(iter(turned)),
)
async def test_a_turned_knob_changes_later_games_alone(
    store: Store, lines: dict[str, int], turned: dict[str, Any]
) -> None:
    def told(*table: Person) -> AmericanReport:
        return hand(lines[PASS], players=table, winner=table[0], discarder=table[1], used_jokers=False)

    async def penalised(*table: Person) -> GameRecord:
        game = await submit_hand(store, told(*table))
        return await penalise(store, game, (table[1], Offence.MISNAMED))

    await choose(store, penalties=True)
    old = await approve(store, await penalised(*FOUR))
    waiting = await penalised(KAI, REI, EMI)
    stored, shown = await store.read(american_changes, old), await hand_outcome(store, old)
    figures, forecast = await american_figures(store, *FOUR), await hand_outcome(store, waiting)
    assert stored == as_changes(old, shown)

    await choose(store, **turned)
    assert await american_figures(store, *FOUR) == figures
    assert await store.read(american_changes, old) == stored
    assert await hand_outcome(store, old) == shown
    new = await approve(store, waiting)
    assert await hand_outcome(store, new) != forecast
    assert await store.read(american_changes, new) == as_changes(new, await hand_outcome(store, new))
    assert old.decision is not None
    assert new.decision is not None
    assert new.decision.settings_version > old.decision.settings_version


@pytest.mark.parametrize("first", Verdict)
async def test_a_hand_is_decided_once(store: Store, lines: dict[str, int], first: Verdict) -> None:
    game = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    taken = await store.write(ledger.decide, GUILD, game.id, first, KAI, NOW)
    before = await everything(store)
    for second in Verdict:
        late = await store.write(ledger.decide, GUILD, game.id, second, REI, NOW + 1)
        assert (taken.taken, late.taken, late.matter) == (True, False, taken.matter)
    assert await everything(store) == before


@pytest.mark.parametrize(
    "place",
    [
        "ratings.club.settings_in_force",
        "ratings.store.outbox.enqueue",
        "ratings.systems.nmjl.explain",
        "ratings.ledger.figures.upsert_tuples",
        "ratings.queries.games.pending_of",
        "ratings.queries.games.by_id",
    ],
)
async def test_a_decision_on_a_hand_that_breaks_anywhere_leaves_everything_untouched(
    store: Store, lines: dict[str, int], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await submit_hand(store, hand(lines[BENDS], discarder=DORA))
    await untouched_when_broken(store, monkeypatch, place, lambda: approve(store, game))
    await approve(store, game)
    assert await american_figures(store, ANN) == [Standing(0, 120, 1038.0, 1)]


@pytest.mark.parametrize(
    "place", ["ratings.queries.cards.line", "ratings.systems.nmjl.explain", "ratings.store.outbox.enqueue"]
)
async def test_a_report_of_a_hand_that_breaks_anywhere_leaves_everything_untouched(
    store: Store, lines: dict[str, int], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = hand(lines[BENDS], discarder=DORA)
    await untouched_when_broken(store, monkeypatch, place, lambda: submit_hand(store, told))


async def test_two_clubs_with_the_same_members_are_islands(store: Store, lines: dict[str, int]) -> None:
    await approve(store, await submit_hand(store, hand(lines[BENDS], discarder=DORA)))
    neighbours = await everything(store)
    with pytest.raises(Refused) as refused:
        await submit_hand(store, hand(lines[BENDS], discarder=DORA), guild=NEIGHBOURS)
    assert refused.value.refusal is Refusal.UNKNOWN_LINE
    assert await everything(store) == neighbours
    theirs = await hang_card(store, guild=NEIGHBOURS)
    await choose(store, NEIGHBOURS, starting_rating=1300.0, k_factor=40.0, penalties=True)
    here = await american_figures(store, *FOUR)
    there = await submit_hand(store, hand(theirs[BENDS], discarder=DORA), guild=NEIGHBOURS)
    assert (there.number, repeats(there)) == (1, None)
    await approve(store, there)
    assert await american_figures(store, ANN, BORIS, guild=NEIGHBOURS) == [
        Standing(0, 120, 1350.0, 1),
        Standing(0, 0, 1300.0 - 20 / 3, 1),
    ]
    assert await american_figures(store, *FOUR) == here
