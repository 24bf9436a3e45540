"""From bytes to cells: telling workbooks from text, and encodings and delimiters from each other."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ratings.resultsfile.headers import SEARCHED, recognised
from ratings.resultsfile.russian import is_russian
from ratings.resultsfile.values import (
    LARGEST_FILE,
    MOST_COLUMNS,
    MOST_LINES,
    MOST_ROWS,
    ProblemKind,
    Record,
    Table,
    refusal,
)
from ratings.resultsfile.workbooks import read_workbook

__all__ = ["read_table"]

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_DELIMITERS = ",;\t"
_BLANK = f' "\r\n{_DELIMITERS}'
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def read_table(data: bytes) -> Table:
    """The rows of a workbook or of a text with commas, semicolons or tabs between its cells. Raises BadResults."""
    if len(data) > LARGEST_FILE:
        raise refusal(ProblemKind.TOO_LARGE)
    if data.startswith(_OLE):
        raise refusal(ProblemKind.OLD_WORKBOOK)
    if data.startswith(_ZIP):
        return read_workbook(data)
    return Table(_records(_decoded(data)))


def _decoded(data: bytes) -> str:
    with_mark = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if with_mark else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0" if with_mark else _windows_1251(data)
    if _NOT_IN_TEXT.search(text):
        raise refusal(ProblemKind.NOT_TEXT)
    return text


def _windows_1251(data: bytes) -> str:
    text = data.decode("cp1251", errors="replace")
    return text if "\ufffd" not in text and is_russian(text) else "\0"


def _records(text: str) -> Sequence[Record]:
    if not text.strip(_BLANK):
        return ()

    # The header knows the delimiter: it is the one that lets most columns be recognised, or at least told apart.
    def known(delimiter: str) -> tuple[int, int]:
        first = [recognised(record.cells) for record in islice(_split(text, delimiter), SEARCHED)]
        return max(((sum(map(bool, columns)), len(columns)) for columns in first), default=(0, 0))

    records = list(islice(_split(text, max(_DELIMITERS, key=known)), MOST_ROWS + 1))
    if len(records) > MOST_ROWS or any(len(record.cells or ()) > MOST_COLUMNS for record in records):
        raise refusal(ProblemKind.TOO_LARGE)
    return records


def _split(text: str, delimiter: str) -> Iterator[Record]:
    """The rows that are not blank; wider ones than are taken only if there is something at their end."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    for number in range(1, MOST_LINES + 2):
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield Record(number, None)
        else:
            is_wide = any(map(str.strip, cells[MOST_COLUMNS:]))
            if is_wide or any(map(str.strip, cells)):
                yield Record(number, cells if is_wide else cells[:MOST_COLUMNS])
    raise refusal(ProblemKind.TOO_LARGE)
