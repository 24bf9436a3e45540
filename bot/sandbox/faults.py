"""Misbehaving on demand: errors, cut connections, held requests, repeated and lost gateway events."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from bot.sandbox.changes import Signal
from bot.sandbox.errors import Refused

__all__ = ["GATEWAY_PATH", "Fault", "Faults", "Hold"]

GATEWAY_PATH = "/gateway/"

_STATUS_TEXT = {
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


class Hold:
    """A request stopped on its way: ``await hold.reached``, then ``hold.release()``."""

    def __init__(self) -> None:
        self.reached = Signal()
        self._released = asyncio.Event()

    def release(self) -> None:
        """Let the request go on; if its sender has gone away before the effect, it is forgotten."""
        self._released.set()

    async def wait(self) -> None:
        """Report that the request is here and wait for its release."""
        self.reached.set()
        await self._released.wait()


@dataclass(slots=True)
class Fault:
    """One planned mishap of a request; ``done`` places it after the request's effect."""

    method: str
    path: re.Pattern[str]
    kind: Literal["answer", "cut", "hold"]
    times: int
    done: bool = False
    answer: Refused | None = None
    hold: Hold = field(default_factory=Hold)


class Faults:
    """The mishaps to come. Paths are matched by ``re.search`` on what follows ``/api/v10``."""

    def __init__(self) -> None:
        self._planned: list[Fault] = []
        self._holds: list[Hold] = []
        self._repeats: Counter[str] = Counter()
        self._losses: Counter[str] = Counter()

    def fail(
        self,
        method: str,
        path_regex: str,
        status: int = 503,
        times: int = 1,
        done: bool = False,
        code: int = 0,
        message: str | None = None,
    ) -> None:
        """Answer the next ``times`` such requests with an error, ``done``: after doing what they ask."""
        text = message or f"{status}: {_STATUS_TEXT.get(status, 'Error')}"
        answer = Refused(code, status=status, message=text)
        self._planned.append(Fault(method, re.compile(path_regex), "answer", times, done, answer))

    def rate_limit(self, method: str, path_regex: str, retry_after: float = 0.2, times: int = 1) -> None:
        """Answer 429 and ask to come back after ``retry_after`` seconds."""
        fault = Fault(method, re.compile(path_regex), "answer", times, answer=rate_limited(retry_after))
        self._planned.append(fault)

    def cut(self, method: str, path_regex: str, times: int = 1, done: bool = False) -> None:
        """Reset the connection without an answer, before the request's effect or (``done``) after it."""
        self._planned.append(Fault(method, re.compile(path_regex), "cut", times, done))

    def hold(self, method: str, path_regex: str, done: bool = False) -> Hold:
        """Stop the next such request before its effect, or (``done``) between its effect and the answer."""
        fault = Fault(method, re.compile(path_regex), "hold", 1, done)
        self._planned.append(fault)
        self._holds.append(fault.hold)
        return fault.hold

    def repeat(self, event_name: str, times: int = 1) -> None:
        """Deliver the next ``times`` gateway events of this name twice."""
        self._repeats[event_name] += times

    def lose(self, event_name: str, times: int = 1) -> None:
        """Do not deliver the next ``times`` gateway events of this name, not even on resume."""
        self._losses[event_name] += times

    def refuse_gateway(self, times: int = 1) -> None:
        """Answer 503 to the next ``times`` attempts to connect to the gateway."""
        self.fail("GET", f"^{GATEWAY_PATH}$", 503, times)

    def clear(self) -> None:
        """Forget everything planned and release everything held."""
        self._planned.clear()
        self._repeats.clear()
        self._losses.clear()
        for hold in self._holds:
            hold.release()
        self._holds.clear()

    # For the server

    def take(self, method: str, path: str) -> Fault | None:
        """The mishap of this request, used up by one."""
        for fault in self._planned:
            if fault.method == method.upper() and fault.path.search(path):
                fault.times -= 1
                if fault.times <= 0:
                    self._planned.remove(fault)
                return fault
        return None

    def copies(self, event_name: str) -> int:
        """How many times the next event of this name is delivered."""
        if self._losses[event_name] > 0:
            self._losses[event_name] -= 1
            return 0
        if self._repeats[event_name] > 0:
            self._repeats[event_name] -= 1
            return 2
        return 1


def rate_limited(retry_after: float, scope: str = "user") -> Refused:
    """Discord's 429, with the ``Via`` header, without which discord.py takes it for a ban."""
    refused = Refused(0, status=429, message="You are being rate limited.")
    refused.extra = {"retry_after": retry_after, "global": False}
    refused.headers = {
        "Via": "1.1 google",
        "Retry-After": str(max(1, round(retry_after))),
        "X-RateLimit-Scope": scope,
    }
    return refused
