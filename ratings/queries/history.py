"""How members came to stand where they stand, and how two of them did where both took part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from itertools import accumulate, combinations
from typing import Any, NamedTuple

import sqlalchemy as sa

from ratings import club, statistics
from ratings.models import SystemName
from ratings.queries.people import player_of, records_of
from ratings.queries.statistics import counts_at
from ratings.statistics import HeadToHead, Placing
from ratings.store.bulk import fetch_tuples
from ratings.store.tables import american_wins, games, outcomes, seats, tournament_results, tournaments
from ratings.systems import russian
from ratings.systems.russian import Ranking
from ratings.tournaments import facts

__all__ = ["LONGEST_RANKING", "Measure", "Step", "head_to_heads", "histories", "players_of"]

# How far back the history of a tournament rating goes.
LONGEST_RANKING = timedelta(days=5 * 365 + 1)


class Measure(StrEnum):
    """What a history can be of."""

    RANK_4P = "rank-4p"
    RANK_3P = "rank-3p"
    RATING_4P = "rating-4p"
    RATING_3P = "rating-3p"
    AMERICAN = "american"
    RR = "rr"
    CRR = "crr"
    ONLINE = "online"

    @property
    def system(self) -> SystemName | None:
        """The rating system that it is a figure of; None for a tournament rating."""
        return {
            Measure.RANK_4P: SystemName.TENHOU_4P,
            Measure.RATING_4P: SystemName.TENHOU_4P,
            Measure.RANK_3P: SystemName.TENHOU_3P,
            Measure.RATING_3P: SystemName.TENHOU_3P,
            Measure.AMERICAN: SystemName.NMJL,
        }.get(self)

    @property
    def players(self) -> int | None:
        """How many sit at a table of the ladder that it is a figure of; None off the ladder."""
        return {SystemName.TENHOU_4P: 4, SystemName.TENHOU_3P: 3}.get(self.system) if self.system else None

    @property
    def on_ladder(self) -> bool:
        """Whether it is rank points, which mean something with their rank alone."""
        return self in (Measure.RANK_4P, Measure.RANK_3P)


class Step(NamedTuple):
    """A point of a history: when (seconds since 1970 UTC), rank points or rating, and on the ladder the rank."""

    at: int
    value: float
    rank: int | None = None


def histories(
    connection: sa.Connection, guild_id: int, members: Sequence[int], measure: Measure, now: int
) -> list[list[Step]]:
    """How each of these members (Discord ids) came to stand where he stands, oldest first.

    Of a rating system a step for each rated game, in the order in which games are rated; it stands at the time
    the game was played, or at that of an earlier step where a game played later was rated first. Of a tournament
    rating a step for each day of the last LONGEST_RANKING on which it moved, and one for today.
    """
    if measure.system is not None:
        return [_steps(connection, guild_id, member, measure) for member in members]
    return _ranked(connection, guild_id, members, Ranking(measure), now)


def _steps(connection: sa.Connection, guild_id: int, discord_id: int, measure: Measure) -> list[Step]:
    query = (
        sa.select(games.c.played_at, outcomes.c.rank, outcomes.c.points, outcomes.c.rating)
        .select_from(seats)
        .join(games, games.c.id == seats.c.game_id)
        .join(outcomes, sa.and_(outcomes.c.game_id == seats.c.game_id, outcomes.c.seat == seats.c.seat))
        .where(seats.c.player_id.in_(records_of(guild_id, discord_id)))
        .where(games.c.system == measure.system, games.c.approval_id.is_not(None))
        .order_by(games.c.approval_id)
    )
    rows = fetch_tuples(connection, query, {})
    played = accumulate((row[0] for row in rows), max)
    if measure.on_ladder:
        return [Step(at, points, rank) for at, (_, rank, points, _) in zip(played, rows, strict=True)]
    return [Step(at, rating) for at, (*_, rating) in zip(played, rows, strict=True)]


def _ranked(
    connection: sa.Connection, guild_id: int, members: Sequence[int], ranking: Ranking, now: int
) -> list[list[Step]]:
    settings = club.settings(connection, guild_id)
    zone = settings.zone
    today = datetime.fromtimestamp(now, UTC).astimezone(zone).date()
    first = today - LONGEST_RANKING
    known = facts.facts_now(connection, guild_id, today, first)
    players = players_of(connection, guild_id, members)
    pool = russian.gather(known, ranking, settings.ranking_rules)
    # The maximal coefficients are those of all tournaments, but nobody else needs to be rated.
    pool = replace(pool, cells={player: cells for player, cells in pool.cells.items() if player in players})
    days = sorted({first, *russian.moving_days(pool, first, today), today})
    found: dict[int, list[Step]] = {}
    for table in russian.series(pool, days):
        at = int(datetime.combine(table.day, time(), zone).timestamp())
        for row in table.rows:
            mine = found.setdefault(row.player_id, [])
            if not mine or mine[-1].value != row.rating or table.day == today:
                mine.append(Step(at, row.rating))
    return [found.get(player, []) if player is not None else [] for player in players]


def players_of(connection: sa.Connection, guild_id: int, members: Sequence[int]) -> list[int | None]:
    """The ids of the records under which these members (Discord ids) count; None for a stranger."""
    return [connection.execute(sa.select(player_of(guild_id, member))).scalar() for member in members]


def head_to_heads(
    connection: sa.Connection, guild_id: int, members: Sequence[int], measure: Measure
) -> list[HeadToHead]:
    """How each two of these members (Discord ids) did where both took part, in the order of `combinations`.

    That is at tables of the ladder's size, ranked or not; in American hands, where whoever wins comes in ahead; in
    tournaments played live or, for Online, online.
    """
    if len(members) < 2:
        return []
    placings = [_placings(connection, guild_id, member, measure) for member in members]
    return [statistics.head_to_head(first, second) for first, second in combinations(placings, 2)]


def _placings(connection: sa.Connection, guild_id: int, discord_id: int, measure: Measure) -> dict[int, Placing]:
    records = records_of(guild_id, discord_id)
    if measure.players is not None:
        query = _games(records).where(counts_at(measure.players))
    elif measure is Measure.AMERICAN:
        query = _hands(records)
    else:
        query = _tournaments(guild_id, records, online=measure is Measure.ONLINE)
    return {event: Placing(place, points) for event, place, points in fetch_tuples(connection, query, {})}


def _games(records: sa.Select[tuple[int]]) -> sa.Select[Any]:
    return (
        sa.select(games.c.id, outcomes.c.place, outcomes.c.final_points)
        .select_from(seats)
        .join(games, games.c.id == seats.c.game_id)
        .join(outcomes, sa.and_(outcomes.c.game_id == seats.c.game_id, outcomes.c.seat == seats.c.seat))
        .where(seats.c.player_id.in_(records))
    )


def _hands(records: sa.Select[tuple[int]]) -> sa.Select[Any]:
    won = sa.and_(american_wins.c.winner_id.is_not(None), american_wins.c.winner_id.in_(records))
    return (
        sa.select(games.c.id, sa.case((won, 1), else_=2), sa.null())
        .select_from(seats)
        .join(games, games.c.id == seats.c.game_id)
        .outerjoin(american_wins, american_wins.c.game_id == games.c.id)
        .where(seats.c.player_id.in_(records), games.c.kind == "american", games.c.approval_id.is_not(None))
    )


def _tournaments(guild_id: int, records: sa.Select[tuple[int]], *, online: bool) -> sa.Select[Any]:
    # Records that are one person by now may each have had a place: the better one stands for both.
    return (
        sa.select(tournaments.c.id, sa.func.min(tournament_results.c.place), sa.null())
        .select_from(tournament_results)
        .join(tournaments, tournaments.c.id == tournament_results.c.tournament_id)
        .where(tournament_results.c.player_id.in_(records), tournament_results.c.replacement == 0)
        .where(tournaments.c.guild_id == guild_id, tournaments.c.removed == 0, tournaments.c.online == int(online))
        .group_by(tournaments.c.id)
    )
