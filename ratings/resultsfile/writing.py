"""Writing results as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from decimal import Decimal

from ratings.resultsfile.headers import Column
from ratings.resultsfile.text import inert
from ratings.resultsfile.values import ResultRow

__all__ = ["COLUMNS", "write_results"]

COLUMNS = (
    Column.PLACE,
    Column.PLAYER,
    Column.SCORE,
    Column.GAMES,
    Column.COUNTRY,
    Column.EMA_NUMBER,
    Column.REPLACEMENT,
    Column.DISCORD,
)


def write_results(rows: Sequence[ResultRow]) -> bytes:
    """A CSV file in UTF-8 that `read_results` reads back and a spreadsheet opens without running anything.

    Rows are numbered anew, from 2.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(
            (
                row.place,
                inert(row.player),
                _number(row.score),
                "" if row.games is None else row.games,
                row.country or "",
                row.ema_number or "",
                "yes" if row.replacement else "no",
                inert(row.discord or ""),
            )
        )
    return text.getvalue().encode("utf-8-sig")


def _number(score: Decimal | None) -> str:
    if score is None:
        return ""
    whole, point, decimals = f"{score:f}".partition(".")
    decimals = decimals.rstrip("0")
    # Three decimals alone could be read as thousands.
    return f"{whole}{point}{decimals.ljust(4, '0') if len(decimals) == 3 else decimals}" if decimals else whole
