"""/stats: all of a member's statistics at tables of four or three."""

from __future__ import annotations

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Tenbou
from bot.members import whom
from bot.pages import Drawn
from bot.people import Problem, home
from bot.render import statistics as drawing
from bot.texts import texts_for
from ratings import club
from ratings.models import SystemName
from ratings.queries import boards, people
from ratings.queries.boards import Profile
from ratings.queries.statistics import statistics_of
from ratings.settings import ClubSettings
from ratings.statistics import Statistics

LISTING = "stats"
SYSTEMS = {4: SystemName.TENHOU_4P, 3: SystemName.TENHOU_3P}
PLAYERS = [
    app_commands.Choice(name=locale_str("four players"), value=4),
    app_commands.Choice(name=locale_str("three players"), value=3),
]
Found = tuple[str, Profile | None, Statistics, ClubSettings]


class NoGames(Problem):
    """There is nothing to show of a member yet, or any more."""


class StatsCog(commands.Cog):
    """The statistics block."""

    def __init__(self, bot: Tenbou) -> None:
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(description=locale_str("Statistics of riichi: places, averages, hands, months, totals"))
    @app_commands.guild_only()
    @app_commands.describe(
        member=locale_str("Whose statistics; your own if left out"),
        players=locale_str("Four or three players; the club's usual game if left out"),
    )
    @app_commands.choices(players=PLAYERS)
    async def stats(
        self,
        interaction: discord.Interaction[Tenbou],
        member: discord.Member | discord.User | None = None,
        players: int | None = None,
    ) -> None:
        """Show the block with the newest months."""
        whose = await whom(interaction, member)
        if players is None:
            players = (await self.bot.settings(home(interaction))).usual_players
        try:
            await self.bot.listings.open(interaction, LISTING, f"{whose.discord_id}/{players}")
        except NoGames:
            # The club may have no record of him, and so no name.
            raise Problem(drawing.nothing(texts_for(interaction.locale), whose.name, players)) from None

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw the block of the member that `question` names, with a page of his months."""
        texts = texts_for(interaction.guild_locale)
        discord_id, players = map(int, question.split("/"))
        name, figures, found, settings = await self.bot.store.read(_look, home(interaction), discord_id, players)
        if not found.games:
            raise NoGames(drawing.nothing(texts_for(interaction.locale), name, players))
        pages = drawing.pages(found)
        number = min(int(page), pages - 1)
        return Drawn(drawing.block(texts, name, figures, found, settings, number), number, pages)


def _look(connection: sa.Connection, guild_id: int, discord_id: int, players: int) -> Found:
    who = people.person_of(connection, guild_id, discord_id)
    figures = boards.profile(connection, guild_id, SYSTEMS[players], discord_id)
    found = statistics_of(connection, guild_id, discord_id, players)
    return "" if who is None else who.name, figures, found, club.settings(connection, guild_id)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(StatsCog(bot))
