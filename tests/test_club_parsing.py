"""What a club's file may be, before anybody asks what it tells."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.archive import LARGEST_UNPACKED, MOST_ROWS, TooLarge, parse

CELLS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
TABLES = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width)))
FILES = st.fixed_dictionaries(
    {"format": st.text(max_size=20), "version": st.integers()},
    optional={"facts": st.dictionaries(st.text(max_size=20), TABLES), "standings": TABLES, "note": CELLS},
)
LETTERS = st.text('[]{}:,"\\ \n0-1.e2ntrufalsE\u00e9', max_size=30)
PACK = pytest.mark.parametrize("pack", [bytes, gzip.compress])


def as_json(value: Any) -> Any:
    """A value with its tuples as the lists that they were."""
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return {name: as_json(item) for name, item in value.items()} if isinstance(value, dict) else value


@given(FILES, st.sampled_from([None, 1, "\t"]), st.booleans(), st.booleans())
def test_it_is_read_as_the_library_reads_it(
    value: Any, indent: int | str | None, packed: bool, ascii: bool
) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii).encode(errors="surrogatepass")
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    assert as_json(parse(gzip.compress(data) if packed else data)) == value


@given(
    LETTERS, st.sampled_from(['{"a":%s}', '{"standings":%s}', '{"standings":[[%s]]}', '{"facts":{"a":%s}}', "%s"])
)
def test_what_the_library_refuses_is_refused(text: str, around: str) -> None:
    whole = around % text
    try:
        told = parse(whole.encode())
    except ValueError:
        return
    assert as_json(told) == json.loads(whole)


@given(FILES, st.data())
def test_what_was_cut_off_is_refused(value: Any, data: st.DataObject) -> None:
    whole = json.dumps(value).encode()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ValueError):  # noqa: PT011 - any
        parse(whole[:cut])


def test_rows_of_facts_are_tuples() -> None:
    told = parse(b'{"facts": {"games": [["id"], [1], [2]]}, "standings": [["nmjl", 1]]}')
    assert told["facts"] == {"games": [("id",), (1,), (2,)]}


@PACK
def test_how_much_is_taken_depends_on_who_asks(pack: Any) -> None:
    whole = json.dumps({"standings": [["x" * 975]]}).encode()
    assert len(whole) == 996
    assert parse(pack(whole), 996)["standings"] == [["x" * 975]]
    with pytest.raises(TooLarge):
        parse(pack(whole), 995)


def test_how_many_rows_are_taken_depends_on_who_asks() -> None:
    whole = b'{"facts":{"games":[["id"],[1]],"seats":[["id"]]},"standings":[[1],[2]]}'
    for most in (5, None):
        assert len(parse(whole, most_rows=most)["standings"]) == 2
    with pytest.raises(TooLarge):
        parse(whole, most_rows=4)


GAMES = b'{"facts":{"games":['


def full(piece: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """As much as may be unpacked, of the same again and again."""
    return before + piece * ((LARGEST_UNPACKED - len(before + after)) // len(piece)) + after


# Made when they are wanted: together they are half a gigabyte.
BOMBS: dict[str, Callable[[], bytes]] = {
    "a list of texts": lambda: full(b'"ab",', b"[", b"1]"),
    "a list of floats": lambda: full(b"1.5,", b"[", b"1]"),
    "texts for rows": lambda: full(b'"ab",', GAMES, b"[1]]}}"),
    "a row of texts": lambda: full(b'"ab",', GAMES + b"[", b"1]]}}"),
    "a row of floats": lambda: full(b"1.5,", GAMES + b"[", b"1]]}}"),
    "a row of a length that is taken": lambda: GAMES + b"[" + b"1.5," * 490_000 + b"1]]}}",
    "rows of nothing": lambda: full(b"[],", GAMES, b"[]]}}"),
    "more rows than are taken": lambda: full(b'["ab","cd","ef"],', GAMES, b"[1,2,3]]}}"),
    "lists in lists": lambda: full(b"[", GAMES),
    "lists in a row": lambda: GAMES + b"[" + b"[" * 1_000_000 + b"]" * 1_000_001 + b"]}}",
    "objects in objects": lambda: full(b'{"a":'),
    "a long number": lambda: full(b"9", b'{"version":', b"}"),
    "a long number in a row": lambda: full(b"9", GAMES + b"[", b"]]}}"),
    "a number that takes long to be read": lambda: GAMES + b"[" + b"9" * 1_900_000 + b"]]}}",
    "a number that is none": lambda: GAMES + b"[NaN]]}}",
    "many names": lambda: b"{" + b",".join(b'"%d":1' % number for number in range(1_000_000)) + b"}",
    "many tables": lambda: b'{"facts":{' + b",".join(b'"%d":[]' % number for number in range(1_000_000)) + b"}}",
    "a name twice": lambda: full(b'"a":1,', b"{", b'"b":1}'),
    "a long name": lambda: full(b"a", b'{"', b'":1}'),
    "a long text": lambda: full(b"a", GAMES + b'["', b'"]]}}'),
    "a text without end": lambda: full(b"\\n", GAMES + b'["'),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_would_be_many_times_as_large_in_memory_is_refused(bomb: str) -> None:
    packed = gzip.compress(BOMBS[bomb](), 1)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):  # noqa: PT011 - any
            parse(packed)
        assert tracemalloc.get_traced_memory()[1] < 4 * LARGEST_UNPACKED
    finally:
        tracemalloc.stop()


def test_no_row_is_too_long_for_a_tournament_of_thousands() -> None:
    line = [123_456_789, 12_345, False, "-12345.5", 16]
    telling = json.dumps({"details": {}, "lines": [line] * 10_000, "removed": False})
    row = [1, telling, telling]
    assert parse(json.dumps({"facts": {"tournament_changes": [row]}}).encode())["facts"] == {
        "tournament_changes": [tuple(row)]
    }


def test_a_club_of_many_games_is_taken() -> None:
    rows = [[number, "approved"] for number in range(MOST_ROWS)]
    assert len(parse(json.dumps({"facts": {"games": rows}}).encode())["facts"]["games"]) == MOST_ROWS
