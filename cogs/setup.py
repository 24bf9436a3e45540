"""/setup: an admin fits the bot to the club."""

from __future__ import annotations

import time
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.people import Problem, person
from bot.render import setup as drawing
from bot.texts import Texts, texts_for
from ratings import club
from ratings.knobs import BadValue, read_uma, zones_like
from ratings.models import Length, TenhouRules
from ratings.queries import rank_roles
from ratings.settings import ClubSettings

PLAYERS = [
    app_commands.Choice(name=locale_str("four players"), value=4),
    app_commands.Choice(name=locale_str("three players"), value=3),
]
LENGTHS = [
    app_commands.Choice(name=locale_str("hanchan (East-South)"), value=Length.HANCHAN.value),
    app_commands.Choice(name=locale_str("tonpuu (East only)"), value=Length.TONPUU.value),
]
RULES = [
    app_commands.Choice(name=locale_str("seed: the published text"), value=TenhouRules.SEED.value),
    app_commands.Choice(name=locale_str("live: as the live site does it"), value=TenhouRules.LIVE.value),
]
TIES = [
    app_commands.Choice(name=locale_str("the seat nearer to the first dealer is higher"), value=0),
    app_commands.Choice(name=locale_str("equal scores share the place"), value=1),
]
STICKS = [
    app_commands.Choice(name=locale_str("go to first place"), value=1),
    app_commands.Choice(name=locale_str("are shared by all"), value=0),
]
FORGET = [
    app_commands.Choice(name=locale_str("the approvals channel"), value="approvals_channel"),
    app_commands.Choice(name=locale_str("the announcements channel"), value="announcements_channel"),
    app_commands.Choice(name=locale_str("the admin role"), value="admin_role"),
]
Score = app_commands.Range[int, 0, 1_000_000]


class SetupCog(commands.Cog):
    """The club's settings."""

    def __init__(self, bot: Tenbou) -> None:
        self.bot = bot

    @app_commands.command(
        description=locale_str("Choose channels, the admin role, the time zone and the usual game (admins)")
    )
    @app_commands.guild_only()
    @app_commands.describe(
        forget=locale_str("Take back a choice of channel or role"),
        approvals=locale_str("Where cards of reported games are posted for approval"),
        announcements=locale_str("Where promotions and demotions are posted"),
        admin_role=locale_str("Members with this role may decide, as those with Manage Server may"),
        time_zone=locale_str("The club's time zone, like Asia/Tokyo"),
        players=locale_str("The usual number of players"),
        length=locale_str("The usual length of a game"),
        tenhou_rules=locale_str("Which reading of the ladder and R the club follows"),
        ties=locale_str("What equal scores at the end mean"),
        sticks=locale_str("What becomes of riichi sticks left on the table"),
        start_4p=locale_str("Starting score with four players"),
        return_4p=locale_str("Return score with four players"),
        uma_4p=locale_str("Uma with four players in thousands, like 20 10 -10 -20"),
        start_3p=locale_str("Starting score with three players"),
        return_3p=locale_str("Return score with three players"),
        uma_3p=locale_str("Uma with three players in thousands, like 20 0 -20"),
    )
    @app_commands.choices(players=PLAYERS, ties=TIES, sticks=STICKS)
    @app_commands.choices(length=LENGTHS, tenhou_rules=RULES, forget=FORGET)
    async def setup(
        self,
        interaction: discord.Interaction[Tenbou],
        approvals: discord.TextChannel | None = None,
        announcements: discord.TextChannel | None = None,
        admin_role: discord.Role | None = None,
        time_zone: app_commands.Range[str, 1, 64] | None = None,
        players: int | None = None,
        length: str | None = None,
        tenhou_rules: str | None = None,
        ties: int | None = None,
        sticks: int | None = None,
        start_4p: Score | None = None,
        return_4p: Score | None = None,
        uma_4p: app_commands.Range[str, 1, 40] | None = None,
        start_3p: Score | None = None,
        return_3p: Score | None = None,
        uma_3p: app_commands.Range[str, 1, 40] | None = None,
        forget: str | None = None,
    ) -> None:
        """Change what was given, and show how the club is set up now."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        if admin_role is not None and admin_role.is_default():
            raise Problem(
                texts.gettext("@everyone cannot be the admin role: then every member could approve games.")
            )
        wishes = {
            "approvals_channel": approvals and approvals.id,
            "announcements_channel": announcements and announcements.id,
            "admin_role": admin_role and admin_role.id,
            "time_zone": time_zone,
            "usual_players": players,
            "usual_length": length,
            "tenhou_rules": tenhou_rules,
            "shared_places": None if ties is None else bool(ties),
            "sticks_to_first": None if sticks is None else bool(sticks),
            "start_4p": start_4p,
            "return_4p": return_4p,
            "uma_4p": _uma(texts, uma_4p, 4),
            "start_3p": start_3p,
            "return_3p": return_3p,
            "uma_3p": _uma(texts, uma_3p, 3),
        }
        given: dict[str, Any] = {name: value for name, value in wishes.items() if value is not None}
        if forget is not None:
            given[forget] = None
        settings, changed = await answering(interaction, self._apply(texts, member, given))
        made = await self.bot.store.read(rank_roles.made, member.guild.id)
        lacking = drawing.lacks(texts, member.guild, settings, made.values())
        await answer(interaction, embed=drawing.overview(texts, settings, changed, lacking))

    async def _apply(
        self, texts: Texts, member: discord.Member, given: dict[str, Any]
    ) -> tuple[ClubSettings, dict[str, tuple[Any, Any]]]:
        try:
            result = await self.bot.store.write(
                club.change_settings, member.guild.id, given, person(member), int(time.time())
            )
        except club.BadSetting as error:
            raise Problem(drawing.bad_setting(texts, error)) from None
        self.bot.worker.wake()
        return result

    @setup.autocomplete("time_zone")
    async def _zones_like(
        self, _interaction: discord.Interaction[Tenbou], current: str
    ) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=zone, value=zone) for zone in zones_like(current)[:25]]


def _uma(texts: Texts, text: str | None, players: int) -> tuple[int, ...] | None:
    """Read an uma like "20 10 -10 -20", first place first, in thousands."""
    if text is None:
        return None
    try:
        return read_uma(text, players)
    except BadValue:
        raise Problem(drawing.bad_uma(texts, text, players)) from None


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(SetupCog(bot))
