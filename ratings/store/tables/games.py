"""Games as told, and all that was decided about them. Facts: only ever added to, but for the telling in force."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables.base import Big, Real, Small, Text, by_seat, game, guild, player, table

__all__ = [
    "american_wins",
    "card_lines",
    "corrections",
    "decisions",
    "games",
    "penalties",
    "rejection_reasons",
    "seats",
]

games = table(
    "games",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("number", Big, nullable=False),
    sa.Column("kind", Text, nullable=False),
    sa.Column("state", Text, nullable=False),
    sa.Column("length", Text),
    sa.Column("lobby", Text),
    sa.Column("sticks", Small, nullable=False),
    sa.Column("ranked", Small, nullable=False),
    sa.Column("played_at", Big, nullable=False),
    sa.Column("reported_at", Big, nullable=False),
    player("reported_by"),
    sa.Column("report_channel_id", Big, nullable=False),
    sa.Column("interaction_id", Big, nullable=False),
    sa.Column("fingerprint", Text, nullable=False),
    # The rating system the game belongs to; none for an unranked game.
    sa.Column("system", Text),
    # The decision under which the game counts, and by which games are rated in order; none while it does not.
    sa.Column("approval_id", Big),
    sa.CheckConstraint("state IN ('pending', 'approved', 'rejected', 'voided', 'withdrawn')", name="state"),
    sa.CheckConstraint("ranked IN (0, 1)", name="ranked"),
    sa.CheckConstraint("kind IN ('riichi', 'american')", name="kind"),
    sa.UniqueConstraint("guild_id", "number"),
    sa.UniqueConstraint("guild_id", "interaction_id"),
    sa.Index(None, "guild_id", "fingerprint"),
    sa.Index(None, "guild_id", "system", "approval_id"),
)
sa.Index(
    "ix_games_pending",
    games.c.guild_id,
    games.c.number,
    sqlite_where=games.c.state == "pending",
    postgresql_where=games.c.state == "pending",
)

sa.Index(
    "ix_games_undone",
    games.c.guild_id,
    games.c.state,
    games.c.number,
    sqlite_where=games.c.state != "approved",
    postgresql_where=games.c.state != "approved",
)

seats = by_seat(
    "seats",
    game(primary_key=True),
    sa.Column("seat", Small, primary_key=True),
    player(),
    sa.Column("score", Big),
    # Chips won or lost (shuugi), where the club plays for them.
    sa.Column("chips", Small),
    sa.UniqueConstraint("game_id", "player_id"),
    sa.Index(None, "player_id", "game_id"),
)

card_lines = table(
    "card_lines",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("year", Small, nullable=False),
    sa.Column("position", Small, nullable=False),
    sa.Column("section", Text, nullable=False),
    sa.Column("multiplier", Real, nullable=False),
    sa.Column("name", Text, nullable=False),
    sa.Column("points", Small, nullable=False),
    sa.Column("concealed_only", Small, nullable=False),
    sa.Column("singles_and_pairs", Small, nullable=False),
    sa.UniqueConstraint("guild_id", "year", "section", "name"),
)

american_wins = table(
    "american_wins",
    game(primary_key=True),
    player("winner_id"),
    sa.Column("line_id", Big, sa.ForeignKey("card_lines.id"), nullable=False),
    sa.Column("won_by", Text, nullable=False),
    sa.Column("discarder_id", Big, sa.ForeignKey("players.id")),
    sa.Column("used_jokers", Small, nullable=False),
    sa.Column("concealed", Small, nullable=False),
    sa.Index(None, "winner_id"),
    sa.Index(None, "discarder_id"),
    sa.Index(None, "line_id"),
)

penalties = table(
    "penalties",
    sa.Column("id", Big, primary_key=True),
    guild(),
    game(),
    player(),
    sa.Column("offence", Text, nullable=False),
    player("added_by"),
    sa.Column("added_at", Big, nullable=False),
    sa.Column("removed_by", Big, sa.ForeignKey("players.id")),
    sa.Column("removed_at", Big),
    sa.Index(None, "game_id"),
)

decisions = table(
    "decisions",
    sa.Column("id", Big, primary_key=True),
    guild(),
    game(),
    sa.Column("verdict", Text, nullable=False),
    player("decided_by"),
    sa.Column("decided_at", Big, nullable=False),
    sa.Column("settings_version", Big, nullable=False),
    sa.Index(None, "game_id"),
    sa.Index(None, "guild_id", "id"),
)

rejection_reasons = table(
    "rejection_reasons",
    sa.Column("id", Big, primary_key=True),
    guild(),
    game(),
    sa.Column("reason", Text, nullable=False),
    player("given_by"),
    sa.Column("given_at", Big, nullable=False),
    sa.Index(None, "game_id"),
)

corrections = table(
    "corrections",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("kind", Text, nullable=False),
    sa.Column("game_id", Big, sa.ForeignKey("games.id")),
    sa.Column("player_id", Big, sa.ForeignKey("players.id")),
    sa.Column("into_id", Big, sa.ForeignKey("players.id")),
    player("corrected_by"),
    sa.Column("corrected_at", Big, nullable=False),
    sa.Column("reason", Text),
    # JSON: a game as it was told and as it is told now; the records that a merge took along.
    sa.Column("before", Text),
    sa.Column("after", Text),
    # JSON: whose rank it changed, as the club was told.
    sa.Column("rank_moves", Text, nullable=False),
    sa.Index(None, "game_id"),
    sa.Index(None, "player_id"),
    sa.Index(None, "guild_id", "id"),
)
