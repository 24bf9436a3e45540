"""Which game a log belongs to: one id is one log, and a report that came late is of the same game all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ratings import ledger
from ratings.ledger import Differing
from ratings.logs import GameLog
from ratings.models import Length, Refusal
from ratings.queries import games
from ratings.store import Store, tables
from tests.club_evening import Evening
from tests.correcting import correct
from tests.game_log_help import DAY, LOG_ID, SCORES, bring, played, refusal
from tests.ledger_help import GUILD, NOW, approve, count, reject, report, submit
from tests.log_help import FINAL, agari, draw, init, mjlog
from tests.report_log_help import FRESH, LINK, TAGS, linked, told

OTHER_FINAL = "300,10.0,400,50.0,200,-20.0,100,-40.0"
WEEK = 7 * DAY


def forged() -> GameLog:
    """A log with the id of the usual one and another end."""
    return played(final=OTHER_FINAL)


@pytest.mark.parametrize("decided", [False, True])
async def test_another_file_with_a_known_id_is_refused_and_the_first_is_named(store: Store, decided: bool) -> None:
    game = (await bring(store, played())).submission.game
    if decided:
        await approve(store, game)
    error = await refusal(store, forged())
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_ID_KNOWN, game.number)
    assert (await refusal(store, played())).refusal is Refusal.LOG_KNOWN


@pytest.mark.parametrize(
    "log_id", [None, LOG_ID.replace("0123abcd", "0123abce"), LOG_ID.replace("113000", "113001")]
)
async def test_games_of_other_ids_and_of_none_are_others(store: Store, log_id: str | None) -> None:
    await bring(store, played())
    assert not (await bring(store, replace(forged(), log_id=log_id))).attached
    await bring(store, replace(played(final="290,9.0,410,51.0,200,-20.0,100,-40.0"), log_id=None))
    assert await count(store, tables.games) == 3


async def test_the_log_itself_is_named_before_another_with_its_id(store: Store) -> None:
    named = (await bring(store, forged())).submission.game
    same = (await bring(store, replace(played(), log_id=None))).submission.game
    assert named.number < same.number
    error = await refusal(store, played())
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_KNOWN, same.number)


async def test_a_rejected_forgery_gives_its_id_up(store: Store) -> None:
    game = (await bring(store, forged())).submission.game
    await reject(store, game)
    right = (await bring(store, played())).submission.game
    assert right.log is not None
    await correct(store, ledger.propose_reopen, game.id)
    assert (await store.read(games.by_id, GUILD, game.id)).log is None


async def test_the_viewers_seat_and_the_format_are_no_part_of_an_id(evening: Evening) -> None:
    await linked(evening)
    await told(evening, FRESH, link=LINK)
    other = mjlog(init(), draw(), init(1), agari(0, 0, FINAL), names=TAGS)
    for link in (LINK, LINK.replace("&tw=2", "&tw=0"), LINK.removesuffix("&tw=2")):
        answer = await told(evening, other, link=link)
        assert "The log of this id belongs to [game #1](https://discord.com/channels/" in answer
        assert "this file differs from the one known" in answer
    assert (await evening.page()).total == 1


@pytest.mark.parametrize(
    ("played_before", "reported_after", "attached"),
    [
        (DAY, 0, True),
        (-2 * DAY, 2 * DAY, True),
        (-WEEK, WEEK, True),
        (-WEEK - 1, WEEK + 1, False),
        # Its time was mistyped, and the report itself was on the day.
        (300 * DAY, 60, True),
    ],
)
async def test_a_report_with_a_late_or_a_wrong_time_gets_its_log(
    store: Store, played_before: int, reported_after: int, attached: bool
) -> None:
    log = played(played_at=NOW - 60 * DAY)
    at = NOW - 60 * DAY + reported_after
    game = await submit(store, report(SCORES, played_at=NOW - 60 * DAY - played_before), now=at)
    match = await bring(store, log)
    assert (match.attached, match.submission.game.id == game.id) == (attached, attached)


@pytest.mark.parametrize(("ago", "attached"), [(WEEK - 1, True), (WEEK, False)])
async def test_an_old_game_reported_lately_gets_its_log(store: Store, ago: int, attached: bool) -> None:
    await submit(store, report(SCORES), now=NOW)
    log = played(played_at=NOW - 300 * DAY)
    assert (await bring(store, log, now=NOW + ago)).attached is attached


async def test_with_other_scores_only_a_game_of_that_day_is_meant(store: Store) -> None:
    slip = (41000, 29000, 20000, 10000)
    await submit(store, report(slip, played_at=NOW - 3 * DAY))
    assert not (await bring(store, played())).attached
    await submit(store, report(slip, played_at=NOW - 3 * DAY))
    other = replace(played(), fingerprint="other", log_id=None, played_at=NOW - 2 * DAY - 60)
    assert (await refusal(store, other)).refusal is Refusal.LOG_DIFFERS


async def test_a_late_report_is_checked_like_any_other(store: Store) -> None:
    game = await submit(store, report(SCORES, length=Length.TONPUU, played_at=NOW - 3 * DAY))
    error = await refusal(store, played())
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_DIFFERS, game.number)
    assert [each.what for each in error.values["mismatches"]] == [Differing.LENGTH]
