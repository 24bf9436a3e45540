"""The rankings of a club at a date: tables, explanations, what changed and why, and what a place would bring.

Nothing of them is stored. They are computed from the tournaments whenever somebody asks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

import sqlalchemy as sa

from ratings import club
from ratings.queries.people import names
from ratings.store import tables
from ratings.store.bulk import fetch_tuples
from ratings.systems import russian
from ratings.systems.russian import Pool, Ranking, RankingRules, Tournament
from ratings.tournaments import players, readers
from ratings.tournaments.facts import Then, both_then, facts_now, newest_change
from ratings.tournaments.homes import Homes, homes, without_explained

__all__ = [
    "ChangesView",
    "Explained",
    "Forecast",
    "RankingView",
    "Verdict",
    "changes",
    "changes_of_all",
    "edition",
    "explain",
    "forecast",
    "place_of",
    "ranking",
    "why",
]

_PEOPLE = (
    sa.select(
        tables.players.c.id,
        tables.players.c.merged_into,
        tables.players.c.country,
        tables.players.c.assumed_country,
        tables.players.c.name,
        tables.players.c.forgotten_at,
    )
    .where(tables.players.c.guild_id == sa.bindparam("guild"))
    .order_by(tables.players.c.id)
)


@dataclass(frozen=True, slots=True)
class RankingView:
    """A ranking at a date; `names` are those of its players, `tournaments` those that count (by id), and
    `numbers` the club's numbers of tournaments."""

    ranking: Ranking
    rules: RankingRules
    table: russian.Table
    names: Mapping[int, str]
    tournaments: Mapping[int, Tournament]
    numbers: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Explained:
    """How a player's rating came about, and the line he has in the table, if any.

    `players` counts those in the table; `listable` says whether the ranking lists people of his country.
    """

    explanation: russian.Explanation
    rules: RankingRules
    row: russian.Row | None
    players: int
    name: str
    listable: bool
    tournaments: Mapping[int, Tournament]
    numbers: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ChangesView:
    """Who moved in a ranking from one day to another, and why. What the correction of a player's country did to
    whether his results count is told by `homes`, and not among his causes."""

    ranking: Ranking
    since: date
    until: date
    changes: tuple[russian.Change, ...]
    names: Mapping[int, str]
    tournaments: Mapping[int, Tournament]
    numbers: Mapping[int, int]
    homes: Homes = field(default_factory=Homes)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What each place in a coming tournament would make of a player's rating; `now` is the one he has today.

    `exclusion` is the rule that keeps the tournament out of the ranking; then there are no prospects, and none
    either for somebody whom the ranking does not list (`listable`)."""

    ranking: Ranking
    rules: RankingRules
    name: str
    listable: bool
    now: russian.Explanation
    coming: Tournament
    prospects: tuple[russian.Prospect, ...]
    exclusion: russian.Exclusion | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a tournament counts in a ranking on a day, and if not, the rule that keeps it out.

    `sevenths` is the coefficient of its age, 0 outside of the window. It `has_results` when somebody whom the
    ranking lists has one."""

    ranking: Ranking
    exclusion: russian.Exclusion | None
    sevenths: int
    has_results: bool


def ranking(connection: sa.Connection, guild_id: int, which: Ranking, day: date) -> RankingView:
    """A ranking as of a day."""
    pool, rules = _pool(connection, guild_id, which, day)
    table = russian.table(pool, day)
    return RankingView(which, rules, table, _named(pool), pool.tournaments, readers.numbers(connection, guild_id))


def edition(connection: sa.Connection, guild_id: int) -> str:
    """A mark that stays the same as long as every table of the club does: it is made of the newest change of a
    tournament, of who is who and from where, and of the settings."""
    told = (
        newest_change(connection, guild_id),
        club.settings(connection, guild_id).ranking_rules,
        fetch_tuples(connection, _PEOPLE, {"guild": guild_id}),
    )
    return hashlib.sha256(repr(told).encode()).hexdigest()


def place_of(connection: sa.Connection, guild_id: int, view: RankingView, discord_id: int) -> int | None:
    """The place of a member in a ranking; None when he is not in it."""
    player = players.directory(connection, guild_id).accounts.get(discord_id)
    return next((row.place for row in view.table.rows if row.player_id == player), None)


def explain(connection: sa.Connection, guild_id: int, which: Ranking, player_id: int, day: date) -> Explained:
    """How a player's rating of a day came about, to the last result. Raises Refused for an unknown player."""
    player = players.entry(connection, guild_id, player_id)
    pool, rules = _pool(connection, guild_id, which, day)
    rows = russian.table(pool, day).rows
    return Explained(
        explanation=russian.explain(pool, player.id, day),
        rules=rules,
        row=next((row for row in rows if row.player_id == player.id), None),
        players=len(rows),
        name=player.name,
        listable=_lists(which, rules, player.country),
        tournaments=pool.tournaments,
        numbers=readers.numbers(connection, guild_id),
    )


def changes(
    connection: sa.Connection,
    guild_id: int,
    which: Ranking,
    since: date,
    until: date,
    since_change: int | None = None,
    until_change: int | None = None,
) -> ChangesView:
    """Who moved from the table of `since` to that of `until`.

    The former is made from tournaments and players as they were told after the change `since_change`, the latter
    after `until_change`; without them, from what is told now.
    """
    thens = both_then(connection, guild_id, since, until, since_change, until_change)
    return _changes(connection, guild_id, which, thens, (since, until), (since_change, until_change))


def changes_of_all(
    connection: sa.Connection, guild_id: int, since: date, until: date, since_change: int, until_change: int
) -> list[ChangesView]:
    """Who moved in each of the rankings, as `changes` has it."""
    thens = both_then(connection, guild_id, since, until, since_change, until_change)
    between = (since_change, until_change)
    return [_changes(connection, guild_id, which, thens, (since, until), between) for which in Ranking]


def forecast(
    connection: sa.Connection,
    guild_id: int,
    which: Ranking,
    player_id: int,
    coming: Tournament,
    today: date,
) -> Forecast:
    """The rating a player would have for each place in a coming tournament, on its last day.

    Raises Refused for an unknown player.
    """
    player = players.entry(connection, guild_id, player_id)
    pool, rules = _pool(connection, guild_id, which, coming.last_day)
    excluded = russian.exclusion(coming, which, rules, home_player=True)
    listable = _lists(which, rules, player.country)
    prospects = russian.forecast(pool, player.id, coming) if listable and excluded is None else []
    now = russian.explain(_pool(connection, guild_id, which, today)[0], player.id, today)
    return Forecast(which, rules, player.name, listable, now, coming, tuple(prospects), excluded)


def why(connection: sa.Connection, guild_id: int, number: int, day: date) -> list[Verdict]:
    """In which rankings a tournament counts on a day. Raises Refused for an unknown or removed one."""
    tournament_id, told = readers.telling(connection, guild_id, number)
    rules = club.settings(connection, guild_id).ranking_rules
    last_day = told.details.last_day
    facts = facts_now(connection, guild_id, last_day)
    aged = russian.ageing(russian.months_between(last_day, day)) if russian.in_window(last_day, day) else 0
    found = []
    for which in Ranking:
        pool = russian.gather(facts, which, rules)
        found.append(Verdict(which, pool.excluded.get(tournament_id), aged, tournament_id in pool.tournaments))
    return found


def _pool(connection: sa.Connection, guild_id: int, which: Ranking, day: date) -> tuple[Pool, RankingRules]:
    rules = club.settings(connection, guild_id).ranking_rules
    return russian.gather(facts_now(connection, guild_id, day), which, rules), rules


def _changes(
    connection: sa.Connection,
    guild_id: int,
    which: Ranking,
    thens: tuple[Then, Then],
    days: tuple[date, date],
    between: tuple[int | None, int | None],
) -> ChangesView:
    rules = club.settings(connection, guild_id).ranking_rules
    before, after = (russian.gather(then.facts, which, rules) for then in thens)
    moved = russian.changes(
        russian.Moment(before, days[0], thens[0].told), russian.Moment(after, days[1], thens[1].told)
    )
    facts = (thens[0].facts, thens[1].facts)
    found = homes(connection, guild_id, facts, (before, after), rules, between)
    told = tuple(without_explained(change, found, (before, after)) for change in moved)
    known = names(connection, guild_id, (change.player_id for change in moved))
    held = {**before.tournaments, **after.tournaments}
    return ChangesView(which, *days, told, known, held, readers.numbers(connection, guild_id), found)


def _named(pool: Pool) -> dict[int, str]:
    return {player.id: player.name for player in pool.players.values()}


def _lists(which: Ranking, rules: RankingRules, country: str | None) -> bool:
    """Whether a ranking lists players of a country."""
    return which is Ranking.ONLINE or not rules.home_players_only or country == rules.home_country
