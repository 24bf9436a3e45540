"""How corrections are drawn: those at the table in full, other ranks, the biggest movers, and Discord's limits."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.render import corrections as drawing
from bot.render import news
from bot.render.moves import add_moves, change, fill
from bot.texts import texts_for
from ratings import ledger
from ratings.ledger import Move, Proposal
from ratings.models import CorrectionKind, Standing, SystemName
from ratings.queries import audit
from ratings.queries.audit import Background
from ratings.queries.corrections import CorrectionNews, RankMove
from ratings.settings import ClubSettings
from ratings.store import Store
from tests.correction_help import said, told
from tests.ledger_help import BORIS, CHIAKI, DORA, EMI, GUILD, KAI, NOW, approve, report, submit

TEXTS = texts_for("en-US")
WIDE = "*麻雀_倶楽部会員名前長過東南西北白發中*"
FOUR, THREE, NMJL = SystemName.TENHOU_4P, SystemName.TENHOU_3P, SystemName.NMJL


def move(player: int, by: float, *, ranks: int = 0, points: int = 0, system: SystemName = FOUR) -> Move:
    """Somebody at 4-dan with R 1800 whose R moves by so much, and perhaps his rank or his points."""
    before = Standing(13, 800, 1800.0, 50)
    after = Standing(13 + ranks, 800 + points, 1800.0 + by, 50)
    return Move(player, f"Player {player}", system, before, after)


def drawn(moves: list[Move], table: list[int]) -> discord.Embed:
    """An embed with these moves."""
    embed = discord.Embed(title="x")
    add_moves(TEXTS, embed, moves, table)
    return embed


def text(embed: discord.Embed) -> str:
    """What its fields say."""
    return told(dict(embed.to_dict()))


def test_the_table_comes_first_and_in_its_own_order() -> None:
    shown = text(drawn([move(3, 0.5), move(2, 9.0), move(1, -1.0)], [1, 2]))
    first, second, other = (shown.index(f"Player {number}") for number in (1, 2, 3))
    assert first < second < other
    assert "四段 (4-dan) 800/1600\n-# R 1800.00 → 1799.00 (−1.00) · 50 games" in shown
    assert "Four players: 1 other\n**\u2068Player 3\u2069** R +0.50" in shown


def test_everybody_elses_new_rank_is_told_in_full() -> None:
    shown = text(drawn([move(number, 1.0, ranks=-1 if number % 2 else 1) for number in range(1, 9)], [1]))
    assert shown.count("⬇️ 三段 (3-dan)") == 4
    assert shown.count("⬆️ 五段 (5-dan)") == 4
    assert "Four players: 7 other ranks that change" in shown
    assert "others" not in shown


def test_of_the_others_the_biggest_movers_are_named_and_the_rest_is_bounded() -> None:
    moves = [
        move(number, 10.0 / number * (-1) ** number, points=-number if number > 30 else 0)
        for number in range(1, 41)
    ]
    shown = text(drawn(moves, []))
    assert "**\u2068Player 1\u2069** R −10.00" in shown
    assert "**\u2068Player 5\u2069** R −2.00" in shown
    assert "Player 6" not in shown
    assert "and 35 others, each by at most R 1.67 · 40 points" in shown


@pytest.mark.parametrize("others", [1, 5, 6])
def test_nobody_is_left_out_for_one_line(others: int) -> None:
    shown = text(drawn([move(number, 1.0) for number in range(others)], []))
    assert "at most" not in shown
    assert shown.count("Player") == others


def test_a_bound_is_never_less_than_what_moves() -> None:
    moves = [move(number, 0.001) for number in range(20)]
    assert "and 15 others, each by at most R 0.01" in text(drawn(moves, []))


def test_each_system_has_its_own_figures() -> None:
    american = Move(1, "Ann", NMJL, Standing(0, 140, 1043.0, 2), Standing(0, 1, 1000.0, 1))
    shown = text(drawn([american, move(1, 2.0), move(1, 3.0, system=THREE)], [1]))
    assert shown.index("Four players") < shown.index("Three players") < shown.index("American mahjong")
    assert "rating 1043.00 → 1000.00 (−43.00)\n-# 140 → 1 total point · 2 → 1 game" in shown


def test_a_first_and_a_last_game_are_told_as_such() -> None:
    standing = Standing(20, 0, 2100.0, 3)
    assert change(TEXTS, "Ann", FOUR, None, standing) == (
        "**\u2068Ann\u2069** no games → 天鳳位 (Tenhoui) · R 2100.00 · 3 games"
    )
    assert change(TEXTS, "Ann", NMJL, Standing(0, 1, 1000.0, 1), None) == (
        "**\u2068Ann\u2069** rating 1000.00 · 1 total point · 1 game → no games"
    )
    assert "天鳳位 (Tenhoui)\n-# R 2100.00 → 2110.00" in change(
        TEXTS, "Ann", FOUR, standing, standing._replace(rating=2110.0)
    )


def test_a_whole_club_on_the_move_keeps_to_discords_limits() -> None:
    def everybody(system: SystemName) -> list[Move]:
        return [
            Move(number, WIDE, system, Standing(13, 1, 1.5, 9), Standing(14 - number % 2, 2, number / 7, 9))
            for number in range(500)
        ]

    embed = drawn([each for system in SystemName for each in everybody(system)], list(range(8)))
    assert len(embed) <= 6000
    assert len(embed.fields) <= 25
    assert all(0 < len(field.value or "") <= 1024 and field.name for field in embed.fields)
    assert "more" in text(embed)


def test_what_has_no_room_is_handed_back() -> None:
    embed = discord.Embed(title="x", description="d" * 4096)
    left = fill(embed, "lines", ["l" * 500] * 10)
    assert len(embed) <= 6000
    assert len(left) == 10 - sum(field.value.count("\n") + 1 for field in embed.fields if field.value)
    assert left


def test_whoever_asked_to_be_forgotten_has_no_name() -> None:
    gone = Move(1, "", FOUR, Standing(13, 800, 1800.0, 50), Standing(13, 800, 1801.0, 50))
    assert "**\u2068a former member\u2069** R +1.00" in text(drawn([gone], []))


async def background(store: Store, proposal: Proposal) -> Background:
    """What is needed to draw a proposal."""
    return await store.read(audit.background, GUILD, proposal.people)


async def make(store: Store, proposal: Proposal) -> str:
    """Carry a proposal out; what is said of it afterwards."""
    made = await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    return said(
        {
            "content": "",
            "embeds": [drawing.done(TEXTS, proposal, made, await background(store, proposal)).to_dict()],
        }
    )


async def asked(store: Store, proposal: Proposal) -> str:
    """What is asked before a proposal is made true."""
    embed = drawing.preview(TEXTS, proposal, await background(store, proposal))
    return said({"content": "", "embeds": [embed.to_dict()]})


async def test_people_are_put_together_taken_apart_and_forgotten_in_words(store: Store) -> None:
    first = await approve(store, await submit(store))
    await approve(store, await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA))))
    ann, emi = first.players[0], (await store.read(ledger.matter, GUILD, 2)).game.players[0]
    merge = await store.read(ledger.propose_merge, GUILD, emi, ann, "one *person*")
    question = await asked(store, merge)
    assert "Count \u2068Emi\u2069 and \u2068Ann\u2069 as one person?" in question
    assert "Every game of \u2068Emi\u2069 counts as a game of \u2068Ann\u2069." in question
    assert "Reason: one \\*person\\*" in question
    assert "**\u2068Emi\u2069** ９級 (9-kyuu) 0/20 · R " in question
    assert "1 game → no games" in question
    assert "1 → 2 games" in question
    assert "\u2068Emi\u2069 and \u2068Ann\u2069 count as one person" in await make(store, merge)

    split = await store.read(ledger.propose_split, GUILD, emi)
    assert "Count \u2068Emi\u2069 apart from \u2068Ann\u2069 again?" in await asked(store, split)
    told_after = await make(store, split)
    assert "\u2068Emi\u2069 counts apart from \u2068Ann\u2069 again" in told_after
    assert "2 → 1 game" in told_after

    forget = await store.read(ledger.propose_forget, GUILD, emi, NOW)
    question = await asked(store, forget)
    assert "Forget \u2068Emi\u2069?" in question
    assert "for ever" in question
    assert "would move" not in question
    told_after = await make(store, forget)
    assert "A member is forgotten" in told_after
    assert "Emi" not in told_after


def announced(kind: CorrectionKind, *moves: RankMove, reason: str | None = None) -> dict[str, Any]:
    """The announcement of a correction that is not of a game."""
    return dict(
        news.correction(TEXTS, CorrectionNews(7, kind, "Kai", NOW, reason, None, moves, ClubSettings())).to_dict()
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (CorrectionKind.MERGE, "put two records of one person together"),
        (CorrectionKind.SPLIT, "taken apart two records"),
        (CorrectionKind.RESTORE, "has restored"),
        (CorrectionKind.AMEND, "has amended"),
    ],
)
def test_the_announcement_says_what_was_corrected(kind: CorrectionKind, words: str) -> None:
    embed = announced(kind, RankMove("Ann", FOUR, 13, 12), RankMove("Emi", THREE, 1, 2), reason="*")
    assert words in embed["description"]
    assert embed["footer"]["text"] == "correction #7"
    assert "⬇️ **\u2068Ann\u2069** 四段 (4-dan) → **三段 (3-dan)** · four players" in embed["description"]
    assert "⬆️ **\u2068Emi\u2069** ９級 (9-kyuu) → **８級 (8-kyuu)** · three players" in embed["description"]
    assert "\\*" in told(embed)


def test_an_announcement_of_a_whole_club_fits_a_post() -> None:
    embed = announced(CorrectionKind.MERGE, *(RankMove(WIDE, FOUR, 13, 12) for _ in range(300)), reason="*" * 500)
    assert "… and 280 more" in embed["description"]
    assert embed["description"].endswith("-# four players")
    assert len(discord.Embed.from_dict(embed)) <= 6000
    assert len(embed["description"]) <= 4096
