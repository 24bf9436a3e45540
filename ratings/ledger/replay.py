"""The replay: every figure of a club told anew from the facts, and compared with what is stored."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from ratings import club
from ratings.ledger.entries import read_entries, stored_rows
from ratings.ledger.fold import play, play_unranked
from ratings.ledger.letters import ask_for_roles
from ratings.ledger.plans import Plan, Stray, basis, moves_to, replays_memo, write_plan
from ratings.ledger.rulebook import Rulebook
from ratings.models import Standing, SystemName
from ratings.queries import games as reading
from ratings.store import memos, outbox
from ratings.store.bulk import Row, Rows, split
from ratings.store.tables import games, guilds, outcomes, players, standings

__all__ = [
    "Difference",
    "Orphans",
    "clear_orphans",
    "clubs",
    "counted_games",
    "differences",
    "orphans",
    "plan_replay",
    "write_replay",
]

Progress = Callable[[int], None]
_NOBODY = Standing(0, 0, 0.0, 0)
_LEFT_OVER = (
    sa.select(outcomes.c.game_id)
    .join(games, games.c.id == outcomes.c.game_id)
    .where(games.c.guild_id == sa.bindparam("guild"), games.c.approval_id.is_(None))
    .distinct()
)
_RATED = sa.select(standings.c.player_id).where(
    standings.c.guild_id == sa.bindparam("guild"), standings.c.system == sa.bindparam("system")
)
_STRAYS = (
    sa.select(players.c.name, standings)
    .select_from(standings)
    .outerjoin(players, sa.and_(players.c.id == standings.c.player_id, players.c.guild_id == standings.c.guild_id))
    .where(standings.c.guild_id == sa.bindparam("guild"), standings.c.system.not_in(list(SystemName)))
    .order_by(standings.c.system, standings.c.player_id)
)
_WITHOUT_GAME = ~sa.exists().where(games.c.id == outcomes.c.game_id)
_WITHOUT_CLUB = ~sa.exists().where(guilds.c.id == standings.c.guild_id)
_COLUMNS = tuple(outcomes.columns.keys())
_KEY = len(outcomes.primary_key.columns)


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored figure that a replay does not arrive at; None stands for one that is missing.

    It is of a player (`name` is empty for a former member, and for whoever is none of the club): of what he has
    of the game of a `number` at a `seat` (from 0), or, where these are None, of his standing. An unranked game is
    of no `system`; a standing may be of one that there is not."""

    number: int | None
    seat: int | None
    player: int
    name: str
    system: str | None
    figure: str
    stored: object
    replayed: object


class Orphans(NamedTuple):
    """Stored figures that belong to no club: how many rows by the id of a game, and how many standings by the id
    of a club, that there is not."""

    games: dict[int, int]
    clubs: dict[int, int]


def clubs(connection: sa.Connection) -> list[int]:
    """The guild ids of all clubs in the store."""
    return list(connection.execute(sa.select(guilds.c.id).order_by(guilds.c.id)).scalars())


def counted_games(connection: sa.Connection, guild_id: int) -> int:
    """How many games of a club count, and so are replayed."""
    query = sa.select(sa.func.count()).select_from(games)
    counted = query.where(games.c.guild_id == guild_id, games.c.approval_id.is_not(None))
    return int(connection.execute(counted).scalar_one())


@contextmanager
def _without_collection() -> Iterator[None]:
    """Have nothing looked through for garbage meanwhile: a replay makes millions of values and none of it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@_without_collection()
def plan_replay(connection: sa.Connection, guild_id: int, progress: Progress | None = None) -> Plan:
    """Play all games of a club through from nothing; the plan is what the store has otherwise.

    `progress` is told the number of games played so far, now and then.
    """
    found = basis(connection, guild_id)
    book = Rulebook(connection, guild_id)
    plan = Plan(found, [], list(connection.execute(_LEFT_OVER, {"guild": guild_id}).scalars()), [])
    done = 0
    for system in (None, *SystemName):
        ended: dict[int, Standing] = {}
        for played in _play_all(connection, guild_id, book, system, ended, plan):
            done += played
            if progress is not None:
                progress(done)
        if system is not None:
            rated = connection.execute(_RATED, {"guild": guild_id, "system": system}).scalars()
            ended |= {player: _NOBODY for player in rated if player not in ended}
            plan.moves.extend(moves_to(connection, guild_id, system, ended))
    for name, _, system, player_id, *figures in connection.execute(_STRAYS, {"guild": guild_id}):
        plan.strays.append(Stray(player_id, name or "", system, Standing(*figures)))
    return plan


def _play_all(
    connection: sa.Connection,
    guild_id: int,
    book: Rulebook,
    system: SystemName | None,
    ended: dict[int, Standing],
    plan: Plan,
) -> Iterator[int]:
    """Play the games of one system; yields how many after each batch."""
    for entries, stored in read_entries(connection, guild_id, system, 0):
        for entry in entries:
            rules = book.at(entry.settings_version)
            known = stored.get(entry.game_id)
            # What nothing is stored of goes straight into the plan.
            rows: Rows = plan.values if known is None else []
            if system is None:
                play_unranked(entry, rules, rows)
            else:
                players = entry.players
                try:
                    before = [ended[player] for player in players]
                except KeyError:
                    before = [ended.get(player) or rules.initial(system) for player in players]
                after = play(entry, before, rules, rows)
                for player, standing in zip(players, after):  # noqa: B905 - a standing each
                    ended[player] = standing
            if known is not None and known != list(split(outcomes, rows)):
                plan.values.extend(rows)
                if len(known) != len(entry.players):
                    plan.cleared.append(entry.game_id)
        yield len(entries)


def write_replay(connection: sa.Connection, guild_id: int, plan: Plan, now: int) -> None:
    """Put the replayed figures in the place of the stored ones. Raises Stale if the ledger has moved since."""
    club.lock(connection, guild_id, now)
    write_plan(connection, guild_id, plan)
    if plan:
        # Whatever was worked out from the figures before is worth nothing now.
        memos.memorise(connection, replays_memo(guild_id), str(int(plan.basis.replays) + 1))
    moved = {move.player_id for move in plan.moves}
    if moved:
        drawn = reading.pending_of(connection, guild_id, moved)
        outbox.enqueue(connection, guild_id, outbox.Kind.CARD, drawn, now)
        ask_for_roles(connection, guild_id, plan.moves, now)


def differences(connection: sa.Connection, plan: Plan) -> Iterator[Difference]:
    """What a replay found otherwise, figure by figure, by game and then by member."""
    fresh: dict[int, list[Row]] = {game_id: [] for game_id in plan.cleared}
    for row in split(outcomes, plan.values):
        fresh.setdefault(row[0], []).append(row)
    for game_id in sorted(fresh):
        yield from _of_game(connection, game_id, fresh[game_id])
    for move in plan.moves:
        for figure in Standing._fields:
            was, now = getattr(move.before, figure, None), getattr(move.after, figure, None)
            if was != now:
                yield Difference(None, None, move.player_id, move.name, move.system, figure, was, now)
    for stray in plan.strays:
        for figure, was in stray.standing._asdict().items():
            yield Difference(None, None, stray.player_id, stray.name, stray.system, figure, was, None)


def orphans(connection: sa.Connection) -> Orphans:
    """The stored figures that no replay of a club comes across."""
    rows = sa.select(outcomes.c.game_id, sa.func.count()).where(_WITHOUT_GAME).group_by(outcomes.c.game_id)
    held = sa.select(standings.c.guild_id, sa.func.count()).where(_WITHOUT_CLUB).group_by(standings.c.guild_id)
    return Orphans(*(dict(connection.execute(each).all()) for each in (rows, held)))


def clear_orphans(connection: sa.Connection) -> Orphans:
    """Take away what `orphans` finds; answers what that was."""
    found = orphans(connection)
    for id_, stray in ((outcomes.c.game_id, found.games), (standings.c.guild_id, found.clubs)):
        gone = sa.delete(id_.table).where(id_ == sa.bindparam("gone"))
        if stray:
            connection.execute(gone, [{"gone": each} for each in stray])
    return found


def _of_game(connection: sa.Connection, game_id: int, fresh: Sequence[Row]) -> Iterator[Difference]:
    game = connection.execute(sa.select(games.c.number, games.c.system).where(games.c.id == game_id)).one()
    old, new = ({row[1]: row for row in rows} for rows in (stored_rows(connection, game_id), fresh))
    seated = {seat: row[2] for seat, row in (old | new).items()}
    known = sa.select(players.c.id, players.c.name).where(players.c.id.in_(set(seated.values())))
    names = {row.id: row.name for row in connection.execute(known)}
    for seat, player in sorted(seated.items()):
        for column, figure in enumerate(_COLUMNS[_KEY:], _KEY):
            was, now = (rows[seat][column] if seat in rows else None for rows in (old, new))
            if was != now:
                yield Difference(game.number, seat, player, names.get(player, ""), game.system, figure, was, now)
