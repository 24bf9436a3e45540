"""/history and /compare: how members came to stand where they stand, in pictures."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.charting import ChartFailed, Charts
from bot.client import Tenbou
from bot.members import whom
from bot.people import Problem, home
from bot.render import history as drawing
from bot.render.charts import Drawing, Over, comparison_drawing, history_drawing
from bot.texts import texts_for
from ratings import club
from ratings.models import Person
from ratings.queries.history import Measure, Step, head_to_heads, histories, players_of
from ratings.settings import ClubSettings
from ratings.statistics import HeadToHead

# Discord gives up on an interaction after three seconds without an answer.
SOON = 2.0
MEASURES = [
    app_commands.Choice(name=locale_str("rank points, four players"), value=Measure.RANK_4P.value),
    app_commands.Choice(name=locale_str("rank points, three players"), value=Measure.RANK_3P.value),
    app_commands.Choice(name=locale_str("R, four players"), value=Measure.RATING_4P.value),
    app_commands.Choice(name=locale_str("R, three players"), value=Measure.RATING_3P.value),
    app_commands.Choice(name=locale_str("American rating"), value=Measure.AMERICAN.value),
    app_commands.Choice(name=locale_str("tournament rating RR"), value=Measure.RR.value),
    app_commands.Choice(name=locale_str("tournament rating CRR"), value=Measure.CRR.value),
    app_commands.Choice(name=locale_str("tournament rating Online"), value=Measure.ONLINE.value),
]
AXES = [
    app_commands.Choice(name=locale_str("time"), value=Over.TIME.value),
    app_commands.Choice(name=locale_str("games"), value=Over.GAMES.value),
]
USUAL = {4: Measure.RANK_4P, 3: Measure.RANK_3P}
Member = discord.Member | discord.User
# An embed, the PNG it shows, and that in words.
Picture = tuple[discord.Embed, bytes, str]


@dataclass(frozen=True, slots=True)
class Looked:
    """What the club knows of some members: their histories, how each two of them did, and whether two of them are
    one player."""

    courses: list[list[Step]]
    results: list[HeadToHead]
    same: bool
    settings: ClubSettings

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not any(self.courses) and not any(result.together for result in self.results)


class HistoryCog(commands.Cog):
    """Charts of standings."""

    def __init__(self, bot: Tenbou) -> None:
        self.bot = bot
        self.charts = Charts()

    async def cog_unload(self) -> None:
        """Leave no chart half drawn."""
        await self.charts.close()

    @app_commands.command(description=locale_str("A chart of a member's rank points, R or another rating"))
    @app_commands.guild_only()
    @app_commands.describe(
        member=locale_str("Whose history; your own if left out"),
        system=locale_str("What is shown; rank points of the club's usual game if left out"),
        over=locale_str("What runs from left to right: time, or game after game"),
    )
    @app_commands.choices(system=MEASURES)
    @app_commands.choices(over=AXES)
    async def history(
        self,
        interaction: discord.Interaction[Tenbou],
        member: Member | None = None,
        system: str | None = None,
        over: str = Over.TIME.value,
    ) -> None:
        """Show how a member came to stand where he stands."""
        whose = await whom(interaction, member)
        await _show(interaction, self._history(interaction, whose, system, Over(over)))

    @app_commands.command(description=locale_str("Two to four members in one chart, and how they did together"))
    @app_commands.guild_only()
    @app_commands.describe(
        first=locale_str("A member"),
        second=locale_str("Another member"),
        third=locale_str("One more member"),
        fourth=locale_str("One more member"),
        system=locale_str("What is shown; rank points of the club's usual game if left out"),
    )
    @app_commands.choices(system=MEASURES)
    async def compare(
        self,
        interaction: discord.Interaction[Tenbou],
        first: Member,
        second: Member,
        third: Member | None = None,
        fourth: Member | None = None,
        system: str | None = None,
    ) -> None:
        """Show members beside each other."""
        named = (member for member in (first, second, third, fourth) if member is not None)
        people = [await whom(interaction, member) for member in named]
        await _show(interaction, self._comparison(interaction, people, system))

    async def _history(
        self, interaction: discord.Interaction[Tenbou], whose: Person, system: str | None, over: Over
    ) -> Picture:
        texts, measure = texts_for(interaction.guild_locale), await self._measure(interaction, system)
        looked = await self._look(home(interaction), [whose], measure)
        if looked.empty:
            raise Problem(drawing.nothing(texts_for(interaction.locale), [whose.name], measure))
        if measure.system is None:
            over = Over.TIME
        title, scale = drawing.measure_name(texts, measure), drawing.scale(measure)
        curve = drawing.curve(whose.name, looked.courses[0])
        layout = partial(history_drawing, texts, title, curve, scale, looked.settings.zone, over)
        embed = drawing.history(texts, whose.name, measure)
        return embed, await self._draw(interaction, layout), drawing.described(texts, [whose.name], measure)

    async def _comparison(
        self, interaction: discord.Interaction[Tenbou], people: Sequence[Person], system: str | None
    ) -> Picture:
        texts, measure = texts_for(interaction.guild_locale), await self._measure(interaction, system)
        looked = await self._look(home(interaction), people, measure)
        private, names = texts_for(interaction.locale), [person.name for person in people]
        if looked.same:
            raise Problem(private.gettext("Two of those you named are one player here. Name different ones."))
        if looked.empty:
            raise Problem(drawing.nothing(private, names, measure))
        title, scale = drawing.measure_name(texts, measure), drawing.scale(measure)
        curves = [drawing.curve(name, course) for name, course in zip(names, looked.courses, strict=True)]
        layout = partial(comparison_drawing, texts, title, curves, scale, looked.settings.zone)
        embed = drawing.comparison(texts, names, measure, looked.results)
        return embed, await self._draw(interaction, layout), drawing.described(texts, names, measure)

    async def _measure(self, interaction: discord.Interaction[Tenbou], system: str | None) -> Measure:
        if system is not None:
            return Measure(system)
        return USUAL[(await self.bot.settings(home(interaction))).usual_players]

    async def _look(self, guild_id: int, people: Sequence[Person], measure: Measure) -> Looked:
        members, now = [person.discord_id for person in people], int(time.time())
        if measure.system is None:
            # The tables of five years, one after the other.
            return await self.bot.store.study(_look, guild_id, members, measure, now)
        return await self.bot.store.read(_look, guild_id, members, measure, now)

    async def _draw(self, interaction: discord.Interaction[Tenbou], layout: Callable[[], Drawing]) -> bytes:
        try:
            return await self.charts.draw(layout)
        except ChartFailed:
            texts = texts_for(interaction.locale)
            told = texts.gettext("The chart could not be drawn in time. Please try again in a moment.")
            raise Problem(told) from None


def _look(connection: sa.Connection, guild_id: int, members: Sequence[int], measure: Measure, now: int) -> Looked:
    players = players_of(connection, guild_id, members)
    known = [player for player in players if player is not None]
    return Looked(
        courses=histories(connection, guild_id, members, measure, now),
        results=head_to_heads(connection, guild_id, members, measure),
        same=len(set(known)) < len(known) or len(set(members)) < len(members),
        settings=club.settings(connection, guild_id),
    )


async def _show(interaction: discord.Interaction[Tenbou], work: Coroutine[Any, Any, Picture]) -> None:
    """Answer with a picture, for everybody to see; if it takes long, Discord is told that it is on its way."""
    task = asyncio.create_task(work)
    done, _ = await asyncio.wait({task}, timeout=SOON)
    if not done:
        await interaction.response.defer(thinking=True)
    embed, png, words = await task
    file = discord.File(io.BytesIO(png), drawing.FILE, description=words)
    if interaction.response.is_done():
        await interaction.followup.send(embed=embed, file=file)
    else:
        await interaction.response.send_message(embed=embed, file=file)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(HistoryCog(bot))
