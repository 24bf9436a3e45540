"""The statistics block: the fold, which games it counts, real logs, and figures as the client shows them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.statistics import cut, mean_score, rate
from ratings import club, ledger
from ratings.logs import read_log
from ratings.models import Person, Report, Verdict
from ratings.queries.statistics import statistics_of
from ratings.statistics import Game, Hands, HeadToHead, Placing, Statistics, gather, head_to_head
from ratings.store import Store
from tests import real_logs
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
    reject,
    report,
    submit,
)
from tests.log_help import agari, init, mjlog

TOKYO = ZoneInfo("Asia/Tokyo")
TABLE = (ANN, BORIS, CHIAKI, DORA)
RATES = ["rate_of_place", "tobi_rate", "win_rate", "deal_in_rate", "call_rate", "riichi_rate"]


@st.composite
def games(draw: st.DrawFn, players: int) -> list[Game]:
    """A player's games at tables of one size."""
    dealt = st.integers(1, 20)
    found = []
    for _ in range(draw(st.integers(0, 12))):
        hands = draw(dealt)
        counts = draw(st.tuples(*[st.integers(0, hands)] * 4))
        found.append(
            Game(
                played_at=draw(st.integers(1_700_000_000, 1_760_000_000)),
                place=draw(st.integers(1, players)),
                final_points=100 * draw(st.integers(-900, 900)),
                score=100 * draw(st.integers(-300, 900)),
                ranked=draw(st.booleans()),
                chips=draw(st.none() | st.integers(-20, 20)),
                hands=draw(st.sampled_from([None, Hands(hands, *counts)])),
            )
        )
    return found


tables = st.sampled_from([3, 4]).flatmap(lambda players: st.tuples(st.just(players), games(players)))


def month_of(game: Game) -> tuple[int, int]:
    """The month of a game on a clock in Tokyo."""
    played = datetime.fromtimestamp(game.played_at, UTC).astimezone(TOKYO)
    return played.year, played.month


@given(tables)
def test_the_fold_counts_as_one_would_by_hand(table: tuple[int, list[Game]]) -> None:
    players, played = table
    found = gather(played, players, TOKYO)
    places, points = [game.place for game in played], [game.final_points for game in played]
    logged = [game.hands for game in played if game.hands is not None]
    told = [game.chips for game in played if game.chips is not None]
    assert (found.games, found.unranked) == (len(played), [game.ranked for game in played].count(False))
    assert found.placed == [places.count(place) for place in range(1, players + 1)]
    assert found.tobi == len([game for game in played if game.score < 0])
    assert (found.chips, found.games_with_chips) == (sum(told), len(told))
    assert found.total_points(2000) == sum(points) + 2000 * sum(told)
    assert (found.logged, found.hands.dealt) == (len(logged), sum(hands.dealt for hands in logged))
    if played:
        assert found.average_place == Fraction(sum(places), len(played))
        assert found.average_final_points == Fraction(sum(points), len(played))
        assert found.tobi_rate == Fraction(found.tobi, len(played))
    if logged:
        assert found.win_rate == Fraction(sum(hands.won for hands in logged), found.hands.dealt)
        assert found.deal_in_rate == Fraction(sum(hands.dealt_in for hands in logged), found.hands.dealt)
        assert found.call_rate == Fraction(sum(hands.called for hands in logged), found.hands.dealt)
        assert found.riichi_rate == Fraction(sum(hands.riichi for hands in logged), found.hands.dealt)


@given(tables)
def test_rates_of_places_add_up_to_one_and_months_to_all_games(table: tuple[int, list[Game]]) -> None:
    players, played = table
    found = gather(played, players, TOKYO)
    rates = [found.rate_of_place(place) for place in range(1, players + 1)]
    months = {month: sum(places) for month, places in found.months.items()}
    assert months == Counter(map(month_of, played))
    if not played:
        assert rates == [None] * players
        assert (found.tobi_rate, found.average_place, found.average_final_points) == (None, None, None)
        return
    known = [each for each in rates if each is not None]
    assert sum(known) == 1
    assert (found.top_rate, found.upper_half_rate, found.last_rate) == (known[0], sum(known[:2]), known[-1])
    assert [sum(places) for places in zip(*found.months.values(), strict=True)] == found.placed


@given(tables)
def test_rates_of_hands_rest_on_games_with_a_log_alone(table: tuple[int, list[Game]]) -> None:
    players, played = table
    found = gather(played, players, TOKYO)
    with_a_log = gather([game for game in played if game.hands is not None], players, TOKYO)
    for part in ("win_rate", "deal_in_rate", "call_rate", "riichi_rate"):
        assert getattr(found, part) == getattr(with_a_log, part)
        assert (getattr(found, part) is None) == (found.logged == 0)


placings = st.dictionaries(
    st.integers(0, 12), st.builds(Placing, st.integers(1, 4), st.none() | st.integers(-50_000, 50_000))
)


@given(placings, placings)
def test_head_to_head_is_the_same_from_the_other_side(
    first: dict[int, Placing], second: dict[int, Placing]
) -> None:
    here, there = head_to_head(first, second), head_to_head(second, first)
    assert here.together == there.together == len(first.keys() & second.keys())
    assert (here.ahead, here.behind, here.ties) == (there.behind, there.ahead, there.ties)
    assert here.ahead + here.behind + here.ties == here.together
    assert here.place_difference == negative(there.place_difference)
    assert here.points_difference == negative(there.points_difference)
    assert (here.place_difference is None) == (here.together == 0)


def negative(value: Fraction | None) -> Fraction | None:
    """The same from the other side."""
    return None if value is None else -value


def test_head_to_head_in_figures() -> None:
    first = {1: Placing(1, 45_000), 2: Placing(3, -12_000), 3: Placing(2, 5_000), 9: Placing(1, 60_000)}
    second = {1: Placing(2, 8_000), 2: Placing(1, 50_000), 3: Placing(2, 5_000), 8: Placing(1, 70_000)}
    assert head_to_head(first, second) == HeadToHead(3, 1, 1, Fraction(-1, 3), Fraction(-25_000, 3))
    assert head_to_head(first, {}) == HeadToHead(0, 0, 0, None, None)


def test_income_is_the_total_at_the_stake_to_the_last_digit() -> None:
    found = gather([Game(NOW, 1, 45_200, 35_200, True, 3, None)], 4, TOKYO)
    assert found.total_points(2000) == 51_200
    assert found.income(2000, 0.1) == Fraction("5.12")
    assert found.average_total(2000) == 51_200
    assert found.average_chips == 3


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (rate(Fraction(11, 29)), ".379"),
        (rate(Fraction(7, 29)), ".241"),
        (rate(Fraction(0)), ".000"),
        (rate(Fraction(1)), "1.000"),
        (rate(Fraction(2, 3)), ".666"),
        (rate(Fraction(1999, 2000)), ".999"),
        (rate(None), "–"),
        (mean_score(Fraction(20_999)), "+20.9"),
        (mean_score(Fraction(-20_999)), "−20.9"),
        (mean_score(Fraction(-99)), "±0.0"),
        (mean_score(None), "–"),
        (cut(Fraction(54, 29), 2), "1.86"),
        (cut(Fraction(29, 10), 2), "2.90"),
        (cut(Fraction(1_234_567, 1000), 1), "1,234.5"),
    ],
)
def test_decimals_are_cut_and_not_rounded(shown: str, wanted: str) -> None:
    """Tenhou's client shows 29 games of 11, 11, 7 and 0 as .379/.379/.241/.000 with the average place 1.86."""
    assert shown == wanted


async def found_of(store: Store, person: Person, players: int = 4, guild: int = GUILD) -> Statistics:
    """A member's statistics."""
    return await store.read(statistics_of, guild, person.discord_id, players)


async def play(store: Store, *told: Report, guild: int = GUILD) -> None:
    """Games that count."""
    for each in told:
        await approve(store, await submit(store, each, guild=guild))


async def record_of(store: Store, person: Person, guild: int = GUILD) -> int:
    """The id of a member's record."""
    return (await store.write(club.player_ids, guild, [person]))[0]


async def test_every_riichi_game_that_counts_is_counted_and_no_other(store: Store) -> None:
    await play(
        store,
        report((45_200, 30_100, 15_700, 9_000)),
        report((-5_000, 55_000, 30_000, 20_000), ranked=False),
        report((50_000, 35_000, 20_000)),
    )
    await reject(store, await submit(store))
    await submit(store)
    voided = await approve(store, await submit(store, report((10_000, 20_000, 30_000, 40_000))))
    proposal = await store.read(ledger.propose_void, GUILD, voided.id, "slip")
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    await play(store, report((10_000, 20_000, 30_000, 40_000)), guild=NEIGHBOURS)
    four, three = await found_of(store, ANN), await found_of(store, ANN, 3)
    assert (four.games, four.unranked, four.placed, four.tobi) == (2, 1, [1, 0, 0, 1], 1)
    assert four.final_points == 55_200 - 55_000
    assert (three.games, three.unranked, three.placed) == (1, 0, [1, 0, 0])
    assert (await found_of(store, DORA, 3)).games == 0
    assert (await found_of(store, EMI)).games == 0
    assert (await found_of(store, ANN, guild=NEIGHBOURS)).placed == [0, 0, 0, 1]


async def test_months_are_those_of_the_clubs_clock(store: Store) -> None:
    midnight = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp())
    await play(store, report(played_at=midnight - 3600), report(played_at=midnight + 3600))
    assert (await found_of(store, ANN)).months == {(2026, 10): [1, 0, 0, 0], (2026, 11): [1, 0, 0, 0]}
    await choose(store, time_zone="Asia/Tokyo")
    assert (await found_of(store, ANN)).months == {(2026, 11): [2, 0, 0, 0]}
    await choose(store, time_zone="America/New_York")
    assert (await found_of(store, ANN)).months == {(2026, 10): [2, 0, 0, 0]}


async def test_chips_count_where_they_were_told(store: Store) -> None:
    await choose(store, chips=True)
    await play(store, replace(report(), chips=(5, 1, -2, -4)), report())
    ann, dora = await found_of(store, ANN), await found_of(store, DORA)
    assert (ann.chips, ann.games_with_chips, ann.games) == (5, 1, 2)
    assert dora.chips == -4
    assert dora.average_chips == -4
    assert dora.total_points(2000) == 2 * -40_000 - 8_000


async def test_two_accounts_of_one_person_have_the_same_statistics(store: Store) -> None:
    await play(store, report(), report((10_000, 20_000, 30_000, 40_000), (EMI, BORIS, CHIAKI, DORA)))
    ann, emi = await record_of(store, ANN), await record_of(store, EMI)
    proposal = await store.read(ledger.propose_merge, GUILD, emi, ann)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    assert await found_of(store, ANN) == await found_of(store, EMI)
    assert (await found_of(store, EMI)).placed == [1, 0, 0, 1]


async def test_who_asked_to_be_forgotten_has_no_statistics_and_the_others_keep_theirs(store: Store) -> None:
    await play(store, report())
    boris = await found_of(store, BORIS)
    proposal = await store.read(ledger.propose_forget, GUILD, await record_of(store, ANN), NOW)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    assert (await found_of(store, ANN)).games == 0
    assert await found_of(store, BORIS) == boris


@dataclass(frozen=True)
class Seat:
    """A seat of a real log: who plays it here, and the figures it must show."""

    person: Person
    expected: dict[str, Any]

    def figures(self, found: Statistics) -> dict[str, Any]:
        """What the statistics of that one game say of the figures that the index lists."""
        return {
            "hands": found.hands.dealt,
            "wins": found.hands.won,
            "deal_in_hands": found.hands.dealt_in,
            "called_hands": found.hands.called,
            "riichi_hands": found.hands.riichi,
            "place": found.placed.index(1) + 1,
            "tobi": bool(found.tobi),
        }


# Mahjong Soul counts from 35,000 with an uma of its own.
SCORING: dict[str, dict[str, Any]] = {
    "t6_3p_majsoul_nukidora_ron_tobi.json": {"return_3p": 35_000, "uma_3p": (15, 0, -15)}
}


def result_agrees(found: Statistics, seat: Seat) -> bool:
    """Whether a final result is the log's. Where the log has whole results, those below first place were rounded
    and first place took the rest."""
    mine, theirs = found.final_points / 1000, float(seat.expected["result_points"])
    if not theirs.is_integer():
        return mine == theirs
    return abs(mine - theirs) <= (1.5 if seat.expected["place"] == 1 else 0.5)


async def submit_log(store: Store, guild: int, name: str, people: tuple[Person, ...]) -> None:
    """A log of the collection, as the report of its game, approved."""
    log = read_log(real_logs.read(name), name)
    scores = tuple(seat.final_score for seat in log.seats)
    told = report(scores, people[: len(scores)], length=log.length, lobby=log.lobby, ranked=log.ranked)
    match = await store.write(ledger.submit_log, guild, log, told, NOW)
    await store.write(ledger.decide, guild, match.submission.game.id, Verdict.APPROVE, KAI, NOW)


async def test_every_real_log_gives_each_seat_the_figures_of_the_index(store: Store) -> None:
    files = real_logs.index()
    checked = Counter[str]()
    for guild, log in enumerate(files, 1000):
        await choose(store, guild, **SCORING.get(log["file"], {}))
        await submit_log(store, guild, log["file"], TABLE)
        for seat in [Seat(TABLE[each["seat"]], each) for each in log["expected"]]:
            found = await found_of(store, seat.person, log["players"], guild)
            figures = seat.figures(found)
            assert figures == {name: seat.expected[name] for name in figures}, (log["file"], seat.person.name)
            assert result_agrees(found, seat), (log["file"], seat.person.name)
            assert (found.games, found.logged, found.months) == (1, 1, {(2026, 11): found.placed})
            checked.update(figures=len(figures) + 1, seats=1)
        checked["files"] += 1
    assert checked == {"files": 11, "seats": 41, "figures": 41 * 8}


async def test_a_members_logs_add_up_over_games_with_and_without_a_log(store: Store) -> None:
    files = real_logs.index()
    four = [log for log in files if log["players"] == 4]
    for log in four:
        await submit_log(store, GUILD, log["file"], TABLE)
    await play(store, report())
    found = await found_of(store, ANN)
    firsts = [log["expected"][0] for log in four]
    assert (found.games, found.logged) == (len(four) + 1, len(four)) == (9, 8)
    names = ("hands", "wins", "deal_in_hands", "called_hands", "riichi_hands")
    assert found.hands == tuple(sum(seat[name] for seat in firsts) for name in names)
    assert found.placed[0] == 1 + sum(seat["place"] == 1 for seat in firsts)


async def test_a_game_of_a_private_lobby_gives_statistics_and_moves_no_rank(store: Store) -> None:
    log = read_log(mjlog(init(), agari(1, 0, "100,-40.0,350,35.0,300,10.0,250,-5.0"), go='lobby="7447"'))
    assert not log.ranked
    told = report(tuple(seat.final_score for seat in log.seats), TABLE, ranked=log.ranked)
    match = await store.write(ledger.submit_log, GUILD, log, told, NOW)
    await approve(store, match.submission.game)
    found = await found_of(store, ANN)
    assert (found.games, found.unranked, found.logged, found.hands) == (1, 1, 1, Hands(1, 0, 1, 0, 0))
    assert found.deal_in_rate == 1
    assert found.win_rate == 0
