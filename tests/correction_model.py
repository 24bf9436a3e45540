"""A club as a few lists, and what its figures must be: what the ledger is compared with after corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sqlalchemy as sa

from ratings import ledger
from ratings.ledger.tellings import AmericanTelling, RiichiTelling, Telling
from ratings.models import (
    AmericanGame,
    AmericanWin,
    GameState,
    Line,
    Offence,
    RiichiGame,
    Seat,
    Standing,
    SystemName,
)
from ratings.settings import ClubSettings
from ratings.store.tables import games, outcomes, players, standings
from ratings.systems import nmjl, riichi, tenhou

__all__ = [
    "Books",
    "Counting",
    "Figures",
    "Played",
    "Waiting",
    "bits",
    "figures_by_name",
    "stored_figures",
    "touches_no_more",
]

Row = tuple[Any, ...]
Key = tuple[SystemName, int]
_NOBODY = (None,) * 4


class Figures(NamedTuple):
    """All derived figures of a club: rows of `outcomes` by game and seat, standings by system and player."""

    rows: dict[tuple[int, int], Row]
    standings: dict[Key, Standing]


@dataclass
class Played:
    """A reported game: as it is told now, with the penalties (record, offence) that were recorded; `rules` and
    `turn` are those of its newest approval."""

    guild: int
    id: int
    number: int
    told: Telling
    reporter: int
    state: GameState = GameState.PENDING
    penalties: list[tuple[int, Offence]] = field(default_factory=list)
    rules: ClubSettings = field(default_factory=ClubSettings)
    turn: int = 0


class Counting(NamedTuple):
    """All of a game that its figures can depend on, but for the games before it."""

    turn: int
    system: SystemName | None
    players: tuple[int, ...]
    told: Telling
    penalties: tuple[tuple[int, Offence], ...]


@dataclass
class Books:
    """One club: its games in the order of their reports, and who was merged into whom, as a forest."""

    guild: int
    rules: ClubSettings
    lines: dict[int, Line]
    games: list[Played] = field(default_factory=list)
    parents: dict[int, int] = field(default_factory=dict)
    accounts: dict[int, int] = field(default_factory=dict)
    forgotten: set[int] = field(default_factory=set)
    turns: int = 0
    # How many decisions and corrections there were, and how many reports and penalties.
    moved: int = 0
    touched: int = 0

    def root(self, record: int) -> int:
        """The record under which one counts."""
        while record in self.parents:
            record = self.parents[record]
        return record

    def family(self, record: int) -> list[int]:
        """A record and all that were merged into it, and into those."""
        children = [child for child, parent in self.parents.items() if parent == record]
        return [record, *(each for child in children for each in self.family(child))]

    def one_person(self, records: Iterable[int]) -> bool:
        """Whether two of these records count as one."""
        roots = [self.root(record) for record in records]
        return len(set(roots)) < len(roots)

    def together(self, some: int, other: int) -> list[int]:
        """The numbers of the games, counting or undecided, in which both of these sat."""
        wanted = {self.root(some), self.root(other)}
        return [
            game.number
            for game in self.games
            if game.state in (GameState.PENDING, GameState.APPROVED)
            and wanted <= {self.root(record) for record in game.told.players}
        ]

    def approve(self, game: Played) -> None:
        """A pending game counts, as the newest and under the rules in force."""
        self.turns += 1
        game.state, game.rules, game.turn = GameState.APPROVED, self.rules, self.turns

    def penalties(self, game: Played) -> list[tuple[int, Offence]]:
        """The penalties of a game that fit it as it is told: of whoever is at the table, and dead hands only where
        nobody won."""
        won = isinstance(game.told, AmericanTelling) and game.told.winner is not None
        here = [(record, sin) for record, sin in game.penalties if record in game.told.players]
        return [(record, sin) for record, sin in here if not (won and sin is Offence.DEAD_HAND)]

    def counting(self) -> dict[int, Counting]:
        """The games that count, by id."""
        return {
            game.id: Counting(
                game.turn,
                _system(game.told),
                tuple(self.root(record) for record in game.told.players),
                game.told,
                tuple((self.root(record), offence) for record, offence in self.penalties(game)),
            )
            for game in sorted(self.games, key=lambda game: game.turn)
            if game.state is GameState.APPROVED
        }

    def fold(self) -> Figures:
        """What the games that count amount to."""
        figures = Figures({}, {})
        rules = {game.id: game.rules for game in self.games}
        for game_id, game in self.counting().items():
            facts = self._facts(game)
            known = [figures.standings.get((facts.system, player)) for player in game.players]
            placed, before, after = _weigh(facts, known, rules[game_id])
            for seat, player in enumerate(game.players):
                row = (game_id, seat, player, *placed[seat], *before[seat], *after[seat][:3])
                figures.rows[game_id, seat] = row
                if game.system is not None:
                    figures.standings[game.system, player] = Standing(*after[seat])
        return figures

    def _facts(self, game: Counting) -> RiichiGame | AmericanGame:
        told = game.told
        if isinstance(told, RiichiTelling):
            seats = tuple(Seat(*each) for each in zip(game.players, told.scores, strict=True))
            return RiichiGame(seats, told.length, told.lobby, told.sticks, told.ranked)
        win = None
        if told.winner is not None and told.line_id is not None:
            discarder = None if told.discarder is None else self.root(told.discarder)
            line, concealed = self.lines[told.line_id], told.concealed is True
            win = AmericanWin(self.root(told.winner), line, told.won_by, discarder, told.used_jokers, concealed)
        return AmericanGame(game.players, win, game.penalties)


@dataclass
class Waiting:
    """A proposal that nobody has confirmed yet, and how far its club was when it was made."""

    books: Books
    proposal: ledger.Proposal
    effect: Callable[[], None]
    moved: int
    touched: int


def _system(told: Telling) -> SystemName | None:
    if isinstance(told, AmericanTelling):
        return SystemName.NMJL
    ladder = SystemName.TENHOU_4P if len(told.players) == 4 else SystemName.TENHOU_3P
    return ladder if told.ranked else None


def _weigh(
    facts: RiichiGame | AmericanGame, known: Sequence[Standing | None], rules: ClubSettings
) -> tuple[list[Row], Sequence[Row], Sequence[Row]]:
    """By seat: place and final points, the standing before, and the standing after."""
    if isinstance(facts, AmericanGame):
        table = [each or nmjl.initial(rules.nmjl_rules) for each in known]
        return [(None, None)] * len(known), table, nmjl.rate(facts, table, rules.nmjl_rules)
    places = riichi.places(facts, rules.shared_places)
    placed: list[Row] = list(zip(places, riichi.final_points(facts, rules), strict=True))
    if not facts.ranked:
        return placed, [_NOBODY] * len(known), [_NOBODY] * len(known)
    table = [each or tenhou.INITIAL for each in known]
    lobby = facts.lobby or tenhou.automatic_lobby(table)
    return placed, table, tenhou.rate(places, table, lobby, facts.length, rules.tenhou_rules)


def stored_figures(connection: sa.Connection, guild: int) -> Figures:
    """The same as the store has it; rows that no game accounts for show in every club."""
    query = sa.select(outcomes).outerjoin(games, games.c.id == outcomes.c.game_id)
    mine = sa.func.coalesce(games.c.guild_id, guild) == guild
    rows = {(row.game_id, row.seat): tuple(row) for row in connection.execute(query.where(mine))}
    stood = connection.execute(sa.select(standings).where(standings.c.guild_id == guild))
    return Figures(
        rows,
        {
            (SystemName(row.system), row.player_id): Standing(row.rank, row.points, row.rating, row.games)
            for row in stood
        },
    )


def figures_by_name(connection: sa.Connection, guild: int) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The stored figures as bits, by the numbers of games and the accounts of people, which two clubs share."""
    rows, stood = bits(stored_figures(connection, guild))
    whose = dict(connection.execute(sa.select(players.c.id, players.c.discord_id)).all())
    number = dict(connection.execute(sa.select(games.c.id, games.c.number)).all())
    return (
        {(number[game], seat): (whose[row[2]], *row[3:]) for (game, seat), row in rows.items()},
        {(system, whose[player]): standing for (system, player), standing in stood.items()},
    )


def bits(figures: Figures) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Figures with each float as its bits, so that nothing near enough passes for equal."""
    return _all_bits(figures.rows), _all_bits(figures.standings)


def _all_bits(values: dict[Any, Any]) -> dict[Any, Any]:
    return {key: tuple(map(_bits, value)) for key, value in values.items()}


def _bits(value: object) -> object:
    return value.hex() if isinstance(value, float) else value


def touches_no_more(
    plan: ledger.Plan, was: dict[int, Counting], now: dict[int, Counting], stored: Figures
) -> None:
    """A plan for the step from what counted to what counts writes nothing that the step cannot have touched, and
    only rows that are not `stored` like that already, but for games where seats came or went."""
    changed, spread, standing = _reach(was, now)
    assert {row[0] for row in plan.rows} <= spread
    assert set(plan.cleared) <= changed
    old, new = bits(stored)[0], bits(Figures({row[:2]: row for row in plan.rows}, {}))[0]
    assert len(new) == len(plan.rows)
    assert all(new[key] != old.get(key) for key in new if key[0] not in plan.cleared)
    moved = [(move.system, move.player_id) for move in plan.moves]
    assert len(set(moved)) == len(moved)
    assert set(moved) <= standing


def _reach(was: dict[int, Counting], now: dict[int, Counting]) -> tuple[set[int], set[int], set[Key]]:
    """The games that are others now, all to which that can spread through their players, and the standings."""
    changed = {id_ for id_ in was.keys() | now.keys() if was.get(id_) != now.get(id_)}
    spread, standing = set(changed), set[Key]()
    for system in SystemName:
        reached = set[int]()
        turns: dict[tuple[int, int], set[int]] = {}
        for id_, game in (*was.items(), *now.items()):
            if game.system is system:
                turns.setdefault((game.turn, id_), set()).update(game.players)
        for (_, id_), table in sorted(turns.items()):
            if id_ in changed or table & reached:
                spread.add(id_)
                reached |= table
        standing |= {(system, player) for player in reached}
    return changed, spread, standing
