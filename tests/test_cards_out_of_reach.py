"""Cards of decided games in a channel that was closed: only what still names a forgotten person waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from bot.sandbox import Permission, overwrite
from ratings import ledger
from ratings.ledger import Proposal
from ratings.models import Person
from ratings.store import outbox, tables
from tests.club_evening import Evening
from tests.correction_help import GAME, OTHER, said
from tests.people_help import record


async def close(evening: Evening, *, opened: bool = False) -> None:
    """Hide the approvals channel from everybody, or show it again."""
    denied = [] if opened else [overwrite({"id": evening.guild["id"]}, deny=Permission.VIEW_CHANNEL)]
    await evening.discord.set_overwrites(evening.channels["approvals"], denied)


async def waiting(evening: Evening) -> list[int]:
    """The ids of the games whose cards are still to be drawn, once nothing is in hand."""
    evening.bot.worker.wake()
    await evening.quiet()
    return await evening.store.read(_waiting)


def _waiting(connection: sa.Connection) -> list[int]:
    letters = tables.outbox
    open_ones = sa.select(letters.c.game_id).where(letters.c.kind == outbox.Kind.CARD, letters.c.done_at.is_(None))
    return sorted(connection.execute(open_ones).scalars())


async def correct(evening: Evening, propose: Callable[..., Proposal], *told: Any) -> None:
    """Let Kai correct something, and the bot say so."""
    proposal = await evening.store.study(propose, evening.id, *told)
    await evening.store.write(ledger.carry_out, evening.id, proposal, person(evening, "Kai"), int(time.time()))
    evening.bot.worker.wake()


def person(evening: Evening, name: str) -> Person:
    """A member as the ledger knows him."""
    return Person(int(evening.users[name]["id"]), name)


async def test_a_reason_with_an_ellipsis_does_not_keep_a_card_waiting(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.reject(1)
    await evening.quiet()
    await close(evening)
    game, kai = await evening.game(1), person(evening, "Kai")
    await evening.store.write(ledger.give_reason, evening.id, game.id, "9100 … or 9200?", kai, int(time.time()))
    assert await waiting(evening) == []


async def test_a_card_that_still_names_somebody_forgotten_waits_until_it_can_be_drawn(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    await evening.report(OTHER)
    await evening.reject(2)
    first, second = await evening.game(1), await evening.game(2)
    await correct(evening, ledger.propose_void, first.id, "as Emi says")
    await evening.card_says(1, "voided")
    await evening.quiet()
    await close(evening)
    # The card cannot follow what is told of the game from now on, and goes on quoting the reason.
    await correct(evening, ledger.propose_restore, first.id, "a mistake")
    assert await waiting(evening) == []
    assert "as Emi says" in said(evening.card(1) or {})
    emi = await record(evening.store, person(evening, "Emi"), evening.id)
    await correct(evening, ledger.propose_forget, emi, int(time.time()))
    assert await waiting(evening) == [first.id, second.id]
    await close(evening, opened=True)
    await evening.store.write(outbox.hasten, evening.id, outbox.Kind.CARD, time.time())
    assert await waiting(evening) == []
    for number in (1, 2):
        assert "Emi" not in said(evening.card(number) or {})
