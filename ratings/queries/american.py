"""A member's American mahjong: what seed 000 keeps of him, and what his wins were made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from ratings.models import AmericanGame, GameState, RiichiGame, Standing, SystemName, WonBy
from ratings.queries import cards
from ratings.queries.cards import CardLine
from ratings.queries.people import player_of, records_of
from ratings.store.tables import american_wins, card_lines, games, players, standings

__all__ = ["AmericanProfile", "WinFigures", "moved_wins", "profile", "wins_of"]


@dataclass(frozen=True, slots=True)
class AmericanProfile:
    """A member's figures. Wall games count as played, never as won.

    `discarded_into` counts the wins of others on his discards; `favourite_section` is the one he won with most
    often, `best_line` the line of the highest value he won with.
    """

    standing: Standing
    wins: int
    self_picked: int
    jokerless: int
    discarded_into: int
    favourite_section: str | None
    best_line: CardLine | None

    @property
    def win_rate(self) -> float:
        """Wins by games played, wall games included; 0 before the first game."""
        return self.wins / self.standing.games if self.standing.games else 0.0


class WinFigures(NamedTuple):
    """How many hands somebody won, how many of them self-picked and without jokers, and how many others won on his
    discards."""

    wins: int = 0
    self_picked: int = 0
    jokerless: int = 0
    discarded_into: int = 0


_APPROVED_WINS = (
    sa.select(american_wins.c.won_by, american_wins.c.used_jokers, card_lines)
    .join(games, games.c.id == american_wins.c.game_id)
    .join(card_lines, card_lines.c.id == american_wins.c.line_id)
    .where(games.c.state == GameState.APPROVED)
)


def profile(connection: sa.Connection, guild_id: int, discord_id: int) -> AmericanProfile | None:
    """A member's American figures; None before his first approved hand."""
    row = connection.execute(
        sa.select(standings)
        .where(standings.c.guild_id == guild_id, standings.c.system == SystemName.NMJL)
        .where(standings.c.player_id == player_of(guild_id, discord_id))
    ).one_or_none()
    if row is None:
        return None
    mine = records_of(guild_id, discord_id)
    won = connection.execute(_APPROVED_WINS.where(american_wins.c.winner_id.in_(mine))).all()
    lines = [cards.from_row(each) for each in won]
    sections = Counter(line.section for line in lines)
    into = connection.execute(
        sa.select(sa.func.count())
        .select_from(american_wins)
        .join(games, games.c.id == american_wins.c.game_id)
        .where(games.c.state == GameState.APPROVED, american_wins.c.discarder_id.in_(mine))
    ).scalar_one()
    return AmericanProfile(
        standing=Standing(row.rank, row.points, row.rating, row.games),
        wins=len(won),
        self_picked=sum(each.won_by == WonBy.SELF_PICK for each in won),
        jokerless=sum(not each.used_jokers for each in won),
        discarded_into=int(into),
        favourite_section=sections.most_common(1)[0][0] if sections else None,
        best_line=max(lines, key=lambda line: line.line.points, default=None),
    )


def wins_of(connection: sa.Connection, player_ids: list[int]) -> dict[int, int]:
    """How many approved hands each of these players has won."""
    winner = sa.func.coalesce(players.c.merged_into, players.c.id).label("winner")
    theirs = sa.or_(players.c.id.in_(player_ids), players.c.merged_into.in_(player_ids))
    query = (
        sa.select(winner, sa.func.count().label("wins"))
        .select_from(american_wins)
        .join(games, games.c.id == american_wins.c.game_id)
        .join(players, players.c.id == american_wins.c.winner_id)
        .where(games.c.state == GameState.APPROVED, theirs)
        .group_by(winner)
    )
    return {row.winner: row.wins for row in connection.execute(query)}


def moved_wins(
    connection: sa.Connection, old: RiichiGame | AmericanGame | None, new: RiichiGame | AmericanGame | None
) -> dict[int, tuple[WinFigures, WinFigures]]:
    """What people won as it stands, and as it would be if a game that counts as `old` counted as `new` (None where
    it does not count): of each player of whom that changes."""
    less, more = _of_game(old), _of_game(new)
    moved = [player for player in {**less, **more} if less.get(player) != more.get(player)]
    if not moved:
        return {}
    before = _figures_of(connection, moved)
    after = dict(before)
    _add(after, less, -1)
    _add(after, more)
    return {player: (before.get(player, WinFigures()), after[player]) for player in moved}


def _of_game(game: RiichiGame | AmericanGame | None) -> dict[int, WinFigures]:
    """What one game adds to the figures of its players."""
    win = game.win if isinstance(game, AmericanGame) else None
    return {} if win is None else _of_win(win.winner, win.won_by, win.used_jokers, win.discarder)


def _of_win(winner: int, won_by: WonBy, used_jokers: bool, discarder: int | None) -> dict[int, WinFigures]:
    figures = {winner: WinFigures(1, int(won_by is WonBy.SELF_PICK), int(not used_jokers))}
    return figures if discarder is None else figures | {discarder: WinFigures(discarded_into=1)}


def _add(figures: dict[int, WinFigures], more: Mapping[int, WinFigures], times: int = 1) -> None:
    for player, added in more.items():
        present = figures.get(player, WinFigures())
        figures[player] = WinFigures(*(have + times * one for have, one in zip(present, added, strict=True)))


def _figures_of(connection: sa.Connection, player_ids: Collection[int]) -> dict[int, WinFigures]:
    """What these players won in approved hands, under any record that counts as theirs."""
    records = players.alias("records")
    counted = sa.func.coalesce(records.c.merged_into, records.c.id)
    theirs = sa.or_(records.c.id.in_(player_ids), records.c.merged_into.in_(player_ids))
    counts_as = {
        row.id: row.player
        for row in connection.execute(sa.select(records.c.id, counted.label("player")).where(theirs))
    }
    win = (
        american_wins.c.winner_id,
        american_wins.c.won_by,
        american_wins.c.used_jokers,
        american_wins.c.discarder_id,
    )
    query = (
        sa.select(*win, sa.func.count().label("times"))
        .join(games, games.c.id == american_wins.c.game_id)
        .where(games.c.state == GameState.APPROVED)
        .where(sa.or_(american_wins.c.winner_id.in_(counts_as), american_wins.c.discarder_id.in_(counts_as)))
        .group_by(*win)
    )
    found: dict[int, WinFigures] = {}
    for row in connection.execute(query):
        winner, discarder = (counts_as.get(record) for record in (row.winner_id, row.discarder_id))
        # 0 is nobody: somebody whose figures were not asked for.
        _add(found, _of_win(winner or 0, WonBy(row.won_by), bool(row.used_jokers), discarder), row.times)
    return found
