"""Game logs in the ledger: the report of a game, or the proof of one that was reported by hand."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.ledger import Differing, LogMatch, Mismatch, tellings
from ratings.logs import GameLog, LogFormat, Unranked, read_log
from ratings.models import GameState, Length, Lobby, Person, Refusal, Refused, Report, Site
from ratings.queries import games
from ratings.store import Store, tables
from ratings.store.outbox import Kind
from tests.correcting import amend, correct, refused
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
    Gate,
    another,
    approve,
    at_gate,
    count,
    everything,
    letters,
    paused,
    reject,
    report,
    riichi,
    submit,
)
from tests.log_help import FINAL, FINAL_3P, HOUOU_3P, NAMES_3P, agari, draw, init, mjlog
from tests.test_accounts import link, merge, unlink
from tests.test_ladder import ban

TABLE = (ANN, BORIS, CHIAKI, DORA)
SCORES = (40000, 30000, 20000, 10000)
LOG_ID = "2026113000gm-00a9-0000-0123abcd"
DAY = 24 * 3600
_commands = itertools.count(5_000_000)


def played(
    *, names: tuple[str, ...] = ("Ann", "Борис", "千秋", "Dora"), final: str = FINAL, **changes: Any
) -> GameLog:
    """A houou hanchan of one hand in which East drew the winning tile, played ten minutes ago."""
    log = read_log(mjlog(init(), agari(0, 0, final), names=names), LOG_ID)
    wanted: dict[str, Any] = {"played_at": NOW - 600}
    return replace(log, **wanted | changes)


def telling(log: GameLog, players: tuple[Person, ...] = TABLE, **changes: Any) -> Report:
    """What a log reports of these players, each time by a command of its own."""
    told = Report(
        reporter=EMI,
        players=players,
        scores=tuple(seat.final_score for seat in log.seats),
        length=log.length,
        lobby=log.lobby,
        sticks=0,
        ranked=log.ranked,
        played_at=log.played_at or NOW,
        channel_id=31,
        interaction_id=next(_commands),
    )
    return replace(told, **changes)


async def bring(
    store: Store, log: GameLog, told: Report | None = None, *, guild: int = GUILD, now: int = NOW
) -> LogMatch:
    """Submit a log."""
    return await store.write(ledger.submit_log, guild, log, told or telling(log), now)


async def refusal(store: Store, log: GameLog, told: Report | None = None, *, now: int = NOW) -> Refused:
    """Why a log is refused; nothing may be kept of it."""
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await bring(store, log, told, now=now)
    assert await everything(store) == before
    return refused.value


async def hands(store: Store) -> list[tuple[Any, ...]]:
    """The figures of all logs by game and seat: name, hands, wins by tsumo."""
    rows = (await everything(store))["log_seats"]
    return [(row[1], row[2], row[3], row[4]) for row in sorted(rows)]


# Who sat at the table


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


# The log as the report


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
    await store.write(_say_all)
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


@pytest.mark.parametrize("decided", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        {"players": (1, 0, 2, 3)},
        {"players": (1, 0, 2, 3), "scores": (30000, 40000, 20000, 10000)},
        {"scores": (41000, 29000, 20000, 10000)},
    ],
)
async def test_a_game_with_a_log_keeps_its_seats_and_scores(
    store: Store, change: dict[str, Any], decided: bool
) -> None:
    game = (await bring(store, played())).submission.game
    if decided:
        await approve(store, game)
    before = await store.read(tellings.read, game.id)
    if "players" in change:
        change = change | {"players": tuple(before.players[seat] for seat in change["players"])}
    error = await refused(store, ledger.propose_amend, game.id, replace(before, **change), NOW)
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_SETTLES, game.number)


async def test_the_rest_of_a_game_with_a_log_can_be_amended(store: Store) -> None:
    game = (await bring(store, played())).submission.game
    await approve(store, game)
    await amend(store, game, length=Length.TONPUU, lobby=None, ranked=False, played_at=NOW - 5000)
    # A stick that was left is in the score that the log has.
    await amend(store, game, scores=(39000, 30000, 20000, 10000), sticks=1)
    amended = await store.read(games.by_id, GUILD, game.id)
    assert (riichi(amended).scores[0], riichi(amended).length, riichi(amended).ranked) == (
        39000,
        Length.TONPUU,
        False,
    )
    assert amended.log is not None


async def test_an_amendment_is_stale_once_a_log_has_come(store: Store) -> None:
    game = await submit(store, report(SCORES))
    before = await store.read(tellings.read, game.id)
    told = replace(before, players=(before.players[1], before.players[0], *before.players[2:]))
    proposal = await store.read(ledger.propose_amend, GUILD, game.id, told, NOW)
    await bring(store, played())
    with pytest.raises(ledger.Stale):
        await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def test_a_game_without_a_log_is_amended_freely(store: Store) -> None:
    game = await submit(store, report(SCORES))
    await amend(store, game, scores=(41000, 29000, 20000, 10000))


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


# A game reported by hand


@pytest.mark.parametrize("decided", [False, True])
async def test_a_log_is_attached_to_the_game_that_was_reported_by_hand(store: Store, decided: bool) -> None:
    game = await submit(store, report(SCORES))
    if decided:
        await approve(store, game)
    await store.write(_say_all)
    match = await bring(store, played())
    assert match.attached
    assert (match.submission.game.id, match.submission.game.reporter) == (game.id, ANN)
    assert match.submission.game.log is not None
    assert await letters(store, game) == [Kind.CARD]
    assert await count(store, tables.games) == 1
    assert [row[3] for row in await hands(store)] == [1, 0, 0, 0]
    assert (await refusal(store, played())).refusal is Refusal.LOG_KNOWN


def _say_all(connection: sa.Connection) -> None:
    connection.execute(sa.update(tables.outbox).values(done_at=NOW))


async def test_sticks_that_were_left_are_in_the_logs_first_score(store: Store) -> None:
    game = await submit(store, report((38000, 30000, 20000, 10000), sticks=2))
    assert (await bring(store, played())).submission.game.id == game.id


async def test_an_unranked_report_may_be_of_a_ranked_game(store: Store) -> None:
    game = await submit(store, report(SCORES, ranked=False))
    assert (await bring(store, played())).submission.game.id == game.id


async def test_a_log_sent_as_unranked_does_not_agree_with_a_ranked_report(store: Store) -> None:
    game, log = await submit(store, report(SCORES)), played()
    error = await refusal(store, log, telling(log, ranked=False, lobby=None))
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_DIFFERS, game.number)
    assert list(error.values["mismatches"]) == [Mismatch(Differing.RANKED, True, None)]
    assert (await bring(store, log)).attached


@pytest.mark.parametrize(
    ("told", "logged", "mismatches"),
    [
        (
            {"scores": (30000, 40000, 20000, 10000)},
            {},
            [Mismatch(Differing.SCORE, 30000, 40000, "Ann"), Mismatch(Differing.SCORE, 40000, 30000, "Борис")],
        ),
        (
            {"scores": (30000, 40000, 20000, 10000), "players": (BORIS, ANN, CHIAKI, DORA)},
            {},
            [Mismatch(Differing.SEAT, 1, 0, "Ann"), Mismatch(Differing.SEAT, 0, 1, "Борис")],
        ),
        ({"length": Length.TONPUU}, {}, [Mismatch(Differing.LENGTH, Length.TONPUU, Length.HANCHAN)]),
        ({"lobby": Lobby.IPPAN}, {}, [Mismatch(Differing.LOBBY, Lobby.IPPAN, Lobby.HOUOU)]),
        (
            {"lobby": Lobby.IPPAN},
            {"unranked": Unranked.PRIVATE_LOBBY, "lobby": None},
            [Mismatch(Differing.RANKED, True, Unranked.PRIVATE_LOBBY)],
        ),
    ],
)
async def test_what_differs_is_told_and_nothing_is_kept(
    store: Store, told: dict[str, Any], logged: dict[str, Any], mismatches: list[Mismatch]
) -> None:
    game = await submit(store, report(**{"scores": SCORES} | told))
    error = await refusal(store, played(**logged))
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_DIFFERS, game.number)
    assert list(error.values["mismatches"]) == mismatches


@pytest.mark.parametrize(
    "other",
    [
        report((41000, 31000, 19000, 9000)),
        report((40000, 31000, 19500, 9500)),
        report(SCORES, (ANN, BORIS, CHIAKI, EMI)),
        report((50000, 35000, 20000)),
        report(SCORES, played_at=NOW - 600 - DAY - 1),
    ],
)
async def test_other_games_of_these_evenings_are_left_alone(store: Store, other: Report) -> None:
    game = await submit(store, other)
    match = await bring(store, played())
    assert not match.attached
    assert match.submission.game.id != game.id
    assert (await store.read(games.by_id, GUILD, game.id)).log is None


async def test_rejected_games_take_no_log(store: Store) -> None:
    await reject(store, await submit(store, report(SCORES)))
    assert not (await bring(store, played())).attached


@pytest.mark.parametrize(("later", "attached"), [(7 * DAY - 1, True), (7 * DAY, False)])
async def test_a_log_without_a_time_belongs_to_a_recent_report(store: Store, later: int, attached: bool) -> None:
    await submit(store, report(SCORES, played_at=NOW - 900 * DAY))
    assert (await bring(store, played(played_at=None), now=NOW + later)).attached is attached


async def test_of_two_like_games_each_gets_one_log(store: Store) -> None:
    first, second = [await submit(store, report(SCORES)) for _ in range(2)]
    one = await bring(store, played())
    other = read_log(mjlog(init(), draw(), init(1), agari(0, 0, FINAL)), LOG_ID)
    two = await bring(store, replace(other, played_at=NOW - 600))
    assert [one.submission.game.id, two.submission.game.id] == [first.id, second.id]
    assert one.attached
    assert two.attached


async def test_players_are_the_same_under_other_records(store: Store) -> None:
    game = await submit(store, report(SCORES, (EMI, BORIS, CHIAKI, DORA)))
    await merge(store, EMI, ANN)
    match = await bring(store, played())
    assert match.attached
    assert match.submission.game.id == game.id


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


async def test_chips_of_a_report_are_kept_by_seat(store: Store) -> None:
    game = await submit(store, replace(report(SCORES), chips=(3, 0, -1, -2)))
    assert game.chips == (3, 0, -1, -2)
    assert (await submit(store, report(SCORES))).chips == ()
    with pytest.raises(Refused) as uneven:
        await submit(store, replace(report(SCORES), chips=(3, 0, -1, -1)))
    assert (uneven.value.refusal, uneven.value.values["total"]) == (Refusal.UNEVEN_CHIPS, 1)
