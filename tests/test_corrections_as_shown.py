"""A correction is made as it was shown, unless what it does has changed: names and links are no matter."""

from __future__ import annotations

from ratings import club
from ratings.models import GameState, Person
from tests.club_evening import Evening
from tests.correction_help import GAME, OTHER, ask, confirm, figures, play, said
from tests.people_help import command

MEANWHILE = "Meanwhile something else was decided"


async def call(evening: Evening, who: str, name: str) -> None:
    """Give a member another name."""
    await evening.store.write(club.rename, evening.id, Person(int(evening.users[who]["id"]), name))


async def test_a_card_that_hangs_meanwhile_changes_nothing(evening: Evening) -> None:
    hold = evening.discord.faults.hold("POST", rf"/channels/{evening.channels['approvals']['id']}/messages$")
    await evening.report(GAME)
    await hold.reached.wait()
    question = await ask(evening, "Ann", "withdraw", game=1)
    hold.release()
    await evening.card_ready(1)
    await evening.quiet()
    assert "is withdrawn" in said(await confirm(evening, "Ann", question))
    assert await evening.state(1) is GameState.WITHDRAWN


async def test_somebody_who_is_called_otherwise_changes_nothing(evening: Evening) -> None:
    await play(evening, GAME, OTHER)
    question = await ask(evening, "Kai", "void", game=1, reason="wrong")
    await call(evening, "Ann", "Annika")
    await call(evening, "Emi", "Emilia")
    done = said(await confirm(evening, "Kai", question))
    assert "Game #1 is voided" in done
    assert "**\u2068Annika\u2069**" in done
    await figures(evening)


async def test_an_amendment_of_somebody_who_is_called_otherwise_is_made(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "amend", game=1, east=evening.users["Emi"])
    await call(evening, "Emi", "Emilia")
    assert "Game #1 is amended" in said(await confirm(evening, "Kai", question))


async def test_a_merge_of_somebody_who_is_called_otherwise_is_made(evening: Evening) -> None:
    await play(evening, GAME, {"Emi": "45200", "Rei": "30100", "Kai": "15700", "\u5343\u79cb": "9000"})
    question = await command(evening, "merge", player="Emi", into="Ann")
    await call(evening, "Ann", "Annika")
    assert "count as one person" in said(await confirm(evening, "Kai", question))
    await figures(evening)


async def test_a_game_that_tells_the_same_is_shown_first(evening: Evening) -> None:
    await play(evening, GAME)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="x"))
    question = await ask(evening, "Kai", "restore", game=1)
    await evening.report(GAME)
    again = await confirm(evening, "Kai", question)
    assert MEANWHILE in again["content"]
    assert "only one of them should count" in said(again)
    assert "is restored" in said(await confirm(evening, "Kai", again))


async def test_a_game_told_otherwise_is_shown_first(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    question = await ask(evening, "Ann", "withdraw", game=1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=1, length="tonpuu"))
    again = await confirm(evening, "Ann", question)
    assert MEANWHILE in again["content"]
    assert await evening.state(1) is GameState.PENDING


async def test_figures_that_are_others_are_shown_first(evening: Evening) -> None:
    await play(evening, GAME)
    question = await ask(evening, "Kai", "void", game=1, reason="x")
    await evening.report({"Ann": "45200", "Rei": "30100", "Emi": "15700", "Kai": "9000"})
    await evening.approve(2)
    assert MEANWHILE in (await confirm(evening, "Kai", question))["content"]
    assert await evening.state(1) is GameState.APPROVED
