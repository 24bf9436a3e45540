"""Reading a club's file into an empty club, all or nothing. Every row gets an id of its own there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from ratings import club, ledger
from ratings.archive.shape import FACTS, LATER, references
from ratings.archive.writing import FORMAT, VERSION
from ratings.models import GameState, Person, Refusal, Refused
from ratings.settings import ClubSettings
from ratings.store import outbox, tables
from ratings.store.bulk import upsert_tuples

__all__ = ["BadArchive", "Loaded", "read_club"]

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
_LONGEST_INTEGER = 2**63
_TYPES: Mapping[type[Any], tuple[type[Any], ...]] = {int: (int,), float: (int, float), str: (str,)}

# What a file may tell of people whom the club knows by themselves.
_TOLD = ("country", "ema_number")
Ids = dict[str, dict[int, int]]


class BadArchive(ValueError):
    """The file is not a club's, or says what no club can be; nothing was kept."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read: games, tournaments and players, and whether the figures are what the file says."""

    games: int
    tournaments: int
    players: int
    same_figures: bool


def read_club(
    connection: sa.Connection, guild_id: int, told: Any, by: Person, channel_id: int, now: int
) -> Loaded:
    """Read a club's file (`parse`) into a club that has nothing of its own yet but settings and people.

    `channel_id` is where it was asked for: the channels in which its games were reported are another server's.
    Raises Refused (NOT_EMPTY), or BadArchive; then the caller must give up the transaction.
    """
    club.lock(connection, guild_id, now)
    for table in _EMPTY:
        if connection.execute(sa.select(sa.true()).where(table.c.guild_id == guild_id).limit(1)).first():
            raise Refused(Refusal.NOT_EMPTY)
    try:
        facts = _checked(told)
        for row in facts["games"]:
            row["report_channel_id"] = channel_id
        ids = _read_facts(connection, guild_id, facts, by, now)
        plan = ledger.plan_replay(connection, guild_id)
        ledger.write_replay(connection, guild_id, plan, now)
        same = _standings(connection, guild_id) == _expected(told, ids)
    except _WRONG as error:
        raise BadArchive(str(error)) from error
    waiting = [ids["games"][row["id"]] for row in facts["games"] if row["state"] == GameState.PENDING]
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, waiting, now)
    counts = (len(ids["games"]), len(ids["tournaments"]), len(ids["players"]))
    return Loaded(*counts, same_figures=same)


def _checked(told: Any) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table by column. Raises BadArchive for another shape."""
    if not isinstance(told, dict) or told.get("format") != FORMAT or told.get("version") != VERSION:
        raise BadArchive("it is no file of a club, or of a version that is not known here")
    facts = told.get("facts")
    if not isinstance(facts, dict):
        raise BadArchive("it has no facts")
    return {table.name: list(_rows(table, facts.get(table.name))) for table in FACTS}


def _rows(table: sa.Table, told: Any) -> Iterable[dict[str, Any]]:
    columns = {column.name: column for column in table.columns if column.name != "guild_id"}
    if not isinstance(told, list) or not told or told[0] != list(columns):
        raise BadArchive(f"its table {table.name} has other columns")
    for values in told[1:]:
        if not isinstance(values, list) or len(values) != len(columns):
            raise BadArchive(f"a row of {table.name} has other cells")
        for column, value in zip(columns.values(), values, strict=True):
            fits = _TYPES[column.type.python_type]
            if isinstance(value, int) and not -_LONGEST_INTEGER <= value < _LONGEST_INTEGER:
                raise BadArchive(f"a row of {table.name} has too large a number")
            if isinstance(value, bool) or not (isinstance(value, fits) or (value is None and column.nullable)):
                raise BadArchive(f"a row of {table.name} has no {column.name}")
        yield dict(zip(columns, values, strict=True))


def _read_facts(
    connection: sa.Connection, guild_id: int, facts: dict[str, list[dict[str, Any]]], by: Person, now: int
) -> Ids:
    local = club.settings(connection, guild_id)
    start = _start_anew(connection, guild_id, local, by, now)
    ids: Ids = {"settings_changes": {0: start}, "tournament_changes": {0: 0}}
    for table in FACTS:
        rows = facts[table.name]
        if table is tables.players:
            rows = _known_people(connection, guild_id, rows, ids)
        _read_table(connection, guild_id, table, rows, ids)
    for name, columns in LATER.items():
        _fill_in(connection, facts[name], tables.metadata.tables[name], columns, ids)
    kept = {name: value for name, value in local.model_dump(mode="json").items() if name in _LOCAL}
    _set(connection, guild_id, kept, by, now)
    club.settings(connection, guild_id)
    return ids


def _start_anew(connection: sa.Connection, guild_id: int, local: ClubSettings, by: Person, now: int) -> int:
    """Put every setting back to its default, so that the club's own history begins there; the version."""
    defaults, present = ClubSettings().model_dump(mode="json"), local.model_dump(mode="json")
    _set(
        connection,
        guild_id,
        {name: defaults[name] for name in defaults if defaults[name] != present[name]},
        by,
        now,
    )
    return club.settings_in_force(connection, guild_id)[1]


def _set(connection: sa.Connection, guild_id: int, values: Mapping[str, Any], by: Person, now: int) -> None:
    if not values:
        return
    (author,) = club.player_ids(connection, guild_id, [by])
    mark = {"guild_id": guild_id, "changed_by": author, "changed_at": now}
    rows = [mark | {"name": name, "value": json.dumps(value)} for name, value in values.items()]
    connection.execute(sa.insert(tables.settings_changes), rows)


def _known_people(
    connection: sa.Connection, guild_id: int, rows: Sequence[dict[str, Any]], ids: Ids
) -> list[dict[str, Any]]:
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
    return [row for row in rows if row["id"] not in ids["players"]]


def _read_table(
    connection: sa.Connection, guild_id: int, table: sa.Table, rows: Sequence[dict[str, Any]], ids: Ids
) -> None:
    known = ids.setdefault(table.name, {})
    if "id" in table.columns:
        fresh = _new_ids(connection, table, len(rows))
        known |= {row["id"]: new for row, new in zip(rows, fresh, strict=True)}
    targets, later = references(table), LATER.get(table.name, {})
    written = []
    for row in rows:
        values = row | dict.fromkeys(later) | {"guild_id": guild_id}
        for column, target in targets.items():
            if values[column] is not None:
                values[column] = ids[target][values[column]]
        if "id" in table.columns:
            values["id"] = known[row["id"]]
        _rewrite_texts(table, values, ids)
        written.append(tuple(values[column.name] for column in table.columns))
    upsert_tuples(connection, table, written)


def _fill_in(
    connection: sa.Connection,
    rows: Sequence[dict[str, Any]],
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


def _rewrite_texts(table: sa.Table, values: dict[str, Any], ids: Ids) -> None:
    """Give the archived tellings inside of a row the new ids."""
    people, lines = ids["players"], ids.get("card_lines", {})
    if table is tables.corrections:
        for name in ("before", "after"):
            if values[name] is not None:
                values[name] = json.dumps(_telling(json.loads(values[name]), people, lines))
        moved = json.loads(values["rank_moves"])
        values["rank_moves"] = json.dumps([move | {"player": people[move["player"]]} for move in moved])
    elif table is tables.tournament_changes:
        for name in ("before", "after"):
            if values[name] is not None:
                told = json.loads(values[name])
                told["lines"] = [[people[player], *rest] for player, *rest in told["lines"]]
                values[name] = json.dumps(told, ensure_ascii=False)


def _telling(told: Any, people: Mapping[int, int], lines: Mapping[int, int]) -> Any:
    if isinstance(told, list):
        return [people[record] for record in told]
    fresh = told | {"players": [people[record] for record in told["players"]]}
    for name in ("winner", "discarder"):
        if told.get(name) is not None:
            fresh[name] = people[told[name]]
    if told.get("line_id") is not None:
        # A line that was dropped from the card since is kept by its number alone.
        fresh["line_id"] = lines.get(told["line_id"], 0)
    return fresh


def _standings(connection: sa.Connection, guild_id: int) -> set[tuple[Any, ...]]:
    mine = tables.standings.c.guild_id == guild_id
    return {tuple(row)[1:] for row in connection.execute(sa.select(tables.standings).where(mine))}


def _expected(told: Mapping[str, Any], ids: Ids) -> set[tuple[Any, ...]]:
    return {(system, ids["players"][player], *rest) for system, player, *rest in told["standings"]}
