"""Results files for tests: texts and workbooks made on the spot, and what is wrong with bad ones."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

import pytest

from ratings.resultsfile import BadResults, Problem, ProblemKind, read_results

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

# A cell of a workbook: a text, a number, True or False, or the cell's XML.
Value = str | float | None


def text_file(
    *rows: Sequence[object], delimiter: str = ",", newline: str = "\n", encoding: str = "utf-8"
) -> bytes:
    """A CSV or TSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=newline).writerows(rows)
    return text.getvalue().encode(encoding)


def lines(*rows: str) -> bytes:
    """A text file of these lines."""
    return "\n".join(rows).encode()


def workbook(*sheets: Sequence[Sequence[Value]], states: Sequence[str] = (), **parts: str) -> bytes:
    """An XLSX file with these rows in its sheets, which are called Sheet1, Sheet2 ...

    `states` are those of the sheets that can be seen or not; `parts` replace sharedStrings, styles or workbook.
    """
    return packed(workbook_parts(*sheets, states=states, **parts))


def packed(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()


def workbook_parts(
    *sheets: Sequence[Sequence[Value]], states: Sequence[str] = (), **parts: str
) -> dict[str, str | bytes]:
    """The parts of such a file by name."""
    numbers = range(1, len(sheets) + 1)
    seen = [*states, *["visible"] * (len(sheets) - len(states))]
    named = "".join(
        f'<sheet name="Sheet{number}" sheetId="{number}" state="{state}" r:id="rId{number}"/>'
        for number, state in zip(numbers, seen, strict=True)
    )
    relations = [(f"rId{number}", "worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
    relations += [(name, name, f"{name}.xml") for name in ("sharedStrings", "styles") if name in parts]
    found: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": _relations([("rId1", "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{OFFICE}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(relations),
    }
    for number, rows in zip(numbers, sheets, strict=True):
        found[f"xl/worksheets/sheet{number}.xml"] = sheet(rows)
    return found | {f"xl/{name}.xml": content for name, content in parts.items()}


def _relations(targets: Sequence[tuple[str, str, str]]) -> str:
    told = "".join(f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{to}"/>' for key, kind, to in targets)
    return f"<Relationships {PACKAGE}>{told}</Relationships>"


def sheet(rows: Sequence[Sequence[Value]]) -> str:
    """The XML of a sheet."""
    told = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(_cell(f"{chr(ord('A') + column)}{number}", value) for column, value in enumerate(row))
        told.append(f'<row r="{number}">{cells}</row>')
    return f"<worksheet {MAIN}><sheetData>{''.join(told)}</sheetData></worksheet>"


def _cell(reference: str, value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{reference}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f'<c r="{reference}"><v>{value!r}</v></c>'
    if value.startswith("<c"):
        return value.replace("<c", f'<c r="{reference}"', 1)
    return f'<c r="{reference}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def problems(data: bytes) -> tuple[Problem, ...]:
    """What is wrong with a bad file."""
    with pytest.raises(BadResults) as caught:
        read_results(data)
    return caught.value.problems


def found(data: bytes) -> list[tuple[int | None, ProblemKind]]:
    """The rows and kinds of what is wrong."""
    return [(problem.row, problem.kind) for problem in problems(data)]
