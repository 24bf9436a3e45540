"""The commands of /players about tournaments: names, countries, EMA numbers and Discord accounts of players."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.pages import Drawn
from bot.people import Problem, home, person
from bot.render import player_deeds as deeds
from bot.render import tournaments as drawing
from bot.render.names import safe_name, safe_text
from bot.texts import Texts, texts_for
from bot.tournament_options import (
    PlayerOption,
    Text,
    read_country,
    read_ema_number,
    read_name,
    the_player,
)
from ratings import club
from ratings.models import Refusal, Refused
from ratings.tournaments import edits, players, readers
from ratings.tournaments.aftermath import carry_out, moved
from ratings.tournaments.checks import REASON_LENGTH
from ratings.tournaments.player_log import PlayerChange
from ratings.tournaments.players import Entry
from ratings.tournaments.rankings import ChangesView

__all__ = ["LISTING", "TournamentPlayers"]

LISTING = "player"
# How a country or number is taken away again.
NOTHING = ("none", "-", "нет")
Player = app_commands.Transform[str, PlayerOption()]
Reason = app_commands.Range[str, 1, REASON_LENGTH]
Unlinked = app_commands.Transform[str, PlayerOption(on_discord=False)]


class TournamentPlayers(commands.Cog):
    """Linking players to members, aliases, and what else is known of a player."""

    bot: Tenbou

    @app_commands.command(description=locale_str("A player: names, country, EMA number, account and results"))
    @app_commands.describe(player=locale_str("A name, an alias or a mention"))
    async def show(self, interaction: discord.Interaction[Tenbou], player: Player) -> None:
        """Show the first page."""
        entry = await self._player(interaction, player)
        await self.bot.listings.open(interaction, LISTING, str(entry.id))

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the player whose record `question` names."""
        shown = await self.bot.store.read(_profile, home(interaction), int(question))
        return Drawn(*drawing.player(texts_for(interaction.guild_locale), shown, int(page)))

    @app_commands.command(description=locale_str("Link a player who is not on Discord to a member (admins)"))
    @app_commands.describe(
        player=locale_str("The player, as tournaments know him"), member=locale_str("The member who that is")
    )
    async def link(
        self, interaction: discord.Interaction[Tenbou], player: Unlinked, member: discord.Member
    ) -> None:
        """Give a record an account, for an admin."""
        texts = texts_for(interaction.locale)
        by = person(await self.bot.require_admin(interaction))
        entry = await self._player(interaction, player)
        if member.bot:
            raise Refused(Refusal.BOT_PLAYER, name=member.display_name)
        guild_id, now = home(interaction), int(time.time())
        await self.bot.store.write(edits.link, guild_id, entry.id, person(member), by, now)
        told = texts.gettext(
            "{member} is {name} in tournaments from now on: everything under that name is the member's.",
            member=safe_name(texts, member.display_name),
            name=safe_name(texts, entry.name),
        )
        await answer(interaction, told)

    @app_commands.command(description=locale_str("Let a player go by another name too (admins)"))
    @app_commands.describe(
        player=locale_str("Which player"), name=locale_str("Another spelling, as it may stand in a file")
    )
    async def alias(self, interaction: discord.Interaction[Tenbou], player: Player, name: Text) -> None:
        """Add an alias, for an admin."""
        texts = texts_for(interaction.locale)
        by = person(await self.bot.require_admin(interaction))
        entry, alias = await self._player(interaction, player), read_name(texts, name)
        await self.bot.store.write(edits.add_alias, home(interaction), entry.id, alias, by, int(time.time()))
        told = texts.gettext(
            "“{alias}” means {name} from now on.", alias=safe_text(alias), name=safe_name(texts, entry.name)
        )
        await answer(interaction, told)

    @app_commands.command(description=locale_str("Take another name of a player away again (admins)"))
    @app_commands.describe(player=locale_str("Which player"), name=locale_str("The alias"))
    async def unalias(self, interaction: discord.Interaction[Tenbou], player: Player, name: Text) -> None:
        """Drop an alias, for an admin."""
        texts = texts_for(interaction.locale)
        by = person(await self.bot.require_admin(interaction))
        entry = await self._player(interaction, player)
        await self.bot.store.write(edits.drop_alias, home(interaction), entry.id, name, by, int(time.time()))
        told = texts.gettext(
            "{name} does not go by “{alias}” any more.", alias=safe_text(name), name=safe_name(texts, entry.name)
        )
        await answer(interaction, told)

    @unalias.autocomplete("name")
    async def _aliases(
        self, interaction: discord.Interaction[Tenbou], current: str
    ) -> list[app_commands.Choice[str]]:
        texts = texts_for(interaction.locale)
        try:
            typed = str(interaction.namespace.player or "")
            entry = await the_player(self.bot.store, texts, home(interaction), typed)
        except Problem:
            return []
        fitting = [alias for alias in entry.aliases if current.casefold() in alias.casefold()]
        return [app_commands.Choice(name=alias, value=alias) for alias in fitting[:25]]

    @app_commands.command(description=locale_str("Set a player's country, EMA number or name (admins)"))
    @app_commands.describe(
        player=locale_str("Which player"),
        country=locale_str("A code or a name, like RU or Russia; none takes it away"),
        ema_number=locale_str("Eight digits; none takes it away"),
        name=locale_str("A new name, for somebody who is not on Discord"),
        reason=locale_str("Why, for the archive"),
    )
    async def edit(
        self,
        interaction: discord.Interaction[Tenbou],
        player: Player,
        country: Text | None = None,
        ema_number: Text | None = None,
        name: Text | None = None,
        reason: Reason | None = None,
    ) -> None:
        """Change what is known of a player, for an admin, and show how it was."""
        texts = texts_for(interaction.locale)
        by, moment = person(await self.bot.require_admin(interaction)), int(time.time())
        entry = await self._player(interaction, player)
        wishes = _wishes(texts, entry, country, ema_number, name)

        def work(connection: sa.Connection) -> PlayerChange:
            return edits.edit(connection, home(interaction), entry.id, wishes, by, moment, reason)

        try:
            change, views = await answering(interaction, self._carry_out(interaction, work))
        except Refused as refused:
            if refused.refusal is not Refusal.NOTHING_TO_AMEND:
                raise
            raise Problem(texts.gettext("It is so already; nothing has changed.")) from None
        told = deeds.changed(texts, entry.name, change)
        await answer(interaction, told, embeds=deeds.ratings_moved(texts, views))

    @app_commands.command(description=locale_str("Take back the newest correction of a player (admins)"))
    @app_commands.describe(player=locale_str("Which player"))
    async def undo(self, interaction: discord.Interaction[Tenbou], player: Player) -> None:
        """Take one change back, for an admin; another undo takes back the one before."""
        texts = texts_for(interaction.locale)
        by, moment = person(await self.bot.require_admin(interaction)), int(time.time())
        entry = await self._player(interaction, player)

        def work(connection: sa.Connection) -> PlayerChange:
            return edits.undo(connection, home(interaction), entry.id, by, moment, interaction_id=interaction.id)

        change, views = await answering(interaction, self._carry_out(interaction, work))
        told = texts.gettext("The newest correction is taken back.")
        await answer(
            interaction,
            f"{told}\n{deeds.changed(texts, entry.name, change)}",
            embeds=deeds.ratings_moved(texts, views),
        )

    async def _carry_out(
        self, interaction: discord.Interaction[Tenbou], work: Callable[[sa.Connection], PlayerChange]
    ) -> tuple[PlayerChange, Sequence[ChangesView]]:
        """Do the work on a player; what it changed, and whose ratings moved by it."""
        guild_id = home(interaction)
        change, between = await self.bot.store.write(carry_out, guild_id, int(time.time()), work)
        today = datetime.now((await self.bot.settings(guild_id)).zone).date()
        return change, await self.bot.store.study(moved, guild_id, between, today)

    async def _player(self, interaction: discord.Interaction[Tenbou], typed: str) -> Entry:
        return await the_player(self.bot.store, texts_for(interaction.locale), home(interaction), typed)


def _wishes(
    texts: Texts, entry: Entry, country: str | None, ema_number: str | None, name: str | None
) -> dict[str, str | None]:
    """What shall be known of a player from now on. Raises Problem if that cannot be, or is nothing new."""
    wishes: dict[str, str | None] = {}
    if country is not None:
        wishes["country"] = None if country.casefold() in NOTHING else read_country(texts, country)
    if ema_number is not None:
        wishes["ema_number"] = None if ema_number.casefold() in NOTHING else read_ema_number(texts, ema_number)
    if name is not None and entry.discord_id is not None:
        told = texts.gettext(
            "{name} is on Discord and goes by the name shown there. /players alias adds another one; nothing has "
            "changed.",
            name=safe_name(texts, entry.name),
        )
        raise Problem(told)
    if name is not None:
        wishes["name"] = read_name(texts, name)
    before = {"country": entry.country, "ema_number": entry.ema_number, "name": entry.name}
    # What was only assumed becomes known, or is given up.
    assumed = {"country"} if entry.country_is_assumed else set()
    wishes = {fact: value for fact, value in wishes.items() if fact in assumed or value != before[fact]}
    if not wishes:
        raise Problem(texts.gettext("It is so already; nothing has changed."))
    return wishes


def _profile(connection: sa.Connection, guild_id: int, player_id: int) -> drawing.Profile:
    entry = players.entry(connection, guild_id, player_id)
    return drawing.Profile(
        entry,
        readers.results_of(connection, guild_id, entry.id),
        edits.trail(connection, guild_id, entry.id),
        club.settings(connection, guild_id),
    )
