"""What the local Discord refuses: requests of the bot, with Discord's codes, and acts of a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["FormError", "Refused", "SandboxRefusal", "form_errors", "invalid_form"]

FormError = tuple[str, str]
"""Where in the body (dotted path) and what is wrong there."""

_CODES: dict[int, tuple[int, str]] = {
    0: (404, "404: Not Found"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10014: (400, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30005: (400, "Maximum number of guild roles reached (250)"),
    30010: (400, "Maximum number of reactions reached (20)"),
    30032: (400, "Maximum number of application commands reached (100)."),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50016: (400, "Provided too few or too many messages to delete. Must provide at least 2 and at most 100."),
    50024: (403, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50034: (400, "You can only bulk delete messages that are under 14 days old."),
    50109: (400, "The request body contains invalid JSON."),
    160002: (403, "Cannot reply without permission to read message history"),
}


class SandboxRefusal(Exception):
    """A person cannot do this in a real Discord client; the text says why."""


class Refused(Exception):
    """An error answer to a request of the bot, in Discord's shape."""

    def __init__(self, code: int, *, status: int | None = None, message: str | None = None) -> None:
        known_status, known_message = _CODES.get(code, (400, "Bad Request"))
        self.code = code
        self.status = known_status if status is None else status
        self.message = known_message if message is None else message
        self.errors: dict[str, Any] = {}
        self.headers: dict[str, str] = {}
        self.extra: dict[str, Any] = {}
        super().__init__(f"{self.status} (error code: {code}): {self.message}")

    @property
    def body(self) -> dict[str, Any]:
        """The JSON body of the answer."""
        body: dict[str, Any] = {"message": self.message, "code": self.code, **self.extra}
        if self.errors:
            body["errors"] = self.errors
        return body


def form_errors(errors: Iterable[FormError]) -> dict[str, Any]:
    """Nest errors by their paths as Discord does: ``{"embeds": {"0": {"title": {"_errors": [...]}}}}``."""
    tree: dict[str, Any] = {}
    for path, text in errors:
        node = tree
        for step in filter(None, path.split(".")):
            node = node.setdefault(step, {})
        node.setdefault("_errors", []).append({"code": "BASE_TYPE_INVALID", "message": text})
    return tree


def invalid_form(errors: Iterable[FormError]) -> Refused:
    """Answer 400 with code 50035 and the errors nested by path."""
    refused = Refused(50035, status=400, message="Invalid Form Body")
    refused.errors = form_errors(errors)
    return refused
