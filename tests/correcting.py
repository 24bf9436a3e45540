"""What the tests of corrections share: games played, corrections made, and two clubs compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.ledger import tellings
from ratings.models import (
    AmericanReport,
    Length,
    Lobby,
    Person,
    Refused,
    Report,
    WonBy,
)
from ratings.queries.games import GameRecord
from ratings.store import Store
from tests.correction_model import figures_by_name
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    Snapshot,
    approve,
    choose,
    everything,
    hand,
    hang_card,
    report,
    submit,
    submit_hand,
)

__all__ = [
    "AFTERWARDS",
    "PROMOTION",
    "Lines",
    "Told",
    "amend",
    "carry_out",
    "correct",
    "derived",
    "evening",
    "is_clean",
    "open_club",
    "play",
    "promoted",
    "record",
    "refused",
    "report_it",
    "rows",
    "same_in_both_clubs",
    "void",
]

Told = Report | AmericanReport
Lines = dict[str, int]
# What promotes Ann, and a game after it in which she stays where she is.
PROMOTION, AFTERWARDS = (40000, 30000, 20000, 10000), (10000, 20000, 30000, 40000)


async def open_club(store: Store, guild: int) -> Lines:
    """Give a club its card; the ids of its lines."""
    lines = await hang_card(store, guild=guild)
    await choose(store, guild, card_year=2026)
    return lines


async def report_it(store: Store, told: Told, guild: int = GUILD) -> GameRecord:
    """Report a game of either kind."""
    if isinstance(told, Report):
        return await submit(store, told, guild=guild)
    return await submit_hand(store, told, guild=guild)


async def play(store: Store, *told: Told, guild: int = GUILD) -> list[GameRecord]:
    """Report games and approve each."""
    return [await approve(store, await report_it(store, each, guild)) for each in told]


async def correct(
    store: Store, propose: Callable[..., ledger.Proposal], *args: Any, guild: int = GUILD, by: Person = KAI
) -> ledger.Correction:
    """Make a correction, and find all that follows as a clean replay has it."""
    proposal = await store.read(propose, guild, *args)
    made = await store.write(ledger.carry_out, guild, proposal, by, NOW)
    await is_clean(store, guild)
    return made


async def refused(store: Store, propose: Callable[..., ledger.Proposal], *args: Any) -> Refused:
    """Ask for a correction that cannot be."""
    before = await everything(store)
    with pytest.raises(Refused) as raised:
        await store.read(propose, GUILD, *args)
    assert await everything(store) == before
    return raised.value


async def amend(store: Store, game: GameRecord, **changes: Any) -> ledger.Correction:
    """Tell a game anew."""
    told = replace(await store.read(tellings.read, game.id), **changes)
    return await correct(store, ledger.propose_amend, game.id, told, NOW)


async def record(store: Store, person: Person, guild: int = GUILD) -> int:
    """The id of a person's record, made at first sight."""
    return await store.write(_record, guild, person)


def _record(connection: sa.Connection, guild: int, person: Person) -> int:
    club.lock(connection, guild, NOW)
    return club.player_ids(connection, guild, [person])[0]


async def derived(store: Store) -> Snapshot:
    """Every stored figure."""
    return {name: rows for name, rows in (await everything(store)).items() if name in ("outcomes", "standings")}


async def promoted(store: Store, guild: int = GUILD) -> list[GameRecord]:
    """A club where the first game promoted Ann, who has played since."""
    return await play(store, report(PROMOTION), report(AFTERWARDS), guild=guild)


async def void(store: Store, game: GameRecord) -> ledger.Proposal:
    """Propose to void a game."""
    return await store.read(ledger.propose_void, GUILD, game.id, "A slip")


async def carry_out(store: Store, proposal: ledger.Proposal) -> ledger.Correction:
    """Make a correction."""
    return await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def is_clean(store: Store, guild: int = GUILD) -> None:
    """All figures are those of a clean replay."""
    plan = await store.read(ledger.plan_replay, guild)
    assert (plan.rows, plan.cleared, plan.moves) == ([], [], [])


async def same_in_both_clubs(store: Store) -> None:
    """Every figure of the club is that of its neighbours."""
    here, there = [await store.read(figures_by_name, guild) for guild in (GUILD, NEIGHBOURS)]
    assert here[0]
    assert here == there


def evening(lines: Lines) -> list[Told]:
    """What is played after the game in question, by the same people, on every ladder."""
    return [
        report((20000, 30000, 40000, 10000), (DORA, EMI, ANN, BORIS), lobby=Lobby.TOKUJOU),
        hand(lines["Hidden pass"], players=(ANN, BORIS, EMI), winner=BORIS, won_by=WonBy.SELF_PICK),
        report((50000, 35000, 20000), (ANN, CHIAKI, EMI)),
        report((31000, 29000, 25000, 15000), (BORIS, CHIAKI, DORA, EMI), length=Length.TONPUU),
        hand(lines["Three bends"], players=(DORA, CHIAKI, ANN), winner=DORA, discarder=ANN),
        report(ranked=False),
    ]


def rows(connection: sa.Connection, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    return [tuple(row) for row in connection.execute(query)]
