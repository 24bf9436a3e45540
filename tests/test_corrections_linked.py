"""The card to which a corrected game links: never one that shows the game as it was and is about to go."""

from __future__ import annotations

import re

import pytest

from tests.club_evening import Evening, reply
from tests.correction_help import GAME, ask, confirm, play, said

LINK = re.compile(r"\(https://discord\.com/channels/\d+/\d+/(\d+)\)")


async def wish(evening: Evening, kind: str) -> str:
    """Make a correction after which a new card hangs; what is said of it."""
    if kind == "amend":
        await evening.report(GAME)
        await evening.card_ready(1)
        question = await ask(evening, "Ann", "amend", game=1, length="tonpuu")
    else:
        await evening.report(GAME)
        await evening.reject(1)
        question = await ask(evening, "Kai", "reopen", game=1)
    old = evening.card(1)
    assert old is not None
    assert LINK.findall(said(question)) == [old["id"]]
    return said(await confirm(evening, "Kai" if kind == "reopen" else "Ann", question))


async def listed(evening: Evening) -> str:
    """What /games list says."""
    return said(reply(await evening.as_("Emi").slash("games list", evening.channels["mahjong"])))


@pytest.mark.parametrize("kind", ["amend", "reopen"])
async def test_a_card_that_is_about_to_go_is_linked_nowhere(evening: Evening, kind: str) -> None:
    where = evening.channels["approvals"]["id"]
    hold = evening.discord.faults.hold("DELETE", rf"/channels/{where}/messages/\d+$")
    answer = await wish(evening, kind)
    await hold.reached.wait()
    shown = said(await ask(evening, "Emi", "show", game=1))
    lists = await listed(evening)
    hold.release()
    await evening.quiet()
    assert "⏳ #1 " in answer
    assert "⏳ #1 " in lists
    assert [LINK.findall(told) for told in (answer, shown, lists)] == [[], [], []]
    new = await evening.card_ready(1)
    assert LINK.findall(await listed(evening)) == [new["id"]]
    assert LINK.findall(said(await ask(evening, "Emi", "show", game=1))) == [new["id"]]


async def test_a_card_that_stays_is_linked(evening: Evening) -> None:
    await play(evening, GAME)
    card = evening.card(1)
    assert card is not None
    question = await ask(evening, "Kai", "void", game=1, reason="a test")
    assert LINK.findall(said(await confirm(evening, "Kai", question))) == [card["id"]]
