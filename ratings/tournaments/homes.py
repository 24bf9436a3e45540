"""What corrections of countries have made of a ranking: whom it lists, and which tournaments count in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from ratings.queries.people import names
from ratings.systems import russian
from ratings.systems.russian import Change, Event, Pool, Ranking, RankingFacts, RankingRules
from ratings.tournaments.player_log import CountryChange, countries_corrected

__all__ = ["Home", "Homes", "homes", "without_explained"]


@dataclass(frozen=True, slots=True)
class Home:
    """A player from another country than before: which it was and is (None for an unknown one), and the name of
    whoever corrected it last."""

    player_id: int
    name: str
    before: str | None
    after: str | None
    by: str


@dataclass(frozen=True, slots=True)
class Homes:
    """The players whom a ranking lists, or lists no more, because of their country; and the tournaments that count
    in it, or count no more, because of whose country."""

    players: Mapping[int, Home] = field(default_factory=dict)
    tournaments: Mapping[int, Home] = field(default_factory=dict)


def homes(
    connection: sa.Connection,
    guild_id: int,
    facts: tuple[RankingFacts, RankingFacts],
    pools: tuple[Pool, Pool],
    rules: RankingRules,
    between: tuple[int | None, int | None],
) -> Homes:
    """What corrections of countries made of a ranking, whose facts and pools are those of two moments, told after
    two changes (None for now). Nobody is named who asked to be forgotten."""
    moved, ranking = _moved(facts, rules), pools[0].ranking
    since, until = between
    if not moved or since is None or ranking is Ranking.ONLINE:
        return Homes()
    corrected = countries_corrected(connection, guild_id, since, until)
    told = sorted(moved & corrected.keys(), key=lambda player: corrected[player].order)
    found = _described(connection, guild_id, facts, {player: corrected[player] for player in told})
    listed = found if rules.home_players_only else {}
    return Homes(listed, _tournaments(facts, pools, rules, moved, found))


def without_explained(change: Change, found: Homes, pools: tuple[Pool, Pool]) -> Change:
    """A player's step without what his own country explains: that his results count now, or count no more."""
    if change.player_id not in found.players:
        return change
    steady = pools[0].tournaments.keys() & pools[1].tournaments.keys() | found.tournaments.keys()
    explained = (Event.COUNTS, Event.STOPPED)
    causes = (
        cause
        for cause in change.causes
        if cause.maximal or cause.event not in explained or cause.tournament_id not in steady
    )
    return replace(change, causes=tuple(causes))


def _moved(facts: tuple[RankingFacts, RankingFacts], rules: RankingRules) -> set[int]:
    """Those with results at both moments who were at home at one of them alone."""
    before, after = (each.players for each in facts)
    return {
        player
        for player in before.keys() & after.keys()
        if (before[player].country == rules.home_country) != (after[player].country == rules.home_country)
    }


def _described(
    connection: sa.Connection,
    guild_id: int,
    facts: tuple[RankingFacts, RankingFacts],
    corrected: Mapping[int, CountryChange],
) -> dict[int, Home]:
    """Those of the players who are shown, in this order."""
    before, after = (each.players for each in facts)
    known = names(connection, guild_id, {*corrected, *(change.by for change in corrected.values())})
    return {
        player: Home(player, known[player], before[player].country, after[player].country, known[change.by])
        for player, change in corrected.items()
        if after[player].shown
    }


def _tournaments(
    facts: tuple[RankingFacts, RankingFacts],
    pools: tuple[Pool, Pool],
    rules: RankingRules,
    moved: Iterable[int],
    found: Mapping[int, Home],
) -> dict[int, Home]:
    """The tournaments that would count as before if the countries had stayed, and count otherwise; with the last
    player in `found` who did it."""
    before, after = facts
    stayed = {player: replace(after.players[player], country=before.players[player].country) for player in moved}
    unmoved = RankingFacts(after.tournaments, after.results, {**after.players, **stayed})
    would = russian.gather(unmoved, pools[0].ranking, rules).tournaments.keys()
    old, new = (pool.tournaments.keys() for pool in pools)
    turned = {each for each in old ^ new if (each in would) == (each in old)}
    played: dict[int, list[int]] = {player: [] for player in found}
    for tournament_id, player, _, counts in after.results:
        if counts and tournament_id in turned and player in found:
            played[player].append(tournament_id)
    return {
        tournament_id: home
        for player, home in found.items()
        for tournament_id in played[player]
        if (home.after == rules.home_country) == (tournament_id in new)
    }
