"""The club's card as a CSV file: what spreadsheets save, every fault with its row, and writing it back."""

from __future__ import annotations

import csv
import io
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.cardfile import (
    COLUMNS,
    LARGEST_FILE,
    MOST_ROWS,
    BadCard,
    CardLine,
    Problem,
    ProblemKind,
    read_card,
    write_card,
)

EXAMPLE = Path(__file__).parent.parent / "docs" / "example-card.csv"
HEADER = "year,section,section multiplier,line,points,concealed only,singles and pairs"
FORD = CardLine(2026, "River Steps", 1.0, "Ford", 25, False, False)


def _file(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join((header, *rows)).encode()


def _problems(data: bytes) -> tuple[Problem, ...]:
    with pytest.raises(BadCard) as caught:
        read_card(data)
    return caught.value.problems


def _found(data: bytes) -> list[tuple[int | None, ProblemKind]]:
    return [(problem.row, problem.kind) for problem in _problems(data)]


def test_the_example_card_reads_without_problems() -> None:
    lines = read_card(EXAMPLE.read_bytes())
    assert len(lines) == 40
    assert len({line.section for line in lines}) == 8
    assert {line.year for line in lines} == {2026}
    pairs = [line for line in lines if line.singles_and_pairs]
    assert {line.section for line in pairs} == {"Quiet Pairs"}
    assert all(line.concealed_only for line in pairs)
    assert any(line.concealed_only and not line.singles_and_pairs for line in lines)
    assert len({line.multiplier for line in lines}) > 3
    assert read_card(write_card(lines)) == lines


def test_a_line_is_read_as_it_stands() -> None:
    row = '2026, River  Steps ,"1,25","Gale, Then ""Calm""",35,yes,'
    assert read_card(_file(row)) == [CardLine(2026, "River Steps", 1.25, 'Gale, Then "Calm"', 35, True, False)]


@pytest.mark.parametrize(
    "header",
    [
        HEADER.upper(),
        HEADER.replace(" ", "_"),
        HEADER.title().replace(" ", "-"),
        HEADER.replace(",", " , "),
        "year,section,multiplier,line,point_value,concealed_only,is_singles_and_pairs",
        "Year,Section,Section Multiplier,Line,Points,Concealed Only,Singles & Pairs",
    ],
)
def test_the_header_is_recognised_however_it_is_spelled(header: str) -> None:
    assert read_card(_file("2026,River Steps,1,Ford,25,no,no", header=header)) == [FORD]


def test_columns_may_come_in_any_order_with_others_beside_them() -> None:
    header = "line,note,points,year,singles and pairs,section,concealed only,section multiplier,"
    assert read_card(_file("Ford,=SUM(A1),25,2026,no,River Steps,no,1,", header=header)) == [FORD]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_whatever_a_spreadsheet_saves_is_read(delimiter: str, newline: str, encoding: str) -> None:
    rows = [HEADER.split(","), ["2026", "Río", "1,5", "Öffnung; Tür, 東", "25", "x", ""]]
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=newline).writerows(rows)
    line = CardLine(2026, "Río", 1.5, "Öffnung; Tür, 東", 25, True, False)
    assert read_card(text.getvalue().encode(encoding)) == [line]


@pytest.mark.parametrize("mark", ["yes", "YES", "y", "x", "X", "1", "true", "TRUE", " yes "])
def test_flags_that_say_yes(mark: str) -> None:
    line = read_card(_file(f"2026,River Steps,1,Ford,25,{mark},{mark}"))[0]
    assert (line.concealed_only, line.singles_and_pairs) == (True, True)


@pytest.mark.parametrize("mark", ["no", "No", "n", "0", "false", "FALSE", "", "  "])
def test_flags_that_say_no(mark: str) -> None:
    assert read_card(_file(f"2026,River Steps,1,Ford,25,{mark},{mark}")) == [FORD]


def test_the_leagues_marks_in_the_concealed_column() -> None:
    rows = ["2026,S,1,A,25,X,", "2026,S,1,B,25,c,", "2026,S,1,C,25,x,x", "2026,S,1,D,25,C,"]
    lines = read_card(_file(*rows))
    assert [line.concealed_only for line in lines] == [False, True, False, True]
    assert [line.singles_and_pairs for line in lines] == [False, False, True, False]
    assert _found(_file("2026,S,1,A,25,,c")) == [(2, ProblemKind.BAD_FLAG)]


@pytest.mark.parametrize(
    ("text", "multiplier"), [("", 1.0), ("1", 1.0), ("0.1", 0.1), ("10", 10.0), ("1.5", 1.5), ('"1,5"', 1.5)]
)
def test_multipliers(text: str, multiplier: float) -> None:
    assert read_card(_file(f"2026,S,{text},A,25,,"))[0].multiplier == multiplier


def test_the_first_spelling_of_a_section_is_kept() -> None:
    rows = ["2026,River Steps,1,Ford,25,,", "2026,RIVER STEPS,1,Gate,25,,", "2025,river steps,2,Ford,25,,"]
    assert [line.section for line in read_card(_file(*rows))] == ["River Steps", "River Steps", "river steps"]


def test_names_are_composed_and_lose_what_cannot_be_seen() -> None:
    line = read_card(_file('2026,Ri\u0301o\u200b,1,"One\n\u00a0Two\u202e",25,,'))[0]
    assert (line.section, line.name) == ("Río", "One Two")


def test_twelve_faults_in_one_file_are_all_listed_with_their_rows() -> None:
    data = _file(
        "2026,Rivers,1,Ford,25,,",
        "1936,Rivers,1,Bank,25,,",
        "2026,,1,Bank,25,,",
        "2026,Rivers,1,,25,,",
        "",
        f"2026,Rivers,1,{'x' * 61},25,,",
        "2026,Rivers,1,Weir,0,,",
        "2026,Walls,0.05,Gate,25,,",
        "2026,Rivers,1,Mill,25,maybe,",
        "2026,Rivers,1,ford,30,,",
        "2026,Rivers,1.5,Lock,25,,",
        "2026,Rivers,1,=1+1,25,,",
        "2026,Rivers,1,Sluice,25",
        '2026,Rivers,1,"Dam" wall,25,,',
        "2026,Rivers,1,Bridge,25,,",
    )
    assert _found(data) == [
        (3, ProblemKind.BAD_YEAR),
        (4, ProblemKind.NO_SECTION),
        (5, ProblemKind.NO_LINE),
        (7, ProblemKind.LONG_NAME),
        (8, ProblemKind.BAD_POINTS),
        (9, ProblemKind.BAD_MULTIPLIER),
        (10, ProblemKind.BAD_FLAG),
        (11, ProblemKind.DUPLICATE_LINE),
        (12, ProblemKind.SECTION_CONFLICT),
        (13, ProblemKind.FORMULA),
        (14, ProblemKind.WRONG_CELLS),
        (15, ProblemKind.BAD_QUOTES),
    ]
    texts = [problem.text for problem in _problems(data)]
    assert texts == ["1936", "", "", "x" * 40, "0", "0.05", "maybe", "ford", "Rivers", "=1+1", "5", ""]


def test_every_problem_of_a_row_is_listed() -> None:
    assert _found(_file("26,@S,eleven,+L,2.5,?,?")) == [
        (2, ProblemKind.BAD_YEAR),
        (2, ProblemKind.FORMULA),
        (2, ProblemKind.BAD_MULTIPLIER),
        (2, ProblemKind.FORMULA),
        (2, ProblemKind.BAD_POINTS),
        (2, ProblemKind.BAD_FLAG),
        (2, ProblemKind.BAD_FLAG),
    ]
    assert _found(_file("2026,S,1,L,25,,", "2026,S,2,L,25,,")) == [
        (3, ProblemKind.SECTION_CONFLICT),
        (3, ProblemKind.DUPLICATE_LINE),
    ]


def test_rows_are_numbered_as_a_spreadsheet_shows_them() -> None:
    data = b"\n" + _file('2026,S,1,"A\nlong\nname",25,,', ",,,,,,", "2026,S,1,B,0,,") + b"\n\n"
    assert _found(data) == [(5, ProblemKind.BAD_POINTS)]


@pytest.mark.parametrize("year", ["1936", "2101", "26", "", "2026.0", "-2026", "２０２６", "=2026", "20 26"])
def test_bad_years(year: str) -> None:
    assert _problems(_file(f"{year},S,1,A,25,,")) == (Problem(2, ProblemKind.BAD_YEAR, year),)


@pytest.mark.parametrize("points", ["0", "501", "", "25.5", "-25", "+25", "1e2", "twenty"])
def test_bad_points(points: str) -> None:
    assert _problems(_file(f"2026,S,1,A,{points},,")) == (Problem(2, ProblemKind.BAD_POINTS, points),)


@pytest.mark.parametrize("multiplier", ["0", "0.09", "10.01", "-1", "nan", "inf", "1e1", "1.5.2", "x2", ".5"])
def test_bad_multipliers(multiplier: str) -> None:
    expected = (Problem(2, ProblemKind.BAD_MULTIPLIER, multiplier),)
    assert _problems(_file(f"2026,S,{multiplier},A,25,,")) == expected


def test_the_ends_of_every_range_are_taken() -> None:
    first = CardLine(1937, "s" * 40, 0.1, "l" * 60, 1, False, False)
    last = CardLine(2100, "S", 10.0, "L", 500, True, True)
    assert read_card(write_card([first, last])) == [first, last]
    assert _found(_file(f"2026,{'s' * 41},1,A,25,,")) == [(2, ProblemKind.LONG_NAME)]


@pytest.mark.parametrize("start", ["=", "+", "@"])
def test_formulas_are_refused_where_a_name_belongs(start: str) -> None:
    data = _file(f'2026,"{start}S",1,"\u200b {start}L",25,,')
    assert _found(data) == [(2, ProblemKind.FORMULA), (2, ProblemKind.FORMULA)]


@pytest.mark.parametrize("name", ["=1+1", "+A", "-A", "@A", "'=A", "''-A", "'A", "'", "-", "- 'A"])
def test_no_name_leaves_as_a_formula_and_all_come_back(name: str) -> None:
    line = CardLine(2026, name, 1.0, name, 25, False, False)
    data = write_card([line])
    row = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))[1]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
    assert read_card(data) == [line]


def test_a_name_with_a_dash_in_front_is_taken_as_it_is() -> None:
    assert read_card(_file("2026,-S,1,-1,25,,"))[0].name == "-1"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n \n", b",,,\n,,,", HEADER.encode(), _file("", ",,")])
def test_a_file_without_lines_is_refused(data: bytes) -> None:
    assert _found(data) == [(None, ProblemKind.EMPTY_FILE)]


@pytest.mark.parametrize(
    "data",
    [
        _file("2026,Fl\xfcsse,1,A,25,,").decode().encode("cp1252"),
        _file("2026,Реки,1,A,25,,").decode().encode("cp1251"),
        _file("2026,S,1,A,25,,").decode().encode("utf-16-le"),
        _file("2026,S,1,A,25,,").decode().encode("utf-32"),
        b"\xff\xfe\x00",
        b"PK\x03\x04" + bytes(26),
    ],
)
def test_what_is_not_text_in_unicode_is_refused(data: bytes) -> None:
    assert _problems(data) == (Problem(None, ProblemKind.NOT_TEXT),)


def test_a_file_may_have_so_many_rows_and_bytes() -> None:
    rows = [f"2026,S,1,Line {number},25,," for number in range(MOST_ROWS + 1)]
    assert len(read_card(_file(*rows[:-1]))) == MOST_ROWS
    assert _found(_file(*rows)) == [(None, ProblemKind.TOO_LARGE)]
    full = _file(rows[0]).ljust(LARGEST_FILE, b"\n")
    assert len(read_card(full)) == 1
    assert _found(full + b"\n") == [(None, ProblemKind.TOO_LARGE)]


def test_a_file_without_a_header_is_refused() -> None:
    assert _found(_file("2026,S,1,A,25,,", header="")) == [(2, ProblemKind.NO_HEADER)]
    assert _found(b'"' + _file()) == [(1, ProblemKind.NO_HEADER)]
    assert _found(b"year" * 300) == [(1, ProblemKind.NO_HEADER)]
    assert _found(",".join([HEADER] * 20).encode()) == [(1, ProblemKind.NO_HEADER)]


def test_columns_that_are_missing_or_double_are_named_and_the_rows_still_read() -> None:
    header = "year,section,section multiplier,title,section,concealed only,note"
    problems = _problems(_file("1900,S,1,A,S,maybe,-", "2026,S,1,A,S", header=header))
    assert problems == (
        Problem(1, ProblemKind.DOUBLE_COLUMN, "section"),
        Problem(1, ProblemKind.MISSING_COLUMN, "line"),
        Problem(1, ProblemKind.MISSING_COLUMN, "points"),
        Problem(1, ProblemKind.MISSING_COLUMN, "singles and pairs"),
        Problem(2, ProblemKind.BAD_YEAR, "1900"),
        Problem(2, ProblemKind.BAD_FLAG, "maybe"),
        Problem(3, ProblemKind.WRONG_CELLS, "5"),
    )


def test_a_quotation_mark_that_never_closes_is_found_where_it_opens() -> None:
    data = _file("2026,S,1,A,25,,", '2026,S,1,"B,25,,', "2026,S,1,C,25,,")
    assert _found(data) == [(3, ProblemKind.BAD_QUOTES)]


@pytest.mark.parametrize("kind", ProblemKind)
def test_every_problem_is_a_sentence(kind: ProblemKind) -> None:
    sentence = str(Problem(7, kind, "{points}"))
    assert sentence.startswith("Row 7: ")
    assert sentence.endswith((".", "?"))
    assert str(Problem(None, kind, "{points}")) == sentence.removeprefix("Row 7: ")


def test_a_bad_card_reads_as_a_list() -> None:
    with pytest.raises(BadCard) as caught:
        read_card(_file("2026,S,1,A,0,,", "2026,S,1,A,25,,q"))
    assert str(caught.value).splitlines() == [
        "Row 2: “0” is not a whole number of points from 1 to 500.",
        "Row 3: “q” is neither yes nor no.",
        "Row 3: The line “A” is in this section and year already.",
    ]


@pytest.mark.parametrize(
    "data",
    [
        b",".ljust(LARGEST_FILE, b","),
        _file("2026,S,1,A" + "\u0301\u0323" * 60_000 + ",25,,"),
        _file(*['"'] * 400_000),
    ],
    ids=["commas", "accents", "quotes"],
)
def test_files_made_to_be_slow_are_refused_at_once(data: bytes) -> None:
    start = time.process_time()
    assert _problems(data)
    assert time.process_time() - start < 4


def _name(text: str, longest: int) -> str:
    """`text` as an accepted name is: composed, in single spaces, without anything invisible."""
    visible = "".join(letter for letter in text if letter.isspace() or unicodedata.category(letter)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", " ".join(visible.split())).split())[:longest].strip()


def _names(longest: int) -> st.SearchStrategy[str]:
    letters = st.text(st.characters(codec="utf-8") | st.sampled_from("=+-@'\",;\t\n\r "), min_size=1, max_size=70)
    return letters.map(lambda text: _name(text, longest)).filter(bool)


@st.composite
def _cards(draw: st.DrawFn) -> list[CardLine]:
    sections = draw(st.lists(_names(40), min_size=1, max_size=4, unique_by=str.casefold))
    multipliers = {section: draw(st.floats(0.1, 10)) for section in sections}
    keys = st.tuples(st.sampled_from(sections), _names(60))
    unique = draw(st.lists(keys, min_size=1, max_size=12, unique_by=lambda key: (key[0], key[1].casefold())))
    year = draw(st.integers(1937, 2100))
    values = st.tuples(st.integers(1, 500), st.booleans(), st.booleans())
    return [CardLine(year, section, multipliers[section], name, *draw(values)) for section, name in unique]


@given(_cards())
def test_what_is_written_is_read_back(lines: list[CardLine]) -> None:
    data = write_card(lines)
    assert read_card(data) == lines
    cells = [cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) for cell in row]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert cells[: len(COLUMNS)] == list(COLUMNS)


CELLS = st.sampled_from(
    ["2026", "S", "=S", "'=S", "1", "1,5", "A", "25", "yes", "c", "x", "", '"', "\n", "\u200b"]
)
ROWS = st.lists(CELLS | st.text(max_size=8), max_size=9)


@given(st.lists(ROWS, max_size=12), st.sampled_from(",;\t"), st.booleans())
def test_rows_of_any_kind_are_read_or_listed(rows: list[list[str]], delimiter: str, quoted: bool) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writerows([list(COLUMNS), *rows])
    _read_or_listed(text.getvalue().encode(errors="replace"))


@given(st.binary(max_size=300), st.sampled_from([b"", HEADER.encode() + b"\n", b"\xff\xfe", b"\xef\xbb\xbf"]))
def test_bytes_of_any_kind_are_read_or_listed(data: bytes, start: bytes) -> None:
    _read_or_listed(start + data)


def _read_or_listed(data: bytes) -> None:
    problems: tuple[Problem, ...] = ()
    lines: list[CardLine] = []
    try:
        lines = read_card(data)
    except BadCard as bad:
        problems = bad.problems
    assert bool(lines) is not bool(problems)
    assert all(len(problem.text) <= 40 and str(problem) for problem in problems)
    if lines:
        assert read_card(write_card(lines)) == lines
