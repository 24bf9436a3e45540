"""The outbox: what must be said, written in the transaction that decided it, said by a worker later.

A row is *open* until it is done. Claiming it moves `due_at` past the lease, so that one worker at a time
holds it and a row whose worker died comes back by itself. A row put back after a failure keeps its `error`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from ratings.store.tables import memos, outbox
from ratings.store.upsert import insert_new

__all__ = [
    "Due",
    "Kind",
    "Letter",
    "agenda",
    "claim",
    "defer",
    "enqueue",
    "enqueue_about",
    "enqueue_claimed",
    "enqueue_redraws",
    "enqueue_roles",
    "finish",
    "forget_alarm",
    "hasten",
    "prune",
    "raise_alarm",
    "silence",
]


class Kind(StrEnum):
    """What a letter in the outbox asks for."""

    NEWS = "news"
    CARD = "card"
    REJECTION = "rejection"
    REASON = "reason"
    ALARM = "alarm"
    CORRECTION = "correction"
    ROLE = "role"
    RANKING = "ranking"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Due:
    """An open letter whose time has come."""

    id: int
    guild_id: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Letter:
    """One open row of the outbox, as claimed. `attempts` counts this claim too.

    It is about a game, a correction, a player, a day of the rankings, or a claim."""

    id: int
    guild_id: int
    kind: Kind
    game_id: int | None
    created_at: int
    attempts: int
    correction_id: int | None = None
    player_id: int | None = None
    ranking_day_id: int | None = None
    claim_id: int | None = None


_OPEN = outbox.c.done_at.is_(None)
# Letters that say how things are when they are said: of several about one game or player, one is enough.
_MERGED = (Kind.CARD, Kind.ROLE)
# How many of many cards are drawn anew without a pause.
_AT_ONCE = 20
_MINE = outbox.c.id == sa.bindparam("letter")
_NEW = sa.insert(outbox)
_NEW_CLAIMED = _NEW.returning(outbox.c.id)
# Of each kind and club only the oldest few: one club's backlog must not hide another's letters.
_RANKED = (
    sa.select(
        outbox.c.id,
        outbox.c.guild_id,
        outbox.c.kind,
        sa.func.row_number()
        .over(partition_by=(outbox.c.guild_id, outbox.c.kind), order_by=outbox.c.id)
        .label("turn"),
    )
    .where(_OPEN, outbox.c.due_at <= sa.bindparam("now"))
    .subquery()
)
_DUE = (
    sa.select(_RANKED.c.id, _RANKED.c.guild_id, _RANKED.c.kind).where(_RANKED.c.turn <= 20).order_by(_RANKED.c.id)
)
_NEXT_DUE = sa.select(sa.func.min(outbox.c.due_at)).where(_OPEN, outbox.c.due_at > sa.bindparam("now"))
# Claims for one game or player take their turn: each sees what the one before it wrote (SQLite ignores FOR
# UPDATE).
_OPEN_BESIDE = (
    sa.select(outbox)
    .where(
        _OPEN,
        sa.or_(
            _MINE,
            outbox.c.game_id == sa.select(outbox.c.game_id).where(_MINE).scalar_subquery(),
            outbox.c.player_id == sa.select(outbox.c.player_id).where(_MINE).scalar_subquery(),
        ),
    )
    .order_by(outbox.c.id)
    .with_for_update()
)
_TAKE = (
    sa.update(outbox)
    .where(_MINE)
    .values(
        due_at=sa.bindparam("until"),
        attempts=sa.bindparam("tried"),
        created_at=sa.bindparam("since"),
        error=None,
    )
)
_PUT_BACK = (
    sa.update(outbox)
    .where(_MINE)
    .values(due_at=sa.bindparam("until"), error=sa.bindparam("problem", type_=sa.Text))
)
_FINISH = sa.update(outbox).where(_MINE).values(done_at=sa.bindparam("now"), error=None)
_FREE = (
    sa.update(outbox)
    .where(_OPEN, outbox.c.kind == sa.bindparam("of_kind"))
    .where(sa.or_(outbox.c.game_id == sa.bindparam("game"), outbox.c.player_id == sa.bindparam("player")))
    .values(due_at=sa.bindparam("now"))
)
_HASTEN = (
    sa.update(outbox)
    .where(_OPEN, outbox.c.guild_id == sa.bindparam("guild"), outbox.c.kind == sa.bindparam("of_kind"))
    .where(outbox.c.error.is_not(None), outbox.c.due_at > sa.bindparam("now"))
    .values(due_at=sa.bindparam("now"))
)


def enqueue(connection: sa.Connection, guild_id: int, kind: Kind, game_ids: Iterable[int], now: int) -> None:
    """Write one letter of this kind for each game."""
    letter = {"guild_id": guild_id, "kind": kind, "created_at": now, "due_at": now, "attempts": 0}
    rows = [letter | {"game_id": game_id} for game_id in game_ids]
    if rows:
        connection.execute(_NEW, rows)


def enqueue_redraws(connection: sa.Connection, guild_id: int, game_ids: Iterable[int], now: int) -> None:
    """Write a letter for each of perhaps very many cards that hang already. After the first few they come due one
    a second, so that the card of a fresh game need not wait for them all."""
    # A letter with an error is one that nobody holds, whenever it is due.
    letter = {"guild_id": guild_id, "kind": Kind.CARD, "created_at": now, "attempts": 0, "error": "waits its turn"}
    rows = [
        letter | {"game_id": game_id, "due_at": now + max(0, turn - _AT_ONCE)}
        for turn, game_id in enumerate(game_ids)
    ]
    if rows:
        connection.execute(_NEW, rows)


def enqueue_about(connection: sa.Connection, guild_id: int, kind: Kind, now: int, **subject: int) -> None:
    """Write a letter that is about something else than a game: its id, by the name of the column."""
    letter = {"guild_id": guild_id, "kind": kind, "created_at": now, "due_at": now, "attempts": 0}
    connection.execute(_NEW, letter | subject)


def enqueue_roles(connection: sa.Connection, guild_id: int, player_ids: Iterable[int], now: int) -> None:
    """Write a letter for each player whose role may be another now."""
    letter = {"guild_id": guild_id, "kind": Kind.ROLE, "created_at": now, "due_at": now, "attempts": 0}
    rows = [letter | {"player_id": player_id} for player_id in player_ids]
    if rows:
        connection.execute(_NEW, rows)


def enqueue_claimed(
    connection: sa.Connection, guild_id: int, kind: Kind, game_id: int, now: int, lease: float
) -> Letter:
    """Write a letter that whoever writes it says himself, at once; after `lease` seconds it is anybody's."""
    row = {"guild_id": guild_id, "kind": kind, "game_id": game_id, "created_at": now, "attempts": 1}
    letter_id = connection.execute(_NEW_CLAIMED, row | {"due_at": now + lease}).scalar_one()
    return Letter(letter_id, guild_id, kind, game_id, now, 1)


def agenda(connection: sa.Connection, now: float) -> tuple[list[Due], float | None]:
    """The letters that are due, oldest first, and when the next one will be (None if there is none)."""
    due = [Due(row.id, row.guild_id, Kind(row.kind)) for row in connection.execute(_DUE, {"now": now})]
    return due, connection.execute(_NEXT_DUE, {"now": now}).scalar()


def claim(connection: sa.Connection, letter_id: int, now: float, lease: float) -> Letter | None:
    """Take a due letter for `lease` seconds; None when another worker has it or it is done.

    Two workers never hold the same card, nor one player's roles: the later letter waits for the earlier. A card
    is drawn from the ledger as it stands after the claim, and so are roles; letters that ask for the same are
    done with this one, and what they have tried counts as tried.
    """
    rows = connection.execute(_OPEN_BESIDE, {"letter": letter_id}).all()
    mine = next((row for row in rows if row.id == letter_id and row.due_at <= now), None)
    if mine is None:
        return None
    same = [row for row in rows if row.kind == mine.kind in _MERGED]
    held = [row.due_at for row in same if row.due_at > now and row.error is None]
    if held:
        connection.execute(_PUT_BACK, {"letter": letter_id, "until": max(held), "problem": mine.error})
        return None
    tried = 1 + sum(row.attempts for row in same or [mine])
    since = min(row.created_at for row in same or [mine])
    if merged := [{"letter": row.id, "now": int(now)} for row in same if row.id != letter_id]:
        connection.execute(_FINISH, merged)
    connection.execute(_TAKE, {"letter": letter_id, "until": now + lease, "tried": tried, "since": since})
    subject = (mine.correction_id, mine.player_id, mine.ranking_day_id, mine.claim_id)
    return Letter(mine.id, mine.guild_id, Kind(mine.kind), mine.game_id, since, tried, *subject)


def finish(connection: sa.Connection, letter: Letter, now: float) -> None:
    """Mark a letter as said; a later letter that asks for the same need not wait any longer."""
    connection.execute(_FINISH, {"letter": letter.id, "now": int(now)})
    if letter.kind in _MERGED:
        this = {"of_kind": letter.kind, "game": letter.game_id, "player": letter.player_id}
        connection.execute(_FREE, this | {"now": now})


def defer(connection: sa.Connection, letter_id: int, due_at: float, error: str) -> None:
    """Put a letter back until `due_at`, keeping why it could not be said."""
    connection.execute(_PUT_BACK, {"letter": letter_id, "until": due_at, "problem": error[:500]})


def hasten(connection: sa.Connection, guild_id: int, kind: Kind, now: float) -> None:
    """Have a club's letters of a kind that were put back tried again at once."""
    connection.execute(_HASTEN, {"guild": guild_id, "of_kind": kind, "now": now})


def prune(connection: sa.Connection, before: float) -> None:
    """Throw away letters that were said before that moment."""
    connection.execute(sa.delete(outbox).where(outbox.c.done_at < before))


def silence(connection: sa.Connection, guild_id: int, now: float) -> None:
    """Leave unsaid what a club still has to say: a history that is written afterwards is no news."""
    unsaid = sa.update(outbox).where(outbox.c.guild_id == guild_id, _OPEN)
    connection.execute(unsaid.values(done_at=int(now)))


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
