"""/report log: which games count for the ladder, and which for the statistics alone."""

from __future__ import annotations

import pytest

from tests.account_help import told as account
from tests.club_evening import Evening
from tests.correction_help import ask, confirm, said
from tests.ledger_help import riichi
from tests.log_help import FINAL, HOUOU, TSUMO, agari, hand_json, init, mjlog, tenhou6
from tests.report_log_help import FRESH, LINK, MEMBERS, TAGS, linked, told


@pytest.mark.parametrize(
    ("go", "kind", "reason"),
    [
        ('lobby="7447"', HOUOU, "in a private lobby"),
        ('lobby="0" csrule="4007C004,,"', HOUOU, "with rules of its own"),
        ('lobby="0"', HOUOU | 0x200, "a parlour game (雀荘)"),
    ],
)
async def test_games_that_were_unranked_give_statistics_only(
    evening: Evening, go: str, kind: int, reason: str
) -> None:
    await linked(evening)
    data = mjlog(init(), agari(0, 0, FINAL), names=TAGS, go=go, kind=kind)
    answer = await told(evening, data, name="game.mjlog")
    assert reason in answer
    assert "statistics only" in answer
    assert "unranked" in said(await evening.card_ready(1))
    assert not riichi(await evening.game(1)).ranked
    await evening.approve(1)


async def test_an_mjlog_without_its_link_is_for_the_statistics_until_the_link_comes(evening: Evening) -> None:
    await linked(evening)
    answer = await told(evening, name="game.mjlog")
    assert "does not say which lobby" in answer
    assert "give the file again with its link, after /game withdraw" in answer
    assert not riichi(await evening.game(1)).ranked
    await confirm(evening, "Ann", await ask(evening, "Ann", "withdraw", game=1))
    assert "Game #2 is reported" in await told(evening, link=LINK)
    assert riichi(await evening.game(2)).ranked


async def test_a_ranked_game_can_be_for_the_statistics_only(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH, ranked=False)
    assert not riichi(await evening.game(1)).ranked
    assert riichi(await evening.game(1)).lobby is None


async def test_a_mahjong_soul_game_knows_members_by_their_names_there(evening: Evening) -> None:
    for member, tag in zip(MEMBERS, TAGS, strict=True):
        await account(evening, "link", member, site="mahjong-soul", name=tag)
    soul = tenhou6(
        hand_json(TSUMO), ref="231014-84c11a6f-b3f7-4363-966e-25f37886cfbf", name=list(TAGS), dan=["雀傑★1"] * 4
    )
    answer = await told(evening, soul, name="paipu.json", link="https://game.mahjongsoul.com/?paipu=x")
    assert "It was not played on Tenhou." in answer
    assert "2023-10-14 12:00" in answer
    assert "📎 with its game log" in said(await evening.card_ready(1))


async def test_a_banned_member_is_kept_out_of_ranked_logs_alone(evening: Evening) -> None:
    await linked(evening)
    channel = evening.channels["mahjong"]
    await evening.as_("Kai").slash("ladder ban", channel, member=evening.users["Dora"], reason="shared")
    assert "\u2068Dora\u2069 is banned from the ladder" in await told(evening, FRESH)
    assert "Game #1 is reported" in await told(evening, FRESH, ranked=False)
