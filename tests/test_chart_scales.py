"""The upright scales of charts: ranks in bands, round ticks, and what is left of very many games."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.charts import Figures, Ladder, Point
from bot.render.charts.scales import round_ticks
from bot.render.charts.thinning import thin
from ratings.systems import tenhou


def test_a_rank_begins_where_the_one_below_ends() -> None:
    for players in (3, 4):
        ladder = Ladder(players)
        for rank in tenhou.RANKS[:-1]:
            target = rank.target(players)
            assert target is not None
            top = ladder.height(Point(0, target, rank.index))
            assert top == pytest.approx(ladder.height(Point(0, 0, rank.index + 1))) or rank.index == 19
            assert ladder.height(Point(0, 0, rank.index)) < ladder.height(Point(0, target / 2, rank.index)) < top


def test_a_dan_begins_in_the_middle_of_its_band() -> None:
    height = Ladder(4).height(Point(0, 600, 12))
    axis = Ladder(4).axis(height, height, 5)
    (band,) = axis.bands
    assert band.name == "三段"
    assert (axis.low, axis.high) == (band.low, band.high)
    assert band.base is not None
    assert band.target is not None
    assert band.base.label == "600"
    assert band.base.at == pytest.approx((band.low + band.high) / 2)
    assert (band.target.label, band.target.at) == ("1200", band.high)


def test_bands_cover_every_rank_in_between() -> None:
    ladder = Ladder(3)
    axis = ladder.axis(ladder.height(Point(0, 99, 9)), ladder.height(Point(0, 0, 20)), 5)
    assert [band.name for band in axis.bands] == [rank.name for rank in tenhou.RANKS[9:]]
    assert axis.bands[-1].target is None
    for below, above in itertools.pairwise(axis.bands):
        assert below.high == above.low


def test_points_are_put_into_words() -> None:
    assert Ladder(4).figure(Point(0, 450, 12)) == "三段 450/1200"
    assert Ladder(3).figure(Point(0, 5, 0)) == "新人 5/30"
    assert Ladder(4).figure(Point(0, 0, 20)) == "天鳳位"
    assert Figures().figure(Point(0, 1623.4)) == "1,623"
    assert Figures(1).figure(Point(0, -12.54)) == "−12.5"
    assert Figures(1).figure(Point(0, -0.04)) == "0.0"
    assert Figures().figure(Point(0, -2e15)) == "−2e+15"


@given(st.floats(-1e9, 1e9), st.floats(0.01, 1e9), st.integers(2, 9))
def test_ticks_are_few_round_and_within(low: float, span: float, most: int) -> None:
    ticks = list(round_ticks(low, low + span, most))
    assert len(ticks) <= most + 1
    assert all(low - span * 1e-6 <= tick.at <= low + span * (1 + 1e-6) for tick in ticks)
    assert len({tick.label for tick in ticks}) == len(ticks)


def test_ticks_are_the_figures_people_expect() -> None:
    assert [tick.label for tick in round_ticks(1380, 1830, 5)] == ["1,400", "1,500", "1,600", "1,700", "1,800"]
    assert [tick.label for tick in round_ticks(-0.25, 0.25, 3)] == ["−0.2", "0.0", "0.2"]


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(-9, 9)), max_size=200))
def test_thinning_keeps_ends_and_peaks_of_every_column(spots: list[tuple[float, float]]) -> None:
    spots.sort(key=lambda spot: spot[0])
    thinned = list(thin(spots, 1.0))
    rest = iter(spots)
    assert all(spot in rest for spot in thinned)
    for column in range(21):
        whole = [spot for spot in spots if int(spot[0]) == column]
        kept = [spot for spot in thinned if int(spot[0]) == column]
        assert len(kept) <= 4
        if whole:
            assert (kept[0], kept[-1]) == (whole[0], whole[-1])
            assert min(y for _, y in kept) == min(y for _, y in whole)
            assert max(y for _, y in kept) == max(y for _, y in whole)
