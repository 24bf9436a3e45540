"""A local Discord: try the bot without an account, and test it against a Discord that can misbehave."""

from __future__ import annotations

from bot.sandbox.errors import SandboxRefusal
from bot.sandbox.hub import RequestRecord
from bot.sandbox.interactions import Interaction
from bot.sandbox.invocations import Attached
from bot.sandbox.people import Person
from bot.sandbox.permissions import Permission, overwrite
from bot.sandbox.server import LocalDiscord
from bot.sandbox.world import World

__all__ = [
    "Attached",
    "Interaction",
    "LocalDiscord",
    "Permission",
    "Person",
    "RequestRecord",
    "SandboxRefusal",
    "World",
    "overwrite",
]
