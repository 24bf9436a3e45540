"""Game logs in the ledger as reports: who sat at the table, what is kept, and each log once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.logs import LogFormat, Unranked, read_log
from ratings.models import GameState, Lobby, Person, Refusal, Refused, Site
from ratings.queries import games
from ratings.store import Store, tables
from ratings.store.outbox import Kind
from tests.account_help import link, unlink
from tests.ban_help import ban
from tests.correcting import correct
from tests.game_log_help import LOG_ID, SCORES, TABLE, bring, hands, played, refusal, say_all, telling
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    NEIGHBOURS,
    NOW,
    Gate,
    another,
    approve,
    at_gate,
    count,
    letters,
    paused,
    reject,
    riichi,
)
from tests.log_help import FINAL_3P, HOUOU_3P, NAMES_3P, agari, init, mjlog
from tests.people_help import merge


async def test_names_are_known_by_linked_accounts(store: Store) -> None:
    log = played(names=("アン", "Zoe\u0308", "hana", "Dora"))
    assert await store.read(ledger.match_names, GUILD, log) == [None] * 4
    await link(store, ANN, "アン")
    await link(store, BORIS, "Zo\u00eb")
    await link(store, CHIAKI, "Hana")
    await link(store, DORA, "Dora", Site.MAHJONG_SOUL)
    assert await store.read(ledger.match_names, GUILD, log) == [ANN, BORIS, None, None]
    assert await store.read(ledger.match_names, NEIGHBOURS, log) == [None] * 4
    soul = replace(log, format=LogFormat.MAHJONG_SOUL)
    assert await store.read(ledger.match_names, GUILD, soul) == [None, None, None, DORA]
    await unlink(store, ANN, "アン")
    assert await store.read(ledger.match_names, GUILD, log) == [None, BORIS, None, None]


async def test_two_of_one_name_are_told_apart_by_nobody(store: Store) -> None:
    await link(store, ANN, "NoName", Site.MAHJONG_SOUL)
    await link(store, BORIS, "Boris", Site.MAHJONG_SOUL)
    log = played(names=("NoName", "Boris", "NoName", "x"), format=LogFormat.MAHJONG_SOUL)
    assert await store.read(ledger.match_names, GUILD, log) == [None, BORIS, None, None]


async def test_whoever_counts_as_another_is_found_as_the_other(store: Store) -> None:
    await link(store, EMI, "emi")
    await merge(store, EMI, ANN)
    found = await store.read(ledger.match_names, GUILD, played(names=("emi", "b", "c", "d")))
    assert found[0] == ANN


async def test_a_log_is_the_report_of_its_game(store: Store) -> None:
    match = await bring(store, played(names=("Dora", "Ann", "千秋", "Борис")), None)
    game = match.submission.game
    assert not match.attached
    assert (game.number, game.state, game.people, riichi(game).scores) == (1, GameState.PENDING, TABLE, SCORES)
    assert (riichi(game).lobby, riichi(game).ranked, game.played_at) == (Lobby.HOUOU, True, NOW - 600)
    assert game.log is not None
    assert (game.log.format, game.log.unranked) == (LogFormat.MJLOG, None)
    assert await hands(store) == [(0, "Dora", 1, 1), (1, "Ann", 1, 0), (2, "千秋", 1, 0), (3, "Борис", 1, 0)]
    assert await letters(store, game) == [Kind.CARD]
    await approve(store, game)


async def test_three_players(store: Store) -> None:
    log = read_log(
        mjlog(init(players=3), agari(1, 1, FINAL_3P), kind=HOUOU_3P, names=NAMES_3P), LOG_ID.replace("a9", "b9")
    )
    game = (await bring(store, log, telling(log, TABLE[:3]))).submission.game
    assert len(riichi(game).seats) == 3
    assert [row[3] for row in await hands(store)] == [0, 1, 0]


@pytest.mark.parametrize("why", list(Unranked))
async def test_why_a_game_was_unranked_is_kept(store: Store, why: Unranked) -> None:
    log = played(unranked=why, lobby=None)
    game = (await bring(store, log)).submission.game
    assert not riichi(game).ranked
    assert game.log is not None
    assert game.log.unranked is why


async def test_the_same_log_twice_is_refused_and_names_the_first(store: Store) -> None:
    first = (await bring(store, played())).submission.game
    await store.write(_hang, first.id)
    packed = played(format=LogFormat.TENHOU6, log_id=None, played_at=None)
    error = await refusal(store, packed)
    assert error.refusal is Refusal.LOG_KNOWN
    assert error.values["number"] == 1
    assert error.values["card"].message_id == 77
    await approve(store, first)
    assert (await refusal(store, packed)).refusal is Refusal.LOG_KNOWN


async def no_longer(store: Store, game: games.GameRecord, state: GameState) -> None:
    """Have a pending game rejected, withdrawn or voided."""
    if state is GameState.REJECTED:
        await reject(store, game)
    elif state is GameState.WITHDRAWN:
        await correct(store, ledger.propose_withdraw, game.id, EMI, by=EMI)
    else:
        await approve(store, game)
        await correct(store, ledger.propose_void, game.id, "The wrong members")


@pytest.mark.parametrize("state", [GameState.REJECTED, GameState.WITHDRAWN, GameState.VOIDED])
async def test_a_log_leaves_a_game_that_does_not_count_for_the_right_one(store: Store, state: GameState) -> None:
    log = played()
    first = (await bring(store, log)).submission.game
    await store.write(_hang, first.id)
    await no_longer(store, first, state)
    await store.write(say_all)
    await store.read(ledger.refuse_known, GUILD, log.fingerprint)
    error = await refusal(store, log, telling(log, (ANN, ANN, CHIAKI, DORA)))
    assert error.refusal is Refusal.SAME_PLAYER
    second = (await bring(store, log, telling(log, (BORIS, ANN, CHIAKI, DORA)))).submission.game
    left = await store.read(games.by_id, GUILD, first.id)
    assert (left.state, left.log) == (state, None)
    assert await letters(store, left) == [Kind.CARD]
    assert (second.number, second.people, second.log is not None) == (2, (BORIS, ANN, CHIAKI, DORA), True)
    assert await count(store, tables.game_logs) == 1
    assert await count(store, tables.log_seats) == 4
    assert (await refusal(store, log)).values["number"] == 2


def _hang(connection: sa.Connection, game_id: int) -> None:
    card = {"game_id": game_id, "guild_id": GUILD, "channel_id": 31, "message_id": 77, "stale": 0}
    connection.execute(sa.insert(tables.cards).values(card))


async def test_the_same_command_twice_is_one_report(store: Store) -> None:
    log = played()
    told = telling(log)
    first = await bring(store, log, told)
    again = await bring(store, log, told)
    assert again.submission.again
    assert again.submission.game == first.submission.game
    assert await count(store, tables.games) == await count(store, tables.game_logs) == 1


async def test_each_club_has_its_own_game_of_a_log(store: Store) -> None:
    for guild in (GUILD, NEIGHBOURS):
        assert (await bring(store, played(), guild=guild)).submission.game.number == 1
    assert await count(store, tables.game_logs) == 2


async def test_what_no_report_may_be_no_log_may_be(store: Store) -> None:
    log = played()
    robot = Person(99, "Robot", is_bot=True)
    assert (await refusal(store, log, telling(log, (ANN, ANN, BORIS, DORA)))).refusal is Refusal.SAME_PLAYER
    assert (await refusal(store, log, telling(log, (ANN, robot, BORIS, DORA)))).refusal is Refusal.BOT_PLAYER
    await ban(store, BORIS)
    assert (await refusal(store, log)).refusal is Refusal.BANNED
    await bring(store, played(unranked=Unranked.PRIVATE_LOBBY, lobby=None))


async def test_the_same_log_from_two_at_once_is_one_game(store: Store, database: str) -> None:
    await store.write(club.lock, GUILD, NOW)
    gate, log = Gate(), played()
    async with another(database) as other:
        first = await at_gate(store.write(paused, gate, ledger.submit_log, GUILD, log, telling(log), NOW), gate)
        second = asyncio.create_task(other.write(ledger.submit_log, GUILD, log, telling(log), NOW))
        gate.open()
        number = (await first).submission.game.number
        with pytest.raises(Refused) as refused:
            await second
    assert refused.value.refusal is Refusal.LOG_KNOWN
    assert refused.value.values["number"] == number == 1
    assert await count(store, tables.games) == await count(store, tables.game_logs) == 1
