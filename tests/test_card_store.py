"""The club's cards in the store: imported whole or not at all, and fixed where a game stands on them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ratings import card, club, ledger
from ratings.cardfile import CardLine, read_card
from ratings.models import AmericanReport, Refusal, Refused, WonBy
from ratings.queries import cards
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.tables import card_lines
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    Gate,
    another,
    approve,
    at_gate,
    count,
    everything,
    paused,
    reject,
)

EXAMPLE = read_card((Path(__file__).parent.parent / "docs" / "example-card.csv").read_bytes())
FORD = CardLine(2026, "River Steps", 1.0, "Ford", 25, False, False)
BANKS = CardLine(2026, "River Steps", 1.0, "Both Banks", 35, False, False)
GATE = CardLine(2026, "Garden Walls", 1.1, "Gate", 30, True, False)
SMALL = [FORD, BANKS, GATE]

_interactions = itertools.count(5_000)


async def bring(store: Store, lines: Sequence[CardLine], guild: int = GUILD) -> dict[int, int]:
    """Import a card."""
    return await store.write(card.import_card, guild, lines, NOW)


async def kept(store: Store, year: int = 2026, guild: int = GUILD) -> list[CardLine]:
    """A year's card as it would be written to a file."""
    return [
        CardLine(
            each.year,
            each.section,
            each.line.section_multiplier,
            each.name,
            each.line.points,
            each.line.concealed_only,
            each.line.singles_and_pairs,
        )
        for each in await store.read(cards.lines, guild, year)
    ]


async def line_id(store: Store, line: CardLine, guild: int = GUILD) -> int:
    """The id under which a club keeps a line."""
    (found,) = [
        each.id
        for each in await store.read(cards.lines, guild, line.year)
        if (each.section, each.name) == (line.section, line.name)
    ]
    return found


async def won_with(store: Store, line: CardLine, guild: int = GUILD) -> GameRecord:
    """Ann reports that she picked the last tile of this line herself, while its year is the active one."""
    await store.write(club.change_settings, guild, {"card_year": line.year}, KAI, NOW)
    submission = await store.write(ledger.submit_american, guild, await told(store, line, guild), NOW)
    return submission.game


async def told(store: Store, line: CardLine, guild: int = GUILD) -> AmericanReport:
    """The report of that hand."""
    return AmericanReport(
        reporter=ANN,
        players=(ANN, BORIS, CHIAKI, DORA),
        winner=ANN,
        line_id=await line_id(store, line, guild),
        won_by=WonBy.SELF_PICK,
        discarder=None,
        used_jokers=False,
        concealed=None,
        played_at=NOW - 600,
        channel_id=31,
        interaction_id=next(_interactions),
    )


async def refused(store: Store, lines: Sequence[CardLine], guild: int = GUILD) -> dict[str, object]:
    """Import a card that must be refused and leave no trace; the particulars of the refusal."""
    before = await everything(store)
    with pytest.raises(Refused) as caught:
        await bring(store, lines, guild)
    assert caught.value.refusal is Refusal.CARD_IN_USE
    assert await everything(store) == before
    return caught.value.values


async def test_a_card_is_kept_as_the_file_has_it(store: Store) -> None:
    assert await bring(store, EXAMPLE) == {2026: 40}
    assert await kept(store) == EXAMPLE


async def test_an_import_of_several_years_leaves_the_other_years_alone(store: Store) -> None:
    last = [replace(line, year=2024) for line in SMALL]
    mixed = [
        line for pair in zip(SMALL, [replace(line, year=2025) for line in SMALL], strict=True) for line in pair
    ]
    await bring(store, last)
    assert await bring(store, mixed[:-1]) == {2025: 2, 2026: 3}
    assert await store.read(cards.years, GUILD) == [(2026, 3), (2025, 2), (2024, 3)]
    assert await kept(store, 2024) == last
    assert await kept(store, 2025) == [replace(line, year=2025) for line in (FORD, BANKS)]


async def test_a_card_nobody_has_won_with_is_replaced_in_every_respect(store: Store) -> None:
    await bring(store, SMALL)
    same = await line_id(store, GATE)
    new = [
        replace(FORD, name="Weir"),
        CardLine(2026, "Garden Walls", 2.0, "Gate", 50, False, True),
        CardLine(2026, "Garden Walls", 2.0, "Ivy", 25, True, False),
        replace(BANKS, name="both banks"),
    ]
    assert await bring(store, new) == {2026: 4}
    assert await kept(store) == new
    assert await line_id(store, GATE) == same
    assert await count(store, card_lines) == 4


async def test_the_same_file_again_changes_nothing(store: Store) -> None:
    await bring(store, EXAMPLE)
    before = await everything(store)
    await bring(store, EXAMPLE)
    assert await everything(store) == before


@pytest.mark.parametrize(
    "changed",
    [
        [replace(FORD, points=30), BANKS, GATE],
        [replace(FORD, concealed_only=True), BANKS, GATE],
        [replace(FORD, singles_and_pairs=True), BANKS, GATE],
        [replace(FORD, multiplier=1.2), replace(BANKS, multiplier=1.2), GATE],
        [BANKS, GATE],
        [replace(FORD, name="Ford."), BANKS, GATE],
        [replace(FORD, section="Steps"), BANKS, GATE],
        [replace(FORD, section="Steps"), replace(FORD, section="Steps", name="New"), replace(FORD, points=26)],
    ],
    ids=["points", "concealed", "pairs", "multiplier", "dropped", "renamed", "moved", "doubled"],
)
async def test_a_line_an_approved_game_was_won_with_cannot_change(store: Store, changed: list[CardLine]) -> None:
    await bring(store, SMALL)
    await approve(store, await won_with(store, FORD))
    values = await refused(store, changed)
    assert values == {"lines": [(2026, "River Steps", "Ford")]}


async def test_a_year_in_use_may_gain_lines_move_them_and_change_the_others(store: Store) -> None:
    await bring(store, SMALL)
    game = await approve(store, await won_with(store, FORD))
    amended = [
        replace(GATE, points=45),
        CardLine(2026, "River Steps", 1.0, "Weir", 40, False, False),
        FORD,
        CardLine(2026, "Odd Company", 3.0, "Odd One Out", 30, False, True),
    ]
    assert await bring(store, amended) == {2026: 4}
    assert await kept(store) == amended
    assert game.line is not None
    assert await line_id(store, FORD) == game.line.id


async def test_lines_of_pending_and_rejected_games_can_be_changed_but_not_dropped(store: Store) -> None:
    await bring(store, SMALL)
    await won_with(store, FORD)
    await reject(store, await won_with(store, GATE))
    assert (await refused(store, [BANKS, GATE]))["lines"] == [(2026, "River Steps", "Ford")]
    assert (await refused(store, [FORD, BANKS]))["lines"] == [(2026, "Garden Walls", "Gate")]
    assert await bring(store, [replace(FORD, points=30), replace(GATE, concealed_only=False)]) == {2026: 2}


async def test_one_line_in_use_keeps_every_year_of_the_file_out(store: Store) -> None:
    await bring(store, SMALL)
    await approve(store, await won_with(store, GATE))
    others = [replace(line, year=year) for year in (2025, 2027) for line in SMALL]
    values = await refused(store, [*others, FORD, BANKS, replace(GATE, points=31)])
    assert values == {"lines": [(2026, "Garden Walls", "Gate")]}
    assert await store.read(cards.years, GUILD) == [(2026, 3)]


async def test_clubs_have_cards_of_their_own(store: Store) -> None:
    await bring(store, SMALL)
    await bring(store, [replace(FORD, points=40), replace(GATE, year=2025)], NEIGHBOURS)
    await approve(store, await won_with(store, FORD))
    assert await bring(store, [replace(FORD, points=45)], NEIGHBOURS) == {2026: 1}
    assert await kept(store) == SMALL
    assert await kept(store, guild=NEIGHBOURS) == [replace(FORD, points=45)]
    assert await store.read(cards.years, NEIGHBOURS) == [(2026, 1), (2025, 1)]
    assert await store.read(cards.find, NEIGHBOURS, [2026], "gate", 25) == []
    ours = await line_id(store, FORD)
    assert await store.read(cards.line, NEIGHBOURS, ours) is None
    found = await store.read(cards.line, GUILD, ours)
    assert found is not None
    assert (found.year, found.section, found.name, found.line.points) == (2026, "River Steps", "Ford", 25)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ["Ford", "Both Banks", "Gate"]),
        ("  ", ["Ford", "Both Banks", "Gate"]),
        ("river", ["Ford", "Both Banks"]),
        ("BANKS riv", ["Both Banks"]),
        ("ate", ["Gate"]),
        ("30", ["Gate"]),
        ("35 steps", ["Both Banks"]),
        ("gate ford", []),
        ("%", []),
    ],
)
async def test_lines_are_found_by_every_word_typed(store: Store, typed: str, found: list[str]) -> None:
    await bring(store, [*SMALL, replace(FORD, year=2025, name="Old Ford")])
    assert [each.name for each in await store.read(cards.find, GUILD, [2026], typed, 25)] == found


async def test_only_so_many_lines_are_found_in_the_cards_order(store: Store) -> None:
    await bring(store, EXAMPLE)
    found = await store.read(cards.find, GUILD, [2026], "", 25)
    assert [each.name for each in found] == [line.name for line in EXAMPLE[:25]]
    assert [each.name for each in await store.read(cards.find, GUILD, [2026], "pairs 75", 1)] == ["Mirror Image"]


async def test_a_report_during_an_import_is_judged_by_the_new_card(store: Store, database: str) -> None:
    await bring(store, SMALL)
    await store.write(club.change_settings, GUILD, {"card_year": 2026}, KAI, NOW)
    report, gate = await told(store, FORD), Gate()
    async with another(database) as second:
        importing = await at_gate(store.write(paused, gate, card.import_card, GUILD, [GATE], NOW), gate)
        reporting = asyncio.create_task(second.write(ledger.submit_american, GUILD, report, NOW))
        await asyncio.wait([reporting], timeout=0.05)
        assert not reporting.done()
        gate.open()
        assert await importing == {2026: 1}
        with pytest.raises(Refused) as caught:
            await reporting
    assert caught.value.refusal is Refusal.UNKNOWN_LINE


async def test_an_import_during_a_report_respects_the_line_it_takes(store: Store, database: str) -> None:
    await bring(store, SMALL)
    await store.write(club.change_settings, GUILD, {"card_year": 2026}, KAI, NOW)
    report, gate = await told(store, FORD), Gate()
    async with another(database) as second:
        reporting = await at_gate(store.write(paused, gate, ledger.submit_american, GUILD, report, NOW), gate)
        importing = asyncio.create_task(bring(second, [GATE]))
        await asyncio.wait([importing], timeout=0.05)
        assert not importing.done()
        gate.open()
        await reporting
        with pytest.raises(Refused) as caught:
            await importing
    assert caught.value.refusal is Refusal.CARD_IN_USE
    assert await kept(store) == SMALL
