"""Who the players of tournaments are: contradictions in files, home countries, merged and forgotten people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club
from ratings import ledger as games
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.store import Store
from ratings.store.tables import players as players_table
from ratings.systems.russian import Ranking
from ratings.tournaments import entrants, ledger, rankings, readers
from ratings.tournaments import players as people
from ratings.tournaments.names import Neighbours
from ratings.tournaments.records import ChangeKind, Doubt, DoubtKind, Line
from tests.ledger_help import GUILD, KAI, everything
from tests.ranking_help import MARCH, at, details, hold, players

DAY = MARCH + timedelta(60)
CUP = {f"P{place:02}": place for place in range(1, 17)}
ALICE, BOB, CAROL = Person(501, "Alice"), Person(502, "Bob"), Person(503, "Carol")


async def file(
    store: Store,
    rows: Sequence[ResultRow],
    name: str = "Open",
    *,
    new_players: bool = True,
    members: dict[int, Person] | None = None,
    **told: Any,
) -> ledger.Imported:
    """Import some rows."""
    return await store.write(
        ledger.import_results,
        GUILD,
        details(name, **told),
        rows,
        KAI,
        at(DAY),
        new_players=new_players,
        members=members,
    )


async def doubts(store: Store, rows: Sequence[ResultRow], **options: Any) -> tuple[Doubt, ...]:
    """Import what must be refused without a trace; the doubts."""
    before = await everything(store)
    with pytest.raises(Refused) as caught:
        await file(store, rows, "Doubtful", **options)
    assert await everything(store) == before
    found: tuple[Doubt, ...] = caught.value.values["doubts"]
    return found


async def listed(store: Store, which: Ranking = Ranking.RR, day: date = DAY) -> list[str]:
    """The names in a ranking."""
    view = await store.study(rankings.ranking, GUILD, which, day)
    return [view.names[row.player_id] for row in view.table.rows]


async def two_cups(store: Store) -> None:
    """Two tournaments with the same sixteen players."""
    await hold(store, GUILD, "Spring Cup", MARCH, CUP)
    await hold(store, GUILD, "May Cup", MARCH + timedelta(30), CUP)


async def merge(store: Store, one: int, into: int) -> None:
    """Let two records count as one."""
    proposal = await store.read(games.propose_merge, GUILD, one, into)
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))


async def acquaint(store: Store, *persons: Person) -> list[int]:
    """Let members be known to the club."""
    await store.write(club.lock, GUILD, at(DAY))
    return await store.write(club.player_ids, GUILD, persons)


# Contradictions in files


async def test_a_name_of_one_member_beside_the_account_of_another_is_in_doubt(store: Store) -> None:
    await acquaint(store, ALICE, BOB)
    row = [ResultRow(2, 1, "Alice")]
    for member in (BOB, CAROL):
        assert await doubts(store, row, members={2: member}) == (
            Doubt(2, DoubtKind.OTHER_MEMBER, "Alice", (member.name,)),
        )
    assert (await file(store, row, members={2: ALICE})).new_players == ()


async def test_ema_numbers_that_contradict_what_is_known_are_in_doubt(store: Store) -> None:
    await file(store, [ResultRow(2, 1, "Ivan Petrov", ema_number="04090001"), ResultRow(3, 2, "Yan")])
    differs = Doubt(2, DoubtKind.EMA_DIFFERS, "Ivan Petrov", ("04090001",))
    assert await doubts(store, [ResultRow(2, 1, "Ivan Petrov", ema_number="04099999")]) == (differs,)
    for name, member in (("Yan", None), ("I. Petrov", None), ("Carol", CAROL)):
        row = [ResultRow(2, 1, name, ema_number="04090001")]
        taken = Doubt(2, DoubtKind.EMA_TAKEN, name, ("Ivan Petrov",))
        assert await doubts(store, row, members={} if member is None else {2: member}) == (taken,)
    await file(store, [ResultRow(2, 1, "Ivan Petrov", ema_number="04090001")], "Second")


async def test_an_ema_number_is_one_players_wherever_it_is_told(store: Store) -> None:
    await file(store, [ResultRow(2, 1, "Ivan Petrov", ema_number="04090001"), ResultRow(3, 2, "Yan")])
    known = await players(store, GUILD)
    before = await everything(store)
    with pytest.raises(Refused) as caught:
        await store.write(people.describe, GUILD, known["Yan"], {"ema_number": "04090001", "country": "FR"})
    assert caught.value.refusal is Refusal.EMA_NUMBER_TAKEN
    assert caught.value.values == {"number": "04090001", "name": "Ivan Petrov"}
    assert await everything(store) == before
    await store.write(people.describe, GUILD, known["Ivan Petrov"], {"ema_number": "04090001"})
    assert await everything(store) == before


async def test_near_names_are_looked_up_for_the_first_unknown_names_only(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await file(store, [ResultRow(2, 1, "Ivan Petrov")])
    monkeypatch.setattr(entrants, "LOOKED_UP", 2)
    rows = [ResultRow(row, row - 1, f"Ivan Petro{row}") for row in range(2, 6)]
    found = await doubts(store, rows, new_players=False)
    assert [doubt.near for doubt in found] == [("Ivan Petrov",), ("Ivan Petrov",), (), ()]


async def test_neighbours_are_not_looked_for_when_everybody_is_known(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await file(store, [ResultRow(2, 1, "Ivan Petrov")])
    monkeypatch.setattr(Neighbours, "of", None)
    await file(store, [ResultRow(2, 1, "Ivan Petrov")], "Second", new_players=False)


# Where players are at home


async def test_known_members_are_taken_to_be_at_home_where_they_play(store: Store) -> None:
    await acquaint(store, *(Person(100 + number, f"P{number:02}") for number in range(1, 4)))
    await two_cups(store)
    assert await listed(store) == list(CUP)


async def test_what_is_known_of_a_player_or_told_in_the_file_goes_before_the_assumption(store: Store) -> None:
    french, german = await acquaint(store, ALICE, BOB)
    await store.write(people.describe, GUILD, french, {"country": "FR"})
    rows = [ResultRow(2, 1, "Alice"), ResultRow(3, 2, "Bob", country="DE"), ResultRow(4, 3, "Yan")]
    done = await file(store, rows)
    entries = [await store.read(people.entry, GUILD, each) for each in (french, german)]
    assert [entry.country for entry in entries] == ["FR", "DE"]
    assert done.homeless == ()


@pytest.mark.parametrize("elsewhere", [{"country": "DE"}, {"online": True}])
async def test_who_is_at_home_nowhere_is_named(store: Store, elsewhere: dict[str, Any]) -> None:
    rows = [ResultRow(2, 1, "Alice"), ResultRow(3, 2, "Bob", country="DE"), ResultRow(4, 3, "Yan")]
    assert (await file(store, rows, **elsewhere)).homeless == ("Alice", "Yan")
    await file(store, rows, "At home")
    assert (await file(store, rows, "Again", **elsewhere)).homeless == ()


# The same command delivered twice


async def test_an_undo_and_a_result_that_come_twice_are_done_once(store: Store) -> None:
    await file(store, [ResultRow(2, 1, "Alice"), ResultRow(3, 2, "Bob")])

    def put(connection: sa.Connection) -> tuple[int, Line | None, Line]:
        player = entrants.record_of(connection, GUILD, 1, "Fresh Face")
        told = {"place": 5}
        return player, *ledger.put_result(connection, GUILD, 1, player, told, KAI, at(DAY), interaction_id=71)

    first = await store.write(put)
    kept = await everything(store)
    assert await store.write(put) == first
    assert await everything(store) == kept
    assert first[1:] == (None, Line(first[0], 5))
    await store.write(ledger.edit_details, GUILD, 1, {"hanchan": 4}, KAI, at(DAY))
    undone = await store.write(ledger.undo, GUILD, 1, KAI, at(DAY), interaction_id=72)
    kept = await everything(store)
    assert await store.write(ledger.undo, GUILD, 1, KAI, at(DAY), interaction_id=72) == undone
    assert await everything(store) == kept
    other = await store.write(ledger.undo, GUILD, 1, KAI, at(DAY), interaction_id=73)
    assert (undone.kind, other.kind) == (ChangeKind.EDIT, ChangeKind.RESULT)


async def test_a_new_player_who_is_known_by_now_is_that_player(store: Store) -> None:
    await file(store, [ResultRow(2, 1, "Alice")])
    known = await players(store, GUILD)
    assert await store.write(entrants.record_of, GUILD, 1, "alice") == known["Alice"]
    await store.write(people.add_player, GUILD, "Alice")
    with pytest.raises(Refused) as caught:
        await store.write(entrants.record_of, GUILD, 1, "Alice")
    assert caught.value.refusal is Refusal.NAME_TAKEN


# Merged records


async def test_a_merge_keeps_country_and_number_and_every_name(store: Store) -> None:
    await two_cups(store)
    (member,) = await acquaint(store, Person(777, "vanya"))
    record = (await players(store, GUILD))["P01"]
    await store.write(people.describe, GUILD, record, {"ema_number": "04090001"})
    await merge(store, record, member)
    assert (await listed(store))[0] == "vanya"
    assert await listed(store) == ["vanya", *list(CUP)[1:]]
    entry = await store.read(people.entry, GUILD, member)
    assert (entry.country, entry.ema_number, entry.other_names) == ("RU", "04090001", ("P01",))
    for typed in ("P01", "p0", "04090001"):
        assert member in [each.id for each in await store.read(people.search, GUILD, typed, 25)]
    first = (await store.read(readers.record, GUILD, 1)).lines[0]
    assert (first.name, first.country, first.ema_number) == ("vanya", "RU", "04090001")
    explained = await store.study(rankings.explain, GUILD, Ranking.RR, member, DAY)
    assert explained.listable


async def test_the_record_that_others_count_as_goes_before_them(store: Store) -> None:
    await two_cups(store)
    (member,) = await acquaint(store, Person(777, "vanya"))
    await store.write(people.describe, GUILD, member, {"country": "FR"})
    await merge(store, (await players(store, GUILD))["P01"], member)
    assert (await store.read(people.entry, GUILD, member)).country == "FR"
    assert await listed(store) == list(CUP)[1:]
    await store.write(people.describe, GUILD, member, {"country": None})
    assert (await store.read(people.entry, GUILD, member)).country is None


# Namesakes


async def test_a_namesake_who_is_linked_does_not_take_the_name_along(store: Store) -> None:
    one, _ = [await store.write(_newcomer, "Sergey Kim") for _ in range(2)]
    await store.write(people.link, GUILD, one, Person(600, "kimmy"))
    assert (await store.read(people.entry, GUILD, one)).aliases == ()


def _newcomer(connection: sa.Connection, name: str) -> int:
    club.lock(connection, GUILD, at(DAY))
    return people.add_player(connection, GUILD, name)


# Forgotten people


@pytest.mark.parametrize("which", Ranking)
async def test_the_figures_of_the_others_stay_when_somebody_is_forgotten(store: Store, which: Ranking) -> None:
    online = which is Ranking.ONLINE
    abroad = {"country": "DE", "ema": True} if not online else {"online": True}
    countries = dict.fromkeys(CUP, "RU") | {"P02": "DE"}
    for number in range(3):
        last_day = MARCH + timedelta(number)
        # Abroad it counts by the one player from home who is to be forgotten.
        await hold(store, GUILD, f"Cup {number}", last_day, CUP, countries=countries, online=online)
        await hold(store, GUILD, f"Heavy {number}", last_day, {"P01": 1, "P02": 2}, countries=countries, **abroad)
    before = await store.study(rankings.ranking, GUILD, which, DAY)
    record = (await players(store, GUILD))["P01"]
    proposal = await store.study(games.propose_forget, GUILD, record, at(DAY))
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))
    after = await store.study(rankings.ranking, GUILD, which, DAY)

    def figures(view: rankings.RankingView) -> list[tuple[int, float, float, float]]:
        return [row[1:5] for row in view.table.rows if row.player_id != record]

    assert record not in [row.player_id for row in after.table.rows]
    assert figures(after) == figures(before)
    assert (after.table.maximal, after.table.maxk) == (before.table.maximal, before.table.maxk)
    assert [row.place for row in after.table.rows] == list(range(1, len(after.table.rows) + 1))


async def test_nothing_is_shown_of_a_forgotten_player(store: Store) -> None:
    await two_cups(store)
    record = (await players(store, GUILD))["P01"]
    proposal = await store.study(games.propose_forget, GUILD, record, at(DAY))
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))
    first = (await store.read(readers.record, GUILD, 1)).lines[0]
    assert (first.name, first.country, first.ema_number, first.discord_id) == ("", None, None, None)
    kept = sa.select(players_table.c.assumed_country).where(players_table.c.id == record)
    assert await store.read(lambda connection: connection.execute(kept).scalar()) == "RU"
