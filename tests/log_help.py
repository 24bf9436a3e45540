"""Small game logs, written as each test needs them, in both formats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

__all__ = [
    "DRAW",
    "FINAL",
    "FINAL_3P",
    "HOUOU",
    "HOUOU_3P",
    "NAMES",
    "NAMES_3P",
    "TSUMO",
    "agari",
    "draw",
    "final_json",
    "hand_json",
    "init",
    "mjlog",
    "tenhou6",
]

HOUOU, HOUOU_3P = 0xA9, 0xB9  # type bits of a hanchan
NAMES = ("Ann", "Борис", "千秋", "Dora")
NAMES_3P = ("Ann", "Борис", "千秋", "")
FINAL = "400,50.0,300,10.0,200,-20.0,100,-40.0"
FINAL_3P = "500,30.0,350,-5.0,200,-25.0,0,0.0"
TSUMO = ["和了", [0, 0, 0, 0], [0, 0, 0, "30符1飜500点∀"]]
DRAW = ["流局", [0, 0, 0, 0]]
_DEALT = 13


def _dealt(seat: int, players: int) -> range:
    """Numbers of the tiles that a seat is dealt: always the same thirteen."""
    return range(_DEALT * seat, _DEALT * (seat + 1)) if seat < players else range(0)


def init(round_number: int = 0, honba: int = 0, sticks: int = 0, players: int = 4) -> str:
    """The start of a hand in mjlog, every score at its start."""
    scores = ["250"] * 4 if players == 4 else ["350"] * 3 + ["0"]
    dealt = (f'hai{seat}="{",".join(str(tile) for tile in _dealt(seat, players))}"' for seat in range(4))
    return (
        f'<INIT seed="{round_number},{honba},{sticks},1,2,135" ten="{",".join(scores)}" '
        f'oya="{round_number % 4}" {" ".join(dealt)}/>'
    )


def agari(winner: int, source: int, final: str | None = None) -> str:
    """A win in mjlog; with `final`, the end of the game."""
    end = "" if final is None else f' owari="{final}"'
    return f'<AGARI ba="0,0" who="{winner}" fromWho="{source}"{end} />'


def draw(kind: str | None = None, final: str | None = None) -> str:
    """A drawn hand in mjlog; `kind` as Tenhou writes it, None for an exhaustive draw."""
    why = "" if kind is None else f' type="{kind}"'
    end = "" if final is None else f' owari="{final}"'
    return f'<RYUUKYOKU{why} ba="0,0"{end} />'


def mjlog(
    *parts: str,
    kind: int = HOUOU,
    names: Sequence[str] = NAMES,
    go: str = 'lobby="0"',
    version: str = "2.3",
    first_dealer: int = 0,
) -> bytes:
    """An mjlog of `parts`, names as Tenhou encodes them. `go` are more attributes of GO."""
    people = " ".join(f'n{side}="{quote(name)}"' for side, name in enumerate(names))
    return (
        f'<mjloggm ver="{version}"><SHUFFLE seed="" ref=""/><GO type="{kind}" {go}/>'
        f'<UN {people} dan="16,17,18,20" rate="2100.00,2200.50,2300.25,1500.00" sx="M,F,M,F"/>'
        f'<TAIKYOKU oya="{first_dealer}"/>{"".join(parts)}</mjloggm>'
    ).encode()


def hand_json(
    result: list[Any],
    round_number: int = 0,
    honba: int = 0,
    sticks: int = 0,
    players: int = 4,
    takes: dict[int, list[Any]] | None = None,
    discards: dict[int, list[Any]] | None = None,
) -> list[Any]:
    """A hand in JSON, with the deal of `init`."""
    scores = [25000] * 4 if players == 4 else [35000] * 3 + [0]
    hand: list[Any] = [[round_number, honba, sticks], scores, [47], []]
    for seat in range(4):
        dealt = [10 * (tile // 36 + 1) + tile % 36 // 4 + 1 for tile in _dealt(seat, players)]
        hand += [dealt, (takes or {}).get(seat, []), (discards or {}).get(seat, [])]
    return [*hand, result]


def final_json(final: str = FINAL) -> list[int | float]:
    """The end of a game in JSON, from the list in mjlog."""
    numbers = final.split(",")
    return [float(text) if place % 2 else int(text) * 100 for place, text in enumerate(numbers)]


def tenhou6(*hands: list[Any], players: int = 4, **changes: Any) -> bytes:
    """A JSON log of `hands`; `changes` replace keys, and None leaves one out."""
    log = {
        "ver": 2.3,
        "ref": "2021010217gm-00a9-0000-0123abcd" if players == 4 else "2021010217gm-00b9-0000-0123abcd",
        "log": list(hands),
        "ratingc": f"PF{players}",
        "rule": {"disp": "鳳南喰赤" if players == 4 else "三鳳南喰赤", "aka53": 1, "aka52": 1, "aka51": 1},
        "lobby": 0,
        "dan": ["七段", "八段", "九段", "天鳳位"],
        "rate": [2100.0, 2200.5, 2300.25, 1500.0],
        "sx": ["M", "F", "M", "F"],
        "sc": final_json(FINAL if players == 4 else FINAL_3P),
        "name": list(NAMES if players == 4 else NAMES_3P),
    } | changes
    kept = {key: value for key, value in log.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False).encode()
