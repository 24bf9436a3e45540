"""Whose rating moved between two days, and why."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from ratings.systems.russian.coefficients import Weight, sevenths_on, weight_at
from ratings.systems.russian.pool import Pool
from ratings.systems.russian.table import Row, Table, alike, table

__all__ = ["Cause", "Change", "Event", "Moment", "Share", "changes"]


class Event(StrEnum):
    """What happened to a tournament, or to a player's result in it.

    By the calendar, or for the first time: it ENTERED, being new to the club or old enough; it AGED, its last day
    being the same; it LEFT the window. By a correction: what was told already COUNTS now, or counts no more
    (STOPPED), for the tournament's facts changed, it came back or was removed; it was CORRECTED, being told
    otherwise or withdrawn.
    """

    ENTERED = "entered"
    AGED = "aged"
    LEFT = "left"
    COUNTS = "counts"
    STOPPED = "stopped"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Moment:
    """The results that count in one rating, and the day they are looked at.

    `told` has tournament and player of all results that are told, whether or not they count; None when all of them
    do. Of two moments the pool of the earlier one also has what it knew of the days up to the later one.
    """

    pool: Pool
    day: date
    told: Set[tuple[int, int]] | None = None


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

    The pools may come from facts of which some were corrected in between. What the calendar would have done to
    the earlier facts by itself is told from what the corrections did (see Event).
    """
    old_table, new_table = table(before.pool, before.day), table(after.pool, after.day)
    old_rows = {row.player_id: row for row in old_table.rows}
    new_rows = {row.player_id: row for row in new_table.rows}
    reasons = _Reasons(before, after)
    common = reasons.maximal(old_table, new_table)
    found = []
    for player in new_rows | old_rows:
        old, new = old_rows.get(player), new_rows.get(player)
        if old is None or new is None or alike(old.rating) != alike(new.rating):
            found.append(Change(player, old, new, (*reasons.own(player), *common)))
    return found


class _Side:
    """The results that count in one rating as of a day, with what is asked of them again and again."""

    def __init__(self, pool: Pool, day: date) -> None:
        self.pool = pool
        aged = {each.id: sevenths_on(each.last_day, day) for each in pool.tournaments.values()}
        self.sevenths = {tournament_id: sevenths for tournament_id, sevenths in aged.items() if sevenths}

    def state(self, tournament_id: int) -> tuple[int, date, tuple[Weight, ...]] | None:
        """What decides, with a place, what a result in the tournament is worth; None when nothing is."""
        sevenths = self.sevenths.get(tournament_id)
        if sevenths is None:
            return None
        return sevenths, self.pool.tournaments[tournament_id].last_day, self.pool.weights[tournament_id]

    def share(self, tournament_id: int, place: int | None) -> Share | None:
        """What a result weighs; None when the tournament does not count, or nobody has a place in it."""
        if place is None or tournament_id not in self.sevenths:
            return None
        weight = weight_at(self.pool.weights[tournament_id], place)
        participants = self.pool.tournaments[tournament_id].participants
        return Share(weight.total, self.sevenths[tournament_id], place, participants)

    def whole(self, tournament_id: int) -> Share | None:
        """What the tournament weighs among the maximal coefficients; None when it does not count."""
        share = self.share(tournament_id, 1)
        return None if share is None else replace(share, place=None)

    def places_of(self, player: int) -> dict[int, int]:
        """The player's places by tournament, in the window or not."""
        return dict(self.pool.places_of(player))


class _Steps(NamedTuple):
    """A share as it was, as it would be now if nobody had corrected anything, and as it is; and whether the club
    was told of it before and is now."""

    before: Share | None
    uncorrected: Share | None
    after: Share | None
    told_before: bool
    told_after: bool


class _Reasons:
    """What differs between two moments."""

    def __init__(self, before: Moment, after: Moment) -> None:
        self._sides = (
            _Side(before.pool, before.day),
            _Side(before.pool, after.day),
            _Side(after.pool, after.day),
        )
        self._told = tuple(_told(moment) for moment in (before, after))
        self._known = tuple({tournament_id for tournament_id, _ in told} for told in self._told)
        rated = before.pool.tournaments.keys() | after.pool.tournaments.keys()
        first, _, last = self._sides
        self._moved = {each for each in rated if first.state(each) != last.state(each)}

    def own(self, player: int) -> Iterator[Cause]:
        """What happened to the player's own results."""
        first, uncorrected, last = self._sides
        old, new = first.places_of(player), last.places_of(player)
        for tournament_id in sorted(old.keys() | new.keys()):
            places = old.get(tournament_id), new.get(tournament_id)
            if places[0] != places[1] or tournament_id in self._moved:
                steps = _Steps(
                    first.share(tournament_id, places[0]),
                    uncorrected.share(tournament_id, places[0]),
                    last.share(tournament_id, places[1]),
                    *((tournament_id, player) in told for told in self._told),
                )
                yield from self._causes(tournament_id, False, steps)

    def maximal(self, old: Table, new: Table) -> tuple[Cause, ...]:
        """What happened to the tournaments that form MAXK, if it moved."""
        if old.maxk == new.maxk:
            return ()
        found: list[Cause] = []
        for tournament_id in sorted({each.tournament_id for each in (*old.maximal, *new.maximal)}):
            before, uncorrected, after = (side.whole(tournament_id) for side in self._sides)
            steps = _Steps(before, uncorrected, after, *(tournament_id in known for known in self._known))
            found += self._causes(tournament_id, True, steps)
        return tuple(found)

    def _causes(self, tournament_id: int, maximal: bool, steps: _Steps) -> Iterator[Cause]:
        first, _, last = (side.pool.tournaments.get(tournament_id) for side in self._sides)
        moved = first is not None and last is not None and first.last_day != last.last_day
        for event in _events(steps, moved):
            yield Cause(event, tournament_id, maximal, steps.before, steps.after)


def _told(moment: Moment) -> Set[tuple[int, int]]:
    if moment.told is not None:
        return moment.told
    pool = moment.pool
    return {(tournament_id, player) for player in pool.cells for tournament_id, _ in pool.places_of(player)}


def _events(steps: _Steps, moved: bool) -> Iterator[Event]:
    """What led from one share to the other; a tournament that `moved` has got another last day."""
    before, uncorrected, after = steps.before, steps.uncorrected, steps.after
    if before is None and after is None:
        return
    if before is None:
        corrected = steps.told_before and uncorrected is None
        yield Event.COUNTS if corrected else Event.ENTERED
    elif after is None:
        if uncorrected is None:
            yield Event.LEFT
        else:
            yield Event.STOPPED if steps.told_after else Event.CORRECTED
    elif moved or uncorrected is None:
        yield Event.CORRECTED
    else:
        if before.sevenths != uncorrected.sevenths:
            yield Event.AGED
        if after != uncorrected:
            yield Event.CORRECTED
