"""Which sheet of a workbook has the results, and files of which some of the players are missing."""

from __future__ import annotations

import pytest

from ratings.resultsfile import MOST_ROWS, BadResults, Problem, ProblemKind, read_results
from tests.resultsfile_help import Value, found, lines, problems, text_file, workbook

RESULTS: list[list[Value]] = [["place", "player"], [1, "Ann"]]
SCORES: list[list[Value]] = [["Итоги"], ["Игрок", "Очки"], ["Анна", 5]]
NOTES: list[list[Value]] = [["Регламент"]]
# Headings that mean the same are the sender's to mend: the sheet is the one that he sent it for.
DOUBLE: list[list[Value]] = [["place", "player", "Место"], [1, "Ann", 1]]
LONG: list[list[Value]] = [["Стол", "Восток"]] * (MOST_ROWS + 1)


@pytest.mark.parametrize(
    ("sheets", "named"),
    [
        ([RESULTS], None),
        ([[], [["", " "]], RESULTS], None),
        ([RESULTS, []], None),
        ([RESULTS, NOTES], "Sheet1"),
        ([NOTES, [], RESULTS, NOTES], "Sheet3"),
        ([NOTES, SCORES], "Sheet2"),
        ([LONG, RESULTS], "Sheet2"),
    ],
)
def test_the_only_sheet_with_results_is_read_and_named_beside_others(
    sheets: list[list[list[Value]]], named: str | None
) -> None:
    file = read_results(workbook(*sheets))
    assert (file.sheet, len(file.rows)) == (named, 1)


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_none(state: str) -> None:
    file = read_results(workbook(RESULTS, NOTES, SCORES, states=[state, state]))
    assert (file.sheet, [row.player for row in file.rows]) == (None, ["Анна"])
    assert found(workbook(RESULTS, states=[state])) == [(None, ProblemKind.EMPTY_FILE)]


@pytest.mark.parametrize("other", [RESULTS, SCORES, DOUBLE, [*RESULTS, *LONG]])
def test_sheets_that_may_all_be_the_results_are_named(other: list[list[Value]]) -> None:
    several = (Problem(None, ProblemKind.SEVERAL_SHEETS, "Sheet1, Sheet3"),)
    assert problems(workbook(RESULTS, NOTES, other)) == several


def test_what_is_wrong_is_told_of_a_named_sheet() -> None:
    for data, sheet, kind in (
        (workbook(NOTES, DOUBLE), "Sheet2", ProblemKind.DOUBLE_COLUMN),
        (workbook(NOTES, [["a", "b"]]), "Sheet1", ProblemKind.NO_HEADER),
        (workbook([], DOUBLE), None, ProblemKind.DOUBLE_COLUMN),
    ):
        with pytest.raises(BadResults) as caught:
            read_results(data)
        assert (caught.value.sheet, [each.kind for each in caught.value.problems]) == (sheet, [kind])
    assert found(workbook(LONG, NOTES)) == [(None, ProblemKind.TOO_LARGE)]


def _of(participants: int, *rows: tuple[int, str]) -> list[int]:
    return [row.place for row in read_results(text_file(("place", "player"), *rows), participants).rows]


def _problem(participants: int, *rows: tuple[int, str]) -> Problem:
    with pytest.raises(BadResults) as caught:
        _of(participants, *rows)
    (problem,) = caught.value.problems
    return problem


def test_others_may_have_the_places_in_between() -> None:
    assert _of(100, (12, "A"), (45, "B")) == [12, 45]
    assert _of(100, (100, "A"), (12, "B"), (12, "C"), (14, "D")) == [100, 12, 12, 14]
    assert _of(5, (1, "A"), (2, "B"), (3, "C"), (4, "D")) == [1, 2, 3, 4]


def test_places_are_checked_against_those_who_took_part() -> None:
    assert _problem(100, (12, "A"), (101, "B")) == Problem(3, ProblemKind.BEYOND_LAST, "101", number=100)
    shared = _problem(100, (12, "A"), (12, "B"), (13, "C"))
    assert shared == Problem(4, ProblemKind.IMPOSSIBLE_PLACE, "13", number=14)


@pytest.mark.parametrize("participants", [0, 2, 3])
def test_with_everybody_in_the_file_no_place_is_missing(participants: int) -> None:
    rows = ((1, "A"), (3, "B"), (3, "C"))
    assert _problem(participants, *rows) == Problem(3, ProblemKind.MISSING_PLACE, "3", number=2)
    assert _problem(participants, (1, "A"), (2, "B"), (4, "C")) == Problem(
        4, ProblemKind.HIGH_PLACE, "4", number=3
    )


def test_places_are_not_worked_out_from_the_scores_of_some() -> None:
    data = lines("player,score", "A,5", "B,4")
    assert [row.place for row in read_results(data, 2).rows] == [1, 2]
    with pytest.raises(BadResults) as caught:
        read_results(data, 3)
    assert caught.value.problems == (Problem(None, ProblemKind.SCORES_OF_SOME, "2", number=3),)
