"""Corrections of players whose records are merged, linked, filled in, forgotten, or moved with their club."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club
from ratings import ledger as games
from ratings.archive import parse, read_club, write_club
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.store import Store
from ratings.store.tables import tournament_changes
from ratings.systems.russian import Ranking
from ratings.tournaments import edits, entrants, rankings
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as people
from ratings.tournaments.facts import facts_now, facts_then
from ratings.tournaments.player_log import PlayerChange, PlayerChangeKind
from tests.ledger_help import GUILD, KAI, NEIGHBOURS, everything
from tests.player_edit_help import (
    DAY,
    ZOE,
    correct,
    in_order,
    known,
    merge,
    moved,
    said,
    split,
    take_back,
    told_of_players,
    why,
)
from tests.ranking_help import MARCH, at, details, hold, players, two_cups

DORA = Person(501, "Dora")


async def newcomer(store: Store, name: str) -> int:
    """A record of somebody without results."""
    return await store.write(_newcomer, name)


def _newcomer(connection: sa.Connection, name: str) -> int:
    club.lock(connection, GUILD, at(DAY))
    return people.add_player(connection, GUILD, name)


async def trail(store: Store, player: int, guild: int = GUILD) -> list[PlayerChange]:
    """What was done to somebody."""
    return await store.read(edits.trail, guild, player)


async def refused(store: Store, player: int) -> Refused:
    """Why the newest correction cannot be taken back; nothing has changed then."""
    before = await everything(store)
    with pytest.raises(Refused) as caught:
        await take_back(store, player)
    assert await everything(store) == before
    return caught.value


# Names, aliases and numbers


async def test_aliases_come_and_go_and_come_back(store: Store) -> None:
    bela = (await two_cups(store, GUILD))["Bela"]
    await store.write(club.player_ids, GUILD, [ZOE])
    start = await told_of_players(store)
    await store.write(edits.add_alias, GUILD, bela, "Béla Kún", KAI, at(DAY))
    await store.write(edits.add_alias, GUILD, bela, "béla kún", KAI, at(DAY))
    given = await told_of_players(store)
    await store.write(edits.drop_alias, GUILD, bela, "BÉLA KÚN", ZOE, at(DAY))
    assert [(change.by, said(change)) for change in await trail(store, bela)] == [
        ("Kai", {"alias": (None, "Béla Kún")}),
        ("Zoe", {"alias": ("Béla Kún", None)}),
    ]
    await take_back(store, bela)
    assert await told_of_players(store) == given
    await take_back(store, bela)
    assert await told_of_players(store) == start
    assert (await refused(store, bela)).refusal is Refusal.NOTHING_TO_UNDO


async def test_what_is_somebody_elses_by_now_does_not_come_back(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    bela, cleo = ids["Bela"], ids["Cleo"]
    await correct(store, bela, name="Bella", ema_number="04290001")
    await correct(store, bela, name="Isabella")
    await store.write(edits.add_alias, GUILD, cleo, "Bella", KAI, at(DAY))
    found = await refused(store, bela)
    assert (found.refusal, found.values) == (Refusal.NAME_TAKEN, {"name": "Bella"})
    await take_back(store, cleo)
    await take_back(store, bela)
    await correct(store, bela, ema_number=None)
    await correct(store, cleo, ema_number="04290001")
    found = await refused(store, bela)
    assert (found.refusal, found.values) == (Refusal.EMA_NUMBER_TAKEN, {"number": "04290001", "name": "Cleo"})


async def test_a_link_stays_and_the_name_that_discord_tells_too(store: Store) -> None:
    bela = (await two_cups(store, GUILD))["Bela"]
    await correct(store, bela, name="Bella", country="KZ")
    await correct(store, bela, name="Isabella")
    await store.write(edits.link, GUILD, bela, DORA, KAI, at(DAY))
    linked = (await trail(store, bela))[-1]
    assert (linked.kind, said(linked)) == (
        PlayerChangeKind.LINK,
        {"name": ("Isabella", "Dora"), "alias": (None, "Isabella")},
    )
    # That Isabella was called Bella before is nothing any more; the country is.
    undone = await take_back(store, bela)
    assert said(undone) == {"country": ("KZ", "RU")}
    entry = await store.read(people.entry, GUILD, bela)
    assert (entry.name, entry.discord_id, entry.country, entry.aliases) == ("Dora", 501, "RU", ("Isabella",))
    assert (await refused(store, bela)).refusal is Refusal.NOTHING_TO_UNDO


# What results told


async def test_what_a_file_tells_of_known_players_is_written_down(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    known_one = await newcomer(store, "Yan")
    (dora,) = await store.write(club.player_ids, GUILD, [DORA])
    rows = [
        ResultRow(2, 1, "Yan", ema_number="04290001"),
        ResultRow(3, 2, "Dora D", ema_number="04290002"),
        ResultRow(4, 3, "Fresh Face", country="KZ"),
        ResultRow(5, 4, "Bela"),
    ]
    options: dict[str, Any] = {"new_players": True, "members": {3: DORA}}
    await store.write(tournaments.import_results, GUILD, details("May Cup"), rows, ZOE, at(DAY), **options)
    told = {"assumed_country": (None, "RU"), "ema_number": (None, "04290001")}
    (change,) = await trail(store, known_one)
    assert (change.kind, change.by, said(change)) == (PlayerChangeKind.FILL, "Zoe", told)
    (change,) = await trail(store, dora)
    told = {"assumed_country": (None, "RU"), "ema_number": (None, "04290002"), "alias": (None, "Dora D")}
    assert said(change) == told
    fresh = (await players(store, GUILD))["Fresh Face"]
    assert [await trail(store, each) for each in (fresh, ids["Bela"])] == [[], []]
    for each in (known_one, dora):
        await take_back(store, each)
    entry = await store.read(people.entry, GUILD, dora)
    assert (entry.country, entry.ema_number, entry.aliases) == (None, None, ())


async def test_a_result_by_which_somebody_is_from_here_moves_his_other_results(store: Store) -> None:
    await hold(store, GUILD, "Spring Cup", MARCH, {"Anna": 1, "Bela": 2})
    abroad: dict[str, Any] = {"country": "DE", "ema": True}
    await hold(store, GUILD, "Euro Open", MARCH + timedelta(7), {"Anna": 3, "Bela": 1, "Yan": 2}, **abroad)
    yan, before = (await players(store, GUILD))["Yan"], await known(store)

    def put(connection: sa.Connection) -> None:
        player = entrants.record_of(connection, GUILD, 1, yan)
        tournaments.put_result(connection, GUILD, 1, player, {"place": 7}, ZOE, at(DAY))

    await store.write(put)
    assert why(await moved(store, before)) == {
        "Yan": "🆕 -# a correction: Yan's country unknown → RU by Zoe; #1 Spring Cup entered, place 7/40"
    }
    newest = await store.read(facts_now, GUILD, DAY)
    assert in_order(await store.read(facts_then, GUILD, DAY, await known(store))) == in_order(newest)


# Merged records


async def test_what_several_records_say_is_taken_away_and_back_at_once(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    second = await newcomer(store, "Bela the Second")
    await correct(store, second, country="DE", ema_number="04290001")
    await merge(store, ids["Bela"], second)
    merged, before = await told_of_players(store), await known(store)
    # The record that remains says DE, and without it the other one would say RU.
    change = await correct(store, ids["Bela"], country=None, ema_number=None)
    assert said(change) == {"country": ("DE", None), "ema_number": ("04290001", None)}
    assert [player for player, _ in change.parts] == [second, ids["Bela"]]
    assert (await store.read(people.entry, GUILD, second)).country is None
    then = await store.read(facts_then, GUILD, DAY, before)
    assert then.players[second].country == "DE"
    undone = await take_back(store, second)
    assert said(undone) == {"country": (None, "DE"), "ema_number": (None, "04290001")}
    assert await told_of_players(store) == merged
    await split(store, ids["Bela"])
    assert (await store.read(people.entry, GUILD, ids["Bela"])).country == "RU"
    # Each of the two knows that it is taken back.
    for record in (ids["Bela"], second):
        *_, cleared, back = await trail(store, record)
        assert (cleared.id, back.undoes) == (change.id, change.id)


async def test_a_correction_of_a_merged_player_is_shown_as_people_saw_it(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    second = await newcomer(store, "Bela the Second")
    await merge(store, ids["Bela"], second)
    merged, before = await told_of_players(store), await known(store)
    change = await correct(store, second, country="KZ")
    assert said(change) == {"country": ("RU", "KZ")}
    assert why(await moved(store, before)) == {
        "Bela the Second": "⏏ -# a correction: Bela the Second's country RU → KZ by Kai"
    }
    await take_back(store, second)
    assert await told_of_players(store) == merged
    assert (await moved(store, before)).changes == ()


async def test_corrections_from_before_a_merge_are_the_persons(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    before = await known(store)
    await correct(store, ids["Bela"], country="KZ")
    second = await newcomer(store, "Bela the Second")
    await merge(store, ids["Bela"], second)
    assert [said(each) for each in await trail(store, second)] == [{"country": ("RU", "KZ")}]
    assert list(why(await moved(store, before))) == ["Bela the Second"]
    await take_back(store, second)
    assert (await moved(store, before)).changes == ()
    await split(store, ids["Bela"])
    assert (await store.read(people.entry, GUILD, ids["Bela"])).country == "RU"
    assert len(await trail(store, ids["Bela"])) == 2
    assert await trail(store, second) == []


# Forgotten people


async def test_the_log_tells_nothing_of_a_forgotten_player_but_countries(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    bela = ids["Bela"]
    await correct(store, bela, name="Zora Vanishing", ema_number="19990777", country="KZ")
    await correct(store, bela, name="Zoë Gone", reason="Zora Vanishing married, says Kai")
    await store.write(edits.add_alias, GUILD, bela, "Zozo", KAI, at(DAY))
    await store.write(edits.drop_alias, GUILD, bela, "Zozo", KAI, at(DAY))
    await correct(store, bela, ema_number=None)
    marks = ("Bela", "Zora", "Vanishing", "19990777", "Zoë", "Zozo")
    stored = ascii(await everything(store)) + repr(await everything(store))
    assert [mark for mark in marks if mark not in stored] == []
    then, now = await known(store), await store.read(facts_now, GUILD, DAY)
    proposal = await store.study(games.propose_forget, GUILD, bela, at(DAY))
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))
    stored = ascii(await everything(store)) + repr(await everything(store))
    assert [mark for mark in marks if mark in stored] == []
    assert "… married, says Kai" in stored
    rows = await store.read(_facts_of, bela)
    assert rows == ['{"country": ["RU", "KZ", "RU"]}', "{}", "{}", "{}", "{}"]
    held = await store.read(facts_then, GUILD, DAY, then)
    assert {player: told.country for player, told in held.players.items()} == {
        player: told.country for player, told in now.players.items()
    }


def _facts_of(connection: sa.Connection, player: int) -> list[str]:
    mine = sa.select(tournament_changes.c.facts).where(tournament_changes.c.player_id == player)
    return list(connection.execute(mine.order_by(tournament_changes.c.id)).scalars())


async def test_a_forgotten_player_is_no_cause_by_name(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    abroad: dict[str, Any] = {"country": "DE", "ema": True, "participants": 100}
    await hold(store, GUILD, "Heavy", MARCH + timedelta(20), {"Anna": 1}, **abroad)
    before = await known(store)
    await correct(store, ids["Anna"], country="KZ")
    proposal = await store.study(games.propose_forget, GUILD, ids["Anna"], at(DAY))
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))
    told = why(await moved(store, before))
    assert told["Bela"] == "⬆ -# the maximal coefficients: #3 Heavy does not count after a correction"


# A club elsewhere


async def test_the_log_of_players_moves_with_the_club(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    before = await known(store)
    await correct(store, ids["Anna"], name="Аня", reason="as she writes it")
    second = await newcomer(store, "Bela the Second")
    await correct(store, second, country="DE")
    await merge(store, ids["Bela"], second)
    await correct(store, second, country=None)
    await correct(store, ids["Cleo"], country="KZ")
    await take_back(store, ids["Cleo"], by=ZOE)
    told = parse(await store.read(write_club, GUILD, at(DAY)))
    await store.write(read_club, NEIGHBOURS, told, KAI, 55, at(DAY))
    there = await players(store, NEIGHBOURS)
    assert there.keys() == {"Аня", "Bela", "Bela the Second", "Cleo", "Dina", "Kai", "Zoe"}
    for name, player in (await players(store, GUILD)).items():
        own, other = await trail(store, player), await trail(store, there[name], NEIGHBOURS)
        assert [_shown(change) for change in own] == [_shown(change) for change in other]
    # The moments are the same moments there.
    view = await store.read(rankings.changes, NEIGHBOURS, Ranking.RR, DAY, DAY, before + await _shift(store), None)
    assert why(view) == why(await moved(store, before)) != {}
    await take_back(store, there["Bela"], guild=NEIGHBOURS)
    entry = await store.read(people.entry, NEIGHBOURS, there["Bela"])
    assert (entry.country, entry.name) == ("DE", "Bela the Second")


def _shown(change: PlayerChange) -> tuple[Any, ...]:
    return change.kind, change.by, change.at, change.reason, change.facts, len(change.parts), change.undoes is None


async def _shift(store: Store) -> int:
    """By how much the other club's changes are numbered higher."""
    return await known(store, NEIGHBOURS) - await known(store)
