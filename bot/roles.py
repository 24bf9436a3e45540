"""Rank roles: members wear the role of their rank, where the club wants it."""

from __future__ import annotations

import time

import discord

from bot.permissions import MOST_ROLES
from bot.render import words
from bot.texts import Texts
from ratings.queries import rank_roles
from ratings.queries.rank_roles import RankWearer
from ratings.store import Store

__all__ = ["Hindered", "RoleKeeper"]

# What Discord answers when a guild that has MOST_ROLES roles is to have one more.
_TOO_MANY_ROLES = 30005


class Hindered(Exception):
    """A role cannot be given or taken before an admin of the guild does something about it."""


class RoleKeeper:
    """Gives and takes rank roles. A role is made when it is first needed, and again if somebody deletes it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def dress(self, guild: discord.Guild, texts: Texts, wearer: RankWearer) -> None:
        """Make a player's accounts wear the role of his rank, and no other rank's.

        Raises Hindered, and lets through what discord.py and the network raise.
        """
        if not wearer.discord_ids or (wearer.rank is None and not wearer.roles):
            return
        if not guild.me.guild_permissions.manage_roles:
            raise Hindered("the bot lacks Manage Roles")
        members = [member for id_ in wearer.discord_ids if (member := await _member(guild, id_)) is not None]
        if not members:
            return
        try:
            wanted = None if wearer.rank is None else await self._role(guild, texts, wearer, wearer.rank)
            for member in members:
                await _put_on(member, wanted, set(wearer.roles.values()))
        except discord.Forbidden as error:
            raise Hindered(f"a rank role cannot be given or taken: {error}") from error

    async def _role(self, guild: discord.Guild, texts: Texts, wearer: RankWearer, rank: int) -> int:
        """The id of the role that stands for a rank."""
        known = wearer.roles.get(rank)
        if known is not None and guild.get_role(known) is not None:
            return known
        # A role that was made just now, perhaps by another process, may not be known here yet.
        there = await guild.fetch_roles()
        if known is not None and discord.utils.get(there, id=known) is not None:
            return known
        name = words.rank_in_full(texts, rank)
        found = next((role for role in there if role.name == name and _can_stand_for_a_rank(role)), None)
        role = found or await _make(guild, name)
        kept = await self._store.write(rank_roles.keep_role, guild.id, rank, role.id, known, int(time.time()))
        if found is None and kept != role.id:
            await role.delete()
        return kept


async def _member(guild: discord.Guild, discord_id: int) -> discord.Member | None:
    """A member as he is now; None for somebody who has left."""
    try:
        return await guild.fetch_member(discord_id)
    except discord.NotFound:
        return None


async def _put_on(member: discord.Member, wanted: int | None, rank_roles: set[int]) -> None:
    worn = {role.id for role in member.roles}
    if wanted is not None and wanted not in worn:
        await member.add_roles(discord.Object(wanted))
    if taken := sorted((worn & rank_roles) - {wanted}):
        await member.remove_roles(*map(discord.Object, taken))


def _can_stand_for_a_rank(role: discord.Role) -> bool:
    """Whether a role can be given by the bot, and gives nobody a right that not everybody has."""
    return role.is_assignable() and role.permissions <= role.guild.default_role.permissions


async def _make(guild: discord.Guild, name: str) -> discord.Role:
    try:
        return await guild.create_role(name=name)
    except discord.HTTPException as error:
        if error.code != _TOO_MANY_ROLES:
            raise
        raise Hindered(
            f"the role {name} cannot be made: the server has {MOST_ROLES} roles, as many as Discord allows"
        ) from error
