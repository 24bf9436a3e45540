"""The marks below a chart: their labels never run into each other, nor out of the picture."""

from __future__ import annotations

import itertools
from zoneinfo import ZoneInfo

import pytest

from bot.render.charts import WIDTH, Curve, Figures, Ladder, Over, Point, history_drawing
from bot.render.charts.drawing import Anchor, Drawing
from bot.render.charts.lettering import width
from bot.render.charts.palette import BODY
from bot.render.charts.plot import LABEL_GAP
from bot.render.charts.scales import Scale
from tests.chart_help import START, TEXTS, TOKYO

UNDER_THE_PLOT = 550


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float, str]]:
    """Where the labels below the plot reach from left to right, and what they say, by row."""
    found: list[tuple[float, float, str]] = []
    write = Drawing.text

    def text(
        drawing: Drawing, x: float, y: float, words: str, size: float, colour: str, anchor: Anchor = "start"
    ) -> None:
        if y > UNDER_THE_PLOT and anchor == "middle" and words:
            half = width(words, BODY) / 2
            found.append((x - half, x + half, words))
        write(drawing, x, y, words, size, colour, anchor)

    monkeypatch.setattr(Drawing, "text", text)
    return found


def games(number: int, scale: Scale, values: tuple[float, float], rank: int | None = None) -> None:
    """Lay out a history of so many games that goes up and down between two values."""
    curve = Curve("Ann", [Point(START, values[game % 2], rank) for game in range(number)])
    history_drawing(TEXTS, "R", curve, scale, TOKYO, Over.GAMES)


@pytest.mark.parametrize(
    ("scale", "values", "rank"),
    [
        (Figures(1), (1500.0, 2400.0), None),
        (Figures(1), (9000.0, 20_000.0), None),
        (Figures(1), (1000.0, 1030.0), None),
        (Ladder(4), (700.0, 700.0), 12),
    ],
)
def test_counts_of_games_keep_apart(
    labels: list[tuple[float, float, str]], scale: Scale, values: tuple[float, float], rank: int | None
) -> None:
    for number in (*range(1, 60), *range(100, 12_000, 397), 1000, 5000, 10_000):
        labels.clear()
        games(number, scale, values, rank)
        assert labels[-1][2].endswith(("game", "games"))
        assert labels[0][0] >= 0
        assert labels[-1][1] <= WIDTH
        for (_, end, _), (start, _, _) in itertools.pairwise(labels):
            assert start - end >= LABEL_GAP, number


def test_the_last_count_but_one_gives_way(labels: list[tuple[float, float, str]]) -> None:
    games(5000, Figures(1), (1500.0, 2400.0))
    assert [words for _, _, words in labels] == ["1000", "2000", "3000", "5000 games"]
    labels.clear()
    games(4900, Figures(1), (1500.0, 2400.0))
    assert [words for _, _, words in labels] == ["1000", "2000", "3000", "4000 games"]


@pytest.mark.parametrize("zone", [TOKYO, ZoneInfo("UTC")])
def test_moments_keep_apart(labels: list[tuple[float, float, str]], zone: ZoneInfo) -> None:
    for span in (600, 5_000, 40_000, 90_000, 400_000, 3_000_000, 20_000_000, 90_000_000, 900_000_000):
        for shift in range(0, span, span // 9):
            labels.clear()
            curve = Curve("Ann", [Point(START + shift, 1500.0), Point(START + shift + span, 1600.0)])
            history_drawing(TEXTS, "R", curve, Figures(1), zone)
            # Days stand in a row of their own.
            for row in ([each for each in labels if (":" in each[2]) is clock] for clock in (True, False)):
                for (_, end, _), (start, _, _) in itertools.pairwise(row):
                    assert start - end >= LABEL_GAP, (span, shift)
