"""Every published or independently computed figure in vectors/tenhou.json, row by row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ratings.models import Length, Lobby, Standing, TenhouRules
from ratings.systems.tenhou import (
    GAINS,
    INITIAL,
    LOBBY_ENTRIES,
    RANKS,
    TENHOUI,
    RankEvent,
    explain,
    open_lobbies,
    rate,
)

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "tenhou.json").read_text("utf-8"))
CELLS = [(players, row) for players in (4, 3) for row in VECTORS["cells"][f"{players}p"]]
SINGLES = VECTORS["r_single"]["rows"]
SEQUENCES = VECTORS["r_sequences"]["sequences"]
LENGTHS = {"east": Length.TONPUU, "south": Length.HANCHAN}
INDEX = {rank.id: rank.index for rank in RANKS}


def _name(row: Any) -> str | None:
    return row["name"] if isinstance(row, Mapping) and "name" in row else None


def test_no_row_has_been_lost() -> None:
    assert len(VECTORS["ranks"]) == len(RANKS) == 21
    assert len(CELLS) == 21 * 16 - 16 == 320
    assert len(VECTORS["lobby_entry"]) == 4
    assert len(VECTORS["lobby_entry_cases"]) == 13
    assert len(VECTORS["ladder_walks"]) == 20
    assert sum(len(walk["games"]) for walk in VECTORS["ladder_walks"]) == 110
    assert len(SINGLES) == 28
    assert sum(len(game["games_after"]) for sequence in SEQUENCES for game in sequence["games"]) == 36


@pytest.mark.parametrize("row", VECTORS["ranks"], ids=lambda row: row["id"])
def test_rank(row: dict[str, Any]) -> None:
    rank = RANKS[row["index"]]
    assert (rank.index, rank.id, rank.name) == (row["index"], row["id"], row["ja"])
    assert rank.base == (row["base"] or 0)
    assert (rank.target(4), rank.target(3)) == (row["target_4p"], row["target_3p"])
    assert (rank.last(Length.TONPUU), rank.last(Length.HANCHAN)) == (
        -row["last_loss_east"],
        -row["last_loss_south"],
    )


@pytest.mark.parametrize("row", VECTORS["ranks"], ids=lambda row: row["id"])
def test_live_demotion(row: dict[str, Any]) -> None:
    start = Standing(row["index"], 0, 1500.0, 0)
    after = rate((4, 1, 2, 3), [start] + [INITIAL] * 3, Lobby.IPPAN, Length.HANCHAN, TenhouRules.LIVE)[0]
    assert RANKS[after.rank].id == (row["demoted_to"] if row["can_be_demoted"] else row["id"])


@pytest.mark.parametrize("players", [4, 3])
def test_lobby_gains(players: int) -> None:
    published = {
        (lobby, LENGTHS[length]): tuple(gains.values())
        for lobby, lengths in VECTORS["lobby_gains"][f"{players}p"].items()
        for length, gains in lengths.items()
    }
    ours = {(lobby, length): gains for lobby, row in GAINS[players].items() for length, gains in row.items()}
    assert ours == published
    assert len(published) == 8


@pytest.mark.parametrize("rules", TenhouRules)
@pytest.mark.parametrize(
    ("players", "row"), CELLS, ids=[f"{n}p-{r['rank']}-{r['lobby']}-{r['length']}" for n, r in CELLS]
)
def test_cell(players: int, row: dict[str, Any], rules: TenhouRules) -> None:
    table = [Standing(INDEX[row["rank"]], 0, 2500.0, 0)] * players
    steps = explain(range(1, players + 1), table, Lobby(row["lobby"]), LENGTHS[row["length"]], rules)
    assert [step.rank_delta for step in steps] == row["by_place"]
    assert (row["lobby"] in open_lobbies(table[0])) == row["open_to_rank"]


def test_lobby_entries() -> None:
    published = [(row["lobby"], INDEX[row["min_rank"]], row["min_R"] or 0.0) for row in VECTORS["lobby_entry"]]
    assert [(entry.lobby, entry.min_rank, entry.min_rating) for entry in LOBBY_ENTRIES] == published


@pytest.mark.parametrize("row", VECTORS["lobby_entry_cases"], ids=lambda row: f"{row['rank']}-R{row['R']}")
def test_open_lobbies(row: dict[str, Any]) -> None:
    assert list(open_lobbies(Standing(INDEX[row["rank"]], 0, row["R"], 0))) == row["open"]


@pytest.mark.parametrize("walk", VECTORS["ladder_walks"], ids=_name)
def test_live_ladder_walk(walk: dict[str, Any]) -> None:
    players = walk["players"]
    standing = Standing(INDEX[walk["start_rank"]], walk["start_points"], 1500.0, 0)
    for number, game in enumerate(walk["games"], 1):
        places = [game["place"], *(place for place in range(1, players + 1) if place != game["place"])]
        table = [standing] + [INITIAL] * (players - 1)
        step = explain(places, table, Lobby(game["lobby"]), LENGTHS[game["length"]], TenhouRules.LIVE)[0]
        standing = step.after
        assert step.rank_delta == game["delta"]
        assert (RANKS[standing.rank].id, standing.points) == (game["rank"], game["points"])
        assert step.event == _event(game)
        assert standing.games == number


def _event(game: dict[str, Any]) -> RankEvent | None:
    if game["event"] in ("", "floored", "frozen"):
        return None
    return RankEvent.TENHOUI if game["rank"] == RANKS[TENHOUI].id else RankEvent(game["event"])


def _single(row: dict[str, Any], rules: TenhouRules) -> Any:
    others = iter(place for place in range(1, row["players"] + 1) if place != row["place"])
    places = [row["place"] if seat == row["who"] else next(others) for seat in range(row["players"])]
    table = [Standing(0, 0, float(rating), row["games_before"]) for rating in row["ratings"]]
    return explain(places, table, Lobby.IPPAN, Length.HANCHAN, rules)[row["who"]]


@pytest.mark.parametrize("row", SINGLES, ids=_name)
def test_seed_rating(row: dict[str, Any]) -> None:
    step = _single(row, TenhouRules.SEED)
    assert step.after.rating == pytest.approx(float(row["seed_new"]), rel=0, abs=1e-9)
    assert step.after.rating - step.before.rating == pytest.approx(float(row["seed_change"]), rel=0, abs=1e-9)
    assert step.adjustment == float(row["adjustment"])
    assert step.placement_base == row["placement_base"]
    assert step.table_average == pytest.approx(float(row["table_average"]), rel=0, abs=1e-9)


@pytest.mark.parametrize("row", SINGLES, ids=_name)
def test_live_rating(row: dict[str, Any]) -> None:
    step = _single(row, TenhouRules.LIVE)
    assert step.after.rating == float(row["tenhou_new"])
    assert step.table_average == pytest.approx(max(1500, float(row["table_average"])), rel=0, abs=1e-9)
    if "real_rating_in_next_log" in row:
        assert step.after.rating == float(row["real_rating_in_next_log"])


@pytest.mark.parametrize("rules", TenhouRules)
@pytest.mark.parametrize("sequence", SEQUENCES, ids=_name)
def test_rating_sequence(sequence: dict[str, Any], rules: TenhouRules) -> None:
    standings = {
        player: Standing(0, 0, float(start["R"]), start["games"]) for player, start in sequence["start"].items()
    }
    column = "after_seed_exact" if rules is TenhouRules.SEED else "after_tenhou"
    tolerance = 5e-7 if rules is TenhouRules.SEED else 0
    for game in sequence["games"]:
        order = game["finishing_order"]
        table = [standings[player] for player in order]
        after = rate(range(1, len(order) + 1), table, Lobby.IPPAN, Length.HANCHAN, rules)
        standings.update(zip(order, after, strict=True))
        ratings = {player: standings[player].rating for player in order}
        expected = {player: float(rating) for player, rating in game[column].items()}
        assert ratings == pytest.approx(expected, rel=0, abs=tolerance)
        assert {player: standings[player].games for player in order} == game["games_after"]
