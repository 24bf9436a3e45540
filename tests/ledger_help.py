"""What the tests of the ledger share: a few members, reports in a word, and a look at everything stored."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.util import await_only

from ratings import card, club, ledger
from ratings.cardfile import CardLine
from ratings.models import (
    AmericanGame,
    AmericanReport,
    Length,
    Lobby,
    Offence,
    Person,
    Report,
    RiichiGame,
    Standing,
    SystemName,
    Verdict,
    WonBy,
)
from ratings.queries import cards
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.outbox import Kind
from ratings.store.tables import games, metadata, outbox, outcomes, players, standings

__all__ = [
    "ANN",
    "BORIS",
    "CARD",
    "CHIAKI",
    "DORA",
    "EMI",
    "GUILD",
    "KAI",
    "NEIGHBOURS",
    "NOW",
    "REI",
    "Gate",
    "Snapshot",
    "american",
    "american_changes",
    "american_figures",
    "american_outcome",
    "another",
    "approve",
    "as_changes",
    "at_gate",
    "choose",
    "count",
    "everything",
    "hand",
    "hand_outcome",
    "hang_card",
    "letters",
    "paused",
    "penalise",
    "place_at",
    "placed",
    "reject",
    "report",
    "riichi",
    "riichi_outcome",
    "standing",
    "submit",
    "submit_hand",
    "this_years_card",
]

NOW = 1_796_000_000
GUILD, NEIGHBOURS = 700, 800
ANN, BORIS, CHIAKI = Person(11, "Ann"), Person(12, "Борис"), Person(13, "千秋")
DORA, EMI = Person(14, "Dora"), Person(15, "Emi")
KAI, REI = Person(21, "Kai"), Person(22, "Rei")

# A line of each kind that the rating tells apart.
CARD = (
    CardLine(2026, "Rivers", 1.0, "Three bends", 30, False, False),
    CardLine(2026, "Mountains", 1.5, "Hidden pass", 40, True, False),
    CardLine(2026, "Pairs", 1.25, "Seven pairs of boots", 50, True, True),
    CardLine(2025, "Rivers", 1.0, "Last year's ford", 25, False, False),
)

Snapshot = dict[str, list[tuple[Any, ...]]]
P = ParamSpec("P")
T = TypeVar("T")

# How long a transaction waits at a gate that nobody opens, because the test has failed.
PATIENCE = 20
_interactions = itertools.count(1)


def report(
    scores: tuple[int, ...] = (40000, 30000, 20000, 10000),
    players: tuple[Person, ...] | None = None,
    *,
    reporter: Person = ANN,
    length: Length = Length.HANCHAN,
    lobby: Lobby | None = None,
    sticks: int = 0,
    ranked: bool = True,
    played_at: int = NOW - 600,
    interaction_id: int | None = None,
) -> Report:
    """A report of Ann, Борис, 千秋 (and Dora), each time by a command of its own."""
    return Report(
        reporter=reporter,
        players=players or (ANN, BORIS, CHIAKI, DORA)[: len(scores)],
        scores=scores,
        length=length,
        lobby=lobby,
        sticks=sticks,
        ranked=ranked,
        played_at=played_at,
        channel_id=31,
        interaction_id=next(_interactions) if interaction_id is None else interaction_id,
    )


def hand(
    line_id: int | None = None,
    *,
    players: tuple[Person, ...] = (ANN, BORIS, CHIAKI, DORA),
    winner: Person | None = ANN,
    won_by: WonBy = WonBy.DISCARD,
    discarder: Person | None = None,
    used_jokers: bool = True,
    concealed: bool | None = None,
    reporter: Person = EMI,
    played_at: int = NOW - 600,
    interaction_id: int | None = None,
) -> AmericanReport:
    """A report of an American hand, each time by a command of its own; without a winner it is a wall game."""
    return AmericanReport(
        reporter=reporter,
        players=players,
        winner=winner,
        line_id=line_id,
        won_by=WonBy.UNRECORDED if winner is None else won_by,
        discarder=discarder,
        used_jokers=used_jokers,
        concealed=concealed,
        played_at=played_at,
        channel_id=31,
        interaction_id=next(_interactions) if interaction_id is None else interaction_id,
    )


async def hang_card(store: Store, *, guild: int = GUILD) -> dict[str, int]:
    """Give a club the test card; the ids of its lines by their names."""
    return await store.write(_hang_card, guild)


def _hang_card(connection: sa.Connection, guild: int) -> dict[str, int]:
    card.import_card(connection, guild, CARD, NOW)
    years = {line.year for line in CARD}
    return {line.name: line.id for year in years for line in cards.lines(connection, guild, year)}


def riichi(game: GameRecord) -> RiichiGame:
    """The facts of a riichi game."""
    assert isinstance(game.facts, RiichiGame)
    return game.facts


def american(game: GameRecord) -> AmericanGame:
    """The facts of an American hand."""
    assert isinstance(game.facts, AmericanGame)
    return game.facts


def riichi_outcome(outcome: ledger.Outcome) -> ledger.RiichiOutcome:
    """What approval does to a riichi game."""
    assert isinstance(outcome, ledger.RiichiOutcome)
    return outcome


def american_outcome(outcome: ledger.Outcome) -> ledger.AmericanOutcome:
    """What approval does to an American hand."""
    assert isinstance(outcome, ledger.AmericanOutcome)
    return outcome


async def submit_hand(store: Store, told: AmericanReport, *, guild: int = GUILD, now: int = NOW) -> GameRecord:
    """Submit an American hand; the answer is the game."""
    submission = await store.write(ledger.submit_american, guild, told, now)
    return submission.game


async def choose(store: Store, guild: int = GUILD, **wishes: Any) -> None:
    """Change a club's settings."""
    await store.write(club.change_settings, guild, wishes, KAI, NOW)


async def this_years_card(store: Store) -> dict[str, int]:
    """Give the club the test card and make 2026 its year; the ids of its lines by their names."""
    ids = await hang_card(store)
    await choose(store, card_year=2026)
    return ids


async def american_figures(store: Store, *people: Person, guild: int = GUILD) -> list[Standing | None]:
    """The stored standings of members in the American rating."""
    return [await standing(store, person, SystemName.NMJL, guild=guild) for person in people]


async def penalise(
    store: Store, game: GameRecord, *sins: tuple[Person, Offence], by: Person = KAI, now: int = NOW
) -> GameRecord:
    """Make these the penalties of a pending hand."""
    wanted = {(game.players[game.people.index(person)], offence) for person, offence in sins}
    return (await store.write(ledger.set_penalties, game.guild_id, game.id, wanted, by, now)).game


async def hand_outcome(store: Store, game: GameRecord) -> ledger.AmericanOutcome:
    """What the ledger says that approval does or did to an American hand."""
    return american_outcome(await store.read(ledger.outcome, game.guild_id, game))


Changes = dict[int, tuple[Standing, tuple[int, int, float]]]


def american_changes(connection: sa.Connection, game: GameRecord) -> Changes:
    """What is stored of a hand's changes: by player the standing before; rank, points and rating after."""
    query = sa.select(outcomes).join(games, games.c.id == outcomes.c.game_id)
    rows = connection.execute(query.where(games.c.id == game.id, games.c.system == SystemName.NMJL))
    return {
        row.player_id: (
            Standing(row.rank_before, row.points_before, row.rating_before, row.games_before),
            (row.rank, row.points, row.rating),
        )
        for row in rows
    }


def as_changes(game: GameRecord, outcome: ledger.AmericanOutcome) -> Changes:
    """What would be stored of an outcome."""
    return {
        player: (step.before, (step.after.rank, step.after.points, step.after.rating))
        for player, step in zip(game.players, outcome.steps, strict=True)
    }


def placed(connection: sa.Connection, game: GameRecord) -> list[tuple[int | None, int | None]]:
    """What is stored of a game's places and final points (in points), by seat."""
    query = sa.select(outcomes.c.place, outcomes.c.final_points).where(outcomes.c.game_id == game.id)
    return [(row.place, row.final_points) for row in connection.execute(query.order_by(outcomes.c.seat))]


async def submit(store: Store, told: Report | None = None, *, guild: int = GUILD, now: int = NOW) -> GameRecord:
    """Submit a report; the answer is the game."""
    submission = await store.write(ledger.submit, guild, told or report(), now)
    return submission.game


async def approve(store: Store, game: GameRecord, *, by: Person = KAI, now: int = NOW) -> GameRecord:
    """Approve a pending game."""
    decision = await store.write(ledger.decide, game.guild_id, game.id, Verdict.APPROVE, by, now)
    assert decision.taken
    return decision.game


async def reject(
    store: Store, game: GameRecord, *, by: Person = KAI, reason: str | None = None, now: int = NOW
) -> GameRecord:
    """Reject a pending game."""
    decision = await store.write(ledger.decide, game.guild_id, game.id, Verdict.REJECT, by, now, reason)
    assert decision.taken
    return decision.game


class Gate:
    """Where a transaction waits: `reached` says that it is there, and `open` lets it go on."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._opened = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    def open(self) -> None:
        """Let the transaction go on."""
        self._opened.set()

    def wait(self) -> None:
        """Wait inside a transaction, which is a thread on SQLite and a greenlet of the loop on PostgreSQL."""
        self._loop.call_soon_threadsafe(self.reached.set)
        waiting = asyncio.wait_for(self._opened.wait(), PATIENCE)
        if threading.get_ident() == self._thread:
            await_only(waiting)
        else:
            asyncio.run_coroutine_threadsafe(waiting, self._loop).result()


def paused(
    connection: sa.Connection,
    gate: Gate,
    work: Callable[Concatenate[sa.Connection, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Do the work, and keep its transaction open at the gate before it can end."""
    result = work(connection, *args, **kwargs)
    gate.wait()
    return result


async def at_gate(running: Coroutine[Any, Any, T], gate: Gate) -> asyncio.Task[T]:
    """Start a transaction and wait until it is at the gate; if it fails before, so does this."""
    task = asyncio.create_task(running)
    reached = asyncio.create_task(gate.reached.wait())
    await asyncio.wait({task, reached}, return_when=asyncio.FIRST_COMPLETED)
    if not reached.done():
        reached.cancel()
        task.result()
    return task


@asynccontextmanager
async def another(database: str) -> AsyncIterator[Store]:
    """A second process on the same database, as far as the store can tell."""
    store = await Store.open(database)
    try:
        yield store
    finally:
        await store.close()


async def everything(store: Store) -> Snapshot:
    """Every row of every table."""
    return await store.read(_everything)


def _everything(connection: sa.Connection) -> Snapshot:
    return {
        table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
        for table in metadata.sorted_tables
    }


async def count(store: Store, table: sa.Table) -> int:
    """How many rows a table has."""
    return len((await everything(store))[table.name])


async def letters(store: Store, game: GameRecord) -> list[Kind]:
    """The kinds of the open letters about a game, oldest first."""
    query = sa.select(outbox.c.kind).where(outbox.c.game_id == game.id, outbox.c.done_at.is_(None))
    return [Kind(kind) for kind in await store.read(_scalars, query.order_by(outbox.c.id))]


def _scalars(connection: sa.Connection, query: sa.Select[Any]) -> list[Any]:
    return list(connection.execute(query).scalars())


async def standing(
    store: Store, person: Person, system: SystemName = SystemName.TENHOU_4P, *, guild: int = GUILD
) -> Standing | None:
    """A member's stored standing; None before the first rated game."""
    return await store.read(_standing, guild, person, system)


def _standing(connection: sa.Connection, guild: int, person: Person, system: SystemName) -> Standing | None:
    row = connection.execute(
        sa.select(standings.c.rank, standings.c.points, standings.c.rating, standings.c.games)
        .join(players, players.c.id == standings.c.player_id)
        .where(players.c.guild_id == guild, players.c.discord_id == person.discord_id)
        .where(standings.c.system == system)
    ).one_or_none()
    return None if row is None else Standing(*row)


async def place_at(
    store: Store, wanted: dict[Person, Standing], system: SystemName = SystemName.TENHOU_4P, *, guild: int = GUILD
) -> None:
    """Put members where a test needs them, as if they had played their way there."""
    await store.write(_place_at, wanted, system, guild)


def _place_at(connection: sa.Connection, wanted: dict[Person, Standing], system: SystemName, guild: int) -> None:
    club.lock(connection, guild, NOW)
    for person, figures in wanted.items():
        player = club.player_ids(connection, guild, [person])[0]
        row = {"guild_id": guild, "system": system, "player_id": player, **figures._asdict()}
        connection.execute(sa.insert(standings).values(row))
