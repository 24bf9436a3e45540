"""Asking for what must be said, in the transaction that makes it true."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from ratings import club
from ratings.ledger.plans import Move
from ratings.store import outbox

__all__ = ["ask_for", "ask_for_roles"]


def ask_for(
    connection: sa.Connection, guild_id: int, kind: outbox.Kind, game_id: int, now: int, lease: float | None
) -> tuple[outbox.Letter, ...]:
    """Write a letter about a game; with a `lease` (seconds) it is claimed for the caller, who gets it back."""
    if lease is not None:
        return (outbox.enqueue_claimed(connection, guild_id, kind, game_id, now, lease),)
    outbox.enqueue(connection, guild_id, kind, [game_id], now)
    return ()


def ask_for_roles(
    connection: sa.Connection, guild_id: int, moves: Iterable[Move], now: int, others: Iterable[int] = ()
) -> None:
    """Where members wear their rank, have the roles changed of those to whom these moves give another rank, their
    first or none, and of `others`."""
    system = club.settings(connection, guild_id).rank_roles
    if system is None:
        return
    moved = {
        move.player_id
        for move in moves
        if move.system == system and (move.before and move.before.rank) != (move.after and move.after.rank)
    }
    outbox.enqueue_roles(connection, guild_id, sorted(moved.union(others)), now)
