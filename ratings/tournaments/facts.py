"""The facts that the rankings are computed from: tournaments and players as they are told now, or as they were
told then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter
from types import MappingProxyType

import sqlalchemy as sa

from ratings.store.bulk import fetch_tuples
from ratings.store.tables import players, tournament_changes, tournament_results, tournaments
from ratings.systems.russian import WINDOW_DAYS, PlainResult, Player, RankingFacts, Tournament
from ratings.tournaments.player_log import ASSUMED, records_then
from ratings.tournaments.readers import details_of
from ratings.tournaments.records import Telling

__all__ = ["Then", "both_then", "facts_now", "facts_then", "newest_change"]

_IN_WINDOW = (
    tournaments.c.guild_id == sa.bindparam("guild"),
    tournaments.c.removed == 0,
    tournaments.c.last_day > sa.bindparam("after"),
    tournaments.c.last_day <= sa.bindparam("until"),
)
_HELD = sa.select(tournaments).where(*_IN_WINDOW)
# Whom a record counts as is looked up later, for the few that count as another one.
_RESULTS = (
    sa.select(
        tournament_results.c.tournament_id,
        tournament_results.c.player_id,
        tournament_results.c.place,
        tournament_results.c.replacement == 0,
    )
    .join(tournaments, tournaments.c.id == tournament_results.c.tournament_id)
    .where(*_IN_WINDOW)
)
_PLAYERS = sa.select(
    players.c.id,
    players.c.country,
    players.c.assumed_country,
    players.c.name,
    players.c.forgotten_at.is_(None),
).where(players.c.guild_id == sa.bindparam("guild"), players.c.merged_into.is_(None))
_MERGED = (
    sa.select(players.c.id, players.c.merged_into, players.c.country, players.c.assumed_country)
    .where(players.c.guild_id == sa.bindparam("guild"), players.c.merged_into.is_not(None))
    .order_by(players.c.id)
)
_LATEST = (
    sa.select(sa.func.max(tournament_changes.c.id))
    .where(
        tournament_changes.c.guild_id == sa.bindparam("guild"),
        tournament_changes.c.tournament_id.is_not(None),
        tournament_changes.c.id <= sa.bindparam("change"),
    )
    .group_by(tournament_changes.c.tournament_id)
)
_TOLD = sa.select(tournament_changes.c.tournament_id, tournament_changes.c.after).where(
    tournament_changes.c.id.in_(_LATEST)
)
_TOLD_IN_WINDOW = _TOLD.where(
    tournament_changes.c.last_day > sa.bindparam("after"), tournament_changes.c.last_day <= sa.bindparam("until")
)
_TOLD_OF_SOME = _TOLD.where(tournament_changes.c.tournament_id.in_(sa.bindparam("ids", expanding=True)))
_NOW = 2**62


@dataclass(frozen=True, slots=True)
class Then:
    """What the rankings were computed from, and tournament and player of every result that was told then, of these
    tournaments and of those that are compared with them."""

    facts: RankingFacts
    told: frozenset[tuple[int, int]]


def newest_change(connection: sa.Connection, guild_id: int, at: int | None = None) -> int:
    """The id of the newest change of any of the club's tournaments or their players, up to a moment; 0 before the
    first tournament."""
    told = [tournament_changes.c.guild_id == guild_id]
    if at is not None:
        told.append(tournament_changes.c.changed_at <= at)
    of_tournament = sa.exists().where(*told, tournament_changes.c.tournament_id.is_not(None))
    newest = sa.select(sa.func.max(tournament_changes.c.id)).where(*told, of_tournament)
    return int(connection.execute(newest).scalar() or 0)


def facts_now(connection: sa.Connection, guild_id: int, until: date, since: date | None = None) -> RankingFacts:
    """What the rankings of all days from `since` to `until` (from `until` alone) are computed from."""
    after = (since or until) - timedelta(days=WINDOW_DAYS)
    wanted = {"guild": guild_id, "after": after.isoformat(), "until": until.isoformat()}
    held = {row.id: details_of(row).tournament(row.id) for row in connection.execute(_HELD, wanted)}
    return _facts(connection, guild_id, held, fetch_tuples(connection, _RESULTS, wanted))


def facts_then(
    connection: sa.Connection, guild_id: int, until: date, change_id: int, since: date | None = None
) -> RankingFacts:
    """The same with tournaments and players as they were told after a change (`newest_change`)."""
    after = (since or until) - timedelta(days=WINDOW_DAYS)
    wanted = {"guild": guild_id, "change": change_id, "after": after.isoformat(), "until": until.isoformat()}
    held: dict[int, Tournament] = {}
    results: list[PlainResult] = []
    for row in connection.execute(_TOLD_IN_WINDOW, wanted):
        told = Telling.from_json(row.after)
        if not told.removed:
            held[row.tournament_id] = told.details.tournament(row.tournament_id)
            results += _results(row.tournament_id, told)
    return _facts(connection, guild_id, held, results, records_then(connection, guild_id, change_id))


def both_then(
    connection: sa.Connection,
    guild_id: int,
    since: date,
    until: date,
    since_change: int | None = None,
    until_change: int | None = None,
) -> tuple[Then, Then]:
    """What the rankings of two days were computed from, with tournaments as they were told after a change each, or
    as they are told now; of the earlier one also what was known of the days up to the later one."""
    before, after = (
        facts_now(connection, guild_id, until, first)
        if change is None
        else facts_then(connection, guild_id, until, change, first)
        for first, change in ((since, since_change), (until, until_change))
    )
    return (
        Then(before, _told(connection, guild_id, before, after, since_change)),
        Then(after, _told(connection, guild_id, after, before, until_change)),
    )


def _told(
    connection: sa.Connection, guild_id: int, facts: RankingFacts, others: RankingFacts, change_id: int | None
) -> frozenset[tuple[int, int]]:
    """Tournament and player of every result that was told after a change: of the tournaments of `facts`, and of
    those in `others` that were removed then, or on other days."""
    missing = sorted(others.tournaments.keys() - facts.tournaments.keys())
    results: list[PlainResult] = []
    if missing:
        wanted = {"guild": guild_id, "change": _NOW if change_id is None else change_id, "ids": missing}
        for row in connection.execute(_TOLD_OF_SOME, wanted):
            results += _results(row.tournament_id, Telling.from_json(row.after))
        results = _counted(results, _merged(connection, guild_id))
    return frozenset((tournament, player) for tournament, player, _, _ in (*facts.results, *results))


def _results(tournament_id: int, told: Telling) -> Iterator[PlainResult]:
    return ((tournament_id, line.player_id, line.place, not line.replacement) for line in told.lines)


def _merged(connection: sa.Connection, guild_id: int) -> dict[int, int]:
    return {row.id: row.merged_into for row in connection.execute(_MERGED, {"guild": guild_id})}


def _facts(
    connection: sa.Connection,
    guild_id: int,
    held: Mapping[int, Tournament],
    results: list[PlainResult],
    then: Mapping[int, Mapping[str, str | None]] = MappingProxyType({}),
) -> RankingFacts:
    """The facts with everybody under the record he counts as, and those players alone who have a result.

    `then` has what records said otherwise than now.
    """
    merged = _merged(connection, guild_id)
    if merged:
        results = _counted(results, merged)
    countries, assumed = _countries_of_others(connection, guild_id, then)
    entrants = set(map(itemgetter(1), results))
    known: dict[int, Player] = {}
    for player, country, taken_for, name, shown in fetch_tuples(connection, _PLAYERS, {"guild": guild_id}):
        if player not in entrants:
            continue
        if player in then:
            said = then[player]
            country, taken_for = said.get("country", country), said.get(ASSUMED, taken_for)
            name = said.get("name") or name
        home = country or countries.get(player) or taken_for or assumed.get(player)
        known[player] = Player(player, home, name, bool(shown))
    return RankingFacts(held, results, known)


def _countries_of_others(
    connection: sa.Connection, guild_id: int, then: Mapping[int, Mapping[str, str | None]]
) -> tuple[dict[int, str], dict[int, str]]:
    """The countries that merged records tell of players, and those that are assumed in them."""
    found: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for row in connection.execute(_MERGED, {"guild": guild_id}):
        said = then.get(row.id, {})
        told = (said.get("country", row.country), said.get(ASSUMED, row.assumed_country))
        for countries, country in zip(found, told, strict=True):
            if country is not None:
                countries.setdefault(row.merged_into, country)
    return found


def _counted(results: Iterable[PlainResult], merged: Mapping[int, int]) -> list[PlainResult]:
    """The results under the records that they count for. Records that are one person by now may each have had a
    place in a tournament: the better one stands for both."""
    found: dict[tuple[int, int], PlainResult] = {}
    for tournament, record, place, counts in results:
        player = merged.get(record, record)
        best = found.get((tournament, player))
        if best is None or place < best[2]:
            found[tournament, player] = (tournament, player, place, counts)
    return list(found.values())
