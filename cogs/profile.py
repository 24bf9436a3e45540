"""/profile: one member's figures."""

from __future__ import annotations

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Tenbou
from bot.people import home
from bot.render import boards as drawing
from bot.texts import texts_for
from ratings.models import SystemName
from ratings.queries import boards
from ratings.queries.boards import Profile


class ProfileCog(commands.Cog):
    """What the club knows of a member."""

    def __init__(self, bot: Tenbou) -> None:
        self.bot = bot

    @app_commands.command(
        description=locale_str("Rank, points to the next rank, R and its place, games and places")
    )
    @app_commands.guild_only()
    @app_commands.describe(member=locale_str("Whose profile; your own if left out"))
    async def profile(
        self, interaction: discord.Interaction[Tenbou], member: discord.Member | discord.User | None = None
    ) -> None:
        """Show a member's profile, also of one who has left."""
        whose = member or interaction.user
        figures = await self.bot.store.read(_profiles, home(interaction), whose.id)
        embed = drawing.profile(texts_for(interaction.guild_locale), whose.display_name, figures)
        await interaction.response.send_message(embed=embed)


def _profiles(connection: sa.Connection, guild_id: int, discord_id: int) -> list[Profile]:
    found = (boards.profile(connection, guild_id, system, discord_id) for system in SystemName)
    return [figures for figures in found if figures is not None]


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(ProfileCog(bot))
