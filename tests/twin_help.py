"""Which game a report seems to repeat."""

from __future__ import annotations

from ratings.queries.games import GameRecord

__all__ = ["repeats"]


def repeats(game: GameRecord) -> int | None:
    """The number of the game that tells the same; None where none does."""
    return None if game.twin is None else game.twin.number
