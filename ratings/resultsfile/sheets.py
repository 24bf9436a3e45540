"""The cells of an XLSX sheet, and the texts and number formats that a workbook keeps for all of its sheets."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from ratings.resultsfile.package import Attributes, Package
from ratings.resultsfile.values import (
    MOST_COLUMNS,
    MOST_LINES,
    MOST_ROWS,
    Cell,
    Moment,
    ProblemKind,
    Record,
    refusal,
)

__all__ = ["Sheet", "date_formats", "read_sheet", "shared_texts"]

MOST_ARRAYS = 100  # formulas that fill several cells

_LONGEST_TEXT = 1_000  # characters that are kept
_EXACT = 10**15  # whole numbers below it are kept to the last digit
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_WHOLE = re.compile(r"[0-9]{1,7}")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[Ee][+-]?[0-9]+)?")
# How a control character is written, and an underscore before what looks like one.
_ESCAPED = re.compile(r"_x00([01][0-9A-Fa-f]|5[Ff])_")
_UNTOLD = "=…"  # a formula whose text stands in another cell

# Number formats that need no description (ECMA-376 part 1, 18.8.30): dates and times.
_KNOWN_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_LONGEST_FORMAT = 255  # characters that a spreadsheet program takes
_NO_LETTERS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hmsHMS]+\])[^\[\]]*\]')
_DAY_ZERO = date(1899, 12, 30)
_DAYS = (date.max - _DAY_ZERO).days


class _Texts:
    """Puts together the text of an <si> or an <is>: its runs, without the readings that stand above them."""

    def __init__(self) -> None:
        self._kept = ""
        self._reading = self._open = False

    def start(self, element: str) -> None:
        if element in ("si", "is"):
            self._kept = ""
        elif element == "rPh":
            self._reading = True
        elif element == "t":
            self._open = not self._reading

    def end(self, element: str) -> None:
        if element == "rPh":
            self._reading = False
        elif element == "t":
            self._open = False

    def add(self, characters: str) -> None:
        if self._open and len(self._kept) < _LONGEST_TEXT:
            self._kept += characters

    def text(self) -> str:
        return _unescaped(self._kept)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text[:_LONGEST_TEXT])


def shared_texts(package: Package, name: str) -> list[str]:
    """The texts that cells refer to by number, the first 1,000 characters of each. Raises BadResults."""
    found: list[str] = []
    texts = _Texts()

    def start(element: str, attributes: Attributes) -> None:
        texts.start(element)

    def end(element: str) -> None:
        texts.end(element)
        if element == "si":
            found.append(texts.text())

    package.walk(name, start, end, texts.add)
    return found


def date_formats(package: Package, name: str) -> frozenset[str]:
    """The numbers of the styles in which a number is shown as a date or a time. Raises BadResults."""
    dates = set(map(str, _KNOWN_DATES))
    formats: list[str] = []
    inside = False

    def start(element: str, attributes: Attributes) -> None:
        nonlocal inside
        identifier = attributes.get("numFmtId", "0")
        if element == "numFmt" and _shows_a_date(attributes.get("formatCode", "")):
            dates.add(identifier)
        elif element == "cellXfs":
            inside = True
        elif element == "xf" and inside:
            formats.append(identifier)

    def end(element: str) -> None:
        nonlocal inside
        inside = inside and element != "cellXfs"

    package.walk(name, start, end)
    return frozenset(str(style) for style, identifier in enumerate(formats) if identifier in dates)


def _shows_a_date(code: str) -> bool:
    return len(code) <= _LONGEST_FORMAT and re.search("[dmyhs]", _NO_LETTERS.sub("", code), re.I) is not None


class Sheet(NamedTuple):
    """The rows of a sheet that are not blank, all of one width; of one that is too large, only some."""

    records: Sequence[Record]
    too_large: bool


def read_sheet(package: Package, name: str, texts: list[str], dates: frozenset[str]) -> Sheet:
    """What is in a sheet. Raises BadResults."""
    reader = _Reader(package, name, texts, dates)
    rows = reader.rows()
    width = max((max(row) for row in rows.values()), default=0)
    records = [
        Record(number, [row.get(column, "") for column in range(1, width + 1)]) for number, row in rows.items()
    ]
    return Sheet(records, reader.too_large)


class _Reader:
    """Walks through a sheet and keeps the cells that are not blank."""

    def __init__(self, package: Package, name: str, texts: list[str], dates: frozenset[str]) -> None:
        self._shared, self._dates = texts, dates
        self._rows: dict[int, dict[int, Cell]] = {}
        self._arrays: list[tuple[int, int, int, int]] = []
        self.too_large = False
        self._row = self._column = 0
        self._inline = _Texts()
        self._begin({})
        package.walk(name, self._start, self._end, self._add)

    def rows(self) -> dict[int, dict[int, Cell]]:
        """The cells by row and column, both from 1; a formula is a text that begins with "="."""
        # Only the first cell of an array has the formula; the others look like plain values.
        for number, row in self._rows.items():
            covered: set[int] = set()
            for top, left, bottom, right in self._arrays:
                if top <= number <= bottom:
                    covered.update(range(left, min(right, MOST_COLUMNS) + 1))
            row.update({column: _UNTOLD for column in covered & row.keys() if not _is_formula(row[column])})
        return self._rows

    def _begin(self, attributes: Attributes) -> None:
        self._type, self._style = attributes.get("t", "n"), attributes.get("s", "0")
        self._value: str | None = None
        self._formula: str | None = None
        self._text = ""

    def _start(self, element: str, attributes: Attributes) -> None:
        self._inline.start(element)
        if element == "row":
            self._row, self._column = _after(self._row, attributes.get("r")), 0
        elif element == "c":
            self._column = _after(self._column, self._column_of(attributes.get("r")))
            self._begin(attributes)
        elif element in ("v", "f"):
            self._text = ""
            if element == "f" and ":" in attributes.get("ref", "") and attributes.get("t") != "shared":
                self._cover(attributes["ref"])

    def _column_of(self, reference: str | None) -> str | None:
        if reference is None:
            return None
        row, column = _position(reference)
        if row != self._row:
            raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
        return str(column)

    def _cover(self, area: str) -> None:
        first, _, last = area.partition(":")
        if len(self._arrays) == MOST_ARRAYS:
            self.too_large = True
        else:
            self._arrays.append((*_position(first), *_position(last)))

    def _add(self, characters: str) -> None:
        self._inline.add(characters)
        if len(self._text) < _LONGEST_TEXT:
            self._text += characters

    def _end(self, element: str) -> None:
        self._inline.end(element)
        if element == "v":
            self._value = self._text
        elif element == "is":
            self._value = self._inline.text()
        elif element == "f":
            self._formula = f"={self._text}" if self._text else _UNTOLD
        elif element == "c":
            self._keep(self._formula if self._formula is not None else self._plain(self._value or ""))

    def _keep(self, cell: Cell) -> None:
        if isinstance(cell, str) and not cell.strip():
            return
        is_new = self._row not in self._rows
        if self._row > MOST_LINES or self._column > MOST_COLUMNS or (is_new and len(self._rows) == MOST_ROWS):
            self.too_large = True
        else:
            self._rows.setdefault(self._row, {})[self._column] = cell

    def _plain(self, value: str) -> Cell:
        match self._type:
            case "s":
                if not _WHOLE.fullmatch(value) or int(value) >= len(self._shared):
                    raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
                return self._shared[int(value)]
            case "n" if _NUMBER.fullmatch(value):
                number = float(value)
                return _moment(number) if self._style in self._dates else _number(number)
            case "d":
                return Moment(value)
            case "str":
                return _unescaped(value)
            case _:
                return value


def _is_formula(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith("=")


def _number(number: float) -> Cell:
    if not math.isfinite(number):
        return str(number)
    whole = number.is_integer() and abs(number) < _EXACT
    return Decimal(int(number)) if whole else Decimal(repr(number))


def _moment(number: float) -> Moment:
    known = 0 <= number < _DAYS
    return Moment(str(_DAY_ZERO + timedelta(days=int(number)) if known else number))


def _position(reference: str) -> tuple[int, int]:
    """The row and the column, from 1, of a cell such as "AB12"."""
    match = _REFERENCE.fullmatch(reference)
    if not match:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]), column


def _after(previous: int, given: str | None) -> int:
    """The number of a row or column: the given one, which must come later, or else the next."""
    if given is None:
        return previous + 1
    if not _WHOLE.fullmatch(given) or int(given) <= previous:
        raise refusal(ProblemKind.UNREADABLE_WORKBOOK)
    return int(given)
