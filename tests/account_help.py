"""What the tests of accounts on other sites share: binding them in the store, and the command for it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bot.sandbox import Interaction
from ratings import ledger
from ratings.ledger import Claim
from ratings.models import Person, Site
from ratings.store import Store
from tests.club_evening import Evening, reply
from tests.correction_help import said
from tests.ledger_help import GUILD, NOW

__all__ = ["command", "link", "link_within", "told", "unlink"]


async def link(
    store: Store, who: Person, name: str, site: Site = Site.TENHOU, *, guild: int = GUILD, by: Person | None = None
) -> Claim | None:
    """Bind an account to somebody, in his own name unless another is named."""
    return await store.write(link_within, guild, who, site, name, by or who)


def link_within(
    connection: sa.Connection, guild: int, who: Person, site: Site, name: str, by: Person
) -> Claim | None:
    """The same within a transaction."""
    record = ledger.record_of(connection, guild, who, NOW)
    return ledger.link_account(connection, guild, record, site, name, by, NOW)


async def unlink(store: Store, who: Person, name: str, site: Site = Site.TENHOU) -> None:
    """Take an account from somebody."""

    def work(connection: sa.Connection) -> None:
        record = ledger.record_of(connection, GUILD, who, NOW)
        ledger.unlink_account(connection, GUILD, record, site, name, who, NOW)

    await store.write(work)


async def command(evening: Evening, command: str, by: str, /, **options: Any) -> Interaction:
    """Give a command of /account in private."""
    interaction = await evening.as_(by).slash(f"account {command}", evening.channels["mahjong"], **options)
    assert interaction.ephemeral
    return interaction


async def told(evening: Evening, name: str, by: str, /, **options: Any) -> str:
    """What a command of /account answers."""
    return said(reply(await command(evening, name, by, **options)))
