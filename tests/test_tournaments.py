"""Tournaments in the ledger: entered whole or not at all, corrected, taken back; and who their players are."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa

from bot.texts import texts_for
from bot.tournament_files import export_rows
from ratings import ledger as games
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow, read_results, write_results
from ratings.store import Store
from ratings.store.tables import players as players_table
from ratings.store.tables import tournament_results
from ratings.systems.russian import Ranking, Stage
from ratings.tournaments import ledger, rankings, readers
from ratings.tournaments import players as people
from ratings.tournaments.aftermath import aftermath, carry_out
from ratings.tournaments.entrants import record_of
from ratings.tournaments.names import near
from ratings.tournaments.readers import ChangeRecord, TournamentRecord
from ratings.tournaments.records import ChangeKind, Details, Doubt, DoubtKind, Telling
from tests.breaking import untouched_when_broken
from tests.ledger_help import ANN, BORIS, DORA, GUILD, KAI, NEIGHBOURS, NOW, another, choose, count, everything

DAY = date(2026, 11, 22)
NAMES = ("Анна Белова", "Boris Green", "Clara Weiß", "Дина Юрьева", "Emil Novák")


def cup(name: str = "Autumn Cup", **told: Any) -> Details:
    """A tournament that counts in RR and CRR, unless told otherwise."""
    values = {"last_day": DAY, "hanchan": 8, "participants": 16, "country": "RU", "accredited": True, **told}
    return Details(name=name, **values)


def rows_of(*names: str, places: Sequence[int] = (), **same: Any) -> list[ResultRow]:
    """Rows of a file with these names, first place first unless `places` are given."""
    taken = places or range(1, len(names) + 1)
    return [
        ResultRow(number, place, name, **same)
        for number, (name, place) in enumerate(zip(names, taken, strict=True), 2)
    ]


async def bring(
    store: Store,
    rows: Sequence[ResultRow],
    held: Details | None = None,
    *,
    guild: int = GUILD,
    new_players: bool = True,
    members: dict[int, Person] | None = None,
) -> ledger.Imported:
    """Import a tournament."""
    return await store.write(
        ledger.import_results,
        guild,
        held or cup(),
        rows,
        KAI,
        NOW,
        new_players=new_players,
        members=members,
    )


async def refused(attempt: Any, refusal: Refusal) -> dict[str, Any]:
    """Await what must be refused; its particulars."""
    with pytest.raises(Refused) as caught:
        await attempt
    assert caught.value.refusal is refusal
    return caught.value.values


async def doubts(store: Store, rows: Sequence[ResultRow], held: Details, **options: Any) -> list[Doubt]:
    """Import what must be refused for not knowing the players, without a trace; the doubts."""
    before = await everything(store)
    values = await refused(bring(store, rows, held, **{"new_players": False, **options}), Refusal.UNKNOWN_NAMES)
    assert await everything(store) == before
    return list(values["doubts"])


async def record(store: Store, number: int = 1, guild: int = GUILD) -> TournamentRecord:
    """A tournament as it stands."""
    return await store.read(readers.record, guild, number)


async def table(store: Store, number: int = 1, guild: int = GUILD) -> list[tuple[int, str]]:
    """Places and names of a tournament."""
    return [(line.line.place, line.name) for line in (await record(store, number, guild)).lines]


async def trail(store: Store, number: int = 1) -> list[ChangeRecord]:
    """What was done to a tournament."""
    return await store.read(readers.trail, GUILD, (await record(store, number)).id)


async def ids(store: Store, guild: int = GUILD) -> dict[str, int]:
    """The ids of a club's players by name."""
    return {each.name: each.id for each in await store.read(people.search, guild, "", None)}


async def put(store: Store, number: int, player: int, place: int, **told: Any) -> None:
    """Give a player a place."""
    await store.write(ledger.put_result, GUILD, number, player, {"place": place, **told}, KAI, NOW)


async def edit(store: Store, number: int = 1, **changes: Any) -> tuple[Telling, Telling]:
    """Correct what a tournament was."""
    return await store.write(ledger.edit_details, GUILD, number, changes, KAI, NOW)


async def undo(store: Store, number: int = 1) -> ChangeRecord:
    """Take the newest change back."""
    return await store.write(ledger.undo, GUILD, number, KAI, NOW)


async def merge(store: Store, one: int, into: int) -> None:
    """Let two records count as one."""
    proposal = await store.read(games.propose_merge, GUILD, one, into)
    await store.write(games.carry_out, GUILD, proposal, KAI, NOW)


# Importing


async def test_an_import_is_kept_to_the_last_cell(store: Store) -> None:
    held = cup(first_day=DAY - timedelta(1), open_share=60, ema=True, stages=(Stage(16, 6), Stage(4, 2)))
    rows = [
        ResultRow(2, 1, "Анна Белова", "RU", "04290001", 8, Decimal("45.25")),
        ResultRow(3, 2, "Boris Green", "GB", None, 8, Decimal("-3")),
        ResultRow(4, 2, "Stand In", None, None, 6, Decimal("-3"), replacement=True),
    ]
    done = await bring(store, rows, held)
    assert done == ledger.Imported(1, ("Анна Белова", "Boris Green", "Stand In"), ())
    kept = await record(store)
    assert (kept.number, kept.details, kept.removed) == (1, held, False)
    assert [
        (line.line.place, line.name, line.country, line.ema_number, line.line.games, line.line.score)
        for line in kept.lines
    ] == [
        (1, "Анна Белова", "RU", "04290001", 8, "45.25"),
        (2, "Boris Green", "GB", None, 8, "-3"),
        # Where nobody says where a new player of a tournament at home is at home, it is there.
        (2, "Stand In", "RU", None, 6, "-3"),
    ]
    assert [line.line.replacement for line in kept.lines] == [False, False, True]
    (change,) = await trail(store)
    assert (change.kind, change.by, change.at, change.before) == (ChangeKind.IMPORT, "Kai", NOW, None)
    assert change.after.details == held
    assert Telling.from_json(change.after.as_json()) == change.after


async def test_a_name_that_is_known_is_the_player_whatever_its_letters(store: Store) -> None:
    await bring(store, rows_of("Фёдор Семёнов", "Clara Weiß"))
    done = await bring(store, rows_of("ФЕДОР  СЕМЕНОВ", "CLARA WEISS"), cup("Second"), new_players=False)
    assert done.new_players == ()
    assert await table(store, 2) == [(1, "Фёдор Семёнов"), (2, "Clara Weiß")]


async def test_nobody_is_imported_while_somebody_is_unknown(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    found = await doubts(store, rows_of("Anna Belova", "Boris Green", "Юрьева Дина", "Qqq"), cup("Second"))
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
    assert (await doubts(store, married, cup("Second")))[0].near[0] == "Анна Белова"


async def test_a_name_of_several_players_means_nobody_until_an_alias_tells_them_apart(store: Store) -> None:
    await bring(store, rows_of("Ivan Ivanov", "Ivan Petrov"))
    known = await ids(store)
    await store.write(people.describe, GUILD, known["Ivan Petrov"], {"name": "I. P."})
    await store.write(_rename, known["Ivan Petrov"], "Ivan Ivanov")
    found = await doubts(store, rows_of("Ivan Ivanov", "Somebody"), cup("Second"), new_players=True)
    assert found == [Doubt(2, DoubtKind.SEVERAL, "Ivan Ivanov")]
    await store.write(people.add_alias, GUILD, known["Ivan Petrov"], "Ivan Ivanov")
    await bring(store, rows_of("Ivan Ivanov", "Somebody"), cup("Second"))
    assert (await record(store, 2)).lines[0].player_id == known["Ivan Petrov"]


def _rename(connection: sa.Connection, player_id: int, name: str) -> None:
    """Let somebody be shown under a name that another one has, as Discord lets people do."""
    connection.execute(sa.update(players_table).where(players_table.c.id == player_id).values(name=name))


async def test_a_player_under_two_names_is_in_one_row_only(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    await store.write(people.add_alias, GUILD, (await ids(store))["Анна Белова"], "Anna B.")
    found = await doubts(store, rows_of("Анна Белова", "Emil Novák", "Anna B."), cup("Second"))
    assert found == [Doubt(4, DoubtKind.TWICE, "Anna B.", other=2)]


# Members in files


async def test_a_member_in_a_file_is_that_member_and_goes_by_the_name_from_then_on(store: Store) -> None:
    done = await bring(store, rows_of("Anna Belova", "Boris Green"), members={2: ANN})
    assert done.new_players == ("Anna Belova", "Boris Green")
    assert await table(store) == [(1, "Ann"), (2, "Boris Green")]
    again = await bring(store, rows_of("anna belova", "Boris Green"), cup("Second"), new_players=False)
    assert again.new_players == ()
    assert [line.discord_id for line in (await record(store, 2)).lines] == [ANN.discord_id, None]


async def test_a_player_whom_a_file_calls_a_member_is_linked(store: Store) -> None:
    await bring(store, rows_of("Anna Belova", "Boris Green"))
    done = await bring(
        store, rows_of("Boris Green", "Anna Belova"), cup("Second"), new_players=False, members={3: ANN}
    )
    assert (done.new_players, done.linked) == ((), ("Anna Belova",))
    assert await table(store, 1) == [(1, "Ann"), (2, "Boris Green")]
    assert await table(store, 2) == [(1, "Boris Green"), (2, "Ann")]
    entry = await store.read(people.entry, GUILD, (await ids(store))["Ann"])
    assert (entry.discord_id, entry.aliases, entry.results) == (ANN.discord_id, ("Anna Belova",), 2)


async def test_a_member_with_a_record_is_not_silently_another_player_too(store: Store) -> None:
    await bring(store, rows_of("Ann", "Anna Belova"), members={2: ANN})
    found = await doubts(store, rows_of("Anna Belova"), cup("Second"), members={2: ANN})
    assert found == [Doubt(2, DoubtKind.TWO_RECORDS, "Anna Belova", ("Ann",))]
    known = await ids(store)
    await refused(store.write(people.link, GUILD, known["Anna Belova"], ANN), Refusal.LINKED_ALREADY)


async def test_a_member_in_two_rows_is_found_out(store: Store) -> None:
    found = await doubts(store, rows_of("One", "Two"), cup(), members={2: ANN, 3: ANN}, new_players=True)
    assert found == [Doubt(3, DoubtKind.TWICE, "Two", other=2)]


# Places, replacement players, stages


async def test_who_shares_a_place_fills_the_places_after_it(store: Store) -> None:
    await bring(store, rows_of(*NAMES, places=(1, 2, 2, 2, 5)))
    assert [place for place, _ in await table(store)] == [1, 2, 2, 2, 5]
    emil = (await ids(store))["Emil Novák"]
    newcomer = await store.write(record_of, GUILD, 1, "Newcomer")
    for place in (2, 3, 4):
        crowded = await refused(put(store, 1, newcomer, place), Refusal.CROWDED_PLACE)
        # Four who share place 2 take place 5 as well; otherwise the new place itself is not free.
        assert crowded["place"] == (5 if place == 2 else place)
    assert await refused(put(store, 1, emil, 17), Refusal.HIGH_PLACE) == {"place": 17, "participants": 16}
    await put(store, 1, emil, 16)
    await refused(put(store, 1, newcomer, 16), Refusal.CROWDED_PLACE)
    await put(store, 1, newcomer, 5)
    assert [place for place, _ in await table(store)] == [1, 2, 2, 2, 5, 16]


async def test_replacement_players_are_counted_and_not_listed(store: Store) -> None:
    for name, day in (("First", DAY), ("Second", DAY - timedelta(7))):
        rows = rows_of(*NAMES)
        rows[1] = ResultRow(3, 2, "Boris Green", replacement=True)
        await bring(store, rows, cup(name, last_day=day))
    known = await ids(store)
    view = await store.read(rankings.ranking, GUILD, Ranking.RR, DAY)
    listed = {row.player_id for row in view.table.rows}
    assert listed == {player for name, player in known.items() if name not in ("Boris Green", "Kai")}
    (first, _) = (
        await store.read(rankings.explain, GUILD, Ranking.RR, known["Clara Weiß"], DAY)
    ).explanation.results
    assert (first.place, first.participants) == (3, 16)


async def test_stages_weigh_for_those_who_played_them(store: Store) -> None:
    stages = (Stage(16, 6), Stage(4, 6))
    for name, day in (("First", DAY), ("Second", DAY - timedelta(7))):
        await bring(store, rows_of(*NAMES), cup(name, last_day=day, stages=stages, hanchan=None))
    known = await ids(store)
    weights = []
    for name in ("Анна Белова", "Emil Novák"):
        told = await store.read(rankings.explain, GUILD, Ranking.RR, known[name], DAY)
        weights.append(told.explanation.results[0].weight.hanchan)
    assert weights == [12, 6]
    for unfit in ((Stage(15, 6), Stage(4, 6)), (Stage(16, 6), Stage(17, 6)), (Stage(16, 0),)):
        await refused(edit(store, stages=unfit), Refusal.UNFIT_STAGES)
    await refused(edit(store, participants=20), Refusal.UNFIT_STAGES)


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        ({"first_day": DAY + timedelta(1)}, Refusal.ENDS_FIRST),
        ({"last_day": date(2026, 12, 2)}, Refusal.NOT_OVER),
        ({"participants": 3}, Refusal.FEW_PARTICIPANTS),
        ({"participants": 4}, Refusal.FEW_PARTICIPANTS),
        ({"stages": (Stage(12, 4),)}, Refusal.UNFIT_STAGES),
    ],
)
async def test_what_no_tournament_can_be(store: Store, told: dict[str, Any], refusal: Refusal) -> None:
    before = await everything(store)
    await refused(bring(store, rows_of(*NAMES), cup(**told)), refusal)
    assert await everything(store) == before
    await bring(store, rows_of(*NAMES))
    kept = await everything(store)
    await refused(edit(store, **told), refusal)
    assert await everything(store) == kept


# Corrections, and taking them back


async def test_one_result_at_a_time(store: Store) -> None:
    assert await store.write(ledger.add_tournament, GUILD, cup(), KAI, NOW) == 1
    anna = await store.write(record_of, GUILD, 1, "Анна Белова")
    dora = await store.write(record_of, GUILD, 1, DORA)
    assert await store.write(record_of, GUILD, 1, DORA) == dora
    await put(store, 1, anna, 2, score="30.5", games=8)
    await put(store, 1, dora, 1)
    await put(store, 1, anna, 3)
    line = (await record(store)).lines[-1].line
    assert line is not None
    # What a correction leaves out stays.
    assert (line.place, line.score, line.games, line.replacement) == (3, "30.5", 8, False)
    await refused(put(store, 1, anna, 3, games=8), Refusal.NOTHING_TO_AMEND)
    assert (await store.write(ledger.take_result_out, GUILD, 1, dora, KAI, NOW)).place == 1
    await refused(store.write(ledger.take_result_out, GUILD, 1, dora, KAI, NOW), Refusal.NO_RESULT)
    assert await table(store) == [(3, "Анна Белова")]
    assert [change.kind for change in await trail(store)] == [ChangeKind.ADD, *[ChangeKind.RESULT] * 4]


async def test_edits_say_what_was_before_and_why(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    before, after = await store.write(
        ledger.edit_details, GUILD, 1, {"hanchan": 10, "ema": True}, KAI, NOW, "  typo "
    )
    assert (before.details, after.details) == (cup(), cup(hanchan=10, ema=True))
    change = (await trail(store))[-1]
    assert (change.kind, change.reason) == (ChangeKind.EDIT, "typo")
    assert (change.before, change.after) == (before, after)
    await refused(edit(store, hanchan=10), Refusal.NOTHING_TO_AMEND)
    long = store.write(ledger.remove, GUILD, 1, KAI, NOW, "x" * 501)
    assert await refused(long, Refusal.LONG_REASON) == {"limit": 500, "length": 501}
    assert not (await record(store)).removed


async def test_a_removed_tournament_counts_nowhere_and_comes_back(store: Store) -> None:
    for name, day in (("First", DAY), ("Second", DAY - timedelta(7))):
        await bring(store, rows_of(*NAMES), cup(name, last_day=day))
    full = await store.read(rankings.ranking, GUILD, Ranking.RR, DAY)

    def remove(connection: sa.Connection) -> Telling:
        return ledger.remove(connection, GUILD, 1, KAI, NOW, "was no such thing")

    _, between = await store.write(carry_out, GUILD, NOW, remove)
    told = await store.read(aftermath, GUILD, 1, between, DAY)
    assert (told.record.removed, told.verdicts) == (True, [])
    assert [view.ranking for view in told.moved] == [Ranking.RR, Ranking.CRR]
    assert all(change.after is None for view in told.moved for change in view.changes)
    assert len(told.moved[0].changes) == len(full.table.rows) == 5
    await refused(edit(store, hanchan=9), Refusal.REMOVED_TOURNAMENT)
    await refused(store.write(ledger.remove, GUILD, 1, KAI, NOW), Refusal.REMOVED_TOURNAMENT)
    await refused(put(store, 1, 1, 1), Refusal.REMOVED_TOURNAMENT)
    await store.write(ledger.restore, GUILD, 1, KAI, NOW)
    await refused(store.write(ledger.restore, GUILD, 1, KAI, NOW), Refusal.NOT_REMOVED)
    assert await store.read(rankings.ranking, GUILD, Ranking.RR, DAY) == full


async def test_a_chain_of_changes_is_taken_back_step_by_step(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    known = await ids(store)
    tellings = [(await trail(store))[-1].after]
    for step in (
        edit(store, hanchan=10, name="Winter Cup"),
        put(store, 1, known["Emil Novák"], 9),
        store.write(ledger.take_result_out, GUILD, 1, known["Анна Белова"], KAI, NOW),
        store.write(ledger.remove, GUILD, 1, KAI, NOW),
    ):
        await step
        tellings.append((await trail(store))[-1].after)
    # A change that is made between two undos is itself the newest.
    await undo(store)
    await edit(store, open_share=50)
    assert (await undo(store)).kind is ChangeKind.EDIT
    kinds = []
    for told in reversed(tellings[:3]):
        kinds.append((await undo(store)).kind)
        assert (await trail(store))[-1].after == told
        assert (await trail(store))[-1].kind is ChangeKind.UNDO
    assert kinds == [ChangeKind.RESULT, ChangeKind.RESULT, ChangeKind.EDIT]
    await refused(undo(store), Refusal.NOTHING_TO_UNDO)
    assert (await record(store)).details == cup()
    assert await table(store) == list(enumerate(NAMES, 1))


@pytest.mark.parametrize("seed", range(6))
async def test_any_chain_of_changes_is_taken_back_to_the_first_telling(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    await bring(store, rows_of(*NAMES))
    players = [player for name, player in (await ids(store)).items() if name in NAMES]
    steps: list[Callable[[], Any]] = [
        lambda: edit(store, hanchan=rng.randint(1, 20)),
        lambda: edit(store, last_day=DAY - timedelta(rng.randint(0, 9))),
        lambda: put(store, 1, rng.choice(players), rng.randint(1, 16)),
        lambda: store.write(ledger.take_result_out, GUILD, 1, rng.choice(players), KAI, NOW),
        lambda: store.write(ledger.remove, GUILD, 1, KAI, NOW),
        lambda: store.write(ledger.restore, GUILD, 1, KAI, NOW),
    ]
    stack = [(await trail(store))[-1].after]
    for _ in range(40):
        if len(stack) > 1 and rng.random() < 0.3:
            await undo(store)
            stack.pop()
        else:
            try:
                await rng.choice(steps)()
            except Refused:
                continue
            stack.append((await trail(store))[-1].after)
        now = (await trail(store))[-1].after
        kept = await record(store)
        assert now == stack[-1]
        assert (kept.details, kept.removed) == (now.details, now.removed)
        assert {line.line for line in kept.lines} == set(now.lines)
    while len(stack) > 1:
        await undo(store)
        stack.pop()
        assert (await trail(store))[-1].after == stack[-1]
    await refused(undo(store), Refusal.NOTHING_TO_UNDO)


async def test_the_same_tournament_is_there_once(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    again = cup("AUTUMN  cup", hanchan=4)
    values = await refused(bring(store, rows_of(*NAMES), again), Refusal.SAME_TOURNAMENT)
    assert values == {"number": 1, "name": "Autumn Cup"}
    # Told before the names are looked at.
    await refused(bring(store, rows_of("Nobody Known"), again, new_players=False), Refusal.SAME_TOURNAMENT)
    await refused(store.write(ledger.add_tournament, GUILD, again, KAI, NOW), Refusal.SAME_TOURNAMENT)
    await bring(store, rows_of(*NAMES), cup(last_day=DAY - timedelta(364)))
    await refused(edit(store, 2, last_day=DAY), Refusal.SAME_TOURNAMENT)
    await store.write(ledger.remove, GUILD, 1, KAI, NOW)
    await bring(store, rows_of(*NAMES), again)
    await refused(store.write(ledger.restore, GUILD, 1, KAI, NOW), Refusal.SAME_TOURNAMENT)
    await refused(undo(store), Refusal.SAME_TOURNAMENT)
    await bring(store, rows_of(*NAMES), guild=NEIGHBOURS)


async def test_two_imports_at_once_are_one_tournament(store: Store, database: str) -> None:
    async with another(database) as second:
        done = await asyncio.gather(
            *(bring(each, rows_of(*NAMES)) for each in (store, second)), return_exceptions=True
        )
    (fault,) = [each for each in done if isinstance(each, BaseException)]
    assert isinstance(fault, Refused)
    assert fault.refusal is Refusal.SAME_TOURNAMENT
    assert await count(store, tournament_results) == len(NAMES)


# Merged players and other clubs


async def test_results_of_merged_records_are_one_players(store: Store) -> None:
    await bring(store, rows_of("Anna", "Boris Green"))
    await bring(store, rows_of("Анна", "Boris Green"), cup("Second", last_day=DAY - timedelta(7)))
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
    found = await doubts(store, rows_of("Anna", "Анна"), cup("Third"))
    assert found == [Doubt(3, DoubtKind.TWICE, "Анна", other=2)]
    await store.write(ledger.take_result_out, GUILD, 2, known["Anna"], KAI, NOW)
    assert await table(store, 2) == [(2, "Boris Green")]


async def test_what_would_give_one_person_two_results_is_not_taken_back(store: Store) -> None:
    await bring(store, rows_of("Anna", "Анна", "Boris Green"))
    known = await ids(store)
    await store.write(ledger.take_result_out, GUILD, 1, known["Анна"], KAI, NOW)
    await merge(store, known["Анна"], known["Anna"])
    assert await refused(undo(store), Refusal.TWO_RESULTS) == {"name": "Anna"}
    assert await table(store) == [(1, "Anna"), (3, "Boris Green")]


async def test_clubs_are_islands(store: Store) -> None:
    await bring(store, rows_of(*NAMES))
    assert (await bring(store, rows_of("Yuki"), guild=NEIGHBOURS)).number == 1
    ours, theirs = await ids(store), await ids(store, NEIGHBOURS)
    await store.write(ledger.add_tournament, GUILD, cup("Second"), KAI, NOW)
    before = await everything(store)
    missing = (
        store.read(readers.record, NEIGHBOURS, 2),
        store.write(ledger.edit_details, NEIGHBOURS, 2, {"hanchan": 1}, KAI, NOW),
        store.write(ledger.remove, NEIGHBOURS, 2, KAI, NOW),
        store.write(ledger.undo, NEIGHBOURS, 2, KAI, NOW),
        store.write(ledger.take_result_out, NEIGHBOURS, 2, theirs["Yuki"], KAI, NOW),
        store.write(record_of, NEIGHBOURS, 2, "Somebody"),
    )
    for attempt in missing:
        await refused(attempt, Refusal.UNKNOWN_TOURNAMENT)
    for stranger in (
        store.write(ledger.put_result, NEIGHBOURS, 1, ours["Emil Novák"], {"place": 2}, KAI, NOW),
        store.write(people.link, NEIGHBOURS, ours["Emil Novák"], ANN),
        store.read(people.entry, NEIGHBOURS, ours["Emil Novák"]),
    ):
        await refused(stranger, Refusal.UNKNOWN_PLAYER)
    assert await everything(store) == before
    assert await doubts(store, rows_of("Emil Novák"), cup("Third"), guild=NEIGHBOURS) == [
        Doubt(2, DoubtKind.UNKNOWN, "Emil Novák")
    ]
    assert (await store.read(people.meant, NEIGHBOURS, f"player:{ours['Emil Novák']}")).exactly == ()
    assert await store.read(readers.search, NEIGHBOURS, "Second", 25) == []


# Names


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


async def test_a_tournament_is_meant_by_what_is_typed(store: Store) -> None:
    for name, day in (("Autumn Cup", DAY), ("Autumn Cup", DAY - timedelta(365)), ("2", DAY), ("Кубок Невы", DAY)):
        await store.write(ledger.add_tournament, GUILD, cup(name, last_day=day), KAI, NOW)

    async def shown(typed: str) -> tuple[list[int], list[int]]:
        exactly, near_ones = await store.read(readers.meant, GUILD, typed)
        return [each.number for each in exactly], [each.number for each in near_ones]

    assert await shown("t:3") == await shown("#3") == await shown(" 3 ") == ([3], [])
    assert await shown("autumn cup") == ([1, 2], [])
    assert await shown("Kubok Nevy") == ([], [4])
    assert await shown("кубок") == ([], [4])
    assert await shown("t:99") == await shown("99") == await shown("zzz") == ([], [])
    await store.write(ledger.remove, GUILD, 1, KAI, NOW)

    async def offered(typed: str, removed: bool | None = None) -> list[int]:
        return [each.number for each in await store.read(readers.search, GUILD, typed, 25, removed=removed)]

    assert await offered("cup autumn") == [1, 2]
    assert await offered("cup 2026-11") == [1]
    assert await offered("", removed=False) == [4, 3, 2]
    assert await offered("", removed=True) == [1]


# Export, and faults


async def test_an_export_read_back_gives_the_same_tables(store: Store) -> None:
    await choose(store, home_players_only=False)
    await choose(store, NEIGHBOURS, home_players_only=False)
    rng = random.Random(7)
    cast = [f"Игрок {letter}{number}" for letter in "АБ" for number in range(10)]
    cast += ['=cmd|"a"', 'O\'Brien, "Bo"', "'quoted", "-1", "Анна; Белова"]
    for number in range(1, 4):
        order = rng.sample(cast, 16)
        places = [1, 2, 2, 2, *range(5, 17)]
        rows = [
            ResultRow(
                row,
                place,
                name,
                rng.choice(["RU", "DE", None]),
                games=rng.choice([8, None]),
                score=rng.choice([Decimal("1234.125"), Decimal("-0.5"), Decimal(30000), None]),
                replacement=rng.random() < 0.2,
            )
            for row, (place, name) in enumerate(zip(places, order, strict=True), 2)
        ]
        await bring(store, rows, cup(f"Cup {number}", last_day=DAY - timedelta(number)))
    for number in range(1, 4):
        kept, rows = await store.read(export_rows, GUILD, number, texts_for("en-US"))
        read = read_results(write_results(rows))
        await bring(store, read.rows, kept.details, guild=NEIGHBOURS)
        again, _ = await store.read(export_rows, NEIGHBOURS, number, texts_for("en-US"))
        assert [
            (line.line.place, line.name, line.line.replacement, line.line.games, _number(line.line.score))
            for line in again.lines
        ] == [
            (line.line.place, line.name, line.line.replacement, line.line.games, _number(line.line.score))
            for line in kept.lines
        ]
    for which in (Ranking.RR, Ranking.CRR):
        ours, theirs = [
            [(view.names[row.player_id], row.rating) for row in view.table.rows]
            for view in [await store.read(rankings.ranking, guild, which, DAY) for guild in (GUILD, NEIGHBOURS)]
        ]
        assert len(ours) > 5
        assert ours == theirs


def _number(score: str | None) -> Decimal | None:
    return None if score is None else Decimal(score)


async def test_an_export_names_players_so_that_they_are_found_again(store: Store) -> None:
    await bring(store, rows_of("Ivan A", "Ivan B"), members={2: ANN, 3: BORIS})
    for name in ("Ann", "Борис"):
        await store.write(_rename, (await ids(store))[name], "Ivan")
    kept, rows = await store.read(export_rows, GUILD, 1, texts_for("en-US"))
    assert [line.name for line in kept.lines] == ["Ivan", "Ivan"]
    assert [(row.player, row.discord) for row in rows] == [("Ivan A", "11"), ("Ivan B", "12")]
    await bring(store, read_results(write_results(rows)).rows, cup("Second"), new_players=False)
    assert [line.player_id for line in (await record(store, 2)).lines] == [line.player_id for line in kept.lines]


FAULTS = {
    "import": (
        "players.add_player",
        "ledger.enrol",
        "readers.fill_in",
        "ledger._write_lines",
        "ledger._archive",
    ),
    "link": ("players.keep_alias", "readers.fill_in", "ledger._archive"),
    "add": ("ledger._archive",),
    "result": ("ledger._write_lines", "ledger._archive"),
    "edit": ("ledger._archive",),
    "remove": ("ledger._archive",),
    "undo": ("ledger._write_lines", "ledger._archive"),
}


@pytest.mark.parametrize(("deed", "place"), [(deed, place) for deed, places in FAULTS.items() for place in places])
async def test_a_fault_leaves_nothing_half_written(
    store: Store, monkeypatch: pytest.MonkeyPatch, deed: str, place: str
) -> None:
    await bring(store, rows_of(*NAMES))
    known = await ids(store)
    await put(store, 1, known["Emil Novák"], 9)
    attempts: dict[str, Callable[[], Any]] = {
        "import": lambda: bring(store, rows_of("Somebody", "Emil Novák", country="DE"), cup("Second")),
        "link": lambda: bring(
            store, rows_of("Emil Novák", country="DE"), cup("Second"), members={2: DORA}, new_players=False
        ),
        "add": lambda: store.write(ledger.add_tournament, GUILD, cup("Second"), KAI, NOW),
        "result": lambda: put(store, 1, known["Boris Green"], 12),
        "edit": lambda: edit(store, hanchan=3),
        "remove": lambda: store.write(ledger.remove, GUILD, 1, KAI, NOW),
        "undo": lambda: undo(store),
    }
    await untouched_when_broken(store, monkeypatch, f"ratings.tournaments.{place}", attempts[deed])
    await attempts[deed]()
