"""A button under something that waits in memory: its custom_id is its kind and the key of what waits."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

import discord

__all__ = ["KeyButton"]


class KeyButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"(?!)"):
    """The common part of such buttons; a kind gives its `prefix`, a template with it, and a callback."""

    prefix: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, key: str, label: str = "", *, disabled: bool = False) -> None:
        custom_id = f"{self.prefix}:{key}"
        super().__init__(
            discord.ui.Button(label=label or self.prefix, style=self.style, custom_id=custom_id, disabled=disabled)
        )
        self.key = key

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as its custom_id describes it."""
        return cls(match["key"])
