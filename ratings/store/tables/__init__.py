"""The tables. Facts are only ever added to; derived tables can be dropped and rebuilt from them.

Times are whole seconds since 1970 UTC, days are texts like 2026-11-29. SQLite keeps the tables STRICT, so types
are the four it knows.
"""

from ratings.store.tables.accounts import account_claims, accounts, game_logs, ladder_bans, log_seats
from ratings.store.tables.base import metadata
from ratings.store.tables.clubs import guilds, player_aliases, players, settings_changes
from ratings.store.tables.figures import outcomes, standings
from ratings.store.tables.games import (
    american_wins,
    card_lines,
    corrections,
    decisions,
    games,
    penalties,
    rejection_reasons,
    seats,
)
from ratings.store.tables.posts import cards, memos, outbox
from ratings.store.tables.tournaments import ranking_days, tournament_changes, tournament_results, tournaments

__all__ = [
    "account_claims",
    "accounts",
    "american_wins",
    "card_lines",
    "cards",
    "corrections",
    "decisions",
    "game_logs",
    "games",
    "guilds",
    "ladder_bans",
    "log_seats",
    "memos",
    "metadata",
    "outbox",
    "outcomes",
    "penalties",
    "player_aliases",
    "players",
    "ranking_days",
    "rejection_reasons",
    "seats",
    "settings_changes",
    "standings",
    "tournament_changes",
    "tournament_results",
    "tournaments",
]
