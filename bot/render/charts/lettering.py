"""Text in a picture: a face for every piece of it, in reading order, and nothing that would leave an empty box."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from wcwidth import iter_graphemes

from bot.render.charts.faces import EM, FACES, Face, outline, shape

__all__ = ["Lettering", "Run", "fitted", "legible", "letter", "runs", "width"]

# Enough for every language; names that pile up more would be drawn across the whole picture.
_MARKS = 3
_ELLIPSIS = "…"
# Fonts rarely have the tiles: here they are as their faces read. The red dragon is an emoji, and drawn as one.
_NUMERALS = "一二三四五六七八九"
_READ_AS = str.maketrans(
    dict(zip("🀀🀁🀂🀃🀅🀆🀢🀣🀤🀥🀦🀧🀨🀩", "東南西北發白梅蘭菊竹春夏秋冬", strict=True))
    | dict(zip("🀇🀈🀉🀊🀋🀌🀍🀎🀏", (f"{number}萬" for number in _NUMERALS), strict=True))
    | dict(zip("🀐🀑🀒🀓🀔🀕🀖🀗🀘", (f"{number}索" for number in _NUMERALS), strict=True))
    | dict(zip("🀙🀚🀛🀜🀝🀞🀟🀠🀡", (f"{number}筒" for number in _NUMERALS), strict=True))
)


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text of one direction that one face can draw to the last character."""

    text: str
    face: Face
    right_to_left: bool


@dataclass(frozen=True, slots=True)
class Lettering:
    """A line of text as outlines (path, x, y), from 0, 0 on its base line, in units of EM to the em; y upwards."""

    width: int
    outlines: tuple[tuple[str, int, int], ...]


def legible(text: str) -> str:
    """`text` as far as it can be drawn. What no face has is replaced by its plain form (𝓐 by A), a tile by how it
    is read (🀇 by 一萬), and anything else left out."""
    return " ".join("".join(text for text, _ in _pieces(text)).split())


def runs(text: str) -> list[Run]:
    """`text` in pieces by face and direction, from left to right as they are read."""
    pieces = list(_pieces(text))
    base, sides = _directions([piece for piece, _ in pieces])
    merged = [
        Run("".join(piece for (piece, _), _ in group), face, side)
        for (face, side), group in groupby(zip(pieces, sides, strict=True), key=lambda each: (each[0][1], each[1]))
    ]
    # A simple case of the Unicode bidirectional algorithm: one level of runs against the text's own direction.
    ordered: list[Run] = []
    for side, group in groupby(merged, key=lambda run: run.right_to_left):
        stretch = list(group)
        stretch = stretch[::-1] if side else stretch
        ordered = stretch + ordered if base else ordered + stretch
    return ordered


@lru_cache(maxsize=256)
def letter(text: str) -> Lettering:
    """The outlines of a line of text."""
    pen, outlines = 0, []
    for run in runs(text):
        for glyph in shape(run.face, run.text, run.right_to_left):
            if path := outline(run.face, glyph.number):
                outlines.append((path, pen + glyph.x, glyph.y))
            pen += glyph.advance
    return Lettering(pen, tuple(outlines))


def width(text: str, size: float) -> float:
    """How wide `text` gets at a type size, in pixels."""
    return letter(text).width * size / EM


def fitted(text: str, size: float, room: float) -> str:
    """`text`, or as much of its beginning as fits into `room` pixels, with an ellipsis."""
    if width(text, size) <= room:
        return text
    graphemes = list(iter_graphemes(text))
    while graphemes and width("".join(graphemes).rstrip() + _ELLIPSIS, size) > room:
        graphemes.pop()
    return "".join(graphemes).rstrip() + _ELLIPSIS


def _directions(pieces: Sequence[str]) -> tuple[bool, list[bool]]:
    """Whether the text as a whole, and each piece of it, runs from right to left."""
    strong = [_direction(piece) for piece in pieces]
    base = next((side for side in strong if side is not None), False)
    sides, before = [], base
    for number, side in enumerate(strong):
        if side is None:
            # What has no direction of its own goes with its neighbours if they agree.
            after = next((each for each in strong[number:] if each is not None), base)
            sides.append(before if before == after else base)
        else:
            sides.append(side)
            before = side
    return base, sides


def _direction(piece: str) -> bool | None:
    kind = unicodedata.bidirectional(piece[0])
    return True if kind in ("R", "AL") else False if kind in ("L", "EN", "AN") else None


def _pieces(text: str) -> Iterator[tuple[str, Face]]:
    for grapheme in iter_graphemes(text):
        yield from _drawable(grapheme)


@lru_cache(maxsize=1024)
def _drawable(grapheme: str) -> tuple[tuple[str, Face], ...]:
    tame = "".join(_tame(grapheme))
    if (face := _face(tame)) is not None:
        return ((tame, face),)
    return tuple(_plain(unicodedata.normalize("NFKC", tame.translate(_READ_AS))))


def _plain(text: str) -> Iterator[tuple[str, Face]]:
    for grapheme in iter_graphemes(text):
        if (face := _face(grapheme)) is not None:
            yield grapheme, face
            continue
        for character in grapheme:
            # A mark has nothing to sit on once its letter or its neighbours are gone.
            if unicodedata.category(character)[0] != "M" and (face := _face(character)) is not None:
                yield character, face


def _tame(grapheme: str) -> Iterator[str]:
    marks = 0
    for character in grapheme:
        marks += unicodedata.category(character) in ("Mn", "Me")
        if marks <= _MARKS:
            yield character


def _face(text: str) -> Face | None:
    return next((face for face in FACES if all(glyph.number for glyph in shape(face, text))), None)
