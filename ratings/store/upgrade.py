"""Brings a database to the schema of this program, or says that it is from a newer one."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

__all__ = ["MIGRATIONS", "StoreTooNew", "revisions", "upgrade"]

MIGRATIONS = Path(__file__).parent / "migrations"

# Any number will do, as long as every Tenbou process uses the same one.
UPGRADE_LOCK = 7_201_510


class StoreTooNew(Exception):
    """The database has a revision that this program does not know."""

    def __init__(self, found: str, newest: str) -> None:
        super().__init__(f"the database is at revision {found}, this program knows up to {newest}")
        self.found = found
        self.newest = newest


def revisions() -> list[str]:
    """The revisions this program knows, oldest first, read off the names of the migration files."""
    return sorted(path.stem.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def upgrade(connection: sa.Connection) -> None:
    """Run the missing migrations inside the caller's transaction, in which SQLite does not enforce foreign keys.

    Raises StoreTooNew when the database knows revisions that this program does not.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE_LOCK)))
    known = revisions()
    found = _revision(connection)
    if found == known[-1]:
        return
    if found is not None and found not in known:
        raise StoreTooNew(found, known[-1])
    _run_alembic(connection)
    if connection.dialect.name == "sqlite" and (
        broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    ):
        cause = ValueError(f"a migration broke a reference of {broken[0]} to {broken[2]}")
        raise sa.exc.IntegrityError("PRAGMA foreign_key_check", None, cause)


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _run_alembic(connection: sa.Connection) -> None:
    # Imported here because it costs half a second that a database already up to date need not pay.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
