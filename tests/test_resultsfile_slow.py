"""Results files made to cost as much as they can: whatever they hold, they are read or refused in a moment."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from ratings.resultsfile import LARGEST_FILE, MOST_ROWS, BadResults, ProblemKind, read_results
from ratings.resultsfile.package import MOST_ELEMENTS, MOST_NAMES
from tests.resultsfile_help import Value, packed, sheet, text_file, workbook_parts

RESULTS: list[list[Value]] = [["place", "player"], [1, "Ann"]]
HEADINGS = ("place", "player", "score", "games", "country", "ema", "replacement", "discord", "note", "table")
# Rows whose cells all have the first text of the workbook.
SAME = ("<row>" + '<c t="s"><v>0</v></c>' * len(HEADINGS) + "</row>") * (MOST_ROWS - 1)


def _outcome(data: bytes) -> list[ProblemKind] | int:
    """The number of rows or the first problems; with more than linear time, nobody would live to see them."""
    assert len(data) <= LARGEST_FILE
    try:
        return len(read_results(data).rows)
    except BadResults as bad:
        return [problem.kind for problem in bad.problems[:2]]


def _book(**parts: str) -> bytes:
    return packed(workbook_parts(RESULTS, **parts))


def _cells(rows: str, **parts: str) -> bytes:
    """A workbook with a sheet of these rows after a header."""
    whole = sheet([HEADINGS]).replace("</sheetData>", f"{rows}</sheetData>")
    return packed({**workbook_parts(RESULTS, **parts), "xl/worksheets/sheet1.xml": whole})


@pytest.mark.parametrize("piece", ["[", "[h", "[[x]", "&quot;", "*["])
def test_a_number_format_of_any_length_is_looked_through_once(piece: str) -> None:
    for code, number in ((piece * 1_000_000, 1), (piece * 40, 10_000)):
        formats = f'<numFmt numFmtId="200" formatCode="{code}"/>' * number
        assert _outcome(_book(styles=f"<styleSheet><numFmts>{formats}</numFmts></styleSheet>")) == 1


def test_a_number_format_longer_than_any_is_none() -> None:
    for length, outcome in ((255, [ProblemKind.DATE]), (256, 1)):
        code = "dd".ljust(length, "0")
        styles = (
            f'<styleSheet><numFmts><numFmt numFmtId="200" formatCode="{code}"/></numFmts><cellXfs><xf/>'
            '<xf numFmtId="200"/></cellXfs></styleSheet>'
        )
        rows: list[list[Value]] = [["place", "player", "score"], [1, "Ann", '<c s="1"><v>46083</v></c>']]
        assert _outcome(packed(workbook_parts(rows, styles=styles))) == outcome


@pytest.mark.parametrize("elements", [1, MOST_NAMES, MOST_ELEMENTS // 4])
def test_attributes_of_more_names_than_there_are_cost_nothing(elements: int) -> None:
    each = 600_000 // elements + 1
    names = [f' a{number:x}=""' for number in range(elements * each)]
    tags = "".join("<b" + "".join(names[start : start + each]) + "/>" for start in range(0, len(names), each))
    assert _outcome(_book(styles=f"<styleSheet>{tags}</styleSheet>")) == [ProblemKind.TOO_LARGE]


def test_attributes_of_the_usual_names_are_read_whatever_their_number() -> None:
    tag = "<xf" + "".join(f' a{number}=""' for number in range(10)) + "/>"
    assert _outcome(_book(styles=f"<styleSheet>{tag * (MOST_ELEMENTS // 4)}</styleSheet>")) == 1


def _archive(entries: int, extra: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in workbook_parts(RESULTS).items():
            archive.writestr(name, content)
        for number in range(entries):
            entry = zipfile.ZipInfo(f"{number:x}")
            archive.writestr(entry, "")
            # Only where the directory repeats it, so that all of the file may be directory.
            entry.extra = extra
    return data.getvalue()


def test_a_directory_of_countless_parts_is_not_read() -> None:
    assert _outcome(_archive(60_000, b"")) == [ProblemKind.UNREADABLE_WORKBOOK]


def test_a_directory_of_countless_remarks_is_read_in_a_moment() -> None:
    assert _outcome(_archive(50, bytes.fromhex("99990000") * 16_000)) == 1


def test_a_hundred_formulas_that_fill_every_cell() -> None:
    anchors = '<c><f t="array" ref="A1:CV2000">1</f></c>' * 98
    rows = f"<row>{'<c><v>1</v></c>' * 100}</row>" * (MOST_ROWS - 2)
    assert _outcome(_cells(f"<row><c/><c/>{anchors}</row>{rows}")) == [ProblemKind.NO_HEADER]


@pytest.mark.parametrize(
    "marks", ["\u0315\u0323" * 500, "".join("\u0345\u0315\u0301\u0323\u0334"[i // 200] for i in range(1000))]
)
def test_marks_over_one_letter_without_end_are_left_out(marks: str) -> None:
    outcome = _outcome(_cells(SAME, sharedStrings=f"<sst><si><t>a{marks}</t></si></sst>"))
    assert outcome == [ProblemKind.BAD_PLACE, ProblemKind.BAD_COUNTRY]


def test_a_text_in_every_cell_as_long_as_any() -> None:
    strange = "ё\u200b " * 300
    assert _outcome(_cells(SAME, sharedStrings=f"<sst><si><t>{strange}</t></si></sst>")) == [
        ProblemKind.BAD_PLACE,
        ProblemKind.LONG_TEXT,
    ]


def test_hundreds_of_sheets_share_one_allowance() -> None:
    one: list[list[Value]] = [["x"]]
    assert _outcome(packed(workbook_parts(*[one] * 450, RESULTS))) == 1
    parts = workbook_parts(*[one] * 450, RESULTS)
    long = sheet([["x"] * 26] * 50)
    wide = {name: long for name in parts if name.startswith("xl/worksheets/") and not name.endswith("451.xml")}
    assert _outcome(packed({**parts, **wide})) == [ProblemKind.TOO_LARGE]


@pytest.mark.parametrize(
    ("rows", "outcome"),
    [
        (lambda: (b"place,player" + b"," * 9_900_000, b"1,Ann"), 1),
        (lambda: (b"place,player", b"1,Ann" + b"," * 9_900_000), 1),
        (lambda: (b"place,player", *[b"1,Ann" + b"," * 4_900] * 1_990), [ProblemKind.SAME_PLAYER] * 2),
        (lambda: (b"place,player", b"1" + b",A" * 4_900_000), [ProblemKind.TOO_LARGE]),
        (lambda: (b"x," * 4_900_000, b"place,player"), [ProblemKind.TOO_LARGE]),
    ],
    ids=["header", "row", "rows", "filled", "title"],
)
def test_cells_beyond_the_columns_are_not_looked_into(
    rows: Callable[[], tuple[bytes, ...]], outcome: list[ProblemKind] | int
) -> None:
    assert _outcome(b"\n".join(rows())) == outcome


def test_so_many_columns_are_taken_and_no_more() -> None:
    for columns, outcome in ((100, 1), (101, [ProblemKind.TOO_LARGE])):
        extra = [f"note {number}" for number in range(columns - 2)]
        assert _outcome(text_file(["place", "player", *extra], [1, "Ann", *extra])) == outcome


def test_a_file_of_namesakes() -> None:
    rows = [(place, "Ivan Petrov", 15_000_000 + place) for place in range(1, MOST_ROWS)]
    assert _outcome(text_file(("place", "player", "ema"), *rows)) == MOST_ROWS - 1
    subs = [(place, "Замена", "да") for place in range(1, MOST_ROWS)]
    assert _outcome(text_file(("place", "player", "replacement"), *subs)) == MOST_ROWS - 1


@pytest.mark.parametrize(
    ("piece", "times"), [("аб ", 3_000_000), ("аБ", 4_900_000), ("ж", 9_900_000), ("a\xa0", 4_900_000)]
)
def test_words_in_windows_1251_without_end(piece: str, times: int) -> None:
    data = f"place;player\n1;{piece * times}".encode("cp1251")
    assert _outcome(data) in ([ProblemKind.NOT_TEXT], [ProblemKind.BAD_QUOTES])
