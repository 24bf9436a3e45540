"""Results files at large: what is written is read back, and whatever comes is read or its problems are listed."""

from __future__ import annotations

import csv
import io
import unicodedata
from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.resultsfile import COLUMNS, BadResults, Problem, ResultRow, read_results, write_results
from ratings.tournaments.names import key_of
from tests.resultsfile_help import packed, workbook, workbook_parts


def _seen(text: str) -> str:
    """`text` as an accepted name is: composed, in single spaces, without anything invisible."""
    visible = "".join(letter for letter in text if letter.isspace() or unicodedata.category(letter)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", " ".join(visible.split())).split())[:100].strip()


NAMES = (
    st.text(st.characters(codec="utf-8") | st.sampled_from("=+-@'\",;\t\n\r Ёё"), min_size=1, max_size=110)
    .map(_seen)
    .filter(lambda name: name not in ("", "-", "–", "—"))
)
SCORES = (
    st.decimals(-(10**12), 10**12, places=3)
    | st.decimals(-(10**6), 10**6, places=6)
    | st.integers().map(lambda number: Decimal(number % 10**9))
)


@st.composite
def _files(draw: st.DrawFn) -> list[ResultRow]:
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique_by=key_of))
    numbers = draw(st.permutations([f"{15000000 + index}" for index in range(len(names))]))
    scores = draw(st.lists(st.none() | SCORES, min_size=len(names), max_size=len(names)))
    rows = []
    for index, name in enumerate(names):
        country = draw(st.sampled_from([None, "RU", "BY", "FR", "GB"]))
        games = draw(st.none() | st.integers(0, 999))
        number = draw(st.sampled_from([None, numbers[index]]))
        discord = draw(st.none() | NAMES.filter(lambda text: "E" not in text.upper()))
        row = ResultRow(index + 2, 0, name, country, number, games, scores[index], draw(st.booleans()), discord)
        rows.append(row)
    levels = draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)))
    return [
        replace(row, place=1 + sum(other < level for other in levels))
        for row, level in zip(rows, levels, strict=True)
    ]


@given(_files())
def test_what_is_written_is_read_back(rows: list[ResultRow]) -> None:
    data = write_results(rows)
    file = read_results(data)
    assert list(file.rows) == rows
    assert (file.ignored, file.worked_out) == ((), False)
    table = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert table[0] == list(COLUMNS)
    texts = [cell for row in table for column, cell in zip(COLUMNS, row, strict=True) if column != "score"]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in texts)


def _read_or_listed(data: bytes) -> None:
    problems: tuple[Problem, ...] = ()
    rows: list[ResultRow] = []
    try:
        rows = list(read_results(data).rows)
    except BadResults as bad:
        problems = bad.problems
    assert bool(rows) is not bool(problems)
    assert all(len(problem.text) <= 200 and len(problem.column) <= 40 for problem in problems)
    if rows:
        again = read_results(write_results(rows)).rows
        assert list(again) == [replace(row, row=number) for number, row in enumerate(rows, start=2)]


CELLS = st.sampled_from(
    ["1", "2", "2-3", "Ann", "=A", "'=A", "1,5", "1.234", "RU", "yes", "8", "", '"', "\u200b", "-"]
)


@settings(max_examples=120)
@given(st.lists(st.lists(CELLS | st.text(max_size=8), max_size=9), max_size=8), st.sampled_from(",;\t"))
def test_rows_of_any_kind_are_read_or_listed(rows: list[list[str]], delimiter: str) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows([COLUMNS, *rows])
    _read_or_listed(text.getvalue().encode(errors="replace"))


STARTS = [b"", b"place,player\n", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"]


@settings(max_examples=150)
@given(st.binary(max_size=300), st.sampled_from(STARTS))
def test_bytes_of_any_kind_are_read_or_listed(data: bytes, start: bytes) -> None:
    _read_or_listed(start + data)


BOOK = workbook_parts(
    [],
    [["Место", "ФИО", "Очки"], [1, '<c t="s"><v>0</v></c>', 45.5], [2, "Ann", '<c s="1"><f>1+1</f><v>2</v></c>']],
    sharedStrings="<sst><si><t>Иван</t></si></sst>",
    styles='<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
)
PIECES = st.sampled_from(
    [
        b"",
        b"<",
        b">",
        b'"',
        b"0",
        b"-1",
        b"9999999",
        b"1048576",
        b"A1",
        b"A1:B9",
        b"e",
        b"d",
        b"nan",
        b"<c/>",
        b"<v>",
    ]
)


@settings(max_examples=200)
@given(st.sampled_from(sorted(BOOK)), st.integers(0, 2_000), st.integers(0, 12), PIECES | st.binary(max_size=6))
def test_workbooks_with_damaged_parts_are_read_or_listed(part: str, start: int, length: int, piece: bytes) -> None:
    content = BOOK[part]
    whole = content.encode() if isinstance(content, str) else content
    start %= len(whole)
    _read_or_listed(packed({**BOOK, part: whole[:start] + piece + whole[start + length :]}))


@settings(max_examples=120)
@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=4), st.booleans())
def test_damaged_archives_are_read_or_listed(start: int, piece: bytes, cut: bool) -> None:
    whole = workbook([["place", "player"], [1, "Ann"]])
    start %= len(whole)
    _read_or_listed(whole[:start] + (b"" if cut else piece + whole[start + len(piece) :]))
