"""REST routes for messages."""

from __future__ import annotations

import time
from typing import Any

from bot.sandbox.calls import Call, Route, as_snowflake
from bot.sandbox.errors import Refused, invalid_form
from bot.sandbox.intents import readable_message
from bot.sandbox.limits import check_files, message_errors
from bot.sandbox.messages import apply_edit, build, is_empty
from bot.sandbox.objects import EPHEMERAL, V2, Json, created_ms
from bot.sandbox.permissions import Permission

__all__ = ["ROUTES", "checked_fields", "edit_in_place"]

_FOURTEEN_DAYS_MS = 14 * 24 * 3600 * 1000
_TEXT_CHANNELS = (0, 1, 2, 5, 13)


def checked_fields(call: Call, *, v2_already: bool = False) -> Json:
    """The body of a request that writes a message, refused when it breaks a limit."""
    body = call.fields()
    check_files(call.uploads)
    errors = message_errors(body, call.uploads, v2_already=v2_already)
    if errors:
        raise invalid_form(errors)
    return body


def readable(call: Call, message: Json, channel: Json) -> Json:
    """A message as the bot may read it; without the message content intent others' words are blank."""
    direct = channel["type"] == 1
    return readable_message(message, call.bot["id"], allowed=call.hub.gateway.privileged, direct=direct)


def create_message(call: Call) -> Json:
    """Write a message; a nonce seen lately gives the message written then."""
    channel = call.channel()
    if channel["type"] not in _TEXT_CHANNELS:
        raise Refused(50024)
    call.need(channel, Permission.SEND_MESSAGES)
    _refuse_closed_dm(call, channel)
    body = dict(checked_fields(call))
    body["flags"] = (body.get("flags") or 0) & ~EPHEMERAL
    if call.uploads:
        call.need(channel, Permission.ATTACH_FILES)
    _check_reply(call, channel, body)
    nonce = body.get("nonce")
    if body.get("enforce_nonce") and nonce is not None:
        earlier = _earlier(call, str(nonce))
        if earlier is not None:
            return earlier
    if is_empty({**body, "attachments": call.uploads}):
        raise Refused(50006)
    if body.get("embeds") and not call.may(channel, Permission.EMBED_LINKS):
        body.pop("embeds")
        if is_empty({**body, "attachments": call.uploads}):
            raise Refused(50013)
    message = build(call.world, channel, call.bot, body, call.uploads)
    if is_empty(message):
        raise Refused(50006)
    if nonce is not None:
        call.hub.nonces[str(nonce)] = (time.monotonic(), message["id"])
    call.hub.actions.post(message, nonce)
    return {**message, **({} if nonce is None else {"nonce": nonce})}


def _refuse_closed_dm(call: Call, channel: Json) -> None:
    if channel["type"] != 1:
        return
    user = channel["recipients"][0]
    shared = any(
        call.world.member(guild, user) and call.world.member(guild, call.bot)
        for guild in call.world.guilds.values()
    )
    if user["dms_closed"] or user["bot"] or not shared:
        raise Refused(50007)


def _check_reply(call: Call, channel: Json, body: Json) -> None:
    reference = body.get("message_reference")
    if not reference or reference.get("type", 0) != 0:
        return
    if not call.may(channel, Permission.READ_MESSAGE_HISTORY):
        raise Refused(160002)
    target = call.world.message(as_snowflake(reference.get("message_id")))
    if target is not None and target["channel_id"] == channel["id"]:
        return
    if reference.get("fail_if_not_exists", True):
        raise invalid_form([("message_reference", "Unknown message")])
    del body["message_reference"]


def _earlier(call: Call, nonce: str) -> Json | None:
    at, message_id = call.hub.nonces.get(nonce, (0.0, ""))
    message = call.world.message(message_id)
    if message is None or time.monotonic() - at > call.hub.nonce_window:
        return None
    return {**message, "nonce": nonce}


def edit_message(call: Call) -> Json:
    """Edit the bot's own message."""
    message = call.message()
    if message["author"]["id"] != call.bot["id"]:
        raise Refused(50005)
    channel = call.channel()
    body = dict(checked_fields(call, v2_already=bool(message["flags"] & V2)))
    if call.uploads:
        call.need(channel, Permission.ATTACH_FILES)
    if body.get("embeds") and not call.may(channel, Permission.EMBED_LINKS):
        body.pop("embeds")
    edit_in_place(call, message, body)
    return message


def edit_in_place(call: Call, message: Json, body: Json) -> None:
    """Apply a checked edit; an edit that would leave nothing is refused with 50006."""
    kept = {key: value for key, value in message.items() if key not in body}
    left = {**kept, **{key: value for key, value in body.items() if value}}
    if call.uploads:
        left["attachments"] = call.uploads
    if is_empty(left):
        raise Refused(50006)
    apply_edit(call.world, message, body, call.uploads)
    call.hub.actions.edited(message)


def get_message(call: Call) -> Json:
    """Read one message."""
    message, channel = call.message(), call.channel()
    call.need(channel, Permission.READ_MESSAGE_HISTORY)
    return readable(call, message, channel)


def get_messages(call: Call) -> list[Json]:
    """Read a channel's messages, newest first; nothing without the right to read its history."""
    channel = call.channel()
    limit = call.limit(50, 100)
    if not call.may(channel, Permission.READ_MESSAGE_HISTORY):
        return []
    history = call.world.history(channel)
    found = _slice(history, call, limit)
    return [readable(call, message, channel) for message in reversed(found)]


def _slice(history: list[Json], call: Call, limit: int) -> list[Json]:
    for key in ("around", "before", "after"):
        if key not in call.query:
            continue
        pivot = int(as_snowflake(call.query[key]))
        older = [m for m in history if int(m["id"]) < pivot]
        newer = [m for m in history if int(m["id"]) > pivot]
        if key == "before":
            return older[-limit:]
        if key == "after":
            return newer[:limit]
        here = [m for m in history if int(m["id"]) == pivot]
        half = limit // 2
        return older[len(older) - min(half, len(older)) :] + here + newer[: limit - half - 1]
    return history[-limit:]


def delete_message(call: Call) -> None:
    """Delete the bot's own message, or another's with MANAGE_MESSAGES."""
    message, channel = call.message(), call.channel()
    if message["author"]["id"] != call.bot["id"]:
        if channel["type"] == 1:
            raise Refused(50003, status=403, message="Cannot execute action on a DM channel")
        call.need(channel, Permission.MANAGE_MESSAGES)
    call.hub.interactions.forget_message(message)
    call.hub.actions.delete(message)


def delete_messages(call: Call) -> None:
    """Delete between 2 and 100 messages at once; unknown ones are passed over."""
    channel = call.channel()
    if channel["type"] == 1:
        raise Refused(50003, status=403, message="Cannot execute action on a DM channel")
    call.need(channel, Permission.MANAGE_MESSAGES)
    ids = [as_snowflake(i) for i in call.fields().get("messages") or ()]
    if not 2 <= len(ids) <= 100:
        raise Refused(50016)
    oldest = time.time() * 1000 - _FOURTEEN_DAYS_MS
    if any(created_ms(i) < oldest for i in ids):
        raise Refused(50034)
    found = [m for i in dict.fromkeys(ids) if (m := call.world.message(i)) and m["channel_id"] == channel["id"]]
    for message in found:
        call.hub.interactions.forget_message(message)
    call.hub.actions.delete_many(found)


def typing(call: Call) -> None:
    """Show that the bot is typing."""
    call.need(call.channel(), Permission.SEND_MESSAGES)


def _pin(value: bool) -> Any:
    def pin(call: Call) -> None:
        message, channel = call.message(), call.channel()
        if channel["type"] != 1:
            call.need(channel, Permission.PIN_MESSAGES)
        message["pinned"] = value
        call.hub.actions.edited(message)

    return pin


_MESSAGES = "/channels/{channel}/messages"

ROUTES = [
    Route("GET", _MESSAGES, get_messages),
    Route("POST", _MESSAGES, create_message, bucket="messages"),
    Route("POST", f"{_MESSAGES}/bulk-delete", delete_messages),
    Route("PUT", f"{_MESSAGES}/pins/{{message}}", _pin(True)),
    Route("DELETE", f"{_MESSAGES}/pins/{{message}}", _pin(False)),
    Route("GET", f"{_MESSAGES}/{{message}}", get_message),
    Route("PATCH", f"{_MESSAGES}/{{message}}", edit_message),
    Route("DELETE", f"{_MESSAGES}/{{message}}", delete_message),
    Route("POST", "/channels/{channel}/typing", typing),
]
