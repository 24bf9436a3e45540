"""The rankings out of the store: which facts they are computed from, now and as they were told then."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest

from ratings import club, ledger
from ratings.models import Refusal, Refused
from ratings.store import Store
from ratings.systems import russian
from ratings.systems.russian import (
    Event,
    Exclusion,
    Player,
    Ranking,
    RankingFacts,
    RankingRules,
    Stage,
    Tournament,
)
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as people
from ratings.tournaments import rankings
from ratings.tournaments.facts import facts_now, facts_then, newest_change
from ratings.tournaments.rankings import ChangesView, RankingView, Verdict
from tests.ledger_help import ANN, GUILD, KAI, NEIGHBOURS, choose
from tests.ranking_help import CUP, MARCH, OPEN, at, details, hold, players, two_cups

RR, CRR, ONLINE = Ranking
DAY = date(2025, 6, 30)


async def shown(store: Store, which: Ranking = RR, day: date = DAY, guild: int = GUILD) -> RankingView:
    """A ranking of the club."""
    return await store.read(rankings.ranking, guild, which, day)


def order(view: RankingView) -> list[str]:
    """The names in a ranking, first place first."""
    return [view.names[row.player_id] for row in view.table.rows]


async def moved(store: Store, since: date, until: date, change: int | None = None) -> ChangesView:
    """Who moved in RR between two days; the former as it was told after a change."""
    return await store.read(rankings.changes, GUILD, RR, since, until, change)


def events(view: ChangesView) -> dict[str, list[tuple[Event, str, bool]]]:
    """What happened to each player, by name: what, to which tournament, whether among the maximal ones."""
    return {
        view.names[change.player_id]: [
            (cause.event, view.tournaments[cause.tournament_id].name, cause.maximal) for cause in change.causes
        ]
        for change in view.changes
    }


# Tables


async def test_a_ranking_lists_names_results_and_the_tournaments_that_count(store: Store) -> None:
    await two_cups(store, GUILD)
    view = await shown(store)
    assert order(view) == ["Anna", "Bela", "Cleo"]
    assert [row.results for row in view.table.rows] == [2, 2, 2]
    held = {view.numbers[each.id]: each.name for each in view.tournaments.values()}
    assert held == {1: "Spring Cup", 2: "April Open"}
    assert [each.value for each in view.table.maximal] == [2.6, 2.6]
    assert view.table.maxk == pytest.approx(2.6 + 2.6 + 2)
    anna = view.table.rows[0]
    first, second = 2.6 * 1000, 2.6 * 1000 * 37 / 39
    assert anna.part_a == pytest.approx((first + second) / (2.6 * 2 + 3))
    assert anna.part_b == pytest.approx((first + second) / 7.2)
    assert anna.rating == pytest.approx((anna.part_a + anna.part_b) / 2)


async def test_clubs_are_islands(store: Store) -> None:
    await two_cups(store, GUILD)
    assert order(await shown(store, guild=NEIGHBOURS)) == []
    await hold(store, NEIGHBOURS, "Spring Cup", MARCH, {"Zoya": 1})
    await hold(store, NEIGHBOURS, "Other Cup", MARCH, {"Zoya": 2})
    assert order(await shown(store, guild=NEIGHBOURS)) == ["Zoya"]
    assert order(await shown(store)) == ["Anna", "Bela", "Cleo"]


async def test_a_tournament_counts_from_its_last_day_for_730_days(store: Store) -> None:
    await hold(store, GUILD, "Spring Cup", MARCH, {"Anna": 1})
    for age, counts in ((-1, False), (0, True), (729, True), (730, False)):
        facts = await store.read(facts_now, GUILD, MARCH + timedelta(age))
        assert (len(facts.tournaments), len(facts.results)) == ((1, 1) if counts else (0, 0))
    span = await store.read(facts_now, GUILD, MARCH + timedelta(1500), MARCH + timedelta(729))
    assert len(span.tournaments) == 1


async def test_removed_tournaments_and_replacement_players_count_for_nothing(store: Store) -> None:
    await two_cups(store, GUILD)
    await hold(store, GUILD, "May Cup", MARCH + timedelta(30), {"Dina": 1, "Anna": 2}, replacements=("Dina",))
    assert order(await shown(store)) == ["Anna", "Bela", "Cleo"]
    await store.write(tournaments.remove, GUILD, 2, KAI, at(DAY))
    assert order(await shown(store)) == ["Anna"]
    await store.write(tournaments.restore, GUILD, 2, KAI, at(DAY))
    assert order(await shown(store)) == ["Anna", "Bela", "Cleo"]


async def test_nobody_without_a_result_is_fetched(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await store.write(people.add_player, GUILD, "Nobody", "RU")
    facts = await store.read(facts_now, GUILD, DAY)
    assert {player.name for player in facts.players.values()} == {"Anna", "Bela", "Cleo", "Dina"}
    assert facts.players[ids["Anna"]] == Player(ids["Anna"], "RU", "Anna")


async def test_records_of_one_person_count_as_one(store: Store) -> None:
    await hold(store, GUILD, "Spring Cup", MARCH, {"Anna": 1, "Bela": 2})
    await hold(store, GUILD, "April Open", MARCH + timedelta(7), {"Анна": 3, "Bela": 1})
    before = await store.read(newest_change, GUILD)
    assert order(await shown(store)) == ["Bela"]
    ids = await players(store, GUILD)
    proposal = await store.read(ledger.propose_merge, GUILD, ids["Анна"], ids["Anna"])
    await store.write(ledger.carry_out, GUILD, proposal, KAI, at(DAY))
    assert order(await shown(store)) == ["Bela", "Anna"]
    then = await store.read(facts_then, GUILD, DAY, before)
    now = await store.read(facts_now, GUILD, DAY)
    assert sorted(then.results) == sorted(now.results)
    assert then.players == now.players
    explained = await store.read(rankings.explain, GUILD, RR, ids["Анна"], DAY)
    assert (explained.name, len(explained.explanation.results)) == ("Anna", 2)


async def test_of_two_places_of_one_person_in_a_tournament_the_better_stands(store: Store) -> None:
    await hold(store, GUILD, "Spring Cup", MARCH, {"Anna": 4, "Анна": 9})
    before = await store.read(newest_change, GUILD)
    ids = await players(store, GUILD)
    await store.write(tournaments.take_result_out, GUILD, 1, ids["Анна"], KAI, at(DAY))
    proposal = await store.read(ledger.propose_merge, GUILD, ids["Анна"], ids["Anna"])
    await store.write(ledger.carry_out, GUILD, proposal, KAI, at(DAY))
    then = await store.read(facts_then, GUILD, DAY, before)
    assert [(player, place) for _, player, place, _ in then.results] == [(ids["Anna"], 4)]


async def test_the_home_country_is_the_clubs(store: Store) -> None:
    await choose(store, home_country="KZ")
    await hold(store, GUILD, "Almaty Cup", MARCH, {"Aida": 1, "Anna": 2}, country="KZ", countries={"Anna": "RU"})
    await hold(store, GUILD, "Astana Open", MARCH, {"Aida": 2, "Anna": 1}, country="KZ", countries={"Anna": "RU"})
    await hold(store, GUILD, "Moscow Open", MARCH, {"Aida": 2, "Anna": 1})
    assert order(await shown(store)) == ["Aida"]
    assert [row.results for row in (await shown(store)).table.rows] == [2]
    await choose(store, home_players_only=False)
    assert order(await shown(store)) == ["Aida", "Anna"]
    await choose(store, home_country="RU", home_players_only=True)
    assert order(await shown(store)) == []


async def test_the_table_is_that_of_the_rules_for_any_tournaments(store: Store) -> None:
    dice = random.Random(11)
    names = [f"Player {number:02}" for number in range(12)]
    countries = {name: dice.choice(["RU", "RU", "KZ"]) for name in names}
    held: dict[int, Tournament] = {}
    results: list[tuple[str, int, int, bool]] = []
    for number in range(1, 15):
        entrants = dice.sample(names, dice.randint(2, 12))
        places = dict(zip(entrants, dice.sample(range(1, 31), len(entrants)), strict=True))
        told = {
            "participants": 30,
            "country": dice.choice(["RU", "RU", "DE"]),
            "online": dice.random() < 0.3,
            "accredited": dice.random() < 0.8,
            "ema": dice.random() < 0.5,
            "stages": dice.choice([(), (), (Stage(30, 5), Stage(8, 5))]),
        }
        told["hanchan"] = dice.choice([None, 10] if told["stages"] else [None, 3, 8, 12])
        last_day = DAY - timedelta(dice.randint(-20, 800))
        out = dice.choice(entrants)
        told_at = at(DAY) + 10**8
        name = f"Cup {number}"
        await hold(
            store, GUILD, name, last_day, places, countries=countries, replacements=(out,), now=told_at, **told
        )
        held[number] = details(name, last_day, **told).tournament(number)
        results += [(player, number, place, player != out) for player, place in places.items()]
    ids = await players(store, GUILD)
    rows = [(number, ids[name], place, counts) for name, number, place, counts in results]
    facts = RankingFacts(held, rows, {ids[name]: Player(ids[name], countries[name], name) for name in names})
    for which in Ranking:
        view = await shown(store, which)
        assert view.table.rows
        expected = russian.table(russian.gather(facts, which, RankingRules()), DAY)
        by_number = {each: view.numbers[each] for each in view.tournaments}
        assert view.table.rows == expected.rows
        assert [by_number[each.tournament_id] for each in view.table.maximal] == [
            each.tournament_id for each in expected.maximal
        ]


async def test_the_place_of_a_member_is_that_of_the_linked_record(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    assert await store.read(lambda c: rankings.place_of(c, GUILD, rankings.ranking(c, GUILD, RR, DAY), 11)) is None
    await store.write(people.link, GUILD, ids["Bela"], ANN)
    assert await store.read(lambda c: rankings.place_of(c, GUILD, rankings.ranking(c, GUILD, RR, DAY), 11)) == 2


# As it was told then


async def test_facts_of_then_are_those_that_were_told(store: Store) -> None:
    assert await store.read(newest_change, GUILD) == 0
    ids = await two_cups(store, GUILD)
    await hold(store, GUILD, "May Cup", MARCH + timedelta(30), {"Anna": 1, "Dina": 2}, replacements=("Dina",))
    both = await store.read(newest_change, GUILD)
    assert (await store.read(facts_then, GUILD, DAY, 0)).tournaments == {}
    then, now = await store.read(facts_then, GUILD, DAY, both), await store.read(facts_now, GUILD, DAY)
    assert sorted(then.results) == sorted(now.results)
    assert [player for _, player, _, counts in then.results if not counts] == [ids["Dina"]]
    assert (then.tournaments, then.players) == (now.tournaments, now.players)
    await store.write(tournaments.edit_details, GUILD, 1, {"hanchan": 10}, KAI, at(DAY))
    await store.write(tournaments.put_result, GUILD, 2, ids["Dina"], {"place": 40}, KAI, at(DAY))
    edited = await store.read(newest_change, GUILD)
    await store.write(tournaments.remove, GUILD, 2, KAI, at(DAY) + 60)
    removed = await store.read(newest_change, GUILD)
    assert await store.read(newest_change, GUILD, at(DAY)) == edited
    found = [await store.read(facts_then, GUILD, DAY, change) for change in (both, edited, removed)]
    assert [len(facts.results) for facts in found] == [9, 10, 6]
    hanchan = [sorted(each.hanchan or 0 for each in facts.tournaments.values()) for facts in found]
    assert hanchan == [[8, 8, 8], [8, 8, 10], [8, 10]]
    for age in (-1, 760):
        assert (await store.read(facts_then, GUILD, MARCH + timedelta(age), edited)).results == []


# Explanations


async def test_an_explanation_agrees_with_the_table(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    told = await store.read(rankings.explain, GUILD, RR, ids["Bela"], DAY)
    assert (told.name, told.players, told.listable) == ("Bela", 3, True)
    assert told.row is not None
    assert (told.row.place, told.row.rating) == (2, told.explanation.rating)
    assert [told.tournaments[each.tournament_id].name for each in told.explanation.results] == [
        "Spring Cup",
        "April Open",
    ]


async def test_who_is_not_in_the_table_is_explained_too(store: Store) -> None:
    await hold(store, GUILD, "Spring Cup", MARCH, {**CUP, "Kurt": 3}, countries={"Kurt": "DE"})
    ids = await players(store, GUILD)
    dina = await store.read(rankings.explain, GUILD, RR, ids["Dina"], DAY)
    assert (dina.row, dina.listable, len(dina.explanation.results)) == (None, True, 1)
    kurt = await store.read(rankings.explain, GUILD, RR, ids["Kurt"], DAY)
    assert (kurt.row, kurt.listable, kurt.explanation.results) == (None, False, ())
    assert (await store.read(rankings.explain, GUILD, ONLINE, ids["Kurt"], DAY)).listable
    with pytest.raises(Refused) as refused:
        await store.read(rankings.explain, GUILD, RR, 10**6, DAY)
    assert refused.value.refusal is Refusal.UNKNOWN_PLAYER


# What moved


async def test_a_new_tournament_moves_those_too_who_did_not_play(store: Store) -> None:
    await two_cups(store, GUILD)
    known = await store.read(newest_change, GUILD)
    last = MARCH + timedelta(20)
    await hold(store, GUILD, "Big Open", last, {"Anna": 1}, participants=100)
    for change in (None, known):
        view = await moved(store, last - timedelta(1), last, change)
        assert events(view) == {
            "Anna": [(Event.ENTERED, "Big Open", False), (Event.ENTERED, "Big Open", True)],
            "Bela": [(Event.ENTERED, "Big Open", True)],
            "Cleo": [(Event.ENTERED, "Big Open", True)],
        }
    assert events(await moved(store, last, last)) == {}
    # Played long ago, but told of only now.
    late = await moved(store, DAY, DAY, known)
    assert events(late)["Bela"] == [(Event.ENTERED, "Big Open", True)]


async def test_a_step_of_ageing_moves_who_played(store: Store) -> None:
    await two_cups(store, GUILD)
    day = date(2026, 3, 30)
    view = await moved(store, day - timedelta(1), day)
    for name in OPEN:
        assert events(view)[name] == [(Event.AGED, "Spring Cup", False), (Event.AGED, "Spring Cup", True)]


async def test_corrections_are_told_from_what_was_known(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    known = await store.read(newest_change, GUILD)
    await store.write(tournaments.take_result_out, GUILD, 1, ids["Dina"], KAI, at(DAY))
    await store.write(tournaments.put_result, GUILD, 1, ids["Anna"], {"place": 3}, KAI, at(DAY))
    assert events(await moved(store, DAY, DAY, known)) == {"Anna": [(Event.CORRECTED, "Spring Cup", False)]}
    assert events(await moved(store, DAY, DAY)) == {}
    await store.write(tournaments.remove, GUILD, 2, KAI, at(DAY))
    view = await moved(store, DAY, DAY, known)
    assert events(view)["Bela"] == [(Event.STOPPED, "April Open", False), (Event.STOPPED, "April Open", True)]
    assert [change.after for change in view.changes] == [None] * 3
    removed = await store.read(newest_change, GUILD)
    await store.write(tournaments.restore, GUILD, 2, KAI, at(DAY))
    view = await moved(store, DAY, DAY, removed)
    assert events(view)["Bela"] == [(Event.COUNTS, "April Open", False), (Event.COUNTS, "April Open", True)]


async def test_what_a_correction_brings_back_or_keeps_out_is_no_new_tournament(store: Store) -> None:
    await two_cups(store, GUILD)
    edits: list[dict[str, Any]] = [{"accredited": False}, {"country": "DE"}, {"last_day": date(2020, 1, 5)}]
    for changed in (*edits, None):
        fair = await store.read(newest_change, GUILD)
        if changed is None:
            await store.write(tournaments.remove, GUILD, 2, KAI, at(DAY))
        else:
            await store.write(tournaments.edit_details, GUILD, 2, changed, KAI, at(DAY))
        out = await store.read(newest_change, GUILD)
        await store.write(tournaments.undo, GUILD, 2, KAI, at(DAY))
        back = await store.read(newest_change, GUILD)
        for since, until, event in ((fair, out, Event.STOPPED), (out, back, Event.COUNTS)):
            view = await store.read(rankings.changes, GUILD, RR, DAY, DAY, since, until)
            assert events(view)["Bela"] == [(event, "April Open", False), (event, "April Open", True)]


async def test_results_that_are_entered_one_by_one_have_entered(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    known = await store.read(newest_change, GUILD)
    await store.write(tournaments.put_result, GUILD, 2, ids["Dina"], {"place": 30}, KAI, at(DAY))
    assert events(await moved(store, DAY, DAY, known))["Dina"][0] == (Event.ENTERED, "April Open", False)


async def test_all_rankings_at_once_say_the_same(store: Store) -> None:
    await two_cups(store, GUILD)
    known = await store.read(newest_change, GUILD)
    await hold(store, GUILD, "Net Cup", MARCH, CUP, online=True)
    await hold(store, GUILD, "Net Open", MARCH, OPEN, online=True)
    newest = await store.read(newest_change, GUILD)
    views = await store.read(rankings.changes_of_all, GUILD, DAY, DAY, known, newest)
    assert [(view.ranking, len(view.changes)) for view in views] == [(RR, 0), (CRR, 0), (ONLINE, 3)]
    for view in views:
        assert view == await store.read(rankings.changes, GUILD, view.ranking, DAY, DAY, known, newest)


# What a place would bring, and where a tournament counts


async def test_a_forecast_comes_true(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    last = date(2026, 4, 2)
    coming = details("Coming", last, participants=20, hanchan=10).tournament(0)
    told = await store.read(rankings.forecast, GUILD, RR, ids["Bela"], coming, DAY)
    before = await store.read(rankings.explain, GUILD, RR, ids["Bela"], DAY)
    assert (told.name, told.listable, told.exclusion) == ("Bela", True, None)
    assert told.now.rating == before.explanation.rating
    await hold(store, GUILD, "Coming", last, {"Bela": 7}, participants=20, hanchan=10)
    after = await store.read(rankings.explain, GUILD, RR, ids["Bela"], last)
    assert told.prospects[6].rating == after.explanation.rating
    assert [prospect.place for prospect in told.prospects] == list(range(1, 21))


async def test_a_forecast_that_cannot_be(store: Store) -> None:
    await hold(store, GUILD, "Spring Cup", MARCH, {"Anna": 1, "Kurt": 3}, countries={"Kurt": "DE"})
    ids = await players(store, GUILD)
    small = details("Coming", DAY, participants=12).tournament(0)
    told = await store.read(rankings.forecast, GUILD, RR, ids["Anna"], small, DAY)
    assert (told.exclusion, told.prospects) == (Exclusion.TOO_FEW_PLAYERS, ())
    coming = details("Coming", DAY).tournament(0)
    told = await store.read(rankings.forecast, GUILD, RR, ids["Kurt"], coming, DAY)
    assert (told.listable, told.exclusion, told.prospects) == (False, None, ())


async def test_where_a_tournament_counts(store: Store) -> None:
    await hold(store, GUILD, "Small Cup", MARCH, {"Anna": 1}, participants=12, hanchan=3)
    assert await store.read(rankings.why, GUILD, 1, date(2026, 3, 30)) == [
        Verdict(RR, Exclusion.TOO_FEW_PLAYERS, 6, False),
        Verdict(CRR, None, 6, True),
        Verdict(ONLINE, Exclusion.NOT_ONLINE, 6, False),
    ]
    for day, sevenths in ((MARCH - timedelta(1), 0), (MARCH, 7), (MARCH + timedelta(730), 0)):
        assert [each.sevenths for each in await store.read(rankings.why, GUILD, 1, day)] == [sevenths] * 3
    await hold(store, GUILD, "Visitors", MARCH, {"Kurt": 1}, countries={"Kurt": "DE"})
    assert (await store.read(rankings.why, GUILD, 2, DAY))[0] == Verdict(RR, None, 7, False)
    await store.write(tournaments.remove, GUILD, 1, KAI, at(DAY))
    for number, refusal in ((1, Refusal.REMOVED_TOURNAMENT), (9, Refusal.UNKNOWN_TOURNAMENT)):
        with pytest.raises(Refused) as refused:
            await store.read(rankings.why, GUILD, number, DAY)
        assert refused.value.refusal is refusal


async def test_the_view_tells_whose_ranking_it_is(store: Store) -> None:
    await choose(store, home_country="FI")
    assert (await shown(store)).rules == RankingRules("FI")
    assert (await store.read(club.settings, GUILD)).home_country == "FI"
