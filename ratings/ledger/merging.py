"""Merging: which records are one person's, what keeps two apart, and the games that they bring along."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import sqlalchemy as sa

from ratings.ledger.entries import Entry, entry_of
from ratings.ledger.plans import Change
from ratings.models import AmericanGame, CorrectionKind, GameState, Refusal, Refused
from ratings.queries import games as reading
from ratings.queries import people
from ratings.store.tables import corrections, games, seats, tournament_results, tournaments

__all__ = ["check_apart", "reassigned", "records_of", "taken_along"]

_BATCH = 500


def check_apart(connection: sa.Connection, guild_id: int, family: Collection[int], into_id: int) -> None:
    """Raises Refused if one of these records sat at one table or played in one tournament with `into_id` or a
    record that counts as it."""
    sides = (family, records_of(connection, into_id))
    numbers, cups = _together(connection, guild_id, *sides), _in_one_tournament(connection, guild_id, *sides)
    if numbers or cups:
        raise Refused(Refusal.TOGETHER, games=numbers, tournaments=cups)


def records_of(connection: sa.Connection, player_id: int) -> list[int]:
    """A record and those that count as it."""
    return sorted(row.id for row in connection.execute(people.records_counting_as(player_id)))


def taken_along(connection: sa.Connection, guild_id: int, player_id: int) -> list[int]:
    """A merged record and those that had been merged into it, but for what was split off or merged anew since."""
    query = (
        sa.select(corrections.c.kind, corrections.c.player_id, corrections.c.into_id)
        .where(corrections.c.guild_id == guild_id)
        .where(corrections.c.kind.in_([CorrectionKind.MERGE, CorrectionKind.SPLIT]))
        .order_by(corrections.c.id)
    )
    under: dict[int, int] = {}
    for row in connection.execute(query):
        under.pop(row.player_id, None)
        if row.kind == CorrectionKind.MERGE:
            under[row.player_id] = row.into_id
    family = [player_id]
    for record in family:
        family += [other for other, into in under.items() if into == record]
    return sorted(family)


def reassigned(connection: sa.Connection, guild_id: int, family: Collection[int], to: int) -> list[Change]:
    """The counting games of some records, as they would be if these counted as `to`."""
    query = (
        sa.select(games.c.id)
        .join(seats, seats.c.game_id == games.c.id)
        .where(games.c.guild_id == guild_id, games.c.approval_id.is_not(None), seats.c.player_id.in_(family))
        .order_by(games.c.approval_id)
    )
    ids = list(connection.execute(query).scalars())
    changes = []
    for start in range(0, len(ids), _BATCH):
        for game in reading.by_ids(connection, guild_id, ids[start : start + _BATCH]):
            moved = {
                player: to for player, record in zip(game.players, game.records, strict=True) if record in family
            }
            entry = entry_of(game)
            changes.append(Change(entry, _with_players(entry, moved)))
    return changes


def _together(
    connection: sa.Connection, guild_id: int, some: Collection[int], others: Collection[int]
) -> list[int]:
    """The numbers of the games, counting or undecided, at which somebody of both sides sat."""
    left, right = seats.alias("left_seat"), seats.alias("right_seat")
    query = (
        sa.select(games.c.number)
        .join(left, sa.and_(left.c.game_id == games.c.id, left.c.player_id.in_(some)))
        .join(right, sa.and_(right.c.game_id == games.c.id, right.c.player_id.in_(others)))
        .where(games.c.guild_id == guild_id, games.c.state.in_([GameState.PENDING, GameState.APPROVED]))
        .order_by(games.c.number)
    )
    return list(connection.execute(query).scalars())


def _in_one_tournament(
    connection: sa.Connection, guild_id: int, some: Collection[int], others: Collection[int]
) -> list[int]:
    """The numbers of the tournaments in which both sides have a result."""
    left, right = tournament_results.alias("left_result"), tournament_results.alias("right_result")
    query = (
        sa.select(tournaments.c.number)
        .join(left, sa.and_(left.c.tournament_id == tournaments.c.id, left.c.player_id.in_(some)))
        .join(right, sa.and_(right.c.tournament_id == tournaments.c.id, right.c.player_id.in_(others)))
        .where(tournaments.c.guild_id == guild_id)
        .order_by(tournaments.c.number)
    )
    return list(connection.execute(query).scalars())


def _with_players(entry: Entry, moved: Mapping[int, int]) -> Entry:
    table = tuple(moved.get(player, player) for player in entry.players)
    hand = entry.hand
    if hand is not None:
        win = hand.win
        if win is not None:
            discarder = None if win.discarder is None else moved.get(win.discarder, win.discarder)
            win = replace(win, winner=moved.get(win.winner, win.winner), discarder=discarder)
        penalties = tuple((moved.get(player, player), offence) for player, offence in hand.penalties)
        hand = AmericanGame(table, win, penalties)
    return entry._replace(players=table, hand=hand)
