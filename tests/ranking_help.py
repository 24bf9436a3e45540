"""What the tests of the rankings share: tournaments in a word, and players by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from ratings.models import Person
from ratings.resultsfile import ResultRow
from ratings.store import Store, tables
from ratings.systems import russian
from ratings.systems.russian import Player, Ranking, RankingFacts, RankingRules, Tournament
from ratings.tournaments import ledger
from ratings.tournaments.rankings import Explained
from ratings.tournaments.records import Details

__all__ = [
    "ADMIN",
    "CUP",
    "MARCH",
    "OPEN",
    "WIDE",
    "at",
    "cup",
    "details",
    "explained",
    "hold",
    "plain",
    "players",
    "two_cups",
]

ADMIN = Person(21, "Kai")
MARCH = date(2025, 3, 30)
CUP = {"Anna": 1, "Bela": 5, "Cleo": 20, "Dina": 40}
OPEN = {"Anna": 3, "Bela": 2, "Cleo": 30}
# A name of the widest letters, as long as Discord lets one be.
WIDE = "麻雀倶楽部会員名前長過東南西北白發中一二三四五六七八九萬筒索風"


def at(day: date, hour: int = 12, minute: int = 0) -> int:
    """A moment of a day, in seconds since 1970 UTC."""
    return int(datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC).timestamp())


def details(name: str, last_day: date = MARCH, **told: Any) -> Details:
    """A tournament of W 2.6 that counts in RR and CRR, unless told otherwise."""
    values = {"hanchan": 8, "participants": 40, "country": "RU", "accredited": True, **told}
    return Details(name=name, last_day=last_day, **values)


async def hold(
    store: Store,
    guild: int,
    name: str,
    last_day: date,
    places: Mapping[str, int],
    *,
    countries: Mapping[str, str] | None = None,
    replacements: tuple[str, ...] = (),
    now: int | None = None,
    **told: Any,
) -> int:
    """Import a tournament with these places by player; its number. It is told on the day after its last."""
    rows = [
        ResultRow(
            row=row,
            place=place,
            player=player,
            country=(countries or {}).get(player),
            replacement=player in replacements,
        )
        for row, (player, place) in enumerate(sorted(places.items(), key=lambda each: each[1]), start=2)
    ]
    told_at = at(last_day + timedelta(days=1)) if now is None else now
    held = details(name, last_day, **told)
    done = await store.write(ledger.import_results, guild, held, rows, ADMIN, told_at, new_players=True)
    return done.number


async def two_cups(store: Store, guild: int) -> dict[str, int]:
    """Two tournaments of W 2.6, a week apart, with players of whom it is told that they are from RU; the ids of
    the players by name."""
    await hold(store, guild, "Spring Cup", MARCH, CUP, countries=dict.fromkeys(CUP, "RU"))
    await hold(store, guild, "April Open", MARCH + timedelta(7), OPEN)
    return await players(store, guild)


async def players(store: Store, guild: int) -> dict[str, int]:
    """The ids of a club's players by name."""
    return await store.read(_players, guild)


def _players(connection: sa.Connection, guild: int) -> dict[str, int]:
    query = sa.select(tables.players.c.name, tables.players.c.id).where(tables.players.c.guild_id == guild)
    return {row.name: row.id for row in connection.execute(query)}


def plain(text: str) -> str:
    """A text without what keeps a name in its own direction."""
    return text.replace("\u2068", "").replace("\u2069", "")


def explained(
    places: dict[int, int], *held: Tournament, which: Ranking = Ranking.RR, day: date = date(2025, 6, 30)
) -> Explained:
    """How Anna's rating comes about from her places by tournament."""
    facts = RankingFacts(
        {each.id: each for each in held},
        [(number, 1, place, True) for number, place in places.items()],
        {1: Player(1, "RU", "Anna")},
    )
    pool = russian.gather(facts, which)
    table = russian.table(pool, day)
    return Explained(
        explanation=russian.explain(pool, 1, table.day),
        rules=RankingRules(),
        row=next(iter(table.rows), None),
        players=1,
        name="Anna",
        listable=True,
        tournaments=pool.tournaments,
        numbers={each.id: each.id for each in held},
    )


def cup(number: int, **told: Any) -> Tournament:
    """A tournament for the rules."""
    return details(f"Cup {number}", **told).tournament(number)
