"""The facts that the rankings are computed from: tournaments as they are told now, or as they were told then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from operator import itemgetter

import sqlalchemy as sa

from ratings.store.bulk import fetch_tuples
from ratings.store.tables import players, tournament_changes, tournament_results, tournaments
from ratings.systems.russian import WINDOW_DAYS, PlainResult, Player, RankingFacts, Tournament
from ratings.tournaments.readers import details_of
from ratings.tournaments.records import Telling

__all__ = ["facts_now", "facts_then", "newest_change"]

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
_PLAYERS = sa.select(players.c.id, players.c.country, players.c.name, players.c.forgotten_at.is_(None)).where(
    players.c.guild_id == sa.bindparam("guild"), players.c.merged_into.is_(None)
)
_MERGED = (
    sa.select(players.c.id, players.c.merged_into, players.c.country)
    .where(players.c.guild_id == sa.bindparam("guild"), players.c.merged_into.is_not(None))
    .order_by(players.c.id)
)
_LATEST = (
    sa.select(sa.func.max(tournament_changes.c.id))
    .where(
        tournament_changes.c.guild_id == sa.bindparam("guild"), tournament_changes.c.id <= sa.bindparam("change")
    )
    .group_by(tournament_changes.c.tournament_id)
)
_TOLD = sa.select(tournament_changes.c.tournament_id, tournament_changes.c.after).where(
    tournament_changes.c.id.in_(_LATEST)
)


def newest_change(connection: sa.Connection, guild_id: int, at: int | None = None) -> int:
    """The id of the newest change of any of the club's tournaments, up to a moment; 0 before the first."""
    query = sa.select(sa.func.coalesce(sa.func.max(tournament_changes.c.id), 0))
    query = query.where(tournament_changes.c.guild_id == guild_id)
    if at is not None:
        query = query.where(tournament_changes.c.changed_at <= at)
    return int(connection.execute(query).scalar_one())


def facts_now(connection: sa.Connection, guild_id: int, until: date, since: date | None = None) -> RankingFacts:
    """What the rankings of all days from `since` to `until` (from `until` alone) are computed from."""
    after = (since or until) - timedelta(days=WINDOW_DAYS)
    wanted = {"guild": guild_id, "after": after.isoformat(), "until": until.isoformat()}
    held = {row.id: details_of(row).tournament(row.id) for row in connection.execute(_HELD, wanted)}
    return _facts(connection, guild_id, held, fetch_tuples(connection, _RESULTS, wanted))


def facts_then(connection: sa.Connection, guild_id: int, until: date, change_id: int) -> RankingFacts:
    """The same for one day, with tournaments as they were told after a change (`newest_change`)."""
    after = until - timedelta(days=WINDOW_DAYS)
    held: dict[int, Tournament] = {}
    results: list[PlainResult] = []
    for row in connection.execute(_TOLD, {"guild": guild_id, "change": change_id}):
        told = Telling.from_json(row.after)
        if told.removed or not after < told.details.last_day <= until:
            continue
        held[row.tournament_id] = told.details.tournament(row.tournament_id)
        results += [(row.tournament_id, line.player_id, line.place, not line.replacement) for line in told.lines]
    return _facts(connection, guild_id, held, results)


def _facts(
    connection: sa.Connection, guild_id: int, held: Mapping[int, Tournament], results: list[PlainResult]
) -> RankingFacts:
    """The facts with everybody under the record he counts as, and those players alone who have a result."""
    guild = {"guild": guild_id}
    merged: dict[int, int] = {}
    countries: dict[int, str] = {}
    for row in connection.execute(_MERGED, guild):
        merged[row.id] = row.merged_into
        if row.country is not None:
            countries.setdefault(row.merged_into, row.country)
    if merged:
        results = _counted(results, merged)
    entrants = set(map(itemgetter(1), results))
    known = {
        player: Player(player, country or countries.get(player), name, bool(shown))
        for player, country, name, shown in fetch_tuples(connection, _PLAYERS, guild)
        if player in entrants
    }
    return RankingFacts(held, results, known)


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
