"""Histories and comparisons: which games and tournaments they are made of, and what two people did together."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise

from ratings import ledger
from ratings.models import Person, SystemName, WonBy
from ratings.queries import boards
from ratings.queries.history import LONGEST_RANKING, Measure, Step, head_to_heads, histories
from ratings.statistics import HeadToHead
from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as entrants
from ratings.tournaments import rankings
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
    choose,
    hand,
    report,
    standing,
    submit,
    submit_hand,
    this_years_card,
)
from tests.people_help import merge
from tests.ranking_help import hold, players


async def course(store: Store, person: Person, measure: Measure, guild: int = GUILD, now: int = NOW) -> list[Step]:
    """A member's history."""
    (found,) = await store.read(histories, guild, [person.discord_id], measure, now)
    return found


async def beside(store: Store, first: Person, second: Person, measure: Measure, guild: int = GUILD) -> HeadToHead:
    """How two members did together."""
    (found,) = await store.read(head_to_heads, guild, [first.discord_id, second.discord_id], measure)
    return found


async def test_a_history_is_in_the_order_of_rating_at_the_times_of_play(store: Store) -> None:
    late = await submit(store, report(played_at=NOW - 100))
    early = await submit(store, report((10_000, 20_000, 30_000, 40_000), played_at=NOW - 5000))
    unranked = await submit(store, report(ranked=False, played_at=NOW - 50))
    last = await submit(store, report(played_at=NOW - 10))
    for game in (late, early, unranked, last):
        await approve(store, game)
    rank = await course(store, ANN, Measure.RANK_4P)
    assert [step.at for step in rank] == [NOW - 100, NOW - 100, NOW - 10]
    assert [(step.rank, step.value) for step in rank] == [(1, 0), (1, 0), (2, 0)]
    now = await standing(store, ANN)
    assert now is not None
    rating = await course(store, ANN, Measure.RATING_4P)
    assert rating[0] == Step(NOW - 100, 1530.0)
    assert rating[-1].value == now.rating
    assert len(rating) == now.games == 3
    assert await course(store, ANN, Measure.RATING_3P) == []
    assert await course(store, ANN, Measure.RANK_4P, NEIGHBOURS) == []
    assert await course(store, EMI, Measure.RANK_4P) == []


async def test_a_corrected_game_leaves_the_history(store: Store) -> None:
    first = await approve(store, await submit(store, report()))
    await approve(store, await submit(store, report((30_000, 40_000, 20_000, 10_000))))
    proposal = await store.read(ledger.propose_void, GUILD, first.id, "slip")
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    (step,) = await course(store, BORIS, Measure.RATING_4P)
    assert step.value == 1530.0


async def test_three_players_and_american_hands_have_histories_of_their_own(store: Store) -> None:
    ids = await this_years_card(store)
    await approve(store, await submit(store, report((50_000, 35_000, 20_000))))
    await approve(store, await submit_hand(store, hand(ids["Three bends"], won_by=WonBy.SELF_PICK)))
    (three,) = await course(store, ANN, Measure.RANK_3P)
    (american,) = await course(store, ANN, Measure.AMERICAN)
    profile = await store.read(boards.profile, GUILD, SystemName.NMJL, ANN.discord_id)
    assert profile is not None
    assert (three.rank, three.value) == (1, 0)
    assert american.value == profile.standing.rating
    assert american.rank is None


async def test_both_accounts_of_one_person_have_one_history(store: Store) -> None:
    await approve(store, await submit(store, report()))
    await approve(store, await submit(store, report((40_000, 30_000, 20_000, 10_000), (EMI, BORIS, CHIAKI, DORA))))
    await merge(store, EMI, ANN)
    mine = await course(store, ANN, Measure.RATING_4P)
    assert mine == await course(store, EMI, Measure.RATING_4P)
    assert len(mine) == 2
    assert (await beside(store, EMI, BORIS, Measure.RATING_4P)).together == 2


async def test_head_to_head_counts_all_games_at_one_table(store: Store) -> None:
    for told in (
        report((45_200, 30_100, 15_700, 9_000)),
        report((10_000, 40_000, 30_000, 20_000), ranked=False),
        report((40_000, 30_000, 20_000, 10_000), (ANN, EMI, CHIAKI, DORA)),
        report((50_000, 35_000, 20_000)),
    ):
        await approve(store, await submit(store, told))
    await submit(store)
    found = await beside(store, ANN, BORIS, Measure.RANK_4P)
    # 55.2 against 10.1 (first place takes the oka), then −40 against 50.
    places, points = Fraction(1 - 3, 2), Fraction(55_200 - 10_100 - 40_000 - 50_000, 2)
    assert (found.together, found.ahead, found.behind, found.ties) == (2, 1, 1, 0)
    assert found.place_difference == places
    assert found.points_difference == points
    assert await beside(store, BORIS, ANN, Measure.RATING_4P) == HeadToHead(2, 1, 1, -places, -points)
    assert (await beside(store, ANN, BORIS, Measure.RANK_3P)).together == 1
    assert (await beside(store, BORIS, EMI, Measure.RANK_4P)).together == 0
    assert (await beside(store, ANN, BORIS, Measure.RANK_4P, NEIGHBOURS)).together == 0


async def test_shared_places_are_ties(store: Store) -> None:
    await choose(store, shared_places=True)
    await approve(store, await submit(store, report((30_000, 30_000, 20_000, 20_000))))
    found = await beside(store, ANN, BORIS, Measure.RANK_4P)
    assert (found.ahead, found.behind, found.ties) == (0, 0, 1)
    assert found.place_difference == 0


async def test_in_american_hands_whoever_wins_comes_in_ahead(store: Store) -> None:
    ids = await this_years_card(store)
    for winner in (ANN, BORIS, BORIS, CHIAKI, None):
        line = None if winner is None else ids["Three bends"]
        await approve(store, await submit_hand(store, hand(line, winner=winner, won_by=WonBy.UNRECORDED)))
    found = await beside(store, ANN, BORIS, Measure.AMERICAN)
    assert (found.together, found.ahead, found.behind, found.ties) == (5, 1, 2, 2)
    assert found.points_difference is None


# --- tournament ratings ---


CUPS = (
    (date(2020, 3, 1), {"Анна": 1, "Белла": 12, "Вера": 30, "Галя": 40}),
    (date(2023, 3, 5), {"Анна": 2, "Белла": 10, "Вера": 31}),
    (date(2023, 9, 3), {"Анна": 20, "Белла": 1, "Галя": 3}),
    (date(2024, 6, 2), {"Анна": 1, "Вера": 2, "Галя": 25}),
    (date(2025, 2, 2), {"Анна": 7, "Белла": 8, "Вера": 9, "Галя": 10}),
)
TODAY = date(2025, 11, 30)
AFTERNOON = int(datetime(2025, 11, 30, 15, tzinfo=UTC).timestamp())
ANNA, BELLA = Person(101, "Аня"), Person(102, "Белла")


async def cups(store: Store) -> dict[str, int]:
    """Some years of tournaments; two of the players are members. The ids by name."""
    for number, (day, places) in enumerate(CUPS):
        await hold(store, GUILD, f"Cup {number}", day, places)
    ids = await players(store, GUILD)
    await store.write(entrants.link, GUILD, ids["Анна"], ANNA)
    await store.write(entrants.link, GUILD, ids["Белла"], BELLA)
    return ids


async def test_a_tournament_rating_is_that_of_the_table_on_each_day(store: Store) -> None:
    ids = await cups(store)
    listed = 0
    for person, name in ((ANNA, "Анна"), (BELLA, "Белла")):
        steps = await course(store, person, Measure.RR, now=AFTERNOON)
        known = {datetime.fromtimestamp(step.at, UTC).date(): step.value for step in steps}
        assert list(known) == sorted(known)
        for number in range(0, LONGEST_RANKING.days + 1, 23):
            day = TODAY - timedelta(number)
            view = await store.read(rankings.ranking, GUILD, Ranking.RR, day)
            rows = [row.rating for row in view.table.rows if row.player_id == ids[name]]
            listed += len(rows)
            assert rows == [known[max(each for each in known if each <= day)] for _ in rows]
            assert rows or day not in known
        # Of today there is a step for whoever is listed, whether or not the rating moved.
        assert (TODAY in known) == (person is ANNA)
        assert all(before != after for before, after in pairwise(list(known.values())[:-1]))
    assert listed > 40
    assert await course(store, ANNA, Measure.ONLINE, now=AFTERNOON) == []
    assert await course(store, KAI, Measure.RR, now=AFTERNOON) == []


async def test_tournaments_together_are_those_that_both_finished(store: Store) -> None:
    await cups(store)
    await hold(store, GUILD, "Night online", date(2025, 3, 2), {"Аня": 2, "Белла": 1}, online=True)
    await hold(store, GUILD, "Filled up", date(2025, 4, 6), {"Аня": 2, "Белла": 1}, replacements=("Белла",))
    await store.write(tournaments.remove, GUILD, 2, KAI, NOW)
    live = await beside(store, ANNA, BELLA, Measure.RR)
    assert (live.together, live.ahead, live.behind) == (3, 2, 1)
    assert live.place_difference == Fraction(11 - 19 + 1, 3)
    assert live.points_difference is None
    assert (await beside(store, ANNA, BELLA, Measure.ONLINE)).behind == 1
