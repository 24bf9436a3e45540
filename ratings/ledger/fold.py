"""Playing games through: what each does to its players, given what they were before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ratings.ledger.entries import Entry
from ratings.ledger.rulebook import Rules
from ratings.models import Standing, SystemName
from ratings.store.bulk import Row, Rows, split
from ratings.store.tables import outcomes
from ratings.systems import nmjl, tenhou

__all__ = ["Fold", "Stored", "Turn", "changed_rows", "play", "play_unranked"]

_NOTHING = (None, None, None, None, None, None, None)


def play(entry: Entry, before: Sequence[Standing], rules: Rules, rows: Rows) -> list[Standing]:
    """Play a ranked game: adds what is to be stored of it to `rows`, by seat; its players' standings after it."""
    # Written for speed, for a replay comes through here once a game: plain steps cost less than zip and starred
    # tuples.
    _, game_id, _, _, players, scores, length, lobby, sticks, hand = entry
    places: Sequence[int | None]
    final_points: Sequence[int | None]
    if hand is None:
        places, final_points = rules.scoring[len(players)].score(scores, sticks)
        after = tenhou.rate(places, before, lobby or tenhou.automatic_lobby(before), length, rules.tenhou)
    else:
        places = final_points = (None,) * len(players)
        after = nmjl.rate(hand, before, rules.nmjl)
    for seat, player in enumerate(players):
        rank, points, rating, games = before[seat]
        new_rank, new_points, new_rating, _ = after[seat]
        rows += (game_id, seat, player, places[seat], final_points[seat])
        rows += (rank, points, rating, games, new_rank, new_points, new_rating)
    return after


def play_unranked(entry: Entry, rules: Rules, rows: Rows) -> None:
    """Add what is to be stored of an unranked riichi game to `rows`: places and final points alone."""
    places, final_points = rules.scoring[len(entry.players)].score(entry.scores, entry.sticks)
    for seat, (player, place, points) in enumerate(zip(entry.players, places, final_points, strict=True)):
        rows += (entry.game_id, seat, player, place, points, *_NOTHING)


def changed_rows(rows: Rows, stored: Sequence[Row]) -> Rows:
    """Those of a game's rows that are not stored yet; all of them where seats came or went."""
    fresh = list(split(outcomes, rows))
    return rows if len(fresh) != len(stored) else [value for row in fresh if row not in stored for value in row]


class Stored(NamedTuple):
    """A player's standing before and after a game, as stored."""

    before: Standing
    after: Standing


class Turn(NamedTuple):
    """A game's turn in a replay: what it now is (None if it counts no more) and what is stored of it."""

    entry: Entry | None
    rows: Sequence[Row]
    corrected: bool


class Fold:
    """Plays the games after a correction through, as far as the correction reaches.

    `standings` holds everybody who at this point of history stands elsewhere than the store says. A game
    without any of them keeps its figures. `look_up` finds the stored standing of a player at an approval that no
    row of the game tells; None if he had not played before.
    """

    def __init__(
        self,
        system: SystemName,
        look_up: Callable[[int, int], Standing | None],
        rules_at: Callable[[int], Rules],
    ) -> None:
        self.standings: dict[int, Standing] = {}
        self._system = system
        self._look_up = look_up
        self._rules_at = rules_at

    def take(self, turn: Turn) -> Rows:
        """Play one game through; the rows that are to be written for it."""
        entry, moved = turn.entry, self.standings
        if not turn.corrected and (entry is None or moved.keys().isdisjoint(entry.players)):
            return []
        stored = {row[2]: _stored(row) for row in turn.rows}
        rows: Rows = []
        after: dict[int, Standing] = {}
        if entry is not None:
            before = [self._before(player, entry, stored) for player in entry.players]
            standings = play(entry, before, self._rules_at(entry.settings_version), rows)
            after = dict(zip(entry.players, standings, strict=True))
            for player, standing in zip(entry.players, before, strict=True):
                # Somebody the store does not know at this table: there, nothing happens to him.
                stored.setdefault(player, Stored(standing, standing))
        for player, (old, was) in stored.items():
            now = after.get(player) or moved.get(player, old)
            if now == was:
                moved.pop(player, None)
            else:
                moved[player] = now
        return changed_rows(rows, turn.rows)

    def _before(self, player: int, entry: Entry, stored: dict[int, Stored]) -> Standing:
        standing = self.standings.get(player)
        if standing is None:
            standing = stored[player].before if player in stored else self._look_up(player, entry.approval_id)
        if standing is None or not standing.games:
            # Everybody starts under the rules of his first game, and this may not have been his first before.
            return self._rules_at(entry.settings_version).initial(self._system)
        return standing


def _stored(row: Row) -> Stored:
    _, _, _, _, _, rank, points, rating, games, new_rank, new_points, new_rating = row
    return Stored(Standing(rank, points, rating, games), Standing(new_rank, new_points, new_rating, games + 1))
