"""What the tests about bans from the ladder share: banning somebody, and a moment on a club's clock."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from ratings import ledger
from ratings.models import Person
from ratings.store import Store
from tests.ledger_help import ANN, GUILD, KAI, NOW

__all__ = ["TOKYO", "at", "ban"]

TOKYO = ZoneInfo("Asia/Tokyo")


async def ban(
    store: Store,
    who: Person = ANN,
    reason: str = "shared an account",
    until: int | None = None,
    *,
    guild: int = GUILD,
    now: int = NOW,
) -> None:
    """Ban somebody, in Kai's name."""

    def work(connection: sa.Connection) -> None:
        record = ledger.record_of(connection, guild, who, now)
        ledger.ban(connection, guild, record, reason, until, KAI, now)

    await store.write(work)


def at(text: str, zone: ZoneInfo = TOKYO) -> datetime:
    """A moment on a club's clock."""
    return datetime.fromisoformat(text).replace(tzinfo=zone)
