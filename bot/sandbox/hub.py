"""What the parts of the local Discord share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.sandbox.actions import Actions
from bot.sandbox.changes import Changes
from bot.sandbox.errors import FormError
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interactions import Interactions
from bot.sandbox.world import World

__all__ = ["Checker", "Hub", "RequestRecord"]

Checker = Callable[[str, str, Any, str], list[FormError]]
"""A further check of requests, from method, path below /api/v10, body and content type to what is wrong."""


@dataclass(slots=True)
class RequestRecord:
    """A request of the bot; ``status`` is None while it is under way and when its connection was cut."""

    method: str
    path: str
    body: Any
    status: int | None = None


class Hub:
    """World, gateway, interactions and settings of one local Discord.

    Settings in seconds: ``deadline`` for the first answer to an interaction, ``token_lifetime`` of its token
    for follow-ups, ``nonce_window`` in which a repeated nonce gives the first message, ``pause`` that a person
    takes at least between something new on the screen and a click or reaction. Without a pause a click can
    overtake the answer to the very request that made the button, which no hand is quick enough for.
    """

    def __init__(self, world: World, token: str, check: Checker | None) -> None:
        self.world = world
        self.token = token
        self.check = check
        self.deadline = 3.0
        self.token_lifetime = 900.0
        self.nonce_window = 180.0
        self.pause = 0.05
        self.last_answer = 0.0
        self.buckets = False
        self.requests: list[RequestRecord] = []
        self.nonces: dict[str, tuple[float, str]] = {}
        self.changes = Changes()
        self.faults = Faults()
        self.gateway = Gateway(world, self.changes, self.faults, token)
        self.actions = Actions(world, self.gateway, self.changes)
        self.interactions = Interactions()

    async def take_pause(self) -> None:
        """Let a person's ``pause`` go by since the last answer to a request of the bot."""
        left = self.last_answer + self.pause - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
