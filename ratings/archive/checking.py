"""What a club's file has to be before any of it is written down: of a schema that is known here, with its tables,
columns and cells."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from types import NoneType
from typing import Any

import sqlalchemy as sa

from ratings.archive.shape import FACTS
from ratings.archive.writing import FORMAT, VERSION
from ratings.logs import LogFormat, Unranked
from ratings.models import CorrectionKind, Length, Lobby, Offence, SystemName, Verdict, WonBy
from ratings.store.upgrade import revisions
from ratings.systems.russian import Stage

__all__ = ["BadArchive", "Facts", "NewerArchive", "Rows", "checked"]

_LONGEST_INTEGER = 2**63
_TYPES: Mapping[type[Any], tuple[type[Any], ...]] = {int: (int,), float: (int, float), str: (str,)}


class BadArchive(ValueError):
    """The file is not a club's, or says what no club can be; nothing was kept."""


class NewerArchive(BadArchive):
    """The file was written by a newer program."""


class Rows:
    """The rows of a table, by column when they are looked at: in memory they take no more than in the file.

    The `filling` has the columns that the file does not know yet."""

    def __init__(
        self, columns: Sequence[str], told: Sequence[tuple[Any, ...]], filling: Mapping[str, Any] | None = None
    ) -> None:
        self._columns = columns
        self._told = told
        self._filling = dict(filling or {})

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._filling | dict(zip(self._columns, values, strict=True)) for values in self._told)

    def where(self, wanted: Callable[[dict[str, Any]], bool]) -> Rows:
        """Those that are wanted."""
        kept = [values for row, values in zip(self, self._told, strict=True) if wanted(row)]
        return Rows(self._columns, kept, self._filling)


Facts = dict[str, Rows]


def checked(told: Any) -> Facts:
    """The rows of each table of a file (`parse`). Raises NewerArchive, or BadArchive for another shape."""
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise BadArchive("it is no file of a club")
    earlier = _schema(told) < revisions()[-1]
    facts = told.get("facts")
    if not isinstance(facts, dict):
        raise BadArchive("it has no facts")
    if strange := sorted(facts.keys() - {table.name for table in FACTS}):
        raise BadArchive(f"it has a table {strange[0]}")
    return {table.name: _rows(table, facts.get(table.name), earlier) for table in FACTS}


def _schema(told: Mapping[str, Any]) -> str:
    """The revision of the schema under which a file was written."""
    version, schema, known = told.get("version"), told.get("schema"), revisions()
    if type(version) is not int or version < 1:
        raise BadArchive("it does not say its version")
    if version > VERSION:
        raise NewerArchive(f"it is of version {version}")
    if not isinstance(schema, str) or not re.fullmatch("[0-9]{4}", schema):
        raise BadArchive("it does not say its schema")
    if schema > known[-1]:
        raise NewerArchive(f"it is of schema {schema}")
    if schema not in known:
        raise BadArchive(f"there never was a schema {schema}")
    return schema


def _rows(table: sa.Table, told: Any, earlier: bool) -> Rows:
    if told is None and earlier:
        return Rows((), ())
    if not isinstance(told, list) or not told:
        raise BadArchive(f"it has no table {table.name}")
    known = {column.name: column for column in table.columns if column.name != "guild_id"}
    names, rows = told[0], told[1:]
    if not all(isinstance(name, str) for name in names) or not set(names) <= known.keys():
        raise BadArchive(f"its table {table.name} has other columns")
    if len(set(names)) != len(names):
        raise BadArchive(f"its table {table.name} has a column twice")
    filling = {name: _filling(column) for name, column in known.items() if name not in names}
    cells = [(name, _fits(known[name]), _MEANS.get(f"{table.name}.{name}")) for name in names]
    for values in rows:
        if not isinstance(values, tuple) or len(values) != len(names):
            raise BadArchive(f"a row of {table.name} has other cells")
        for (name, fits, means), value in zip(cells, values, strict=True):
            if not _is(value, fits):
                raise BadArchive(f"a row of {table.name} has no {name}")
            if means is not None and value is not None:
                _check_meaning(table.name, name, means, value)
    return Rows(names, rows, filling)


def _filling(column: sa.Column[Any]) -> Any:
    """What a column has where nobody said anything. Raises BadArchive for one that must have been told."""
    if isinstance(column.server_default, sa.DefaultClause):
        return column.type.python_type(column.server_default.arg)
    if not column.nullable:
        raise BadArchive(f"it has no column {column.name} of {column.table.name}")
    return None


def _fits(column: sa.Column[Any]) -> tuple[type[Any], ...]:
    return _TYPES[column.type.python_type] + ((NoneType,) if column.nullable else ())


def _is(value: Any, fits: tuple[type[Any], ...]) -> bool:
    """Whether a cell is of one of these types, and what the store can hold."""
    if isinstance(value, bool) or not isinstance(value, fits):
        return False
    if isinstance(value, int):
        return -_LONGEST_INTEGER <= value < _LONGEST_INTEGER
    return not isinstance(value, float) or math.isfinite(value)


def _check_meaning(table: str, name: str, means: Callable[[Any], Any], value: Any) -> None:
    try:
        means(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadArchive(f"a row of {table} has a strange {name}") from error


def _day(text: str) -> None:
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("another way to write a day")


def _stages(text: str) -> None:
    for stage in json.loads(text):
        Stage(*stage)


# What reads the cells of these columns later, so that whatever it cannot read is refused here.
_MEANS: Mapping[str, Callable[[Any], Any]] = {
    "games.length": Length,
    "games.lobby": Lobby,
    "games.system": SystemName,
    "american_wins.won_by": WonBy,
    "penalties.offence": Offence,
    "decisions.verdict": Verdict,
    "corrections.kind": CorrectionKind,
    "tournaments.first_day": _day,
    "tournaments.last_day": _day,
    "tournaments.stages": _stages,
    "tournament_changes.last_day": _day,
    "ranking_days.day": _day,
    "ranking_days.since_day": _day,
    "game_logs.format": LogFormat,
    "game_logs.length": Length,
    "game_logs.lobby": Lobby,
    "game_logs.unranked": Unranked,
}
