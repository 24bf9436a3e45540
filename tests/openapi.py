"""Checking requests against Discord's own API description, where that file lies beside the checkout."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match

__all__ = ["Specification", "checker"]

Check = Callable[[str, str, Any, str], list[tuple[str, str]]]

_FILE = Path(__file__).resolve().parents[2] / "shared" / "discord-openapi.json"
_TEXT_LENGTH = 200

formats = FormatChecker(formats=())


@formats.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or bool(re.match(r"[a-z][a-z0-9+.-]*://\S", value))


class Specification:
    """The requests that Discord's API description allows."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = _relaxed(document)
        self._routes: list[tuple[re.Pattern[str], str]] = [
            (re.compile(re.sub(r"\{[^}]+\}", "[^/]+", template)), template)
            for template in sorted(document["paths"], key=lambda t: (t.count("{"), t))
        ]
        self._validators: dict[tuple[str, str, str], Draft202012Validator | None] = {}
        # The same bot syncs the same commands at every start, and that is the one slow request to check.
        self._remembered = lru_cache(maxsize=64)(self._errors)

    def check(self, method: str, path: str, body: Any, content_type: str) -> list[tuple[str, str]]:
        """What is wrong with a request: where in the body, and what. ``path`` follows ``/api/v10``."""
        template = self._template(method.lower(), path)
        if template is None:
            return [("", f"The API description has no {method} {path}.")]
        validator = self._validator(template, method.lower(), content_type)
        if validator is None:
            return [("", f"{method} {template} takes no body.")] if body is not None else []
        if body is None:
            return []
        return list(self._remembered(template, method.lower(), content_type, json.dumps(body)))

    def _errors(self, template: str, method: str, content_type: str, text: str) -> tuple[tuple[str, str], ...]:
        validator = self._validator(template, method, content_type)
        if validator is None:
            return ()
        return tuple(_readable(error) for error in validator.iter_errors(json.loads(text)))

    def _template(self, method: str, path: str) -> str | None:
        for pattern, template in self._routes:
            if pattern.fullmatch(path) and method in self._document["paths"][template]:
                return template
        return None

    def _validator(self, template: str, method: str, content_type: str) -> Draft202012Validator | None:
        key = (template, method, content_type)
        if key not in self._validators:
            content = self._document["paths"][template][method].get("requestBody", {}).get("content", {})
            media = content.get("application/json") or content.get(content_type)
            validator = None
            if media:
                schema = {**media["schema"], "components": self._document["components"]}
                validator = Draft202012Validator(schema, format_checker=formats)
            self._validators[key] = validator
        return self._validators[key]


def _readable(error: Any) -> tuple[str, str]:
    best = best_match([error]) or error
    return ".".join(map(str, best.absolute_path)), best.message[-_TEXT_LENGTH:]


def _relaxed(document: dict[str, Any]) -> dict[str, Any]:
    """Allow what Discord takes and its description does not say: ids as numbers, permissions as text."""
    schemas = document["components"]["schemas"]
    snowflake = schemas["SnowflakeType"]
    schemas["SnowflakeType"] = {"anyOf": [snowflake, {"type": "integer", "minimum": 0}]}
    for schema in schemas.values():
        for name in ("default_member_permissions", "permissions"):
            permissions = schema.get("properties", {}).get(name)
            if permissions and "integer" in permissions.get("type", ()):
                permissions["type"] = [*permissions["type"], "string"]
    return document


@cache
def _specification() -> Specification | None:
    if not _FILE.is_file():
        return None
    return Specification(json.loads(_FILE.read_text(encoding="utf-8")))


def checker() -> Check | None:
    """The check of a request for ``LocalDiscord(check=...)``; None where the description is absent."""
    specification = _specification()
    return None if specification is None else specification.check
