"""Bans from the ladder: who is kept out of which reports, until when, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.ledger import tellings
from ratings.models import Length, Person, Refusal, Refused
from ratings.queries import accounts
from ratings.queries.games import GameRecord
from ratings.store import Store, tables
from tests.ban_help import ban
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
    REI,
    approve,
    count,
    everything,
    hand,
    report,
    standing,
    submit,
    submit_hand,
)
from tests.people_help import merge

WEEK = 7 * 24 * 3600


async def unban(store: Store, who: Person = ANN, *, now: int = NOW) -> None:
    """Lift somebody's ban, in Rei's name."""

    def work(connection: sa.Connection) -> None:
        record = ledger.record_of(connection, GUILD, who, now)
        ledger.unban(connection, GUILD, record, REI, now)

    await store.write(work)


async def refused(store: Store, *, now: int = NOW, players: tuple[Person, ...] | None = None) -> Refused | None:
    """Why a ranked report is refused, if it is; then nothing may be kept of it."""
    before = await everything(store)
    try:
        await submit(store, report(players=players, played_at=now - 60), now=now)
    except Refused as error:
        assert await everything(store) == before
        return error
    return None


async def test_ranked_reports_that_name_the_banned_are_refused(store: Store, lines: dict[str, int]) -> None:
    await ban(store)
    error = await refused(store)
    assert error is not None
    assert (error.refusal, error.values) == (Refusal.BANNED, {"name": "Ann", "until": None})
    for told in (hand(lines["Three bends"], discarder=BORIS), hand(winner=None)):
        with pytest.raises(Refused) as american:
            await submit_hand(store, told)
        assert american.value.refusal is Refusal.BANNED
    assert await refused(store, players=(BORIS, CHIAKI, DORA, EMI)) is None


async def test_nobody_is_forgotten_while_a_ban_of_his_holds(store: Store) -> None:
    await approve(store, await submit(store))
    await ban(store, EMI, until=NOW + WEEK)
    await merge(store, EMI, ANN)
    record = (await store.write(club.player_ids, GUILD, [ANN]))[0]
    with pytest.raises(Refused) as held:
        await store.read(ledger.propose_forget, GUILD, record, NOW)
    assert (held.value.refusal, held.value.values["until"]) == (Refusal.STILL_BANNED, NOW + WEEK)
    proposal = await store.read(ledger.propose_forget, GUILD, record, NOW + WEEK)
    # The ban may be spoken while the question hangs.
    before = await everything(store)
    with pytest.raises(Refused) as later:
        await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW + WEEK - 1)
    assert later.value.refusal is Refusal.STILL_BANNED
    assert await everything(store) == before
    await unban(store, EMI)
    proposal = await store.read(ledger.propose_forget, GUILD, record, NOW)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def test_unranked_games_are_for_everybody(store: Store) -> None:
    await ban(store)
    game = await approve(store, await submit(store, report(ranked=False)))
    assert ANN in game.people


async def test_the_reporter_may_be_banned_as_long_as_he_does_not_play(store: Store) -> None:
    await ban(store, EMI)
    game = await submit(store, report(reporter=EMI))
    assert game.reporter == EMI


async def test_history_and_standings_stay_as_they_are(store: Store) -> None:
    game = await approve(store, await submit(store))
    before = await standing(store, ANN), await everything(store)
    await ban(store)
    after = await everything(store)
    assert await standing(store, ANN) == before[0]
    changed = {name for name, rows in after.items() if rows != before[1][name]}
    assert changed <= {"ladder_bans", "players"}
    assert (await store.read(ledger.matter, GUILD, game.id)).game == game


async def test_a_report_from_before_the_ban_is_decided_all_the_same(store: Store) -> None:
    game = await submit(store)
    await ban(store)
    await approve(store, game)
    assert await standing(store, ANN) is not None


async def test_a_report_cannot_be_amended_to_name_the_banned(store: Store) -> None:
    ranked = await submit(store, report(players=(EMI, BORIS, CHIAKI, DORA)))
    unranked = await submit(store, report(ranked=False))
    named = await submit(store)
    await ban(store)

    def amend(connection: sa.Connection, game: GameRecord, /, **changes: Any) -> ledger.Proposal:
        told = replace(tellings.read(connection, game.id), **changes)
        return ledger.propose_amend(connection, GUILD, game.id, told, NOW)

    for game, changes in ((ranked, {"players": named.records}), (unranked, {"ranked": True})):
        with pytest.raises(Refused) as error:
            await store.read(amend, game, **changes)
        assert error.value.refusal is Refusal.BANNED
    # What was reported before the ban can be put right, and so can what is unranked.
    await store.read(amend, named, length=Length.TONPUU)
    await store.read(amend, unranked, length=Length.TONPUU)
    await store.read(amend, ranked, players=named.records, ranked=False)


async def test_a_ban_ends_at_its_moment_and_not_before(store: Store) -> None:
    await ban(store, until=NOW + WEEK)
    error = await refused(store, now=NOW + WEEK - 1)
    assert error is not None
    assert error.values["until"] == NOW + WEEK
    assert await refused(store, now=NOW + WEEK) is None
    with pytest.raises(Refused) as over:
        await unban(store, now=NOW + WEEK)
    assert over.value.refusal is Refusal.NOT_BANNED
    await ban(store, now=NOW + WEEK)
    assert await refused(store, now=NOW + WEEK + 1) is not None


async def test_a_ban_holds_until_it_is_lifted_and_is_spoken_once(store: Store) -> None:
    await ban(store)
    for until in (None, NOW + WEEK):
        with pytest.raises(Refused) as again:
            await ban(store, until=until)
        assert again.value.refusal is Refusal.ALREADY_BANNED
    await unban(store)
    assert await refused(store) is None
    with pytest.raises(Refused) as lifted:
        await unban(store)
    assert lifted.value.refusal is Refusal.NOT_BANNED
    assert await count(store, tables.ladder_bans) == 1


@pytest.mark.parametrize(("reason", "why"), [("  ", Refusal.EMPTY_REASON), ("x" * 501, Refusal.LONG_REASON)])
async def test_a_ban_needs_a_reason(store: Store, reason: str, why: Refusal) -> None:
    with pytest.raises(Refused) as bad:
        await ban(store, reason=reason)
    assert bad.value.refusal is why
    assert await count(store, tables.ladder_bans) == 0


async def test_all_that_was_done_about_bans_is_kept(store: Store) -> None:
    await ban(store, ANN, "first", now=NOW)
    await ban(store, BORIS, "second", NOW + WEEK, now=NOW + 1)
    await ban(store, CHIAKI, "third", NOW + 50, now=NOW + 2)
    await unban(store, ANN, now=NOW + 3)
    page = await store.read(accounts.bans, GUILD, 0, 10, NOW + 60)
    assert (page.total, page.holding, page.pages) == (3, 1, 1)
    told = [(each.person.name, each.reason, each.by, each.at, each.until, each.lifted_by) for each in page.bans]
    assert told == [
        ("Борис", "second", "Kai", NOW + 1, NOW + WEEK, None),
        ("千秋", "third", "Kai", NOW + 2, NOW + 50, None),
        ("Ann", "first", "Kai", NOW, None, "Rei"),
    ]
    assert [each.in_force(NOW + 60) for each in page.bans] == [True, False, False]
    assert page.bans[2].lifted_at == NOW + 3
    second = await store.read(accounts.bans, GUILD, 9, 2, NOW + 60)
    assert (second.number, second.pages, len(second.bans)) == (1, 2, 1)


async def test_bans_are_each_clubs_own(store: Store) -> None:
    await ban(store, guild=NEIGHBOURS)
    assert await refused(store) is None
    with pytest.raises(Refused):
        await submit(store, report(), guild=NEIGHBOURS)
    assert (await store.read(accounts.bans, GUILD, 0, 10, NOW)).total == 0


@pytest.mark.parametrize("banned", [ANN, EMI])
async def test_a_ban_is_of_the_person_under_whichever_record(store: Store, banned: Person) -> None:
    await ban(store, banned)
    await merge(store, EMI, ANN)
    for name, table in (("Ann", (ANN, BORIS, CHIAKI, DORA)), ("Emi", (EMI, BORIS, CHIAKI, DORA))):
        error = await refused(store, players=table)
        assert error is not None
        assert (error.refusal, error.values["name"]) == (Refusal.BANNED, name)
    with pytest.raises(Refused) as again:
        await ban(store, EMI)
    assert again.value.values["name"] == "Emi"
    await unban(store, EMI)
    assert await refused(store) is None
