"""/players and tournaments: results, names, countries and accounts of the people who play them."""

from __future__ import annotations

from ratings import ledger as games
from ratings.models import Person
from tests.answer_help import embed
from tests.club_evening import Evening
from tests.ranking_help import plain
from tests.tournament_evening import DAY, EARLIER, act, described, ids, said, two_cups


async def test_a_player_is_shown_with_names_account_and_results(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "tournament result", tournament="2", player="Игрок 03", place=3, replacement=True)
    await act(evening, "players alias", player="Игрок 03", name="Third *Player*")
    await act(evening, "players edit", player="third *player*", country="Japan", ema_number="4290001")
    linked = await act(evening, "players link", player="Игрок 03", member=evening.users["Dora"])
    assert (
        said(linked) == "Dora is Игрок 03 in tournaments from now on: everything under that name is the member's."
    )
    shown = await act(evening, "players show", by="Ann", player=f"<@{evening.users['Dora']['id']}>")
    assert not shown.ephemeral
    assert plain(embed(shown)["title"]) == "Dora"
    assert described(shown) == [
        f"{DAY} **3**/16 #2 Autumn · replacement player",
        f"{EARLIER} **3**/16 #1 Spring",
    ]
    fields = {each["name"]: plain(each["value"]) for each in embed(shown)["fields"]}
    assert fields.pop("What was done").count(" Kai: ") == 3
    assert fields == {
        "Country": "JP",
        "EMA number": "04290001",
        "Discord account": f"<@{evening.users['Dora']['id']}>",
        "Aliases": "Third \\*Player\\*\nИгрок 03",
    }
    assert embed(shown)["footer"]["text"] == "2 tournaments"


async def test_aliases_and_facts_of_players_are_kept_apart(evening: Evening) -> None:
    await two_cups(evening)
    taken = await act(evening, "players alias", player="Игрок 01", name="игрок  02")
    assert said(taken).startswith("Somebody else goes by the name “игрок 02” already")
    await act(evening, "players alias", player="Игрок 01", name="First")
    kai, channel = evening.as_("Kai"), evening.channels["mahjong"]
    offered = await kai.autocomplete("players unalias", channel, "name", "fi", player="Игрок 01")
    assert [each["value"] for each in offered] == ["First"]
    gone = await act(evening, "players unalias", player="First", name="first")
    assert said(gone) == "Игрок 01 does not go by “first” any more."
    missing = await act(evening, "players unalias", player="Игрок 01", name="first")
    assert said(missing).startswith("“first” is no alias of this player")
    await act(evening, "players edit", player="Игрок 01", ema_number="04290001")
    for options, words in (
        ({"player": "Игрок 02", "ema_number": "04290001"}, "The EMA number 04290001 is that of Игрок 01 already"),
        ({"player": "Игрок 02", "ema_number": "12"}, "“12” is no EMA number, which has eight digits."),
        ({"player": "Игрок 02", "country": "Mars"}, "I know no country “Mars”."),
        ({"player": "Игрок 02", "country": "RU"}, "**Игрок 02**\ncountry: RU, no longer only assumed"),
        ({"player": "Игрок 02", "country": "RU"}, "It is so already; nothing has changed."),
        ({"player": "Игрок 02"}, "It is so already; nothing has changed."),
        ({"player": "Игрок 02", "name": "Игрок 01"}, "Somebody else goes by the name “Игрок 01” already"),
        ({"player": "Kai", "name": "Kai II"}, "Kai is on Discord and goes by the name shown there."),
        ({"player": "Игрок"}, "I know no player “Игрок”. Do you mean one of these: Игрок 01 (RU), "),
    ):
        assert said(await act(evening, "players edit", **options)).startswith(words)
    done = await act(evening, "players edit", player="Игрок 01", ema_number="none", name="Игрок Первый")
    assert said(done).splitlines() == [
        "**Игрок 01**",
        "EMA number: 04290001 → unknown",
        "name: Игрок 01 → Игрок Первый",
    ]


async def test_a_member_with_a_record_is_merged_rather_than_linked(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "tournament result", tournament="2", player="Игрок 05", place=5, score="1")
    refused = await act(evening, "players link", player="Игрок 05", member=evening.users["Kai"])
    assert said(refused).startswith("Kai has a record in this club already, so “Игрок 05” cannot become it.")
    assert "/players merge" in said(refused)
    robot = await act(evening, "players link", player="Игрок 05", member=evening.discord.world.bot)
    assert "is a bot and cannot have played" in said(robot)
    known = await ids(evening)
    proposal = await evening.store.read(games.propose_merge, evening.id, known["Игрок 05"], known["Kai"])
    kai = Person(int(evening.users["Kai"]["id"]), "Kai")
    await evening.store.write(games.carry_out, evening.id, proposal, kai, 1_700_000_000)
    shown = await act(evening, "players show", player="Игрок 05")
    assert plain(embed(shown)["title"]) == "Kai"
    assert embed(shown)["footer"]["text"] == "2 tournaments"
    corrected = await act(evening, "tournament result", tournament="2", player="Kai", place=5, score="2")
    assert described(corrected)[1] == "Kai: place 5, score 1 → place 5, score 2"
