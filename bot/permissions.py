"""What the bot needs to be allowed, and who in a club may decide."""

from __future__ import annotations

import discord

from ratings.settings import ClubSettings

__all__ = ["APPROVALS", "MOST_ROLES", "POSTING", "can_post", "is_admin", "missing", "missing_to_post"]

POSTING = ("view_channel", "send_messages", "embed_links")
APPROVALS = (*POSTING, "attach_files", "read_message_history", "add_reactions", "manage_messages")
# How many roles Discord lets a guild have.
MOST_ROLES = 250


def is_admin(member: discord.Member, settings: ClubSettings) -> bool:
    """Whether this member, with the roles he is shown with, may decide and set up: Manage Server, or the
    club's admin role."""
    if member.bot:
        return False
    return member.guild_permissions.manage_guild or any(role.id == settings.admin_role for role in member.roles)


def missing(channel: discord.abc.GuildChannel | discord.Thread, needed: tuple[str, ...]) -> list[str]:
    """Which of the needed permissions the bot lacks in a channel."""
    granted = channel.permissions_for(channel.guild.me)
    return [name for name in needed if not getattr(granted, name)]


def can_post(guild: discord.Guild, channel_id: int) -> bool:
    """Whether the bot sees a channel and may post an embed there."""
    return guild.get_channel_or_thread(channel_id) is not None and not missing_to_post(guild, channel_id)


def missing_to_post(guild: discord.Guild, channel_id: int) -> list[str]:
    """What the bot lacks to post an embed; empty also for a channel it does not know, where only trying tells."""
    channel = guild.get_channel_or_thread(channel_id)
    return [] if channel is None else missing(channel, POSTING)
