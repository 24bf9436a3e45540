"""Whose rating moved between two days, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from ratings.systems.russian.coefficients import Weight, in_window, sevenths_on, weight_at
from ratings.systems.russian.pool import Pool
from ratings.systems.russian.table import Row, Table, table

__all__ = ["Cause", "Change", "Event", "Moment", "Share", "changes"]


class Event(StrEnum):
    """What happened to a tournament, or to a player's result in it."""

    ENTERED = "entered"
    AGED = "aged"
    LEFT = "left"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Moment:
    """The results that count in one rating, and the day they are looked at."""

    pool: Pool
    day: date


@dataclass(frozen=True, slots=True)
class Share:
    """What a tournament, or a player's result in it, weighed: `weight` is W, `sevenths` is A in sevenths.

    `place` is None for the tournament as such.
    """

    weight: float
    sevenths: int
    place: int | None
    participants: int


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that happened to the player's own result, or to a tournament among the maximal coefficients,
    which are everybody's. A share is None where it did not count."""

    event: Event
    tournament_id: int
    maximal: bool
    before: Share | None
    after: Share | None


@dataclass(frozen=True, slots=True)
class Change:
    """A player whose rating moved, or who joined or left the table; a row is None where he was not listed."""

    player_id: int
    before: Row | None
    after: Row | None
    causes: tuple[Cause, ...]


def changes(before: Moment, after: Moment) -> list[Change]:
    """Whose rating moved from one moment to a later one, in order of the later table, then who is gone.

    The pools may come from facts of which some were corrected in between: a result of a rated tournament that
    differs, appears or disappears without the calendar's doing is CORRECTED. A tournament whose first results
    have come in ENTERED, whenever it was played.
    """
    old_table, new_table = table(before.pool, before.day), table(after.pool, after.day)
    old_rows = {row.player_id: row for row in old_table.rows}
    new_rows = {row.player_id: row for row in new_table.rows}
    reasons = _Reasons(before, after)
    common = reasons.maximal(old_table, new_table)
    found = []
    for player in new_rows | old_rows:
        old, new = old_rows.get(player), new_rows.get(player)
        if old is None or new is None or old.rating != new.rating:
            found.append(Change(player, old, new, (*reasons.own(player), *common)))
    return found


class _Side:
    """A moment, with what is asked of it again and again."""

    def __init__(self, moment: Moment) -> None:
        self.pool = moment.pool
        self.day = moment.day
        aged = {each.id: sevenths_on(each.last_day, self.day) for each in self.pool.tournaments.values()}
        self.sevenths = {tournament_id: sevenths for tournament_id, sevenths in aged.items() if sevenths}

    def state(self, tournament_id: int) -> tuple[int, tuple[Weight, ...]] | None:
        """What decides, with a place, what a result in the tournament is worth; None when nothing is."""
        sevenths = self.sevenths.get(tournament_id)
        return None if sevenths is None else (sevenths, self.pool.weights[tournament_id])

    def own(self, tournament_id: int, place: int | None) -> Share | None:
        """What a player's result weighs; None when he has no place in the tournament."""
        return None if place is None else self._share(tournament_id, place)

    def whole(self, tournament_id: int) -> Share | None:
        """What the tournament weighs among the maximal coefficients; None when it does not count."""
        return replace(self._share(tournament_id, 1), place=None) if tournament_id in self.sevenths else None

    def _share(self, tournament_id: int, place: int) -> Share:
        weight = weight_at(self.pool.weights[tournament_id], place)
        participants = self.pool.tournaments[tournament_id].participants
        return Share(weight.total, self.sevenths[tournament_id], place, participants)

    def places_of(self, player: int) -> dict[int, int]:
        """The player's places by tournament, of those in the window."""
        return {each: place for each, place in self.pool.places_of(player) if each in self.sevenths}


class _Reasons:
    """What differs between two moments."""

    def __init__(self, before: Moment, after: Moment) -> None:
        self._before, self._after = _Side(before), _Side(after)
        rated = before.pool.tournaments.keys() | after.pool.tournaments.keys()
        self._moved = {each for each in rated if self._before.state(each) != self._after.state(each)}

    def own(self, player: int) -> Iterator[Cause]:
        """What happened to the player's own results."""
        old, new = self._before.places_of(player), self._after.places_of(player)
        for tournament_id in sorted(old.keys() | new.keys()):
            place_before, place_after = old.get(tournament_id), new.get(tournament_id)
            if place_before != place_after or tournament_id in self._moved:
                before = self._before.own(tournament_id, place_before)
                after = self._after.own(tournament_id, place_after)
                yield from self._causes(tournament_id, False, before, after)

    def maximal(self, old: Table, new: Table) -> tuple[Cause, ...]:
        """What happened to the tournaments that form MAXK, if it moved."""
        if old.maxk == new.maxk:
            return ()
        leading = {each.tournament_id for each in (*old.maximal, *new.maximal)}
        found: list[Cause] = []
        for tournament_id in sorted(leading):
            before, after = self._before.whole(tournament_id), self._after.whole(tournament_id)
            found += self._causes(tournament_id, True, before, after)
        return tuple(found)

    def _causes(
        self, tournament_id: int, maximal: bool, before: Share | None, after: Share | None
    ) -> Iterator[Cause]:
        for event in self._events(tournament_id, before, after):
            yield Cause(event, tournament_id, maximal, before, after)

    def _events(self, tournament_id: int, before: Share | None, after: Share | None) -> Iterator[Event]:
        if before is None:
            rated = tournament_id in self._before.sevenths
            yield Event.CORRECTED if rated else Event.ENTERED
            return
        last_day = self._before.pool.tournaments[tournament_id].last_day
        if after is None:
            yield Event.CORRECTED if in_window(last_day, self._after.day) else Event.LEFT
            return
        due = sevenths_on(last_day, self._after.day)
        if due not in (0, before.sevenths):
            yield Event.AGED
        if after != replace(before, sevenths=due):
            yield Event.CORRECTED
