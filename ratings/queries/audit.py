"""What was done about a game, by whom, when and why; and what is needed to tell a correction in words."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import sqlalchemy as sa

from ratings import club
from ratings.ledger import tellings
from ratings.ledger.tellings import AmericanTelling, Penalised, Telling
from ratings.models import CorrectionKind, GameState, Offence, Verdict
from ratings.queries import cards
from ratings.queries import games as reading
from ratings.queries.cards import CardLine
from ratings.queries.people import names, records_of
from ratings.queries.records import GameRecord
from ratings.settings import ClubSettings
from ratings.store.tables import (
    card_lines,
    corrections,
    decisions,
    game_logs,
    games,
    penalties,
    players,
    rejection_reasons,
)

__all__ = ["Amended", "Background", "Deed", "Event", "amended", "background", "newest", "trail"]

# Written out, not bound, and what an index leaves out said as the index says it: so that it is used.
_APPROVED: sa.ColumnElement[str] = sa.literal_column(f"'{GameState.APPROVED.value}'")
_IN = {
    state: sa.and_(
        games.c.state == sa.literal_column(f"'{state.value}'"),
        sa.true() if state is GameState.APPROVED else games.c.state != _APPROVED,
    )
    for state in GameState
}


class Deed(StrEnum):
    """What can be done about a game."""

    REPORTED = "reported"
    LOG_ATTACHED = "log_attached"
    PENALTY_ADDED = "penalty_added"
    APPROVED = "approved"
    REJECTED = "rejected"
    REASON_GIVEN = "reason_given"
    CORRECTED = "corrected"
    PENALTY_REMOVED = "penalty_removed"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that was done about a game, by whom (name as last seen) and when.

    A correction has its kind, and an amendment what was told `before` and `after`, and the penalties that were
    `recorded` by then; a penalty is of a record for an offence.
    """

    deed: Deed
    by: str
    at: int
    reason: str | None = None
    correction: CorrectionKind | None = None
    before: Telling | None = None
    after: Telling | None = None
    penalty: Penalised | None = None
    recorded: tuple[Penalised, ...] = ()


@dataclass(frozen=True, slots=True)
class Background:
    """What words about a game need besides it: names by record, lines of the card by id, and the settings under
    which it counts, on the club's present clock."""

    names: Mapping[int, str]
    lines: Mapping[int, CardLine]
    settings: ClubSettings


@dataclass(frozen=True, slots=True)
class Amended:
    """A game as it was told at first, and as it is told now; and what is needed to tell the difference."""

    before: Telling
    after: Telling
    background: Background


def background(
    connection: sa.Connection,
    guild_id: int,
    records: Iterable[int],
    told: Iterable[Telling | None] = (),
    version: int | None = None,
) -> Background:
    """The background of these records and tellings; `version` of the settings, None for those of now."""
    tales = [telling for telling in told if telling is not None]
    people = {*records, *(record for telling in tales for record in tellings.named(telling))}
    chosen = {telling.line_id for telling in tales if isinstance(telling, AmericanTelling)} - {None}
    query = sa.select(card_lines).where(card_lines.c.guild_id == guild_id, card_lines.c.id.in_(chosen))
    lines = {row.id: cards.from_row(row) for row in connection.execute(query)} if chosen else {}
    now = club.settings(connection, guild_id)
    settings = club.settings(connection, guild_id, version).model_copy(update={"time_zone": now.time_zone})
    return Background(names(connection, guild_id, people), lines, settings)


def amended(connection: sa.Connection, guild_id: int, game: GameRecord) -> Amended | None:
    """What amendments have made of a game since it was reported; None if it is told as at first."""
    first = connection.execute(
        sa.select(corrections.c.before)
        .where(corrections.c.game_id == game.id, corrections.c.kind == CorrectionKind.AMEND)
        .where(corrections.c.before.is_not(None))
        .order_by(corrections.c.id)
        .limit(1)
    ).scalar()
    if first is None:
        return None
    before, after = tellings.from_json(first), tellings.read(connection, game.id)
    if before == after:
        return None
    version = None if game.approval is None else game.approval.settings_version
    return Amended(before, after, background(connection, guild_id, (), (before, after), version))


def trail(connection: sa.Connection, game: GameRecord) -> list[Event]:
    """Everything that was done about a game, oldest first."""
    events = [
        Event(Deed.REPORTED, game.reporter.name, game.reported_at),
        *_logs(connection, game),
        *_decisions(connection, game.id),
        *_reasons(connection, game.id),
        *_penalties(connection, game.id),
        *_corrections(connection, game.id),
    ]
    # Within one second, what can only follow comes later.
    order = list(Deed)
    events.sort(key=lambda event: (event.at, order.index(event.deed)))
    return list(_with_penalties(events))


def _with_penalties(events: Iterable[Event]) -> Iterator[Event]:
    """The events, of which amendments know what had been recorded by then."""
    recorded: list[Penalised] = []
    for event in events:
        if event.penalty is not None and event.deed is Deed.PENALTY_ADDED:
            recorded.append(event.penalty)
        elif event.penalty is not None:
            recorded.remove(event.penalty)
        yield event if event.after is None else replace(event, recorded=tuple(recorded))


def _logs(connection: sa.Connection, game: GameRecord) -> Iterator[Event]:
    """Who gave the log that the game has, and those that were taken off it."""
    mine = sa.select(game_logs.c.attached_by, game_logs.c.attached_at).where(game_logs.c.game_id == game.id)
    given = [(row.attached_by, row.attached_at) for row in connection.execute(mine)]
    detached = sa.select(corrections.c.before).where(
        corrections.c.game_id == game.id, corrections.c.kind == CorrectionKind.DETACH
    )
    taken = [json.loads(text) for text in connection.execute(detached).scalars()]
    given += [(log["attached_by"], log["attached_at"]) for log in taken]
    known = names(connection, game.guild_id, {record for record, _ in given})
    for record, at in given:
        yield Event(Deed.LOG_ATTACHED, known.get(record, ""), at)


def _decisions(connection: sa.Connection, game_id: int) -> Iterator[Event]:
    query = (
        sa.select(decisions.c.verdict, decisions.c.decided_at, players.c.name)
        .join(players, players.c.id == decisions.c.decided_by)
        .where(decisions.c.game_id == game_id)
        .order_by(decisions.c.id)
    )
    for row in connection.execute(query):
        deed = Deed.APPROVED if row.verdict == Verdict.APPROVE else Deed.REJECTED
        yield Event(deed, row.name, row.decided_at)


def _reasons(connection: sa.Connection, game_id: int) -> Iterator[Event]:
    query = (
        sa.select(rejection_reasons.c.reason, rejection_reasons.c.given_at, players.c.name)
        .join(players, players.c.id == rejection_reasons.c.given_by)
        .where(rejection_reasons.c.game_id == game_id)
        .order_by(rejection_reasons.c.id)
    )
    for row in connection.execute(query):
        yield Event(Deed.REASON_GIVEN, row.name, row.given_at, row.reason)


def _penalties(connection: sa.Connection, game_id: int) -> Iterator[Event]:
    adder, remover = players.alias("adder"), players.alias("remover")
    query = (
        sa.select(penalties, adder.c.name.label("adder_name"), remover.c.name.label("remover_name"))
        .join(adder, adder.c.id == penalties.c.added_by)
        .outerjoin(remover, remover.c.id == penalties.c.removed_by)
        .where(penalties.c.game_id == game_id)
        .order_by(penalties.c.id)
    )
    for row in connection.execute(query):
        penalty = row.player_id, Offence(row.offence)
        yield Event(Deed.PENALTY_ADDED, row.adder_name, row.added_at, penalty=penalty)
        if row.removed_at is not None:
            yield Event(Deed.PENALTY_REMOVED, row.remover_name, row.removed_at, penalty=penalty)


def _corrections(connection: sa.Connection, game_id: int) -> Iterator[Event]:
    query = (
        sa.select(corrections, players.c.name.label("corrector"))
        .join(players, players.c.id == corrections.c.corrected_by)
        .where(corrections.c.game_id == game_id)
        .order_by(corrections.c.id)
    )
    for row in connection.execute(query):
        yield Event(
            Deed.CORRECTED,
            row.corrector,
            row.corrected_at,
            row.reason,
            CorrectionKind(row.kind),
            None if row.after is None else tellings.from_json(row.before),
            None if row.after is None else tellings.from_json(row.after),
        )


def newest(
    connection: sa.Connection,
    guild_id: int,
    typed: str,
    states: Collection[GameState],
    limit: int,
    kind: str | None = None,
    reporter: int | None = None,
) -> list[GameRecord]:
    """The club's newest games in these states whose numbers begin with what was typed.

    Only riichi games or American hands if a `kind` is named, and only those that the member with the Discord id
    `reporter` reported if there is one.
    """
    # State by state: an index leads to the newest few of each.
    query = sa.select(games.c.id, games.c.number).where(games.c.guild_id == guild_id)
    if typed:
        query = query.where(sa.cast(games.c.number, sa.Text).startswith(typed, autoescape=True))
    if kind is not None:
        query = query.where(games.c.kind == kind)
    if reporter is not None:
        query = query.where(games.c.reported_by.in_(records_of(guild_id, reporter)))
    query = query.order_by(games.c.number.desc()).limit(limit)
    found = [row for state in states for row in connection.execute(query.where(_IN[state]))]
    ids = [row.id for row in sorted(found, key=lambda row: -row.number)[:limit]]
    return sorted(reading.by_ids(connection, guild_id, ids), key=lambda game: -game.number)
