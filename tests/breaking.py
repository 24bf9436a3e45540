"""Breaking the ledger in the middle of its work, to see that nothing of it stays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from ratings.store import Store
from tests.ledger_help import everything

__all__ = ["untouched_when_broken"]


async def untouched_when_broken(
    store: Store, monkeypatch: pytest.MonkeyPatch, place: str, attempt: Callable[[], Awaitable[object]]
) -> None:
    """Make the function at `place` (its dotted name) fail, attempt the work, and find every table as it was."""
    before = await everything(store)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(place)

    with monkeypatch.context() as patch:
        patch.setattr(place, broken)
        with pytest.raises(RuntimeError, match=place):
            await attempt()
    assert await everything(store) == before
