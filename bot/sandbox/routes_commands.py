"""REST routes for application commands."""

from __future__ import annotations

from typing import Any

from bot.sandbox.calls import Call, Route
from bot.sandbox.errors import Refused, invalid_form
from bot.sandbox.limits_commands import check_commands
from bot.sandbox.objects import Json

__all__ = ["ROUTES"]


def _scope(call: Call) -> str:
    if call.params["application"] != call.world.application_id:
        raise Refused(50001)
    return str(call.guild()["id"]) if "guild" in call.params else "global"


def _stored(call: Call, scope: str, given: Json, old: list[Json]) -> Json:
    """A command as Discord keeps it; the one of the same name and type keeps its id."""
    kind = given.get("type", 1)
    before = next((c for c in old if (c["type"], c["name"]) == (kind, given["name"])), None)
    command: Json = {
        "default_member_permissions": None,
        "contexts": None,
        "integration_types": [0],
        "nsfw": False,
        "name_localizations": None,
        "description_localizations": None,
        **given,
        "type": kind,
        "description": given.get("description") or "",
        "application_id": call.world.application_id,
    }
    bits = command["default_member_permissions"]
    command["default_member_permissions"] = None if bits is None else str(bits)
    if scope != "global":
        command["guild_id"] = scope
    if before is not None and {**before, "id": 0, "version": 0} == {**command, "id": 0, "version": 0}:
        return before
    command["id"] = before["id"] if before else call.world.snowflake()
    command["version"] = call.world.snowflake()
    return command


def put_commands(call: Call) -> list[Json]:
    """Replace all commands of a scope."""
    scope = _scope(call)
    check_commands(call.body)
    old = call.world.commands.get(scope, [])
    call.world.commands[scope] = [_stored(call, scope, given, old) for given in call.body]
    call.hub.changes.notify()
    return call.world.commands[scope]


def post_command(call: Call) -> Json:
    """Make a command, or replace the one of the same name and type."""
    scope, given = _scope(call), call.fields()
    old = call.world.commands.get(scope, [])
    key = (given.get("type", 1), given.get("name"))
    others = [c for c in old if (c["type"], c["name"]) != key]
    check_commands([*others, given])
    command = _stored(call, scope, given, old)
    call.world.commands[scope] = [*others, command]
    call.hub.changes.notify()
    return command


def get_commands(call: Call) -> list[Json]:
    """All commands of a scope."""
    return call.world.commands.get(_scope(call), [])


def _named(call: Call) -> tuple[str, Json]:
    scope = _scope(call)
    for command in call.world.commands.get(scope, []):
        if command["id"] == call.params["command"]:
            return scope, command
    raise Refused(10063)


def get_command(call: Call) -> Json:
    """One command."""
    return _named(call)[1]


def patch_command(call: Call) -> Json:
    """Change one command."""
    scope, command = _named(call)
    changes: dict[str, Any] = call.fields()
    if changes.get("type", command["type"]) != command["type"]:
        raise invalid_form([("type", "The type of a command cannot be changed.")])
    changed = {**command, **changes, "version": call.world.snowflake()}
    commands = call.world.commands[scope]
    check_commands([changed if c is command else c for c in commands])
    command.update(changed)
    return command


def delete_command(call: Call) -> None:
    """Delete one command."""
    scope, command = _named(call)
    call.world.commands[scope].remove(command)
    call.hub.changes.notify()


ROUTES = [
    route
    for base in (
        "/applications/{application}/commands",
        "/applications/{application}/guilds/{guild}/commands",
    )
    for route in (
        Route("GET", base, get_commands),
        Route("PUT", base, put_commands),
        Route("POST", base, post_command),
        Route("GET", f"{base}/{{command}}", get_command),
        Route("PATCH", f"{base}/{{command}}", patch_command),
        Route("DELETE", f"{base}/{{command}}", delete_command),
    )
]
