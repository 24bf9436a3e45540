"""What the tests of charts share: a player's history, names of every script, and what a PNG shows."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from bot.render.charts import HEIGHT, WIDTH, Curve, Point
from bot.texts import texts_for

__all__ = ["DAY", "NAMES", "START", "TEXTS", "TOKYO", "history", "rgb", "upper_rows"]

TEXTS = texts_for(None)
TOKYO = ZoneInfo("Asia/Tokyo")
START = 1_700_000_000
DAY = 86_400
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


def history(values: Sequence[float], rank: int | None = None, every: int = DAY) -> Curve:
    """A player whose values came one each `every` seconds."""
    return Curve("Ann", [Point(START + every * number, value, rank) for number, value in enumerate(values)])


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
