"""Whatever a club does, its standings are the fold of its approved games in the order of their decisions."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ratings import club, ledger
from ratings.models import GameState, Length, Lobby, Person, Refused, Standing, SystemName, Verdict
from ratings.queries import games as reading
from ratings.settings import ClubSettings
from ratings.store.tables import changes, decisions, games, metadata, placements, players, standings
from ratings.systems import riichi, tenhou
from tests.ledger_help import ANN, BORIS, CHIAKI, DORA, EMI, KAI, NOW, report

GUILDS = (700, 800)
PEOPLE = (ANN, BORIS, CHIAKI, DORA, EMI)
guilds = st.sampled_from(GUILDS)
tables = st.sampled_from((3, 4)).flatmap(
    lambda size: st.permutations(PEOPLE).map(lambda people: tuple(people[:size]))
)
# Few different scores, so that equal ones are common.
scores = st.lists(st.integers(-20, 60).map(lambda thousands: thousands * 1000), min_size=3, max_size=3)
wishes = st.sampled_from(
    [
        {"tenhou_rules": "live"},
        {"tenhou_rules": "seed"},
        {"shared_places": True},
        {"shared_places": False},
        {"sticks_to_first": False},
        {"uma_4p": [30, 10, -10, -30], "uma_3p": [15, 0, -15]},
        {"start_4p": 30000, "start_3p": 40000},
        {"start_4p": 25000, "start_3p": 35000},
        {"return_4p": 50000, "return_3p": 40000},
    ]
)
Key = tuple[int, SystemName, int]


class Club(RuleBasedStateMachine):
    """Two clubs with the same members in one SQLite store; the model is a list of approvals with their rules."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = sa.create_engine("sqlite://")
        metadata.create_all(self.engine)
        self.now = NOW
        self.in_force = {guild: ClubSettings() for guild in GUILDS}
        self.pending: list[reading.GameRecord] = []
        self.approved: list[tuple[reading.GameRecord, ClubSettings]] = []

    def teardown(self) -> None:
        self.engine.dispose()

    @rule(
        guild=guilds,
        people=tables,
        wild=scores,
        sticks=st.integers(0, 2),
        length=st.sampled_from(Length),
        lobby=st.sampled_from((None, *Lobby)),
        ranked=st.sampled_from((True, True, True, False)),
    )
    def submits(
        self,
        guild: int,
        people: tuple[Person, ...],
        wild: list[int],
        sticks: int,
        length: Length,
        lobby: Lobby | None,
        ranked: bool,
    ) -> None:
        start = self.in_force[guild].start_score(len(people))
        others = wild[: len(people) - 1]
        last = start * len(people) - riichi.STICK * sticks - sum(others)
        told = report((*others, last), people, sticks=sticks, length=length, lobby=lobby, ranked=ranked)
        with self.engine.begin() as connection:
            self.pending.append(ledger.submit(connection, guild, told, self.now).game)

    @rule(guild=guilds, people=tables)
    def reports_a_wrong_sum(self, guild: int, people: tuple[Person, ...]) -> None:
        before = self._count(games)
        with self.engine.connect() as connection, connection.begin() as transaction:
            try:
                ledger.submit(connection, guild, report((100,) * len(people), people), self.now)
            except Refused:
                transaction.rollback()
        assert self._count(games) == before

    @precondition(lambda self: bool(self.pending))
    @rule(data=st.data(), verdict=st.sampled_from((Verdict.APPROVE, Verdict.APPROVE, Verdict.REJECT)))
    def decides(self, data: st.DataObject, verdict: Verdict) -> None:
        game = self.pending.pop(data.draw(st.integers(0, len(self.pending) - 1)))
        self.now += 60
        with self.engine.begin() as connection:
            assert ledger.decide(connection, game.guild_id, game.id, verdict, KAI, self.now).taken
            assert not ledger.decide(connection, game.guild_id, game.id, Verdict.APPROVE, KAI, self.now).taken
        if verdict is Verdict.APPROVE:
            self.approved.append((game, self.in_force[game.guild_id]))

    @rule(guild=guilds, wish=wishes)
    def changes_settings(self, guild: int, wish: dict[str, Any]) -> None:
        with self.engine.connect() as connection, connection.begin() as transaction:
            try:
                self.in_force[guild], _ = club.change_settings(connection, guild, wish, KAI, self.now)
            except club.BadSetting:
                transaction.rollback()

    @invariant()
    def standings_are_the_fold_of_the_approved_games(self) -> None:
        folded: dict[Key, Standing] = {}
        for game, rules in self.approved:
            if game.facts.ranked:
                keys = [(game.guild_id, game.facts.system, seat.player_id) for seat in game.facts.seats]
                known = [folded.get(key, tenhou.INITIAL) for key in keys]
                places = riichi.places(game.facts, rules.shared_places)
                lobby = game.facts.lobby or tenhou.automatic_lobby(known)
                after = tenhou.rate(places, known, lobby, game.facts.length, rules.tenhou_rules)
                folded |= dict(zip(keys, after, strict=True))
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(standings)).all()
        stored = {
            (row.guild_id, SystemName(row.system), row.player_id): Standing(
                row.rank, row.points, row.rating, row.games
            )
            for row in rows
        }
        assert stored == folded

    @invariant()
    def everybody_has_as_many_games_as_changes(self) -> None:
        with self.engine.connect() as connection:
            counted = sa.select(changes.c.player_id, changes.c.system, sa.func.count())
            made = connection.execute(counted.group_by(changes.c.player_id, changes.c.system)).all()
            played = connection.execute(
                sa.select(standings.c.player_id, standings.c.system, standings.c.games)
            ).all()
        assert sorted(map(tuple, made)) == sorted(map(tuple, played))

    @invariant()
    def final_points_of_a_game_add_up_to_nothing(self) -> None:
        with self.engine.connect() as connection:
            query = sa.select(placements.c.game_id, sa.func.sum(placements.c.final_points), sa.func.count())
            summed = {
                game_id: (total, seats)
                for game_id, total, seats in connection.execute(query.group_by(placements.c.game_id))
            }
        assert summed.keys() == {game.id for game, _ in self.approved}
        for game, rules in self.approved:
            surplus = sum(game.facts.scores) - riichi.expected_total(game.facts, rules)
            assert summed[game.id] == (surplus, len(game.people))

    @invariant()
    def every_decided_game_has_one_decision_and_every_club_its_own_people(self) -> None:
        with self.engine.connect() as connection:
            decided = connection.execute(sa.select(decisions.c.game_id)).scalars().all()
            states = dict(connection.execute(sa.select(games.c.id, games.c.state)).all())
            homes = dict(connection.execute(sa.select(players.c.id, players.c.guild_id)).all())
            for guild in GUILDS:
                assert club.settings(connection, guild) == self.in_force[guild]
                numbers = sorted(
                    connection.execute(sa.select(games.c.number).where(games.c.guild_id == guild)).scalars()
                )
                assert numbers == list(range(1, len(numbers) + 1))
        assert sorted(decided) == sorted(game for game, state in states.items() if state != GameState.PENDING)
        for game, _ in self.approved:
            assert {homes[seat.player_id] for seat in game.facts.seats} == {game.guild_id}

    @invariant()
    def every_approved_game_can_still_be_explained(self) -> None:
        with self.engine.connect() as connection:
            for game, rules in self.approved:
                found = reading.by_id(connection, game.guild_id, game.id)
                outcome = ledger.outcome(connection, game.guild_id, found)
                assert outcome.places == riichi.places(game.facts, rules.shared_places)
                query = sa.select(changes.c.player_id, changes.c.rank, changes.c.points, changes.c.rating)
                rows = connection.execute(query.where(changes.c.game_id == game.id)).all()
                stored = {row.player_id: tuple(row[1:]) for row in rows}
                said = {
                    seat.player_id: tuple(step.after)[:3]
                    for seat, step in zip(game.facts.seats, outcome.steps, strict=False)
                }
                assert said == stored

    def _count(self, table: sa.Table) -> int:
        with self.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


TestClub = Club.TestCase
TestClub.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
