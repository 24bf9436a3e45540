"""The plot of a chart: axes, the bands of ranks, curves and their marks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from zoneinfo import ZoneInfo

from bot.render.charts.calendar import Moment, moments
from bot.render.charts.drawing import Drawing, Spot
from bot.render.charts.lettering import width
from bot.render.charts.palette import (
    BANDS,
    BODY,
    DEMOTION,
    GRID,
    INK,
    LINES,
    MARGIN,
    MUTED,
    PROMOTION,
    SMALL,
    Line,
)
from bot.render.charts.scales import Axis, Band, Scale, round_ticks
from bot.render.charts.thinning import thin
from bot.render.charts.values import Curve, Over
from bot.texts import Texts

__all__ = ["draw"]

HALF_A_DAY = 43_200
# Distances in pixels: between labels and what they label, labels and each other, ticks, markers of one curve.
LABEL_GAP, LABELS_APART, TICKS_APART, MARKERS_APART, CHANGES_APART = 12, 28, 60, 120, 20
LABEL_ROW, DAY_ROW = 52, 26
# A history as short as this shows each game; a band as high as this has room for its figures.
FEW_POINTS, FIGURED_BAND = 45, 72
# Beyond this many spots in a picture a line is drawn thinner.
DENSE = 1000
TOO_LARGE = 1e300


@dataclass(frozen=True, slots=True)
class Frame:
    """Where curves go, in pixels, and what the sides stand for."""

    left: float
    top: float
    right: float
    bottom: float
    start: float
    end: float
    axis: Axis

    def x(self, at: float) -> float:
        """The column of a moment or of a game's number."""
        return self.left + (at - self.start) / (self.end - self.start) * (self.right - self.left)

    def y(self, height: float) -> float:
        """The row of a height."""
        share = (height - self.axis.low) / (self.axis.high - self.axis.low)
        return self.bottom - share * (self.bottom - self.top)


def draw(
    texts: Texts,
    drawing: Drawing,
    top: float,
    curves: Sequence[Curve],
    scale: Scale,
    zone: ZoneInfo,
    over: Over,
) -> None:
    """Draw all curves, of which one has a point at least, from the row `top` down to the picture's lower edge.

    Raises ValueError for a value that is no number or TOO_LARGE, and for a point on a ladder without a rank.
    """
    ways = [_way(curve, scale, over) for curve in curves]
    start, end = _span([at for way in ways for at, _ in way], over)
    heights = [height for way in ways for _, height in way]
    axis = scale.axis(min(heights), max(heights), int((drawing.height - LABEL_ROW - top) // TICKS_APART))
    labels = [band.name for band in axis.bands] + [tick.label for tick in axis.ticks]
    left = MARGIN + max(width(label, BODY) for label in labels) + LABEL_GAP
    right = drawing.width - MARGIN - (width("0000", SMALL) if axis.bands else 0)
    marks = _marks(texts, start, end, zone, over, right - left)
    bottom = drawing.height - LABEL_ROW - (DAY_ROW if any(mark.day for mark in marks) else 0)
    frame = Frame(left, top, right, bottom, start, end, axis)
    _draw_heights(drawing, frame)
    _draw_marks(drawing, frame, marks)
    for number, (line, way) in enumerate(zip(LINES, ways, strict=False)):
        if way:
            _draw_way(drawing, frame, way, line, number, len(ways))
    if axis.bands and len(curves) == 1:
        _draw_changes(drawing, frame, curves[0], ways[0])


def _way(curve: Curve, scale: Scale, over: Over) -> list[Spot]:
    """A curve as pairs of a moment, or a game's number, and a height."""
    heights = list(map(scale.height, curve.points))
    if not all(abs(height) < TOO_LARGE for height in heights):
        raise ValueError("A chart has no room for numbers as large as this.")
    if over is Over.GAMES:
        return list(enumerate(heights, 1))
    return list(zip([point.at for point in curve.points], heights, strict=True))


def _span(moments_shown: Sequence[float], over: Over) -> tuple[float, float]:
    start, end = min(moments_shown), max(moments_shown)
    air = (end - start) * 0.02 or (HALF_A_DAY if over is Over.TIME else 0.9)
    return start - air, end + air


def _marks(texts: Texts, start: float, end: float, zone: ZoneInfo, over: Over, room: float) -> list[Moment]:
    if over is Over.TIME:
        return moments(start, end, zone, lambda example: int(room // (width(example, BODY) + LABELS_APART)))

    def games(number: float) -> str:
        return texts.ngettext("{number} game", "{number} games", int(number))

    # The last mark says what is counted: it is wider than those before it.
    apart = (width(games(end), BODY) + width(f"{end:.0f}", BODY)) / 2 + LABELS_APART
    ticks = [tick.at for tick in round_ticks(start, end, int(room // apart))]
    *others, last = [at for at in ticks if at >= 1 and at == int(at)]
    return [*(Moment(at, f"{at:.0f}") for at in others), Moment(last, games(last))]


def _draw_heights(drawing: Drawing, frame: Frame) -> None:
    for tick in frame.axis.ticks:
        y = frame.y(tick.at)
        drawing.line([(frame.left, y), (frame.right, y)], GRID, 2)
        drawing.text(frame.left - LABEL_GAP, y + BODY * 0.36, tick.label, BODY, MUTED, "end")
    named = -math.inf
    for number, band in enumerate(reversed(frame.axis.bands)):
        top, bottom = frame.y(band.high), frame.y(band.low)
        size = BODY if bottom - top >= BODY else SMALL
        drawing.rectangle(frame.left, top, frame.right, bottom, BANDS[number % 2])
        middle = (top + bottom) / 2
        if middle - size / 2 >= named:
            drawing.text(frame.left - LABEL_GAP, middle + size * 0.38, band.name, size, INK, "end")
            named = middle + size / 2
        if bottom - top >= FIGURED_BAND:
            _draw_figures(drawing, frame, band)


def _draw_figures(drawing: Drawing, frame: Frame, band: Band) -> None:
    """What a rank begins with and what promotes, beside its band."""
    if band.target is not None:
        drawing.text(frame.right + 6, frame.y(band.target.at) + SMALL * 0.9, band.target.label, SMALL, MUTED)
    if band.base is not None:
        y = frame.y(band.base.at)
        drawing.line([(frame.left, y), (frame.right, y)], GRID, 2, "2 8")
        drawing.text(frame.right + 6, y + SMALL * 0.36, band.base.label, SMALL, MUTED)


def _draw_marks(drawing: Drawing, frame: Frame, marks: Sequence[Moment]) -> None:
    placed = [(mark, _extents(drawing, frame, mark)) for mark in marks]
    if len(placed) > 1 and _touching(placed[-2][1], placed[-1][1]):
        # The last label is kept within the picture, and may come as far as to the one before it.
        del placed[-2]
    for mark, extents in placed:
        x = frame.x(mark.at)
        drawing.line([(x, frame.top), (x, frame.bottom + 8)], GRID, 2)
        for row, (label, (start, end)) in enumerate(zip((mark.label, mark.day), extents, strict=True)):
            y = frame.bottom + 36 + row * (BODY + 2)
            drawing.text((start + end) / 2, y, label, BODY, MUTED, "middle")


def _extents(drawing: Drawing, frame: Frame, mark: Moment) -> list[tuple[float, float]]:
    """From where to where the labels of a mark reach, row by row: below it, and within the picture."""
    found = []
    for label in (mark.label, mark.day):
        half = width(label, BODY) / 2
        middle = min(max(frame.x(mark.at), half + LABEL_GAP), drawing.width - half - LABEL_GAP)
        found.append((middle - half, middle + half))
    return found


def _touching(left: Sequence[tuple[float, float]], right: Sequence[tuple[float, float]]) -> bool:
    """Whether the labels of two marks come nearer to each other than LABEL_GAP."""
    return any(
        right_start - left_end < LABEL_GAP
        for (left_start, left_end), (right_start, right_end) in zip(left, right, strict=True)
        # A mark may have no day.
        if left_start < left_end and right_start < right_end
    )


def _draw_way(drawing: Drawing, frame: Frame, way: Sequence[Spot], line: Line, number: int, beside: int) -> None:
    """A curve, the `number`-th of `beside`, with markers by which to tell it from the others."""
    pixel = (frame.end - frame.start) / (frame.right - frame.left)
    thinned = [(frame.x(at), frame.y(height)) for at, height in thin(way, pixel)]
    alone = beside == 1
    thickness = 4 if len(thinned) < DENSE else 2
    drawing.line(thinned, line.colour, thickness, line.dashes, halo=0 if alone else 1.5)
    if not alone or len(way) <= FEW_POINTS:
        # Curves that run together show their markers in turns.
        last = thinned[0][0] - MARKERS_APART * (1 - number / beside)
        for x, y in thinned:
            if alone or x - last >= MARKERS_APART:
                drawing.marker((x, y), line.shape, 5 if alone else 7, line.colour)
                last = x
    drawing.marker(thinned[-1], line.shape, 9, line.colour)


def _draw_changes(drawing: Drawing, frame: Frame, curve: Curve, way: Sequence[Spot]) -> None:
    """A triangle at each promotion and demotion, as long as they do not crowd."""
    for shape, colour, spots in _changes(frame, curve, way):
        last = -math.inf
        for x, y in spots:
            if x - last >= CHANGES_APART:
                drawing.marker((x, y), shape, 10, colour)
                last = x


def _changes(frame: Frame, curve: Curve, way: Sequence[Spot]) -> Iterator[tuple[str, str, list[Spot]]]:
    steps = [
        ((after.rank or 0) - (before.rank or 0), frame.x(at), frame.y(height))
        for (before, after), (at, height) in zip(pairwise(curve.points), way[1:], strict=True)
        if after.rank != before.rank
    ]
    yield "up", PROMOTION, [(x, y) for change, x, y in steps if change > 0]
    yield "down", DEMOTION, [(x, y) for change, x, y in steps if change < 0]
