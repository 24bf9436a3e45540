"""/account: the names under which members play on other sites."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot import permissions
from bot.answers import answer, answering
from bot.client import Tenbou
from bot.members import whom
from bot.pages import Drawn
from bot.people import Problem, home, person
from bot.render import accounts as drawing
from bot.render.names import plain_name
from bot.texts import texts_for
from ratings import ledger
from ratings.models import Person, Site
from ratings.queries import accounts

T = TypeVar("T")

LISTING = "accounts"
PAGE = 15
CHOICES = 25
SITES = [
    app_commands.Choice(name="Tenhou 天鳳", value=Site.TENHOU.value),
    app_commands.Choice(name="Mahjong Soul 雀魂", value=Site.MAHJONG_SOUL.value),
]
Asked = discord.Interaction[Tenbou]
Name = app_commands.Range[str, 1, 60]
Member = discord.Member | discord.User


@app_commands.guild_only()
class AccountCog(
    commands.GroupCog,
    group_name="account",
    group_description=locale_str("Your names on Tenhou and Mahjong Soul"),
):
    """Binding accounts to members: one account, one member."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(description=locale_str("Say which account on another site is yours"))
    @app_commands.describe(
        site=locale_str("Where the account is"),
        name=locale_str("The name of the account, letter for letter"),
        member=locale_str("Whose account it is, if not yours (admins)"),
    )
    @app_commands.choices(site=SITES)
    async def link(self, interaction: Asked, site: str, name: Name, member: Member | None = None) -> None:
        """Bind an account to whoever asks, or for an admin to somebody else."""
        texts, where, now = texts_for(interaction.locale), Site(site), int(time.time())
        whose = await self._whose(interaction, member)
        guild_id, by = home(interaction), person(interaction.user)

        def work(connection: sa.Connection, record: int) -> ledger.Claim | None:
            return ledger.link_account(connection, guild_id, record, where, name, by, now)

        try:
            claim = await self._change(interaction, whose, work, now)
        except ledger.BadAccount as error:
            raise Problem(drawing.bad_account(texts, error)) from None
        if claim is None:
            await answer(interaction, drawing.linked(texts, where, name.strip(), whose.name))
            return
        self.bot.worker.wake()
        await answer(interaction, drawing.claimed(texts, where, claim, await self._is_admin(interaction)))

    @app_commands.command(description=locale_str("Say that an account is not yours any more"))
    @app_commands.describe(
        site=locale_str("Where the account is"),
        name=locale_str("The name of the account"),
        member=locale_str("Whose account it was, if not yours (admins)"),
    )
    @app_commands.choices(site=SITES)
    async def unlink(self, interaction: Asked, site: str, name: Name, member: Member | None = None) -> None:
        """Take an account from whoever asks, or for an admin from somebody else."""
        texts, where, now = texts_for(interaction.locale), Site(site), int(time.time())
        whose = await self._whose(interaction, member)
        guild_id, by = home(interaction), person(interaction.user)

        def work(connection: sa.Connection, record: int) -> None:
            ledger.unlink_account(connection, guild_id, record, where, name, by, now)

        await self._change(interaction, whose, work, now)
        await answer(interaction, drawing.unlinked(texts, where, name.strip(), whose.name))

    @app_commands.command(name="list", description=locale_str("Your accounts; for admins those of everybody"))
    @app_commands.describe(member=locale_str("Whose accounts; others' are for admins"))
    async def list_accounts(self, interaction: Asked, member: Member | None = None) -> None:
        """Show the accounts of one member, or to an admin who names nobody all there are."""
        if member is None and await self._is_admin(interaction):
            await self.bot.listings.open(interaction, LISTING, "all", private=True)
            return
        whose = await self._whose(interaction, member)
        found = await self.bot.store.read(accounts.accounts_of, home(interaction), whose.discord_id)
        await answer(interaction, embed=drawing.account_list(texts_for(interaction.locale), whose.name, found))

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of all accounts, for an admin; there is one `question` only."""
        await self.bot.require_admin(interaction)
        found = await self.bot.store.read(accounts.bindings, home(interaction), int(page), PAGE)
        return Drawn(drawing.all_accounts(texts_for(interaction.locale), found), found.number, found.pages)

    @unlink.autocomplete("name")
    async def _names(self, interaction: Asked, current: str) -> list[app_commands.Choice[str]]:
        """The accounts that can be unlinked: one's own, or for an admin those of the member that is named."""
        options, texts = interaction.namespace, texts_for(interaction.locale)
        member = getattr(options, "member", None)
        whose = interaction.user.id
        # While a command is typed, a member is no more than an id.
        if member is not None and await self._is_admin(interaction):
            whose = member.id
        found = await self.bot.store.read(accounts.accounts_of, home(interaction), whose)
        return [
            app_commands.Choice(name=plain_name(texts, each.name, 60), value=each.name)
            for each in found
            if current.casefold() in each.name.casefold() and getattr(options, "site", None) in (None, each.site)
        ][:CHOICES]

    async def _whose(self, interaction: Asked, member: Member | None) -> Person:
        """Whom a command is about. Raises NotAdmin for somebody else, unless an admin asks; Problem for a bot."""
        if member is not None and member.id != interaction.user.id:
            await self.bot.require_admin(interaction)
        return await whom(interaction, member)

    async def _is_admin(self, interaction: Asked) -> bool:
        member = interaction.user
        settings = await self.bot.settings(home(interaction))
        return isinstance(member, discord.Member) and permissions.is_admin(member, settings)

    async def _change(
        self, interaction: Asked, whose: Person, work: Callable[[sa.Connection, int], T], now: int
    ) -> T:
        """Do something to the accounts of somebody's record, which is made where there is none."""
        return await answering(
            interaction, self.bot.store.write(_with_record, home(interaction), whose, work, now)
        )


def _with_record(
    connection: sa.Connection,
    guild_id: int,
    whose: Person,
    work: Callable[[sa.Connection, int], T],
    now: int,
) -> T:
    return work(connection, ledger.record_of(connection, guild_id, whose, now))


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(AccountCog(bot))
