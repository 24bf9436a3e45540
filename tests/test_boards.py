"""Boards, profiles and lists of games: places, pages, and who is on which."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from ratings import club
from ratings.models import GameState, Person, Standing, SystemName
from ratings.queries import boards, games
from ratings.queries.boards import Board, BoardPage, Order
from ratings.store import Store
from ratings.store.tables import standings
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
    approve,
    place_at,
    reject,
    report,
    submit,
)

FOUR, THREE = SystemName.TENHOU_4P, SystemName.TENHOU_3P
BY_RANK, BY_RATING = Board(FOUR, Order.RANK), Board(FOUR, Order.RATING)


async def _page(store: Store, board: Board, number: int = 0, size: int = 10, *, guild: int = GUILD) -> BoardPage:
    return await store.read(boards.board_page, guild, board, number, size)


def _lines(page: BoardPage) -> list[tuple[int, str]]:
    return [(row.place, row.name) for row in page.rows]


@pytest.fixture
async def five(store: Store) -> None:
    """Five members: Борис leads in rank, Ann in R; 千秋 and Dora are level in everything."""
    await place_at(
        store,
        {
            ANN: Standing(12, 600, 1900.25, 3),
            BORIS: Standing(13, 10, 1700.0, 40),
            CHIAKI: Standing(12, 590, 1650.5, 4),
            DORA: Standing(12, 590, 1650.5, 5),
            EMI: Standing(0, 15, 1400.0, 1),
        },
    )


async def test_an_empty_board_has_one_empty_page(store: Store) -> None:
    for number in (0, 3):
        assert await _page(store, BY_RANK, number) == BoardPage((), 0, 1, 0)
    assert await store.read(boards.position, GUILD, BY_RANK, ANN.discord_id) is None
    assert await store.read(boards.profile, GUILD, FOUR, ANN.discord_id) is None


@pytest.mark.usefixtures("five")
async def test_equal_values_share_a_place_and_the_next_place_is_left_out(store: Store) -> None:
    assert _lines(await _page(store, BY_RANK)) == [(1, "Борис"), (2, "Ann"), (3, "Dora"), (3, "千秋"), (5, "Emi")]
    assert _lines(await _page(store, BY_RATING)) == [
        (1, "Ann"),
        (2, "Борис"),
        (3, "Dora"),
        (3, "千秋"),
        (5, "Emi"),
    ]
    top = (await _page(store, BY_RATING)).rows[0]
    assert (top.discord_id, top.standing) == (ANN.discord_id, Standing(12, 600, 1900.25, 3))


@pytest.mark.usefixtures("five")
async def test_a_shared_place_goes_on_over_the_page(store: Store) -> None:
    first, second = await _page(store, BY_RANK, 0, 3), await _page(store, BY_RANK, 1, 3)
    assert _lines(first) == [(1, "Борис"), (2, "Ann"), (3, "Dora")]
    assert _lines(second) == [(3, "千秋"), (5, "Emi")]
    assert [(page.number, page.pages, page.total) for page in (first, second)] == [(0, 2, 5), (1, 2, 5)]


@pytest.mark.usefixtures("five")
async def test_past_the_end_the_last_page_is_shown(store: Store) -> None:
    assert await _page(store, BY_RANK, 99, 3) == await _page(store, BY_RANK, 1, 3)
    assert (await _page(store, BY_RANK, 99, 5)).number == 0


@pytest.mark.usefixtures("five")
async def test_a_board_may_ask_for_a_number_of_games(store: Store) -> None:
    at_least_four = Board(FOUR, Order.RANK, min_games=4)
    assert _lines(await _page(store, at_least_four)) == [(1, "Борис"), (2, "Dora"), (2, "千秋")]
    assert await store.read(boards.position, GUILD, at_least_four, ANN.discord_id) is None
    assert await store.read(boards.position, GUILD, at_least_four, DORA.discord_id) == 1
    assert (await _page(store, Board(FOUR, Order.RANK, min_games=41))).total == 0


@pytest.mark.usefixtures("five")
async def test_the_boards_of_other_clubs_and_systems_are_others(store: Store) -> None:
    assert (await _page(store, BY_RANK, guild=NEIGHBOURS)).total == 0
    await place_at(store, {ANN: Standing(1, 0, 1530.0, 1)}, THREE)
    await place_at(store, {ANN: Standing(2, 0, 1560.0, 2)}, guild=NEIGHBOURS)
    assert _lines(await _page(store, Board(THREE, Order.RATING))) == [(1, "Ann")]
    assert _lines(await _page(store, BY_RATING, guild=NEIGHBOURS)) == [(1, "Ann")]
    assert (await _page(store, BY_RATING)).total == 5
    assert await store.read(boards.position, NEIGHBOURS, BY_RATING, BORIS.discord_id) is None


async def test_three_hundred_members_are_paged_without_a_gap(store: Store) -> None:
    crowd = [Person(1000 + turn, "龍" * 29 + f"{turn:03}") for turn in range(300)]
    await store.write(_fill, crowd)
    for board in (BY_RANK, BY_RATING):
        pages = [await _page(store, board, number, 7) for number in range(43)]
        assert {(page.pages, page.total) for page in pages} == {(43, 300)}
        rows = [row for page in pages for row in page.rows]
        assert {(row.discord_id, row.name) for row in rows} == {(each.discord_id, each.name) for each in crowd}
        values = [
            (row.standing.rank, row.standing.points) if board.order is Order.RANK else (row.standing.rating,)
            for row in rows
        ]
        assert values == sorted(values, reverse=True)
        assert [row.place for row in rows] == [1 + sum(other > value for other in values) for value in values]
        for index in range(0, 300, 11):
            assert await store.read(boards.position, GUILD, board, rows[index].discord_id) == index


def _fill(connection: sa.Connection, crowd: list[Person]) -> None:
    club.lock(connection, GUILD, NOW)
    ids = club.player_ids(connection, GUILD, crowd)
    connection.execute(
        sa.insert(standings),
        [
            {
                "guild_id": GUILD,
                "system": FOUR,
                "player_id": player,
                "rank": turn % 7,
                "points": turn % 5 * 10,
                "rating": 1500 + turn % 90 / 3,
                "games": 1 + turn,
            }
            for turn, player in enumerate(ids)
        ],
    )


async def test_a_profile_counts_rated_games_of_its_system_alone(store: Store) -> None:
    for told in (
        report((40000, 30000, 20000, 10000)),
        report((10000, 30000, 20000, 40000)),
        report((41000, 29000, 20000, 10000)),
        report((40000, 30000, 20000, 10000), ranked=False),
        report((50000, 35000, 20000)),
    ):
        await approve(store, await submit(store, told))
    await reject(store, await submit(store))
    await submit(store)
    four = await store.read(boards.profile, GUILD, FOUR, ANN.discord_id)
    three = await store.read(boards.profile, GUILD, THREE, ANN.discord_id)
    assert four is not None
    assert three is not None
    assert (four.placed, four.rating_place, four.rated, four.standing.games) == ((2, 0, 0, 1), 1, 4, 3)
    assert (three.placed, three.rating_place, three.rated, three.standing.games) == ((1, 0, 0), 1, 3, 1)
    assert await store.read(boards.profile, GUILD, THREE, DORA.discord_id) is None
    assert await store.read(boards.profile, GUILD, FOUR, KAI.discord_id) is None
    assert await store.read(boards.profile, NEIGHBOURS, FOUR, ANN.discord_id) is None


@pytest.mark.usefixtures("five")
async def test_a_profile_and_the_board_agree_on_the_place(store: Store) -> None:
    for row in (await _page(store, BY_RATING)).rows:
        profile = await store.read(boards.profile, GUILD, FOUR, row.discord_id)
        assert profile is not None
        assert (profile.rating_place, profile.rated, profile.standing) == (row.place, 5, row.standing)


async def test_undecided_games_come_first_then_the_newest(store: Store) -> None:
    made = [
        await submit(store, report((40000, 30000, 20000 - 100 * turn, 10000 + 100 * turn))) for turn in range(7)
    ]
    await approve(store, made[0])
    await reject(store, made[3])
    await approve(store, made[5])
    await submit(store, guild=NEIGHBOURS)
    first = await store.read(games.page, GUILD, None, 0, 5)
    second = await store.read(games.page, GUILD, None, 1, 5)
    assert [game.number for game in first.games] == [7, 5, 3, 2, 6]
    assert [game.number for game in second.games] == [4, 1]
    assert [game.state for game in second.games] == [GameState.REJECTED, GameState.APPROVED]
    assert [(page.number, page.pages, page.total) for page in (first, second)] == [(0, 2, 7), (1, 2, 7)]
    assert await store.read(games.page, GUILD, None, 9, 5) == second


async def test_the_games_of_a_member_are_those_he_sat_in(store: Store) -> None:
    await submit(store)
    without_ann = await submit(store, report((50000, 35000, 20000), (BORIS, CHIAKI, EMI), reporter=ANN))
    with_emi = await submit(store, report((20000, 35000, 50000), (ANN, DORA, EMI)))
    mine = await store.read(games.page, GUILD, EMI.discord_id, 0, 5)
    assert [game.id for game in mine.games] == [with_emi.id, without_ann.id]
    assert [game.number for game in (await store.read(games.page, GUILD, ANN.discord_id, 0, 5)).games] == [3, 1]
    nobody = await store.read(games.page, GUILD, KAI.discord_id, 2, 5)
    assert (nobody.games, nobody.number, nobody.pages, nobody.total) == ((), 0, 1, 0)
    assert (await store.read(games.page, NEIGHBOURS, ANN.discord_id, 0, 5)).total == 0
