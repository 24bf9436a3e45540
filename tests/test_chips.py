"""Chips: told with a report or read from a parlour's log, kept by seat, and only where the club plays for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ratings.models import Refusal, Refused
from ratings.store import Store
from tests.club_evening import Evening, reply
from tests.correction_help import said
from tests.ledger_help import report, submit
from tests.log_help import HOUOU, agari, init, mjlog
from tests.report_log_help import BY_HAND, TAGS, linked, told


async def test_chips_of_a_report_are_kept_by_seat(store: Store) -> None:
    game = await submit(store, replace(report(), chips=(3, 0, -1, -2)))
    assert game.chips == (3, 0, -1, -2)
    assert (await submit(store, report())).chips == ()
    with pytest.raises(Refused) as uneven:
        await submit(store, replace(report(), chips=(3, 0, -1, -1)))
    assert (uneven.value.refusal, uneven.value.values["total"]) == (Refusal.UNEVEN_CHIPS, 1)


async def chips(evening: Evening, **numbers: int) -> str:
    """Report the game by hand with chips."""
    options: dict[str, Any] = {f"{seat}_chips": won for seat, won in numbers.items()}
    return said(reply(await evening.report(BY_HAND, **options)))


async def test_chips_are_told_where_the_club_plays_for_them(evening: Evening) -> None:
    assert "does not play for chips" in await chips(evening, east=2, south=-2)
    owner, channel = evening.as_("Owner"), evening.channels["mahjong"]
    await owner.slash("settings set", channel, name="chips", value="yes")
    assert "add up to +1" in await chips(evening, east=2, south=-1)
    assert (await evening.page()).total == 0
    answer = await chips(evening, east=3, south=-2, north=-1)
    assert "**1st** 東 **\u2068Ann\u2069** 40,000 (+50.0) · chips +3" in answer
    assert "chips ±0" in answer
    card = await evening.card_ready(1)
    assert "**4th** 北 **\u2068Dora\u2069** 10,000 (−40.0) · chips −1" in said(card)
    assert (await evening.game(1)).chips == (3, -2, 0, -1)
    three = {"Ann": "50000", "Борис": "35000", "千秋": "20000"}
    answer = said(reply(await evening.report(three, north_chips=-1, east_chips=1)))
    assert "North has chips but no player" in answer
    assert "chips" not in said(reply(await evening.report(three)))


async def test_chips_of_a_parlour_log_are_taken_where_the_club_plays_for_them(evening: Evening) -> None:
    await linked(evening)
    end = "400,50.0,300,10.0,200,-20.0,100,-40.0,3,6.0,0,0.0,-1,-2.0,-2,-4.0"
    data = mjlog(init(), agari(0, 0, end), names=TAGS, kind=HOUOU | 0x200)
    await evening.as_("Owner").slash("settings set", evening.channels["mahjong"], name="chips", value="yes")
    assert "chips +3" in await told(evening, data, name="game.mjlog")
    assert (await evening.game(1)).chips == (3, 0, -1, -2)
