"""Reports: what becomes of them, what is refused, what counts as the same game, and whose they are."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ratings import club, ledger
from ratings.models import GameState, Length, Lobby, Person, Refusal, Refused, Report, Verdict
from ratings.queries import games
from ratings.queries.records import Twin
from ratings.store import Store, cards, outbox
from ratings.store.outbox import Kind
from ratings.store.tables import games as games_table
from ratings.store.tables import outbox as outbox_table
from ratings.store.tables import seats
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
    another,
    approve,
    count,
    everything,
    letters,
    reject,
    report,
    riichi,
    submit,
)
from tests.twin_help import repeats

ROBOT = Person(66, "Robot", is_bot=True)
DAY = 24 * 3600


async def test_a_report_becomes_a_pending_game_with_its_seats(store: Store) -> None:
    told = report(
        (41000, -2000, 29000, 30000),
        (DORA, ANN, CHIAKI, BORIS),
        reporter=EMI,
        length=Length.TONPUU,
        lobby=Lobby.TOKUJOU,
        sticks=2,
        ranked=False,
        played_at=NOW - 3600,
    )
    game = await submit(store, told)
    assert (game.number, game.state, game.guild_id) == (1, GameState.PENDING, GUILD)
    assert game.people == (DORA, ANN, CHIAKI, BORIS)
    facts = riichi(game)
    assert facts.scores == (41000, -2000, 29000, 30000)
    assert (facts.length, facts.lobby) == (Length.TONPUU, Lobby.TOKUJOU)
    assert (facts.sticks, facts.ranked) == (2, False)
    assert game.players == tuple(seat.player_id for seat in facts.seats)
    assert (game.reporter, game.report_channel_id) == (EMI, 31)
    assert (game.played_at, game.reported_at) == (NOW - 3600, NOW)
    assert (repeats(game), game.card, game.decision) == (None, None, None)
    assert await letters(store, game) == [Kind.CARD]
    assert await store.read(games.by_number, GUILD, 1) == game
    assert await store.read(games.pending, GUILD) == [game]


REFUSED = {
    "100 points too many": (
        report((40000, 30000, 20000, 10100)),
        Refusal.WRONG_SUM,
        {"total": 100100, "expected": 100000, "sticks": 0, "difference": 100},
    ),
    "a stick forgotten": (
        report((39000, 30000, 20000, 10000)),
        Refusal.WRONG_SUM,
        {"total": 99000, "expected": 100000, "sticks": 0, "difference": -1000},
    ),
    "sticks counted twice": (
        report(sticks=2),
        Refusal.WRONG_SUM,
        {"total": 100000, "expected": 98000, "sticks": 2, "difference": 2000},
    ),
    "three players with the sum of four": (
        report((50000, 30000, 20000)),
        Refusal.WRONG_SUM,
        {"total": 100000, "expected": 105000, "sticks": 0, "difference": -5000},
    ),
    "somebody twice": (report(players=(ANN, BORIS, ANN, DORA)), Refusal.SAME_PLAYER, {"name": "Ann"}),
    "a bot at the table": (report(players=(ANN, BORIS, ROBOT, DORA)), Refusal.BOT_PLAYER, {"name": "Robot"}),
    "tomorrow's game": (report(played_at=NOW + DAY), Refusal.FUTURE, {"played_at": NOW + DAY}),
    "a game six minutes ahead": (report(played_at=NOW + 301), Refusal.FUTURE, {"played_at": NOW + 301}),
}


@pytest.mark.parametrize(("told", "refusal", "values"), REFUSED.values(), ids=REFUSED)
async def test_a_refused_report_stores_nothing_at_all(
    store: Store, told: Report, refusal: Refusal, values: dict[str, object]
) -> None:
    nothing = await everything(store)
    assert not any(nothing.values())
    for _ in ("an empty store", "a club with a game"):
        before = await everything(store)
        with pytest.raises(Refused) as refused:
            await submit(store, told)
        assert (refused.value.refusal, refused.value.values) == (refusal, values)
        assert await everything(store) == before
        await submit(store)


async def test_a_clock_five_minutes_ahead_is_no_future(store: Store) -> None:
    game = await submit(store, report(played_at=NOW + 300))
    assert game.played_at == NOW + 300


async def test_scores_add_up_to_what_the_club_starts_with(store: Store) -> None:
    await store.write(club.change_settings, GUILD, {"start_4p": 30000, "start_3p": 40000}, KAI, NOW)
    with pytest.raises(Refused) as refused:
        await submit(store)
    assert refused.value.values["expected"] == 120000
    await submit(store, report((50000, 40000, 20000, 10000)))
    await submit(store, report((60000, 40000, 19000), sticks=1))
    assert (await submit(store, guild=NEIGHBOURS)).number == 1


async def test_a_command_delivered_twice_is_one_game(store: Store) -> None:
    told = report(interaction_id=5000)
    first = await store.write(ledger.submit, GUILD, told, NOW)
    before = await everything(store)
    second = await store.write(ledger.submit, GUILD, told, NOW + 3)
    assert (first.again, second.again) == (False, True)
    assert second.game == first.game
    assert await everything(store) == before


async def test_the_answer_to_a_report_holds_all_that_is_shown(store: Store) -> None:
    told = report(interaction_id=5000)
    for again in (False, True):
        submission = await store.write(ledger.submit, GUILD, told, NOW)
        assert submission.again is again
        assert submission.matter == await store.read(ledger.matter, GUILD, submission.game.id)
        assert submission.matter.outcome == await store.read(ledger.outcome, GUILD, submission.game)
        assert submission.matter.settings == await store.read(club.settings, GUILD)


async def test_whoever_reports_may_hang_the_card_himself(store: Store) -> None:
    told = report(interaction_id=5000)
    submission = await store.write(ledger.submit, GUILD, told, NOW, 15.0)
    (letter,) = submission.letters
    assert (letter.kind, letter.game_id, letter.attempts) == (Kind.CARD, submission.game.id, 1)
    assert await letters(store, submission.game) == [Kind.CARD]
    assert await store.read(outbox.agenda, NOW) == ([], NOW + 15)
    again = await store.write(ledger.submit, GUILD, told, NOW, 15.0)
    assert (again.again, again.letters) == (True, ())
    assert (await store.write(ledger.submit, GUILD, report(), NOW)).letters == ()


async def test_a_command_delivered_again_is_known_whatever_happened_meanwhile(store: Store) -> None:
    told = report(interaction_id=5000)
    game = await submit(store, told)
    await approve(store, game)
    await store.write(club.change_settings, GUILD, {"start_4p": 30000}, KAI, NOW)
    again = await store.write(ledger.submit, GUILD, told, NOW + 3)
    assert again.again
    assert (again.game.id, again.game.state) == (game.id, GameState.APPROVED)
    assert await count(store, games_table) == 1


async def test_one_command_at_two_processes_at_once_is_one_game(store: Store, database: str) -> None:
    told = report(interaction_id=5000)
    async with another(database) as other:
        answers = await asyncio.gather(
            *(each.write(ledger.submit, GUILD, told, NOW) for each in (store, other) for _ in range(5))
        )
    assert {answer.game.id for answer in answers} == {answers[0].game.id}
    assert sorted(answer.again for answer in answers) == [False] + [True] * 9
    assert await count(store, games_table) == 1
    assert await count(store, seats) == 4
    assert await count(store, outbox_table) == 1


async def test_the_same_interaction_id_in_two_clubs_is_two_games(store: Store) -> None:
    told = report(interaction_id=5000)
    here = await submit(store, told)
    there = await submit(store, told, guild=NEIGHBOURS)
    assert here.id != there.id


async def test_the_same_players_and_scores_in_any_seats_repeat_the_game(store: Store) -> None:
    first = await submit(store)
    assert repeats(first) is None
    turned = await submit(store, report((10000, 40000, 30000, 20000), (DORA, ANN, BORIS, CHIAKI)))
    assert repeats(turned) == first.number
    third = await submit(store, now=NOW + 60)
    assert repeats(third) == first.number
    await store.write(cards.hang, GUILD, first.id, 41, 4100)
    shown = await store.read(games.by_id, GUILD, third.id)
    assert shown.twin == Twin(first.number, games.Card(GUILD, 41, 4100))


async def test_other_scores_or_other_players_repeat_nothing(store: Store) -> None:
    await submit(store)
    swapped = await submit(store, report((30000, 40000, 20000, 10000)))
    other_player = await submit(store, report(players=(ANN, BORIS, CHIAKI, EMI)))
    three = await submit(store, report((50000, 35000, 20000)))
    assert [repeats(game) for game in (swapped, other_player, three)] == [None, None, None]


async def test_a_game_is_repeated_for_seven_days(store: Store) -> None:
    first = await submit(store)
    last_second = await submit(store, now=NOW + 7 * DAY)
    assert repeats(last_second) == first.number
    a_second_later = await submit(store, now=NOW + 7 * DAY + 1)
    assert repeats(a_second_later) == last_second.number
    much_later = await submit(store, now=NOW + 30 * DAY)
    assert repeats(much_later) is None


async def test_a_rejected_game_is_not_repeated_an_approved_one_is(store: Store) -> None:
    rejected = await reject(store, await submit(store))
    second = await submit(store)
    assert repeats(second) is None
    await approve(store, second)
    third = await submit(store)
    assert repeats(third) == second.number != rejected.number


async def test_the_neighbours_same_game_repeats_nothing(store: Store) -> None:
    await submit(store)
    assert repeats(await submit(store, guild=NEIGHBOURS)) is None


async def test_numbers_count_from_one_in_each_club_without_gaps(store: Store) -> None:
    numbers: list[int] = []
    for guild in (GUILD, NEIGHBOURS, GUILD, GUILD, NEIGHBOURS):
        with pytest.raises(Refused):
            await submit(store, report((0, 0, 0, 0)), guild=guild)
        numbers.append((await submit(store, guild=guild)).number)
    assert numbers == [1, 1, 2, 3, 2]


async def test_reports_at_the_same_moment_get_numbers_of_their_own(store: Store, database: str) -> None:
    async with another(database) as other:
        made = await asyncio.gather(*(submit(each) for each in (store, other) for _ in range(6)))
    assert sorted(game.number for game in made) == list(range(1, 13))


async def test_people_are_named_as_last_seen(store: Store) -> None:
    first = await submit(store)
    annie = replace(ANN, name="アン")
    await submit(store, report(players=(annie, BORIS, CHIAKI, DORA), reporter=annie))
    assert (await store.read(games.by_id, GUILD, first.id)).people[0] == annie
    assert await store.read(club.known_person, GUILD, ANN.discord_id) == annie
    assert await store.read(club.known_person, GUILD, EMI.discord_id) is None
    assert await store.read(club.known_person, GUILD, BORIS.discord_id) == BORIS


async def test_one_club_cannot_see_or_touch_the_game_of_another(store: Store) -> None:
    game = await submit(store)
    await submit(store, report((50000, 35000, 20000)), guild=NEIGHBOURS)
    await store.write(cards.hang, GUILD, game.id, 41, 4100)
    before = await everything(store)
    assert await store.read(games.by_card, NEIGHBOURS, 4100) is None
    assert await store.read(games.by_interaction, NEIGHBOURS, 10**9) is None
    assert not await store.write(cards.take_down, NEIGHBOURS, 4100, NOW)
    for read in (games.by_id, games.by_number):
        with pytest.raises(Refused) as refused:
            await store.read(read, NEIGHBOURS, 10**6)
        assert refused.value.refusal is Refusal.UNKNOWN_GAME
    with pytest.raises(Refused) as refused:
        await store.read(games.by_id, NEIGHBOURS, game.id)
    assert refused.value.refusal is Refusal.UNKNOWN_GAME
    for verdict in Verdict:
        with pytest.raises(Refused) as refused:
            await store.write(ledger.decide, NEIGHBOURS, game.id, verdict, KAI, NOW)
        assert refused.value.refusal is Refusal.UNKNOWN_GAME
    with pytest.raises(Refused) as refused:
        await store.write(ledger.give_reason, NEIGHBOURS, game.id, "Wrong club", KAI, NOW)
    assert refused.value.refusal is Refusal.UNKNOWN_GAME
    assert await everything(store) == before


async def test_a_game_is_found_by_its_command_and_by_its_card(store: Store) -> None:
    game = await submit(store, report(interaction_id=5000))
    assert await store.read(games.by_interaction, GUILD, 5000) == game
    await store.write(cards.hang, GUILD, game.id, 41, 4100)
    await store.write(cards.hang, GUILD, game.id, 42, 4200)
    assert await store.read(games.by_card, GUILD, 4100) is None
    found = await store.read(games.by_card, GUILD, 4200)
    assert found == games.Carded(game.id, 1, GameState.PENDING, games.Card(GUILD, 42, 4200))
    assert (await store.read(games.by_id, GUILD, game.id)).card == found.card
    assert await store.read(games.pending_cards) == [games.Card(GUILD, 42, 4200)]


async def test_a_lost_card_comes_again_until_the_game_is_decided(store: Store) -> None:
    game = await submit(store)
    await store.write(cards.hang, GUILD, game.id, 41, 4100)
    assert await store.write(cards.take_down, GUILD, 4100, NOW)
    assert await letters(store, game) == [Kind.CARD, Kind.CARD]
    assert not await store.write(cards.take_down, GUILD, 4100, NOW)
    await store.write(cards.hang, GUILD, game.id, 41, 4101)
    await reject(store, game)
    after = await letters(store, game)
    assert not await store.write(cards.take_down, GUILD, 4101, NOW)
    assert await letters(store, game) == after
    assert await store.read(games.pending_cards) == []
