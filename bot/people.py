"""Who asks, and from which club, as the ledger knows them."""

from __future__ import annotations

import discord
from discord import app_commands

from ratings.models import Person

__all__ = ["Problem", "home", "person"]


class Problem(app_commands.AppCommandError):
    """What was asked cannot be done; the message is a sentence for whoever asked."""


def person(user: discord.Member | discord.User) -> Person:
    """Somebody with the name he is shown under in this guild."""
    return Person(user.id, user.display_name, user.bot)


def home(interaction: discord.Interaction) -> int:
    """The id of the guild an interaction comes from. Raises NoPrivateMessage outside of guilds."""
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id
