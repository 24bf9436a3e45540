"""Game logs and the figures they tell, accounts on other sites, claims to them, bans from the ladder, chips.

Revision: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("seats", sa.Column("chips", sa.Integer()))
    op.create_table(
        "game_logs",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("log_id", sa.Text(), nullable=True),
        sa.Column("length", sa.Text(), nullable=False),
        sa.Column("lobby", sa.Text(), nullable=True),
        sa.Column("unranked", sa.Text(), nullable=True),
        sa.Column("attached_by", BIG, nullable=False),
        sa.Column("attached_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["attached_by"], ["players.id"], name="fk_game_logs_attached_by"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_game_logs_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_game_logs_guild_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_game_logs"),
        sa.UniqueConstraint("guild_id", "fingerprint", name="uq_game_logs_guild_id_fingerprint"),
        sqlite_autoincrement=False,
        sqlite_strict=True,
    )
    op.create_index("ix_game_logs_guild_id_log_id", "game_logs", ["guild_id", "log_id"], unique=False)
    op.create_table(
        "log_seats",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("wins_tsumo", sa.Integer(), nullable=False),
        sa.Column("wins_ron", sa.Integer(), nullable=False),
        sa.Column("deal_in_hands", sa.Integer(), nullable=False),
        sa.Column("rons_paid", sa.Integer(), nullable=False),
        sa.Column("called_hands", sa.Integer(), nullable=False),
        sa.Column("riichi_hands", sa.Integer(), nullable=False),
        sa.Column("closed_kans", sa.Integer(), nullable=False),
        sa.Column("kita", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_log_seats_game_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_log_seats"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "accounts",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("linked_by", BIG, nullable=False),
        sa.Column("linked_at", BIG, nullable=False),
        sa.Column("unlinked_by", BIG, nullable=True),
        sa.Column("unlinked_at", BIG, nullable=True),
        sa.CheckConstraint("site IN ('tenhou', 'mahjong-soul')", name="ck_accounts_site"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_accounts_guild_id"),
        sa.ForeignKeyConstraint(["linked_by"], ["players.id"], name="fk_accounts_linked_by"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_accounts_player_id"),
        sa.ForeignKeyConstraint(["unlinked_by"], ["players.id"], name="fk_accounts_unlinked_by"),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_accounts_player_id", "accounts", ["player_id"], unique=False)
    op.create_index(
        "uq_accounts_bound",
        "accounts",
        ["guild_id", "site", "name"],
        unique=True,
        sqlite_where=sa.text("unlinked_at IS NULL"),
        postgresql_where=sa.text("unlinked_at IS NULL"),
    )
    op.create_table(
        "account_claims",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("claimed_by", BIG, nullable=False),
        sa.Column("claimed_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_account_claims_account_id"),
        sa.ForeignKeyConstraint(["claimed_by"], ["players.id"], name="fk_account_claims_claimed_by"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_account_claims_guild_id"),
        sa.PrimaryKeyConstraint("id", name="pk_account_claims"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_account_claims_guild_id_id", "account_claims", ["guild_id", "id"], unique=False)
    op.create_table(
        "ladder_bans",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("banned_by", BIG, nullable=False),
        sa.Column("banned_at", BIG, nullable=False),
        sa.Column("until", BIG, nullable=True),
        sa.Column("lifted_by", BIG, nullable=True),
        sa.Column("lifted_at", BIG, nullable=True),
        sa.ForeignKeyConstraint(["banned_by"], ["players.id"], name="fk_ladder_bans_banned_by"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_ladder_bans_guild_id"),
        sa.ForeignKeyConstraint(["lifted_by"], ["players.id"], name="fk_ladder_bans_lifted_by"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ladder_bans_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_ladder_bans"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_ladder_bans_guild_id_id", "ladder_bans", ["guild_id", "id"], unique=False)
    op.create_index("ix_ladder_bans_player_id", "ladder_bans", ["player_id"], unique=False)
    integer = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    op.execute(
        f"ALTER TABLE outbox ADD COLUMN claim_id {integer} "
        "CONSTRAINT fk_outbox_claim_id REFERENCES account_claims (id)"
    )
