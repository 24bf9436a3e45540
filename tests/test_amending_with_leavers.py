"""Amendments that name people who have left the server: whoever the club knows can be seated, others cannot."""

from __future__ import annotations

import pytest

from ratings.store import tables
from tests.american_evening import hand, with_card
from tests.club_evening import JSON, Evening
from tests.correction_help import GAME, OTHER, ask, confirm, figures, play, said
from tests.ledger_help import american, count
from tests.people_help import command

LEFT = "Борис"


def leave(evening: Evening, name: str) -> JSON:
    """Somebody leaves the server; who it was."""
    user = evening.users[name]
    evening.discord.world.remove_member(evening.guild, user)
    return user


async def test_somebody_who_left_changes_seats_in_an_old_game(evening: Evening) -> None:
    await play(evening, GAME, OTHER)
    user = leave(evening, LEFT)
    # What he calls himself elsewhere by now is not his name in the club's records.
    user["global_name"] = "Boris elsewhere"
    question = await ask(evening, "Kai", "amend", game=1, south=evening.users["Dora"], north=user)
    told = said(question)
    assert "South: \u2068Борис\u2069 30,100 → **\u2068Dora\u2069 30,100**" in told
    assert "North: \u2068Dora\u2069 9,000 → **\u2068Борис\u2069 9,000**" in told
    assert "is amended" in said(await confirm(evening, "Kai", question))
    names = [someone.name for someone in (await evening.game(1)).people]
    assert names == ["Ann", "Dora", "千秋", "Борис"]
    await figures(evening)


async def test_somebody_who_left_is_seated_where_he_was_forgotten(evening: Evening) -> None:
    await play(evening, OTHER, GAME)
    user = leave(evening, "Emi")
    await confirm(evening, "Kai", await ask(evening, "Kai", "amend", game=2, west=user))
    assert [someone.name for someone in (await evening.game(2)).people] == ["Ann", "Борис", "Emi", "Dora"]
    await figures(evening)


async def test_a_hand_is_given_to_somebody_who_left(evening: Evening) -> None:
    await with_card(evening)
    await hand(evening, "bends")
    await evening.approve(1)
    user = leave(evening, LEFT)
    question = await ask(evening, "Kai", "amend-hand", game=1, winner=user)
    assert "Winner: \u2068Ann\u2069 → **\u2068Борис\u2069**" in said(question)
    await confirm(evening, "Kai", question)
    game = await evening.game(1)
    win = american(game).win
    assert win is not None
    assert game.name_of(win.winner) == "Борис"
    await figures(evening)


async def test_the_reporter_names_somebody_who_left(evening: Evening) -> None:
    await play(evening, OTHER)
    await evening.report(GAME)
    await evening.card_ready(2)
    user = leave(evening, "Emi")
    question = await ask(evening, "Ann", "amend", game=2, west=user)
    await confirm(evening, "Ann", question)
    assert (await evening.game(2)).people[2].name == "Emi"


@pytest.mark.parametrize("words", ["amend", "amend-hand"])
async def test_a_stranger_who_is_no_member_is_refused_and_not_written_down(evening: Evening, words: str) -> None:
    await with_card(evening)
    await hand(evening, "bends")
    await evening.report(GAME)
    people = await count(evening.store, tables.players)
    stranger = evening.discord.world.add_user("visitor", display_name="*Visitor*")
    options = {"game": 2, "west": stranger} if words == "amend" else {"game": 1, "winner": stranger}
    answer = await ask(evening, "Kai", words, **options)
    assert "\u2068\\*Visitor\\*\u2069 is not a member of this server and not in the club's records" in said(answer)
    assert answer["components"] == []
    assert await count(evening.store, tables.players) == people


async def test_a_bot_is_no_player_whether_a_member_or_not(evening: Evening) -> None:
    await play(evening, GAME)
    robot = evening.discord.world.add_user("robot", display_name="Robot", bot=True)
    answer = await ask(evening, "Kai", "amend", game=1, west=robot)
    assert "\u2068Robot\u2069 is a bot and cannot have played" in said(answer)


async def test_somebody_forgotten_in_between_does_not_come_back(evening: Evening) -> None:
    await play(evening, OTHER, GAME)
    user = leave(evening, "Emi")
    question = await ask(evening, "Kai", "amend", game=2, west=user)
    await confirm(evening, "Rei", await command(evening, "forget", by="Rei", player="Emi"))
    people = await count(evening.store, tables.players)
    assert "not in the club's records" in said(await confirm(evening, "Kai", question))
    assert (await evening.game(2)).people[2].name == "千秋"
    assert await count(evening.store, tables.players) == people
