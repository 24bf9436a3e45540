"""A game looked up: how it stands, what it changed, and everything that was done about it."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render import words
from bot.render.card import COLOURS, body, decision, jump_url, mark_of, title
from bot.render.moves import change, fill
from bot.render.names import safe_name, safe_text
from bot.render.tellings import differences, penalty_name
from bot.texts import Texts
from ratings.ledger import Matter
from ratings.models import CorrectionKind, GameState
from ratings.queries.audit import Background, Deed, Event
from ratings.systems import nmjl, tenhou

__all__ = ["game_pages"]

DESCRIPTION = 4000  # characters in a description, with something in reserve


def game_pages(
    texts: Texts, matter: Matter, events: Sequence[Event], background: Background
) -> list[discord.Embed]:
    """The game with what it changed and its trail, oldest first; a long trail goes on over further pages."""
    game = matter.game
    embed = discord.Embed(title=title(texts, game), colour=COLOURS[game.state])
    changes = _changes(texts, matter)
    embed.description = "\n".join(body(texts, matter, steps=not changes))
    if (card := game.shown_on) is not None:
        label = texts.gettext("Go to its card")
        embed.description += f"\n\n[{label}]({jump_url(card)})"
    fill(embed, texts.gettext("What it changed"), changes)
    for name, value in decision(texts, game, background.settings):
        embed.add_field(name=name, value=value, inline=False)
    lines = [line for event in events for line in _event(texts, event, background)]
    left = fill(embed, texts.gettext("What was done"), lines)
    pages = [embed]
    while left:
        pages.append(discord.Embed(title=title(texts, game), colour=COLOURS[game.state]))
        left = _fill_description(pages[-1], left)
    for number, page in enumerate(pages):
        mark = mark_of(game, "history")
        if len(pages) > 1:
            mark += " · " + texts.gettext("page {page} of {pages}", page=number + 1, pages=len(pages))
        page.set_footer(text=mark)
    return pages


def _changes(texts: Texts, matter: Matter) -> list[str]:
    """Everybody's standing before and after a game that counts."""
    game = matter.game
    if game.state is not GameState.APPROVED:
        return []
    # An unranked game has no steps.
    steps: Sequence[tenhou.Step | nmjl.Step] = matter.outcome.steps
    return [
        change(texts, person.name, game.facts.system, step.before, step.after)
        for person, step in zip(game.people, steps, strict=False)
    ]


def _fill_description(embed: discord.Embed, lines: list[str]) -> list[str]:
    """Put as many of the lines as fit into a description; the answer is the others."""
    kept, room = 0, DESCRIPTION
    while kept < len(lines) and (not kept or len(lines[kept]) < room):
        room -= len(lines[kept]) + 1
        kept += 1
    embed.description = "\n".join(lines[:kept])
    return lines[kept:]


def _event(texts: Texts, event: Event, background: Background) -> list[str]:
    moment = words.moment(event.at, background.settings.zone)
    lines = [f"`{moment}` {_deed(texts, event, background)}"]
    if event.before is not None and event.after is not None:
        told = differences(texts, event.before, event.after, background, event.recorded)
        lines += [f"-# {line}" for line in told]
    if event.reason:
        lines.append(f"> {safe_text(' '.join(event.reason.split()))}")
    return lines


def _deed(texts: Texts, event: Event, background: Background) -> str:
    name = safe_name(texts, event.by)
    penalty = "" if event.penalty is None else penalty_name(texts, event.penalty, background)
    match event.deed:
        case Deed.REPORTED:
            return texts.gettext("{name} reported it.", name=name)
        case Deed.LOG_ATTACHED:
            return texts.gettext("{name} gave its game log.", name=name)
        case Deed.APPROVED:
            return texts.gettext("{name} approved it.", name=name)
        case Deed.REJECTED:
            return texts.gettext("{name} rejected it.", name=name)
        case Deed.REASON_GIVEN:
            return texts.gettext("{name} said why:", name=name)
        case Deed.CORRECTED:
            return _correction(texts, event, name)
        case Deed.PENALTY_ADDED:
            return texts.gettext("{name} added a penalty: {penalty}.", name=name, penalty=penalty)
        case Deed.PENALTY_REMOVED:
            return texts.gettext("{name} took back a penalty: {penalty}.", name=name, penalty=penalty)


def _correction(texts: Texts, event: Event, name: str) -> str:
    match event.correction:
        case CorrectionKind.VOID:
            return texts.gettext("{name} voided it.", name=name)
        case CorrectionKind.RESTORE:
            return texts.gettext("{name} restored it.", name=name)
        case CorrectionKind.AMEND:
            return texts.gettext("{name} amended it.", name=name)
        case CorrectionKind.WITHDRAW:
            return texts.gettext("{name} withdrew it.", name=name)
        case CorrectionKind.DETACH:
            return texts.gettext("{name} detached its game log.", name=name)
        case _:
            return texts.gettext("{name} reopened it.", name=name)
