"""Ratings that are equal, though their last bits differ because they were added up in another order."""

from __future__ import annotations

from datetime import date

import pytest

from bot.render.rankings import ratings_text
from ratings.systems import russian
from ratings.systems.russian import Moment, Player, Pool, Ranking, RankingFacts, Row
from tests.ranking_help import cup

DAY = date(2025, 7, 1)
CUPS = {
    1: cup(1, last_day=date(2025, 3, 1), hanchan=4, participants=20),
    2: cup(2, last_day=date(2025, 4, 1), hanchan=8),
    3: cup(3, last_day=date(2025, 1, 1), hanchan=4, participants=20),
}
# 18 + 15 and 16 + 17 are the same number of places behind the first; somebody else makes the third cup count.
RESULTS = [(1, 1, 18), (3, 1, 15), (1, 2, 16), (3, 2, 17), (2, 3, 1)]


def pool(*names: str) -> Pool:
    """The results of players who are called so."""
    known = {number: Player(number, "RU", name) for number, name in enumerate(names, 1)}
    return russian.gather(RankingFacts(CUPS, [(*each, True) for each in RESULTS], known), Ranking.RR)


@pytest.mark.parametrize("names", [("Ann", "Bob", "Zoe"), ("Bob", "Ann", "Zoe")])
def test_equal_ratings_go_by_name_to_the_last_bit(names: tuple[str, ...]) -> None:
    held = pool(*names)
    rows = russian.table(held, DAY).rows
    assert rows[0].rating != rows[1].rating
    assert rows[0].rating == pytest.approx(rows[1].rating, rel=1e-14)
    assert [held.players[row.player_id].name for row in rows] == ["Ann", "Bob"]
    assert ratings_text(rows) == ["81", "81"]
    # The table's ratings are those of the explanations, to the last bit.
    assert [russian.explain(held, row.player_id, DAY).rating for row in rows] == [row.rating for row in rows]


def test_ratings_that_differ_at_all_are_told_apart() -> None:
    rows = [Row(place, place, rating, 0, 0, 2) for place, rating in enumerate((81.39, 81.389, 81.2), 1)]
    assert ratings_text(rows) == ["81.390", "81.389", "81.2"]
    rows = [Row(place, place, rating, 0, 0, 2) for place, rating in enumerate((81.39, 81.38, 81.38 - 1e-12), 1)]
    assert ratings_text(rows) == ["81.39", "81.38", "81.38"]


def test_nobody_moves_by_a_last_bit() -> None:
    one, other = pool("Ann", "Bob", "Zoe"), pool("Ann", "Bob", "Zoe")
    swapped = {**other.cells, 1: other.cells[2], 2: other.cells[1]}
    turned = Pool(
        other.ranking,
        tournaments=other.tournaments,
        excluded=other.excluded,
        players=other.players,
        weights=other.weights,
        first_cells=other.first_cells,
        size=other.size,
        cells=swapped,
    )
    assert {row.player_id: row.rating for row in russian.table(one, DAY).rows} != {
        row.player_id: row.rating for row in russian.table(turned, DAY).rows
    }
    assert russian.changes(Moment(one, DAY), Moment(turned, DAY)) == []
