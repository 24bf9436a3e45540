"""Forms: answered after a restart, by whoever may at that moment, each time and once."""

from __future__ import annotations

import sqlalchemy as sa

from bot.sandbox import Interaction
from ratings.store import tables
from tests.club_evening import Evening, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}


async def opened(evening: Evening, *, by: str = "Rei") -> Interaction:
    """The form for the reason of game #1, opened by an admin; the game is rejected first if it is not yet."""
    if not (await evening.page()).total:
        await evening.report(GAME, by="Emi")
        await evening.reject(1)
        await evening.discord.until(lambda: evening.direct_messages("Emi"))
    card = await evening.card_says(1, "rejected")
    return await evening.as_(by).click(card, custom_id=card["components"][0]["components"][0]["custom_id"])


async def sent(evening: Evening, form: Interaction, reason: str, *, by: str = "Rei") -> str:
    """Send a form; the answer."""
    answer = await evening.as_(by).submit(form, reason=reason)
    await evening.discord.until(lambda: answer.replies or answer.failed)
    assert answer.ephemeral
    return str(reply(answer)["content"])


def reasons(connection: sa.Connection) -> list[str]:
    """The reasons that were ever given, oldest first."""
    table = tables.rejection_reasons
    return list(connection.execute(sa.select(table.c.reason).order_by(table.c.id)).scalars())


async def test_a_form_that_was_open_during_a_restart_is_answered(evening: Evening) -> None:
    form = await opened(evening)
    await evening.stop_bot()
    await evening.start_bot()
    assert "The reason is on the card of game #1" in await sent(evening, form, "9100, not 9000")
    await evening.discord.until(lambda: len(evening.direct_messages("Emi")) == 2)
    assert "9100, not 9000" in evening.direct_messages("Emi")[1]["embeds"][0]["description"]
    await evening.discord.until(lambda: "9100, not 9000" in str(evening.card(1)))


async def test_the_right_to_send_a_form_counts_when_it_is_sent(evening: Evening) -> None:
    form = await opened(evening)
    await evening.discord.set_roles(evening.guild, evening.users["Rei"], [])
    assert "Only admins can do this" in await sent(evening, form, "9100, not 9000")
    assert await evening.store.read(reasons) == []


async def test_a_refusal_is_explained_to_whoever_sends_a_form(evening: Evening) -> None:
    form = await opened(evening)
    assert "reason" in await sent(evening, form, " ")
    assert await evening.store.read(reasons) == []


async def test_two_admins_with_the_same_form_open_are_both_answered(evening: Evening) -> None:
    first, second = await opened(evening, by="Kai"), await opened(evening, by="Rei")
    assert "#1" in await sent(evening, first, "9100, not 9000", by="Kai")
    assert "#1" in await sent(evening, second, "9200, not 9000", by="Rei")
    assert await evening.store.read(reasons) == ["9100, not 9000", "9200, not 9000"]


async def test_a_form_is_answered_once_by_the_bot_that_opened_it_and_by_two_on_one_token(evening: Evening) -> None:
    alone = await opened(evening)
    assert "#1" in await sent(evening, alone, "First")
    async with evening.second_bot() as other:
        shared = await opened(evening)
        assert "#1" in await sent(evening, shared, "Second")
        await evening.quiet()
        await other.worker.idle()
    await evening.discord.until(lambda: len(evening.direct_messages("Emi")) >= 3)
    assert await evening.store.read(reasons) == ["First", "Second"]
    assert len(evening.direct_messages("Emi")) == 3
