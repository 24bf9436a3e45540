"""What the tests of rank roles share: the right to give them, the switch, and who wears what."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bot.render import words
from bot.sandbox import Permission
from bot.texts import texts_for
from ratings.store import Store, outbox
from ratings.store.tables import outbox as outbox_table
from ratings.store.tables import players
from ratings.systems import tenhou
from tests.club_evening import Club, reply
from tests.correction_help import said

__all__ = ["GAME", "KYUU", "NEWCOMER", "OTHER", "allow", "look", "roles_made", "switch", "waiting", "wears"]

JSON = dict[str, Any]
GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
OTHER = {"Dora": "35000", "Emi": "30000", "Ann": "20000", "Борис": "15000"}
NEWCOMER, KYUU = "新人 (newcomer)", "９級 (9-kyuu)"
RANKS = [words.rank_in_full(texts_for(None), rung.index) for rung in tenhou.RANKS]


async def allow(club: Club, *, yes: bool = True) -> None:
    """Give the bot's role Manage Roles, or take it away."""
    role = club.discord.world.bot_role(club.guild)
    others = int(role["permissions"]) & ~Permission.MANAGE_ROLES
    await club.discord.edit_role(role, permissions=others | (Permission.MANAGE_ROLES if yes else 0))


async def switch(club: Club, value: str = "tenhou-4p") -> str:
    """Choose whose ranks are worn; the answer."""
    channel = club.channels["mahjong"]
    options = {"name": "rank_roles", "value": value}
    return said(reply(await club.as_("Owner").slash("settings set", channel, **options)))


async def look(club: Club) -> str:
    """What /setup says."""
    return said(reply(await club.as_("Owner").slash("setup", club.channels["mahjong"])))


def wears(club: Club, *names: str) -> list[list[str]]:
    """The names of the roles that each of these members wears, but for the admins' own."""
    worn = []
    for name in names or ("Ann", "Борис", "千秋", "Dora", "Emi"):
        member = club.discord.world.member(club.guild, club.users[name])
        roles = () if member is None else (club.discord.world.role(club.guild, role) for role in member["roles"])
        worn.append([role["name"] for role in roles if role is not None and role is not club.referee])
    return worn


def roles_made(club: Club) -> list[JSON]:
    """The roles of the guild that are named after ranks."""
    return [role for role in club.guild["roles"] if role["name"] in RANKS]


async def waiting(store: Store, guild: int) -> list[tuple[int | None, str | None]]:
    """The open letters about roles: whose accounts they are about (None once forgotten), and what keeps them."""
    return await store.read(_waiting, guild)


def _waiting(connection: sa.Connection, guild: int) -> list[tuple[int | None, str | None]]:
    query = (
        sa.select(players.c.discord_id, outbox_table.c.error)
        .join(players, players.c.id == outbox_table.c.player_id)
        .where(outbox_table.c.guild_id == guild, outbox_table.c.kind == outbox.Kind.ROLE)
        .where(outbox_table.c.done_at.is_(None))
    )
    return [(row.discord_id, row.error) for row in connection.execute(query.order_by(outbox_table.c.id))]
