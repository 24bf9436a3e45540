"""Tournaments in words: what one was, in which rankings it counts, its results, and lists of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import discord

from bot.render import player_deeds
from bot.render.names import plain_name, safe_name, safe_text
from bot.render.tournament_deeds import trail_lines
from bot.render.tournament_facts import facts_line, score_text
from bot.render.tournament_verdicts import verdict_lines
from bot.texts import Texts
from ratings.settings import ClubSettings
from ratings.tournaments.player_log import PlayerChange
from ratings.tournaments.players import Entry, Meant
from ratings.tournaments.rankings import Verdict
from ratings.tournaments.readers import (
    ChangeRecord,
    PlayerResult,
    ShownLine,
    TournamentPage,
    TournamentRecord,
)

__all__ = [
    "Profile",
    "Sheet",
    "player",
    "player_choice",
    "sheet",
    "tournament_choice",
    "tournament_list",
    "unclear_player",
    "unclear_tournament",
]

COLOUR, GREY = 0x2E86AB, 0x80848E
# What fits under each other: lines and characters of a page of results, and characters of one of the trail.
RESULTS, RESULTS_ROOM, TRAIL_ROOM = 20, 2500, 1000
NAMED = 5


@dataclass(frozen=True, slots=True)
class Sheet:
    """All there is to show of a tournament. `names` are those of the players its changes tell of, by record."""

    record: TournamentRecord
    verdicts: Sequence[Verdict]
    trail: Sequence[ChangeRecord]
    names: dict[int, str]
    settings: ClubSettings
    today: date


@dataclass(frozen=True, slots=True)
class Profile:
    """All there is to show of a player."""

    entry: Entry
    results: Sequence[PlayerResult]
    trail: Sequence[PlayerChange]
    settings: ClubSettings


def sheet(texts: Texts, shown: Sheet, number: int) -> tuple[discord.Embed, int, int]:
    """Page `number` (from 0) of a tournament, which page that is, and how many there are.

    First come the results, then what was done to the tournament; the latest of it stands under the last results.
    """
    record = shown.record
    results = _packed([_result(texts, line) for line in record.lines], RESULTS, RESULTS_ROOM) or [[]]
    done = _packed(trail_lines(texts, shown.trail, shown.names, shown.settings), len(shown.trail), TRAIL_ROOM)
    pages = len(results) + max(0, len(done) - 1)
    number = min(number, pages - 1)
    embed = discord.Embed(title=_title(texts, record), colour=GREY if record.removed else COLOUR)
    embed.description = facts_line(texts, record.details)
    if number < len(results):
        told = results[number] or [texts.gettext("No results yet: /tournament result enters them one by one.")]
        embed.description += "\n\n" + "\n".join(told)
        embed.add_field(name=texts.gettext("Counts in"), value=_counts(texts, shown), inline=False)
    if number >= len(results) - 1:
        part = done[number - len(results) + 1]
        embed.add_field(name=texts.gettext("What was done"), value="\n".join(part), inline=False)
    footer = texts.ngettext("{number} result", "{number} results", len(record.lines))
    if pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=number + 1, pages=pages)
    return embed.set_footer(text=footer), number, pages


def _title(texts: Texts, record: TournamentRecord) -> str:
    title = f"#{record.number} {safe_name(texts, record.details.name, 80)}"
    return f"{title} · " + texts.gettext("removed") if record.removed else title


def _result(texts: Texts, shown: ShownLine) -> str:
    parts = [safe_name(texts, shown.name)]
    if shown.line.replacement:
        parts.append(texts.gettext("replacement player"))
    parts.append(shown.country or texts.gettext("country unknown"))
    if shown.line.score is not None:
        parts.append(score_text(shown.line.score))
    if shown.line.games is not None:
        parts.append(texts.ngettext("{number} game", "{number} games", shown.line.games))
    return f"`{shown.line.place:>3}.` " + " · ".join(parts)


def _counts(texts: Texts, shown: Sheet) -> str:
    if shown.record.removed:
        return texts.gettext("It is removed and counts nowhere; /tournament restore brings it back.")
    home, last_day = shown.settings.home_country, shown.record.details.last_day
    return "\n".join(verdict_lines(texts, shown.verdicts, home, last_day, shown.today))


def tournament_list(texts: Texts, page: TournamentPage) -> discord.Embed:
    """A page of tournaments, newest first."""
    embed = discord.Embed(title=texts.gettext("Tournaments"), colour=COLOUR)
    told = []
    for record in page.tournaments:
        name = f"**{safe_name(texts, record.details.name, 48)}**"
        removed = " · 🚫 " + texts.gettext("removed") if record.removed else ""
        told.append(f"`#{record.number}` {name}{removed}\n-# {facts_line(texts, record.details)}")
    embed.description = "\n".join(told) or texts.gettext(
        "No tournaments yet. An admin brings one with /tournament import, or enters it with /tournament add."
    )
    footer = texts.ngettext("{number} tournament", "{number} tournaments", page.total)
    if page.pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=page.number + 1, pages=page.pages)
    return embed.set_footer(text=footer)


def tournament_choice(texts: Texts, record: TournamentRecord) -> str:
    """A tournament within the 100 characters of a choice."""
    name = plain_name(texts, record.details.name, 50)
    removed = " · " + texts.gettext("removed") if record.removed else ""
    return f"#{record.number} {name} · {record.details.last_day.isoformat()}{removed}"[:100]


def player_choice(texts: Texts, entry: Entry) -> str:
    """A player within the 100 characters of a choice."""
    parts = [plain_name(texts, entry.name, 40)]
    if entry.country:
        parts.append(entry.country)
    parts.append(texts.ngettext("{number} tournament", "{number} tournaments", entry.results))
    if entry.discord_id is None:
        parts.append(texts.gettext("not on Discord"))
    return " · ".join(parts)[:100]


def unclear_tournament(
    texts: Texts, typed: str, exactly: Sequence[TournamentRecord], near: Sequence[TournamentRecord]
) -> str:
    """It is not clear which tournament is meant; `exactly` several, or those whose names are `near`."""
    text = safe_text(plain_name(texts, typed, 60))
    named = [f"#{each.number} {safe_name(texts, each.details.name, 48)}" for each in exactly or near]
    listed = _listed(named)
    if exactly:
        told = texts.gettext("Several tournaments are called “{text}”: {listed}.", text=text, listed=listed)
    elif near:
        told = texts.gettext(
            "I know no tournament “{text}”. Do you mean one of these: {listed}?", text=text, listed=listed
        )
    else:
        told = texts.gettext("I know no tournament “{text}”; /tournament list shows all.", text=text)
    return f"{told} " + texts.gettext("Choose it while you type, or write its number. Nothing has changed.")


def unclear_player(texts: Texts, typed: str, found: Meant) -> str:
    """It is not clear which player is meant."""
    text = safe_text(plain_name(texts, typed, 60))
    listed = _listed([_described(texts, each) for each in found.exactly or found.near])
    if found.exactly:
        told = texts.gettext("Several players go by “{text}”: {listed}.", text=text, listed=listed)
    elif found.near:
        told = texts.gettext(
            "I know no player “{text}”. Do you mean one of these: {listed}?", text=text, listed=listed
        )
    else:
        told = texts.gettext("I know no player “{text}”, nor anybody of a similar name.", text=text)
    return f"{told} " + texts.gettext("Nothing has changed; please choose a player while you type.")


def _listed(named: Sequence[str]) -> str:
    return ", ".join([*named[:NAMED], *(["…"] if len(named) > NAMED else [])])


def _described(texts: Texts, entry: Entry) -> str:
    name = safe_name(texts, entry.name)
    return f"{name} ({entry.country})" if entry.country else name


def player(texts: Texts, shown: Profile, number: int) -> tuple[discord.Embed, int, int]:
    """Page `number` (from 0) of a player, which page that is, and how many there are.

    First come his results, then what was done to his record; the latest of it stands under the last results.
    """
    entry = shown.entry
    packs = _packed([_own_result(texts, each) for each in shown.results], RESULTS, RESULTS_ROOM) or [[]]
    trail = player_deeds.trail_lines(texts, shown.trail, shown.settings)
    done = _packed(trail, len(trail), TRAIL_ROOM)
    pages = len(packs) + max(0, len(done) - 1)
    number = min(number, pages - 1)
    embed = discord.Embed(title=safe_name(texts, entry.name), colour=COLOUR)
    _add_facts(texts, embed, entry)
    if number < len(packs):
        embed.description = "\n".join(packs[number]) or texts.gettext("No results yet.")
    if done and number >= len(packs) - 1:
        part = done[number - len(packs) + 1]
        embed.add_field(name=texts.gettext("What was done"), value="\n".join(part), inline=False)
    footer = texts.ngettext("{number} tournament", "{number} tournaments", len(shown.results))
    if pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=number + 1, pages=pages)
    return embed.set_footer(text=footer), number, pages


def _add_facts(texts: Texts, embed: discord.Embed, entry: Entry) -> None:
    """What is known of a player, and the names he goes by."""
    unknown = texts.gettext("unknown")
    account = texts.gettext("none") if entry.discord_id is None else f"<@{entry.discord_id}>"
    country = entry.country or unknown
    if entry.country_is_assumed:
        country = texts.gettext("{country} (assumed)", country=country)
    embed.add_field(name=texts.gettext("Country"), value=country)
    embed.add_field(name=texts.gettext("EMA number"), value=entry.ema_number or unknown)
    embed.add_field(name=texts.gettext("Discord account"), value=account)
    if entry.aliases:
        shown = _packed([safe_name(texts, alias) for alias in entry.aliases], 20, TRAIL_ROOM)
        more = ["…"] if len(shown) > 1 else []
        embed.add_field(name=texts.gettext("Aliases"), value="\n".join([*shown[0], *more]), inline=False)
    if entry.other_names:
        names = ", ".join(safe_name(texts, name, 24) for name in entry.other_names[:10])
        embed.add_field(name=texts.gettext("Other records"), value=names, inline=False)


def _own_result(texts: Texts, result: PlayerResult) -> str:
    details = result.details
    place = f"**{result.line.place}**/{details.participants}"
    name = safe_name(texts, details.name, 40)
    replaced = " · " + texts.gettext("replacement player") if result.line.replacement else ""
    return f"{details.last_day.isoformat()} {place} #{result.number} {name}{replaced}"


def _packed(lines: Iterable[str], most: int, room: int) -> list[list[str]]:
    """The lines in packs of so many lines and characters at most."""
    packs: list[list[str]] = []
    left = 0
    for line in lines:
        if not packs or len(packs[-1]) >= most or len(line) + 1 > left:
            packs.append([])
            left = room
        packs[-1].append(line)
        left -= len(line) + 1
    return packs
