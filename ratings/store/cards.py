"""Which message is the card of which game."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.models import GameState
from ratings.store import outbox
from ratings.store.tables import cards, games
from ratings.store.upsert import upsert

__all__ = ["hang", "take_down"]


def hang(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    channel_id: int,
    message_id: int,
    *,
    stale: bool = False,
) -> None:
    """Remember the message that shows a game, in place of an earlier one. A `stale` one shows another game."""
    row = {"game_id": game_id, "guild_id": guild_id, "channel_id": channel_id, "message_id": message_id}
    row["stale"] = int(stale)
    upsert(connection, cards, [row])


def take_down(connection: sa.Connection, guild_id: int, message_id: int, now: int) -> bool:
    """A card's message is gone. An undecided game gets a new one; True if this was such a card."""
    game_id = connection.execute(
        sa.delete(cards)
        .where(cards.c.guild_id == guild_id, cards.c.message_id == message_id)
        .returning(cards.c.game_id)
    ).scalar()
    if game_id is None:
        return False
    state = connection.execute(sa.select(games.c.state).where(games.c.id == game_id)).scalar_one()
    if state != GameState.PENDING:
        return False
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game_id], now)
    return True
