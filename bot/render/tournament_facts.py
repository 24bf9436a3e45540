"""The facts of a tournament in words, in a line or one by one, and what differs between two tellings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import Any

from bot.render.names import safe_name
from bot.texts import Texts
from ratings.systems.russian import Ranking
from ratings.tournaments.records import Details, Line, Telling

__all__ = ["differences", "facts_line", "line_text", "players_in", "ranking_name", "score_text"]


def ranking_name(texts: Texts, ranking: Ranking) -> str:
    """One of the three rankings, as people call it."""
    return {Ranking.RR: "RR", Ranking.CRR: "CRR", Ranking.ONLINE: texts.gettext("Online")}[ranking]


def facts_line(texts: Texts, details: Details) -> str:
    """What a tournament was, without its name; 0 participants are not known yet."""
    days = details.last_day.isoformat()
    if details.first_day not in (None, details.last_day):
        days = f"{_value(texts, 'first_day', details.first_day)} – {days}"
    parts = [days, details.country, texts.gettext("online") if details.online else texts.gettext("at the table")]
    if details.participants:
        parts.append(texts.ngettext("{number} player", "{number} players", details.participants))
    if details.stages:
        parts.append(texts.gettext("stages {stages}", stages=_value(texts, "stages", details.stages)))
    elif details.hanchan is None:
        parts.append(texts.gettext("hanchan unknown"))
    else:
        parts.append(texts.gettext("{number} hanchan", number=details.hanchan))
    if details.ema:
        parts.append(texts.gettext("official EMA event"))
    parts.append(texts.gettext("accredited") if details.accredited else texts.gettext("not accredited"))
    if details.open_share is not None:
        parts.append(texts.gettext("{share}% of the seats open", share=details.open_share))
    return " · ".join(parts)


def score_text(score: str) -> str:
    """A score as it was written, without zeros that say nothing and with a true minus sign."""
    text = f"{Decimal(score):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")


def differences(texts: Texts, before: Telling | None, after: Telling, names: Mapping[int, str]) -> list[str]:
    """What was told anew, fact by fact and then player by player; `names` are those of `players_in` both."""
    if before is None:
        return []
    told = [
        f"{_label(texts, name)}: {_value(texts, name, old)} → {_value(texts, name, new)}"
        for name, old, new in _changed(before.details, after.details)
    ]
    if before.removed != after.removed:
        told.append(texts.gettext("removed") if after.removed else texts.gettext("counts again"))
    old_lines, new_lines = _by_player(before), _by_player(after)
    for player_id in old_lines | new_lines:
        old, new = old_lines.get(player_id), new_lines.get(player_id)
        if old != new:
            step = f"{line_text(texts, old)} → {line_text(texts, new)}"
            told.append(f"{safe_name(texts, names.get(player_id, ''), 24)}: {step}")
    return told


def players_in(before: Telling | None, after: Telling) -> set[int]:
    """The records of the players whose results differ between two tellings."""
    if before is None:
        return set()
    old, new = _by_player(before), _by_player(after)
    return {player_id for player_id in old | new if old.get(player_id) != new.get(player_id)}


def line_text(texts: Texts, line: Line | None) -> str:
    """A result in a few words."""
    if line is None:
        return texts.gettext("no result")
    parts = [texts.gettext("place {place}", place=line.place)]
    if line.score is not None:
        parts.append(texts.gettext("score {score}", score=score_text(line.score)))
    if line.games is not None:
        parts.append(texts.ngettext("{number} game", "{number} games", line.games))
    if line.replacement:
        parts.append(texts.gettext("replacement player"))
    return ", ".join(parts)


def _by_player(told: Telling) -> dict[int, Line]:
    return {line.player_id: line for line in told.lines}


def _changed(before: Details, after: Details) -> list[tuple[str, Any, Any]]:
    pairs = ((each.name, getattr(before, each.name), getattr(after, each.name)) for each in fields(Details))
    return [(name, old, new) for name, old, new in pairs if old != new]


def _label(texts: Texts, name: str) -> str:
    return {
        "name": texts.gettext("name"),
        "first_day": texts.gettext("first day"),
        "last_day": texts.gettext("last day"),
        "hanchan": texts.gettext("hanchan"),
        "participants": texts.gettext("players"),
        "country": texts.gettext("country"),
        "online": texts.gettext("online"),
        "accredited": texts.gettext("accredited"),
        "open_share": texts.gettext("open seats"),
        "ema": texts.gettext("official EMA event"),
        "stages": texts.gettext("stages"),
    }[name]


def _value(texts: Texts, name: str, value: Any) -> str:
    match value:
        case None | ():
            return texts.gettext("none") if name == "stages" else texts.gettext("unknown")
        case bool():
            return texts.gettext("yes") if value else texts.gettext("no")
        case date():
            return value.isoformat()
        case tuple():
            return ", ".join(f"{stage.participants}×{stage.hanchan}" for stage in value)
        case str() if name == "name":
            return safe_name(texts, value, 40)
    return f"{value}%" if name == "open_share" else str(value)
