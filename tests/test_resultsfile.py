"""Results files as federations save them: every encoding and heading, ties, each fault with its row, and back."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Sequence
from decimal import Decimal

import pytest

from ratings.resultsfile import (
    LARGEST_FILE,
    MOST_ROWS,
    Problem,
    ProblemKind,
    ResultRow,
    read_results,
    write_results,
)
from ratings.resultsfile.countries import alpha_2
from tests.resultsfile_help import Value, found, lines, problems, text_file, workbook

RUSSIAN = ("Место", "ФИО", "Очки", "Игры", "Страна", "Номер EMA", "Замена", "Discord")
ENGLISH = ("Place", "Player", "Score", "Games", "Country", "EMA number", "Replacement", "Discord member")
TABLE = (
    ("1", "Семёнов Пётр", "1 234,5", "8", "Россия", "15000001", "нет", "<@123456789012345678>"),
    ("2-3", "Ольга", "45,2", "8", "BY", "", "", ""),
    ("2=", "Иван Лис", "-12", "8", "kaz", "04000002", "да", "lis"),
    ("4.", "Гость", "−30,25", "7", "", "-", "x", "–"),
)
RESULTS = (
    ResultRow(2, 1, "Семёнов Пётр", "RU", "15000001", 8, Decimal("1234.5"), False, "<@123456789012345678>"),
    ResultRow(3, 2, "Ольга", "BY", None, 8, Decimal("45.2"), False, None),
    ResultRow(4, 2, "Иван Лис", "KZ", "04000002", 8, Decimal("-12"), True, "lis"),
    ResultRow(5, 4, "Гость", None, None, 7, Decimal("-30.25"), True, None),
)


def _places(*rows: str, header: str = "player,score,games") -> list[int]:
    return [row.place for row in read_results(lines(header, *rows)).rows]


def _scores(*scores: str) -> list[Decimal | None]:
    rows = [(number, f"P{number}", score) for number, score in enumerate(scores, start=1)]
    return [row.score for row in read_results(text_file(("place", "player", "score"), *rows)).rows]


@pytest.mark.parametrize("header", [RUSSIAN, ENGLISH])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_good_text_reads_the_same_in_every_dress(
    header: tuple[str, ...], encoding: str, delimiter: str, newline: str
) -> None:
    rows: Sequence[Sequence[str]] = TABLE
    if encoding == "cp1251":
        rows = [[cell.replace("−", "-") for cell in row] for row in TABLE]
    data = text_file(header, *rows, delimiter=delimiter, newline=newline, encoding=encoding)
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    file = read_results(marks.get(encoding, b"") + data)
    assert file.rows == RESULTS
    assert (file.ignored, file.sheet, file.worked_out) == ((), None, False)


@pytest.mark.parametrize("header", [RUSSIAN, ENGLISH])
def test_a_good_workbook_reads_like_a_text(header: tuple[str, ...]) -> None:
    rows: list[Sequence[Value]] = [
        [1.0, "Семёнов Пётр", 1234.5, 8, "Россия", 15000001, False, "<@123456789012345678>"],
        ["2-3", "Ольга", 45.2, 8.0, "BY", None, None, None],
        ["2=", "Иван Лис", -12, 8, "kaz", 4000002, "да", "lis"],
        [4, "Гость", -30.25, 7, "", "-", True, "–"],
    ]
    assert read_results(workbook([header, *rows])).rows == RESULTS


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("PLACE,NAME", "1,Ann Lee"),
        (" место ,  имя", "1,Ann Lee"),
        ("Ранг,Место:,Игрок", "5,1,Ann Lee"),
        ("Pos.,Full name", "1,Ann Lee"),
        ("Место,Ф.И.О.", "1,Ann Lee"),
        ("place,first_name,last_name", "1,Ann,Lee"),
        ("Место,Фамилия,Имя", "1,Lee,Ann"),
        ("rank,name,surname", "1,Ann,Lee"),
        ("place,player,first name,last name", "1,Ann Lee,A.,L."),
        ("place,last name", "1,Ann Lee"),
        ("Имя,Счёт", "Ann Lee,3"),
        ("Имя,Счет", "Ann Lee,3"),
        ("Player,Points", "Ann Lee,3"),
    ],
)
def test_headings_have_several_spellings(header: str, row: str) -> None:
    (result,) = read_results(lines(header, row)).rows
    assert (result.place, result.player) == (1, "Ann Lee")


@pytest.mark.parametrize(
    ("heading", "field", "cell", "value"),
    [
        ("hanchan", "games", "10", 10),
        ("Ханчаны", "games", "10.0", 10),
        ("Кол-во игр", "games", "0", 0),
        ("Nationality", "country", "rus", "RU"),
        ("СТРАНА", "country", "Российская Федерация", "RU"),
        ("country", "country", "Czech republic", "CZ"),
        ("country", "country", "GER", "DE"),
        ("EMA", "ema_number", "15000001", "15000001"),
        ("EMA No.", "ema_number", "4000002", "04000002"),
        ("№ EMA", "ema_number", "", None),
        ("Замена", "replacement", "Да", True),
        ("replacement", "replacement", "X", True),
        ("replacement", "replacement", "0", False),
        ("Discord", "discord", "<@!42>", "<@!42>"),
        ("Дискорд", "discord", "123456789012345678", "123456789012345678"),
    ],
)
def test_what_else_a_row_may_say(heading: str, field: str, cell: str, value: object) -> None:
    (result,) = read_results(text_file(("place", "player", heading), ("1", "Ann", cell))).rows
    assert getattr(result, field) == value


def test_a_title_may_stand_above_and_other_columns_beside() -> None:
    data = lines("Кубок Москвы 2026;;", ";;", "№;Место;Игрок;Стол 1;", "7;1;Анна;=2+2;", ";;;;", "8;2;Борис;;")
    file = read_results(data)
    assert [(row.row, row.player) for row in file.rows] == [(4, "Анна"), (6, "Борис")]
    assert file.ignored == ("№", "Стол 1")


def test_names_are_composed_and_lose_what_cannot_be_seen() -> None:
    (row,) = read_results(text_file(("place", "name"), ("1", " И\u0306ван\u200b\n \u00a0Лис\u202e "))).rows
    assert row.player == "Йван Лис"


@pytest.mark.parametrize("name", ["+Ann", "-Ann-", "@ann", 'Иван "Лис" Петров'])
def test_signs_before_a_name_are_harmless(name: str) -> None:
    assert read_results(f"place,player\n1,{name}".encode()).rows[0].player == name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("45.2", "45.2"),
        ("45,2", "45.2"),
        ("45200", "45200"),
        ("+45", "45"),
        ("-0.5", "-0.5"),
        ("–7", "-7"),
        ("1\u00a0234,5", "1234.5"),
        ("1 234 567", "1234567"),
        ("1'234.25", "1234.25"),
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("1.234.567", "1234567"),
        ("0,125", "0.125"),
        ("1234.567", "1234.567"),
        ("33.3333333333333", "33.333333"),
    ],
)
def test_scores_are_understood_as_people_write_them(text: str, value: str) -> None:
    assert _scores(text) == [Decimal(value)]


def test_a_score_that_reads_as_thousands_or_thousandths_is_not_guessed() -> None:
    for text in ("1,234", "45.200", "-1.234"):
        assert found(text_file(("place", "player", "score"), (1, "Ann", text))) == [
            (2, ProblemKind.AMBIGUOUS_SCORE)
        ]


def test_places_are_worked_out_by_games_and_then_by_score() -> None:
    assert _places("A,10,8", "B,30,8", "C,10,8", "D,10,8", "E,99,4") == [2, 1, 2, 2, 5]
    assert _places("A,10", "B,10.0", "C,-5", "D,20", header="player,score") == [2, 2, 4, 1]
    assert _places("A,1,", "B,2,", header="player,score,games") == [2, 1]
    assert read_results(lines("player,score", "A,1")).worked_out


def test_given_places_stay_whatever_the_scores_say() -> None:
    assert _places("1,A,10", "2,B,20", "2,C,5", "4,D,5", header="place,player,score") == [1, 2, 2, 4]


@pytest.mark.parametrize("places", ["1", "1 1", "1 2 2 4", "4 1 1 3", "1 1 1", "1 2 3 3 5", "1 2 2 2 5"])
def test_places_that_can_be(places: str) -> None:
    rows = [f"{place},P{number}" for number, place in enumerate(places.split())]
    assert _places(*rows, header="place,player") == list(map(int, places.split()))


@pytest.mark.parametrize(
    ("places", "problem"),
    [
        ("2", Problem(2, ProblemKind.HIGH_PLACE, "2", number=1)),
        ("2 2", Problem(2, ProblemKind.MISSING_PLACE, "2", number=1)),
        ("1 2 2 3", Problem(5, ProblemKind.IMPOSSIBLE_PLACE, "3", number=4)),
        ("1 1 2 3", Problem(4, ProblemKind.IMPOSSIBLE_PLACE, "2", number=3)),
        ("4 4 2 1", Problem(2, ProblemKind.MISSING_PLACE, "4", number=3)),
        ("1 2 2 6 4", Problem(5, ProblemKind.HIGH_PLACE, "6", number=5)),
    ],
)
def test_places_that_cannot_be(places: str, problem: Problem) -> None:
    rows = [f"{place},P{number}" for number, place in enumerate(places.split())]
    assert problems(lines("place,player", *rows)) == (problem,)


@pytest.mark.parametrize("place", ["0", "first", "1.5", "2-2", "3-2", "-1", "1,2", "T2", "١"])
def test_bad_places(place: str) -> None:
    data = text_file(("place", "player"), (place, "Ann"))
    assert problems(data) == (Problem(2, ProblemKind.BAD_PLACE, place, "place"),)


@pytest.mark.parametrize(
    ("heading", "cell", "kind"),
    [
        ("score", "many", ProblemKind.BAD_SCORE),
        ("score", "1e5", ProblemKind.BAD_SCORE),
        ("score", "nan", ProblemKind.BAD_SCORE),
        ("score", "12 34", ProblemKind.BAD_SCORE),
        ("score", "1.2.3", ProblemKind.BAD_SCORE),
        ("score", "1" * 16, ProblemKind.BAD_SCORE),
        ("games", "8.5", ProblemKind.BAD_GAMES),
        ("games", "-8", ProblemKind.BAD_GAMES),
        ("country", "Atlantis", ProblemKind.BAD_COUNTRY),
        ("country", "XX", ProblemKind.BAD_COUNTRY),
        ("EMA", "150001", ProblemKind.BAD_EMA_NUMBER),
        ("EMA", "1500000a", ProblemKind.BAD_EMA_NUMBER),
        ("replacement", "maybe", ProblemKind.BAD_REPLACEMENT),
        ("discord", "1,23457E+17", ProblemKind.ROUNDED_DISCORD_ID),
        ("discord", "d" * 101, ProblemKind.LONG_TEXT),
        ("discord", "=A1", ProblemKind.FORMULA),
        ("score", "=A1", ProblemKind.FORMULA),
    ],
)
def test_a_bad_cell_is_told_with_its_row_and_heading(heading: str, cell: str, kind: ProblemKind) -> None:
    data = text_file(("place", "player", heading), ("1", "Ann", cell))
    assert problems(data) == (Problem(2, kind, cell[:40], heading),)


def test_every_fault_of_a_file_is_listed_with_its_row() -> None:
    data = lines(
        "Место;Игрок;Очки;Игры;Страна;EMA;Замена",
        "1;Семён;10;8;RU;15000001;нет",
        ";Анна;10;8;RU;;",
        "3;;10;8;RU;;",
        "4;СЕМЕН;10;8;RU;15000001;",
        "99;Борис;ten;x;??;123;?",
        "6;=1+1;10;8;;;",
        "7;Вера;10;8;;;;;!",
        '8;"Глеб" Д;10;8',
        "9;" + "ы" * 101 + ";10;8;;;",
    )
    assert found(data) == [
        (3, ProblemKind.NO_PLACE),
        (4, ProblemKind.NO_NAME),
        (5, ProblemKind.SAME_PLAYER),
        (5, ProblemKind.SAME_EMA_NUMBER),
        (6, ProblemKind.HIGH_PLACE),
        (6, ProblemKind.BAD_COUNTRY),
        (6, ProblemKind.BAD_EMA_NUMBER),
        (6, ProblemKind.BAD_GAMES),
        (6, ProblemKind.BAD_SCORE),
        (6, ProblemKind.BAD_REPLACEMENT),
        (7, ProblemKind.FORMULA),
        (8, ProblemKind.TOO_MANY_CELLS),
        (9, ProblemKind.BAD_QUOTES),
        (10, ProblemKind.LONG_TEXT),
    ]


@pytest.mark.parametrize("again", ["АЛЁНА  лис", "Алена Лис", "Ale\u0301na"])
def test_nobody_is_in_a_file_twice(again: str) -> None:
    first = "Aléna" if again.startswith("Ale") else "Алёна Лис"
    data = text_file(("place", "player"), ("1", first), ("2", again))
    assert [(each.row, each.kind, each.number) for each in problems(data)] == [(3, ProblemKind.SAME_PLAYER, 2)]


def test_without_places_every_score_is_needed_and_games_for_all_or_none() -> None:
    assert found(lines("player,score,games", "A,,8", "B,5,")) == [
        (2, ProblemKind.NO_SCORE),
        (3, ProblemKind.NO_GAMES),
    ]


def test_missing_and_double_columns_are_told_with_what_is_there() -> None:
    assert problems(lines("Город,Клуб", "a,b")) == (Problem(1, ProblemKind.NO_HEADER, "Город, Клуб"),)
    assert problems(lines("place,club", "1,b")) == (Problem(1, ProblemKind.NO_PLAYER_COLUMN, "place, club"),)
    assert problems(lines("name,club", "Ann,b")) == (Problem(1, ProblemKind.NO_PLACE_COLUMN, "name, club"),)
    assert problems(lines("place,name,Место", "1,Ann,1")) == (
        Problem(1, ProblemKind.DOUBLE_COLUMN, "place", "Место"),
    )
    assert found(b'"place,player\n1,Ann') == [(1, ProblemKind.BAD_QUOTES)]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n \n", b",,,\n,,,", b';"";', b"place,player\n,,\n"])
def test_a_file_without_results_is_refused(data: bytes) -> None:
    assert found(data) == [(None, ProblemKind.EMPTY_FILE)]


@pytest.mark.parametrize(
    "data",
    [
        "place,player\n1,Müller".encode("latin-1"),
        "Место;Игрок\n1;Иван".encode("koi8-r"),
        "Место;Игрок\n1;Иван".encode("cp866"),
        "place,player\n1,東".encode("shift-jis"),
        "place,player\n1,Ann".encode("utf-16-le"),
        "place,player\n1,Ann".encode("utf-32"),
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    ],
)
def test_letters_that_cannot_be_made_out_are_refused(data: bytes) -> None:
    assert found(data) == [(None, ProblemKind.NOT_TEXT)]


def test_a_file_may_have_so_many_rows_and_bytes() -> None:
    rows = [f"1,P{number}" for number in range(MOST_ROWS)]
    assert len(read_results(lines("place,player", *rows[1:])).rows) == MOST_ROWS - 1
    assert found(lines("place,player", *rows)) == [(None, ProblemKind.TOO_LARGE)]
    assert found(lines("place,player", "1,Ann") + b"\n" * 20_001) == [(None, ProblemKind.TOO_LARGE)]
    padded = lines("place,player,note", "1,Ann," + "x" * 100_000)
    assert len(read_results(padded).rows) == 1
    assert found(padded.ljust(LARGEST_FILE + 1)) == [(None, ProblemKind.TOO_LARGE)]


@pytest.mark.parametrize(
    "data",
    [
        b",".ljust(LARGEST_FILE, b","),
        lines("place,player", "1," + "\u0301\u0323" * 2_000_000),
        lines("place,player", *['"'] * 400_000),
        b"\n" * LARGEST_FILE,
    ],
    ids=["commas", "accents", "quotes", "newlines"],
)
def test_files_made_to_be_slow_are_refused_at_once(data: bytes) -> None:
    start = time.process_time()
    assert problems(data)
    assert time.process_time() - start < 4


def test_countries_are_known_by_code_and_name() -> None:
    for name in ("RU", "ru", "RUS", "Russia", "россия", "РФ"):
        assert alpha_2(name) == "RU"
    assert [
        alpha_2(name) for name in ("Беларусь", "the netherlands", "UK", "Южная Корея", "сан марино", "ЮАР")
    ] == [
        "BY",
        "NL",
        "GB",
        "KR",
        "SM",
        "ZA",
    ]
    assert [alpha_2(name) for name in ("", "R", "Russ", "ZZ", "ZZZ")] == [None] * 5


@pytest.mark.parametrize("text", ["=1+1", "+A", "-A", "@A", "'=A", "''-A", "'A", "'", "- 'A"])
def test_no_text_leaves_as_a_formula_and_all_come_back(text: str) -> None:
    row = ResultRow(2, 1, text, discord=text)
    data = write_results([row])
    cells = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))[1]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert read_results(data).rows == (row,)


def test_a_written_file_begins_with_its_english_header() -> None:
    data = write_results([ResultRow(2, 1, "Anna", "RU", "04000002", 8, Decimal("-1.125"), True, "@anna")])
    assert data.decode("utf-8-sig").splitlines() == [
        "place,player,score,games,country,EMA number,replacement,discord",
        "1,Anna,-1.1250,8,RU,04000002,yes,'@anna",
    ]
    assert data.startswith(b"\xef\xbb\xbf")
