"""An evening of American mahjong: the club's card, and hands that Emi reports on the local Discord."""

from __future__ import annotations

from typing import Any

from bot.sandbox import Interaction
from tests.club_evening import Evening

__all__ = ["CARD", "hand", "line", "with_card"]

CARD = """year,section,section multiplier,line,points,concealed only,singles and pairs
2026,Rivers,1,Three bends,35,no,no
2026,Rivers,1,The ford,25,no,no
2026,Mountains,1.5,Hidden pass,50,yes,no
2026,Pairs,1,Seven pairs of boots,50,yes,yes
2025,Old,1,Last year's line,25,no,no
"""


async def with_card(evening: Evening) -> None:
    """Give the club a small card and make 2026 its year."""
    await evening.as_("Owner").slash("card import", evening.channels["mahjong"], file=("card.csv", CARD.encode()))


async def line(evening: Evening, typed: str) -> str:
    """The choice that a member takes from what is offered while he types."""
    offered = await evening.as_("Ann").autocomplete(
        "report american",
        evening.channels["mahjong"],
        option="line",
        text=typed,
        winner=evening.users["Ann"],
    )
    return str(offered[0]["value"])


async def hand(evening: Evening, typed: str, **options: Any) -> Interaction:
    """Ann wins against Борис, 千秋 and Dora, unless said otherwise."""
    users = evening.users
    said = {
        "winner": users["Ann"],
        "line": await line(evening, typed),
        "won": "discard",
        "jokers": True,
        "loser": users["Борис"],
        "second_loser": users["千秋"],
        "third_loser": users["Dora"],
    } | options
    if said["won"] == "discard":
        said.setdefault("discarder", users["Dora"])
    return await evening.as_("Emi").slash("report american", evening.channels["mahjong"], **said)
