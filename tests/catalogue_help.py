"""Catalogues made up for a test: texts in another language, read in place of those that the bot has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from bot import texts

__all__ = ["in_use"]


@contextmanager
def in_use(catalogue: Catalog, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the bot find this catalogue, and no other, in an empty folder."""
    place = folder / str(catalogue.locale) / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "tenbou.mo").open("wb") as file:
        write_mo(file, catalogue)
    with monkeypatch.context() as patched:
        patched.setattr(texts, "CATALOGUES", folder)
        texts._load.cache_clear()
        yield
    texts._load.cache_clear()
