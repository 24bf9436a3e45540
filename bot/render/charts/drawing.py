"""A picture as it is drawn: rectangles, lines, markers and text, written as SVG and turned into a PNG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.render.charts.faces import EM
from bot.render.charts.lettering import letter

__all__ = ["Anchor", "Drawing", "Spot"]

Anchor = Literal["start", "middle", "end"]
Spot = tuple[float, float]

# Closed shapes around 0, 0 that reach about 1 to each side.
SHAPES = {
    "square": "M-.9-.9H.9V.9H-.9Z",
    "diamond": "M0-1.25L1.25 0L0 1.25L-1.25 0Z",
    "up": "M0-1.2L1.2.9H-1.2Z",
    "down": "M0 1.2L1.2-.9H-1.2Z",
    "circle": "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1-1 0Z",
}


class Drawing:
    """A picture of a width and a height in pixels on a ground of one colour. Later parts cover earlier ones."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self.width, self.height, self.ground = width, height, ground
        self._parts: list[str] = []

    def rectangle(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        """A filled rectangle."""
        size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
        self._parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="{colour}"/>')

    def line(
        self, spots: Iterable[Spot], colour: str, thickness: float, dashes: str = "", halo: float = 0.0
    ) -> None:
        """A line through all spots, set off by `halo` pixels of the ground on each side."""
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        common = f'points="{points}" fill="none"'
        if halo:
            # Plain joins: nobody sees them in a halo, and they are quicker.
            ground = f'stroke="{self.ground}" stroke-width="{thickness + 2 * halo}" stroke-linejoin="bevel"'
            self._parts.append(f"<polyline {common} {ground}/>")
        ends = 'stroke-linejoin="round" stroke-linecap="round"'
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self._parts.append(f'<polyline {common} {ends} stroke="{colour}" stroke-width="{thickness}"{dashed}/>')

    def marker(self, spot: Spot, shape: str, radius: float, colour: str) -> None:
        """One of SHAPES, set off from what lies below."""
        x, y = spot
        place = f'transform="translate({x:.1f} {y:.1f}) scale({radius})"'
        edge = f'stroke="{self.ground}" stroke-width="{2 / radius:.2f}"'
        self._parts.append(f'<path d="{SHAPES[shape]}" {place} fill="{colour}" {edge}/>')

    def text(self, x: float, y: float, text: str, size: float, colour: str, anchor: Anchor = "start") -> None:
        """A line of text on a base line, as outlines: the picture needs no font."""
        lettering = letter(text)
        scale = size / EM
        x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * lettering.width * scale
        place = f'transform="translate({x:.1f} {y:.1f}) scale({scale:.4f} {-scale:.4f})"'
        paths = (f'<path transform="translate({dx} {dy})" d="{path}"/>' for path, dx, dy in lettering.outlines)
        self._parts.append(f'<g {place} fill="{colour}">{"".join(paths)}</g>')

    def svg(self) -> str:
        """The picture as an SVG document."""
        size = f'width="{self.width}" height="{self.height}"'
        ground = f'<rect {size} fill="{self.ground}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{"".join(self._parts)}</svg>'

    def png(self) -> bytes:
        """The picture as a PNG."""
        # Here, so that a bot that draws no charts does not carry the library.
        from resvg_py import svg_to_bytes

        return svg_to_bytes(svg_string=self.svg(), skip_system_fonts=True)
