"""/ranking: the rankings of tournament players at any date, explained to the last result."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.pages import MINE, Drawn
from bot.people import Problem, home
from bot.ranking_studies import RankingStudies
from bot.render import ranking_explanation, ranking_news, ranking_outlook
from bot.render import rankings as drawing
from bot.render.names import safe_text
from bot.texts import Texts, texts_for
from bot.tournament_options import (
    Hanchan,
    Participants,
    PlayerOption,
    TournamentOption,
    the_player,
    the_tournament,
)
from ratings import club
from ratings.reading import UnreadableMoment, read_moment
from ratings.settings import ClubSettings
from ratings.systems.russian import Ranking, RankingRules, Tournament
from ratings.tournaments import rankings, readers
from ratings.tournaments.facts import newest_change
from ratings.tournaments.rankings import Explained, Forecast, Verdict
from ratings.tournaments.readers import TournamentRecord

LINES = 20
TABLE, CHANGES = "ranking", "moved"
YEARS = range(1990, 2101)
# How far /ranking changes looks back by itself.
LATELY = timedelta(days=30)
RANKINGS = [
    app_commands.Choice(name="RR", value=Ranking.RR.value),
    app_commands.Choice(name="CRR", value=Ranking.CRR.value),
    app_commands.Choice(name=locale_str("Online"), value=Ranking.ONLINE.value),
]
Day = app_commands.Range[str, 1, 40]
Entrant = app_commands.Transform[str, PlayerOption(entrants=True)]


@dataclass(frozen=True, slots=True)
class Today:
    """What day it is in the club."""

    settings: ClubSettings
    now: datetime

    @property
    def day(self) -> date:
        """Today by the club's clock."""
        return self.now.astimezone(self.settings.zone).date()

    def read(self, texts: Texts, typed: str | None) -> date:
        """The day that was typed, today without one. Raises Problem."""
        if typed is None:
            return self.day
        try:
            day = read_moment(typed, self.settings.zone, self.now).astimezone(self.settings.zone).date()
        except UnreadableMoment as error:
            told = texts.gettext(
                "I cannot read “{text}” as a day. Write it like 2026-11-29, 29.11.2026 or yesterday.",
                text=safe_text(error.text),
            )
            raise Problem(told) from None
        if day.year not in YEARS:
            told = texts.gettext(
                "There are rankings of the years {first} to {last} only.", first=YEARS[0], last=YEARS[-1]
            )
            raise Problem(told)
        return day

    def end_of(self, day: date) -> int:
        """The last second of a day by the club's clock."""
        return int(datetime.combine(day + timedelta(days=1), time(), self.settings.zone).timestamp()) - 1


@app_commands.guild_only()
class RankingCog(
    commands.GroupCog,
    group_name="ranking",
    group_description=locale_str("The rankings of tournament players: RR, CRR and Online"),
):
    """Everything is computed from the tournaments when somebody asks."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        self._studies = RankingStudies(bot.store)
        bot.listings.register(TABLE, self.draw_table, has_mine=True)
        bot.listings.register(CHANGES, self.draw_changes)

    @app_commands.command(description=locale_str("The RR table, as of today or of any day"))
    @app_commands.describe(date=locale_str("As of which day, like 2026-11-29; today if left out"))
    async def rr(self, interaction: discord.Interaction[Tenbou], date: Day | None = None) -> None:
        """Show the first page of RR."""
        await self._open_table(interaction, Ranking.RR, date)

    @app_commands.command(description=locale_str("The CRR table, as of today or of any day"))
    @app_commands.describe(date=locale_str("As of which day, like 2026-11-29; today if left out"))
    async def crr(self, interaction: discord.Interaction[Tenbou], date: Day | None = None) -> None:
        """Show the first page of CRR."""
        await self._open_table(interaction, Ranking.CRR, date)

    @app_commands.command(description=locale_str("The table of online tournaments, as of today or of any day"))
    @app_commands.describe(date=locale_str("As of which day, like 2026-11-29; today if left out"))
    async def online(self, interaction: discord.Interaction[Tenbou], date: Day | None = None) -> None:
        """Show the first page of the Online ranking."""
        await self._open_table(interaction, Ranking.ONLINE, date)

    async def _open_table(
        self, interaction: discord.Interaction[Tenbou], which: Ranking, typed: str | None
    ) -> None:
        today = await self._today(interaction)
        day = today.read(texts_for(interaction.locale), typed)
        await self.bot.listings.open(interaction, TABLE, f"{which}/{day}")

    async def draw_table(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the ranking and day that `question` names."""
        which, day = question.split("/")
        texts, guild_id = texts_for(interaction.guild_locale), home(interaction)
        who = interaction.user.id if page == MINE else None
        view, mine = await self._studies.table(guild_id, Ranking(which), date.fromisoformat(day), who)
        if page == MINE and mine is None:
            told = texts_for(interaction.locale).gettext(
                "You are not in this table. It takes two results that count, and a record of yours that an admin "
                "has linked to your account."
            )
            raise Problem(told)
        pages = max(1, -(-len(view.table.rows) // LINES))
        number = min(int(page), pages - 1) if mine is None else (mine - 1) // LINES
        return Drawn(drawing.table(texts, view, number, LINES, mine), number, pages)

    @app_commands.command(description=locale_str("How a player's rating comes about, to the last result"))
    @app_commands.describe(
        player=locale_str("Whose rating"),
        ranking=locale_str("Which ranking; RR if left out"),
        date=locale_str("As of which day, like 2026-11-29; today if left out"),
    )
    @app_commands.choices(ranking=RANKINGS)
    async def explain(
        self,
        interaction: discord.Interaction[Tenbou],
        player: Entrant,
        ranking: str = Ranking.RR.value,
        date: Day | None = None,
    ) -> None:
        """Show each result, the parts and the formula; what is too long comes as a file."""
        own, texts, guild_id = (
            texts_for(interaction.locale),
            texts_for(interaction.guild_locale),
            home(interaction),
        )
        day = (await self._today(interaction)).read(own, date)

        async def work() -> Explained:
            whose = await the_player(self.bot.store, own, guild_id, player)
            return await self._studies.study(rankings.explain, guild_id, Ranking(ranking), whose.id, day)

        told = await answering(interaction, work(), public=True)
        embed, complete = ranking_explanation.explanation(texts, told)
        files = []
        if not complete:
            data = ranking_explanation.explanation_text(texts, told).encode()
            files = [discord.File(io.BytesIO(data), filename=f"{ranking}-{day}.txt")]
        await answer(interaction, public=True, embed=embed, files=files)

    @app_commands.command(description=locale_str("Who moved in a ranking, and why"))
    @app_commands.describe(
        ranking=locale_str("Which ranking"),
        since=locale_str("Since the end of which day, like 2026-11-29; 30 days ago if left out"),
    )
    @app_commands.choices(ranking=RANKINGS)
    async def changes(
        self, interaction: discord.Interaction[Tenbou], ranking: str, since: Day | None = None
    ) -> None:
        """Show the first page of what moved since a day, corrections included."""
        texts, today = texts_for(interaction.locale), await self._today(interaction)
        day = today.day - LATELY if since is None else today.read(texts, since)
        if day > today.day:
            raise Problem(texts.gettext("That day is still to come; nothing has moved since."))
        # What was known then; a club that knew nothing yet is shown what it knows now.
        change = await self.bot.store.read(newest_change, home(interaction), today.end_of(day))
        await self.bot.listings.open(interaction, CHANGES, f"{ranking}/{day}/{today.day}/{change}")

    async def draw_changes(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of what moved in the ranking and between the days that `question` names."""
        which, since, until, change = question.split("/")
        view = await self._studies.study(
            rankings.changes,
            home(interaction),
            Ranking(which),
            date.fromisoformat(since),
            date.fromisoformat(until),
            int(change) or None,
        )
        return Drawn(*ranking_news.changes(texts_for(interaction.guild_locale), view, int(page)))

    @app_commands.command(description=locale_str("The rating that each place in a coming tournament would bring"))
    @app_commands.describe(
        player=locale_str("Whose rating"),
        players=locale_str("How many will take part"),
        hanchan=locale_str("How many hanchan will be played"),
        date=locale_str("The last day of the tournament, like 2026-11-29"),
        ranking=locale_str("Which ranking; RR if left out"),
    )
    @app_commands.choices(ranking=RANKINGS)
    async def whatif(
        self,
        interaction: discord.Interaction[Tenbou],
        player: Entrant,
        players: Participants,
        hanchan: Hanchan,
        date: Day,
        ranking: str = Ranking.RR.value,
    ) -> None:
        """Show the rating for each place; the tournament is one at home that fulfils what is not said."""
        own, texts, guild_id = (
            texts_for(interaction.locale),
            texts_for(interaction.guild_locale),
            home(interaction),
        )
        today = await self._today(interaction)
        day = today.read(own, date)
        if day < today.day:
            raise Problem(own.gettext("That day is over. Write the day with its year, like 2026-11-29."))
        which = Ranking(ranking)
        coming = Tournament(
            id=0,
            name="",
            last_day=day,
            hanchan=hanchan,
            participants=players,
            country=today.settings.home_country,
            online=which is Ranking.ONLINE,
            accredited=True,
        )

        async def work() -> Forecast:
            whose = await the_player(self.bot.store, own, guild_id, player)
            return await self._studies.study(rankings.forecast, guild_id, which, whose.id, coming, today.day)

        told = await answering(interaction, work(), public=True)
        await answer(interaction, public=True, embed=ranking_outlook.what_if(texts, told))

    @app_commands.command(
        description=locale_str("In which rankings a tournament counts, and why not in the others")
    )
    @app_commands.describe(tournament=locale_str("The tournament: its number or name"))
    async def why(
        self, interaction: discord.Interaction[Tenbou], tournament: app_commands.Transform[str, TournamentOption]
    ) -> None:
        """Show the verdict of each ranking's rules."""
        own, texts, guild_id = (
            texts_for(interaction.locale),
            texts_for(interaction.guild_locale),
            home(interaction),
        )
        day = (await self._today(interaction)).day

        async def work() -> tuple[TournamentRecord, list[Verdict], RankingRules]:
            number = await the_tournament(self.bot.store, own, guild_id, tournament)
            return await self._studies.study(_why, guild_id, number, day)

        told = await answering(interaction, work(), public=True)
        await answer(interaction, public=True, embed=ranking_outlook.why(texts, *told, day))

    async def _today(self, interaction: discord.Interaction) -> Today:
        return Today(await self.bot.settings(home(interaction)), datetime.now(UTC))


def _why(
    connection: sa.Connection, guild_id: int, number: int, day: date
) -> tuple[TournamentRecord, list[Verdict], RankingRules]:
    verdicts = rankings.why(connection, guild_id, number, day)
    record = readers.record(connection, guild_id, number)
    return record, verdicts, club.settings(connection, guild_id).ranking_rules


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(RankingCog(bot))
