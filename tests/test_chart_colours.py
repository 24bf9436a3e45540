"""The colours of charts: they stand out from the ground and differ for every kind of sight."""

from __future__ import annotations

import itertools
import math

import pytest

from bot.render.charts.palette import BANDS, DEMOTION, GROUND, INK, LINES, MUTED, PROMOTION
from tests.chart_help import rgb


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    red, green, blue = map(_linear, rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    share = part / 255
    return float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_published() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


def test_everything_stands_out_from_the_ground() -> None:
    for behind in (GROUND, *BANDS):
        for colour in (*(line.colour for line in LINES), INK, MUTED, PROMOTION, DEMOTION):
            assert contrast(colour, behind) >= 3.5, (colour, behind)
    assert luminance(GROUND) < 0.05


# Machado, Oliveira and Fernandes 2009, severity 1.0; linear RGB.
SIGHTS = {
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def lab(colour: str, sight: str) -> tuple[float, float, float]:
    """CIELAB coordinates (D65) of a colour as it is seen."""
    linear = tuple(map(_linear, rgb(colour)))
    seen = [
        min(max(math.fsum(a * b for a, b in zip(row, linear, strict=True)), 0.0), 1.0) for row in SIGHTS[sight]
    ]
    red, green, blue = seen
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
def test_curves_differ_for_every_kind_of_sight(sight: str) -> None:
    for one, other in itertools.combinations(LINES, 2):
        assert math.dist(lab(one.colour, sight), lab(other.colour, sight)) > 20, (one, other)
    assert math.dist(lab(PROMOTION, sight), lab(DEMOTION, sight)) > 20


def test_curves_differ_without_any_colour() -> None:
    assert len({line.dashes for line in LINES}) == len({line.shape for line in LINES}) == len(LINES) == 4
