"""/settings export and import: all knobs of a club in a TOML file, and everything that can be wrong with one."""

from __future__ import annotations

import tomllib

import pytest

from bot import answers
from bot.render import settings as drawing
from bot.texts import texts_for
from ratings import club
from ratings.knobs import KNOBS
from tests.answer_help import lose_files
from tests.club_evening import Evening
from tests.settings_help import attached, change, command, said, settings, with_card


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


async def test_a_file_that_cannot_be_fetched_is_asked_for_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_files(evening, monkeypatch)
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
