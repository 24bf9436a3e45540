"""/ranking on the local Discord: what moved and why, what a place would bring, where a tournament counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ratings.tournaments import ledger as tournaments
from tests.club_evening import Evening, reply
from tests.ledger_help import KAI
from tests.ranking_evening import ask, embed, lines
from tests.ranking_help import CUP, MARCH, OPEN, at, hold, plain, players, two_cups

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
        "-# a correction of #1 Spring Cup: place 40 → 39; #2 April Open entered, place 40/40",
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
    assert lines(shown)[2:5] == [
        "➖ RR: it takes 16 players.",
        "✅ CRR: it counts in full.",
        "➖ Online: it was not played online.",
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
