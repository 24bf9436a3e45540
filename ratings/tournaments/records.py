"""A tournament as it is told: what it was, and who took which place."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from ratings.systems.russian import Stage, Tournament

__all__ = ["ChangeKind", "Details", "Doubt", "DoubtKind", "Line", "Telling"]


class ChangeKind(StrEnum):
    """What was done to a tournament."""

    IMPORT = "import"
    ADD = "add"
    RESULT = "result"
    EDIT = "edit"
    REMOVE = "remove"
    RESTORE = "restore"
    UNDO = "undo"


class DoubtKind(StrEnum):
    """Why it is not known who a row of a results file is."""

    UNKNOWN = "unknown"
    SEVERAL = "several"
    TWICE = "twice"
    TWO_RECORDS = "two_records"
    OTHER_MEMBER = "other_member"
    EMA_TAKEN = "ema_taken"
    EMA_DIFFERS = "ema_differs"
    COUNTRY_DIFFERS = "country_differs"
    NO_MEMBER = "no_member"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A row of a results file of whom it is not known who it is.

    `text` is the name in the file, and for a member that cannot be found what the file calls him. `near` are
    known names that it may be a spelling of; for TWO_RECORDS and OTHER_MEMBER the member's name, for EMA_TAKEN
    the name of whoever has the number, for EMA_DIFFERS the number that is known, and for COUNTRY_DIFFERS the
    country in the file and the one that is known. `other` is the earlier row of the same player.
    """

    row: int
    kind: DoubtKind
    text: str
    near: tuple[str, ...] = ()
    other: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What a tournament was; the fields are those of the rating rules' Tournament."""

    name: str
    first_day: date | None = None
    last_day: date
    hanchan: int | None = None
    participants: int
    country: str
    online: bool = False
    accredited: bool = False
    open_share: int | None = None
    ema: bool = False
    stages: tuple[Stage, ...] = ()

    def tournament(self, tournament_id: int) -> Tournament:
        """The tournament for the rating rules. Raises ValueError for what no tournament can be."""
        return Tournament(
            id=tournament_id,
            name=self.name,
            first_day=self.first_day,
            last_day=self.last_day,
            hanchan=self.hanchan,
            participants=self.participants,
            country=self.country,
            online=self.online,
            accredited=self.accredited,
            open_share=self.open_share,
            ema=self.ema,
            stages=self.stages,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A player's result. `score` is a decimal number in the tournament's own unit; a replacement player keeps
    his place and is listed nowhere."""

    player_id: int
    place: int
    replacement: bool = False
    score: str | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """A tournament with its results, by place. One that is `removed` counts nowhere."""

    details: Details
    lines: tuple[Line, ...] = ()
    removed: bool = False

    def as_json(self) -> str:
        """The telling for the archive."""
        values = asdict(self.details)
        for name in ("first_day", "last_day"):
            values[name] = None if values[name] is None else values[name].isoformat()
        lines = [[line.player_id, line.place, line.replacement, line.score, line.games] for line in self.lines]
        return json.dumps({"details": values, "lines": lines, "removed": self.removed}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Telling:
        """A telling out of the archive."""
        told: dict[str, Any] = json.loads(text)
        values = told["details"]
        for name in ("first_day", "last_day"):
            values[name] = None if values[name] is None else date.fromisoformat(values[name])
        values["stages"] = tuple(Stage(*stage) for stage in values["stages"])
        return cls(Details(**values), tuple(Line(*line) for line in told["lines"]), told["removed"])
