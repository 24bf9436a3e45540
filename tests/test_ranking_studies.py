"""What people ask of the rankings: no more at the same time than the machine can bear, and no table twice."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any, cast

import pytest

from bot.ranking_studies import AT_ONCE, TABLES, RankingStudies
from ratings import ledger
from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as people
from ratings.tournaments import rankings
from ratings.tournaments.facts import newest_change
from tests.ledger_help import ANN, GUILD, KAI, choose
from tests.ranking_help import MARCH, at, hold, players, two_cups

RR = Ranking.RR
DAY = MARCH + timedelta(90)


class Gate:
    """A store in which every study takes until the gate opens."""

    def __init__(self) -> None:
        self.open, self.full = asyncio.Event(), asyncio.Event()
        self.running = self.most = 0

    async def study(self, _work: Any, *_args: Any) -> int:
        """Wait for the gate."""
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running == AT_ONCE:
            self.full.set()
        await self.open.wait()
        self.running -= 1
        return 7


async def test_a_few_are_served_at_once_and_the_others_after_them() -> None:
    gate = Gate()
    studies = RankingStudies(cast(Store, gate))
    asking = [asyncio.create_task(studies.study(newest_change, GUILD)) for _ in range(7)]
    await gate.full.wait()
    for _ in range(20):
        await asyncio.sleep(0)
    assert gate.running == AT_ONCE
    gate.open.set()
    assert await asyncio.gather(*asking) == [7] * 7
    assert gate.most == AT_ONCE


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """The days of the tables that were computed."""
    computed: list[date] = []
    compute = rankings.ranking

    def counted(*asked: Any) -> rankings.RankingView:
        computed.append(asked[-1])
        return compute(*asked)

    monkeypatch.setattr(rankings, "ranking", counted)
    return computed


async def test_a_table_is_computed_once_for_all_who_leaf_through_it(store: Store, days: list[date]) -> None:
    ids = await two_cups(store, GUILD)
    studies = RankingStudies(store)
    first, mine = await studies.table(GUILD, RR, DAY)
    assert (mine, days) == (None, [DAY])
    await store.write(people.link, GUILD, ids["Bela"], ANN)
    # She is shown under another name from now on.
    second, mine = await studies.table(GUILD, RR, DAY, ANN.discord_id)
    assert (mine, len(days)) == (2, 2)
    assert second.names != first.names
    for _ in range(3):
        assert await studies.table(GUILD, RR, DAY, ANN.discord_id) == (second, 2)
    assert len(days) == 2
    assert (await studies.table(GUILD, Ranking.CRR, DAY))[0].ranking is Ranking.CRR
    assert (await studies.table(GUILD + 1, RR, DAY))[0].table.rows == ()
    assert len(days) == 4


async def test_no_table_is_older_than_what_it_is_made_of(store: Store) -> None:
    ids = await two_cups(store, GUILD)
    studies, seen = RankingStudies(store), set()

    async def look() -> None:
        shown, _ = await studies.table(GUILD, RR, DAY)
        assert shown == await store.study(rankings.ranking, GUILD, RR, DAY)
        told = (shown.table.rows, shown.table.maximal, tuple(shown.names.items()), shown.rules)
        assert told not in seen
        seen.add(told)

    await look()
    await hold(store, GUILD, "Анна's Cup", MARCH, {"Анна": 1, "Dina": 2, "Cleo": 3})
    await look()
    await store.write(tournaments.put_result, GUILD, 1, ids["Bela"], {"place": 9}, KAI, at(DAY))
    await look()
    await store.write(people.describe, GUILD, ids["Cleo"], {"country": "DE"})
    await look()
    await store.write(people.describe, GUILD, ids["Dina"], {"name": "Dinah"})
    await look()
    ids = await players(store, GUILD)
    proposal = await store.read(ledger.propose_merge, GUILD, ids["Анна"], ids["Anna"])
    await store.write(ledger.carry_out, GUILD, proposal, KAI, at(DAY))
    await look()
    proposal = await store.read(ledger.propose_forget, GUILD, ids["Bela"], at(DAY))
    await store.write(ledger.carry_out, GUILD, proposal, KAI, at(DAY))
    await look()
    await choose(store, home_players_only=False)
    await look()


async def test_the_tables_longest_unasked_for_are_let_go(store: Store, days: list[date]) -> None:
    await two_cups(store, GUILD)
    studies = RankingStudies(store)
    for number in range(TABLES + 1):
        await studies.table(GUILD, RR, DAY + timedelta(number))
        await studies.table(GUILD, RR, DAY)
    assert len(days) == TABLES + 1
    await studies.table(GUILD, RR, DAY + timedelta(TABLES))
    assert len(days) == TABLES + 1
    await studies.table(GUILD, RR, DAY + timedelta(1))
    assert len(days) == TABLES + 2
