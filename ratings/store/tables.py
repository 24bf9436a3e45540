"""The tables. Facts are only ever added to; derived tables can be dropped and rebuilt from them.

Times are whole seconds since 1970 UTC. SQLite keeps the tables STRICT, so types are the four it knows.
"""

from __future__ import annotations

import sqlalchemy as sa

__all__ = [
    "american_wins",
    "card_lines",
    "cards",
    "changes",
    "decisions",
    "games",
    "guilds",
    "memos",
    "metadata",
    "outbox",
    "penalties",
    "placements",
    "players",
    "rejection_reasons",
    "seats",
    "settings_changes",
    "standings",
]

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Small = sa.Integer()
Real: sa.types.TypeEngine[float] = sa.Double().with_variant(sa.REAL(), "sqlite")
Text = sa.Text()


def _table(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    # An id is never given out twice, also after rows were deleted: somebody may still hold the old one.
    keyed = any(isinstance(column, sa.Column) and column.name == "id" for column in columns) and name != "guilds"
    return sa.Table(name, metadata, *columns, sqlite_strict=True, sqlite_autoincrement=keyed)


def _guild() -> sa.Column[int]:
    return sa.Column("guild_id", Big, sa.ForeignKey("guilds.id"), nullable=False)


def _player(name: str = "player_id") -> sa.Column[int]:
    return sa.Column(name, Big, sa.ForeignKey("players.id"), nullable=False)


def _game(*, primary_key: bool = False) -> sa.Column[int]:
    return sa.Column("game_id", Big, sa.ForeignKey("games.id"), primary_key=primary_key, nullable=False)


# ---- facts ---------------------------------------------------------------------------------------------

guilds = _table(
    "guilds",
    sa.Column("id", Big, primary_key=True, autoincrement=False),
    sa.Column("joined_at", Big, nullable=False),
)

players = _table(
    "players",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    sa.Column("discord_id", Big),
    sa.Column("name", Text, nullable=False),
    sa.UniqueConstraint("guild_id", "discord_id"),
)

settings_changes = _table(
    "settings_changes",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    sa.Column("name", Text, nullable=False),
    sa.Column("value", Text, nullable=False),
    _player("changed_by"),
    sa.Column("changed_at", Big, nullable=False),
    sa.Index(None, "guild_id", "id"),
)

games = _table(
    "games",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    sa.Column("number", Big, nullable=False),
    sa.Column("kind", Text, nullable=False),
    sa.Column("state", Text, nullable=False),
    sa.Column("length", Text),
    sa.Column("lobby", Text),
    sa.Column("sticks", Small, nullable=False),
    sa.Column("ranked", Small, nullable=False),
    sa.Column("played_at", Big, nullable=False),
    sa.Column("reported_at", Big, nullable=False),
    _player("reported_by"),
    sa.Column("report_channel_id", Big, nullable=False),
    sa.Column("interaction_id", Big, nullable=False),
    sa.Column("fingerprint", Text, nullable=False),
    sa.Column("duplicate_of", Big, sa.ForeignKey("games.id")),
    sa.CheckConstraint("state IN ('pending', 'approved', 'rejected')", name="state"),
    sa.CheckConstraint("ranked IN (0, 1)", name="ranked"),
    sa.CheckConstraint("kind IN ('riichi', 'american')", name="kind"),
    sa.UniqueConstraint("guild_id", "number"),
    sa.UniqueConstraint("guild_id", "interaction_id"),
    sa.Index(None, "guild_id", "fingerprint"),
)
sa.Index(
    "ix_games_pending",
    games.c.guild_id,
    games.c.number,
    sqlite_where=games.c.state == "pending",
    postgresql_where=games.c.state == "pending",
)

seats = _table(
    "seats",
    _game(primary_key=True),
    sa.Column("seat", Small, primary_key=True),
    _player(),
    sa.Column("score", Big),
    sa.UniqueConstraint("game_id", "player_id"),
    sa.Index(None, "player_id", "game_id"),
)

card_lines = _table(
    "card_lines",
    sa.Column("id", Big, primary_key=True),
    _guild(),
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

american_wins = _table(
    "american_wins",
    _game(primary_key=True),
    _player("winner_id"),
    sa.Column("line_id", Big, sa.ForeignKey("card_lines.id"), nullable=False),
    sa.Column("won_by", Text, nullable=False),
    sa.Column("discarder_id", Big, sa.ForeignKey("players.id")),
    sa.Column("used_jokers", Small, nullable=False),
    sa.Column("concealed", Small, nullable=False),
    sa.Index(None, "winner_id"),
    sa.Index(None, "discarder_id"),
    sa.Index(None, "line_id"),
)

penalties = _table(
    "penalties",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    _game(),
    _player(),
    sa.Column("offence", Text, nullable=False),
    _player("added_by"),
    sa.Column("added_at", Big, nullable=False),
    sa.Column("removed_by", Big, sa.ForeignKey("players.id")),
    sa.Column("removed_at", Big),
    sa.Index(None, "game_id"),
)

decisions = _table(
    "decisions",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    _game(),
    sa.Column("verdict", Text, nullable=False),
    _player("decided_by"),
    sa.Column("decided_at", Big, nullable=False),
    sa.Column("settings_version", Big, nullable=False),
    sa.Index(None, "game_id"),
    sa.Index(None, "guild_id", "id"),
)

rejection_reasons = _table(
    "rejection_reasons",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    _game(),
    sa.Column("reason", Text, nullable=False),
    _player("given_by"),
    sa.Column("given_at", Big, nullable=False),
    sa.Index(None, "game_id"),
)

# ---- derived from the facts ----------------------------------------------------------------------------

placements = _table(
    "placements",
    _game(primary_key=True),
    _player(),
    sa.Column("seat", Small, primary_key=True),
    sa.Column("place", Small, nullable=False),
    sa.Column("final_points", Big, nullable=False),
    sa.Index(None, "player_id", "game_id"),
)

changes = _table(
    "changes",
    _game(primary_key=True),
    sa.Column("system", Text, primary_key=True),
    sa.Column("player_id", Big, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("decision_id", Big, sa.ForeignKey("decisions.id"), nullable=False),
    sa.Column("games_before", Big, nullable=False),
    sa.Column("rank_before", Small, nullable=False),
    sa.Column("rank", Small, nullable=False),
    sa.Column("points_before", Big, nullable=False),
    sa.Column("points", Big, nullable=False),
    sa.Column("rating_before", Real, nullable=False),
    sa.Column("rating", Real, nullable=False),
    sa.Index(None, "player_id", "system", "decision_id"),
)

standings = _table(
    "standings",
    sa.Column("guild_id", Big, sa.ForeignKey("guilds.id"), primary_key=True),
    sa.Column("system", Text, primary_key=True),
    sa.Column("player_id", Big, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("rank", Small, nullable=False),
    sa.Column("points", Big, nullable=False),
    sa.Column("rating", Real, nullable=False),
    sa.Column("games", Big, nullable=False),
)
sa.Index("ix_standings_rank", standings.c.guild_id, standings.c.system, standings.c.rank, standings.c.points)
sa.Index("ix_standings_rating", standings.c.guild_id, standings.c.system, standings.c.rating)

# ---- what is to be said --------------------------------------------------------------------------------

outbox = _table(
    "outbox",
    sa.Column("id", Big, primary_key=True),
    _guild(),
    sa.Column("kind", Text, nullable=False),
    _game(),
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

cards = _table(
    "cards",
    _game(primary_key=True),
    _guild(),
    sa.Column("channel_id", Big, nullable=False),
    sa.Column("message_id", Big, nullable=False),
    sa.UniqueConstraint("guild_id", "message_id"),
)

memos = _table(
    "memos",
    sa.Column("name", Text, primary_key=True),
    sa.Column("value", Text, nullable=False),
)
