"""What the ledger asks of the database for a report and for a decision, with much and with little stored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ratings import ledger
from ratings.models import GameState, Length, Lobby, Person, Report, Standing, TenhouRules, Verdict
from ratings.store import Store, outbox, tables
from ratings.systems import tenhou
from tests.benchmarks.sample import PLAYERS, Sitting, sittings
from tests.benchmarks.table import Row, Sample, milliseconds
from tests.conftest import ENGINES, fresh_database

__all__ = ["measure"]

DECISIONS = 1_000
STORED = (1_000, 10_000)
GUILD = 1
ADMIN = Person(999, "Kai")
# Longer ago than a repeated report is looked for.
LONG_AGO = 1_600_000_000
RETURN_SCORE = 30_000
Rows = dict[str, list[dict[str, Any]]]


async def measure(folder: Path) -> list[Row]:
    """Submit and decide games on each engine there is a server for, and on SQLite always."""
    rows = []
    for engine in ENGINES:
        rows.append(Row(f"Ledger on {engine}, {DECISIONS:,} games reported and approved"))
        for stored in STORED:
            async with fresh_database(engine, folder) as address:
                store = await Store.open(address)
                try:
                    await store.write(_fill, sittings(stored))
                    submitted, decided = await _keep_score(store)
                finally:
                    await store.close()
            for label, sample in (("submit", submitted), ("decide", decided)):
                named = f"{label}, {stored:,} games stored"
                rows.append(Row(f"{named}, median", milliseconds(sample.median)))
                rows.append(Row(f"{named}, p99", milliseconds(sample.p99)))
    return rows


async def _keep_score(store: Store) -> tuple[Sample, Sample]:
    submitting, deciding = [], []
    now = int(time.time())
    for number, game in enumerate(sittings(DECISIONS, seed=1), start=1):
        told = _report(game, number, now)
        started = time.perf_counter()
        submission = await store.write(ledger.submit, GUILD, told, now)
        submitted = time.perf_counter()
        await store.write(ledger.decide, GUILD, submission.game.id, Verdict.APPROVE, ADMIN, now)
        submitting.append(submitted - started)
        deciding.append(time.perf_counter() - submitted)
    return Sample(submitting), Sample(deciding)


def _report(game: Sitting, number: int, now: int) -> Report:
    players = tuple(_person(player) for player in game.players)
    return Report(
        reporter=players[0],
        players=players,
        scores=game.scores,
        length=Length.HANCHAN,
        lobby=None,
        sticks=0,
        ranked=True,
        played_at=now,
        channel_id=1,
        interaction_id=10**9 + number,
    )


def _person(player: int) -> Person:
    return Person(1000 + player, f"member {player}")


def _fill(connection: sa.Connection, games: Sequence[Sitting]) -> None:
    """Write games down that were approved long ago, with all that goes with them."""
    rows, standings = _history(games)
    connection.execute(sa.insert(tables.guilds).values(id=GUILD, joined_at=LONG_AGO))
    people = [_person(player) for player in range(PLAYERS)]
    known = [
        {"id": number, "guild_id": GUILD, "discord_id": person.discord_id, "name": person.name}
        for number, person in enumerate(people, start=1)
    ]
    connection.execute(sa.insert(tables.players), known)
    for name, table_rows in rows.items():
        connection.execute(sa.insert(tables.metadata.tables[name]), table_rows)
    standing_rows = [
        {"guild_id": GUILD, "system": "tenhou-4p", "player_id": player + 1, **standing._asdict()}
        for player, standing in standings.items()
    ]
    connection.execute(sa.insert(tables.standings), standing_rows)
    if connection.dialect.name == "postgresql":
        for name in ("players", "games", "decisions", "outbox"):
            newest = f"(SELECT max(id) FROM {name})"  # noqa: S608
            connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {newest})")
        connection.exec_driver_sql("ANALYZE")


def _history(games: Sequence[Sitting]) -> tuple[Rows, dict[int, Standing]]:
    standings: dict[int, Standing] = {}
    names = ("games", "seats", "decisions", "placements", "changes", "cards", "outbox")
    rows: Rows = {name: [] for name in names}
    for number, game in enumerate(games, start=1):
        before = [standings.get(player, tenhou.INITIAL) for player in game.players]
        after = tenhou.rate(game.places, before, Lobby.IPPAN, Length.HANCHAN, TenhouRules.SEED)
        standings.update(zip(game.players, after, strict=True))
        _add_game(rows, number, game)
        for seat, player in enumerate(game.players):
            _add_seat(rows, number, game, seat, player + 1, before[seat], after[seat])
    return rows, standings


def _add_game(rows: Rows, number: int, game: Sitting) -> None:
    ours = {"guild_id": GUILD, "game_id": number}
    rows["games"].append(
        {
            "id": number,
            "guild_id": GUILD,
            "number": number,
            "kind": "riichi",
            "state": GameState.APPROVED,
            "length": Length.HANCHAN,
            "lobby": None,
            "sticks": 0,
            "ranked": 1,
            "played_at": LONG_AGO + number,
            "reported_at": LONG_AGO + number,
            "reported_by": game.players[0] + 1,
            "report_channel_id": 1,
            "interaction_id": number,
            "fingerprint": f"{number:064x}",
            "duplicate_of": None,
        }
    )
    decision = {"id": number, "verdict": Verdict.APPROVE, "decided_by": 1, "decided_at": LONG_AGO + number}
    rows["decisions"].append({**ours, **decision, "settings_version": 0})
    rows["cards"].append({**ours, "channel_id": 1, "message_id": number})
    said = {"due_at": LONG_AGO, "attempts": 1, "done_at": LONG_AGO + number, "error": None}
    for kind in (outbox.Kind.CARD, outbox.Kind.NEWS):
        rows["outbox"].append({**ours, "kind": kind, "created_at": LONG_AGO, **said})


def _add_seat(
    rows: Rows, number: int, game: Sitting, seat: int, player_id: int, before: Standing, after: Standing
) -> None:
    place, score = game.places[seat], game.scores[seat]
    theirs = {"game_id": number, "player_id": player_id}
    rows["seats"].append({**theirs, "seat": seat, "score": score})
    rows["placements"].append({**theirs, "seat": seat, "place": place, "final_points": score - RETURN_SCORE})
    rows["changes"].append(
        {
            **theirs,
            "system": "tenhou-4p",
            "decision_id": number,
            "games_before": before.games,
            "rank_before": before.rank,
            "rank": after.rank,
            "points_before": before.points,
            "points": after.points,
            "rating_before": before.rating,
            "rating": after.rating,
        }
    )
