"""Colours on Discord's dark ground, sizes of type, and what else tells curves apart."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BANDS",
    "BODY",
    "DEMOTION",
    "GRID",
    "GROUND",
    "INK",
    "LINES",
    "MARGIN",
    "MUTED",
    "PROMOTION",
    "SMALL",
    "TITLE",
    "Line",
]

# In pixels, for a picture of 1000 that a phone shows at a third of its size.
MARGIN = 28
TITLE, BODY, SMALL = 36, 28, 22

GROUND = "#313338"
BANDS = ("#393b41", "#43464d")
GRID = "#50535b"
INK = "#f2f3f5"
MUTED = "#c4c9ce"
PROMOTION = "#a0f0d0"
DEMOTION = "#ff8a5c"


@dataclass(frozen=True, slots=True)
class Line:
    """A curve's colour, the pattern of its dashes in pixels ("" for none) and the shape of its markers."""

    colour: str
    dashes: str
    shape: str


# They keep apart, in brightness or in hue, also for eyes that tell red from green or blue from yellow badly.
LINES = (
    Line("#6fb1ff", "", "circle"),
    Line("#f5863c", "18 8", "square"),
    Line("#fff6a0", "2 9", "diamond"),
    Line("#efa6d0", "18 8 2 8", "up"),
)
