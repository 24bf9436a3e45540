"""/tournament and /players on the local Discord: a secretary brings and corrects results, and everybody looks."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import discord
import pytest
import sqlalchemy as sa

from bot import tournament_files as files
from bot.render import tournament_files as file_drawing
from bot.render.tournament_verdicts import verdict_text
from bot.sandbox import Interaction
from bot.texts import texts_for
from ratings import ledger as games
from ratings.models import Person
from ratings.resultsfile import LARGEST_FILE, read_results
from ratings.store import tables
from ratings.systems.russian import Ranking
from ratings.tournaments import players as people
from ratings.tournaments import rankings, readers
from ratings.tournaments.records import Doubt, DoubtKind
from tests.club_evening import Club, Evening, reply
from tests.resultsfile_help import packed, text_file, workbook

DAY = (datetime.now(UTC) - timedelta(3)).date()
EARLIER = DAY - timedelta(20)
CAST = ("Анна Белова", "Boris Green", "Clara Weiß", "Дина Юрьева")
HEADER = ("place", "player", "score", "games", "country")
RESULTS: list[tuple[Any, ...]] = [
    HEADER,
    (1, CAST[0], "45,5", 8, "RU"),
    (2, CAST[1], "1,5", 8, "GB"),
    (3, CAST[2], -10, 8, "DE"),
]
RESULTS += [(4, CAST[3], -37, 6, "RU")]
CUP = {"name": "Кубок Невы", "last_day": DAY.isoformat(), "hanchan": 8}


def _number(written: Any) -> float:
    return float(str(written).replace(",", "."))


async def act(where: Club, command: str, *, by: str = "Kai", **options: Any) -> Interaction:
    """A member uses a command."""
    return await where.as_(by).slash(command, where.channels["mahjong"], **options)


async def bring(where: Club, data: bytes, **facts: Any) -> Interaction:
    """A member, Kai unless told otherwise, imports a file as a tournament."""
    return await act(where, "tournament import", **{"file": ("results.csv", data), **CUP, **facts})


async def two_cups(evening: Evening) -> None:
    """Two tournaments of 16 players that count in RR and CRR, so that everybody has a rating."""
    rows = [HEADER[:2], *((place, f"Игрок {place:02}") for place in range(1, 17))]
    for name, day in (("Spring", EARLIER), ("Autumn", DAY)):
        done = await bring(
            evening, text_file(*rows), name=name, last_day=day.isoformat(), accredited=True, new_players=True
        )
        assert "is imported" in embed(done)["title"]


def embed(interaction: Interaction) -> dict[str, Any]:
    """The embed of an answer."""
    (shown,) = reply(interaction)["embeds"]
    return dict(shown)


def described(interaction: Interaction) -> list[str]:
    """The lines of an answer's description, without isolates."""
    return plain(embed(interaction)["description"]).splitlines()


def field(interaction: Interaction, name: str) -> list[str]:
    """The lines of a field of an answer."""
    (found,) = [each["value"] for each in embed(interaction)["fields"] if each["name"] == name]
    return plain(found).splitlines()


def plain(text: str) -> str:
    """A text without the marks around names."""
    return text.replace("\u2068", "").replace("\u2069", "")


def said(interaction: Interaction) -> str:
    """The words of an answer that is no embed."""
    return plain(reply(interaction)["content"])


def attached(where: Club, interaction: Interaction) -> tuple[str, bytes]:
    """The one file of an answer: its name and what is in it."""
    (file,) = reply(interaction)["attachments"]
    return file["filename"], where.discord.world.files[urlsplit(file["url"]).path.split("/")[-2]]


async def lines(evening: Evening, number: int = 1, where: Club | None = None) -> list[tuple[Any, ...]]:
    """What is kept of a tournament's results."""
    record = await evening.store.read(readers.record, (where or evening).id, number)
    return [(line.line.place, line.name, line.line.score, line.line.games, line.country) for line in record.lines]


async def entered(evening: Evening) -> int:
    """How many tournaments the club has."""
    return (await evening.store.read(readers.page, evening.id, 0, 10)).total


# Importing

FILES = {
    "comma.csv": text_file(*RESULTS),
    "semicolon.csv": text_file(*RESULTS, delimiter=";", newline="\r\n", encoding="utf-8-sig"),
    "tabs.tsv": text_file(*RESULTS, delimiter="\t", encoding="utf-16"),
    "book.xlsx": workbook([HEADER, *([*row[:2], _number(row[2]), *row[3:]] for row in RESULTS[1:])]),
    "russian.csv": text_file(("Место", "ФИО", "Очки", "Игры", "Страна"), *RESULTS[1:], delimiter=";"),
    "scores.csv": text_file(
        ("Игрок", "Счёт", "Сыграно игр", "Страна"),
        *((row[1], row[2], row[3], row[4]) for row in reversed(RESULTS[1:])),
        delimiter=";",
    ),
}


@pytest.mark.parametrize("name", FILES)
async def test_a_file_of_each_kind_goes_in(evening: Evening, name: str) -> None:
    done = await bring(evening, b"", file=(name, FILES[name]), new_players=True)
    assert done.ephemeral
    assert embed(done)["title"] == "Tournament #1 is imported"
    told = described(done)
    assert told[:3] == [
        "**Кубок Невы**",
        f"{DAY} · RU · at the table · 4 players · 8 hanchan · not accredited",
        "4 results",
    ]
    assert told[3].startswith("4 new records: ")
    assert all(player in told[3] for player in CAST)
    assert [
        (place, player, float(score), number, home) for place, player, score, number, home in await lines(evening)
    ] == [
        (1, CAST[0], 45.5, 8, "RU"),
        (2, CAST[1], 1.5, 8, "GB"),
        (3, CAST[2], -10, 8, "DE"),
        (4, CAST[3], -37, 6, "RU"),
    ]
    assert field(done, "Counts in") == [
        "➖ RR: it takes 16 players.",
        "➖ CRR: it takes 12 players.",
        "➖ Online: it was not played online.",
    ]


async def test_windows_1251_and_ties_without_places(evening: Evening) -> None:
    rows = [("Игрок", "Счёт"), ("Анна", "10,5"), ("Борис", "10,5"), ("Вера", "-21"), ("Глеб", "30")]
    done = await bring(evening, text_file(*rows, delimiter=";", encoding="cp1251"), new_players=True)
    assert described(done)[-1].startswith("The file has no places, so I worked them out")
    assert [line[:2] for line in await lines(evening)] == [(1, "Глеб"), (2, "Анна"), (2, "Борис"), (4, "Вера")]


async def test_unknown_names_are_listed_with_what_is_near_and_nothing_is_written(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    rows = [("place", "player"), (1, "Anna Belova"), (2, "green boris"), (3, "Клара Вайс"), (4, "Юрева Дина")]
    rows += [(5, "Boris Green"), (6, "_Нов*ичок_ 🀄")]
    second: dict[str, Any] = {
        "name": "Second",
        "first_day": (DAY - timedelta(1)).isoformat(),
        "country": "Germany",
        "open_share": 60,
    }
    answer = await bring(evening, text_file(*rows), **second)
    assert embed(answer)["title"] == "The tournament is not imported: 5 problems"
    assert described(answer) == [
        "Row 2: I do not know “Anna Belova”. Near it: “Анна Белова”",
        "Row 3: I do not know “green boris”. Near it: “Boris Green”",
        "Row 4: I do not know “Клара Вайс”. Near it: “Clara Weiß”",
        "Row 5: I do not know “Юрева Дина”. Near it: “Дина Юрьева”",
        "Row 7: I do not know “\\_Нов\\*ичок\\_ 🀄”.",
        "",
        "Nothing was changed.",
        "Unknown names: correct in the file what is mistyped. If a name is another spelling of a known player, "
        "/players alias makes it known. If all the others are new players, import again with new_players: True.",
    ]
    assert field(answer, "What I understood") == [
        "**Second**",
        f"{DAY - timedelta(1)} – {DAY} · DE · at the table · 6 players · 8 hanchan · not accredited · "
        "60% of the seats open",
        "6 rows of results",
    ]
    assert reply(answer)["attachments"] == []
    assert await entered(evening) == 1
    # What the answer says to do next works.
    for player, name in (("Анна Белова", "Anna Belova"), ("Boris Green", "green boris")):
        assert "from now on" in said(await act(evening, "players alias", player=player, name=name))
    rows[3], rows[4], rows[5] = (3, CAST[2]), (4, CAST[3]), (5, "Новая Игрица")
    done = await bring(evening, text_file(*rows), **{**second, "new_players": True})
    assert described(done)[3] == "2 new records: Новая Игрица, \\_Нов\\*ичок\\_ 🀄"


async def test_three_hundred_unknown_names_come_as_a_file(evening: Evening) -> None:
    rows = [("place", "player"), *((place, f"Игрок_{place} **Новый**") for place in range(1, 301))]
    answer = await bring(evening, text_file(*rows))
    shown = [line for line in described(answer) if line.startswith("Row ")]
    assert 20 < len(shown) < 300
    rest = 300 - len(shown)
    assert f"… and {rest} more problems; the attached file lists them all." in described(answer)
    name, data = attached(evening, answer)
    assert name == "import-problems.txt"
    listed = [line for line in data.decode().splitlines() if line.startswith("Row ")]
    assert listed[0] == "Row 2: I do not know “Игрок_1 **Новый**”."
    assert len(listed) == 300
    done = await bring(evening, text_file(*rows), new_players=True)
    assert described(done)[2:4][0] == "300 results"
    assert described(done)[3].startswith("300 new records: ")
    assert described(done)[3].endswith(", …")
    again = await bring(evening, text_file(*rows), name="Second")
    assert described(again)[2] == "300 results"


BAD = {
    "empty": (b"", "There are no results in the file."),
    "no columns": (text_file(("a", "b"), (1, 2)), "I know none of these columns: a, b."),
    "no names": (text_file(("place", "score"), (1, 2)), "No column has the players' names"),
    "high place": (
        text_file(("place", "player"), (1, "A"), (9, "B")),
        "Row 3: Place 9 cannot be: the file has only 2",
    ),
    "no place": (text_file(("place", "player"), (1, "A"), ("", "B")), "Row 3: The place is missing."),
    "twice": (text_file(("place", "player"), (1, "Ann A"), (2, "ann a")), "Row 3: ann a is in row 2 already."),
    "formula": (text_file(("place", "player"), (1, "=A1"), (2, "B")), "is a formula. Put its value in its place."),
    "two ways": (text_file(("player", "score"), ("A", "1,250")), "“1,250” can be read in two ways"),
    "country": (text_file(("place", "player", "country"), (1, "A", "Mars")), "Row 2: I know no country “Mars”."),
    "old workbook": (b"\xd0\xcf\x11\xe0" + bytes(600), "This is a workbook in the old format (.xls)"),
    "no workbook": (packed({"x": b"y"}), "The file is no workbook that I can read"),
    "japanese": ("順位,名前\n1,千秋".encode("cp932"), "nor a text whose letters I can make out"),
    "crowded": (
        text_file(("place", "player"), (1, "A"), (2, "B"), (2, "C"), (3, "D")),
        "Row 5: Place 3 cannot be: a shared place takes up several",
    ),
}


@pytest.mark.parametrize("fault", BAD)
async def test_a_bad_file_is_answered_with_what_is_wrong(evening: Evening, fault: str) -> None:
    data, words = BAD[fault]
    answer = await bring(evening, data, new_players=True)
    assert answer.ephemeral
    assert embed(answer)["title"].startswith("The tournament is not imported: 1 problem")
    assert words in described(answer)[0]
    assert described(answer)[-2:] == ["Nothing was changed.", "Correct the file and import it again."]
    assert await entered(evening) == 0


async def test_bad_rows_and_unknown_names_are_told_together(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    rows = [("Place", "Last name", "First name", "Discord"), (1, "Belova", "Anna", ""), (0, "Green", "Boris", "")]
    rows += [(3, "=A1", "", ""), (4, "Somebody", "", "<@12345678901234567>"), (5, "Neu", "", "")]
    answer = await bring(evening, text_file(*rows), name="Second")
    assert described(answer)[:5] == [
        "Row 2: I do not know “Anna Belova”. Near it: “Анна Белова”",
        "Row 3: “0” is no place. Write a whole number from 1; a shared place may also be written as 2-3 or 2=.",
        "Row 4: “=A1” in the column “Last name” is a formula. Put its value in its place.",
        "Row 6: I do not know “Neu”.",
        "",
    ]
    assert described(answer)[-1] == "Correct the file and import it again."
    assert field(answer, "What I understood") == [
        "**Second**",
        f"{DAY} · RU · at the table · 8 hanchan · not accredited",
    ]


@pytest.mark.parametrize("kind", DoubtKind)
def test_every_doubt_has_a_sentence_of_its_own(kind: DoubtKind) -> None:
    english = texts_for("en-GB")

    def sentence(which: DoubtKind) -> str:
        return file_drawing.doubt_sentence(english, Doubt(7, which, "{A}", ("{B}",), 3), str)

    assert sentence(kind) not in {sentence(other) for other in DoubtKind if other is not kind}
    assert "{A}" in sentence(kind)


async def test_a_file_that_is_too_large_is_not_even_fetched(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    read = discord.Attachment.read

    async def noted(self: discord.Attachment, **options: Any) -> bytes:
        fetched.append(self.filename)
        return await read(self, **options)

    monkeypatch.setattr(discord.Attachment, "read", noted)
    large = FILES["comma.csv"].ljust(LARGEST_FILE + 1, b"\n")
    answer = await bring(evening, large)
    assert "The file is too large: I take at most 2,000 rows, 100 columns and 10 MB." in described(answer)
    assert fetched == []
    assert await entered(evening) == 0


async def test_a_file_that_discord_does_not_give_changes_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lost(dict[str, bytes]):
        def __setitem__(self, key: str, value: bytes) -> None:
            """Keep nothing."""

    monkeypatch.setattr(evening.discord.world, "files", Lost())
    answer = await bring(evening, FILES["comma.csv"], new_players=True)
    assert "Discord did not give me the file. Nothing was changed" in said(answer)
    assert await entered(evening) == 0


async def test_a_file_that_takes_too_long_to_read_changes_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()

    def slow(_data: bytes) -> None:
        done.wait(10)

    monkeypatch.setattr(files, "read_results", slow)
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    answer = await bring(evening, FILES["comma.csv"], new_players=True)
    done.set()
    assert "I could not read the file in" in said(answer)
    assert await entered(evening) == 0


async def test_a_file_with_many_strangers_accounts_is_sent_back(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_STRANGERS", 1)
    known = evening.users["Ann"]["id"]
    rows = [("place", "player", "discord"), (1, "A", known), (2, "B", known), (3, "C", "<@123456789012345678>")]
    answer = await bring(evening, text_file(*rows), new_players=True, participants=4)
    assert "The file names 2 Discord accounts that this club does not know yet" in said(answer)
    assert await entered(evening) == 0


async def test_who_is_at_home_nowhere_is_named_in_the_answer(evening: Evening) -> None:
    done = await bring(evening, FILES["russian.csv"], new_players=True)
    assert "Nobody knows which country" not in embed(done)["description"]
    rows = [HEADER[:2], *((place, f"Guest {place}") for place in range(1, 5))]
    done = await bring(evening, text_file(*rows), name="Away", country="DE", new_players=True)
    assert (
        "Nobody knows which country they are from, so RR and CRR cannot list them: Guest 1, Guest 2, Guest 3, "
        "Guest 4. /players edit tells it."
    ) in described(done)


async def test_a_tournament_that_ends_tomorrow_counts_from_then_on(evening: Evening) -> None:
    verdict = rankings.Verdict(Ranking.RR, None, 0, False)
    english, tomorrow = texts_for("en-GB"), DAY + timedelta(1)
    assert verdict_text(english, verdict, "RU", tomorrow, DAY) == (
        False,
        f"it counts from its last day on, {tomorrow}.",
    )
    assert verdict_text(english, verdict, "RU", EARLIER, DAY) == (False, "it is more than two years old.")


async def test_members_in_a_file_are_looked_up(evening: Evening) -> None:
    user = {name: evening.users[name]["id"] for name in ("Ann", "Борис", "Dora")}
    rows = [
        ("place", "player", "discord"),
        (1, "Анна Белова", f"<@{user['Ann']}>"),
        (2, "Boris Green", user["Борис"]),
    ]
    rows += [
        (3, "Stranger", "123456789012345678"),
        (4, "Robot", evening.discord.world.bot["id"]),
        (5, "Owner", "@Owner"),
    ]
    rows += [(6, "Dora", "@Dora"), (7, "Nobody", "")]
    answer = await bring(evening, text_file(*rows))
    advice = "is no member of this server. Write a mention or an id, or leave the cell empty."
    assert described(answer)[:4] == [
        f"Row 4: “123456789012345678” {advice}",
        f"Row 5: “{evening.discord.world.bot['id']}” is a bot and cannot have played.",
        # The owner, who has set something here, is known by name; Dora is not yet.
        f"Row 7: “\\@Dora” {advice}",
        "Row 8: I do not know “Nobody”.",
    ]
    assert await entered(evening) == 0
    rows = [rows[0], rows[1], rows[2], (3, "Dora", user["Dora"])]
    assert "4 players" not in described(await bring(evening, text_file(*rows), participants=12))[1]
    assert [line[:2] for line in await lines(evening)] == [(1, "Ann"), (2, "Борис"), (3, "Dora")]
    entry = await evening.store.read(people.entry, evening.id, (await _ids(evening))["Ann"])
    assert (entry.discord_id, entry.aliases) == (int(user["Ann"]), ("Анна Белова",))


async def _ids(evening: Evening) -> dict[str, int]:
    return {each.name: each.id for each in await evening.store.read(people.search, evening.id, "", None)}


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"last_day": "29/11/2026"}, "I cannot read “29/11/2026” as a day. Write it like 2026-11-29"),
        ({"last_day": "21:30"}, "I cannot read “21\\:30” as a day."),
        ({"last_day": "1989-12-31"}, "I take tournaments from 1990 on, and 1989-12-31 is long before."),
        ({"first_day": "0001-01-01"}, "I take tournaments from 1990 on, and 0001-01-01 is long before."),
        ({"last_day": "9999-12-31"}, "The last day, 9999-12-31, is still to come."),
        ({"last_day": "2999-01-01"}, "The last day, 2999-01-01, is still to come."),
        ({"first_day": "2999-01-01"}, f"The tournament cannot end on {DAY} if it began on 2999-01-01."),
        ({"country": "Atlantis"}, "I know no country “Atlantis”."),
        ({"stages": "28 players"}, "I cannot read “28 players” as stages."),
        ({"stages": "4x8 5x2"}, "The stages do not fit."),
        ({"stages": "28x10 8x10 x"}, "I cannot read “28x10 8x10 x” as stages."),
        ({"stages": "4x8", "participants": 5}, "The stages do not fit. The first one has all 5 participants"),
        ({"name": "\u200b\u200d"}, "The name is empty."),
        ({"file": ("x.csv", text_file(HEADER[:2], (1, "A"), (2, "B")))}, "at least four participants, not 2."),
        (
            {
                "file": ("x.csv", text_file(HEADER[:2], *((each, f"A{each}") for each in range(1, 6)))),
                "participants": 4,
            },
            "There are 5 results, so 4 participants are too few.",
        ),
    ],
)
async def test_what_cannot_be_is_said_before_anything_is_written(
    evening: Evening, facts: dict[str, Any], words: str
) -> None:
    answer = await bring(evening, FILES["comma.csv"], **{"new_players": True, **facts})
    assert words in said(answer)
    assert await entered(evening) == 0
    assert "Анна Белова" not in await _ids(evening)


async def test_days_stages_and_the_home_country_as_members_write_them(evening: Evening) -> None:
    await act(evening, "settings set", name="home_country", value="Germany")
    written = f"{DAY:%d.%m.%Y}"
    done = await bring(evening, FILES["comma.csv"], last_day=written, stages="4х8, 2 × 4", new_players=True)
    assert described(done)[1] == f"{DAY} · DE · at the table · 4 players · stages 4×8, 2×4 · not accredited"
    yesterday = await bring(evening, FILES["comma.csv"], last_day="вчера", first_day=f"{DAY:%d.%m.}")
    assert described(yesterday)[1].startswith(f"{DAY} – ")


async def test_a_tournament_is_imported_once(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    again = await bring(evening, FILES["book.xlsx"], name="КУБОК  НЕВЫ")
    assert said(again).startswith("There is one already: tournament #1, “Кубок Невы”, ended on the same day.")
    assert await entered(evening) == 1


# Correcting


async def test_a_tournament_is_entered_result_by_result(evening: Evening) -> None:
    added = await act(evening, "tournament add", name="Club Cup", last_day="yesterday", participants=12, hanchan=3)
    assert embed(added)["title"] == "Tournament #1 is entered"
    assert field(added, "Counts in")[1] == "➖ CRR: it counts once it has results of players who are listed."
    unknown = await act(evening, "tournament result", tournament="1", player="Анна Белова", place=2)
    assert said(unknown).startswith("I know no player “Анна Белова”, nor anybody of a similar name.")
    assert said(unknown).endswith("For somebody new, add new_player: True.")
    done = await act(
        evening,
        "tournament result",
        tournament="1",
        player="Анна Белова",
        place=2,
        score="1 234,5",
        new_player=True,
    )
    assert embed(done)["title"] == "Tournament #1: a result is entered"
    assert described(done) == ["**Club Cup**", "Анна Белова: place 2, score 1234.5"]
    assert field(done, "Counts in")[1] == "✅ CRR: it counts in full."
    mention = f"<@{evening.users['Dora']['id']}>"
    await act(evening, "tournament result", tournament="t:1", player=mention, place=1)
    corrected = await act(
        evening, "tournament result", tournament="club cup", player="Анна Белова", place=3, replacement=True
    )
    assert embed(corrected)["title"] == "Tournament #1: a result is corrected"
    assert described(corrected)[1] == (
        "Анна Белова: place 2, score 1234.5 → place 3, score 1234.5, replacement player"
    )
    same = await act(evening, "tournament result", tournament="1", player="Анна Белова", place=3)
    assert said(same) == "It is so already; nothing has changed."
    near = await act(evening, "tournament result", tournament="1", player="Anna Belova", place=4)
    assert "Do you mean one of these: Анна Белова (RU)?" in said(near)
    for place, words in ((13, "There is no place 13 among 12 participants."), (1, None)):
        answer = await act(evening, "tournament result", tournament="1", player="Анна Белова", place=place)
        assert words is None or words in said(answer)
    crowded = await act(evening, "tournament result", tournament="1", player="Kai", place=2)
    assert said(crowded).startswith("Place 2 cannot be: those who share a place take up the places after it")
    bad = await act(evening, "tournament result", tournament="1", player="Kai", place=5, score="1,234")
    assert "I cannot read “1,234” as a score." in said(bad)
    out = await act(evening, "tournament unresult", tournament="1", player="Dora")
    assert described(out)[1] == "Dora: place 1 → no result"
    missing = await act(evening, "tournament unresult", tournament="1", player="Dora")
    assert said(missing) == "The player has no result in tournament #1; nothing has changed."
    robot = f"<@{evening.discord.world.bot['id']}>"
    refused = await act(evening, "tournament result", tournament="1", player=robot, place=9)
    assert "is a bot and cannot have played" in said(refused)


async def test_an_edit_shows_old_and_new_and_whose_ratings_moved(evening: Evening) -> None:
    await two_cups(evening)
    await bring(
        evening,
        text_file(("place", "player"), (1, "Игрок 16"), (2, "Игрок 01")),
        name="Winter",
        accredited=True,
        participants=16,
    )
    done = await act(
        evening,
        "tournament edit",
        tournament="Winter",
        hanchan=12,
        name="Winter *Cup*",
        last_day=f"{DAY - timedelta(1)}",
        unknown="open_share",
        reason="the **poster** says so",
    )
    assert embed(done)["title"] == "Tournament #3 is corrected"
    assert described(done) == [
        "**Winter \\*Cup\\***",
        "name: Winter → Winter \\*Cup\\*",
        f"last day: {DAY} → {DAY - timedelta(1)}",
        "hanchan: 8 → 12",
        "Reason: the \\*\\*poster\\*\\* says so",
    ]
    moved = field(done, "Ratings")
    assert moved[0] == "**RR**: 16 players moved"
    assert moved[4] == "**CRR**: 16 players moved"
    assert all("→" in line for line in (*moved[1:4], *moved[5:]))
    stages = await act(evening, "tournament edit", tournament="3", stages="16x6 4x6", unknown="hanchan")
    assert described(stages)[1:] == ["hanchan: 12 → unknown", "stages: none → 16×6, 4×6"]
    nothing = await act(evening, "tournament edit", tournament="3")
    assert said(nothing) == "Say what to correct, each fact in its option. Nothing has changed."
    wrong = await act(evening, "tournament edit", tournament="3", participants=1000)
    assert said(wrong).startswith("The stages do not fit. The first one has all 1000 participants")


async def ranking(evening: Evening) -> list[str]:
    """The names and rounded ratings of RR today."""
    view = await evening.store.read(rankings.ranking, evening.id, Ranking.RR, DAY)
    return [f"{view.names[row.player_id]} {row.rating:.0f}" for row in view.table.rows]


async def test_a_removed_tournament_moves_ratings_and_undo_brings_all_back(evening: Evening) -> None:
    await two_cups(evening)
    before = await ranking(evening)
    gone = await act(evening, "tournament remove", tournament="Autumn", reason="played by other rules")
    assert embed(gone)["title"] == "Tournament #2 is removed"
    assert described(gone)[-1] == "Reason: played by other rules"
    told = field(gone, "Ratings")
    assert [told[0], told[4]] == ["**RR**: 16 players moved", "**CRR**: 16 players moved"]
    assert [line.split(":")[0] for line in told[1:4]] == ["Игрок 01", "Игрок 02", "Игрок 03"]
    assert all(line.endswith(", no longer listed") for line in (*told[1:4], *told[5:]))
    assert await ranking(evening) == []
    refused = await act(evening, "tournament remove", tournament="2")
    assert said(refused).startswith("Tournament #2 is removed; /tournament restore brings it back.")
    undone = await act(evening, "tournament undo", tournament="2")
    assert embed(undone)["title"] == "Tournament #2: the newest change is taken back"
    assert described(undone)[-1] == "counts again"
    assert await ranking(evening) == before
    await act(evening, "tournament remove", tournament="2")
    back = await act(evening, "tournament restore", tournament="2")
    assert embed(back)["title"] == "Tournament #2 counts again"
    assert field(back, "Ratings")[0] == "**RR**: 16 players moved"
    assert field(back, "Ratings")[1] == told[1].replace(":", ": new,").removesuffix(", no longer listed")
    assert await ranking(evening) == before
    # The restoring is itself undone, and before it the removal: then nothing is left.
    for _ in range(2):
        assert "taken back" in embed(await act(evening, "tournament undo", tournament="2"))["title"]
    assert await ranking(evening) == before
    assert said(await act(evening, "tournament undo", tournament="2")).startswith(
        "Nothing is left to undo: tournament #2 stands as it was first entered."
    )


# Looking


async def test_a_tournament_is_shown_with_all_there_is_to_know(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True, ema=True, country="Japan")
    await act(evening, "tournament edit", tournament="1", hanchan=9, reason="recount")
    await act(evening, "tournament result", tournament="1", player=CAST[3], place=4, replacement=True)
    await act(evening, "tournament undo", tournament="1")
    shown = await act(evening, "tournament show", by="Dora", tournament="Кубок Невы")
    assert not shown.ephemeral
    assert embed(shown)["title"] == "#1 \u2068Кубок Невы\u2069"
    assert described(shown) == [
        f"{DAY} · JP · at the table · 4 players · 9 hanchan · official EMA event · not accredited",
        "",
        "`  1.` Анна Белова · RU · 45.5 · 8 games",
        "`  2.` Boris Green · GB · 1.5 · 8 games",
        "`  3.` Clara Weiß · DE · −10 · 8 games",
        "`  4.` Дина Юрьева · RU · −37 · 6 games",
    ]
    assert field(shown, "Counts in") == [
        "✅ RR: it counts in full.",
        "✅ CRR: it counts in full.",
        "➖ Online: it was not played online.",
    ]
    done = field(shown, "What was done")
    assert [line.split("` ")[1] for line in done if line.startswith("`")] == [
        "Kai: took a change back",
        "Kai: changed a result · taken back since",
        "Kai: edited the facts",
        "Kai: imported 4 results",
    ]
    assert "-# hanchan: 8 → 9" in done
    assert "-# “recount”" in done
    assert "-# Дина Юрьева: place 4, score −37, 6 games → place 4, score −37, 6 games, replacement player" in done
    await act(evening, "tournament remove", tournament="1")
    shown = await act(evening, "tournament show", by="Dora", tournament="#1")
    assert embed(shown)["title"].endswith("· removed")
    assert field(shown, "Counts in") == ["It is removed and counts nowhere; /tournament restore brings it back."]


async def test_three_hundred_players_and_a_long_trail_are_paged(evening: Evening) -> None:
    rows = [("place", "player", "country"), *((place, f"Игрок {place:03}", "RU") for place in range(1, 301))]
    await bring(evening, text_file(*rows), new_players=True, accredited=True)
    for hanchan in range(9, 24):
        await act(
            evening, "tournament edit", tournament="1", hanchan=hanchan, reason=f"**{hanchan}** " + "x" * 400
        )
    shown = await act(evening, "tournament show", tournament="1")
    assert embed(shown)["footer"]["text"].startswith("300 results · page 1 of ")
    seen, done = [], []
    pages = int(embed(shown)["footer"]["text"].rsplit(" ", 1)[1])
    for page in range(1, pages + 1):
        assert f"page {page} of {pages}" in embed(shown)["footer"]["text"]
        seen += [line.split("Игрок ")[1][:3] for line in described(shown) if line.startswith("`")]
        done += [
            line
            for each in embed(shown)["fields"]
            if each["name"] == "What was done"
            for line in each["value"].splitlines()
            if line.startswith("`")
        ]
        if page < pages:
            await evening.as_("Dora").click(reply(shown), label="▶")
    assert seen == [f"{place:03}" for place in range(1, 301)]
    assert len(done) == 16
    listed = await act(evening, "tournament list")
    assert described(listed)[0] == "`#1` **Кубок Невы**"


NASTY = (
    "*" * 100,
    "[x](https://e.org) <@&123456789012345678> @everyone `牌`",
    "\u202e" + "_~|" * 30,
    "Z̸" * 49,
    "🀄" * 60,
    "千" * 100,
)


async def test_names_with_markup_emoji_and_no_end_are_shown_letter_for_letter(evening: Evening) -> None:
    rows: list[tuple[Any, ...]] = [("place", "player", "country", "score", "games")]
    rows += [
        (place, f"{name[:96]} {place}", "RU", "-1234567.123456", 99) for place, name in enumerate(NASTY * 7, 1)
    ]
    name = "_*~`|<@&123456789012345678>" * 3
    done = await bring(
        evening, text_file(*rows), name=name, new_players=True, first_day=f"{EARLIER}", stages="42x9 9x9"
    )
    assert embed(done)["title"] == "Tournament #1 is imported"
    for place in range(1, 7):
        long = "*" * 96 + f" {[1, 7, 13, 19, 25, 31][place - 1]}"
        await act(evening, "tournament edit", tournament="1", name=f"{name[:90]}{place}", reason="`" * 500)
        await act(evening, "tournament unresult", tournament="1", player=long)
    shown = await act(evening, "tournament show", tournament="1")
    pages = int(embed(shown)["footer"]["text"].rsplit(" ", 1)[1])
    text = ""
    for _ in range(pages):
        text += embed(shown)["description"]
        await evening.as_("Dora").click(reply(shown), label="▶") if _ < pages - 1 else None
    assert "@everyone" not in text
    assert "\\[x\\]\\(https\\://e.org\\)" in text
    for command, options in (
        ("tournament list", {}),
        ("tournament export", {"tournament": "1"}),
        ("players show", {"player": NASTY[4] + " 5"}),
        ("tournament show", {"tournament": "*" * 100}),
        ("players show", {"player": "`" * 100}),
    ):
        answer = await act(evening, command, **options)
        assert answer.reply is not None, command
    unknown = [("place", "player"), *((place, f"{name[:90]} {-place}") for place, name in enumerate(NASTY * 7, 1))]
    answer = await bring(evening, text_file(*unknown), name="Second")
    assert "is not imported: 42 problems" in embed(answer)["title"]


async def test_what_is_chosen_is_offered_while_typing(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "tournament remove", tournament="1")
    kai, channel = evening.as_("Kai"), evening.channels["mahjong"]

    async def offered(command: str, option: str, text: str = "") -> list[tuple[str, str]]:
        return [(each["name"], each["value"]) for each in await kai.autocomplete(command, channel, option, text)]

    assert await offered("tournament show", "tournament") == [
        (f"#2 Autumn · {DAY}", "t:2"),
        (f"#1 Spring · {EARLIER} · removed", "t:1"),
    ]
    assert await offered("tournament edit", "tournament") == [(f"#2 Autumn · {DAY}", "t:2")]
    assert await offered("tournament restore", "tournament") == [(f"#1 Spring · {EARLIER} · removed", "t:1")]
    assert await offered("tournament show", "tournament", "#1") == [(f"#1 Spring · {EARLIER} · removed", "t:1")]
    ((name, value),) = await offered("tournament result", "player", "игрок 07")
    assert name == "Игрок 07 · RU · 1 tournament · not on Discord"
    done = await act(evening, "tournament result", tournament="t:2", player=value, place=7, score="5")
    assert described(done)[1] == "Игрок 07: place 7 → place 7, score 5"
    everybody = [name for name, _ in await offered("tournament result", "player")]
    assert "Kai · 0 tournaments" in everybody
    # Whoever has an account needs no link.
    unlinked = [name for name, _ in await offered("players link", "player")]
    assert unlinked == [name for name in everybody if name.endswith("not on Discord")]
    assert len(unlinked) == 16


async def test_a_name_of_several_tournaments_is_asked_back(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "tournament edit", tournament="1", name="Autumn")
    answer = await act(evening, "tournament show", tournament="autumn")
    assert said(answer) == (
        "Several tournaments are called “autumn”: #2 Autumn, #1 Autumn. Choose it while you type, or write its "
        "number. Nothing has changed."
    )
    near = await act(evening, "tournament show", tournament="Autum")
    assert "Do you mean one of these: #2 Autumn, #1 Autumn?" in said(near)
    none = await act(evening, "tournament show", tournament="t:77")
    assert said(none).startswith("I know no tournament “t\\:77”; /tournament list shows all.")


async def test_an_export_goes_back_in(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    await act(evening, "players link", player=CAST[0], member=evening.users["Ann"])
    await act(evening, "tournament result", tournament="1", player=CAST[3], place=4, replacement=True)
    before = await lines(evening)
    exported = await act(evening, "tournament export", by="Dora", tournament="1")
    assert said(exported).splitlines() == [
        f"**Кубок Невы** · {DAY} · RU · at the table · 4 players · 8 hanchan · not accredited",
        "4 results",
        "/tournament import reads the file back; these facts go into its options.",
    ]
    name, data = attached(evening, exported)
    assert name == "tournament-1.csv"
    assert [row.replacement for row in read_results(data).rows] == [False, False, False, True]
    await act(evening, "tournament remove", tournament="1")
    done = await bring(evening, data)
    assert embed(done)["title"] == "Tournament #2 is imported"
    assert described(done)[2] == "4 results · 1 replacement player"
    assert await lines(evening, 2) == before
    assert attached(evening, await act(evening, "tournament export", tournament="2"))[1] == data
    await act(evening, "tournament unresult", tournament="2", player=CAST[1])
    partial = await act(evening, "tournament export", tournament="2")
    assert "The results are not complete (3 of 4)." in said(partial)


# Who may, and whose it is

CHANGES: Sequence[tuple[str, dict[str, Any]]] = (
    ("tournament import", {"file": ("x.csv", FILES["comma.csv"]), "name": "X", "last_day": "yesterday"}),
    ("tournament add", {"name": "X", "last_day": "yesterday", "participants": 8}),
    ("tournament result", {"tournament": "1", "player": "Boris Green", "place": 1}),
    ("tournament unresult", {"tournament": "1", "player": "Boris Green"}),
    ("tournament edit", {"tournament": "1", "hanchan": 1}),
    ("tournament remove", {"tournament": "1"}),
    ("tournament restore", {"tournament": "1"}),
    ("tournament undo", {"tournament": "1"}),
    ("players alias", {"player": "Boris Green", "name": "Bo"}),
    ("players unalias", {"player": "Boris Green", "name": "Bo"}),
    ("players edit", {"player": "Boris Green", "country": "FR"}),
)


async def test_members_without_the_right_look_and_change_nothing(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    before = await evening.store.read(_tables)
    for command, options in (
        *CHANGES,
        ("players link", {"player": "Boris Green", "member": evening.users["Dora"]}),
    ):
        answer = await act(evening, command, by="Dora", **options)
        assert said(answer).startswith("Only admins can do this"), command
        assert answer.ephemeral
    assert await evening.store.read(_tables) == before
    for command, options in (
        ("tournament show", {"tournament": "1"}),
        ("tournament list", {}),
        ("tournament export", {"tournament": "1"}),
        ("players show", {"player": "Boris Green"}),
    ):
        assert "Only admins" not in str(reply(await act(evening, command, by="Dora", **options)))


def _tables(connection: sa.Connection) -> list[list[tuple[Any, ...]]]:
    looked_at = [tables.tournaments, tables.tournament_results, tables.tournament_changes, tables.player_aliases]
    told = [
        [tuple(row) for row in connection.execute(sa.select(table).order_by(table.c[0]))] for table in looked_at
    ]
    people_query = sa.select(tables.players.c.id, tables.players.c.country).order_by(tables.players.c.id)
    return [*told, [tuple(row) for row in connection.execute(people_query)]]


async def test_two_clubs_have_tournaments_and_players_of_their_own(evening: Evening) -> None:
    other = Club(evening.discord, "Ume", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await bring(evening, FILES["comma.csv"], new_players=True)
    assert said(await act(other, "tournament show", tournament="1")).startswith("I know no tournament “1”")
    answer = await bring(other, FILES["comma.csv"])
    assert described(answer)[0] == "Row 2: I do not know “Анна Белова”."
    for command, options in CHANGES[2:]:
        assert said(await act(other, command, **options)).startswith("I know no "), command
    assert embed(await act(other, "tournament list"))["description"].startswith("No tournaments yet.")
    done = await bring(other, FILES["comma.csv"], new_players=True)
    assert embed(done)["title"] == "Tournament #1 is imported"
    await act(other, "tournament remove", tournament="1")
    assert not (await evening.store.read(readers.record, evening.id, 1)).removed


# Players


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
    known = await _ids(evening)
    proposal = await evening.store.read(games.propose_merge, evening.id, known["Игрок 05"], known["Kai"])
    kai = Person(int(evening.users["Kai"]["id"]), "Kai")
    await evening.store.write(games.carry_out, evening.id, proposal, kai, 1_700_000_000)
    shown = await act(evening, "players show", player="Игрок 05")
    assert plain(embed(shown)["title"]) == "Kai"
    assert embed(shown)["footer"]["text"] == "2 tournaments"
    corrected = await act(evening, "tournament result", tournament="2", player="Kai", place=5, score="2")
    assert described(corrected)[1] == "Kai: place 5, score 1 → place 5, score 2"
