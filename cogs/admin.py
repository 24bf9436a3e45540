"""/admin: care of the club's ledger."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.people import Problem, home
from bot.render import replay as drawing
from bot.replay import look, put_right
from bot.texts import texts_for
from ratings import ledger

# One more than is shown, to know whether there are more.
MOST = drawing.MOST + 1


@app_commands.guild_only()
class AdminCog(commands.GroupCog, group_name="admin", group_description=locale_str("Care of the club's figures")):
    """What admins do now and then, to be sure."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot

    @app_commands.command(
        description=locale_str("Work out all figures anew from the games, and put right what differs (admins)")
    )
    @app_commands.describe(check=locale_str("Only compare, and change nothing"))
    async def replay(self, interaction: discord.Interaction[Tenbou], check: bool = False) -> None:
        """Replay the club, for an admin."""
        texts, guild_id, store = texts_for(interaction.locale), home(interaction), self.bot.store
        await self.bot.require_admin(interaction)
        work = store.study(look, guild_id, None, MOST) if check else put_right(store, guild_id, None, MOST)
        try:
            found = await answering(interaction, work)
        except ledger.Stale:
            raise Problem(
                texts.gettext(
                    "Games were decided all the while, so that I came to no end, and nothing was changed. Please "
                    "try again at a quieter moment."
                )
            ) from None
        self.bot.worker.wake()
        embed = drawing.report(texts, found.games, found.wrong, found.first, put_right=not check)
        await answer(interaction, embed=embed)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(AdminCog(bot))
