"""The floor: the least that a discord.py bot can do for a report and an approval. It keeps and works out nothing.

Its posts are of the size of Tenbou's, and it sends as early as it can: the answer and the card at once.
"""

from __future__ import annotations

import asyncio
import os

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

__all__ = ["main"]

APPROVE = "\N{WHITE HEAVY CHECK MARK}"
SEATS = ("east", "south", "west", "north")


class BareBot(discord.Client):
    """Answers /report riichi, posts a card, and posts once more when somebody reacts to anything with a ✅."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, guild_reactions=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(report)

    async def setup_hook(self) -> None:
        """Tell Discord the command."""
        await self.tree.sync()

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Announce at once."""
        guild = self.get_guild(payload.guild_id or 0)
        if guild is None or payload.emoji.name != APPROVE:
            return
        told = discord.Embed(title="Promotion", description=f"<@{payload.user_id}> approved.")
        told.set_footer(text=f"#{payload.message_id}")
        await channel(guild, "announcements").send(embed=told)


def channel(guild: discord.Guild, name: str) -> discord.TextChannel:
    """The text channel of this name."""
    return next(each for each in guild.text_channels if each.name == name)


report = app_commands.Group(name="report", description="Report a finished game", guild_only=True)


@report.command(description="Report a riichi game")
async def riichi(
    interaction: discord.Interaction[BareBot],
    east: discord.Member,
    east_score: str,
    south: discord.Member,
    south_score: str,
    west: discord.Member,
    west_score: str,
    north: discord.Member,
    north_score: str,
) -> None:
    """Say what was typed, privately and on a card."""
    seats = zip(
        SEATS,
        (east, south, west, north),
        (east_score, south_score, west_score, north_score),
        strict=True,
    )
    told = discord.Embed(title="Game", description="\n".join(f"{s} {m.mention} {score}" for s, m, score in seats))
    told.set_footer(text=f"#{interaction.id}")
    assert interaction.guild is not None
    await asyncio.gather(
        interaction.response.send_message(embed=told, ephemeral=True),
        channel(interaction.guild, "approvals").send(embed=told),
    )


def main() -> None:
    """Run until told to stop."""
    Route.BASE = os.environ["TENBOU_API_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["TENBOU_GATEWAY_URL"])
    BareBot().run(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    main()
