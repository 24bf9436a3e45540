"""Corrections as they were made: for the club's news, and for whoever looks a game up."""

from __future__ import annotations

import json
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.models import CorrectionKind, SystemName
from ratings.queries import games as reading
from ratings.queries.people import names
from ratings.queries.records import GameRecord
from ratings.settings import ClubSettings
from ratings.store.tables import corrections, players

__all__ = ["CorrectionNews", "RankMove", "news"]


@dataclass(frozen=True, slots=True)
class RankMove:
    """Somebody (named as last seen) whom a correction put on another rank; None where he has no games."""

    name: str
    system: SystemName
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class CorrectionNews:
    """A correction, who made it and why, the game it was of, and whose rank it changed."""

    id: int
    kind: CorrectionKind
    by: str
    at: int
    reason: str | None
    game: GameRecord | None
    moves: tuple[RankMove, ...]
    settings: ClubSettings


def news(connection: sa.Connection, guild_id: int, correction_id: int) -> CorrectionNews:
    """What the club is told about a correction."""
    row = connection.execute(
        sa.select(corrections, players.c.name.label("corrector"))
        .join(players, players.c.id == corrections.c.corrected_by)
        .where(corrections.c.guild_id == guild_id, corrections.c.id == correction_id)
    ).one()
    moved = json.loads(row.rank_moves)
    known = names(connection, guild_id, {move["player"] for move in moved})
    return CorrectionNews(
        id=row.id,
        kind=CorrectionKind(row.kind),
        by=row.corrector,
        at=row.corrected_at,
        reason=row.reason,
        game=None if row.game_id is None else reading.by_id(connection, guild_id, row.game_id),
        moves=tuple(
            RankMove(known[move["player"]], SystemName(move["system"]), move["before"], move["after"])
            for move in moved
        ),
        settings=club.settings(connection, guild_id),
    )
