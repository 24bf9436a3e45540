"""Reports: what members say was played becomes a pending game, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ratings import club
from ratings.ledger import bans, figures, tellings
from ratings.ledger.figures import Matter
from ratings.ledger.letters import ask_for
from ratings.ledger.tellings import AmericanTelling, RiichiTelling, Telling
from ratings.models import AmericanReport, GameState, Person, Refusal, Refused, Report
from ratings.queries import games as reading
from ratings.queries import twins
from ratings.settings import ClubSettings
from ratings.store import outbox
from ratings.store.tables import games

__all__ = ["Submission", "submit", "submit_american"]

Ids = Mapping[int, int]


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


_NEW_GAME = sa.insert(games).returning(games.c.id)


def submit(
    connection: sa.Connection, guild_id: int, report: Report, now: int, lease: float | None = None
) -> Submission:
    """Write a riichi report down as a pending game and ask for its card. Raises Refused; then nothing is kept.

    With a `lease` (seconds) the letter that asks for the card is the caller's to deliver.
    """

    def telling(ids: Ids) -> RiichiTelling:
        return RiichiTelling(
            players=tuple(ids[person.discord_id] for person in report.players),
            scores=report.scores,
            length=report.length,
            lobby=report.lobby,
            sticks=report.sticks,
            ranked=report.ranked,
            played_at=report.played_at,
            chips=report.chips,
        )

    return _submit(connection, guild_id, report, report.players, telling, now, lease)


def submit_american(
    connection: sa.Connection, guild_id: int, report: AmericanReport, now: int, lease: float | None = None
) -> Submission:
    """The same for an American hand."""

    def telling(ids: Ids) -> AmericanTelling:
        return AmericanTelling(
            players=tuple(ids[person.discord_id] for person in report.players),
            winner=None if report.winner is None else ids[report.winner.discord_id],
            line_id=report.line_id,
            won_by=report.won_by,
            discarder=None if report.discarder is None else ids[report.discarder.discord_id],
            used_jokers=report.used_jokers,
            concealed=report.concealed,
            played_at=report.played_at,
        )

    named = [*report.players, *(person for person in (report.winner, report.discarder) if person is not None)]
    return _submit(connection, guild_id, report, named, telling, now, lease)


def _submit(
    connection: sa.Connection,
    guild_id: int,
    report: Report | AmericanReport,
    named: Sequence[Person],
    telling: Callable[[Ids], Telling],
    now: int,
    lease: float | None,
) -> Submission:
    settings, again = _arrival(connection, guild_id, report, now)
    if again:
        return again
    for person in report.players:
        if person.is_bot:
            raise Refused(Refusal.BOT_PLAYER, name=person.name)
    reporter, *records = club.player_ids(connection, guild_id, [report.reporter, *named])
    names = {record: person.name for record, person in zip(records, named, strict=True)}
    ids: Ids = {person.discord_id: record for record, person in zip(records, named, strict=True)}
    told = tellings.check(connection, guild_id, telling(ids), names, settings, now)
    if tellings.columns_of(told)["ranked"]:
        bans.refuse_banned(connection, guild_id, told.players, now)
    game_id = _write_game(connection, guild_id, report, reporter, told, now)
    tellings.insert_table(connection, game_id, told)
    letters = ask_for(connection, guild_id, outbox.Kind.CARD, game_id, now, lease)
    outbox.enqueue(connection, guild_id, outbox.Kind.CARD, twins.naming(connection, game_id), now)
    game = reading.by_id(connection, guild_id, game_id)
    forecast = figures.weigh(game.facts, figures.standings_now(connection, game, settings), settings)
    return Submission(Matter(game, forecast, settings), letters)


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
    told: Telling,
    now: int,
) -> int:
    row = tellings.columns_of(told) | {
        "guild_id": guild_id,
        "number": reading.last_number(connection, guild_id) + 1,
        "state": GameState.PENDING,
        "fingerprint": tellings.fingerprint(told, report.interaction_id),
        "reported_at": now,
        "reported_by": reporter,
        "report_channel_id": report.channel_id,
        "interaction_id": report.interaction_id,
    }
    return int(connection.execute(_NEW_GAME, row).scalar_one())
