"""/tournament: tournaments and their results, from files or one by one."""

from __future__ import annotations

import asyncio
import io
import time
from datetime import date, datetime

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.pages import Drawn
from bot.people import home, person
from bot.render import tournament_files as file_drawing
from bot.render import tournaments as drawing
from bot.render.tournament_facts import facts_line, players_in
from bot.texts import texts_for
from bot.tournament_files import Import, NotImported, export_rows, import_file, new_details
from bot.tournament_options import FACTS, Hanchan, Participants, Share, Text, the_tournament
from cogs.tournament_corrections import Corrections, Tournament
from ratings import club
from ratings.queries.people import names
from ratings.resultsfile import write_results
from ratings.tournaments import ledger, rankings, readers
from ratings.tournaments.aftermath import Aftermath, carry_out

PAGE = 10
ONE, MANY = "tournament", "tournaments"


@app_commands.guild_only()
class TournamentCog(
    Corrections,
    commands.GroupCog,
    group_name="tournament",
    group_description=locale_str("Tournaments and their results"),
):
    """Bringing tournaments in, showing and exporting them; what corrects them is inherited."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(ONE, self.draw)
        bot.listings.register(MANY, self.draw_list)

    @app_commands.command(name="import", description=locale_str("Bring in a tournament with its results (admins)"))
    @app_commands.describe(
        file=locale_str("CSV, TSV or XLSX with a header: player, place or score, and more if you like"),
        new_players=locale_str("Make a record for everybody in the file who is not known yet"),
        **FACTS,
    )
    async def import_file(
        self,
        interaction: discord.Interaction[Tenbou],
        file: discord.Attachment,
        name: Text,
        last_day: Text,
        first_day: Text | None = None,
        hanchan: Hanchan | None = None,
        country: Text | None = None,
        online: bool | None = None,
        accredited: bool | None = None,
        open_share: Share | None = None,
        ema: bool | None = None,
        stages: Text | None = None,
        participants: Participants | None = None,
        new_players: bool = False,
    ) -> None:
        """Take all of a file, or nothing and say why."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        said = await self._facts(
            interaction,
            name=name,
            last_day=last_day,
            first_day=first_day,
            hanchan=hanchan,
            country=country,
            online=online,
            accredited=accredited,
            open_share=open_share,
            ema=ema,
            stages=stages,
            participants=participants,
        )

        async def work() -> tuple[Import, Aftermath]:
            done = await import_file(self.bot, texts, member, file, said, new_players)
            return done, await self._aftermath(member.guild.id, done.done.number, done.between)

        try:
            done, now = await answering(interaction, work())
        except NotImported as error:
            embed, complete = await asyncio.to_thread(file_drawing.bad_import, texts, error.rejected)
            files = [] if complete is None else [_file("import-problems.txt", complete.encode())]
            await answer(interaction, embed=embed, files=files)
            return
        await answer(interaction, embed=file_drawing.imported(texts, done.done, done.file, now))

    @app_commands.command(description=locale_str("Enter a tournament without its results (admins)"))
    @app_commands.describe(**FACTS)
    async def add(
        self,
        interaction: discord.Interaction[Tenbou],
        name: Text,
        last_day: Text,
        participants: Participants,
        first_day: Text | None = None,
        hanchan: Hanchan | None = None,
        country: Text | None = None,
        online: bool | None = None,
        accredited: bool | None = None,
        open_share: Share | None = None,
        ema: bool | None = None,
        stages: Text | None = None,
    ) -> None:
        """Enter a tournament, for an admin; its results follow one by one."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        said = await self._facts(
            interaction,
            name=name,
            last_day=last_day,
            participants=participants,
            first_day=first_day,
            hanchan=hanchan,
            country=country,
            online=online,
            accredited=accredited,
            open_share=open_share,
            ema=ema,
            stages=stages,
        )
        details = new_details(await self.bot.settings(member.guild.id), said, participants)

        guild_id, by, moment = member.guild.id, person(member), int(time.time())

        def add(connection: sa.Connection) -> int:
            return ledger.add_tournament(connection, guild_id, details, by, moment)

        async def work() -> tuple[int, Aftermath]:
            number, between = await self.bot.store.write(carry_out, guild_id, moment, add)
            return number, await self._aftermath(guild_id, number, between)

        number, now = await answering(interaction, work())
        title = texts.gettext("Tournament #{number} is entered", number=number)
        advice = texts.gettext("/tournament result enters its results one by one.")
        await self._tell(interaction, title, [facts_line(texts, details), advice], now)

    @app_commands.command(description=locale_str("A tournament: facts, results, where it counts, what was done"))
    @app_commands.describe(tournament=locale_str("Which tournament"))
    async def show(self, interaction: discord.Interaction[Tenbou], tournament: Tournament) -> None:
        """Show the first page."""
        texts, guild_id = texts_for(interaction.locale), home(interaction)
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)
        await self.bot.listings.open(interaction, ONE, str(number))

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the tournament that `question` numbers."""
        settings = await self.bot.settings(home(interaction))
        today = datetime.now(settings.zone).date()
        shown = await self.bot.store.study(_sheet, home(interaction), int(question), today)
        return Drawn(*drawing.sheet(texts_for(interaction.guild_locale), shown, int(page)))

    @app_commands.command(name="list", description=locale_str("The club's tournaments, newest first"))
    async def list_tournaments(self, interaction: discord.Interaction[Tenbou]) -> None:
        """Show the first page."""
        await self.bot.listings.open(interaction, MANY, "")

    async def draw_list(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the tournaments."""
        shown = await self.bot.store.read(readers.page, home(interaction), int(page), PAGE)
        embed = drawing.tournament_list(texts_for(interaction.guild_locale), shown)
        return Drawn(embed, shown.number, shown.pages)

    @app_commands.command(description=locale_str("Get the results of a tournament as a CSV file"))
    @app_commands.describe(tournament=locale_str("Which tournament"))
    async def export(self, interaction: discord.Interaction[Tenbou], tournament: Tournament) -> None:
        """Answer with a file that import would take."""
        texts, guild_id = texts_for(interaction.locale), home(interaction)
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)
        record, rows = await self.bot.store.read(export_rows, guild_id, number, texts)
        file = _file(f"tournament-{number}.csv", write_results(rows))
        await answer(interaction, file_drawing.exported(texts, record), files=[file])


def _file(name: str, data: bytes) -> discord.File:
    return discord.File(io.BytesIO(data), filename=name)


def _sheet(connection: sa.Connection, guild_id: int, number: int, today: date) -> drawing.Sheet:
    """All there is to show of a tournament."""
    record = readers.record(connection, guild_id, number)
    trail = readers.trail(connection, guild_id, record.id)
    told_of = set().union(*(players_in(change.before, change.after) for change in trail))
    return drawing.Sheet(
        record=record,
        verdicts=[] if record.removed else rankings.why(connection, guild_id, number, today),
        trail=trail,
        names=names(connection, guild_id, told_of),
        settings=club.settings(connection, guild_id),
        today=today,
    )


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(TournamentCog(bot))
