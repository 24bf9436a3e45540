"""Game logs, accounts on other sites, and bans from the ladder."""

from __future__ import annotations

import sqlalchemy as sa

from ratings.store.tables.base import Big, Small, Text, by_seat, game, guild, player, table

__all__ = ["account_claims", "accounts", "game_logs", "ladder_bans", "log_seats"]

game_logs = table(
    "game_logs",
    game(primary_key=True),
    guild(),
    # One for all copies of a game's log.
    sa.Column("fingerprint", Text, nullable=False),
    sa.Column("format", Text, nullable=False),
    sa.Column("log_id", Text),
    # What the log says of the game, whatever the game is told to have been.
    sa.Column("length", Text, nullable=False),
    sa.Column("lobby", Text),
    sa.Column("unranked", Text),
    player("attached_by"),
    sa.Column("attached_at", Big, nullable=False),
    sa.UniqueConstraint("guild_id", "fingerprint"),
    sa.Index(None, "guild_id", "log_id"),
)

# What a log tells of each seat; the seats are those of the game.
log_seats = by_seat(
    "log_seats",
    game(primary_key=True),
    sa.Column("seat", Small, primary_key=True),
    sa.Column("name", Text, nullable=False),
    sa.Column("hands", Small, nullable=False),
    sa.Column("wins_tsumo", Small, nullable=False),
    sa.Column("wins_ron", Small, nullable=False),
    sa.Column("deal_in_hands", Small, nullable=False),
    sa.Column("rons_paid", Small, nullable=False),
    sa.Column("called_hands", Small, nullable=False),
    sa.Column("riichi_hands", Small, nullable=False),
    sa.Column("closed_kans", Small, nullable=False),
    sa.Column("kita", Small, nullable=False),
)

# Accounts on other sites. One account is one player's; who gives it up leaves the row, marked.
accounts = table(
    "accounts",
    sa.Column("id", Big, primary_key=True),
    guild(),
    player(),
    sa.Column("site", Text, nullable=False),
    sa.Column("name", Text, nullable=False),
    player("linked_by"),
    sa.Column("linked_at", Big, nullable=False),
    sa.Column("unlinked_by", Big, sa.ForeignKey("players.id")),
    sa.Column("unlinked_at", Big),
    sa.CheckConstraint("site IN ('tenhou', 'mahjong-soul')", name="site"),
    sa.Index(None, "player_id"),
)
sa.Index(
    "uq_accounts_bound",
    accounts.c.guild_id,
    accounts.c.site,
    accounts.c.name,
    unique=True,
    sqlite_where=accounts.c.unlinked_at.is_(None),
    postgresql_where=accounts.c.unlinked_at.is_(None),
)

# Somebody claimed an account that is another player's: possible account sharing.
account_claims = table(
    "account_claims",
    sa.Column("id", Big, primary_key=True),
    guild(),
    sa.Column("account_id", Big, sa.ForeignKey("accounts.id"), nullable=False),
    player("claimed_by"),
    sa.Column("claimed_at", Big, nullable=False),
    sa.Index(None, "guild_id", "id"),
)

ladder_bans = table(
    "ladder_bans",
    sa.Column("id", Big, primary_key=True),
    guild(),
    player(),
    sa.Column("reason", Text, nullable=False),
    player("banned_by"),
    sa.Column("banned_at", Big, nullable=False),
    # Until when, if not for good.
    sa.Column("until", Big),
    sa.Column("lifted_by", Big, sa.ForeignKey("players.id")),
    sa.Column("lifted_at", Big),
    sa.Index(None, "player_id"),
    sa.Index(None, "guild_id", "id"),
)
