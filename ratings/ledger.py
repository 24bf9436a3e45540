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

__all__ = [
    "Decision",
    "Matter",
    "Outcome",
    "Submission",
    "decide",
    "give_reason",
    "matter",
    "outcome",
    "submit",
    "weigh",
]

DUPLICATE_WINDOW = 7 * 24 * 3600
REASON_LENGTH = 500
# 2000-01-01 UTC: older games are slips of the keyboard, and years near 1 have no time in every zone.
EARLIEST = 946_684_800
# A clock a little ahead of ours is no date in the future.
CLOCK_TOLERANCE = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What approval does to a game: by seat the place, the final points and, if ranked, the rating step.

    `lobby` is the one the game counts as, None for an unranked game."""

    lobby: Lobby | None
    places: tuple[int, ...]
    final_points: tuple[int, ...]
    steps: tuple[tenhou.Step, ...]


@dataclass(frozen=True, slots=True)
class Matter:
    """A game, what approval does or did to it, and the club's settings now: all that is needed to show it."""

    game: reading.GameRecord
    outcome: Outcome
    settings: ClubSettings


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of a report. `letters` are those the caller claimed; `again` marks a report that had
    arrived before (Discord may deliver a command twice)."""

    matter: Matter
    letters: tuple[outbox.Letter, ...] = ()
    again: bool = False

    @property
    def game(self) -> reading.GameRecord:
        """The game as it now stands."""
        return self.matter.game


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


# Statements are put together once: building one costs more than SQLite needs to run it.
_WIN = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), games.c.guild_id == sa.bindparam("guild"))
    .where(games.c.state == GameState.PENDING)
    .values(state=sa.bindparam("decided"))
)
_NEW_GAME, _NEW_DECISION = sa.insert(games).returning(games.c.id), sa.insert(decisions).returning(decisions.c.id)
_NEW_SEATS, _NEW_PLACEMENTS, _NEW_CHANGES = sa.insert(seats), sa.insert(placements), sa.insert(changes)
_STANDINGS = sa.select(
    standings.c.player_id, standings.c.rank, standings.c.points, standings.c.rating, standings.c.games
).where(
    standings.c.guild_id == sa.bindparam("guild"),
    standings.c.system == sa.bindparam("system"),
    standings.c.player_id.in_(sa.bindparam("players", expanding=True)),
)
_STANDINGS_BEFORE = sa.select(
    changes.c.player_id,
    changes.c.rank_before,
    changes.c.points_before,
    changes.c.rating_before,
    changes.c.games_before,
).where(changes.c.game_id == sa.bindparam("game"))
_RECENT = sa.select(sa.func.min(games.c.id)).where(
    games.c.guild_id == sa.bindparam("guild"),
    games.c.fingerprint == sa.bindparam("fingerprint"),
    games.c.reported_at >= sa.bindparam("since"),
    games.c.state != GameState.REJECTED,
)


def submit(
    connection: sa.Connection, guild_id: int, report: Report, now: int, lease: float | None = None
) -> Submission:
    """Write a report down as a pending game and ask for its card. Raises Refused; then nothing is kept.

    With a `lease` (seconds) the letter that asks for the card is the caller's to deliver.
    """
    club.lock(connection, guild_id, now)
    settings = club.settings(connection, guild_id)
    known = reading.by_interaction(connection, guild_id, report.interaction_id)
    if known is not None:
        return Submission(Matter(known, outcome(connection, guild_id, known), settings), again=True)
    _check(report, settings, now)
    reporter, *players = club.player_ids(connection, guild_id, [report.reporter, *report.players])
    fingerprint = _fingerprint(players, report.scores)
    recent = {"guild": guild_id, "fingerprint": fingerprint, "since": now - DUPLICATE_WINDOW}
    game_id = connection.execute(
        _NEW_GAME,
        {
            "guild_id": guild_id,
            "number": reading.last_number(connection, guild_id) + 1,
            "state": GameState.PENDING,
            "length": report.length,
            "lobby": report.lobby,
            "sticks": report.sticks,
            "ranked": int(report.ranked),
            "played_at": report.played_at,
            "reported_at": now,
            "reported_by": reporter,
            "report_channel_id": report.channel_id,
            "interaction_id": report.interaction_id,
            "fingerprint": fingerprint,
            "duplicate_of": connection.execute(_RECENT, recent).scalar(),
        },
    ).scalar_one()
    connection.execute(
        _NEW_SEATS,
        [
            {"game_id": game_id, "seat": seat, "player_id": player, "score": score}
            for seat, (player, score) in enumerate(zip(players, report.scores, strict=True))
        ],
    )
    letters = _ask_for(connection, guild_id, outbox.Kind.CARD, game_id, now, lease)
    game = reading.by_id(connection, guild_id, game_id)
    forecast = weigh(game.facts, _standings(connection, guild_id, game.facts), settings)
    return Submission(Matter(game, forecast, settings), letters)


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
    club.lock(connection, guild_id, now)
    state = GameState.APPROVED if verdict is Verdict.APPROVE else GameState.REJECTED
    won = connection.execute(_WIN, {"game": game_id, "guild": guild_id, "decided": state}).rowcount
    if not won:
        return Decision(False, matter(connection, guild_id, game_id))
    decision_id = connection.execute(
        _NEW_DECISION,
        {
            "guild_id": guild_id,
            "game_id": game_id,
            "verdict": verdict,
            "decided_by": club.player_ids(connection, guild_id, [by])[0],
            "decided_at": now,
            "settings_version": club.settings_version(connection, guild_id),
        },
    ).scalar_one()
    if reason is not None and verdict is Verdict.REJECT:
        _write_reason(connection, guild_id, game_id, reason, by, now)
    game = reading.by_id(connection, guild_id, game_id)
    settings = club.settings(connection, guild_id)
    result = weigh(game.facts, _standings(connection, guild_id, game.facts), settings)
    cards = [game_id]
    letters: tuple[outbox.Letter, ...] = ()
    if verdict is Verdict.REJECT:
        letters = _ask_for(connection, guild_id, outbox.Kind.REJECTION, game_id, now, lease)
    else:
        _write_figures(connection, game, result, decision_id)
        if any(step.event is not None for step in result.steps):
            letters = _ask_for(connection, guild_id, outbox.Kind.NEWS, game_id, now, lease)
        # The forecasts on other open cards of these players have just changed.
        cards += reading.pending_of(connection, guild_id, [seat.player_id for seat in game.facts.seats])
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, cards, now)
    return Decision(True, Matter(game, result, settings), letters)


def _ask_for(
    connection: sa.Connection, guild_id: int, kind: outbox.Kind, game_id: int, now: int, lease: float | None
) -> tuple[outbox.Letter, ...]:
    if lease is not None:
        return (outbox.enqueue_claimed(connection, guild_id, kind, game_id, now, lease),)
    outbox.enqueue(connection, guild_id, kind, [game_id], now)
    return ()


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


def matter(connection: sa.Connection, guild_id: int, game_id: int) -> Matter:
    """All that is needed to show a game. Raises Refused (UNKNOWN_GAME)."""
    game = reading.by_id(connection, guild_id, game_id)
    return Matter(game, outcome(connection, guild_id, game), club.settings(connection, guild_id))


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


def _write_figures(connection: sa.Connection, game: reading.GameRecord, result: Outcome, decision_id: int) -> None:
    guild_id, game_id = game.guild_id, game.id
    players = [seat.player_id for seat in game.facts.seats]
    connection.execute(
        _NEW_PLACEMENTS,
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
        _NEW_CHANGES,
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


def _standings(connection: sa.Connection, guild_id: int, game: RiichiGame) -> list[Standing]:
    players = [seat.player_id for seat in game.seats]
    rows = connection.execute(_STANDINGS, {"guild": guild_id, "system": game.system, "players": players})
    known = {row.player_id: Standing(row.rank, row.points, row.rating, row.games) for row in rows}
    return [known.get(player, tenhou.INITIAL) for player in players]


def _standings_before(connection: sa.Connection, game: reading.GameRecord) -> list[Standing]:
    rows = connection.execute(_STANDINGS_BEFORE, {"game": game.id})
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
    if report.played_at < EARLIEST:
        raise Refused(Refusal.TOO_LONG_AGO)
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
