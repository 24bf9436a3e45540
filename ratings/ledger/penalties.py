"""Penalties on an American hand: added and taken back by admins while it is pending, proposed once it counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import sqlalchemy as sa

from ratings import club
from ratings.ledger.entries import entry_for, entry_of
from ratings.ledger.figures import Matter, matter
from ratings.ledger.plans import Change, make_plan
from ratings.ledger.proposals import Proposal
from ratings.ledger.tellings import Penalised
from ratings.models import AmericanGame, CorrectionKind, GameState, Offence, Person, Refusal, Refused
from ratings.queries import games as reading
from ratings.store import outbox
from ratings.store.tables import penalties

__all__ = ["adjustable", "change_penalties", "propose_penalties", "set_penalties", "write"]


def set_penalties(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    wanted: Collection[tuple[int, Offence]],
    by: Person,
    now: int,
) -> Matter:
    """Make these (player id, offence) the penalties of a pending hand, and have its card drawn anew.

    What is added is written with who added it and when; what is taken back stays, marked with the same.
    Raises Refused; then nothing is changed.
    """
    club.lock(connection, guild_id, now)
    game, hand = _pending(connection, guild_id, game_id)
    _check_settings(connection, game)
    _check(hand, wanted)
    (admin,) = club.player_ids(connection, guild_id, [by])
    write(connection, game, *_differing(game, hand, wanted), admin, now)
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game.id], now)
    return matter(connection, guild_id, game.id)


def change_penalties(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    added: Collection[tuple[int, Offence]],
    removed: Collection[tuple[int, Offence]],
    by: Person,
    now: int,
) -> Matter:
    """Add and take back penalties of a pending hand, leaving the others alone. Raises as `set_penalties` does."""
    club.lock(connection, guild_id, now)
    _, hand = _pending(connection, guild_id, game_id)
    return set_penalties(connection, guild_id, game_id, _changed(hand, added, removed), by, now)


def adjustable(connection: sa.Connection, guild_id: int, number: int) -> Matter:
    """The hand of this number, of which penalties can be added and taken back. Raises Refused for any other game,
    for a hand that neither waits nor counts, and where the settings that it counts under know no penalties."""
    game = reading.by_number(connection, guild_id, number)
    _american(game)
    if game.state not in (GameState.PENDING, GameState.APPROVED):
        raise Refused(Refusal.NOT_AMENDABLE, number=number, state=game.state)
    _check_settings(connection, game)
    return matter(connection, guild_id, game.id)


def propose_penalties(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    added: Collection[tuple[int, Offence]],
    removed: Collection[tuple[int, Offence]],
    reason: str | None = None,
) -> Proposal:
    """An approved hand with more penalties (player id, offence), or with fewer.

    Raises Refused for a game that is not approved or no hand, if its approval was under settings without
    penalties, for penalties that do not fit, and when nothing would be another.
    """
    game = reading.by_id(connection, guild_id, game_id)
    hand = _american(game)
    if game.state is not GameState.APPROVED or game.approval is None:
        raise Refused(Refusal.NOT_AMENDABLE, number=game.number, state=game.state)
    _check_settings(connection, game)
    wanted = _changed(hand, added, removed)
    _check(hand, wanted)
    if set(wanted) == set(hand.penalties):
        raise Refused(Refusal.NOTHING_TO_AMEND, number=game.number)
    facts = replace(hand, penalties=tuple(wanted))
    plan = make_plan(connection, guild_id, [Change(entry_of(game), entry_for(game, facts, game.approval))])
    new, gone = _differing(game, hand, wanted)
    return Proposal(
        CorrectionKind.AMEND,
        plan,
        reason,
        game,
        facts,
        approval=game.approval,
        penalties_added=new,
        penalties_removed=gone,
    )


def write(
    connection: sa.Connection,
    game: reading.GameRecord,
    added: Collection[Penalised],
    removed: Iterable[Penalised],
    by: int,
    now: int,
) -> None:
    """Write down that an admin (`by`, a record) has added these penalties to a hand, and taken those back."""
    if added:
        mark = {"guild_id": game.guild_id, "game_id": game.id, "added_by": by, "added_at": now}
        rows = [mark | {"player_id": record, "offence": offence} for record, offence in added]
        connection.execute(sa.insert(penalties), rows)
    for record, offence in removed:
        connection.execute(
            sa.update(penalties)
            .where(penalties.c.game_id == game.id, penalties.c.player_id == record)
            .where(penalties.c.offence == offence, penalties.c.removed_at.is_(None))
            .values(removed_by=by, removed_at=now)
        )


def _changed(
    hand: AmericanGame, added: Collection[tuple[int, Offence]], removed: Collection[tuple[int, Offence]]
) -> list[tuple[int, Offence]]:
    """The penalties of a hand once some are added and others taken back, each once."""
    return [each for each in dict.fromkeys((*hand.penalties, *added)) if each not in removed]


def _differing(
    game: reading.GameRecord, hand: AmericanGame, wanted: Collection[tuple[int, Offence]]
) -> tuple[tuple[Penalised, ...], tuple[Penalised, ...]]:
    """What is to be added to a hand's penalties and what taken back, by the records at the table."""
    record = dict(zip(game.players, game.records, strict=True))
    added = [each for each in dict.fromkeys(wanted) if each not in hand.penalties]
    removed = [each for each in hand.penalties if each not in wanted]
    new, gone = (tuple((record[player], offence) for player, offence in each) for each in (added, removed))
    return new, gone


def _check_settings(connection: sa.Connection, game: reading.GameRecord) -> None:
    """Raises Refused if the settings of a game's approval, or before it those of now, know no penalties."""
    if game.approval is None:
        if not club.settings(connection, game.guild_id).penalties:
            raise Refused(Refusal.PENALTIES_OFF)
    elif not club.settings(connection, game.guild_id, game.approval.settings_version).penalties:
        raise Refused(Refusal.PENALTIES_OFF, number=game.number)


def _check(hand: AmericanGame, wanted: Iterable[tuple[int, Offence]]) -> None:
    for player, offence in wanted:
        if player not in hand.players:
            raise Refused(Refusal.NOT_AT_THE_TABLE)
        if not offence.fits(won=hand.win is not None):
            raise Refused(Refusal.DEAD_HAND_ON_A_WIN)


def _pending(connection: sa.Connection, guild_id: int, game_id: int) -> tuple[reading.GameRecord, AmericanGame]:
    game = reading.by_id(connection, guild_id, game_id)
    if game.state is not GameState.PENDING:
        raise Refused(Refusal.NOT_PENDING, number=game.number)
    return game, _american(game)


def _american(game: reading.GameRecord) -> AmericanGame:
    if not isinstance(game.facts, AmericanGame):
        raise Refused(Refusal.NOT_AMERICAN, number=game.number)
    return game.facts
