"""What the tests of corrected players share: correcting, taking back, and why somebody moved, in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from bot.render import ranking_news
from bot.texts import texts_for
from ratings import ledger as games
from ratings.models import Person
from ratings.store import Store, tables
from ratings.systems.russian import Ranking, RankingFacts
from ratings.tournaments import edits, rankings
from ratings.tournaments.facts import newest_change
from ratings.tournaments.player_log import PlayerChange
from tests.ledger_help import GUILD, KAI
from tests.ranking_help import MARCH, at, plain

__all__ = [
    "DAY",
    "ZOE",
    "correct",
    "in_order",
    "known",
    "merge",
    "moved",
    "said",
    "split",
    "take_back",
    "told_of_players",
    "why",
]

DAY = MARCH + timedelta(60)
# Another admin.
ZOE = Person(22, "Zoe")
TEXTS = texts_for("en-US")


async def known(store: Store, guild: int = GUILD) -> int:
    """The newest change of the club."""
    return await store.read(newest_change, guild)


async def correct(
    store: Store, player: int, *, by: Person = KAI, reason: str | None = None, **facts: str | None
) -> PlayerChange:
    """Tell something else of a player."""
    return await store.write(edits.edit, GUILD, player, facts, by, at(DAY), reason)


async def take_back(store: Store, player: int, *, by: Person = KAI, guild: int = GUILD) -> PlayerChange:
    """Undo the newest correction of a player."""
    return await store.write(edits.undo, guild, player, by, at(DAY))


async def moved(
    store: Store,
    since: int,
    until: int | None = None,
    which: Ranking = Ranking.RR,
    days: tuple[date, date] = (DAY, DAY),
) -> rankings.ChangesView:
    """Who moved in a ranking by what was done between two changes."""
    return await store.read(rankings.changes, GUILD, which, *days, since, until)


def why(view: rankings.ChangesView) -> dict[str, str]:
    """What is said of everybody who moved: why, after how."""
    shown, _, _ = ranking_news.changes(TEXTS, view, 0)
    lines = plain(shown.description or "").split("\n")
    return {
        line.split("**")[1]: f"{line[0]} {reason}" for line, reason in zip(lines[::2], lines[1::2], strict=True)
    }


def said(change: PlayerChange) -> dict[str, tuple[str | None, str | None]]:
    """What was shown of each fact before and after a change."""
    return {fact: (step.before, step.after) for fact, step in change.facts.items()}


async def told_of_players(store: Store, guild: int = GUILD) -> tuple[Any, ...]:
    """Every record of a player, and every other name."""
    return await store.read(_told_of_players, guild)


def _told_of_players(connection: sa.Connection, guild: int) -> tuple[Any, ...]:
    people = sa.select(tables.players).where(tables.players.c.guild_id == guild)
    aliases = sa.select(
        tables.player_aliases.c.player_id, tables.player_aliases.c.name, tables.player_aliases.c.key
    )
    aliases = aliases.where(tables.player_aliases.c.guild_id == guild)
    return tuple(
        sorted((tuple(row) for row in connection.execute(query)), key=repr) for query in (people, aliases)
    )


def in_order(facts: RankingFacts) -> RankingFacts:
    """The facts with the results in one order, and as each engine tells them."""
    told = [(cup, player, place, bool(counts)) for cup, player, place, counts in facts.results]
    return replace(facts, results=sorted(told))


async def merge(store: Store, player: int, into: int) -> None:
    """Let two records count as one."""
    proposal = await store.read(games.propose_merge, GUILD, player, into)
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))


async def split(store: Store, player: int) -> None:
    """Let a record count for itself again."""
    proposal = await store.read(games.propose_split, GUILD, player)
    await store.write(games.carry_out, GUILD, proposal, KAI, at(DAY))
