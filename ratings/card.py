"""Writing the club's card of American mahjong: a year is imported whole, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from ratings import cardfile, club
from ratings.models import GameState, Refusal, Refused
from ratings.queries import cards
from ratings.store.tables import american_wins, card_lines, games

__all__ = ["import_card"]


def import_card(
    connection: sa.Connection, guild_id: int, lines: Sequence[cardfile.CardLine], now: int
) -> dict[int, int]:
    """Write cards into the club, each year in place of an earlier one of that year.

    Returns how many lines each year has now. Raises Refused (CARD_IN_USE) if the file changes a line that an
    approved game depends on, or drops one that any report names; then nothing is written.
    """
    club.lock(connection, guild_id, now)
    counts: dict[int, int] = {}
    for year in sorted({line.year for line in lines}):
        ours = [line for line in lines if line.year == year]
        _write_year(connection, guild_id, year, ours)
        counts[year] = len(ours)
    return counts


def _write_year(connection: sa.Connection, guild_id: int, year: int, wanted: Sequence[cardfile.CardLine]) -> None:
    dropped = {(line.section, line.name): line for line in cards.lines(connection, guild_id, year)}
    reported, approved = _in_games(connection, guild_id, year)
    fresh: list[dict[str, int | float | str]] = []
    kept: list[dict[str, int | float | str]] = []
    for position, line in enumerate(wanted):
        values = _values(line, position)
        old = dropped.pop((line.section, line.name), None)
        if old is None:
            fresh.append({"guild_id": guild_id, **values})
            continue
        if old.id in approved and _differs(old, line):
            raise Refused(Refusal.CARD_IN_USE, year=year, line=old.name, section=old.section)
        kept.append({"line_id": old.id, **values})
    for old in dropped.values():
        if old.id in reported:
            raise Refused(Refusal.CARD_IN_USE, year=year, line=old.name, section=old.section)
    if dropped:
        gone = [old.id for old in dropped.values()]
        connection.execute(sa.delete(card_lines).where(card_lines.c.id.in_(gone)))
    if kept:
        connection.execute(sa.update(card_lines).where(card_lines.c.id == sa.bindparam("line_id")), kept)
    if fresh:
        connection.execute(sa.insert(card_lines), fresh)


def _in_games(connection: sa.Connection, guild_id: int, year: int) -> tuple[set[int], set[int]]:
    """The lines that reported hands name, which must stay, and of those the ones that ratings rest on."""
    query = (
        sa.select(american_wins.c.line_id, games.c.state)
        .join(card_lines, card_lines.c.id == american_wins.c.line_id)
        .join(games, games.c.id == american_wins.c.game_id)
        .where(card_lines.c.guild_id == guild_id, card_lines.c.year == year)
    )
    rows = connection.execute(query.distinct()).all()
    return {row.line_id for row in rows}, {row.line_id for row in rows if row.state == GameState.APPROVED}


def _values(line: cardfile.CardLine, position: int) -> dict[str, int | float | str]:
    return {
        "year": line.year,
        "position": position,
        "section": line.section,
        "multiplier": line.multiplier,
        "name": line.name,
        "points": line.points,
        "concealed_only": int(line.concealed_only),
        "singles_and_pairs": int(line.singles_and_pairs),
    }


def _differs(old: cards.CardLine, new: cardfile.CardLine) -> bool:
    value = old.line
    return (value.points, value.concealed_only, value.singles_and_pairs, value.section_multiplier) != (
        new.points,
        new.concealed_only,
        new.singles_and_pairs,
        new.multiplier,
    )
