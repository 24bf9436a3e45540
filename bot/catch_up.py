"""Looking at cards whose reactions may have been missed: after an absence, a cut connection, a failed write."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from ratings.queries import games
from ratings.queries.games import Card
from ratings.store import Store

__all__ = ["CatchUp"]

log = logging.getLogger(__name__)

# After a long absence many cards may wait; a pause between them leaves requests for the living.
PAUSE = 0.05
LONGEST_BACKOFF = 300.0


class CatchUp:
    """Keeps a list of cards to look at, and looks again at those where it failed until it has seen them all."""

    def __init__(self, store: Store, look: Callable[[Card], Awaitable[None]], *, backoff: float) -> None:
        self._store = store
        self._look = look
        self._backoff = backoff
        self._cards: dict[Card, None] = {}
        self._guilds: set[int | None] = set()
        self._wake = asyncio.Event()

    def everywhere(self) -> None:
        """Look at every open card of every club."""
        self._guilds.add(None)
        self._wake.set()

    def in_guild(self, guild_id: int) -> None:
        """Look at every open card of one club."""
        self._guilds.add(guild_id)
        self._wake.set()

    def at(self, card: Card) -> None:
        """Look at one card."""
        self._cards[card] = None
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled."""
        failures = 0
        while True:
            await self._wake.wait()
            self._wake.clear()
            if await self._round():
                failures = 0
                continue
            pause = min(LONGEST_BACKOFF, self._backoff * 2**failures)
            failures += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)
            self._wake.set()

    async def _round(self) -> bool:
        """Look at everything once; True if nothing is left to look at."""
        try:
            while self._guilds:
                guild_id = next(iter(self._guilds))
                self._cards |= dict.fromkeys(await self._store.read(games.pending_cards, guild_id))
                self._guilds.discard(guild_id)
        except Exception:
            log.exception("The open cards could not be read; they are looked at later.")
            return False
        for card in list(self._cards):
            try:
                await self._look(card)
            except Exception as error:
                log.warning("Card %s could not be looked at: %s", card.message_id, error)
            else:
                self._cards.pop(card, None)
            await asyncio.sleep(PAUSE)
        return not self._cards
