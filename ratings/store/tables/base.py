"""What all tables are made with: names of constraints, types that both engines know, and common columns."""

from __future__ import annotations

import sqlalchemy as sa

__all__ = ["Big", "Real", "Small", "Text", "by_seat", "game", "guild", "metadata", "player", "player_key", "table"]

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


def table(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    """A table with a key of its own; keys are never given out twice."""
    # An id is never given out twice, also after rows were deleted: somebody may still hold the old one.
    keyed = any(isinstance(column, sa.Column) and column.name == "id" for column in columns) and name != "guilds"
    return sa.Table(name, metadata, *columns, sqlite_strict=True, sqlite_autoincrement=keyed)


def by_seat(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    """A table kept in the order of its key."""
    # Kept in the order of the key, so that a replay reads and writes them from front to back.
    return sa.Table(name, metadata, *columns, sqlite_strict=True, sqlite_with_rowid=False)


def guild() -> sa.Column[int]:
    """The club a row belongs to."""
    return sa.Column("guild_id", Big, sa.ForeignKey("guilds.id"), nullable=False)


def player(name: str = "player_id") -> sa.Column[int]:
    """A player's record."""
    return sa.Column(name, Big, sa.ForeignKey("players.id"), nullable=False)


def player_key() -> sa.Column[int]:
    """A player's record, as part of the key."""
    key = sa.ForeignKey("players.id")
    return sa.Column("player_id", Big, key, primary_key=True, autoincrement=False)


def game(*, primary_key: bool = False) -> sa.Column[int]:
    """A game."""
    return sa.Column("game_id", Big, sa.ForeignKey("games.id"), primary_key=primary_key, nullable=False)
