"""Games as they stand in the ledger, with the names and the decision that go with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from ratings.models import (
    AmericanGame,
    AmericanWin,
    CorrectionKind,
    GameState,
    Length,
    Lobby,
    Offence,
    Person,
    Refusal,
    Refused,
    RiichiGame,
    Seat,
    Verdict,
    WonBy,
)
from ratings.queries.cards import CardLine, from_row
from ratings.queries.people import records_of
from ratings.queries.records import (
    Approval,
    AttachedLog,
    Card,
    Carded,
    GamePage,
    GameRecord,
    Note,
    Penalty,
    Ruling,
    Twin,
)
from ratings.queries.twins import TWIN_ID
from ratings.store.tables import (
    american_wins,
    card_lines,
    cards,
    corrections,
    decisions,
    game_logs,
    games,
    penalties,
    players,
    rejection_reasons,
    seats,
)

__all__ = [
    "Approval",
    "Card",
    "Carded",
    "GamePage",
    "GameRecord",
    "Note",
    "Penalty",
    "Ruling",
    "by_card",
    "by_id",
    "by_ids",
    "by_interaction",
    "by_number",
    "cards_among",
    "cards_in",
    "last_number",
    "page",
    "pending",
    "pending_cards",
    "pending_of",
]


# Whatever a statement may be asked about at once: PostgreSQL takes 32,767 values.
_BATCH = 5_000
_reporter = players.alias("reporter")
_decider = players.alias("decider")
_corrector = players.alias("corrector")
_told = players.alias("told")
_approval = decisions.alias("approval")
_twin = games.alias("twin")
_twin_card = cards.alias("twin_card")
_newest_decision = (
    sa.select(sa.func.max(decisions.c.id))
    .where(decisions.c.game_id == games.c.id)
    .correlate(games)
    .scalar_subquery()
)
_newest_reason = (
    sa.select(sa.func.max(rejection_reasons.c.id))
    .where(rejection_reasons.c.game_id == games.c.id)
    .correlate(games)
    .scalar_subquery()
)
_newest_note = (
    sa.select(sa.func.max(corrections.c.id))
    .where(corrections.c.game_id == games.c.id, corrections.c.kind != CorrectionKind.DETACH)
    .correlate(games)
    .scalar_subquery()
)
_RECORDS = sa.select(
    games,
    _reporter.c.discord_id.label("reporter_discord_id"),
    _reporter.c.name.label("reporter_name"),
    _twin.c.number.label("twin_number"),
    _twin_card.c.channel_id.label("twin_channel_id"),
    _twin_card.c.message_id.label("twin_message_id"),
    cards.c.channel_id,
    cards.c.message_id,
    cards.c.stale,
    decisions.c.verdict,
    decisions.c.decided_at,
    decisions.c.settings_version,
    _decider.c.name.label("decider_name"),
    rejection_reasons.c.reason,
    _approval.c.settings_version.label("approval_version"),
    corrections.c.kind.label("note_kind"),
    corrections.c.corrected_at,
    corrections.c.reason.label("note_reason"),
    _corrector.c.name.label("corrector_name"),
    game_logs.c.format.label("log_format"),
    game_logs.c.log_id,
    game_logs.c.length.label("log_length"),
    game_logs.c.lobby.label("log_lobby"),
    game_logs.c.unranked,
    american_wins.c.winner_id,
    american_wins.c.line_id,
    american_wins.c.won_by,
    american_wins.c.discarder_id,
    american_wins.c.used_jokers,
    american_wins.c.concealed,
).select_from(
    games.join(_reporter, _reporter.c.id == games.c.reported_by)
    .outerjoin(_twin, _twin.c.id == TWIN_ID)
    .outerjoin(_twin_card, _twin_card.c.game_id == _twin.c.id)
    .outerjoin(cards, cards.c.game_id == games.c.id)
    .outerjoin(decisions, decisions.c.id == _newest_decision)
    .outerjoin(_decider, _decider.c.id == decisions.c.decided_by)
    .outerjoin(
        # A game can be rejected again after it was reopened; what was said the first time is not why.
        rejection_reasons,
        sa.and_(rejection_reasons.c.id == _newest_reason, rejection_reasons.c.given_at >= decisions.c.decided_at),
    )
    .outerjoin(_approval, _approval.c.id == games.c.approval_id)
    .outerjoin(corrections, corrections.c.id == _newest_note)
    .outerjoin(_corrector, _corrector.c.id == corrections.c.corrected_by)
    .outerjoin(game_logs, game_logs.c.game_id == games.c.id)
    .outerjoin(american_wins, american_wins.c.game_id == games.c.id)
)


_CARD_STATE = (
    sa.select(games.c.id, games.c.number, games.c.state, cards.c.channel_id, cards.c.message_id)
    .join(games, games.c.id == cards.c.game_id)
    .where(cards.c.guild_id == sa.bindparam("guild"), cards.c.message_id == sa.bindparam("message"))
    .where(cards.c.stale == 0)
)
_OF_GUILD = games.c.guild_id == sa.bindparam("guild")
_BY_ID = _RECORDS.where(_OF_GUILD, games.c.id == sa.bindparam("game"))
_BY_NUMBER = _RECORDS.where(_OF_GUILD, games.c.number == sa.bindparam("number"))
_BY_INTERACTION = _RECORDS.where(_OF_GUILD, games.c.interaction_id == sa.bindparam("interaction"))
_SEATS = (
    sa.select(
        seats.c.game_id,
        seats.c.player_id.label("record_id"),
        seats.c.score,
        seats.c.chips,
        players.c.id.label("player_id"),
        players.c.discord_id,
        players.c.name,
    )
    .join(_told, _told.c.id == seats.c.player_id)
    .join(players, players.c.id == sa.func.coalesce(_told.c.merged_into, _told.c.id))
    .where(seats.c.game_id.in_(sa.bindparam("games", expanding=True)))
    .order_by(seats.c.game_id, seats.c.seat)
)
_LINES = sa.select(card_lines).where(card_lines.c.id.in_(sa.bindparam("lines", expanding=True)))
_PENALTIES = (
    sa.select(penalties.c.game_id, penalties.c.player_id, penalties.c.offence, players.c.name)
    .join(players, players.c.id == penalties.c.added_by)
    .where(penalties.c.game_id.in_(sa.bindparam("games", expanding=True)), penalties.c.removed_at.is_(None))
    .order_by(penalties.c.id)
)
_PENDING_OF = (
    sa.select(games.c.id)
    .where(_OF_GUILD, games.c.state == GameState.PENDING)
    .where(
        sa.exists().where(
            seats.c.game_id == games.c.id,
            _told.c.id == seats.c.player_id,
            sa.func.coalesce(_told.c.merged_into, _told.c.id).in_(sa.bindparam("players", expanding=True)),
        )
    )
    .order_by(games.c.id)
)
_LAST_NUMBER = sa.select(sa.func.coalesce(sa.func.max(games.c.number), 0)).where(_OF_GUILD)


def by_id(connection: sa.Connection, guild_id: int, game_id: int) -> GameRecord:
    """The game with this id in this club. Raises Refused (UNKNOWN_GAME)."""
    found = _fetch(connection, _BY_ID, guild=guild_id, game=game_id)
    if not found:
        raise Refused(Refusal.UNKNOWN_GAME)
    return found[0]


def by_ids(connection: sa.Connection, guild_id: int, game_ids: Sequence[int]) -> list[GameRecord]:
    """The club's games with these ids."""
    return _fetch(connection, _RECORDS.where(_OF_GUILD, games.c.id.in_(game_ids)), guild=guild_id)


def by_number(connection: sa.Connection, guild_id: int, number: int) -> GameRecord:
    """The club's game of this number. Raises Refused (UNKNOWN_GAME)."""
    found = _fetch(connection, _BY_NUMBER, guild=guild_id, number=number)
    if not found:
        raise Refused(Refusal.UNKNOWN_GAME, number=number)
    return found[0]


def by_interaction(connection: sa.Connection, guild_id: int, interaction_id: int) -> GameRecord | None:
    """The game that this command had reported before, if it had."""
    found = _fetch(connection, _BY_INTERACTION, guild=guild_id, interaction=interaction_id)
    return found[0] if found else None


def by_card(connection: sa.Connection, guild_id: int, message_id: int) -> Carded | None:
    """The game whose card this message is, if it is one of this club."""
    row = connection.execute(_CARD_STATE, {"guild": guild_id, "message": message_id}).one_or_none()
    if row is None:
        return None
    return Carded(row.id, row.number, GameState(row.state), Card(guild_id, row.channel_id, row.message_id))


def pending(connection: sa.Connection, guild_id: int, limit: int = 500) -> list[GameRecord]:
    """The club's undecided games, oldest first."""
    mine = (games.c.guild_id == guild_id, games.c.state == GameState.PENDING)
    return _fetch(connection, _RECORDS.where(*mine).order_by(games.c.number).limit(limit))


def pending_cards(connection: sa.Connection, guild_id: int | None = None) -> list[Card]:
    """The cards of the undecided games of one club, or of all, that hang somewhere; oldest game first."""
    query = (
        sa.select(cards.c.guild_id, cards.c.channel_id, cards.c.message_id)
        .join(games, games.c.id == cards.c.game_id)
        .where(games.c.state == GameState.PENDING, cards.c.stale == 0)
    )
    if guild_id is not None:
        query = query.where(cards.c.guild_id == guild_id)
    return [Card(*row) for row in connection.execute(query.order_by(cards.c.game_id))]


def cards_among(connection: sa.Connection, guild_id: int, message_ids: Sequence[int]) -> list[int]:
    """Which of these messages are cards of the club's games."""
    query = sa.select(cards.c.message_id).where(cards.c.guild_id == guild_id)
    return list(connection.execute(query.where(cards.c.message_id.in_(message_ids))).scalars())


def cards_in(connection: sa.Connection, guild_id: int, channel_id: int) -> list[int]:
    """The messages in a channel that are cards of undecided games."""
    query = (
        sa.select(cards.c.message_id)
        .join(games, games.c.id == cards.c.game_id)
        .where(cards.c.guild_id == guild_id, cards.c.channel_id == channel_id)
    )
    return list(connection.execute(query.where(games.c.state == GameState.PENDING)).scalars())


def pending_of(connection: sa.Connection, guild_id: int, player_ids: Iterable[int]) -> list[int]:
    """Ids of the club's undecided games in which one of these players sat."""
    wanted, found = list(player_ids), set[int]()
    for start in range(0, len(wanted), _BATCH):
        values = {"guild": guild_id, "players": wanted[start : start + _BATCH]}
        found.update(connection.execute(_PENDING_OF, values).scalars())
    return sorted(found)


def last_number(connection: sa.Connection, guild_id: int) -> int:
    """The number of the club's newest game; 0 before the first."""
    return int(connection.execute(_LAST_NUMBER, {"guild": guild_id}).scalar_one())


def page(connection: sa.Connection, guild_id: int, discord_id: int | None, number: int, size: int) -> GamePage:
    """Page `number` (from 0) of the games of the club or of one member, undecided first, then the newest.

    Past the end, the last page.
    """
    wanted = [games.c.guild_id == guild_id]
    if discord_id is not None:
        mine = sa.select(seats.c.game_id).where(seats.c.player_id.in_(records_of(guild_id, discord_id)))
        wanted.append(games.c.id.in_(mine))
    total = connection.execute(sa.select(sa.func.count()).select_from(games).where(*wanted)).scalar_one()
    pages = max(1, -(-total // size))
    number = min(number, pages - 1)
    undecided_first = sa.case((games.c.state == GameState.PENDING, 0), else_=1)
    query = _RECORDS.where(*wanted).order_by(undecided_first, games.c.number.desc())
    return GamePage(tuple(_fetch(connection, query.offset(number * size).limit(size))), number, pages, total)


def _fetch(connection: sa.Connection, query: sa.Select[Any], **values: int) -> list[GameRecord]:
    rows = connection.execute(query, values).all()
    if not rows:
        return []
    at_table: dict[int, list[Any]] = {row.id: [] for row in rows}
    sat = connection.execute(_SEATS, {"games": list(at_table)})
    for seat in sat:
        at_table[seat.game_id].append(seat)
    hands = [row.id for row in rows if row.kind == "american"]
    marked: dict[int, list[Penalty]] = {}
    lines: dict[int, CardLine] = {}
    if hands:
        for row in connection.execute(_PENALTIES, {"games": hands}):
            marked.setdefault(row.game_id, []).append(Penalty(row.player_id, Offence(row.offence), row.name))
        wanted = {row.line_id for row in rows if row.line_id is not None}
        lines = {row.id: from_row(row) for row in connection.execute(_LINES, {"lines": list(wanted)})}
    return [_record(row, at_table[row.id], lines.get(row.line_id), tuple(marked.get(row.id, ()))) for row in rows]


def _record(row: Any, sat: Sequence[Any], line: CardLine | None, noted: tuple[Penalty, ...]) -> GameRecord:
    counted = {seat.record_id: seat.player_id for seat in sat}
    if len(set(counted.values())) < len(counted):
        # Two at this table have become one person since, so the game cannot count: it stays as it was told.
        counted = {record: record for record in counted}
    marked = tuple(
        replace(each, player_id=counted[each.player_id])
        for each in noted
        if each.player_id in counted and each.offence.fits(won=row.winner_id is not None)
    )
    ruling = approval = note = twin = None
    if row.verdict is not None:
        ruling = Ruling(Verdict(row.verdict), row.decider_name, row.decided_at, row.settings_version, row.reason)
    if row.approval_id is not None:
        approval = Approval(row.approval_id, row.approval_version)
    if row.note_kind is not None:
        kind = CorrectionKind(row.note_kind)
        note = Note(kind, row.corrector_name, row.corrected_at, row.note_reason)
    if row.twin_number is not None:
        twin = Twin(row.twin_number, _card(row.guild_id, row.twin_channel_id, row.twin_message_id))
    return GameRecord(
        id=row.id,
        guild_id=row.guild_id,
        number=row.number,
        state=GameState(row.state),
        facts=_riichi(row, sat, counted) if row.kind == "riichi" else _american(row, counted, line, marked),
        players=tuple(counted.values()),
        people=tuple(Person(seat.discord_id or 0, seat.name) for seat in sat),
        reporter=Person(row.reporter_discord_id or 0, row.reporter_name),
        played_at=row.played_at,
        reported_at=row.reported_at,
        report_channel_id=row.report_channel_id,
        twin=twin,
        card=_card(row.guild_id, row.channel_id, row.message_id, bool(row.stale)),
        decision=ruling,
        line=line,
        penalties=marked,
        records=tuple(counted),
        approval=approval,
        note=note,
        chips=tuple(seat.chips for seat in sat if seat.chips is not None),
        log=AttachedLog.of(row.log_format, row.log_id, row.log_length, row.log_lobby, row.unranked),
        recorded=tuple((each.player_id, each.offence) for each in noted),
    )


def _riichi(row: Any, sat: Sequence[Any], counted: Mapping[int, int]) -> RiichiGame:
    return RiichiGame(
        seats=tuple(Seat(counted[seat.record_id], seat.score) for seat in sat),
        length=Length(row.length),
        lobby=None if row.lobby is None else Lobby(row.lobby),
        sticks=row.sticks,
        ranked=bool(row.ranked),
    )


def _american(row: Any, counted: dict[int, int], line: CardLine | None, marked: Sequence[Penalty]) -> AmericanGame:
    win = None
    if line is not None:
        win = AmericanWin(
            winner=counted[row.winner_id],
            line=line.line,
            won_by=WonBy(row.won_by),
            discarder=None if row.discarder_id is None else counted[row.discarder_id],
            used_jokers=bool(row.used_jokers),
            concealed=bool(row.concealed),
        )
    offences = tuple((each.player_id, each.offence) for each in marked)
    return AmericanGame(tuple(counted.values()), win, offences)


def _card(guild_id: int, channel_id: int | None, message_id: int | None, stale: bool = False) -> Card | None:
    if channel_id is None or message_id is None:
        return None
    return Card(guild_id, channel_id, message_id, stale)
