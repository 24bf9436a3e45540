"""/games: what was played, and deciding a game where no reaction can."""

from __future__ import annotations

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.pages import Drawn
from bot.people import Problem, home
from bot.render import boards as drawing
from bot.texts import texts_for
from ratings import club, ledger
from ratings.models import GameState, Person, Refusal, Refused, Verdict
from ratings.queries import games, people
from ratings.settings import ClubSettings

PAGE = 10
LISTING = "games"
EVERYBODY = "all"
VERDICTS = [
    app_commands.Choice(name=locale_str("✅ approve"), value=Verdict.APPROVE.value),
    app_commands.Choice(name=locale_str("❌ reject"), value=Verdict.REJECT.value),
]


@app_commands.guild_only()
class GamesCog(commands.GroupCog, group_name="games", group_description=locale_str("Games of the club")):
    """Lists of games, and the approval desk without reactions."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(name="list", description=locale_str("Recent games, undecided ones first"))
    @app_commands.describe(member=locale_str("Only games of this member; everybody's if left out"))
    async def list_games(
        self, interaction: discord.Interaction[Tenbou], member: discord.Member | discord.User | None = None
    ) -> None:
        """Show the first page."""
        question = EVERYBODY if member is None else str(member.id)
        await self.bot.listings.open(interaction, LISTING, question)

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the games of one member, or of everybody."""
        whose = None if question == EVERYBODY else int(question)
        shown, who, settings = await self.bot.store.read(_page, home(interaction), whose, int(page))
        embed = drawing.game_list(texts_for(interaction.guild_locale), who, shown, settings)
        return Drawn(embed, shown.number, shown.pages)

    @app_commands.command(description=locale_str("Approve or reject a game without its card (admins)"))
    @app_commands.describe(
        game=locale_str("The game's number"),
        verdict=locale_str("What you decide"),
        reason=locale_str("Why it is rejected, for the reporter"),
    )
    @app_commands.choices(verdict=VERDICTS)
    async def decide(
        self,
        interaction: discord.Interaction[Tenbou],
        game: app_commands.Range[int, 1],
        verdict: str,
        reason: app_commands.Range[str, 1, ledger.REASON_LENGTH] | None = None,
    ) -> None:
        """Decide a pending game, for an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        if reason is not None and verdict == Verdict.APPROVE:
            raise Problem(texts.gettext("A reason only goes with a rejection. Nothing was decided."))
        found = await self.bot.store.read(games.by_number, member.guild.id, game)
        deciding = self.bot.desk.decide(member, found.id, Verdict(verdict), reason)
        decision = await answering(interaction, deciding)
        if not decision.taken:
            raise Refused(Refusal.ALREADY_DECIDED, number=game, state=decision.game.state)
        if decision.game.state is GameState.APPROVED:
            told = texts.gettext("Game #{number} is approved, and the ratings have moved.", number=game)
        else:
            told = texts.gettext("Game #{number} is rejected, and I tell the reporter.", number=game)
        await answer(interaction, told)

    @decide.autocomplete("game")
    async def _undecided(
        self, interaction: discord.Interaction[Tenbou], current: int | str
    ) -> list[app_commands.Choice[int]]:
        texts = texts_for(interaction.locale)
        waiting = await self.bot.store.read(games.pending, home(interaction))
        typed = str(current)
        return [
            app_commands.Choice(name=drawing.game_label(texts, game), value=game.number)
            for game in waiting
            if typed in str(game.number)
        ][:25]


def _page(
    connection: sa.Connection, guild_id: int, discord_id: int | None, number: int
) -> tuple[games.GamePage, Person | None, ClubSettings]:
    shown = games.page(connection, guild_id, discord_id, number, PAGE)
    who = None if discord_id is None else people.person_of(connection, guild_id, discord_id)
    return shown, who, club.settings(connection, guild_id)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(GamesCog(bot))
