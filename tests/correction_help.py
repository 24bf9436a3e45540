"""Corrections as members ask for them: the question, the buttons under it, and what an embed says."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bot.sandbox import Interaction
from ratings import ledger
from ratings.store import tables
from tests.club_evening import Club, Evening, reply

__all__ = ["GAME", "OTHER", "answered", "ask", "confirm", "figures", "play", "press", "said", "told"]

JSON = dict[str, Any]
GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
OTHER = {"Dora": "35000", "Emi": "30000", "Ann": "20000", "Борис": "15000"}


async def play(evening: Evening, *games: dict[str, str]) -> None:
    """Report games of a new club and approve each."""
    for number, scores in enumerate(games, 1):
        await evening.report(scores)
        await evening.approve(number)
    await evening.quiet()


async def ask(club: Club, who: str, command: str, **options: Any) -> JSON:
    """Give a /game command in private; the answer as it will stand there."""
    interaction = await club.as_(who).slash(f"game {command}", club.channels["mahjong"], **options)
    assert interaction.ephemeral
    return reply(interaction)


async def press(club: Club, who: str, question: JSON, label: str = "Do it") -> Interaction:
    """Press a button under a question."""
    return await club.as_(who).click(question, label=label)


async def confirm(club: Club, who: str, question: JSON) -> JSON:
    """Press "Do it" and wait for what it says in place of the question."""
    before = list(question["components"])
    await press(club, who, question)
    return await answered(club, question, before)


async def answered(club: Club, question: JSON, before: list[JSON]) -> JSON:
    """The question once it has no buttons, or other ones."""

    def now() -> JSON:
        message = club.discord.world.message(question["id"])
        assert message is not None
        return message

    await club.discord.until(lambda: now()["components"] != before)
    return now()


def said(message: JSON) -> str:
    """Everything a message says."""
    parts = [message["content"]]
    for embed in message["embeds"]:
        parts += [embed.get("title", ""), embed.get("description", ""), told(embed)]
        parts.append(embed.get("footer", {}).get("text", ""))
    return "\n".join(parts)


def told(embed: JSON) -> str:
    """The fields of an embed."""
    return "\n".join(f"{field['name']}\n{field['value']}" for field in embed.get("fields", ()))


async def figures(evening: Evening) -> tuple[list[tuple[Any, ...]], ...]:
    """All stored figures, having made sure that a clean replay arrives at the same ones."""
    plan = await evening.store.read(ledger.plan_replay, evening.id)
    assert (plan.rows, plan.cleared, plan.moves) == ([], [], [])
    return await evening.store.read(_figures)


def _figures(connection: sa.Connection) -> tuple[list[tuple[Any, ...]], ...]:
    return tuple(
        sorted(tuple(row) for row in connection.execute(sa.select(table)))
        for table in (tables.outcomes, tables.standings)
    )
