"""Who the rows of a results file are: players the club knows, members of the server, or somebody new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused
from ratings.resultsfile import ResultRow
from ratings.settings import ClubSettings
from ratings.tournaments import edits, readers
from ratings.tournaments import players as people
from ratings.tournaments.names import Neighbours, key_of
from ratings.tournaments.player_log import ALIAS, ASSUMED, COUNTRIES, Step
from ratings.tournaments.records import Details, Doubt, DoubtKind

__all__ = ["LOOKED_UP", "Enrolled", "Entrants", "country_of_new", "enrol", "identify", "record_of", "settle"]

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
    finder = _Finder(known, members, new_players, _namesakes(rows))
    for row in rows:
        finder.look(row)
    doubts = [*finder.doubts, *(() if new_players else _unknown(known, finder.strangers))]
    return Entrants(finder.players, finder.linked, tuple(sorted(doubts, key=lambda doubt: doubt.row)))


def _namesakes(rows: Sequence[ResultRow]) -> Collection[str]:
    """The names, by key, that more than one row has."""
    bearers = Counter(key_of(row.player) for row in rows)
    return {key for key, number in bearers.items() if number > 1}


def _unknown(known: people.Directory, strangers: Sequence[ResultRow]) -> Iterator[Doubt]:
    """The doubts about rows whose names nobody has."""
    neighbours = Neighbours(known.shown if strangers else {})
    for index, row in enumerate(strangers):
        near = neighbours.of(row.player) if index < LOOKED_UP else ()
        owner = known.by_ema_number.get(row.ema_number or "")
        if owner is not None:
            near = tuple(dict.fromkeys((known.names[owner], *near)))
        name = row.player if known.is_free(row.player) else f"{row.player} ({row.ema_number})"
        yield Doubt(row.row, DoubtKind.UNKNOWN, name, near)


class _Finder:
    """Goes through the rows and remembers who was in an earlier one."""

    def __init__(
        self,
        known: people.Directory,
        members: Mapping[int, Person],
        new_players: bool,
        namesakes: Collection[str],
    ) -> None:
        self.players: dict[int, int] = {}
        self.linked: list[int] = []
        self.strangers: list[ResultRow] = []
        self.doubts: list[Doubt] = []
        self._known = known
        self._on_discord = known.on_discord
        self._members = members
        self._new_players = new_players
        self._namesakes = namesakes
        self._seen: dict[int | tuple[str, object], int] = {}

    def look(self, row: ResultRow) -> None:
        """Find out who a row is."""
        key = key_of(row.player)
        named = self._named(row, key)
        member = self._members.get(row.row)
        if member is not None:
            who = self._member(row, member, named)
        elif (owner := self._known.by_ema_number.get(row.ema_number or "")) and self._goes_by(owner, key):
            who = owner
        elif key in self._known.ambiguous or key in self._namesakes:
            who = self._namesake(row, key, named)
        elif named is not None:
            who = named
        else:
            who = self._stranger(row, ("name", key))
        if who is None or self._has_other_number(row, who) or self._has_other_country(row, who):
            return
        earlier = self._seen.setdefault(who, row.row)
        if earlier != row.row:
            self.doubts.append(Doubt(row.row, DoubtKind.TWICE, row.player, other=earlier))
        elif isinstance(who, int):
            self.players[row.row] = who

    def _named(self, row: ResultRow, key: str) -> int | None:
        """The only player whom the club knows by the name; nobody if several rows have it and another number."""
        named = self._known.players.get(key)
        own = None if named is None else self._known.ema_numbers.get(named)
        is_another = own is not None and row.ema_number not in (None, own)
        return None if is_another and key in self._namesakes else named

    def _goes_by(self, player: int, key: str) -> bool:
        """Whether a name is a player's, or was before it became another one's alias."""
        known = self._known
        bearers = (known.players.get(key), *known.ambiguous.get(key, ()))
        return player in bearers or key == key_of(known.names[player])

    def _stranger(self, row: ResultRow, who: tuple[str, object]) -> tuple[str, object]:
        self.strangers.append(row)
        return who

    def _namesake(self, row: ResultRow, key: str, named: int | None) -> tuple[str, object] | None:
        """Somebody new; in doubt if one of those whom the club knows by the name can be meant."""
        if named is not None or key in self._known.ambiguous:
            self.doubts.append(Doubt(row.row, DoubtKind.SEVERAL, row.player))
            return None
        return self._stranger(row, ("name", key) if row.ema_number is None else ("EMA number", row.ema_number))

    def _member(self, row: ResultRow, member: Person, named: int | None) -> int | tuple[str, object] | None:
        record = self._known.accounts.get(member.discord_id)
        free = named is not None and named not in self._on_discord
        if key_of(row.player) in self._namesakes:
            if free and record is None and self._known.by_ema_number.get(row.ema_number or "") != named:
                self.doubts.append(Doubt(row.row, DoubtKind.SEVERAL, row.player))
                return None
            named = named if free else None
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
        in_doubt = isinstance(who, tuple) and who[0] != "member" and not self._new_players
        if number is None or in_doubt:
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

    def _has_other_country(self, row: ResultRow, who: int | tuple[str, object]) -> bool:
        """Whether somebody has told another country of the player than the one in a row."""
        own = self._known.countries.get(who) if isinstance(who, int) else None
        if own is None or row.country is None or row.country == own:
            return False
        self.doubts.append(Doubt(row.row, DoubtKind.COUNTRY_DIFFERS, row.player, (row.country, own)))
        return True


def country_of_new(settings: ClubSettings, details: Details) -> str | None:
    """Where a player is taken to be at home as long as nobody tells: after a tournament at a table in the home
    country, there."""
    return settings.home_country if details.country == settings.home_country and not details.online else None


def enrol(
    connection: sa.Connection,
    guild_id: int,
    rows: Sequence[ResultRow],
    members: Mapping[int, Person],
    entrants: Entrants,
    country: str | None,
    by: Person,
    now: int,
) -> Enrolled:
    """Give everybody a record who has none, and keep what the rows tell of the players, written down for those who
    had one.

    `entrants` are without doubts; `country` is assumed of players of whom neither the club nor the file knows any.
    A member goes from now on by the name in the file too, unless somebody else has it, in the club or the file.
    """
    known = people.directory(connection, guild_id)
    players = dict(entrants.players)
    made: list[str] = []
    homeless: list[str] = []
    aliases: dict[int, str] = {}
    namesakes = _namesakes(rows)
    told: dict[int, dict[str, str]] = {}
    for row in rows:
        member = members.get(row.row)
        if row.row in entrants.linked and member is not None:
            edits.link(connection, guild_id, players[row.row], member, by, now)
        elif row.row not in players:
            made.append(row.player)
            if member is None:
                players[row.row] = people.add_player(connection, guild_id, row.player)
            else:
                (players[row.row],) = club.player_ids(connection, guild_id, [member])
        key = key_of(row.player)
        is_free = known.is_free(row.player) and key not in namesakes
        if member is not None and is_free and key_of(member.name) != key:
            people.keep_alias(connection, guild_id, players[row.row], row.player)
            aliases[players[row.row]] = row.player
        told[players[row.row]] = facts = _told(known, players[row.row], row, country)
        if known.home_of(players[row.row]) is None and COUNTRIES.isdisjoint(facts) and not row.replacement:
            homeless.append(row.player)
    readers.fill_in(connection, guild_id, told)
    edits.fill_in(connection, guild_id, _news(known, told, aliases), by, now)
    linked = tuple(row.player for row in rows if row.row in entrants.linked)
    return Enrolled(players, tuple(made), linked, tuple(homeless))


def _told(known: people.Directory, player: int, row: ResultRow, country: str | None) -> dict[str, str]:
    """What is to be kept of a player, by fact: nothing of what is known of one of his records already, and the
    `country` that is assumed of him if none is told."""
    found: dict[str, str] = {}
    if row.country is not None and player not in known.countries:
        found["country"] = row.country
    elif row.country is None and country is not None and known.home_of(player) is None:
        found[ASSUMED] = country
    if row.ema_number is not None and player not in known.ema_numbers:
        found["ema_number"] = row.ema_number
    return found


def _news(
    known: people.Directory, told: Mapping[int, Mapping[str, str]], aliases: Mapping[int, str]
) -> dict[int, dict[str, Step]]:
    """What was told of players whom the club knew before, by fact."""
    found: dict[int, dict[str, Step]] = {}
    for player, facts in told.items():
        news = {fact: Step(None, value, None) for fact, value in facts.items()}
        if "country" in news:
            # Until now another one may have been assumed.
            news["country"] = news["country"]._replace(before=known.home_of(player))
        if player in aliases:
            news[ALIAS] = Step(None, aliases[player], None)
        if news and player in known.names:
            found[player] = news
    return found


def record_of(connection: sa.Connection, guild_id: int, number: int, who: int | Person | str) -> int:
    """The record of somebody who is to have a result in a tournament: a record, a member, or the name of somebody
    who is new to the club, unless somebody goes by it by now. Whoever gets a new record is taken to be at home
    where he plays.

    Raises Refused for an unknown tournament, and for a name that several go by (NAME_TAKEN).
    """
    details = readers.record(connection, guild_id, number).details
    known = people.directory(connection, guild_id)
    if isinstance(who, str):
        record = _named(connection, guild_id, known, who)
    elif isinstance(who, int):
        return who
    else:
        (own,) = club.player_ids(connection, guild_id, [who])
        record = club.counted_as(connection, guild_id, [own])[own]
    if record not in known.names:
        country = country_of_new(club.settings(connection, guild_id), details)
        people.tell(connection, guild_id, [record], {ASSUMED: country})
    return record


def _named(connection: sa.Connection, guild_id: int, known: people.Directory, name: str) -> int:
    key = key_of(name)
    if key in known.ambiguous:
        raise Refused(Refusal.NAME_TAKEN, name=name)
    return known.players[key] if key in known.players else people.add_player(connection, guild_id, name)


def settle(
    connection: sa.Connection, guild_id: int, details: Details, player_id: int, by: Person, now: int
) -> None:
    """Take somebody of whom nobody knows a country to be at home where he plays, and write that down."""
    country = country_of_new(club.settings(connection, guild_id), details)
    player = people.entry(connection, guild_id, player_id)
    if country is not None and player.country is None:
        readers.fill_in(connection, guild_id, {player.id: {ASSUMED: country}})
        edits.fill_in(connection, guild_id, {player.id: {ASSUMED: Step(None, country, None)}}, by, now)
