"""Whom a command about a member is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.people import Problem, home
from bot.render.names import safe_name
from bot.texts import texts_for
from ratings.models import Person
from ratings.queries import people

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["whom"]


async def whom(interaction: discord.Interaction[Any], member: discord.Member | discord.User | None) -> Person:
    """The member that was named, or whoever asks; under the name of the record he counts as, if he has one.

    He need not be a member any more. Raises Problem for a bot.
    """
    client: Tenbou = interaction.client
    whose, guild_id = member or interaction.user, home(interaction)
    if whose.bot:
        texts = texts_for(interaction.locale)
        raise Problem(
            texts.gettext("{name} is a bot and does not play.", name=safe_name(texts, whose.display_name))
        )
    if isinstance(whose, discord.Member):
        await client.remember(whose, guild_id)
    known = await client.store.read(people.person_of, guild_id, whose.id)
    return Person(whose.id, known.name if known is not None else whose.display_name)
