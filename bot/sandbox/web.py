"""The web page of the sandbox: what a member sees and does, as JSON below ``/page`` on the local Discord's server."""

from __future__ import annotations

import asyncio
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
from bot.sandbox.objects import EPHEMERAL, LOADING, Json, walk_components
from bot.sandbox.people import Person
from bot.sandbox.permissions import Permission
from bot.sandbox.server import LocalDiscord

__all__ = ["Page"]

FILES = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
HISTORY = 100
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
        self._streams: set[asyncio.Task[Any]] = set()
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

        def seen() -> str:
            return json.dumps(self._seen(request), ensure_ascii=False)

        shown = seen()
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a handler runs in a task
        self._streams.add(task)
        try:
            await response.prepare(request)
            await response.write(f"data: {shown}\n\n".encode())
            while True:
                try:
                    await self._discord.until(lambda: seen() != shown, HEARTBEAT)
                    shown = seen()
                    await response.write(f"data: {shown}\n\n".encode())
                except TimeoutError:
                    await response.write(b": still here\n\n")
        except (ConnectionResetError, SandboxRefusal):
            return response
        finally:
            self._streams.discard(task)

    async def _end_streams(self, _app: web.Application) -> None:
        for task in self._streams:
            task.cancel()

    def _seen(self, request: web.Request) -> Json:
        """Everything the page shows to the member ``viewer`` who looks at ``channel``."""
        members = [m for m in self._guild["members"] if not m["user"]["bot"]]
        viewer = self._viewer(request.query.get("viewer") or members[0]["user"]["id"])
        channels = self._channels(viewer)
        wanted = request.query.get("channel")
        channel = next((c for c in channels if c["id"] == wanted), channels[0])
        person = self._person(viewer, channel)
        return {
            "connected": self._discord.connected,
            "guild": {"id": self._guild["id"], "name": self._guild["name"]},
            "viewer": viewer["id"],
            "channel": channel["id"],
            "channels": [self._shown_channel(self._person(viewer, c), c) for c in channels],
            "members": [self._shown_member(m) for m in self._guild["members"]],
            "roles": [{"id": r["id"], "name": r["name"]} for r in self._guild["roles"]],
            "names": {user["id"]: self._name(user) for user in self._world.users.values()},
            "commands": [c for c in person.commands(channel) if c["type"] == 1],
            "messages": [self._shown_message(person, channel, m) for m in person.history(channel)[-HISTORY:]],
        }

    def _channels(self, viewer: Json) -> list[Json]:
        """The text channels a member sees, and the member's DM with the bot."""
        visible = [
            channel
            for channel in self._guild["channels"]
            if channel["type"] in (0, 5) and self._world.permissions(viewer, channel) & Permission.VIEW_CHANNEL
        ]
        return [*visible, self._world.dm_channel(viewer)]

    def _shown_channel(self, person: Person, channel: Json) -> Json:
        direct = channel["type"] == 1
        name = self._name(self._world.bot) if direct else channel["name"]
        newest = max((int(m["id"]) for m in person.history(channel)), default=0)
        return {"id": channel["id"], "name": name, "type": channel["type"], "direct": direct, "newest": str(newest)}

    def _shown_member(self, member: Json) -> Json:
        user = member["user"]
        roles = [r["name"] for r in self._guild["roles"] if r["id"] in member["roles"]]
        if user["id"] == self._guild["owner_id"]:
            roles.insert(0, "owner")
        return {
            "id": user["id"],
            "name": self._name(user),
            "username": user["username"],
            "bot": user["bot"],
            "roles": roles,
        }

    def _shown_message(self, person: Person, channel: Json, message: Json) -> Json:
        author, flags = message["author"], message["flags"]
        about = message.get("interaction_metadata") or {}
        used = {"by": about["user"]["id"], "command": about["name"]} if "name" in about else None
        mine = author["id"] == person.user["id"]
        others = channel["type"] != 1 and person.can(channel, Permission.MANAGE_MESSAGES)
        return {
            "id": message["id"],
            "author": {"id": author["id"], "name": self._name(author), "bot": author["bot"]},
            "content": message["content"],
            "timestamp": message["timestamp"],
            "edited": message["edited_timestamp"],
            "embeds": message["embeds"],
            "attachments": message["attachments"],
            "components": message["components"],
            "reactions": [
                {"emoji": key, "count": len(users), "mine": person.user["id"] in users}
                for key, users in self._world.reactors.get(message["id"], {}).items()
                if users
            ],
            "used": used,
            "ephemeral": bool(flags & EPHEMERAL),
            "thinking": bool(flags & LOADING),
            "deletable": not flags & EPHEMERAL and (mine or others),
        }

    def _name(self, user: Json) -> str:
        member = self._world.member(self._guild, user["id"])
        nick = member["nick"] if member else None
        return str(nick or user["global_name"] or user["username"])

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
        if channel is None or channel not in self._channels(viewer):
            raise SandboxRefusal("This channel does not exist, or is not shown to this person.")
        return web.json_response(await act(self._person(viewer, channel), channel, body))

    async def _slash(self, person: Person, channel: Json, body: Json) -> Json:
        command = _text(body, "command")
        options = self._options(person, channel, command, body.get("options"))
        return self._answered(await person.slash(command, channel, **options))

    async def _autocomplete(self, person: Person, channel: Json, body: Json) -> Json:
        command, option = _text(body, "command"), _text(body, "option")
        others = self._options(person, channel, command, body.get("options"))
        others.pop(option, None)
        text = _text(body, "text")
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

    def _person(self, viewer: Json, channel: Json) -> Person:
        return self._discord.person(None if channel["type"] == 1 else self._guild, viewer)

    def _message(self, body: Json) -> Json:
        message = self._world.message(_text(body, "message"))
        if message is None:
            raise SandboxRefusal("This message does not exist any more.")
        return message

    def _options(self, person: Person, channel: Json, command: str, given: Any) -> dict[str, Any]:
        name, *words = command.removeprefix("/").split() or [""]
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


def _text(body: Json, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str):
        raise SandboxRefusal(f"The request names no {key}.")
    return value


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
