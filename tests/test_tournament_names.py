"""The names in tournaments: spellings, aliases, members and merged records, and who is meant by what is typed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ratings.models import Refusal
from ratings.resultsfile import ResultRow
from ratings.store import Store
from ratings.tournaments import ledger, readers
from ratings.tournaments import players as people
from ratings.tournaments.names import near
from ratings.tournaments.records import Doubt, DoubtKind
from tests.ledger_help import ANN, BORIS, GUILD, KAI, NOW, everything
from tests.tournament_help import (
    DAY,
    NAMES,
    bring,
    doubts,
    ids,
    merge,
    open_cup,
    put,
    record,
    refused,
    rename,
    rows_of,
    table,
)


async def test_a_name_that_is_known_is_the_player_whatever_its_letters(store: Store) -> None:
    await bring(store, rows_of("Фёдор Семёнов", "Clara Weiß"))
    done = await bring(store, rows_of("ФЕДОР  СЕМЕНОВ", "CLARA WEISS"), open_cup("Second"), new_players=False)
    assert done.new_players == ()
    assert await table(store, 2) == [(1, "Фёдор Семёнов"), (2, "Clara Weiß")]


async def test_nobody_is_imported_while_somebody_is_unknown(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    found = await doubts(store, rows_of("Anna Belova", "Boris Green", "Юрьева Дина", "Qqq"), open_cup("Second"))
    assert found == [
        Doubt(2, DoubtKind.UNKNOWN, "Anna Belova", ("Анна Белова",)),
        Doubt(4, DoubtKind.UNKNOWN, "Юрьева Дина", ("Дина Юрьева",)),
        Doubt(5, DoubtKind.UNKNOWN, "Qqq"),
    ]


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("Aleksei Ivanov", "Иванов Алексей"),
        ("Alexey Ivanov", "Алексей Иванов"),
        ("Юлия Щукина", "Yulia Shchukina"),
        ("Максим Ксенофонтов", "Maxim Xenofontov"),
        ("Харитонова Жанна", "Zhanna Haritonova"),
        ("Ivanov Ivan", "Ivan Ivanov"),
        ("Ivan Ivanof", "Ivan Ivanov"),
        ("Иванов И.", "Иванов Иван"),
        ("Иванов Иван Иванович", "Иван Иванов"),
        ("Müller Jürgen", "Jurgen Muller"),
        ("Łukasz Nowak", "Lukasz Nowak"),
    ],
)
def test_spellings_of_a_name_are_near_it(written: str, known: str) -> None:
    others = {name.casefold(): name for name in (known, "Peter Schmidt", "Ольга Крылова", "John Smith")}
    assert near(written, others)[0] == known


def test_other_names_are_not_near() -> None:
    others = {name.casefold(): name for name in ("Peter Schmidt", "Ольга Крылова", "John Smith")}
    for name in ("Neuer", "千秋", "", "Виктор Цой"):
        assert near(name, others) == ()


async def test_a_known_ema_number_is_the_nearest_name(store: Store) -> None:
    await bring(store, [ResultRow(2, 1, "Анна Белова", ema_number="04290001")])
    married = [ResultRow(2, 1, "Красильникова", ema_number="04290001")]
    assert (await doubts(store, married, open_cup("Second")))[0].near[0] == "Анна Белова"


async def test_a_name_of_several_players_means_nobody_until_an_alias_tells_them_apart(store: Store) -> None:
    await bring(store, rows_of("Ivan Ivanov", "Ivan Petrov"))
    known = await ids(store)
    await store.write(people.describe, GUILD, known["Ivan Petrov"], {"name": "I. P."})
    await store.write(rename, known["Ivan Petrov"], "Ivan Ivanov")
    found = await doubts(store, rows_of("Ivan Ivanov", "Somebody"), open_cup("Second"), new_players=True)
    assert found == [Doubt(2, DoubtKind.SEVERAL, "Ivan Ivanov")]
    await store.write(people.add_alias, GUILD, known["Ivan Petrov"], "Ivan Ivanov")
    await bring(store, rows_of("Ivan Ivanov", "Somebody"), open_cup("Second"))
    assert (await record(store, 2)).lines[0].player_id == known["Ivan Petrov"]


async def test_a_player_under_two_names_is_in_one_row_only(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    await store.write(people.add_alias, GUILD, (await ids(store))["Анна Белова"], "Anna B.")
    found = await doubts(store, rows_of("Анна Белова", "Emil Novák", "Anna B."), open_cup("Second"))
    assert found == [Doubt(4, DoubtKind.TWICE, "Anna B.", other=2)]


async def test_a_member_in_a_file_is_that_member_and_goes_by_the_name_from_then_on(store: Store) -> None:
    done = await bring(store, rows_of("Anna Belova", "Boris Green"), members={2: ANN})
    assert done.new_players == ("Anna Belova", "Boris Green")
    assert await table(store) == [(1, "Ann"), (2, "Boris Green")]
    again = await bring(store, rows_of("anna belova", "Boris Green"), open_cup("Second"), new_players=False)
    assert again.new_players == ()
    assert [line.discord_id for line in (await record(store, 2)).lines] == [ANN.discord_id, None]


async def test_a_player_whom_a_file_calls_a_member_is_linked(store: Store) -> None:
    await bring(store, rows_of("Anna Belova", "Boris Green"))
    done = await bring(
        store, rows_of("Boris Green", "Anna Belova"), open_cup("Second"), new_players=False, members={3: ANN}
    )
    assert (done.new_players, done.linked) == ((), ("Anna Belova",))
    assert await table(store, 1) == [(1, "Ann"), (2, "Boris Green")]
    assert await table(store, 2) == [(1, "Boris Green"), (2, "Ann")]
    entry = await store.read(people.entry, GUILD, (await ids(store))["Ann"])
    assert (entry.discord_id, entry.aliases, entry.results) == (ANN.discord_id, ("Anna Belova",), 2)


async def test_a_member_with_a_record_is_not_silently_another_player_too(store: Store) -> None:
    await bring(store, rows_of("Ann", "Anna Belova"), members={2: ANN})
    found = await doubts(store, rows_of("Anna Belova"), open_cup("Second"), members={2: ANN})
    assert found == [Doubt(2, DoubtKind.TWO_RECORDS, "Anna Belova", ("Ann",))]
    known = await ids(store)
    await refused(store.write(people.link, GUILD, known["Anna Belova"], ANN), Refusal.LINKED_ALREADY)


async def test_a_member_in_two_rows_is_found_out(store: Store) -> None:
    found = await doubts(store, rows_of("One", "Two"), open_cup(), members={2: ANN, 3: ANN}, new_players=True)
    assert found == [Doubt(3, DoubtKind.TWICE, "Two", other=2)]


async def test_results_of_merged_records_are_one_players(store: Store) -> None:
    await bring(store, rows_of("Anna", "Boris Green"))
    await bring(store, rows_of("Анна", "Boris Green"), open_cup("Second", last_day=DAY - timedelta(7)))
    known = await ids(store)
    await merge(store, known["Анна"], known["Anna"])
    assert await table(store, 2) == [(1, "Anna"), (2, "Boris Green")]
    # The result stays under the record it was entered for, so that a split would take it along.
    await put(store, 2, known["Anna"], 5)
    assert [line.line.player_id for line in (await record(store, 2)).lines if line.name == "Anna"] == [
        known["Анна"]
    ]
    assert (await store.read(people.entry, GUILD, known["Анна"])).results == 2
    assert len(await store.read(readers.results_of, GUILD, known["Anna"])) == 2
    found = await doubts(store, rows_of("Anna", "Анна"), open_cup("Third"))
    assert found == [Doubt(3, DoubtKind.TWICE, "Анна", other=2)]
    await store.write(ledger.take_result_out, GUILD, 2, known["Anna"], KAI, NOW)
    assert await table(store, 2) == [(2, "Boris Green")]


async def test_an_alias_is_one_players(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    known = await ids(store)
    anna, emil = known["Анна Белова"], known["Emil Novák"]
    await store.write(people.add_alias, GUILD, anna, "Anna Belova")
    before = await everything(store)
    await store.write(people.add_alias, GUILD, anna, "ANNA  BELOVA")
    assert await everything(store) == before
    for name in ("anna belova", "Анна Белова"):
        assert await refused(store.write(people.add_alias, GUILD, emil, name), Refusal.NAME_TAKEN) == {
            "name": name
        }
        await refused(store.write(people.describe, GUILD, emil, {"name": name}), Refusal.NAME_TAKEN)
    await refused(store.write(people.drop_alias, GUILD, emil, "Anna Belova"), Refusal.NO_ALIAS)
    assert await everything(store) == before
    await store.write(people.drop_alias, GUILD, anna, "anna belova")
    await store.write(people.add_alias, GUILD, emil, "Anna Belova")
    (found,) = (await store.read(people.meant, GUILD, "Anna Belova")).exactly
    assert found.id == emil


async def test_aliases_of_merged_records_are_one_players(store: Store) -> None:
    await bring(store, rows_of("Anna", "Анна"))
    known = await ids(store)
    await store.write(ledger.take_result_out, GUILD, 1, known["Анна"], KAI, NOW)
    await store.write(people.add_alias, GUILD, known["Анна"], "Аня")
    await merge(store, known["Анна"], known["Anna"])
    await store.write(people.add_alias, GUILD, known["Anna"], "Аня")
    assert (await store.read(people.entry, GUILD, known["Anna"])).aliases == ("Аня",)
    await store.write(people.drop_alias, GUILD, known["Anna"], "аня")
    assert (await store.read(people.entry, GUILD, known["Anna"])).aliases == ()


async def test_linking_binds_everything_and_keeps_the_name(store: Store) -> None:
    await bring(store, rows_of("Anna Belova", "Boris Green"))
    known = await ids(store)
    await store.write(people.link, GUILD, known["Anna Belova"], ANN)
    for typed in ("Anna Belova", "ann", f"<@{ANN.discord_id:018}>", f"player:{known['Anna Belova']}"):
        (found,) = (await store.read(people.meant, GUILD, typed)).exactly
        assert (found.id, found.name, found.discord_id) == (known["Anna Belova"], "Ann", ANN.discord_id)
    taken = {"name": "Ann", "member": BORIS.name, "has_record": False}
    assert (
        await refused(store.write(people.link, GUILD, known["Anna Belova"], BORIS), Refusal.LINKED_ALREADY)
        == taken
    )
    bound = {"name": "Boris Green", "member": "Ann", "has_record": True}
    assert (
        await refused(store.write(people.link, GUILD, known["Boris Green"], ANN), Refusal.LINKED_ALREADY) == bound
    )


async def test_a_player_is_meant_by_what_is_typed(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    await store.write(people.add_alias, GUILD, (await ids(store))["Emil Novák"], "Эмиль")

    async def shown(typed: str) -> tuple[list[str], list[str]]:
        found = await store.read(people.meant, GUILD, typed)
        return [each.name for each in found.exactly], [each.name for each in found.near]

    assert await shown("@эмиль") == (["Emil Novák"], [])
    assert await shown("Юрьева") == ([], ["Дина Юрьева"])
    assert await shown("Novak Emil") == ([], ["Emil Novák"])
    assert await shown("player:999") == await shown("123456789012345678") == await shown("zzz") == ([], [])
    offered = await store.read(people.search, GUILD, "эмиль", 25)
    assert [each.name for each in offered] == ["Emil Novák"]
    assert [each.name for each in await store.read(people.search, GUILD, "", 2)] == ["Boris Green", "Clara Weiß"]
