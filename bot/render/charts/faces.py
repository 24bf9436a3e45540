"""The fonts that charts are lettered in, shaped by HarfBuzz: which glyphs a text takes, and their outlines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any, NamedTuple

__all__ = ["EM", "FACES", "Face", "Glyph", "outline", "shape"]

# A font's design units are scaled to this many to the em.
EM = 1000


@dataclass(frozen=True, slots=True)
class Face:
    """A font: the installed package and the file it comes in."""

    package: str
    file: str


class Glyph(NamedTuple):
    """A glyph by its number in a face, 0 for a missing one; shifted by x, y from the pen, which then advances."""

    number: int
    x: int
    y: int
    advance: int


_SCRIPTS = (
    *("Hebrew", "Arabic", "Thai", "Devanagari", "Symbols", "Armenian", "Bengali", "Ethiopic", "Georgian"),
    *("Gujarati", "Gurmukhi", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"),
    "Telugu",
)
# The first that has a character draws it.
FACES: tuple[Face, ...] = (
    Face("manimgx_fonts", "NotoSans[wght].ttf"),
    Face("noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf"),
    Face("manimgx_fonts", "NotoEmoji[wght].ttf"),
    *(Face("manimgx_fonts", f"NotoSans{script}[wght].ttf") for script in _SCRIPTS),
)


def shape(face: Face, text: str, right_to_left: bool = False) -> list[Glyph]:
    """The glyphs of a text of one direction, from left to right."""
    harfbuzz = _harfbuzz()
    buffer = harfbuzz.Buffer()
    buffer.add_str(text)
    # Otherwise the language is that of this machine, and pictures would differ from one to the next.
    buffer.language = "en"
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if right_to_left else "ltr"
    harfbuzz.shape(_font(face), buffer)
    return [
        Glyph(info.codepoint, place.x_offset, place.y_offset, place.x_advance)
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    ]


@lru_cache(maxsize=1024)
def outline(face: Face, number: int) -> str:
    """A glyph's outline as the data of an SVG path, y upwards; empty for a space."""
    path: list[str] = []
    _font(face).draw_glyph(number, _pen(), path)
    return "".join(path)


def _harfbuzz() -> Any:
    # Here, so that a bot that draws no charts does not carry the library.
    import uharfbuzz  # type: ignore[import-untyped]

    return uharfbuzz


@lru_cache(maxsize=len(FACES))
def _font(face: Face) -> Any:
    harfbuzz = _harfbuzz()
    with as_file(files(face.package) / face.file) as path:
        font = harfbuzz.Font(harfbuzz.Face(harfbuzz.Blob.from_file_path(str(path))))
    font.scale = EM, EM
    return font


@lru_cache(maxsize=1)
def _pen() -> Any:
    def write(command: str) -> Any:
        def written(*figures: Any) -> None:
            *places, path = figures
            path.append(command + " ".join(f"{place:.0f}" for place in places))

        return written

    pen = _harfbuzz().DrawFuncs()
    pen.set_move_to_func(write("M"))
    pen.set_line_to_func(write("L"))
    pen.set_quadratic_to_func(write("Q"))
    pen.set_cubic_to_func(write("C"))
    pen.set_close_path_func(write("Z"))
    return pen
