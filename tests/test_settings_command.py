"""/settings on the local Discord: showing and turning the knobs of a club, and who may."""

from __future__ import annotations

import pytest

from bot.render import words
from ratings import club
from ratings.knobs import KNOBS
from ratings.models import Person
from ratings.queries import settings as queries
from ratings.settings import ClubSettings
from ratings.store import Store
from tests.club_evening import Evening, reply
from tests.correction_help import GAME
from tests.settings_help import change, command, said, settings, with_card

KAI, REI = Person(1, "Kai"), Person(2, "Rei")


async def test_everybody_may_look_at_all_settings(evening: Evening) -> None:
    await change(evening, "set", name="k_factor", value="24,5")
    shown = await command(evening, "show", by="Ann")
    answer = said(shown)
    assert shown.ephemeral
    for name in KNOBS:
        assert f"`{name}`" in answer
    for heading in ("The club", "Riichi scoring", "Tenhou ladder and R", "American mahjong"):
        assert f"{heading}\n" in answer
    assert "K factor `k_factor`: **24.5** (default 16)" in answer
    assert "Starting score, four players `start_4p`: **25,000**\n" in answer
    assert f"<#{evening.channels['approvals']['id']}>" in answer


async def test_one_setting_is_told_in_full(evening: Evening) -> None:
    await change(evening, "set", name="time_zone", value="asia/tokyo")
    before = said(await command(evening, "show", by="Ann", name="k_factor"))
    assert "Last changed\nnever" in before
    await change(evening, "set", by="Rei", name="k_factor", value="32")
    answer = said(await command(evening, "show", by="Ann", name="K factor"))
    assert "How far one game can move the American rating" in answer
    assert "from 0 to 1000" in answer
    assert "Value\n32\nDefault\n16" in answer
    assert "Rei" in answer
    assert "16 → 32" in answer
    last = await evening.store.read(queries.last_change, evening.id, "k_factor")
    assert last is not None
    assert words.moment(last.at, (await settings(evening)).zone) in answer


async def test_an_unknown_name_is_answered_with_near_ones(evening: Evening) -> None:
    answer = said(await command(evening, "show", by="Ann", name="kfactor"))
    assert "There is no setting “kfactor”. Do you mean `k_factor`?" in answer
    assert "/settings show lists them all" in said(await command(evening, "reset", name="colour"))


@pytest.mark.parametrize(
    ("name", "value", "kept", "shown"),
    [
        ("jokerless_bonus", "10", 10, "5 → 10"),
        ("concealed_bonus_multiplier", "0,25", 0.25, "0.2 → 0.25"),
        ("penalties", "ja", True, "no → yes"),
        ("tenhou_rules", "live", "live", "seed: the published text → live: as the live site does it"),
        ("usual_length", "tonpuu", "tonpuu", "hanchan → tonpuu"),
        ("usual_players", "3", 3, "four players → three players"),
        ("time_zone", "Europe/Berlin", "Europe/Berlin", "UTC → Europe/Berlin"),
        ("uma_4p", "30 10 -10 -30", (30, 10, -10, -30), "+20 +10 −10 −20 → +30 +10 −10 −30"),
        ("return_4p", "35,000", 35000, "30,000 → 35,000"),
        ("card_year", "2026", 2026, "none → 2026"),
    ],
)
async def test_a_setting_is_changed_and_the_change_is_shown(
    evening: Evening, name: str, value: str, kept: object, shown: str
) -> None:
    await with_card(evening)
    answer = await change(evening, "set", name=name, value=value)
    assert getattr(await settings(evening), name) == kept
    assert shown in answer
    assert "In force for every game approved from now on" in answer
    assert "nothing has changed" in said(await command(evening, "set", name=name, value=value))
    assert "→" in await change(evening, "reset", name=name)
    assert getattr(await settings(evening), name) == getattr(ClubSettings(), name)


async def test_channels_and_roles_are_taken_by_mention_name_and_id(evening: Evening) -> None:
    hall, arbiter = evening.channels["mahjong"], await evening.discord.create_role(evening.guild, "Arbiter")
    for text in (f"<#{hall['id']}>", "#mahjong", "Mahjong", hall["id"]):
        await change(evening, "set", by="Owner", name="approvals_channel", value=text)
        assert (await settings(evening)).approvals_channel == int(hall["id"])
        await change(evening, "set", by="Owner", name="approvals_channel", value="none")
        assert (await settings(evening)).approvals_channel is None
    for text in (f"<@&{arbiter['id']}>", "@arbiter", "Arbiter", arbiter["id"]):
        await change(evening, "set", by="Owner", name="admin_role", value=text)
        assert (await settings(evening)).admin_role == int(arbiter["id"])
        await change(evening, "reset", by="Owner", name="admin_role")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("k_factor", "fast", "“fast” is not a number. It can be a number from 0 to 1000. Now it is 16."),
        ("k_factor", "1001", "“1001” is out of range."),
        ("starting_rating", "1,000", "“1,000” can be read in two ways"),
        ("jokerless_bonus", "2.5", "“2.5” is not a whole number. It can be a whole number from 0 to 1000."),
        ("start_4p", "25050", "“25050” is not a multiple of 100."),
        (
            "start_4p",
            "35000",
            "Return score, four players would be 30,000, below Starting score, four players with",
        ),
        ("penalties", "perhaps", "“perhaps” is neither yes nor no. It can be yes or no. Now it is no."),
        ("tenhou_rules", "mine", "“mine” is not one of the choices. It can be seed / live."),
        ("time_zone", "Mars", "I do not know a time zone “Mars”. It can be a time zone like Asia/Tokyo."),
        ("uma_3p", "20 10 -10 -20", "is not an uma for 3 places. It can be 3 whole numbers in thousands"),
        ("uma_4p", "20 10 -10 -10", "does not add up to zero."),
        ("card_year", "1900", "from 1937 to 2100, or none. Now it is none."),
        ("approvals_channel", "attic", "This server has no text channel “attic”."),
        ("admin_role", "Kings", "This server has no role “Kings”."),
        ("admin_role", "@everyone", "every member could approve games."),
        ("colour", "red", "There is no setting “colour”."),
    ],
)
async def test_what_cannot_be_is_refused_with_the_reason(
    evening: Evening, name: str, value: str, told: str
) -> None:
    before = await settings(evening)
    answer = said(await command(evening, "set", name=name, value=value)).replace("\\", "")
    assert told in answer
    assert await settings(evening) == before
    if name != "colour":
        assert "Nothing was changed." in answer


async def test_a_name_that_two_channels_have_needs_a_mention(evening: Evening) -> None:
    twin = await evening.discord.create_channel(evening.guild, "mahjong")
    answer = said(await command(evening, "set", name="approvals_channel", value="mahjong"))
    assert "More than one is called “mahjong”" in answer
    await change(evening, "set", name="approvals_channel", value=f"<#{twin['id']}>")


async def test_only_admins_may_change_and_carry_settings(evening: Evening) -> None:
    before = await settings(evening)
    for subcommand, options in (
        ("set", {"name": "k_factor", "value": "20"}),
        ("reset", {"name": "admin_role"}),
        ("export", {}),
        ("import", {"file": ("settings.toml", b"k_factor = 20")}),
    ):
        assert "Only admins" in said(await command(evening, subcommand, by="Ann", **options))
    assert await settings(evening) == before


async def test_names_are_completed_by_any_part_of_name_and_label(evening: Evening) -> None:
    channel, ann = evening.channels["mahjong"], evening.as_("Ann")
    for typed, expected in (("uma", ["uma_4p", "uma_3p"]), ("k_f", ["k_factor"]), ("K fac", ["k_factor"])):
        choices = await ann.autocomplete("settings show", channel, "name", typed)
        assert [choice["value"] for choice in choices] == expected
    choices = await ann.autocomplete("settings history", channel, "name", "")
    assert len(choices) == min(25, len(KNOBS))
    assert {"name": "Approvals channel (approvals_channel)", "value": "approvals_channel"} in [
        {"name": choice["name"], "value": choice["value"]} for choice in choices
    ]


async def test_values_are_offered_where_there_are_choices(evening: Evening) -> None:
    channel = evening.channels["mahjong"]

    async def offered(name: str, typed: str = "", by: str = "Kai") -> list[tuple[str, str]]:
        person = evening.as_(by)
        choices = await person.autocomplete("settings set", channel, "value", typed, name=name)
        return [(choice["name"], choice["value"]) for choice in choices]

    assert await offered("penalties") == [("yes", "yes"), ("no", "no")]
    assert [value for _, value in await offered("tenhou_rules", "site")] == ["live"]
    assert [value for _, value in await offered("usual_players", "thr")] == ["3"]
    assert await offered("time_zone", "toky") == [("Asia/Tokyo", "Asia/Tokyo")]
    assert ("#mahjong", channel["id"]) in await offered("approvals_channel")
    assert await offered("admin_role", "ref") == [("@Referee", evening.referee["id"])]
    assert "everyone" not in str(await offered("admin_role"))
    assert await offered("k_factor") == []
    assert await offered("colour") == []
    assert await offered("approvals_channel", by="Ann") == []


async def test_the_history_tells_who_changed_what_newest_first(evening: Evening) -> None:
    await change(evening, "set", name="k_factor", value="20")
    await change(evening, "set", by="Rei", name="k_factor", value="24")
    for bonus in range(10, 20):
        await change(evening, "set", name="jokerless_bonus", value=str(bonus))
    first = await command(evening, "history", by="Ann")
    assert said(first).count("Jokerless bonus") == 10
    assert said(first).index("18 → 19") < said(first).index("17 → 18")
    assert "page 1 of 2" in said(first)
    await evening.as_("Ann").click(reply(first), label="▶")
    assert "20 → 24" in said(first)
    one = said(await command(evening, "history", by="Ann", name="k_factor"))
    lines = one.splitlines()
    assert [line for line in lines if "→" in line or line.startswith("-#")] == [
        next(line for line in lines if "20 → 24" in line),
        "-# \u2068Rei\u2069",
        next(line for line in lines if "16 → 20" in line),
        "-# \u2068Kai\u2069",
    ]
    assert "2 changes" in one
    assert "Nothing was changed yet." in said(await command(evening, "history", name="penalties"))


async def test_an_old_game_keeps_its_figures_when_a_knob_is_turned(evening: Evening) -> None:
    await evening.report(GAME)
    await evening.approve(1)
    figures, card = await evening.result(1), str(evening.card(1))
    await change(evening, "set", name="uma_4p", value="30 10 -10 -30")
    # The winner is another: the same game again would be named on the card.
    await evening.report({"Emi" if name == "Ann" else name: score for name, score in GAME.items()})
    await evening.approve(2)
    await evening.quiet()
    assert await evening.result(1) == figures
    assert str(evening.card(1)) == card
    assert figures[1] == [55200, 10100, -24300, -41000]
    assert (await evening.result(2))[1] == [65200, 10100, -24300, -51000]
    assert "+65.2" in str(evening.card(2))


async def test_a_year_without_a_card_cannot_be_the_current_one(evening: Evening) -> None:
    told = said(await command(evening, "set", name="card_year", value="2027"))
    assert "The club has no card yet" in told
    assert (await settings(evening)).card_year is None


async def test_the_history_of_a_club_is_its_own(store: Store) -> None:
    for guild, value, by, at in ((10, 5.0, KAI, 100), (20, 7.0, REI, 200), (10, 9.0, REI, 300)):
        await store.write(club.change_settings, guild, {"k_factor": value, "penalties": True}, by, at)
    page = await store.read(queries.page, 10, "k_factor", 0, 10)
    told = [(change.before, change.after, change.by, change.at) for change in page.changes]
    assert told == [(5.0, 9.0, "Rei", 300), (16.0, 5.0, "Kai", 100)]
    everything = await store.read(queries.page, 10, None, 5, 2)
    assert (everything.number, everything.pages, everything.total, len(everything.changes)) == (1, 2, 3, 1)
    last = await store.read(queries.last_change, 20, "k_factor")
    assert last is not None
    assert (last.before, last.after, last.by) == (16.0, 7.0, "Rei")
    assert await store.read(queries.last_change, 20, "uma_4p") is None
