"""Small things the program writes down for itself, by name."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables import memos
from ratings.store.upsert import upsert

__all__ = ["memorise", "recall"]


def recall(connection: sa.Connection, name: str) -> str | None:
    """What was written down under this name, if anything."""
    return connection.execute(sa.select(memos.c.value).where(memos.c.name == name)).scalar()


def memorise(connection: sa.Connection, name: str, value: str) -> None:
    """Write something down under a name, in place of what was there."""
    upsert(connection, memos, [{"name": name, "value": value}])
