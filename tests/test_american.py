"""American mahjong as a club plays it: the card, a reported hand, penalties, approval, the boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.letters import APPROVE
from ratings.queries import cards
from tests.american_evening import CARD, hand, with_card
from tests.club_evening import Evening, reply

EXAMPLE = Path(__file__).resolve().parents[1] / "docs" / "example-card.csv"


async def test_a_hand_from_the_card_to_the_boards(evening: Evening) -> None:
    await with_card(evening)
    receipt = reply(await hand(evening, "bends"))["embeds"][0]
    assert "Game #1 is reported" in receipt["title"]
    card = (await evening.card_ready(1))["embeds"][0]["description"]
    assert "Rivers · Three bends · 35 X" in card
    assert "on a discard of \u2068Dora\u2069 · with jokers · exposed" in card
    assert "🏆 **\u2068Ann\u2069** 1000.0 → 1043.0 (+43.0)" in card
    assert "expected score 0.500 · line 35 · exchange +8.00" in card
    assert "total points 0 → 140 (+140)" in card
    assert "**\u2068Dora\u2069** 1000.0 → 994.7 (−5.3)" in card
    assert "**\u2068Борис\u2069** 1000.0 → 997.3 (−2.7)" in card

    await evening.approve(1)
    await evening.quiet()
    assert evening.posts("announcements") == []

    channel, ann = evening.channels["mahjong"], evening.as_("Ann")
    await ann.slash("report wall", channel, first=evening.users["Ann"], second=evening.users["Dora"])
    await evening.approve(2)
    rating = reply(await ann.slash("leaderboard", channel, board="american-rating"))["embeds"][0]
    assert rating["title"] == "Rating · American mahjong"
    assert (
        rating["description"].splitlines()[0]
        == "🥇 **\u2068Ann\u2069** 1043.0 · 140 points · wins 50.0% · 2 games"
    )
    total = reply(await ann.slash("leaderboard", channel, board="american-points"))["embeds"][0]
    assert total["description"].splitlines()[1].startswith("🥈")
    profile = reply(await ann.slash("profile", channel))["embeds"][0]["fields"][0]["value"]
    assert "**Rating 1043.0** · 140 total points" in profile
    assert "1 win of 2 games, win rate 50.0%" in profile
    assert "favourite section Rivers · best line Rivers · Three bends · 35 X" in profile
    dora = reply(await ann.slash("profile", channel, member=evening.users["Dora"]))["embeds"][0]["fields"][0]
    assert "discarded into 1 win" in dora["value"]
    listed = reply(await ann.slash("games list", channel))["embeds"][0]["description"]
    assert "won with Three bends against" in listed
    assert "wall game of" in listed


async def test_lines_are_found_by_any_part(evening: Evening) -> None:
    await with_card(evening)
    for typed in ("hidden", "mount", "50 pass", "PASS hid"):
        offered = await evening.as_("Ann").autocomplete(
            "report american", evening.channels["mahjong"], option="line", text=typed, winner=evening.users["Ann"]
        )
        assert [choice["name"] for choice in offered] == ["Mountains · Hidden pass · 50 C"]
    everything = await evening.as_("Ann").autocomplete(
        "report american", evening.channels["mahjong"], option="line", text="", winner=evening.users["Ann"]
    )
    assert len(everything) == 4


@pytest.mark.parametrize(
    ("typed", "options", "sentence"),
    [
        ("bends", {"discarder": "Ann"}, "cannot have discarded the tile"),
        ("bends", {"discarder": "Emi"}, "did not sit at the table"),
        ("bends", {"won": "self-pick", "discarder": "Dora"}, "A self-picked hand has no discarder"),
        ("bends", {"discarder": None}, "name the discarder"),
        ("bends", {"loser": "Ann"}, "cannot sit in two seats"),
        ("boots", {"jokers": True}, "singles-and-pairs line"),
        ("hidden", {"concealed": False}, "can only be won concealed"),
        ("bends", {"line": "no such line"}, "I do not know that line"),
        ("bends", {"line": "line:987654"}, "I do not know that line"),
        ("bends", {"line": "1"}, "I do not know that line"),
    ],
)
async def test_what_cannot_be_is_refused(
    evening: Evening, typed: str, options: dict[str, Any], sentence: str
) -> None:
    await with_card(evening)
    people = {
        name: evening.users[value] if name in ("discarder", "loser") and value else value
        for name, value in options.items()
    }
    answer = await hand(evening, typed, **{"discarder": evening.users["Dora"], **people})
    assert sentence in reply(answer)["content"]
    assert (await evening.page()).total == 0


async def test_a_line_of_the_year_of_the_game_is_offered_and_read(evening: Evening) -> None:
    await with_card(evening)
    then = "2025-12-31 20:00"
    offered = await evening.as_("Ann").autocomplete(
        "report american",
        evening.channels["mahjong"],
        option="line",
        text="last year",
        winner=evening.users["Ann"],
        played=then,
    )
    assert [choice["name"] for choice in offered] == ["Old · Last year's line · 25 X"]
    assert (
        "Game #1 is reported"
        in reply(await hand(evening, "bends", line="last YEAR'S line", played=then))["embeds"][0]["title"]
    )
    nothing = await hand(evening, "bends", line="last year's line")
    assert "I do not know that line" in reply(nothing)["content"]


async def test_an_import_draws_the_cards_of_pending_hands_anew(evening: Evening) -> None:
    await with_card(evening)
    await hand(evening, "bends")
    await evening.card_ready(1)
    dearer = CARD.replace("Three bends,35", "Three bends,75")
    await evening.as_("Owner").slash(
        "card import", evening.channels["mahjong"], file=("card.csv", dearer.encode())
    )
    await evening.discord.until(lambda: "line 75" in str(evening.card(1)))
    pairs = CARD.replace("Three bends,35,no,no", "Three bends,35,no,yes")
    refused = await evening.as_("Owner").slash(
        "card import", evening.channels["mahjong"], file=("card.csv", pairs.encode())
    )
    assert "“Three bends” (Rivers, 2026)" in reply(refused)["content"]


async def test_two_admins_with_the_list_open_undo_nothing_of_each_other(evening: Evening) -> None:
    await with_card(evening)
    owner, channel = evening.as_("Owner"), evening.channels["mahjong"]
    await owner.slash("settings set", channel, name="penalties", value="yes")
    await hand(evening, "ford")
    card = await evening.card_ready(1)
    sheets = {name: reply(await evening.as_(name).click(card, label="Adjust")) for name in ("Kai", "Rei")}
    for name, offender in (("Kai", "Dora"), ("Rei", "Борис")):
        (menu,) = sheets[name]["components"][0]["components"]
        chosen = entry(menu["options"], offender, "misnamed a discard (−10)")
        await evening.as_(name).choose(sheets[name], menu["custom_id"], [chosen])
    await evening.discord.until(lambda: str(evening.card(1)).count("misnamed a discard (−10)") == 2)
    await owner.slash("settings set", channel, name="penalties", value="no")
    await evening.discord.until(lambda: "misnamed" not in str(evening.card(1)))


async def test_a_line_of_another_year_counts_for_games_of_that_year(evening: Evening) -> None:
    await with_card(evening)
    (old,) = await evening.store.read(cards.lines, evening.id, 2025)
    refused = await hand(evening, "bends", line=f"line:{old.id}")
    assert "on the card of 2025" in reply(refused)["content"]
    taken = await hand(evening, "bends", line=f"line:{old.id}", played="2025-12-31 20:00")
    assert "Game #1 is reported" in reply(taken)["embeds"][0]["title"]


def entry(options: list[dict[str, Any]], name: str, offence: str) -> str:
    """The value of the one entry of the list of penalties that names both."""
    (value,) = [each["value"] for each in options if name in each["label"] and offence in each["label"]]
    return str(value)


async def test_an_admin_adjusts_the_penalties_of_a_pending_hand(evening: Evening) -> None:
    await with_card(evening)
    owner, channel = evening.as_("Owner"), evening.channels["mahjong"]
    await owner.slash("settings set", channel, name="penalties", value="yes")
    await hand(evening, "ford", jokers=False)
    card = await evening.card_ready(1)
    denied = await evening.as_("Ann").click(card, label="Adjust")
    assert "Only admins" in reply(denied)["content"]

    opened = await evening.as_("Kai").click(card, label="Adjust")
    sheet = reply(opened)
    options = sheet["components"][0]["components"][0]["options"]
    assert len(options) == 16
    fed, named = entry(options, "Dora", "two exposures (−10)"), entry(options, "Ann", "misnamed")
    await evening.as_("Kai").choose(sheet, sheet["components"][0]["components"][0]["custom_id"], [fed, named])
    assert "🏆 **\u2068Ann\u2069** 1000.0 → 1028.0 (+28.0)" in sheet["embeds"][0]["description"]
    await evening.discord.until(lambda: "fed a hand with two exposures (−10); added by" in str(evening.card(1)))
    assert "total points 0 → 95 (+95)" in str(evening.card(1))

    again = reply(await evening.as_("Rei").click(card, label="Adjust"))
    ticked = [option for option in again["components"][0]["components"][0]["options"] if option.get("default")]
    assert [option["value"] for option in ticked] == [named, fed]
    await evening.as_("Rei").choose(again, again["components"][0]["components"][0]["custom_id"], [fed])
    await evening.discord.until(lambda: "misnamed" not in str(evening.card(1)))
    await evening.as_("Kai").react(card, APPROVE)
    await evening.card_says(1, "approved")
    approved = (await evening.card_says(1, "approved"))["embeds"][0]["description"]
    assert "1000.0 → 984.7 (−15.3)" in approved
    assert "added by \u2068Kai\u2069" in approved
    late = await evening.as_("Rei").choose(again, again["components"][0]["components"][0]["custom_id"], [])
    assert reply(late)["embeds"][0]["title"] == "Amend game #1?"
    assert (await evening.game(1)).penalties != ()


async def test_without_the_setting_there_is_no_way_to_penalise(evening: Evening) -> None:
    await with_card(evening)
    await hand(evening, "ford")
    assert (await evening.card_ready(1))["components"] == []


async def test_the_example_card_is_good_for_a_hand(evening: Evening) -> None:
    await evening.as_("Owner").slash(
        "card import", evening.channels["mahjong"], file=("card.csv", EXAMPLE.read_bytes())
    )
    first = (await evening.store.read(cards.lines, evening.id, 2026))[0]
    taken = await hand(evening, first.name, won="unrecorded", jokers=False, discarder=None)
    assert "whose is not recorded" in reply(taken)["embeds"][0]["description"]
