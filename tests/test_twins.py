"""Games that tell the same: each card says so while the other one waits or counts, and so does a correction."""

from __future__ import annotations

import pytest

from ratings import ledger
from ratings.ledger import tellings
from ratings.models import WonBy
from ratings.queries import games as reading
from ratings.queries.records import Card, GameRecord, Twin
from ratings.store import Store, cards
from ratings.store.outbox import Kind
from ratings.store.tables import outbox as outbox_table
from tests.breaking import execute
from tests.club_evening import Evening
from tests.correcting import amend, correct, play
from tests.correction_help import GAME, ask, confirm, said
from tests.ledger_help import (
    ANN,
    DORA,
    GUILD,
    NOW,
    approve,
    hand,
    letters,
    reject,
    report,
    submit,
    submit_hand,
)
from tests.twin_help import repeats

WEEK = 7 * 24 * 3600
OTHER_SCORES = (39000, 31000, 20000, 10000)


async def again(store: Store, game: GameRecord) -> int | None:
    """The number of what is by now the twin of a game."""
    return repeats(await store.read(reading.by_id, GUILD, game.id))


async def hang(store: Store, *games: GameRecord) -> None:
    """Hang the cards of games, with nothing left to be said."""
    for game in games:
        await store.write(cards.hang, GUILD, game.id, 41, 4100 + game.id)
    await store.write(execute, outbox_table.delete())


async def test_each_of_two_names_the_other_while_it_waits_or_counts(store: Store) -> None:
    first, second = await submit(store), await submit(store)
    assert (await again(store, first), repeats(second)) == (second.number, first.number)
    await reject(store, second)
    assert (await again(store, first), await again(store, second)) == (None, first.number)
    await correct(store, ledger.propose_reopen, second.id)
    assert await again(store, first) == second.number
    await approve(store, second)
    await correct(store, ledger.propose_void, second.id, "A slip")
    assert await again(store, first) is None
    await correct(store, ledger.propose_restore, second.id)
    assert await again(store, first) == second.number
    await amend(store, second, scores=OTHER_SCORES)
    assert (await again(store, first), await again(store, second)) == (None, None)


async def test_of_several_the_one_that_counts_is_named(store: Store) -> None:
    first, second, third = [await submit(store) for _ in range(3)]
    assert [await again(store, game) for game in (first, second, third)] == [2, 1, 1]
    await approve(store, third)
    assert [await again(store, game) for game in (first, second, third)] == [3, 3, 1]


async def test_a_later_report_counts_for_seven_days(store: Store) -> None:
    first = await submit(store)
    await submit(store, now=NOW + WEEK + 1)
    assert await again(store, first) is None
    last = await submit(store, now=NOW + WEEK)
    assert await again(store, first) == last.number


async def test_won_hands_are_compared_and_wall_games_are_not(store: Store, lines: dict[str, int]) -> None:
    won = await submit_hand(store, hand(lines["Three bends"], discarder=DORA))
    twice = await submit_hand(store, hand(lines["Three bends"], won_by=WonBy.SELF_PICK))
    assert await again(store, won) is None
    await amend(store, twice, won_by=WonBy.DISCARD, discarder=won.players[3])
    assert (await again(store, won), await again(store, twice)) == (twice.number, won.number)
    wall = {"winner": None, "line_id": None, "won_by": WonBy.UNRECORDED, "discarder": None}
    for game in (won, twice):
        await amend(store, game, **wall)
    assert (await again(store, won), await again(store, twice)) == (None, None)


async def test_a_correction_that_makes_a_game_tell_the_same_says_so(store: Store) -> None:
    rejected = await reject(store, await submit(store))
    voided, counting, other = await play(store, report(), report(), report(OTHER_SCORES))
    await correct(store, ledger.propose_void, voided.id, "A slip")
    await hang(store, counting)
    twin = Twin(counting.number, Card(GUILD, 41, 4100 + counting.id))
    assert (await store.read(ledger.propose_reopen, GUILD, rejected.id)).twin == twin
    assert (await store.read(ledger.propose_restore, GUILD, voided.id)).twin == twin
    told = await store.read(tellings.read, counting.id)
    amended = await store.read(ledger.propose_amend, GUILD, other.id, told, NOW)
    assert amended.twin == twin
    moved = await store.read(ledger.propose_amend, GUILD, counting.id, await _other(store, other), NOW)
    assert moved.twin == Twin(other.number, None)
    assert (await store.read(ledger.propose_void, GUILD, counting.id, "A slip")).twin is None


async def _other(store: Store, game: GameRecord) -> tellings.Telling:
    return await store.read(tellings.read, game.id)


@pytest.mark.parametrize("decided", [True, False])
async def test_cards_that_name_a_game_are_drawn_anew_when_it_comes_and_goes(store: Store, decided: bool) -> None:
    first = await submit(store)
    await hang(store, first)
    second = await submit(store)
    assert await letters(store, first) == [Kind.CARD]
    await hang(store, first, second)
    third = await submit(store)
    # What they say is the same as before.
    assert (await letters(store, first), await letters(store, second)) == ([], [])
    await hang(store, first, second, third)
    if decided:
        await reject(store, first)
    else:
        await correct(store, ledger.propose_withdraw, first.id, ANN)
    assert (await letters(store, second), await letters(store, third)) == ([Kind.CARD], [Kind.CARD])
    await hang(store, second)
    await approve(store, third)
    assert Kind.CARD in await letters(store, second)


async def test_cards_that_name_a_game_are_drawn_anew_when_it_is_told_otherwise(store: Store) -> None:
    first, second, other = await play(store, report(), report(), report(OTHER_SCORES))
    await hang(store, first, second, other)
    await amend(store, first, scores=OTHER_SCORES)
    for game in (first, second, other):
        assert await letters(store, game) == [Kind.CARD]


async def test_a_card_that_is_gone_is_not_hung_again_for_a_twin(store: Store) -> None:
    (first,) = await play(store, report())
    await store.write(execute, outbox_table.delete())
    await submit(store)
    assert await letters(store, first) == []


async def test_restoring_and_reopening_what_was_reported_again_is_warned_of(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await evening.report(GAME)
    await evening.reject(1)
    await evening.report(GAME)
    await evening.approve(2)
    await evening.quiet()
    told = "The same players had the same scores in [game #2]("
    question = await ask(evening, "Kai", "reopen", game=1)
    assert told in said(question)
    assert "only one of them should count" in said(question)
    await confirm(evening, "Kai", question)
    await evening.quiet()
    assert "Possible duplicate\n" + told in said(await evening.card_ready(1))
    assert "in [game #1](" in said(evening.card(2) or {})
    await evening.approve(1)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="twice"))
    await evening.quiet()
    assert "Possible duplicate" not in said(evening.card(2) or {})
    assert told in said(await ask(evening, "Kai", "restore", game=1))


async def test_a_card_points_to_no_game_that_was_withdrawn(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.card_ready(1)
    await evening.report(GAME)
    await evening.card_ready(2)
    await evening.discord.until(lambda: "in [game #2](" in said(evening.card(1) or {}))
    await confirm(evening, "Ann", await ask(evening, "Ann", "withdraw", game=1))
    await evening.discord.until(lambda: "Possible duplicate" not in said(evening.card(2) or {}))


async def test_a_card_that_was_on_its_way_when_the_game_was_reported_again_says_so(evening: Evening) -> None:
    posting = rf"/channels/{evening.channels['approvals']['id']}/messages$"
    slow = evening.discord.faults.hold("POST", posting, done=True)
    await evening.report(GAME, by="Emi")
    await slow.reached.wait()
    await evening.report(GAME, by="Rei")
    slow.release()
    await evening.card_ready(2)
    await evening.discord.until(lambda: "in [game #2](" in said(evening.card(1) or {}))
