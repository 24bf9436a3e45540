"""Corrections: a proposal made true, in one transaction, and written down for ever."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.ledger import bans, forgetting, penalties, tellings
from ratings.ledger.decisions import REASON_LENGTH
from ratings.ledger.detaching import detach_log
from ratings.ledger.letters import ask_for_roles
from ratings.ledger.merging import check_apart
from ratings.ledger.plans import Move, Stale, write_plan
from ratings.ledger.proposals import Proposal
from ratings.ledger.tellings import AmericanTelling
from ratings.models import AmericanGame, CorrectionKind, GameState, Person, Refusal, Refused
from ratings.queries import cards as card_lines
from ratings.queries import games as reading
from ratings.queries import twins
from ratings.store import outbox
from ratings.store.tables import cards, corrections, games, players
from ratings.store.tables import outbox as letters

__all__ = ["Correction", "carry_out", "rank_moves_json"]


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction that was made: its id, the game as it stands now, and who stands elsewhere than before."""

    id: int
    kind: CorrectionKind
    game: reading.GameRecord | None
    moves: tuple[Move, ...]


# What each kind makes of its game.
_STATES = {
    CorrectionKind.VOID: GameState.VOIDED,
    CorrectionKind.RESTORE: GameState.APPROVED,
    CorrectionKind.WITHDRAW: GameState.WITHDRAWN,
    CorrectionKind.REOPEN: GameState.PENDING,
}


def carry_out(connection: sa.Connection, guild_id: int, proposal: Proposal, by: Person, now: int) -> Correction:
    """Do what a proposal says: facts, figures, standings and what must be said, all or nothing.

    Raises Stale if the ledger has moved since the proposal was made, Refused for a reason that is too long, for
    a merge of two who have meanwhile been reported at one table, and for forgetting one who has been banned.
    """
    reason = _checked(proposal.reason)
    club.lock(connection, guild_id, now)
    _check_unmoved(connection, guild_id, proposal, now)
    write_plan(connection, guild_id, proposal.plan)
    # Looked up first: whoever has himself forgotten would come back under a new record by doing so.
    (author,) = club.player_ids(connection, guild_id, [by])
    game_id = None if proposal.game is None else proposal.game.id
    before, also = _correct(connection, guild_id, proposal, author, now)
    row = {
        "guild_id": guild_id,
        "kind": proposal.kind,
        "game_id": game_id,
        "player_id": proposal.player_id,
        "into_id": proposal.into_id,
        "corrected_by": author,
        "corrected_at": now,
        "reason": reason,
        "before": before,
        "after": None if proposal.after is None else tellings.as_json(proposal.after),
        "rank_moves": rank_moves_json(proposal.plan.moves),
    }
    new = sa.insert(corrections).returning(corrections.c.id)
    correction_id = int(connection.execute(new, row).scalar_one())
    _write_letters(connection, guild_id, proposal, correction_id, also, now)
    game = None if game_id is None else reading.by_id(connection, guild_id, game_id)
    return Correction(correction_id, proposal.kind, game, tuple(proposal.plan.moves))


def _correct(
    connection: sa.Connection, guild_id: int, proposal: Proposal, author: int, now: int
) -> tuple[str | None, set[int]]:
    """Write the facts that a proposal changes. Answers how they were, as JSON, and the ids of other games whose
    cards may show it."""
    game = proposal.game
    if game is None:
        return _before(proposal), _correct_people(connection, guild_id, proposal, now)
    if proposal.kind is CorrectionKind.DETACH:
        return detach_log(connection, game.id), set()
    # Some cards may have told that they show the same game, and others may tell so now.
    alike = set(twins.naming(connection, game.id))
    _correct_game(connection, proposal, game, by=author, now=now)
    return _before(proposal), alike.union(twins.naming(connection, game.id))


def rank_moves_json(moves: Sequence[Move]) -> str:
    """Whose rank changes, as it is kept with the correction; null is that of somebody without games."""
    return json.dumps(
        [
            {
                "player": move.player_id,
                "system": move.system,
                "before": None if move.before is None else move.before.rank,
                "after": None if move.after is None else move.after.rank,
            }
            for move in moves
            if move.changes_rank
        ]
    )


def _checked(reason: str | None) -> str | None:
    reason = None if reason is None else reason.strip()
    if reason is not None and len(reason) > REASON_LENGTH:
        raise Refused(Refusal.LONG_REASON, limit=REASON_LENGTH, length=len(reason))
    return reason or None


def _check_unmoved(connection: sa.Connection, guild_id: int, proposal: Proposal, now: int) -> None:
    """A proposal rests on more than decisions and corrections: on reports, logs, penalties, bans and the card."""
    game, after, facts = proposal.game, proposal.after, proposal.facts
    if game is not None:
        stands = reading.by_id(connection, guild_id, game.id)
        if (stands.facts, stands.log) != (game.facts, game.log):
            raise Stale
    if isinstance(after, AmericanTelling) and isinstance(facts, AmericanGame) and facts.win is not None:
        line = None if after.line_id is None else card_lines.line(connection, guild_id, after.line_id)
        if line is None or line.line != facts.win.line:
            raise Stale
    if proposal.kind is CorrectionKind.MERGE and proposal.into_id is not None:
        check_apart(connection, guild_id, proposal.family, proposal.into_id)
    if proposal.kind is CorrectionKind.FORGET:
        bans.refuse_forgetting(connection, guild_id, proposal.family, now)


def _before(proposal: Proposal) -> str | None:
    if proposal.before is not None:
        return tellings.as_json(proposal.before)
    return json.dumps(proposal.family) if proposal.family else None


def _correct_game(
    connection: sa.Connection, proposal: Proposal, game: reading.GameRecord, by: int, now: int
) -> None:
    if proposal.after is not None:
        tellings.rewrite(connection, game.id, proposal.after)
    elif proposal.kind is CorrectionKind.AMEND:
        added, removed = proposal.penalties_added, proposal.penalties_removed
        penalties.write(connection, game, added, removed, by, now)
    else:
        approval = proposal.approval
        values = {
            "state": _STATES[proposal.kind],
            "approval_id": None if approval is None else approval.decision_id,
        }
        connection.execute(sa.update(games).where(games.c.id == game.id).values(values))
    amended_while_pending = proposal.after is not None and proposal.approval is None
    if amended_while_pending or proposal.kind is CorrectionKind.REOPEN:
        # What hangs there shows something else, and may carry reactions to it.
        connection.execute(sa.update(cards).where(cards.c.game_id == game.id).values(stale=1))


def _correct_people(connection: sa.Connection, guild_id: int, proposal: Proposal, now: int) -> set[int]:
    """Answers the ids of games of which something was struck out."""
    these = sa.update(players).where(players.c.id.in_(proposal.family))
    if proposal.kind is CorrectionKind.MERGE:
        connection.execute(these.values(merged_into=proposal.into_id))
    elif proposal.kind is CorrectionKind.SPLIT:
        connection.execute(these.where(players.c.id != proposal.player_id).values(merged_into=proposal.player_id))
        own = sa.update(players).where(players.c.id == proposal.player_id)
        connection.execute(own.values(merged_into=None))
    else:
        return forgetting.forget(connection, guild_id, proposal.family, now)
    return set()


def _write_letters(
    connection: sa.Connection, guild_id: int, proposal: Proposal, correction_id: int, also: set[int], now: int
) -> None:
    """Ask for whatever a correction has to have said; `also` are other games whose cards may show it."""
    moved = {move.player_id for move in proposal.plan.moves}
    sides: set[int] = set()
    if proposal.player_id is not None and proposal.into_id is not None:
        # Open cards show other names and other forecasts, and accounts wear another rank, also of whoever has no
        # game that counts.
        sides = {proposal.player_id, proposal.into_id}
        moved |= sides
    drawn = reading.pending_of(connection, guild_id, moved) if moved else []
    if proposal.game is not None:
        others = [game_id for game_id in drawn if game_id != proposal.game.id]
        drawn = [proposal.game.id, *others] if _has_card(connection, proposal.game.id) else others
    if proposal.kind is CorrectionKind.FORGET:
        naming = forgetting.cards_naming(connection, proposal.family, also)
        outbox.enqueue_redraws(connection, guild_id, naming, now)
    else:
        drawn += sorted(also.difference(drawn))
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, drawn, now)
    ask_for_roles(connection, guild_id, proposal.plan.moves, now, sides)
    if any(move.changes_rank for move in proposal.plan.moves):
        outbox.enqueue_about(connection, guild_id, outbox.Kind.CORRECTION, now, correction_id=correction_id)


def _has_card(connection: sa.Connection, game_id: int) -> bool:
    """Whether a game's card hangs or is asked for: that of a decided game which somebody deleted stays away."""
    undecided = sa.exists().where(games.c.id == game_id, games.c.state == GameState.PENDING)
    hangs = sa.exists().where(cards.c.game_id == game_id)
    asked_for = sa.exists().where(
        letters.c.game_id == game_id, letters.c.kind == outbox.Kind.CARD, letters.c.done_at.is_(None)
    )
    return bool(connection.execute(sa.select(sa.or_(undecided, hangs, asked_for))).scalar())
