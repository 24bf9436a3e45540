"""Reports: what members say was played becomes a pending game, or is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.ledger import figures
from ratings.ledger.figures import Matter
from ratings.ledger.letters import ask_for
from ratings.models import AmericanReport, GameState, Person, Refusal, Refused, Report, WonBy
from ratings.queries import cards
from ratings.queries import games as reading
from ratings.settings import ClubSettings
from ratings.store import outbox
from ratings.store.tables import american_wins, games, seats
from ratings.systems import riichi

__all__ = ["Submission", "submit", "submit_american"]

DUPLICATE_WINDOW = 7 * 24 * 3600
# A clock a little ahead of ours is no date in the future.
CLOCK_TOLERANCE = 300
# 2000-01-01 UTC: older games are slips of the keyboard, and years near 1 have no time in every zone.
EARLIEST = 946_684_800


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


_NEW_GAME, _NEW_SEATS = sa.insert(games).returning(games.c.id), sa.insert(seats)
_RECENT = sa.select(sa.func.min(games.c.id)).where(
    games.c.guild_id == sa.bindparam("guild"),
    games.c.fingerprint == sa.bindparam("fingerprint"),
    games.c.reported_at >= sa.bindparam("since"),
    games.c.state != GameState.REJECTED,
)


def submit(
    connection: sa.Connection, guild_id: int, report: Report, now: int, lease: float | None = None
) -> Submission:
    """Write a riichi report down as a pending game and ask for its card. Raises Refused; then nothing is kept.

    With a `lease` (seconds) the letter that asks for the card is the caller's to deliver.
    """
    settings, again = _arrival(connection, guild_id, report, now)
    if again:
        return again
    _check_table(report, now)
    _check_scores(report, settings)
    reporter, *players = club.player_ids(connection, guild_id, [report.reporter, *report.players])
    facts = {
        "kind": "riichi",
        "length": report.length,
        "lobby": report.lobby,
        "sticks": report.sticks,
        "ranked": int(report.ranked),
        "fingerprint": _fingerprint(
            *(f"{player}:{score}" for player, score in zip(players, report.scores, strict=True))
        ),
    }
    game_id = _write_game(connection, guild_id, report, reporter, facts, now)
    _write_seats(connection, game_id, players, report.scores)
    return _submitted(connection, guild_id, game_id, settings, now, lease)


def submit_american(
    connection: sa.Connection, guild_id: int, report: AmericanReport, now: int, lease: float | None = None
) -> Submission:
    """The same for an American hand."""
    settings, again = _arrival(connection, guild_id, report, now)
    if again:
        return again
    if report.discarder is not None and report.won_by is WonBy.UNRECORDED:
        # Whoever names the discarder has recorded him.
        report = replace(report, won_by=WonBy.DISCARD)
    _check_table(report, now)
    line = _check_win(connection, guild_id, report, settings)
    reporter, *players = club.player_ids(connection, guild_id, [report.reporter, *report.players])
    ids = {person.discord_id: player for person, player in zip(report.players, players, strict=True)}
    marks = [str(player) for player in players]
    if report.winner is None:
        # Two wall games of one table in an evening are no slip.
        marks.append(f"interaction {report.interaction_id}")
    else:
        marks += [f"won {ids[report.winner.discord_id]}", f"line {report.line_id}", report.won_by]
    facts = {
        "kind": "american",
        "length": None,
        "lobby": None,
        "sticks": 0,
        "ranked": 1,
        "fingerprint": _fingerprint(*marks),
    }
    game_id = _write_game(connection, guild_id, report, reporter, facts, now)
    _write_seats(connection, game_id, players, [None] * len(players))
    if report.winner is not None and line is not None:
        discarder = report.discarder and ids[report.discarder.discord_id]
        connection.execute(
            sa.insert(american_wins).values(
                game_id=game_id,
                winner_id=ids[report.winner.discord_id],
                line_id=line.id,
                won_by=report.won_by,
                discarder_id=discarder,
                used_jokers=int(report.used_jokers),
                concealed=int(bool(report.concealed)),
            )
        )
    return _submitted(connection, guild_id, game_id, settings, now, lease)


def _arrival(
    connection: sa.Connection, guild_id: int, report: Report | AmericanReport, now: int
) -> tuple[ClubSettings, Submission | None]:
    club.lock(connection, guild_id, now)
    settings = club.settings(connection, guild_id)
    known = reading.by_interaction(connection, guild_id, report.interaction_id)
    if known is None:
        return settings, None
    return settings, Submission(Matter(known, figures.outcome(connection, guild_id, known), settings), again=True)


def _write_game(
    connection: sa.Connection,
    guild_id: int,
    report: Report | AmericanReport,
    reporter: int,
    facts: dict[str, Any],
    now: int,
) -> int:
    recent = {"guild": guild_id, "fingerprint": facts["fingerprint"], "since": now - DUPLICATE_WINDOW}
    row = facts | {
        "guild_id": guild_id,
        "number": reading.last_number(connection, guild_id) + 1,
        "state": GameState.PENDING,
        "played_at": report.played_at,
        "reported_at": now,
        "reported_by": reporter,
        "report_channel_id": report.channel_id,
        "interaction_id": report.interaction_id,
        "duplicate_of": connection.execute(_RECENT, recent).scalar(),
    }
    return int(connection.execute(_NEW_GAME, row).scalar_one())


def _write_seats(
    connection: sa.Connection, game_id: int, players: Sequence[int], scores: Sequence[int | None]
) -> None:
    rows = [
        {"game_id": game_id, "seat": seat, "player_id": player, "score": score}
        for seat, (player, score) in enumerate(zip(players, scores, strict=True))
    ]
    connection.execute(_NEW_SEATS, rows)


def _submitted(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    settings: ClubSettings,
    now: int,
    lease: float | None,
) -> Submission:
    letters = ask_for(connection, guild_id, outbox.Kind.CARD, game_id, now, lease)
    game = reading.by_id(connection, guild_id, game_id)
    forecast = figures.weigh(game.facts, figures.standings_now(connection, game, settings), settings)
    return Submission(Matter(game, forecast, settings), letters)


def _check_table(report: Report | AmericanReport, now: int) -> None:
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


def _check_scores(report: Report, settings: ClubSettings) -> None:
    start = settings.start_score(len(report.players)) * len(report.players)
    expected, total = start - riichi.STICK * report.sticks, sum(report.scores)
    if total != expected:
        raise Refused(
            Refusal.WRONG_SUM,
            total=total,
            expected=expected,
            sticks=report.sticks,
            difference=total - expected,
        )


def _check_win(
    connection: sa.Connection, guild_id: int, report: AmericanReport, settings: ClubSettings
) -> cards.CardLine | None:
    """The line a hand was won with; None for a wall game."""
    if not 2 <= len(report.players) <= 4:
        raise Refused(Refusal.TABLE_SIZE, players=len(report.players))
    if report.winner is None:
        return None
    _check_discarder(report, report.winner)
    line = None if report.line_id is None else cards.line(connection, guild_id, report.line_id)
    if line is None:
        raise Refused(Refusal.UNKNOWN_LINE)
    played_in = datetime.fromtimestamp(report.played_at, UTC).astimezone(settings.zone).year
    if line.year not in (settings.card_year, played_in):
        raise Refused(Refusal.OTHER_YEAR, year=line.year, current=settings.card_year)
    if report.used_jokers and line.line.singles_and_pairs:
        raise Refused(Refusal.JOKERS_ON_SINGLES, line=line.name)
    if report.concealed is False and line.line.concealed_only:
        raise Refused(Refusal.EXPOSED_ON_CONCEALED, line=line.name)
    return line


def _check_discarder(report: AmericanReport, winner: Person) -> None:
    discarder = report.discarder
    if discarder is None:
        if report.won_by is WonBy.DISCARD:
            raise Refused(Refusal.DISCARDER_MISSING)
        return
    if report.won_by is WonBy.SELF_PICK:
        raise Refused(Refusal.SELF_PICK_DISCARDER, name=discarder.name)
    if discarder.discord_id == winner.discord_id:
        raise Refused(Refusal.DISCARDER_WON, name=discarder.name)
    if discarder.discord_id not in [person.discord_id for person in report.players]:
        raise Refused(Refusal.DISCARDER_ABSENT, name=discarder.name)


def _fingerprint(*marks: str) -> str:
    return hashlib.sha256(";".join(sorted(marks)).encode()).hexdigest()
