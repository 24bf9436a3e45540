"""Clubs and their people: guilds, records of players, the names they go by, settings."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables.base import Big, Text, guild, player, table

__all__ = ["guilds", "player_aliases", "players", "settings_changes"]

guilds = table(
    "guilds",
    sa.Column("id", Big, primary_key=True, autoincrement=False),
    sa.Column("joined_at", Big, nullable=False),
)

players = table(
    "players",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("discord_id", Big),
    sa.Column("name", Text, nullable=False),
    # The record of the same person under which everything of this one counts.
    sa.Column("merged_into", Big, sa.ForeignKey("players.id")),
    sa.Column("forgotten_at", Big),
    # What tournaments ask of a player: the country (ISO 3166 alpha-2), the one he is taken to be from as long as
    # nobody tells, and the EMA number.
    sa.Column("country", Text),
    sa.Column("assumed_country", Text),
    sa.Column("ema_number", Text),
    sa.UniqueConstraint("guild_id", "discord_id"),
    sa.Index(None, "merged_into"),
)

settings_changes = table(
    "settings_changes",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("name", Text, nullable=False),
    sa.Column("value", Text, nullable=False),
    player("changed_by"),
    sa.Column("changed_at", Big, nullable=False),
    sa.Index(None, "guild_id", "id"),
)

player_aliases = table(
    "player_aliases",
    sa.Column("id", Big, primary_key=True),
    guild(),
    player(),
    sa.Column("name", Text, nullable=False),
    # The name as it is looked up: without differences of letter case, spaces and ё.
    sa.Column("key", Text, nullable=False),
    sa.UniqueConstraint("guild_id", "key"),
    sa.Index(None, "player_id"),
)
