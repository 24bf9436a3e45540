"""What the commands have in common that say what was played: choices, dates, and lines of the card."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.people import Problem
from bot.render import american, refusals
from bot.texts import Texts
from ratings.models import Length, Lobby, WonBy
from ratings.queries import cards
from ratings.reading import UnreadableMoment, read_moment
from ratings.settings import ClubSettings
from ratings.store import Store

__all__ = [
    "LENGTHS",
    "LOBBIES",
    "WON",
    "Chips",
    "Moment",
    "Score",
    "find_line",
    "line_choices",
    "line_years",
    "moment",
    "typed_moment",
]

LENGTHS = [app_commands.Choice(name=length.value, value=length.value) for length in Length]
LOBBIES = [
    app_commands.Choice(name=f"{lobby.value} {kanji}", value=lobby.value)
    for lobby, kanji in zip(Lobby, ("一般", "上級", "特上", "鳳凰"), strict=True)
]
WON = [
    app_commands.Choice(name=locale_str("on a discard"), value=WonBy.DISCARD.value),
    app_commands.Choice(name=locale_str("self-picked"), value=WonBy.SELF_PICK.value),
    app_commands.Choice(name=locale_str("on a discard, discarder not recorded"), value=WonBy.UNRECORDED.value),
]
Score = app_commands.Range[str, 1, 40]
Moment = app_commands.Range[str, 1, 40]
Chips = app_commands.Range[int, -1000, 1000]

_LINE_VALUE = "line:"


def moment(texts: Texts, settings: ClubSettings, played: str | None, now: datetime) -> int:
    """When a game was played, in seconds since 1970: what was typed, or now. Raises Problem."""
    try:
        found = read_moment(played, settings.zone, now) if played else now
    except UnreadableMoment as error:
        raise Problem(refusals.bad_moment(texts, error, settings.time_zone)) from None
    return int(found.timestamp())


def typed_moment(interaction: discord.Interaction, settings: ClubSettings) -> datetime | None:
    """What has been typed as `played` so far, if it can be read."""
    played = getattr(interaction.namespace, "played", None)
    if isinstance(played, str):
        with contextlib.suppress(UnreadableMoment):
            return read_moment(played, settings.zone, datetime.now(UTC))
    return None


def line_years(settings: ClubSettings, played: datetime | None) -> list[int]:
    """The years whose cards count: the club's current one, and that of the day of the game, if it is known."""
    years = [settings.card_year] if settings.card_year else []
    return years if played is None else [*years, played.astimezone(settings.zone).year]


async def line_choices(
    store: Store, texts: Texts, guild_id: int, years: Sequence[int], typed: str
) -> list[app_commands.Choice[str]]:
    """The lines of these years' cards in which occurs what was typed."""
    found = await store.read(cards.find, guild_id, years, typed, 25)
    return [
        app_commands.Choice(name=american.line_choice(texts, each), value=f"{_LINE_VALUE}{each.id}")
        for each in found
    ]


async def find_line(store: Store, guild_id: int, years: Sequence[int], typed: str) -> int | None:
    """The id of the line that was chosen, or of the only one that fits what was typed instead."""
    # A bare number is what somebody typed: points perhaps, but no id.
    if chosen := re.fullmatch(rf"{_LINE_VALUE}([0-9]{{1,18}})", typed):
        return int(chosen[1])
    found = await store.read(cards.find, guild_id, years, typed, 2)
    exact = [each for each in found if each.name.casefold() == typed.strip().casefold()]
    found = exact or found
    return found[0].id if len(found) == 1 else None
