"""/card: the club's cards of American mahjong."""

from __future__ import annotations

import asyncio
import io
import time
from dataclasses import dataclass

import aiohttp
import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.pages import Drawn
from bot.people import Problem, home, person
from bot.render import cardfile as drawing
from bot.texts import Texts, texts_for
from ratings import card, cardfile, club
from ratings.models import Person
from ratings.queries import cards

LINES = 15
LISTING = "card"
# Seconds that Discord may take to hand over a file.
PATIENCE = 30
Year = app_commands.Range[int, cardfile.YEARS[0], cardfile.YEARS[-1]]


@dataclass(frozen=True, slots=True)
class Shelf:
    """The club's cards: lines by year, newest first, and the active year if there is a card of it."""

    years: dict[int, int]
    active: int | None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: lines by year, the active year now, and whether the import chose it."""

    counts: dict[int, int]
    active: int
    activated: bool


@app_commands.guild_only()
class CardCog(
    commands.GroupCog, group_name="card", group_description=locale_str("The club's card of American mahjong")
):
    """Importing, showing, exporting and activating cards."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(name="import", description=locale_str("Import a card from a CSV file (admins)"))
    @app_commands.describe(
        file=locale_str("CSV: year, section, section multiplier, line, points, concealed only, singles and pairs")
    )
    async def import_file(self, interaction: discord.Interaction[Tenbou], file: discord.Attachment) -> None:
        """Take all of a file, or nothing and say why."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        try:
            done = await answering(interaction, self._import(texts, member, file))
        except cardfile.BadCard as bad:
            embed, complete = await asyncio.to_thread(drawing.bad_card, texts, bad.problems)
            files = [] if complete is None else [_file("card-problems.txt", complete.encode())]
            await answer(interaction, embed=embed, files=files)
            return
        await answer(interaction, embed=drawing.imported(texts, done.counts, done.active, done.activated))

    async def _import(self, texts: Texts, member: discord.Member, file: discord.Attachment) -> Imported:
        if file.size > cardfile.LARGEST_FILE:
            raise cardfile.BadCard((cardfile.Problem(None, cardfile.ProblemKind.TOO_LARGE),))
        try:
            async with asyncio.timeout(PATIENCE):
                data = await file.read()
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
            raise Problem(
                texts.gettext("Discord did not give me the file. Nothing was changed; please send it again.")
            ) from None
        lines = await asyncio.to_thread(cardfile.read_card, data)
        done = await self.bot.store.write(_import, member.guild.id, lines, person(member), int(time.time()))
        self.bot.worker.wake()
        return done

    @app_commands.command(description=locale_str("Show a card: sections, lines, points and marks"))
    @app_commands.describe(year=locale_str("The card's year; the active card if left out"))
    async def show(self, interaction: discord.Interaction[Tenbou], year: Year | None = None) -> None:
        """Show the first page."""
        chosen = await self._chosen(interaction, year)
        await self.bot.listings.open(interaction, LISTING, str(chosen))

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the card of the year that `question` names."""
        year = int(question)
        shelf, lines = await self.bot.store.read(_read, home(interaction), year)
        pages = max(1, -(-len(lines) // LINES))
        number = min(int(page), pages - 1)
        texts = texts_for(interaction.guild_locale)
        return Drawn(drawing.page(texts, year, shelf.active, lines, number, LINES), number, pages)

    @app_commands.command(description=locale_str("Get a card as a CSV file"))
    @app_commands.describe(year=locale_str("The card's year; the active card if left out"))
    async def export(self, interaction: discord.Interaction[Tenbou], year: Year | None = None) -> None:
        """Answer with the file that /card import would take."""
        chosen = await self._chosen(interaction, year)
        _, lines = await self.bot.store.read(_read, home(interaction), chosen)
        data = cardfile.write_card([_as_written(line) for line in lines])
        told = texts_for(interaction.locale).ngettext(
            "The card of {year}: {number} line.", "The card of {year}: {number} lines.", len(lines), year=chosen
        )
        await answer(interaction, told, files=[_file(f"card-{chosen}.csv", data)])

    @app_commands.command(description=locale_str("Choose the card that is played with (admins)"))
    @app_commands.describe(year=locale_str("The card's year"))
    async def activate(self, interaction: discord.Interaction[Tenbou], year: Year) -> None:
        """Make a card the active one, for an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        await self._chosen(interaction, year)
        changing = self.bot.store.write(
            club.change_settings, member.guild.id, {"card_year": year}, person(member), int(time.time())
        )
        _, changed = await answering(interaction, changing)
        self.bot.worker.wake()
        if changed:
            told = texts.gettext("The card of {year} is active from now on.", year=year)
        else:
            told = texts.gettext("The card of {year} is active already; nothing has changed.", year=year)
        await answer(interaction, told)

    async def _chosen(self, interaction: discord.Interaction, year: int | None) -> int:
        """The year that was asked for, or the active one. Raises Problem if the club has no such card."""
        shelf = await self.bot.store.read(_shelf, home(interaction))
        chosen = shelf.active if year is None else year
        if chosen is None or chosen not in shelf.years:
            raise Problem(drawing.no_card(texts_for(interaction.locale), chosen, list(shelf.years)))
        return chosen

    @show.autocomplete("year")
    @export.autocomplete("year")
    @activate.autocomplete("year")
    async def _years(
        self, interaction: discord.Interaction[Tenbou], current: int | str
    ) -> list[app_commands.Choice[int]]:
        texts, typed = texts_for(interaction.locale), str(current)
        shelf = await self.bot.store.read(_shelf, home(interaction))
        return [
            app_commands.Choice(name=drawing.year_choice(texts, year, lines, shelf.active), value=year)
            for year, lines in shelf.years.items()
            if typed in str(year)
        ][:25]


def _file(name: str, data: bytes) -> discord.File:
    return discord.File(io.BytesIO(data), filename=name)


def _shelf(connection: sa.Connection, guild_id: int) -> Shelf:
    years = dict(cards.years(connection, guild_id))
    active = club.settings(connection, guild_id).card_year
    return Shelf(years, active if active in years else None)


def _read(connection: sa.Connection, guild_id: int, year: int) -> tuple[Shelf, list[cards.CardLine]]:
    return _shelf(connection, guild_id), cards.lines(connection, guild_id, year)


def _import(
    connection: sa.Connection, guild_id: int, lines: list[cardfile.CardLine], by: Person, now: int
) -> Imported:
    """Import, and make the newest of the imported years active where no card is."""
    counts = card.import_card(connection, guild_id, lines, now)
    active = _shelf(connection, guild_id).active
    if active is not None:
        return Imported(counts, active, activated=False)
    newest = max(counts)
    club.change_settings(connection, guild_id, {"card_year": newest}, by, now)
    return Imported(counts, newest, activated=True)


def _as_written(line: cards.CardLine) -> cardfile.CardLine:
    value = line.line
    return cardfile.CardLine(
        line.year,
        line.section,
        value.section_multiplier,
        line.name,
        value.points,
        value.concealed_only,
        value.singles_and_pairs,
    )


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(CardCog(bot))
