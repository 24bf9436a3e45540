"""What a club's file holds: the tables of facts, in an order in which each only refers to earlier ones."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from ratings.store import tables

__all__ = ["FACTS", "LATER", "references"]

FACTS: tuple[sa.Table, ...] = (
    tables.players,
    tables.settings_changes,
    tables.player_aliases,
    tables.card_lines,
    tables.games,
    tables.seats,
    tables.american_wins,
    tables.penalties,
    tables.decisions,
    tables.rejection_reasons,
    tables.corrections,
    tables.tournaments,
    tables.tournament_results,
    tables.tournament_changes,
    tables.ranking_days,
    tables.game_logs,
    tables.log_seats,
    tables.accounts,
    tables.account_claims,
    tables.ladder_bans,
)
# What refers to a row of its own table, or to a later one: filled in at the end.
LATER: Mapping[str, Mapping[str, str]] = {
    "players": {"merged_into": "players"},
    "games": {"approval_id": "decisions"},
    "tournament_changes": {"undoes": "tournament_changes"},
}


def references(table: sa.Table) -> dict[str, str]:
    """The columns of a table that hold ids of rows in earlier tables, and these tables' names."""
    later = LATER.get(table.name, {})
    found = {
        column.name: next(iter(column.foreign_keys)).column.table.name
        for column in table.columns
        if column.foreign_keys and column.name != "guild_id" and column.name not in later
    }
    if table is tables.decisions:
        found["settings_version"] = "settings_changes"
    if table is tables.ranking_days:
        found |= {"since_change": "tournament_changes", "until_change": "tournament_changes"}
    return found
