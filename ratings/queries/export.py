"""A club's games, changes and statistics as plain rows, for files that people open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from ratings import club
from ratings.queries.people import records_of
from ratings.store.tables import (
    accounts,
    american_wins,
    card_lines,
    decisions,
    games,
    log_seats,
    outcomes,
    players,
    seats,
    standings,
    tournament_results,
    tournaments,
)

__all__ = ["Sheet", "sheets"]

_told = players.alias("told")
_decider = players.alias("decider")
_north = seats.alias("north")
_counted = sa.func.coalesce(_told.c.merged_into, _told.c.id)
_AT_TABLE = (
    games.join(seats, seats.c.game_id == games.c.id)
    .join(_told, _told.c.id == seats.c.player_id)
    .join(players, players.c.id == _counted)
    .outerjoin(outcomes, sa.and_(outcomes.c.game_id == games.c.id, outcomes.c.seat == seats.c.seat))
)

_OF_GAMES = (
    "game",
    "kind",
    "state",
    "played",
    "length",
    "lobby",
    "ranked",
    "sticks left",
    "seat",
    "player",
    "score",
    "place",
    "final points",
    "chips",
    "won with",
    "discarded",
)

_OF_CHANGES = (
    "game",
    "system",
    "approved",
    "approved by",
    "player",
    "rank before",
    "rank",
    "points before",
    "points",
    "rating before",
    "rating",
    "rated games before",
)

_OF_STATISTICS = (
    "player",
    "table",
    "games",
    "1st",
    "2nd",
    "3rd",
    "4th",
    "sum of places",
    "sum of final points",
    "tobi",
    "chips",
    "hands won (American)",
    "games with a log",
    "hands dealt",
    "hands won",
    "hands dealt in",
    "hands with a call",
    "hands with riichi",
    "rank",
    "points",
    "rating",
)


class Sheet(NamedTuple):
    """One file: its name without an ending, its columns, and its rows."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def sheets(connection: sa.Connection, guild_id: int, discord_id: int | None = None) -> list[Sheet]:
    """The club's data, or what concerns one member: games, changes, statistics, tournaments and accounts.

    Moments are written in the club's time zone, scores and final points in points.
    """
    zone = club.settings(connection, guild_id).zone
    mine = sa.true() if discord_id is None else players.c.id.in_(records_of(guild_id, discord_id))
    tables = (_games, _changes, _statistics, _tournaments, _accounts)
    return [table(connection, guild_id, mine, zone) for table in tables]


def _games(connection: sa.Connection, guild_id: int, mine: sa.ColumnElement[bool], zone: ZoneInfo) -> Sheet:
    """Every seat of every game in which somebody that is meant sat."""
    sat = sa.select(games.c.id).select_from(_AT_TABLE).where(games.c.guild_id == guild_id, mine)
    query = (
        sa.select(
            games.c.number,
            games.c.kind,
            games.c.state,
            games.c.played_at,
            games.c.length,
            games.c.lobby,
            games.c.ranked,
            games.c.sticks,
            seats.c.seat,
            players.c.name,
            seats.c.score,
            outcomes.c.place,
            outcomes.c.final_points,
            seats.c.chips,
            sa.case((american_wins.c.winner_id == seats.c.player_id, card_lines.c.name)).label("won_with"),
            sa.case((american_wins.c.discarder_id == seats.c.player_id, 1)).label("discarded"),
        )
        .select_from(
            _AT_TABLE.outerjoin(american_wins, american_wins.c.game_id == games.c.id).outerjoin(
                card_lines, card_lines.c.id == american_wins.c.line_id
            )
        )
        .where(games.c.id.in_(sat))
        .order_by(games.c.number, seats.c.seat)
    )
    return Sheet("games", _OF_GAMES, _rows(connection, query, zone, moment=3))


def _changes(connection: sa.Connection, guild_id: int, mine: sa.ColumnElement[bool], zone: ZoneInfo) -> Sheet:
    query = (
        sa.select(
            games.c.number,
            games.c.system,
            decisions.c.decided_at,
            _decider.c.name,
            players.c.name.label("player"),
            outcomes.c.rank_before,
            outcomes.c.rank,
            outcomes.c.points_before,
            outcomes.c.points,
            outcomes.c.rating_before,
            outcomes.c.rating,
            outcomes.c.games_before,
        )
        .select_from(
            _AT_TABLE.join(decisions, decisions.c.id == games.c.approval_id).join(
                _decider, _decider.c.id == decisions.c.decided_by
            )
        )
        .where(games.c.guild_id == guild_id, outcomes.c.rating.is_not(None), mine)
        .order_by(games.c.approval_id, seats.c.seat)
    )
    return Sheet("changes", _OF_CHANGES, _rows(connection, query, zone, moment=2))


def _statistics(connection: sa.Connection, guild_id: int, mine: sa.ColumnElement[bool], zone: ZoneInfo) -> Sheet:
    """A line for each player and kind of table, with counts to divide: of games, and of hands that logs tell."""
    at_table = sa.case(
        (games.c.kind == "american", "american"), (_north.c.seat.is_not(None), "riichi-4p"), else_="riichi-3p"
    )
    placed = [_sum(sa.case((outcomes.c.place == place, 1), else_=0)) for place in (1, 2, 3, 4)]
    won = _sum(sa.case((american_wins.c.winner_id == seats.c.player_id, 1), else_=0))
    hands = [
        _sum(column)
        for column in (
            log_seats.c.hands,
            log_seats.c.wins_tsumo + log_seats.c.wins_ron,
            log_seats.c.deal_in_hands,
            log_seats.c.called_hands,
            log_seats.c.riichi_hands,
        )
    ]
    query = (
        sa.select(
            players.c.name,
            at_table,
            sa.func.count(),
            *placed,
            _sum(outcomes.c.place),
            _sum(outcomes.c.final_points),
            _sum(sa.case((seats.c.score < 0, 1), else_=0)),
            _sum(seats.c.chips),
            won,
            sa.func.count(log_seats.c.hands),
            *hands,
            sa.func.max(standings.c.rank),
            sa.func.max(standings.c.points),
            sa.func.max(standings.c.rating),
        )
        .select_from(
            _AT_TABLE.outerjoin(_north, sa.and_(_north.c.game_id == games.c.id, _north.c.seat == 3))
            .outerjoin(american_wins, american_wins.c.game_id == games.c.id)
            .outerjoin(log_seats, sa.and_(log_seats.c.game_id == games.c.id, log_seats.c.seat == seats.c.seat))
            .outerjoin(
                standings,
                sa.and_(
                    standings.c.guild_id == guild_id,
                    standings.c.system == games.c.system,
                    standings.c.player_id == players.c.id,
                ),
            )
        )
        .where(games.c.guild_id == guild_id, games.c.approval_id.is_not(None), mine)
        .group_by(players.c.id, players.c.name, at_table)
        .order_by(players.c.id, at_table)
    )
    return Sheet("statistics", _OF_STATISTICS, _rows(connection, query, zone))


def _tournaments(connection: sa.Connection, guild_id: int, mine: sa.ColumnElement[bool], zone: ZoneInfo) -> Sheet:
    query = (
        sa.select(
            tournaments.c.number,
            tournaments.c.name,
            tournaments.c.last_day,
            tournaments.c.participants,
            tournament_results.c.place,
            players.c.name.label("player"),
            tournament_results.c.score,
            tournament_results.c.replacement,
        )
        .select_from(
            tournaments.join(tournament_results, tournament_results.c.tournament_id == tournaments.c.id)
            .join(_told, _told.c.id == tournament_results.c.player_id)
            .join(players, players.c.id == _counted)
        )
        .where(tournaments.c.guild_id == guild_id, tournaments.c.removed == 0, mine)
        .order_by(tournaments.c.last_day, tournaments.c.number, tournament_results.c.place, players.c.id)
    )
    columns = ("tournament", "name", "last day", "participants", "place", "player", "score", "replacement")
    return Sheet("tournaments", columns, _rows(connection, query, zone))


def _accounts(connection: sa.Connection, guild_id: int, mine: sa.ColumnElement[bool], zone: ZoneInfo) -> Sheet:
    query = (
        sa.select(players.c.name, accounts.c.site, accounts.c.name.label("account"), accounts.c.linked_at)
        .select_from(
            accounts.join(_told, _told.c.id == accounts.c.player_id).join(players, players.c.id == _counted)
        )
        .where(accounts.c.guild_id == guild_id, accounts.c.unlinked_at.is_(None), mine)
        .order_by(accounts.c.site, accounts.c.name)
    )
    return Sheet("accounts", ("player", "site", "account", "linked"), _rows(connection, query, zone, moment=3))


def _sum(column: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    # PostgreSQL adds whole numbers up to decimal ones.
    return sa.cast(sa.func.sum(column), sa.BigInteger)


def _rows(
    connection: sa.Connection, query: sa.Select[Any], zone: ZoneInfo, moment: int | None = None
) -> list[tuple[Any, ...]]:
    """The rows of a query, with the seconds in the column `moment` as the club's clock shows them."""
    rows: Sequence[sa.Row[Any]] = connection.execute(query).all()
    if moment is None:
        return [tuple(row) for row in rows]
    return [
        (*row[:moment], datetime.fromtimestamp(row[moment], UTC).astimezone(zone).isoformat(), *row[moment + 1 :])
        for row in rows
    ]
