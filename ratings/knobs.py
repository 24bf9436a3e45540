"""The knobs of a club: each setting with its kind, its range and its default, read from and shown as text.

Everything but the group, and the kind of a few, comes from the model of the settings itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias
from zoneinfo import available_timezones

from ratings.resultsfile.countries import alpha_2
from ratings.settings import ClubSettings

__all__ = [
    "KNOBS",
    "NONE",
    "BadValue",
    "Fault",
    "Group",
    "Kind",
    "Knob",
    "Value",
    "close",
    "misfits",
    "read_uma",
    "stands_for_none",
    "zones_like",
]

Value: TypeAlias = bool | int | float | str | tuple[int, ...] | None

NONE = "none"
_LONGEST = 100  # characters that are looked at
_QUOTED = 40


class Group(StrEnum):
    """What a setting is about."""

    CLUB = "club"
    RIICHI = "riichi"
    TENHOU = "tenhou"
    AMERICAN = "american"
    TOURNAMENTS = "tournaments"


class Kind(StrEnum):
    """What a setting's values are. A channel and a role are their ids."""

    WHOLE = "whole"
    NUMBER = "number"
    YES_NO = "yes-no"
    CHOICE = "choice"
    TIME_ZONE = "time-zone"
    COUNTRY = "country"
    UMA = "uma"
    CHANNEL = "channel"
    ROLE = "role"


class Fault(StrEnum):
    """Why a text is no value for a setting."""

    NOT_WHOLE = "not-whole"
    NOT_A_NUMBER = "not-a-number"
    TWO_WAYS = "two-ways"
    OUT_OF_RANGE = "out-of-range"
    NOT_A_STEP = "not-a-step"
    NOT_YES_NO = "not-yes-no"
    NOT_A_CHOICE = "not-a-choice"
    NOT_A_ZONE = "not-a-zone"
    NOT_A_COUNTRY = "not-a-country"
    NOT_AN_UMA = "not-an-uma"
    UNEVEN_UMA = "uneven-uma"
    NOT_AN_ID = "not-an-id"


class BadValue(ValueError):
    """A text that is no value for a setting; `text` is cut to 40 characters."""

    def __init__(self, text: str, fault: Fault) -> None:
        self.text = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
        self.fault = fault
        super().__init__(f"{self.text!r}: {fault}")


@dataclass(frozen=True, slots=True)
class Knob:
    """A setting. `lowest`, `highest` and `step` bound a number and each number of an uma of `places`;
    `choices` are all the values of a choice; an `optional` one may have no value at all."""

    name: str
    group: Group
    kind: Kind
    default: Value
    optional: bool = False
    lowest: float | None = None
    highest: float | None = None
    step: int | None = None
    choices: tuple[int | str, ...] = ()
    places: int = 0

    def read(self, text: str) -> Value:
        """The value that a person wrote. Raises BadValue."""
        if self.optional and stands_for_none(text):
            return None
        if len(text) > _LONGEST:
            raise BadValue(text, _UNREADABLE[self.kind])
        match self.kind:
            case Kind.WHOLE:
                return int(self._within(_whole(text), text))
            case Kind.NUMBER:
                return self._within(_number(text), text)
            case Kind.YES_NO:
                return _yes_no(text)
            case Kind.CHOICE:
                return self._choice(text)
            case Kind.TIME_ZONE:
                return _zone(text)
            case Kind.COUNTRY:
                return _country(text)
            case Kind.UMA:
                return self._uma(text)
            case Kind.CHANNEL | Kind.ROLE:
                return _id(text)

    def show(self, value: Any) -> str:
        """A value of this setting as text that `read` takes."""
        if value is None:
            return NONE
        match self.kind:
            case Kind.YES_NO:
                return "yes" if value else "no"
            case Kind.NUMBER:
                return repr(float(value) + 0.0).removesuffix(".0")
            case Kind.UMA:
                return " ".join(str(step) for step in value)
            case _:
                return str(value)

    def _within(self, number: float, text: str) -> float:
        if (self.lowest is not None and number < self.lowest) or (
            self.highest is not None and number > self.highest
        ):
            raise BadValue(text, Fault.OUT_OF_RANGE)
        if self.step is not None and number % self.step:
            raise BadValue(text, Fault.NOT_A_STEP)
        return number

    def _choice(self, text: str) -> int | str:
        plain = _plain(text)
        for choice in self.choices:
            if str(choice) == plain:
                return choice
        raise BadValue(text, Fault.NOT_A_CHOICE)

    def _uma(self, text: str) -> tuple[int, ...]:
        steps = read_uma(text, self.places)
        for step in steps:
            self._within(step, text)
        if sum(steps):
            raise BadValue(text, Fault.UNEVEN_UMA)
        return steps


_UNREADABLE = {
    Kind.WHOLE: Fault.NOT_WHOLE,
    Kind.NUMBER: Fault.NOT_A_NUMBER,
    Kind.YES_NO: Fault.NOT_YES_NO,
    Kind.CHOICE: Fault.NOT_A_CHOICE,
    Kind.TIME_ZONE: Fault.NOT_A_ZONE,
    Kind.COUNTRY: Fault.NOT_A_COUNTRY,
    Kind.UMA: Fault.NOT_AN_UMA,
    Kind.CHANNEL: Fault.NOT_AN_ID,
    Kind.ROLE: Fault.NOT_AN_ID,
}
_NOTHING = {NONE, "-", "なし", "нет"}
_YES = {"yes", "y", "true", "on", "1", "ja", "да", "はい", "オン", "oui"}
_NO = {"no", "n", "false", "off", "0", "nein", "нет", "いいえ", "オフ", "non"}
_MINUS = str.maketrans(dict.fromkeys("‐‑‒–—−▲△", "-") | {"’": "'"})
_GROUPED = re.compile(r"([+-]?) ?(\d+|\d{1,3}(?:([ ,.'])\d{3})(?:\3\d{3})*)")
_DECIMAL = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?")
_THOUSAND_OR_POINT = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_STEP = re.compile(r"[-+]?\d+")


def stands_for_none(text: str) -> bool:
    """Whether a text says that there shall be no value."""
    return _plain(text) in _NOTHING


def _plain(text: str) -> str:
    """`text` in small letters with ordinary digits, signs and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text[: _LONGEST + 1]).casefold().translate(_MINUS).split())


def _whole(text: str) -> int:
    match = _GROUPED.fullmatch(_plain(text))
    if match is None:
        raise BadValue(text, Fault.NOT_WHOLE)
    return int(match[1] + re.sub(r"\D", "", match[2]))


def _number(text: str) -> float:
    plain = _plain(text)
    if _THOUSAND_OR_POINT.fullmatch(plain):
        raise BadValue(text, Fault.TWO_WAYS)
    if not _DECIMAL.fullmatch(plain):
        raise BadValue(text, Fault.NOT_A_NUMBER)
    return float(plain.replace(",", "."))


def _yes_no(text: str) -> bool:
    plain = _plain(text)
    if plain not in _YES | _NO:
        raise BadValue(text, Fault.NOT_YES_NO)
    return plain in _YES


def _id(text: str) -> int:
    plain = _plain(text)
    if not re.fullmatch(r"[0-9]{1,19}", plain) or int(plain) >= 2**63:
        raise BadValue(text, Fault.NOT_AN_ID)
    return int(plain)


def _zone(text: str) -> str:
    zone = _zones().get(_zone_key(text))
    if zone is None:
        raise BadValue(text, Fault.NOT_A_ZONE)
    return zone


def _country(text: str) -> str:
    code = alpha_2(text)
    if code is None:
        raise BadValue(text, Fault.NOT_A_COUNTRY)
    return code


def _zone_key(text: str) -> str:
    return _plain(text).replace(" ", "_")


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    return {zone.casefold(): zone for zone in sorted(available_timezones())}


def zones_like(text: str) -> list[str]:
    """The time zones with `text` anywhere in their names, in alphabetical order."""
    typed = _zone_key(text)
    return [zone for key, zone in _zones().items() if typed in key]


def read_uma(text: str, places: int) -> tuple[int, ...]:
    """An uma like "20 10 -10 -20", first place first, in thousands. Raises BadValue.

    It need not add up to zero: only the settings as a whole know.
    """
    plain = _plain(text)
    steps = _STEP.findall(plain)
    if len(text) > _LONGEST or len(steps) != places or _STEP.sub("", plain).strip(" ,/;、"):
        raise BadValue(text, Fault.NOT_AN_UMA)
    return tuple(int(step) for step in steps)


# ---- the registry --------------------------------------------------------------------------------------

_GROUPS: Mapping[Group, tuple[str, ...]] = {
    Group.CLUB: (
        "approvals_channel",
        "announcements_channel",
        "admin_role",
        "time_zone",
        "usual_players",
        "usual_length",
        "rank_roles",
    ),
    Group.RIICHI: (
        "shared_places",
        "sticks_to_first",
        "start_4p",
        "return_4p",
        "uma_4p",
        "start_3p",
        "return_3p",
        "uma_3p",
        "chips",
        "chip_value",
        "stake",
    ),
    Group.TENHOU: ("tenhou_rules",),
    Group.AMERICAN: (
        "starting_rating",
        "k_factor",
        "jokerless_bonus",
        "concealed_bonus_multiplier",
        "discard_penalty_multiplier",
        "base_win_points",
        "section_multipliers",
        "jokerless_doubles",
        "penalties",
        "card_year",
    ),
    Group.TOURNAMENTS: ("home_country", "home_players_only", "ranking_posts", "ranking_post_hour"),
}
# The model knows these as whole numbers and a text.
_SPECIAL = {
    "approvals_channel": Kind.CHANNEL,
    "announcements_channel": Kind.CHANNEL,
    "admin_role": Kind.ROLE,
    "time_zone": Kind.TIME_ZONE,
    "home_country": Kind.COUNTRY,
}
_KINDS = {"integer": Kind.WHOLE, "number": Kind.NUMBER, "boolean": Kind.YES_NO, "array": Kind.UMA}


def _registry() -> Mapping[str, Knob]:
    schema = ClubSettings.model_json_schema()
    fields, shared = schema["properties"], schema.get("$defs", {})
    knobs = (_knob(name, group, fields[name], shared) for group, names in _GROUPS.items() for name in names)
    return MappingProxyType({knob.name: knob for knob in knobs})


def _knob(name: str, group: Group, field: dict[str, Any], shared: dict[str, Any]) -> Knob:
    kinds = field.get("anyOf", [field])
    schema = next(kind for kind in kinds if kind.get("type") != "null")
    if "$ref" in schema:
        schema = shared[schema["$ref"].rpartition("/")[2]]
    kind = _SPECIAL.get(name) or (Kind.CHOICE if "enum" in schema else _KINDS[schema["type"]])
    bounds = schema["prefixItems"][0] if kind is Kind.UMA else schema
    default = field["default"]
    return Knob(
        name=name,
        group=group,
        kind=kind,
        default=tuple(default) if isinstance(default, list) else default,
        optional=len(kinds) > 1,
        lowest=bounds.get("minimum"),
        highest=bounds.get("maximum"),
        step=bounds.get("multipleOf"),
        choices=tuple(schema.get("enum", ())),
        places=schema.get("minItems", 0),
    )


KNOBS = _registry()


def close(name: str) -> list[str]:
    """The settings whose names are nearest to one that is none, best first; often there is none at all."""
    return get_close_matches(_plain(name).replace(" ", "_"), KNOBS, n=2, cutoff=0.6)


def misfits(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The pairs of settings that contradict each other: a starting score above its return score."""
    pairs = (("start_4p", "return_4p"), ("start_3p", "return_3p"))
    return [(start, target) for start, target in pairs if values[target] < values[start]]
