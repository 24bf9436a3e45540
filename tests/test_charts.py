"""Charts: what they show, that everybody can read it, and that no name and no history breaks them."""

from __future__ import annotations

import gettext
import itertools
import math
import os
import re
import struct
import subprocess
import sys
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.charts import (
    HEIGHT,
    WIDTH,
    Curve,
    Figures,
    Ladder,
    Over,
    Point,
    comparison_chart,
    history_chart,
)
from bot.render.charts.calendar import Moment, moments
from bot.render.charts.drawing import Drawing
from bot.render.charts.faces import FACES, outline, shape
from bot.render.charts.lettering import fitted, legible, letter, runs, width
from bot.render.charts.palette import BANDS, DEMOTION, GROUND, INK, LINES, MUTED, PROMOTION
from bot.render.charts.scales import round_ticks
from bot.render.charts.thinning import thin
from bot.render.names import plain_name
from bot.texts import Texts, texts_for
from ratings.systems import tenhou

TEXTS = texts_for(None)
TOKYO = ZoneInfo("Asia/Tokyo")
START = 1_700_000_000
DAY = 86_400
MISSING = "\U0010fffd"
NAMES = (
    "千秋",
    "髙橋 﨑",
    "𠮷野家ー々〆",
    "ｱﾝ ヴ゛",
    "王小明",
    "陳怡君",
    "김철수",
    "강 뷁",
    "Борис Ёлкин",
    "Їжак Ґ",
    "Νίκος",
    "Nguyễn Ánh Ǻ",
    "e\u0301 q\u0323\u0307",
    "שלום דוד",
    "مريم كريم",
    "สมชาย",
    "प्रिया शर्मा",
    "გიორგი",
    "🀄 麻雀 😀",
    "👩🏽 👍🏿 ✌🏻",
    "👨‍👩‍👧‍👦 🏳️‍🌈",
    "🇯🇵 🇷🇺",
    "❤️ 1️⃣ ★ ♪",
    "𝓐𝓷𝓷 𝕭 Ⓐ ﷺ ㍿",
    "Z̴̡̛̮͔͙͖̝̙͈̺̗a̷̢̡͇l̸͎̑g̶̠̍o",
    "𒀀 ᚠ 𓀀",
    "<b>&\"' ]]>",
    "a\u200db\u200c \ufe0f\u20e3",
)

PLOT_TOP = 112
# What fonts draw for a character that they lack.
BOXES = {outline(face, 0) for face in FACES} - {""}


def history(values: Sequence[float], rank: int | None = None, every: int = DAY) -> Curve:
    """A player whose values came one each `every` seconds."""
    return Curve("Ann", [Point(START + every * number, value, rank) for number, value in enumerate(values)])


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every picture that is drawn from here on, as SVG."""
    kept: list[str] = []
    turn_into_png = Drawing.png

    def png(drawing: Drawing) -> bytes:
        kept.append(drawing.svg())
        return turn_into_png(drawing)

    monkeypatch.setattr(Drawing, "png", png)
    return kept


def curve_of(picture: str, colour: str) -> list[tuple[float, float]]:
    """The spots (x, y) of the curve of a colour; the legend shows two spots only, above."""
    lines = re.findall(rf'<polyline points="([^"]*)"[^>]* stroke="{colour}"', picture)
    return [(float(x), float(y)) for x, y in (spot.split(",") for spot in lines[-1].split())] if lines else []


def markers_of(picture: str, colour: str) -> list[tuple[float, float]]:
    """Where the markers of a colour are, in the plot."""
    found = re.findall(rf'translate\(([\d.]+) ([\d.]+)\) scale\(\d+\)" fill="{colour}"', picture)
    return [(float(x), float(y)) for x, y in found if float(y) > PLOT_TOP - 1]


def said(picture: str, text: str) -> list[float]:
    """The rows on which a picture says this text."""
    (words,) = re.findall(r"<g [^>]*>(.+)</g>", _line_of(text))
    return [float(y) for y in re.findall(rf"translate\([\d.-]+ ([\d.]+)\)[^>]*>{re.escape(words)}</g>", picture)]


def _line_of(text: str) -> str:
    drawing = Drawing(1, 1, GROUND)
    drawing.text(0, 0, text, 28, INK)
    return drawing.svg()


def rgb(colour: str) -> tuple[int, int, int]:
    """The three parts of #rrggbb."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def upper_rows(png: bytes, rows: int) -> list[bytes]:
    """The first rows of a PNG of 8-bit RGBA (PNG specification, sections 5, 7 and 9), its checksums verified."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    across, down, *kind = struct.unpack(">IIBBBBB", png[16:29])
    assert ((across, down), kind) == ((WIDTH, HEIGHT), [8, 6, 0, 0, 0])
    data, place = b"", 8
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place : place + 8])
        body = png[place + 8 : place + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack(">I", png[place + 8 + length : place + 12 + length])[0]
        data += body if name == b"IDAT" else b""
        place += 12 + length
    raw, size, found = zlib.decompress(data), across * 4, [bytes(across * 4)]
    assert len(raw) == (size + 1) * down
    for start in range(0, rows * (size + 1), size + 1):
        found.append(_unfiltered(raw[start], raw[start + 1 : start + 1 + size], found[-1]))
    return found[1:]


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    done = bytearray(line)
    for at in range(len(line)):
        left, corner = (done[at - 4], above[at - 4]) if at >= 4 else (0, 0)
        up = above[at]
        guess = left + up - corner
        paeth = min((left, up, corner), key=lambda near: abs(guess - near))
        done[at] = (line[at] + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
    return bytes(done)


# What is drawn


def test_a_chart_is_a_dark_opaque_png_of_its_size() -> None:
    assert (WIDTH, HEIGHT) == (1000, 600)
    rows = upper_rows(history_chart(TEXTS, "R", history([1500, 1520, 1490]), Figures(), TOKYO), 60)
    assert {alpha for row in rows for alpha in row[3::4]} == {255}
    assert rows[0] == bytes((*rgb(GROUND), 255)) * WIDTH
    title = {row[at : at + 3] for row in rows[15:50] for at in range(0, WIDTH * 4, 4)}
    assert {bytes(rgb(GROUND)), bytes(rgb(INK))} < title


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1500.0], Figures()),
        ([1500.0] * 9, Figures(1)),
        ([0.0, 0.0], Figures(2)),
        ([1e15, -1e18, 3.0], Figures(1)),
        ([9.9e299, -9.9e299], Figures()),
        ([1e12, 1e12 + 1], Figures()),
        ([1e18, 1e18], Figures(1)),
        ([-5e299], Figures()),
        ([1500.0, 1500.0 + 2.3e-13], Figures(2)),
        ([-0.04, -0.05], Figures(1)),
        ([1e-300, -1e-300], Figures()),
    ],
)
def test_any_values_stay_within_the_plot(pictures: list[str], values: list[float], scale: Figures) -> None:
    history_chart(TEXTS, "R", history(values), scale, TOKYO)
    spots = curve_of(pictures[0], LINES[0].colour)
    assert len(spots) == len(values)
    assert all(PLOT_TOP <= y <= HEIGHT - 50 and 28 <= x <= WIDTH - 28 for x, y in spots)
    assert "nan" not in pictures[0]
    assert "inf" not in pictures[0]


@pytest.mark.parametrize("over", Over)
@pytest.mark.parametrize("games", [1, 2, 3, 50])
def test_a_history_fills_the_picture(pictures: list[str], games: int, over: Over) -> None:
    history_chart(TEXTS, "R", history(range(0, 100 * games, 100)), Figures(), TOKYO, over)
    spots = curve_of(pictures[0], LINES[0].colour)
    assert len(spots) == games
    if games > 1:
        assert spots[-1][0] - spots[0][0] > 750
        assert spots[0][1] - spots[-1][1] > 300


def test_an_empty_history_says_so(pictures: list[str]) -> None:
    history_chart(TEXTS, "R", Curve("Ann", []), Figures(), TOKYO)
    assert said(pictures[0], "Nothing to show yet.")
    assert len(curve_of(pictures[0], LINES[0].colour)) == 2
    assert markers_of(pictures[0], LINES[0].colour) == []


@pytest.mark.parametrize(
    ("games", "marks"), [(1, ["1 game"]), (3, ["1", "2", "3 games"]), (2400, ["500", "1500", "2000 games"])]
)
def test_games_are_counted_below(pictures: list[str], games: int, marks: list[str]) -> None:
    history_chart(TEXTS, "R", history([0.5] * games), Figures(9), TOKYO, Over.GAMES)
    assert all(len(said(pictures[0], mark)) == 1 and said(pictures[0], mark)[0] > 570 for mark in marks)


def test_games_are_spread_evenly_and_moments_by_the_clock(pictures: list[str]) -> None:
    curve = Curve("Ann", [Point(START, 0), Point(START + DAY, 9), Point(START + 100 * DAY, 0)])
    for over in Over:
        history_chart(TEXTS, "R", curve, Figures(), TOKYO, over)
    by_time, by_games = (curve_of(picture, LINES[0].colour) for picture in pictures)
    for spots, share in ((by_time, 0.01), (by_games, 0.5)):
        (first, _), (second, _), (third, _) = spots
        assert (second - first) / (third - first) == pytest.approx(share, abs=0.001)


def test_a_single_game_in_a_hundred_thousand_still_shows(pictures: list[str]) -> None:
    values = [1500.0] * 100_000
    values[54_321], values[77_777] = 2000.0, 1000.0
    history_chart(TEXTS, "R", history(values, every=600), Figures(), TOKYO)
    spots = curve_of(pictures[0], LINES[0].colour)
    assert len(spots) < 4 * WIDTH
    left, across = spots[0][0], spots[-1][0] - spots[0][0]
    peak, pit = (pick(spots, key=lambda spot: spot[1]) for pick in (min, max))
    assert (peak[0] - left) / across == pytest.approx(0.54321, abs=0.0002)
    assert (pit[0] - left) / across == pytest.approx(0.77777, abs=0.0002)
    assert pit[1] - peak[1] > 350


def test_promotions_and_demotions_are_marked(pictures: list[str]) -> None:
    def marked(*ranks: int) -> tuple[int, int]:
        points = [Point(START + DAY * day, 50 + day, rank) for day, rank in enumerate(ranks)]
        history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(4), TOKYO)
        spots = set(curve_of(pictures[-1], LINES[0].colour))
        up, down = markers_of(pictures[-1], PROMOTION), markers_of(pictures[-1], DEMOTION)
        assert spots >= {*up, *down}
        return len(up), len(down)

    assert marked(9, 9, 9) == (0, 0)
    assert marked(9, 9, 10) == (1, 0)
    assert marked(11, 10, 10) == (0, 1)
    assert marked(9, 10, 9, 9, 10, 11) == (3, 1)


def test_marks_of_promotions_do_not_pile_up(pictures: list[str]) -> None:
    points = [Point(START + number, 50, 9 + number % 2) for number in range(5000)]
    history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(4), TOKYO)
    for colour in (PROMOTION, DEMOTION):
        columns = [x for x, _ in markers_of(pictures[0], colour)]
        assert 20 < len(columns) < 50
        assert all(right - left > 19.8 for left, right in itertools.pairwise(columns))


def test_the_legend_has_name_present_and_highest(pictures: list[str]) -> None:
    history_chart(TEXTS, "R rating", history([1500, 1634.4, 1580.6]), Figures(), TOKYO)
    points = [Point(START, 390, 10), Point(START + DAY, 400, 11), Point(START + 2 * DAY, 200, 10)]
    history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(4), TOKYO)
    for picture, words in (
        (pictures[0], ("R rating", "Ann", "1,581", "highest 1,634")),
        (pictures[1], ("Rank", "Ann", "初段 200/400", "highest 二段 400/800")),
    ):
        assert all(len(said(picture, each)) == 1 and said(picture, each)[0] < PLOT_TOP for each in words)


def test_names_of_ranks_stand_beside_their_bands_without_touching(pictures: list[str]) -> None:
    points = [Point(START + DAY * rank.index, rank.base, rank.index) for rank in tenhou.RANKS]
    history_chart(TEXTS, "Rank", Curve("Ann", points[:20]), Ladder(4), TOKYO)
    history_chart(TEXTS, "Rank", Curve("Ann", points[11:14]), Ladder(4), TOKYO)
    rows = [said(pictures[0], rank.name)[-1:] for rank in tenhou.RANKS[:20]]
    shown = [row for each in rows for row in each if row > PLOT_TOP]
    assert len(shown) >= 12
    assert all(lower - upper >= 22 for lower, upper in itertools.pairwise(shown))
    for name, target, base in (("二段", "800", "400"), ("三段", "1200", "600"), ("四段", "1600", "800")):
        (row,) = {row for row in said(pictures[1], name) if row > PLOT_TOP}
        assert min(abs(row - each) for each in said(pictures[1], base)) < 5
        assert any(30 < row - each < 90 for each in said(pictures[1], target))


@pytest.mark.parametrize("players", [3, 4])
def test_the_whole_ladder_fits_into_a_picture(pictures: list[str], players: int) -> None:
    points = [Point(START + DAY * rank.index, rank.base, rank.index) for rank in tenhou.RANKS]
    history_chart(TEXTS, "Rank", Curve("Ann", points), Ladder(players), TOKYO)
    rows = [y for _, y in curve_of(pictures[0], LINES[0].colour)]
    assert len(rows) == 21
    assert rows == sorted(rows, reverse=True)
    assert PLOT_TOP < rows[-1] < rows[0] <= HEIGHT - 50


def test_each_player_of_a_comparison_has_a_line_of_his_own(pictures: list[str]) -> None:
    curves = [Curve(name, history([number, number + 1]).points) for number, name in enumerate(NAMES[:4])]
    for count in (2, 3, 4):
        comparison_chart(TEXTS, "R", curves[:count], Figures(), TOKYO)
        found = [curve_of(pictures[-1], line.colour) for line in LINES]
        assert list(map(len, found)) == [2] * count + [0] * (4 - count)
        starts = [spots[0][1] for spots in found[:count]]
        assert starts == sorted(starts, reverse=True)
        for line, curve in zip(LINES, curves[:count], strict=False):
            assert f'stroke="{line.colour}" stroke-width="4"' in pictures[-1]
            # Once in the legend, once in the plot.
            assert not line.dashes or pictures[-1].count(f'stroke-dasharray="{line.dashes}"') == 2
            assert said(pictures[-1], curve.name)


def test_curves_of_a_comparison_share_one_clock(pictures: list[str]) -> None:
    early, late = history([1, 1]), Curve("B", [Point(START + 3 * DAY, 1), Point(START + 4 * DAY, 1)])
    comparison_chart(TEXTS, "R", [early, late], Figures(), TOKYO)
    (a, _), (b, _) = curve_of(pictures[0], LINES[0].colour)
    (c, _), (d, _) = curve_of(pictures[0], LINES[1].colour)
    assert (c - a) / (b - a) == pytest.approx(3, abs=0.01)
    assert (d - a) / (b - a) == pytest.approx(4, abs=0.01)


def test_whoever_has_not_played_yet_is_named_beside_the_others(pictures: list[str]) -> None:
    comparison_chart(TEXTS, "R", [history([1500, 1510]), Curve("千秋", [])], Figures(), TOKYO)
    assert said(pictures[0], "千秋")
    assert said(pictures[0], "–")
    assert curve_of(pictures[0], LINES[0].colour)[-1][1] > PLOT_TOP + 42
    assert curve_of(pictures[0], LINES[1].colour)[-1][1] < PLOT_TOP + 42
    comparison_chart(TEXTS, "R", [Curve("A", []), Curve("B", [])], Figures(), TOKYO)
    assert said(pictures[1], "Nothing to show yet.")


def test_what_cannot_be_drawn_is_refused() -> None:
    one, odd = history([1]), history([1, 2])
    for curves in ([one], [one] * 5):
        with pytest.raises(ValueError, match="two to four"):
            comparison_chart(TEXTS, "R", curves, Figures(), TOKYO)
    for value in (math.nan, math.inf, -math.inf, 1e300):
        with pytest.raises(ValueError, match="no room"):
            history_chart(TEXTS, "R", history([1, value]), Figures(), TOKYO)
    with pytest.raises(ValueError, match="needs a rank"):
        history_chart(TEXTS, "Rank", odd, Ladder(4), TOKYO)


def test_a_picture_is_the_same_in_every_process_and_libraries_wait_for_the_first() -> None:
    program = """
import sys
from zoneinfo import ZoneInfo
from bot.render.charts import Curve, Ladder, Point, history_chart
from bot.texts import texts_for
libraries = {"resvg_py", "uharfbuzz"}
assert not libraries & sys.modules.keys()
curve = Curve("千秋 🀄 Борис", [Point(1_700_000_000, 5, 3), Point(1_700_900_000, 0, 4)])
picture = history_chart(texts_for(None), "段位", curve, Ladder(4), ZoneInfo("Asia/Tokyo"))
assert libraries <= sys.modules.keys()
sys.stdout.buffer.write(picture)
"""
    pictures = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed, language in (("1", "C.UTF-8"), ("2", "ja_JP.UTF-8"))
    }
    curve = Curve("千秋 🀄 Борис", [Point(1_700_000_000, 5, 3), Point(1_700_900_000, 0, 4)])
    assert pictures == {history_chart(TEXTS, "段位", curve, Ladder(4), TOKYO)}


def test_words_in_a_chart_are_translated(pictures: list[str]) -> None:
    class Japanese(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return {"highest {figure}": "最高 {figure}", "(no name)": "無名", "Nothing to show yet.": "未対局"}[
                message
            ]

        def ngettext(self, one: str, many: str, number: int) -> str:
            assert many == "{number} games"
            return "{number}回"

    texts = Texts(Japanese())
    history_chart(texts, "R", Curve("𒀀", history([1, 2, 3]).points), Figures(), TOKYO, Over.GAMES)
    history_chart(texts, "R", Curve("Ann", []), Figures(), TOKYO)
    assert all(said(pictures[0], words) for words in ("最高 3", "無名", "3回"))
    assert said(pictures[1], "未対局")


# Names


@pytest.mark.parametrize("name", NAMES)
def test_no_name_leaves_an_empty_box(name: str) -> None:
    shown = legible(plain_name(TEXTS, name))
    assert all(glyph.number for run in runs(shown) for glyph in shape(run.face, run.text, run.right_to_left))
    assert not BOXES & {path for path, _, _ in letter(shown).outlines}
    assert letter(shown).outlines or name == "𒀀 ᚠ 𓀀"


def test_a_character_without_a_glyph_is_seen_to_be_without() -> None:
    assert [[glyph.number for glyph in shape(face, MISSING)] for face in FACES] == [[0]] * len(FACES)
    assert {outline(face, 0) for face in FACES[:3]} <= BOXES


@given(st.text())
def test_no_text_at_all_leaves_an_empty_box(text: str) -> None:
    assert not BOXES & {path for path, _, _ in letter(legible(plain_name(TEXTS, text))).outlines}
    assert not BOXES & {path for path, _, _ in letter(text).outlines}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_can_stand_in_a_chart(name: str) -> None:
    curves = [Curve(name, history([1, 2]).points), history([2, 3])]
    assert upper_rows(comparison_chart(TEXTS, name, curves, Figures(), TOKYO), 1)


def test_letters_without_a_glyph_are_replaced_or_left_out() -> None:
    assert legible("𝓐𝓷𝓷 𝕭") == "Ann B"
    assert legible(f"A{MISSING}nn {MISSING} 千") == "Ann 千"
    assert legible(MISSING) == ""
    assert legible("🀀🀄🀆 🀇🀐🀡 🀥") == "東🀄白 一萬一索九筒 竹"
    assert legible("🀫") == ""
    assert legible("千秋 김 Борис 🀄") == "千秋 김 Борис 🀄"


def test_all_of_common_scripts_can_be_drawn() -> None:
    kept = "".join(chr(code) for first, last in COMMON for code in range(first, last + 1))
    kept = "".join(each for each in kept if unicodedata.category(each) != "Cn")
    assert [each for each in kept if legible(each) != each] == []


COMMON = (
    (0x21, 0x7E),
    (0xC0, 0x17F),
    (0x391, 0x3A9),
    (0x400, 0x45F),
    (0x5D0, 0x5EA),
    (0x621, 0x64A),
    (0x3041, 0x3096),
    (0x30A1, 0x30FA),
    (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3),
    (0x1F004, 0x1F004),
    (0x1F600, 0x1F64F),
)


def test_marks_cannot_be_piled_without_end() -> None:
    def reach(text: str) -> int:
        return max(abs(y) for _, _, y in letter(text).outlines)

    assert reach("a" + "\u0300" * 40) == reach("a" + "\u0300" * 3) > 0
    assert legible("ễ") == "ễ"


def test_names_are_laid_out_in_the_order_they_are_read() -> None:
    def order(text: str) -> list[str]:
        return [run.text for run in runs(text)]

    assert order("Ann 千秋") == ["Ann ", "千秋"]
    assert order("Ann שלום דוד") == ["Ann ", "דוד", " ", "שלום"]
    assert order("שלום Ann דוד") == ["דוד", " ", "Ann", " ", "שלום"]
    assert order("שלום Ann 千秋") == ["Ann ", "千秋", " ", "שלום"]
    assert [run.right_to_left for run in runs("Ann דוד 12")] == [False, True, False]


def test_letters_of_arabic_are_joined() -> None:
    (run,) = runs("مريم")
    alone = {glyph.number for letter in "مي" for glyph in shape(run.face, letter, right_to_left=True)[-1:]}
    assert not alone & {glyph.number for glyph in shape(run.face, run.text, right_to_left=True)}


@given(st.text(), st.floats(20, 400))
def test_a_name_is_cut_to_its_room(text: str, room: float) -> None:
    shown = fitted(text, 28, room)
    assert shown == text or (width(shown, 28) <= room + 28 and shown.endswith("…"))
    assert (shown == text) == (width(text, 28) <= room) or text.rstrip() + "…" == shown


# Who sees it


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


# The scales


def test_a_rank_begins_where_the_one_below_ends() -> None:
    for players in (3, 4):
        ladder = Ladder(players)
        for rank in tenhou.RANKS[:-1]:
            target = rank.target(players)
            assert target is not None
            top = ladder.height(Point(0, target, rank.index))
            assert top == pytest.approx(ladder.height(Point(0, 0, rank.index + 1))) or rank.index == 19
            assert ladder.height(Point(0, 0, rank.index)) < ladder.height(Point(0, target / 2, rank.index)) < top


def test_a_dan_begins_in_the_middle_of_its_band() -> None:
    height = Ladder(4).height(Point(0, 600, 12))
    axis = Ladder(4).axis(height, height, 5)
    (band,) = axis.bands
    assert band.name == "三段"
    assert (axis.low, axis.high) == (band.low, band.high)
    assert band.base is not None
    assert band.target is not None
    assert band.base.label == "600"
    assert band.base.at == pytest.approx((band.low + band.high) / 2)
    assert (band.target.label, band.target.at) == ("1200", band.high)


def test_bands_cover_every_rank_in_between() -> None:
    ladder = Ladder(3)
    axis = ladder.axis(ladder.height(Point(0, 99, 9)), ladder.height(Point(0, 0, 20)), 5)
    assert [band.name for band in axis.bands] == [rank.name for rank in tenhou.RANKS[9:]]
    assert axis.bands[-1].target is None
    for below, above in itertools.pairwise(axis.bands):
        assert below.high == above.low


def test_points_are_put_into_words() -> None:
    assert Ladder(4).figure(Point(0, 450, 12)) == "三段 450/1200"
    assert Ladder(3).figure(Point(0, 5, 0)) == "新人 5/30"
    assert Ladder(4).figure(Point(0, 0, 20)) == "天鳳位"
    assert Figures().figure(Point(0, 1623.4)) == "1,623"
    assert Figures(1).figure(Point(0, -12.54)) == "−12.5"
    assert Figures(1).figure(Point(0, -0.04)) == "0.0"
    assert Figures().figure(Point(0, -2e15)) == "−2e+15"


@given(st.floats(-1e9, 1e9), st.floats(0.01, 1e9), st.integers(2, 9))
def test_ticks_are_few_round_and_within(low: float, span: float, most: int) -> None:
    ticks = list(round_ticks(low, low + span, most))
    assert len(ticks) <= most + 1
    assert all(low - span * 1e-6 <= tick.at <= low + span * (1 + 1e-6) for tick in ticks)
    assert len({tick.label for tick in ticks}) == len(ticks)


def test_ticks_are_the_figures_people_expect() -> None:
    assert [tick.label for tick in round_ticks(1380, 1830, 5)] == ["1,400", "1,500", "1,600", "1,700", "1,800"]
    assert [tick.label for tick in round_ticks(-0.25, 0.25, 3)] == ["−0.2", "0.0", "0.2"]


# The calendar


def seconds(text: str, zone: ZoneInfo) -> float:
    """The moment that a club's clock shows as this ISO 8601 text."""
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def labels(start: str, end: str, zone: ZoneInfo, room: int = 5) -> list[str]:
    """The labels of a time axis between two local moments."""
    return [mark.label for mark in moments(seconds(start, zone), seconds(end, zone), zone, lambda _: room)]


def test_days_and_months_begin_at_the_clubs_midnight() -> None:
    assert labels("2024-10-10T12:00", "2024-10-13T12:00", TOKYO) == ["2024-10-11", "2024-10-12", "2024-10-13"]
    mark, *_ = moments(seconds("2024-10-30T12:00", TOKYO), seconds("2024-11-02", TOKYO), TOKYO, lambda _: 3)
    assert mark.at == datetime(2024, 10, 30, 15, tzinfo=UTC).timestamp()
    assert labels("2024-01-20", "2024-05-20", TOKYO) == ["2024-02", "2024-03", "2024-04", "2024-05"]
    assert labels("2014-05-01", "2024-02-01", TOKYO) == ["2016", "2018", "2020", "2022", "2024"]
    assert labels("2024-09-30T12:00", "2024-10-29", TOKYO, 4) == ["2024-09-30", "2024-10-14", "2024-10-28"][1:]


def test_an_evening_is_marked_by_the_clock_and_its_days_are_named() -> None:
    marks = moments(seconds("2024-10-11T21:30", TOKYO), seconds("2024-10-12T01:30", TOKYO), TOKYO, lambda _: 5)
    assert [(mark.label, mark.day) for mark in marks] == [
        ("22:00", "2024-10-11"),
        ("23:00", ""),
        ("00:00", "2024-10-12"),
        ("01:00", ""),
    ]


def test_a_change_of_the_clocks_moves_no_mark() -> None:
    york = ZoneInfo("America/New_York")
    marks = list(
        _local(moments(seconds("2024-03-08", york), seconds("2024-03-12", york), york, lambda _: 5), york)
    )
    assert marks == [f"2024-03-{day:02} 00:00" for day in range(8, 13)]
    assert labels("2024-03-10T00:30", "2024-03-10T05:30", york) == ["01:00", "03:00", "04:00", "05:00"]


def _local(marks: Sequence[Moment], zone: ZoneInfo) -> Iterator[str]:
    for mark in marks:
        yield f"{datetime.fromtimestamp(mark.at, zone):%Y-%m-%d %H:%M}"


@given(
    st.integers(157_766_400, 7_258_118_400),
    st.integers(60, 50 * 366 * DAY),
    st.sampled_from(["Asia/Tokyo", "Europe/Moscow", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia"]),
    st.integers(3, 9),
)
def test_marks_are_within_the_axis_in_order_and_few(first: int, span: int, name: str, room: int) -> None:
    zone = ZoneInfo(name)
    marks = moments(first, first + span, zone, lambda _: room)
    stands = [mark.at for mark in marks]
    assert stands == sorted(set(stands))
    assert all(first <= at <= first + span for at in stands)
    assert len(marks) <= room + 2
    assert marks or span < 300


# Thinning


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(-9, 9)), max_size=200))
def test_thinning_keeps_ends_and_peaks_of_every_column(spots: list[tuple[float, float]]) -> None:
    spots.sort(key=lambda spot: spot[0])
    thinned = list(thin(spots, 1.0))
    rest = iter(spots)
    assert all(spot in rest for spot in thinned)
    for column in range(21):
        whole = [spot for spot in spots if int(spot[0]) == column]
        kept = [spot for spot in thinned if int(spot[0]) == column]
        assert len(kept) <= 4
        if whole:
            assert (kept[0], kept[-1]) == (whole[0], whole[-1])
            assert min(y for _, y in kept) == min(y for _, y in whole)
            assert max(y for _, y in kept) == max(y for _, y in whole)
