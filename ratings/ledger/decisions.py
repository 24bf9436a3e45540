"""Decisions: a pending game is approved or rejected, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.ledger import figures
from ratings.ledger.figures import Matter, Outcome
from ratings.ledger.letters import ask_for
from ratings.models import GameState, Person, Refusal, Refused, Verdict
from ratings.queries import games as reading
from ratings.queries import twins
from ratings.settings import ClubSettings
from ratings.store import outbox
from ratings.store.tables import decisions, games, rejection_reasons
from ratings.systems import nmjl, tenhou

__all__ = ["REASON_LENGTH", "Decision", "decide", "give_reason"]

REASON_LENGTH = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a wish to decide: `taken` is False when the game had been decided already.

    `letters` are those the caller claimed."""

    taken: bool
    matter: Matter
    letters: tuple[outbox.Letter, ...] = ()

    @property
    def game(self) -> reading.GameRecord:
        """The game as it now stands."""
        return self.matter.game


_WIN = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), games.c.guild_id == sa.bindparam("guild"))
    .where(games.c.state == GameState.PENDING)
    .values(state=sa.bindparam("decided"))
)
_COUNT = sa.update(games).where(games.c.id == sa.bindparam("game")).values(approval_id=sa.bindparam("approval"))
_NEW_DECISION = sa.insert(decisions).returning(decisions.c.id)


def decide(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    verdict: Verdict,
    by: Person,
    now: int,
    reason: str | None = None,
    lease: float | None = None,
) -> Decision:
    """Approve or reject a pending game. One decision is ever taken; a later one finds it and changes nothing.

    `reason` is kept with a rejection. With a `lease` (seconds) the news, or word to the reporter, is the
    caller's to deliver. Raises Refused when the club has no such game or the reason is bad.
    """
    club.hold(connection, guild_id)
    state = GameState.APPROVED if verdict is Verdict.APPROVE else GameState.REJECTED
    alike = set(twins.naming(connection, game_id))
    won = connection.execute(_WIN, {"game": game_id, "guild": guild_id, "decided": state}).rowcount
    if not won:
        return Decision(False, figures.matter(connection, guild_id, game_id))
    settings, version = club.settings_in_force(connection, guild_id)
    decision_id = connection.execute(
        _NEW_DECISION,
        {
            "guild_id": guild_id,
            "game_id": game_id,
            "verdict": verdict,
            "decided_by": club.player_ids(connection, guild_id, [by])[0],
            "decided_at": now,
            "settings_version": version,
        },
    ).scalar_one()
    if reason is not None and verdict is Verdict.REJECT:
        _write_reason(connection, guild_id, game_id, reason, by, now)
    if verdict is Verdict.APPROVE:
        connection.execute(_COUNT, {"game": game_id, "approval": decision_id})
    game = reading.by_id(connection, guild_id, game_id)
    result = figures.weigh(game.facts, figures.standings_now(connection, game, settings), settings)
    cards = [game_id]
    letters: tuple[outbox.Letter, ...] = ()
    if verdict is Verdict.REJECT:
        letters = ask_for(connection, guild_id, outbox.Kind.REJECTION, game_id, now, lease)
    else:
        figures.write(connection, game, result)
        _ask_for_roles(connection, game, result, settings, now)
        if result.is_news:
            letters = ask_for(connection, guild_id, outbox.Kind.NEWS, game_id, now, lease)
        # The forecasts on other open cards of these players have just changed.
        cards += reading.pending_of(connection, guild_id, game.players)
    alike.update(twins.naming(connection, game_id))
    cards += sorted(alike.difference(cards))
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, cards, now)
    return Decision(True, Matter(game, result, settings), letters)


def _ask_for_roles(
    connection: sa.Connection, game: reading.GameRecord, result: Outcome, settings: ClubSettings, now: int
) -> None:
    """Where members wear their rank, have the roles changed of those whose rank is another, or their first."""
    if settings.rank_roles != game.facts.system:
        return
    steps: Sequence[tenhou.Step | nmjl.Step] = result.steps
    moved = [
        player
        for player, step in zip(game.players, steps, strict=False)
        if step.after.rank != step.before.rank or not step.before.games
    ]
    outbox.enqueue_roles(connection, game.guild_id, moved, now)


def give_reason(
    connection: sa.Connection, guild_id: int, game_id: int, reason: str, by: Person, now: int
) -> reading.GameRecord:
    """Add the reason for which a game was rejected. Raises Refused if it is not, or the reason is bad."""
    club.lock(connection, guild_id, now)
    game = reading.by_id(connection, guild_id, game_id)
    if game.state is not GameState.REJECTED:
        raise Refused(Refusal.NOT_REJECTED, number=game.number)
    _write_reason(connection, guild_id, game_id, reason, by, now)
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game_id], now)
    outbox.enqueue(connection, guild_id, outbox.Kind.REASON, [game_id], now)
    return reading.by_id(connection, guild_id, game_id)


def _write_reason(
    connection: sa.Connection, guild_id: int, game_id: int, reason: str, by: Person, now: int
) -> None:
    reason = reason.strip()
    if not reason:
        raise Refused(Refusal.EMPTY_REASON)
    if len(reason) > REASON_LENGTH:
        raise Refused(Refusal.LONG_REASON, limit=REASON_LENGTH, length=len(reason))
    connection.execute(
        sa.insert(rejection_reasons).values(
            guild_id=guild_id,
            game_id=game_id,
            reason=reason,
            given_by=club.player_ids(connection, guild_id, [by])[0],
            given_at=now,
        )
    )
