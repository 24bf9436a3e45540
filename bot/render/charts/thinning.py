"""A long history in as many points as a picture can show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

__all__ = ["thin"]


def thin(spots: Sequence[tuple[float, float]], breadth: float) -> Iterator[tuple[float, float]]:
    """Of the spots in each column of this breadth the first, the lowest, the highest and the last, in their order.

    A line through them covers what a line through all covers, to the breadth: no peak is lost. Spots are (x, y),
    x rising.
    """
    for _, column in groupby(spots, key=lambda spot: spot[0] // breadth):
        together = list(column)
        if len(together) > 4:
            heights = [y for _, y in together]
            chosen = {0, heights.index(min(heights)), heights.index(max(heights)), len(together) - 1}
            together = [together[number] for number in sorted(chosen)]
        yield from together
