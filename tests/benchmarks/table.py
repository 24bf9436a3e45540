"""Figures, and the table they are shown in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

__all__ = ["Row", "Sample", "at_most", "megabytes", "milliseconds", "per_second", "render", "seconds", "times"]

HEADINGS = ("", "Tenbou", "beside it", "ratio", "goal", "met")


@dataclass(frozen=True, slots=True)
class Sample:
    """Durations of the same thing done again and again, in seconds."""

    durations: Sequence[float]

    @property
    def median(self) -> float:
        """The duration in the middle, in seconds."""
        return median(self.durations)

    @property
    def p99(self) -> float:
        """The duration that 99 in 100 do not exceed (nearest rank), in seconds."""
        return sorted(self.durations)[math.ceil(0.99 * len(self.durations)) - 1]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. A row without figures is a heading; `goal` says in words what `met` judges."""

    label: str
    ours: str = ""
    theirs: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """The texts of this row, one for each heading."""
        ratio = "" if self.ratio is None else f"{self.ratio:.1f}x"
        met = {None: "", True: "yes", False: "NO"}[self.met]
        return self.label, self.ours, self.theirs, ratio, self.goal, met


def at_most(
    label: str, ours: float, show: Callable[[float], str], goal: float, *, theirs: float | None = None
) -> Row:
    """A row whose figure should not exceed `goal`; what stands beside it is for comparison."""
    beside = "" if theirs is None else show(theirs)
    ratio = None if theirs is None else ours / theirs
    return Row(label, show(ours), beside, ratio, f"at most {show(goal)}", ours <= goal)


def times(
    label: str,
    ours: float,
    theirs: float,
    show: Callable[[float], str],
    *,
    at_most: float | None = None,
    at_least: float | None = None,
) -> Row:
    """A row that is judged, if at all, by how many times the other figure it is."""
    ratio = ours / theirs
    goal, met = "", None
    if at_most is not None:
        goal, met = f"at most {at_most:g}x", ratio <= at_most
    if at_least is not None:
        goal, met = f"at least {at_least:g}x", ratio >= at_least
    return Row(label, show(ours), show(theirs), ratio, goal, met)


def milliseconds(duration: float) -> str:
    """A duration given in seconds, in milliseconds."""
    return f"{duration * 1e3:.2f} ms"


def seconds(duration: float) -> str:
    """A duration in seconds."""
    return f"{duration:.2f} s"


def megabytes(size: float) -> str:
    """A size given in bytes, in megabytes (of a million)."""
    return f"{size / 1e6:.1f} MB"


def per_second(pace: float) -> str:
    """A pace in games a second."""
    return f"{pace:,.0f} games/s"


def render(rows: Sequence[Row]) -> str:
    """The rows under their headings, columns aligned: texts to the left, figures to the right."""
    lines = [HEADINGS, *(row.cells() for row in rows if row.ours)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    shown = [_line(HEADINGS, widths)]
    for row in rows:
        shown += [_line(row.cells(), widths)] if row.ours else ["", row.label]
    return "\n".join(shown)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    label, *figures = (cells[0].ljust(widths[0]), *map(str.rjust, cells[1:], widths[1:]))
    return "  ".join(["", label, *figures]).rstrip()
