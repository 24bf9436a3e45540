"""The games that count, read in rating order: what a replay plays through.

An *entry* is one such game with its players under the records they count under now. Entries come as plain
tuples and in batches: a club may have a hundred thousand of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from ratings.models import AmericanGame, GameState, Length, Lobby, RiichiGame, Standing, SystemName
from ratings.queries import games as reading
from ratings.queries.people import records_counting_as
from ratings.store.bulk import fetch_tuples
from ratings.store.tables import decisions, games, outcomes, players, seats

__all__ = ["BATCH", "Entry", "Row", "entry_for", "entry_of", "read_entries", "standing_before", "stored_rows"]

BATCH = 5_000

# A row of `outcomes`: game, seat, player; place, final points; the standing before; rank, points and rating after.
Row = tuple[Any, ...]


class Entry(NamedTuple):
    """A game that counts. A riichi game has `scores` (points) by seat, an American one has a `hand`.

    `system` is None for an unranked game; `settings_version` names the rules of the approval."""

    approval_id: int
    game_id: int
    settings_version: int
    system: SystemName | None
    players: tuple[int, ...]
    scores: tuple[int, ...]
    length: Length
    lobby: Lobby | None
    sticks: int
    hand: AmericanGame | None


_seat = [seats.alias(f"seat{number}") for number in range(4)]
_OF_GUILD = games.c.guild_id == sa.bindparam("guild")
_LATER = sa.and_(games.c.approval_id > sa.bindparam("after"), games.c.approval_id <= sa.bindparam("until"))


class _Queries:
    """What is asked of one system's games, or of the unranked ones."""

    def __init__(self, system: sa.ColumnElement[bool]) -> None:
        # Two sets of statements: PostgreSQL finds nothing by an index where NULL may be equal to NULL.
        self.riichi = (
            sa.select(
                games.c.approval_id,
                games.c.id,
                decisions.c.settings_version,
                games.c.length,
                games.c.lobby,
                games.c.sticks,
                *(column for seat in _seat for column in (seat.c.player_id, seat.c.score)),
            )
            .select_from(
                games.join(decisions, decisions.c.id == games.c.approval_id)
                .join(_seat[0], sa.and_(_seat[0].c.game_id == games.c.id, _seat[0].c.seat == 0))
                .join(_seat[1], sa.and_(_seat[1].c.game_id == games.c.id, _seat[1].c.seat == 1))
                .join(_seat[2], sa.and_(_seat[2].c.game_id == games.c.id, _seat[2].c.seat == 2))
                .outerjoin(_seat[3], sa.and_(_seat[3].c.game_id == games.c.id, _seat[3].c.seat == 3))
            )
            .where(_OF_GUILD, system, _LATER)
            .order_by(games.c.approval_id)
        )
        self.hands = sa.select(games.c.id).where(_OF_GUILD, system, _LATER).order_by(games.c.approval_id)
        self.stored = (
            sa.select(outcomes)
            .join(games, games.c.id == outcomes.c.game_id)
            .where(_OF_GUILD, system, _LATER)
            .order_by(games.c.approval_id, outcomes.c.seat)
        )
        self.batch_end = (
            sa.select(games.c.approval_id)
            .where(_OF_GUILD, system, games.c.approval_id > sa.bindparam("after"))
            .order_by(games.c.approval_id)
            .limit(1)
            .offset(sa.bindparam("others"))
        )


_RANKED = _Queries(games.c.system == sa.bindparam("system"))
_UNRANKED = _Queries(games.c.system.is_(None))
_NEWEST = 2**62
_MERGED = sa.select(players.c.id, players.c.merged_into).where(
    players.c.guild_id == sa.bindparam("guild"), players.c.merged_into.is_not(None)
)


def read_entries(
    connection: sa.Connection, guild_id: int, system: SystemName | None, after: int
) -> Iterator[tuple[list[Entry], dict[int, list[Row]]]]:
    """The entries of a system approved after the decision `after`, in batches, each with the rows that are
    stored for its games."""
    merged = dict(connection.execute(_MERGED, {"guild": guild_id}).all())
    ask = _UNRANKED if system is None else _RANKED
    while True:
        wanted = {"guild": guild_id, "system": system, "after": after, "others": BATCH - 1}
        until = connection.execute(ask.batch_end, wanted).scalar()
        wanted["until"] = _NEWEST if until is None else until
        if system is SystemName.NMJL:
            found = _hands(connection, guild_id, wanted)
        else:
            found = _riichi(fetch_tuples(connection, ask.riichi, wanted), system, merged)
        yield found, _by_game(fetch_tuples(connection, ask.stored, wanted))
        if until is None:
            return
        after = until


def _riichi(rows: Sequence[Row], system: SystemName | None, merged: dict[int, int]) -> list[Entry]:
    found: list[Entry] = []
    table: tuple[int, ...]
    new = tuple.__new__
    for approval, game, version, length, lobby, sticks, a, at, b, bt, c, ct, d, dt in rows:
        table, scores = ((a, b, c), (at, bt, ct)) if d is None else ((a, b, c, d), (at, bt, ct, dt))
        if merged:
            table = tuple([merged.get(player) or player for player in table])
        found.append(new(Entry, (approval, game, version, system, table, scores, length, lobby, sticks, None)))
    return found


def _hands(connection: sa.Connection, guild_id: int, wanted: dict[str, Any]) -> list[Entry]:
    ids = list(connection.execute(_RANKED.hands, wanted).scalars())
    records = {record.id: record for record in reading.by_ids(connection, guild_id, ids)}
    return [entry_of(records[game_id]) for game_id in ids]


def entry_of(record: reading.GameRecord) -> Entry:
    """The entry of a game that counts. Raises ValueError for one that does not."""
    if record.state is not GameState.APPROVED or record.approval is None:
        raise ValueError(f"game {record.id} does not count")
    return entry_for(record, record.facts, record.approval)


def entry_for(record: reading.GameRecord, facts: RiichiGame | AmericanGame, approval: reading.Approval) -> Entry:
    """The entry that a game would be with these facts, under this approval."""
    key = (approval.decision_id, record.id, approval.settings_version)
    if isinstance(facts, AmericanGame):
        return Entry(*key, facts.system, facts.players, (), Length.HANCHAN, None, 0, facts)
    table = tuple(seat.player_id for seat in facts.seats)
    system = facts.system if facts.ranked else None
    return Entry(*key, system, table, facts.scores, facts.length, facts.lobby, facts.sticks, None)


def stored_rows(connection: sa.Connection, game_id: int) -> list[Row]:
    """What is stored of a game, by seat."""
    query = sa.select(outcomes).where(outcomes.c.game_id == sa.bindparam("game")).order_by(outcomes.c.seat)
    return fetch_tuples(connection, query, {"game": game_id})


def _by_game(rows: Sequence[Row]) -> dict[int, list[Row]]:
    return {game_id: list(group) for game_id, group in groupby(rows, itemgetter(0))}


def standing_before(
    connection: sa.Connection, player_id: int, system: SystemName, approval_id: int
) -> Standing | None:
    """What is stored as a player's standing when a game was approved; None if it was his first."""
    row = connection.execute(
        sa.select(outcomes.c.rank, outcomes.c.points, outcomes.c.rating, outcomes.c.games_before)
        .join(seats, sa.and_(seats.c.game_id == outcomes.c.game_id, seats.c.seat == outcomes.c.seat))
        .join(games, games.c.id == outcomes.c.game_id)
        .where(seats.c.player_id.in_(records_counting_as(player_id)), outcomes.c.player_id == player_id)
        .where(games.c.system == system, games.c.approval_id < approval_id)
        .order_by(games.c.approval_id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else Standing(row.rank, row.points, row.rating, row.games_before + 1)
