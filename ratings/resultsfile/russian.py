"""Whether a text that was read as Windows-1251 is that, or one in another encoding."""

from __future__ import annotations

import re
from itertools import islice

__all__ = ["is_russian"]

# Words with letters beyond ASCII, and signs in them; initials tell too little.
_WORD = re.compile(r"[A-Za-z\x80-\U0010ffff]{2,}")
_MOST_WORDS = 10_000  # that are looked at
_LONGEST_WORD = 100
# A small letter and then a capital, or two capitals and then a small one (KOI8-R, Macintosh, ISO 8859-5, China);
# signs and letters that Russian lacks (DOS, Macintosh, Japan).
_ODD = re.compile(r"[а-яё][А-ЯЁ]|[А-ЯЁ]{2}[а-яё]|[ЂђЃѓЅѕЈјЉљЊњЋћЌќЏџ†‡‰¤¦©¬\xad®]")
_LATIN = re.compile("[A-Za-z]")
# Six of ten letters of Russian and Ukrainian names, and three or four of a text that is read wrong.
_COMMON = frozenset("оеаинтсрвлі")
_SHARE = 0.45
_ENOUGH = 20  # letters that are needed to tell


def is_russian(text: str) -> bool:
    """Whether most of the words that are not English can be Russian ones, and their letters the usual ones.

    A word with a letter of the wrong alphabet here and there does not matter.
    """
    words = [word[0][:_LONGEST_WORD] for word in islice(_WORD.finditer(text), _MOST_WORDS)]
    words = [word for word in words if not word.isascii()]
    odd = sum(map(_is_odd, words))
    letters = [letter for word in words for letter in word.lower() if "а" <= letter <= "ї"]
    common = sum(letter in _COMMON for letter in letters)
    return 3 * odd <= len(words) and (len(letters) < _ENOUGH or common >= _SHARE * len(letters))


def _is_odd(word: str) -> bool:
    """Whether a word is hardly Russian. One with as many Latin letters as others is from Western Europe."""
    latin = len(_LATIN.findall(word))
    return 2 * latin >= len(word) or _ODD.search(word) is not None
