"""Standings that move, as lines of an embed: what was, what is, and by how much; and embeds with many lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

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


class _Block(NamedTuple):
    """Lines that stay together, and how many people they tell of."""

    text: str
    people: int = 1


class _Weight(IntEnum):
    """What matters more keeps its room from what comes before it."""

    RANKS = 0
    TABLE = 1
    OTHERS = 2


class _Section:
    """Blocks under one title, of which the last ones may give way to a count of their people."""

    def __init__(self, texts: Texts, title: str, blocks: Sequence[_Block], weight: _Weight) -> None:
        self._texts = texts
        self._title = title
        self._blocks = blocks
        self.weight = weight
        more = self._more(sum(block.people for block in blocks))
        self.least = len(title) + len(more) + 2 * len(INVISIBLE)
        self.size = self.least + sum(len(block.text) + 1 for block in blocks)

    def _more(self, people: int) -> str:
        return self._texts.ngettext("… and {number} more", "… and {number} more", people)

    def add_to(self, embed: discord.Embed, kept: int) -> None:
        """Add it to an embed in which so many characters are `kept` for what follows."""
        before, count = len(embed.fields), self.least - len(self._title)
        left = len(fill(embed, self._title, [block.text for block in self._blocks], kept + count))
        if not left:
            return
        more = self._more(sum(block.people for block in self._blocks[-left:]))
        if len(embed.fields) == before:
            embed.add_field(name=self._title, value=more, inline=False)
            return
        last = embed.fields[-1]
        told = f"{last.value}\n{more}"
        if len(told) <= FIELD:
            embed.set_field_at(-1, name=last.name, value=told, inline=False)
        else:
            embed.add_field(name=INVISIBLE, value=more, inline=False)


def add_moves(texts: Texts, embed: discord.Embed, moves: Sequence[Move], table: Sequence[int]) -> None:
    """Add fields that tell whose standing moves: those of the `table` (player ids) in full, then whoever changes
    his rank, then the others by how much. Whoever has no room is counted."""
    sections: list[_Section] = []
    for system in SystemName:
        sections += _sections(texts, system, [move for move in moves if move.system is system], table)
    for number, section in enumerate(sections, 1):
        later = sections[number:]
        kept = sum(each.size if each.weight > section.weight else each.least for each in later)
        section.add_to(embed, kept)


def _sections(texts: Texts, system: SystemName, moves: Sequence[Move], table: Sequence[int]) -> Iterator[_Section]:
    """What there is to tell of one system."""
    name = words.system_name(texts, system).capitalize()
    mine = sorted((move for move in moves if move.player_id in table), key=lambda m: table.index(m.player_id))
    others = sorted((move for move in moves if move.player_id not in table), key=_extent, reverse=True)
    risen = [move for move in others if move.changes_rank]
    others = [move for move in others if not move.changes_rank]
    if mine:
        yield _Section(texts, name, [_change(texts, move) for move in mine], _Weight.TABLE)
    if risen:
        title = texts.ngettext(
            "{system}: {number} other rank that changes",
            "{system}: {number} other ranks that change",
            len(risen),
            system=name,
        )
        yield _Section(texts, title, [_change(texts, move) for move in risen], _Weight.RANKS)
    if others:
        title = texts.ngettext("{system}: {number} other", "{system}: {number} others", len(others), system=name)
        yield _Section(texts, title, _others(texts, system, others), _Weight.OTHERS)


def _change(texts: Texts, move: Move) -> _Block:
    return _Block(change(texts, move.name, move.system, move.before, move.after))


def _extent(move: Move) -> float:
    if move.before is None or move.after is None:
        return math.inf
    return abs(move.after.rating - move.before.rating)


def _others(texts: Texts, system: SystemName, moves: Sequence[Move]) -> list[_Block]:
    """The biggest movers, and by how much the rest move at most."""
    shown = moves if len(moves) <= BIGGEST + 1 else moves[:BIGGEST]
    blocks = [_other(texts, move) for move in shown]
    if left := moves[len(shown) :]:
        # Rounded up: nobody moves by more than is said.
        rating = math.ceil(_extent(left[0]) * 100) / 100
        points = max(abs(_points(move)) for move in left)
        most = _how_much(texts, system, f"{rating:.2f}", points, f"{points}")
        told = texts.ngettext(
            "and {number} other, by at most {most}",
            "and {number} others, each by at most {most}",
            len(left),
            most=most,
        )
        blocks.append(_Block(told, len(left)))
    return blocks


def _other(texts: Texts, move: Move) -> _Block:
    if move.before is None or move.after is None:
        return _change(texts, move)
    moved, points = words.rating_change(move.after.rating - move.before.rating, 2), _points(move)
    told = _how_much(texts, move.system, moved, points, words.signed(points))
    return _Block(f"**{safe_name(texts, move.name, NAME)}** {told}")


def _points(move: Move) -> int:
    return 0 if move.before is None or move.after is None else move.after.points - move.before.points


def _how_much(texts: Texts, system: SystemName, rating: str, points: int, shown: str) -> str:
    """A change of rating and, if there is one, of points, as it is `shown`."""
    told = texts.gettext("rating {change}", change=rating) if system is SystemName.NMJL else f"R {rating}"
    if not points:
        return told
    return f"{told} · " + texts.ngettext("{points} point", "{points} points", abs(points), points=shown)


def fill(embed: discord.Embed, title: str, lines: Iterable[str], kept: int = 0) -> list[str]:
    """Add lines to an embed, in as many fields as they need, with so many characters `kept` for what follows; the
    answer is what it has no room for."""
    left, name = list(lines), title
    while left and len(embed.fields) < FIELDS - 1:
        fitting = _fitting(left, min(FIELD, EMBED - kept - len(embed) - len(name)))
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
