"""Game logs of games reported by hand: which game a log proves, and what then can be amended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ratings import ledger
from ratings.ledger import Differing, Mismatch, tellings
from ratings.logs import Unranked, read_log
from ratings.models import Length, Lobby, Refusal, Report
from ratings.queries import games
from ratings.store import Store, tables
from ratings.store.outbox import Kind
from tests.correcting import amend, refused
from tests.game_log_help import DAY, LOG_ID, SCORES, bring, hands, played, refusal, say_all, telling
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
    count,
    letters,
    reject,
    report,
    riichi,
    submit,
)
from tests.log_help import FINAL, agari, draw, init, mjlog
from tests.people_help import merge


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
    assert riichi(await store.read(games.by_id, GUILD, game.id)).scores == (41000, 29000, 20000, 10000)


@pytest.mark.parametrize("decided", [False, True])
async def test_a_log_is_attached_to_the_game_that_was_reported_by_hand(store: Store, decided: bool) -> None:
    game = await submit(store, report(SCORES))
    if decided:
        await approve(store, game)
    await store.write(say_all)
    match = await bring(store, played(), admin=decided)
    assert match.attached
    assert (match.submission.game.id, match.submission.game.reporter) == (game.id, ANN)
    assert match.submission.game.log is not None
    assert await letters(store, game) == [Kind.CARD]
    assert await count(store, tables.games) == 1
    assert [row[3] for row in await hands(store)] == [1, 0, 0, 0]
    assert (await refusal(store, played())).refusal is Refusal.LOG_KNOWN


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
    other = read_log(mjlog(init(), draw(), init(1), agari(0, 0, FINAL)), LOG_ID.replace("0123abcd", "4567abcd"))
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
