"""The text of cells: what can be seen of it, how spellings are compared, and how it is kept from being run."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["cleaned", "comparable", "folded", "inert", "plain"]

_LONGEST_CELL = 1_000  # characters that are looked at
_NOT_A_WORD = re.compile(r"[\W_]+")
# Behind an apostrophe a spreadsheet takes these for text; an apostrophe of the text's own gains one more.
_WOULD_BE_FORMULA = re.compile(r"'*[=+@-]")


def cleaned(cell: str) -> str:
    """`cell` in composed characters and single spaces, without anything invisible."""
    # Cut, since composing takes time by the square of the combining marks in a row.
    short = " ".join(cell.split())[:_LONGEST_CELL]
    visible = "".join(letter for letter in short if unicodedata.category(letter) not in ("Cc", "Cf"))
    return " ".join(unicodedata.normalize("NFC", visible).split())


def comparable(name: str) -> str:
    """A cleaned name as it is compared with others: neither letter case nor ё makes a difference."""
    return unicodedata.normalize("NFC", name.casefold()).replace("ё", "е")


def folded(cell: str) -> str:
    """The words of a cell that comes from a list known beforehand: comparable, and without punctuation."""
    return " ".join(_NOT_A_WORD.sub(" ", comparable(cleaned(cell))).split())


def inert(text: str) -> str:
    """`text` as a spreadsheet shows it without running it."""
    return f"'{text}" if _WOULD_BE_FORMULA.match(text) else text


def plain(cell: str) -> str:
    """A cleaned cell without the apostrophe that `inert` puts in front."""
    return cell.removeprefix("'") if _WOULD_BE_FORMULA.match(cell) else cell
