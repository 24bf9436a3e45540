"""The web page of the sandbox: what a member sees and does, as JSON below ``/page`` on the same server."""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from bot.sandbox.errors import SandboxRefusal
from bot.sandbox.interactions import Interaction
from bot.sandbox.objects import Json, walk_components
from bot.sandbox.people import Person
from bot.sandbox.seen import channels_of, person, seen
from bot.sandbox.server import LocalDiscord

__all__ = ["Page"]

FILES = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# A comment now and then, so that a stream whose reader has gone away ends.
HEARTBEAT = 15.0
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: http://127.0.0.1:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# What an id stands for, by option type and by component type.
OPTION_KINDS = {6: "user", 7: "channel", 8: "role", 9: "mentionable", 11: "file"}
COMPONENT_KINDS = {5: "user", 6: "role", 7: "mentionable", 8: "channel", 19: "file"}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Page:
    """The page of one guild. Make it before the server starts; it adds its routes to the server's application."""

    def __init__(self, discord: LocalDiscord, guild: Json) -> None:
        self._discord = discord
        self._world = discord.world
        self._guild = guild
        self._forms: dict[str, Interaction] = {}
        self._closing = False
        self._acts: dict[str, Callable[[Person, Json, Json], Awaitable[Json]]] = {
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "choose": self._choose,
            "submit": self._submit,
            "react": self._react,
            "unreact": self._unreact,
            "delete": self._delete,
        }
        router = discord.app.router
        router.add_get("/", _guarded(self._index))
        router.add_get("/page/files/{name}", _guarded(self._file))
        router.add_get("/page/state", _guarded(self._state))
        router.add_get("/page/events", _guarded(self._events))
        router.add_post("/page/act/{act}", _guarded(self._act))
        discord.app.on_response_prepare.append(_harmless_attachment)
        discord.app.on_shutdown.append(self._end_streams)

    # The files of the page

    async def _index(self, _request: web.Request) -> web.StreamResponse:
        return _served("index.html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in {path.name for path in FILES.iterdir()}:
            return _error(404, f"The page has no file {name}.")
        return _served(name)

    # What a member sees

    async def _state(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(self._seen(request))

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events: what the member sees now, and again whenever that changes."""

        shown = self._text_seen(request)
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        with contextlib.suppress(ConnectionResetError, SandboxRefusal):
            await response.write(f"data: {shown}\n\n".encode())
            while not self._closing:
                text = await self._seen_next(request, shown)
                await response.write(b": still here\n\n" if text == shown else f"data: {text}\n\n".encode())
                shown = text
        return response

    async def _seen_next(self, request: web.Request, shown: str) -> str:
        """What the member sees once that is not `shown` any more, or after a while, or at the end."""
        with contextlib.suppress(TimeoutError):
            await self._discord.until(lambda: self._closing or self._text_seen(request) != shown, HEARTBEAT)
        return self._text_seen(request)

    async def _end_streams(self, _app: web.Application) -> None:
        self._closing = True
        self._discord.changes.notify()

    def _text_seen(self, request: web.Request) -> str:
        return json.dumps(self._seen(request), ensure_ascii=False)

    def _seen(self, request: web.Request) -> Json:
        viewer = request.query.get("viewer") or self._guild["owner_id"]
        return seen(self._discord, self._guild, self._viewer(viewer), request.query.get("channel"))

    # What a member does

    async def _act(self, request: web.Request) -> web.StreamResponse:
        act = self._acts.get(request.match_info["act"])
        if act is None:
            return _error(404, f"Nobody can {request.match_info['act']} here.")
        try:
            body = await request.json()
        except ValueError:
            return _error(400, "The request is not JSON.")
        if request.content_type != "application/json" or not isinstance(body, dict):
            return _error(400, "The request is not a JSON object.")
        viewer = self._viewer(_text(body, "viewer"))
        channel = self._world.channels.get(_text(body, "channel"))
        if channel is None or channel not in channels_of(self._discord, self._guild, viewer):
            raise SandboxRefusal("This channel does not exist, or is not shown to this person.")
        return web.json_response(await act(person(self._discord, self._guild, viewer, channel), channel, body))

    async def _slash(self, person: Person, channel: Json, body: Json) -> Json:
        command = _command(body)
        options = self._options(person, channel, command, body.get("options"))
        return self._answered(await person.slash(command, channel, **options))

    async def _autocomplete(self, person: Person, channel: Json, body: Json) -> Json:
        command, option = _command(body), _text(body, "option")
        others = self._options(person, channel, command, body.get("options"))
        others.pop(option, None)
        text = _text(body, "text", empty=True)
        return {"choices": await person.autocomplete(command, channel, option=option, text=text, **others)}

    async def _click(self, person: Person, _channel: Json, body: Json) -> Json:
        interaction = await person.click(self._message(body), custom_id=_text(body, "custom_id"))
        return self._answered(interaction)

    async def _choose(self, person: Person, _channel: Json, body: Json) -> Json:
        message, custom_id = self._message(body), _text(body, "custom_id")
        kind = _component_kind(message["components"], custom_id)
        values = [self._value(kind, value) for value in _list(body.get("values"))]
        return self._answered(await person.choose(message, custom_id, values))

    async def _submit(self, person: Person, _channel: Json, body: Json) -> Json:
        interaction = self._forms.get(_text(body, "form"))
        if interaction is None or interaction.modal is None:
            raise SandboxRefusal("This form is not open any more.")
        components = interaction.modal["components"]
        fields = {
            name: self._field(_component_kind(components, name), value)
            for name, value in _object(body.get("fields")).items()
        }
        answer = self._answered(await person.submit(interaction, **fields))
        self._forms.pop(interaction.id, None)
        return answer

    async def _react(self, person: Person, _channel: Json, body: Json) -> Json:
        await person.react(self._message(body), _text(body, "emoji"))
        return {}

    async def _unreact(self, person: Person, _channel: Json, body: Json) -> Json:
        await person.unreact(self._message(body), _text(body, "emoji"))
        return {}

    async def _delete(self, person: Person, _channel: Json, body: Json) -> Json:
        await person.delete(self._message(body))
        return {}

    def _answered(self, interaction: Interaction) -> Json:
        """What the page must know of an answer; messages come with the state."""
        if interaction.failed:
            raise SandboxRefusal(f"{interaction.failed}.")
        if interaction.modal is None:
            return {}
        self._forms[interaction.id] = interaction
        return {"form": interaction.id, "modal": interaction.modal}

    # From ids and texts to what the local Discord takes

    def _viewer(self, user_id: str) -> Json:
        member = self._world.member(self._guild, user_id)
        if member is None or member["user"]["bot"]:
            raise SandboxRefusal("The club has no such member.")
        user: Json = member["user"]
        return user

    def _message(self, body: Json) -> Json:
        message = self._world.message(_text(body, "message"))
        if message is None:
            raise SandboxRefusal("This message does not exist any more.")
        return message

    def _options(self, person: Person, channel: Json, command: str, given: Any) -> dict[str, Any]:
        name, *words = command.split()
        known: list[Json] = [c for c in person.commands(channel) if c["type"] == 1 and c["name"] == name]
        for word in words:
            known = [o for c in known for o in c.get("options") or () if o["name"] == word]
        kinds = {o["name"]: OPTION_KINDS.get(o["type"]) for c in known for o in c.get("options") or ()}
        return {key: self._value(kinds.get(key), value) for key, value in _object(given).items()}

    def _field(self, kind: str | None, value: Any) -> Any:
        return [self._value(kind, one) for one in value] if isinstance(value, list) else value

    def _value(self, kind: str | None, value: Any) -> Any:
        """A member, role, channel or file that the page names by its id or sends; other values as they are."""
        if kind is None or value is None:
            return value
        if kind == "file":
            return _upload(value)
        found: Json | None = None
        if kind in ("user", "mentionable"):
            found = self._world.users.get(str(value))
        if kind in ("role", "mentionable"):
            found = found or self._world.role(self._guild, str(value))
        if kind == "channel":
            found = self._world.channels.get(str(value))
        if found is None:
            raise SandboxRefusal("What was chosen does not exist here.")
        return found


def _guarded(handler: Handler) -> Handler:
    """Answer this machine's own pages only, and put every refusal into a sentence.

    A page of another site can reach loopback too: by its own name (DNS rebinding, seen in Host) or by a
    request across sites (seen in Origin).
    """

    async def guarded(request: web.Request) -> web.StreamResponse:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if _host_name(host) not in LOOPBACK or origin not in (None, f"http://{host}"):
            return _error(403, "The sandbox answers pages of this machine only.")
        try:
            response = await handler(request)
        except SandboxRefusal as refusal:
            response = _error(409, _sentence(str(refusal)))
        return response

    return guarded


def _host_name(host: str) -> str | None:
    with contextlib.suppress(ValueError):
        return urlsplit(f"//{host}").hostname
    return None


async def _harmless_attachment(request: web.Request, response: web.StreamResponse) -> None:
    """Keep an attached web page from acting in the name of this one."""
    if request.path.startswith("/attachments/"):
        response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
        response.headers["X-Content-Type-Options"] = "nosniff"


def _served(name: str) -> web.Response:
    path = FILES / name
    headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache"}
    text = path.read_text(encoding="utf-8")
    return web.Response(text=text, content_type=TYPES[path.suffix], headers=headers)


def _error(status: int, sentence: str) -> web.Response:
    return web.json_response({"error": sentence}, status=status)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _text(body: Json, key: str, *, empty: bool = False) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not (value.strip() or empty):
        raise SandboxRefusal(f"The request names no {key}.")
    return value


def _command(body: Json) -> str:
    """A command with its subcommands, without the slash."""
    return _text({"command": _text(body, "command").removeprefix("/")}, "command")


def _object(value: Any) -> Json:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise SandboxRefusal("Options and fields are given by name.")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise SandboxRefusal("The choices are not a list.")
    return value


def _component_kind(components: Iterable[Json], custom_id: str) -> str | None:
    found = [c for c in walk_components(list(components)) if c.get("custom_id") == custom_id]
    return COMPONENT_KINDS.get(found[0]["type"]) if found else None


def _upload(value: Any) -> tuple[str, bytes]:
    """A file as the page sends it: ``{"name": …, "data": base64}``."""
    try:
        return str(value["name"]), base64.b64decode(value["data"], validate=True)
    except (KeyError, TypeError, binascii.Error) as error:
        raise SandboxRefusal("The file did not arrive whole; please choose it again.") from error
