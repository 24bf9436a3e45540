"""The club's cards of American mahjong: their lines, by year and by what somebody types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ratings.models import Line
from ratings.store.tables import card_lines

__all__ = ["CardLine", "find", "from_row", "line", "lines", "years"]


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of a year's card as the club keeps it."""

    id: int
    year: int
    section: str
    name: str
    line: Line


def line(connection: sa.Connection, guild_id: int, line_id: int) -> CardLine | None:
    """The line with this id, if it is on one of the club's cards."""
    query = sa.select(card_lines).where(card_lines.c.guild_id == guild_id, card_lines.c.id == line_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else from_row(row)


def lines(connection: sa.Connection, guild_id: int, year: int) -> list[CardLine]:
    """A year's card, in its own order."""
    query = sa.select(card_lines).where(card_lines.c.guild_id == guild_id, card_lines.c.year == year)
    return [from_row(row) for row in connection.execute(query.order_by(card_lines.c.position))]


def years(connection: sa.Connection, guild_id: int) -> list[tuple[int, int]]:
    """The years the club has cards of, newest first, and how many lines each has."""
    query = sa.select(card_lines.c.year, sa.func.count().label("lines")).where(card_lines.c.guild_id == guild_id)
    rows = connection.execute(query.group_by(card_lines.c.year).order_by(card_lines.c.year.desc()))
    return [(row.year, row.lines) for row in rows]


def find(
    connection: sa.Connection, guild_id: int, of_years: Sequence[int], typed: str, limit: int
) -> list[CardLine]:
    """Lines of these years' cards in which every word typed occurs: in section, name, points or mark (C, X).

    A line whose whole name was typed comes first.
    """
    words = typed.casefold().replace("·", " ").split()
    found = []
    for each in (each for year in dict.fromkeys(of_years) for each in lines(connection, guild_id, year)):
        mark = "c" if each.line.concealed_only else "x"
        text = f"{each.section} {each.name} {each.line.points} {mark} {each.year}".casefold().replace("·", " ")
        if all(word in text for word in words):
            found.append(each)
    found.sort(key=lambda each: each.name.casefold() != typed.strip().casefold())
    return found[:limit]


def from_row(row: Any) -> CardLine:
    """A row of `card_lines` as a value."""
    value = Line(row.points, bool(row.concealed_only), bool(row.singles_and_pairs), row.multiplier)
    return CardLine(row.id, row.year, row.section, row.name, value)
