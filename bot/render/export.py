"""Exported data as files: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from ratings.queries.export import Sheet
from ratings.resultsfile.text import inert

__all__ = ["as_csv", "as_json"]


def as_csv(sheet: Sheet) -> bytes:
    """A sheet as UTF-8 with a byte order mark, so that spreadsheets show names right and run nothing."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(sheet.columns)
    for row in sheet.rows:
        writer.writerow([inert(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue().encode("utf-8-sig")


def as_json(sheets: Sequence[Sheet]) -> bytes:
    """All sheets in one file: under each name a list of rows, by column."""
    told = {sheet.name: [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows] for sheet in sheets}
    return json.dumps(told, ensure_ascii=False, indent=1).encode()
