"""Tournaments, and what was done to them and to their players."""

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

# What was done to a tournament or to a player's record: in one numbering, which names the moments of the rankings.
tournament_changes = table(
    "tournament_changes",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("tournament_id", Big, sa.ForeignKey("tournaments.id")),
    sa.Column("player_id", Big, sa.ForeignKey("players.id")),
    sa.Column("kind", Text, nullable=False),
    player("changed_by"),
    sa.Column("changed_at", Big, nullable=False),
    sa.Column("reason", Text),
    # JSON: the tournament with its results, before and after; nothing before the first change.
    sa.Column("before", Text),
    sa.Column("after", Text),
    # Its last day as told after the change, so that old tournaments need not be read.
    sa.Column("last_day", Text),
    # JSON, by fact that is told of the player: as it was shown before and after, and what the record said before.
    sa.Column("facts", Text),
    # The change that this one was made with, if one command changed several records of a person.
    sa.Column("part_of", Big, sa.ForeignKey("tournament_changes.id")),
    # The change that this one takes back.
    sa.Column("undoes", Big),
    # Discord's id of the command: the same command delivered twice is done once.
    sa.Column("interaction_id", Big),
    sa.UniqueConstraint("guild_id", "interaction_id"),
    sa.CheckConstraint(
        "CASE WHEN player_id IS NULL THEN tournament_id IS NOT NULL AND after IS NOT NULL "
        "AND last_day IS NOT NULL ELSE tournament_id IS NULL AND facts IS NOT NULL END",
        name="about",
    ),
    sa.Index(None, "tournament_id", "id"),
    sa.Index(None, "player_id", "id"),
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
