"""The charts of standings: one player's history, or several players beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from bot.render.charts import plot
from bot.render.charts.drawing import Drawing
from bot.render.charts.lettering import fitted, legible, width
from bot.render.charts.palette import BODY, GROUND, INK, LINES, MARGIN, MUTED, TITLE, Line
from bot.render.charts.scales import Scale
from bot.render.charts.values import Curve, Over
from bot.render.names import NAME_COLUMNS, plain_name
from bot.texts import Texts

__all__ = [
    "HEIGHT",
    "WIDTH",
    "comparison_chart",
    "comparison_drawing",
    "history_chart",
    "history_drawing",
]

WIDTH, HEIGHT = 1000, 600
TITLE_COLUMNS = 80
TITLE_ROW, LEGEND_ROW = 64, 42
# The piece of a curve that the legend shows, and the room between its parts.
SAMPLE, GAP = 66, 12


def history_chart(
    texts: Texts, title: str, curve: Curve, scale: Scale, zone: ZoneInfo, over: Over = Over.TIME
) -> bytes:
    """One player's way as a PNG of WIDTH x HEIGHT pixels, with his present and his highest standing in figures.

    On a ladder each rank is a band and promotions and demotions are marked. Drawing holds the interpreter for
    some tens of milliseconds, for long histories more: not for the event loop. Raises ValueError for a value
    that is no number or 1e300 and more, and for a point on a ladder without a rank.
    """
    return history_drawing(texts, title, curve, scale, zone, over).png()


def history_drawing(
    texts: Texts, title: str, curve: Curve, scale: Scale, zone: ZoneInfo, over: Over = Over.TIME
) -> Drawing:
    """The same as a drawing, for whoever makes the PNG elsewhere: that takes most of the time."""
    drawing = _titled(texts, title)
    highest = ""
    if curve.points:
        best = max(curve.points, key=scale.height)
        highest = texts.gettext("highest {figure}", figure=scale.figure(best))
        drawing.text(WIDTH - MARGIN, TITLE_ROW + BODY, highest, BODY, MUTED, "end")
    room = WIDTH - 2 * MARGIN - (width(highest, BODY) + 2 * GAP if highest else 0)
    _draw_entry(texts, drawing, (MARGIN, TITLE_ROW + BODY), curve, scale, LINES[0], room)
    return _finished(texts, drawing, 1, [curve], scale, zone, over)


def comparison_chart(texts: Texts, title: str, curves: Sequence[Curve], scale: Scale, zone: ZoneInfo) -> bytes:
    """Two to four players over time in one picture, told apart by colour, dashes and markers.

    Otherwise as `history_chart`; raises ValueError also for another number of players.
    """
    return comparison_drawing(texts, title, curves, scale, zone).png()


def comparison_drawing(texts: Texts, title: str, curves: Sequence[Curve], scale: Scale, zone: ZoneInfo) -> Drawing:
    """The same as a drawing, as of `history_drawing`."""
    if not 2 <= len(curves) <= len(LINES):
        raise ValueError(f"A comparison shows two to four players, not {len(curves)}.")
    drawing = _titled(texts, title)
    columns = 1 if len(curves) == 2 else 2
    room = (WIDTH - 2 * MARGIN - (columns - 1) * 2 * GAP) / columns
    for number, (curve, line) in enumerate(zip(curves, LINES, strict=False)):
        row, column = divmod(number, columns)
        corner = MARGIN + column * (room + 2 * GAP), TITLE_ROW + BODY + row * LEGEND_ROW
        _draw_entry(texts, drawing, corner, curve, scale, line, room)
    return _finished(texts, drawing, 2, curves, scale, zone, Over.TIME)


def _titled(texts: Texts, title: str) -> Drawing:
    drawing = Drawing(WIDTH, HEIGHT, GROUND)
    shown = fitted(_clean(texts, title, TITLE_COLUMNS), TITLE, WIDTH - 2 * MARGIN)
    drawing.text(MARGIN, TITLE_ROW - 18, shown, TITLE, INK)
    return drawing


def _clean(texts: Texts, name: str, columns: int) -> str:
    return legible(plain_name(texts, name, columns)) or texts.gettext("(no name)")


def _draw_entry(
    texts: Texts,
    drawing: Drawing,
    corner: tuple[float, float],
    curve: Curve,
    scale: Scale,
    line: Line,
    room: float,
) -> None:
    """A line of the legend: a piece of the curve, the name, and the last figure."""
    x, y = corner
    middle = y - BODY * 0.36
    drawing.line([(x, middle), (x + SAMPLE, middle)], line.colour, 4, line.dashes)
    drawing.marker((x + SAMPLE / 2, middle), line.shape, 8, line.colour)
    figure = scale.figure(curve.points[-1]) if curve.points else "–"
    x += SAMPLE + GAP
    room -= SAMPLE + 2 * GAP + width(figure, BODY)
    name = fitted(_clean(texts, curve.name, NAME_COLUMNS), BODY, room)
    drawing.text(x, y, name, BODY, INK)
    drawing.text(x + width(name, BODY) + GAP, y, figure, BODY, line.colour)


def _finished(
    texts: Texts, drawing: Drawing, rows: int, curves: Sequence[Curve], scale: Scale, zone: ZoneInfo, over: Over
) -> Drawing:
    top = TITLE_ROW + rows * LEGEND_ROW + 12
    if any(curve.points for curve in curves):
        plot.draw(texts, drawing, top, curves, scale, zone, over)
    else:
        nothing = texts.gettext("Nothing to show yet.")
        drawing.text(WIDTH / 2, (top + HEIGHT) / 2, nothing, TITLE, MUTED, "middle")
    return drawing
