"""Several rows of one name in a tournament: who they are, and replacement players, who are nobody special."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ratings.models import Person
from ratings.resultsfile import ResultRow, read_results, write_results
from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import players as people
from ratings.tournaments import rankings
from ratings.tournaments.records import Doubt, DoubtKind
from tests.ledger_help import ANN, BORIS, GUILD
from tests.resultsfile_help import text_file
from tests.tournament_help import DAY, bring, doubts, ids, open_cup, record, rows_of

IVAN = "Ivan Petrov"
ONE, TWO, THREE = "15000001", "15000002", "15000003"


def _rows(*numbers: str | None, name: str = IVAN) -> list[ResultRow]:
    return [ResultRow(row, row - 1, name, ema_number=number) for row, number in enumerate(numbers, 2)]


async def _results(store: Store, number: int) -> list[tuple[int, str | None]]:
    """Records and EMA numbers in a tournament, by place."""
    return [(line.player_id, line.ema_number) for line in (await record(store, number)).lines]


async def test_namesakes_with_numbers_of_their_own_are_found_again_by_them(store: Store) -> None:
    done = await bring(store, _rows(ONE, TWO))
    assert done.new_players == (IVAN, IVAN)
    (first, one), (second, two) = await _results(store, 1)
    assert (one, two) == (ONE, TWO)
    assert first != second
    await bring(store, _rows(TWO, ONE), open_cup("Second"), new_players=False)
    assert await _results(store, 2) == [(second, TWO), (first, ONE)]
    # By himself, too, but not without his number.
    await bring(store, _rows(TWO), open_cup("Third"), new_players=False)
    assert await _results(store, 3) == [(second, TWO)]
    assert await doubts(store, _rows(None), open_cup("Fourth")) == [Doubt(2, DoubtKind.SEVERAL, IVAN)]


async def test_a_namesake_of_a_known_player_is_somebody_new(store: Store) -> None:
    await bring(store, _rows(ONE))
    found = await doubts(store, _rows(ONE, TWO), open_cup("Second"))
    assert found == [Doubt(3, DoubtKind.UNKNOWN, f"{IVAN} ({TWO})", (IVAN,))]
    done = await bring(store, _rows(TWO, ONE, THREE), open_cup("Second"))
    assert done.new_players == (IVAN, IVAN)
    known, _ = (await _results(store, 1))[0]
    assert [number for player, number in await _results(store, 2) if player == known] == [ONE]


async def test_one_row_with_another_number_is_a_slip_and_not_a_namesake(store: Store) -> None:
    await bring(store, _rows(ONE))
    found = await doubts(store, _rows(TWO), open_cup("Second"), new_players=True)
    assert found == [Doubt(2, DoubtKind.EMA_DIFFERS, IVAN, (ONE,))]


async def test_nobody_guesses_which_of_two_is_the_known_one(store: Store) -> None:
    await bring(store, rows_of(IVAN))
    found = await doubts(store, _rows(ONE, TWO), open_cup("Second"), new_players=True)
    assert found == [Doubt(2, DoubtKind.SEVERAL, IVAN), Doubt(3, DoubtKind.SEVERAL, IVAN)]
    members = {2: ANN, 3: BORIS}
    found = await doubts(store, _rows(None, None), open_cup("Second"), new_players=True, members=members)
    assert found == [Doubt(2, DoubtKind.SEVERAL, IVAN), Doubt(3, DoubtKind.SEVERAL, IVAN)]
    # What the answer says to do works: his number makes him known.
    await store.write(people.describe, GUILD, (await ids(store))[IVAN], {"ema_number": ONE})
    done = await bring(store, _rows(ONE, TWO), open_cup("Second"), members=members)
    assert (done.new_players, done.linked) == ((IVAN,), (IVAN,))


async def test_a_number_finds_its_owner_under_a_name_that_became_an_alias(store: Store) -> None:
    await bring(store, _rows(ONE))
    await bring(store, _rows(ONE, TWO), open_cup("Second"), members={2: ANN})
    ann, other = [player for player, _ in await _results(store, 2)]
    await bring(store, _rows(TWO), open_cup("Third"), new_players=False)
    assert await _results(store, 3) == [(other, TWO)]
    await bring(store, _rows(None), open_cup("Fourth"), new_players=False)
    assert await _results(store, 4) == [(ann, ONE)]


@pytest.mark.parametrize("again", [IVAN, "Ｉvan\u3000Petrov", "IVAN PETROV"])
async def test_members_of_one_name_are_two_and_neither_goes_by_it(store: Store, again: str) -> None:
    rows = rows_of(IVAN, again)
    await bring(store, rows, members={2: ANN, 3: BORIS})
    assert [line.discord_id for line in (await record(store)).lines] == [ANN.discord_id, BORIS.discord_id]
    for name in ("Ann", "Борис"):
        assert (await store.read(people.entry, GUILD, (await ids(store))[name])).aliases == ()
    await bring(store, rows, open_cup("Second"), members={2: BORIS, 3: ANN}, new_players=False)
    assert [line.discord_id for line in (await record(store, 2)).lines] == [BORIS.discord_id, ANN.discord_id]
    found = await doubts(store, rows_of(again), open_cup("Third"))
    assert [each.kind for each in found] == [DoubtKind.UNKNOWN]


async def test_a_member_who_goes_by_the_name_is_told_from_a_namesake(store: Store) -> None:
    await bring(store, rows_of(IVAN), members={2: ANN})
    other = Person(99, "Vanya")
    await bring(store, rows_of(IVAN, IVAN), open_cup("Second"), members={2: other, 3: ANN})
    assert [line.discord_id for line in (await record(store, 2)).lines] == [99, ANN.discord_id]
    assert (await store.read(people.entry, GUILD, (await ids(store))["Vanya"])).aliases == ()
    # Alone, the name and the member contradict each other.
    found = await doubts(store, rows_of(IVAN), open_cup("Third"), members={2: other})
    assert [each.kind for each in found] == [DoubtKind.OTHER_MEMBER]


async def test_one_player_is_not_in_two_rows_whatever_tells_them_apart(store: Store) -> None:
    await bring(store, _rows(ONE), members={2: ANN})
    rows = [ResultRow(2, 1, IVAN, ema_number=ONE), ResultRow(3, 2, IVAN)]
    found = await doubts(store, rows, open_cup("Second"), members={3: ANN})
    assert found == [Doubt(3, DoubtKind.TWICE, IVAN, other=2)]
    found = await doubts(store, _rows(None, None, name="Qqq"), open_cup("Second"), new_players=True)
    assert found == [Doubt(3, DoubtKind.TWICE, "Qqq", other=2)]


async def test_replacement_players_of_one_name_are_counted_placed_and_listed_nowhere(store: Store) -> None:
    names = [f"Player {number:02}" for number in range(1, 14)]

    def cup(*replaced: int) -> list[ResultRow]:
        rows = [(place, names[place - 1], "") for place in range(1, 14)]
        rows += [(place, "Замена", "да") for place in range(14, 17)]
        rows = [(place, "Замена", "да") if place in replaced else (place, name, sub) for place, name, sub in rows]
        return list(read_results(text_file(("place", "player", "replacement"), *rows)).rows)

    await bring(store, cup())
    done = await bring(store, cup(2), open_cup("Second", last_day=DAY - timedelta(7)))
    assert done.new_players == ("Замена 4",)
    again = await bring(store, cup(), open_cup("Third", last_day=DAY - timedelta(14)), new_players=False)
    assert again.new_players == ()
    subs = [line for line in (await record(store, 2)).lines if line.line.replacement]
    assert [(line.line.place, line.name) for line in subs] == [
        (2, "Замена"),
        (14, "Замена 2"),
        (15, "Замена 3"),
        (16, "Замена 4"),
    ]
    for which in (Ranking.RR, Ranking.CRR):
        view = await store.read(rankings.ranking, GUILD, which, DAY)
        assert {view.names[row.player_id] for row in view.table.rows} == set(names)
    # What is written of them is read back as it stands.
    shown = (await record(store)).lines
    assert [line.line.place for line in shown] == list(range(1, 17))
    rows = [ResultRow(0, line.line.place, line.name, replacement=line.line.replacement) for line in shown]
    assert read_results(write_results(rows)).rows[13:] == tuple(
        ResultRow(row, row - 1, name, replacement=True)
        for row, name in ((15, "Замена"), (16, "Замена 2"), (17, "Замена 3"))
    )


async def test_nobody_asks_where_a_replacement_player_is_at_home(store: Store) -> None:
    rows = [ResultRow(2, 1, "Anna"), ResultRow(3, 2, "Замена", replacement=True)]
    done = await bring(store, rows, open_cup(country="DE"))
    assert done.homeless == ("Anna",)
