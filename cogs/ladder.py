"""/ladder: bans from ranked games, for admins."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.members import whom
from bot.pages import Drawn
from bot.people import Problem, home, person
from bot.render import accounts as drawing
from bot.report_options import Moment
from bot.texts import Texts, texts_for
from ratings import ledger
from ratings.models import Person
from ratings.queries import accounts
from ratings.reading import UnreadableMoment, read_end
from ratings.settings import ClubSettings

LISTING = "bans"
PAGE = 5
Asked = discord.Interaction[Tenbou]
Reason = app_commands.Range[str, 1, ledger.REASON_LENGTH]
Member = discord.Member | discord.User


@app_commands.guild_only()
class LadderCog(
    commands.GroupCog, group_name="ladder", group_description=locale_str("Who may play ranked games (admins)")
):
    """Bans from the ladder: who, when, why, and who lifted them."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(
        description=locale_str("Keep a member out of ranked games; unranked ones go on (admins)")
    )
    @app_commands.describe(
        member=locale_str("Who is banned"),
        reason=locale_str("Why, for the admins' list"),
        until=locale_str("2026-12-31, 31.12., tomorrow 18:00; for good if left out"),
    )
    async def ban(self, interaction: Asked, member: Member, reason: Reason, until: Moment | None = None) -> None:
        """Ban a member, for an admin."""
        await self.bot.require_admin(interaction)
        texts, guild_id, now = texts_for(interaction.locale), home(interaction), datetime.now(UTC)
        end = None if until is None else _end(texts, await self.bot.settings(guild_id), until, now)
        whose, by = await whom(interaction, member), person(interaction.user)
        moment = int(now.timestamp())
        await answering(interaction, self.bot.store.write(_ban, guild_id, whose, reason, end, by, moment))
        await answer(interaction, drawing.banned(texts, whose.name, end))

    @app_commands.command(description=locale_str("Lift a ban from the ladder (admins)"))
    @app_commands.describe(member=locale_str("Whose ban is lifted"))
    async def unban(self, interaction: Asked, member: Member) -> None:
        """Lift the ban of a member, for an admin."""
        await self.bot.require_admin(interaction)
        whose, by = await whom(interaction, member), person(interaction.user)
        writing = self.bot.store.write(_unban, home(interaction), whose, by, int(time.time()))
        await answering(interaction, writing)
        await answer(interaction, drawing.unbanned(texts_for(interaction.locale), whose.name))

    @app_commands.command(description=locale_str("All bans there were: who, when, why, until when (admins)"))
    async def bans(self, interaction: Asked) -> None:
        """Show the bans, for an admin."""
        await self.bot.listings.open(interaction, LISTING, "all", private=True)

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the bans, for an admin; there is one `question` only."""
        await self.bot.require_admin(interaction)
        now = int(time.time())
        found = await self.bot.store.read(accounts.bans, home(interaction), int(page), PAGE, now)
        return Drawn(drawing.ban_list(texts_for(interaction.locale), found, now), found.number, found.pages)


def _end(texts: Texts, settings: ClubSettings, until: str, now: datetime) -> int:
    """The moment, in seconds since 1970, until which a ban is to last. Raises Problem."""
    try:
        end = read_end(until, settings.zone, now)
    except UnreadableMoment as error:
        raise Problem(drawing.bad_end(texts, error, settings.time_zone)) from None
    if end <= now:
        raise Problem(drawing.over_already(texts, int(end.timestamp())))
    return int(end.timestamp())


def _ban(
    connection: sa.Connection, guild_id: int, whose: Person, reason: str, until: int | None, by: Person, now: int
) -> None:
    record = ledger.record_of(connection, guild_id, whose, now)
    ledger.ban(connection, guild_id, record, reason, until, by, now)


def _unban(connection: sa.Connection, guild_id: int, whose: Person, by: Person, now: int) -> None:
    record = ledger.record_of(connection, guild_id, whose, now)
    ledger.unban(connection, guild_id, record, by, now)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(LadderCog(bot))
