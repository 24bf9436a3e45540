"""The outbox worker: says what the ledger decided, at least once, and as far as Discord allows not twice.

Every letter is claimed, said, and marked. A worker that dies in between leaves the letter to come back; the
next one looks for the post before it posts again, and Discord's nonce catches what happens within minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import time
from collections.abc import Iterable, Sequence

import aiohttp
import discord

from bot.letters import Postman, Undeliverable
from bot.topics import Topic, take
from ratings.store import Store, outbox

__all__ = ["OutboxWorker"]

log = logging.getLogger(__name__)

LONGEST_BACKOFF = 300.0
# A channel that is gone or closed is tried again now and then: an admin may have opened it.
CLOSED_CHANNEL_PAUSE = 600.0
LANES_AT_ONCE = 20
# Another process on the same database may write letters and die before it says them.
LONGEST_SLEEP = 30.0
# How long a lane rests when the store fails it; without a rest it would ask again at once, and for ever.
REST = 5.0
# How long a letter in hand may take at shutdown; after that its lease brings it back.
PATIENCE = 5.0
# How long, in seconds, letters handed over have the machine to themselves.
HEAD_START = 0.01
# How long letters are kept after they were said, to see what happened, in seconds.
KEPT = 30 * 24 * 3600
# What the network does; a cut connection is no discord.HTTPException.
PASSING = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)

Lane = tuple[int, outbox.Kind]


class OutboxWorker:
    """Takes open letters in lanes, one lane for each kind of letter of each guild, several lanes at once."""

    def __init__(self, store: Store, postman: Postman, *, lease: float, backoff: float) -> None:
        self._store = store
        self._postman = postman
        self.lease = lease
        self._backoff = backoff
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._lanes: dict[Lane, asyncio.Task[None]] = {}
        self._handed: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()
        self._slots = asyncio.Semaphore(LANES_AT_ONCE)

    def wake(self) -> None:
        """There may be new letters."""
        self._idle.clear()
        self._wake.set()

    def hand_over(self, letters: Sequence[outbox.Letter], matter: Topic) -> None:
        """Say letters that were claimed in the transaction that wrote them, and look for others."""
        self._idle.clear()
        for letter in letters:
            task = asyncio.create_task(self._deliver_alone(letter, matter))
            self._handed.add(task)
            task.add_done_callback(self._handed_done)
        # What was handed over goes first; looking for the rest would only slow it.
        asyncio.get_running_loop().call_later(HEAD_START if letters else 0, self.wake)

    async def idle(self) -> None:
        """Wait until no letter is in hand and none is due."""
        await self._idle.wait()

    async def run(self) -> None:
        """Work until `stop` is called."""
        try:
            await self._store.write(outbox.prune, time.time() - KEPT)
        except Exception:
            log.exception("Old letters could not be thrown away.")
        while not self._stop.is_set():
            self._wake.clear()
            pause = await self._pass()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)

    async def stop(self) -> None:
        """Take no new letters, and wait a moment for those in hand to be said."""
        self._stop.set()
        self.wake()
        busy = [*self._lanes.values(), *self._handed]
        if busy:
            _, unfinished = await asyncio.wait(busy, timeout=PATIENCE)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*busy, return_exceptions=True)

    async def _pass(self) -> float:
        """Start what is due; answer for how long nothing else will be."""
        now = time.time()
        try:
            letters, next_due = await self._store.read(outbox.agenda, now)
        except Exception:
            log.exception("The outbox could not be read; it is tried again.")
            return self._backoff
        if not (letters or self._lanes or self._handed or self._wake.is_set()):
            self._idle.set()
        for lane, ids in _by_lane(letters).items():
            if lane not in self._lanes:
                task = asyncio.create_task(self._walk(ids))
                self._lanes[lane] = task
                task.add_done_callback(functools.partial(self._leave, lane))
        return LONGEST_SLEEP if next_due is None else min(LONGEST_SLEEP, max(0.0, next_due - time.time()))

    def _leave(self, lane: Lane, _task: asyncio.Task[None]) -> None:
        del self._lanes[lane]
        self.wake()

    async def _deliver_alone(self, letter: outbox.Letter, matter: Topic) -> None:
        async with self._slots:
            await self._deliver(letter, matter)

    def _handed_done(self, task: asyncio.Task[None]) -> None:
        self._handed.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("A letter went wrong; its lease will bring it back.", exc_info=error)
        self.wake()

    async def _walk(self, letters: Iterable[int]) -> None:
        async with self._slots:
            for letter_id in letters:
                if self._stop.is_set():
                    return
                try:
                    await self._handle(letter_id)
                except Exception:
                    log.exception("Letter %s could not be taken or marked; its lane rests a while.", letter_id)
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._stop.wait(), REST)

    async def _handle(self, letter_id: int) -> None:
        taken = await self._store.write(take, letter_id, time.time(), self.lease)
        if taken is None:
            return
        await self._deliver(*taken)

    async def _deliver(self, letter: outbox.Letter, matter: Topic) -> None:
        try:
            await self._postman.deliver(letter, matter)
        except Undeliverable as error:
            log.warning("Letter %s of guild %s waits: %s", letter.id, letter.guild_id, error)
            await self._defer(letter, CLOSED_CHANNEL_PAUSE, error)
        except Exception as error:
            if not isinstance(error, PASSING):
                log.exception("Letter %s met an error nobody expected.", letter.id)
            pause = min(LONGEST_BACKOFF, self._backoff * 2 ** (letter.attempts - 1))
            log.warning("Letter %s is tried again in %.1f s: %s", letter.id, pause, error)
            await self._defer(letter, pause, error)
        else:
            await self._store.write(outbox.finish, letter, time.time())

    async def _defer(self, letter: outbox.Letter, pause: float, error: Exception) -> None:
        await self._store.write(outbox.defer, letter.id, time.time() + pause, f"{type(error).__name__}: {error}")


def _by_lane(due: Iterable[outbox.Due]) -> dict[Lane, list[int]]:
    lanes: dict[Lane, list[int]] = {}
    for letter in due:
        lanes.setdefault((letter.guild_id, letter.kind), []).append(letter.id)
    return lanes
