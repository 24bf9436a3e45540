"""Tournaments: results, what was changed about them, the names players go by, and the days the rankings moved.

Revision: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for name in ("country", "assumed_country", "ema_number"):
        op.add_column("players", sa.Column(name, sa.Text()))
    op.create_table(
        "player_aliases",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_player_aliases_guild_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_player_aliases_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_player_aliases"),
        sa.UniqueConstraint("guild_id", "key", name="uq_player_aliases_guild_id_key"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_player_aliases_player_id", "player_aliases", ["player_id"], unique=False)
    op.create_table(
        "tournaments",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("first_day", sa.Text(), nullable=True),
        sa.Column("last_day", sa.Text(), nullable=False),
        sa.Column("hanchan", sa.Integer(), nullable=True),
        sa.Column("participants", sa.Integer(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("online", sa.Integer(), nullable=False),
        sa.Column("accredited", sa.Integer(), nullable=False),
        sa.Column("open_share", sa.Integer(), nullable=True),
        sa.Column("ema", sa.Integer(), nullable=False),
        sa.Column("stages", sa.Text(), nullable=False),
        sa.Column("removed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_tournaments_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("guild_id", "number", name="uq_tournaments_guild_id_number"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_tournaments_guild_id_last_day", "tournaments", ["guild_id", "last_day"], unique=False)
    op.create_table(
        "tournament_results",
        sa.Column("tournament_id", BIG, autoincrement=False, nullable=False),
        sa.Column("player_id", BIG, autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("replacement", sa.Integer(), nullable=False),
        sa.Column("score", sa.Text(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_tournament_results_player_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_tournament_results_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "player_id", name="pk_tournament_results"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tournament_results_player_id", "tournament_results", ["player_id"], unique=False)
    op.create_table(
        "tournament_changes",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("tournament_id", BIG, nullable=True),
        sa.Column("player_id", BIG, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("changed_by", BIG, nullable=False),
        sa.Column("changed_at", BIG, nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("last_day", sa.Text(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.Column("part_of", BIG, nullable=True),
        sa.Column("undoes", BIG, nullable=True),
        sa.Column("interaction_id", BIG, nullable=True),
        sa.CheckConstraint(
            "CASE WHEN player_id IS NULL THEN tournament_id IS NOT NULL AND after IS NOT NULL "
            "AND last_day IS NOT NULL ELSE tournament_id IS NULL AND facts IS NOT NULL END",
            name="ck_tournament_changes_about",
        ),
        sa.ForeignKeyConstraint(["changed_by"], ["players.id"], name="fk_tournament_changes_changed_by"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_tournament_changes_guild_id"),
        sa.ForeignKeyConstraint(["part_of"], ["tournament_changes.id"], name="fk_tournament_changes_part_of"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_tournament_changes_player_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_tournament_changes_tournament_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tournament_changes"),
        sa.UniqueConstraint("guild_id", "interaction_id", name="uq_tournament_changes_guild_id_interaction_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_tournament_changes_guild_id_id", "tournament_changes", ["guild_id", "id"], unique=False)
    op.create_index("ix_tournament_changes_player_id_id", "tournament_changes", ["player_id", "id"], unique=False)
    op.create_index(
        "ix_tournament_changes_tournament_id_id", "tournament_changes", ["tournament_id", "id"], unique=False
    )
    op.create_table(
        "ranking_days",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("since_day", sa.Text(), nullable=False),
        sa.Column("since_change", BIG, nullable=False),
        sa.Column("until_change", BIG, nullable=False),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_ranking_days_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_ranking_days"),
        sa.UniqueConstraint("guild_id", "day", name="uq_ranking_days_guild_id_day"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    integer = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    op.execute(
        f"ALTER TABLE outbox ADD COLUMN ranking_day_id {integer} "
        "CONSTRAINT fk_outbox_ranking_day_id REFERENCES ranking_days (id)"
    )
