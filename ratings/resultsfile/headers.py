"""The header of a results file: which row it is, and which column holds what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ratings.resultsfile.text import cleaned, folded
from ratings.resultsfile.values import MOST_COLUMNS, Problem, ProblemKind, Record

__all__ = ["HEADINGS", "NAMES", "SEARCHED", "Column", "Header", "header_index", "recognised", "tells_results"]

SEARCHED = 10  # rows that are not blank: a title may stand above the header


class Column(StrEnum):
    """What a column holds."""

    PLACE = "place"
    PLAYER = "player"
    FIRST_NAME = "first name"
    LAST_NAME = "last name"
    SCORE = "score"
    GAMES = "games"
    COUNTRY = "country"
    EMA_NUMBER = "EMA number"
    REPLACEMENT = "replacement"
    DISCORD = "discord"


NAMES = (Column.PLAYER, Column.FIRST_NAME, Column.LAST_NAME)

# As `folded` leaves them: small letters, no ё, no punctuation.
HEADINGS: dict[Column, str] = {
    Column.PLACE: "place, placement, position, pos, rank, standing, место, позиция",
    Column.PLAYER: "player, player name, full name, name, participant, игрок, имя игрока, участник, фио, ф и о, "
    "имя, фамилия имя, имя фамилия, фамилия и имя, имя и фамилия, фамилия имя отчество",
    Column.FIRST_NAME: "first name, firstname, given name, forename",
    Column.LAST_NAME: "last name, lastname, surname, family name, фамилия",
    Column.SCORE: "score, total score, points, total points, total, очки, счет, баллы, сумма очков, итог, итого",
    Column.GAMES: "games, games played, number of games, hanchan, hanchans, number of hanchan, игры, игр, "
    "сыграно игр, количество игр, кол во игр, число игр, ханчан, ханчаны, ханчанов, "
    "количество ханчанов, число ханчанов",
    Column.COUNTRY: "country, nation, nationality, страна",
    Column.EMA_NUMBER: "ema, ema number, ema no, ema nr, ema id, номер ema, ema номер, id ema, ема, номер ема",
    Column.REPLACEMENT: "replacement, replacement player, substitute, замена, игрок замены, подмена",
    Column.DISCORD: "discord, discord member, discord name, discord id, discord user, дискорд, участник discord, "
    "ник discord, ник в discord, имя в discord",
}

_COLUMNS = {heading: column for column, headings in HEADINGS.items() for heading in headings.split(", ")}
# Beside a column of last names these are first names.
_GIVEN = ("name", "имя")


@dataclass(frozen=True, slots=True)
class Header:
    """The header in row `number`; `columns` has None for a heading that is unknown or not needed."""

    number: int
    headings: tuple[str, ...]
    columns: tuple[Column | None, ...]

    @classmethod
    def of(cls, number: int, cells: Sequence[object]) -> Header:
        """The header that a row of cells is."""
        return cls(number, tuple(cleaned(str(cell)) for cell in cells), tuple(recognised(cells)))

    @property
    def ignored(self) -> tuple[str, ...]:
        """The headings of columns that nothing is taken from."""
        return tuple(
            heading for heading, column in zip(self.headings, self.columns, strict=True) if heading and not column
        )

    def heading(self, column: Column) -> str:
        """What the file calls a column that it has."""
        return self.headings[self.columns.index(column)]

    def problems(self) -> Iterable[Problem]:
        """The columns that are missing or there twice."""
        if not any(self.columns):
            yield Problem.of_header(self.number, ProblemKind.NO_HEADER, self.headings)
            return
        if not set(NAMES) & set(self.columns):
            yield Problem.of_header(self.number, ProblemKind.NO_PLAYER_COLUMN, self.headings)
        if not {Column.PLACE, Column.SCORE} & set(self.columns):
            yield Problem.of_header(self.number, ProblemKind.NO_PLACE_COLUMN, self.headings)
        for index, column in enumerate(self.columns):
            if column and (first := self.columns.index(column)) < index:
                kind = ProblemKind.DOUBLE_COLUMN
                yield Problem.of_cell(self.number, kind, self.headings[first], self.headings[index])


def recognised(cells: Sequence[object] | None) -> list[Column | None]:
    """The column that each cell of a header names; none at all for a row that can be no header."""
    if not cells or len(cells) > MOST_COLUMNS:
        return [None for _ in cells or ()]
    headings = [folded(str(cell)) for cell in cells]
    columns = [_COLUMNS.get(heading) for heading in headings]
    if Column.LAST_NAME in columns:
        columns = [
            Column.FIRST_NAME if heading in _GIVEN else column
            for heading, column in zip(headings, columns, strict=True)
        ]
    if Column.PLAYER in columns:
        columns = [None if column in (Column.FIRST_NAME, Column.LAST_NAME) else column for column in columns]
    return columns


def header_index(records: Sequence[Record]) -> int:
    """The row with the most headings, the first of several; titles and empty headings may stand above it."""
    known = [sum(map(bool, recognised(record.cells))) for record in records[:SEARCHED]]
    return known.index(max(known))


def tells_results(records: Sequence[Record]) -> bool:
    """Whether the header of these rows has columns of players and of places or scores."""
    columns = set(recognised(records[header_index(records)].cells)) if records else set()
    return not columns.isdisjoint(NAMES) and not columns.isdisjoint((Column.PLACE, Column.SCORE))
