"""What is to be said, where cards hang, and small notes of the program."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables.base import Big, Real, Small, Text, game, guild, table

__all__ = ["cards", "memos", "outbox"]

outbox = table(
    "outbox",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("kind", Text, nullable=False),
    # What the letter is about: a game, a correction, a player, a day of the rankings, or a claim.
    sa.Column("game_id", Big, sa.ForeignKey("games.id")),
    sa.Column("correction_id", Big, sa.ForeignKey("corrections.id")),
    sa.Column("player_id", Big, sa.ForeignKey("players.id")),
    sa.Column("ranking_day_id", Big, sa.ForeignKey("ranking_days.id")),
    sa.Column("claim_id", Big, sa.ForeignKey("account_claims.id")),
    sa.Column("created_at", Big, nullable=False),
    sa.Column("due_at", Real, nullable=False),
    sa.Column("attempts", Small, nullable=False),
    sa.Column("done_at", Big),
    sa.Column("error", Text),
)
sa.Index(
    "ix_outbox_open",
    outbox.c.due_at,
    sqlite_where=outbox.c.done_at.is_(None),
    postgresql_where=outbox.c.done_at.is_(None),
)

cards = table(
    "cards",
    game(primary_key=True),
    guild(),
    sa.Column("channel_id", Big, nullable=False),
    sa.Column("message_id", Big, nullable=False),
    # The game has been told anew since: reactions to this message are not meant for it.
    sa.Column("stale", Small, nullable=False, server_default="0"),
    sa.UniqueConstraint("guild_id", "message_id"),
)

memos = table(
    "memos",
    sa.Column("name", Text, primary_key=True),
    sa.Column("value", Text, nullable=False),
)
