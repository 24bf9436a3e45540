"""Standings that move, as lines of an embed: what was, what is, and by how much; and embeds with many lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import discord

from bot.render import words
from bot.render.names import safe_name
from bot.texts import Texts
from ratings.ledger import Move
from ratings.models import Standing, SystemName
from ratings.systems import tenhou

__all__ = ["add_moves", "change", "fill"]

# Characters in a field and, with something in reserve for footers and counts, in an embed; fields of an embed.
FIELD, EMBED, FIELDS = 1024, 5700, 25
INVISIBLE = "\u200b"
BIGGEST = 5
NAME = 24


def change(texts: Texts, name: str, system: SystemName, before: Standing | None, after: Standing | None) -> str:
    """Two lines of somebody's standing before and after; None where he has no rated game."""
    who = f"**{safe_name(texts, name, NAME)}**"
    if before is None or after is None:
        nothing = texts.gettext("no games")
        old, new = (nothing if each is None else _in_full(texts, each, system) for each in (before, after))
        return f"{who} {old} → {new}"
    games = texts.ngettext("{number} game", "{number} games", after.games)
    if before.games != after.games:
        games = f"{before.games} → {games}"
    rating = _rating(texts, before, after, system)
    if system is not SystemName.NMJL:
        return f"{who} {_rank(texts, before, after, system)}\n-# {rating} · {games}"
    points = texts.ngettext("{number} total point", "{number} total points", after.points)
    if before.points != after.points:
        points = f"{before.points} → {points}"
    return f"{who} {rating}\n-# {points} · {games}"


def _in_full(texts: Texts, standing: Standing, system: SystemName) -> str:
    games = texts.ngettext("{number} game", "{number} games", standing.games)
    rating = words.rating(standing.rating, 2)
    if system is SystemName.NMJL:
        points = texts.ngettext("{number} total point", "{number} total points", standing.points)
        return " · ".join([texts.gettext("rating {rating}", rating=rating), points, games])
    return f"{_rung(texts, standing, system)} · R {rating} · {games}"


def _rung(texts: Texts, standing: Standing, system: SystemName) -> str:
    rung = tenhou.RANKS[standing.rank]
    target = rung.target(4 if system is SystemName.TENHOU_4P else 3)
    points = "" if target is None else f" {standing.points}/{target}"
    return f"{words.rank_in_full(texts, standing.rank)}{points}"


def _rank(texts: Texts, before: Standing, after: Standing, system: SystemName) -> str:
    if before.rank != after.rank:
        arrow = "⬆️" if after.rank > before.rank else "⬇️"
        return f"{_rung(texts, before, system)} {arrow} {_rung(texts, after, system)}"
    target = tenhou.RANKS[after.rank].target(4 if system is SystemName.TENHOU_4P else 3)
    if target is None or before.points == after.points:
        return _rung(texts, after, system)
    moved = words.signed(after.points - before.points)
    return f"{words.rank_in_full(texts, after.rank)} {before.points} → {after.points}/{target} ({moved})"


def _rating(texts: Texts, before: Standing, after: Standing, system: SystemName) -> str:
    old, new = words.rating(before.rating, 2), words.rating(after.rating, 2)
    moved = words.rating_change(after.rating - before.rating, 2)
    if system is SystemName.NMJL:
        return texts.gettext("rating {before} → {after} ({change})", before=old, after=new, change=moved)
    return f"R {old} → {new} ({moved})"


def add_moves(texts: Texts, embed: discord.Embed, moves: Sequence[Move], table: Sequence[int]) -> None:
    """Add fields that tell whose standing moves: those of the `table` (player ids) in full, then whoever changes
    his rank, then the others by how much."""
    for system in SystemName:
        here = [move for move in moves if move.system is system]
        mine = sorted((move for move in here if move.player_id in table), key=lambda m: table.index(m.player_id))
        others = sorted((move for move in here if move.player_id not in table), key=_extent, reverse=True)
        name = words.system_name(texts, system).capitalize()
        _add(texts, embed, name, [_change(texts, move) for move in mine])
        risen = [move for move in others if move.changes_rank]
        title = texts.gettext("{system}: other ranks that change", system=name)
        _add(texts, embed, title, [_change(texts, move) for move in risen])
        title = texts.gettext("{system}: others", system=name)
        _add(texts, embed, title, _others(texts, system, [move for move in others if not move.changes_rank]))


def _change(texts: Texts, move: Move) -> str:
    return change(texts, move.name, move.system, move.before, move.after)


def _add(texts: Texts, embed: discord.Embed, title: str, blocks: Sequence[str]) -> None:
    left = fill(embed, title, blocks)
    if left and len(embed.fields) < FIELDS:
        more = texts.ngettext("… and {number} more", "… and {number} more", len(left))
        embed.add_field(name=INVISIBLE, value=more, inline=False)


def _extent(move: Move) -> float:
    if move.before is None or move.after is None:
        return math.inf
    return abs(move.after.rating - move.before.rating)


def _others(texts: Texts, system: SystemName, moves: Sequence[Move]) -> list[str]:
    """The biggest movers, and by how much the rest move at most."""
    shown = moves if len(moves) <= BIGGEST + 1 else moves[:BIGGEST]
    lines = [_other(texts, move) for move in shown]
    if left := moves[len(shown) :]:
        # Rounded up: nobody moves by more than is said.
        rating = math.ceil(_extent(left[0]) * 100) / 100
        points = max(abs(_points(move)) for move in left)
        most = _how_much(texts, system, f"{rating:.2f}", f"{points}" if points else "")
        many = "and {number} others, each by at most {most}"
        lines.append(texts.ngettext("and {number} other, by at most {most}", many, len(left), most=most))
    return lines


def _other(texts: Texts, move: Move) -> str:
    if move.before is None or move.after is None:
        return _change(texts, move)
    moved = words.rating_change(move.after.rating - move.before.rating, 2)
    points = words.signed(_points(move)) if _points(move) else ""
    return f"**{safe_name(texts, move.name, NAME)}** {_how_much(texts, move.system, moved, points)}"


def _points(move: Move) -> int:
    return 0 if move.before is None or move.after is None else move.after.points - move.before.points


def _how_much(texts: Texts, system: SystemName, rating: str, points: str) -> str:
    told = texts.gettext("rating {change}", change=rating) if system is SystemName.NMJL else f"R {rating}"
    if not points:
        return told
    return f"{told} · " + texts.gettext("{points} points", points=points)


def fill(embed: discord.Embed, title: str, lines: Iterable[str]) -> list[str]:
    """Add lines to an embed, in as many fields as they need; the answer is what it has no room for."""
    left, name = list(lines), title
    while left and len(embed.fields) < FIELDS - 1:
        fitting = _fitting(left, min(FIELD, EMBED - len(embed) - len(name)))
        if not fitting:
            break
        embed.add_field(name=name, value="\n".join(left[:fitting]), inline=False)
        left, name = left[fitting:], INVISIBLE
    return left


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many of the first lines fit into this many characters."""
    for count, line in enumerate(lines):
        room -= len(line) + 1
        if room < -1:
            return count
    return len(lines)
