"""RR, CRR and Online: whose rating moved between two days, and by which causes (seed 002)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from ratings.systems.russian import Cause, Change, Event, Moment, RankingFacts, Share, changes, gather, table
from tests.ranking_help import cup
from tests.russian_help import ANN, BASE, BASE_RESULTS, BOB, DAY, EVE, RR, facts_of


def moved_between(
    facts: RankingFacts, before: date, after: date, later: RankingFacts | None = None
) -> dict[int, Change]:
    found = changes(Moment(gather(facts, RR), before), Moment(gather(later or facts, RR), after))
    assert len({change.player_id for change in found}) == len(found)
    return {change.player_id: change for change in found}


def events_of(change: Change) -> list[tuple[Event, int, bool]]:
    return [(cause.event, cause.tournament_id, cause.maximal) for cause in change.causes]


def test_nothing_moves_without_a_cause() -> None:
    assert moved_between(facts_of(*BASE, results=BASE_RESULTS), DAY, DAY + timedelta(30)) == {}


def test_a_tournament_entered_and_moved_those_who_did_not_play_too() -> None:
    new = cup(3, last_day=DAY, participants=100)
    facts = facts_of(*BASE, new, results=[*BASE_RESULTS, (3, ANN, 1), (3, EVE, 50)])
    moved = moved_between(facts, DAY - timedelta(1), DAY)
    assert moved.keys() == {ANN, BOB}
    assert events_of(moved[ANN]) == [(Event.ENTERED, 3, False), (Event.ENTERED, 3, True)]
    assert moved[ANN].causes[0] == Cause(Event.ENTERED, 3, False, None, Share(3.6, 7, 1, 100))
    assert events_of(moved[BOB]) == [(Event.ENTERED, 3, True)]
    assert moved[BOB].causes[0].after == Share(3.6, 7, None, 100)
    before, after = moved[BOB].before, moved[BOB].after
    assert before is not None
    assert after is not None
    assert after.rating < before.rating
    assert after.part_a == before.part_a


def test_results_that_came_in_late_have_entered() -> None:
    late = cup(3, participants=16, hanchan=4)
    before = facts_of(*BASE, late, results=BASE_RESULTS)
    after = facts_of(*BASE, late, results=[*BASE_RESULTS, (3, BOB, 1)])
    moved = moved_between(before, DAY, DAY, after)
    assert events_of(moved[ANN]) == [(Event.ENTERED, 3, True)]
    assert events_of(moved[BOB]) == [(Event.ENTERED, 3, False), (Event.ENTERED, 3, True)]


def test_a_step_of_ageing_moves_its_players_and_the_coefficients() -> None:
    day = date(2026, 3, 30)
    facts = facts_of(
        *BASE, cup(3, participants=16, hanchan=4), results=[*BASE_RESULTS[1:], (3, ANN, 1), (3, EVE, 1)]
    )
    moved = moved_between(facts, day - timedelta(1), day)
    assert moved.keys() == {ANN, BOB}
    assert events_of(moved[BOB]) == [(Event.AGED, 1, False), (Event.AGED, 1, True), (Event.AGED, 3, True)]
    assert moved[BOB].causes[0].before == Share(2.6, 7, 6, 40)
    assert moved[BOB].causes[0].after == Share(2.6, 6, 6, 40)
    assert events_of(moved[ANN]) == [(Event.AGED, 3, False), (Event.AGED, 1, True), (Event.AGED, 3, True)]


def test_leaving_the_window_and_the_table() -> None:
    old = cup(3, last_day=date(2023, 7, 1))
    facts = facts_of(*BASE, old, results=[*BASE_RESULTS, (3, ANN, 40), (3, EVE, 1), (1, EVE, 1)])
    day = date(2023, 7, 1) + timedelta(730)
    moved = moved_between(facts, day - timedelta(1), day)
    ann, bob, eve = moved[ANN], moved[BOB], moved[EVE]
    assert events_of(ann) == [(Event.LEFT, 3, False), (Event.LEFT, 3, True)]
    assert ann.causes[0].before == Share(2.6, 1, 40, 40)
    assert ann.causes[0].after is None
    assert events_of(bob) == [(Event.LEFT, 3, True)]
    assert (eve.after, events_of(eve)) == (None, [(Event.LEFT, 3, False), (Event.LEFT, 3, True)])
    assert eve.before is not None


def test_joining_the_table() -> None:
    facts = facts_of(*BASE, results=[(1, ANN, 1), (2, ANN, 1)])
    (ann,) = moved_between(facts, date(2025, 4, 5), date(2025, 4, 6)).values()
    assert (ann.before, events_of(ann)) == (None, [(Event.ENTERED, 2, False), (Event.ENTERED, 2, True)])
    assert ann.after is not None
    assert ann.after.place == 1


def test_corrections() -> None:
    before = facts_of(*BASE, results=BASE_RESULTS)
    swapped = facts_of(*BASE, results=[(1, ANN, 6), (2, ANN, 8), (1, BOB, 5), (2, BOB, 2)])
    moved = moved_between(before, DAY, DAY, swapped)
    ann, bob = moved[ANN], moved[BOB]
    assert events_of(ann) == events_of(bob) == [(Event.CORRECTED, 1, False)]
    assert [cause.before and cause.before.place for cause in ann.causes] == [5]
    assert [cause.after and cause.after.place for cause in ann.causes] == [6]
    longer = facts_of(replace(BASE[0], hanchan=10), BASE[1], results=BASE_RESULTS)
    moved = moved_between(before, DAY, DAY, longer)
    both = [(Event.CORRECTED, 1, False), (Event.CORRECTED, 1, True)]
    assert {player: events_of(change) for player, change in moved.items()} == {ANN: both, BOB: both}
    without = facts_of(*BASE, results=BASE_RESULTS[:3])
    (bob,) = moved_between(before, DAY, DAY, without).values()
    assert (bob.player_id, bob.after, events_of(bob)) == (BOB, None, [(Event.CORRECTED, 2, False)])
    (bob,) = moved_between(without, DAY, DAY, before).values()
    assert (bob.before, events_of(bob)) == (None, [(Event.ENTERED, 2, False)])


def test_what_was_told_before_counts_or_stops_by_a_correction() -> None:
    everything = {(1, ANN), (2, ANN), (1, BOB), (2, BOB)}
    counting = facts_of(*BASE, results=BASE_RESULTS)
    unfit = facts_of(BASE[0], replace(BASE[1], accredited=False), results=BASE_RESULTS)

    def events(old: RankingFacts, new: RankingFacts, **told: set[tuple[int, int]]) -> list[list[Any]]:
        known = {"before": everything, "after": everything, **told}
        sides = [Moment(gather(facts, RR), DAY, known[side]) for side, facts in (("before", old), ("after", new))]
        return [events_of(change) for change in changes(*sides)]

    assert events(unfit, counting) == [[(Event.COUNTS, 2, False), (Event.COUNTS, 2, True)]] * 2
    assert events(counting, unfit) == [[(Event.STOPPED, 2, False), (Event.STOPPED, 2, True)]] * 2
    new = [[(Event.ENTERED, 2, False), (Event.ENTERED, 2, True)]] * 2
    assert events(unfit, counting, before={(1, ANN), (1, BOB)}) == new
    gone = [[(Event.CORRECTED, 2, False), (Event.CORRECTED, 2, True)]] * 2
    assert events(counting, unfit, after={(1, ANN), (1, BOB)}) == gone


def test_a_tournament_enters_by_the_calendar_although_it_was_told_before() -> None:
    facts = facts_of(*BASE, results=BASE_RESULTS)
    told = {(1, ANN), (2, ANN), (1, BOB), (2, BOB)}
    eve, day = BASE[1].last_day - timedelta(1), BASE[1].last_day
    found = changes(Moment(gather(facts, RR), eve, told), Moment(gather(facts, RR), day, told))
    assert [events_of(change) for change in found] == [[(Event.ENTERED, 2, False), (Event.ENTERED, 2, True)]] * 2


def test_a_last_day_that_was_corrected_is_no_ageing() -> None:
    old = facts_of(replace(BASE[0], last_day=DAY - timedelta(370)), BASE[1], results=BASE_RESULTS)

    def moved_by(last_day: date) -> dict[int, Change]:
        new = facts_of(replace(BASE[0], last_day=last_day), BASE[1], results=BASE_RESULTS)
        return moved_between(old, DAY - timedelta(8), DAY, new)

    # On the old day it would have aged in between; on this one it is worth what it was, and on the next it is not.
    assert moved_by(DAY - timedelta(30)) == {}
    both = [(Event.CORRECTED, 1, False), (Event.CORRECTED, 1, True)]
    moved = moved_by(DAY - timedelta(430))
    assert {player: events_of(change) for player, change in moved.items()} == {ANN: both, BOB: both}


def test_a_correction_and_a_step_of_ageing_are_two_causes() -> None:
    day = date(2026, 3, 30)
    before = facts_of(*BASE, results=BASE_RESULTS)
    after = facts_of(*BASE, results=[(1, ANN, 9), *BASE_RESULTS[1:]])
    moved = moved_between(before, day - timedelta(1), day, after)
    assert events_of(moved[ANN]) == [(Event.AGED, 1, False), (Event.CORRECTED, 1, False), (Event.AGED, 1, True)]
    assert events_of(moved[BOB]) == [(Event.AGED, 1, False), (Event.AGED, 1, True)]


def test_a_corrected_date_is_a_correction() -> None:
    before = facts_of(*BASE, results=BASE_RESULTS)
    earlier = facts_of(replace(BASE[0], last_day=date(2024, 3, 30)), BASE[1], results=BASE_RESULTS)
    moved = moved_between(before, DAY, DAY, earlier)
    both = [(Event.CORRECTED, 1, False), (Event.CORRECTED, 1, True)]
    assert {player: events_of(change) for player, change in moved.items()} == {ANN: both, BOB: both}


def test_a_tournament_kept_in_the_window_by_a_correction_has_not_aged() -> None:
    old = cup(3, last_day=date(2023, 7, 1))
    results = [*BASE_RESULTS, (3, ANN, 1)]
    day = date(2023, 7, 1) + timedelta(730)
    later = facts_of(*BASE, replace(old, last_day=date(2023, 9, 1)), results=results)
    moved = moved_between(facts_of(*BASE, old, results=results), day - timedelta(1), day, later)
    assert events_of(moved[ANN]) == [(Event.CORRECTED, 3, False), (Event.CORRECTED, 3, True)]


def test_a_tournament_that_moves_up_among_the_coefficients_is_no_cause() -> None:
    heavy = [cup(3, hanchan=12, last_day=date(2023, 7, 1)), cup(4, last_day=date(2023, 7, 8))]
    light = cup(5, participants=16, hanchan=4, last_day=date(2023, 7, 15))
    facts = facts_of(*BASE, *heavy, light, results=[*BASE_RESULTS, (3, EVE, 1), (4, EVE, 1), (5, EVE, 1)])
    day = date(2023, 7, 1) + timedelta(730)
    pool = gather(facts, RR)
    names = [{each.tournament_id for each in table(pool, when).maximal} for when in (day - timedelta(1), day)]
    assert names == [{1, 2, 3, 4}, {1, 2, 4, 5}]
    moved = moved_between(facts, day - timedelta(1), day)
    assert moved.keys() == {ANN, BOB, EVE}
    assert events_of(moved[ANN]) == events_of(moved[BOB]) == [(Event.LEFT, 3, True)]


def test_coefficients_that_make_the_same_sum_are_no_cause() -> None:
    alike = [cup(number, last_day=date(2023, 7, 1) + timedelta(7 * number)) for number in range(3, 6)]
    facts = facts_of(*BASE, *alike, results=[*BASE_RESULTS, *((number, EVE, number) for number in (3, 4, 5))])
    day = alike[0].last_day + timedelta(730)
    (eve,) = moved_between(facts, day - timedelta(1), day).values()
    assert events_of(eve) == [(Event.LEFT, 3, False)]
