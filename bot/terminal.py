"""What commands that end by themselves say to the operator."""

from __future__ import annotations

import sys

__all__ = ["counted", "say"]


def say(sentence: str) -> None:
    """Print a sentence. A console that lacks a letter of somebody's name must not end a command."""
    encoding = sys.stdout.encoding or "utf-8"
    print(sentence.encode(encoding, "backslashreplace").decode(encoding), flush=True)  # noqa: T201


def counted(number: int, thing: str) -> str:
    """So many of a thing."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
