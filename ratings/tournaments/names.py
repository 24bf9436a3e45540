"""Names as secretaries write them: which spellings are one, and which are near each other."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import permutations

__all__ = ["Neighbours", "key_of", "near"]

NEAR = 3
_CUTOFF = 0.65
# Spellings that are looked at closely: those that have most pairs of letters in common.
_LOOKED_AT = 20
# Words of a name that are put in every order.
_MOST_WORDS = 3
# The passports' way of writing Cyrillic in Latin letters (ICAO 9303), for comparing alone.
_LATIN = str.maketrans(
    {
        **dict(zip("абвгдезийклмнопрстуфыэ", "abvgdeziiklmnoprstufye", strict=True)),
        "ж": "zh",
        "х": "kh",
        "ц": "ts",
        "ч": "ch",
        "ш": "sh",
        "щ": "shch",
        "ъ": "",
        "ь": "",
        "ю": "iu",
        "я": "ia",
        "і": "i",
        "ї": "i",
        "є": "ie",
        "ґ": "g",
        "ў": "u",
        **dict(zip("łøđı", "lodi", strict=True)),
    }
)
# What people write otherwise than passports do.
_HABITS = (("x", "ks"), ("kh", "h"), ("j", "i"), ("y", "i"), ("w", "v"))


def key_of(name: str) -> str:
    """A name as it is looked up: without differences of letter case, spaces, composition and ё."""
    plain = unicodedata.normalize("NFKC", name).casefold().replace("ё", "е")
    return " ".join(unicodedata.normalize("NFC", plain).split())


class Neighbours:
    """Names that others may be a spelling of; `known` has them by key."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._shown: dict[str, list[str]] = defaultdict(list)
        self._by_pair: dict[str, set[str]] = defaultdict(set)
        for key, shown in known.items():
            sound = _sound(key)
            self._shown[sound].append(shown)
            for pair in _pairs(sound):
                self._by_pair[pair].add(sound)

    def of(self, name: str) -> tuple[str, ...]:
        """Names that this one may be a spelling of, nearest first: mistyped, in another alphabet, or with family
        and given name the other way round."""
        sound = _sound(key_of(name))
        alike: Counter[str] = Counter()
        for pair in _pairs(sound):
            alike.update(self._by_pair.get(pair, ()))
        candidates = sorted(alike, key=lambda other: (-alike[other], other))[:_LOOKED_AT]
        likeness = {other: _likeness(sound, other) for other in candidates}
        found = [other for other in candidates if likeness[other] >= _CUTOFF]
        found.sort(key=lambda other: -likeness[other])
        return tuple(dict.fromkeys(shown for other in found for shown in self._shown[other]))[:NEAR]


def near(name: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Known names (by key) that this one may be a spelling of, nearest first."""
    return Neighbours(known).of(name)


def _sound(key: str) -> str:
    latin = key.translate(_LATIN)
    plain = "".join(c for c in unicodedata.normalize("NFD", latin) if not unicodedata.combining(c))
    for habit, usual in _HABITS:
        plain = plain.replace(habit, usual)
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


def _likeness(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1, whichever way round one of them is written."""
    matcher = SequenceMatcher(b=other, autojunk=False)
    best = 0.0
    words = one.split()
    for order in permutations(words[:_MOST_WORDS]):
        matcher.set_seq1(" ".join((*order, *words[_MOST_WORDS:])))
        # Nothing about the order of letters, so no other order does better.
        if matcher.quick_ratio() < _CUTOFF:
            break
        best = max(best, matcher.ratio())
    return best


def _pairs(sound: str) -> set[str]:
    """The pairs of letters of a text, with the beginnings and ends of its words."""
    padded = f" {sound} "
    return {padded[index : index + 2] for index in range(len(padded) - 1)}
