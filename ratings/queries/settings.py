"""What was changed in a club's settings, by whom and when."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ratings.settings import ClubSettings
from ratings.store.tables import players, settings_changes

__all__ = ["SettingChange", "SettingsPage", "last_change", "page"]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting got another value (values as in JSON). `by` is a name as last seen, `at` is in seconds."""

    name: str
    before: Any
    after: Any
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The changes of page `number` (from 0) of `pages`, newest first; `total` counts them all."""

    changes: tuple[SettingChange, ...]
    number: int
    pages: int
    total: int


def page(connection: sa.Connection, guild_id: int, name: str | None, number: int, size: int) -> SettingsPage:
    """A page of the changes of one setting, or of all; past the end, the last page."""
    counted = sa.select(sa.func.count()).select_from(settings_changes).where(*_wanted(guild_id, name))
    total = connection.execute(counted).scalar_one()
    pages = max(1, -(-total // size))
    number = min(number, pages - 1)
    return SettingsPage(_changes(connection, guild_id, name, number * size, size), number, pages, total)


def last_change(connection: sa.Connection, guild_id: int, name: str) -> SettingChange | None:
    """The newest change of a setting; None for one that was never changed."""
    return next(iter(_changes(connection, guild_id, name, 0, 1)), None)


def _wanted(guild_id: int, name: str | None) -> list[sa.ColumnElement[bool]]:
    wanted = [settings_changes.c.guild_id == guild_id]
    return wanted if name is None else [*wanted, settings_changes.c.name == name]


def _changes(
    connection: sa.Connection, guild_id: int, name: str | None, offset: int, limit: int
) -> tuple[SettingChange, ...]:
    # A row keeps the new value alone; the one before it is in the setting's row before.
    earlier = sa.func.lag(settings_changes.c.value).over(
        partition_by=settings_changes.c.name, order_by=settings_changes.c.id
    )
    rows = connection.execute(
        sa.select(settings_changes, earlier.label("earlier"), players.c.name.label("author"))
        .join(players, players.c.id == settings_changes.c.changed_by)
        .where(*_wanted(guild_id, name))
        .order_by(settings_changes.c.id.desc())
        .offset(offset)
        .limit(limit)
    ).all()
    defaults = ClubSettings().model_dump(mode="json")
    return tuple(
        SettingChange(
            name=row.name,
            before=defaults.get(row.name) if row.earlier is None else json.loads(row.earlier),
            after=json.loads(row.value),
            by=row.author,
            at=row.changed_at,
        )
        for row in rows
    )
