"""Players of one name in a results file: two people, one twice, or replacement players."""

from __future__ import annotations

import pytest

from ratings.resultsfile import LONGEST_TEXT, BadResults, ProblemKind, read_results, write_results
from tests.resultsfile_help import found, lines, problems

HEADER = "place,player,EMA,discord,replacement"


def _names(*rows: str) -> list[str]:
    return [row.player for row in read_results(lines(HEADER, *rows)).rows]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("15000001,,", "15000002,,"),
        (",Ann,", ",Dora,"),
        (",<@42>,", ",<@43>,"),
        ("15000001,Ann,", "15000002,,"),
        ("15000001,Ann,", ",Dora,"),
        ("15000001,Ann,", "15000002,Ann,"),
    ],
)
def test_namesakes_with_numbers_or_members_of_their_own_are_two(first: str, second: str) -> None:
    assert _names(f"1,Ivan Petrov,{first}", f"2,IVAN  PETROV,{second}") == ["Ivan Petrov", "IVAN PETROV"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (",,", ",,"),
        ("15000001,,", ",,"),
        (",,", ",Ann,"),
        ("15000001,,", ",Ann,"),
        (",Ann,", ",@ann,"),
        (",<@42>,", ",42,"),
        (",<@!42>,", ",<@42>,"),
        (",,yes", ",,"),
        (",,no", ",,yes"),
    ],
)
@pytest.mark.parametrize("again", ["Ivan Petrov", "Ｉvan\u3000Petrov", "IVAN petrov"])
def test_who_cannot_be_told_apart_is_there_twice(first: str, second: str, again: str) -> None:
    data = lines(HEADER, f"1,Ivan Petrov,{first}", f"2,{again},{second}")
    assert [(each.row, each.kind, each.number) for each in problems(data)] == [(3, ProblemKind.SAME_PLAYER, 2)]


def test_a_third_of_the_name_is_told_from_both() -> None:
    rows = ("1,Ivan,15000001,,", "2,Ivan,15000002,Ann,")
    assert len(_names(*rows, "3,Ivan,15000003,,")) == 3
    assert [each.number for each in problems(lines(HEADER, *rows, "3,Ivan,,Dora,"))] == [2]
    assert found(lines(HEADER, *rows, "3,Ivan,15000002,Ann,")) == [
        (4, ProblemKind.SAME_PLAYER),
        (4, ProblemKind.SAME_EMA_NUMBER),
    ]


def test_replacement_players_of_one_name_are_numbered() -> None:
    rows = ("1,Замена,,,да", "2,Анна,,,", "3,замена,,,да", "4,Замена 3,,,да", "5,Замена,,,да")
    assert _names(*rows) == ["Замена", "Анна", "замена 2", "Замена 3", "Замена 4"]
    file = read_results(lines(HEADER, *rows))
    assert [row.place for row in file.rows] == [1, 2, 3, 4, 5]
    assert [row.replacement for row in file.rows] == [True, False, True, True, True]
    assert read_results(write_results(file.rows)).rows == file.rows


def test_a_replacement_player_who_can_be_told_apart_keeps_the_name() -> None:
    assert _names("1,Sub,,,x", "2,Sub,15000001,,x", "3,Sub,,Ann,x") == ["Sub 3", "Sub", "Sub"]


def test_a_numbered_name_is_no_longer_than_another() -> None:
    long = "x" * LONGEST_TEXT
    assert _names(f"1,{long},,,x", f"2,{long},,,x") == [long, f"{long[:-2]} 2"]


def test_the_players_of_a_bad_file_are_each_told_once_and_without_members() -> None:
    rows = ("0,Ivan,15000001,,", "1,ivan,15000002,,", "2,=A1,,,", "3,Ann,,Ann,", "4,Bob,,,", "5,,,,")
    with pytest.raises(BadResults) as caught:
        read_results(lines(HEADER, *rows))
    told = [(row.row, row.player, row.ema_number) for row in caught.value.players]
    assert told == [(2, "Ivan", "15000001"), (6, "Bob", None)]
