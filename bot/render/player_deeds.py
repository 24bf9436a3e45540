"""What was done to a player's record: what was told anew, who did it, and whose ratings it moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.render import words
from bot.render.names import plain_name, safe_name, safe_text
from bot.render.tournament_deeds import GREEN, REASON, add_lines, moves
from bot.texts import Texts
from ratings.settings import ClubSettings
from ratings.tournaments.player_log import ALIAS, ASSUMED, PlayerChange, PlayerChangeKind, Step
from ratings.tournaments.rankings import ChangesView

__all__ = ["changed", "ratings_moved", "trail_lines"]

NAME = 60


def changed(texts: Texts, name: str, change: PlayerChange) -> str:
    """What was changed about a player, fact by fact under his name."""
    return "\n".join([f"**{safe_name(texts, name)}**", *_steps(texts, change.facts)])


def ratings_moved(texts: Texts, moved: Sequence[ChangesView]) -> list[discord.Embed]:
    """Whose ratings moved by a change; nothing when nobody's did."""
    if not moved:
        return []
    embed = discord.Embed(colour=GREEN)
    add_lines(embed, texts.gettext("Ratings"), moves(texts, moved))
    return [embed]


def trail_lines(texts: Texts, trail: Sequence[PlayerChange], settings: ClubSettings) -> list[str]:
    """What was done to a player's record, newest first, a line or two each."""
    taken_back = {change.undoes for change in trail}
    told = []
    for change in reversed(trail):
        moment = words.moment(change.at, settings.zone)
        line = f"`{moment}` {safe_name(texts, change.by, 24)}: {_deed(texts, change.kind)}"
        if change.id in taken_back:
            line += " · " + texts.gettext("taken back since")
        line += f"\n-# {'; '.join(_steps(texts, change.facts))}"
        if change.reason:
            line += f"\n-# “{safe_text(plain_name(texts, change.reason, REASON))}”"
        told.append(line)
    return told


def _deed(texts: Texts, kind: PlayerChangeKind) -> str:
    match kind:
        case PlayerChangeKind.EDIT:
            return texts.gettext("corrected the record")
        case PlayerChangeKind.FILL:
            return texts.gettext("entered results that told more")
        case PlayerChangeKind.LINK:
            return texts.gettext("linked the record to a member")
        case PlayerChangeKind.UNDO:
            return texts.gettext("took a change back")


def _steps(texts: Texts, facts: Mapping[str, Step]) -> list[str]:
    return [_alias(texts, step) if fact == ALIAS else _step(texts, fact, step) for fact, step in facts.items()]


def _step(texts: Texts, fact: str, step: Step) -> str:
    label = {
        "country": texts.gettext("country"),
        ASSUMED: texts.gettext("assumed country"),
        "ema_number": texts.gettext("EMA number"),
        "name": texts.gettext("name"),
    }[fact]
    if fact == "country" and step.after is not None and step.before == step.after:
        return texts.gettext("country: {country}, no longer only assumed", country=safe_text(step.after))
    unknown = texts.gettext("unknown")
    before, after = (unknown if value is None else safe_text(plain_name(texts, value, NAME)) for value in step[:2])
    return f"{label}: {before} → {after}"


def _alias(texts: Texts, step: Step) -> str:
    if step.after is not None:
        return texts.gettext("another name: {name}", name=safe_name(texts, step.after, NAME))
    return texts.gettext("no longer a name: {name}", name=safe_name(texts, step.before or "", NAME))
