"""The club's card of American mahjong as a CSV file: reading what a spreadsheet saved, and writing it back.

A row is a line of the card: its year, section, section multiplier, name, points, and two flags. Reading is all
or nothing. Rows are numbered as a spreadsheet shows them, the header being row 1 as a rule.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "COLUMNS",
    "HIGHEST_MULTIPLIER",
    "LARGEST_FILE",
    "LONGEST_LINE",
    "LONGEST_SECTION",
    "LOWEST_MULTIPLIER",
    "MOST_ROWS",
    "POINTS",
    "YEARS",
    "BadCard",
    "CardLine",
    "Problem",
    "ProblemKind",
    "read_card",
    "write_card",
]

LARGEST_FILE = 1_000_000  # bytes
MOST_ROWS = 2_000
MOST_COLUMNS = 50
LONGEST_SECTION = 40  # characters
LONGEST_LINE = 60
YEARS = range(1937, 2101)  # the League's first card was that of 1937
POINTS = range(1, 501)
LOWEST_MULTIPLIER, HIGHEST_MULTIPLIER = 0.1, 10.0

_YEAR, _SECTION, _MULTIPLIER, _LINE, _VALUE = "year", "section", "section multiplier", "line", "points"
_CONCEALED, _PAIRS = "concealed only", "singles and pairs"
COLUMNS = (_YEAR, _SECTION, _MULTIPLIER, _LINE, _VALUE, _CONCEALED, _PAIRS)

_LONGEST_CELL = 1_000  # characters that are looked at
_LONGEST_QUOTE = 40
# Seed 000 calls three of the columns by these names.
_OTHER_NAMES = {"multiplier": _MULTIPLIER, "point value": _VALUE, "is singles and pairs": _PAIRS}
_FLAGS = {
    **dict.fromkeys(("", "0", "no", "n", "false"), False),
    **dict.fromkeys(("1", "yes", "y", "true", "x"), True),
}
# The League prints these beside a line: concealed, and may be exposed.
_MARKS = {"c": True, "x": False}
_DELIMITERS = ",;\t"
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NUMBER = re.compile(r"[0-9]{1,4}")
_FRACTION = re.compile(r"[0-9]{1,2}(?:[.,][0-9]{1,20})?")
# Behind an apostrophe a spreadsheet takes these for text; a name's own apostrophes gain one more.
_FORMULA = re.compile(r"[=+@]")
_WOULD_BE_FORMULA = re.compile(r"'*[=+@-]")


# The number of a row and its cells.
_Record = tuple[int, list[str] | None]


class ProblemKind(StrEnum):
    """What is wrong with a file or with one of its rows."""

    EMPTY_FILE = "empty-file"
    TOO_LARGE = "too-large"
    NOT_TEXT = "not-text"
    NO_HEADER = "no-header"
    MISSING_COLUMN = "missing-column"
    DOUBLE_COLUMN = "double-column"
    BAD_QUOTES = "bad-quotes"
    WRONG_CELLS = "wrong-cells"
    BAD_YEAR = "bad-year"
    NO_SECTION = "no-section"
    NO_LINE = "no-line"
    LONG_NAME = "long-name"
    BAD_POINTS = "bad-points"
    BAD_MULTIPLIER = "bad-multiplier"
    BAD_FLAG = "bad-flag"
    DUPLICATE_LINE = "duplicate-line"
    SECTION_CONFLICT = "section-conflict"
    FORMULA = "formula"


_SENTENCES: Mapping[ProblemKind, str] = {
    ProblemKind.EMPTY_FILE: "There are no lines in the file.",
    ProblemKind.TOO_LARGE: f"A card has at most {MOST_ROWS:,} rows and {LARGEST_FILE // 1_000_000} MB.",
    ProblemKind.NOT_TEXT: "This is not text in UTF-8. Save the card as “CSV UTF-8” and send that file.",
    ProblemKind.NO_HEADER: f"The first row must name the columns: {', '.join(COLUMNS)}.",
    ProblemKind.MISSING_COLUMN: "The column “{text}” is missing.",
    ProblemKind.DOUBLE_COLUMN: "There are two columns “{text}”.",
    ProblemKind.BAD_QUOTES: "The cells cannot be told apart. Do the quotation marks pair up?",
    ProblemKind.WRONG_CELLS: "The number of cells, {text}, is not that of the header.",
    ProblemKind.BAD_YEAR: f"“{{text}}” is not a year from {YEARS[0]} to {YEARS[-1]}.",
    ProblemKind.NO_SECTION: "The section has no name.",
    ProblemKind.NO_LINE: "The line has no name.",
    ProblemKind.LONG_NAME: f"“{{text}}” is too long: a section has at most {LONGEST_SECTION} characters, "
    f"a line {LONGEST_LINE}.",
    ProblemKind.BAD_POINTS: f"“{{text}}” is not a whole number of points from {POINTS[0]} to {POINTS[-1]}.",
    ProblemKind.BAD_MULTIPLIER: f"“{{text}}” is not a multiplier from {LOWEST_MULTIPLIER:g} "
    f"to {HIGHEST_MULTIPLIER:g}.",
    ProblemKind.BAD_FLAG: "“{text}” is neither yes nor no.",
    ProblemKind.DUPLICATE_LINE: "The line “{text}” is in this section and year already.",
    ProblemKind.SECTION_CONFLICT: "The section “{text}” has another multiplier further up.",
    ProblemKind.FORMULA: "“{text}” is a formula, not a name.",
}


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of a card. `multiplier` is its section's, `points` its point value."""

    year: int
    section: str
    multiplier: float
    name: str
    points: int
    concealed_only: bool
    singles_and_pairs: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and in which row; None for the file as a whole.

    `text` is the particular of it, cut to 40 characters: what the cell says, or the name of a column, a line
    or a section, or how many cells there are. As a string, a problem is an English sentence.
    """

    row: int | None
    kind: ProblemKind
    text: str = ""

    def __str__(self) -> str:
        sentence = _SENTENCES[self.kind].format(text=self.text)
        return sentence if self.row is None else f"Row {self.row}: {sentence}"


class BadCard(ValueError):
    """A file that is not taken, with every problem there is in it, by row."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


def read_card(data: bytes) -> list[CardLine]:
    """The lines of a card, in the order of the file.

    Takes UTF-8 and, with its byte order mark, UTF-16; commas, semicolons or tabs between the cells; the columns
    in any order, with others beside them. A blank multiplier is 1, a blank flag no. In the column “concealed
    only” an x is yes, but the League's "may be exposed" where the column has a c as well. Raises BadCard.
    """
    records = _records(_decoded(data))
    header_row, header = next(records, (None, None))
    if header_row is None:
        raise BadCard((Problem(None, ProblemKind.EMPTY_FILE),))
    columns = _columns(header)
    if not any(columns):
        raise BadCard((Problem(header_row, ProblemKind.NO_HEADER),))
    rows = _rows(records)
    reader = _Reader(_has_marks(columns, rows))
    for column in COLUMNS:
        if column not in columns:
            reader.complain(header_row, ProblemKind.MISSING_COLUMN, column)
        elif columns.count(column) > 1:
            reader.complain(header_row, ProblemKind.DOUBLE_COLUMN, column)
    lines = [reader.line(row, columns, cells) for row, cells in rows]
    if not lines:
        reader.complain(None, ProblemKind.EMPTY_FILE)
    if reader.problems:
        raise BadCard(tuple(reader.problems))
    return [line for line in lines if line is not None]


def write_card(lines: Sequence[CardLine]) -> bytes:
    """A CSV file in UTF-8 that `read_card` reads back and a spreadsheet opens without running anything."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow(
            (
                line.year,
                _inert(line.section),
                repr(line.multiplier).removesuffix(".0"),
                _inert(line.name),
                line.points,
                "yes" if line.concealed_only else "no",
                "yes" if line.singles_and_pairs else "no",
            )
        )
    return text.getvalue().encode("utf-8-sig")


def _decoded(data: bytes) -> str:
    if len(data) > LARGEST_FILE:
        raise BadCard((Problem(None, ProblemKind.TOO_LARGE),))
    with_mark = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if with_mark else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if _NOT_IN_TEXT.search(text):
        raise BadCard((Problem(None, ProblemKind.NOT_TEXT),))
    return text


def _records(text: str) -> Iterator[_Record]:
    """The rows that are not blank, the header first; None in place of cells that cannot be told apart."""

    # The header knows the delimiter: it is the one that lets most columns be recognised.
    def recognised(delimiter: str) -> int:
        _, cells = next(_split(text, delimiter), (0, None))
        return sum(map(bool, _columns(cells)))

    return _split(text, max(_DELIMITERS, key=recognised))


def _split(text: str, delimiter: str) -> Iterator[_Record]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    row = 0
    while True:
        row += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield row, None
        else:
            if any(map(str.strip, cells)):
                yield row, cells


def _rows(records: Iterator[_Record]) -> list[_Record]:
    rows = []
    for record in records:
        rows.append(record)
        if len(rows) > MOST_ROWS:
            raise BadCard((Problem(None, ProblemKind.TOO_LARGE),))
    return rows


def _has_marks(columns: Sequence[str | None], rows: Sequence[_Record]) -> bool:
    return any(
        column == _CONCEALED and _cleaned(cell).casefold() == "c"
        for _, cells in rows
        for column, cell in zip(columns, cells or (), strict=False)
    )


def _columns(header: Sequence[str] | None) -> list[str | None]:
    """The column that each cell of the header names; none at all for a row that is no header."""
    return [_column(cell) for cell in header] if header and len(header) <= MOST_COLUMNS else []


def _column(cell: str) -> str | None:
    name = " ".join(re.sub(r"[_-]", " ", _cleaned(cell)).replace("&", " and ").casefold().split())
    name = _OTHER_NAMES.get(name, name)
    return name if name in COLUMNS else None


def _cleaned(cell: str) -> str:
    """`cell` in composed characters and single spaces, without anything invisible."""
    # Cut, since composing takes time by the square of the combining marks in a row.
    short = " ".join(cell.split())[:_LONGEST_CELL]
    visible = "".join(letter for letter in short if unicodedata.category(letter) not in ("Cc", "Cf"))
    return " ".join(unicodedata.normalize("NFC", visible).split())


def _inert(name: str) -> str:
    return f"'{name}" if _WOULD_BE_FORMULA.match(name) else name


class _Reader:
    """Reads row by row, and remembers what it has seen and what was wrong."""

    def __init__(self, has_marks: bool) -> None:
        self.problems: list[Problem] = []
        self._flags = {_CONCEALED: _FLAGS | (_MARKS if has_marks else {}), _PAIRS: _FLAGS}
        self._row = 0
        self._cells: dict[str, str] = {}
        self._sections: dict[tuple[int, str], tuple[str, float]] = {}
        self._lines: set[tuple[int, str, str]] = set()

    def complain(self, row: int | None, kind: ProblemKind, text: str = "") -> None:
        """Note a problem; `text` is cut."""
        self.problems.append(Problem(row, kind, text[:_LONGEST_QUOTE]))

    def line(self, row: int, columns: Sequence[str | None], cells: Sequence[str] | None) -> CardLine | None:
        """The line in a row, None when something is wrong with it."""
        self._row = row
        if cells is None:
            self._bad(ProblemKind.BAD_QUOTES)
            return None
        if len(cells) != len(columns):
            self._bad(ProblemKind.WRONG_CELLS, str(len(cells)))
            return None
        self._cells = {column: _cleaned(cell) for column, cell in zip(columns, cells, strict=True) if column}
        year = self._number(_YEAR, YEARS, ProblemKind.BAD_YEAR)
        section = self._name(_SECTION, LONGEST_SECTION, ProblemKind.NO_SECTION)
        multiplier = self._multiplier()
        name = self._name(_LINE, LONGEST_LINE, ProblemKind.NO_LINE)
        points = self._number(_VALUE, POINTS, ProblemKind.BAD_POINTS)
        concealed, pairs = self._flag(_CONCEALED), self._flag(_PAIRS)
        if year is None or section is None:
            return None
        if multiplier is not None:
            section = self._of_one_multiplier(year, section, multiplier)
        if name is not None:
            self._only_once(year, section, name)
        if multiplier is None or name is None or points is None or concealed is None or pairs is None:
            return None
        return CardLine(year, section, multiplier, name, points, concealed, pairs)

    def _bad(self, kind: ProblemKind, text: str = "") -> None:
        self.complain(self._row, kind, text)

    def _number(self, column: str, allowed: range, kind: ProblemKind) -> int | None:
        text = self._cells.get(column)
        if text is None:
            return None
        if _NUMBER.fullmatch(text) and int(text) in allowed:
            return int(text)
        self._bad(kind, text)
        return None

    def _multiplier(self) -> float | None:
        text = self._cells.get(_MULTIPLIER)
        if not text:
            return None if text is None else 1.0
        if _FRACTION.fullmatch(text):
            multiplier = float(text.replace(",", "."))
            if LOWEST_MULTIPLIER <= multiplier <= HIGHEST_MULTIPLIER:
                return multiplier
        self._bad(ProblemKind.BAD_MULTIPLIER, text)
        return None

    def _name(self, column: str, longest: int, missing: ProblemKind) -> str | None:
        text = self._cells.get(column)
        if text is None:
            return None
        name = text.removeprefix("'") if _WOULD_BE_FORMULA.match(text) else text
        if not text:
            self._bad(missing)
        elif _FORMULA.match(text):
            self._bad(ProblemKind.FORMULA, text)
        elif len(name) > longest:
            self._bad(ProblemKind.LONG_NAME, name)
        else:
            return name
        return None

    def _flag(self, column: str) -> bool | None:
        text = self._cells.get(column)
        if text is None:
            return None
        flag = self._flags[column].get(text.casefold())
        if flag is None:
            self._bad(ProblemKind.BAD_FLAG, text)
        return flag

    def _of_one_multiplier(self, year: int, section: str, multiplier: float) -> str:
        """The section as it was spelled first; letter case alone does not make another one."""
        first, settled = self._sections.setdefault((year, section.casefold()), (section, multiplier))
        if multiplier != settled:
            self._bad(ProblemKind.SECTION_CONFLICT, section)
        return first

    def _only_once(self, year: int, section: str, name: str) -> None:
        key = year, section.casefold(), name.casefold()
        if key in self._lines:
            self._bad(ProblemKind.DUPLICATE_LINE, name)
        self._lines.add(key)
