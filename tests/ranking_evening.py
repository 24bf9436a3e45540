"""What the tests of /ranking on the local Discord share: asking, and reading the answers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.sandbox import Interaction
from tests.club_evening import Evening, reply
from tests.ranking_help import MARCH, hold, plain

__all__ = ["DAY", "ask", "cups_of", "embed", "fields", "lines"]

DAY = "2025-06-30"


async def ask(evening: Evening, command: str, *, by: str = "Ann", **options: Any) -> Interaction:
    """A member uses a command of the group."""
    return await evening.as_(by).slash(f"ranking {command}", evening.channels["mahjong"], **options)


def embed(answer: Interaction | dict[str, Any]) -> dict[str, Any]:
    """The embed of an answer or a message."""
    message = answer if isinstance(answer, dict) else reply(answer)
    shown: dict[str, Any] = message["embeds"][0]
    return shown


def lines(answer: Interaction | dict[str, Any]) -> list[str]:
    """The lines of an embed's description."""
    return plain(embed(answer)["description"]).split("\n")


def fields(answer: Interaction) -> dict[str, str]:
    """The fields of an embed."""
    return {field["name"]: plain(field["value"]) for field in embed(answer)["fields"]}


async def cups_of(evening: Evening, count: int, names: list[str]) -> None:
    """So many tournaments in which everybody played."""
    for number in range(1, count + 1):
        turned = names[number % len(names) :] + names[: number % len(names)]
        places = {name: place for place, name in enumerate(turned, 1)}
        await hold(evening.store, evening.id, f"Cup {number}", MARCH - timedelta(number), places, participants=60)
