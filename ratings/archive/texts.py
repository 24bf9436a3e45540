"""The texts inside of a row that tell of other rows: they get the ids that these have here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from ratings.ledger import tellings
from ratings.store import tables
from ratings.tournaments.player_log import PlayerChangeKind, steps_of
from ratings.tournaments.records import ChangeKind, Telling

__all__ = ["rewrite_texts"]


def rewrite_texts(
    table: sa.Table, values: dict[str, Any], people: Mapping[int, int], lines: Mapping[int, int]
) -> None:
    """Give the texts of a row the new ids of `people` and of `lines` of the card.

    Raises LookupError, TypeError, ValueError, AttributeError or RecursionError for what nobody could read later.
    """
    if table is tables.corrections:
        for name in ("before", "after"):
            if values[name] is not None:
                values[name] = _telling(values[name], people, lines)
        moved = json.loads(values["rank_moves"])
        values["rank_moves"] = json.dumps([move | {"player": people[move["player"]]} for move in moved])
    elif table is tables.tournament_changes:
        for name in ("before", "after"):
            if values[name] is not None:
                told = json.loads(values[name])
                told["lines"] = [[people[player], *rest] for player, *rest in told["lines"]]
                values[name] = json.dumps(told, ensure_ascii=False)
                Telling.from_json(values[name])
        _check_change(values)


def _telling(text: str, people: Mapping[int, int], lines: Mapping[int, int]) -> str:
    told = json.loads(text)
    if isinstance(told, list):
        return json.dumps([people[record] for record in told])
    if "attached_by" in told:
        # A log that was taken off its game.
        return json.dumps(told | {"attached_by": people[told["attached_by"]]})
    fresh = told | {"players": [people[record] for record in told["players"]]}
    for name in ("winner", "discarder"):
        if told.get(name) is not None:
            fresh[name] = people[told[name]]
    if told.get("line_id") is not None:
        # A line that was dropped from the card since is kept by its number alone.
        fresh["line_id"] = lines.get(told["line_id"], 0)
    text = json.dumps(fresh)
    tellings.from_json(text)
    return text


def _check_change(values: Mapping[str, Any]) -> None:
    """Whether a change says what was done, and of a player what he was called and is called now."""
    if values["player_id"] is None:
        ChangeKind(values["kind"])
    else:
        PlayerChangeKind(values["kind"])
    if values["facts"] is not None:
        steps = steps_of(values["facts"]).values()
        if not all(fact is None or isinstance(fact, str) for step in steps for fact in step):
            raise ValueError("a player who was called otherwise than by a text")
