"""Results in XLSX workbooks: sheets, formulas, dates, and files that are made to do harm."""

from __future__ import annotations

import struct
import time
import tracemalloc
import zipfile
from decimal import Decimal
from typing import Any

import pytest

from ratings.resultsfile import Problem, ProblemKind, ResultRow, read_results
from ratings.resultsfile.package import MOST_ELEMENTS, Package
from tests.resultsfile_help import MAIN, Value, found, packed, problems, sheet, workbook, workbook_parts

HEADER: list[Value] = ["place", "player", "score", "discord", "note"]
ANN: list[Value] = [1, "Ann", 45.2]
DATES = (
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-419]dd\\.mm;@"/>'
    '<numFmt numFmtId="171" formatCode="#,##0.0&quot; days&quot;\\d"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>'
    '<xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="46"/></cellXfs></styleSheet>'
)
UNREADABLE = [(None, ProblemKind.UNREADABLE_WORKBOOK)]


def _part(name: str, content: str | bytes) -> bytes:
    return packed({**workbook_parts([HEADER, ANN]), name: content})


@pytest.mark.parametrize("score", [45.2, "<c><v>45.200000000000003</v></c>", '<c t="str"><v>45,2</v></c>', "45.2"])
def test_numbers_are_as_they_are_shown(score: str | float) -> None:
    (row,) = read_results(workbook([HEADER, [1, "Ann", score]])).rows
    assert row.score == Decimal("45.2")


def test_a_number_is_never_ambiguous_but_a_text_may_be() -> None:
    assert read_results(workbook([HEADER, [1, "Ann", 1.234]])).rows[0].score == Decimal("1.234")
    assert found(workbook([HEADER, [1, "Ann", "1.234"]])) == [(2, ProblemKind.AMBIGUOUS_SCORE)]


def test_a_row_stands_where_it_stands_and_cells_may_lack_references() -> None:
    rows = '<row r="3"><c t="str"><v>place</v></c><c t="str"><v>player</v></c></row><row><c><v>1</v></c></row>'
    more = '<row r="9"><c r="A9"><v>1</v></c><c r="B9" t="str"><v>Ann</v></c></row>'
    data = _part("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{rows}{more}</sheetData></worksheet>")
    assert found(data) == [(4, ProblemKind.NO_NAME)]


def test_shared_texts_are_put_together_without_their_readings() -> None:
    shared = "<sst><si><t>x</t></si><si><r><t>Пе</t></r><r><t>тр_x000D_</t></r><rPh><t>пэ</t></rPh></si></sst>"
    data = workbook([HEADER, [1, '<c t="s"><v>1</v></c>']], sharedStrings=shared)
    assert read_results(data).rows == (ResultRow(2, 1, "Петр"),)
    assert found(workbook([HEADER, [1, '<c t="s"><v>2</v></c>']], sharedStrings=shared)) == UNREADABLE


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<f>SUM(C3:C9)</f>", "=SUM(C3:C9)"),
        ('<f t="shared" si="0"/>', "=…"),
        ('<f t="array" ref="C2:C2">A1</f>', "=A1"),
        ("<f></f>", "=…"),
    ],
)
def test_a_formula_is_told_and_its_last_value_not_taken(formula: str, text: str) -> None:
    data = workbook([HEADER, [1, "Ann", f"<c>{formula}<v>45.2</v></c>"]])
    assert problems(data) == (Problem(2, ProblemKind.FORMULA, text, "score"),)


def test_a_formula_that_fills_other_cells_is_found_in_them_too() -> None:
    anchor = '<c><f t="array" ref="E1:E3">X1:X3</f><v>1</v></c>'
    rows: list[list[Value]] = [["place", "player", None, None, anchor], [1, "Ann"], [2, "Bob", None, None, 7]]
    assert len(read_results(workbook(rows)).rows) == 2
    rows[0][4] = '<c t="str"><f t="array" ref="A1:B3">X1:Y3</f><v>1</v></c>'
    assert found(workbook(rows)) == [(1, ProblemKind.NO_HEADER)]
    rows[0][4] = '<c><f t="array" ref="B2:B3">X1:Y3</f><v>1</v></c>'
    assert found(workbook(rows)) == [(2, ProblemKind.FORMULA), (3, ProblemKind.FORMULA)]


def test_a_formula_beside_the_results_does_not_matter() -> None:
    data = workbook([HEADER, [*ANN, None, "<c><f>1+1</f><v>2</v></c>", "<c><f>E2</f><v>2</v></c>"]])
    assert read_results(data).ignored == ("note",)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('<c s="1"><v>46083</v></c>', "2026-03-02"),
        ('<c s="2"><v>46083.5</v></c>', "2026-03-02"),
        ('<c s="4"><v>1.5</v></c>', "1899-12-31"),
        ('<c t="d"><v>2026-03-02</v></c>', "2026-03-02"),
        ('<c s="1"><v>-5</v></c>', "-5.0"),
        ('<c s="1"><v>1e9</v></c>', "1000000000.0"),
    ],
)
def test_a_date_is_no_number(cell: str, text: str) -> None:
    data = workbook([HEADER, [1, "Ann", cell]], styles=DATES)
    assert problems(data) == (Problem(2, ProblemKind.DATE, text, "score"),)


def test_a_number_with_a_unit_is_no_date() -> None:
    data = workbook([HEADER, [1, "Ann", '<c s="3"><v>46083</v></c>']], styles=DATES)
    assert read_results(data).rows[0].score == 46083


def test_errors_and_rounded_ids_are_told() -> None:
    data = workbook([HEADER, [1, "Ann", '<c t="e"><v>#N/A</v></c>', "<c><v>1.23456789012346E+17</v></c>"]])
    assert found(data) == [(2, ProblemKind.BAD_SCORE), (2, ProblemKind.ROUNDED_DISCORD_ID)]
    assert problems(data)[0].text == "#N/A"
    assert found(workbook([HEADER, [1, "Ann", "<c><v>1e999</v></c>"]])) == [(2, ProblemKind.BAD_SCORE)]


def test_old_and_locked_workbooks_are_told_apart_from_damaged_ones() -> None:
    assert found(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)) == [(None, ProblemKind.OLD_WORKBOOK)]
    assert found(b"PK\x03\x04" + bytes(26)) == UNREADABLE
    assert found(packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"})) == UNREADABLE
    assert found(workbook([HEADER, ANN])[:-40]) == UNREADABLE


@pytest.mark.parametrize(
    "missing", ["_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml"]
)
def test_a_workbook_without_one_of_its_parts_is_refused(missing: str) -> None:
    parts = workbook_parts([HEADER, ANN])
    del parts[missing]
    assert found(packed(parts)) == UNREADABLE


@pytest.mark.parametrize(
    "cells",
    [
        '<row r="2"><c r="A3"/></row>',
        '<row r="2"/><row r="2"/>',
        '<row r="2"><c r="B2"/><c r="A2"/></row>',
        '<row r="0"/>',
        '<row r="x"/>',
        '<row r="1"><c r="1A"/></row>',
        '<row r="1"><c r="A1"><f t="array" ref="A1:">1</f></c></row>',
    ],
)
def test_cells_that_cannot_be_placed_are_refused(cells: str) -> None:
    data = _part("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{cells}</sheetData></worksheet>")
    assert found(data) == UNREADABLE


ENTITY = '<!DOCTYPE x [<!ENTITY a "Ann"><!ENTITY b SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize("document_type", [ENTITY, "<!DOCTYPE x>", '<!DOCTYPE x SYSTEM "http://localhost/x.dtd">'])
@pytest.mark.parametrize("name", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "_rels/.rels"])
def test_a_document_type_is_refused_and_with_it_every_entity(document_type: str, name: str) -> None:
    parts = workbook_parts([HEADER, ANN])
    assert found(packed({**parts, name: f"{document_type}{parts[name]!s}"})) == UNREADABLE


def test_entities_without_a_document_type_and_strange_encodings_are_refused() -> None:
    rows = sheet([HEADER, [1, '<c t="str"><v>&a;</v></c>']])
    assert found(_part("xl/worksheets/sheet1.xml", rows)) == UNREADABLE
    for encoding in ("x-unknown", "utf-7", "shift-jis"):
        declared = f'<?xml version="1.0" encoding="{encoding}"?>{sheet([HEADER, ANN])}'
        assert found(_part("xl/worksheets/sheet1.xml", declared)) == UNREADABLE


def test_a_bomb_is_refused_before_anything_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _part("xl/worksheets/sheet1.xml", bytes(45_000_000))
    assert len(data) < 100_000
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    assert found(data) == [(None, ProblemKind.UNPACKS_TOO_LARGE)]


def test_a_bomb_that_lies_about_its_size_is_not_unpacked_either() -> None:
    honest = _part("xl/worksheets/sheet1.xml", bytes(30_000_000))
    data = honest.replace(struct.pack("<L", 30_000_000), struct.pack("<L", 1_000))
    assert data != honest
    tracemalloc.start()
    assert found(data) == UNREADABLE
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000


def _repeated(sheets: int, parts: int, content: str) -> bytes:
    """A workbook whose so many sheets name so many parts in turn, all of one content."""
    named = "".join(f'<sheet name="S{number}" r:id="rId{number % parts + 1}"/>' for number in range(sheets))
    found = workbook_parts(*([HEADER] for _ in range(parts)), workbook=f"<workbook>{named}</workbook>")
    return packed(found | {f"xl/worksheets/sheet{number}.xml": content for number in range(1, parts + 1)})


def test_a_part_is_walked_through_once_however_many_sheets_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = []
    walk = Package.walk

    def noted(self: Package, name: str, *callbacks: Any) -> None:
        walked.append(name)
        walk(self, name, *callbacks)

    monkeypatch.setattr(Package, "walk", noted)
    assert found(_repeated(400, 1, "<worksheet/>")) == [(None, ProblemKind.EMPTY_FILE)]
    assert walked.count("xl/worksheets/sheet1.xml") == 1


def test_the_parts_of_a_workbook_have_one_allowance_of_elements() -> None:
    quarter = f"<a>{'<b/>' * (MOST_ELEMENTS // 4)}</a>"
    assert found(_repeated(3, 3, quarter)) == [(None, ProblemKind.EMPTY_FILE)]
    assert found(_repeated(4, 4, quarter)) == [(None, ProblemKind.TOO_LARGE)]


def test_archives_of_many_parts_of_double_names_or_of_rare_methods_are_refused() -> None:
    parts = workbook_parts([HEADER, ANN])
    assert read_results(packed({**parts, **{f"media/{number}": "" for number in range(400)}})).rows
    assert found(packed({**parts, **{f"media/{number}": "" for number in range(500)}})) == UNREADABLE
    assert found(packed({**parts, "xl/WORKBOOK.xml": parts["xl/workbook.xml"]})) == UNREADABLE
    assert found(packed(parts, zipfile.ZIP_LZMA)) == UNREADABLE
    assert read_results(packed(parts, zipfile.ZIP_STORED)).rows


@pytest.mark.parametrize(
    "cells",
    [
        '<row r="20001"><c r="A20001"><v>1</v></c></row>',
        '<row r="1"><c r="CW1"><v>1</v></c></row>',
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        "<row><c><v>1</v></c></row>" * 2_001,
        "<c/>" * 600_001,
        '<row><c><f t="array" ref="A1:A2">1</f></c></row>' * 101,
    ],
    ids=["down", "right", "corner", "rows", "elements", "arrays"],
)
def test_sheets_that_are_too_large_are_refused_at_once(cells: str) -> None:
    data = _part("xl/worksheets/sheet1.xml", f"<worksheet {MAIN}><sheetData>{cells}</sheetData></worksheet>")
    start = time.process_time()
    assert found(data) == [(None, ProblemKind.TOO_LARGE)]
    assert time.process_time() - start < 4


def test_a_blank_cell_far_away_does_not_matter() -> None:
    cells = sheet([HEADER, ANN]).replace(
        "</sheetData>", '<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>'
    )
    assert len(read_results(_part("xl/worksheets/sheet1.xml", cells)).rows) == 1


def test_one_long_text_in_every_cell_costs_little() -> None:
    row = '<c t="s"><v>0</v></c>' * 25
    rows = sheet([HEADER, ANN]).replace("</sheetData>", f"{f'<row>{row}</row>' * 1_900}</sheetData>")
    shared = f"<sst><si><t>{'x' * 9_000_000}</t></si></sst>"
    parts = workbook_parts([HEADER, ANN], sharedStrings=shared)
    start = time.process_time()
    kinds = {kind for _, kind in found(packed({**parts, "xl/worksheets/sheet1.xml": rows}))}
    assert kinds >= {ProblemKind.BAD_PLACE, ProblemKind.LONG_TEXT}
    assert time.process_time() - start < 6
