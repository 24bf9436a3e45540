"""Pictures of standings over time: values in, a drawing or the bytes of its PNG out."""

from __future__ import annotations

from bot.render.charts.chart import (
    HEIGHT,
    WIDTH,
    comparison_chart,
    comparison_drawing,
    history_chart,
    history_drawing,
)
from bot.render.charts.drawing import Drawing
from bot.render.charts.scales import Figures, Ladder, Scale
from bot.render.charts.values import Curve, Over, Point

__all__ = [
    "HEIGHT",
    "WIDTH",
    "Curve",
    "Drawing",
    "Figures",
    "Ladder",
    "Over",
    "Point",
    "Scale",
    "comparison_chart",
    "comparison_drawing",
    "history_chart",
    "history_drawing",
]
