"""Forgetting: whatever says who somebody was goes; what he played stays, under a record without a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

import sqlalchemy as sa

from ratings.store.tables import (
    accounts,
    cards,
    corrections,
    decisions,
    games,
    ladder_bans,
    log_seats,
    outbox,
    penalties,
    player_aliases,
    players,
    rejection_reasons,
    seats,
    tournament_changes,
)
from ratings.tournaments import player_log

__all__ = ["cards_naming", "forget"]

# Where somebody may have written a name by hand, or Discord may have repeated one.
_WRITTEN = (
    rejection_reasons.c.reason,
    corrections.c.reason,
    tournament_changes.c.reason,
    ladder_bans.c.reason,
    outbox.c.error,
)
_LEFT_OUT = "…"
_BATCH = 500


def forget(connection: sa.Connection, guild_id: int, family: Collection[int], now: int) -> set[int]:
    """Take the names, accounts and particulars from these records of one person, and his names out of reasons.
    Answers the ids of the games that have such a reason."""
    marks = _marks(connection, family)
    connection.execute(sa.delete(player_aliases).where(player_aliases.c.player_id.in_(family)))
    unlinked = {"name": "", "unlinked_at": sa.func.coalesce(accounts.c.unlinked_at, now)}
    connection.execute(sa.update(accounts).where(accounts.c.player_id.in_(family)).values(unlinked))
    his_seat = sa.and_(
        seats.c.game_id == log_seats.c.game_id, seats.c.seat == log_seats.c.seat, seats.c.player_id.in_(family)
    )
    connection.execute(sa.update(log_seats).where(sa.exists().where(his_seat)).values(name=""))
    # The country stays: by it the results still count for what the others are rated by.
    gone = {"discord_id": None, "name": "", "forgotten_at": now, "ema_number": None}
    connection.execute(sa.update(players).where(players.c.id.in_(family)).values(gone))
    player_log.forget(connection, family)
    return _strike_out(connection, guild_id, marks) if marks else set()


def _marks(connection: sa.Connection, family: Collection[int]) -> set[str]:
    """Whatever somebody may have called this person by."""
    known = connection.execute(
        sa.select(players.c.name, players.c.discord_id).where(players.c.id.in_(family))
    ).all()
    marks = {row.name for row in known} | {str(row.discord_id) for row in known if row.discord_id is not None}
    for table in (player_aliases, accounts):
        named = sa.select(table.c.name).where(table.c.player_id.in_(family))
        marks.update(connection.execute(named).scalars())
    marks |= player_log.names_in(connection, family)
    return {mark.strip() for mark in marks if mark.strip()}


def _strike_out(connection: sa.Connection, guild_id: int, marks: Iterable[str]) -> set[int]:
    pattern = re.compile("|".join(map(_as_written, sorted(marks, key=len, reverse=True))), re.IGNORECASE)
    of_games: set[int] = set()
    for column in _WRITTEN:
        table = column.table
        game_id = table.c.game_id if "game_id" in table.c else sa.null()
        rows = connection.execute(
            sa.select(table.c.id, column.label("text"), game_id.label("game_id")).where(
                table.c.guild_id == guild_id, column.is_not(None)
            )
        )
        for row in rows.all():
            text = pattern.sub(_LEFT_OUT, row.text)
            if text != row.text:
                connection.execute(sa.update(table).where(table.c.id == row.id).values({column.name: text}))
                of_games.update(() if row.game_id is None else [row.game_id])
    return of_games


def _as_written(mark: str) -> str:
    """A pattern for a name as a word of its own; in scripts that do not put spaces, wherever it stands."""
    before = r"(?<!\w)" if _ends_at_a_space(mark[0]) else ""
    after = r"(?!\w)" if _ends_at_a_space(mark[-1]) else ""
    return f"{before}{re.escape(mark)}{after}"


def _ends_at_a_space(character: str) -> bool:
    return character.isdigit() or character.lower() != character.upper()


def cards_naming(connection: sa.Connection, family: Sequence[int], others: Collection[int] = ()) -> list[int]:
    """Ids of the games whose hanging cards name one of these records, newest first: as player, as reporter, or
    as whoever decided, corrected or penalised; and of the `others` that have a card."""
    naming = sa.union_all(
        sa.select(seats.c.game_id).where(seats.c.player_id.in_(family)),
        sa.select(games.c.id).where(games.c.reported_by.in_(family)),
        sa.select(decisions.c.game_id).where(decisions.c.decided_by.in_(family)),
        sa.select(corrections.c.game_id).where(corrections.c.corrected_by.in_(family)),
        sa.select(penalties.c.game_id).where(penalties.c.added_by.in_(family)),
    )
    found = set(connection.execute(sa.select(cards.c.game_id).where(cards.c.game_id.in_(naming))).scalars())
    left = sorted(set(others) - found)
    for start in range(0, len(left), _BATCH):
        batch = cards.c.game_id.in_(left[start : start + _BATCH])
        found.update(connection.execute(sa.select(cards.c.game_id).where(batch)).scalars())
    return sorted(found, reverse=True)
