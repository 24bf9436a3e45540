"""Making and editing messages the way Discord stores them."""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.sandbox.objects import (
    V2,
    Json,
    now_iso,
    public_user,
    walk_components,
)
from bot.sandbox.permissions import Permission
from bot.sandbox.world import World

__all__ = ["Upload", "apply_edit", "build", "is_empty"]

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_SETTABLE_FLAGS = 1 << 2 | 1 << 6 | 1 << 12 | 1 << 15


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came in a request: ``key`` is the n of ``files[n]``."""

    key: str
    filename: str
    content_type: str
    data: bytes


def build(
    world: World,
    channel: Json,
    author: Json,
    body: Json,
    uploads: list[Upload],
    **extra: Any,
) -> Json:
    """Make a message from a request body; it is not in the channel yet."""
    message: Json = {
        "id": world.snowflake(),
        "channel_id": channel["id"],
        "author": public_user(author),
        "content": (body.get("content") or "").strip(),
        "timestamp": now_iso(),
        "edited_timestamp": None,
        "tts": bool(body.get("tts")),
        "type": 0,
        "flags": (body.get("flags") or 0) & _SETTABLE_FLAGS,
        "pinned": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "reactions": [],
        **extra,
    }
    if body.get("poll"):
        message["poll"] = body["poll"]
    message["attachments"] = _attachments(world, message, body.get("attachments"), uploads)
    message["embeds"] = [_embed(embed, message["attachments"]) for embed in body.get("embeds") or ()]
    message["components"] = _components(body.get("components"))
    _mention(world, channel, message, body.get("allowed_mentions"))
    _reference(world, message, body.get("message_reference"))
    return message


def apply_edit(world: World, message: Json, body: Json, uploads: list[Upload]) -> None:
    """Change a message in place by the keys an edit gives; what it does not name stays."""
    channel = world.channels[message["channel_id"]]
    if "content" in body:
        message["content"] = (body["content"] or "").strip()
    if "flags" in body:
        changeable = 1 << 2 | V2
        message["flags"] = message["flags"] & ~(1 << 2) | (body["flags"] or 0) & changeable
    if "attachments" in body or uploads:
        listed = body.get("attachments")
        message["attachments"] = _attachments(world, message, listed, uploads)
    if "embeds" in body:
        message["embeds"] = [_embed(embed, message["attachments"]) for embed in body["embeds"] or ()]
    if "components" in body:
        message["components"] = _components(body["components"])
    if "content" in body or "allowed_mentions" in body:
        _mention(world, channel, message, body.get("allowed_mentions"))
    message["edited_timestamp"] = now_iso()


def is_empty(message: Json) -> bool:
    """Whether there is nothing in a message to show."""
    parts = ("content", "embeds", "attachments", "components", "poll")
    return not any(message.get(part) for part in parts)


def _attachments(world: World, message: Json, listed: list[Json] | None, uploads: list[Upload]) -> list[Json]:
    """Attachments that stay, then the new ones; ``listed`` None keeps all, and names none of the uploads."""
    old = {a["id"]: a for a in message["attachments"]}
    described = {str(entry["id"]): entry for entry in listed or ()}
    kept = list(old.values()) if listed is None else [old[key] for key in described if key in old]
    for gone in [key for key in old if old[key] not in kept]:
        world.files.pop(gone, None)
    fresh = [_attachment(world, message, upload, described.get(upload.key, {})) for upload in uploads]
    return kept + fresh


def _attachment(world: World, message: Json, upload: Upload, described: Json) -> Json:
    attachment_id = world.snowflake()
    filename = re.sub(r"[^\w.-]", "_", described.get("filename") or upload.filename, flags=re.ASCII)
    world.files[attachment_id] = upload.data
    url = f"{world.base_url}/attachments/{message['channel_id']}/{attachment_id}/{quote(filename)}"
    guessed = mimetypes.guess_type(filename)[0]
    attachment: Json = {
        "id": attachment_id,
        "filename": filename,
        "size": len(upload.data),
        "url": url,
        "proxy_url": url,
        "content_type": guessed or upload.content_type,
    }
    if described.get("description"):
        attachment["description"] = described["description"]
    return attachment


def _embed(embed: Json, attachments: list[Json]) -> Json:
    shown: Json = {"type": "rich", **{key: value for key, value in embed.items() if value is not None}}
    for key in ("title", "description"):
        if isinstance(shown.get(key), str):
            shown[key] = shown[key].strip()
    shown["fields"] = [
        {"name": f["name"].strip(), "value": f["value"].strip(), "inline": bool(f.get("inline"))}
        for f in embed.get("fields") or ()
    ]
    for key in ("image", "thumbnail", "footer", "author"):
        if isinstance(shown.get(key), dict):
            shown[key] = _linked(shown[key], attachments)
    if not shown["fields"]:
        del shown["fields"]
    return shown


def _linked(part: Json, attachments: list[Json]) -> Json:
    """``attachment://x.png`` becomes the address of the attached file."""
    linked = dict(part)
    for key in ("url", "icon_url"):
        value = linked.get(key)
        if isinstance(value, str) and value.startswith("attachment://"):
            name = value.removeprefix("attachment://")
            found = next((a["url"] for a in attachments if a["filename"] == name), None)
            if found is None:
                del linked[key]
            else:
                linked[key] = linked[f"proxy_{key}"] = found
    return linked


def _components(components: list[Json] | None) -> list[Json]:
    """Components as they come back: every one has a number of its own."""
    copied = [_copy(component) for component in components or ()]
    walked = walk_components(copied)
    taken = {c["id"] for c in walked if c.get("id")}
    number = 0
    for component in walked:
        if not component.get("id"):
            number += 1
            while number in taken:
                number += 1
            component["id"] = number
    return copied


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    return [_copy(inner) for inner in value] if isinstance(value, list) else value


def _mention(world: World, channel: Json, message: Json, allowed: Json | None) -> None:
    """Work out who is pinged: the mentions in the text that ``allowed_mentions`` lets through."""
    text = message["content"]
    if message["flags"] & V2:
        text = "\n".join(str(c.get("content", "")) for c in walk_components(message["components"]))
    parse = ["users", "roles", "everyone"] if allowed is None else allowed.get("parse") or ()
    users = [i for i in dict.fromkeys(_USER.findall(text)) if _lets("users", i, parse, allowed)]
    roles = [i for i in dict.fromkeys(_ROLE.findall(text)) if _lets("roles", i, parse, allowed)]
    message["mentions"] = [public_user(world.users[i]) for i in users if i in world.users]
    everyone = "everyone" in parse and ("@everyone" in text or "@here" in text)
    message["mention_roles"], message["mention_everyone"] = [], False
    guild = world.guild_of(channel)
    if guild is not None:
        may_all = bool(world.permissions(message["author"], channel) & Permission.MENTION_EVERYONE)
        known = [role for i in roles if (role := world.role(guild, i)) is not None]
        message["mention_roles"] = [role["id"] for role in known if may_all or role["mentionable"]]
        message["mention_everyone"] = everyone and may_all


def _lets(kind: str, snowflake: str, parse: Any, allowed: Json | None) -> bool:
    named = [str(i) for i in (allowed or {}).get(kind) or ()]
    return kind in parse or snowflake in named


def _reference(world: World, message: Json, reference: Json | None) -> None:
    if not reference or reference.get("type", 0) != 0:
        return
    target = world.message(reference["message_id"])
    if target is None:
        return
    message["referenced_message"] = {k: v for k, v in target.items() if k != "referenced_message"}
    channel = world.channels[message["channel_id"]]
    message["type"] = 19
    message["message_reference"] = {
        "type": 0,
        "message_id": target["id"],
        "channel_id": channel["id"],
        **({"guild_id": channel["guild_id"]} if "guild_id" in channel else {}),
    }
