"""The collection of real game logs beside this checkout, and what is known of each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

__all__ = ["index", "read"]

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "logs"


def index() -> list[dict[str, Any]]:
    """What is known of each log; a test that asks is skipped where the collection is absent."""
    known = FOLDER / "index.json"
    if not known.exists():
        pytest.skip("the game logs are not beside this checkout")
    files: list[dict[str, Any]] = json.loads(known.read_text(encoding="utf-8"))["files"]
    return files


def read(name: str) -> bytes:
    """A log as it was found."""
    return (FOLDER / name).read_bytes()
