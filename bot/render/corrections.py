"""Corrections as they are shown before they are made, and after: what is done, and whose standing moves."""

from __future__ import annotations

from typing import NamedTuple

import discord

from bot.render import words
from bot.render.boards import game_line
from bot.render.moves import add_moves, fill
from bot.render.names import safe_name, safe_text
from bot.render.tellings import differences
from bot.texts import Texts
from ratings.ledger import Correction, Proposal
from ratings.models import CorrectionKind, GameState, RiichiGame
from ratings.queries.audit import Background
from ratings.queries.games import GameRecord
from ratings.systems import riichi

__all__ = ["done", "preview"]

AMBER, GREEN = 0xE0A526, 0x3BA55D

_WITHOUT_MOVES = (CorrectionKind.WITHDRAW, CorrectionKind.REOPEN, CorrectionKind.FORGET)


def preview(texts: Texts, proposal: Proposal, background: Background) -> discord.Embed:
    """What a correction would do, and whose standing it would move by how much."""
    embed = discord.Embed(title=_question(texts, proposal, background), colour=AMBER)
    embed.description = _description(texts, proposal, proposal.game, background)
    _add_particulars(texts, embed, proposal, background)
    if not proposal.plan.moves and proposal.kind not in _WITHOUT_MOVES:
        nothing = texts.gettext("No rank and no rating would move.")
        embed.description += f"\n\n{nothing}"
    return embed.set_footer(text=texts.gettext("Nothing has been changed yet."))


def done(texts: Texts, proposal: Proposal, correction: Correction, background: Background) -> discord.Embed:
    """What a correction has done, and whose standing has moved by how much."""
    embed = discord.Embed(title=_headline(texts, proposal, background), colour=GREEN)
    embed.description = _description(texts, proposal, correction.game, background)
    _add_particulars(texts, embed, proposal, background)
    if not proposal.plan.moves and proposal.kind not in _WITHOUT_MOVES:
        nothing = texts.gettext("No rank and no rating has moved.")
        embed.description += f"\n\n{nothing}"
    return embed.set_footer(text=texts.gettext("Correction #{number}", number=correction.id))


def _particulars(texts: Texts, proposal: Proposal, background: Background) -> tuple[int | None, str, str]:
    """A game's number, or the names of two records."""
    number = None if proposal.game is None else proposal.game.number
    who, into = (
        "" if record is None else safe_name(texts, background.names.get(record, ""), 24)
        for record in (proposal.player_id, proposal.into_id)
    )
    return number, who, into


def _question(texts: Texts, proposal: Proposal, background: Background) -> str:
    number, who, into = _particulars(texts, proposal, background)
    match proposal.kind:
        case CorrectionKind.VOID:
            return texts.gettext("Void game #{number}?", number=number)
        case CorrectionKind.RESTORE:
            return texts.gettext("Restore game #{number}?", number=number)
        case CorrectionKind.AMEND:
            return texts.gettext("Amend game #{number}?", number=number)
        case CorrectionKind.WITHDRAW:
            return texts.gettext("Withdraw game #{number}?", number=number)
        case CorrectionKind.REOPEN:
            return texts.gettext("Reopen game #{number}?", number=number)
        case CorrectionKind.MERGE:
            return texts.gettext("Count {name} and {into} as one person?", name=who, into=into)
        case CorrectionKind.SPLIT:
            return texts.gettext("Count {name} apart from {into} again?", name=who, into=into)
        case CorrectionKind.FORGET:
            return texts.gettext("Forget {name}?", name=who)


def _headline(texts: Texts, proposal: Proposal, background: Background) -> str:
    number, who, into = _particulars(texts, proposal, background)
    match proposal.kind:
        case CorrectionKind.VOID:
            return texts.gettext("Game #{number} is voided", number=number)
        case CorrectionKind.RESTORE:
            return texts.gettext("Game #{number} is restored", number=number)
        case CorrectionKind.AMEND:
            return texts.gettext("Game #{number} is amended", number=number)
        case CorrectionKind.WITHDRAW:
            return texts.gettext("Game #{number} is withdrawn", number=number)
        case CorrectionKind.REOPEN:
            return texts.gettext("Game #{number} is open again", number=number)
        case CorrectionKind.MERGE:
            return texts.gettext("{name} and {into} count as one person", name=who, into=into)
        case CorrectionKind.SPLIT:
            return texts.gettext("{name} counts apart from {into} again", name=who, into=into)
        case CorrectionKind.FORGET:
            return texts.gettext("A member is forgotten")


def _meaning(texts: Texts, proposal: Proposal, background: Background) -> str:
    _, who, into = _particulars(texts, proposal, background)
    match proposal.kind:
        case CorrectionKind.VOID:
            return texts.gettext("Everything counts as if this game had never been played.")
        case CorrectionKind.RESTORE:
            return texts.gettext("The game counts again, in its old place among the others.")
        case CorrectionKind.AMEND if proposal.approval is not None:
            return texts.gettext("Everything counts as if the game had been reported like this.")
        case CorrectionKind.AMEND | CorrectionKind.REOPEN:
            return texts.gettext(
                "The game waits for a decision, with a new card: the old one shows something else."
            )
        case CorrectionKind.WITHDRAW:
            return texts.gettext("The report is taken back and cannot be approved, unless an admin reopens it.")
        case CorrectionKind.MERGE:
            told = texts.gettext("Every game of {name} counts as a game of {into}.", name=who, into=into)
            if not proposal.tournaments:
                return told
            cups = texts.gettext(
                "Their tournament results are counted together, so the rankings RR, CRR and Online may change."
            )
            return f"{told} {cups}"
        case CorrectionKind.SPLIT:
            told = texts.gettext(
                "The games of {name} count for {name} again, not for {into}.", name=who, into=into
            )
            if not proposal.tournaments:
                return told
            cups = texts.gettext("So do the tournament results, and the rankings RR, CRR and Online may change.")
            return f"{told} {cups}"
        case CorrectionKind.FORGET:
            told = texts.gettext(
                "This cannot be undone. The name, the Discord account and all else that says who it is leave the "
                "club's records for ever. The games stay, as those of a former member whom no board lists, so "
                "that everybody else's figures stay exactly what they are. The cards of games are drawn anew; "
                "what else was posted in channels stays there until somebody deletes it."
            )
            if background.settings.rank_roles is None:
                return told
            role = texts.gettext("The account keeps the role of its rank: please take it off by hand.")
            return f"{told} {role}"


def _description(texts: Texts, proposal: Proposal, game: GameRecord | None, background: Background) -> str:
    lines = [] if game is None else [game_line(texts, game, background.settings), ""]
    lines.append(_meaning(texts, proposal, background))
    if proposal.reason and proposal.reason.strip():
        lines.append(texts.gettext("Reason: {reason}", reason=safe_text(proposal.reason.strip())))
    return "\n".join(lines)


def _add_particulars(texts: Texts, embed: discord.Embed, proposal: Proposal, background: Background) -> None:
    if proposal.before is not None and proposal.after is not None:
        title = texts.gettext("What is told anew")
        fill(embed, title, differences(texts, proposal.before, proposal.after, background))
    fill(embed, texts.gettext("This game"), _results(texts, proposal, background))
    add_moves(texts, embed, proposal.plan.moves, _table(proposal))


class _Result(NamedTuple):
    """What somebody has of a riichi game: place, final points (points), and in how many statistics it is."""

    place: int
    final_points: int
    counts: int


def _results(texts: Texts, proposal: Proposal, background: Background) -> list[str]:
    """A line for each player of a riichi game of whom a correction changes what he has of it."""
    game = proposal.game
    if game is None or not isinstance(game.facts, RiichiGame):
        return []
    counts, after = game.state is GameState.APPROVED, proposal.facts or game.facts
    would_count = proposal.approval is not None
    if counts == would_count and proposal.facts is None:
        return []
    assert isinstance(after, RiichiGame)  # noqa: S101 - a game is told anew as what it was
    was = _results_of(game.facts, background, counts) if counts or proposal.facts else {}
    will = _results_of(after, background, would_count) if would_count or proposal.facts else {}
    lines = []
    for player in dict.fromkeys([*was, *will]):
        if told := _result(texts, was.get(player), will.get(player)):
            name = safe_name(texts, background.names.get(player, ""), 24)
            lines.append(f"**{name}** {' · '.join(told)}")
    return lines


def _results_of(facts: RiichiGame, background: Background, counts: bool) -> dict[int, _Result]:
    scoring = riichi.Scoring(background.settings, len(facts.seats))
    found = zip(facts.seats, *scoring.score(facts.scores, facts.sticks), strict=True)
    return {seat.player_id: _Result(place, points, int(counts)) for seat, place, points in found}


def _result(texts: Texts, old: _Result | None, new: _Result | None) -> list[str]:
    """What changes between two results; None for somebody who has none."""
    parts = []
    places = ["–" if each is None else words.ordinal(texts, each.place) for each in (old, new)]
    if places[0] != places[1]:
        parts.append(" → ".join(places))
    points = ["–" if each is None else words.final_points(each.final_points) for each in (old, new)]
    if points[0] != points[1]:
        parts.append(texts.gettext("final points {before} → {after}", before=points[0], after=points[1]))
    counted = (0 if new is None else new.counts) - (0 if old is None else old.counts)
    if counted:
        parts.append(texts.gettext("games in the statistics {change}", change=words.signed(counted)))
    return parts


def _table(proposal: Proposal) -> list[int]:
    """The players whose moves are told in full: those at the table, before and after; the people of a merge."""
    table: list[int] = [] if proposal.game is None else list(proposal.game.players)
    table += proposal.table
    table += [record for record in (proposal.player_id, proposal.into_id) if record is not None]
    return table
