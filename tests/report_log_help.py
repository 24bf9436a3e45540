"""/report log as the tests give it: a fresh log of four members, the question, and its menus and buttons."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from bot.sandbox import Interaction
from bot.sandbox.objects import walk_components
from tests.account_help import told as account
from tests.club_evening import JSON, Evening, reply
from tests.correction_help import answered, said
from tests.log_help import FINAL, agari, init, mjlog

__all__ = [
    "BY_HAND",
    "FRESH",
    "LINK",
    "LOG_ID",
    "MEMBERS",
    "RECENT",
    "TAGS",
    "choose",
    "choose_all",
    "linked",
    "log",
    "parts",
    "submit",
    "told",
]

MEMBERS = ("Ann", "Борис", "千秋", "Dora")
TAGS = ("anneke", "борис2", "千秋", "dd")
BY_HAND = dict(zip(MEMBERS, ("40000", "30000", "20000", "10000"), strict=True))
LOG_ID = "2026112921gm-00a9-0000-0123abcd"
# Of a game that began in this hour, as those that are reported by hand.
RECENT = f"{datetime.now(timezone(timedelta(hours=9))):%Y%m%d%H}gm-00a9-0000-0123abcd"
LINK = f"https://tenhou.net/0/?log={LOG_ID}&tw=2"
FRESH = mjlog(init(), agari(0, 0, FINAL), names=TAGS)


async def log(
    evening: Evening, data: bytes = FRESH, /, by: str = "Ann", name: str = f"{LOG_ID}.mjlog", **options: Any
) -> Interaction:
    """Give /report log in private."""
    channel = evening.channels["mahjong"]
    interaction = await evening.as_(by).slash("report log", channel, file=(name, data), **options)
    assert interaction.ephemeral
    return interaction


async def told(evening: Evening, data: bytes = FRESH, /, **options: Any) -> str:
    """What /report log answers."""
    return said(reply(await log(evening, data, **options)))


async def linked(evening: Evening) -> None:
    """Let the four of the log link their accounts."""
    for member, tag in zip(MEMBERS, TAGS, strict=True):
        await account(evening, "link", member, site="tenhou", name=tag)


def parts(question: JSON, kind: int) -> list[JSON]:
    """The menus (5) or buttons (2) under a question."""
    return [each for each in walk_components(question["components"]) if each["type"] == kind]


async def choose(evening: Evening, question: JSON, who: str, *, by: str = "Ann", menu: int) -> None:
    """Choose a member in a menu of a question."""
    chosen = await evening.as_(by).choose(question, parts(question, 5)[menu]["custom_id"], [evening.users[who]])
    assert not chosen.failed


async def choose_all(evening: Evening, question: JSON, *members: str, by: str = "Ann") -> None:
    """Choose these members in the menus of a question, one after the other."""
    for menu, who in enumerate(members):
        await choose(evening, question, who, by=by, menu=menu)


async def submit(evening: Evening, question: JSON, *, by: str = "Ann") -> str:
    """Press Submit; what then stands in place of the question."""
    before = list(question["components"])
    await evening.as_(by).click(question, label="Submit")
    return said(await answered(evening, question, before))
