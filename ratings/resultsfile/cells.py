"""What a cell says: a place, a score, a country and so on."""

from __future__ import annotations

import re
from decimal import Decimal

from ratings.resultsfile import countries
from ratings.resultsfile.text import folded
from ratings.resultsfile.values import LONGEST_TEXT, ProblemKind

__all__ = [
    "BadCell",
    "Plain",
    "country",
    "discord",
    "ema_number",
    "games",
    "name",
    "place",
    "replacement",
    "score",
]

_DASH = "[-–—−]"
# "2-3" and "2=" are ways to write a place that is shared; a spreadsheet may write "2.0".
_PLACE = re.compile(rf"([0-9]{{1,5}})(?: ?{_DASH} ?([0-9]{{1,5}}))?(?:\.0*|=)?")
_GAMES = re.compile(r"([0-9]{1,3})(?:\.0*)?")
_EMA_NUMBER = re.compile(r"[0-9]{7,8}")
_ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?E\+?[0-9]+", re.IGNORECASE)

_SIGNED = re.compile(rf"(\+|{_DASH})?(.+)")
_DIGITS = re.compile(r"[0-9]{1,15}(?:[.,][0-9]{1,20})?")
# A mark between groups of three digits, and then another one for the decimals.
_GROUPS = re.compile(r"[1-9][0-9]{0,2}([ '’.,])[0-9]{3}(?:\1[0-9]{3}){0,3}(?:(?!\1)[.,][0-9]{1,20})?")
# Thousands or thousandths? Nobody writes a zero in front of thousands.
_EITHER = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")

_DECIMALS = 6
_TOO_HIGH = 10**15

_FLAGS = {
    **dict.fromkeys(("0", "no", "n", "false", "нет", "н", "ложь"), False),
    **dict.fromkeys(("1", "yes", "y", "true", "x", "да", "д", "истина", "х"), True),
}


# A cell that is neither blank nor a date.
Plain = str | Decimal


class BadCell(Exception):
    """A cell that does not say what it should."""

    def __init__(self, kind: ProblemKind) -> None:
        self.kind = kind
        super().__init__(kind)


def place(cell: Plain) -> int:
    """A place from 1 up. Raises BadCell."""
    match = _PLACE.fullmatch(str(cell))
    if not match or int(match[1]) < 1 or (match[2] and int(match[2]) <= int(match[1])):
        raise BadCell(ProblemKind.BAD_PLACE)
    return int(match[1])


def score(cell: Plain) -> Decimal:
    """A number in the file's own unit, to six decimals; written with a point or a comma, and with thousands apart.

    Raises BadCell, also for a text that can be read in two ways.
    """
    value = cell if isinstance(cell, Decimal) else _number(cell)
    if abs(value) >= _TOO_HIGH:
        raise BadCell(ProblemKind.BAD_SCORE)
    # A spreadsheet's sums are off in the sixteenth digit, which would part players who are level.
    rounded = round(value, _DECIMALS)
    return value if value == rounded else rounded


def _number(text: str) -> Decimal:
    match = _SIGNED.fullmatch(text)
    sign, digits = (match[1], match[2]) if match else (None, "")
    if _EITHER.fullmatch(digits):
        raise BadCell(ProblemKind.AMBIGUOUS_SCORE)
    if not _DIGITS.fullmatch(digits):
        groups = _GROUPS.fullmatch(digits)
        if not groups:
            raise BadCell(ProblemKind.BAD_SCORE)
        digits = digits.replace(groups[1], "")
    value = Decimal(digits.replace(",", "."))
    return value if sign in (None, "+") else -value


def games(cell: Plain) -> int:
    """A number of games. Raises BadCell."""
    match = _GAMES.fullmatch(str(cell))
    if not match:
        raise BadCell(ProblemKind.BAD_GAMES)
    return int(match[1])


def country(cell: Plain) -> str:
    """An alpha-2 code. Raises BadCell."""
    code = countries.alpha_2(str(cell))
    if code is None:
        raise BadCell(ProblemKind.BAD_COUNTRY)
    return code


def ema_number(cell: Plain) -> str:
    """Eight digits; a spreadsheet may have taken off the zero in front. Raises BadCell."""
    if not _EMA_NUMBER.fullmatch(str(cell)):
        raise BadCell(ProblemKind.BAD_EMA_NUMBER)
    return str(cell).zfill(8)


def replacement(cell: Plain) -> bool:
    """Yes or no. Raises BadCell."""
    flag = _FLAGS.get(folded(str(cell)))
    if flag is None:
        raise BadCell(ProblemKind.BAD_REPLACEMENT)
    return flag


def name(cell: Plain) -> str:
    """A name of bounded length. Raises BadCell."""
    if len(str(cell)) > LONGEST_TEXT:
        raise BadCell(ProblemKind.LONG_TEXT)
    return str(cell)


def discord(cell: Plain) -> str:
    """A member as the file calls him. Raises BadCell, also for an id that lost its last digits."""
    if _ROUNDED.fullmatch(str(cell)):
        raise BadCell(ProblemKind.ROUNDED_DISCORD_ID)
    return name(cell)
