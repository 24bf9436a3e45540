"""Discord's rules for application commands."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from bot.sandbox.errors import FormError, Refused, invalid_form
from bot.sandbox.objects import Json

__all__ = ["check_commands", "command_errors", "command_size"]

_MOST = {1: 100, 2: 15, 3: 15}
_SUBCOMMAND, _GROUP = 1, 2
_CHOOSABLE = (3, 4, 10)
_SIZE = 8000
_BAD_NAME = "Command name is invalid"


def check_commands(commands: Any) -> None:
    """Refuse a list of commands that Discord would refuse: 50035 for a rule broken, 30032 for too many."""
    if not isinstance(commands, list) or not all(isinstance(c, dict) for c in commands):
        raise invalid_form([("", "Only iterables may be used in a ListType")])
    errors: list[FormError] = []
    for number, command in enumerate(commands):
        errors += [(f"{number}.{path}", text) for path, text in command_errors(command)]
    names = Counter((c.get("type", 1), c.get("name")) for c in commands)
    repeated = sorted(str(name) for (_, name), count in names.items() if count > 1)
    if repeated:
        errors.append(("", f"Application command names must be unique: {', '.join(repeated)}"))
    if errors:
        raise invalid_form(errors)
    kinds = Counter(c.get("type", 1) for c in commands)
    if any(count > _MOST[kind] for kind, count in kinds.items()):
        raise Refused(30032)


def command_errors(command: Json) -> list[FormError]:
    """What is wrong with one command; paths are relative to it."""
    kind = command.get("type", 1)
    if kind not in _MOST:
        return [("type", "Value must be one of {1, 2, 3}.")]
    if kind != 1:
        errors = list(_length("name", command.get("name"), 32))
        if command.get("description"):
            errors.append(("description", "Context menu commands cannot have description"))
        if command.get("options"):
            errors.append(("options", "Context menu commands cannot have options"))
        return errors
    errors = [*_named(command), *_options(command.get("options") or [], depth=0)]
    if command_size(command) > _SIZE:
        errors.append(("", f"Command exceeds maximum size ({_SIZE})"))
    return errors


def _named(thing: Json) -> Iterable[FormError]:
    yield from _name("name", thing.get("name"))
    yield from _length("description", thing.get("description"), 100)
    for locale, name in (thing.get("name_localizations") or {}).items():
        yield from _name(f"name_localizations.{locale}", name)
    for locale, text in (thing.get("description_localizations") or {}).items():
        yield from _length(f"description_localizations.{locale}", text, 100)


def _name(path: str, name: Any) -> Iterable[FormError]:
    yield from _length(path, name, 32)
    if isinstance(name, str) and (name != name.lower() or not all(map(_name_character, name))):
        yield path, _BAD_NAME


def _name_character(character: str) -> bool:
    devanagari_or_thai = "\u0900" <= character <= "\u097f" or "\u0e00" <= character <= "\u0e7f"
    return character in "-_'" or unicodedata.category(character)[0] in "LN" or devanagari_or_thai


def _length(path: str, value: Any, most: int) -> Iterable[FormError]:
    if not isinstance(value, str) or not value:
        yield path, "This field is required"
    elif len(value) > most:
        yield path, f"Must be between 1 and {most} in length."


def _options(options: list[Json], depth: int) -> Iterable[FormError]:
    if len(options) > 25:
        yield "options", "Must be 25 or fewer in length."
    if len({option.get("name") for option in options}) < len(options):
        yield "options", "Option name already exists in options"
    nested = [option.get("type") in (_SUBCOMMAND, _GROUP) for option in options]
    if any(nested) and not all(nested):
        yield (
            "options",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    optional_seen = False
    for number, option in enumerate(options):
        for path, text in _option(option, depth):
            yield f"options.{number}.{path}", text
        if option.get("type") in (_SUBCOMMAND, _GROUP):
            continue
        if option.get("required") and optional_seen:
            yield f"options.{number}", "Required options must be placed before non-required options"
        optional_seen = optional_seen or not option.get("required")


def _option(option: Json, depth: int) -> Iterable[FormError]:
    kind = option.get("type")
    yield from _named(option)
    if not isinstance(kind, int) or kind not in range(1, 12):
        yield "type", "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}."
        return
    if kind == _GROUP:
        if depth > 0:
            yield "type", "Sub-command groups cannot be nested"
        if not option.get("options") or any(o.get("type") != _SUBCOMMAND for o in option["options"]):
            yield "options", "A sub-command group holds sub-commands only"
        yield from _options(option.get("options") or [], depth + 1)
    elif kind == _SUBCOMMAND:
        if any(o.get("type") in (_SUBCOMMAND, _GROUP) for o in option.get("options") or ()):
            yield "options", "A sub-command cannot hold sub-commands"
        yield from _options(option.get("options") or [], depth + 1)
    else:
        yield from _value_rules(option, kind)


def _value_rules(option: Json, kind: int) -> Iterable[FormError]:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield "autocomplete", "autocomplete may not be set to true if choices are present"
    if (choices or option.get("autocomplete")) and kind not in _CHOOSABLE:
        yield "choices", "Choices are allowed for text and number options only"
    if kind not in (4, 10) and (option.get("min_value") is not None or option.get("max_value") is not None):
        yield "min_value", "Only number options can have a smallest and a largest value"
    if kind != 3 and (option.get("min_length") is not None or option.get("max_length") is not None):
        yield "min_length", "Only text options can have a smallest and a largest length"
    if len(choices) > 25:
        yield "choices", "Must be 25 or fewer in length."
    for number, choice in enumerate(choices):
        yield from _length(f"choices.{number}.name", choice.get("name"), 100)
        value = choice.get("value")
        if kind == 3:
            yield from _length(f"choices.{number}.value", value, 100)
        elif isinstance(value, bool) or not isinstance(value, int if kind == 4 else int | float):
            yield f"choices.{number}.value", "Could not interpret the value as a number."
    names = [choice.get("name") for choice in choices]
    if len(set(names)) < len(names):
        yield "choices", "The specified choice name is already used"


def command_size(thing: Json) -> int:
    """Characters of a command's names, descriptions and choice values, the longest localisation of each."""
    size = _longest(thing, "name") + _longest(thing, "description")
    for choice in thing.get("choices") or ():
        size += _longest(choice, "name") + len(str(choice.get("value", "")))
    return size + sum(command_size(option) for option in thing.get("options") or ())


def _longest(thing: Json, key: str) -> int:
    texts = [thing.get(key) or "", *(thing.get(f"{key}_localizations") or {}).values()]
    return max(len(str(text)) for text in texts)
