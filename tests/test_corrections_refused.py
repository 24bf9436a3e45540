"""Corrections that cannot be: wrong amendments, the wrong person, the wrong state, another club's game."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from ratings.models import GameState
from ratings.store import tables
from tests.club_evening import Club, Evening
from tests.correction_help import GAME, OTHER, ask, confirm, figures, play, said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"east_score": "45000"}, "200 are missing. Nothing was written down"),
        ({"sticks": 1}, "1,000 too many. I took 1 riichi stick as left on the table. Nothing was written down"),
        ({"south_score": "many"}, "“many”, the score of South"),
        ({"west_score": "15750"}, "“15750”, the score of West, is not a whole number of hundreds"),
        (
            {"east": "Борис"},
            "\u2068Борис\u2069 would sit in two seats. Name somebody else for one of them; nothing",
        ),
        ({"played": "2999-01-01"}, "in the future"),
        ({"played": "soonish"}, "“soonish” as a date"),
        ({"length": "hanchan", "east": "Ann", "east_score": "45.2k"}, "says all that already"),
        ({}, "says all that already"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_changed(
    evening: Evening, options: dict[str, Any], sentence: str
) -> None:
    await play(evening, GAME)
    before = await figures(evening)
    if "east" in options:
        options = options | {"east": evening.users[options["east"]]}
    answer = await ask(evening, "Kai", "amend", game=1, **options)
    assert sentence in answer["content"]
    assert answer["components"] == []
    assert await figures(evening) == before


async def test_whoever_is_neither_admin_nor_reporter_changes_nothing(evening: Evening) -> None:
    await evening.report(GAME, by="Emi")
    people = await evening.store.read(_people)
    stranger = evening.join("Stranger")
    refused = await ask(evening, "Ann", "amend", game=1, east=stranger)
    assert "was reported by somebody else" in refused["content"]
    assert await evening.store.read(_people) == people
    await evening.approve(1)
    for command, options in (
        ("void", {"reason": "mine"}),
        ("restore", {}),
        ("reopen", {}),
    ):
        assert "Only admins" in (await ask(evening, "Emi", command, game=1, **options))["content"]
    late = await ask(evening, "Emi", "amend", game=1, sticks=1)
    assert "only admins can change it" in late["content"]


def _people(connection: sa.Connection) -> int:
    return len(connection.execute(sa.select(tables.players.c.id)).all())


async def test_each_state_refuses_what_does_not_fit_it(evening: Evening) -> None:
    await play(evening, GAME)
    await evening.report(OTHER)

    async def refused(command: str, game: int = 1, **options: Any) -> str:
        return str((await ask(evening, "Kai", command, game=game, **options))["content"])

    assert "is not voided, so it cannot be restored" in await refused("restore")
    assert "neither rejected nor withdrawn" in await refused("reopen")
    assert "Only an approved game can be voided" in await refused("void", 2, reason="x")
    assert "The reason is empty" in await refused("void", reason="   ")
    assert "is a riichi game; /game amend amends it" in await refused("amend-hand", jokers=True)
    await confirm(evening, "Kai", await ask(evening, "Kai", "void", game=1, reason="x"))
    assert "Restore it first with /game restore" in await refused("amend", sticks=1)
    await evening.reject(2)
    assert "Reopen it first with /game reopen" in await refused("amend", 2, sticks=1)
    for command, options in (
        ("void", {"reason": "x"}),
        ("restore", {}),
        ("reopen", {}),
        ("amend", {}),
        ("show", {}),
    ):
        assert "I do not know that game" in await refused(command, 99, **options)


async def test_a_game_of_another_club_is_unknown(evening: Evening) -> None:
    other = Club(evening.discord, "Ume", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await play(evening, GAME, OTHER)
    await other.report(GAME)
    await other.approve(1)
    for command, options in (("void", {"reason": "theirs"}), ("show", {}), ("amend", {"sticks": 1})):
        assert "I do not know that game" in (await ask(other, "Kai", command, game=2, **options))["content"]
    question = await ask(other, "Kai", "void", game=1, reason="ours")
    await confirm(other, "Kai", question)
    assert await evening.state(1) is GameState.APPROVED
    shown = said(await ask(other, "Ann", "show", game=1))
    assert "ours" in shown
