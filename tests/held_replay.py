"""`python -m tests.held_replay PLACE …`: the command `python -m bot …`, held at a place until a signal comes.

At `plan` it waits in the middle of a replay, at `write` with everything written and nothing committed. It says
"held" when it is there.
"""

from __future__ import annotations

import sys
from threading import Event
from typing import Any
from unittest.mock import patch

from bot import replay
from bot.__main__ import main
from ratings import ledger

told = Event()


class Ending(Event):
    """The event by which a signal reaches the replay; it opens the gate too."""

    def set(self) -> None:
        """A signal has come."""
        super().set()
        told.set()


def _hold() -> None:
    sys.stdout.write("held\n")
    sys.stdout.flush()
    told.wait()


def _held_plan(connection: Any, guild_id: int, progress: replay.Progress) -> ledger.Plan:
    def show(games: int) -> None:
        _hold()
        progress(games)

    return _plan_replay(connection, guild_id, show)


def _held_write(*arguments: Any) -> None:
    _write_replay(*arguments)
    _hold()


_plan_replay, _write_replay = ledger.plan_replay, ledger.write_replay

if __name__ == "__main__":
    place = ("plan_replay", _held_plan) if sys.argv[1] == "plan" else ("write_replay", _held_write)
    with patch.object(replay, "Event", Ending), patch.object(ledger, *place):
        sys.exit(main(sys.argv[2:]))
