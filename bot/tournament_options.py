"""The options of commands about tournaments: tournaments and players to choose from, days, countries, stages."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.people import Problem, home
from bot.render import tournaments as drawing
from bot.render.names import plain_name, safe_text
from bot.texts import Texts, texts_for
from bot.tournament_files import member_of
from ratings.models import Person, Refusal, Refused
from ratings.queries.people import PLAYER_VALUE, mentioned
from ratings.reading import UnreadableMoment, read_moment
from ratings.resultsfile import LONGEST_TEXT, cells
from ratings.resultsfile.countries import alpha_2
from ratings.resultsfile.text import cleaned
from ratings.settings import ClubSettings
from ratings.store import Store
from ratings.systems.russian import Stage
from ratings.tournaments import players, readers
from ratings.tournaments.players import Entry
from ratings.tournaments.readers import TOURNAMENT_VALUE

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = [
    "FACTS",
    "MOST_PARTICIPANTS",
    "Hanchan",
    "Participants",
    "PlayerOption",
    "Share",
    "Text",
    "TournamentOption",
    "entrant",
    "facts",
    "read_country",
    "read_ema_number",
    "read_name",
    "read_score",
    "the_player",
    "the_tournament",
]

CHOICES = 25
MOST_PARTICIPANTS = 9_999
MOST_HANCHAN = 200
MOST_STAGES = 20
# Before it there were no tournaments of this kind.
FIRST_YEAR = 1990

Text = app_commands.Range[str, 1, LONGEST_TEXT]
Participants = app_commands.Range[int, 4, MOST_PARTICIPANTS]
Hanchan = app_commands.Range[int, 1, MOST_HANCHAN]
Share = app_commands.Range[int, 0, 100]

# What the options mean that import, add and edit have in common.
FACTS = {
    "name": locale_str("What the tournament was called"),
    "last_day": locale_str("The day it ended, like 2026-11-29 or 29.11.2026"),
    "first_day": locale_str("The day it began"),
    "hanchan": locale_str("How many hanchan (sessions) each player played"),
    "country": locale_str("Where it was, like RU or Russia"),
    "online": locale_str("Whether it was played online"),
    "accredited": locale_str("Whether the federation accredited it"),
    "open_share": locale_str("The share of seats open to free registration, in percent"),
    "ema": locale_str("Whether it was an official EMA event"),
    "stages": locale_str("With cut-offs: participants x hanchan of each stage, like 28x10 8x10"),
    "participants": locale_str("How many took part, replacement players included"),
}

_STAGE = re.compile(r"([0-9]{1,4})\s*[x×хX*]\s*([0-9]{1,3})")
_BETWEEN_STAGES = re.compile(r"[\s,;+/]*")


class TournamentOption(app_commands.Transformer):
    """A tournament by choice, number or name; with `removed` only those are offered that are, or are not."""

    def __init__(self, removed: bool | None = None) -> None:
        self._removed = removed

    @property
    def max_value(self) -> int:
        """As long as a name can be, with something in front."""
        return LONGEST_TEXT

    async def transform(self, _interaction: discord.Interaction[Any], value: str, /) -> str:
        """The text itself: what it means is seen when it is looked up."""
        return value

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: int | float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """The newest tournaments that fit what was typed."""
        client: Tenbou = interaction.client
        texts, typed = texts_for(interaction.locale), str(value).removeprefix(TOURNAMENT_VALUE)
        found = await client.store.read(readers.search, home(interaction), typed, CHOICES, removed=self._removed)
        return [
            app_commands.Choice(
                name=drawing.tournament_choice(texts, each), value=f"{TOURNAMENT_VALUE}{each.number}"
            )
            for each in found
        ]


class PlayerOption(app_commands.Transformer):
    """A player by choice, mention, name or alias; `on_discord` offers those with an account alone, or without, and
    `entrants` those who have a result in a tournament."""

    def __init__(self, on_discord: bool | None = None, *, entrants: bool = False) -> None:
        self._on_discord = on_discord
        self._entrants = entrants

    @property
    def max_value(self) -> int:
        """As long as a name can be."""
        return LONGEST_TEXT

    async def transform(self, _interaction: discord.Interaction[Any], value: str, /) -> str:
        """The text itself: whom it means is seen when it is looked up."""
        return value

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: int | float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """The players who fit what was typed."""
        client: Tenbou = interaction.client
        texts = texts_for(interaction.locale)
        found = await client.store.read(
            players.search,
            home(interaction),
            str(value),
            CHOICES,
            on_discord=self._on_discord,
            entrants=self._entrants,
        )
        return [
            app_commands.Choice(name=drawing.player_choice(texts, each), value=f"{PLAYER_VALUE}{each.id}")
            for each in found
        ]


async def the_tournament(store: Store, texts: Texts, guild_id: int, typed: str) -> int:
    """The number of the tournament that was chosen or typed. Raises Problem if that is not clear."""
    exactly, near = await store.read(readers.meant, guild_id, typed)
    if len(exactly) == 1:
        return exactly[0].number
    raise Problem(drawing.unclear_tournament(texts, typed, exactly, near))


async def the_player(store: Store, texts: Texts, guild_id: int, typed: str) -> Entry:
    """The player who was chosen or typed. Raises Problem if that is not clear."""
    found = await store.read(players.meant, guild_id, typed)
    if len(found.exactly) == 1:
        return found.exactly[0]
    raise Problem(drawing.unclear_player(texts, typed, found))


async def entrant(
    store: Store, texts: Texts, guild: discord.Guild, typed: str, new_player: bool
) -> int | Person | str:
    """Who is to have a result: a record, a member without one, or with `new_player` the name of somebody whom
    nobody knows. Raises Problem if that is not clear."""
    if (discord_id := mentioned(typed)) is not None:
        known = await store.read(players.meant, guild.id, typed)
        member = None if known.exactly else await member_of(texts, guild, discord_id)
        if member is not None and member.is_bot:
            raise Refused(Refusal.BOT_PLAYER, name=member.name)
        if member is not None:
            return member
    elif new_player and not (await store.read(players.meant, guild.id, typed)).exactly:
        return read_name(texts, typed)
    try:
        return (await the_player(store, texts, guild.id, typed)).id
    except Problem as problem:
        advice = texts.gettext("For somebody new, add new_player: True.")
        raise Problem(f"{problem} {advice}") from None


def facts(texts: Texts, settings: ClubSettings, now: datetime, **typed: Any) -> dict[str, Any]:
    """What was said of a tournament, as its details have it; nothing of what was left out. Raises Problem."""
    given = {name: value for name, value in typed.items() if value is not None}
    for name in ("first_day", "last_day"):
        if name in given:
            given[name] = _day(texts, settings, given[name], now)
    if "name" in given:
        given["name"] = read_name(texts, given["name"])
    if "country" in given:
        given["country"] = read_country(texts, given["country"])
    if "stages" in given:
        given["stages"] = _stages(texts, given["stages"])
    return given


def read_name(texts: Texts, typed: str) -> str:
    """A name without anything invisible. Raises Problem if nothing is left."""
    name = cleaned(typed)
    if plain_name(texts, name) == plain_name(texts, ""):
        raise Problem(texts.gettext("The name is empty. Nothing has changed."))
    return name


def read_country(texts: Texts, typed: str) -> str:
    """The code of a country. Raises Problem."""
    code = alpha_2(typed)
    if code is None:
        told = texts.gettext(
            "I know no country “{text}”. Write its code (RU or RUS) or its name in English or Russian. Nothing "
            "has changed.",
            text=safe_text(typed),
        )
        raise Problem(told)
    return code


def read_ema_number(texts: Texts, typed: str) -> str:
    """An EMA number, of eight digits. Raises Problem."""
    try:
        return cells.ema_number(typed.strip())
    except cells.BadCell:
        told = texts.gettext(
            "“{text}” is no EMA number, which has eight digits. Nothing has changed.", text=safe_text(typed)
        )
        raise Problem(told) from None


def read_score(texts: Texts, typed: str) -> Decimal:
    """A score in the tournament's own unit. Raises Problem."""
    try:
        return cells.score(cleaned(typed))
    except cells.BadCell:
        told = texts.gettext(
            "I cannot read “{text}” as a score. Write a number such as 45200 or 45.2, without a mark between "
            "thousands. Nothing has changed.",
            text=safe_text(typed),
        )
        raise Problem(told) from None


def _day(texts: Texts, settings: ClubSettings, typed: str, now: datetime) -> date:
    try:
        # A day has no time.
        if ":" in typed:
            raise UnreadableMoment(typed)
        day = read_moment(typed, settings.zone, now).astimezone(settings.zone).date()
    except UnreadableMoment as error:
        told = texts.gettext(
            "I cannot read “{text}” as a day. Write it like 2026-11-29, 29.11.2026 or yesterday. Nothing has "
            "changed.",
            text=safe_text(error.text),
        )
        raise Problem(told) from None
    if day.year < FIRST_YEAR:
        told = texts.gettext(
            "I take tournaments from {first} on, and {day} is long before. Please check the year; nothing has "
            "changed.",
            day=day.isoformat(),
            first=FIRST_YEAR,
        )
        raise Problem(told)
    return day


def _stages(texts: Texts, typed: str) -> tuple[Stage, ...]:
    found = [(int(match[1]), int(match[2])) for match in _STAGE.finditer(typed)]
    fitting = all(1 <= size <= MOST_PARTICIPANTS and 1 <= hanchan <= MOST_HANCHAN for size, hanchan in found)
    if not 1 <= len(found) <= MOST_STAGES or not fitting or not _BETWEEN_STAGES.fullmatch(_STAGE.sub("", typed)):
        told = texts.gettext(
            "I cannot read “{text}” as stages. Write participants x hanchan of each, like 28x10 8x10: 28 played "
            "10 hanchan, then the best 8 another 10. Nothing has changed.",
            text=safe_text(typed),
        )
        raise Problem(told)
    return tuple(Stage(*stage) for stage in found)
