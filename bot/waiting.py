"""What waits for a press of somebody's button: in memory only, for a while, and only so much of it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterator
from typing import Generic, TypeVar

__all__ = ["WaitingRoom"]

T = TypeVar("T")

# More than any club has open at once; the oldest is dropped for a new one.
MOST = 500
# Seconds after which nobody is expected to press a button any more.
EXPIRY = 15 * 60
# Every process on a token gets every press, and Discord takes one answer only. Whichever knows the key has
# answered after this many seconds.
GRACE = 1.0


class WaitingRoom(Generic[T]):
    """Whatever waits, by the key that its buttons carry."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[float, T]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def admit(self, what: T) -> str:
        """Let something wait; answers its key."""
        self._show_out()
        while len(self._waiting) >= MOST:
            self._waiting.pop(next(iter(self._waiting)))
        key = secrets.token_urlsafe(12)
        self._waiting[key] = time.monotonic(), what
        return key

    async def find(self, key: str) -> T | None:
        """What waits under a key. None for an unknown one, after a pause in which another process may answer."""
        self._show_out()
        if (waiting := self._waiting.get(key)) is not None:
            return waiting[1]
        await asyncio.sleep(GRACE)
        return None

    @contextlib.contextmanager
    def called(self, key: str) -> Iterator[T | None]:
        """Take what waits under a key out, for as long as it takes to answer.

        Of two presses at once one gets it, the other None. It goes back if the answer fails, as when Discord
        had one from another process before.
        """
        taken = self._waiting.pop(key, None)
        try:
            yield None if taken is None else taken[1]
        except BaseException:
            if taken is not None:
                self._waiting[key] = taken
            raise

    def _show_out(self) -> None:
        now = time.monotonic()
        for key in [key for key, (since, _) in self._waiting.items() if now - since >= EXPIRY]:
            del self._waiting[key]
