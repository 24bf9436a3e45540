"""What a game does to places, points and ratings: weighed for a forecast, written down at approval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import sqlalchemy as sa

from ratings import club
from ratings.models import AmericanGame, Lobby, RiichiGame, Standing
from ratings.queries import games as reading
from ratings.settings import ClubSettings
from ratings.store.bulk import upsert_tuples
from ratings.store.tables import outcomes, standings
from ratings.systems import nmjl, riichi, tenhou

__all__ = [
    "AmericanOutcome",
    "Matter",
    "Outcome",
    "RiichiOutcome",
    "matter",
    "outcome",
    "standings_now",
    "weigh",
    "write",
]


@dataclass(frozen=True, slots=True)
class RiichiOutcome:
    """What approval does to a riichi game: by seat the place, the final points and, if ranked, the rating step.

    `lobby` is the one the game counts as, None for an unranked game."""

    lobby: Lobby | None
    places: tuple[int, ...]
    final_points: tuple[int, ...]
    steps: tuple[tenhou.Step, ...]

    @property
    def is_news(self) -> bool:
        """Whether somebody's rank changes."""
        return any(step.event is not None for step in self.steps)


@dataclass(frozen=True, slots=True)
class AmericanOutcome:
    """What approval does to an American hand: the rating step of each player, in the order of the table."""

    steps: tuple[nmjl.Step, ...]

    @property
    def is_news(self) -> bool:
        """American hands change no rank."""
        return False


Outcome = RiichiOutcome | AmericanOutcome


@dataclass(frozen=True, slots=True)
class Matter:
    """A game, what approval does or did to it, and the club's settings now: all that is needed to show it."""

    game: reading.GameRecord
    outcome: Outcome
    settings: ClubSettings


# Statements are put together once: building one costs more than SQLite needs to run it.
_STANDINGS = sa.select(
    standings.c.player_id, standings.c.rank, standings.c.points, standings.c.rating, standings.c.games
).where(
    standings.c.guild_id == sa.bindparam("guild"),
    standings.c.system == sa.bindparam("system"),
    standings.c.player_id.in_(sa.bindparam("players", expanding=True)),
)
_STANDINGS_BEFORE = sa.select(
    outcomes.c.player_id,
    outcomes.c.rank_before,
    outcomes.c.points_before,
    outcomes.c.rating_before,
    outcomes.c.games_before,
).where(outcomes.c.game_id == sa.bindparam("game"), outcomes.c.rating.is_not(None))


def matter(connection: sa.Connection, guild_id: int, game_id: int) -> Matter:
    """All that is needed to show a game. Raises Refused (UNKNOWN_GAME)."""
    game = reading.by_id(connection, guild_id, game_id)
    return Matter(game, outcome(connection, guild_id, game), club.settings(connection, guild_id))


def outcome(connection: sa.Connection, guild_id: int, game: reading.GameRecord) -> Outcome:
    """What approval did to `game`; for one that is not approved, what approving it now would do.

    An approved game is weighed with what its players had before it and the settings of its decision.
    """
    if game.approval is not None:
        settings = club.settings(connection, guild_id, game.approval.settings_version)
        rows = connection.execute(_STANDINGS_BEFORE, {"game": game.id})
        known = {row[0]: Standing(*row[1:]) for row in rows}
        before = [known.get(player, _initial(game.facts, settings)) for player in game.players]
        return weigh(game.facts, before, settings)
    settings = club.settings(connection, guild_id)
    return weigh(game.facts, standings_now(connection, game, settings), settings)


def standings_now(connection: sa.Connection, game: reading.GameRecord, settings: ClubSettings) -> list[Standing]:
    """The standings of a game's players in its rating system, in the order of the table."""
    wanted = {"guild": game.guild_id, "system": game.facts.system, "players": list(game.players)}
    rows = connection.execute(_STANDINGS, wanted)
    known = {row.player_id: Standing(row.rank, row.points, row.rating, row.games) for row in rows}
    return [known.get(player, _initial(game.facts, settings)) for player in game.players]


@overload
def weigh(game: RiichiGame, before: Sequence[Standing], settings: ClubSettings) -> RiichiOutcome: ...
@overload
def weigh(game: AmericanGame, before: Sequence[Standing], settings: ClubSettings) -> AmericanOutcome: ...
def weigh(game: RiichiGame | AmericanGame, before: Sequence[Standing], settings: ClubSettings) -> Outcome:
    """What a game does, given its players' standings (in the order of the table) and the settings."""
    if isinstance(game, AmericanGame):
        return AmericanOutcome(tuple(nmjl.explain(game, before, settings.nmjl_rules)))
    places = riichi.places(game, settings.shared_places)
    points = riichi.final_points(game, settings)
    if not game.ranked:
        return RiichiOutcome(None, places, points, ())
    lobby = game.lobby or tenhou.automatic_lobby(before)
    steps = tenhou.explain(places, before, lobby, game.length, settings.tenhou_rules)
    return RiichiOutcome(lobby, places, points, tuple(steps))


def write(connection: sa.Connection, game: reading.GameRecord, result: Outcome) -> None:
    """Write down what a game that counts from now on does: a row for each seat, and the standings."""
    seats: Sequence[tuple[int | None, int | None]] = [(None, None)] * len(game.players)
    if isinstance(result, RiichiOutcome):
        seats = list(zip(result.places, result.final_points, strict=True))
    steps: Sequence[tenhou.Step | nmjl.Step] = result.steps
    moved: list[tuple[float | None, ...]] = [(*step.before, *step.after[:3]) for step in steps]
    moved = moved or [(None,) * 7] * len(game.players)
    rows = [
        (game.id, seat, player, *placed, *move)
        for seat, (player, placed, move) in enumerate(zip(game.players, seats, moved, strict=True))
    ]
    upsert_tuples(connection, outcomes, rows)
    key = (game.guild_id, game.facts.system)
    after = [(*key, player, *step.after) for player, step in zip(game.players, steps, strict=False)]
    upsert_tuples(connection, standings, after)


def _initial(game: RiichiGame | AmericanGame, settings: ClubSettings) -> Standing:
    return nmjl.initial(settings.nmjl_rules) if isinstance(game, AmericanGame) else tenhou.INITIAL
