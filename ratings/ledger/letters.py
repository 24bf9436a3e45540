"""Asking for what must be said, in the transaction that makes it true."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store import outbox

__all__ = ["ask_for"]


def ask_for(
    connection: sa.Connection, guild_id: int, kind: outbox.Kind, game_id: int, now: int, lease: float | None
) -> tuple[outbox.Letter, ...]:
    """Write a letter about a game; with a `lease` (seconds) it is claimed for the caller, who gets it back."""
    if lease is not None:
        return (outbox.enqueue_claimed(connection, guild_id, kind, game_id, now, lease),)
    outbox.enqueue(connection, guild_id, kind, [game_id], now)
    return ()
