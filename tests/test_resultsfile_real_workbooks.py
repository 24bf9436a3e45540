"""Results in workbooks that another program wrote, with what such programs put into them."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
import xlsxwriter

from ratings.resultsfile import Problem, ProblemKind, ResultRow, read_results
from tests.resultsfile_help import found, problems

HEADER = ("Место", "Игрок", "Очки", "Игры", "Страна", "Номер EMA", "Замена", "Discord")
ROWS: tuple[tuple[Any, ...], ...] = (
    (1, "Семёнов Пётр", 45.2, 8, "Россия", "04000002", False, "<@123456789012345678>"),
    (2, "Ольга & <Лис>", -12, 8, "BY", None, None, None),
    (2, "Łucja", -12.25, 8, "POL", None, "да", None),
)
RESULTS = (
    ResultRow(2, 1, "Семёнов Пётр", "RU", "04000002", 8, Decimal("45.2"), False, "<@123456789012345678>"),
    ResultRow(3, 2, "Ольга & <Лис>", "BY", None, 8, Decimal(-12)),
    ResultRow(4, 2, "Łucja", "PL", None, 8, Decimal("-12.25"), True),
)


def _book(fill: Callable[[Any], None], **options: Any) -> bytes:
    """A workbook as XlsxWriter writes it; `fill` puts something into it."""
    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True, **options}) as book:
        fill(book)
    return data.getvalue()


def _write(sheet: Any, *rows: tuple[Any, ...], top: int = 0) -> Any:
    for number, row in enumerate(rows, start=top):
        sheet.write_row(number, 0, row)
    return sheet


def _results(book: Any, name: str | None = None) -> Any:
    return _write(book.add_worksheet(name), HEADER, *ROWS)


def _sheet(fill: Callable[[Any, Any], None]) -> bytes:
    """A workbook with a header of place, player and score, and what `fill` puts under it."""

    def whole(book: Any) -> None:
        fill(book, _write(book.add_worksheet(), ("place", "player", "score")))

    return _book(whole)


@pytest.mark.parametrize("constant_memory", [False, True], ids=["shared", "inline"])
def test_texts_are_read_whether_they_are_shared_or_in_their_cells(constant_memory: bool) -> None:
    file = read_results(_book(_results, constant_memory=constant_memory))
    assert file.rows == RESULTS
    assert (file.ignored, file.sheet, file.worked_out) == ((), None, False)


def test_dressing_takes_nothing_away() -> None:
    def fill(book: Any) -> None:
        sheet = _results(book, "Итоги")
        bold = book.add_format({"bold": True, "bg_color": "yellow", "num_format": '0.0"дм";[Red]-0.0'})
        sheet.set_column(2, 2, 12, bold)
        sheet.set_row(0, 30, bold)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, 3, 7)
        sheet.write_comment("B2", "чемпион")
        sheet.data_validation("G2:G9", {"validate": "list", "source": ["да", "нет"]})
        sheet.conditional_format("C2:C4", {"type": "data_bar"})
        sheet.insert_textbox("K2", "Кубок")
        sheet.protect("secret")
        chart = book.add_chart({"type": "bar"})
        chart.add_series({"values": "=Итоги!$C$2:$C$4"})
        book.add_chartsheet().set_chart(chart)
        book.define_name("Очки", "=Итоги!$C$2:$C$4")
        book.set_properties({"title": "Кубок"})

    file = read_results(_book(fill))
    assert (file.rows, file.sheet) == (RESULTS, None)


def test_a_table_of_the_spreadsheet_is_its_cells() -> None:
    def fill(book: Any) -> None:
        columns = [{"header": heading} for heading in HEADER]
        book.add_worksheet().add_table(0, 0, 3, 7, {"data": ROWS, "columns": columns, "name": "Итоги"})

    assert read_results(_book(fill)).rows == RESULTS


def test_rich_texts_are_put_together() -> None:
    def fill(book: Any, sheet: Any) -> None:
        red = book.add_format({"color": "red"})
        sheet.write_row(1, 0, (1, None, 3))
        sheet.write_rich_string(1, 1, "Се", red, "мён", "ов  ", red, "Пётр")

    assert read_results(_sheet(fill)).rows[0].player == "Семёнов Пётр"


@pytest.mark.parametrize(
    "code", ["dd.mm.yyyy", "d mmmm", "[$-419]d mmm;@", "hh:mm", "[h]:mm:ss", "mm:ss.0", 14, 22]
)
def test_what_became_a_date_is_told_whatever_its_format(code: str | int) -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_row(1, 0, (1, "Ann"))
        sheet.write_datetime(1, 2, datetime(2026, 3, 2), book.add_format({"num_format": code}))  # noqa: DTZ001

    assert problems(_sheet(fill)) == (Problem(2, ProblemKind.DATE, "2026-03-02", "score"),)


def test_a_date_without_a_format_of_its_own_is_one_too() -> None:
    def fill(book: Any) -> None:
        _write(book.add_worksheet(), ("place", "player", "score"), (1, "Ann", date(2026, 3, 2)))

    assert found(_book(fill, default_date_format="dd.mm.yy")) == [(2, ProblemKind.DATE)]


@pytest.mark.parametrize(
    "code",
    [
        "0.0",
        "#,##0.00",
        "0.0E+00",
        "0%",
        '0.0" pts, dan"',
        "[Red]0.0;[Blue]-0.0",
        r"0.0\d",
        "0.0_h",
        "0.0*d",
        "[$₽-419]0.0",
        "@",
        "General",
        "# ?/?",
        2,
        9,
    ],
)
def test_a_number_stays_one_whatever_its_format(code: str | int) -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_row(1, 0, (1, "Ann"))
        sheet.write_number(1, 2, 45.2, book.add_format({"num_format": code}))

    assert read_results(_sheet(fill)).rows[0].score == Decimal("45.2")


def test_formulas_are_told_whatever_they_came_to() -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_formula(1, 0, "=RANK(C2,C$2:C$4)", None, 1)
        sheet.write_row(1, 1, ("Ann", 45.2))
        sheet.write_row(2, 0, (2, "Bob"))
        sheet.write_formula(2, 2, '=IF(1>2,"","45,2")', None, "45,2")
        sheet.write_row(3, 0, (3, "Cem"))
        sheet.write_formula(3, 2, "=1/0", None, "#DIV/0!")
        sheet.write_row(4, 0, (4, "Dan"))
        sheet.write_formula(4, 2, "=1=1", None, True)

    assert problems(_sheet(fill)) == (
        Problem(2, ProblemKind.FORMULA, "=RANK(C2,C$2:C$4)", "place"),
        Problem(3, ProblemKind.FORMULA, '=IF(1>2,"","45,2")', "score"),
        Problem(4, ProblemKind.FORMULA, "=1/0", "score"),
        Problem(5, ProblemKind.FORMULA, "=1=1", "score"),
    )


def test_a_formula_that_fills_a_column_is_told_in_each_of_its_cells() -> None:
    def fill(book: Any, sheet: Any) -> None:
        _write(sheet, (1, "Ann"), (2, "Bob"), (3, "Cem"), top=1)
        sheet.write_array_formula("C2:C3", "{=E2:E3*2}", None, 10)
        sheet.write_number("C3", 8)
        sheet.write_dynamic_array_formula("C4", "=SUM(E2:E3)", None, 18)

    assert found(_sheet(fill)) == [(2, ProblemKind.FORMULA), (3, ProblemKind.FORMULA), (4, ProblemKind.FORMULA)]


def test_a_merged_title_and_headings_over_two_rows() -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.merge_range("A1:E1", "Кубок Невы 2026", book.add_format({"align": "center"}))
        for area, heading in (("A2:A3", "Место"), ("B2:B3", "Игрок"), ("C2:D2", "Тур"), ("E2:E3", "Итого")):
            sheet.merge_range(area, heading, None)
        _write(sheet, (1, "Анна", 30, 15.2, 45.2), (2, "Борис", -30, -15.2, -45.2), top=3)

    file = read_results(_sheet(fill))
    assert [(row.row, row.place, row.player, row.score) for row in file.rows] == [
        (4, 1, "Анна", Decimal("45.2")),
        (5, 2, "Борис", Decimal("-45.2")),
    ]
    assert file.ignored == ("Тур",)

    def numbered(book: Any, sheet: Any) -> None:
        fill(book, sheet)
        sheet.write_row("C3", ("1", "2"))

    # The second row of the header is one that the sender can see and take out.
    assert found(_sheet(numbered)) == [(3, ProblemKind.NO_PLACE), (3, ProblemKind.NO_NAME)]


def test_a_place_that_several_cells_share_stands_in_the_first() -> None:
    def fill(book: Any, sheet: Any) -> None:
        _write(sheet, (1, "Ann"), (None, "Bob"), top=1)
        sheet.merge_range("A2:A3", 1, None)

    assert found(_sheet(fill)) == [(3, ProblemKind.NO_PLACE)]


def test_yes_and_no_as_the_spreadsheet_has_them() -> None:
    def fill(book: Any, sheet: Any) -> None:
        _write(sheet, ("place", "player", "replacement"), (1, "Ann", True), (2, "Bob", False), (3, "Cem", 1))

    assert [row.replacement for row in read_results(_sheet(fill)).rows] == [True, False, True]


def test_rows_and_columns_that_are_empty_but_formatted() -> None:
    def fill(book: Any, sheet: Any) -> None:
        border = book.add_format({"border": 1})
        _write(sheet, (1, "Ann", 5), (None, None, None), (2, "Bob", 4), top=1)
        for row in (*range(4, 3000), 50_000):
            sheet.write_blank(row, 0, None, border)
        sheet.write_blank(1, 200, None, border)
        sheet.write_string(5, 1, "  ")

    assert [(row.row, row.player) for row in read_results(_sheet(fill)).rows] == [(2, "Ann"), (4, "Bob")]


def test_links_and_texts_with_control_characters_are_their_words() -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_row(1, 0, (1, None, 3))
        sheet.write_url(1, 1, "https://example.org/ann", string="Ann\tLee\x1b _x0041_")
        sheet.write_comment(1, 1, "Formerly Ann Fox")

    assert read_results(_sheet(fill)).rows[0].player == "Ann Lee _x0041_"


def test_the_only_sheet_with_results_is_found_among_others() -> None:
    def fill(book: Any) -> None:
        _write(book.add_worksheet("Регламент"), ("Кубок Невы", "2026"))
        _write(book.add_worksheet("Тур 1"), ("Стол", "Восток", "Юг"), (1, "Ann", "Bob"))
        book.add_worksheet("Пусто")
        _results(book, "Итоги & места")
        _results(book, "Черновик").hide()
        _results(book, "Старое").very_hidden()

    file = read_results(_book(fill))
    assert (file.sheet, file.rows) == ("Итоги & места", RESULTS)


def test_several_sheets_with_results_are_named() -> None:
    def fill(book: Any) -> None:
        for name in ("Тур 1", "Тур 2", "Итоги"):
            _results(book, name)

    assert problems(_book(fill)) == (Problem(None, ProblemKind.SEVERAL_SHEETS, "Тур 1, Тур 2, Итоги"),)


def test_a_long_id_that_became_a_number_has_lost_its_end() -> None:
    def fill(book: Any, sheet: Any) -> None:
        _write(sheet, ("place", "player", "discord"), (1, "Ann", 123456789012345678))

    assert found(_sheet(fill)) == [(2, ProblemKind.ROUNDED_DISCORD_ID)]
