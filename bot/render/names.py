"""Names as people chose them, made safe to print: no formatting, no pings, no holes, no runaway width."""

from __future__ import annotations

import re
import unicodedata

import discord
from wcwidth import iter_graphemes, wcswidth, wcwidth

from bot.texts import Texts

__all__ = ["plain_name", "safe_name", "safe_text"]

NAME_COLUMNS = 32

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_JOINERS = {"\u200c", "\u200d"}
# They draw nothing although Unicode counts some of them as letters.
_BLANKS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0", "\U0001d159"}
_MARKUP = re.compile(r"([\\*_`~|<>#\[\]()@:-])")


def plain_name(texts: Texts, name: str, columns: int = NAME_COLUMNS) -> str:
    """`name` without invisible characters, cut to a width in terminal columns; whoever asked to be
    forgotten has none. Not escaped: for choices and buttons, where Discord formats nothing."""
    if not name:
        return texts.gettext("a former member")
    visible = _visible(name)
    if not any(_draws(character) for character in visible):
        return texts.gettext("(no name)")
    if wcswidth(visible) <= columns:
        return visible
    kept, width = "", 0
    for grapheme in iter_graphemes(visible):
        width += max(0, wcswidth(grapheme))
        if width > columns - 1:
            break
        kept += grapheme
    return kept + "…"


def safe_name(texts: Texts, name: str, columns: int = NAME_COLUMNS) -> str:
    """A name for an embed or a message: shown letter for letter, in its own direction, pinging nobody."""
    return f"{_FIRST_STRONG_ISOLATE}{safe_text(plain_name(texts, name, columns))}{_POP_ISOLATE}"


def safe_text(text: str) -> str:
    """`text` with all of Discord's markup, mentions and links made literal."""
    return _MARKUP.sub(r"\\\1", discord.utils.escape_mentions(text))


def _draws(character: str) -> bool:
    """Whether a character leaves ink by itself; marks and spaces do not."""
    return unicodedata.category(character)[0] not in "MZ" and wcwidth(character) > 0


def _visible(name: str) -> str:
    kept = []
    for character in unicodedata.normalize("NFC", name):
        category = unicodedata.category(character)
        if character in _BLANKS or category in ("Cc", "Cn", "Co", "Cs", "Zl", "Zp"):
            kept.append(" ")
        elif category == "Cf" and character not in _JOINERS:
            continue
        else:
            kept.append(character)
    return " ".join("".join(kept).split())
