"""/tournament import of what cannot be: bad files, rows and facts are told, and nothing is written."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from bot import tournament_files as files
from bot.render import tournament_files as file_drawing
from bot.texts import texts_for
from ratings.resultsfile import LARGEST_FILE
from ratings.tournaments.records import Doubt, DoubtKind
from tests.answer_help import embed, files_fetched, lose_files
from tests.club_evening import Evening
from tests.resultsfile_help import packed, text_file
from tests.tournament_evening import DAY, FILES, HEADER, bring, described, entered, field, ids, said

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
    assert "Nothing was changed." in described(answer)
    assert described(answer)[-1] == "Correct the file and import it again."
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
        return file_drawing.doubt_sentence(english, Doubt(7, which, "{A}", ("{B}", "{C}"), 3), str)

    assert sentence(kind) not in {sentence(other) for other in DoubtKind if other is not kind}
    assert "{A}" in sentence(kind)


async def test_a_file_that_is_too_large_is_not_even_fetched(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = files_fetched(monkeypatch)
    large = FILES["comma.csv"].ljust(LARGEST_FILE + 1, b"\n")
    answer = await bring(evening, large)
    assert "The file is too large: I take at most 2,000 rows, 100 columns and 10 MB." in described(answer)
    assert fetched == []
    assert await entered(evening) == 0


async def test_a_file_that_discord_does_not_give_changes_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_files(evening, monkeypatch)
    answer = await bring(evening, FILES["comma.csv"], new_players=True)
    assert "Discord did not give me the file. Nothing was changed" in said(answer)
    assert await entered(evening) == 0


async def test_a_file_that_takes_too_long_to_read_changes_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()

    def slow(*_told: object) -> None:
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
    assert "Анна Белова" not in await ids(evening)
