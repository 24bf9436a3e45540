"""Errors of buttons end where errors of commands end: in an answer to whoever pressed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import discord

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["answered"]

S = TypeVar("S")


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
