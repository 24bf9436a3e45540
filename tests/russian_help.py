"""What the tests of RR, CRR and Online share: a few players, the results of tournaments, and what moved."""

from __future__ import annotations

from datetime import date

from ratings.systems.russian import Player, Ranking, RankingFacts, Result, Tournament
from tests.ranking_help import cup

__all__ = ["ANN", "BASE", "BASE_RESULTS", "BOB", "CRR", "DAY", "EVE", "KIM", "ONLINE", "PLAYERS", "RR", "facts_of"]

RR, CRR, ONLINE = Ranking
DAY = date(2025, 6, 30)
ANN, BOB, EVE, KIM = 1, 2, 3, 4
PLAYERS = {
    ANN: Player(ANN, "RU", "Ann"),
    BOB: Player(BOB, "RU", "Bob"),
    EVE: Player(EVE, "RU", "Eve"),
    KIM: Player(KIM, "KZ", "Kim"),
}


def facts_of(
    *tournaments: Tournament, results: list[tuple[int, int, int]], absent: int | None = None
) -> RankingFacts:
    """Results as (tournament, player, place); those of `absent` do not count."""
    return RankingFacts(
        {tournament.id: tournament for tournament in tournaments},
        [Result(*result, counts=result[1] != absent) for result in results],
        PLAYERS,
    )


BASE = (cup(1), cup(2, last_day=date(2025, 4, 6)))
BASE_RESULTS = [(1, ANN, 5), (2, ANN, 8), (1, BOB, 6), (2, BOB, 2)]
