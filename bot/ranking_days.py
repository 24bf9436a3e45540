"""The rankings' day: looks once a minute whose it is, and has the post of the day written.

What moved is worked out beside everything else; the note that it was looked at and the letter that asks for the
post are written together, so that of several processes one has it said, and a restart changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

from ratings.store import Store
from ratings.tournaments import days

__all__ = ["RankingDays"]

log = logging.getLogger(__name__)

# Seconds between two looks.
PAUSE = 60.0


class RankingDays:
    """Looks at the rankings of the clubs that want to be told how they moved.

    `is_here` says whether the bot sees a guild now, `wrote` is called when there is a letter, and `clock` gives
    the seconds since 1970 UTC.
    """

    def __init__(
        self,
        store: Store,
        is_here: Callable[[int], bool],
        wrote: Callable[[], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._is_here = is_here
        self._wrote = wrote
        self._clock = clock
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Look at once."""
        self._wake.set()

    async def run(self) -> None:
        """Look now and then, until cancelled."""
        while True:
            self._wake.clear()
            await self.round()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), PAUSE)

    async def round(self) -> None:
        """Look at every club whose hour has come; what fails is tried again at the next look."""
        now = int(self._clock())
        try:
            due = await self._store.read(days.due, now)
        except Exception:
            log.exception("Whose rankings are to be looked at could not be read.")
            return
        for guild_id in due:
            if not self._is_here(guild_id):
                continue
            try:
                await self._look(guild_id, now)
            except Exception:
                log.exception("The rankings of guild %s could not be looked at.", guild_id)

    async def _look(self, guild_id: int, now: int) -> None:
        noted, moved = await self._store.study(days.look, guild_id, now)
        if await self._store.write(days.take_note, guild_id, noted, moved, now) and moved:
            self._wrote()
