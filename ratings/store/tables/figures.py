"""What is derived from the facts; it can be dropped and told anew by a replay."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables.base import Big, Real, Small, Text, by_seat, table

__all__ = ["outcomes", "standings"]

# One row a seat of each game that counts. No foreign keys: whatever is here, the facts can tell it anew.
outcomes = by_seat(
    "outcomes",
    sa.Column("game_id", Big, primary_key=True, autoincrement=False),
    sa.Column("seat", Small, primary_key=True, autoincrement=False),
    sa.Column("player_id", Big, nullable=False),
    sa.Column("place", Small),
    sa.Column("final_points", Big),
    sa.Column("rank_before", Small),
    sa.Column("points_before", Big),
    sa.Column("rating_before", Real),
    sa.Column("games_before", Big),
    sa.Column("rank", Small),
    sa.Column("points", Big),
    sa.Column("rating", Real),
)

standings = table(
    "standings",
    sa.Column("guild_id", Big, sa.ForeignKey("guilds.id"), primary_key=True),
    sa.Column("system", Text, primary_key=True),
    sa.Column("player_id", Big, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("rank", Small, nullable=False),
    sa.Column("points", Big, nullable=False),
    sa.Column("rating", Real, nullable=False),
    sa.Column("games", Big, nullable=False),
)
# A board is read from these alone, but for the lines of its page.
sa.Index(
    "ix_standings_rank",
    standings.c.guild_id,
    standings.c.system,
    standings.c.rank,
    standings.c.points,
    standings.c.player_id,
    standings.c.games,
)
sa.Index(
    "ix_standings_rating",
    standings.c.guild_id,
    standings.c.system,
    standings.c.rating,
    standings.c.player_id,
    standings.c.games,
)
