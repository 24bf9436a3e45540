"""/profile: one member's figures."""

from __future__ import annotations

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Tenbou
from bot.members import whom
from bot.people import home
from bot.render import boards as drawing
from bot.texts import texts_for
from ratings.models import SystemName
from ratings.queries import american, boards
from ratings.queries.american import AmericanProfile
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
        whose = await whom(interaction, member)
        riichi, american_figures = await self.bot.store.read(_profiles, home(interaction), whose.discord_id)
        texts = texts_for(interaction.guild_locale)
        embed = drawing.profile(texts, whose.name, riichi, american_figures)
        await interaction.response.send_message(embed=embed)


def _profiles(
    connection: sa.Connection, guild_id: int, discord_id: int
) -> tuple[list[Profile], AmericanProfile | None]:
    ladders = (SystemName.TENHOU_4P, SystemName.TENHOU_3P)
    found = (boards.profile(connection, guild_id, system, discord_id) for system in ladders)
    riichi = [figures for figures in found if figures is not None]
    return riichi, american.profile(connection, guild_id, discord_id)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(ProfileCog(bot))
