"""Letters about rank roles: who gets one, and when none is written at all."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.models import Person, Standing, SystemName
from ratings.queries import rank_roles
from ratings.queries.rank_roles import RankWearer
from ratings.store import Store, outbox
from ratings.store.tables import outbox as outbox_table
from ratings.store.tables import standings
from tests.correcting import correct, play
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
    choose,
    hand,
    place_at,
    report,
    submit,
    submit_hand,
)
from tests.people_help import NINA, forget, merge, record, split
from tests.role_help import waiting

LEASE = 15.0


async def wanted(store: Store, guild: int = GUILD) -> set[int | None]:
    """The accounts of those whose roles are asked for; the letters are done then."""
    found = {discord_id for discord_id, _ in await waiting(store, guild)}
    await store.write(outbox.silence, guild, NOW)
    return found


async def worn(store: Store, person: Person, guild: int = GUILD) -> RankWearer:
    """What somebody should wear."""
    return await store.read(rank_roles.wearer, guild, await record(store, person, guild))


async def test_a_club_without_rank_roles_writes_no_letters(store: Store, lines: dict[str, int]) -> None:
    (first,) = await play(store, report())
    await correct(store, ledger.propose_void, first.id, "no")
    await correct(store, ledger.propose_restore, first.id)
    await merge(store, NINA, ANN)
    assert await waiting(store, GUILD) == []
    assert await worn(store, ANN) == RankWearer((ANN.discord_id, NINA.discord_id), None, {})


async def test_a_game_asks_for_those_whose_rank_it_changes(store: Store, lines: dict[str, int]) -> None:
    await choose(store, rank_roles="tenhou-4p")
    await approve(store, await submit(store))
    assert await wanted(store) == {11, 12, 13, 14}
    assert (await worn(store, ANN)).rank == 1
    assert (await worn(store, DORA)).rank == 0
    # Борис has fifteen points of twenty, so it is he who rises next.
    await approve(store, await submit(store, report((30000, 40000, 20000, 10000))))
    assert await wanted(store) == {12}
    await approve(store, await submit(store, report((30000, 25000, 25000, 20000), (CHIAKI, EMI, DORA, KAI))))
    assert await wanted(store) == {13, 15, 21}
    # Other ladders, unranked games, other clubs.
    await approve(store, await submit(store, report((50000, 35000, 20000), (EMI, BORIS, ANN))))
    await approve(store, await submit(store, report(ranked=False)))
    await approve(store, await submit_hand(store, hand(lines["Three bends"], discarder=DORA)))
    await approve(store, await submit(store, guild=NEIGHBOURS))
    assert await wanted(store) == set()
    assert await wanted(store, NEIGHBOURS) == set()


async def test_the_other_ladder_is_worn_where_the_club_says_so(store: Store) -> None:
    await place_at(store, {ANN: Standing(12, 700, 1800.0, 90), BORIS: Standing(3, 0, 1500.0, 9)})
    await place_at(store, {ANN: Standing(4, 10, 1600.0, 30), EMI: Standing(7, 1, 1.5, 5)}, SystemName.TENHOU_3P)
    for value, accounts, ranks in (
        ("tenhou-4p", {11, 12}, [12, 3, None]),
        ("tenhou-3p", {11, 12, 15}, [4, None, 7]),
        (None, {11, 15}, [None, None, None]),
    ):
        await choose(store, rank_roles=value)
        assert await wanted(store) == accounts
        assert [(await worn(store, person)).rank for person in (ANN, BORIS, EMI)] == ranks
    await choose(store, k_factor=20.0)
    assert await wanted(store) == set()


async def test_corrections_ask_for_those_whose_rank_they_change(store: Store) -> None:
    first, _ = await play(store, report(), report((40000, 30000, 20000, 10000), (EMI, ANN, BORIS, KAI)))
    await choose(store, rank_roles="tenhou-4p")
    await wanted(store)
    # Ann is no 9-kyuu any more, 千秋 and Dora have no rank left; Борис was a newcomer and is one.
    await correct(store, ledger.propose_void, first.id, "no")
    assert await wanted(store) == {11, 13, 14}
    assert [(await worn(store, person)).rank for person in (ANN, BORIS, CHIAKI)] == [0, 0, None]
    await correct(store, ledger.propose_restore, first.id)
    assert await wanted(store) == {11, 13, 14}
    (other_ladder,) = await play(store, report((50000, 35000, 20000), (EMI, BORIS, ANN)))
    await correct(store, ledger.propose_void, other_ladder.id, "no")
    assert await wanted(store) == set()


async def test_a_merge_and_a_split_ask_for_both_sides(store: Store) -> None:
    await choose(store, rank_roles="tenhou-4p")
    await play(store, report(), report((10000, 20000, 30000, 40000), (NINA, BORIS, CHIAKI, DORA)))
    await wanted(store)
    both = RankWearer((ANN.discord_id, NINA.discord_id), 1, {})
    # Neither's rank changes by it, but Nina's account wears Ann's.
    await merge(store, NINA, ANN)
    assert await wanted(store) == {ANN.discord_id, NINA.discord_id}
    assert (await worn(store, ANN), await worn(store, NINA)) == (both, both)
    await split(store, NINA)
    assert await wanted(store) == {ANN.discord_id, NINA.discord_id}
    assert await worn(store, NINA) == RankWearer((NINA.discord_id,), 0, {})
    assert await worn(store, ANN) == RankWearer((ANN.discord_id,), 1, {})


async def test_of_a_forgotten_member_no_account_is_known(store: Store) -> None:
    await choose(store, rank_roles="tenhou-4p")
    (game,) = await play(store, report())
    ann = await record(store, ANN)
    await forget(store, ANN)
    assert await store.read(rank_roles.wearer, GUILD, ann) == RankWearer((), 1, {})
    await correct(store, ledger.propose_void, game.id, "no")
    assert await wanted(store) == {None, 12, 13, 14}


async def test_a_replay_asks_for_those_whose_rank_was_wrong(store: Store) -> None:
    await choose(store, rank_roles="tenhou-4p")
    await play(store, report())
    await wanted(store)
    await store.write(_tamper, await record(store, BORIS))
    plan = await store.study(ledger.plan_replay, GUILD)
    await store.write(ledger.write_replay, GUILD, plan, NOW)
    assert await wanted(store) == {12}
    assert (await worn(store, BORIS)).rank == 0


def _tamper(connection: sa.Connection, player: int) -> None:
    connection.execute(sa.update(standings).where(standings.c.player_id == player).values(rank=9))


# ---- one letter at a time ------------------------------------------------------------------------------


async def _letters(store: Store) -> list[int]:
    query = sa.select(outbox_table.c.id).where(
        outbox_table.c.kind == outbox.Kind.ROLE, outbox_table.c.done_at.is_(None)
    )
    return await store.read(_ids, query.order_by(outbox_table.c.id))


def _ids(connection: sa.Connection, query: sa.Select[Any]) -> list[int]:
    return list(connection.execute(query).scalars())


async def _ask(store: Store, *people: Person) -> list[int]:
    """Write a letter about each of these; their ids."""
    known = await _letters(store)
    players = [await record(store, person) for person in people]
    await store.write(outbox.enqueue_roles, GUILD, players, NOW)
    return [letter for letter in await _letters(store) if letter not in known]


async def test_letters_about_one_player_are_done_with_one(store: Store) -> None:
    first, other, second = await _ask(store, ANN, BORIS, ANN)
    letter = await store.write(outbox.claim, second, NOW, LEASE)
    assert letter is not None
    assert await _letters(store) == [other, second]
    assert await store.write(outbox.claim, first, NOW, LEASE) is None
    # What is written meanwhile waits for the one in hand, which may have read the rank before.
    (third,) = await _ask(store, ANN)
    assert await store.write(outbox.claim, third, NOW, LEASE) is None
    await store.write(outbox.finish, letter, NOW)
    assert await store.write(outbox.claim, other, NOW, LEASE) is not None
    again = await store.write(outbox.claim, third, NOW, LEASE)
    assert again is not None
    assert again.player_id == await record(store, ANN)


async def test_letters_that_were_put_back_are_hastened(store: Store) -> None:
    mine, held = await _ask(store, ANN, BORIS)
    for letter in (mine, held):
        assert await store.write(outbox.claim, letter, NOW, LEASE) is not None
    await store.write(outbox.defer, mine, NOW + 600, "Undeliverable: the bot lacks Manage Roles")
    await store.write(club.change_settings, GUILD, {}, KAI, NOW + 1)
    # Not the one that a worker has in hand.
    assert await store.write(outbox.claim, held, NOW + 1, LEASE) is None
    assert await store.write(outbox.claim, mine, NOW + 1, LEASE) is not None


# ---- the roles that were made --------------------------------------------------------------------------


async def test_the_first_role_that_is_kept_stands_for_the_rank(store: Store) -> None:
    await choose(store, rank_roles="tenhou-4p")
    await place_at(store, {ANN: Standing(3, 0, 1500.0, 9), BORIS: Standing(4, 0, 1500.0, 9)})
    assert await store.write(rank_roles.keep_role, GUILD, 3, 501, None, NOW) == 501
    assert await store.write(rank_roles.keep_role, GUILD, 3, 502, None, NOW) == 501
    assert await store.write(rank_roles.keep_role, GUILD, 13, 503, None, NOW) == 503
    assert await store.read(rank_roles.made, GUILD) == {3: 501, 13: 503}
    assert await wanted(store) == set()
    # The role is gone: whoever has that rank is to be given the new one, of two processes by the faster alone.
    assert await store.write(rank_roles.keep_role, GUILD, 3, 504, 501, NOW) == 504
    assert await wanted(store) == {11}
    assert await store.write(rank_roles.keep_role, GUILD, 3, 505, 501, NOW) == 504
    assert await wanted(store) == set()
    assert (await worn(store, ANN)).roles == {3: 504, 13: 503}


async def test_clubs_have_roles_of_their_own(store: Store) -> None:
    guild = GUILD * 10 + 1
    for each, role_id in ((GUILD, 501), (guild, 601)):
        await store.write(club.lock, each, NOW)
        assert await store.write(rank_roles.keep_role, each, 0, role_id, None, NOW) == role_id
    assert await store.read(rank_roles.made, GUILD) == {0: 501}
    assert await store.read(rank_roles.made, guild) == {0: 601}


@pytest.mark.parametrize("rank", [None, 0, 20])
async def test_every_rank_can_be_worn(store: Store, rank: int | None) -> None:
    await choose(store, rank_roles="tenhou-3p")
    if rank is not None:
        await place_at(store, {ANN: Standing(rank, 0, 1500.0, 9)}, SystemName.TENHOU_3P)
    assert (await worn(store, ANN)).rank == rank
