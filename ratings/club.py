"""A club: its people, its settings, and the lock under which its ledger is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from ratings.models import GameState, Person
from ratings.settings import ClubSettings
from ratings.store import outbox
from ratings.store.tables import cards, games, guilds, players, settings_changes, standings
from ratings.store.upsert import insert_new

__all__ = [
    "BadSetting",
    "change_settings",
    "counted_as",
    "hold",
    "known_person",
    "lock",
    "player_ids",
    "rename",
    "settings",
    "settings_in_force",
]


class BadSetting(Exception):
    """A setting cannot have this value; `name` is None when settings contradict each other."""

    def __init__(self, name: str | None, problem: str) -> None:
        super().__init__(problem)
        self.name = name
        self.problem = problem


_LOCK = sa.select(guilds.c.id).where(guilds.c.id == sa.bindparam("guild")).with_for_update(key_share=True)
_PEOPLE = sa.select(players.c.id, players.c.discord_id, players.c.name).where(
    players.c.guild_id == sa.bindparam("guild"),
    players.c.discord_id.in_(sa.bindparam("ids", expanding=True)),
)
_COUNTED = sa.select(players.c.id, players.c.merged_into).where(
    players.c.guild_id == sa.bindparam("guild"), players.c.id.in_(sa.bindparam("ids", expanding=True))
)
_SETTINGS = (
    sa.select(settings_changes.c.id, settings_changes.c.name, settings_changes.c.value)
    .where(settings_changes.c.guild_id == sa.bindparam("guild"), settings_changes.c.id <= sa.bindparam("version"))
    .order_by(settings_changes.c.id)
)
_NEWEST = 2**62


def lock(connection: sa.Connection, guild_id: int, now: int) -> None:
    """Make this transaction the only one that writes the club's ledger, and the club known to the store."""
    insert_new(connection, guilds, {"id": guild_id, "joined_at": now})
    hold(connection, guild_id)


def hold(connection: sa.Connection, guild_id: int) -> None:
    """The same for a club that the store knows already."""
    if connection.dialect.name != "sqlite":  # whose write transactions are alone anyway
        connection.execute(_LOCK, {"guild": guild_id})


def player_ids(connection: sa.Connection, guild_id: int, people: Sequence[Person]) -> list[int]:
    """The ids of people's records in this club, made at first sight; names are kept as last seen."""
    wanted = [person.discord_id for person in people]
    known = {row.discord_id: row for row in connection.execute(_PEOPLE, {"guild": guild_id, "ids": wanted})}
    ids: dict[int, int] = {}
    for person in people:
        row = known.get(person.discord_id)
        if person.discord_id in ids:
            continue
        if row is None:
            fresh = sa.insert(players).values(guild_id=guild_id, discord_id=person.discord_id, name=person.name)
            ids[person.discord_id] = connection.execute(fresh.returning(players.c.id)).scalar_one()
        else:
            ids[person.discord_id] = row.id
            if row.name != person.name:
                rename(connection, guild_id, person)
    return [ids[discord_id] for discord_id in wanted]


def counted_as(connection: sa.Connection, guild_id: int, records: Sequence[int]) -> dict[int, int]:
    """The record under which each of these counts: itself, or the one it was merged into."""
    rows = connection.execute(_COUNTED, {"guild": guild_id, "ids": list(records)})
    return {row.id: row.merged_into or row.id for row in rows}


def known_person(connection: sa.Connection, guild_id: int, discord_id: int) -> Person | None:
    """Somebody as the club last saw him; None for a stranger."""
    mine = (players.c.guild_id == guild_id, players.c.discord_id == discord_id)
    name = connection.execute(sa.select(players.c.name).where(*mine)).scalar()
    return None if name is None else Person(discord_id, name)


def rename(connection: sa.Connection, guild_id: int, person: Person) -> None:
    """Keep the new name of a person the club knows."""
    mine = (players.c.guild_id == guild_id, players.c.discord_id == person.discord_id)
    connection.execute(sa.update(players).where(*mine).values(name=person.name))


def settings(connection: sa.Connection, guild_id: int, version: int | None = None) -> ClubSettings:
    """The club's settings now, or as they were at `version` (see `settings_in_force`)."""
    return _settings(connection, guild_id, _NEWEST if version is None else version)[0]


def settings_in_force(connection: sa.Connection, guild_id: int) -> tuple[ClubSettings, int]:
    """The settings now, and the number that names them; 0 for a club that never changed any."""
    return _settings(connection, guild_id, _NEWEST)


def _settings(connection: sa.Connection, guild_id: int, version: int) -> tuple[ClubSettings, int]:
    rows = connection.execute(_SETTINGS, {"guild": guild_id, "version": version}).all()
    values = {row.name: json.loads(row.value) for row in rows}
    return ClubSettings.model_validate(values), rows[-1].id if rows else 0


def change_settings(
    connection: sa.Connection, guild_id: int, wishes: Mapping[str, Any], by: Person, now: int
) -> tuple[ClubSettings, dict[str, tuple[Any, Any]]]:
    """Change the settings named in `wishes`, all or none.

    Returns the new settings and, for each that really changed, its old and new value. Open cards are drawn
    again, since other rules may show on them; without a change only those that hang nowhere, since a channel
    may have been opened to the bot, as it may have been given the right to give roles. Raises BadSetting.
    """
    lock(connection, guild_id, now)
    before = settings(connection, guild_id)
    try:
        after = ClubSettings.model_validate(before.model_dump() | dict(wishes))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else None
        raise BadSetting(name, first["msg"].removeprefix("Value error, ")) from None
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    changed = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
    if changed:
        (author,) = player_ids(connection, guild_id, [by])
        connection.execute(
            sa.insert(settings_changes),
            [
                {
                    "guild_id": guild_id,
                    "name": name,
                    "value": json.dumps(value),
                    "changed_by": author,
                    "changed_at": now,
                }
                for name, (_, value) in changed.items()
            ],
        )
    outbox.hasten(connection, guild_id, outbox.Kind.ROLE, now)
    if "rank_roles" in changed:
        # Whoever wears a rank of the old ladder may have none on the new one.
        ladders = sa.select(standings.c.player_id).where(
            standings.c.guild_id == guild_id, standings.c.system.in_([before.rank_roles, after.rank_roles])
        )
        rated = connection.execute(ladders.distinct().order_by(standings.c.player_id)).scalars().all()
        outbox.enqueue_roles(connection, guild_id, rated, now)
    pending = sa.select(games.c.id).where(games.c.guild_id == guild_id, games.c.state == GameState.PENDING)
    if not changed:
        pending = pending.where(~sa.exists().where(cards.c.game_id == games.c.id))
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, connection.execute(pending).scalars().all(), now)
    return after, changed
