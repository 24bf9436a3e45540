"""How the corrections' stateful test makes a correction, and what must hold whatever is corrected."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ratings import ledger
from ratings.ledger.tellings import AmericanTelling, read
from ratings.models import GameState, Person, Refusal, Refused
from ratings.store.outbox import Kind
from tests.correction_desk import Desk, emptied, letters, merged, opened, states
from tests.correction_model import Books, Played, Waiting, bits, stored_figures, touches_no_more
from tests.ledger_help import KAI, NOW

__all__ = ["GUILDS", "Correcting"]

GUILDS = (700, 800)


class Correcting(RuleBasedStateMachine):
    """Two clubs, the corrections that wait there, and how they are made."""

    desk: Desk

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.waiting: Waiting | None = None
        self.desk.write(emptied)
        self.books = {guild: Books(guild, *self.desk.write(opened, guild, guild == GUILDS[0])) for guild in GUILDS}

    # ---- how a correction is made --------------------------------------------------------------------

    def correct(
        self,
        guild: int,
        propose: Callable[[sa.Connection], ledger.Proposal],
        effect: Callable[[], None],
        refusal: Refusal | None = None,
        *,
        later: bool = False,
    ) -> None:
        """Have a correction proposed and made, at once or `later`, or refused; `effect` does it to the books."""
        if refusal is not None:
            self.refused(refusal, lambda: self.desk.read(propose))
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
        rose = any((old.rank if old else 0) != (new.rank if new else 0) for old, new in moved.values())
        assert self.desk.read(letters, Kind.CORRECTION) - announced == rose

    def refused(self, refusal: Refusal, attempt: Callable[[], object]) -> None:
        """See that something is refused."""
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

    def games(self, *states: GameState) -> list[Played]:
        """The games in these states."""
        return [game for guild in GUILDS for game in self.books[guild].games if game.state in states]

    def hands(self) -> list[Played]:
        """The American hands that count."""
        games = self.games(GameState.APPROVED)
        return [game for game in games if isinstance(game.told, AmericanTelling)]

    def one(self, data: st.DataObject, *states: GameState) -> Played:
        """One of them."""
        return data.draw(st.sampled_from(self.games(*states)))

    def records(self, guild: int) -> list[int]:
        """All records of the club: also of whoever never played, is merged, or forgotten."""
        return sorted(self.desk.read(merged, guild))

    def reporter(self, game: Played) -> Person:
        """Whoever reported a game; nobody if he was forgotten."""
        accounts = {record: account for account, record in self.books[game.guild].accounts.items()}
        return Person(accounts.get(game.reporter, 0), "")
