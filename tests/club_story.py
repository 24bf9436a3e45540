"""A club in whose file no table is empty: what every program has to be able to read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import sqlalchemy as sa

from ratings import ledger
from ratings.models import Offence, Person
from ratings.store import Store
from ratings.store.tables import ranking_days
from ratings.tournaments import edits, facts
from ratings.tournaments import ledger as cups
from ratings.tournaments.players import add_player
from ratings.tournaments.records import Details
from tests.account_help import link, unlink
from tests.ban_help import ban
from tests.correcting import amend, correct, void
from tests.game_log_help import SCORES, bring, played
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
    choose,
    hand,
    penalise,
    reject,
    report,
    submit,
    submit_hand,
    this_years_card,
)
from tests.people_help import NINA, merge

__all__ = ["live"]


async def live(store: Store) -> None:
    """Let the club live."""
    lines = await this_years_card(store)
    await choose(store, penalties=True, approvals_channel=77)
    await _play(store)
    await _play_american(store, lines)
    await _correct(store)
    await store.write(_hold_cups)
    await _bind_accounts(store)


async def _play(store: Store) -> None:
    first = await approve(store, await submit(store, report(SCORES)))
    await bring(store, played(), admin=True)
    await correct(store, ledger.propose_detach, first.id, "Of another evening")
    await bring(store, played(), admin=True)
    await choose(store, tenhou_rules="live", shared_places=True)
    told = replace(report((30000, 30000, 25000, 15000), (BORIS, ANN, EMI, DORA)), chips=(2, -3, 0, 1))
    await approve(store, await submit(store, told))
    await approve(store, await submit(store, report((50000, 35000, 20000))))
    await approve(store, await submit(store, report((45000, 30000, 15000, 10000), (NINA, CHIAKI, EMI, DORA))))
    await approve(store, await submit(store, report(ranked=False)))
    rejected = await reject(store, await submit(store, report((41000, 29000, 20000, 10000))))
    await store.write(ledger.give_reason, GUILD, rejected.id, "Nobody saw it", KAI, NOW)
    await submit(store, report((42000, 28000, 20000, 10000)))


async def _play_american(store: Store, lines: dict[str, int]) -> None:
    won = await submit_hand(store, hand(lines["Three bends"], discarder=BORIS))
    await approve(store, await penalise(store, won, (BORIS, Offence.MISNAMED)))
    await approve(store, await submit_hand(store, hand(winner=None)))


async def _correct(store: Store) -> None:
    slip = await approve(store, await submit(store, report((38000, 32000, 20000, 10000))))
    await amend(store, slip, scores=(39000, 31000, 20000, 10000))
    await store.write(ledger.carry_out, GUILD, await void(store, slip), KAI, NOW)
    await correct(store, ledger.propose_restore, slip.id)
    await store.write(ledger.carry_out, GUILD, await void(store, slip), KAI, NOW)
    await merge(store, NINA, ANN)


def _hold_cups(connection: sa.Connection) -> None:
    people = [add_player(connection, GUILD, f"Игрок {number}", "RU") for number in range(1, 17)]
    edits.add_alias(connection, GUILD, people[0], "Player One", KAI, NOW)
    for month in (3, 4):
        number = cups.add_tournament(connection, GUILD, _cup(month), KAI, NOW)
        for place, player in enumerate(people, start=1):
            cups.put_result(connection, GUILD, number, player, {"place": place}, KAI, NOW)
    cups.undo(connection, GUILD, 2, KAI, NOW)
    edits.edit(connection, GUILD, people[1], {"country": "JP"}, KAI, NOW, "He moved")
    edits.edit(connection, GUILD, people[1], {"name": "千尋"}, KAI, NOW)
    edits.undo(connection, GUILD, people[1], KAI, NOW)
    told = {"guild_id": GUILD, "day": "2026-11-29", "since_day": "2026-11-01", "since_change": 0}
    until = facts.newest_change(connection, GUILD)
    connection.execute(sa.insert(ranking_days).values(told | {"until_change": until}))


def _cup(month: int) -> Details:
    return Details(
        name=f"Кубок {month}",
        last_day=date(2026, month, 1),
        hanchan=8,
        participants=16,
        country="RU",
        accredited=True,
    )


async def _bind_accounts(store: Store) -> None:
    await link(store, ANN, "アン")
    await link(store, BORIS, "Boris")
    await unlink(store, BORIS, "Boris")
    await link(store, EMI, "アン")
    await ban(store, Person(31, "Zoe"), "shared an account", NOW + 1000)
