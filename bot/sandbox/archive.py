"""Keeping a world in a JSON file, so that a club tried out today is still there tomorrow."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

from bot.sandbox.objects import EPHEMERAL, LOADING, Json, Snowflakes

__all__ = ["read", "write"]

_FORMAT = "tenbou-sandbox-1"
_PLAIN = ("commands", "base_url")


def write(state: dict[str, Any], path: Path) -> None:
    """Write the attributes of a world; the file is replaced in one step, so a crash leaves the old one."""
    kept = {
        key: message for key, message in state["messages"].items() if not message["flags"] & (EPHEMERAL | LOADING)
    }
    files = {a["id"] for message in kept.values() for a in message["attachments"]}
    document = {
        "format": _FORMAT,
        "bot": state["bot"]["id"],
        "last": state["snowflake"](),
        "users": state["users"],
        "guilds": {key: _guild_out(guild) for key, guild in state["guilds"].items()},
        "direct": {
            key: channel["recipients"][0]["id"]
            for key, channel in state["channels"].items()
            if channel["type"] == 1
        },
        "messages": kept,
        "reactors": {key: value for key, value in state["reactors"].items() if key in kept and value},
        "files": {key: base64.b64encode(data).decode() for key, data in state["files"].items() if key in files},
        **{key: state[key] for key in _PLAIN},
    }
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, path)


def read(path: Path) -> dict[str, Any]:
    """Read what ``write`` wrote. Raises ValueError when the file is something else."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != _FORMAT:
            raise ValueError(f"It was kept in another format: {document['format']}.")
        return _state(document)
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not a kept sandbox.") from error


def _guild_out(guild: Json) -> Json:
    members = [{**member, "user": member["user"]["id"]} for member in guild["members"]]
    return {**guild, "members": members}


def _state(document: Json) -> dict[str, Any]:
    users: dict[str, Json] = document["users"]
    channels: dict[str, Json] = {}
    for guild in document["guilds"].values():
        for member in guild["members"]:
            member["user"] = users[member["user"]]
        channels.update({channel["id"]: channel for channel in guild["channels"]})
    for channel_id, user_id in document["direct"].items():
        channels[channel_id] = {
            "id": channel_id,
            "type": 1,
            "recipients": [users[user_id]],
            "last_message_id": None,
            "flags": 0,
        }
    return {
        "snowflake": Snowflakes(int(document["last"])),
        "users": users,
        "guilds": document["guilds"],
        "channels": channels,
        "messages": document["messages"],
        "reactors": document["reactors"],
        "viewers": {},
        "files": {key: base64.b64decode(data) for key, data in document["files"].items()},
        "bot": users[document["bot"]],
        **{key: document[key] for key in _PLAIN},
    }
