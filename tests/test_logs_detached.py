"""Logs of games that are approved: only an admin adds one, and a wrong one is taken off again."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.archive import parse, read_club, write_club
from ratings.models import CorrectionKind, GameState, Person, Refusal
from ratings.queries import audit, games
from ratings.queries.audit import Deed
from ratings.queries.games import GameRecord
from ratings.queries.statistics import statistics_of
from ratings.store import Store, tables
from tests.club_evening import Evening, reply
from tests.correcting import amend, correct, derived, refused
from tests.correction_help import ask, confirm, said
from tests.game_log_help import SCORES, bring, played, refusal, telling
from tests.ledger_help import (
    ANN,
    EMI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    REI,
    approve,
    choose,
    count,
    report,
    submit,
)
from tests.report_log_help import BY_HAND, FRESH, RECENT, linked, told


async def approved(store: Store) -> GameRecord:
    """A game reported by hand and approved."""
    return await approve(store, await submit(store, report(SCORES)))


async def hands_of(store: Store, who: Person = ANN) -> int:
    """On how many hands somebody's figures rest."""
    return (await store.read(statistics_of, GUILD, who.discord_id, 4)).hands.dealt


async def trail(store: Store, game: GameRecord, guild: int = GUILD) -> list[tuple[Deed, str, int, str | None]]:
    """What was done about a game, by whom, when and why."""

    def look(connection: sa.Connection) -> list[audit.Event]:
        return audit.trail(connection, games.by_number(connection, guild, game.number))

    return [(event.deed, event.by, event.at, event.reason) for event in await store.read(look)]


@pytest.mark.parametrize("who", [ANN, EMI], ids=["at-the-table", "elsewhere"])
async def test_nobody_but_an_admin_adds_a_log_to_an_approved_game(store: Store, who: Person) -> None:
    game, log = await approved(store), played()
    error = await refusal(store, log, telling(log, reporter=who))
    assert (error.refusal, error.values["number"]) == (Refusal.LOG_FOR_ADMINS, game.number)
    match = await bring(store, log, telling(log, reporter=KAI), admin=True)
    assert (match.attached, match.submission.game.id) == (True, game.id)
    assert await hands_of(store) == 1


async def test_a_log_that_is_detached_takes_its_hands_along_and_nothing_else(store: Store) -> None:
    game = await approved(store)
    figures = await derived(store)
    await bring(store, played(), admin=True)
    proposal = await store.read(ledger.propose_detach, GUILD, game.id, "forged")
    assert (proposal.kind, proposal.log_hands, proposal.plan.moves) == (CorrectionKind.DETACH, 1, [])
    await store.write(ledger.carry_out, GUILD, proposal, REI, NOW + 60)
    stands = await store.read(games.by_id, GUILD, game.id)
    assert (stands.state, stands.facts, stands.log) == (GameState.APPROVED, game.facts, None)
    assert await derived(store) == figures
    assert await hands_of(store) == 0
    assert await count(store, tables.log_seats) == 0


async def test_it_is_told_who_gave_a_log_and_who_took_it_off(store: Store) -> None:
    log = played()
    game = (await bring(store, log, telling(log, reporter=EMI))).submission.game
    given = [(Deed.REPORTED, "Emi", NOW, None), (Deed.LOG_ATTACHED, "Emi", NOW, None)]
    assert await trail(store, game) == given
    await correct(store, ledger.propose_detach, game.id, "another evening's")
    taken = [*given, (Deed.CORRECTED, "Kai", NOW, "another evening's")]
    assert await trail(store, game) == taken
    await bring(store, log, telling(log, reporter=REI), now=NOW + 5)
    assert await trail(store, game) == [*taken, (Deed.LOG_ATTACHED, "Rei", NOW + 5, None)]


async def test_without_its_log_a_game_can_be_told_anew_and_given_another(store: Store) -> None:
    wrong, right = played(), played(final="390,49.0,310,11.0,200,-20.0,100,-40.0")
    game = await approve(store, (await bring(store, wrong)).submission.game)
    await correct(store, ledger.propose_detach, game.id)
    seats = tuple(seat.final_score for seat in right.seats)
    await amend(store, game, scores=seats)
    assert (await bring(store, right, admin=True)).submission.game.id == game.id


async def test_a_game_without_a_log_has_none_to_detach(store: Store) -> None:
    game = await submit(store, report(SCORES))
    error = await refused(store, ledger.propose_detach, game.id)
    assert (error.refusal, error.values["number"]) == (Refusal.NO_LOG, game.number)


async def test_a_log_is_detached_once(store: Store) -> None:
    game = (await bring(store, played())).submission.game
    proposal = await store.read(ledger.propose_detach, GUILD, game.id)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    with pytest.raises(ledger.Stale):
        await store.write(ledger.carry_out, GUILD, proposal, REI, NOW)


async def test_a_correction_that_still_matters_stays_on_the_card(store: Store) -> None:
    game = await approved(store)
    await bring(store, played(), admin=True)
    await amend(store, game, ranked=False)
    await correct(store, ledger.propose_detach, game.id)
    note = (await store.read(games.by_id, GUILD, game.id)).note
    assert note is not None
    assert note.kind is CorrectionKind.AMEND


async def test_a_clubs_file_keeps_who_gave_a_log_that_was_taken_off(store: Store) -> None:
    await choose(store, NEIGHBOURS)
    await store.write(club.player_ids, NEIGHBOURS, [REI, KAI])
    log = played()
    game = (await bring(store, log, telling(log, reporter=EMI))).submission.game
    await correct(store, ledger.propose_detach, game.id, "forged")
    kept = await trail(store, game)
    file = parse(await store.read(write_club, GUILD, NOW))
    await store.write(read_club, NEIGHBOURS, file, KAI, 55, NOW)
    assert await trail(store, game, NEIGHBOURS) == kept


async def test_an_outsider_is_sent_to_the_admins_and_his_log_is_not_kept(evening: Evening) -> None:
    await linked(evening)
    await evening.report(BY_HAND)
    await evening.approve(1)
    answer = await told(evening, FRESH, by="Emi", link=RECENT)
    assert "only an admin can add its log" in answer
    assert f"https://discord.com/channels/{evening.id}/" in answer
    await evening.quiet()
    assert (await evening.game(1)).log is None
    assert "📎" not in said(evening.card(1) or {})


async def test_an_admin_detaches_a_log_and_card_and_history_say_so(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await linked(evening)
    await evening.report(BY_HAND)
    await told(evening, FRESH, by="Emi", link=RECENT)
    await evening.approve(1)
    assert "📎" in said(evening.card(1) or {})
    assert "Emi\u2069 gave its game log." in said(await ask(evening, "Ann", "show", game=1))
    assert "Only admins" in said(await ask(evening, "Ann", "detach", game=1))
    question = await ask(evening, "Kai", "detach", game=1, reason="forged")
    assert "Detach the log of game #1?" in said(question)
    assert "1 hand of its log leaves the statistics." in said(question)
    assert "No rank and no rating would move." in said(question)
    assert (await evening.game(1)).log is not None
    assert "The log of game #1 is detached" in said(await confirm(evening, "Kai", question))
    await evening.discord.until(lambda: "📎" not in said(evening.card(1) or {}))
    history = said(await ask(evening, "Ann", "show", game=1))
    assert "Kai\u2069 detached its game log." in history
    assert "Emi\u2069 gave its game log." in history
    assert "> forged" in history
    assert "There is no log to take off" in said(await ask(evening, "Kai", "detach", game=1))
    assert "The log is attached to game #1" in await told(evening, FRESH, by="Kai", link=RECENT)
    stats = reply(await evening.as_("Ann").slash("stats", evening.channels["mahjong"]))
    assert "1 hand" in said(stats)
