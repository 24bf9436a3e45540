"""Answers to interactions: in time also when the store is slow, and in words also when something fails."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import aiohttp
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


async def answering(
    interaction: discord.Interaction[Any],
    work: Coroutine[Any, Any, T],
    *,
    public: bool = False,
    in_place: bool = False,
) -> T:
    """The result of `work`; if it takes long, Discord is told, once, that an answer is on its way.

    It will be a private one, or with `public` one for everybody; with `in_place` the message with the pressed
    button will be edited. What `work` raises can be explained in private in any case.
    """
    task = asyncio.create_task(work)
    done, _ = await asyncio.wait({task}, timeout=SOON)
    announced = not done and not interaction.response.is_done()
    if announced and in_place:
        await interaction.response.defer()
    elif announced:
        await interaction.response.defer(ephemeral=not public, thinking=True)
    try:
        return await task
    except Exception:
        if announced and public and not in_place:
            # The next message would take the place of the announcement, for everybody to see. Filled first, as
            # Discord has lost messages that followed an announcement that was deleted while it stood empty.
            with contextlib.suppress(discord.HTTPException, aiohttp.ClientError):
                await interaction.edit_original_response(content="…")
                await interaction.delete_original_response()
        raise


async def answer(
    interaction: discord.Interaction[Any], content: str = "", *, public: bool = False, **parts: Any
) -> None:
    """Answer whoever asked, or with `public` everybody, whether or not an answer has been announced."""
    if interaction.response.is_done():
        await interaction.followup.send(content, ephemeral=not public, **parts)
    else:
        await interaction.response.send_message(content, ephemeral=not public, **parts)
