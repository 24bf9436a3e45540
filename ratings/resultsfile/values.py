"""What a results file comes to: rows, or the problems that keep it from being taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

__all__ = [
    "LARGEST_FILE",
    "LARGEST_UNPACKED",
    "LONGEST_TEXT",
    "MOST_COLUMNS",
    "MOST_LINES",
    "MOST_ROWS",
    "BadResults",
    "Cell",
    "Moment",
    "Problem",
    "ProblemKind",
    "Record",
    "ResultRow",
    "ResultsFile",
    "Table",
    "refusal",
]

LARGEST_FILE = 10_000_000  # bytes
LARGEST_UNPACKED = 40_000_000  # bytes of all parts of a workbook
MOST_ROWS = 2_000  # that are not blank, the header among them
MOST_LINES = 20_000  # with the blank ones
MOST_COLUMNS = 100
LONGEST_TEXT = 100  # characters of a name

_LONGEST_QUOTE = 40
_LONGEST_HEADER = 200


@dataclass(frozen=True, slots=True)
class Moment:
    """What a spreadsheet took for a date or a time; `text` is the day, in ISO 8601."""

    text: str

    def __str__(self) -> str:
        return self.text


# A blank cell is an empty text.
Cell = str | Decimal | Moment


class ProblemKind(StrEnum):
    """What is wrong with a file or with one of its rows."""

    EMPTY_FILE = "empty-file"
    TOO_LARGE = "too-large"
    UNPACKS_TOO_LARGE = "unpacks-too-large"
    NOT_TEXT = "not-text"
    OLD_WORKBOOK = "old-workbook"
    UNREADABLE_WORKBOOK = "unreadable-workbook"
    NO_HEADER = "no-header"
    NO_PLAYER_COLUMN = "no-player-column"
    NO_PLACE_COLUMN = "no-place-column"
    DOUBLE_COLUMN = "double-column"
    BAD_QUOTES = "bad-quotes"
    SEVERAL_SHEETS = "several-sheets"
    TOO_MANY_CELLS = "too-many-cells"
    FORMULA = "formula"
    DATE = "date"
    NO_PLACE = "no-place"
    BAD_PLACE = "bad-place"
    HIGH_PLACE = "high-place"
    BEYOND_LAST = "beyond-last"
    MISSING_PLACE = "missing-place"
    IMPOSSIBLE_PLACE = "impossible-place"
    NO_NAME = "no-name"
    LONG_TEXT = "long-text"
    SAME_PLAYER = "same-player"
    SCORES_OF_SOME = "scores-of-some"
    NO_SCORE = "no-score"
    BAD_SCORE = "bad-score"
    AMBIGUOUS_SCORE = "ambiguous-score"
    NO_GAMES = "no-games"
    BAD_GAMES = "bad-games"
    BAD_COUNTRY = "bad-country"
    BAD_EMA_NUMBER = "bad-ema-number"
    SAME_EMA_NUMBER = "same-ema-number"
    BAD_REPLACEMENT = "bad-replacement"
    ROUNDED_DISCORD_ID = "rounded-discord-id"


@dataclass(frozen=True, slots=True)
class Record:
    """A row that is not blank, by its number; None in place of cells that cannot be told apart."""

    number: int
    cells: Sequence[Cell] | None


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, and the sheet they are from if there are several."""

    records: Sequence[Record]
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A player's result. `row` is the row of the file, as a spreadsheet numbers it.

    `country` is an ISO 3166-1 alpha-2 code, `ema_number` has eight digits, `score` is in the file's own unit, and
    `discord` is what the file says: a mention, an id or a name.
    """

    row: int
    place: int
    player: str
    country: str | None = None
    ema_number: str | None = None
    games: int | None = None
    score: Decimal | None = None
    replacement: bool = False
    discord: str | None = None


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """The rows of a file in its order, and what is to be told beside them.

    `ignored` are the headings of columns that nothing was taken from; `sheet` names the sheet that was read if
    there are several; `worked_out` tells that the places follow from the scores.
    """

    rows: tuple[ResultRow, ...]
    ignored: tuple[str, ...] = ()
    sheet: str | None = None
    worked_out: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and in which row; None for the file as a whole.

    `text` is what the cell says, cut to 40 characters; for a header, and for the names of sheets, the first 200.
    `column` is the heading of the cell's column. `number` is the number of players (a place that is too high, or
    scores of some alone, of whom `text` is the number), the place that should have come (a place out of
    sequence), the number of cells (too many of them) or the earlier row (something twice).
    """

    row: int | None
    kind: ProblemKind
    text: str = ""
    column: str = ""
    number: int = 0

    @classmethod
    def of_cell(cls, row: int, kind: ProblemKind, text: str = "", column: str = "", number: int = 0) -> Problem:
        """A problem whose particulars come from the file and are cut."""
        return cls(row, kind, text[:_LONGEST_QUOTE], column[:_LONGEST_QUOTE], number)

    @classmethod
    def of_header(cls, row: int | None, kind: ProblemKind, headings: Iterable[str]) -> Problem:
        """A problem with the header, which quotes it, or with several sheets, whose names it tells."""
        return cls(row, kind, ", ".join(filter(None, headings))[:_LONGEST_HEADER])


class BadResults(ValueError):
    """A file that is not taken, with every problem there is in it, by row.

    `players` are the players as far as they can be made out, each with his row, his name and maybe his EMA
    number, without rows that name a member. `sheet` names the sheet that was read if there are several.
    """

    def __init__(
        self, problems: tuple[Problem, ...], players: Sequence[ResultRow] = (), sheet: str | None = None
    ) -> None:
        self.problems = problems
        self.players = players
        self.sheet = sheet
        super().__init__(", ".join(f"{problem.kind} in row {problem.row}" for problem in problems))


def refusal(kind: ProblemKind) -> BadResults:
    """The refusal of a file as a whole."""
    return BadResults((Problem(None, kind),))
