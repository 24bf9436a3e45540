"""/settings on the local Discord: showing, turning and carrying the knobs of a club, and who may."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from bot import answers
from bot.render import settings as drawing
from bot.render import words
from bot.sandbox import Interaction
from bot.texts import texts_for
from ratings import club
from ratings.card import import_card
from ratings.cardfile import CardLine
from ratings.knobs import KNOBS
from ratings.models import Person
from ratings.queries import settings as queries
from ratings.settings import ClubSettings
from ratings.store import Store
from tests.club_evening import Club, Evening, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
KAI, REI = Person(1, "Kai"), Person(2, "Rei")


async def command(evening: Club, subcommand: str, *, by: str = "Kai", **options: Any) -> Interaction:
    """A member uses a subcommand of /settings."""
    return await evening.as_(by).slash(f"settings {subcommand}", evening.channels["mahjong"], **options)


def said(interaction: Interaction) -> str:
    """Everything that is to be read in an answer."""
    message = reply(interaction)
    parts = [message["content"]]
    for embed in message["embeds"]:
        parts += [embed.get("title", ""), embed.get("description", ""), embed.get("footer", {}).get("text", "")]
        parts += [f"{field['name']}: {field['value']}" for field in embed.get("fields", [])]
    return "\n".join(parts)


async def settings(evening: Evening) -> ClubSettings:
    """The club's settings as the store has them."""
    return await evening.store.read(club.settings, evening.id)


async def change(evening: Evening, subcommand: str, **options: Any) -> str:
    """An admin changes a setting; there must be a change."""
    answer = said(await command(evening, subcommand, **options))
    assert "changed" in answer.splitlines()[1], answer
    return answer


def attached(evening: Evening, interaction: Interaction) -> bytes:
    """The file of an answer."""
    (attachment,) = reply(interaction)["attachments"]
    return evening.discord.world.files[attachment["id"]]


async def test_everybody_may_look_at_all_settings(evening: Evening) -> None:
    await change(evening, "set", name="k_factor", value="24,5")
    shown = await command(evening, "show", by="Ann")
    answer = said(shown)
    assert shown.ephemeral
    for name in KNOBS:
        assert f"`{name}`" in answer
    for heading in ("The club", "Riichi scoring", "Tenhou ladder and R", "American mahjong"):
        assert f"{heading}: " in answer
    assert "K factor `k_factor`: **24.5** (default 16)" in answer
    assert "Starting score, four players `start_4p`: **25,000**\n" in answer
    assert f"<#{evening.channels['approvals']['id']}>" in answer


async def test_one_setting_is_told_in_full(evening: Evening) -> None:
    await change(evening, "set", name="time_zone", value="asia/tokyo")
    before = said(await command(evening, "show", by="Ann", name="k_factor"))
    assert "Last changed: never" in before
    await change(evening, "set", by="Rei", name="k_factor", value="32")
    answer = said(await command(evening, "show", by="Ann", name="K factor"))
    assert "How far one game can move the American rating" in answer
    assert "from 0 to 1000" in answer
    assert "Value: 32\nDefault: 16" in answer
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
    await evening.report(GAME)
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


async def with_card(evening: Evening) -> None:
    """A card of 2026 for the club, which is not its current one."""
    lines = [CardLine(2026, "Rivers", 1.0, "The ford", 25, False, False)]
    await evening.store.write(import_card, evening.id, lines, 1_700_000_000)


async def test_what_is_exported_is_imported_again(evening: Evening) -> None:
    chosen = {
        "time_zone": "Asia/Tokyo",
        "uma_3p": "30 0 -30",
        "k_factor": "24.5",
        "penalties": "yes",
        "tenhou_rules": "live",
        "announcements_channel": "none",
        "card_year": "2026",
    }
    await with_card(evening)
    for name, value in chosen.items():
        await change(evening, "set", name=name, value=value)
    before, version = await settings(evening), (await evening.store.read(club.settings_in_force, evening.id))[1]
    file = attached(evening, await command(evening, "export"))
    assert set(tomllib.loads(file.decode())) == set(KNOBS)
    assert "# K factor: How far one game can move the American rating" in file.decode()
    again = said(await command(evening, "import", file=("settings.toml", file)))
    assert "nothing has changed" in again
    assert (await evening.store.read(club.settings_in_force, evening.id))[1] == version
    for name in chosen:
        await command(evening, "reset", name=name)
    answer = said(await command(evening, "import", file=("settings.toml", file)))
    # A reset announcements channel is none already.
    assert f"{len(chosen) - 1} settings are changed" in answer
    assert "**K factor**: 16 → 24.5" in answer
    assert await settings(evening) == before


async def test_a_file_may_hold_some_settings_in_any_case(evening: Evening) -> None:
    file = b'start_4p = 35000\nreturn_4p = 35_000\nk_factor = "24,5"\npenalties = true\n'
    answer = said(await command(evening, "import", file=("mine.toml", file)))
    assert "4 settings are changed" in answer
    now = await settings(evening)
    assert (now.start_4p, now.return_4p, now.k_factor, now.penalties) == (35000, 35000, 24.5, True)


async def test_a_file_that_takes_long_is_answered_all_the_same(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "SOON", 0)
    answer = await command(evening, "import", file=("settings.toml", b"k_factor = 20"))
    await evening.discord.until(lambda: answer.reply)
    assert "**K factor**: 16 → 20" in said(answer)
    refused = await command(evening, "import", file=("settings.toml", b"k_factor = -1"))
    await evening.discord.until(lambda: refused.reply)
    assert "“-1” is out of range" in said(refused).replace("\\", "")


async def test_everything_wrong_in_a_file_is_listed_and_nothing_is_kept(evening: Evening) -> None:
    before = await settings(evening)
    file = f"""
        jokerless_bonus = 10
        kfactor = 20
        colour = "red"
        k_factor = -1
        penalties = "perhaps"
        start_3p = 50000
        start_4p = 50000
        return_4p = "more"
        uma_4p = [20, 10, -10]
        time_zone = 2026-01-02
        approvals_channel = 1
        admin_role = {evening.guild["id"]}
        usual_players = {{ a = 1 }}
    """
    answer = said(await command(evening, "import", file=("bad.toml", file.encode()))).replace("\\", "")
    for told in (
        "11 things are wrong with this file",
        "“kfactor”. Do you mean `k_factor`?",
        "“colour”.",
        "`k_factor`: “-1” is out of range.",
        "`penalties`: “perhaps”",
        "`return_4p`: “more”",
        "`uma_4p`: “20 10 -10”",
        "`time_zone`: I do not know a time zone “2026-01-02”",
        "`approvals_channel`: This server has no text channel “1”",
        "`admin_role`: @everyone cannot be",
        "`usual_players`: “{…}”",
        "Return score, three players would be 40,000, below Starting score, three players with 50,000.",
    ):
        assert told in answer
    assert "Return score, four players would be" not in answer
    assert await settings(evening) == before


async def test_a_long_list_of_problems_comes_as_a_file(evening: Evening) -> None:
    file = "\n".join(f"k_factor{number} = 1" for number in range(150))
    answer = await command(evening, "import", file=("bad.toml", file.encode()))
    assert "150 things are wrong" in said(answer)
    lines = attached(evening, answer).decode().splitlines()
    assert len(lines) == 150
    assert all("k_factor" in line for line in lines)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"k_factor = \n", "This file is not TOML"),
        (b"\xff\xfek", "not text in UTF-8"),
        (b"# nothing\n", "no settings in this file"),
        (b"#\n" * 40_000, "at most 64 KB"),
        (b"#" * 500, "at most 400 characters"),
        (b"\n".join(b"a%d = 1" % number for number in range(300)), "at most 200 keys"),
    ],
)
async def test_a_file_that_cannot_be_read_changes_nothing(evening: Evening, data: bytes, told: str) -> None:
    answer = said(await command(evening, "import", file=("settings.toml", data)))
    assert told in answer
    assert "Nothing was changed." in answer


class Forgetful(dict[str, bytes]):
    """Files that are gone as soon as they are sent."""

    def __setitem__(self, key: str, value: bytes) -> None:
        """Forget it."""


async def test_a_file_that_cannot_be_fetched_is_asked_for_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening.discord.world, "files", Forgetful())
    answer = said(await command(evening, "import", file=("settings.toml", b"k_factor = 20")))
    assert "I could not fetch the file" in answer
    assert (await settings(evening)).k_factor == 16


async def test_a_channel_that_is_gone_can_still_be_carried(evening: Evening) -> None:
    await evening.discord.delete_channel(evening.channels["announcements"])
    file = attached(evening, await command(evening, "export"))
    assert "nothing has changed" in said(await command(evening, "import", file=("settings.toml", file)))


async def test_the_widest_settings_fit_into_a_message(evening: Evening) -> None:
    file = f"""
        approvals_channel = {evening.channels["mahjong"]["id"]}
        time_zone = "America/Argentina/ComodRivadavia"
        uma_4p = [1000, 1000, -1000, -1000]
        uma_3p = [1000, 0, -1000]
        start_4p = 999900
        return_4p = 1000000
        start_3p = 999900
        return_3p = 1000000
        starting_rating = -1234.567890123456
        k_factor = 123.4567890123456
        concealed_bonus_multiplier = 1.234567890123456
        discard_penalty_multiplier = 12.34567890123456
    """
    await change(evening, "import", file=("wide.toml", file.encode()))
    embed = drawing.all_knobs(texts_for("en-US"), await settings(evening))
    assert len(embed) <= 6000
    assert all(len(field.value or "") <= 1024 for field in embed.fields)
    assert "(default +20 +10 −10 −20)" in said(await command(evening, "show", by="Ann"))


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
