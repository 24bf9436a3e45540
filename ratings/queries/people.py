"""People and their records: somebody with two Discord accounts may have had two, which count as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from ratings.models import Person
from ratings.store.tables import games, players, seats
from ratings.tournaments.names import key_of, near

__all__ = [
    "PLAYER_VALUE",
    "Meant",
    "PlayerRecord",
    "chosen_record",
    "forgotten_since",
    "meant",
    "mentioned",
    "names",
    "person_of",
    "player_of",
    "records_by_account",
    "records_counting_as",
    "records_of",
    "search",
]

# How a record is named where one is chosen from a list.
PLAYER_VALUE = "player:"
_VALUE = re.compile(rf"{PLAYER_VALUE}([0-9]{{1,18}})")
_MENTION = re.compile(r"<@!?([0-9]{15,20})>|([0-9]{15,20})")
_BATCH = 5_000
_NAMES = sa.select(players.c.id, players.c.name).where(
    players.c.guild_id == sa.bindparam("guild"), players.c.id.in_(sa.bindparam("ids", expanding=True))
)
_KNOWN = sa.select(players.c.id, players.c.name, players.c.discord_id, players.c.merged_into).where(
    players.c.guild_id == sa.bindparam("guild"), players.c.forgotten_at.is_(None)
)
_GAMES = (
    sa.select(seats.c.player_id, sa.func.count().label("games"))
    .join(games, games.c.id == seats.c.game_id)
    .where(seats.c.player_id.in_(sa.bindparam("ids", expanding=True)), games.c.approval_id.is_not(None))
    .group_by(seats.c.player_id)
)


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A record of somebody the club knows, named as last seen; `discord_id` is 0 for somebody not on Discord.

    `games` are those that count: under this record, or told of it if it counts as the one that is named
    `counts_as`.
    """

    id: int
    name: str
    discord_id: int
    merged_into: int | None = None
    counts_as: str | None = None
    games: int = 0


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom somebody may have meant: those who fit `exactly`, and if there is none, those `near` it."""

    exactly: tuple[PlayerRecord, ...]
    near: tuple[PlayerRecord, ...] = ()


def chosen_record(typed: str) -> int | None:
    """The record that a choice from a list names; None for anything else."""
    match = _VALUE.fullmatch(typed)
    return None if match is None else int(match[1])


def mentioned(typed: str) -> int | None:
    """The Discord id that a mention, or an id by itself, gives; None for anything else."""
    match = _MENTION.fullmatch(typed.strip())
    return None if match is None else int(match[1] or match[2])


def names(connection: sa.Connection, guild_id: int, ids: Iterable[int]) -> dict[int, str]:
    """The names of these records, as last seen; empty for somebody who asked to be forgotten."""
    wanted, found = sorted(ids), dict[int, str]()
    for start in range(0, len(wanted), _BATCH):
        rows = connection.execute(_NAMES, {"guild": guild_id, "ids": wanted[start : start + _BATCH]})
        found |= {row.id: row.name for row in rows}
    return found


def player_of(guild_id: int, discord_id: int) -> sa.ScalarSelect[Any]:
    """The id of the record under which a member counts, as part of a query."""
    counted = sa.func.coalesce(players.c.merged_into, players.c.id)
    mine = sa.select(counted).where(players.c.guild_id == guild_id, players.c.discord_id == discord_id)
    return mine.scalar_subquery()


def records_of(guild_id: int, discord_id: int) -> sa.Select[tuple[int]]:
    """The ids of all records that count as this member, as part of a query."""
    return records_counting_as(player_of(guild_id, discord_id))


def records_counting_as(player: int | sa.ScalarSelect[Any]) -> sa.Select[tuple[int]]:
    """The ids of the record under which somebody counts and of all that count as it, as part of a query."""
    records = players.alias("records")
    return sa.select(records.c.id).where(sa.or_(records.c.id == player, records.c.merged_into == player))


def records_by_account(connection: sa.Connection, guild_id: int, discord_ids: Iterable[int]) -> dict[int, int]:
    """The own records of those of these Discord accounts that the club knows."""
    mine = sa.select(players.c.discord_id, players.c.id).where(players.c.guild_id == guild_id)
    rows = connection.execute(mine.where(players.c.discord_id.in_(list(discord_ids))))
    return {row.discord_id: row.id for row in rows}


def person_of(connection: sa.Connection, guild_id: int, discord_id: int) -> Person | None:
    """The person a member counts as, as the club last saw him; None for a stranger."""
    mine = sa.select(players.c.discord_id, players.c.name).where(players.c.id == player_of(guild_id, discord_id))
    row = connection.execute(mine).one_or_none()
    return None if row is None else Person(row.discord_id or 0, row.name)


def forgotten_since(connection: sa.Connection, guild_id: int, moment: int) -> bool:
    """Whether the club has forgotten somebody at this moment (seconds since 1970 UTC) or later."""
    former = sa.exists().where(players.c.guild_id == guild_id, players.c.forgotten_at >= moment)
    return bool(connection.execute(sa.select(former)).scalar())


def search(
    connection: sa.Connection, guild_id: int, typed: str, limit: int, *, merged: bool = False
) -> list[PlayerRecord]:
    """People in whose name (or Discord id) every word typed occurs, those whose name begins with it first.

    They need not be members any more. `merged` asks for the records that count as another one, otherwise for
    those that count for themselves. Nobody finds who asked to be forgotten.
    """
    known = _known(connection, guild_id)
    wanted = key_of(typed.strip().removeprefix("@"))
    found = [
        (not key.startswith(wanted), key, record.id)
        for record in known.values()
        if (record.merged_into is not None) == merged
        for key in [key_of(record.name)]
        if all(word in key or word == str(record.discord_id) for word in wanted.split())
    ]
    return _with_games(connection, guild_id, known, [record for *_, record in sorted(found)[:limit]])


def meant(connection: sa.Connection, guild_id: int, typed: str, limit: int, *, merged: bool = False) -> Meant:
    """Whom the choice from a list, a mention, a Discord id or a name in full means.

    Of several with one name those that `merged` asks for (see `search`) go before the others.
    """
    known = _known(connection, guild_id)

    def those(fits: Callable[[PlayerRecord], bool]) -> tuple[PlayerRecord, ...]:
        found = [record for record in known.values() if fits(record)]
        preferred = [record for record in found if (record.merged_into is not None) == merged]
        chosen = [record.id for record in preferred or found]
        return tuple(_with_games(connection, guild_id, known, chosen[:limit]))

    if (chosen := chosen_record(typed)) is not None:
        return Meant(those(lambda record: record.id == chosen))
    discord_id = mentioned(typed)
    if discord_id and (found := those(lambda record: record.discord_id == discord_id)):
        return Meant(found)
    name = key_of(typed.strip().removeprefix("@"))
    if found := those(lambda record: key_of(record.name) == name):
        return Meant(found)
    spelled = {key_of(record.name): record.name for record in known.values()}
    alike = {key_of(each) for each in near(name, spelled)}
    return Meant((), those(lambda record: key_of(record.name) in alike or name in key_of(record.name)))


def _known(connection: sa.Connection, guild_id: int) -> dict[int, PlayerRecord]:
    rows = connection.execute(_KNOWN.order_by(players.c.id), {"guild": guild_id}).all()
    return {row.id: PlayerRecord(row.id, row.name, row.discord_id or 0, row.merged_into) for row in rows}


def _with_games(
    connection: sa.Connection, guild_id: int, known: dict[int, PlayerRecord], chosen: Sequence[int]
) -> list[PlayerRecord]:
    families = {player: [player] for player in chosen}
    for other in known.values():
        if other.merged_into in families:
            families[other.merged_into].append(other.id)
    ids = [record for family in families.values() for record in family]
    played = {row.player_id: row.games for row in connection.execute(_GAMES, {"ids": ids})} if ids else {}
    return [
        replace(
            known[player],
            counts_as=None if (into := known[player].merged_into) is None else known[into].name,
            games=sum(played.get(record, 0) for record in family),
        )
        for player, family in families.items()
    ]
