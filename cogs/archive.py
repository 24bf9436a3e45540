"""/export and /import: what was played as files, and a club's file read into an empty club."""

from __future__ import annotations

import asyncio
import io
import time

import aiohttp
import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.people import Problem, home, person
from bot.render import export as drawing
from bot.texts import Texts, texts_for
from ratings import archive
from ratings.queries import export

MINE, ALL = "mine", "all"
WHAT = [
    app_commands.Choice(name=locale_str("my own games"), value=MINE),
    app_commands.Choice(name=locale_str("everything of the club (admins)"), value=ALL),
]
# What Discord takes from a bot in one file.
LARGEST_FILE = 10_000_000
CLUB_FILE = "club.json.gz"


class ArchiveCog(commands.Cog):
    """Takes data out, and puts a club's back in."""

    def __init__(self, bot: Tenbou) -> None:
        self.bot = bot
        # A large file takes memory: one at a time.
        self._loading = asyncio.Lock()

    @app_commands.command(description=locale_str("Games, changes and statistics as CSV and JSON files"))
    @app_commands.guild_only()
    @app_commands.describe(what=locale_str("Your own games, or everything; your own if left out"))
    @app_commands.choices(what=WHAT)
    async def export(self, interaction: discord.Interaction[Tenbou], what: str = MINE) -> None:
        """Send files to whoever asked: a member gets what concerns him, an admin may have it all."""
        texts, guild_id = texts_for(interaction.locale), home(interaction)
        if what == ALL:
            await self.bot.require_admin(interaction)
        whose = None if what == ALL else interaction.user.id
        files = await answering(interaction, self._files(guild_id, whose))
        if not files:
            raise Problem(texts.gettext("There is nothing to export: you have played no games here yet."))
        if what == ALL:
            told = texts.gettext(
                "This is everything I know of the club. /import reads club.json.gz back into a club without "
                "games; keep it where only admins can see it."
            )
        else:
            told = texts.gettext("This is what I know of you: your games, changes, statistics and accounts.")
        if too_large := [name for name, data in files.items() if len(data) > LARGEST_FILE]:
            names = ", ".join(too_large)
            told += " " + texts.gettext("Too large for Discord, and left out: {names}.", names=names)
        if CLUB_FILE in too_large:
            told += " " + texts.gettext(
                "Whoever runs me can write {file} where I run: {command}",
                file=CLUB_FILE,
                command=f"`python -m bot export {guild_id} {CLUB_FILE}`",
            )
        sent = [discord.File(io.BytesIO(data), name) for name, data in files.items() if name not in too_large]
        await answer(interaction, told, files=sent)

    async def _files(self, guild_id: int, whose: int | None) -> dict[str, bytes]:
        sheets = await self.bot.store.study(export.sheets, guild_id, whose)
        filled = [sheet for sheet in sheets if sheet.rows]
        files = await asyncio.to_thread(lambda: {f"{sheet.name}.csv": drawing.as_csv(sheet) for sheet in filled})
        if whose is None:
            files[CLUB_FILE] = await self.bot.store.study(archive.write_club, guild_id, int(time.time()))
        elif filled:
            files["my-data.json"] = await asyncio.to_thread(drawing.as_json, filled)
        return files

    @app_commands.command(name="import", description=locale_str("Read a club's file into this club (admins)"))
    @app_commands.guild_only()
    @app_commands.describe(file=locale_str("club.json.gz as /export writes it; this club must not have any games"))
    async def import_file(self, interaction: discord.Interaction[Tenbou], file: discord.Attachment) -> None:
        """Read a club's file, for an admin, all or nothing."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        if file.size > LARGEST_FILE:
            raise _too_large(texts, home(interaction))
        try:
            loaded = await answering(interaction, self._load(member, file, interaction.channel_id or 0))
        except (discord.HTTPException, aiohttp.ClientError):
            raise Problem(
                texts.gettext("I could not download the file; nothing was imported. Try again.")
            ) from None
        except archive.TooLarge:
            raise _too_large(texts, home(interaction)) from None
        except archive.NewerArchive:
            raise Problem(
                texts.gettext("This file was written by a newer Tenbou: update me first. Nothing was imported.")
            ) from None
        except ValueError:
            raise Problem(
                texts.gettext(
                    "This is not a club's file, or it was changed or cut off on the way. Nothing was imported; "
                    "take a fresh club.json.gz from /export."
                )
            ) from None
        parts = (
            texts.ngettext("{number} game", "{number} games", loaded.games),
            texts.ngettext("{number} tournament", "{number} tournaments", loaded.tournaments),
            texts.ngettext("{number} player", "{number} players", loaded.players),
        )
        what = ", ".join(parts)
        if loaded.same_figures:
            ending = texts.gettext("Every rank and rating is what the file says.")
        else:
            ending = texts.gettext(
                "Some ranks or ratings are not what the file says: those that now stand are what its games give."
            )
        done = texts.gettext("The club was imported: {what}.", what=what)
        await answer(interaction, f"{done} {ending}")

    async def _load(self, member: discord.Member, file: discord.Attachment, channel_id: int) -> archive.Loaded:
        async with self._loading:
            told = await asyncio.to_thread(archive.parse, await file.read())
            whose, now = (member.guild.id, told, person(member), channel_id), int(time.time())
            loaded = await self.bot.store.rewrite(archive.read_club, *whose, now)
        self.bot.worker.wake()
        return loaded


def _too_large(texts: Texts, guild_id: int) -> Problem:
    return Problem(
        texts.gettext(
            "The file is too large: I take at most {packed} MB, {unpacked} MB when unpacked, and some {games} "
            "games. Nothing was imported. Whoever runs me can read a larger one into this club, where I run: "
            "{command}",
            packed=LARGEST_FILE // 1_000_000,
            unpacked=archive.LARGEST_UNPACKED // 1_000_000,
            games=archive.MOST_GAMES,
            command=f"`python -m bot import --club {guild_id} {CLUB_FILE}`",
        )
    )


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(ArchiveCog(bot))
