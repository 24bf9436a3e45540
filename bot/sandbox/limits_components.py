"""Discord's rules for buttons, select menus, modals and autocomplete choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.sandbox.errors import FormError
from bot.sandbox.objects import Json, walk_components

__all__ = ["choice_errors", "component_errors", "modal_errors"]

_ROW, _BUTTON, _TEXT_INPUT, _LABEL = 1, 2, 4, 18
_SELECTS = (3, 5, 6, 7, 8)
_V2_TOP = (1, 9, 10, 12, 13, 14, 17)
_MODAL_TOP = (1, 10, 18)
_LABELLED = (4, *_SELECTS, 19, 21, 22, 23)
_LINK, _PREMIUM = 5, 6
_REQUIRED = "This field is required"


def component_errors(components: list[Json], *, v2: bool) -> list[FormError]:
    """What is wrong with the components of a message; ``v2``: the message is laid out by components."""
    walked = walk_components(components)
    errors = list(_duplicates(walked))
    if not v2 and len(components) > 5:
        errors.append(("components", "Must be between 1 and 5 in length."))
    if v2 and len(walked) > 40:
        errors.append(("components", "Must be 40 or fewer in length."))
    if sum(len(str(c.get("content") or "")) for c in walked if c.get("type") == 10) > 4000:
        errors.append(("components", "The displayable text must be 4000 or fewer in length."))
    for number, component in enumerate(components):
        at = f"components.{number}"
        if component.get("type") not in (_V2_TOP if v2 else (_ROW,)):
            errors.append((f"{at}.type", f'Value of field "type" must be one of {_V2_TOP if v2 else (_ROW,)}.'))
        else:
            errors += _inside(component, at)
    return errors


def _inside(component: Json, at: str) -> Iterable[FormError]:
    kind = component.get("type")
    if kind == _ROW:
        yield from _row_errors(component, at)
        return
    for number, inner in enumerate(component.get("components") or ()):
        yield from _inside(inner, f"{at}.components.{number}")
    accessory = component.get("accessory")
    if isinstance(accessory, dict) and accessory.get("type") == _BUTTON:
        yield from _button_errors(accessory, f"{at}.accessory")


def _row_errors(row: Json, at: str) -> Iterable[FormError]:
    inner = row.get("components") or []
    selects = [c for c in inner if c.get("type") in _SELECTS]
    if not 1 <= len(inner) <= 5 or (selects and len(inner) > 1):
        yield f"{at}.components", "The specified component exceeds the maximum width" if inner else _REQUIRED
    for number, component in enumerate(inner):
        path = f"{at}.components.{number}"
        if component.get("type") == _BUTTON:
            yield from _button_errors(component, path)
        elif component.get("type") in _SELECTS:
            yield from _select_errors(component, path)
        else:
            yield f"{path}.type", 'Value of field "type" must be one of (2, 3, 5, 6, 7, 8).'


def _button_errors(button: Json, at: str) -> Iterable[FormError]:
    style = button.get("style")
    if style not in range(1, 7):
        yield f"{at}.style", "Value must be one of {1, 2, 3, 4, 5, 6}."
    label = button.get("label")
    if label is not None and len(label) > 80:
        yield f"{at}.label", "Must be 80 or fewer in length."
    if style != _PREMIUM and not label and not button.get("emoji"):
        yield f"{at}.label", "A button must have a label or an emoji."
    if style == _LINK:
        if not button.get("url") or button.get("custom_id"):
            yield f"{at}.url", "A url is required and a custom id is not allowed for link buttons."
    elif button.get("url"):
        yield f"{at}.url", "A url is allowed only for link buttons."
    elif style != _PREMIUM:
        yield from _custom_id_errors(button, at)


def _custom_id_errors(component: Json, at: str) -> Iterable[FormError]:
    custom_id = component.get("custom_id")
    if not custom_id or not isinstance(custom_id, str):
        yield f"{at}.custom_id", "A custom id is required"
    elif len(custom_id) > 100:
        yield f"{at}.custom_id", "Must be between 1 and 100 in length."


def _select_errors(select: Json, at: str) -> Iterable[FormError]:
    yield from _custom_id_errors(select, at)
    if len(select.get("placeholder") or "") > 150:
        yield f"{at}.placeholder", "Must be 150 or fewer in length."
    low, high = select.get("min_values"), select.get("max_values")
    low, high = (1 if low is None else low), (1 if high is None else high)
    if not 0 <= low <= 25 or not 1 <= high <= 25 or low > high:
        yield f"{at}.max_values", "Must be between min_values and 25."
    if select.get("type") != 3:
        return
    options = select.get("options") or []
    if not 1 <= len(options) <= 25:
        yield f"{at}.options", "Must be between 1 and 25 in length."
    elif high > len(options):
        yield f"{at}.options", f"Must be between {high} and 25 in length."
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        yield f"{at}.options", "The specified option value is already used"
    for number, option in enumerate(options):
        for key, required in (("label", True), ("value", True), ("description", False)):
            yield from _sized(option.get(key), 100, f"{at}.options.{number}.{key}", required=required)


def _sized(value: Any, most: int, at: str, *, required: bool = True) -> Iterable[FormError]:
    if value is None or value == "":
        if required:
            yield at, _REQUIRED
    elif not isinstance(value, str):
        yield at, "Could not interpret the value as string."
    elif len(value) > most:
        yield at, f"Must be between 1 and {most} in length."


def _duplicates(walked: list[Json]) -> Iterable[FormError]:
    seen: set[str] = set()
    for component in walked:
        custom_id = component.get("custom_id")
        if custom_id is not None and custom_id in seen:
            yield "components", f"Component custom id cannot be duplicated: {custom_id}"
        if custom_id is not None:
            seen.add(custom_id)


def modal_errors(data: Json) -> list[FormError]:
    """What is wrong with a modal."""
    errors = [
        *_sized(data.get("title"), 45, "data.title"),
        *_sized(data.get("custom_id"), 100, "data.custom_id"),
    ]
    components = data.get("components") or []
    if not 1 <= len(components) <= 5:
        errors.append(("data.components", "Must be between 1 and 5 in length."))
    errors += _duplicates(walk_components(components))
    for number, row in enumerate(components):
        at = f"data.components.{number}"
        if row.get("type") not in _MODAL_TOP:
            errors.append((f"{at}.type", f'Value of field "type" must be one of {_MODAL_TOP}.'))
        elif row["type"] == _LABEL:
            errors += _label_errors(row, at)
        elif row["type"] == _ROW:
            inner = row.get("components") or []
            if len(inner) != 1 or inner[0].get("type") != _TEXT_INPUT:
                errors.append((f"{at}.components", "A row of a form holds exactly one text input."))
            for field in inner:
                errors += _sized(field.get("label"), 45, f"{at}.components.0.label")
                errors += _input_errors(field, f"{at}.components.0")
    return errors


def _label_errors(row: Json, at: str) -> Iterable[FormError]:
    yield from _sized(row.get("label"), 45, f"{at}.label")
    yield from _sized(row.get("description"), 100, f"{at}.description", required=False)
    field = row.get("component")
    if not isinstance(field, dict) or field.get("type") not in _LABELLED:
        yield f"{at}.component", _REQUIRED
    elif field["type"] == _TEXT_INPUT:
        yield from _input_errors(field, f"{at}.component")
    elif field["type"] in _SELECTS:
        yield from _select_errors(field, f"{at}.component")
    else:
        yield from _custom_id_errors(field, f"{at}.component")


def _input_errors(field: Json, at: str) -> Iterable[FormError]:
    yield from _custom_id_errors(field, at)
    if field.get("style") not in (1, 2):
        yield f"{at}.style", "Value must be one of {1, 2}."
    low, high = field.get("min_length") or 0, field.get("max_length")
    high = 4000 if high is None else high
    if not 0 <= low <= 4000 or not 1 <= high <= 4000 or low > high:
        yield f"{at}.max_length", "Must be between min_length and 4000."
    value = field.get("value")
    if value and not low <= len(value) <= high:
        yield f"{at}.value", f"Must be between {low} and {high} in length."
    yield from _sized(field.get("placeholder"), 100, f"{at}.placeholder", required=False)


def choice_errors(choices: Any) -> list[FormError]:
    """What is wrong with the choices of an autocomplete answer."""
    at = "data.choices"
    if not isinstance(choices, list):
        return [(at, _REQUIRED)]
    errors: list[FormError] = []
    if len(choices) > 25:
        errors.append((at, "Must be 25 or fewer in length."))
    for number, choice in enumerate(choices):
        errors += _sized(choice.get("name"), 100, f"{at}.{number}.name")
        value = choice.get("value")
        if isinstance(value, str):
            errors += _sized(value, 100, f"{at}.{number}.value")
        elif isinstance(value, bool) or not isinstance(value, int | float):
            errors.append((f"{at}.{number}.value", "Could not interpret the value as string or number."))
    return errors
