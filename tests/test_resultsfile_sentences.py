"""Bad results files and what their senders are told, and what is to be known about good ones."""

from __future__ import annotations

import re
import zipfile

import pytest

from bot.render.names import safe_text
from bot.render.resultsfile import notes, sentence
from bot.texts import texts_for
from ratings.resultsfile import BadResults, Problem, ProblemKind, ResultsFile, read_results
from tests.resultsfile_help import Value, lines, packed, problems, workbook, workbook_parts

ENGLISH = texts_for("en-GB")


def _told(data: bytes) -> list[str]:
    return [sentence(ENGLISH, problem, str) for problem in problems(data)]


def test_a_list_without_a_header() -> None:
    assert _told(lines("1;Иван Петров;45,2", "2;Анна Лис;12")) == [
        "Row 1: I know none of these columns: 1, Иван Петров, 45,2. The header must name them in English or "
        "Russian, such as place, player, score, games, country, EMA number, replacement and Discord."
    ]


def test_a_list_of_registrations_instead_of_results() -> None:
    assert _told(lines("Имя,Фамилия,Клуб,Страна", "Иван,Петров,Кан,Росия")) == [
        "Row 1: No column has the places, and none the scores; there are Имя, Фамилия, Клуб, Страна. Call it "
        "place or место, or else score or очки.",
        "Row 2: I know no country “Росия”. Write its code (RU or RUS) or its name in English or Russian.",
    ]


def test_a_table_from_an_old_program() -> None:
    assert _told("Место;Игрок\n1;Иван".encode("cp866")) == [
        "This is neither a workbook (.xlsx) nor a text whose letters I can make out. Save the results as “CSV "
        "UTF-8” and send that file."
    ]
    assert _told(b"\xd0\xcf\x11\xe0" + bytes(600)) == [
        "This is a workbook in the old format (.xls) or one with a password. Save it as .xlsx without a password "
        "and send that file."
    ]


def test_decimal_commas_between_commas() -> None:
    assert _told(lines("place,player,score", "1,Ann,45,2", '2,Bob,"1,234"', "3,Cem,x")) == [
        "Row 2: The row has 4 cells, but the header has 3. A cell with a comma or a semicolon in it must stand in "
        "quotation marks.",
        "Row 3: “1,234” can be read in two ways: as thousands or with three decimals. Write it without a mark "
        "between thousands, or with one decimal more.",
        "Row 4: “x” is no score. Write a number such as 45200 or 45.2.",
    ]


def test_shared_places_counted_wrong() -> None:
    assert _told(lines("Место;Игрок", "1;А", "2;Б", "2;В", "3;Г", "4;Д")) == [
        "Row 5: Place 3 cannot be: a shared place takes up several, as in 1, 2, 2, 4, so the next one here is 4."
    ]
    assert _told(lines("place,player", "1,A", "2,B", "4,C", "4,D")) == [
        "Row 4: Nobody has place 3, and yet somebody has place 4."
    ]


def test_places_that_are_none() -> None:
    assert _told(lines("Место;Игрок", "первое;А", ";Б", "17;В")) == [
        "Row 2: “первое” is no place. Write a whole number from 1; a shared place may also be written as "
        "2-3 or 2=.",
        "Row 3: The place is missing.",
        "Row 4: Place 17 cannot be: the file has only 3 players.",
    ]
    assert _told(lines("place,player", "2,A")) == ["Row 2: Place 2 cannot be: the file has 1 player."]


def test_results_of_some_of_the_players() -> None:
    def told(data: bytes) -> list[str]:
        with pytest.raises(BadResults) as caught:
            read_results(data, 4)
        return [sentence(ENGLISH, problem, str) for problem in caught.value.problems]

    assert told(lines("place,player", "5,A", "4,B")) == ["Row 2: Place 5 cannot be: only 4 players took part."]
    assert told(lines("player,score", "A,5", "B,4")) == [
        "The file has no places, and the scores of 2 players alone, so I cannot work the places of 4 out. Add a "
        "column with the places."
    ]


def test_a_workbook_with_the_results_of_every_round() -> None:
    rows: list[list[Value]] = [["Место", "Игрок"], [1, "Анна"]]
    assert _told(workbook(rows, [["x"]], rows)) == [
        "More than one sheet may be the results: Sheet1, Sheet3. Leave one of them in the workbook, or hide the "
        "others."
    ]


def test_somebody_who_is_there_twice() -> None:
    rows = ["1,Семёнов Пётр,15000001", "2,семенов  петр,", "3,,15000001", "4,Ann,EMA-7"]
    assert _told(lines("место,ФИО,EMA", *rows)) == [
        "Row 3: семенов петр is in row 2 already. If they are two people, tell them apart in a column EMA number "
        "or Discord.",
        "Row 4: The player's name is missing.",
        "Row 4: The EMA number 15000001 is in row 2 already.",
        "Row 5: “EMA-7” is no EMA number, which has eight digits.",
    ]


def test_a_spreadsheet_that_still_calculates() -> None:
    styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    data = workbook(
        [
            ["Место", "Игрок", "Сумма очков", "Discord"],
            ["<c><f>RANK(C2,C2:C3)</f><v>1</v></c>", "Анна", "<c><f>SUM(F2:M2)</f><v>45.2</v></c>"],
            [2, "Борис", '<c s="1"><v>46083</v></c>', "<c><v>1.23456789012346E+17</v></c>"],
        ],
        styles=styles,
    )
    assert _told(data) == [
        "Row 2: “=RANK(C2,C2:C3)” in the column “Место” is a formula. Put its value in its place.",
        "Row 2: “=SUM(F2:M2)” in the column “Сумма очков” is a formula. Put its value in its place.",
        "Row 3: In the column “Сумма очков” the spreadsheet has made a date, 2026-03-02, of what was entered. "
        "Format the cell as text and enter it again.",
        "Row 3: “1.23456789012346E+17” is a Discord id whose last digits the spreadsheet has rounded away. Format "
        "the cell as text and enter the id again.",
    ]


def test_scores_without_places_and_with_gaps() -> None:
    assert _told(lines("player,points,hanchan,sub,points", "A,,8,,", "B,5,,?,", "C,6,1/2,no,")) == [
        "Row 1: The columns “points” and “points” mean the same. Take one of them out, or give it a heading "
        "of its own.",
        "Row 2: The score is missing; without it I cannot work out the places.",
        "Row 3: The number of games is missing. Other players have one, so I cannot work out the "
        "places without it.",
        "Row 4: “1/2” is no number of games.",
    ]


def test_a_text_whose_quotation_marks_do_not_pair_up() -> None:
    assert _told(lines("place,player,replacement", '1,"Ann "Fox" Lee,no', f"2,{'y' * 150},perhaps")) == [
        "Row 2: The cells cannot be told apart. Do the quotation marks pair up?",
        f"Row 3: “{'y' * 40}…” is too long: a name has at most 100 characters.",
        "Row 3: “perhaps” in the column “replacement” is neither yes nor no.",
    ]


def test_files_that_are_empty_too_large_or_made_to_do_harm() -> None:
    assert _told(b"") == ["There are no results in the file."]
    assert _told(bytes(10_000_001)) == ["The file is too large: I take at most 2,000 rows, 100 columns and 10 MB."]
    parts = workbook_parts([["place", "player"], [1, "Ann"]])
    assert _told(packed({**parts, "xl/media/bomb": bytes(45_000_000)}, zipfile.ZIP_DEFLATED)) == [
        "The workbook would unpack to more than 40 MB, so I did not open it. Copy the results into a new workbook "
        "and send that one."
    ]
    bad = f"<!DOCTYPE sst>{parts['xl/worksheets/sheet1.xml']!s}"
    assert _told(packed({**parts, "xl/worksheets/sheet1.xml": bad})) == [
        "The file is no workbook that I can read; it may be damaged. Open it in a spreadsheet program, save it as "
        ".xlsx or as “CSV UTF-8”, and send that file."
    ]


@pytest.mark.parametrize("kind", ProblemKind)
def test_every_problem_has_a_sentence_of_its_own(kind: ProblemKind) -> None:
    told = sentence(ENGLISH, Problem(7, kind, "{text}", "{column}", 3), str)
    whole = sentence(ENGLISH, Problem(None, kind, "{text}", "{column}", 3), str)
    assert told == f"Row 7: {whole}"
    assert re.fullmatch(r"[A-Z“{].*[.?]", whole)
    others = {sentence(ENGLISH, Problem(None, other), str) for other in ProblemKind if other is not kind}
    assert sentence(ENGLISH, Problem(None, kind), str) not in others


def test_what_stands_in_a_file_pings_and_formats_nothing() -> None:
    data = lines("place,player,@everyone", "1,A,b", "x_*,<@42>,c")
    (problem,) = problems(data)
    assert sentence(ENGLISH, problem, safe_text).startswith("Row 3: “x\\_\\*” is no place.")
    (note,) = notes(ENGLISH, read_results(lines("place,player,@everyone", "1,A,b")), safe_text)
    assert "@everyone" not in note


def test_notes_tell_what_was_not_taken_as_it_stands() -> None:
    assert notes(ENGLISH, ResultsFile(()), str) == []
    file = read_results(workbook([["Судьи"]], [["Игрок", "Очки", "Клуб", "Стол"], ["Анна", 5, "x", 1]]))
    assert notes(ENGLISH, file, str) == [
        "The workbook has several sheets; I read “Sheet2”.",
        "The file has no places, so I worked them out: more games first, then the higher score; players who are "
        "level in both share a place.",
        "I took nothing from 2 columns: “Клуб”, “Стол”.",
    ]
    assert notes(ENGLISH, ResultsFile((), ("Клуб",)), str) == ["I took nothing from the column “Клуб”."]
