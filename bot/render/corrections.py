"""Corrections as they are shown before they are made, and after: what is done, and whose standing moves."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import discord

from bot.render import words
from bot.render.boards import game_line
from bot.render.card import repeats
from bot.render.moves import add_moves, fill
from bot.render.names import safe_name, safe_text
from bot.render.tellings import differences, penalty_name
from bot.texts import Texts
from ratings.ledger import Correction, Proposal
from ratings.models import CorrectionKind, GameState, RiichiGame
from ratings.queries.audit import Background
from ratings.queries.games import GameRecord
from ratings.systems import riichi

__all__ = ["done", "nameless", "preview"]

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


def nameless(texts: Texts, proposal: Proposal, background: Background) -> list[tuple[str | None, str | None]]:
    """The fields of both, with ids in the place of names: the same as long as they tell the same."""
    moves = [replace(move, name=str(move.player_id)) for move in proposal.plan.moves]
    proposal = replace(proposal, plan=replace(proposal.plan, moves=moves))
    background = replace(background, names={record: str(record) for record in background.names})
    embed = discord.Embed()
    _add_particulars(texts, embed, proposal, background)
    return [(field.name, field.value) for field in embed.fields]


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
        case CorrectionKind.DETACH:
            return texts.gettext("Detach the log of game #{number}?", number=number)
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
        case CorrectionKind.DETACH:
            return texts.gettext("The log of game #{number} is detached", number=number)
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
            told = texts.gettext("The game counts again, in its old place among the others.")
            if proposal.game is None or proposal.game.line is None:
                return told
            # While it did not count the line could be changed.
            line = texts.gettext("It counts with its line as the card has it now.")
            return f"{told} {line}"
        case CorrectionKind.AMEND if proposal.after is None:
            return texts.gettext("Everything counts as if the hand had been approved with these penalties.")
        case CorrectionKind.AMEND if proposal.approval is not None:
            return texts.gettext("Everything counts as if the game had been reported like this.")
        case CorrectionKind.AMEND | CorrectionKind.REOPEN:
            return texts.gettext(
                "The game waits for a decision, with a new card: the old one shows something else."
            )
        case CorrectionKind.WITHDRAW:
            return texts.gettext("The report is taken back and cannot be approved, unless an admin reopens it.")
        case CorrectionKind.DETACH:
            return texts.gettext(
                "The game stays as it is told, without its log and the figures of its hands. A log can be given "
                "again with /report log: the same one or another."
            )
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
    if game is not None and proposal.twin is not None:
        advice = texts.gettext("If both are one game, only one of them should count.")
        lines += ["", f"⚠️ {repeats(texts, game.facts, proposal.twin)} {advice}"]
    return "\n".join(lines)


def _add_particulars(texts: Texts, embed: discord.Embed, proposal: Proposal, background: Background) -> None:
    if proposal.before is not None and proposal.after is not None:
        title = texts.gettext("What is told anew")
        recorded = proposal.game.recorded if proposal.game is not None and background.settings.penalties else ()
        fill(embed, title, differences(texts, proposal.before, proposal.after, background, recorded))
    fill(embed, texts.gettext("Penalties"), _penalties(texts, proposal, background))
    fill(embed, texts.gettext("This game"), [*_results(texts, proposal, background), *_log(texts, proposal)])
    fill(embed, texts.gettext("Statistics"), _wins(texts, proposal, background))
    add_moves(texts, embed, proposal.plan.moves, _table(proposal))


def _penalties(texts: Texts, proposal: Proposal, background: Background) -> list[str]:
    """A line for each penalty that comes or goes."""
    added = [penalty_name(texts, each, background) for each in proposal.penalties_added]
    removed = [penalty_name(texts, each, background) for each in proposal.penalties_removed]
    return [
        *(texts.gettext("Penalty of {penalty}: **added**", penalty=each) for each in added),
        *(texts.gettext("Penalty of {penalty}: **taken back**", penalty=each) for each in removed),
    ]


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


def _log(texts: Texts, proposal: Proposal) -> list[str]:
    """What becomes of the hands of a game's log."""
    if not proposal.log_hands:
        return []
    if proposal.approval is None or proposal.kind is CorrectionKind.DETACH:
        return [
            texts.ngettext(
                "{number} hand of its log leaves the statistics.",
                "{number} hands of its log leave the statistics.",
                proposal.log_hands,
            )
        ]
    return [
        texts.ngettext(
            "{number} hand of its log enters the statistics.",
            "{number} hands of its log enter the statistics.",
            proposal.log_hands,
        )
    ]


def _wins(texts: Texts, proposal: Proposal, background: Background) -> list[str]:
    """A line for each player of whom a correction changes what he won in American mahjong."""
    lines = []
    for player, (old, new) in proposal.wins.items():
        told = (
            texts.gettext("wins {before} → {after}", before=old.wins, after=new.wins),
            texts.gettext("self-picked {before} → {after}", before=old.self_picked, after=new.self_picked),
            texts.gettext("jokerless {before} → {after}", before=old.jokerless, after=new.jokerless),
            texts.gettext(
                "discarded into {before} → {after}", before=old.discarded_into, after=new.discarded_into
            ),
        )
        changed = [part for part, was, will in zip(told, old, new, strict=True) if was != will]
        name = safe_name(texts, background.names.get(player, ""), 24)
        lines.append(f"**{name}** {' · '.join(changed)}")
    return lines


def _table(proposal: Proposal) -> list[int]:
    """The players whose moves are told in full: those at the table, before and after; the people of a merge."""
    table: list[int] = [] if proposal.game is None else list(proposal.game.players)
    table += proposal.table
    table += [record for record in (proposal.player_id, proposal.into_id) if record is not None]
    return table
