"""The ledger: the only writer of games. Every public function is the work of one transaction.

A decision and everything that follows from it (placements, rating changes, standings, what must be said) are
written together or not at all; nothing here talks to Discord or asks the clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.models import GameState, Lobby, Person, Refusal, Refused, Report, RiichiGame, Standing, Verdict
from ratings.queries import games as reading
from ratings.settings import ClubSettings
from ratings.store import outbox
from ratings.store.tables import changes, decisions, games, placements, rejection_reasons, seats, standings
from ratings.store.upsert import upsert
from ratings.systems import riichi, tenhou

__all__ = ["Decision", "Outcome", "Submission", "decide", "give_reason", "outcome", "submit", "weigh"]

DUPLICATE_WINDOW = 7 * 24 * 3600
REASON_LENGTH = 500
# A clock a little ahead of ours is no date in the future.
CLOCK_TOLERANCE = 300


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of a report: the game, and the recent one it repeats, if any. `again` marks a report
    that had arrived before (Discord may deliver a command twice)."""

    game: reading.GameRecord
    again: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What approval does to a game: by seat the place, the final points and, if ranked, the rating step.

    `lobby` is the one the game counts as, None for an unranked game."""

    lobby: Lobby | None
    places: tuple[int, ...]
    final_points: tuple[int, ...]
    steps: tuple[tenhou.Step, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of a wish to decide: `taken` is False when the game had been decided already."""

    taken: bool
    game: reading.GameRecord


def submit(connection: sa.Connection, guild_id: int, report: Report, now: int) -> Submission:
    """Write a report down as a pending game and ask for its card. Raises Refused; then nothing is kept."""
    club.lock(connection, guild_id, now)
    known = reading.by_interaction(connection, guild_id, report.interaction_id)
    if known is not None:
        return Submission(known, again=True)
    _check(report, club.settings(connection, guild_id), now)
    reporter = club.player_id(connection, guild_id, report.reporter)
    players = [club.player_id(connection, guild_id, person) for person in report.players]
    fingerprint = _fingerprint(players, report.scores)
    game_id = connection.execute(
        sa.insert(games)
        .values(
            guild_id=guild_id,
            number=reading.last_number(connection, guild_id) + 1,
            state=GameState.PENDING,
            length=report.length,
            lobby=report.lobby,
            sticks=report.sticks,
            ranked=int(report.ranked),
            played_at=report.played_at,
            reported_at=now,
            reported_by=reporter,
            report_channel_id=report.channel_id,
            interaction_id=report.interaction_id,
            fingerprint=fingerprint,
            duplicate_of=_recent(connection, guild_id, fingerprint, now),
        )
        .returning(games.c.id)
    ).scalar_one()
    connection.execute(
        sa.insert(seats),
        [
            {"game_id": game_id, "seat": seat, "player_id": player, "score": score}
            for seat, (player, score) in enumerate(zip(players, report.scores, strict=True))
        ],
    )
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game_id], now)
    return Submission(reading.by_id(connection, guild_id, game_id), again=False)


def decide(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    verdict: Verdict,
    by: Person,
    now: int,
    reason: str | None = None,
) -> Decision:
    """Approve or reject a pending game. One decision is ever taken; a later one finds it and changes nothing.

    `reason` is kept with a rejection. Raises Refused when the club has no such game or the reason is bad.
    """
    club.lock(connection, guild_id, now)
    state = GameState.APPROVED if verdict is Verdict.APPROVE else GameState.REJECTED
    won = connection.execute(
        sa.update(games)
        .where(games.c.id == game_id, games.c.guild_id == guild_id, games.c.state == GameState.PENDING)
        .values(state=state)
    ).rowcount
    if not won:
        return Decision(False, reading.by_id(connection, guild_id, game_id))
    decision_id = connection.execute(
        sa.insert(decisions)
        .values(
            guild_id=guild_id,
            game_id=game_id,
            verdict=verdict,
            decided_by=club.player_id(connection, guild_id, by),
            decided_at=now,
            settings_version=club.settings_version(connection, guild_id),
        )
        .returning(decisions.c.id)
    ).scalar_one()
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game_id], now)
    if verdict is Verdict.APPROVE:
        _rate(connection, guild_id, game_id, decision_id, now)
    else:
        if reason is not None:
            _write_reason(connection, guild_id, game_id, reason, by, now)
        outbox.enqueue(connection, guild_id, outbox.Kind.REJECTION, [game_id], now)
    return Decision(True, reading.by_id(connection, guild_id, game_id))


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
            given_by=club.player_id(connection, guild_id, by),
            given_at=now,
        )
    )


def outcome(connection: sa.Connection, guild_id: int, game: reading.GameRecord) -> Outcome:
    """What approval did to `game`; for one that is not approved, what approving it now would do.

    An approved game is weighed with what its players had before it and the settings of its decision.
    """
    if game.state is GameState.APPROVED and game.decision is not None:
        settings = club.settings(connection, guild_id, game.decision.settings_version)
        return weigh(game.facts, _standings_before(connection, game), settings)
    return weigh(game.facts, _standings(connection, guild_id, game.facts), club.settings(connection, guild_id))


def weigh(game: RiichiGame, before: Sequence[Standing], settings: ClubSettings) -> Outcome:
    """Places, final points and rating steps of a game, given its players' standings (by seat) and the rules."""
    places = riichi.places(game, settings.shared_places)
    points = riichi.final_points(game, settings)
    if not game.ranked:
        return Outcome(None, places, points, ())
    lobby = game.lobby or tenhou.automatic_lobby(before)
    steps = tenhou.explain(places, before, lobby, game.length, settings.tenhou_rules)
    return Outcome(lobby, places, points, tuple(steps))


def _rate(connection: sa.Connection, guild_id: int, game_id: int, decision_id: int, now: int) -> None:
    game = reading.by_id(connection, guild_id, game_id)
    result = weigh(game.facts, _standings(connection, guild_id, game.facts), club.settings(connection, guild_id))
    players = [seat.player_id for seat in game.facts.seats]
    connection.execute(
        sa.insert(placements),
        [
            {"game_id": game_id, "seat": seat, "player_id": player, "place": place, "final_points": points}
            for seat, (player, place, points) in enumerate(
                zip(players, result.places, result.final_points, strict=True)
            )
        ],
    )
    if not result.steps:
        return
    system = game.facts.system
    connection.execute(
        sa.insert(changes),
        [
            {
                "game_id": game_id,
                "system": system,
                "player_id": player,
                "decision_id": decision_id,
                "games_before": step.before.games,
                "rank_before": step.before.rank,
                "rank": step.after.rank,
                "points_before": step.before.points,
                "points": step.after.points,
                "rating_before": step.before.rating,
                "rating": step.after.rating,
            }
            for player, step in zip(players, result.steps, strict=True)
        ],
    )
    upsert(
        connection,
        standings,
        [
            {"guild_id": guild_id, "system": system, "player_id": player, **step.after._asdict()}
            for player, step in zip(players, result.steps, strict=True)
        ],
    )
    if any(step.event is not None for step in result.steps):
        outbox.enqueue(connection, guild_id, outbox.Kind.NEWS, [game_id], now)
    # The forecasts on other open cards of these players have just changed.
    touched = reading.pending_of(connection, guild_id, players)
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, touched, now)


def _standings(connection: sa.Connection, guild_id: int, game: RiichiGame) -> list[Standing]:
    players = [seat.player_id for seat in game.seats]
    rows = connection.execute(
        sa.select(
            standings.c.player_id, standings.c.rank, standings.c.points, standings.c.rating, standings.c.games
        ).where(
            standings.c.guild_id == guild_id,
            standings.c.system == game.system,
            standings.c.player_id.in_(players),
        )
    )
    known = {row.player_id: Standing(row.rank, row.points, row.rating, row.games) for row in rows}
    return [known.get(player, tenhou.INITIAL) for player in players]


def _standings_before(connection: sa.Connection, game: reading.GameRecord) -> list[Standing]:
    rows = connection.execute(
        sa.select(
            changes.c.player_id,
            changes.c.rank_before,
            changes.c.points_before,
            changes.c.rating_before,
            changes.c.games_before,
        ).where(changes.c.game_id == game.id)
    )
    known = {row[0]: Standing(*row[1:]) for row in rows}
    return [known.get(seat.player_id, tenhou.INITIAL) for seat in game.facts.seats]


def _check(report: Report, settings: ClubSettings, now: int) -> None:
    for person in report.players:
        if person.is_bot:
            raise Refused(Refusal.BOT_PLAYER, name=person.name)
    ids = [person.discord_id for person in report.players]
    for person in report.players:
        if ids.count(person.discord_id) > 1:
            raise Refused(Refusal.SAME_PLAYER, name=person.name)
    if report.played_at > now + CLOCK_TOLERANCE:
        raise Refused(Refusal.FUTURE, played_at=report.played_at)
    start = settings.start_score(len(ids)) * len(ids)
    expected, total = start - riichi.STICK * report.sticks, sum(report.scores)
    if total != expected:
        raise Refused(
            Refusal.WRONG_SUM,
            total=total,
            expected=expected,
            sticks=report.sticks,
            difference=total - expected,
        )


def _fingerprint(players: Sequence[int], scores: Sequence[int]) -> str:
    text = ";".join(f"{player}:{score}" for player, score in sorted(zip(players, scores, strict=True)))
    return hashlib.sha256(text.encode()).hexdigest()


def _recent(connection: sa.Connection, guild_id: int, fingerprint: str, now: int) -> int | None:
    return connection.execute(
        sa.select(sa.func.min(games.c.id)).where(
            games.c.guild_id == guild_id,
            games.c.fingerprint == fingerprint,
            games.c.reported_at >= now - DUPLICATE_WINDOW,
            games.c.state != GameState.REJECTED,
        )
    ).scalar()
