"""From the bytes of a club's file to what it tells, within limits.

A file is an object of single values, but for the facts, which are a list of rows for each table with the names of
the columns as its first, and the standings, which are a list of rows. Whatever is not of this shape is refused
where it is met: JSON of two bytes can become fifty in memory.
"""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["LARGEST_BY_COMMAND", "LARGEST_UNPACKED", "MOST_GAMES", "MOST_ROWS", "TooLarge", "parse"]

T = TypeVar("T")

# Bytes once unpacked, of a file that any admin may send and of one that the operator has chosen. A club takes some
# 300 to 700 for each game.
LARGEST_UNPACKED = 25_000_000
LARGEST_BY_COMMAND = 500_000_000
# Rows that an admin may send: on SQLite every other club waits while they are written, some seconds for these.
# A game takes six, or eleven with its log.
MOST_ROWS = 100_000
MOST_GAMES = MOST_ROWS // 10
# The library's decoder lets no other thread have its turn until it is done: this is as much as it gets at a time.
# A tournament of thousands, before and after a change, is a row that takes a good part of it.
_LONGEST_ROW = 2_000_000
_LONGEST_VALUE = 1_000
_MOST_COLUMNS = 32
_MOST_NAMES = 100

_SPACE = re.compile(r"[ \t\n\r]*+")
_ROW = re.compile(r'\[[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+\]', re.DOTALL)


class TooLarge(ValueError):
    """The file holds more than is taken."""


def parse(data: bytes, largest: int = LARGEST_UNPACKED, most_rows: int | None = MOST_ROWS) -> dict[str, Any]:
    """What a file says, packed or not, of at most `largest` bytes when unpacked and `most_rows` rows; the rows of
    facts are tuples.

    Raises TooLarge, or ValueError for what is no JSON or not of the shape of a club's file.
    """
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, largest)
    if len(data) > largest:
        raise TooLarge("too large")
    text = _Text(data.decode("utf-8-sig"), most_rows)
    told = text.members(lambda name: _member(text, name))
    text.end()
    return told


def _unpacked(data: bytes, largest: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            return packed.read(largest + 1)
    except (OSError, EOFError) as error:
        raise ValueError(str(error)) from None


def _member(text: _Text, name: str) -> Any:
    if name == "facts":
        return text.members(lambda _: text.rows(tuple))
    if name == "standings":
        return text.rows(list)
    return text.value()


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


_DECODER = json.JSONDecoder(parse_constant=_no_number)


class _Text:
    """The text of a file, and how far it has been read."""

    def __init__(self, text: str, most_rows: int | None) -> None:
        self._text = text
        self._at = 0
        self._rows = 0
        self._most_rows = most_rows
        self._skip()

    def members(self, read: Callable[[str], T]) -> dict[str, T]:
        """An object, of whose members `read` takes each by its name."""
        found: dict[str, T] = {}
        self._mark("{")
        while not self._has("}"):
            if found:
                self._mark(",")
            name = self.value()
            if not isinstance(name, str) or name in found or len(found) == _MOST_NAMES:
                raise ValueError("an object with other names")
            self._mark(":")
            found[name] = read(name)
        self._mark("}")
        return found

    def rows(self, make: Callable[[list[Any]], T]) -> list[T]:
        """A list of rows, all as wide as the first; `make` makes each what it is to be."""
        found: list[T] = []
        width = 0
        self._mark("[")
        while not self._has("]"):
            if found:
                self._mark(",")
            row = self._row()
            width = width or len(row)
            if not 0 < len(row) == width <= _MOST_COLUMNS:
                raise ValueError("a row with other cells")
            found.append(make(row))
        self._mark("]")
        return found

    def value(self) -> Any:
        """A number, a short text, true, false or null."""
        here = self._text[self._at : self._at + _LONGEST_VALUE]
        if here[:1] in ("[", "{"):
            raise ValueError("a list where none can be")
        value, length = _DECODER.raw_decode(here)
        self._at += length
        self._skip()
        return value

    def end(self) -> None:
        """Nothing can follow."""
        if self._at != len(self._text):
            raise ValueError("more than one value")

    def _row(self) -> list[Any]:
        self._rows += 1
        if self._most_rows is not None and self._rows > self._most_rows:
            raise TooLarge("too many rows")
        found = _ROW.match(self._text, self._at, self._at + _LONGEST_ROW)
        if found is None:
            raise ValueError("no row, or too long a one")
        row: list[Any] = _DECODER.decode(found.group())
        self._at = found.end()
        self._skip()
        return row

    def _has(self, mark: str) -> bool:
        return self._text.startswith(mark, self._at)

    def _mark(self, mark: str) -> None:
        if not self._has(mark):
            raise ValueError(f"no {mark} where one has to be")
        self._at += 1
        self._skip()

    def _skip(self) -> None:
        """Go to where there is no space."""
        space = _SPACE.match(self._text, self._at)
        assert space is not None  # noqa: S101 - it matches anything
        self._at = space.end()
