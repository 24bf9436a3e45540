"""Settings in a TOML file, as people edit it: each becomes the text that somebody might have written."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from typing import Any

__all__ = ["LARGEST_FILE", "LONGEST_LINE", "MOST_KEYS", "BadFile", "FileFault", "read_file"]

LARGEST_FILE = 64 * 1024  # bytes
MOST_KEYS = 200
# Settings are short; keys with thousands of dots keep the reader of TOML busy for seconds.
LONGEST_LINE = 400  # characters


class FileFault(StrEnum):
    """Why a file as a whole cannot be read."""

    TOO_LARGE = "too-large"
    NOT_TEXT = "not-text"
    LONG_LINE = "long-line"
    NOT_TOML = "not-toml"
    TOO_MANY_KEYS = "too-many-keys"
    EMPTY = "empty"


class BadFile(ValueError):
    """A file that holds no settings; `problem` says where, when the file is not TOML."""

    def __init__(self, fault: FileFault, problem: str = "") -> None:
        super().__init__(f"{fault}: {problem}")
        self.fault = fault
        self.problem = problem


def read_file(data: bytes) -> dict[str, str]:
    """The keys of a TOML file with their values as text, in the order of the file. Raises BadFile."""
    if len(data) > LARGEST_FILE:
        raise BadFile(FileFault.TOO_LARGE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(FileFault.NOT_TEXT) from None
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        raise BadFile(FileFault.LONG_LINE)
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise BadFile(FileFault.NOT_TOML, str(error)[:200]) from None
    except RecursionError:
        raise BadFile(FileFault.NOT_TOML, "it is nested too deeply") from None
    if len(table) > MOST_KEYS:
        raise BadFile(FileFault.TOO_MANY_KEYS)
    if not table:
        raise BadFile(FileFault.EMPTY)
    return {key: _text(value) for key, value in table.items()}


def _text(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return "{…}"
        case list():
            return " ".join("…" if isinstance(item, (dict, list)) else _text(item) for item in value)
        case int() if value.bit_length() > 64:
            return "…"
        case _:
            return str(value)
