"""Exported tournaments: read back, they are the same tables with the same players."""

from __future__ import annotations

import random
from datetime import timedelta
from decimal import Decimal

from bot.texts import texts_for
from bot.tournament_files import export_rows
from ratings.resultsfile import ResultRow, read_results, write_results
from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import rankings
from tests.ledger_help import ANN, BORIS, GUILD, NEIGHBOURS, choose
from tests.tournament_help import DAY, bring, ids, open_cup, record, rename, rows_of


async def test_an_export_read_back_gives_the_same_tables(store: Store) -> None:
    await choose(store, home_players_only=False)
    await choose(store, NEIGHBOURS, home_players_only=False)
    rng = random.Random(7)
    cast = [f"Игрок {letter}{number}" for letter in "АБ" for number in range(10)]
    cast += ['=cmd|"a"', 'O\'Brien, "Bo"', "'quoted", "-1", "Анна; Белова"]
    home = {name: rng.choice(["RU", "DE", None]) for name in cast}
    for number in range(1, 4):
        order = rng.sample(cast, 16)
        places = [1, 2, 2, 2, *range(5, 17)]
        rows = [
            ResultRow(
                row,
                place,
                name,
                home[name],
                games=rng.choice([8, None]),
                score=rng.choice([Decimal("1234.125"), Decimal("-0.5"), Decimal(30000), None]),
                replacement=rng.random() < 0.2,
            )
            for row, (place, name) in enumerate(zip(places, order, strict=True), 2)
        ]
        await bring(store, rows, open_cup(f"Cup {number}", last_day=DAY - timedelta(number)))
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
        await store.write(rename, (await ids(store))[name], "Ivan")
    kept, rows = await store.read(export_rows, GUILD, 1, texts_for("en-US"))
    assert [line.name for line in kept.lines] == ["Ivan", "Ivan"]
    assert [(row.player, row.discord) for row in rows] == [("Ivan A", "11"), ("Ivan B", "12")]
    await bring(store, read_results(write_results(rows)).rows, open_cup("Second"), new_players=False)
    assert [line.player_id for line in (await record(store, 2)).lines] == [line.player_id for line in kept.lines]
