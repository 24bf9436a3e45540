"""The text of cells: what can be seen of it, how spellings are compared, and how it is kept from being run."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["cleaned", "folded", "inert", "plain"]

_LONGEST_CELL = 300  # characters that are looked at
_MOST_MARKS = 30  # that are kept of those over one letter: what Unicode's stream-safe form has (UAX #15)
_NOT_A_WORD = re.compile(r"[\W_]+")
# Behind an apostrophe a spreadsheet takes these for text; an apostrophe of the text's own gains one more.
_WOULD_BE_FORMULA = re.compile(r"'*[=+@-]")


def cleaned(cell: str) -> str:
    """`cell` in composed characters and single spaces, without anything invisible."""
    short = " ".join(cell.split())[:_LONGEST_CELL].rstrip()
    if short.isprintable() and not any(map(unicodedata.combining, short)):
        return unicodedata.normalize("NFC", short)
    return " ".join(unicodedata.normalize("NFC", "".join(_visible(short))).split())


def _visible(text: str) -> Iterator[str]:
    """The characters that can be seen. Of marks over one letter only so many are left, since composing takes time
    by the square of their number."""
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= _MOST_MARKS and unicodedata.category(letter) not in ("Cc", "Cf"):
            yield letter


def folded(cell: str) -> str:
    """The words of a cell that comes from a list known beforehand, without letter case, ё and punctuation."""
    plain = unicodedata.normalize("NFC", cleaned(cell).casefold()).replace("ё", "е")
    return " ".join(_NOT_A_WORD.sub(" ", plain).split())


def inert(text: str) -> str:
    """`text` as a spreadsheet shows it without running it."""
    return f"'{text}" if _WOULD_BE_FORMULA.match(text) else text


def plain(cell: str) -> str:
    """A cleaned cell without the apostrophe that `inert` puts in front."""
    return cell.removeprefix("'") if _WOULD_BE_FORMULA.match(cell) else cell
