"""Whatever is corrected, and in whatever order: every stored figure is that of a clean replay, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ratings import club, ledger
from ratings.ledger import entries, proposals
from ratings.ledger.tellings import read
from ratings.models import GameState, Offence, Person, Refusal, Refused, Verdict
from ratings.store.outbox import Kind
from tests.correction_desk import Desk, emptied, letters, merged, open_desk, opened, states
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
from tests.correction_model import Books, Played, Waiting, bits, stored_figures, touches_no_more
from tests.ledger_help import KAI, NOW

# Examples and steps each, by engine.
SIZES = {"sqlite": (20, 40), "postgresql": (5, 25)}
GUILDS = (700, 800)
PENDING, APPROVED, VOIDED = GameState.PENDING, GameState.APPROVED, GameState.VOIDED
REJECTED, WITHDRAWN = GameState.REJECTED, GameState.WITHDRAWN

# Most of it happens in one club, so that much of it hangs together.
guilds = st.sampled_from((*[GUILDS[0]] * 4, GUILDS[1]))


class Clubs(RuleBasedStateMachine):
    """Two clubs with the same members, and what they do to each other's records."""

    desk: Desk

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.waiting: Waiting | None = None
        self.desk.write(emptied)
        self.books = {guild: Books(guild, *self.desk.write(opened, guild, guild == GUILDS[0])) for guild in GUILDS}

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
            self._refused(Refusal.ONE_PERSON, lambda: self.desk.write(submit))
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
            self._refused(refusal, penalise)
            return
        penalise()
        game.penalties = wanted
        books.touched += 1

    @precondition(lambda self: self._games(PENDING))
    @rule(data=st.data(), verdict=verdicts)
    def decides(self, data: st.DataObject, verdict: Verdict | None) -> None:
        self._decide(self._one(data, PENDING), verdict)

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

    @precondition(lambda self: self._games(APPROVED))
    @rule(data=st.data(), later=seldom)
    def voids(self, data: st.DataObject, later: bool) -> None:
        game = self._one(data, APPROVED)
        self._correct(
            game.guild,
            lambda c: ledger.propose_void(c, game.guild, game.id, "A slip"),
            lambda: setattr(game, "state", VOIDED),
            later=later,
        )

    @precondition(lambda self: self._games(VOIDED))
    @rule(data=st.data(), later=seldom)
    def restores(self, data: st.DataObject, later: bool) -> None:
        game = self._one(data, VOIDED)
        self._correct(
            game.guild,
            lambda c: ledger.propose_restore(c, game.guild, game.id),
            lambda: setattr(game, "state", APPROVED),
            Refusal.ONE_PERSON if self.books[game.guild].one_person(game.told.players) else None,
            later=later,
        )

    @precondition(lambda self: self._games(APPROVED))
    @rule(data=st.data(), later=seldom)
    def amends(self, data: st.DataObject, later: bool) -> None:
        self._amend(self._one(data, APPROVED), data, later, None)

    @precondition(lambda self: self._games(PENDING))
    @rule(data=st.data(), later=seldom, by_reporter=st.booleans())
    def amends_a_report(self, data: st.DataObject, later: bool, by_reporter: bool) -> None:
        game = self._one(data, PENDING)
        self._amend(game, data, later, self._reporter(game) if by_reporter else None)

    def _amend(self, game: Played, data: st.DataObject, later: bool, reporter: Person | None) -> None:
        books = self.books[game.guild]
        rules = game.rules if game.state is APPROVED else books.rules
        told = told_anew(data, game.told, self._records(game.guild), list(books.lines), rules)
        sitting = {books.root(record): record for record in game.told.players}
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

        def effect() -> None:
            game.told = meant
            game.penalties = [
                (record, offence)
                for record, offence in game.penalties
                if record in meant.players and not (offence is Offence.DEAD_HAND and won(meant))
            ]

        self._correct(
            game.guild,
            lambda c: ledger.propose_amend(c, game.guild, game.id, told, self.now, None, reporter),
            effect,
            refusal,
            later=later,
        )

    @precondition(lambda self: self._games(PENDING))
    @rule(data=st.data(), later=seldom)
    def withdraws(self, data: st.DataObject, later: bool) -> None:
        game = self._one(data, PENDING)
        reporter = self._reporter(game)
        self._correct(
            game.guild,
            lambda c: ledger.propose_withdraw(c, game.guild, game.id, reporter),
            lambda: setattr(game, "state", WITHDRAWN),
            None if reporter.discord_id else Refusal.NOT_YOUR_REPORT,
            later=later,
        )

    @precondition(lambda self: self._games(REJECTED, WITHDRAWN))
    @rule(data=st.data(), verdict=verdicts, later=seldom)
    def reopens(self, data: st.DataObject, verdict: Verdict | None, later: bool) -> None:
        game = self._one(data, REJECTED, WITHDRAWN)
        self._correct(
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
        one, into, *_ = data.draw(st.permutations(self._records(guild)).map(lambda records: records * 2))
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
        self._correct(
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
        self._correct(
            guild,
            lambda c: ledger.propose_split(c, guild, record),
            lambda: books.parents.__delitem__(record),
            later=later,
        )

    @rule(data=st.data(), guild=guilds, sure=seldom)
    def forgets(self, data: st.DataObject, guild: int, sure: bool) -> None:
        if not sure:
            return
        books, record = self.books[guild], data.draw(st.sampled_from(self._records(guild)))

        def effect() -> None:
            gone = books.family(books.root(record))
            books.forgotten.update(gone)
            books.accounts = {key: value for key, value in books.accounts.items() if value not in gone}

        refusal = Refusal.UNKNOWN_PLAYER if books.root(record) in books.forgotten else None
        self._correct(guild, lambda c: ledger.propose_forget(c, guild, record, self.now), effect, refusal)

    # ---- how a correction is made --------------------------------------------------------------------

    def _correct(
        self,
        guild: int,
        propose: Callable[[sa.Connection], ledger.Proposal],
        effect: Callable[[], None],
        refusal: Refusal | None = None,
        *,
        later: bool = False,
    ) -> None:
        if refusal is not None:
            self._refused(refusal, lambda: self.desk.read(propose))
            return
        books = self.books[guild]
        waiting = Waiting(books, self.desk.read(propose), effect, books.moved, books.touched)
        if later:
            self.waiting = waiting
        else:
            self._carry_out(waiting)

    @precondition(lambda self: self.waiting)
    @rule()
    def confirms(self) -> None:
        waiting, self.waiting = self.waiting, None
        assert waiting is not None
        try:
            self._carry_out(waiting)
        except (ledger.Stale, Refused):
            assert (waiting.books.moved, waiting.books.touched) != (waiting.moved, waiting.touched)
        else:
            assert waiting.books.moved == waiting.moved + 1

    def _carry_out(self, waiting: Waiting) -> None:
        books, proposal = waiting.books, waiting.proposal
        before, counting = self.desk.read(stored_figures, books.guild), books.counting()
        announced = self.desk.read(letters, Kind.CORRECTION)
        made = self.desk.write(ledger.carry_out, books.guild, proposal, KAI, self.now)
        waiting.effect()
        books.moved += 1
        assert proposal.facts is None or made.game is None or proposal.facts == made.game.facts
        after = books.fold()
        touches_no_more(proposal.plan, counting, books.counting(), before)
        keys = before.standings.keys() | after.standings.keys()
        moved = {key: (before.standings.get(key), after.standings.get(key)) for key in keys}
        moved = {key: (old, new) for key, (old, new) in moved.items() if old != new}
        assert {(move.system, move.player_id): (move.before, move.after) for move in made.moves} == moved
        rose = any(old and new and old.rank != new.rank for old, new in moved.values())
        assert self.desk.read(letters, Kind.CORRECTION) - announced == rose

    def _refused(self, refusal: Refusal, attempt: Callable[[], object]) -> None:
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.refusal is refusal

    # ---- what must hold ------------------------------------------------------------------------------

    @invariant()
    def every_figure_is_that_of_a_clean_replay(self) -> None:
        for guild, books in self.books.items():
            assert bits(self.desk.read(stored_figures, guild)) == bits(books.fold())
            plan = self.desk.read(ledger.plan_replay, guild)
            assert (plan.rows, plan.cleared, plan.moves) == ([], [], [])

    @invariant()
    def every_game_and_every_record_is_as_it_was_told(self) -> None:
        for guild, books in self.books.items():
            found = self.desk.read(states, guild)
            assert found == {game.id: game.state for game in books.games}
            counted = self.desk.read(merged, guild)
            assert counted == {record: books.root(record) for record in counted}

    def teardown(self) -> None:
        """Every game can be shown, whatever became of it, and is told as it was last told."""
        for game in (game for books in self.books.values() for game in books.games):
            assert self.desk.read(read, game.id) == game.told
            matter = self.desk.read(ledger.matter, game.guild, game.id)
            assert len(matter.game.players) == len(game.told.players)

    # ---- looking around ------------------------------------------------------------------------------

    def _games(self, *states: GameState) -> list[Played]:
        return [game for guild in GUILDS for game in self.books[guild].games if game.state in states]

    def _one(self, data: st.DataObject, *states: GameState) -> Played:
        return data.draw(st.sampled_from(self._games(*states)))

    def _records(self, guild: int) -> list[int]:
        """All records of the club: also of whoever never played, is merged, or forgotten."""
        return sorted(self.desk.read(merged, guild))

    def _reporter(self, game: Played) -> Person:
        accounts = {record: account for account, record in self.books[game.guild].accounts.items()}
        return Person(accounts.get(game.reporter, 0), "")


@pytest.fixture
def desk(database: str) -> Iterator[Desk]:
    """A desk on each engine there is a server for."""
    with open_desk(database) as at:
        yield at


def test_corrections_are_exact(desk: Desk, engine_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # So small that a few games fill several.
    monkeypatch.setattr(entries, "BATCH", 3)
    monkeypatch.setattr(proposals, "_BATCH", 2)
    examples, steps = SIZES[engine_name]
    monkeypatch.setattr(Clubs, "desk", desk, raising=False)
    sizes = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    run_state_machine_as_test(Clubs, settings=sizes)
