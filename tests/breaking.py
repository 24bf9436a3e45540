"""Breaking the ledger, in the middle of its work or from outside, to see that nothing of it stays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ratings.store import Store
from ratings.store.tables import games, guilds, outbox, players, seats
from tests.ledger_help import everything

__all__ = ["execute", "foreign_keys_hold", "untouched_when_broken"]


async def foreign_keys_hold(store: Store) -> None:
    """Write what leads nowhere, or take away what is pointed at, in a store with a game: each is refused."""
    for statement in (
        sa.insert(seats).values(game_id=999, seat=0, player_id=1, score=0),
        sa.insert(players).values(guild_id=12345, discord_id=1, name="Stray"),
        sa.update(players).values(merged_into=999),
        sa.update(games).values(reported_by=999),
        sa.update(outbox).values(game_id=999),
        sa.update(outbox).values(correction_id=999),
        sa.delete(guilds),
        sa.delete(games),
    ):
        with pytest.raises(IntegrityError):
            await store.write(execute, statement)


def execute(connection: sa.Connection, statement: sa.Executable) -> None:
    """Do something to the store that the ledger never does."""
    connection.execute(statement)


async def untouched_when_broken(
    store: Store, monkeypatch: pytest.MonkeyPatch, place: str, attempt: Callable[[], Awaitable[object]]
) -> None:
    """Make the function at `place` (its dotted name) fail, attempt the work, and find every table as it was."""
    before = await everything(store)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(place)

    with monkeypatch.context() as patch:
        patch.setattr(place, broken)
        with pytest.raises(RuntimeError, match=place):
            await attempt()
    assert await everything(store) == before
