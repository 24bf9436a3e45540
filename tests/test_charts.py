"""Charts: that they show what was played, whole and within the picture, and are the same everywhere."""

from __future__ import annotations

import gettext
import itertools
import math
import os
import re
import subprocess
import sys

import pytest

from bot.render.charts import HEIGHT, WIDTH, Curve, Figures, Ladder, Over, Point, comparison_chart, history_chart
from bot.render.charts.drawing import Drawing
from bot.render.charts.palette import DEMOTION, GROUND, INK, LINES, PROMOTION
from bot.texts import Texts
from ratings.systems import tenhou
from tests.chart_help import DAY, NAMES, START, TEXTS, TOKYO, history, rgb, upper_rows

PLOT_TOP = 112


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every picture that is drawn from here on, as SVG."""
    kept: list[str] = []
    turn_into_png = Drawing.png

    def png(drawing: Drawing) -> bytes:
        kept.append(drawing.svg())
        return turn_into_png(drawing)

    monkeypatch.setattr(Drawing, "png", png)
    return kept


def curve_of(picture: str, colour: str) -> list[tuple[float, float]]:
    """The spots (x, y) of the curve of a colour; the legend shows two spots only, above."""
    lines = re.findall(rf'<polyline points="([^"]*)"[^>]* stroke="{colour}"', picture)
    return [(float(x), float(y)) for x, y in (spot.split(",") for spot in lines[-1].split())] if lines else []


def markers_of(picture: str, colour: str) -> list[tuple[float, float]]:
    """Where the markers of a colour are, in the plot."""
    found = re.findall(rf'translate\(([\d.]+) ([\d.]+)\) scale\(\d+\)" fill="{colour}"', picture)
    return [(float(x), float(y)) for x, y in found if float(y) > PLOT_TOP - 1]


def said(picture: str, text: str) -> list[float]:
    """The rows on which a picture says this text."""
    (words,) = re.findall(r"<g [^>]*>(.+)</g>", _line_of(text))
    return [float(y) for y in re.findall(rf"translate\([\d.-]+ ([\d.]+)\)[^>]*>{re.escape(words)}</g>", picture)]


def _line_of(text: str) -> str:
    drawing = Drawing(1, 1, GROUND)
    drawing.text(0, 0, text, 28, INK)
    return drawing.svg()


def test_a_chart_is_a_dark_opaque_png_of_its_size() -> None:
    assert (WIDTH, HEIGHT) == (1000, 600)
    rows = upper_rows(history_chart(TEXTS, "R", history([1500, 1520, 1490]), Figures(), TOKYO), 60)
    assert {alpha for row in rows for alpha in row[3::4]} == {255}
    assert rows[0] == bytes((*rgb(GROUND), 255)) * WIDTH
    title = {row[at : at + 3] for row in rows[15:50] for at in range(0, WIDTH * 4, 4)}
    assert {bytes(rgb(GROUND)), bytes(rgb(INK))} < title


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1500.0], Figures()),
        ([1500.0] * 9, Figures(1)),
        ([0.0, 0.0], Figures(2)),
        ([1e15, -1e18, 3.0], Figures(1)),
        ([9.9e299, -9.9e299], Figures()),
        ([1e12, 1e12 + 1], Figures()),
        ([1e18, 1e18], Figures(1)),
        ([-5e299], Figures()),
        ([1500.0, 1500.0 + 2.3e-13], Figures(2)),
        ([-0.04, -0.05], Figures(1)),
        ([1e-300, -1e-300], Figures()),
    ],
)
def test_any_values_stay_within_the_plot(pictures: list[str], values: list[float], scale: Figures) -> None:
    history_chart(TEXTS, "R", history(values), scale, TOKYO)
    spots = curve_of(pictures[0], LINES[0].colour)
    assert len(spots) == len(values)
    assert all(PLOT_TOP <= y <= HEIGHT - 50 and 28 <= x <= WIDTH - 28 for x, y in spots)
    assert "nan" not in pictures[0]
    assert "inf" not in pictures[0]


@pytest.mark.parametrize("over", Over)
@pytest.mark.parametrize("games", [1, 2, 3, 50])
def test_a_history_fills_the_picture(pictures: list[str], games: int, over: Over) -> None:
    history_chart(TEXTS, "R", history(range(0, 100 * games, 100)), Figures(), TOKYO, over)
    spots = curve_of(pictures[0], LINES[0].colour)
    assert len(spots) == games
    if games > 1:
        assert spots[-1][0] - spots[0][0] > 750
        assert spots[0][1] - spots[-1][1] > 300


def test_an_empty_history_says_so(pictures: list[str]) -> None:
    history_chart(TEXTS, "R", Curve("Ann", []), Figures(), TOKYO)
    assert said(pictures[0], "Nothing to show yet.")
    assert len(curve_of(pictures[0], LINES[0].colour)) == 2
    assert markers_of(pictures[0], LINES[0].colour) == []


@pytest.mark.parametrize(
    ("games", "marks"), [(1, ["1 game"]), (3, ["1", "2", "3 games"]), (2400, ["500", "1500", "2000 games"])]
)
def test_games_are_counted_below(pictures: list[str], games: int, marks: list[str]) -> None:
    history_chart(TEXTS, "R", history([0.5] * games), Figures(9), TOKYO, Over.GAMES)
    assert all(len(said(pictures[0], mark)) == 1 and said(pictures[0], mark)[0] > 570 for mark in marks)


def test_games_are_spread_evenly_and_moments_by_the_clock(pictures: list[str]) -> None:
    curve = Curve("Ann", [Point(START, 0), Point(START + DAY, 9), Point(START + 100 * DAY, 0)])
    for over in Over:
        history_chart(TEXTS, "R", curve, Figures(), TOKYO, over)
    by_time, by_games = (curve_of(picture, LINES[0].colour) for picture in pictures)
    for spots, share in ((by_time, 0.01), (by_games, 0.5)):
        (first, _), (second, _), (third, _) = spots
        assert (second - first) / (third - first) == pytest.approx(share, abs=0.001)


def test_a_single_game_in_a_hundred_thousand_still_shows(pictures: list[str]) -> None:
    values = [1500.0] * 100_000
    values[54_321], values[77_777] = 2000.0, 1000.0
    history_chart(TEXTS, "R", history(values, every=600), Figures(), TOKYO)
    spots = curve_of(pictures[0], LINES[0].colour)
    assert len(spots) < 4 * WIDTH
    left, across = spots[0][0], spots[-1][0] - spots[0][0]
    peak, pit = (pick(spots, key=lambda spot: spot[1]) for pick in (min, max))
    assert (peak[0] - left) / across == pytest.approx(0.54321, abs=0.0002)
    assert (pit[0] - left) / across == pytest.approx(0.77777, abs=0.0002)
    assert pit[1] - peak[1] > 350


def test_promotions_and_demotions_are_marked(pictures: list[str]) -> None:
    def marked(*ranks: int) -> tuple[int, int]:
        points = [Point(START + DAY * day, 50 + day, rank) for day, rank in enumerate(ranks)]
        history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(4), TOKYO)
        spots = set(curve_of(pictures[-1], LINES[0].colour))
        up, down = markers_of(pictures[-1], PROMOTION), markers_of(pictures[-1], DEMOTION)
        assert spots >= {*up, *down}
        return len(up), len(down)

    assert marked(9, 9, 9) == (0, 0)
    assert marked(9, 9, 10) == (1, 0)
    assert marked(11, 10, 10) == (0, 1)
    assert marked(9, 10, 9, 9, 10, 11) == (3, 1)


def test_marks_of_promotions_do_not_pile_up(pictures: list[str]) -> None:
    points = [Point(START + number, 50, 9 + number % 2) for number in range(5000)]
    history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(4), TOKYO)
    for colour in (PROMOTION, DEMOTION):
        columns = [x for x, _ in markers_of(pictures[0], colour)]
        assert 20 < len(columns) < 50
        assert all(right - left > 19.8 for left, right in itertools.pairwise(columns))


def test_the_legend_has_name_present_and_highest(pictures: list[str]) -> None:
    history_chart(TEXTS, "R rating", history([1500, 1634.4, 1580.6]), Figures(), TOKYO)
    points = [Point(START, 390, 10), Point(START + DAY, 400, 11), Point(START + 2 * DAY, 200, 10)]
    history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(4), TOKYO)
    for picture, words in (
        (pictures[0], ("R rating", "Ann", "1,581", "highest 1,634")),
        (pictures[1], ("Rank", "Ann", "初段 200/400", "highest 二段 400/800")),
    ):
        assert all(len(said(picture, each)) == 1 and said(picture, each)[0] < PLOT_TOP for each in words)


def test_names_of_ranks_stand_beside_their_bands_without_touching(pictures: list[str]) -> None:
    points = [Point(START + DAY * rank.index, rank.base, rank.index) for rank in tenhou.RANKS]
    history_chart(TEXTS, "Rank", Curve("Ann", points[:20]), Ladder(4), TOKYO)
    history_chart(TEXTS, "Rank", Curve("Ann", points[11:14]), Ladder(4), TOKYO)
    rows = [said(pictures[0], rank.name)[-1:] for rank in tenhou.RANKS[:20]]
    shown = [row for each in rows for row in each if row > PLOT_TOP]
    assert len(shown) >= 12
    assert all(lower - upper >= 22 for lower, upper in itertools.pairwise(shown))
    for name, target, base in (("二段", "800", "400"), ("三段", "1200", "600"), ("四段", "1600", "800")):
        (row,) = {row for row in said(pictures[1], name) if row > PLOT_TOP}
        assert min(abs(row - each) for each in said(pictures[1], base)) < 5
        assert any(30 < row - each < 90 for each in said(pictures[1], target))


@pytest.mark.parametrize("players", [3, 4])
def test_the_whole_ladder_fits_into_a_picture(pictures: list[str], players: int) -> None:
    points = [Point(START + DAY * rank.index, rank.base, rank.index) for rank in tenhou.RANKS]
    history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(players), TOKYO)
    rows = [y for _, y in curve_of(pictures[0], LINES[0].colour)]
    assert len(rows) == 21
    assert rows == sorted(rows, reverse=True)
    assert PLOT_TOP < rows[-1] < rows[0] <= HEIGHT - 50


def test_each_player_of_a_comparison_has_a_line_of_his_own(pictures: list[str]) -> None:
    curves = [Curve(name, history([number, number + 1]).points) for number, name in enumerate(NAMES[:4])]
    for count in (2, 3, 4):
        comparison_chart(TEXTS, "R", curves[:count], Figures(), TOKYO)
        found = [curve_of(pictures[-1], line.colour) for line in LINES]
        assert list(map(len, found)) == [2] * count + [0] * (4 - count)
        starts = [spots[0][1] for spots in found[:count]]
        assert starts == sorted(starts, reverse=True)
        for line, curve in zip(LINES, curves[:count], strict=False):
            assert f'stroke="{line.colour}" stroke-width="4"' in pictures[-1]
            # Once in the legend, once in the plot.
            assert not line.dashes or pictures[-1].count(f'stroke-dasharray="{line.dashes}"') == 2
            assert said(pictures[-1], curve.name)


def test_curves_of_a_comparison_share_one_clock(pictures: list[str]) -> None:
    early, late = history([1, 1]), Curve("B", [Point(START + 3 * DAY, 1), Point(START + 4 * DAY, 1)])
    comparison_chart(TEXTS, "R", [early, late], Figures(), TOKYO)
    (a, _), (b, _) = curve_of(pictures[0], LINES[0].colour)
    (c, _), (d, _) = curve_of(pictures[0], LINES[1].colour)
    assert (c - a) / (b - a) == pytest.approx(3, abs=0.01)
    assert (d - a) / (b - a) == pytest.approx(4, abs=0.01)


def test_whoever_has_not_played_yet_is_named_beside_the_others(pictures: list[str]) -> None:
    comparison_chart(TEXTS, "R", [history([1500, 1510]), Curve("千秋", [])], Figures(), TOKYO)
    assert said(pictures[0], "千秋")
    assert said(pictures[0], "–")
    assert curve_of(pictures[0], LINES[0].colour)[-1][1] > PLOT_TOP + 42
    assert curve_of(pictures[0], LINES[1].colour)[-1][1] < PLOT_TOP + 42
    comparison_chart(TEXTS, "R", [Curve("A", []), Curve("B", [])], Figures(), TOKYO)
    assert said(pictures[1], "Nothing to show yet.")


def test_what_cannot_be_drawn_is_refused() -> None:
    one, odd = history([1]), history([1, 2])
    for curves in ([one], [one] * 5):
        with pytest.raises(ValueError, match="two to four"):
            comparison_chart(TEXTS, "R", curves, Figures(), TOKYO)
    for value in (math.nan, math.inf, -math.inf, 1e300):
        with pytest.raises(ValueError, match="no room"):
            history_chart(TEXTS, "R", history([1, value]), Figures(), TOKYO)
    with pytest.raises(ValueError, match="needs a rank"):
        history_chart(TEXTS, "Rank", odd, Ladder(4), TOKYO)


def test_a_picture_is_the_same_in_every_process_and_libraries_wait_for_the_first() -> None:
    program = """
import sys
from zoneinfo import ZoneInfo
from bot.render.charts import Curve, Ladder, Point, history_chart
from bot.texts import texts_for
libraries = {"resvg_py", "uharfbuzz"}
assert not libraries & sys.modules.keys()
curve = Curve("千秋 🀄 Борис", [Point(1_700_000_000, 5, 3), Point(1_700_900_000, 0, 4)])
picture = history_chart(texts_for(None), "段位", curve, Ladder(4), ZoneInfo("Asia/Tokyo"))
assert libraries <= sys.modules.keys()
sys.stdout.buffer.write(picture)
"""
    pictures = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed, language in (("1", "C.UTF-8"), ("2", "ja_JP.UTF-8"))
    }
    curve = Curve("千秋 🀄 Борис", [Point(1_700_000_000, 5, 3), Point(1_700_900_000, 0, 4)])
    assert pictures == {history_chart(TEXTS, "段位", curve, Ladder(4), TOKYO)}


def test_words_in_a_chart_are_translated(pictures: list[str]) -> None:
    class Japanese(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return {"highest {figure}": "最高 {figure}", "(no name)": "無名", "Nothing to show yet.": "未対局"}[
                message
            ]

        def ngettext(self, one: str, many: str, number: int) -> str:
            assert many == "{number} games"
            return "{number}回"

    texts = Texts(Japanese())
    history_chart(texts, "R", Curve("𒀀", history([1, 2, 3]).points), Figures(), TOKYO, Over.GAMES)
    history_chart(texts, "R", Curve("Ann", []), Figures(), TOKYO)
    assert all(said(pictures[0], words) for words in ("最高 3", "無名", "3回"))
    assert said(pictures[1], "未対局")
