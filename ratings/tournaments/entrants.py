"""Who the rows of a results file are: players the club knows, members of the server, or somebody new."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.settings import ClubSettings
from ratings.tournaments import players as people
from ratings.tournaments import readers
from ratings.tournaments.names import Neighbours, key_of
from ratings.tournaments.records import Details, Doubt, DoubtKind

__all__ = ["LOOKED_UP", "Enrolled", "Entrants", "country_of_new", "enrol", "identify", "record_of"]

# Unknown names for which near ones are looked up.
LOOKED_UP = 100


@dataclass(frozen=True, slots=True)
class Entrants:
    """Who the rows are, by row number: the record they count under.

    `linked` are those of them whose record has no account yet, and whose row names a member without a record.
    Rows that are in neither and without `doubts` are members or names that are new to the club.
    """

    players: Mapping[int, int]
    linked: Collection[int]
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The record of each row by its number; the names of the new ones, of those that were linked to a member, and
    of those of whom nobody knows where they are at home."""

    players: Mapping[int, int]
    made: tuple[str, ...]
    linked: tuple[str, ...]
    homeless: tuple[str, ...]


def identify(
    connection: sa.Connection,
    guild_id: int,
    rows: Sequence[ResultRow],
    members: Mapping[int, Person],
    new_players: bool,
) -> Entrants:
    """Find out who the rows are. `members` are those that rows (by number) name.

    With `new_players` a name that nobody has is no reason for doubt. For the first unknown names (LOOKED_UP)
    those near them are told, too.
    """
    known = people.directory(connection, guild_id)
    finder = _Finder(known, members, new_players)
    for row in rows:
        finder.look(row)
    doubts = [*finder.doubts, *(() if new_players else _unknown(known, finder.strangers))]
    return Entrants(finder.players, finder.linked, tuple(sorted(doubts, key=lambda doubt: doubt.row)))


def _unknown(known: people.Directory, strangers: Sequence[ResultRow]) -> Iterator[Doubt]:
    """The doubts about rows whose names nobody has."""
    neighbours = Neighbours(known.shown if strangers else {})
    for index, row in enumerate(strangers):
        near = neighbours.of(row.player) if index < LOOKED_UP else ()
        owner = known.by_ema_number.get(row.ema_number or "")
        if owner is not None:
            near = tuple(dict.fromkeys((known.names[owner], *near)))
        yield Doubt(row.row, DoubtKind.UNKNOWN, row.player, near)


class _Finder:
    """Goes through the rows and remembers who was in an earlier one."""

    def __init__(self, known: people.Directory, members: Mapping[int, Person], new_players: bool) -> None:
        self.players: dict[int, int] = {}
        self.linked: list[int] = []
        self.strangers: list[ResultRow] = []
        self.doubts: list[Doubt] = []
        self._known = known
        self._on_discord = known.on_discord
        self._members = members
        self._new_players = new_players
        self._seen: dict[int | tuple[str, object], int] = {}

    def look(self, row: ResultRow) -> None:
        """Find out who a row is."""
        key = key_of(row.player)
        named = self._known.players.get(key)
        member = self._members.get(row.row)
        if member is not None:
            who = self._member(row, member, named)
        elif key in self._known.ambiguous:
            self.doubts.append(Doubt(row.row, DoubtKind.SEVERAL, row.player))
            return
        elif named is not None:
            who = named
        else:
            who = ("name", key)
            self.strangers.append(row)
        if who is None or self._has_other_number(row, who):
            return
        earlier = self._seen.setdefault(who, row.row)
        if earlier != row.row:
            self.doubts.append(Doubt(row.row, DoubtKind.TWICE, row.player, other=earlier))
        elif isinstance(who, int):
            self.players[row.row] = who

    def _member(self, row: ResultRow, member: Person, named: int | None) -> int | tuple[str, object] | None:
        record = self._known.accounts.get(member.discord_id)
        free = named is not None and named not in self._on_discord
        if named not in (None, record) and not free:
            self.doubts.append(Doubt(row.row, DoubtKind.OTHER_MEMBER, row.player, (member.name,)))
            return None
        if record is None and free:
            self.linked.append(row.row)
            return named
        if record is None:
            return ("member", member.discord_id)
        if free and named != record:
            self.doubts.append(Doubt(row.row, DoubtKind.TWO_RECORDS, row.player, (member.name,)))
            return None
        return record

    def _has_other_number(self, row: ResultRow, who: int | tuple[str, object]) -> bool:
        """Whether the EMA number in a row is not that of the player, or is that of somebody else."""
        known, number = self._known, row.ema_number
        # A name that is not known is in doubt anyway, unless new players may come.
        if number is None or (who == ("name", key_of(row.player)) and not self._new_players):
            return False
        owner = known.by_ema_number.get(number)
        if owner not in (None, who):
            self.doubts.append(Doubt(row.row, DoubtKind.EMA_TAKEN, row.player, (known.names[owner],)))
            return True
        own = known.ema_numbers.get(who) if isinstance(who, int) else None
        if own not in (None, number):
            self.doubts.append(Doubt(row.row, DoubtKind.EMA_DIFFERS, row.player, (own,)))
            return True
        return False


def country_of_new(settings: ClubSettings, details: Details) -> str | None:
    """Where a player is taken to be at home if nobody knows: after a tournament at a table in the home country,
    there."""
    return settings.home_country if details.country == settings.home_country and not details.online else None


def enrol(
    connection: sa.Connection,
    guild_id: int,
    rows: Sequence[ResultRow],
    members: Mapping[int, Person],
    entrants: Entrants,
    country: str | None,
) -> Enrolled:
    """Give everybody a record who has none, and keep what the rows tell of the players.

    `entrants` are without doubts; `country` is that of players of whom neither the club nor the file knows any.
    A member goes from now on by the name in the file too, unless somebody else has it.
    """
    known = people.directory(connection, guild_id)
    players = dict(entrants.players)
    made: list[str] = []
    homeless: list[str] = []
    told: list[tuple[int, str | None, str | None]] = []
    for row in rows:
        member = members.get(row.row)
        if row.row in entrants.linked and member is not None:
            people.link(connection, guild_id, players[row.row], member)
        elif row.row not in players:
            made.append(row.player)
            if member is None:
                players[row.row] = people.add_player(connection, guild_id, row.player)
            else:
                (players[row.row],) = club.player_ids(connection, guild_id, [member])
        if member is not None and known.is_free(row.player) and key_of(member.name) != key_of(row.player):
            people.keep_alias(connection, guild_id, players[row.row], row.player)
        if players[row.row] not in known.countries and not (row.country or country):
            homeless.append(row.player)
        told.append(_told(known, players[row.row], row.country or country, row.ema_number))
    readers.fill_in(connection, guild_id, told)
    linked = tuple(row.player for row in rows if row.row in entrants.linked)
    return Enrolled(players, tuple(made), linked, tuple(homeless))


def _told(
    known: people.Directory, player: int, country: str | None, ema_number: str | None
) -> tuple[int, str | None, str | None]:
    """What is to be kept of a player: nothing of what is known of one of his records already."""
    return (
        player,
        None if player in known.countries else country,
        None if player in known.ema_numbers else ema_number,
    )


def record_of(connection: sa.Connection, guild_id: int, number: int, who: int | Person | str) -> int:
    """The record of somebody who is to have a result in a tournament: a record, a member, or the name of somebody
    who is new to the club, unless somebody goes by it by now.

    Raises Refused for an unknown tournament, and for a name that several go by (NAME_TAKEN).
    """
    details = readers.record(connection, guild_id, number).details
    known = people.directory(connection, guild_id)
    if isinstance(who, str):
        record = _named(connection, guild_id, known, who)
    elif isinstance(who, int):
        record = who
    else:
        (own,) = club.player_ids(connection, guild_id, [who])
        record = club.counted_as(connection, guild_id, [own])[own]
    country = country_of_new(club.settings(connection, guild_id), details)
    readers.fill_in(connection, guild_id, [_told(known, record, country, None)])
    return record


def _named(connection: sa.Connection, guild_id: int, known: people.Directory, name: str) -> int:
    key = key_of(name)
    if key in known.ambiguous:
        raise Refused(Refusal.NAME_TAKEN, name=name)
    return known.players[key] if key in known.players else people.add_player(connection, guild_id, name)
