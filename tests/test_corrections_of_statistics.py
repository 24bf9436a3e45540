"""Corrections tell which statistics move: what was won in American mahjong, and the hands of game logs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.render import corrections as drawing
from bot.texts import texts_for
from ratings import club, ledger
from ratings.ledger import Proposal, tellings
from ratings.models import AmericanReport, Person, WonBy
from ratings.queries import american, audit
from ratings.queries.american import WinFigures
from ratings.queries.games import GameRecord
from ratings.store import Store
from tests.correcting import open_club, play, record
from tests.correction_help import told
from tests.game_log_help import bring, played
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NOW,
    approve,
    hand,
    submit,
    submit_hand,
)
from tests.people_help import merge

TEXTS = texts_for("en-US")
EVERYBODY = (ANN, BORIS, CHIAKI, DORA, EMI)


async def evening(store: Store) -> tuple[dict[str, int], list[GameRecord]]:
    """Two hands that Ann won: on a discard of Dora, and self-picked without jokers."""
    lines = await open_club(store, GUILD)
    games = await play(store, *hands(lines))
    return lines, games


def hands(lines: dict[str, int]) -> list[AmericanReport]:
    """The reports of those two hands."""
    bends = lines["Three bends"]
    return [hand(bends, discarder=DORA), hand(bends, won_by=WonBy.SELF_PICK, used_jokers=False)]


async def counted(store: Store, person: Person) -> int:
    """The record under which somebody counts."""
    own = await record(store, person)
    return (await store.read(club.counted_as, GUILD, [own]))[own]


async def won(store: Store) -> dict[int, WinFigures]:
    """What everybody won, as /profile shows it, by record."""
    found = {}
    for person in EVERYBODY:
        figures = await store.read(american.profile, GUILD, person.discord_id)
        if figures is not None:
            of_wins = WinFigures(figures.wins, figures.self_picked, figures.jokerless, figures.discarded_into)
            found[await counted(store, person)] = of_wins
    return found


async def statistics(store: Store, proposal: Proposal) -> str:
    """What the question says, with statistics and this game."""
    background = await store.read(audit.background, GUILD, proposal.people)
    return told(dict(drawing.preview(TEXTS, proposal, background).to_dict()))


async def carried_out(store: Store, proposal: Proposal) -> str:
    """Carry a proposal out: what it foretold is what is then seen, and what is said of it afterwards."""
    before = await won(store)
    made = await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    after, nothing = await won(store), WinFigures()
    moved = {
        player: (before.get(player, nothing), after.get(player, nothing))
        for player in {**before, **after}
        if before.get(player, nothing) != after.get(player, nothing)
    }
    assert dict(proposal.wins) == moved
    background = await store.read(audit.background, GUILD, proposal.people)
    return told(dict(drawing.done(TEXTS, proposal, made, background).to_dict()))


async def amended(store: Store, game: GameRecord, **changes: Any) -> Proposal:
    """A game told anew."""
    old = await store.read(tellings.read, game.id)
    return await store.read(ledger.propose_amend, GUILD, game.id, replace(old, **changes), NOW)


async def test_a_hand_voided_and_restored_tells_whose_wins_move(store: Store) -> None:
    _, (on_discard, self_picked) = await evening(store)
    void = await store.read(ledger.propose_void, GUILD, on_discard.id, "slip")
    field = "Statistics\n**\u2068Ann\u2069** wins 2 → 1\n**\u2068Dora\u2069** discarded into 1 → 0\nAmerican"
    assert field in await statistics(store, void)
    assert field in await carried_out(store, void)
    restore = await store.read(ledger.propose_restore, GUILD, on_discard.id)
    field = "Statistics\n**\u2068Ann\u2069** wins 1 → 2\n**\u2068Dora\u2069** discarded into 0 → 1\nAmerican"
    assert field in await statistics(store, restore)
    assert field in await carried_out(store, restore)
    void = await store.read(ledger.propose_void, GUILD, self_picked.id, "slip")
    assert "**\u2068Ann\u2069** wins 2 → 1 · self-picked 1 → 0 · jokerless 1 → 0\nA" in await carried_out(
        store, void
    )


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({"used_jokers": False}, ["**\u2068Ann\u2069** jokerless 1 → 2"]),
        (
            {"won_by": WonBy.SELF_PICK, "discarder": None},
            ["**\u2068Ann\u2069** self-picked 1 → 2", "**\u2068Dora\u2069** discarded into 1 → 0"],
        ),
        (
            {"discarder": BORIS},
            ["**\u2068Dora\u2069** discarded into 1 → 0", "**\u2068Борис\u2069** discarded into 0 → 1"],
        ),
        (
            {"winner": DORA, "discarder": ANN},
            [
                "**\u2068Ann\u2069** wins 2 → 1 · discarded into 0 → 1",
                "**\u2068Dora\u2069** wins 0 → 1 · discarded into 1 → 0",
            ],
        ),
        ({"winner": None}, ["**\u2068Ann\u2069** wins 2 → 1", "**\u2068Dora\u2069** discarded into 1 → 0"]),
    ],
)
async def test_a_hand_amended_tells_only_what_changes(
    store: Store, changes: dict[str, Any], lines: list[str]
) -> None:
    _, (game, _) = await evening(store)
    changes = {
        name: await record(store, value) if isinstance(value, Person) else value for name, value in changes.items()
    }
    proposal = await amended(store, game, **changes)
    assert "Statistics\n" + "\n".join(lines) + "\nAmerican" in await carried_out(store, proposal)


async def test_what_moves_no_win_says_nothing_of_wins(store: Store) -> None:
    lines, (game, _) = await evening(store)
    concealed = await amended(store, game, line_id=lines["Hidden pass"], concealed=True)
    assert "Statistics" not in await carried_out(store, concealed)
    pending = await submit_hand(store, hands(lines)[0])
    assert "Statistics" not in await carried_out(store, await amended(store, pending, used_jokers=False))
    wall = await approve(store, await submit_hand(store, hand(winner=None)))
    void = await store.read(ledger.propose_void, GUILD, wall.id, "slip")
    assert "Statistics" not in await carried_out(store, void)


async def test_wins_under_another_record_of_his_count_as_his(store: Store) -> None:
    lines, (game, _) = await evening(store)
    other = hand(lines["Three bends"], players=(EMI, BORIS), winner=EMI, discarder=BORIS)
    await play(store, other)
    await merge(store, EMI, ANN)
    void = await store.read(ledger.propose_void, GUILD, game.id, "slip")
    assert "**\u2068Ann\u2069** wins 3 → 2\n" in await carried_out(store, void)


@pytest.mark.parametrize(
    ("number", "leaves", "enters"),
    [
        (1, "1 hand of its log leaves the statistics.", "1 hand of its log enters the statistics."),
        (2, "2 hands of its log leave the statistics.", "2 hands of its log enter the statistics."),
        (5, "5 hands of its log leave the statistics.", "5 hands of its log enter the statistics."),
    ],
)
async def test_the_hands_of_a_log_leave_and_enter_the_statistics(
    store: Store, number: int, leaves: str, enters: str
) -> None:
    log = played()
    log = replace(log, seats=tuple(replace(seat, hands=number) for seat in log.seats))
    game = await approve(store, (await bring(store, log)).submission.game)
    void = await store.read(ledger.propose_void, GUILD, game.id, "slip")
    assert f"games in the statistics −1\n{leaves}\nFour players" in await statistics(store, void)
    assert leaves in await carried_out(store, void)
    restore = await store.read(ledger.propose_restore, GUILD, game.id)
    assert enters in await statistics(store, restore)
    assert enters in await carried_out(store, restore)


async def test_an_amendment_leaves_the_hands_of_a_log_where_they_are(store: Store) -> None:
    game = await approve(store, (await bring(store, played())).submission.game)
    assert "of its log" not in await statistics(store, await amended(store, game, ranked=False))


async def test_a_game_without_a_log_says_nothing_of_one(store: Store) -> None:
    game = await approve(store, await submit(store))
    void = await store.read(ledger.propose_void, GUILD, game.id, "slip")
    assert "of its log" not in await statistics(store, void)
