"""Discord's REST side: reading requests, planned faults, rate limits, and answers in Discord's shape."""

from __future__ import annotations

import json
import re
import time
from typing import Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from bot.sandbox import routes_commands, routes_guilds, routes_interactions, routes_messages, routes_reactions
from bot.sandbox.buckets import Buckets
from bot.sandbox.calls import Call, Route
from bot.sandbox.errors import Refused, invalid_form
from bot.sandbox.faults import Fault
from bot.sandbox.hub import Hub, RequestRecord
from bot.sandbox.messages import Upload
from bot.sandbox.sessions import reset

__all__ = ["PREFIX", "Rest"]

PREFIX = "/api/v10"
_REMEMBERED = 20_000
_FILE_FIELD = re.compile(r"files\[(\d+)\]")

_ROUTES: list[Route] = [
    *routes_messages.ROUTES,
    *routes_reactions.ROUTES,
    *routes_guilds.ROUTES,
    *routes_commands.ROUTES,
    *routes_interactions.ROUTES,
]


class Rest:
    """Answers every request below ``/api/v10``."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._buckets = Buckets()

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request, or cut its connection where a fault says so."""
        raw = request.rel_url.raw_path.removeprefix(PREFIX)
        record = RequestRecord(request.method, unquote(raw), None)
        self._hub.requests.append(record)
        del self._hub.requests[:-_REMEMBERED]
        fault = self._hub.faults.take(request.method, record.path)
        try:
            answer, headers = await self._answer(request, raw, record, fault)
            response = _json(answer, 204 if answer is None else 200, headers)
        except Refused as refused:
            response = _json(refused.body, refused.status, refused.headers)
        except _Cut:
            reset(request.transport)
            self._hub.changes.notify()
            return web.Response(status=500)
        record.status = response.status
        self._hub.last_answer = time.monotonic()
        self._hub.changes.notify()
        return response

    async def _answer(
        self, request: web.Request, raw: str, record: RequestRecord, fault: Fault | None
    ) -> tuple[Any, dict[str, str]]:
        record.body, uploads, content_type = await _read(request)
        self._hub.changes.notify()
        if fault is not None and not fault.done:
            await _strike(fault, request)
        route, params = _find(request.method, raw)
        if not route.open and request.headers.get("Authorization") != f"Bot {self._hub.token}":
            raise Refused(0, status=401, message="401: Unauthorized")
        if self._hub.check is not None:
            errors = self._hub.check(request.method, raw, record.body, content_type)
            if errors:
                raise invalid_form(errors)
        headers = self._buckets.take(route.bucket, params) if self._hub.buckets and route.bucket else {}
        answer = route.answer(Call(self._hub, params, request.query, record.body, uploads))
        if fault is not None and fault.done:
            self._hub.changes.notify()
            await _strike(fault, request)
        return answer, headers


class _Cut(Exception):
    """The connection is to be reset without an answer."""


async def _strike(fault: Fault, request: web.Request) -> None:
    if fault.kind == "hold":
        await fault.hold.wait()
        if not fault.done and (request.transport is None or request.transport.is_closing()):
            raise _Cut
    elif fault.kind == "cut":
        raise _Cut
    elif fault.answer is not None:
        raise fault.answer


def _find(method: str, raw: str) -> tuple[Route, dict[str, str]]:
    other_method = False
    for route in _ROUTES:
        params = route.match(method, raw)
        if params is not None:
            return route, {key: unquote(value) for key, value in params.items()}
        other_method = other_method or route.match(route.method, raw) is not None
    if other_method:
        raise Refused(0, status=405, message="405: Method Not Allowed")
    raise Refused(0)


async def _read(request: web.Request) -> tuple[Any, list[Upload], str]:
    """The JSON body, the files, and the content type."""
    content_type = request.content_type
    if not request.can_read_body:
        return None, [], content_type
    if content_type.startswith("multipart/"):
        body, uploads = await _read_multipart(request)
        return body, uploads, content_type
    return _parse(await request.text()), [], content_type


async def _read_multipart(request: web.Request) -> tuple[Any, list[Upload]]:
    body: Any = None
    uploads: list[Upload] = []
    reader = await request.multipart()
    while (part := await reader.next()) is not None:
        if not isinstance(part, BodyPartReader):
            continue
        name = part.name or ""
        if name == "payload_json":
            body = _parse(await part.text())
        elif found := _FILE_FIELD.fullmatch(name):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            data = bytes(await part.read(decode=True))
            uploads.append(Upload(found.group(1), part.filename or "unknown", kind, data))
    return body, uploads


def _parse(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError as error:
        raise Refused(50109) from error


def _json(body: Any, status: int, headers: dict[str, str]) -> web.Response:
    """An answer; the content type is bare, since discord.py takes one with a charset for text."""
    if status == 204:
        return web.Response(status=204, headers=headers)
    data = json.dumps(body).encode()
    return web.Response(body=data, status=status, headers={"Content-Type": "application/json", **headers})
