"""Corrections that move a whole club: everybody is told of or counted, and what is short keeps its room."""

from __future__ import annotations

import re
from collections.abc import Sequence

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.moves import add_moves
from bot.texts import texts_for
from ratings.ledger import Move
from ratings.models import Standing, SystemName

TEXTS = texts_for("en-US")
FOUR, THREE, NMJL = SystemName.TENHOU_4P, SystemName.TENHOU_3P, SystemName.NMJL
WIDE = "*麻雀_倶楽部会員名前長過東南西北白發中*"


def crowd(
    system: SystemName, people: int, risen: int, *, first: int = 0, name: str | None = None, ranks: int = 1
) -> list[Move]:
    """So many people who move in a system, of whom the first ones rise by a rank."""
    return [
        Move(
            number,
            name or f"Player {number}",
            system,
            Standing(13, 800, 1800.0, 50),
            Standing(13 + ranks * (number < first + risen), 801, 1800.0 + 100 / (number + 1), 50),
        )
        for number in range(first, first + people)
    ]


def drawn(moves: Sequence[Move], table: Sequence[int] = (), said: int = 0) -> discord.Embed:
    """An embed with these moves, and so many characters said before."""
    embed = discord.Embed(title="x", description="d" * said)
    add_moves(TEXTS, embed, moves, table)
    return embed


def sections(embed: discord.Embed) -> dict[str, str]:
    """What stands under each title."""
    told: dict[str, str] = {}
    title = ""
    for field in embed.fields:
        title = title if field.name == "\u200b" else field.name or ""
        told[title] = f"{told[title]}\n{field.value}" if title in told else field.value or ""
    return told


def people(told: str) -> int:
    """Of how many people some lines tell: by name, and in numbers."""
    counted = re.findall(r"^(?:… and (\d+) more|and (\d+) others?, .*)$", told, re.MULTILINE)
    return told.count("**\u2068") + sum(int(more or others) for more, others in counted)


def test_in_a_crowd_the_others_keep_their_lines_and_everybody_is_counted() -> None:
    told = sections(drawn(crowd(FOUR, 370, 70), said=300))
    assert list(told) == ["Four players: 70 other ranks that change", "Four players: 300 others"]
    risen, others = told.values()
    assert people(risen) == 70
    assert risen.splitlines()[-1] == f"… and {70 - risen.count('⬆️')} more"
    assert others.count("**\u2068") == 5
    assert others.endswith("and 295 others, each by at most R 1.32 · 1 point")


def test_the_table_of_the_next_system_goes_before_ranks_of_this_one() -> None:
    moves = [*crowd(FOUR, 400, 200), *crowd(NMJL, 4, 0)]
    told = sections(drawn(moves, [0, 1, 2, 3], 1000))
    assert told["American mahjong"].count("rating 1800.00 →") == 4
    assert people(told["Four players: 196 other ranks that change"]) == 196
    assert "… and" in told["Four players: 196 other ranks that change"]


def test_where_all_have_room_nobody_is_counted() -> None:
    told = sections(drawn([*crowd(FOUR, 16, 12), *crowd(THREE, 6, 0)], [0, 1, 2, 3]))
    assert not any("… and" in text for text in told.values())
    assert [text.count("**\u2068") for text in told.values()] == [4, 8, 4, 4, 2]


@pytest.mark.parametrize(
    ("number", "ranks", "others"),
    [
        (1, "Four players: 1 other rank that changes", "Three players: 1 other"),
        (2, "Four players: 2 other ranks that change", "Three players: 2 others"),
        (5, "Four players: 5 other ranks that change", "Three players: 5 others"),
    ],
)
def test_titles_say_how_many(number: int, ranks: str, others: str) -> None:
    assert list(sections(drawn([*crowd(FOUR, number, number), *crowd(THREE, number, 0)]))) == [ranks, others]


def test_nobody_who_moves_leaves_nothing_to_say() -> None:
    assert drawn([]).fields == []


def test_one_point_is_one_point() -> None:
    up, two = (Standing(13, points, 1800.0, 50) for points in (801, 802))
    before = Standing(13, 800, 1800.0, 50)
    told = drawn([Move(1, "A", FOUR, before, up), Move(2, "B", FOUR, up, before), Move(3, "C", FOUR, before, two)])
    text = next(iter(sections(told).values()))
    assert [line.split(" · ")[1] for line in text.splitlines()] == ["+1 point", "−1 point", "+2 points"]


@st.composite
def crowds(draw: st.DrawFn) -> list[Move]:
    """Crowds of all sizes in some of the systems, with names of all widths."""
    name = draw(st.sampled_from((None, "A", WIDE, "")))
    moves: list[Move] = []
    for system in draw(st.lists(st.sampled_from(SystemName), unique=True)):
        number = draw(st.sampled_from((1, 2, 5, 6, 7, 40, 400)))
        risen = draw(st.integers(0, number))
        moves += crowd(system, number, risen, name=name, ranks=0 if system is NMJL else 1)
    return moves


@given(crowds(), st.integers(0, 8), st.integers(0, 3000))
def test_everybody_is_told_of_within_discords_limits(moves: list[Move], seated: int, said: int) -> None:
    embed = drawn(moves, range(seated), said)
    told = sections(embed)
    assert sum(map(people, told.values())) == len(moves)
    assert len(embed) <= 6000
    assert len(embed.fields) <= 25
    assert all(0 < len(field.value or "") <= 1024 for field in embed.fields)
    # What is short has its room, unless the question says too much by itself.
    if said <= 1500 and seated <= 4:
        assert not any("… and" in text for title, text in told.items() if "other" in title and "rank" not in title)
