"""The results that count in one rating, laid out so that a table of any day is quick."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from ratings.systems.russian.coefficients import (
    Weight,
    base_rank,
    months_between,
    sevenths_on,
    weight_at,
    weights,
)
from ratings.systems.russian.eligibility import Exclusion, exclusion
from ratings.systems.russian.facts import (
    PlainResult,
    Player,
    Ranking,
    RankingFacts,
    RankingRules,
    Tournament,
)
from ratings.systems.russian.parts import UNIT

__all__ = ["CountedResult", "Pool", "gather"]


@dataclass(frozen=True, slots=True)
class CountedResult:
    """A result as it counts on a day: R is `base_rank`, W is `weight`, A is `sevenths` of seven."""

    tournament_id: int
    last_day: date
    place: int
    participants: int
    base_rank: float
    weight: Weight
    months: int
    sevenths: int

    @property
    def weight_units(self) -> float:
        """W x A in seven-hundredths."""
        return self.weight.hundredths * self.sevenths

    @property
    def point_units(self) -> float:
        """W x R x A in seven-hundredths."""
        return self.weight_units * self.base_rank

    @property
    def points(self) -> float:
        """W x R x A."""
        return self.point_units / UNIT


@dataclass(frozen=True, slots=True)
class Pool:
    """The tournaments with a result that counts in one rating, and these results.

    `excluded` has the tournaments that a rule keeps out, `weights` each tournament's W by stage. The places of
    all tournaments, in order of the tournament's id, are numbered through as *cells*, `size` of them: a
    tournament's run begins at `first_cells`, and `cells` has each player's results, in order.
    """

    ranking: Ranking
    tournaments: Mapping[int, Tournament]
    excluded: Mapping[int, Exclusion]
    players: Mapping[int, Player]
    weights: Mapping[int, tuple[Weight, ...]]
    first_cells: Mapping[int, int]
    size: int
    cells: Mapping[int, list[int]]

    def places_of(self, player_id: int) -> list[tuple[int, int]]:
        """A player's results, in the window or not: tournament and place, by the tournament's id."""
        ids, firsts = list(self.first_cells), list(self.first_cells.values())
        runs = [(bisect_right(firsts, cell) - 1, cell) for cell in self.cells.get(player_id, ())]
        return [(ids[run], cell - firsts[run] + 1) for run, cell in runs]

    def results_of(self, player_id: int, day: date) -> list[CountedResult]:
        """A player's results in the window of `day`, by the tournament's id."""
        found = []
        for tournament_id, place in self.places_of(player_id):
            tournament = self.tournaments[tournament_id]
            sevenths = sevenths_on(tournament.last_day, day)
            if sevenths:
                found.append(
                    CountedResult(
                        tournament_id=tournament_id,
                        last_day=tournament.last_day,
                        place=place,
                        participants=tournament.participants,
                        base_rank=base_rank(place, tournament.participants),
                        weight=weight_at(self.weights[tournament_id], place),
                        months=months_between(tournament.last_day, day),
                        sevenths=sevenths,
                    )
                )
        return found


def gather(
    facts: RankingFacts,
    ranking: Ranking,
    rules: RankingRules = RankingRules(),  # noqa: B008 - a frozen value
    only: Collection[int] | None = None,
) -> Pool:
    """The results of `facts` that count in `ranking`.

    Which tournaments count is computed from their facts, unless the caller names them in `only`. Raises
    ValueError for a result of an unknown tournament, for a place that the tournament does not have, and for two
    results of one player in one tournament.
    """
    by_tournament = _by_tournament(facts)
    excluded = {} if only is not None else _excluded(facts, by_tournament, ranking, rules)
    listed = _listed(facts, ranking, rules)
    hidden = {player.id for player in facts.players.values() if not player.shown}
    first_cells: dict[int, int] = {}
    size = 0
    cells: defaultdict[int, list[int]] = defaultdict(list)
    for tournament_id in sorted(by_tournament if only is None else by_tournament.keys() & only):
        results = by_tournament[tournament_id]
        if tournament_id in excluded or not any(counts and player in listed for _, player, _, counts in results):
            continue
        first_cells[tournament_id] = size
        before = size - 1
        participants = facts.tournaments[tournament_id].participants
        size += participants
        for _, player, place, counts in results:
            if counts and player in listed:
                if not 1 <= place <= participants:
                    raise ValueError(f"Tournament {tournament_id} has no place {place} among {participants}.")
                if player not in hidden:
                    cells[player].append(before + place)
    return Pool(
        ranking,
        tournaments={tournament_id: facts.tournaments[tournament_id] for tournament_id in first_cells},
        excluded=excluded,
        players=facts.players,
        weights={tournament_id: weights(facts.tournaments[tournament_id]) for tournament_id in first_cells},
        first_cells=first_cells,
        size=size,
        cells=dict(cells),
    )


def _by_tournament(facts: RankingFacts) -> dict[int, list[PlainResult]]:
    found: dict[int, list[PlainResult]] = {tournament_id: [] for tournament_id in facts.tournaments}
    try:
        for result in facts.results:
            found[result[0]].append(result)
    except KeyError as unknown:
        raise ValueError(f"There is a result of tournament {unknown.args[0]}, which is unknown.") from None
    for tournament_id, results in found.items():
        if len({player for _, player, _, _ in results}) != len(results):
            raise ValueError(f"A player has two results in tournament {tournament_id}.")
    return found


def _excluded(
    facts: RankingFacts, by_tournament: Mapping[int, list[PlainResult]], ranking: Ranking, rules: RankingRules
) -> dict[int, Exclusion]:
    home = {player.id for player in facts.players.values() if player.country == rules.home_country}
    found = {}
    for tournament_id, tournament in facts.tournaments.items():
        results = by_tournament[tournament_id]
        home_player = any(counts and player in home for _, player, _, counts in results)
        reason = exclusion(tournament, ranking, rules, home_player)
        if reason is not None:
            found[tournament_id] = reason
    return found


def _listed(facts: RankingFacts, ranking: Ranking, rules: RankingRules) -> set[int]:
    """The players whose results count."""
    if ranking is Ranking.ONLINE or not rules.home_players_only:
        return {player for _, player, _, _ in facts.results}
    return {player.id for player in facts.players.values() if player.country == rules.home_country}
