"""Whatever a club does, its standings are the fold of its approved games in the order of their decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ratings import card, club, ledger
from ratings.models import (
    AmericanGame,
    GameState,
    Length,
    Lobby,
    Offence,
    Person,
    Refusal,
    Refused,
    RiichiGame,
    Standing,
    SystemName,
    Verdict,
    WonBy,
)
from ratings.queries import cards
from ratings.queries import games as reading
from ratings.settings import ClubSettings
from ratings.store.tables import decisions, games, metadata, outcomes, penalties, players, standings
from ratings.systems import nmjl, riichi, tenhou
from tests.ledger_help import (
    ANN,
    BORIS,
    CARD,
    CHIAKI,
    DORA,
    EMI,
    KAI,
    NOW,
    american,
    american_outcome,
    hand,
    report,
    riichi_outcome,
)

GUILDS = (700, 800)
PEOPLE = (ANN, BORIS, CHIAKI, DORA, EMI)
guilds = st.sampled_from(GUILDS)
tables = st.sampled_from((3, 4)).flatmap(
    lambda size: st.permutations(PEOPLE).map(lambda people: tuple(people[:size]))
)
american_tables = st.integers(2, 4).flatmap(
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
knobs = st.sampled_from(
    [
        {"starting_rating": 1500.0},
        {"starting_rating": 999.9},
        {"k_factor": 32.5},
        {"k_factor": 0.1},
        {"jokerless_bonus": 0},
        {"jokerless_bonus": 7},
        {"concealed_bonus_multiplier": 0.35},
        {"discard_penalty_multiplier": 3.3},
        {"section_multipliers": True},
        {"section_multipliers": False},
        {"jokerless_doubles": True},
        {"jokerless_doubles": False},
        {"penalties": True},
        {"penalties": True, "k_factor": 16.0},
        {"penalties": False},
    ]
)
# None: for now the game stays undecided.
verdicts = st.sampled_from((Verdict.APPROVE, Verdict.APPROVE, Verdict.APPROVE, Verdict.REJECT, None))
Key = tuple[int, SystemName, int]


def rated(game: reading.GameRecord, known: list[Standing | None], rules: ClubSettings) -> list[Standing] | None:
    """The standings after a game by its system; None if it is not rated."""
    facts = game.facts
    if isinstance(facts, AmericanGame):
        table = [nmjl.initial(rules.nmjl_rules) if each is None else each for each in known]
        return nmjl.rate(facts, table, rules.nmjl_rules)
    if not _is_rated(game):
        return None
    table = [tenhou.INITIAL if each is None else each for each in known]
    places = riichi.places(facts, rules.shared_places)
    lobby = facts.lobby or tenhou.automatic_lobby(table)
    return tenhou.rate(places, table, lobby, facts.length, rules.tenhou_rules)


def _is_rated(game: reading.GameRecord) -> bool:
    return isinstance(game.facts, AmericanGame) or game.facts.ranked


def _afters(outcome: ledger.Outcome) -> list[Standing]:
    steps: Sequence[tenhou.Step | nmjl.Step] = outcome.steps
    return [step.after for step in steps]


class Club(RuleBasedStateMachine):
    """Two clubs with the same members in one SQLite store; the model is a list of approvals with their rules."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = sa.create_engine("sqlite://")
        metadata.create_all(self.engine)
        self.now = NOW
        self.in_force = {guild: ClubSettings() for guild in GUILDS}
        self.lines = {guild: self._card(guild) for guild in GUILDS}
        self.total_points: dict[tuple[int, int], int] = {}
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
        verdict=verdicts,
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
        verdict: Verdict | None,
    ) -> None:
        start = self.in_force[guild].start_score(len(people))
        others = wild[: len(people) - 1]
        last = start * len(people) - riichi.STICK * sticks - sum(others)
        told = report((*others, last), people, sticks=sticks, length=length, lobby=lobby, ranked=ranked)
        with self.engine.begin() as connection:
            self.pending.append(ledger.submit(connection, guild, told, self.now).game)
        self._decide(-1, verdict)

    @rule(guild=guilds, people=tables)
    def reports_a_wrong_sum(self, guild: int, people: tuple[Person, ...]) -> None:
        before = self._count(games)
        with self.engine.connect() as connection, connection.begin() as transaction:
            try:
                ledger.submit(connection, guild, report((100,) * len(people), people), self.now)
            except Refused:
                transaction.rollback()
        assert self._count(games) == before

    @rule(
        guild=guilds,
        people=american_tables,
        line=st.sampled_from(range(len(CARD))),
        won_by=st.none() | st.sampled_from(WonBy),
        used_jokers=st.booleans(),
        concealed=st.booleans(),
        sins=st.lists(st.tuples(st.integers(0, 1), st.sampled_from(Offence)), max_size=3, unique=True),
        verdict=verdicts,
    )
    def submits_a_hand(
        self,
        guild: int,
        people: tuple[Person, ...],
        line: int,
        won_by: WonBy | None,
        used_jokers: bool,
        concealed: bool,
        sins: list[tuple[int, Offence]],
        verdict: Verdict | None,
    ) -> None:
        winner, discarder = people[-1], people[0] if won_by is WonBy.DISCARD else None
        told = hand(
            self.lines[guild][line],
            players=people,
            winner=winner,
            won_by=won_by or WonBy.UNRECORDED,
            discarder=discarder,
            used_jokers=used_jokers and not CARD[line].singles_and_pairs,
            concealed=concealed or None,
        )
        if won_by is None:
            told = replace(told, winner=None, line_id=None)
        with self.engine.begin() as connection:
            self.pending.append(ledger.submit_american(connection, guild, told, self.now).game)
        # The first two by id, so that now the winner is among them and now he is not.
        self._set_penalties(-1, [(sorted(self.pending[-1].players)[who], what) for who, what in sins])
        self._decide(-1, verdict)

    @precondition(lambda self: any(isinstance(game.facts, AmericanGame) for game in self.pending))
    @rule(data=st.data())
    def sets_penalties(self, data: st.DataObject) -> None:
        hands = [index for index, game in enumerate(self.pending) if isinstance(game.facts, AmericanGame)]
        index = data.draw(st.sampled_from(hands))
        offence = st.tuples(st.sampled_from(self.pending[index].players), st.sampled_from(Offence))
        self._set_penalties(index, data.draw(st.lists(offence, max_size=3, unique=True)))

    def _set_penalties(self, index: int, wanted: list[tuple[int, Offence]]) -> None:
        game, facts = self.pending[index], american(self.pending[index])
        refusal = None
        if not self.in_force[game.guild_id].penalties:
            refusal = Refusal.PENALTIES_OFF
        elif facts.win is not None and any(what is Offence.DEAD_HAND for _, what in wanted):
            refusal = Refusal.DEAD_HAND_ON_A_WIN
        before, asked = self._count(penalties), (game.guild_id, game.id, wanted, KAI, self.now)
        if refusal is None:
            with self.engine.begin() as connection:
                ledger.set_penalties(connection, *asked)
            self.pending[index] = replace(game, facts=replace(facts, penalties=tuple(wanted)))
        else:
            with pytest.raises(Refused) as refused, self.engine.begin() as connection:
                ledger.set_penalties(connection, *asked)
            assert refused.value.refusal is refusal
            assert self._count(penalties) == before

    @precondition(lambda self: bool(self.pending))
    @rule(data=st.data(), verdict=verdicts)
    def decides(self, data: st.DataObject, verdict: Verdict | None) -> None:
        self._decide(data.draw(st.integers(0, len(self.pending) - 1)), verdict)

    def _decide(self, index: int, verdict: Verdict | None) -> None:
        if verdict is None:
            return
        game = self.pending.pop(index)
        self.now += 60
        with self.engine.begin() as connection:
            assert ledger.decide(connection, game.guild_id, game.id, verdict, KAI, self.now).taken
            assert not ledger.decide(connection, game.guild_id, game.id, Verdict.APPROVE, KAI, self.now).taken
        if verdict is Verdict.APPROVE:
            self.approved.append((game, self.in_force[game.guild_id]))

    @rule(guild=guilds, wish=wishes | knobs)
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
            keys = [(game.guild_id, game.facts.system, player) for player in game.players]
            after = rated(game, [folded.get(key) for key in keys], rules)
            if after is not None:
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
            counted = (
                sa.select(outcomes.c.player_id, games.c.system, sa.func.count())
                .join(games, games.c.id == outcomes.c.game_id)
                .where(outcomes.c.rating.is_not(None))
            )
            made = connection.execute(counted.group_by(outcomes.c.player_id, games.c.system)).all()
            played = connection.execute(
                sa.select(standings.c.player_id, standings.c.system, standings.c.games)
            ).all()
        assert sorted(map(tuple, made)) == sorted(map(tuple, played))

    @invariant()
    def total_points_never_fall_and_are_the_winners_alone(self) -> None:
        of_hands = sa.select(games.c.id).where(games.c.system == SystemName.NMJL)
        with self.engine.connect() as connection:
            moved = {
                (row.game_id, row.player_id): row.points - row.points_before
                for row in connection.execute(sa.select(outcomes).where(outcomes.c.game_id.in_(of_hands)))
            }
            query = sa.select(standings).where(standings.c.system == SystemName.NMJL)
            total = {(row.guild_id, row.player_id): row.points for row in connection.execute(query)}
        hands = {game.id: game.facts for game, _ in self.approved if isinstance(game.facts, AmericanGame)}
        assert moved.keys() == {(game, player) for game, facts in hands.items() for player in facts.players}
        for (game_id, player), gained in moved.items():
            win = hands[game_id].win
            assert gained >= 0 if win is not None and win.winner == player else gained == 0
        assert total.keys() >= self.total_points.keys()
        assert all(total[key] >= points for key, points in self.total_points.items())
        self.total_points = total

    @invariant()
    def final_points_of_a_game_add_up_to_nothing(self) -> None:
        with self.engine.connect() as connection:
            query = sa.select(outcomes.c.game_id, sa.func.sum(outcomes.c.final_points), sa.func.count())
            placed = query.where(outcomes.c.place.is_not(None)).group_by(outcomes.c.game_id)
            summed = {game_id: (total, seats) for game_id, total, seats in connection.execute(placed)}
        played = [(g.id, g.facts, rules) for g, rules in self.approved if isinstance(g.facts, RiichiGame)]
        assert summed.keys() == {game_id for game_id, _, _ in played}
        for game_id, facts, rules in played:
            surplus = sum(facts.scores) - riichi.expected_total(facts, rules)
            assert summed[game_id] == (surplus, len(facts.seats))

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
            assert {homes[player] for player in game.players} == {game.guild_id}

    @invariant()
    def the_games_that_count_name_their_approval_and_their_system(self) -> None:
        with self.engine.connect() as connection:
            approval = sa.and_(decisions.c.id == games.c.approval_id, decisions.c.verdict == Verdict.APPROVE)
            query = sa.select(decisions.c.game_id, games.c.id, games.c.system).join(games, approval)
            counting = sorted(map(tuple, connection.execute(query)))
            named = connection.execute(sa.select(sa.func.count(games.c.approval_id))).scalar_one()
        systems = {game.id: game.facts.system if _is_rated(game) else None for game, _ in self.approved}
        assert counting == sorted((game, game, system) for game, system in systems.items())
        assert named == len(counting)

    @invariant()
    def every_approved_game_can_still_be_explained(self) -> None:
        with self.engine.connect() as connection:
            for game, rules in self.approved:
                found = reading.by_id(connection, game.guild_id, game.id)
                outcome = ledger.outcome(connection, game.guild_id, found)
                if isinstance(game.facts, RiichiGame):
                    assert found.facts == game.facts
                    assert riichi_outcome(outcome).places == riichi.places(game.facts, rules.shared_places)
                else:
                    assert sorted(american(found).penalties) == sorted(game.facts.penalties)
                    assert replace(american(found), penalties=game.facts.penalties) == game.facts
                    assert len(american_outcome(outcome).steps) == len(game.players)
                query = sa.select(outcomes.c.player_id, outcomes.c.rank, outcomes.c.points, outcomes.c.rating)
                mine = (outcomes.c.game_id == game.id, outcomes.c.rating.is_not(None))
                rows = connection.execute(query.where(*mine)).all()
                stored = {row.player_id: tuple(row[1:]) for row in rows}
                said = {
                    player: tuple(after)[:3] for player, after in zip(game.players, _afters(outcome), strict=False)
                }
                assert said == stored

    def _card(self, guild: int) -> list[int]:
        """Give a club the test card; the ids of its lines in its order."""
        with self.engine.begin() as connection:
            card.import_card(connection, guild, CARD, self.now)
            known = {each.name: each.id for year in (2025, 2026) for each in cards.lines(connection, guild, year)}
            chosen = {"card_year": 2025, "penalties": guild == GUILDS[0]}
            self.in_force[guild], _ = club.change_settings(connection, guild, chosen, KAI, self.now)
        return [known[line.name] for line in CARD]

    def _count(self, table: sa.Table) -> int:
        with self.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


TestClub = Club.TestCase
TestClub.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
