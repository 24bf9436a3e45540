"""Answers to interactions: in time also when the store is slow, and in words also when something fails."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import discord

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["answer", "answered", "answering"]

S = TypeVar("S")
T = TypeVar("T")

# Discord gives up on an interaction after three seconds without an answer.
SOON = 2.0


def answered(
    callback: Callable[[S, discord.Interaction[Any]], Coroutine[Any, Any, None]],
) -> Callable[[S, discord.Interaction[Any]], Coroutine[Any, Any, None]]:
    """Make a button's callback explain its errors; discord.py would only log them."""

    @functools.wraps(callback)
    async def guarded(self: S, interaction: discord.Interaction[Any]) -> None:
        client: Tenbou = interaction.client
        try:
            await callback(self, interaction)
        except Exception as error:
            await client.explain_error(interaction, error)

    return guarded


async def answering(interaction: discord.Interaction[Any], work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; if it takes long, Discord is told, once, that a private answer is on its way."""
    task = asyncio.create_task(work)
    done, _ = await asyncio.wait({task}, timeout=SOON)
    if not done and not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True, thinking=True)
    return await task


async def answer(interaction: discord.Interaction[Any], content: str = "", **parts: Any) -> None:
    """Answer privately, whether or not an answer has been announced."""
    if interaction.response.is_done():
        await interaction.followup.send(content, ephemeral=True, **parts)
    else:
        await interaction.response.send_message(content, ephemeral=True, **parts)
