"""Players of tournaments: records by the names they go by. They need not be on Discord."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused
from ratings.queries.people import chosen_record, mentioned
from ratings.store.tables import player_aliases, players, tournament_results, tournaments
from ratings.tournaments.names import Neighbours, key_of

__all__ = [
    "Directory",
    "Entry",
    "Meant",
    "add_alias",
    "add_player",
    "describe",
    "directory",
    "drop_alias",
    "entry",
    "family_of",
    "keep_alias",
    "link",
    "meant",
    "refuse_taken",
    "search",
    "tell",
]

_MOST = 25


@dataclass(frozen=True, slots=True)
class Directory:
    """The names of a club's players by key: `players` are the ids they mean, `shown` the names as written.

    A name that means more than one player means nobody: those are `ambiguous`, and only aliases tell them apart.
    `accounts` has the players by Discord id, `by_ema_number` by EMA number. `names`, `countries` and
    `ema_numbers` have by player what is known of him, `assumed` the country that he is taken to be from otherwise.
    All ids are those of the records that others were merged into.
    """

    players: Mapping[str, int]
    shown: Mapping[str, str]
    ambiguous: Mapping[str, tuple[int, ...]]
    accounts: Mapping[int, int]
    by_ema_number: Mapping[str, int]
    names: Mapping[int, str]
    countries: Mapping[int, str]
    assumed: Mapping[int, str]
    ema_numbers: Mapping[int, str]

    @property
    def on_discord(self) -> Collection[int]:
        """The players who have an account."""
        return set(self.accounts.values())

    def home_of(self, player: int) -> str | None:
        """The player's country, told or assumed."""
        return self.countries.get(player) or self.assumed.get(player)

    def is_free(self, name: str) -> bool:
        """Whether nobody goes by a name."""
        return key_of(name) not in self.shown


@dataclass(frozen=True, slots=True)
class Entry:
    """A player as tournaments know him, named as last seen; `discord_id` is None for somebody not on Discord.

    The `country` may be assumed. `other_names` are those of records that were merged into his, and `results`
    counts his tournaments that are not removed.
    """

    id: int
    name: str
    discord_id: int | None
    country: str | None
    ema_number: str | None
    aliases: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()
    results: int = 0
    country_is_assumed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every name he goes by, the one he is shown under first."""
        return (self.name, *self.aliases, *self.other_names)


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom somebody may have meant: those who fit `exactly`, and if there is none, those `near` it."""

    exactly: tuple[Entry, ...]
    near: tuple[Entry, ...] = ()


_counts = sa.func.coalesce(players.c.merged_into, players.c.id)
# The record that others count as comes before them.
_PEOPLE = (
    sa.select(
        players.c.id,
        _counts.label("counts_as"),
        players.c.name,
        players.c.discord_id,
        players.c.country,
        players.c.assumed_country,
        players.c.ema_number,
    )
    .where(players.c.guild_id == sa.bindparam("guild"), players.c.forgotten_at.is_(None))
    .order_by(players.c.merged_into.is_not(None), players.c.id)
)
_ALIASES = (
    sa.select(player_aliases.c.key, player_aliases.c.name, _counts.label("counts_as"))
    .join(players, players.c.id == player_aliases.c.player_id)
    .where(player_aliases.c.guild_id == sa.bindparam("guild"), players.c.forgotten_at.is_(None))
    .order_by(player_aliases.c.name)
)
_RESULTS = (
    sa.select(_counts.label("counts_as"), sa.func.count().label("results"))
    .join(tournament_results, tournament_results.c.player_id == players.c.id)
    .join(tournaments, tournaments.c.id == tournament_results.c.tournament_id)
    .where(players.c.guild_id == sa.bindparam("guild"), tournaments.c.removed == 0)
    .group_by(_counts)
)


def directory(connection: sa.Connection, guild_id: int) -> Directory:
    """The names of a club's players. An alias goes before a name as last seen."""
    meant: dict[str, set[int]] = {}
    shown: dict[str, str] = {}
    known = _Known(connection.execute(_PEOPLE, {"guild": guild_id}).all())
    for row in known.rows:
        key = key_of(row.name)
        meant.setdefault(key, set()).add(row.counts_as)
        shown.setdefault(key, row.name)
    for alias in connection.execute(_ALIASES, {"guild": guild_id}):
        meant[alias.key] = {alias.counts_as}
        shown[alias.key] = alias.name
    return Directory(
        players={key: next(iter(ids)) for key, ids in meant.items() if len(ids) == 1},
        shown=shown,
        ambiguous={key: tuple(sorted(ids)) for key, ids in meant.items() if len(ids) > 1},
        accounts={row.discord_id: row.counts_as for row in known.rows if row.discord_id is not None},
        by_ema_number={row.ema_number: row.counts_as for row in known.rows if row.ema_number is not None},
        names=known.names,
        countries=known.countries,
        assumed=known.assumed,
        ema_numbers=known.ema_numbers,
    )


class _Known:
    """What is known of players by the record they count under; of several records the first that says it."""

    def __init__(self, rows: Sequence[sa.Row[*tuple[Any, ...]]]) -> None:
        self.rows = rows
        self.names: dict[int, str] = {}
        self.accounts: dict[int, int] = {}
        self.countries: dict[int, str] = {}
        self.assumed: dict[int, str] = {}
        self.ema_numbers: dict[int, str] = {}
        for row in rows:
            self.names.setdefault(row.counts_as, row.name)
            if row.discord_id is not None:
                self.accounts.setdefault(row.counts_as, row.discord_id)
            if row.country is not None:
                self.countries.setdefault(row.counts_as, row.country)
            if row.assumed_country is not None:
                self.assumed.setdefault(row.counts_as, row.assumed_country)
            if row.ema_number is not None:
                self.ema_numbers.setdefault(row.counts_as, row.ema_number)

    def entry(self, row: sa.Row[*tuple[Any, ...]], aliases: Sequence[str]) -> Entry:
        """The player whose record a row is; without his results."""
        others = [other.name for other in self.rows if other.counts_as == row.id != other.id]
        return Entry(
            id=row.id,
            name=row.name,
            discord_id=self.accounts.get(row.id),
            country=self.countries.get(row.id) or self.assumed.get(row.id),
            ema_number=self.ema_numbers.get(row.id),
            aliases=tuple(aliases),
            other_names=tuple(dict.fromkeys(others)),
            country_is_assumed=row.id in self.assumed.keys() - self.countries.keys(),
        )


def entry(connection: sa.Connection, guild_id: int, player_id: int) -> Entry:
    """The player a record counts as. Raises Refused (UNKNOWN_PLAYER)."""
    counted = club.counted_as(connection, guild_id, [player_id]).get(player_id)
    found = _entries(connection, guild_id, [] if counted is None else [counted])
    if not found:
        raise Refused(Refusal.UNKNOWN_PLAYER)
    return found[0]


def search(
    connection: sa.Connection,
    guild_id: int,
    typed: str,
    limit: int | None,
    *,
    on_discord: bool | None = None,
    entrants: bool = False,
) -> list[Entry]:
    """Players in one of whose names (or in whose EMA number) every word typed occurs; those whose name begins
    with it first. `on_discord` asks for those with an account alone, or without, and `entrants` for
    those who have a result."""
    wanted = key_of(typed.strip().removeprefix("@"))
    known = _Known(connection.execute(_PEOPLE, {"guild": guild_id}).all())
    keys: dict[int, list[str]] = {}
    for row in (*known.rows, *connection.execute(_ALIASES, {"guild": guild_id})):
        keys.setdefault(row.counts_as, []).append(key_of(row.name))
    values = {"guild": guild_id}
    played = {row.counts_as for row in connection.execute(_RESULTS, values)} if entrants else keys.keys()
    found = []
    for player, names in keys.items():
        if player not in played or on_discord not in (None, player in known.accounts):
            continue
        fitting = [key for key in names if all(word in key for word in wanted.split())]
        if fitting or wanted == known.ema_numbers.get(player):
            found.append((not any(key.startswith(wanted) for key in fitting), names[0], player))
    return _entries(connection, guild_id, [player for *_, player in sorted(found)[:limit]])


def meant(connection: sa.Connection, guild_id: int, typed: str) -> Meant:
    """Whom the choice from a list, a mention, a Discord id, or a name or alias in full means."""

    def those(ids: Iterable[int | None]) -> tuple[Entry, ...]:
        known = dict.fromkeys(each for each in ids if each is not None)
        return tuple(_entries(connection, guild_id, list(known)[:_MOST]))

    if (record := chosen_record(typed)) is not None:
        return Meant(those([club.counted_as(connection, guild_id, [record]).get(record)]))
    known = directory(connection, guild_id)
    if (discord_id := mentioned(typed)) is not None:
        return Meant(those([known.accounts.get(discord_id)]))
    key = key_of(typed.strip().removeprefix("@"))
    if exactly := those((*known.ambiguous.get(key, ()), known.players.get(key))):
        return Meant(exactly)
    alike = [key_of(name) for name in Neighbours(known.shown).of(key)]
    alike += [other for other in known.shown if key and key in other]
    return Meant((), those(each for other in alike for each in _owners(known, other)))


def _owners(known: Directory, key: str) -> tuple[int, ...]:
    return known.ambiguous.get(key) or (known.players[key],)


def _entries(connection: sa.Connection, guild_id: int, ids: Sequence[int]) -> list[Entry]:
    """The players of these records, which count for themselves; in this order, without those who are not known."""
    if not ids:
        return []
    values, these = {"guild": guild_id}, _counts.in_(ids)
    known = _Known(connection.execute(_PEOPLE.where(these), values).all())
    aliases: dict[int, list[str]] = {}
    for row in connection.execute(_ALIASES.where(these), values):
        aliases.setdefault(row.counts_as, []).append(row.name)
    results = {row.counts_as: row.results for row in connection.execute(_RESULTS.where(these), values)}
    found = {row.id: known.entry(row, aliases.get(row.id, ())) for row in known.rows if row.id == row.counts_as}
    return [replace(found[each], results=results.get(each, 0)) for each in ids if each in found]


def add_player(connection: sa.Connection, guild_id: int, name: str, country: str | None = None) -> int:
    """Make a record for a player who is not on Discord; its id."""
    row = {"guild_id": guild_id, "name": name, "country": country}
    return int(connection.execute(sa.insert(players).values(row).returning(players.c.id)).scalar_one())


def describe(connection: sa.Connection, guild_id: int, player_id: int, facts: Mapping[str, str | None]) -> None:
    """Set a player's `country`, `ema_number` or, for somebody not on Discord, `name`; `edits` writes down that it
    was done.

    Without a value nothing is known of it any more, of whichever of the player's records it was told, and no
    country is assumed. Raises
    Refused when somebody else goes by that name (NAME_TAKEN) or has that number (EMA_NUMBER_TAKEN).
    """
    club.hold(connection, guild_id)
    refuse_taken(connection, guild_id, player_id, facts)
    family = family_of(connection, guild_id, player_id)
    for fact, value in facts.items():
        tell(connection, guild_id, [player_id] if value is not None else family, {fact: value})
        if fact == "country" and value is None:
            tell(connection, guild_id, family, {"assumed_country": None})


def refuse_taken(
    connection: sa.Connection, guild_id: int, player_id: int, facts: Mapping[str, str | None]
) -> None:
    """Raises Refused when these facts of a player name another one (NAME_TAKEN, EMA_NUMBER_TAKEN)."""
    name, number = facts.get("name"), facts.get("ema_number")
    if name is not None and not _may_have(connection, guild_id, player_id, name):
        raise Refused(Refusal.NAME_TAKEN, name=name)
    known = directory(connection, guild_id)
    owner = None if number is None else known.by_ema_number.get(number)
    if owner is not None and owner not in family_of(connection, guild_id, player_id):
        raise Refused(Refusal.EMA_NUMBER_TAKEN, number=number, name=known.names[owner])


def tell(
    connection: sa.Connection, guild_id: int, records: Collection[int], facts: Mapping[str, str | None]
) -> None:
    """Let these records say so, and nothing else of the facts named."""
    these = (players.c.guild_id == guild_id, players.c.id.in_(records))
    connection.execute(sa.update(players).where(*these).values(dict(facts)))


def link(connection: sa.Connection, guild_id: int, player_id: int, person: Person) -> None:
    """Bind a record without Discord account to a member. His name in tournaments stays as an alias, unless
    others go by it too.

    Raises Refused (LINKED_ALREADY) when the record has an account, or the member has a record: those are merged.
    """
    club.hold(connection, guild_id)
    mine = (players.c.guild_id == guild_id, players.c.id == player_id)
    name = connection.execute(sa.select(players.c.name).where(*mine)).scalar()
    if name is None:
        raise Refused(Refusal.UNKNOWN_PLAYER)
    records = family_of(connection, guild_id, player_id)
    accounts = sa.select(players.c.discord_id).where(players.c.id.in_(records), players.c.discord_id.is_not(None))
    has_account = connection.execute(accounts.limit(1)).scalar() is not None
    has_record = club.known_person(connection, guild_id, person.discord_id) is not None
    if has_account or has_record:
        raise Refused(Refusal.LINKED_ALREADY, name=name, member=person.name, has_record=has_record)
    has_namesakes = key_of(name) in directory(connection, guild_id).ambiguous
    if _alias_owner(connection, guild_id, name) is None and not has_namesakes:
        keep_alias(connection, guild_id, player_id, name)
    connection.execute(sa.update(players).where(*mine).values(discord_id=person.discord_id, name=person.name))


def add_alias(connection: sa.Connection, guild_id: int, player_id: int, name: str) -> None:
    """Let a player go by this name too; of several who are shown under it, it then means him.

    Raises Refused (NAME_TAKEN) when it is somebody else's alias, or only others are shown under it.
    """
    club.hold(connection, guild_id)
    owner = _alias_owner(connection, guild_id, name)
    if owner in family_of(connection, guild_id, player_id):
        return
    if not _may_have(connection, guild_id, player_id, name):
        raise Refused(Refusal.NAME_TAKEN, name=name)
    keep_alias(connection, guild_id, player_id, name)


def keep_alias(connection: sa.Connection, guild_id: int, player_id: int, name: str) -> None:
    """Let a player go by a name of which it is known that it is nobody's alias."""
    row = {"guild_id": guild_id, "player_id": player_id, "name": name, "key": key_of(name)}
    connection.execute(sa.insert(player_aliases).values(row))


def drop_alias(connection: sa.Connection, guild_id: int, player_id: int, name: str) -> None:
    """Take a name away again. Raises Refused (NO_ALIAS) when the player does not go by it."""
    club.hold(connection, guild_id)
    gone = connection.execute(
        sa.delete(player_aliases).where(
            player_aliases.c.guild_id == guild_id,
            player_aliases.c.player_id.in_(family_of(connection, guild_id, player_id)),
            player_aliases.c.key == key_of(name),
        )
    )
    if not gone.rowcount:
        raise Refused(Refusal.NO_ALIAS, name=name)


def _alias_owner(connection: sa.Connection, guild_id: int, name: str) -> int | None:
    """The record whose alias a name is."""
    query = sa.select(player_aliases.c.player_id).where(
        player_aliases.c.guild_id == guild_id, player_aliases.c.key == key_of(name)
    )
    return connection.execute(query).scalar()


def _may_have(connection: sa.Connection, guild_id: int, player_id: int, name: str) -> bool:
    """Whether a name is this player's already, or nobody's."""
    known, key = directory(connection, guild_id), key_of(name)
    counted = club.counted_as(connection, guild_id, [player_id]).get(player_id)
    return known.is_free(name) or counted in known.ambiguous.get(key, (known.players.get(key),))


def family_of(connection: sa.Connection, guild_id: int, player_id: int) -> list[int]:
    """The records of the person that one of them counts as, the one that all count as first."""
    counted = club.counted_as(connection, guild_id, [player_id]).get(player_id, player_id)
    query = sa.select(players.c.id).where(players.c.guild_id == guild_id, _counts == counted)
    found = connection.execute(query.order_by(players.c.merged_into.is_not(None), players.c.id)).scalars()
    return list(found)
