"""/report riichi as members use it: what is read, what is refused and why, and that nothing is half-written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Interaction
from tests.club_evening import Evening, reply
from tests.ledger_help import riichi

FOUR = ("Ann", "Борис", "千秋", "Dora")


def table(*scores: str) -> dict[str, str]:
    return dict(zip(FOUR, scores, strict=False))


def said(interaction: Interaction) -> str:
    """Everything a private answer says."""
    assert interaction.ephemeral
    embeds = [f"{each.get('title')}\n{each.get('description')}" for each in reply(interaction)["embeds"]]
    return "\n".join([reply(interaction)["content"], *embeds])


@pytest.mark.parametrize(
    "written",
    [
        ("45200", "30100", "15700", "9000"),
        ("45,200", "30 100", "15'700", "9.0k"),
        ("４５２００", "30.1k", "15\u00a0700", "9,000"),
        ("452", "301", "157", "90"),
    ],
)
async def test_scores_are_read_as_people_write_them(evening: Evening, written: tuple[str, ...]) -> None:
    answer = said(await evening.report(table(*written)))
    for understood in ("45,200 (+55.2)", "30,100 (+10.1)", "15,700 (−24.3)", "9,000 (−41.0)"):
        assert understood in answer
    assert riichi(await evening.game(1)).scores == (45200, 30100, 15700, 9000)


@pytest.mark.parametrize("minus", ["-5000", "−5000", "▲5000", "－5,000", "-5.0k"])
async def test_a_score_below_zero(evening: Evening, minus: str) -> None:
    assert "−5,000" in said(await evening.report(table("60000", "30000", "15000", minus)))


@pytest.mark.parametrize(
    ("scores", "options", "sentence"),
    [
        (("25000", "25000", "25000", "24000"), {}, "1,000 are missing"),
        (("25000", "25000", "25000", "24000"), {}, "If 1 riichi stick was left on the table"),
        (("25000", "25000", "25000", "26100"), {}, "1,100 too many"),
        (("25000", "25000", "25000", "25000"), {"sticks": 2}, "2 riichi sticks"),
        (("30000", "35000", "39000"), {}, "should add up to 105,000"),
        (("many", "25000", "25000", "25000"), {}, "“many”, the score of East"),
        (("25050", "24950", "25000", "25000"), {}, "hundreds"),
        (("25000", "25000", "25000", "25000"), {"played": "2999-01-01"}, "in the future"),
        (("25000", "25000", "25000", "25000"), {"played": "soonish"}, "“soonish” as a date"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_kept(
    evening: Evening, scores: tuple[str, ...], options: dict[str, Any], sentence: str
) -> None:
    assert sentence in said(await evening.report(table(*scores), **options))
    assert (await evening.page()).total == 0
    assert evening.posts("approvals") == []


async def test_a_member_in_two_seats_or_a_bot_at_the_table_is_refused(evening: Evening) -> None:
    channel = evening.channels["mahjong"]
    ann, boris, chiaki = (evening.users[name] for name in FOUR[:3])
    robot = evening.discord.world.add_user("robot", bot=True)
    evening.discord.world.add_member(evening.guild, robot)
    scores = {f"{seat}_score": "25000" for seat in ("east", "south", "west", "north")}
    reporter = evening.as_("Ann")
    twice = await reporter.slash("report riichi", channel, east=ann, south=boris, west=ann, north=chiaki, **scores)
    assert "cannot sit in two seats" in said(twice)
    bots = await reporter.slash(
        "report riichi", channel, east=ann, south=boris, west=robot, north=chiaki, **scores
    )
    assert "is a bot" in said(bots)
    assert (await evening.page()).total == 0


async def test_north_without_a_score_or_a_score_without_north_is_refused(evening: Evening) -> None:
    channel, reporter = evening.channels["mahjong"], evening.as_("Ann")
    three = {"east": evening.users["Ann"], "south": evening.users["Борис"], "west": evening.users["千秋"]}
    scores = {"east_score": "35000", "south_score": "35000", "west_score": "35000"}
    lonely = await reporter.slash("report riichi", channel, **three, **scores, north=evening.users["Dora"])
    assert "no score" in said(lonely)
    nobody = await reporter.slash("report riichi", channel, **three, **scores, north_score="0")
    assert "no player" in said(nobody)
    assert (await evening.page()).total == 0


async def test_three_players_have_their_own_ladder(evening: Evening) -> None:
    await evening.report({"Ann": "60000", "Борис": "35000", "千秋": "10000"}, by="Emi", length="tonpuu")
    await evening.approve(1)
    card = evening.card(1)
    assert card is not None
    assert "Tonpuu · three players" in card["embeds"][0]["description"]
    board = await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"], players=3)
    assert "９級" in reply(board)["embeds"][0]["description"]
    empty = await evening.as_("Ann").slash("leaderboard", evening.channels["mahjong"])
    assert "Nobody is on this board yet" in reply(empty)["embeds"][0]["description"]


async def test_sticks_left_on_the_table_go_to_first_place(evening: Evening) -> None:
    answer = said(await evening.report(table("40000", "30000", "20000", "8000"), sticks=2))
    assert "2 riichi sticks left" in answer
    assert "40,000 (+52.0)" in answer


async def test_a_repeated_report_is_taken_and_linked_to_the_first(evening: Evening) -> None:
    await evening.report(table("45200", "30100", "15700", "9000"))
    first = await evening.card_ready(1)
    other_seats = {"Dora": "9000", "千秋": "15700", "Ann": "45200", "Борис": "30100"}
    answer = said(await evening.report(other_seats, by="Emi"))
    assert f"/{first['id']})" in answer
    second = await evening.card_ready(2)
    (duplicate,) = [each for each in second["embeds"][0]["fields"] if each["name"] == "Possible duplicate"]
    assert (
        f"[game #1](https://discord.com/channels/{evening.id}/{first['channel_id']}/{first['id']})"
        in duplicate["value"]
    )


async def test_an_unranked_game_moves_no_rating(evening: Evening) -> None:
    assert "unranked" in said(await evening.report(table("45200", "30100", "15700", "9000"), ranked=False))
    await evening.approve(1)
    profile = await evening.as_("Ann").slash("profile", evening.channels["mahjong"])
    assert "No approved ranked games yet" in reply(profile)["embeds"][0]["description"]


async def test_a_lobby_above_the_players_is_pointed_out_to_the_admins(evening: Evening) -> None:
    await evening.report(table("45200", "30100", "15700", "9000"), lobby="houou")
    card = await evening.card_ready(1)
    names = [each["name"] for each in card["embeds"][0]["fields"]]
    assert "Not open to everyone" in names
    assert "counts as houou (鳳凰)" in card["embeds"][0]["description"]


async def test_before_setup_the_card_hangs_where_the_game_was_reported(tmp_path: Path) -> None:
    async with Evening.begin(f"sqlite+aiosqlite:///{tmp_path}/club.db", set_up=False) as club:
        answer = said(await club.report(table("45200", "30100", "15700", "9000")))
        assert "/setup" in answer
        await club.as_("Owner").react(await club.card_ready(1, "mahjong"), "✅")
        await club.card_says(1, "approved", "mahjong")
        await club.discord.until(lambda: any("Promotion" in title for title in club.titles("mahjong")))


async def test_the_same_command_delivered_twice_is_one_report(evening: Evening) -> None:
    evening.discord.faults.repeat("INTERACTION_CREATE")
    await evening.report(table("45200", "30100", "15700", "9000"))
    await evening.report(table("25000", "25000", "25000", "25000"))
    await evening.card_ready(2)
    assert (await evening.page()).total == 2
    assert len(evening.titles("approvals")) == 2
