"""Reading a results file row by row: all of it, or every problem there is in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TypeVar

from ratings.resultsfile import cells
from ratings.resultsfile.cells import BadCell, Plain
from ratings.resultsfile.headers import NAMES, Column, Header, header_index
from ratings.resultsfile.namesakes import Bearer, are_two, numbered
from ratings.resultsfile.places import out_of_sequence, ranked
from ratings.resultsfile.tables import read_table
from ratings.resultsfile.text import cleaned, plain
from ratings.resultsfile.values import (
    LONGEST_TEXT,
    BadResults,
    Cell,
    Moment,
    Problem,
    ProblemKind,
    Record,
    ResultRow,
    ResultsFile,
    refusal,
)
from ratings.tournaments.names import key_of

__all__ = ["read_results"]

_BLANK = ("", "-", "–", "—")

Value = TypeVar("Value")


def read_results(data: bytes, participants: int = 0) -> ResultsFile:
    """The results in an XLSX workbook, or in a text with commas, semicolons or tabs between the cells.

    A text is in UTF-8, in Windows-1251 or, with its byte order mark, in UTF-16. The headings are English or
    Russian, in any order; there is a column of players, or two with their first and last names, and one of places
    or of scores. Without places, those with more games come first, then those with more points, and who is level
    in both shares a place. If more `participants` are told of than there are rows, the results of the others are
    missing. Replacement players whom nothing tells apart are numbered. Raises BadResults.
    """
    table = read_table(data)
    if not table.records:
        raise refusal(ProblemKind.EMPTY_FILE)
    index = header_index(table.records)
    head, records = table.records[index], table.records[index + 1 :]
    if head.cells is None:
        raise BadResults((Problem(head.number, ProblemKind.BAD_QUOTES),))
    header = Header.of(head.number, head.cells)
    problems = list(header.problems())
    if problems and not any(header.columns):
        raise BadResults(tuple(problems), sheet=table.sheet)
    reader = _Reader(header, records, participants)
    rows = [row for row in map(reader.row, records) if row]
    problems += reader.all_problems()
    if not records:
        problems.append(Problem(None, ProblemKind.EMPTY_FILE))
    if problems:
        by_row = tuple(sorted(problems, key=lambda problem: problem.row or 0))
        raise BadResults(by_row, _players(header, records), table.sheet)
    given = Column.PLACE in header.columns
    rows = numbered(rows if given else ranked(rows))
    return ResultsFile(tuple(rows), header.ignored, table.sheet, not given)


def _players(header: Header, records: Sequence[Record]) -> list[ResultRow]:
    """Who stands in the rows of a bad file, where it does not name members; nobody twice."""
    found: dict[str, ResultRow] = {}
    telling = (*NAMES, Column.EMA_NUMBER, Column.DISCORD)
    for record in records:
        cells = {
            column: plain(cleaned(cell))
            for column, cell in zip(header.columns, record.cells or (), strict=False)
            if column in telling and isinstance(cell, str)
        }
        name = " ".join(cells[column] for column in NAMES if cells.get(column))
        if name and not name.startswith("=") and not cells.get(Column.DISCORD):
            row = ResultRow(record.number, 0, name, ema_number=cells.get(Column.EMA_NUMBER) or None)
            found.setdefault(key_of(name), row)
    return list(found.values())


class _Reader:
    """Reads row by row, and remembers what it has seen and what was wrong."""

    def __init__(self, header: Header, records: Sequence[Record], participants: int) -> None:
        self._problems: list[Problem] = []
        self._header = header
        self._rows = len(records)
        self._players = max(self._rows, participants)
        self._row = 0
        self._cells: dict[Column, Cell] = {}
        self._places: list[tuple[int, int]] = []
        self._bearers: dict[str, list[Bearer]] = {}
        self._ema_numbers: dict[str, int] = {}
        self._ranks = Column.PLACE not in header.columns
        games = header.columns.index(Column.GAMES) if Column.GAMES in header.columns else None
        self._needs_games = self._ranks and games is not None and any(_has(record, games) for record in records)

    def all_problems(self) -> list[Problem]:
        """What was wrong with the rows, and with their places beside each other."""
        complete = self._players == self._rows
        if self._ranks and not complete:
            some = Problem(None, ProblemKind.SCORES_OF_SOME, str(self._rows), number=self._players)
            return [*self._problems, some]
        if len(self._places) < self._rows or any(place > self._players for _, place in self._places):
            return self._problems
        problem = out_of_sequence(self._places, complete)
        return [*self._problems, *([problem] if problem else [])]

    def row(self, record: Record) -> ResultRow | None:
        """The result in a row, None when something is wrong with it."""
        self._row = record.number
        before = len(self._problems)
        if record.cells is None:
            self._bad(ProblemKind.BAD_QUOTES)
            return None
        columns = self._header.columns
        if any(_text(cell) for cell in record.cells[len(columns) :]):
            self._bad(ProblemKind.TOO_MANY_CELLS, str(len(columns)), number=len(record.cells))
            return None
        padded = [*record.cells, *[""] * (len(columns) - len(record.cells))]
        self._cells = {}
        for column, cell in zip(columns, padded, strict=False):
            if column:
                self._cells.setdefault(column, cell)
        row = self._result()
        return row if row and len(self._problems) == before else None

    def _result(self) -> ResultRow | None:
        place = self._place()
        player = self._player()
        country = self._value(Column.COUNTRY, cells.country)
        number = self._value(Column.EMA_NUMBER, cells.ema_number)
        games = self._value(Column.GAMES, cells.games, ProblemKind.NO_GAMES if self._needs_games else None)
        score = self._value(Column.SCORE, cells.score, ProblemKind.NO_SCORE if self._ranks else None)
        replacement = self._value(Column.REPLACEMENT, cells.replacement) or False
        discord = self._value(Column.DISCORD, cells.discord)
        if player is not None:
            self._tell_apart(player, Bearer(self._row, number, discord, replacement))
        first = self._row if number is None else self._ema_numbers.setdefault(number, self._row)
        if number is not None and first != self._row:
            self._bad(ProblemKind.SAME_EMA_NUMBER, number, number=first)
        if place is None or player is None:
            return None
        return ResultRow(self._row, place, player, country, number, games, score, replacement, discord)

    def _tell_apart(self, name: str, bearer: Bearer) -> None:
        others = self._bearers.setdefault(key_of(name), [])
        twin = next((other for other in others if not are_two(other, bearer)), None)
        if twin:
            self._bad(ProblemKind.SAME_PLAYER, name, number=twin.row)
        others.append(bearer)

    def _place(self) -> int | None:
        """The place; 0 where it is yet to be worked out."""
        if self._ranks:
            return 0
        place = self._value(Column.PLACE, cells.place, ProblemKind.NO_PLACE)
        if place is not None:
            self._places.append((self._row, place))
            if place > self._players:
                kind = ProblemKind.HIGH_PLACE if self._players == self._rows else ProblemKind.BEYOND_LAST
                self._bad(kind, str(place), number=self._players)
        return place

    def _player(self) -> str | None:
        before = len(self._problems)
        columns = [column for column in NAMES if column in self._cells]
        parts = [self._value(column, cells.name) for column in columns]
        if not columns or len(self._problems) > before:
            return None
        name = " ".join(part for part in parts if part)
        if not name:
            self._bad(ProblemKind.NO_NAME)
            return None
        if len(name) > LONGEST_TEXT:
            self._bad(ProblemKind.LONG_TEXT, name)
        return name

    def _value(
        self, column: Column, read: Callable[[Plain], Value], missing: ProblemKind | None = None
    ) -> Value | None:
        """What a cell says; None if it is blank or bad, or if there is no such column."""
        if column not in self._cells:
            return None
        cell = self._cells[column]
        text = _text(cell)
        try:
            if isinstance(cell, Moment):
                raise BadCell(ProblemKind.DATE)
            if text.startswith("="):
                raise BadCell(ProblemKind.FORMULA)
            if text not in _BLANK:
                return read(cell if isinstance(cell, Decimal) else plain(text))
            if missing:
                raise BadCell(missing)
        except BadCell as bad:
            self._bad(bad.kind, text, self._header.heading(column))
        return None

    def _bad(self, kind: ProblemKind, text: str = "", column: str = "", number: int = 0) -> None:
        self._problems.append(Problem.of_cell(self._row, kind, text, column, number))


def _has(record: Record, index: int) -> bool:
    return record.cells is not None and index < len(record.cells) and _text(record.cells[index]) not in _BLANK


def _text(cell: Cell) -> str:
    return cleaned(str(cell))
