"""Writing the club's card of American mahjong: a year is imported whole, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from ratings import cardfile, club
from ratings.models import GameState, Refusal, Refused
from ratings.queries import cards
from ratings.store import outbox
from ratings.store.tables import american_wins, card_lines, games

__all__ = ["import_card"]


def import_card(
    connection: sa.Connection, guild_id: int, lines: Sequence[cardfile.CardLine], now: int
) -> dict[int, int]:
    """Write cards into the club, each year in place of an earlier one of that year.

    Returns how many lines each year has now. Raises Refused (CARD_IN_USE) if the file changes a line that an
    approved game depends on, or drops one that any report names; its `lines` names them all (year, section, name),
    and nothing is written.
    """
    club.lock(connection, guild_id, now)
    counts: dict[int, int] = {}
    conflicts: list[tuple[int, str, str]] = []
    for year in sorted({line.year for line in lines}):
        ours = [line for line in lines if line.year == year]
        conflicts += _write_year(connection, guild_id, year, ours, now)
        counts[year] = len(ours)
    if conflicts:
        raise Refused(Refusal.CARD_IN_USE, lines=conflicts)
    return counts


def _write_year(
    connection: sa.Connection, guild_id: int, year: int, wanted: Sequence[cardfile.CardLine], now: int
) -> list[tuple[int, str, str]]:
    """Write a year and have the cards of undecided hands on changed lines drawn anew.

    The answer names the lines (year, section, name) that games do not allow to be changed or dropped; then the
    caller must give up.
    """
    dropped = {_key(line.section, line.name): line for line in cards.lines(connection, guild_id, year)}
    hands = _hands(connection, guild_id, year)
    conflicts: list[tuple[int, str, str]] = []
    fresh: list[dict[str, int | float | str]] = []
    kept: list[dict[str, int | float | str]] = []
    stale: list[int] = []
    for position, line in enumerate(wanted):
        values = _values(line, position)
        old = dropped.pop(_key(line.section, line.name), None)
        if old is None:
            fresh.append({"guild_id": guild_id, **values})
            continue
        kept.append({"line_id": old.id, **values})
        if _differs(old, line):
            stale += [hand.game_id for hand in hands.get(old.id, ()) if hand.state == GameState.PENDING]
            if any(_holds(hand, line) for hand in hands.get(old.id, ())):
                conflicts.append((year, old.section, old.name))
    conflicts += [(year, old.section, old.name) for old in dropped.values() if old.id in hands]
    if conflicts:
        return conflicts
    if dropped:
        gone = [old.id for old in dropped.values()]
        connection.execute(sa.delete(card_lines).where(card_lines.c.id.in_(gone)))
    if kept:
        connection.execute(sa.update(card_lines).where(card_lines.c.id == sa.bindparam("line_id")), kept)
    if fresh:
        connection.execute(sa.insert(card_lines), fresh)
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, stale, now)
    return []


def _hands(connection: sa.Connection, guild_id: int, year: int) -> dict[int, list[Any]]:
    """The reported hands that name a line of the year's card, by line."""
    query = (
        sa.select(american_wins.c.game_id, games.c.state, american_wins.c.used_jokers, american_wins.c.line_id)
        .join(card_lines, card_lines.c.id == american_wins.c.line_id)
        .join(games, games.c.id == american_wins.c.game_id)
        .where(card_lines.c.guild_id == guild_id, card_lines.c.year == year)
    )
    hands: dict[int, list[Any]] = {}
    for row in connection.execute(query):
        hands.setdefault(row.line_id, []).append(row)
    return hands


def _holds(hand: Any, line: cardfile.CardLine) -> bool:
    """Whether a hand forbids its line to become this: ratings rest on it, or it would never have been taken."""
    if hand.state == GameState.APPROVED:
        return True
    return bool(hand.state == GameState.PENDING and hand.used_jokers and line.singles_and_pairs)


def _key(section: str, name: str) -> tuple[str, str]:
    """What makes two lines the same line, whatever their capitals."""
    return section.casefold(), name.casefold()


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
