"""Penalties on an American hand: added and taken back by admins while the hand is pending."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from ratings import club
from ratings.ledger.figures import Matter, matter
from ratings.models import AmericanGame, GameState, Offence, Person, Refusal, Refused
from ratings.queries import games as reading
from ratings.store import outbox
from ratings.store.tables import penalties

__all__ = ["change_penalties", "set_penalties"]


def set_penalties(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    wanted: Collection[tuple[int, Offence]],
    by: Person,
    now: int,
) -> Matter:
    """Make these (player id, offence) the penalties of a pending hand, and have its card drawn anew.

    What is added is written with who added it and when; what is taken back stays, marked with the same.
    Raises Refused; then nothing is changed.
    """
    club.lock(connection, guild_id, now)
    if not club.settings(connection, guild_id).penalties:
        raise Refused(Refusal.PENALTIES_OFF)
    game, hand = _pending(connection, guild_id, game_id)
    for player, offence in wanted:
        if player not in hand.players:
            raise Refused(Refusal.NOT_AT_THE_TABLE)
        if offence is Offence.DEAD_HAND and hand.win is not None:
            raise Refused(Refusal.DEAD_HAND_ON_A_WIN)
    (admin,) = club.player_ids(connection, guild_id, [by])
    record = dict(zip(game.players, game.records, strict=True))
    added = [each for each in dict.fromkeys(wanted) if each not in hand.penalties]
    if added:
        mark = {"guild_id": guild_id, "game_id": game.id, "added_by": admin, "added_at": now}
        rows = [mark | {"player_id": record[player], "offence": offence} for player, offence in added]
        connection.execute(sa.insert(penalties), rows)
    for player, offence in hand.penalties:
        if (player, offence) not in wanted:
            connection.execute(
                sa.update(penalties)
                .where(penalties.c.game_id == game.id, penalties.c.player_id == record[player])
                .where(penalties.c.offence == offence, penalties.c.removed_at.is_(None))
                .values(removed_by=admin, removed_at=now)
            )
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game.id], now)
    return matter(connection, guild_id, game.id)


def change_penalties(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    added: Collection[tuple[int, Offence]],
    removed: Collection[tuple[int, Offence]],
    by: Person,
    now: int,
) -> Matter:
    """Add and take back penalties of a pending hand, leaving the others alone. Raises as `set_penalties` does."""
    club.lock(connection, guild_id, now)
    _, hand = _pending(connection, guild_id, game_id)
    wanted = [each for each in (*hand.penalties, *added) if each not in removed]
    return set_penalties(connection, guild_id, game_id, wanted, by, now)


def _pending(connection: sa.Connection, guild_id: int, game_id: int) -> tuple[reading.GameRecord, AmericanGame]:
    game = reading.by_id(connection, guild_id, game_id)
    if game.state is not GameState.PENDING:
        raise Refused(Refusal.NOT_PENDING, number=game.number)
    if not isinstance(game.facts, AmericanGame):
        raise Refused(Refusal.NOT_AMERICAN, number=game.number)
    return game, game.facts
