"""The outbox: what must be said, written in the transaction that decided it, said by a worker later.

A row is *open* until it is done. Claiming it moves `due_at` past the lease, so that one worker at a time
holds it and a row whose worker died comes back by itself. A row put back after a failure keeps its `error`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import sqlalchemy as sa

from ratings.store.tables import memos, outbox
from ratings.store.upsert import insert_new

__all__ = [
    "Due",
    "Kind",
    "Letter",
    "claim",
    "defer",
    "due",
    "enqueue",
    "finish",
    "forget_alarm",
    "next_due",
    "raise_alarm",
]


class Kind(StrEnum):
    """What a letter in the outbox asks for."""

    NEWS = "news"
    CARD = "card"
    REJECTION = "rejection"
    REASON = "reason"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Due:
    """An open letter whose time has come."""

    id: int
    guild_id: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Letter:
    """One open row of the outbox, as claimed. `attempts` counts this claim too."""

    id: int
    guild_id: int
    kind: Kind
    game_id: int
    created_at: int
    attempts: int


def enqueue(connection: sa.Connection, guild_id: int, kind: Kind, game_ids: Iterable[int], now: int) -> None:
    """Write one letter of this kind for each game."""
    rows = [
        {
            "guild_id": guild_id,
            "kind": kind,
            "game_id": game_id,
            "created_at": now,
            "due_at": now,
            "attempts": 0,
        }
        for game_id in game_ids
    ]
    if rows:
        connection.execute(sa.insert(outbox), rows)


def due(connection: sa.Connection, now: float, limit: int = 200) -> list[Due]:
    """The letters that are due, oldest first."""
    query = sa.select(outbox.c.id, outbox.c.guild_id, outbox.c.kind)
    query = query.where(outbox.c.done_at.is_(None), outbox.c.due_at <= now).order_by(outbox.c.id).limit(limit)
    return [Due(row.id, row.guild_id, Kind(row.kind)) for row in connection.execute(query)]


def next_due(connection: sa.Connection, now: float) -> float | None:
    """When the next letter that is not due yet will be, in seconds since 1970; None if there is none."""
    query = sa.select(sa.func.min(outbox.c.due_at)).where(outbox.c.done_at.is_(None), outbox.c.due_at > now)
    return connection.execute(query).scalar()


def claim(connection: sa.Connection, letter_id: int, now: float, lease: float) -> Letter | None:
    """Take a due letter for `lease` seconds; None when another worker has it or it is done.

    Two workers never hold the same card: the later letter waits for the earlier. A card is drawn from the
    ledger as it stands after the claim, so letters that ask for the same card are done with this one, and
    what they have tried counts as tried.
    """
    game = sa.select(outbox.c.game_id).where(outbox.c.id == letter_id).scalar_subquery()
    # Claims of one card take their turn: each sees what the one before it wrote (SQLite ignores FOR UPDATE).
    open_ones = sa.select(outbox.c.id).where(outbox.c.game_id == game, outbox.c.done_at.is_(None))
    connection.execute(open_ones.order_by(outbox.c.id).with_for_update())
    row = connection.execute(
        sa.update(outbox)
        .where(outbox.c.id == letter_id, outbox.c.done_at.is_(None), outbox.c.due_at <= now)
        .values(due_at=now + lease, attempts=outbox.c.attempts + 1, error=None)
        .returning(
            outbox.c.id, outbox.c.guild_id, outbox.c.kind, outbox.c.game_id, outbox.c.created_at, outbox.c.attempts
        )
    ).one_or_none()
    if row is None:
        return None
    letter = Letter(row.id, row.guild_id, Kind(row.kind), row.game_id, row.created_at, row.attempts)
    return _only_for_card(connection, letter, now) if letter.kind is Kind.CARD else letter


def _only_for_card(connection: sa.Connection, letter: Letter, now: float) -> Letter | None:
    others = sa.and_(_same_card(letter), outbox.c.id != letter.id)
    held = sa.and_(others, outbox.c.due_at > now, outbox.c.error.is_(None))
    held_until = connection.execute(sa.select(sa.func.max(outbox.c.due_at)).where(held)).scalar()
    mine = sa.update(outbox).where(outbox.c.id == letter.id)
    if held_until is not None:
        connection.execute(mine.values(due_at=held_until, attempts=letter.attempts - 1))
        return None
    tried, since = connection.execute(
        sa.select(sa.func.sum(outbox.c.attempts), sa.func.min(outbox.c.created_at)).where(others)
    ).one()
    if tried is None:
        return letter
    letter = replace(letter, attempts=letter.attempts + tried, created_at=min(letter.created_at, since))
    connection.execute(sa.update(outbox).where(others).values(done_at=int(now)))
    connection.execute(mine.values(attempts=letter.attempts, created_at=letter.created_at))
    return letter


def finish(connection: sa.Connection, letter: Letter, now: float) -> None:
    """Mark a letter as said; a later letter for the same card need not wait any longer."""
    connection.execute(sa.update(outbox).where(outbox.c.id == letter.id).values(done_at=int(now), error=None))
    if letter.kind is Kind.CARD:
        connection.execute(sa.update(outbox).where(_same_card(letter)).values(due_at=now))


def _same_card(letter: Letter) -> sa.ColumnElement[bool]:
    return sa.and_(outbox.c.game_id == letter.game_id, outbox.c.kind == Kind.CARD, outbox.c.done_at.is_(None))


def defer(connection: sa.Connection, letter_id: int, due_at: float, error: str) -> None:
    """Put a letter back until `due_at`, keeping why it could not be said."""
    connection.execute(sa.update(outbox).where(outbox.c.id == letter_id).values(due_at=due_at, error=error[:500]))


def raise_alarm(connection: sa.Connection, guild_id: int, channel_id: int, game_id: int, now: int) -> bool:
    """Write the letter that tells the admins a channel is out of reach; True only the first time."""
    if not insert_new(connection, memos, {"name": _alarm(guild_id, channel_id), "value": str(now)}):
        return False
    enqueue(connection, guild_id, Kind.ALARM, [game_id], now)
    return True


def forget_alarm(connection: sa.Connection, guild_id: int, channel_id: int) -> None:
    """The channel can be reached again: the next failure is news once more."""
    connection.execute(sa.delete(memos).where(memos.c.name == _alarm(guild_id, channel_id)))


def _alarm(guild_id: int, channel_id: int) -> str:
    return f"alarm:{guild_id}:{channel_id}"
