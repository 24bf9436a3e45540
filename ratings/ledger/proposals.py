"""Proposals: what a correction of the ledger would be and move. Nothing here writes.

Whoever asks for a correction is shown the proposal first; `corrections.carry_out` makes it true.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from ratings import club
from ratings.ledger import bans, logs, tellings
from ratings.ledger.entries import entry_for, entry_of
from ratings.ledger.merging import check_apart, reassigned, records_of, taken_along
from ratings.ledger.plans import Change, Plan, make_plan
from ratings.ledger.tellings import AmericanTelling, Penalised, Telling
from ratings.models import (
    AmericanGame,
    CorrectionKind,
    GameState,
    Person,
    Refusal,
    Refused,
    RiichiGame,
    Verdict,
)
from ratings.queries import cards, people, twins
from ratings.queries import games as reading
from ratings.queries.american import WinFigures, moved_wins
from ratings.queries.records import Approval, GameRecord, Twin
from ratings.queries.statistics import log_hands
from ratings.store.tables import decisions, games, players, tournament_results

__all__ = [
    "Proposal",
    "propose_amend",
    "propose_forget",
    "propose_merge",
    "propose_reopen",
    "propose_restore",
    "propose_split",
    "propose_void",
    "propose_withdraw",
]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction as it would be. `game` is as it stands; `facts` are what it would be instead, `before` and
    `after` how it was and would be told; `approval` is the one under which it would count.

    `wins` are what people won in American mahjong, before and after, of whoever's would change; `log_hands` are
    the hands of the game's log that would enter or leave the statistics.

    A merge makes `player_id` count as `into_id`, with the records that already count as his (`family`); they have
    results in so many `tournaments`.

    The penalties added and removed (record, offence) are those of a hand that stays as it is told. `twin` is a
    pending or counting game that tells the same as this one would, once it is pending or counts."""

    kind: CorrectionKind
    plan: Plan
    reason: str | None = None
    game: GameRecord | None = None
    facts: RiichiGame | AmericanGame | None = None
    before: Telling | None = None
    after: Telling | None = None
    approval: Approval | None = None
    player_id: int | None = None
    into_id: int | None = None
    family: tuple[int, ...] = ()
    tournaments: int = 0
    wins: Mapping[int, tuple[WinFigures, WinFigures]] = field(default_factory=dict)
    log_hands: int = 0
    twin: Twin | None = None
    penalties_added: tuple[Penalised, ...] = ()
    penalties_removed: tuple[Penalised, ...] = ()

    @property
    def table(self) -> tuple[int, ...]:
        """The players at the table as it would be."""
        if isinstance(self.facts, RiichiGame):
            return tuple(seat.player_id for seat in self.facts.seats)
        return () if self.facts is None else self.facts.players

    @property
    def people(self) -> set[int]:
        """All records that it speaks of."""
        named = {*self.family, *(move.player_id for move in self.plan.moves)}
        for told in (self.before, self.after):
            named.update(() if told is None else told.players)
        named.update(self.table)
        for record in (self.player_id, self.into_id):
            named.update(() if record is None else [record])
        return named | set(() if self.game is None else self.game.players)


def propose_void(connection: sa.Connection, guild_id: int, game_id: int, reason: str) -> Proposal:
    """An approved game as if it had never been played. Raises Refused if it is not approved."""
    game = reading.by_id(connection, guild_id, game_id)
    _must_be(game, Refusal.NOT_APPROVED, GameState.APPROVED)
    plan = make_plan(connection, guild_id, [Change(entry_of(game), None)])
    wins, hands = moved_wins(connection, game.facts, None), log_hands(connection, game_id)
    return Proposal(CorrectionKind.VOID, plan, reason, game, wins=wins, log_hands=hands)


def propose_restore(connection: sa.Connection, guild_id: int, game_id: int, reason: str | None = None) -> Proposal:
    """A voided game as if it had never been voided. Raises Refused if it is not voided, or if two at its table
    have become one person."""
    game = reading.by_id(connection, guild_id, game_id)
    _must_be(game, Refusal.NOT_VOIDED, GameState.VOIDED)
    _check_people(connection, game)
    row = connection.execute(
        sa.select(decisions.c.id, decisions.c.settings_version)
        .where(decisions.c.game_id == game_id, decisions.c.verdict == Verdict.APPROVE)
        .order_by(decisions.c.id.desc())
        .limit(1)
    ).one()
    approval = Approval(row.id, row.settings_version)
    plan = make_plan(connection, guild_id, [Change(None, entry_for(game, game.facts, approval))])
    wins, hands = moved_wins(connection, None, game.facts), log_hands(connection, game_id)
    return Proposal(
        CorrectionKind.RESTORE, plan, reason, game, approval=approval, wins=wins, log_hands=hands, twin=game.twin
    )


def propose_amend(
    connection: sa.Connection,
    guild_id: int,
    game_id: int,
    told: Telling,
    now: int,
    reason: str | None = None,
    reporter: Person | None = None,
) -> Proposal:
    """A pending or approved game told anew. With a `reporter` only his own pending game can be.

    Raises Refused for a game in another state, a telling that cannot be, one that says nothing new, and one with
    other seats or scores than the log of the game or, by its reporter, against what else the log says.
    """
    game = reading.by_id(connection, guild_id, game_id)
    if reporter is None:
        _must_be(game, Refusal.NOT_AMENDABLE, GameState.PENDING, GameState.APPROVED)
    else:
        _must_be_own(connection, game, reporter)
    before = tellings.read(connection, game_id)
    told = _checked(connection, game, before, told, now)
    if told == before:
        raise Refused(Refusal.NOTHING_TO_AMEND, number=game.number)
    line = None
    if isinstance(told, AmericanTelling) and told.line_id is not None:
        line = cards.line(connection, guild_id, told.line_id)
    facts = tellings.facts_of(told, club.counted_as(connection, guild_id, told.players), line, game.recorded)
    logs.refuse_against_log(game, facts, by_reporter=reporter is not None)
    changes, wins = [], dict[int, tuple[WinFigures, WinFigures]]()
    if game.approval is not None:
        changes = [Change(entry_of(game), entry_for(game, facts, game.approval))]
        wins = moved_wins(connection, game.facts, facts)
    plan, approval = make_plan(connection, guild_id, changes), game.approval
    mark = tellings.fingerprint_of(connection, game_id, told)
    twin = twins.of_mark(connection, guild_id, mark, game.reported_at, game_id)
    return Proposal(CorrectionKind.AMEND, plan, reason, game, facts, before, told, approval, wins=wins, twin=twin)


def propose_withdraw(connection: sa.Connection, guild_id: int, game_id: int, reporter: Person) -> Proposal:
    """A pending report taken back by whoever made it. Raises Refused for anybody else's and a decided one."""
    game = reading.by_id(connection, guild_id, game_id)
    _must_be_own(connection, game, reporter)
    return Proposal(CorrectionKind.WITHDRAW, make_plan(connection, guild_id, []), game=game)


def propose_reopen(connection: sa.Connection, guild_id: int, game_id: int, reason: str | None = None) -> Proposal:
    """A rejected or withdrawn game waiting for a decision again. Raises Refused for any other."""
    game = reading.by_id(connection, guild_id, game_id)
    _must_be(game, Refusal.NOT_REJECTED, GameState.REJECTED, GameState.WITHDRAWN)
    _check_people(connection, game)
    return Proposal(CorrectionKind.REOPEN, make_plan(connection, guild_id, []), reason, game, twin=game.twin)


def propose_merge(
    connection: sa.Connection, guild_id: int, player_id: int, into_id: int, reason: str | None = None
) -> Proposal:
    """Two records of one person: everything of the first counts under the second.

    Raises Refused for unknown records, for one that is merged already, for twice the same, and when both sat at
    one table or played in one tournament, with the numbers of those games and tournaments.
    """
    counted = club.counted_as(connection, guild_id, [player_id, into_id])
    if len(counted) < len({player_id, into_id}):
        raise Refused(Refusal.UNKNOWN_PLAYER)
    into_id = counted[into_id]
    if player_id == into_id:
        raise Refused(Refusal.ONE_RECORD)
    if counted[player_id] != player_id:
        raise Refused(Refusal.MERGED_ALREADY)
    _check_known(connection, player_id, into_id)
    family = records_of(connection, player_id)
    check_apart(connection, guild_id, family, into_id)
    plan = make_plan(connection, guild_id, reassigned(connection, guild_id, family, into_id))
    return _of_people(connection, CorrectionKind.MERGE, plan, reason, player_id, into_id, family)


def propose_split(connection: sa.Connection, guild_id: int, player_id: int, reason: str | None = None) -> Proposal:
    """A merge undone: the record counts for itself again, with those that had counted as it before.

    Raises Refused when it is not merged.
    """
    counted = club.counted_as(connection, guild_id, [player_id])
    if player_id not in counted:
        raise Refused(Refusal.UNKNOWN_PLAYER)
    into_id = counted[player_id]
    if into_id == player_id:
        raise Refused(Refusal.NOT_MERGED)
    family = taken_along(connection, guild_id, player_id)
    plan = make_plan(connection, guild_id, reassigned(connection, guild_id, family, player_id))
    return _of_people(connection, CorrectionKind.SPLIT, plan, reason, player_id, into_id, family)


def _of_people(
    connection: sa.Connection,
    kind: CorrectionKind,
    plan: Plan,
    reason: str | None,
    player_id: int,
    into_id: int,
    family: Collection[int],
) -> Proposal:
    of_family = tournament_results.c.player_id.in_(family)
    held = connection.execute(sa.select(sa.func.count()).select_from(tournament_results).where(of_family))
    return Proposal(
        kind,
        plan,
        reason,
        player_id=player_id,
        into_id=into_id,
        family=tuple(family),
        tournaments=int(held.scalar_one()),
    )


def propose_forget(connection: sa.Connection, guild_id: int, player_id: int, now: int) -> Proposal:
    """A person without name and Discord account. Raises Refused for an unknown record, and while a ban of his is
    in force."""
    counted = club.counted_as(connection, guild_id, [player_id])
    if player_id not in counted:
        raise Refused(Refusal.UNKNOWN_PLAYER)
    _check_known(connection, counted[player_id])
    family = records_of(connection, counted[player_id])
    bans.refuse_forgetting(connection, guild_id, family, now)
    plan = make_plan(connection, guild_id, [])
    return Proposal(CorrectionKind.FORGET, plan, player_id=counted[player_id], family=tuple(family))


def _must_be(game: GameRecord, refusal: Refusal, *states: GameState) -> None:
    if game.state not in states:
        raise Refused(refusal, number=game.number, state=game.state)


def _must_be_own(connection: sa.Connection, game: GameRecord, reporter: Person) -> None:
    _must_be(game, Refusal.NOT_PENDING, GameState.PENDING)
    mine = games.c.reported_by.in_(people.records_of(game.guild_id, reporter.discord_id))
    if connection.execute(sa.select(games.c.id).where(games.c.id == game.id, mine)).first() is None:
        raise Refused(Refusal.NOT_YOUR_REPORT, number=game.number)


def _checked(connection: sa.Connection, game: GameRecord, before: Telling, told: Telling, now: int) -> Telling:
    """What is told anew, put straight. Raises Refused if it cannot be."""
    if type(before) is not type(told):
        kind = Refusal.NOT_AMERICAN if isinstance(told, AmericanTelling) else Refusal.NOT_RIICHI
        raise Refused(kind, number=game.number)
    named = tellings.named(told)
    names = dict(connection.execute(sa.select(players.c.id, players.c.name).where(players.c.id.in_(named))).all())
    version = None if game.approval is None else game.approval.settings_version
    settings = club.settings(connection, game.guild_id, version)
    told = tellings.check(connection, game.guild_id, told, names, settings, now, before)
    # Of several records under which somebody was penalised, the oldest; but the one at the table before any other.
    known = [*sorted({record for record, _ in game.recorded}, reverse=True), *before.players]
    counted = club.counted_as(connection, game.guild_id, [*known, *named])
    told = tellings.seated(told, {counted[record]: record for record in known}, counted)
    if tellings.columns_of(told)["ranked"]:
        # Whoever was banned since he was reported is for the admins to decide about.
        were_named = set(before.players if tellings.columns_of(before)["ranked"] else ())
        bans.refuse_banned(connection, game.guild_id, sorted(set(told.players) - were_named), now)
    return told


def _check_people(connection: sa.Connection, game: GameRecord) -> None:
    """Since a game stopped to count, records of its players may have been merged."""
    counted = club.counted_as(connection, game.guild_id, game.records)
    name_of: dict[int, str] = {}
    for record, person in zip(game.records, game.people, strict=True):
        if counted[record] in name_of:
            raise Refused(Refusal.ONE_PERSON, name=person.name, other=name_of[counted[record]])
        name_of[counted[record]] = person.name


def _check_known(connection: sa.Connection, *records: int) -> None:
    """Whoever asked to be forgotten is nobody that could be meant."""
    forgotten = sa.select(players.c.id).where(players.c.id.in_(records), players.c.forgotten_at.is_not(None))
    if connection.execute(forgotten.limit(1)).first() is not None:
        raise Refused(Refusal.UNKNOWN_PLAYER)
