"""REST routes for the answers to interactions: the callback, and the follow-ups on its webhook."""

from __future__ import annotations

from bot.sandbox.calls import Call, Route
from bot.sandbox.errors import FormError, Refused, invalid_form
from bot.sandbox.interactions import Interaction
from bot.sandbox.limits import check_files, message_errors
from bot.sandbox.limits_components import choice_errors, modal_errors
from bot.sandbox.messages import build, is_empty
from bot.sandbox.objects import EPHEMERAL, LOADING, V2, Json, now_iso, public_user
from bot.sandbox.routes_messages import checked_fields, edit_in_place

__all__ = ["ROUTES"]

_PONG, _MESSAGE, _DEFER, _DEFER_UPDATE, _UPDATE, _CHOICES, _MODAL = 1, 4, 5, 6, 7, 8, 9
_ON_COMMAND = (_MESSAGE, _DEFER, _MODAL)
_ON_COMPONENT = (_MESSAGE, _DEFER, _DEFER_UPDATE, _UPDATE, _MODAL)
_ON_FORM = (_MESSAGE, _DEFER)
_ON_FORM_OF_MESSAGE = (_MESSAGE, _DEFER, _DEFER_UPDATE, _UPDATE)


def callback(call: Call) -> Json | None:
    """The first answer to an interaction: in time, once, and of a kind that fits."""
    interaction = call.hub.interactions.by_id.get(call.params["interaction"])
    if interaction is None or interaction.token != call.params["token"]:
        raise Refused(10062)
    if interaction.acknowledged is not None:
        raise Refused(40060)
    if interaction.failed or interaction.age > call.hub.deadline:
        raise Refused(10062)
    body = call.fields()
    kind = body.get("type")
    if kind not in _answers_to(interaction):
        raise invalid_form([("type", f"Value must be one of {_answers_to(interaction)}.")])
    data = body.get("data") or {}
    if not isinstance(data, dict):
        raise invalid_form([("data", "Only dictionaries may be used in a DictType")])
    _check(call, interaction, kind, data)
    _perform(call, interaction, kind, data)
    interaction.answer(kind)
    call.hub.changes.notify()
    wanted = call.query.get("with_response") in ("1", "true", "True")
    return _response(interaction, kind) if wanted else None


def _answers_to(interaction: Interaction) -> tuple[int, ...]:
    if interaction.type == 4:
        return (_CHOICES,)
    if interaction.type == 3:
        return _ON_COMPONENT
    if interaction.type == 5:
        return _ON_FORM if interaction.message is None else _ON_FORM_OF_MESSAGE
    return _ON_COMMAND


def _check(call: Call, interaction: Interaction, kind: int, data: Json) -> None:
    errors: list[FormError] = []
    if kind == _CHOICES:
        errors = choice_errors(data.get("choices"))
    elif kind == _MODAL:
        errors = modal_errors(data)
    else:
        check_files(call.uploads)
        target = interaction.message if kind == _UPDATE else None
        v2 = bool(target and target["flags"] & V2)
        errors = [(f"data.{path}", text) for path, text in message_errors(data, call.uploads, v2_already=v2)]
    if errors:
        raise invalid_form(errors)
    if kind == _MESSAGE and is_empty({**data, "attachments": call.uploads}):
        raise Refused(50006)


def _perform(call: Call, interaction: Interaction, kind: int, data: Json) -> None:
    if kind == _CHOICES:
        interaction.choices = data["choices"]
    elif kind == _MODAL:
        interaction.modal = data
    elif kind == _MESSAGE:
        interaction.original = _add_message(call, interaction, data)
    elif kind == _DEFER:
        flags = (data.get("flags") or 0) & EPHEMERAL
        interaction.original = _add_message(call, interaction, {"flags": flags}, loading=True)
    else:
        if interaction.message is None or call.world.message(interaction.message["id"]) is None:
            raise Refused(10008)
        interaction.original = interaction.message
        if kind == _UPDATE:
            edit_in_place(call, interaction.message, data)


def _add_message(call: Call, interaction: Interaction, body: Json, *, loading: bool = False) -> Json:
    follow_up = interaction.original is not None
    menu = 23 if interaction.context_menu else 20
    message = build(
        call.world,
        interaction.channel,
        call.bot,
        body,
        call.uploads,
        type=0 if follow_up or interaction.type != 2 else menu,
        application_id=call.world.application_id,
        webhook_id=call.world.application_id,
        interaction_metadata=_metadata(interaction),
    )
    if loading:
        message["flags"] |= LOADING
    if message["flags"] & EPHEMERAL:
        call.world.viewers[message["id"]] = interaction.user["id"]
        interaction.first_ephemeral = interaction.first_ephemeral or not interaction.messages
    interaction.messages.append(message)
    call.hub.actions.post(message)
    return message


def _metadata(interaction: Interaction) -> Json:
    owners = {"0": interaction.guild["id"] if interaction.guild else "0"}
    metadata: Json = {
        "id": interaction.id,
        "type": interaction.type,
        "user": public_user(interaction.user),
        "authorizing_integration_owners": owners,
    }
    if interaction.type == 2:
        metadata["name"] = interaction.command_name
    elif interaction.type == 3 and interaction.message is not None:
        metadata["interacted_message_id"] = interaction.message["id"]
    return metadata


def _response(interaction: Interaction, kind: int) -> Json:
    about: Json = {"id": interaction.id, "type": interaction.type}
    response: Json = {"interaction": about, "resource": {"type": kind}}
    original = interaction.original
    if original is not None:
        about["response_message_id"] = original["id"]
        about["response_message_loading"] = bool(original["flags"] & LOADING)
        about["response_message_ephemeral"] = bool(original["flags"] & EPHEMERAL)
        if kind in (_MESSAGE, _DEFER, _UPDATE):
            response["resource"]["message"] = original
    return response


# Follow-ups


def _webhook(call: Call) -> Interaction:
    """The interaction whose token is in the path: 10015 before the first answer, 50027 after 15 minutes."""
    interaction = call.hub.interactions.by_token.get(call.params["token"])
    if interaction is None or call.params["application"] != call.world.application_id:
        raise Refused(10015)
    if interaction.age > call.hub.token_lifetime:
        raise Refused(50027)
    if interaction.acknowledged is None or interaction.type == 4:
        raise Refused(10015)
    return interaction


def _webhook_message(call: Call, interaction: Interaction) -> Json:
    """The message of the path, among the interaction's own."""
    if "message" not in call.params:
        message = interaction.original
    else:
        own = [*interaction.messages, *filter(None, [interaction.message])]
        message = next((m for m in own if m["id"] == call.params["message"]), None)
    if message is None or call.world.message(message["id"]) is None:
        raise Refused(10008)
    return message


def create_followup(call: Call) -> Json:
    """Send a further message; the first one after a deferral takes the place of "thinking…"."""
    interaction = _webhook(call)
    body = checked_fields(call)
    if is_empty({**body, "attachments": call.uploads}):
        raise Refused(50006)
    original = interaction.original
    if original is not None and original["flags"] & LOADING:
        return _finish(call, original, body)
    return _add_message(call, interaction, body)


def _finish(call: Call, message: Json, body: Json) -> Json:
    """Fill the placeholder of a deferred answer; it stays as visible as it was announced."""
    edited = {key: value for key, value in body.items() if key != "flags"}
    flags = (body.get("flags") or 0) & V2
    message["flags"] = message["flags"] & ~LOADING | flags
    message["timestamp"] = now_iso()
    edit_in_place(call, message, edited)
    message["edited_timestamp"] = None
    return message


def get_followup(call: Call) -> Json:
    """Read an answer."""
    return _webhook_message(call, _webhook(call))


def edit_followup(call: Call) -> Json:
    """Edit an answer, or give the deferred one."""
    message = _webhook_message(call, _webhook(call))
    body = checked_fields(call, v2_already=bool(message["flags"] & V2))
    if message["flags"] & LOADING:
        if is_empty({**body, "attachments": call.uploads}):
            raise Refused(50006)
        return _finish(call, message, body)
    edit_in_place(call, message, body)
    return message


def delete_followup(call: Call) -> None:
    """Delete an answer."""
    interaction = _webhook(call)
    message = _webhook_message(call, interaction)
    interaction.messages = [m for m in interaction.messages if m["id"] != message["id"]]
    call.hub.actions.delete(message)


_WEBHOOK = "/webhooks/{application}/{token}"

ROUTES = [
    Route("POST", "/interactions/{interaction}/{token}/callback", callback, open=True),
    Route("POST", _WEBHOOK, create_followup, open=True),
    *(
        Route(method, f"{_WEBHOOK}/messages/{which}", answer, open=True)
        for which in ("@original", "{message}")
        for method, answer in (("GET", get_followup), ("PATCH", edit_followup), ("DELETE", delete_followup))
    ),
]
