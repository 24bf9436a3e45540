"""/ranking on the local Discord: tables, explanations, what moved and why, what a place would bring."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from wcwidth import wcswidth

from bot.sandbox import Interaction
from ratings.models import Person
from ratings.systems import russian
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as people
from tests.club_evening import Evening, reply
from tests.ledger_help import KAI, choose
from tests.ranking_help import CUP, MARCH, OPEN, WIDE, at, hold, plain, players, two_cups

DAY = "2025-06-30"


async def ask(evening: Evening, command: str, *, by: str = "Ann", **options: Any) -> Interaction:
    """A member uses a command of the group."""
    return await evening.as_(by).slash(f"ranking {command}", evening.channels["mahjong"], **options)


def embed(answer: Interaction | dict[str, Any]) -> dict[str, Any]:
    """The embed of an answer or a message."""
    message = answer if isinstance(answer, dict) else reply(answer)
    shown: dict[str, Any] = message["embeds"][0]
    return shown


def lines(answer: Interaction | dict[str, Any]) -> list[str]:
    """The lines of an embed's description."""
    return plain(embed(answer)["description"]).split("\n")


def fields(answer: Interaction) -> dict[str, str]:
    """The fields of an embed."""
    return {field["name"]: plain(field["value"]) for field in embed(answer)["fields"]}


async def cups_of(evening: Evening, count: int, names: list[str]) -> None:
    """So many tournaments in which everybody played."""
    for number in range(1, count + 1):
        turned = names[number % len(names) :] + names[: number % len(names)]
        places = {name: place for place, name in enumerate(turned, 1)}
        await hold(evening.store, evening.id, f"Cup {number}", MARCH - timedelta(number), places, participants=60)


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
    assert "2.60 × 6/7 = 2.23" in fields(aged)["★ Maximal coefficients, W × A"]
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
        "-# W 2.60 (1.00 + 1.60) × R 897.44 × A 7/7 (3 months) = 2333.33 · ✅ in A and B",
        "★ **#2 April Open** · 2025-04-06 · place 2/40",
        "-# W 2.60 (1.00 + 1.60) × R 974.36 × A 7/7 (2 months) = 2533.33 · ✅ in A and B",
    ]
    assert fields(shown) == {
        "Part A: sum of W × R × A ÷ sum of W × A, 2 of 2 results": (
            "(2333.33 + 2533.33) ÷ (2.60 + 2.60 + 3) = **593.50**\n"
            "-# 3 results are missing: they add 0 above and 1 each below"
        ),
        "Part B: sum of W × R × A ÷ maximal coefficients, the 2 best results": (
            "(2333.33 + 2533.33) ÷ 7.20 = **675.93**"
        ),
        "Rating: 0.5 × A + 0.5 × B": "0.5 × 593.50 + 0.5 × 675.93 = **634.71**",
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


# What moved


async def test_changes_name_the_cause_for_those_too_who_did_not_play(evening: Evening) -> None:
    today = datetime.now(UTC).date()
    start, fresh = today - timedelta(200), today - timedelta(3)
    await hold(evening.store, evening.id, "Spring Cup", start, CUP)
    await hold(evening.store, evening.id, "April Open", start + timedelta(7), OPEN)
    await hold(evening.store, evening.id, "Big Open", fresh, {"Anna": 1}, participants=100)
    shown = await ask(evening, "changes", ranking="rr", since=(today - timedelta(10)).isoformat())
    assert embed(shown)["title"] == f"RR from {today - timedelta(10)} to {today}"
    told = dict(zip(lines(shown)[::2], lines(shown)[1::2], strict=True))
    anna, bela, cleo = told
    assert anna.startswith("⬆️ **Anna** ")
    assert anna.endswith(", place 1")
    assert told[anna] == "-# #3 Big Open entered, place 1/100; and with it the maximal coefficients"
    assert bela.startswith("⬇️ **Bela** 634.71 → **")
    assert told[bela] == told[cleo] == "-# the maximal coefficients: #3 Big Open entered"
    assert embed(shown)["footer"]["text"] == "3 players moved"
    nothing = await ask(evening, "changes", ranking="online")
    assert lines(nothing)[0].startswith("Nobody moved.")
    coming = await ask(evening, "changes", ranking="rr", since=(today + timedelta(5)).isoformat())
    assert reply(coming)["content"] == "That day is still to come; nothing has moved since."


async def test_changes_tell_corrections_of_what_was_known_then(evening: Evening) -> None:
    today = datetime.now(UTC).date()
    await hold(evening.store, evening.id, "Spring Cup", today - timedelta(100), CUP)
    await hold(evening.store, evening.id, "April Open", today - timedelta(93), OPEN)
    ids = await players(evening.store, evening.id)
    before = (today - timedelta(1)).isoformat()
    now = int(datetime.now(UTC).timestamp())
    await evening.store.write(tournaments.put_result, evening.id, 1, ids["Dina"], {"place": 39}, KAI, now)
    await evening.store.write(tournaments.put_result, evening.id, 2, ids["Dina"], {"place": 40}, KAI, now)
    shown = await ask(evening, "changes", ranking="rr", since=before)
    assert lines(shown) == [
        lines(shown)[0],
        "-# a correction of #1 Spring Cup: place 40 → 39; a correction added #2 April Open, place 40/40",
    ]
    assert lines(shown)[0].startswith("🆕 **Dina** joins at place 4 with ")
    # Since the end of today nothing has moved.
    assert lines(await ask(evening, "changes", ranking="rr", since="today"))[0].startswith("Nobody moved.")


async def test_a_club_that_knew_nothing_then_is_shown_what_it_knows_now(evening: Evening) -> None:
    today = datetime.now(UTC).date()
    now = int(datetime.now(UTC).timestamp())
    await hold(evening.store, evening.id, "Spring Cup", today - timedelta(100), CUP, now=now)
    await hold(evening.store, evening.id, "April Open", today - timedelta(93), OPEN, now=now)
    for since, who_moved in ((95, 3), (90, 0)):
        shown = await ask(evening, "changes", ranking="rr", since=(today - timedelta(since)).isoformat())
        assert embed(shown)["footer"]["text"] == f"{who_moved} players moved"


async def test_many_who_moved_are_on_pages(evening: Evening) -> None:
    today = datetime.now(UTC).date()
    names = [f"Player {number:02}" for number in range(25)]
    for number in (1, 2):
        places = {name: place for place, name in enumerate(names, 1)}
        await hold(evening.store, evening.id, f"Cup {number}", today - timedelta(5 + number), places)
    shown = await ask(evening, "changes", ranking="rr", since=(today - timedelta(20)).isoformat())
    assert embed(shown)["footer"]["text"] == "25 players moved · page 1 of 3"
    await evening.stop_bot()
    await evening.start_bot()
    await evening.as_("Ann").click(reply(shown), label="⏭")
    assert embed(shown)["footer"]["text"] == "25 players moved · page 3 of 3"
    assert len(lines(shown)) == 10


# What a place would bring


async def test_what_if_shows_each_place_beside_today(evening: Evening) -> None:
    today = datetime.now(UTC).date()
    start = today - timedelta(100)
    await hold(evening.store, evening.id, "Spring Cup", start, CUP)
    await hold(evening.store, evening.id, "April Open", start + timedelta(7), OPEN)
    day = (today + timedelta(20)).isoformat()
    shown = await ask(evening, "whatif", player="Bela", players=16, hanchan=4, date=day)
    assert plain(embed(shown)["title"]) == f"Bela: RR after a tournament on {day}"
    told = lines(shown)
    assert told[:3] == [
        "16 players, 4 hanchan: W = 1.20 (0.40 + 0.80)",
        "```",
        "place  rating   change",
    ]
    table = [line.split() for line in told[3:19]]
    assert [int(place) for place, _, _ in table] == list(range(1, 17))
    ratings = [float(rating) for _, rating, _ in table]
    assert ratings == sorted(ratings, reverse=True)
    for rating, (_, _, change) in zip(ratings, table, strict=True):
        assert float(change.replace("−", "-")) == pytest.approx(rating - 634.71, abs=0.011)
    keeping = max(place for place, rating in enumerate(ratings, 1) if rating >= 634.7109)
    assert told[19:] == [
        "```",
        f"Today, {today}, the rating is 634.71. Place {keeping} or better keeps it.",
    ]


async def test_what_if_of_a_large_tournament_shows_some_of_the_places(evening: Evening) -> None:
    await two_cups(evening.store, evening.id)
    day = (datetime.now(UTC).date() + timedelta(20)).isoformat()
    shown = await ask(evening, "whatif", player="Dina", players=300, hanchan=12, date=day, ranking="online")
    places = [int(line.split()[0]) for line in lines(shown)[3:] if line[:1] == " " or line[:1].isdigit()]
    assert places[:3] == [1, 2, 3]
    assert places[-1] == 300
    assert 15 <= len(places) <= 22
    assert lines(shown)[-1].endswith("With this one result alone the table would not list the player.")


async def test_what_if_says_why_there_is_nothing_to_show(evening: Evening) -> None:
    await hold(evening.store, evening.id, "Spring Cup", MARCH, {**CUP, "Kurt": 7}, countries={"Kurt": "DE"})
    today = datetime.now(UTC).date()
    day = (today + timedelta(20)).isoformat()
    small = await ask(evening, "whatif", player="Anna", players=12, hanchan=4, date=day)
    assert lines(small)[1] == "Such a tournament would not count in RR: it takes 16 players."
    foreign = await ask(evening, "whatif", player="Kurt", players=16, hanchan=4, date=day)
    assert lines(foreign)[1] == "Listed are players from RU with at least two results of the last two years."
    past = await ask(evening, "whatif", player="Anna", players=16, hanchan=4, date="2024-01-01")
    assert reply(past)["content"] == "That day is over. Write the day with its year, like 2026-11-29."
    assert past.ephemeral


# Where a tournament counts


async def test_why_says_which_rule_keeps_a_tournament_out(evening: Evening) -> None:
    today = datetime.now(UTC).date()
    last = today - timedelta(30)
    await hold(evening.store, evening.id, "Small Cup", last, {"Anna": 1}, participants=12, hanchan=3)
    for typed in ("1", "#1", "small cup", "t:1"):
        shown = await ask(evening, "why", tournament=typed)
        assert plain(embed(shown)["title"]) == "#1 Small Cup"
    age = "1 month" if russian.months_between(last, today) else "0 months"
    assert lines(shown)[2:5] == [
        "❌ **RR**: it takes 16 players.",
        f"✅ **CRR**: it counts; at {age} its A is 7/7.",
        "❌ **Online**: it was not played online.",
    ]
    assert lines(shown)[-1] == "-# W = K(participants) + K(hanchan) = 0.90 (0.30 + 0.60)"
    offered = await evening.as_("Ann").autocomplete(
        "ranking why", evening.channels["mahjong"], option="tournament", text="small"
    )
    assert [choice["value"] for choice in offered] == ["t:1"]
    unknown = await ask(evening, "why", tournament="Big Cup")
    assert unknown.ephemeral
    assert reply(unknown)["content"].startswith("I know no tournament “Big Cup”")
    await evening.store.write(tournaments.remove, evening.id, 1, KAI, at(today))
    removed = await ask(evening, "why", tournament="1")
    assert reply(removed)["content"].startswith("Tournament #1 is removed")
