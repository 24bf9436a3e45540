"""/export and /import in the local Discord: a member's own data, a club's, and a club moved to another server."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from bot.sandbox import Interaction
from tests.club_evening import Club, Evening, reply

GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
OTHER_GAME = {"Emi": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
PENDING = "Nothing was imported"


def attached(club: Club, answer: Interaction) -> dict[str, bytes]:
    """The files of an answer by name."""
    return {
        file["filename"]: club.discord.world.files[urlsplit(file["url"]).path.split("/")[-2]]
        for file in reply(answer)["attachments"]
    }


def table(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file by column."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


async def ask(club: Club, who: str, **options: Any) -> Interaction:
    """A member exports."""
    return await club.as_(who).slash("export", club.channels["mahjong"], **options)


async def bring(club: Club, who: str, data: bytes, name: str = "club.json.gz") -> Interaction:
    """A member imports a file."""
    return await club.as_(who).slash("import", club.channels["mahjong"], file=(name, data))


@pytest.fixture
async def played(evening: Evening) -> Evening:
    """A club of two games, of which Ann has played one."""
    for number, game in enumerate((GAME, OTHER_GAME), start=1):
        await evening.report(game)
        await evening.approve(number)
    return evening


async def test_a_member_gets_what_concerns_him(played: Evening) -> None:
    answer = await ask(played, "Ann")
    assert reply(answer)["flags"] == 64
    files = attached(played, answer)
    assert sorted(files) == ["changes.csv", "games.csv", "my-data.json", "statistics.csv"]
    games = table(files["games.csv"])
    assert [(row["game"], row["player"], row["place"]) for row in games] == [
        ("1", "Ann", "1"),
        ("1", "Борис", "2"),
        ("1", "千秋", "3"),
        ("1", "Dora", "4"),
    ]
    (change,) = table(files["changes.csv"])
    assert (change["player"], change["rank before"], change["points"]) == ("Ann", "0", "0")
    assert float(change["rating"]) == 1530.0
    (figures,) = table(files["statistics.csv"])
    assert (figures["games"], figures["1st"], figures["sum of final points"]) == ("1", "1", "55200")
    assert json.loads(files["my-data.json"])["statistics"][0]["player"] == "Ann"


async def test_whoever_has_not_played_has_nothing_to_export(played: Evening) -> None:
    assert "nothing to export" in reply(await ask(played, "Rei"))["content"]


async def test_only_admins_get_everything(played: Evening) -> None:
    assert "Only admins" in reply(await ask(played, "Ann", what="all"))["content"]
    files = attached(played, await ask(played, "Kai", what="all"))
    assert {row["player"] for row in table(files["statistics.csv"])} == set(GAME) | set(OTHER_GAME)
    assert len(table(files["changes.csv"])) == 8
    assert "club.json.gz" in files


async def test_names_that_spreadsheets_would_run_are_made_harmless(evening: Evening) -> None:
    evening.join("=cmd|calc")
    await evening.report({**dict(list(GAME.items())[:3]), "=cmd|calc": "9000"})
    await evening.approve(1)
    files = attached(evening, await ask(evening, "Kai", what="all"))
    assert b"'=cmd|calc" in files["games.csv"]


async def test_a_club_moves_to_another_server(played: Evening) -> None:
    data = attached(played, await ask(played, "Kai", what="all"))["club.json.gz"]
    other = Club(played.discord, "New home", users=played.users)
    await played.discord.add_guild_live(other.guild)
    await other.set_up()
    assert "Only admins" in reply(await bring(other, "Ann", data))["content"]
    told = reply(await bring(other, "Kai", data))["content"]
    assert told == (
        "The club was imported: 2 games, 0 tournaments, 7 players. Every rank and rating is what the file says."
    )
    boards = [
        reply(await club.as_("Ann").slash("leaderboard", club.channels["mahjong"]))["embeds"][0]["description"]
        for club in (played, other)
    ]
    assert boards[0] == boards[1]
    await other.report(GAME)
    await other.approve(3)
    assert "This club has games" in reply(await bring(other, "Kai", data))["content"]


@pytest.mark.parametrize("data", [b"", b"{}", b"\x1f\x8bcut off", b'{"format": "tenbou-club", "version": 1}'])
async def test_a_file_that_is_none_is_answered_in_words(played: Evening, data: bytes) -> None:
    other = Club(played.discord, "New home", users=played.users)
    await played.discord.add_guild_live(other.guild)
    await other.set_up()
    assert PENDING in reply(await bring(other, "Kai", data))["content"]
