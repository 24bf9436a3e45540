"""/settings: every knob of the club, one at a time or as a file."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import NotAdmin, Tenbou
from bot.pages import Drawn
from bot.people import Problem, home, person
from bot.render import cardfile as card_drawing
from bot.render import knobs as wording
from bot.render import settings as drawing
from bot.render import setup as setup_drawing
from bot.render.names import plain_name, safe_text
from bot.texts import Texts, texts_for
from ratings import club, settingsfile
from ratings.knobs import KNOBS, NONE, BadValue, Kind, Knob, close, misfits, stands_for_none, zones_like
from ratings.queries import cards, rank_roles
from ratings.queries import settings as queries
from ratings.settings import ClubSettings

PAGE = 10
LISTING = "settings"
EVERYTHING = "all"
FILE_NAME = "settings.toml"
Name = app_commands.Range[str, 1, 100]
Changed = dict[str, tuple[Any, Any]]


@app_commands.guild_only()
class SettingsCog(
    commands.GroupCog, group_name="settings", group_description=locale_str("The rules and habits of this club")
):
    """Shows, changes and carries the settings."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(description=locale_str("How the club's settings stand, or all about one of them"))
    @app_commands.describe(name=locale_str("One setting; all of them if left out"))
    async def show(self, interaction: discord.Interaction[Tenbou], name: Name | None = None) -> None:
        """Show every setting, or one with all there is to say about it."""
        texts = texts_for(interaction.locale)
        if name is None:
            settings = await self.bot.settings(home(interaction))
            await answer(interaction, embed=drawing.all_knobs(texts, settings))
            return
        knob = _knob(texts, name)
        settings, last = await self.bot.store.read(_one, home(interaction), knob.name)
        await answer(interaction, embed=drawing.one_knob(texts, knob, settings, last))

    @app_commands.command(name="set", description=locale_str("Change a setting (admins)"))
    @app_commands.describe(name=locale_str("Which setting"), value=locale_str("What it shall be"))
    async def set_one(
        self, interaction: discord.Interaction[Tenbou], name: Name, value: app_commands.Range[str, 1, 100]
    ) -> None:
        """Read the value and change one setting, for an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        knob = _knob(texts, name)
        values = await self._values(member.guild.id)
        try:
            wish = _read(texts, member.guild, knob, value, values[knob.name])
        except Problem as problem:
            raise Problem(f"{problem} {_nothing(texts)}") from None
        await self._turn(interaction, member, knob, wish, values)

    @app_commands.command(description=locale_str("Put a setting back to its default (admins)"))
    @app_commands.describe(name=locale_str("Which setting"))
    async def reset(self, interaction: discord.Interaction[Tenbou], name: Name) -> None:
        """Change one setting to its default, for an admin."""
        member = await self.bot.require_admin(interaction)
        knob = _knob(texts_for(interaction.locale), name)
        await self._turn(interaction, member, knob, knob.default, await self._values(member.guild.id))

    @app_commands.command(description=locale_str("Who changed which setting, and when"))
    @app_commands.describe(name=locale_str("One setting; all of them if left out"))
    async def history(self, interaction: discord.Interaction[Tenbou], name: Name | None = None) -> None:
        """Show the first page of what was changed."""
        question = EVERYTHING if name is None else _knob(texts_for(interaction.locale), name).name
        await self.bot.listings.open(interaction, LISTING, question)

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the changes of one setting, or of all."""
        knob = KNOBS.get(question)
        name = None if knob is None else knob.name
        shown, settings = await self.bot.store.read(_page, home(interaction), name, int(page))
        embed = drawing.history(texts_for(interaction.guild_locale), knob, shown, settings)
        return Drawn(embed, shown.number, shown.pages)

    @app_commands.command(name="export", description=locale_str("All settings as a file (admins)"))
    async def export_file(self, interaction: discord.Interaction[Tenbou]) -> None:
        """Send the settings as a TOML file, to an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        file = _file(drawing.to_toml(texts, await self.bot.settings(member.guild.id)), FILE_NAME)
        told = texts.gettext("These are all settings of the club. /settings import reads the file back.")
        await answer(interaction, told, file=file)

    @app_commands.command(name="import", description=locale_str("Change settings by a file (admins)"))
    @app_commands.describe(
        file=locale_str("A TOML file as /settings export writes it; it may hold some settings only")
    )
    async def import_file(self, interaction: discord.Interaction[Tenbou], file: discord.Attachment) -> None:
        """Change every setting that a file names, all or none, for an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        values = await self._values(member.guild.id)
        given = await answering(interaction, _fetched(texts, file))
        wishes, problems = _wishes(texts, member.guild, given, values)
        if problems:
            embed, cut = drawing.refused_file(texts, problems)
            files = [_file("\n".join(problems) + "\n", "problems.txt")] if cut else []
            await answer(interaction, embed=embed, files=files)
            return
        await self._apply(interaction, member, wishes)

    async def _values(self, guild_id: int) -> dict[str, Any]:
        return (await self.bot.settings(guild_id)).model_dump(mode="json")

    async def _turn(
        self,
        interaction: discord.Interaction[Tenbou],
        member: discord.Member,
        knob: Knob,
        wish: Any,
        values: Mapping[str, Any],
    ) -> None:
        texts = texts_for(interaction.locale)
        after = {**values, knob.name: wish}
        for start, target in misfits(after):
            wrong = wording.misfit(texts, start, target, after)
            advice = texts.gettext("Change the other score first, or both together with /setup.")
            raise Problem(f"{wrong} {_nothing(texts)} {advice}")
        await self._apply(interaction, member, {knob.name: wish})

    async def _apply(
        self, interaction: discord.Interaction[Tenbou], member: discord.Member, wishes: dict[str, Any]
    ) -> None:
        texts = texts_for(interaction.locale)
        work = self._change(texts, member, wishes)
        # A file that took long has announced the answer already.
        settings, changed = await (work if interaction.response.is_done() else answering(interaction, work))
        if not changed:
            await answer(interaction, texts.gettext("It is so already; nothing has changed."))
            return
        made = await self.bot.store.read(rank_roles.made, member.guild.id)
        lacking = setup_drawing.lacks(texts, member.guild, settings, made.values())
        await answer(interaction, embed=drawing.changes(texts, changed, lacking))

    async def _change(
        self, texts: Texts, member: discord.Member, wishes: dict[str, Any]
    ) -> tuple[ClubSettings, Changed]:
        year = wishes.get("card_year")
        there = dict(await self.bot.store.read(cards.years, member.guild.id)) if year is not None else {}
        if year is not None and year not in there:
            raise Problem(card_drawing.no_card(texts, year, list(there)))
        try:
            result = await self.bot.store.write(
                club.change_settings, member.guild.id, wishes, person(member), int(time.time())
            )
        except club.BadSetting as error:
            raise Problem(setup_drawing.bad_setting(texts, error)) from None
        self.bot.worker.wake()
        return result

    @show.autocomplete("name")
    @set_one.autocomplete("name")
    @reset.autocomplete("name")
    @history.autocomplete("name")
    async def _names_like(
        self, interaction: discord.Interaction[Tenbou], current: str
    ) -> list[app_commands.Choice[str]]:
        texts, typed = texts_for(interaction.locale), _folded(current)
        named = ((knob.name, f"{wording.label(texts, knob)} ({knob.name})") for knob in KNOBS.values())
        found = [(name, shown) for name, shown in named if typed in _folded(shown)]
        return [app_commands.Choice(name=shown[:100], value=name) for name, shown in found][:25]

    @set_one.autocomplete("value")
    async def _values_like(
        self, interaction: discord.Interaction[Tenbou], current: str
    ) -> list[app_commands.Choice[str]]:
        texts = texts_for(interaction.locale)
        try:
            # Choices name channels and roles that not everybody may know of.
            member = await self.bot.require_admin(interaction)
            knob = _knob(texts, str(interaction.namespace.name or ""))
        except (NotAdmin, Problem):
            return []
        if knob.kind is Kind.TIME_ZONE:
            return [app_commands.Choice(name=zone, value=zone) for zone in zones_like(current)[:25]]
        offered = _offers(texts, member, knob)
        found = [(shown, value) for shown, value in offered if _folded(current) in _folded(f"{shown} {value}")]
        return [app_commands.Choice(name=shown[:100], value=value) for shown, value in found][:25]


def _folded(text: str) -> str:
    return text.casefold().replace("_", " ").strip()


def _knob(texts: Texts, text: str) -> Knob:
    """The setting that somebody named, by its name or its label."""
    typed = _folded(text)
    for knob in KNOBS.values():
        if typed in (_folded(knob.name), _folded(wording.label(texts, knob))):
            return knob
    advice = texts.gettext("/settings show lists them all.")
    raise Problem(f"{_unknown(texts, text)} {advice}")


def _unknown(texts: Texts, text: str) -> str:
    name = safe_text(plain_name(texts, text))
    near = close(text)
    if not near:
        return texts.gettext("There is no setting “{name}”.", name=name)
    return texts.gettext(
        "There is no setting “{name}”. Do you mean {near}?", name=name, near=" / ".join(f"`{one}`" for one in near)
    )


def _nothing(texts: Texts) -> str:
    return texts.gettext("Nothing was changed.")


def _read(texts: Texts, guild: discord.Guild, knob: Knob, text: str, current: Any) -> Any:
    """The value that somebody wrote for a setting. Raises Problem with what is wrong, and with what."""
    if knob.kind in (Kind.CHANNEL, Kind.ROLE) and not stands_for_none(text):
        return _found(texts, guild, knob, text, current)
    try:
        return knob.read(text)
    except BadValue as error:
        raise Problem(wording.bad_value(texts, knob, error, current)) from None


def _found(texts: Texts, guild: discord.Guild, knob: Knob, text: str, current: Any) -> int:
    """The id of a channel or role of the guild by mention, id or name."""
    sign, here = ("#", _channels(guild)) if knob.kind is Kind.CHANNEL else ("@", _roles(guild))
    plain = text.strip()
    number = plain.removeprefix("<#").removeprefix("<@&").removesuffix(">")
    by_id = [id_ for id_ in here if str(id_) == number]
    name = plain.removeprefix(sign).casefold()
    found = by_id or [id_ for id_, called in here.items() if called.removeprefix(sign).casefold() == name]
    if not found and number == str(current):
        return int(current)
    if len(found) != 1:
        raise Problem(wording.not_here(texts, knob, plain, len(found), current))
    if found[0] == guild.default_role.id:
        raise Problem(texts.gettext("@everyone cannot be the admin role: then every member could approve games."))
    return found[0]


def _channels(guild: discord.Guild) -> dict[int, str]:
    return {channel.id: channel.name for channel in guild.text_channels}


def _roles(guild: discord.Guild) -> dict[int, str]:
    return {role.id: role.name for role in reversed(guild.roles)}


def _offers(texts: Texts, member: discord.Member, knob: Knob) -> list[tuple[str, str]]:
    """What a setting can be, where that can be listed: as shown, and as written."""
    none = [(texts.gettext("none"), NONE)] if knob.optional else []
    match knob.kind:
        case Kind.YES_NO:
            return [(texts.gettext("yes"), "yes"), (texts.gettext("no"), "no")]
        case Kind.CHOICE:
            return [(wording.choice_name(texts, choice), str(choice)) for choice in knob.choices]
        case Kind.CHANNEL:
            seen = [one for one in member.guild.text_channels if one.permissions_for(member).view_channel]
            return [*none, *((f"#{channel.name}", str(channel.id)) for channel in seen)]
        case Kind.ROLE:
            roles = [role for role in reversed(member.guild.roles) if not role.is_default()]
            return [*none, *((f"@{plain_name(texts, role.name)}", str(role.id)) for role in roles)]
        case _:
            return none


async def _fetched(texts: Texts, file: discord.Attachment) -> dict[str, str]:
    """What a file says of each setting. Raises Problem."""
    try:
        if file.size > settingsfile.LARGEST_FILE:
            raise settingsfile.BadFile(settingsfile.FileFault.TOO_LARGE)
        return settingsfile.read_file(await file.read())
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        told = texts.gettext("I could not fetch the file; please send it again.")
        raise Problem(f"{told} {_nothing(texts)}") from None
    except settingsfile.BadFile as error:
        raise Problem(f"{drawing.bad_file(texts, error)} {_nothing(texts)}") from None


def _wishes(
    texts: Texts, guild: discord.Guild, given: Mapping[str, str], values: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """What a file asks for, and a sentence for everything in it that cannot be."""
    wishes: dict[str, Any] = {}
    problems = []
    for name, text in given.items():
        knob = KNOBS.get(name)
        if knob is None:
            problems.append(_unknown(texts, name))
            continue
        try:
            wishes[name] = _read(texts, guild, knob, text, values[name])
        except Problem as problem:
            problems.append(f"`{name}`: {problem}")
    after = {**values, **wishes}
    unread = given.keys() - wishes.keys()
    problems += [
        wording.misfit(texts, start, target, after)
        for start, target in misfits(after)
        if not unread & {start, target}
    ]
    return wishes, problems


def _file(text: str, name: str) -> discord.File:
    return discord.File(io.BytesIO(text.encode()), name)


def _one(connection: sa.Connection, guild_id: int, name: str) -> tuple[ClubSettings, queries.SettingChange | None]:
    return club.settings(connection, guild_id), queries.last_change(connection, guild_id, name)


def _page(
    connection: sa.Connection, guild_id: int, name: str | None, number: int
) -> tuple[queries.SettingsPage, ClubSettings]:
    return queries.page(connection, guild_id, name, number, PAGE), club.settings(connection, guild_id)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(SettingsCog(bot))
