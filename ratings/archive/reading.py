"""Reading a club's file into an empty club, all or nothing. Every row gets an id of its own there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from ratings import club, ledger
from ratings.archive.checking import BadArchive, Facts, Rows, checked
from ratings.archive.shape import FACTS, LATER, references
from ratings.archive.texts import rewrite_texts
from ratings.models import GameState, Person, Refusal, Refused
from ratings.settings import ClubSettings
from ratings.store import outbox, tables
from ratings.store.bulk import upsert_tuples

__all__ = ["Loaded", "read_club"]

# What belongs to the server a club lives on, and not to the club.
_LOCAL = ("approvals_channel", "announcements_channel", "admin_role")
_EMPTY = (tables.games, tables.tournaments, tables.card_lines, tables.player_aliases, tables.accounts)
# What a file that no club has written can make of the work on it.
_WRONG = (
    sa.exc.StatementError,
    ValidationError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
# What a file may tell of people whom the club knows by themselves.
_TOLD = ("country", "assumed_country", "ema_number")
_BATCH = 10_000  # rows
Ids = dict[str, dict[int, int]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read: games, tournaments and players, and whether the figures are what the file says."""

    games: int
    tournaments: int
    players: int
    same_figures: bool


def read_club(
    connection: sa.Connection,
    guild_id: int,
    told: Any,
    by: Person | None,
    channel_id: int,
    now: int,
    progress: Callable[[int], None] | None = None,
) -> Loaded:
    """Read a club's file (`parse`) into a club that has nothing of its own yet but settings and people.

    `by` is who asked for it in which channel: those in which the games were reported are another server's. None is
    the operator, and the channel 0; then settings that cannot be the file's are put back in the name of whoever
    made each of them last. `progress` is told now and then how many games were replayed.
    Raises Refused (NOT_EMPTY), NewerArchive or BadArchive; then the caller must give up the transaction.
    """
    club.lock(connection, guild_id, now)
    for table in _EMPTY:
        if connection.execute(sa.select(sa.true()).where(table.c.guild_id == guild_id).limit(1)).first():
            raise Refused(Refusal.NOT_EMPTY)
    try:
        facts = checked(told)
        ids = _read_facts(connection, guild_id, facts, by, channel_id, now)
        plan = ledger.plan_replay(connection, guild_id, progress)
        ledger.write_replay(connection, guild_id, plan, now)
        same = _standings(connection, guild_id) == _expected(told, ids)
    except BadArchive:
        raise
    except _WRONG as error:
        raise BadArchive(str(error)) from error
    waiting = [ids["games"][row["id"]] for row in facts["games"] if row["state"] == GameState.PENDING]
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, waiting, now)
    counts = (len(ids["games"]), len(ids["tournaments"]), len(ids["players"]))
    return Loaded(*counts, same_figures=same)


def _read_facts(
    connection: sa.Connection, guild_id: int, facts: Facts, by: Person | None, channel_id: int, now: int
) -> Ids:
    local = club.settings(connection, guild_id)
    start = _start_anew(connection, guild_id, by, now)
    ids: Ids = {"settings_changes": {0: start}, "tournament_changes": {0: 0}}
    for table in FACTS:
        rows = facts[table.name]
        if table is tables.players:
            rows = _known_people(connection, guild_id, rows, ids)
        here: dict[str, Any] = {"guild_id": guild_id, "report_channel_id": channel_id}
        _read_table(connection, table, rows, here, ids)
    for name, columns in LATER.items():
        _fill_in(connection, facts[name], tables.metadata.tables[name], columns, ids)
    kept = {name: value for name, value in local.model_dump(mode="json").items() if name in _LOCAL}
    _set(connection, guild_id, kept, by, now)
    return ids


def _start_anew(connection: sa.Connection, guild_id: int, by: Person | None, now: int) -> int:
    """Put every setting back to its default, so that the club's own history begins there; the version."""
    _set(connection, guild_id, ClubSettings().model_dump(mode="json"), by, now)
    return club.settings_in_force(connection, guild_id)[1]


def _set(connection: sa.Connection, guild_id: int, values: Mapping[str, Any], by: Person | None, now: int) -> None:
    """Give settings these values where they have others."""
    present = club.settings(connection, guild_id).model_dump(mode="json")
    changed = [name for name, value in values.items() if present[name] != value]
    if not changed:
        return
    if by is None:
        authors = _last_authors(connection, guild_id)
    else:
        authors = dict.fromkeys(changed, club.player_ids(connection, guild_id, [by])[0])
    mark = {"guild_id": guild_id, "changed_at": now}
    rows = [
        mark | {"name": name, "value": json.dumps(values[name]), "changed_by": authors[name]} for name in changed
    ]
    connection.execute(sa.insert(tables.settings_changes), rows)


def _last_authors(connection: sa.Connection, guild_id: int) -> dict[str, int]:
    """Who changed each setting last."""
    changes = tables.settings_changes
    query = sa.select(changes.c.name, changes.c.changed_by).where(changes.c.guild_id == guild_id)
    return dict(connection.execute(query.order_by(changes.c.id)).all())


def _known_people(connection: sa.Connection, guild_id: int, rows: Rows, ids: Ids) -> Rows:
    """Those of the file whom the club has no record of; the others keep the records they have here."""
    mine = (tables.players.c.guild_id == guild_id, tables.players.c.discord_id.is_not(None))
    query = sa.select(tables.players.c.discord_id, tables.players.c.id).where(*mine)
    here = dict(connection.execute(query).all())
    known = [row for row in rows if row["discord_id"] in here]
    ids["players"] = {row["id"]: here[row["discord_id"]] for row in known}
    for row in known:
        told = {name: row[name] for name in _TOLD if row[name] is not None}
        if told:
            this = tables.players.c.id == here[row["discord_id"]]
            connection.execute(sa.update(tables.players).where(this).values(told))
    return rows.where(lambda row: row["id"] not in ids["players"])


def _read_table(connection: sa.Connection, table: sa.Table, rows: Rows, here: dict[str, Any], ids: Ids) -> None:
    """Write the rows of a table down, with what is `here` in place of what was there."""
    known = ids.setdefault(table.name, {})
    if "id" in table.columns:
        fresh = _new_ids(connection, table, len(rows))
        known |= {row["id"]: new for row, new in zip(rows, fresh, strict=True)}
    targets, later = references(table), LATER.get(table.name, {})
    written = []
    for row in rows:
        values = row | dict.fromkeys(later) | here
        for column, target in targets.items():
            if values[column] is not None:
                values[column] = ids[target][values[column]]
        if "id" in table.columns:
            values["id"] = known[row["id"]]
        rewrite_texts(table, values, ids["players"], ids.get("card_lines", {}))
        written.append(tuple(values[column.name] for column in table.columns))
        if len(written) == _BATCH:
            upsert_tuples(connection, table, written)
            written.clear()
    upsert_tuples(connection, table, written)


def _fill_in(
    connection: sa.Connection,
    rows: Rows,
    table: sa.Table,
    columns: Mapping[str, str],
    ids: Ids,
) -> None:
    for column, target in columns.items():
        values = [
            {"this": ids[table.name][row["id"]], "value": ids[target][row[column]]}
            for row in rows
            if row[column] is not None
        ]
        if values:
            this = table.c.id == sa.bindparam("this")
            connection.execute(sa.update(table).where(this).values({column: sa.bindparam("value")}), values)


def _new_ids(connection: sa.Connection, table: sa.Table, count: int) -> list[int]:
    """Ids that nobody else gets."""
    if connection.dialect.name == "postgresql":
        sequence = sa.func.nextval(sa.func.pg_get_serial_sequence(table.name, "id"))
        numbers = sa.func.generate_series(1, count).alias("numbers")
        return sorted(connection.execute(sa.select(sequence).select_from(numbers)).scalars())
    used = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?"
    last = connection.exec_driver_sql(used, (table.name,)).scalar_one()
    return list(range(last + 1, last + 1 + count))


def _standings(connection: sa.Connection, guild_id: int) -> set[tuple[Any, ...]]:
    mine = tables.standings.c.guild_id == guild_id
    return {tuple(row)[1:] for row in connection.execute(sa.select(tables.standings).where(mine))}


def _expected(told: Mapping[str, Any], ids: Ids) -> set[tuple[Any, ...]]:
    return {(system, ids["players"][player], *rest) for system, player, *rest in told["standings"]}
