"""The log of what was told of players, next to that of tournaments, and what was told of them at a moment."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa

from ratings.store.tables import players, tournament_changes

__all__ = [
    "ALIAS",
    "ASSUMED",
    "COUNTRIES",
    "FACTS",
    "CountryChange",
    "PlayerChange",
    "PlayerChangeKind",
    "Step",
    "changes_of",
    "countries_corrected",
    "forget",
    "names_in",
    "records_then",
    "steps_of",
    "write",
]

# What is told of a player, as the columns of his record have it, the country that is assumed as long as none is
# told among it, and the other names he goes by.
ASSUMED = "assumed_country"
FACTS = ("country", ASSUMED, "ema_number", "name")
ALIAS = "alias"
COUNTRIES = frozenset({"country", ASSUMED})
_OF_PLAYERS = (
    tournament_changes.c.guild_id == sa.bindparam("guild"),
    tournament_changes.c.player_id.is_not(None),
)
_SINCE = (
    sa.select(tournament_changes.c.player_id, tournament_changes.c.facts)
    .where(*_OF_PLAYERS, tournament_changes.c.id > sa.bindparam("change"))
    .order_by(tournament_changes.c.id.desc())
)
_BETWEEN = (
    sa.select(
        sa.func.coalesce(players.c.merged_into, players.c.id).label("player"),
        tournament_changes.c.facts,
        tournament_changes.c.changed_by,
    )
    .join(players, players.c.id == tournament_changes.c.player_id)
    .where(
        *_OF_PLAYERS,
        tournament_changes.c.id > sa.bindparam("since"),
        tournament_changes.c.id <= sa.bindparam("until"),
    )
    .order_by(tournament_changes.c.id)
)
_NOW = 2**62


class PlayerChangeKind(StrEnum):
    """What was done to a player's record: edited by hand, filled in from results that were entered, linked to a
    member, or a change taken back."""

    EDIT = "edit"
    FILL = "fill"
    LINK = "link"
    UNDO = "undo"


class Step(NamedTuple):
    """What was shown of a player before and after a change, and what the changed record itself said before: that
    of another record of his may have been shown."""

    before: str | None
    after: str | None
    own: str | None


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """A change of a player: by whom (name as last seen), when, why, and each fact's step. `parts` has the steps of
    each record that was changed; `undoes` is the change that this one takes back."""

    id: int
    kind: PlayerChangeKind
    by: str
    at: int
    reason: str | None
    facts: Mapping[str, Step]
    parts: Sequence[tuple[int, Mapping[str, Step]]]
    undoes: int | None


@dataclass(frozen=True, slots=True)
class CountryChange:
    """Who told another country of a player last (the record), as the how manieth of those who told any."""

    by: int
    order: int


def write(
    connection: sa.Connection, guild_id: int, told: Sequence[tuple[int, Mapping[str, Step]]], **particulars: Any
) -> int | None:
    """Write down what one command changed, record by record; the id of the change, None if it changed nothing.

    The `particulars` are its `kind`, `changed_by` (a record), `changed_at`, and if there are any `reason`,
    `undoes` and `interaction_id`.
    """
    head: int | None = None
    for player_id, steps in told:
        row = {
            "guild_id": guild_id,
            "player_id": player_id,
            "facts": json.dumps(steps, ensure_ascii=False),
            "part_of": head,
            **particulars,
        }
        if head is not None:
            row["interaction_id"] = None
        new = sa.insert(tournament_changes).values(row).returning(tournament_changes.c.id)
        change_id = int(connection.execute(new).scalar_one())
        head = change_id if head is None else head
    return head


def changes_of(connection: sa.Connection, guild_id: int, family: Collection[int]) -> list[PlayerChange]:
    """What was done to these records of a person, oldest first."""
    rows = connection.execute(
        sa.select(tournament_changes, players.c.name)
        .join(players, players.c.id == tournament_changes.c.changed_by)
        .where(tournament_changes.c.guild_id == guild_id, tournament_changes.c.player_id.in_(family))
        .order_by(tournament_changes.c.id)
    )
    found: dict[int, list[Any]] = {}
    for row in rows:
        found.setdefault(row.part_of or row.id, []).append(row)
    return [_change(group) for group in found.values()]


def _change(rows: Sequence[Any]) -> PlayerChange:
    head = rows[0]
    parts = [(row.player_id, steps_of(row.facts)) for row in rows]
    return PlayerChange(
        id=head.part_of or head.id,
        kind=PlayerChangeKind(head.kind),
        by=head.name,
        at=head.changed_at,
        reason=head.reason,
        facts={fact: step for _, steps in parts for fact, step in steps.items()},
        parts=parts,
        undoes=head.undoes,
    )


def steps_of(text: str) -> dict[str, Step]:
    """What a row of the log says of each fact. Raises ValueError, TypeError or AttributeError for other text."""
    return {fact: Step(*step) for fact, step in json.loads(text).items()}


def records_then(connection: sa.Connection, guild_id: int, change_id: int) -> dict[int, dict[str, str | None]]:
    """What records of players said after a change, by fact, as far as they have been told otherwise since."""
    found: dict[int, dict[str, str | None]] = {}
    for row in connection.execute(_SINCE, {"guild": guild_id, "change": change_id}):
        found.setdefault(row.player_id, {}).update({fact: step.own for fact, step in steps_of(row.facts).items()})
    return found


def countries_corrected(
    connection: sa.Connection, guild_id: int, since: int, until: int | None
) -> dict[int, CountryChange]:
    """The players of whom another country was told after the change `since` and up to `until`, by the record they
    count under."""
    wanted = {"guild": guild_id, "since": since, "until": _NOW if until is None else until}
    rows = connection.execute(_BETWEEN, wanted)
    return {
        row.player: CountryChange(row.changed_by, order)
        for order, row in enumerate(rows)
        if not COUNTRIES.isdisjoint(steps_of(row.facts))
    }


def names_in(connection: sa.Connection, family: Collection[int]) -> set[str]:
    """Whatever these records of a person were called, or went by, according to the log."""
    told = sa.select(tournament_changes.c.facts).where(tournament_changes.c.player_id.in_(family))
    steps = [steps_of(text) for text in connection.execute(told).scalars()]
    named = (step for each in steps for fact, step in each.items() if fact in ("name", ALIAS))
    return {name for step in named for name in step if name is not None}


def forget(connection: sa.Connection, family: Collection[int]) -> None:
    """Leave of what was told of these records nothing but the countries: by them results have counted."""
    told = sa.select(tournament_changes.c.id, tournament_changes.c.facts).where(
        tournament_changes.c.player_id.in_(family)
    )
    for row in connection.execute(told).all():
        kept = {fact: step for fact, step in steps_of(row.facts).items() if fact in COUNTRIES}
        this = tournament_changes.c.id == row.id
        connection.execute(sa.update(tournament_changes).where(this).values(facts=json.dumps(kept)))
