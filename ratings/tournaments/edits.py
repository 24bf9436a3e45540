"""The only writer of what is told of tournament players. Every change is written down with what was before it, so
that it can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused
from ratings.store.tables import player_aliases, tournament_changes
from ratings.store.tables import players as records
from ratings.tournaments import player_log, players
from ratings.tournaments.checks import checked_reason
from ratings.tournaments.names import key_of
from ratings.tournaments.player_log import ALIAS, ASSUMED, FACTS, PlayerChange, PlayerChangeKind, Step
from ratings.tournaments.players import Entry

__all__ = ["add_alias", "drop_alias", "edit", "fill_in", "link", "trail", "undo"]

# Records of a person by id: what each says, and the other names it goes by, by key.
Held = dict[int, tuple[Mapping[str, str | None], Mapping[str, str]]]

_UNDOABLE = (PlayerChangeKind.EDIT, PlayerChangeKind.FILL)


def edit(
    connection: sa.Connection,
    guild_id: int,
    player_id: int,
    facts: Mapping[str, str | None],
    by: Person,
    now: int,
    reason: str | None = None,
) -> PlayerChange:
    """Correct what is told of a player, as `players.describe` does; what was changed.

    Raises Refused also when all that is told already (NOTHING_TO_AMEND), and for a reason that is too long.
    """
    club.lock(connection, guild_id, now)
    marks = {"kind": PlayerChangeKind.EDIT, "reason": checked_reason(reason)}

    def work() -> None:
        players.describe(connection, guild_id, player_id, facts)

    change = _noted(connection, guild_id, player_id, by, now, work, **marks)
    if change is None:
        raise Refused(Refusal.NOTHING_TO_AMEND, number=player_id)
    return change


def add_alias(connection: sa.Connection, guild_id: int, player_id: int, name: str, by: Person, now: int) -> None:
    """Let a player go by this name too. Raises Refused as `players.add_alias` does."""
    club.lock(connection, guild_id, now)

    def work() -> None:
        players.add_alias(connection, guild_id, player_id, name)

    _noted(connection, guild_id, player_id, by, now, work, kind=PlayerChangeKind.EDIT)


def drop_alias(connection: sa.Connection, guild_id: int, player_id: int, name: str, by: Person, now: int) -> None:
    """Take a name away again. Raises Refused (NO_ALIAS) when the player does not go by it."""
    club.lock(connection, guild_id, now)

    def work() -> None:
        players.drop_alias(connection, guild_id, player_id, name)

    _noted(connection, guild_id, player_id, by, now, work, kind=PlayerChangeKind.EDIT)


def link(connection: sa.Connection, guild_id: int, player_id: int, person: Person, by: Person, now: int) -> None:
    """Bind a record to a member. Raises Refused as `players.link` does."""
    club.lock(connection, guild_id, now)

    def work() -> None:
        players.link(connection, guild_id, player_id, person)

    _noted(connection, guild_id, player_id, by, now, work, kind=PlayerChangeKind.LINK)


def fill_in(
    connection: sa.Connection,
    guild_id: int,
    told: Mapping[int, Mapping[str, Step]],
    by: Person,
    now: int,
) -> None:
    """Write down what results that were entered have told of players (by record) of whom it was not known, or only
    assumed."""
    if not told:
        return
    marks = _marks(connection, guild_id, by, now) | {"kind": PlayerChangeKind.FILL}
    for player_id, steps in told.items():
        player_log.write(connection, guild_id, [(player_id, steps)], **marks)


def trail(connection: sa.Connection, guild_id: int, player_id: int) -> list[PlayerChange]:
    """What was done to the records of a person, oldest first."""
    return player_log.changes_of(connection, guild_id, players.family_of(connection, guild_id, player_id))


def undo(
    connection: sa.Connection,
    guild_id: int,
    player_id: int,
    by: Person,
    now: int,
    *,
    interaction_id: int | None = None,
) -> PlayerChange:
    """Take back the newest change of a player that has not been taken back; what was changed by that.

    Links to members stay, and so do the names that Discord tells since. Raises Refused when nothing is left
    (NOTHING_TO_UNDO), and when the name or number is somebody else's by now.
    """
    club.lock(connection, guild_id, now)
    done = trail(connection, guild_id, player_id)
    if (again := _done_already(connection, guild_id, interaction_id)) is not None:
        return next(change for change in done if change.id == again)
    undone = {change.undoes for change in done}
    for change in reversed(done):
        if change.kind not in _UNDOABLE or change.id in undone:
            continue
        marks = {"kind": PlayerChangeKind.UNDO, "undoes": change.id, "interaction_id": interaction_id}

        def work(change: PlayerChange = change) -> None:
            _take_back(connection, guild_id, player_id, change)

        if (noted := _noted(connection, guild_id, player_id, by, now, work, **marks)) is not None:
            return noted
    raise Refused(Refusal.NOTHING_TO_UNDO, name=players.entry(connection, guild_id, player_id).name)


def _done_already(connection: sa.Connection, guild_id: int, interaction_id: int | None) -> int | None:
    if interaction_id is None:
        return None
    this = (tournament_changes.c.guild_id == guild_id, tournament_changes.c.interaction_id == interaction_id)
    return connection.execute(sa.select(tournament_changes.c.id).where(*this)).scalar()


def _take_back(connection: sa.Connection, guild_id: int, player_id: int, change: PlayerChange) -> None:
    """Let the records of a person say again what they said before a change."""
    held = _held(connection, players.family_of(connection, guild_id, player_id))
    members = _on_discord(connection, held)
    for record, steps in change.parts:
        back = {fact: step.own for fact, step in steps.items() if fact in FACTS}
        if record in members:
            back.pop("name", None)
        players.refuse_taken(connection, guild_id, record, back)
        if back:
            players.tell(connection, guild_id, [record], back)
        given, dropped = (steps[ALIAS].after, steps[ALIAS].own) if ALIAS in steps else (None, None)
        if dropped is not None:
            players.add_alias(connection, guild_id, record, dropped)
        elif given is not None and key_of(given) in held[record][1]:
            players.drop_alias(connection, guild_id, record, given)


def _on_discord(connection: sa.Connection, family: Held) -> set[int]:
    query = sa.select(records.c.id).where(records.c.id.in_(family), records.c.discord_id.is_not(None))
    return set(connection.execute(query).scalars())


def _noted(
    connection: sa.Connection,
    guild_id: int,
    player_id: int,
    by: Person,
    now: int,
    work: Callable[[], None],
    **particulars: Any,
) -> PlayerChange | None:
    """Do some work on the records of a person, and write down what it changed; None if it changed nothing."""
    family = players.family_of(connection, guild_id, player_id)
    before, shown = _held(connection, family), players.entry(connection, guild_id, player_id)
    work()
    after, shown_now = _held(connection, family), players.entry(connection, guild_id, player_id)
    told = [(record, _steps(record, (before, after), (shown, shown_now))) for record in family]
    told = [(record, steps) for record, steps in told if steps]
    marks = _marks(connection, guild_id, by, now) | particulars
    change_id = player_log.write(connection, guild_id, told, **marks)
    if change_id is None:
        return None
    return next(each for each in player_log.changes_of(connection, guild_id, family) if each.id == change_id)


def _marks(connection: sa.Connection, guild_id: int, by: Person, now: int) -> dict[str, Any]:
    return {"changed_by": club.player_ids(connection, guild_id, [by])[0], "changed_at": now}


def _held(connection: sa.Connection, family: list[int]) -> Held:
    aliases: dict[int, dict[str, str]] = {record: {} for record in family}
    for row in connection.execute(sa.select(player_aliases).where(player_aliases.c.player_id.in_(family))):
        aliases[row.player_id][row.key] = row.name
    told = connection.execute(sa.select(records).where(records.c.id.in_(family))).mappings()
    return {row["id"]: ({fact: row[fact] for fact in FACTS}, aliases[row["id"]]) for row in told}


def _steps(record: int, held: tuple[Held, Held], shown: tuple[Entry, Entry]) -> dict[str, Step]:
    """What was changed about one record of a person, who was and is shown so."""
    (old, old_aliases), (new, new_aliases) = (each[record] for each in held)
    found = {}
    for fact in FACTS:
        if old[fact] != new[fact]:
            # A name and an assumption are the record's own; of the rest the person is shown what any record says.
            own = fact in ("name", ASSUMED)
            one, other = (old[fact], new[fact]) if own else (getattr(each, fact) for each in shown)
            found[fact] = Step(one, other, old[fact])
    for key in old_aliases.keys() - new_aliases.keys():
        found[ALIAS] = Step(old_aliases[key], None, old_aliases[key])
    for key in new_aliases.keys() - old_aliases.keys():
        found[ALIAS] = Step(None, new_aliases[key], None)
    return found
