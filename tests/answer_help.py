"""Answers with files: what the bot attached, which files it fetched, and files that Discord does not give."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.sandbox import Interaction
from tests.club_evening import Club, reply

__all__ = ["attached", "embed", "files_fetched", "lose_files"]


def embed(interaction: Interaction) -> dict[str, Any]:
    """The one embed of an answer."""
    (shown,) = reply(interaction)["embeds"]
    return dict(shown)


def attached(where: Club, interaction: Interaction) -> tuple[str, bytes]:
    """The one file of an answer: its name and what is in it."""
    (file,) = reply(interaction)["attachments"]
    return file["filename"], where.discord.world.files[file["id"]]


def files_fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are fetched from Discord from here on."""
    fetched: list[str] = []
    read = discord.Attachment.read

    async def noted(file: discord.Attachment, **options: Any) -> bytes:
        fetched.append(file.filename)
        return await read(file, **options)

    monkeypatch.setattr(discord.Attachment, "read", noted)
    return fetched


class Lost(dict[str, bytes]):
    """Files that are gone as soon as they are sent."""

    def __setitem__(self, key: str, value: bytes) -> None:
        """Keep nothing."""


def lose_files(where: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Discord give out none of the files that are sent from here on."""
    monkeypatch.setattr(where.discord.world, "files", Lost())
