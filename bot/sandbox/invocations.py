"""From what a person typed to an interaction's data: finding the command, checking the options."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from bot.sandbox.errors import SandboxRefusal
from bot.sandbox.objects import Json, public_member, public_user
from bot.sandbox.permissions import Permission
from bot.sandbox.world import World

__all__ = [
    "Attached",
    "Resolver",
    "autocomplete_data",
    "find_command",
    "menu_data",
    "option_value",
    "slash_data",
    "usable_commands",
]

_SUBCOMMAND, _GROUP = 1, 2
_TYPE_NAMES = {3: "text", 4: "a whole number", 5: "true or false", 6: "a user", 7: "a channel", 8: "a role"}
_TYPE_NAMES |= {9: "a user or a role", 10: "a number", 11: "a file"}
_MAX_NUMBER = 2**53


@dataclass(frozen=True, slots=True)
class Attached:
    """A file a person attaches to a command or a form."""

    filename: str
    data: bytes


@dataclass(slots=True)
class Resolver:
    """Turns users, channels, roles and files into ids, and collects Discord's ``resolved`` of them."""

    world: World
    guild: Json | None
    channel: Json
    resolved: dict[str, Json] = field(default_factory=dict)

    def user(self, value: Json) -> str:
        """Resolve a user or member dict."""
        user = value.get("user", value)
        if "username" not in user or user["id"] not in self.world.users:
            raise SandboxRefusal("Only a user can be chosen here.")
        self._put("users", user["id"], public_user(user))
        member = self.world.member(self.guild, user) if self.guild else None
        if member is not None:
            bits = self.world.permissions(user, self.channel)
            shown = {**public_member(member, with_user=False), "permissions": str(bits)}
            self._put("members", user["id"], shown)
        return str(user["id"])

    def role(self, value: Json) -> str:
        """Resolve a role dict."""
        if self.guild is None or self.world.role(self.guild, value.get("id", "")) is None:
            raise SandboxRefusal("Only a role of this guild can be chosen here.")
        self._put("roles", value["id"], value)
        return str(value["id"])

    def place(self, value: Json, types: list[int] | None) -> str:
        """Resolve a channel dict; ``types`` are the channel types that may be chosen."""
        here = self.guild is not None and value.get("guild_id") == self.guild["id"]
        if not here or value["id"] not in self.world.channels:
            raise SandboxRefusal("Only a channel of this guild can be chosen here.")
        if types and value["type"] not in types:
            raise SandboxRefusal(f"#{value['name']} is not of the kind that can be chosen here.")
        shown = {key: value[key] for key in ("id", "name", "type", "parent_id", "position", "flags")}
        bits = str(self.world.permissions(self.world.bot, value))
        self._put("channels", value["id"], {**shown, "permissions": bits, "guild_id": value["guild_id"]})
        return str(value["id"])

    def mentionable(self, value: Json) -> str:
        """Resolve a user, member or role dict."""
        return self.user(value) if "username" in value.get("user", value) else self.role(value)

    def attach(self, value: Any) -> str:
        """Resolve a file: an ``Attached``, or a pair of file name and bytes."""
        file = value if isinstance(value, Attached) else Attached(*value)
        attachment_id = self.world.snowflake()
        place = f"{self.channel['id']}/{attachment_id}/{quote(file.filename)}"
        url = f"{self.world.base_url}/attachments/{place}"
        kind = mimetypes.guess_type(file.filename)[0] or "application/octet-stream"
        self.world.files[attachment_id] = file.data
        shown = {"id": attachment_id, "filename": file.filename, "size": len(file.data), "url": url}
        shown |= {"proxy_url": url, "content_type": kind, "ephemeral": True}
        self._put("attachments", attachment_id, shown)
        return attachment_id

    def _put(self, kind: str, key: str, value: Json) -> None:
        self.resolved.setdefault(kind, {})[key] = value


def usable_commands(world: World, user: Json, channel: Json) -> list[Json]:
    """The commands a person is offered in a channel: synced, meant for the place, permitted to the person."""
    guild = world.guild_of(channel)
    pool = list(world.commands["global"])
    if guild is not None:
        if world.member(guild, world.bot) is None:
            return []
        pool += world.commands.get(guild["id"], [])
    return [c for c in pool if _allowed_here(c, guild) and _permitted(world, c, user, channel)]


def _allowed_here(command: Json, guild: Json | None) -> bool:
    contexts = command.get("contexts")
    if contexts is not None:
        return (1 if guild is None else 0) in contexts
    return guild is not None or command.get("dm_permission") is not False


def _permitted(world: World, command: Json, user: Json, channel: Json) -> bool:
    if world.guild_of(channel) is None:
        return True
    bits = world.permissions(user, channel)
    if not bits & Permission.USE_APPLICATION_COMMANDS:
        return False
    needed = command.get("default_member_permissions")
    if needed is None or bits & Permission.ADMINISTRATOR:
        return True
    return int(needed) != 0 and bits & int(needed) == int(needed)


def find_command(world: World, user: Json, channel: Json, name: str, kind: int = 1) -> Json:
    """The command a person picks by name. Raises SandboxRefusal when the client would not offer it."""
    for command in reversed(usable_commands(world, user, channel)):
        if command["name"] == name and command["type"] == kind:
            return command
    synced = {c["name"] for commands in world.commands.values() for c in commands if c["type"] == kind}
    if name in synced:
        raise SandboxRefusal(f"/{name} is not offered to {user['username']} here.")
    raise SandboxRefusal(f"/{name} is not a synced command; synced: {', '.join(sorted(synced)) or 'none'}.")


def _descend(command: Json, words: list[str]) -> tuple[list[Json], list[Json]]:
    """Follow the words after the command's name: the subcommands on the way, and the options at its end."""
    path: list[Json] = []
    options: list[Json] = command.get("options") or []
    for word in words:
        found = next((o for o in options if o["name"] == word and o["type"] in (_SUBCOMMAND, _GROUP)), None)
        if found is None:
            raise SandboxRefusal(f"/{command['name']} has no subcommand {word}.")
        path.append(found)
        options = found.get("options") or []
    if any(o["type"] in (_SUBCOMMAND, _GROUP) for o in options):
        raise SandboxRefusal(f"/{command['name']} needs a subcommand: {', '.join(o['name'] for o in options)}.")
    return path, options


def _wrap(command: Json, path: list[Json], options: list[Json], resolver: Resolver) -> Json:
    for part in reversed(path):
        options = [{"name": part["name"], "type": part["type"], "options": options}]
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"], "options": options}
    if resolver.resolved:
        data["resolved"] = resolver.resolved
    if command.get("guild_id"):
        data["guild_id"] = command["guild_id"]
    return data


def slash_data(command: Json, words: list[str], values: dict[str, Any], resolver: Resolver) -> Json:
    """The data of a slash command. Raises SandboxRefusal when the client would not send it."""
    path, options = _descend(command, words)
    given = _given(options, values)
    missing = [o["name"] for o in options if o.get("required") and o["name"] not in given]
    if missing:
        raise SandboxRefusal(f"/{command['name']} needs the option {missing[0]}.")
    filled = [
        {"name": o["name"], "type": o["type"], "value": option_value(o, given[o["name"]], resolver)}
        for o in options
        if o["name"] in given
    ]
    return _wrap(command, path, filled, resolver)


def autocomplete_data(
    command: Json, words: list[str], focused: str, text: str, values: dict[str, Any], resolver: Resolver
) -> Json:
    """The data of an autocomplete: the focused option as typed, and the options filled in so far."""
    path, options = _descend(command, words)
    given = _given(options, {**values, focused: text})
    target = next(o for o in options if o["name"] == focused)
    if not target.get("autocomplete"):
        raise SandboxRefusal(f"The option {focused} of /{command['name']} has no autocomplete.")
    filled = []
    for option in options:
        if option["name"] == focused:
            filled.append({"name": focused, "type": option["type"], "value": text, "focused": True})
        elif option["name"] in given:
            value = option_value(option, given[option["name"]], resolver)
            filled.append({"name": option["name"], "type": option["type"], "value": value})
    return _wrap(command, path, filled, resolver)


def menu_data(command: Json, target: Json, resolver: Resolver) -> Json:
    """The data of a context menu command on a user or a message."""
    if command["type"] == 2:
        target_id = resolver.user(target)
    else:
        target_id = target["id"]
        resolver.resolved["messages"] = {target_id: target}
    return {**_wrap(command, [], [], resolver), "target_id": target_id}


def _given(options: list[Json], values: dict[str, Any]) -> dict[str, Any]:
    known = [o["name"] for o in options]
    unknown = [name for name in values if name not in known]
    if unknown:
        raise SandboxRefusal(f"There is no option {unknown[0]}; there are: {', '.join(known) or 'none'}.")
    return {name: value for name, value in values.items() if value is not None}


def option_value(option: Json, value: Any, resolver: Resolver) -> Any:
    """The value a client would send for an option. Raises SandboxRefusal when it would not accept it."""
    kind, name = option["type"], option["name"]
    if option.get("choices"):
        return _choice(option, value)
    try:
        match kind:
            case 3:
                return _text(option, value)
            case 4 | 10:
                return _number(option, value)
            case 5 if isinstance(value, bool):
                return value
            case 6:
                return resolver.user(value)
            case 7:
                return resolver.place(value, option.get("channel_types"))
            case 8:
                return resolver.role(value)
            case 9:
                return resolver.mentionable(value)
            case 11:
                return resolver.attach(value)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise SandboxRefusal(f"{name} must be {_TYPE_NAMES[kind]}.") from error
    raise SandboxRefusal(f"{name} must be {_TYPE_NAMES[kind]}.")


def _choice(option: Json, value: Any) -> Any:
    for choice in option["choices"]:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    names = ", ".join(choice["name"] for choice in option["choices"])
    raise SandboxRefusal(f"{value} is not a choice for {option['name']}; choices: {names}.")


def _text(option: Json, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    low, high = option.get("min_length") or 0, option.get("max_length") or 6000
    if not low <= len(value) <= high or (not value and option.get("required")):
        raise SandboxRefusal(f"{option['name']} must be between {max(low, 1)} and {high} characters long.")
    return value


def _number(option: Json, value: Any) -> int | float:
    if isinstance(value, bool):
        raise TypeError(value)
    whole = option["type"] == 4
    number: int | float = int(str(value)) if whole else float(value)
    low, high = option.get("min_value", -_MAX_NUMBER), option.get("max_value", _MAX_NUMBER)
    low, high = (-_MAX_NUMBER if low is None else low), (_MAX_NUMBER if high is None else high)
    if not low <= number <= high:
        raise SandboxRefusal(f"{option['name']} must be between {low} and {high}.")
    return number
