"""Real games: the seats and final scores of every log at hand, reported and approved."""

from __future__ import annotations

from typing import Any

from tests import real_logs
from tests.club_evening import Evening

NAMES = ("Ann", "Борис", "千秋", "Dora")
EAST_SOUTH, LOWER_LOBBY_BIT, HIGHER_LOBBY_BIT = 0x08, 0x20, 0x80
LOBBIES = {0: "ippan", HIGHER_LOBBY_BIT: "joukyuu", LOWER_LOBBY_BIT: "tokujou"}


def played(log: dict[str, Any]) -> dict[str, str]:
    """Length and lobby of a log, as options of /report riichi."""
    if log["game_type"] is None:
        rule = log["rule_display"]
        return {"length": "hanchan" if "南" in rule else "tonpuu", "lobby": "houou" if "鳳" in rule else "ippan"}
    kind = log["game_type"]
    lobby = LOBBIES.get(kind & (LOWER_LOBBY_BIT | HIGHER_LOBBY_BIT), "houou")
    return {"length": "hanchan" if kind & EAST_SOUTH else "tonpuu", "lobby": lobby}


async def test_every_log_is_reported_approved_and_placed_as_it_was(evening: Evening) -> None:
    logs = real_logs.index()
    for number, log in enumerate(logs, 1):
        seats = sorted(log["expected"], key=lambda seat: seat["seat"])
        scores = {name: str(seat["final_score"]) for name, seat in zip(NAMES, seats, strict=False)}
        await evening.report(scores, **played(log))
        await evening.approve(number)
        places, points = await evening.result(number)
        assert places == [seat["place"] for seat in seats], log["file"]
        # Tenhou of 2011 rounded below first place, and Mahjong Soul has another uma.
        if "majsoul" not in log["file"]:
            for ours, theirs in zip(points, seats, strict=True):
                assert abs(ours / 1000 - theirs["result_points"]) < 1.6, log["file"]
        assert sum(points) == 0
    assert len(logs) == 11
