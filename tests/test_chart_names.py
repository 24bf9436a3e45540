"""Names in charts: every script has its letters, joined and in order, and no name breaks a picture."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.charts import Curve, Figures, comparison_chart
from bot.render.charts.faces import FACES, outline, shape
from bot.render.charts.lettering import fitted, legible, letter, runs, width
from bot.render.names import plain_name
from tests.chart_help import NAMES, TEXTS, TOKYO, history, upper_rows

MISSING = "\U0010fffd"
# What fonts draw for a character that they lack.
BOXES = {outline(face, 0) for face in FACES} - {""}


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
