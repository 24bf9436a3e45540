"""Taking a game's log off again: its figures leave the statistics, and the game stays as it is told."""

from __future__ import annotations

import json

import sqlalchemy as sa

from ratings.ledger.logs import drop_log
from ratings.ledger.plans import make_plan
from ratings.ledger.proposals import Proposal
from ratings.models import CorrectionKind, Refusal, Refused
from ratings.queries import games as reading
from ratings.queries.statistics import log_hands
from ratings.store.tables import game_logs

__all__ = ["detach_log", "propose_detach"]


def propose_detach(connection: sa.Connection, guild_id: int, game_id: int, reason: str | None = None) -> Proposal:
    """A game without the log it has. Raises Refused (NO_LOG) for a game that has none."""
    game = reading.by_id(connection, guild_id, game_id)
    if game.log is None:
        raise Refused(Refusal.NO_LOG, number=game.number, card=game.shown_on)
    plan, approval = make_plan(connection, guild_id, []), game.approval
    hands = 0 if approval is None else log_hands(connection, game_id)
    return Proposal(CorrectionKind.DETACH, plan, reason, game, approval=approval, log_hands=hands)


def detach_log(connection: sa.Connection, game_id: int) -> str:
    """Take the log off a game. What the archive keeps of it, as JSON: which log, who gave it (a record), when."""
    kept = (
        game_logs.c.format,
        game_logs.c.log_id,
        game_logs.c.fingerprint,
        game_logs.c.attached_by,
        game_logs.c.attached_at,
    )
    row = connection.execute(sa.select(*kept).where(game_logs.c.game_id == game_id)).one()
    drop_log(connection, game_id)
    return json.dumps(row._asdict())
