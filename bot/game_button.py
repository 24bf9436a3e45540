"""A button that belongs to a game and works after a restart: its custom_id is its kind and the game's id."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

import discord

__all__ = ["GameButton"]


class GameButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"(?!)"):
    """The common part of such buttons; a kind gives its `prefix`, a template with it, and a callback."""

    prefix: ClassVar[str]

    def __init__(self, game_id: int, *, label: str = "") -> None:
        super().__init__(discord.ui.Button(label=label or self.prefix, custom_id=f"{self.prefix}:{game_id}"))
        self.game_id = game_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button of the game its custom_id names."""
        return cls(int(match["game"]))
