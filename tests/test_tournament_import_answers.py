"""/tournament import of files that have only some of the players, namesakes, several sheets or unknown members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.answer_help import attached, embed
from tests.club_evening import Evening
from tests.resultsfile_help import Value, text_file, workbook
from tests.tournament_evening import (
    CAST,
    FILES,
    HEADER,
    act,
    bring,
    described,
    entered,
    field,
    lines,
    said,
    two_cups,
)

NAMED = ("place", "player", "discord")
FIRST = [(place, f"Игрок {place:02}") for place in range(1, 5)]
SHEET: list[Sequence[Value]] = [HEADER[:2], *FIRST]
NOTES: list[Sequence[Value]] = [["Регламент *2026*"]]


async def test_an_event_abroad_comes_with_the_home_players_alone(evening: Evening) -> None:
    await two_cups(evening)
    abroad: dict[str, Any] = {"name": "EMA Open", "country": "DE", "ema": True, "hanchan": 10}
    data = text_file(HEADER[:2], (12, "Игрок 01"), (45, "Игрок 02"))
    refused = await bring(evening, data, **abroad)
    assert described(refused) == [
        "Row 2: Place 12 cannot be: the file has only 2 players.",
        "Row 3: Place 45 cannot be: the file has only 2 players.",
        "",
        "Nothing was changed.",
        "If more people played than the file has, say how many with participants, and import it again.",
        "Correct the file and import it again.",
    ]
    # What the answer says to do works.
    done = await bring(evening, data, **abroad, participants=100)
    assert "100 players" in described(done)[1]
    assert [line[:2] for line in await lines(evening, 3)] == [(12, "Игрок 01"), (45, "Игрок 02")]
    assert field(done, "Counts in")[:2] == ["✅ RR: it counts in full.", "✅ CRR: it counts in full."]
    # And so does the file that comes out again.
    exported = await act(evening, "tournament export", tournament="3")
    assert "The results are not complete (2 of 100). Give the import participants: 100." in said(exported)
    _, again = attached(evening, exported)
    await act(evening, "tournament remove", tournament="3")
    assert embed(await bring(evening, again, **abroad, participants=100))["title"] == "Tournament #4 is imported"
    assert await lines(evening, 4) == await lines(evening, 3)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (((12, "A"), (101, "B")), "Row 3: Place 101 cannot be: only 100 players took part."),
        (((12, "A"), (12, "B"), (13, "C")), "Row 4: Place 13 cannot be: a shared place takes up several"),
    ],
)
async def test_places_are_checked_against_the_participants(
    evening: Evening, rows: tuple[tuple[int, str], ...], words: str
) -> None:
    answer = await bring(evening, text_file(HEADER[:2], *rows), participants=100, new_players=True)
    assert described(answer)[0].startswith(words)
    assert described(answer)[-1] == "Correct the file and import it again."
    assert await entered(evening) == 0


async def test_a_last_place_that_two_cannot_share_is_refused(evening: Evening) -> None:
    data = text_file(HEADER[:2], (12, "A"), (100, "B"), (100, "C"))
    answer = await bring(evening, data, participants=100, new_players=True)
    assert "Place 100 cannot be: those who share a place take up the places after it" in said(answer)
    assert await entered(evening) == 0


async def test_places_are_not_worked_out_from_the_scores_of_some(evening: Evening) -> None:
    answer = await bring(evening, FILES["scores.csv"], participants=12, new_players=True)
    assert described(answer)[0] == (
        "The file has no places, and the scores of 4 players alone, so I cannot work the places of 12 out. Add a "
        "column with the places."
    )
    assert await entered(evening) == 0


async def test_the_sheet_that_was_read_is_named(evening: Evening) -> None:
    done = await bring(evening, workbook(NOTES, SHEET), new_players=True)
    assert "The workbook has several sheets; I read “Sheet2”." in described(done)
    bad = await bring(evening, workbook(NOTES, [*SHEET, (9, "Игрок 05")]), name="Second")
    assert "The workbook has several sheets; I read “Sheet2”." in field(bad, "What I understood")
    unknown = await bring(evening, workbook(NOTES, [*SHEET[:4], (4, "Qqq")]), name="Second")
    assert field(unknown, "What I understood")[-2:] == [
        "4 rows of results",
        "The workbook has several sheets; I read “Sheet2”.",
    ]


async def test_no_sheet_of_several_is_taken_for_the_results(evening: Evening) -> None:
    other = [SHEET[0], *SHEET[:0:-1]]
    answer = await bring(evening, workbook(SHEET, other), new_players=True)
    assert described(answer) == [
        "More than one sheet may be the results: Sheet1, Sheet2. Leave one of them in the workbook, or hide the "
        "others.",
        "",
        "Nothing was changed.",
        "Correct the file and import it again.",
    ]
    assert await entered(evening) == 0
    hidden = workbook(SHEET, other, states=["hidden"])
    assert embed(await bring(evening, hidden, new_players=True))["title"] == "Tournament #1 is imported"


async def test_a_name_with_a_latin_letter_in_it_is_near_the_one_that_is_meant(evening: Evening) -> None:
    await bring(evening, text_file(HEADER[:2], *FIRST), new_players=True)
    rows = [*FIRST[:2], (3, "Игpок 03"), FIRST[3]]
    data = text_file(("Место", "Игрок"), *rows, delimiter=";", encoding="cp1251")
    answer = await bring(evening, data, name="Second")
    (told,) = [line for line in described(answer) if line.startswith("Row ")]
    assert told.startswith("Row 4: I do not know “Игpок 03”. Near it: “Игрок 03”")


@pytest.mark.parametrize("other", ["Ivan Petrov", "Ｉvan Petrov"])
async def test_two_members_of_one_name_are_two_players(evening: Evening, other: str) -> None:
    ann, dora = evening.users["Ann"]["id"], evening.users["Dora"]["id"]
    rows = [(1, "Ivan Petrov", ann), (2, other, dora), *((place, name, "") for place, name in FIRST[2:])]
    done = await bring(evening, text_file(NAMED, *rows), new_players=True)
    assert embed(done)["title"] == "Tournament #1 is imported"
    assert [line[1] for line in await lines(evening)] == ["Ann", "Dora", "Игрок 03", "Игрок 04"]
    answer = await bring(evening, text_file(HEADER[:2], *(row[:2] for row in rows)), name="Second")
    assert described(answer)[1] == (
        f"Row 3: {other} is in row 2 already. If they are two people, tell them apart in a column EMA number or "
        "Discord."
    )


async def test_several_replacement_players_of_one_name(evening: Evening) -> None:
    rows = [("Место", "Игрок", "Замена"), (1, CAST[0], ""), *((place, "Замена", "да") for place in (2, 3, 4))]
    done = await bring(evening, text_file(*rows), new_players=True)
    assert described(done)[2:4] == [
        "4 results · 3 replacement players",
        f"4 new records: {CAST[0]}, Замена, Замена 2, Замена 3",
    ]
    assert "4 new records" not in described(await bring(evening, text_file(*rows), name="Second"))


async def test_a_member_whom_the_club_does_not_know_by_name(evening: Evening) -> None:
    dora = evening.users["Dora"]["id"]
    rows = [(1, "Anna", "Dora"), (2, "Boris", "123456789012345678"), (3, "Clara", "@Dora"), (4, "Dina", "")]
    answer = await bring(evening, text_file(NAMED, *rows), new_players=True)
    assert described(answer)[:3] == [
        "Row 2: I know no member called “Dora”. Write a mention or an id, or leave the cell empty.",
        "Row 3: “123456789012345678” is no member of this server. Write a mention or an id, or leave the cell "
        "empty.",
        "Row 4: I know no member called “\\@Dora”. Write a mention or an id, or leave the cell empty.",
    ]
    rows = [(1, "Anna", f"<@{dora}>"), (2, "Boris", ""), (3, "Clara", ""), (4, "Dina", "")]
    done = await bring(evening, text_file(NAMED, *rows), new_players=True)
    assert embed(done)["title"] == "Tournament #1 is imported"
    # From now on the club knows her.
    rows[0] = (1, "Anna", "dora")
    done = await bring(evening, text_file(NAMED, *rows), name="Second")
    assert embed(done)["title"] == "Tournament #2 is imported"
