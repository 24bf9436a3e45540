"""Game logs in the ledger: a log is the report of its game, or the proof of one that was reported by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa

from ratings import club
from ratings.ledger import figures
from ratings.ledger.accounts import is_computer, name_in_log
from ratings.ledger.letters import ask_for
from ratings.ledger.reports import Submission, submit
from ratings.logs import GameLog, LogFormat, Unranked
from ratings.models import AmericanGame, GameState, Person, Refusal, Refused, Report, RiichiGame, Site
from ratings.queries import games as reading
from ratings.store import outbox
from ratings.store.bulk import upsert_tuples
from ratings.store.tables import accounts, game_logs, games, log_seats, players, seats
from ratings.systems.riichi import STICK

__all__ = [
    "Differing",
    "LogMatch",
    "Mismatch",
    "against_computers",
    "drop_log",
    "match_names",
    "refuse_against_log",
    "refuse_known",
    "site_of",
    "submit_log",
]

# A log belongs to a game of that day, or to one that was reported this recently.
DAY = 24 * 3600
RECENT = 7 * DAY

_KEEPING = (GameState.PENDING, GameState.APPROVED)


@dataclass(frozen=True, slots=True)
class LogMatch:
    """A log that was written down: as a new pending game, or (`attached`) with a game reported before."""

    submission: Submission
    attached: bool


class Differing(StrEnum):
    """What a report by hand and a log can say otherwise."""

    SEAT = "seat"
    SCORE = "score"
    LENGTH = "length"
    LOBBY = "lobby"
    RANKED = "ranked"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A particular that a game reported by hand and its log have otherwise: `what`, of whom, and both values.

    A seat counts from East, a score is in points and holds the sticks that were left; length and lobby are what
    they are elsewhere. Where `what` is RANKED, `logged` is why the game of the log was unranked, None if whoever
    sent it said so.
    """

    what: Differing
    reported: Any
    logged: Any
    name: str | None = None


def site_of(log: GameLog) -> Site:
    """The site whose names a log has."""
    return Site.MAHJONG_SOUL if log.format is LogFormat.MAHJONG_SOUL else Site.TENHOU


def match_names(connection: sa.Connection, guild_id: int, log: GameLog) -> list[Person | None]:
    """Who sat at a log's table, by the accounts members have linked; None for a name that is nobody's."""
    names = [name_in_log(seat.name) for seat in log.seats]
    own, counted = players.alias("own"), players.alias("counted")
    query = (
        sa.select(
            accounts.c.name,
            sa.func.coalesce(counted.c.discord_id, own.c.discord_id).label("discord_id"),
            sa.case((counted.c.discord_id.is_not(None), counted.c.name), else_=own.c.name).label("shown"),
        )
        .join(own, own.c.id == accounts.c.player_id)
        .join(counted, counted.c.id == sa.func.coalesce(own.c.merged_into, own.c.id))
        .where(accounts.c.guild_id == guild_id, accounts.c.site == site_of(log))
        .where(accounts.c.unlinked_at.is_(None), accounts.c.name.in_(names))
    )
    found = {row.name: Person(row.discord_id, row.shown) for row in connection.execute(query) if row.discord_id}
    # A name that two at the table have (guests, namesakes) tells nobody apart.
    return [found.get(name) if names.count(name) == 1 else None for name in names]


def against_computers(log: GameLog) -> bool:
    """Whether computer players sat at a log's table, by its type or by their names."""
    return log.unranked is Unranked.AGAINST_BOTS or any(is_computer(site_of(log), seat.name) for seat in log.seats)


def refuse_known(connection: sa.Connection, guild_id: int, fingerprint: str, log_id: str | None = None) -> None:
    """Raises Refused if a game that waits or is approved has this log, with its number and card: LOG_KNOWN, or
    LOG_ID_KNOWN where the site's id is the same and the log another one."""
    found = [
        each for each in _games_with(connection, guild_id, fingerprint, log_id) if each.game.state in _KEEPING
    ]
    for game, same in sorted(found, key=lambda known: not known.same):
        why = Refusal.LOG_KNOWN if same else Refusal.LOG_ID_KNOWN
        raise Refused(why, number=game.number, card=game.shown_on)


def refuse_against_log(game: reading.GameRecord, facts: RiichiGame | AmericanGame, *, by_reporter: bool) -> None:
    """Raises Refused (LOG_SETTLES) if `facts` give a game that has a log other seats or scores than it has: the
    figures of a log are those of its seats.

    Length, lobby and whether the game is ranked are what the log says, too, unless an admin knows better: raises
    Refused (LOG_SAYS_OTHERWISE) if it is the reporter who changes one of them into something else.
    """
    log, told = game.log, game.facts
    if log is None or not isinstance(told, RiichiGame) or not isinstance(facts, RiichiGame):
        return
    table, new_table = ([seat.player_id for seat in each.seats] for each in (told, facts))
    if table != new_table or _final_scores(told) != _final_scores(facts):
        raise Refused(Refusal.LOG_SETTLES, number=game.number, card=game.shown_on)
    for old, new, logged in (
        (told.length, facts.length, log.length),
        (told.lobby, facts.lobby, log.lobby),
        (told.ranked, facts.ranked, log.unranked is None),
    ):
        if by_reporter and new not in (old, logged):
            raise Refused(Refusal.LOG_SAYS_OTHERWISE, number=game.number, card=game.shown_on)


def submit_log(
    connection: sa.Connection,
    guild_id: int,
    log: GameLog,
    report: Report,
    now: int,
    lease: float | None = None,
    is_admin: bool = False,
) -> LogMatch:
    """Write a log down, and the game it tells if nobody has reported it yet.

    `report` is what the log says, with the members at the table. With a `lease` (seconds) the letter that asks
    for the card is the caller's to deliver. Raises Refused: LOG_KNOWN or LOG_ID_KNOWN with the game that has it,
    LOG_DIFFERS when the players reported a game by hand that does not agree with it, LOG_FOR_ADMINS when it
    belongs to an approved game and no admin brings it, and whatever a report is refused for; then nothing is
    kept. A rejected, withdrawn or voided game gives its log up.
    """
    club.lock(connection, guild_id, now)
    if reading.by_interaction(connection, guild_id, report.interaction_id) is not None:
        return LogMatch(submit(connection, guild_id, report, now, lease), attached=False)
    refuse_known(connection, guild_id, log.fingerprint, log.log_id)
    _release(connection, guild_id, log, now)
    records = club.player_ids(connection, guild_id, report.players)
    ids = club.counted_as(connection, guild_id, records)
    table = [ids[record] for record in records]
    reported = _reported_by_hand(connection, guild_id, log, table, report.ranked, now)
    letters: tuple[outbox.Letter, ...]
    if reported is None:
        submission = submit(connection, guild_id, report, now, lease)
        game_id, letters = submission.game.id, submission.letters
        order = _seats_of(submission.game, table)
    elif reported.state is GameState.APPROVED and not is_admin:
        # What counts is decided: nobody looks at it again.
        raise Refused(Refusal.LOG_FOR_ADMINS, number=reported.number, card=reported.shown_on)
    else:
        game_id, order = reported.id, _seats_of(reported, table)
        letters = ask_for(connection, guild_id, outbox.Kind.CARD, game_id, now, lease)
    (author,) = club.player_ids(connection, guild_id, [report.reporter])
    _write(connection, guild_id, game_id, log, order, author, now)
    return LogMatch(Submission(figures.matter(connection, guild_id, game_id), letters), reported is not None)


class _Known(NamedTuple):
    """A game that has a log: the `same` one, or another that goes by the same id of its site."""

    game: reading.GameRecord
    same: bool


def _games_with(connection: sa.Connection, guild_id: int, fingerprint: str, log_id: str | None) -> list[_Known]:
    """The club's games that have this log or its id."""
    alike = game_logs.c.fingerprint == fingerprint
    if log_id is not None:
        alike = sa.or_(alike, game_logs.c.log_id == log_id)
    query = sa.select(game_logs.c.game_id, game_logs.c.fingerprint).order_by(game_logs.c.game_id)
    rows = connection.execute(query.where(game_logs.c.guild_id == guild_id, alike)).all()
    return [
        _Known(reading.by_id(connection, guild_id, row.game_id), row.fingerprint == fingerprint) for row in rows
    ]


def _release(connection: sa.Connection, guild_id: int, log: GameLog, now: int) -> None:
    """Take a log from the games that have it, whose cards no longer say so."""
    for game, _ in _games_with(connection, guild_id, log.fingerprint, log.log_id):
        drop_log(connection, game.id)
        if game.card is not None:
            outbox.enqueue(connection, guild_id, outbox.Kind.CARD, [game.id], now)


def drop_log(connection: sa.Connection, game_id: int) -> None:
    """Take the log of a game away, with the figures of its hands."""
    for table in (log_seats, game_logs):
        connection.execute(sa.delete(table).where(table.c.game_id == game_id))


def _reported_by_hand(
    connection: sa.Connection, guild_id: int, log: GameLog, table: Sequence[int], ranked: bool, now: int
) -> reading.GameRecord | None:
    """The game without a log that these players reported and that agrees with it.

    Raises Refused (LOG_DIFFERS) if the only candidates do not agree: a slip on one of both sides.
    """
    candidates = _candidates(connection, guild_id, log, table, now)
    told = {game.id: list(_mismatches(game, log, table, ranked)) for game in candidates}
    # One of another day is only meant if the scores are the same: then its report had no time, or a wrong one.
    found = [game for game in candidates if _same_day(game, log) or not _wrong_scores(told[game.id])]
    for game in found:
        if not told[game.id]:
            return game
    for game in sorted(found, key=lambda game: _wrong_scores(told[game.id])):
        # Of the same evening, but another game, unless most of it agrees.
        if _wrong_scores(told[game.id]) <= len(table) - len(table) // 2:
            mismatches = tuple(told[game.id])
            raise Refused(Refusal.LOG_DIFFERS, number=game.number, card=game.shown_on, mismatches=mismatches)
    return None


def _candidates(
    connection: sa.Connection, guild_id: int, log: GameLog, table: Sequence[int], now: int
) -> list[reading.GameRecord]:
    """The games without a log that just these players played or reported at about that time."""
    told = players.alias("told")
    counted = sa.func.coalesce(told.c.merged_into, told.c.id)
    around = [games.c.reported_at > now - RECENT]
    if log.played_at is not None:
        around.append(games.c.reported_at.between(log.played_at, log.played_at + RECENT))
        around.append(games.c.played_at.between(log.played_at - DAY, log.played_at + DAY))
    query = (
        sa.select(games.c.id)
        .join(seats, seats.c.game_id == games.c.id)
        .join(told, told.c.id == seats.c.player_id)
        .outerjoin(game_logs, game_logs.c.game_id == games.c.id)
        .where(games.c.guild_id == guild_id, games.c.kind == "riichi", sa.or_(*around))
        .where(game_logs.c.game_id.is_(None), games.c.state.in_(_KEEPING), counted.in_(table))
        .group_by(games.c.id)
        .having(sa.func.count() == len(table))
        .order_by(games.c.id)
    )
    ids = list(connection.execute(query).scalars())
    found = sorted(reading.by_ids(connection, guild_id, ids), key=lambda game: game.id)
    return [game for game in found if len(game.players) == len(table)]


def _same_day(game: reading.GameRecord, log: GameLog) -> bool:
    """Whether the game was played within a day of the log; true of a log that has no time."""
    return log.played_at is None or abs(game.played_at - log.played_at) <= DAY


def _mismatches(game: reading.GameRecord, log: GameLog, table: Sequence[int], ranked: bool) -> Iterator[Mismatch]:
    """What the report and the log, sent as that of a `ranked` game or not, tell otherwise. Their times are not
    compared: a report gives the end or less."""
    facts = game.facts
    assert isinstance(facts, RiichiGame)  # noqa: S101 - the query asks for no other
    scores = _final_scores(facts)
    for seat, (player, logged) in enumerate(zip(table, log.seats, strict=True)):
        told = game.players.index(player)
        if scores[told] != logged.final_score:
            yield Mismatch(Differing.SCORE, scores[told], logged.final_score, game.name_of(player))
        if told != seat:
            yield Mismatch(Differing.SEAT, told, seat, game.name_of(player))
    if facts.length is not log.length:
        yield Mismatch(Differing.LENGTH, facts.length, log.length)
    if facts.ranked and not (ranked and log.ranked):
        yield Mismatch(Differing.RANKED, True, log.unranked)
    elif facts.lobby is not None and log.lobby is not None and facts.lobby is not log.lobby:
        yield Mismatch(Differing.LOBBY, facts.lobby, log.lobby)


def _wrong_scores(mismatches: Sequence[Mismatch]) -> int:
    return sum(each.what is Differing.SCORE for each in mismatches)


def _final_scores(facts: RiichiGame) -> list[int]:
    """The scores by seat as a log has them: with the sticks that were left in the score of first place."""
    scores = list(facts.scores)
    scores[scores.index(max(scores))] += STICK * facts.sticks
    return scores


def _seats_of(game: reading.GameRecord, table: Sequence[int]) -> Mapping[int, int]:
    """Where in the game each seat of the log sits."""
    return {seat: game.players.index(player) for seat, player in enumerate(table)}


def _write(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    log: GameLog,
    order: Mapping[int, int],
    author: int,
    now: int,
) -> None:
    row = {
        "game_id": game_id,
        "guild_id": guild_id,
        "fingerprint": log.fingerprint,
        "format": log.format,
        "log_id": log.log_id,
        "length": log.length,
        "lobby": log.lobby,
        "unranked": log.unranked,
        "attached_by": author,
        "attached_at": now,
    }
    connection.execute(sa.insert(game_logs).values(row))
    rows = [
        (
            game_id,
            order[number],
            seat.name,
            seat.hands,
            seat.wins_tsumo,
            seat.wins_ron,
            seat.deal_in_hands,
            seat.rons_paid,
            seat.called_hands,
            seat.riichi_hands,
            seat.closed_kans,
            seat.kita,
        )
        for number, seat in enumerate(log.seats)
    ]
    upsert_tuples(connection, log_seats, rows)
