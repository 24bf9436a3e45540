"""Discord's gateway: identify, heartbeats, resume, member chunks, and the events each session gets."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from bot.sandbox.changes import Changes
from bot.sandbox.faults import GATEWAY_PATH, Faults
from bot.sandbox.intents import PRIVILEGED, Intent, intent_for
from bot.sandbox.objects import Json, now_iso, public_member, public_user
from bot.sandbox.sessions import Connection, Session, reset
from bot.sandbox.world import World

__all__ = ["Gateway", "guild_create", "matches_name"]

_KNOWN_INTENTS = (1 << 26) - 1
_CHUNK = 1000


def guild_create(world: World, guild: Json) -> Json:
    """The GUILD_CREATE payload: of the members only the bot, as for a bot without the presence intent."""
    me = world.member(guild, world.bot)
    members = [public_member(me)] if me else []
    return {**guild, "members": members, "joined_at": me["joined_at"] if me else now_iso()}


class Gateway:
    """The websocket side of the local Discord."""

    def __init__(self, world: World, changes: Changes, faults: Faults, token: str) -> None:
        self.world = world
        self.url = ""
        self.privileged = False
        self.resume_window = 180.0
        self.closes: list[int] = []
        self.identified = 0
        self.resumed = 0
        self.sessions: dict[str, Session] = {}
        self._changes = changes
        self._faults = faults
        self._token = token

    def dispatch(
        self,
        event: str,
        data: Json | Callable[[Session], Json],
        *,
        guild_id: str | None,
        needs: Intent | None = None,
    ) -> None:
        """Send an event to every session of the guild's shard that has the intent.

        ``data`` may be a function of the session where sessions see different things.
        """
        receivers = [
            s for s in self.sessions.values() if s.covers(guild_id) and (needs is None or s.intents & needs)
        ]
        if not receivers:
            return
        for _ in range(self._faults.copies(event)):
            for session in receivers:
                session.dispatch(event, data(session) if callable(data) else data)

    def emit(self, event: str, data: Json | Callable[[Session], Json], *, guild_id: str | None) -> None:
        """``dispatch`` with the intent that Discord's documentation names for the event."""
        self.dispatch(event, data, guild_id=guild_id, needs=intent_for(event, direct=guild_id is None))

    async def drop(self, *, resumable: bool = True, abrupt: bool = False) -> None:
        """Close every connection with 4000, or reset it; events from now on wait for a resume."""
        dropped: list[Connection] = []
        for session in self.sessions.values():
            session.resumable = session.resumable and resumable
            if session.connection is not None:
                dropped.append(session.connection)
                session.lose()
        for connection in dropped:
            if abrupt:
                connection.abort()
            else:
                await connection.close(4000)
        self._changes.notify()

    async def shut(self) -> None:
        """Close every connection; the server stops."""
        for session in list(self.sessions.values()):
            if session.connection is not None:
                await session.connection.close(1001)
        self.sessions.clear()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one websocket connection."""
        fault = self._faults.take("GET", GATEWAY_PATH)
        if fault is not None:
            if fault.kind == "hold":
                await fault.hold.wait()
            elif fault.kind == "cut":
                reset(request.transport)
                return web.Response(status=503)
            elif fault.answer is not None:
                return web.json_response(fault.answer.body, status=fault.answer.status)
        ws = web.WebSocketResponse(max_msg_size=0)
        await ws.prepare(request)
        connection = Connection(ws, request)
        connection.send({"op": 10, "s": None, "t": None, "d": {"heartbeat_interval": 41250, "_trace": []}})
        session: Session | None = None
        try:
            async for frame in ws:
                if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    session, code = self._receive(frame.data, connection, session)
                    if code is not None:
                        await connection.close(code)
        finally:
            self._gone(connection, session)
            await connection.finish()
        return ws

    def _gone(self, connection: Connection, session: Session | None) -> None:
        if session is not None and session.connection is connection:
            session.lose()
            code = connection.ws.close_code or 1006
            if not connection.closed_here:
                self.closes.append(code)
            if code in (1000, 1001):
                self.sessions.pop(session.id, None)
        self._changes.notify()

    def _receive(
        self, text: str | bytes, connection: Connection, session: Session | None
    ) -> tuple[Session | None, int | None]:
        try:
            payload = json.loads(text)
            op, data = int(payload["op"]), payload.get("d")
        except (ValueError, KeyError, TypeError):
            return session, 4002
        match op:
            case 1:
                connection.send({"op": 11})
            case 2:
                return (session, 4005) if session else self._identify(data, connection)
            case 6:
                return (session, 4005) if session else self._resume(data, connection)
            case 3 | 4 | 8 if session is None:
                return None, 4003
            case 3 | 4:
                pass
            case 8 if session is not None:
                return session, self._request_members(session, data)
            case _:
                return session, 4001
        return session, None

    def _identify(self, data: Any, connection: Connection) -> tuple[Session | None, int | None]:
        if not isinstance(data, dict) or not isinstance(data.get("intents"), int):
            return None, 4002
        if data.get("token") != self._token:
            return None, 4004
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            return None, 4010
        intents = data["intents"]
        if intents & ~_KNOWN_INTENTS or intents < 0:
            return None, 4013
        if intents & PRIVILEGED and not self.privileged:
            return None, 4014
        self._purge()
        session = Session(f"session-{self.world.snowflake()}", intents, (number, count), connection)
        self.sessions[session.id] = session
        self.identified += 1
        guilds = [g for g in self.world.guilds.values() if self._here(g) and session.covers(g["id"])]
        session.dispatch("READY", self._ready(session, guilds))
        if intents & Intent.GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", guild_create(self.world, guild))
        session.ready = True
        self._changes.notify()
        return session, None

    def _here(self, guild: Json) -> bool:
        return self.world.member(guild, self.world.bot) is not None

    def _ready(self, session: Session, guilds: list[Json]) -> Json:
        return {
            "v": 10,
            "user": {
                **public_user(self.world.bot),
                "verified": True,
                "mfa_enabled": True,
                "email": None,
                "flags": 0,
            },
            "guilds": [{"id": guild["id"], "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": self.world.application_id, "flags": self.application_flags},
            "private_channels": [],
            "relationships": [],
            "session_type": "normal",
        }

    @property
    def application_flags(self) -> int:
        """The application's flags: the limited privileged intents, where they are switched on."""
        return (1 << 13 | 1 << 15 | 1 << 19) if self.privileged else 0

    def _resume(self, data: Any, connection: Connection) -> tuple[Session | None, int | None]:
        if not isinstance(data, dict) or not isinstance(data.get("seq"), int):
            return None, 4002
        if data.get("token") != self._token:
            return None, 4004
        session = self.sessions.get(data.get("session_id", ""))
        if session is None or not session.resumable or self._expired(session):
            self._purge()
            connection.send({"op": 9, "d": False})
            return None, None
        self.resumed += 1
        session.resume(connection, data["seq"])
        self._changes.notify()
        return session, None

    def _expired(self, session: Session) -> bool:
        return session.connection is None and time.monotonic() - session.lost_at > self.resume_window

    def _purge(self) -> None:
        """Forget the sessions that nobody can take up any more."""
        for session in list(self.sessions.values()):
            if self._expired(session) or not (session.connection or session.resumable):
                del self.sessions[session.id]

    def _request_members(self, session: Session, data: Any) -> int | None:
        """Answer op 8 in chunks; the whole list needs the members intent."""
        if not isinstance(data, dict):
            return 4002
        guild = self.world.guilds.get(str(data.get("guild_id")))
        if guild is None or not self._here(guild):
            return None
        query, limit = data.get("query"), int(data.get("limit") or 0)
        wanted = data.get("user_ids")
        if wanted is None and not (query and limit) and not session.intents & Intent.GUILD_MEMBERS:
            return 4014
        ids = [str(i) for i in (wanted if isinstance(wanted, list) else [wanted])] if wanted else None
        found = _select(guild["members"], ids, query or "", limit)
        self._send_chunks(session, guild, found, ids, data.get("nonce"))
        return None

    def _send_chunks(
        self, session: Session, guild: Json, found: list[Json], ids: list[str] | None, nonce: str | None
    ) -> None:
        known = {m["user"]["id"] for m in found}
        chunks = [found[i : i + _CHUNK] for i in range(0, len(found), _CHUNK)] or [[]]
        for index, chunk in enumerate(chunks):
            session.dispatch(
                "GUILD_MEMBERS_CHUNK",
                {
                    "guild_id": guild["id"],
                    "members": [public_member(m) for m in chunk],
                    "chunk_index": index,
                    "chunk_count": len(chunks),
                    "not_found": [i for i in ids or () if i not in known],
                    **({"nonce": nonce} if nonce is not None else {}),
                },
            )


def _select(members: list[Json], ids: list[str] | None, query: str, limit: int) -> list[Json]:
    if ids is not None:
        return [m for m in members if m["user"]["id"] in ids]
    found = [m for m in members if matches_name(m, query)]
    return found[:limit] if limit else found


def matches_name(member: Json, query: str) -> bool:
    """Whether a member's nickname, display name or user name begins with the text."""
    names = (member["nick"], member["user"]["global_name"], member["user"]["username"])
    return any(name and name.lower().startswith(query.lower()) for name in names)
