"""The replay: every figure of a club told anew from the facts, and compared with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.ledger.entries import Row, read_entries, stored_rows
from ratings.ledger.fold import play, rows_unranked
from ratings.ledger.letters import ask_for_roles
from ratings.ledger.plans import Plan, basis, moves_to, replays_memo, write_plan
from ratings.ledger.rulebook import Rulebook
from ratings.models import Standing, SystemName
from ratings.queries import games as reading
from ratings.store import memos, outbox
from ratings.store.tables import games, guilds, outcomes, players, standings

__all__ = ["Difference", "clubs", "counted_games", "differences", "plan_replay", "write_replay"]

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
_COLUMNS = tuple(outcomes.columns.keys())
_KEY = len(outcomes.primary_key.columns)


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored figure that a replay does not arrive at; None stands for one that is missing.

    It is of a player (`name` is empty for a former member): of what he has of the game of a `number` at a `seat`
    (from 0), or, where these are None, of his standing. An unranked game is of no system."""

    number: int | None
    seat: int | None
    player: int
    name: str
    system: SystemName | None
    figure: str
    stored: object
    replayed: object


def clubs(connection: sa.Connection) -> list[int]:
    """The guild ids of all clubs in the store."""
    return list(connection.execute(sa.select(guilds.c.id).order_by(guilds.c.id)).scalars())


def counted_games(connection: sa.Connection, guild_id: int) -> int:
    """How many games of a club count, and so are replayed."""
    query = sa.select(sa.func.count()).select_from(games)
    counted = query.where(games.c.guild_id == guild_id, games.c.approval_id.is_not(None))
    return int(connection.execute(counted).scalar_one())


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
            if system is None:
                rows = rows_unranked(entry, rules)
            else:
                players = entry.players
                try:
                    before = [ended[player] for player in players]
                except KeyError:
                    before = [ended.get(player) or rules.initial(system) for player in players]
                rows, after = play(entry, before, rules)
                ended.update(zip(players, after, strict=True))
            known = stored.get(entry.game_id)
            if known != rows:
                plan.rows.extend(rows)
                if known is not None and len(known) != len(rows):
                    plan.cleared.append(entry.game_id)
        yield len(entries)


def write_replay(connection: sa.Connection, guild_id: int, plan: Plan, now: int) -> None:
    """Put the replayed figures in the place of the stored ones. Raises Stale if the ledger has moved since."""
    club.lock(connection, guild_id, now)
    write_plan(connection, guild_id, plan)
    if plan.rows or plan.cleared or plan.moves:
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
    for row in plan.rows:
        fresh.setdefault(row[0], []).append(row)
    for game_id in sorted(fresh):
        yield from _of_game(connection, game_id, fresh[game_id])
    for move in plan.moves:
        for figure in Standing._fields:
            was, now = getattr(move.before, figure, None), getattr(move.after, figure, None)
            if was != now:
                yield Difference(None, None, move.player_id, move.name, move.system, figure, was, now)


def _of_game(connection: sa.Connection, game_id: int, fresh: Sequence[Row]) -> Iterator[Difference]:
    game = connection.execute(sa.select(games.c.number, games.c.system).where(games.c.id == game_id)).one()
    system = None if game.system is None else SystemName(game.system)
    old, new = ({row[1]: row for row in rows} for rows in (stored_rows(connection, game_id), fresh))
    seated = {seat: row[2] for seat, row in (old | new).items()}
    known = sa.select(players.c.id, players.c.name).where(players.c.id.in_(set(seated.values())))
    names = {row.id: row.name for row in connection.execute(known)}
    for seat, player in sorted(seated.items()):
        for column, figure in enumerate(_COLUMNS[_KEY:], _KEY):
            was, now = (rows[seat][column] if seat in rows else None for rows in (old, new))
            if was != now:
                yield Difference(game.number, seat, player, names.get(player, ""), system, figure, was, now)
