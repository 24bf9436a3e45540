"""/ranking on the local Discord: tables and explanations."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from wcwidth import wcswidth

from ratings.models import Person
from ratings.tournaments import players as people
from tests.club_evening import Evening, reply
from tests.ledger_help import choose
from tests.ranking_evening import DAY, ask, cups_of, embed, fields, lines
from tests.ranking_help import CUP, MARCH, WIDE, hold, plain, players, two_cups

# Tables


async def test_a_table_shows_places_results_and_the_maximal_coefficients(evening: Evening) -> None:
    await two_cups(evening.store, evening.id)
    shown = await ask(evening, "rr", date=DAY)
    assert not shown.ephemeral
    assert embed(shown)["title"] == "RR on 2025-06-30"
    assert lines(shown) == [
        "🥇 **Anna** 661 · 2 results",
        "🥈 **Bela** 635 · 2 results",
        "🥉 **Cleo** 261 · 2 results",
        "",
        "-# Listed are players from RU with at least two results of the last two years.",
    ]
    assert fields(shown) == {
        "★ Maximal coefficients, W × A": "\n".join(
            [
                "#1 Spring Cup · 2025-03-30 · 2.60 × 7/7 = 2.60",
                "#2 April Open · 2025-04-06 · 2.60 × 7/7 = 2.60",
                "2 tournaments are missing and count 1 each",
                "Sum: 7.20",
            ]
        )
    }
    assert embed(shown)["footer"]["text"] == "3 players · tournaments from 2023-07-02 to 2025-06-30"
    assert reply(shown)["components"] == []


async def test_a_table_of_another_day_is_that_of_the_day(evening: Evening) -> None:
    await two_cups(evening.store, evening.id)
    await choose(evening.store, evening.id, time_zone="Asia/Vladivostok")
    for date_, players_ in (("2025-04-05", 0), ("06.04.2025", 3), ("2027-03-29", 3), ("2027-03-30", 0)):
        shown = await ask(evening, "rr", date=date_)
        assert embed(shown)["footer"]["text"].startswith(f"{players_} player"), date_
    aged = await ask(evening, "crr", date="2026-04-06")
    assert "2.60 × 6/7 = 2.228571" in fields(aged)["★ Maximal coefficients, W × A"]
    # Where it is noon there, it is the evening before in UTC.
    await choose(evening.store, evening.id, time_zone="Pacific/Auckland")
    assert embed(await ask(evening, "rr", date="2026-01-02"))["title"] == "RR on 2026-01-02"
    assert embed(await ask(evening, "rr"))["title"].startswith("RR on 20")


async def test_an_empty_table_says_what_to_do(evening: Evening) -> None:
    shown = await ask(evening, "online")
    assert lines(shown)[0].startswith("Nobody is in this ranking on that day. An admin brings")
    assert (
        lines(shown)[-1]
        == "-# Listed are players of every country with at least two results of the last two years."
    )
    assert "fields" not in embed(shown)


@pytest.mark.parametrize("typed", ["11/29", "someday", "2026-02-30", "1066-10-14", "9999-12-31", "0001-01-01"])
async def test_a_day_that_cannot_be_is_answered_in_private(evening: Evening, typed: str) -> None:
    for command, options in (
        ("rr", {"date": typed}),
        ("changes", {"ranking": "rr", "since": typed}),
    ):
        answer = await ask(evening, command, **options)
        assert answer.ephemeral
        told = reply(answer)["content"]
        assert "as a day. Write it like 2026-11-29" in told or told == (
            "There are rankings of the years 1990 to 2100 only."
        )


async def test_pages_turn_and_a_linked_member_finds_his_place(evening: Evening) -> None:
    names = [f"Player {number:02}" for number in range(45)]
    await cups_of(evening, 2, names)
    shown = await ask(evening, "rr", date=DAY, by="Dora")
    assert len([line for line in lines(shown) if "results" in line and not line.startswith("-#")]) == 20
    assert "page 1 of 3" in embed(shown)["footer"]["text"]
    labels = [button["label"] for button in reply(shown)["components"][0]["components"]]
    assert labels == ["⏮", "◀", "▶", "⏭", "My place"]
    await evening.as_("Ann").click(reply(shown), label="⏭")
    assert lines(shown)[0].startswith("`41.` **Player")
    nobody = await evening.as_("Dora").click(reply(shown), label="My place")
    assert nobody.ephemeral
    assert reply(nobody)["content"].startswith("You are not in this table.")
    dora = Person(int(evening.users["Dora"]["id"]), "Dora")
    ids = await players(evening.store, evening.id)
    await evening.store.write(people.link, evening.id, ids["Player 30"], dora)
    await evening.stop_bot()
    await evening.start_bot()
    await evening.as_("Dora").click(reply(shown), label="My place")
    (line,) = [line for line in lines(shown) if line.endswith("◀")]
    assert "**Dora**" in line
    assert embed(shown)["title"] == "RR on 2025-06-30"


async def test_names_of_players_and_tournaments_ping_nobody_and_fit(evening: Evening) -> None:
    names = [f"{number:02}{WIDE}"[:32] for number in range(24)] + ["**@everyone** <@1>"]
    for number in range(1, 6):
        places = {name: place for place, name in enumerate(names[number:] + names[:number], 1)}
        await hold(evening.store, evening.id, f"[{WIDE}]({number})", MARCH - timedelta(number), places)
    shown = await ask(evening, "rr", date=DAY)
    told = await ask(evening, "explain", player=names[-1], date=DAY)
    await ask(evening, "changes", ranking="rr", since="2024-01-01")
    for answer in (shown, told):
        assert "<@1>" not in str(embed(answer))
        assert "@everyone" not in str(embed(answer))
        assert f"\\[{WIDE[0]}" in fields(answer)["★ Maximal coefficients, W × A"]
    assert "everyone" in embed(told)["title"]


# Explanations


async def test_an_explanation_has_every_figure(evening: Evening) -> None:
    await two_cups(evening.store, evening.id)
    shown = await ask(evening, "explain", player="Bela", date=DAY)
    assert not shown.ephemeral
    assert plain(embed(shown)["title"]) == "Bela: RR on 2025-06-30"
    assert lines(shown) == [
        "**Rating 634.71, place 2 of 3**",
        "★ **#1 Spring Cup** · 2025-03-30 · place 5/40",
        "-# W 2.60 (1.00 + 1.60) × R 897.4359 × A 7/7 (3 months) = 2333.33 · ✅ in A and B",
        "★ **#2 April Open** · 2025-04-06 · place 2/40",
        "-# W 2.60 (1.00 + 1.60) × R 974.359 × A 7/7 (2 months) = 2533.33 · ✅ in A and B",
    ]
    assert fields(shown) == {
        "Part A: sum of W × R × A ÷ sum of W × A, 2 of 2 results": (
            "(2333.3333 + 2533.3333) ÷ (2.60 + 2.60 + 3) = **593.50**\n"
            "-# 3 results are missing: they add 0 above and 1 each below"
        ),
        "Part B: sum of W × R × A ÷ maximal coefficients, the 2 best results": (
            "(2333.3333 + 2533.3333) ÷ 7.20 = **675.93**"
        ),
        "Rating: 0.5 × A + 0.5 × B": "0.5 × 593.4959 + 0.5 × 675.9259 = **634.71**",
        "★ Maximal coefficients, W × A": (
            "#1 Spring Cup · 2025-03-30 · 2.60 × 7/7 = 2.60\n"
            "#2 April Open · 2025-04-06 · 2.60 × 7/7 = 2.60\n"
            "2 tournaments are missing and count 1 each\n"
            "Sum: 7.20"
        ),
    }


async def test_an_explanation_of_somebody_not_in_the_table(evening: Evening) -> None:
    await hold(evening.store, evening.id, "Spring Cup", MARCH, {**CUP, "Kurt": 7}, countries={"Kurt": "DE"})
    one = await ask(evening, "explain", player="Dina", date=DAY)
    assert lines(one)[0] == "**Not in the table: it takes two results that count, and there is one.**"
    assert lines(one)[1].startswith("★ **#1 Spring Cup**")
    foreign = await ask(evening, "explain", player="Kurt", date=DAY)
    assert lines(foreign) == [
        "**Not in the table: there is no result that counts on this day.**",
        "-# Listed are players from RU with at least two results of the last two years.",
    ]
    assert "fields" not in embed(foreign)
    early = await ask(evening, "explain", player="Anna", date="2020-01-01", ranking="crr")
    assert plain(embed(early)["title"]) == "Anna: CRR on 2020-01-01"


async def test_players_are_chosen_by_list_name_alias_or_account(evening: Evening) -> None:
    ids = await two_cups(evening.store, evening.id)
    await evening.store.write(people.add_alias, evening.id, ids["Anna"], "Анна Каренина")
    await evening.store.write(people.add_player, evening.id, "Анна without a result", "RU")
    dora = Person(int(evening.users["Dora"]["id"]), "Dora")
    await evening.store.write(people.link, evening.id, ids["Bela"], dora)
    offered = await evening.as_("Ann").autocomplete(
        "ranking explain", evening.channels["mahjong"], option="player", text="анна"
    )
    assert [choice["value"] for choice in offered] == [f"player:{ids['Anna']}"]
    mention = f"<@{dora.discord_id}>"
    for typed, name in (
        (offered[0]["value"], "Anna"),
        ("анна  КАРЕНИНА", "Anna"),
        ("Bela", "Dora"),
        (mention, "Dora"),
    ):
        shown = await ask(evening, "explain", player=typed, date=DAY)
        assert plain(embed(shown)["title"]).startswith(f"{name}: RR"), typed
    for typed in ("Ana", "player:999999", "Zoya"):
        answer = await ask(evening, "explain", player=typed, date=DAY)
        assert answer.ephemeral
        assert reply(answer)["content"].startswith("I know no player")
    assert "Anna" in reply(await ask(evening, "explain", player="Ana", date=DAY))["content"]


async def test_what_is_too_long_for_a_message_comes_as_a_file(evening: Evening) -> None:
    names = [f"Игрок {number}" for number in range(3)]
    await cups_of(evening, 60, names)
    shown = await ask(evening, "explain", player="Игрок 1", date=DAY)
    assert lines(shown)[1] == "The results are too many for a message; they are in the file, one by one."
    (file,) = reply(shown)["attachments"]
    assert file["filename"] == "rr-2025-06-30.txt"
    data = evening.discord.world.files[urlsplit(file["url"]).path.split("/")[-2]]
    text = data.decode("utf-8")
    table = [line for line in text.split("\n") if line.startswith(("202", "last day"))]
    assert len(table) == 61
    assert len({wcswidth(line) for line in table}) == 1
    assert sum(line.endswith("yes") for line in table) == 4
    assert sum("dropped" in line for line in table) == 11
    assert text.startswith("Игрок 1: RR on 2025-06-30\nRating ")
    part_a = next(value for name, value in fields(shown).items() if name.startswith("Part A"))
    assert "49 of 60 results" in next(name for name in fields(shown) if name.startswith("Part A"))
    quotient = part_a.split("**")[1]
    assert f"= {quotient}" in text
    assert text.count(" + ") > 49
