"""Waiting for something to become true, woken by every change instead of by a clock."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Generator
from typing import Any

__all__ = ["Changes", "Signal"]


class Signal(asyncio.Event):
    """An event that can also be awaited itself: ``await hold.reached``."""

    def __await__(self) -> Generator[Any, None, bool]:
        return self.wait().__await__()


class Changes:
    """Tells waiters that the local Discord changed."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        self.listeners: list[Callable[[], None]] = []

    def notify(self) -> None:
        """Wake everybody who waits in ``until`` and call the listeners."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)
        for listener in self.listeners:
            listener()

    async def until(self, predicate: Callable[[], Any], timeout: float = 30.0) -> Any:  # noqa: ASYNC109
        """Wait until the predicate holds and return what it gave.

        Raises TimeoutError, naming the predicate, when that takes longer than ``timeout`` seconds.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while True:
            value = predicate()
            if value:
                return value
            future: asyncio.Future[None] = loop.create_future()
            self._waiting.add(future)
            done, _ = await asyncio.wait([future], timeout=max(0.0, deadline - loop.time()))
            self._waiting.discard(future)
            if not done and not predicate():
                raise TimeoutError(f"Waited {timeout:g} s in vain for: {_describe(predicate)}")


def _describe(predicate: Callable[[], Any]) -> str:
    try:
        lines, start = inspect.getsourcelines(predicate)
    except (OSError, TypeError):
        return getattr(predicate, "__qualname__", repr(predicate))
    text = " ".join(line.strip() for line in lines)
    return f"{text} (line {start})"
