"""Filling in what the bot put in front of a person: select menus, and the fields of a modal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.sandbox.errors import SandboxRefusal
from bot.sandbox.invocations import Resolver
from bot.sandbox.objects import Json, walk_components

__all__ = ["find_button", "find_select", "modal_data", "select_data", "select_values"]

_SELECTS = (3, 5, 6, 7, 8)
_STRING_SELECT = 3
_TEXT_INPUT, _LABEL, _UPLOAD, _RADIO, _CHECKBOXES, _CHECKBOX = 4, 18, 19, 21, 22, 23


def find_button(message: Json, custom_id: str | None, label: str | None) -> Json:
    """The button a person means, by custom id or by what is written on it."""
    buttons = [c for c in walk_components(message["components"]) if c["type"] == 2]
    for button in buttons:
        texts = (button.get("label"), (button.get("emoji") or {}).get("name"))
        if (custom_id is not None and button.get("custom_id") == custom_id) or (label and label in texts):
            if button.get("disabled"):
                raise SandboxRefusal(f"The button {label or custom_id} is disabled.")
            if button.get("url"):
                raise SandboxRefusal(f"The button {label or custom_id} only opens a web page.")
            return button
    names = ", ".join(str(b.get("label") or b.get("custom_id")) for b in buttons) or "none"
    raise SandboxRefusal(f"There is no button {label or custom_id}; there are: {names}.")


def find_select(message: Json, custom_id: str) -> Json:
    """The select menu with this custom id."""
    for component in walk_components(message["components"]):
        if component["type"] in _SELECTS and component.get("custom_id") == custom_id:
            if component.get("disabled"):
                raise SandboxRefusal(f"The menu {custom_id} is disabled.")
            return component
    raise SandboxRefusal(f"There is no menu {custom_id}.")


def select_data(select: Json, values: Iterable[Any], resolver: Resolver) -> Json:
    """The data of a choice in a select menu."""
    data: Json = {"custom_id": select["custom_id"], "component_type": select["type"]}
    data["values"] = select_values(select, list(values), resolver)
    if select["type"] != _STRING_SELECT:
        data["resolved"] = resolver.resolved
    return data


def select_values(select: Json, values: list[Any], resolver: Resolver) -> list[str]:
    """The values of a select. Raises SandboxRefusal for too few, too many, or what is not offered."""
    low, high = _bounds(select)
    if not low <= len(values) <= high:
        raise SandboxRefusal(f"Between {low} and {high} values must be chosen in {select['custom_id']}.")
    match select["type"]:
        case 5:
            chosen = [resolver.user(v) for v in values]
        case 6:
            chosen = [resolver.role(v) for v in values]
        case 7:
            chosen = [resolver.mentionable(v) for v in values]
        case 8:
            chosen = [resolver.place(v, select.get("channel_types")) for v in values]
        case _:
            chosen = [_offered(select, v) for v in values]
    if len(set(chosen)) != len(chosen):
        raise SandboxRefusal(f"A value can be chosen only once in {select['custom_id']}.")
    return chosen


def _bounds(select: Json) -> tuple[int, int]:
    low, high = select.get("min_values"), select.get("max_values")
    if select["type"] == _CHECKBOXES:
        high = len(select["options"]) if high is None else high
    low, high = (1 if low is None else low), (1 if high is None else high)
    return (0 if select.get("required") is False else low), high


def _offered(select: Json, value: Any) -> str:
    for option in select["options"]:
        if value in (option["value"], option["label"]):
            return str(option["value"])
    labels = ", ".join(option["label"] for option in select["options"])
    raise SandboxRefusal(f"{value} is not offered in {select['custom_id']}; offered: {labels}.")


def modal_data(modal: Json, values: dict[str, Any], resolver: Resolver) -> Json:
    """The data of a submitted form. Raises SandboxRefusal when the client would not send it."""
    inputs = [c for c in walk_components(modal["components"]) if c.get("custom_id")]
    known = [c["custom_id"] for c in inputs]
    unknown = [key for key in values if key not in known]
    if unknown:
        raise SandboxRefusal(f"The form has no field {unknown[0]}; it has: {', '.join(known)}.")
    rows: list[Json] = []
    for number, row in enumerate(modal["components"], start=1):
        shell: Json = {"type": row["type"], "id": number}
        if row["type"] == _LABEL:
            rows.append({**shell, "component": _field(row["component"], values, resolver)})
        elif row["type"] == 1:
            rows.append({**shell, "components": [_field(c, values, resolver) for c in row["components"]]})
        else:
            rows.append(shell)
    data: Json = {"custom_id": modal["custom_id"], "components": rows}
    if resolver.resolved:
        data["resolved"] = resolver.resolved
    return data


def _field(field: Json, values: dict[str, Any], resolver: Resolver) -> Json:
    kind, custom_id = field["type"], field["custom_id"]
    filled: Json = {"type": kind, "id": field.get("id", 1), "custom_id": custom_id}
    given = values.get(custom_id)
    if kind == _TEXT_INPUT:
        filled["value"] = _text(field, given)
    elif kind == _CHECKBOX:
        filled["value"] = bool(field.get("default") if given is None else given)
    elif kind == _RADIO:
        filled["value"] = _radio(field, given)
    elif kind == _UPLOAD:
        filled["values"] = _uploads(field, given or [], resolver)
    else:
        filled["values"] = _several(field, given, resolver)
    return filled


def _text(field: Json, given: Any) -> str:
    value = str(field.get("value") or "") if given is None else str(given)
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if not value:
        if field.get("required", True) is not False:
            raise SandboxRefusal(f"The field {field['custom_id']} must be filled in.")
        return value
    if not low <= len(value) <= high:
        raise SandboxRefusal(f"{field['custom_id']} must be between {low} and {high} characters long.")
    return value


def _radio(field: Json, given: Any) -> str | None:
    if given is None:
        chosen = next((o["value"] for o in field["options"] if o.get("default")), None)
        if chosen is None and field.get("required", True):
            raise SandboxRefusal(f"The field {field['custom_id']} must be filled in.")
        return chosen
    return _offered(field, given)


def _uploads(field: Json, given: list[Any], resolver: Resolver) -> list[str]:
    low, high = _bounds(field)
    if not low <= len(given) <= high:
        raise SandboxRefusal(f"Between {low} and {high} files must be given in {field['custom_id']}.")
    return [resolver.attach(file) for file in given]


def _several(field: Json, given: Any, resolver: Resolver) -> list[str]:
    if given is None:
        chosen = [o["value"] for o in field.get("options") or () if o.get("default")]
    else:
        chosen = list(given) if isinstance(given, list | tuple) else [given]
    if not chosen and field.get("required", True) is False:
        return []
    return select_values(field, chosen, resolver)
