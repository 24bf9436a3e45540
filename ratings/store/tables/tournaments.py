"""Tournaments and what was done to them."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables.base import Big, Small, Text, guild, metadata, player, player_key, table

__all__ = ["ranking_days", "tournament_changes", "tournament_results", "tournaments"]

tournaments = table(
    "tournaments",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("number", Big, nullable=False),
    sa.Column("name", Text, nullable=False),
    # Days as YYYY-MM-DD.
    sa.Column("first_day", Text),
    sa.Column("last_day", Text, nullable=False),
    sa.Column("hanchan", Small),
    sa.Column("participants", Small, nullable=False),
    sa.Column("country", Text, nullable=False),
    sa.Column("online", Small, nullable=False),
    sa.Column("accredited", Small, nullable=False),
    sa.Column("open_share", Small),
    sa.Column("ema", Small, nullable=False),
    # JSON: participants and hanchan of each stage.
    sa.Column("stages", Text, nullable=False),
    sa.Column("removed", Small, nullable=False),
    sa.UniqueConstraint("guild_id", "number"),
    sa.Index(None, "guild_id", "last_day"),
)

tournament_results = sa.Table(
    "tournament_results",
    metadata,
    sa.Column("tournament_id", Big, sa.ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    player_key(),
    sa.Column("place", Small, nullable=False),
    sa.Column("replacement", Small, nullable=False),
    sa.Column("score", Text),
    sa.Column("games", Small),
    sa.Index(None, "player_id"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

tournament_changes = table(
    "tournament_changes",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("tournament_id", Big, sa.ForeignKey("tournaments.id"), nullable=False),
    sa.Column("kind", Text, nullable=False),
    player("changed_by"),
    sa.Column("changed_at", Big, nullable=False),
    sa.Column("reason", Text),
    # JSON: the tournament with its results, before and after; nothing before the first change.
    sa.Column("before", Text),
    sa.Column("after", Text, nullable=False),
    # Its last day as told after the change, so that old tournaments need not be read.
    sa.Column("last_day", Text, nullable=False),
    # The change that this one takes back.
    sa.Column("undoes", Big),
    # Discord's id of the command: the same command delivered twice is done once.
    sa.Column("interaction_id", Big),
    sa.UniqueConstraint("guild_id", "interaction_id"),
    sa.Index(None, "tournament_id", "id"),
    sa.Index(None, "guild_id", "id"),
)

# The days on which a club was told how its rankings moved, and since when.
ranking_days = table(
    "ranking_days",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("day", Text, nullable=False),
    sa.Column("since_day", Text, nullable=False),
    sa.Column("since_change", Big, nullable=False),
    sa.Column("until_change", Big, nullable=False),
    sa.UniqueConstraint("guild_id", "day"),
)
