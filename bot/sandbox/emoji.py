"""Telling whether a text is one Unicode emoji."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["is_emoji"]

_ODD_BASES = "‼⁉〰〽ℹ©®™↔↕↖↗↘↙↩↪⤴⤵⬅⬆⬇▪▫▶◀◻◼◽◾"
_SKIN = "[\U0001f3fb-\U0001f3ff]"
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
_TAGGED = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_PART = re.compile(f"(?P<base>.)(?:{_SKIN})?\ufe0f?(?:{_SKIN})?")


def is_emoji(text: str) -> bool:
    """Whether the text is exactly one emoji: a symbol, its variants and joined sequences, a flag or a keycap.

    Without Discord's own list this goes by Unicode category, so some symbols that are no emoji pass as well.
    """
    if any(pattern.fullmatch(text) for pattern in (_REGIONAL, _KEYCAP, _TAGGED)):
        return True
    parts = [_PART.fullmatch(part) for part in text.split("\u200d")]
    return all(part is not None and _is_base(part["base"]) for part in parts)


def _is_base(character: str) -> bool:
    return character in _ODD_BASES or unicodedata.category(character) == "So"
