"""/players: who is who: two records of one person made one, names and accounts, people who ask to be forgotten."""

from __future__ import annotations

import time

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Tenbou
from bot.confirmations import Question
from bot.people import Problem, home
from bot.render import people as drawing
from bot.texts import texts_for
from cogs.tournament_players import LISTING, TournamentPlayers
from ratings import ledger
from ratings.queries import people
from ratings.queries.people import PLAYER_VALUE

CHOICES = 25
# How many people are named where it is not clear who is meant.
NEAR = 5
Name = app_commands.Range[str, 1, 100]
Reason = app_commands.Range[str, 1, ledger.REASON_LENGTH]
Choices = list[app_commands.Choice[str]]


@app_commands.guild_only()
class PlayersCog(
    TournamentPlayers,
    commands.GroupCog,
    group_name="players",
    group_description=locale_str("The people in the club's records"),
):
    """Records of people. What cannot simply be put right again is shown first, and a button does it; what
    tournaments ask of players is inherited."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(description=locale_str("Make two records of one person count as one (admins)"))
    @app_commands.describe(
        player=locale_str("The record that shall count as the other one"),
        into=locale_str("The record under which everything shall count"),
        reason=locale_str("Why, for the archive"),
    )
    async def merge(
        self, interaction: discord.Interaction[Tenbou], player: Name, into: Name, reason: Reason | None = None
    ) -> None:
        """Propose a merge to an admin."""
        await self.bot.require_admin(interaction)
        guild_id = home(interaction)
        record = await self._meant(interaction, player)
        other = await self._meant(interaction, into)

        def propose(connection: sa.Connection) -> ledger.Proposal:
            return ledger.propose_merge(connection, guild_id, record, other, reason)

        await self.bot.confirmations.ask(interaction, Question(guild_id, propose, self.bot.require_admin))

    @app_commands.command(description=locale_str("Take a merge back: the record counts for itself again (admins)"))
    @app_commands.describe(
        player=locale_str("The record that counts as another one"),
        reason=locale_str("Why, for the archive"),
    )
    async def split(
        self, interaction: discord.Interaction[Tenbou], player: Name, reason: Reason | None = None
    ) -> None:
        """Propose a split to an admin."""
        await self.bot.require_admin(interaction)
        guild_id = home(interaction)
        record = await self._meant(interaction, player, merged=True)

        def propose(connection: sa.Connection) -> ledger.Proposal:
            return ledger.propose_split(connection, guild_id, record, reason)

        await self.bot.confirmations.ask(interaction, Question(guild_id, propose, self.bot.require_admin))

    @app_commands.command(
        description=locale_str("Forget the name and the account of somebody who asks for it, for ever (admins)")
    )
    @app_commands.describe(player=locale_str("Who asks to be forgotten"))
    async def forget(self, interaction: discord.Interaction[Tenbou], player: Name) -> None:
        """Propose to an admin to forget somebody."""
        await self.bot.require_admin(interaction)
        guild_id = home(interaction)
        record = await self._meant(interaction, player)

        def propose(connection: sa.Connection) -> ledger.Proposal:
            return ledger.propose_forget(connection, guild_id, record, int(time.time()))

        await self.bot.confirmations.ask(interaction, Question(guild_id, propose, self.bot.require_admin))

    @merge.autocomplete("player")
    @merge.autocomplete("into")
    @forget.autocomplete("player")
    async def _people(self, interaction: discord.Interaction[Tenbou], current: str) -> Choices:
        return await self._choices(interaction, current, merged=False)

    @split.autocomplete("player")
    async def _merged(self, interaction: discord.Interaction[Tenbou], current: str) -> Choices:
        return await self._choices(interaction, current, merged=True)

    async def _choices(self, interaction: discord.Interaction[Tenbou], typed: str, *, merged: bool) -> Choices:
        texts = texts_for(interaction.locale)
        found = await self.bot.store.read(people.search, home(interaction), typed, CHOICES, merged=merged)
        return [
            app_commands.Choice(name=drawing.choice(texts, each), value=f"{PLAYER_VALUE}{each.id}")
            for each in found
        ]

    async def _meant(self, interaction: discord.Interaction[Tenbou], typed: str, *, merged: bool = False) -> int:
        """The id of the record that was chosen, or typed. Raises Problem if that is not clear."""
        found = await self.bot.store.read(people.meant, home(interaction), typed, NEAR + 1, merged=merged)
        if len(found.exactly) == 1:
            return found.exactly[0].id
        raise Problem(drawing.unclear(texts_for(interaction.locale), typed, found, NEAR))


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(PlayersCog(bot))
