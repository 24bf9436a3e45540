"""Corrections: games can be voided and amended, records merged; one row a seat tells what a game did.

Revision: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REAL: sa.types.TypeEngine[float] = sa.Double().with_variant(sa.REAL(), "sqlite")

STATES = "state IN ('pending', 'approved', 'rejected', 'voided', 'withdrawn')"


def upgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    integer = "INTEGER" if sqlite else "BIGINT"
    op.execute(
        f"ALTER TABLE players ADD COLUMN merged_into {integer} "
        "CONSTRAINT fk_players_merged_into REFERENCES players (id)"
    )
    op.add_column("players", sa.Column("forgotten_at", BIG))
    op.create_index("ix_players_merged_into", "players", ["merged_into"])
    if sqlite:
        _remodel_games()
        _remodel_seats()
    else:
        op.drop_constraint("ck_games_state", "games", type_="check")
        op.create_check_constraint("ck_games_state", "games", STATES)
        op.drop_column("games", "duplicate_of")
        op.add_column("games", sa.Column("system", sa.Text()))
        op.add_column("games", sa.Column("approval_id", BIG))
    undone = sa.text("state != 'approved'")
    op.create_index(
        "ix_games_undone",
        "games",
        ["guild_id", "state", "number"],
        sqlite_where=undone,
        postgresql_where=undone,
    )
    op.create_index("ix_games_guild_id_system_approval_id", "games", ["guild_id", "system", "approval_id"])
    op.execute(
        "UPDATE games SET system = CASE WHEN kind = 'american' THEN 'nmjl' WHEN ranked = 0 THEN NULL "
        "WHEN (SELECT count(*) FROM seats WHERE seats.game_id = games.id) = 4 THEN 'tenhou-4p' "
        "ELSE 'tenhou-3p' END"
    )
    op.execute(
        "UPDATE games SET approval_id = (SELECT max(decisions.id) FROM decisions "
        "WHERE decisions.game_id = games.id AND decisions.verdict = 'approve') WHERE state = 'approved'"
    )
    op.add_column("cards", sa.Column("stale", sa.Integer(), server_default="0", nullable=False))
    _create_corrections()
    if sqlite:
        _remodel_outbox()
    else:
        op.alter_column("outbox", "game_id", nullable=True)
        for name in ("correction", "player"):
            key = sa.ForeignKey(f"{name}s.id", name=f"fk_outbox_{name}_id")
            op.add_column("outbox", sa.Column(f"{name}_id", BIG, key))
    _gather_outcomes()
    for by in (("rank", "points"), ("rating",)):
        name = f"ix_standings_{by[0]}"
        op.drop_index(name, "standings")
        op.create_index(name, "standings", ["guild_id", "system", *by, "player_id", "games"])


def _gather_outcomes() -> None:
    """What placements and changes told separately, one row a seat tells."""
    op.create_table(
        "outcomes",
        sa.Column("game_id", BIG, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("final_points", BIG, nullable=True),
        sa.Column("rank_before", sa.Integer(), nullable=True),
        sa.Column("points_before", BIG, nullable=True),
        sa.Column("rating_before", REAL, nullable=True),
        sa.Column("games_before", BIG, nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("points", BIG, nullable=True),
        sa.Column("rating", REAL, nullable=True),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_outcomes"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO outcomes SELECT seats.game_id, seats.seat, seats.player_id, placements.place, "
        "placements.final_points, changes.rank_before, changes.points_before, changes.rating_before, "
        "changes.games_before, changes.rank, changes.points, changes.rating FROM games "
        "JOIN seats ON seats.game_id = games.id "
        "LEFT JOIN placements ON placements.game_id = games.id AND placements.seat = seats.seat "
        "LEFT JOIN changes ON changes.game_id = games.id AND changes.player_id = seats.player_id "
        "WHERE games.state = 'approved' ORDER BY seats.game_id, seats.seat"
    )
    op.drop_table("placements")
    op.drop_table("changes")


def _create_corrections() -> None:
    op.create_table(
        "corrections",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game_id", BIG, nullable=True),
        sa.Column("player_id", BIG, nullable=True),
        sa.Column("into_id", BIG, nullable=True),
        sa.Column("corrected_by", BIG, nullable=False),
        sa.Column("corrected_at", BIG, nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("rank_moves", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["corrected_by"], ["players.id"], name="fk_corrections_corrected_by"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_corrections_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_corrections_guild_id"),
        sa.ForeignKeyConstraint(["into_id"], ["players.id"], name="fk_corrections_into_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_corrections_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_corrections_game_id", "corrections", ["game_id"])
    op.create_index("ix_corrections_guild_id_id", "corrections", ["guild_id", "id"])
    op.create_index("ix_corrections_player_id", "corrections", ["player_id"])


# SQLite changes a constraint only with a new table in place of the old one. Foreign keys are not enforced
# while migrations run there, and are checked at the end.


def _replace(table: str, columns: str) -> None:
    """Move the rows of a table into the new one made for it, which takes its name."""
    op.execute(f"INSERT INTO new_{table} ({columns}) SELECT {columns} FROM {table}")  # noqa: S608
    # The new table goes on counting ids where the old one stopped.
    op.execute(f"DELETE FROM sqlite_sequence WHERE name = 'new_{table}'")  # noqa: S608
    op.execute(f"UPDATE sqlite_sequence SET name = 'new_{table}' WHERE name = '{table}'")  # noqa: S608
    op.drop_table(table)
    op.rename_table(f"new_{table}", table)


def _remodel_games() -> None:
    op.create_table(
        "new_games",
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
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("approval_id", BIG, nullable=True),
        sa.CheckConstraint("kind IN ('riichi', 'american')", name="ck_games_kind"),
        sa.CheckConstraint(STATES, name="ck_games_state"),
        sa.CheckConstraint("ranked IN (0, 1)", name="ck_games_ranked"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_games_guild_id"),
        sa.ForeignKeyConstraint(["reported_by"], ["players.id"], name="fk_games_reported_by"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("guild_id", "interaction_id", name="uq_games_guild_id_interaction_id"),
        sa.UniqueConstraint("guild_id", "number", name="uq_games_guild_id_number"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    _replace(
        "games",
        "id, guild_id, number, kind, state, length, lobby, sticks, ranked, played_at, reported_at, reported_by, "
        "report_channel_id, interaction_id, fingerprint",
    )
    op.create_index("ix_games_guild_id_fingerprint", "games", ["guild_id", "fingerprint"])
    pending = sa.text("state = 'pending'")
    op.create_index("ix_games_pending", "games", ["guild_id", "number"], sqlite_where=pending)


def _remodel_seats() -> None:
    op.create_table(
        "new_seats",
        sa.Column("game_id", BIG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", BIG, nullable=False),
        sa.Column("score", BIG, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("game_id", "player_id", name="uq_seats_game_id_player_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    _replace("seats", "game_id, seat, player_id, score")
    op.create_index("ix_seats_player_id_game_id", "seats", ["player_id", "game_id"])


def _remodel_outbox() -> None:
    op.create_table(
        "new_outbox",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game_id", BIG, nullable=True),
        sa.Column("correction_id", BIG, nullable=True),
        sa.Column("player_id", BIG, nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("due_at", REAL, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", BIG, nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["correction_id"], ["corrections.id"], name="fk_outbox_correction_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id"),
        sa.ForeignKeyConstraint(["guild_id"], ["guilds.id"], name="fk_outbox_guild_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_outbox_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    _replace("outbox", "id, guild_id, kind, game_id, created_at, due_at, attempts, done_at, error")
    is_open = sa.text("done_at IS NULL")
    op.create_index("ix_outbox_open", "outbox", ["due_at"], sqlite_where=is_open)
