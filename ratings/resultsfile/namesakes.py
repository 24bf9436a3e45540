"""Players of one name in a results file: whether they are two, and what replacement players are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ratings.resultsfile.values import LONGEST_TEXT, ResultRow
from ratings.tournaments.names import key_of

__all__ = ["Bearer", "are_two", "numbered"]


class Bearer(NamedTuple):
    """What a row tells of somebody beside his name."""

    row: int
    ema_number: str | None
    discord: str | None
    replacement: bool


def are_two(one: Bearer, other: Bearer) -> bool:
    """Whether two rows of one name are two people: their EMA numbers or Discord members differ.

    Replacement players may go by what they are, so several of them may have one name.
    """
    return (
        (one.replacement and other.replacement)
        or _differ(one.ema_number, other.ema_number)
        or _differ(_member(one), _member(other))
    )


def _differ(one: str | None, other: str | None) -> bool:
    return None not in (one, other) and one != other


def _member(bearer: Bearer) -> str | None:
    """A member in short, whether the row mentions him or tells his id or name."""
    return None if bearer.discord is None else key_of(bearer.discord.strip("<@!>"))


def numbered(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows, in which replacement players whom nothing tells apart are called Замена, Замена 2, Замена 3 ..."""
    taken = {key_of(row.player) for row in rows}
    bearers = Counter(key_of(row.player) for row in rows if not _is_nameless(row))
    return [_renamed(row, taken, bearers) if _is_nameless(row) else row for row in rows]


def _renamed(row: ResultRow, taken: set[str], bearers: Counter[str]) -> ResultRow:
    key, name = key_of(row.player), row.player
    if not bearers[key]:
        bearers[key] = 1
        return row
    while key_of(name) in taken:
        bearers[key] += 1
        ending = f" {bearers[key]}"
        name = row.player[: LONGEST_TEXT - len(ending)] + ending
    taken.add(key_of(name))
    return replace(row, player=name)


def _is_nameless(row: ResultRow) -> bool:
    return row.replacement and row.ema_number is None and row.discord is None
