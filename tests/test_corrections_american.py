"""/game amend-hand: an American hand told anew, with only what was named changed."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.models import Offence, WonBy
from ratings.queries import games
from tests.american_evening import hand, line, with_card
from tests.club_evening import Evening
from tests.correction_help import ask, confirm, figures, said
from tests.ledger_help import KAI, american


async def played(evening: Evening, **options: Any) -> None:
    """Ann's approved win on a discard of Dora, with "Three bends"."""
    await with_card(evening)
    await hand(evening, "bends", **options)
    await evening.approve(1)


async def test_a_hand_is_told_anew(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await played(evening)
    wish = {"winner": evening.users["Борис"], "line": await line(evening, "ford"), "jokers": False}
    question = await ask(evening, "Kai", "amend-hand", game=1, **wish, reason="misread")
    preview = said(question)
    assert "Winner: \u2068Ann\u2069 → **\u2068Борис\u2069**" in preview
    assert "Line: Rivers · Three bends · 35 X → **Rivers · The ford · 25 X**" in preview
    assert "Jokers: yes → **no**" in preview
    assert "Discarder" not in preview
    assert "**\u2068Ann\u2069** rating 1043.00 → 997.33 (−45.67)\n-# 140 → 0 total points · 1 game" in preview
    done = said(await confirm(evening, "Kai", question))
    assert "Game #1 is amended" in done
    win = american(await evening.game(1)).win
    assert win is not None
    assert (win.line.points, win.used_jokers) == (25, False)
    await figures(evening)
    await evening.quiet()
    assert evening.posts("announcements") == []
    assert "Line: Rivers · Three bends" in said(await ask(evening, "Emi", "show", game=1))


@pytest.mark.parametrize("won", ["self-pick", "unrecorded"])
async def test_a_hand_without_a_known_discarder_has_none(evening: Evening, won: str) -> None:
    await played(evening)
    question = await ask(evening, "Kai", "amend-hand", game=1, won=won)
    assert "Won: on a discard of \u2068Dora\u2069 → **" in said(question)
    await confirm(evening, "Kai", question)
    win = american(await evening.game(1)).win
    assert win is not None
    assert (win.won_by, win.discarder) == (WonBy(won), None)
    named = await ask(evening, "Kai", "amend-hand", game=1, discarder=evening.users["Emi"])
    assert ("add `won: on a discard`" if won == "self-pick" else "would not be at the table") in named["content"]
    await figures(evening)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"winner": "Emi"}, "\u2068Emi\u2069 is the winner but would not be at the table"),
        ({"winner": "Dora"}, "\u2068Dora\u2069 would be the winner and the discarder. Name both anew"),
        ({"discarder": "Emi"}, "\u2068Emi\u2069 is the discarder but would not be at the table"),
        ({"line": "no such line"}, "I do not know that line"),
        ({"line": "boots"}, "singles-and-pairs line, which cannot use jokers. Amend jokers too"),
        ({"line": "hidden", "concealed": False}, "can only be won concealed"),
        ({"won": "wall", "jokers": True}, "A wall game has no winner"),
        ({"first": "Ann"}, "Name everybody at the table from first to fourth"),
        ({"first": "Ann", "second": "Ann"}, "\u2068Ann\u2069 would sit in two seats"),
        ({"first": "Ann", "second": "Emi"}, "\u2068Dora\u2069 is the discarder but would not"),
        ({"concealed": False}, "says all that already"),
        ({"first": "Dora", "second": "Ann", "third": "千秋", "fourth": "Борис"}, "says all that already"),
    ],
)
async def test_what_cannot_be_is_refused(evening: Evening, options: dict[str, Any], sentence: str) -> None:
    await played(evening)
    people = ("winner", "discarder", "first", "second", "third", "fourth")
    options = {name: evening.users[value] if name in people else value for name, value in options.items()}
    before = await figures(evening)
    answer = await ask(evening, "Kai", "amend-hand", game=1, **options)
    assert sentence in answer["content"]
    assert answer["components"] == []
    assert await figures(evening) == before


async def test_others_sat_at_the_table(evening: Evening) -> None:
    await played(evening)
    names = ("first", "second", "third")
    table = {name: evening.users[who] for name, who in zip(names, ("Ann", "Dora", "Emi"), strict=True)}
    question = await ask(evening, "Kai", "amend-hand", game=1, **table)
    assert "\u2068Emi\u2069** no games → rating" in said(question)
    await confirm(evening, "Kai", question)
    assert [someone.name for someone in (await evening.game(1)).people] == ["Ann", "Dora", "Emi"]
    await figures(evening)


async def test_a_win_becomes_a_wall_game_and_a_wall_game_a_win(evening: Evening) -> None:
    await played(evening)
    question = await ask(evening, "Kai", "amend-hand", game=1, won="wall")
    assert "Winner: \u2068Ann\u2069 → **nobody**" in said(question)
    await confirm(evening, "Kai", question)
    assert american(await evening.game(1)).win is None
    await figures(evening)
    half = await ask(evening, "Kai", "amend-hand", game=1, winner=evening.users["Ann"], jokers=True)
    assert "name winner, line, won and jokers together" in half["content"]
    wish = {"winner": evening.users["Ann"], "line": "pass", "won": "self-pick", "jokers": False}
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend-hand", game=1, **wish))
    assert american(await evening.game(1)).win is not None
    await figures(evening)


async def test_penalties_stay_with_those_they_fit(evening: Evening) -> None:
    await with_card(evening)
    await evening.store.write(club.change_settings, evening.id, {"penalties": True}, KAI, 1)
    people = {name: evening.users[who] for name, who in (("first", "Ann"), ("second", "Dora"), ("third", "Emi"))}
    await evening.as_("Emi").slash("report wall", evening.channels["mahjong"], **people)
    await evening.card_ready(1)
    await evening.store.write(_penalise, evening.id)
    await evening.approve(1)
    shown = said(await ask(evening, "Ann", "show", game=1))
    assert "added a penalty: \u2068Ann\u2069, dead hand in a wall game (−10)." in shown
    wish = {"winner": evening.users["Ann"], "line": "ford", "won": "self-pick", "jokers": True}
    question = await ask(evening, "Kai", "amend-hand", game=1, **wish)
    assert "Penalty of \u2068Ann\u2069, dead hand in a wall game (−10): **counts no more**" in said(question)
    await confirm(evening, "Kai", question)
    assert american(await evening.game(1)).penalties == ((await _player(evening, "Dora"), Offence.MISNAMED),)
    await figures(evening)
    shown = said(await ask(evening, "Ann", "show", game=1))
    assert "took back a penalty" not in shown
    assert "-# Penalty of \u2068Ann\u2069, dead hand in a wall game (−10): **counts no more**" in shown
    question = await ask(evening, "Kai", "amend-hand", game=1, won="wall")
    assert "Penalty of \u2068Ann\u2069, dead hand in a wall game (−10): **counts again**" in said(question)
    await confirm(evening, "Kai", question)
    assert len(american(await evening.game(1)).penalties) == 2
    await figures(evening)


async def _player(evening: Evening, name: str) -> int:
    game = await evening.game(1)
    return next(player for player, who in zip(game.players, game.people, strict=True) if who.name == name)


def _penalise(connection: sa.Connection, guild_id: int) -> None:
    game = games.by_number(connection, guild_id, 1)
    ann, dora, _ = game.players
    wanted = {(ann, Offence.DEAD_HAND), (dora, Offence.MISNAMED)}
    ledger.set_penalties(connection, guild_id, game.id, wanted, KAI, game.reported_at)


async def test_riichi_games_and_hands_have_commands_of_their_own(evening: Evening) -> None:
    await played(evening)
    wrong = await ask(evening, "Kai", "amend", game=1, sticks=1)
    assert "/game amend-hand amends it" in wrong["content"]
    offered = await evening.as_("Kai").autocomplete(
        "game amend-hand", evening.channels["mahjong"], option="game", text=""
    )
    assert [choice["value"] for choice in offered] == [1]
    offered = await evening.as_("Kai").autocomplete("game amend", evening.channels["mahjong"], option="game")
    assert offered == []


async def test_lines_of_the_year_of_the_game_are_offered(evening: Evening) -> None:
    await with_card(evening)
    then = "2025-12-31 20:00"
    await hand(evening, "bends", played=then)
    await evening.approve(1)

    async def offered(**options: Any) -> list[str]:
        channel = evening.channels["mahjong"]
        found = await evening.as_("Kai").autocomplete(
            "game amend-hand", channel, option="line", text="last", **options
        )
        return [choice["name"] for choice in found]

    assert await offered(game=1) == ["Old · Last year's line · 25 X"]
    assert await offered(game=1, played="2026-01-02") == []
    assert await offered(game=77) == []
    assert await offered() == []
