"""Whatever is corrected, and in whatever order: every stored figure is that of a clean replay, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ratings import club, ledger
from ratings.ledger import entries, merging
from ratings.ledger.tellings import read
from ratings.models import GameState, Offence, Person, Refusal, Verdict
from tests.correction_clubs import GUILDS, Correcting
from tests.correction_desk import Desk, open_desk
from tests.correction_draws import (
    HandPlay,
    Play,
    plays,
    seldom,
    told_anew,
    verdicts,
    wishes,
    with_records,
    won,
)
from tests.correction_model import Played
from tests.ledger_help import KAI

# Examples and steps each, by engine.
SIZES = {"sqlite": (20, 40), "postgresql": (5, 25)}
PENDING, APPROVED, VOIDED = GameState.PENDING, GameState.APPROVED, GameState.VOIDED
REJECTED, WITHDRAWN = GameState.REJECTED, GameState.WITHDRAWN

# Most of it happens in one club, so that much of it hangs together.
guilds = st.sampled_from((*[GUILDS[0]] * 4, GUILDS[1]))


class Clubs(Correcting):
    """Two clubs with the same members, and what they do to each other's records."""

    # ---- what members and admins do ------------------------------------------------------------------

    @initialize(history=st.lists(st.tuples(plays, st.none() | wishes), min_size=8, max_size=12))
    def has_played(self, history: list[tuple[Play, dict[str, Any] | None]]) -> None:
        for play, wish in history:
            self._report(GUILDS[0], play, Verdict.APPROVE)
            self.changes_settings(GUILDS[0], wish or {})

    @rule(guild=guilds, play=plays, verdict=verdicts)
    def reports(self, guild: int, play: Play, verdict: Verdict | None) -> None:
        self._report(guild, play, verdict)

    def _report(self, guild: int, play: Play, verdict: Verdict | None) -> None:
        books, people = self.books[guild], play.people

        def submit(connection: sa.Connection) -> ledger.Submission:
            if isinstance(play, HandPlay):
                return ledger.submit_american(connection, guild, play.told(list(books.lines)), self.now)
            return ledger.submit(connection, guild, play.told(books.rules), self.now)

        known = [books.accounts[person.discord_id] for person in people if person.discord_id in books.accounts]
        if books.one_person(known):
            self.refused(Refusal.ONE_PERSON, lambda: self.desk.write(submit))
            return
        found = self.desk.write(submit).game
        books.accounts |= {person.discord_id: record for person, record in zip(people, found.records, strict=True)}
        told = self.desk.read(read, found.id)
        game = Played(guild, found.id, found.number, told, reporter=found.records[0])
        books.games.append(game)
        books.touched += 1
        if isinstance(play, HandPlay) and play.sins:
            self._penalise(game, [(game.told.players[seat], offence) for seat, offence in play.sins])
        self._decide(game, verdict)

    def _penalise(self, game: Played, wanted: list[tuple[int, Offence]]) -> None:
        books = self.books[game.guild]
        asked = [(books.root(record), offence) for record, offence in wanted]
        refusal = None
        if not books.rules.penalties:
            refusal = Refusal.PENALTIES_OFF
        elif won(game.told) and any(offence is Offence.DEAD_HAND for _, offence in wanted):
            refusal = Refusal.DEAD_HAND_ON_A_WIN

        def penalise() -> None:
            self.desk.write(ledger.set_penalties, game.guild, game.id, asked, KAI, self.now)

        if refusal is not None:
            self.refused(refusal, penalise)
            return
        penalise()
        counting = books.penalties(game)
        game.penalties = [each for each in game.penalties if each not in counting] + wanted
        books.touched += 1

    @precondition(lambda self: self.games(PENDING))
    @rule(data=st.data(), verdict=verdicts)
    def decides(self, data: st.DataObject, verdict: Verdict | None) -> None:
        self._decide(self.one(data, PENDING), verdict)

    def _decide(self, game: Played, verdict: Verdict | None) -> None:
        if verdict is None:
            return
        self.now += 60
        assert self.desk.write(ledger.decide, game.guild, game.id, verdict, KAI, self.now).taken
        game.state = REJECTED
        if verdict is Verdict.APPROVE:
            self.books[game.guild].approve(game)
        self.books[game.guild].moved += 1

    @rule(guild=guilds, wish=wishes)
    def changes_settings(self, guild: int, wish: dict[str, Any]) -> None:
        try:
            self.books[guild].rules, _ = self.desk.write(club.change_settings, guild, wish, KAI, self.now)
        except club.BadSetting:
            return

    # ---- corrections of games ------------------------------------------------------------------------

    @precondition(lambda self: self.games(APPROVED))
    @rule(data=st.data(), later=seldom)
    def voids(self, data: st.DataObject, later: bool) -> None:
        game = self.one(data, APPROVED)
        self.correct(
            game.guild,
            lambda c: ledger.propose_void(c, game.guild, game.id, "A slip"),
            lambda: setattr(game, "state", VOIDED),
            later=later,
        )

    @precondition(lambda self: self.games(VOIDED))
    @rule(data=st.data(), later=seldom)
    def restores(self, data: st.DataObject, later: bool) -> None:
        game = self.one(data, VOIDED)
        self.correct(
            game.guild,
            lambda c: ledger.propose_restore(c, game.guild, game.id),
            lambda: setattr(game, "state", APPROVED),
            Refusal.ONE_PERSON if self.books[game.guild].one_person(game.told.players) else None,
            later=later,
        )

    @precondition(lambda self: self.games(APPROVED))
    @rule(data=st.data(), later=seldom)
    def amends(self, data: st.DataObject, later: bool) -> None:
        self._amend(self.one(data, APPROVED), data, later, None)

    @precondition(lambda self: self.games(PENDING))
    @rule(data=st.data(), later=seldom, by_reporter=st.booleans())
    def amends_a_report(self, data: st.DataObject, later: bool, by_reporter: bool) -> None:
        game = self.one(data, PENDING)
        self._amend(game, data, later, self.reporter(game) if by_reporter else None)

    def _amend(self, game: Played, data: st.DataObject, later: bool, reporter: Person | None) -> None:
        books = self.books[game.guild]
        rules = game.rules if game.state is APPROVED else books.rules
        told = told_anew(data, game.told, self.records(game.guild), list(books.lines), rules)
        known = [*sorted((record for record, _ in game.penalties), reverse=True), *game.told.players]
        sitting = {books.root(record): record for record in known}
        meant = with_records(told, lambda record: sitting.get(books.root(record), record))
        refusal = None
        if reporter is not None and reporter.discord_id == 0:
            refusal = Refusal.NOT_YOUR_REPORT
        elif len(set(told.players)) < len(told.players):
            refusal = Refusal.SAME_PLAYER
        elif books.one_person(told.players):
            refusal = Refusal.ONE_PERSON
        elif meant == game.told:
            refusal = Refusal.NOTHING_TO_AMEND

        self.correct(
            game.guild,
            lambda c: ledger.propose_amend(c, game.guild, game.id, told, self.now, None, reporter),
            lambda: setattr(game, "told", meant),
            refusal,
            later=later,
        )

    @precondition(lambda self: self.hands())
    @rule(data=st.data(), later=seldom, offence=st.sampled_from(Offence))
    def penalises(self, data: st.DataObject, later: bool, offence: Offence) -> None:
        game = data.draw(st.sampled_from(self.hands()))
        books = self.books[game.guild]
        counting = books.penalties(game)
        added = [(data.draw(st.sampled_from(game.told.players)), offence)]
        removed = data.draw(st.sampled_from([[], [], counting, counting[:1], added]))
        left = [each for each in dict.fromkeys([*counting, *added]) if each not in removed]
        refusal = None
        if not game.rules.penalties:
            refusal = Refusal.PENALTIES_OFF
        elif won(game.told) and any(sin is Offence.DEAD_HAND for _, sin in left):
            refusal = Refusal.DEAD_HAND_ON_A_WIN
        elif set(left) == set(counting):
            refusal = Refusal.NOTHING_TO_AMEND
        wished, gone = ([(books.root(record), sin) for record, sin in each] for each in (added, removed))

        def effect() -> None:
            game.penalties = [each for each in game.penalties if each not in counting] + left

        self.correct(
            game.guild,
            lambda c: ledger.propose_penalties(c, game.guild, game.id, wished, gone),
            effect,
            refusal,
            later=later,
        )

    @precondition(lambda self: self.games(PENDING))
    @rule(data=st.data(), later=seldom)
    def withdraws(self, data: st.DataObject, later: bool) -> None:
        game = self.one(data, PENDING)
        reporter = self.reporter(game)
        self.correct(
            game.guild,
            lambda c: ledger.propose_withdraw(c, game.guild, game.id, reporter),
            lambda: setattr(game, "state", WITHDRAWN),
            None if reporter.discord_id else Refusal.NOT_YOUR_REPORT,
            later=later,
        )

    @precondition(lambda self: self.games(REJECTED, WITHDRAWN))
    @rule(data=st.data(), verdict=verdicts, later=seldom)
    def reopens(self, data: st.DataObject, verdict: Verdict | None, later: bool) -> None:
        game = self.one(data, REJECTED, WITHDRAWN)
        self.correct(
            game.guild,
            lambda c: ledger.propose_reopen(c, game.guild, game.id),
            lambda: setattr(game, "state", PENDING),
            Refusal.ONE_PERSON if self.books[game.guild].one_person(game.told.players) else None,
            later=later,
        )
        if game.state is PENDING:
            self._decide(game, verdict)

    # ---- corrections of people -----------------------------------------------------------------------

    @rule(data=st.data(), guild=guilds, later=seldom)
    def merges(self, data: st.DataObject, guild: int, later: bool) -> None:
        books = self.books[guild]
        one, into, *_ = data.draw(st.permutations(self.records(guild)).map(lambda records: records * 2))
        numbers = books.together(one, into)
        refusal = None
        if one == books.root(into):
            refusal = Refusal.ONE_RECORD
        elif one in books.parents:
            refusal = Refusal.MERGED_ALREADY
        elif {one, books.root(into)} & books.forgotten:
            refusal = Refusal.UNKNOWN_PLAYER
        elif numbers:
            refusal = Refusal.TOGETHER
        self.correct(
            guild,
            lambda c: ledger.propose_merge(c, guild, one, into),
            lambda: books.parents.update({one: books.root(into)}),
            refusal,
            later=later,
        )

    @precondition(lambda self: any(books.parents for books in self.books.values()))
    @rule(data=st.data(), later=seldom)
    def splits(self, data: st.DataObject, later: bool) -> None:
        guild = data.draw(st.sampled_from([guild for guild in GUILDS if self.books[guild].parents]))
        books = self.books[guild]
        record = data.draw(st.sampled_from(sorted(books.parents)))
        self.correct(
            guild,
            lambda c: ledger.propose_split(c, guild, record),
            lambda: books.parents.__delitem__(record),
            later=later,
        )

    @rule(data=st.data(), guild=guilds, sure=seldom)
    def forgets(self, data: st.DataObject, guild: int, sure: bool) -> None:
        if not sure:
            return
        books, record = self.books[guild], data.draw(st.sampled_from(self.records(guild)))

        def effect() -> None:
            gone = books.family(books.root(record))
            books.forgotten.update(gone)
            books.accounts = {key: value for key, value in books.accounts.items() if value not in gone}

        refusal = Refusal.UNKNOWN_PLAYER if books.root(record) in books.forgotten else None
        self.correct(guild, lambda c: ledger.propose_forget(c, guild, record, self.now), effect, refusal)


@pytest.fixture
def desk(database: str) -> Iterator[Desk]:
    """A desk on each engine there is a server for."""
    with open_desk(database) as at:
        yield at


def test_corrections_are_exact(desk: Desk, engine_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # So small that a few games fill several.
    monkeypatch.setattr(entries, "BATCH", 3)
    monkeypatch.setattr(merging, "_BATCH", 2)
    examples, steps = SIZES[engine_name]
    monkeypatch.setattr(Clubs, "desk", desk, raising=False)
    sizes = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    run_state_machine_as_test(Clubs, settings=sizes)
