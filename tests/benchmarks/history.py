"""A club with a long past, its facts written straight into the store and its figures by a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from ratings import ledger
from ratings.models import GameState, Length, Person, SystemName, Verdict
from ratings.store import Store, outbox, tables
from tests.benchmarks.sample import PLAYERS, Sitting, sittings

__all__ = ["GUILD", "LONG_AGO", "fill", "forget_figures", "member"]

GUILD = 1
# Longer ago than a repeated report is looked for.
LONG_AGO = 1_600_000_000
BATCH = 5_000
Rows = dict[str, list[dict[str, Any]]]


def member(player: int) -> Person:
    """The member behind a number of the sample."""
    return Person(1000 + player, f"member {player}")


async def fill(store: Store, count: int) -> None:
    """Write this many games down that were approved long ago, with all that goes with them."""
    await store.write(_people)
    games = sittings(count)
    for start in range(0, count, BATCH):
        await store.write(_facts, games[start : start + BATCH], start + 1)
    await store.write(_finish)
    await store.write(ledger.write_replay, GUILD, await store.read(ledger.plan_replay, GUILD), LONG_AGO)


def forget_figures(connection: sa.Connection) -> None:
    """Leave nothing but the facts."""
    connection.execute(sa.delete(tables.outcomes))
    connection.execute(sa.delete(tables.standings))


def _people(connection: sa.Connection) -> None:
    connection.execute(sa.insert(tables.guilds).values(id=GUILD, joined_at=LONG_AGO))
    people = [member(player) for player in range(PLAYERS)]
    known = [
        {"id": number, "guild_id": GUILD, "discord_id": person.discord_id, "name": person.name}
        for number, person in enumerate(people, start=1)
    ]
    connection.execute(sa.insert(tables.players), known)


def _facts(connection: sa.Connection, games: Sequence[Sitting], first: int) -> None:
    rows: Rows = {name: [] for name in ("games", "seats", "decisions", "cards", "outbox")}
    for number, game in enumerate(games, start=first):
        _add(rows, number, game)
    for name, table_rows in rows.items():
        connection.execute(sa.insert(tables.metadata.tables[name]), table_rows)


def _finish(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        for name in ("players", "games", "decisions", "outbox"):
            newest = f"(SELECT max(id) FROM {name})"  # noqa: S608
            connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {newest})")
        connection.exec_driver_sql("ANALYZE")


def _add(rows: Rows, number: int, game: Sitting) -> None:
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
            "system": SystemName.TENHOU_4P,
            "approval_id": number,
        }
    )
    rows["seats"] += [
        {"game_id": number, "seat": seat, "player_id": player + 1, "score": score}
        for seat, (player, score) in enumerate(zip(game.players, game.scores, strict=True))
    ]
    decision = {"id": number, "verdict": Verdict.APPROVE, "decided_by": 1, "decided_at": LONG_AGO + number}
    rows["decisions"].append({**ours, **decision, "settings_version": 0})
    rows["cards"].append({**ours, "channel_id": 1, "message_id": number})
    said = {"due_at": LONG_AGO, "attempts": 1, "done_at": LONG_AGO + number, "error": None}
    for kind in (outbox.Kind.CARD, outbox.Kind.NEWS):
        rows["outbox"].append({**ours, "kind": kind, "created_at": LONG_AGO, **said})
