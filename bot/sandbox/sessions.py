"""A bot's gateway session and the connection that carries it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import time
import zlib
from collections import deque
from typing import Any

from aiohttp import web

from bot.sandbox.objects import Json

__all__ = ["Connection", "Session", "reset"]

_REPLAY_LENGTH = 5000


def reset(transport: asyncio.BaseTransport | None) -> None:
    """Cut a connection with a TCP reset: nothing that was still under way arrives."""
    if transport is None:
        return
    sock = transport.get_extra_info("socket")
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if isinstance(transport, asyncio.Transport):
        transport.abort()


class Connection:
    """One websocket; frames go out in order from a queue, so that sending never waits."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws = ws
        self.closed_here = False
        self._transport = request.transport
        self._deflate = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: Json | str) -> None:
        """Queue one frame."""
        self._queue.put_nowait(frame if isinstance(frame, str) else json.dumps(frame))

    async def close(self, code: int) -> None:
        """Send what is queued, then close with this code."""
        self.closed_here = True
        self._queue.put_nowait(None)
        await self._writer
        await self.ws.close(code=code)

    def abort(self) -> None:
        """Reset the connection without a close frame."""
        self.closed_here = True
        self._writer.cancel()
        reset(self._transport)

    async def finish(self) -> None:
        """Stop writing; the websocket is gone."""
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while (frame := await self._queue.get()) is not None:
                if self._deflate is None:
                    await self.ws.send_str(frame)
                else:
                    data = self._deflate.compress(frame.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    await self.ws.send_bytes(data)


class Session:
    """What Discord remembers of an identified bot: its intents, its shard, and what it was sent."""

    def __init__(self, session_id: str, intents: int, shard: tuple[int, int], connection: Connection) -> None:
        self.id = session_id
        self.intents = intents
        self.shard = shard
        self.connection: Connection | None = connection
        self.ready = False
        self.resumable = True
        self.lost_at = 0.0
        self._sequence = 0
        self._sent: deque[tuple[int, str]] = deque(maxlen=_REPLAY_LENGTH)

    @property
    def live(self) -> bool:
        """Whether the bot is connected and has its guilds."""
        return self.ready and self.connection is not None

    def covers(self, guild_id: str | None) -> bool:
        """Whether events of this guild belong to the session's shard; DMs belong to shard 0."""
        number, count = self.shard
        return number == (0 if guild_id is None else (int(guild_id) >> 22) % count)

    def dispatch(self, event: str, data: Any) -> None:
        """Number an event, keep it for a resume, and send it if the bot is connected."""
        self._sequence += 1
        frame = json.dumps({"op": 0, "t": event, "s": self._sequence, "d": data})
        self._sent.append((self._sequence, frame))
        if self.connection is not None:
            self.connection.send(frame)

    def lose(self) -> None:
        """The connection is gone; events are kept from now on."""
        self.connection = None
        self.lost_at = time.monotonic()

    def resume(self, connection: Connection, sequence: int) -> None:
        """Take the session up on a new connection: replay what came after ``sequence``, then RESUMED."""
        self.connection = connection
        for number, frame in self._sent:
            if number > sequence:
                connection.send(frame)
        self.dispatch("RESUMED", {})
