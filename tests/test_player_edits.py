"""Corrections of players: what they do to the rankings, why somebody moved, and that they can be taken back."""

from __future__ import annotations

import asyncio
import contextlib
import random
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused
from ratings.store import Store
from ratings.store.tables import tournament_changes
from ratings.systems.russian import Event, Ranking
from ratings.tournaments import days, edits, rankings
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as people
from ratings.tournaments.facts import facts_now, facts_then
from ratings.tournaments.homes import Home
from ratings.tournaments.player_log import PlayerChangeKind
from tests.breaking import untouched_when_broken
from tests.ledger_help import GUILD, KAI, another, choose, everything
from tests.player_edit_help import DAY, ZOE, correct, in_order, known, moved, said, take_back, told_of_players, why
from tests.ranking_help import CUP, MARCH, OPEN, at, hold, players, two_cups

BOTH = (Ranking.RR, Ranking.CRR)


async def table(store: Store, which: Ranking = Ranking.RR) -> Any:
    """A ranking, to the last bit."""
    return (await store.study(rankings.ranking, GUILD, which, DAY)).table


async def heavy_event(store: Store) -> None:
    """An event abroad that counts by Anna alone, with a guest who is at home there."""
    places, countries = {"Anna": 1, "Kurt": 2}, {"Kurt": "DE"}
    told: dict[str, Any] = {"country": "DE", "ema": True, "participants": 100}
    await hold(store, GUILD, "Heavy", MARCH + timedelta(20), places, countries=countries, **told)


# What a corrected country does, and why


@pytest.mark.parametrize("which", BOTH)
async def test_who_moves_to_another_country_leaves_the_table_and_is_told_why(store: Store, which: Ranking) -> None:
    ids = await two_cups(store, GUILD)
    before, fair = await known(store), await table(store, which)
    change = await correct(store, ids["Bela"], country="KZ")
    assert (change.kind, change.by, change.at, said(change)) == (
        PlayerChangeKind.EDIT,
        "Kai",
        at(DAY),
        {"country": ("RU", "KZ")},
    )
    view = await moved(store, before, which=which)
    assert why(view) == {"Bela": "⏏ -# a correction: Bela's country RU → KZ by Kai"}
    assert view.homes.players == {ids["Bela"]: Home(ids["Bela"], "Bela", "RU", "KZ", "Kai")}
    corrected = await known(store)
    # Taken back by somebody else, everything is as it was, and nobody has moved on the whole.
    undone = await take_back(store, ids["Bela"], by=ZOE)
    assert (undone.kind, undone.by, undone.undoes, said(undone)) == (
        PlayerChangeKind.UNDO,
        "Zoe",
        change.id,
        {"country": ("KZ", "RU")},
    )
    assert await table(store, which) == fair
    assert (await moved(store, before, which=which)).changes == ()
    assert why(await moved(store, corrected, which=which)) == {
        "Bela": "🆕 -# a correction: Bela's country KZ → RU by Zoe"
    }
    # What was told between them is told of then as it was.
    assert (await moved(store, before, corrected, which)).homes == view.homes


async def test_an_undo_leaves_everything_as_it_was_but_for_the_log(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await correct(store, ids["Anna"], country="DE", by=ZOE)
    before, log = await everything(store), "tournament_changes"
    await correct(store, ids["Bela"], country=None, ema_number="04290001", name="Bella")
    assert (await store.read(people.entry, GUILD, ids["Bela"])).names == ("Bella",)
    await take_back(store, ids["Bela"])
    after = await everything(store)
    assert {name: rows for name, rows in after.items() if name != log} == {
        name: rows for name, rows in before.items() if name != log
    }
    assert len(after[log]) == len(before[log]) + 2
    assert set(before[log]) < set(after[log])


async def test_the_last_of_several_corrections_is_the_one_that_is_named(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    before = await known(store)
    await correct(store, ids["Bela"], country="KZ")
    await correct(store, ids["Bela"], country=None, by=ZOE)
    await correct(store, ids["Bela"], name="Bella")
    view = await moved(store, before)
    assert why(view) == {"Bella": "⏏ -# a correction: Bella's country RU → unknown by Zoe"}
    # From one foreign country to another nobody moves.
    abroad = await known(store)
    await correct(store, ids["Bela"], country="DE")
    assert (await moved(store, abroad)).changes == ()


async def test_a_tournament_abroad_stops_for_all_when_its_one_player_from_home_moves(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await heavy_event(store)
    before = await known(store)
    await correct(store, ids["Anna"], country="KZ")
    view = await moved(store, before)
    because = "#3 Heavy does not count after a correction: Anna's country RU → KZ by Kai"
    assert why(view) == {
        "Bela": f"⬆ -# the maximal coefficients: {because}",
        "Cleo": f"⬆ -# the maximal coefficients: {because}",
        "Anna": "⏏ -# a correction: Anna's country RU → KZ by Kai; and with it the maximal coefficients",
    }
    gone = await known(store)
    await take_back(store, ids["Anna"])
    assert why(await moved(store, gone))["Bela"] == (
        "⬇ -# the maximal coefficients: #3 Heavy counts after a correction: Anna's country KZ → RU by Kai"
    )


async def test_where_everybody_is_listed_a_guests_own_result_stops_with_the_tournament(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await heavy_event(store)
    await hold(store, GUILD, "May Cup", MARCH + timedelta(30), {"Kurt": 5}, countries={"Kurt": "DE"})
    await choose(store, home_players_only=False)
    before = await known(store)
    await correct(store, ids["Anna"], country="KZ")
    told = why(await moved(store, before))
    because = "#3 Heavy does not count after a correction: Anna's country RU → KZ by Kai"
    assert told["Kurt"] == f"⏏ -# {because}; and with it the maximal coefficients"
    assert told["Anna"].endswith(f" -# {because}; and with it the maximal coefficients")


async def test_what_else_was_corrected_is_told_apart(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await hold(store, GUILD, "May Cup", MARCH + timedelta(30), CUP)
    before = await known(store)
    await correct(store, ids["Bela"], country="KZ")
    await store.write(tournaments.edit_details, GUILD, 2, {"accredited": False}, KAI, at(DAY))
    view = await moved(store, before)
    stopped = "#2 April Open does not count after a correction"
    assert why(view)["Bela"].startswith(
        f"⏏ -# a correction: Bela's country RU → KZ by Kai; {stopped}; the maximal"
    )
    assert why(view)["Anna"] == f"⬇ -# {stopped}; and with it the maximal coefficients"
    assert view.homes.tournaments == {}


async def test_countries_are_nothing_to_the_online_ranking(store: Store) -> None:
    await hold(store, GUILD, "Net Cup", MARCH, CUP, online=True)
    await hold(store, GUILD, "Net Open", MARCH, OPEN, online=True)
    ids, before = await players(store, GUILD), await known(store)
    await correct(store, ids["Bela"], country="RU")
    await correct(store, ids["Bela"], country="KZ")
    view = await moved(store, before, which=Ranking.ONLINE)
    assert (view.changes, view.homes.players) == ((), {})


async def test_a_new_result_has_entered_whatever_became_of_the_country(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await correct(store, ids["Bela"], country="KZ")
    before = await known(store)
    await hold(store, GUILD, "May Cup", MARCH + timedelta(30), {"Bela": 4})
    await correct(store, ids["Bela"], country="RU")
    view = await moved(store, before)
    (bela,) = [change for change in view.changes if change.player_id == ids["Bela"]]
    assert [cause.event for cause in bela.causes if not cause.maximal] == [Event.ENTERED]
    assert why(view)["Bela"].startswith(
        "🆕 -# a correction: Bela's country KZ → RU by Kai; #3 May Cup entered, place 4/40"
    )


# What was told then


@pytest.mark.parametrize("seed", range(3))
async def test_what_was_told_then_is_told_of_then(store: Store, seed: int) -> None:
    ids = await two_cups(store, GUILD)
    draw, start, seen = random.Random(seed), await told_of_players(store), {}
    for number in range(20):
        player = draw.choice(list(ids.values()))
        facts: dict[str, Any] = {
            "country": draw.choice(["RU", "KZ", None]),
            "name": f"N{draw.randrange(3)} {player}",
        }
        with contextlib.suppress(Refused):
            if draw.random() < 0.35:
                await take_back(store, player)
            else:
                await correct(store, player, **dict(draw.sample(list(facts.items()), draw.choice([1, 2]))))
        if number % 6 == 0:
            await store.write(tournaments.edit_details, GUILD, 1, {"hanchan": 4 + number}, KAI, at(DAY))
        seen[await known(store)] = in_order(await store.read(facts_now, GUILD, DAY))
    assert len(seen) > 10
    for change, held in seen.items():
        assert in_order(await store.read(facts_then, GUILD, DAY, change)) == held
    assert await told_of_players(store) != start
    for player in ids.values():
        refused = None
        while refused is None:
            try:
                await take_back(store, player)
            except Refused as error:
                refused = error.refusal
        assert refused is Refusal.NOTHING_TO_UNDO
    assert await told_of_players(store) == start


async def test_before_the_first_tournament_nothing_was_told(store: Store) -> None:
    await store.write(_newcomer, "Anna")
    (player,) = (await players(store, GUILD)).values()
    await correct(store, player, country="RU")
    assert await known(store) == 0
    await hold(store, GUILD, "Spring Cup", MARCH, CUP)
    assert await known(store) > 0


def _newcomer(connection: sa.Connection, name: str) -> int:
    club.lock(connection, GUILD, at(DAY))
    return people.add_player(connection, GUILD, name)


# One command, one change


async def test_an_undo_that_comes_twice_is_done_once(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await correct(store, ids["Bela"], country="KZ")
    await correct(store, ids["Bela"], country="DE")
    first = await store.write(edits.undo, GUILD, ids["Bela"], KAI, at(DAY), interaction_id=71)
    kept = await everything(store)
    assert await store.write(edits.undo, GUILD, ids["Bela"], KAI, at(DAY), interaction_id=71) == first
    assert await everything(store) == kept
    other = await store.write(edits.undo, GUILD, ids["Bela"], KAI, at(DAY), interaction_id=72)
    assert [said(change)["country"] for change in (first, other)] == [("DE", "KZ"), ("KZ", "RU")]


async def test_two_who_undo_at_once_take_back_one_change_each(store: Store, database: str) -> None:
    ids = await two_cups(store, GUILD)
    for country in ("KZ", "DE", "FR"):
        await correct(store, ids["Bela"], country=country)
    async with another(database) as other:
        undone = await asyncio.gather(*(take_back(each, ids["Bela"]) for each in (store, other)))
    assert {change.undoes for change in undone} == {
        change.id for change in (await store.read(edits.trail, GUILD, ids["Bela"]))[1:3]
    }
    assert (await store.read(people.entry, GUILD, ids["Bela"])).country == "KZ"


async def test_what_is_told_already_is_no_correction(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    before = await everything(store)
    with pytest.raises(Refused) as caught:
        await correct(store, ids["Bela"], country="RU", name="Bela")
    assert caught.value.refusal is Refusal.NOTHING_TO_AMEND
    with pytest.raises(Refused) as caught:
        await correct(store, ids["Bela"], country="KZ", reason="x" * 501)
    assert caught.value.refusal is Refusal.LONG_REASON
    with pytest.raises(Refused) as caught:
        await correct(store, 10**6, country="KZ")
    assert caught.value.refusal is Refusal.UNKNOWN_PLAYER
    assert await everything(store) == before


@pytest.mark.parametrize("place", ["players.tell", "player_log.write"])
async def test_a_fault_leaves_nothing_half_told(store: Store, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    ids = await two_cups(store, GUILD)
    await correct(store, ids["Bela"], country="KZ")
    for attempt in (
        lambda: correct(store, ids["Bela"], country="DE", by=Person(99, "New Admin")),
        lambda: take_back(store, ids["Bela"]),
    ):
        await untouched_when_broken(store, monkeypatch, f"ratings.tournaments.{place}", attempt)


# The post of the day


async def test_a_correction_between_look_and_note_is_not_lost(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    await choose(store, ranking_posts=True)
    noted = await store.study(days.look, GUILD, at(DAY))
    assert await store.write(days.take_note, GUILD, *noted, at(DAY))
    tomorrow = at(DAY + timedelta(1))
    seen = await store.study(days.look, GUILD, tomorrow)
    await correct(store, ids["Bela"], country="KZ")
    assert not await store.write(days.take_note, GUILD, *seen, tomorrow)
    again, any_moved = await store.study(days.look, GUILD, tomorrow)
    assert any_moved
    assert again.until_change == await store.read(_newest_row)


def _newest_row(connection: sa.Connection) -> int:
    return int(connection.execute(sa.select(sa.func.max(tournament_changes.c.id))).scalar_one())
