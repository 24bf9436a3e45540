"""What was done to a tournament: entering, correcting, removing it, who did it, and whose ratings it moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.render import words
from bot.render.names import plain_name, safe_name, safe_text
from bot.render.rankings import extent
from bot.render.tournament_facts import differences, ranking_name
from bot.render.tournament_verdicts import verdict_lines
from bot.texts import Texts
from ratings.settings import ClubSettings
from ratings.systems.russian import Change
from ratings.tournaments.aftermath import Aftermath
from ratings.tournaments.rankings import ChangesView
from ratings.tournaments.readers import ChangeRecord
from ratings.tournaments.records import ChangeKind

__all__ = ["add_lines", "changed", "moves", "trail_lines"]

BIGGEST = 3
# Differences that a line of the trail tells, and columns of a reason in it or in an answer.
DIFFERENCES, REASON, LONG_REASON = 3, 80, 500
FIELD, DESCRIPTION = 1024, 3500
GREEN = 0x3BA55D


def changed(
    texts: Texts, title: str, told: Sequence[str], now: Aftermath, reason: str | None = None
) -> discord.Embed:
    """What was done to a tournament and why, where it counts now, and whose ratings moved."""
    if reason:
        shown = safe_text(plain_name(texts, reason, LONG_REASON))
        told = [*told, texts.gettext("Reason: {reason}", reason=shown)]
    embed = discord.Embed(title=title, colour=GREEN)
    lines = [f"**{safe_name(texts, now.record.details.name, 60)}**", *told]
    embed.description = "\n".join(_fitting(lines, DESCRIPTION))
    if not now.record.removed:
        home, last_day = now.settings.home_country, now.record.details.last_day
        verdicts = verdict_lines(texts, now.verdicts, home, last_day, now.today)
        add_lines(embed, texts.gettext("Counts in"), verdicts)
    add_lines(embed, texts.gettext("Ratings"), moves(texts, now.moved))
    return embed


def trail_lines(
    texts: Texts, trail: Sequence[ChangeRecord], names: Mapping[int, str], settings: ClubSettings
) -> list[str]:
    """What was done to a tournament, newest first, a line or two each."""
    taken_back = {change.undoes for change in trail}
    told = []
    for change in reversed(trail):
        moment = words.moment(change.at, settings.zone)
        line = f"`{moment}` {safe_name(texts, change.by, 24)}: {_deed(texts, change)}"
        if change.id in taken_back:
            line += " · " + texts.gettext("taken back since")
        if change.kind not in (ChangeKind.REMOVE, ChangeKind.RESTORE):
            anew = differences(texts, change.before, change.after, names)
            shown = [*anew[:DIFFERENCES], *(["…"] if len(anew) > DIFFERENCES else [])]
            line += f"\n-# {'; '.join(shown)}" if shown else ""
        if change.reason:
            line += f"\n-# “{safe_text(plain_name(texts, change.reason, REASON))}”"
        told.append(line)
    return told


def _deed(texts: Texts, change: ChangeRecord) -> str:
    match change.kind:
        case ChangeKind.IMPORT:
            return texts.ngettext("imported {number} result", "imported {number} results", len(change.after.lines))
        case ChangeKind.ADD:
            return texts.gettext("entered the tournament")
        case ChangeKind.RESULT:
            return texts.gettext("changed a result")
        case ChangeKind.EDIT:
            return texts.gettext("edited the facts")
        case ChangeKind.REMOVE:
            return texts.gettext("removed the tournament")
        case ChangeKind.RESTORE:
            return texts.gettext("restored the tournament")
        case ChangeKind.UNDO:
            return texts.gettext("took a change back")


def moves(texts: Texts, views: Sequence[ChangesView]) -> list[str]:
    """Whose ratings moved, in each ranking that has any changes: how many, and the biggest steps."""
    told = []
    for view in views:
        count = texts.ngettext("{number} player moved", "{number} players moved", len(view.changes))
        told.append(f"**{ranking_name(texts, view.ranking)}**: {count}")
        biggest = sorted(view.changes, key=extent, reverse=True)[:BIGGEST]
        told += [_move(texts, change, view.names.get(change.player_id, "")) for change in biggest]
    return told or [texts.gettext("Nobody's rating has moved.")]


def _move(texts: Texts, change: Change, name: str) -> str:
    who = safe_name(texts, name, 24)
    if change.before is None and change.after is not None:
        return texts.gettext("{name}: new, {after}", name=who, after=words.rating(change.after.rating, 2))
    if change.after is None and change.before is not None:
        return texts.gettext(
            "{name}: {before}, no longer listed", name=who, before=words.rating(change.before.rating, 2)
        )
    if change.before is None or change.after is None:
        return who
    before, after = change.before.rating, change.after.rating
    step = words.rating_change(after - before, 2)
    return f"{who}: {words.rating(before, 2)} → {words.rating(after, 2)} ({step})"


def add_lines(embed: discord.Embed, title: str, lines: Sequence[str]) -> None:
    """Add a field of lines, as far as a field holds them."""
    if lines:
        embed.add_field(name=title, value="\n".join(_fitting(lines, FIELD)), inline=False)


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The first lines that fit into so many characters; an ellipsis stands for others."""
    kept: list[str] = []
    left = room - 2
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            return [*kept, "…"]
        kept.append(line)
    return kept
