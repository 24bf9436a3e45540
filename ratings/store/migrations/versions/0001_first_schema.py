"""The first schema: guilds, people, settings, games and decisions; figures, outbox and cards.

Revision: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REAL: sa.types.TypeEngine[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "guilds",
        sa.Column("id", BIG, autoincrement=False, nullable=False),
        sa.Column("joined_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_guilds"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_table(
        "memos",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_memos"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_table(
        "card_lines",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("multiplier", REAL, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("concealed_only", sa.Integer(), nullable=False),
        sa.Column("singles_and_pairs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_card_lines_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_card_lines"),
        sa.UniqueConstraint(
            "guild_id", "year", "section", "name", name="uq_card_lines_guild_id_year_section_name"
        ),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "players",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("discord_id", BIG, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_players_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("guild_id", "discord_id", name="uq_players_guild_id_discord_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "games",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("length", sa.Text(), nullable=True),
        sa.Column("lobby", sa.Text(), nullable=True),
        sa.Column("sticks", sa.Integer(), nullable=False),
        sa.Column("ranked", sa.Integer(), nullable=False),
        sa.Column("played_at", BIG, nullable=False),
        sa.Column("reported_at", BIG, nullable=False),
        sa.Column("reported_by", BIG, nullable=False),
        sa.Column("report_channel_id", BIG, nullable=False),
        sa.Column("interaction_id", BIG, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("duplicate_of", BIG, nullable=True),
        sa.CheckConstraint("kind IN ('riichi', 'american')", name="ck_games_kind"),
        sa.CheckConstraint("state IN ('pending', 'approved', 'rejected')", name="ck_games_state"),
        sa.CheckConstraint("ranked IN (0, 1)", name="ck_games_ranked"),
        sa.ForeignKeyConstraint(["duplicate_of"], ["games.id"], name="fk_games_duplicate_of"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_games_guild_id"),
        sa.ForeignKeyConstraint(["reported_by"], ["players.id"], name="fk_games_reported_by"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("guild_id", "interaction_id", name="uq_games_guild_id_interaction_id"),
        sa.UniqueConstraint("guild_id", "number", name="uq_games_guild_id_number"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_games_guild_id_fingerprint", "games", ["guild_id", "fingerprint"], unique=False)
    op.create_index(
        "ix_games_pending",
        "games",
        ["guild_id", "number"],
        unique=False,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_table(
        "settings_changes",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("changed_by", BIG, nullable=False),
        sa.Column("changed_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["changed_by"], ["players.id"], name="fk_settings_changes_changed_by"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_settings_changes_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_settings_changes"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_settings_changes_guild_id_id", "settings_changes", ["guild_id", "id"], unique=False)
    op.create_table(
        "standings",
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("points", BIG, nullable=False),
        sa.Column("rating", REAL, nullable=False),
        sa.Column("games", BIG, nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_standings_guild_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_standings_player_id"),
        sa.PrimaryKeyConstraint("guild_id", "system", "player_id", name="pk_standings"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_index("ix_standings_rank", "standings", ["guild_id", "system", "rank", "points"], unique=False)
    op.create_index("ix_standings_rating", "standings", ["guild_id", "system", "rating"], unique=False)
    op.create_table(
        "american_wins",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("winner_id", BIG, nullable=False),
        sa.Column("line_id", BIG, nullable=False),
        sa.Column("won_by", sa.Text(), nullable=False),
        sa.Column("discarder_id", BIG, nullable=True),
        sa.Column("used_jokers", sa.Integer(), nullable=False),
        sa.Column("concealed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["discarder_id"], ["players.id"], name="fk_american_wins_discarder_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_american_wins_game_id"),
        sa.ForeignKeyConstraint(["line_id"], ["card_lines.id"], name="fk_american_wins_line_id"),
        sa.ForeignKeyConstraint(["winner_id"], ["players.id"], name="fk_american_wins_winner_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_american_wins"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_index("ix_american_wins_discarder_id", "american_wins", ["discarder_id"], unique=False)
    op.create_index("ix_american_wins_line_id", "american_wins", ["line_id"], unique=False)
    op.create_index("ix_american_wins_winner_id", "american_wins", ["winner_id"], unique=False)
    op.create_table(
        "cards",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("channel_id", BIG, nullable=False),
        sa.Column("message_id", BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_cards_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_cards_guild_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_cards"),
        sa.UniqueConstraint("guild_id", "message_id", name="uq_cards_guild_id_message_id"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_table(
        "decisions",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("decided_by", BIG, nullable=False),
        sa.Column("decided_at", BIG, nullable=False),
        sa.Column("settings_version", BIG, nullable=False),
        sa.ForeignKeyConstraint(["decided_by"], ["players.id"], name="fk_decisions_decided_by"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_decisions_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_decisions_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_decisions_game_id", "decisions", ["game_id"], unique=False)
    op.create_index("ix_decisions_guild_id_id", "decisions", ["guild_id", "id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("due_at", REAL, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", BIG, nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_outbox_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index(
        "ix_outbox_open",
        "outbox",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_table(
        "penalties",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("offence", sa.Text(), nullable=False),
        sa.Column("added_by", BIG, nullable=False),
        sa.Column("added_at", BIG, nullable=False),
        sa.Column("removed_by", BIG, nullable=True),
        sa.Column("removed_at", BIG, nullable=True),
        sa.ForeignKeyConstraint(["added_by"], ["players.id"], name="fk_penalties_added_by"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_penalties_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_penalties_guild_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_penalties_player_id"),
        sa.ForeignKeyConstraint(["removed_by"], ["players.id"], name="fk_penalties_removed_by"),
        sa.PrimaryKeyConstraint("id", name="pk_penalties"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_penalties_game_id", "penalties", ["game_id"], unique=False)
    op.create_table(
        "placements",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("final_points", BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_placements_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_placements_player_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_placements"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_index("ix_placements_player_id_game_id", "placements", ["player_id", "game_id"], unique=False)
    op.create_table(
        "rejection_reasons",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("given_by", BIG, nullable=False),
        sa.Column("given_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rejection_reasons_game_id"),
        sa.ForeignKeyConstraint(["given_by"], ["players.id"], name="fk_rejection_reasons_given_by"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_rejection_reasons_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rejection_reasons"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_rejection_reasons_game_id", "rejection_reasons", ["game_id"], unique=False)
    op.create_table(
        "seats",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("score", BIG, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("game_id", "player_id", name="uq_seats_game_id_player_id"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_index("ix_seats_player_id_game_id", "seats", ["player_id", "game_id"], unique=False)
    op.create_table(
        "changes",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("decision_id", BIG, nullable=False),
        sa.Column("games_before", BIG, nullable=False),
        sa.Column("rank_before", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("points_before", BIG, nullable=False),
        sa.Column("points", BIG, nullable=False),
        sa.Column("rating_before", REAL, nullable=False),
        sa.Column("rating", REAL, nullable=False),
        sa.ForeignKeyConstraint(["decision_id"], ["decisions.id"], name="fk_changes_decision_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_changes_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_changes_player_id"),
        sa.PrimaryKeyConstraint("game_id", "system", "player_id", name="pk_changes"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_index(
        "ix_changes_player_id_system_decision_id", "changes", ["player_id", "system", "decision_id"], unique=False
    )
