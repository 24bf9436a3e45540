"""Plans: what a correction would do to everything that followed, worked out before anything is written.

A plan is made in a read transaction, shown to whoever asks for the correction, and carried out in one write
transaction if the ledger has not moved in between.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import sqlalchemy as sa

from ratings.ledger.entries import Entry, read_entries, standing_before, stored_rows
from ratings.ledger.fold import Fold, Turn, changed_rows, play_unranked
from ratings.ledger.rulebook import Rulebook
from ratings.models import Standing, SystemName
from ratings.store.bulk import Row, Rows, split, upsert_rows, upsert_tuples
from ratings.store.tables import corrections, decisions, memos, outcomes, players, standings

__all__ = [
    "Basis",
    "Change",
    "Move",
    "Plan",
    "Stale",
    "Stray",
    "basis",
    "make_plan",
    "moves_to",
    "replays_memo",
    "write_plan",
]


class Basis(NamedTuple):
    """What a plan rests on: the newest decision and the newest correction of the club, and the replays by which
    figures were put right."""

    decision_id: int
    correction_id: int
    replays: str


class Stale(Exception):
    """The ledger has moved since the plan was made: it would no longer do what it says."""


@dataclass(frozen=True, slots=True)
class Change:
    """A game as it counts (None: not yet) and as it should count (None: no more)."""

    was: Entry | None
    now: Entry | None

    @property
    def game_id(self) -> int:
        """The game."""
        entry = self.now or self.was
        assert entry is not None  # noqa: S101 - a change is of something
        return entry.game_id


@dataclass(frozen=True, slots=True)
class Move:
    """A player whose standing in a system changes; None where he has no rated game there."""

    player_id: int
    name: str
    system: SystemName
    before: Standing | None
    after: Standing | None

    @property
    def changes_rank(self) -> bool:
        """Whether he ends at another rank. Whoever has no games stands where everybody starts, at the lowest."""
        before, after = (0 if each is None else each.rank for each in (self.before, self.after))
        return before != after


class Stray(NamedTuple):
    """A standing that somebody has in a system that there is not."""

    player_id: int
    name: str
    system: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written: rows of outcomes after those of the games `cleared` are gone, and the standings
    that `moves` name; those that have gone astray are taken away."""

    basis: Basis
    values: Rows
    cleared: list[int]
    moves: list[Move]
    strays: list[Stray] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether there is anything to be written."""
        return bool(self.values or self.cleared or self.moves or self.strays)

    @property
    def rows(self) -> list[Row]:
        """The rows of outcomes, one by one."""
        return list(split(outcomes, self.values))

    @property
    def games(self) -> set[int]:
        """The games of which something else is stored afterwards."""
        return {row[0] for row in split(outcomes, self.values)} | set(self.cleared)


_BASIS = sa.select(
    sa.select(sa.func.coalesce(sa.func.max(decisions.c.id), 0))
    .where(decisions.c.guild_id == sa.bindparam("guild"))
    .scalar_subquery(),
    sa.select(sa.func.coalesce(sa.func.max(corrections.c.id), 0))
    .where(corrections.c.guild_id == sa.bindparam("guild"))
    .scalar_subquery(),
    sa.func.coalesce(
        sa.select(memos.c.value).where(memos.c.name == sa.bindparam("replays", type_=sa.Text)).scalar_subquery(),
        "0",
    ),
)
_STANDINGS = sa.select(standings).where(
    standings.c.guild_id == sa.bindparam("guild"), standings.c.system == sa.bindparam("system")
)
_NAMES = sa.select(players.c.id, players.c.name).where(players.c.guild_id == sa.bindparam("guild"))
_GONE = sa.delete(standings).where(
    standings.c.player_id == sa.bindparam("who"), standings.c.system == sa.bindparam("where")
)
_FEW = 200


def basis(connection: sa.Connection, guild_id: int) -> Basis:
    """What a plan made now rests on."""
    return Basis(*connection.execute(_BASIS, {"guild": guild_id, "replays": replays_memo(guild_id)}).one())


def replays_memo(guild_id: int) -> str:
    """The memo that counts by how many replays a club's figures were put right."""
    return f"replays:{guild_id}"


def make_plan(connection: sa.Connection, guild_id: int, changes: Sequence[Change]) -> Plan:
    """Work out what these changes of games do to every game after them, and where everybody ends up."""
    found = basis(connection, guild_id)
    book = Rulebook(connection, guild_id)
    systems = {entry.system for change in changes for entry in (change.was, change.now) if entry is not None}
    rows = [
        row
        for change in changes
        if change.now is not None and change.now.system is None
        for row in _fresh_rows(connection, change.now, book)
    ]
    moves: list[Move] = []
    for system in SystemName:
        if system in systems:
            ended: dict[int, Standing] = {}
            rows += _play_through(connection, guild_id, book, system, changes, ended)
            moves += moves_to(connection, guild_id, system, ended)
    cleared = [
        change.game_id
        for change in changes
        if change.was is not None and (change.now is None or len(change.now.players) != len(change.was.players))
    ]
    return Plan(found, rows, cleared, moves)


def _fresh_rows(connection: sa.Connection, entry: Entry, book: Rulebook) -> Rows:
    rows: Rows = []
    play_unranked(entry, book.at(entry.settings_version), rows)
    return changed_rows(rows, stored_rows(connection, entry.game_id))


def _play_through(
    connection: sa.Connection,
    guild_id: int,
    book: Rulebook,
    system: SystemName,
    changes: Sequence[Change],
    ended: dict[int, Standing],
) -> Rows:
    def look_up(player: int, approval_id: int) -> Standing | None:
        return standing_before(connection, player, system, approval_id)

    fold = Fold(system, look_up, book.at)
    rows: Rows = []
    for _, turn in _turns(connection, guild_id, system, changes):
        rows += fold.take(turn)
    ended.update(fold.standings)
    return rows


def _turns(
    connection: sa.Connection, guild_id: int, system: SystemName, changes: Sequence[Change]
) -> Iterator[tuple[int, Turn]]:
    """The turns from the first corrected game on, in rating order, with the approval that orders each."""
    corrected = []
    for change in changes:
        was = change.was if change.was is not None and change.was.system is system else None
        now = change.now if change.now is not None and change.now.system is system else None
        entry = now or was
        if entry is not None:
            stored = stored_rows(connection, entry.game_id) if was is not None else []
            corrected.append((entry.approval_id, Turn(now, stored, corrected=True)))
    corrected.sort(key=lambda pair: pair[0])
    left_out = {change.game_id for change in changes}
    others = _others(connection, guild_id, system, corrected[0][0], left_out)
    return heapq.merge(corrected, others, key=lambda pair: pair[0])


def _others(
    connection: sa.Connection, guild_id: int, system: SystemName, after: int, left_out: set[int]
) -> Iterator[tuple[int, Turn]]:
    for entries, stored in read_entries(connection, guild_id, system, after):
        for entry in entries:
            if entry.game_id not in left_out:
                yield entry.approval_id, Turn(entry, stored.get(entry.game_id, ()), corrected=False)


def moves_to(
    connection: sa.Connection, guild_id: int, system: SystemName, ended: dict[int, Standing]
) -> list[Move]:
    """How these standings differ from the stored ones; a standing without games is none."""
    if not ended:
        return []
    wanted = {"guild": guild_id, "system": system}
    mine = _STANDINGS
    if len(ended) <= _FEW:
        mine = mine.where(standings.c.player_id.in_(sorted(ended)))
    before = {
        row.player_id: Standing(row.rank, row.points, row.rating, row.games)
        for row in connection.execute(mine, wanted)
    }
    after = {player: standing if standing.games else None for player, standing in ended.items()}
    changed = {player: new for player, new in after.items() if before.get(player) != new}
    if not changed:
        return []
    named = _NAMES if len(changed) > _FEW else _NAMES.where(players.c.id.in_(sorted(changed)))
    names = dict(connection.execute(named, {"guild": guild_id}).all())
    # A standing may have been put in by hand for somebody who is none of the club.
    return [
        Move(player, names.get(player, ""), system, before.get(player), new) for player, new in changed.items()
    ]


def write_plan(connection: sa.Connection, guild_id: int, plan: Plan) -> None:
    """Write down what a plan says. Raises Stale if the ledger has moved since; the caller holds the club."""
    if basis(connection, guild_id) != plan.basis:
        raise Stale
    _clear(connection, plan.cleared)
    upsert_rows(connection, outcomes, plan.values)
    _write_standings(connection, guild_id, plan.moves, plan.strays)


def _clear(connection: sa.Connection, game_ids: Sequence[int]) -> None:
    """Take away what is stored of these games."""
    gone = sa.delete(outcomes).where(outcomes.c.game_id.in_(sa.bindparam("games", expanding=True)))
    for start in range(0, len(game_ids), 1000):
        connection.execute(gone, {"games": list(game_ids[start : start + 1000])})


def _write_standings(
    connection: sa.Connection, guild_id: int, moves: Iterable[Move], strays: Iterable[Stray]
) -> None:
    """Make the standings what the moves end at, without those that have gone astray."""
    kept = [(guild_id, move.system, move.player_id, *move.after) for move in moves if move.after is not None]
    upsert_tuples(connection, standings, kept)
    gone = [{"who": move.player_id, "where": move.system} for move in moves if move.after is None]
    gone += [{"who": stray.player_id, "where": stray.system} for stray in strays]
    if gone:
        connection.execute(_GONE.where(standings.c.guild_id == guild_id), gone)
