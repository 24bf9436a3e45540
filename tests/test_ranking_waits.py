"""Rankings that take their time: Discord hears in time that an answer is on its way, and it comes as it should."""

from __future__ import annotations

import operator
import sys
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot import answers
from bot.sandbox import Interaction
from bot.texts import Texts, texts_for
from tests.club_evening import Evening, reply
from tests.ranking_evening import DAY, ask, cups_of, embed, lines
from tests.ranking_help import MARCH, two_cups

ANNOUNCED, ANNOUNCED_IN_PLACE = 5, 6


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything takes longer than Discord is patient."""
    monkeypatch.setattr(answers, "SOON", 0)


async def answered(evening: Evening, answer: Interaction) -> Interaction:
    """Wait for the answer that was announced."""
    await evening.discord.until(lambda: answer.replies)
    return answer


async def test_every_command_is_announced_and_then_answered_for_all_to_see(evening: Evening, slow: None) -> None:
    await two_cups(evening.store, evening.id)
    coming = (MARCH + timedelta(3650)).isoformat()
    for command, options, title in (
        ("rr", {"date": DAY}, "RR on 2025-06-30"),
        ("crr", {}, "CRR on "),
        ("explain", {"player": "Anna", "date": DAY}, "Anna: RR on"),
        ("changes", {"ranking": "rr"}, "RR from"),
        ("whatif", {"player": "Anna", "players": 16, "hanchan": 4, "date": coming}, "Anna: RR after"),
        ("why", {"tournament": "1"}, "#1 "),
    ):
        shown = await answered(evening, await ask(evening, command, **options))
        assert shown.acknowledged == ANNOUNCED, command
        assert not shown.ephemeral
        assert embed(shown)["title"].replace("\u2068", "").replace("\u2069", "").startswith(title)
        assert len(shown.messages) == 1


async def test_a_page_that_takes_long_comes_into_the_same_message(evening: Evening, slow: None) -> None:
    await cups_of(evening, 2, [f"Player {number:02}" for number in range(45)])
    shown = await answered(evening, await ask(evening, "rr", date=DAY))
    turned = await evening.as_("Ann").click(reply(shown), label="⏭")
    assert turned.acknowledged == ANNOUNCED_IN_PLACE
    await evening.discord.until(lambda: lines(shown)[0].startswith("`41.`"))
    assert turned.messages == []
    labels = [button["label"] for button in reply(shown)["components"][0]["components"]]
    assert labels == ["⏮", "◀", "▶", "⏭", "My place"]


async def test_a_problem_is_private_although_the_answer_was_to_be_public(evening: Evening, slow: None) -> None:
    await two_cups(evening.store, evening.id)
    before = len(evening.posts("mahjong"))
    for command, options in (("explain", {"player": "Zoya"}), ("why", {"tournament": "99"})):
        answer = await ask(evening, command, **options)
        assert answer.acknowledged == ANNOUNCED
        # What was announced to everybody is gone before it.
        await evening.discord.until(partial(operator.attrgetter("ephemeral"), answer))
        assert len(answer.messages) == 1
        assert reply(answer)["content"].startswith(("I know no player", "I know no tournament"))
        assert len(evening.posts("mahjong")) == before


async def test_who_is_not_in_the_table_is_told_so_in_private_and_in_the_own_language(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Brackets(Texts):
        def gettext(self, message: str, /, **values: object) -> str:
            return f"⟦{super().gettext(message, **values)}⟧"

    def spoken(locale: Any) -> Texts:
        texts = texts_for("en-US")
        return Brackets(texts._translations) if str(locale) == "ja" else texts

    monkeypatch.setattr(sys.modules["cogs.ranking"], "texts_for", spoken)
    evening.users["Dora"]["locale"] = "ja"
    await cups_of(evening, 2, [f"Player {number:02}" for number in range(45)])
    shown = await ask(evening, "rr", date=DAY, by="Dora")
    assert embed(shown)["title"] == "RR on 2025-06-30"
    for soon in (2.0, 0):
        monkeypatch.setattr(answers, "SOON", soon)
        told = await answered(evening, await evening.as_("Dora").click(reply(shown), label="My place"))
        assert told.ephemeral
        assert reply(told)["content"].startswith("⟦You are not in this table.")
        assert embed(shown)["title"] == "RR on 2025-06-30"
