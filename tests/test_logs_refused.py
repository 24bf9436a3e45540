"""Files that are no game log, or not a whole one: each is refused with its reason."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from typing import Any

import pytest

from ratings.logs import LARGEST_FILE, LogProblem, LogRefused, read_log
from ratings.logs.mjlog import read_mjlog
from tests.log_help import (
    DRAW,
    FINAL,
    FINAL_3P,
    HOUOU_3P,
    NAMES,
    NAMES_3P,
    TSUMO,
    agari,
    draw,
    hand_json,
    init,
    mjlog,
    tenhou6,
)

END = agari(0, 0, FINAL)
WHOLE = mjlog(init(), END)
WHOLE_JSON = tenhou6(hand_json(TSUMO))


def refusal(data: bytes) -> LogRefused:
    with pytest.raises(LogRefused) as refused:
        read_log(data)
    return refused.value


def problem(data: bytes) -> LogProblem:
    return refusal(data).problem


@pytest.mark.parametrize(
    "data",
    [
        b"", b"  \n", b"\xef\xbb\xbf", b"hello", b"<", b"<html/>", b"<html><body/></html>", b"<mjlog/>", b"{}",
        b"[]", b"null", b'{"a": 1}', b"[1, [2]]", b'"log"', b"PK\x03\x04",
        "L1000 | 00:30 | 四般南喰赤－ | A(+45.0) B(+9.0) C(-20.0) D(-34.0)".encode(),
    ],
)  # fmt: skip
def test_other_files_are_no_logs(data: bytes) -> None:
    assert problem(data) is LogProblem.NOT_A_LOG


@pytest.mark.parametrize("data", [b"\xff\xfe<\x00", b"\x89PNG", "<千秋/>".encode("shift_jis"), b"\xed\xa0\x80"])
def test_other_encodings_are_refused(data: bytes) -> None:
    assert problem(data) is LogProblem.NOT_UTF8


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_a_log_in_utf16_is_refused(encoding: str) -> None:
    for text in (WHOLE.decode(), '<!DOCTYPE a [<!ENTITY a "a">]>' + WHOLE.decode(), WHOLE_JSON.decode()):
        assert problem(text.encode(encoding)) is LogProblem.NOT_UTF8


def test_a_declaration_in_utf16_does_not_pass_the_xml_reader_either() -> None:
    with pytest.raises(LogRefused, match=LogProblem.DOCTYPE):
        read_mjlog(("<!DOCTYPE mjloggm>" + WHOLE.decode()).encode("utf-16-le").decode(), None)


def test_a_declared_encoding_is_not_believed() -> None:
    assert read_log(b'<?xml version="1.0" encoding="UTF-16"?>' + WHOLE) == read_log(WHOLE)


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE mjloggm>",
        "<!doctype html>",
        '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
        "<![CDATA[x]]>",
    ],
)
def test_declarations_are_refused(declaration: str) -> None:
    assert problem(declaration.encode() + WHOLE) is LogProblem.DOCTYPE
    assert problem(WHOLE.replace(b"<GO", declaration.encode() + b"<GO")) is LogProblem.DOCTYPE


def test_an_undeclared_entity_is_damage() -> None:
    assert problem(WHOLE.replace(b"<GO", b"&x;<GO")) is LogProblem.DAMAGED


def test_comments_are_passed_over() -> None:
    assert read_log(b"<!-- saved -->\n" + WHOLE.replace(b"<GO", b"<!-- x --><GO")) == read_log(WHOLE)


def test_large_files_are_refused_unread() -> None:
    assert read_log(WHOLE.ljust(LARGEST_FILE)) == read_log(WHOLE)
    refused = refusal(WHOLE.ljust(LARGEST_FILE + 1))
    assert (refused.problem, refused.values) == (LogProblem.TOO_LARGE, {"limit": LARGEST_FILE})


def test_packed_files_are_unpacked_no_further_than_allowed() -> None:
    assert read_log(gzip.compress(WHOLE.ljust(LARGEST_FILE))) == read_log(WHOLE)
    assert problem(gzip.compress(WHOLE.ljust(LARGEST_FILE + 1))) is LogProblem.UNPACKS_TOO_LARGE
    bomb = gzip.compress(bytes(100_000_000))
    tracemalloc.start()
    try:
        assert problem(bomb) is LogProblem.UNPACKS_TOO_LARGE
        assert tracemalloc.get_traced_memory()[1] < 5 * LARGEST_FILE
    finally:
        tracemalloc.stop()


def test_broken_packing_is_refused() -> None:
    packed = gzip.compress(WHOLE)
    assert problem(packed[:-1]) is LogProblem.CUT_OFF
    assert problem(packed[:2]) is LogProblem.CUT_OFF
    assert problem(packed[:-8] + bytes(8)) is LogProblem.DAMAGED
    assert problem(packed + packed) is LogProblem.DAMAGED
    assert problem(gzip.compress(packed)) is LogProblem.PACKED_TWICE
    assert problem(zlib.compress(WHOLE)) is LogProblem.NOT_UTF8
    assert read_log(packed + bytes(512)) == read_log(WHOLE)


def test_deep_files_are_refused() -> None:
    assert problem(WHOLE.replace(b"<GO", b"<a><b/></a><GO")) is LogProblem.TOO_DEEP
    assert problem(b"[" * 900_000) is LogProblem.TOO_DEEP
    assert problem(b'{"log":' * 100_000) is LogProblem.TOO_DEEP
    assert problem(WHOLE_JSON[:-1] + b', "x": ' + b"[" * 10 + b"]" * 10 + b"}") is LogProblem.TOO_DEEP
    assert read_log(WHOLE_JSON[:-1] + b', "x": ' + b"[" * 9 + b"]" * 9 + b"}") == read_log(WHOLE_JSON)


def test_brackets_in_names_are_not_depth() -> None:
    assert read_log(tenhou6(hand_json(TSUMO), name=['[[[[[["\\', "{{{{{{{{{{{{", "c", "d"])).players == 4


def test_files_of_too_many_parts_are_refused() -> None:
    assert read_log(WHOLE.replace(b"<GO", b"<X/>" * 19_000 + b"<GO")) == read_log(WHOLE)
    assert problem(WHOLE.replace(b"<GO", b"<X/>" * 20_001 + b"<GO")) is LogProblem.TOO_MANY_PARTS
    assert problem(b"[" + b"[]," * 20_001) is LogProblem.TOO_MANY_PARTS


def test_unclosed_strings_are_refused_at_once() -> None:
    for tail in ('"', '\\"', "\\", '"\\"'):
        assert problem(b'{"log": "' + tail.encode() * 300_000) in (LogProblem.DAMAGED, LogProblem.CUT_OFF)


@pytest.mark.parametrize(
    "data",
    [
        WHOLE[:200],
        WHOLE[: WHOLE.index(b"<AGARI")],
        WHOLE[: WHOLE.index(b"<AGARI") + 20],
        WHOLE.removesuffix(b"</mjloggm>"),
        mjlog(),
        mjlog(init()),
        mjlog(init(), agari(0, 0)),
        mjlog(init(), agari(0, 0), init(0, 1)),
        mjlog(init(), init(0, 1), END),
        mjlog(init(1), END),
        mjlog(init(0, 1), END),
        mjlog(init(), agari(0, 0), init(2), END),
        mjlog(init(), agari(0, 0), init(0, 2), END),
        mjlog(init(), agari(0, 0), init(1, 2), END),
        mjlog(init(), agari(0, 0), init(0, 0), END),
        WHOLE_JSON[:40],
        WHOLE_JSON[:-1],
        tenhou6(),
        tenhou6(hand_json(TSUMO), sc=None),
        tenhou6(hand_json(TSUMO, round_number=1)),
        tenhou6(hand_json(TSUMO), hand_json(TSUMO, round_number=3)),
        tenhou6(hand_json(TSUMO, players=3), hand_json(TSUMO, 3, players=3), players=3),
    ],
)
def test_logs_that_are_cut_off_are_refused(data: bytes) -> None:
    assert problem(data) is LogProblem.CUT_OFF


@pytest.mark.parametrize(
    "data",
    [
        WHOLE + b"x",
        WHOLE.replace(b"</mjloggm>", b"</x>"),
        WHOLE.replace(b"<UN n0=", b"<UN n0"),
        WHOLE.replace(b'type="', b'type="1" type="'),
        WHOLE.replace(b"<GO", b"\1<GO"),
        WHOLE_JSON.replace(b'"log":', b'"log"'),
        WHOLE_JSON.replace(b'"lobby": 0', b'"lobby": ' + b"9" * 5_000),
        WHOLE_JSON.replace(b'"lobby": 0', b'"lobby": 01'),
    ],
)
def test_damaged_logs_are_refused(data: bytes) -> None:
    assert problem(data) is LogProblem.DAMAGED


@pytest.mark.parametrize(
    "data",
    [
        WHOLE + WHOLE,
        mjlog(init(), END, init(), END),
        mjlog('<GO type="169" lobby="0"/>', init(), END),
        mjlog('<TAIKYOKU oya="0"/>', init(), END),
        WHOLE_JSON + b"\n" + WHOLE_JSON,
        b"[" + WHOLE_JSON + b"," + WHOLE_JSON + b"]",
    ],
)
def test_several_games_are_refused(data: bytes) -> None:
    assert problem(data) is LogProblem.SEVERAL_GAMES


@pytest.mark.parametrize(
    "data",
    [
        mjlog(init(), END, names=NAMES_3P),
        mjlog(init(), END, names=("a", "", "", "")),
        mjlog(init(), END, names=("", "b", "c", "d")),
        mjlog(init(players=3), agari(0, 0, FINAL_3P), kind=HOUOU_3P),
        tenhou6(hand_json(TSUMO), name=["a", "b"]),
        tenhou6(hand_json(TSUMO), name=[*NAMES, "e"]),
        tenhou6(hand_json(TSUMO), name=["a", "", "c", "d"]),
        tenhou6(hand_json(TSUMO), name=list(NAMES_3P)),
        tenhou6(hand_json(TSUMO), ratingc="PF3"),
        tenhou6(hand_json(TSUMO), ref="2021010217gm-00b9-0000-0123abcd"),
        tenhou6(hand_json(TSUMO, players=3), players=3, ratingc="PF4"),
    ],
)
def test_other_numbers_of_players_are_refused(data: bytes) -> None:
    assert problem(data) is LogProblem.WRONG_TABLE


@pytest.mark.parametrize(
    ("part", "where"),
    [
        ('<AGARI who="4" fromWho="0"/>', "AGARI who"),
        ('<AGARI who="0" fromWho="-1"/>', "AGARI fromWho"),
        ('<AGARI who="0"/>', "AGARI fromWho"),
        ('<AGARI who="０" fromWho="0"/>', "AGARI who"),
        ('<AGARI who="" fromWho="0"/>', "AGARI who"),
        ('<AGARI who="1e0" fromWho="0"/>', "AGARI who"),
        ('<N who="0" m="65536"/>', "N m"),
        ('<N who="0" m="31008"/>', "N m"),
        ('<N who="9" m="7"/>', "N who"),
        ('<REACH who="0" step="3"/>', "REACH step"),
        ('<REACH who="0" step="2"/>', "REACH step"),
        ("<T136/>", "T"),
        ("<G999/>", "G"),
    ],
)
def test_values_that_cannot_be_are_refused_in_a_hand(part: str, where: str) -> None:
    refused = refusal(mjlog(init(), part, END))
    assert (refused.problem, refused.values) == (LogProblem.BROKEN_VALUE, {"where": where})


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('type="169"', 'type="x"', "GO type"),
        ("<GO ", "<XX ", "GO"),
        ("<UN ", "<XX ", "UN"),
        ('n0="Ann"', 'n0="%FF"', "UN name"),
        ('n0="Ann"', 'n0="%00"', "name"),
        ('n0="Ann"', f'n0="{"a" * 41}"', "name"),
        ('dan="16,', 'dan="21,', "UN dan"),
        ('dan="16,17,18,20"', 'dan="16"', "UN dan"),
        ('rate="2100.00', 'rate="NaN', "UN rate"),
        ('rate="2100.00', 'rate="1e9', "UN rate"),
        ('rate="2100.00,2200.50,2300.25,1500.00"', 'rate="2100.00"', "UN rate"),
        ('oya="0"/><INIT', 'oya="4"/><INIT', "TAIKYOKU oya"),
        ('seed="0,0,0,1,2,135"', 'seed="0,0"', "INIT"),
        ('seed="0,0,0,1,2,135"', 'seed="16,0,0"', "INIT seed"),
        ('seed="0,0,0,1,2,135"', 'seed="0,0,-1"', "INIT seed"),
        ('ten="250,250,250,250"', 'ten="250,250,250"', "INIT"),
        ('ten="250,250,250,250"', 'ten="250,250,250,10001"', "INIT ten"),
        ('hai0="0,', 'hai0="136,', "INIT hai0"),
        ('hai0="0,', 'hai0="', "INIT hai0"),
        ("hai3=", "hai4=", "INIT hai3"),
        ('owari="400', 'owari="4e2', "owari"),
        ('owari="400,50.0', 'owari="400,inf', "owari"),
        (',100,-40.0"', '"', "owari"),
    ],
)
def test_values_that_cannot_be_are_refused_in_an_mjlog(old: str, new: str, where: str) -> None:
    assert old in WHOLE.decode()
    refused = refusal(WHOLE.decode().replace(old, new).encode())
    assert (refused.problem, refused.values) == (LogProblem.BROKEN_VALUE, {"where": where})


@pytest.mark.parametrize(
    "parts",
    [
        (END,),
        ("<T1/>", init(), END),
        (init(), agari(0, 0), "<T1/>", init(0, 1), END),
        (init(), agari(0, 0), agari(1, 1, FINAL)),
        (init(), agari(0, 0), agari(1, 0, FINAL)),
        (init(), agari(0, 1), agari(0, 1, FINAL)),
        (init(), agari(0, 1), agari(2, 3, FINAL)),
        (init(), agari(0, 1), agari(1, 1, FINAL)),
        (init(), draw(), END),
        (init(), agari(0, 0), draw(final=FINAL)),
        (init(), END, "<T1/>"),
        (init(), END, agari(1, 0)),
    ],
)
def test_elements_that_contradict_each_other_are_refused(parts: tuple[str, ...]) -> None:
    assert problem(mjlog(*parts)) is LogProblem.BROKEN_VALUE


def test_a_fourth_side_does_nothing_with_three_players() -> None:
    for part in ("<W1/>", "<G1/>", '<N who="3" m="7"/>', agari(3, 0)):
        data = mjlog(init(players=3), part, agari(0, 0, FINAL_3P), kind=HOUOU_3P, names=NAMES_3P)
        assert problem(data) is LogProblem.BROKEN_VALUE


def changed_hand(part: int, value: Any) -> list[Any]:
    hand = hand_json(TSUMO)
    hand[part] = value
    return hand


@pytest.mark.parametrize(
    ("hand", "where"),
    [
        (None, "log"),
        ([], "log"),
        (hand_json(TSUMO)[:-1], "log"),
        ([*hand_json(TSUMO), []], "log"),
        (changed_hand(0, [0, 0]), "log"),
        (changed_hand(0, [16, 0, 0]), "round"),
        (changed_hand(0, [False, 0, 0]), "round"),
        (changed_hand(0, [0, "0", 0]), "honba"),
        (changed_hand(0, [0, 0, 0.5]), "sticks"),
        (changed_hand(1, [25000] * 3), "log"),
        (changed_hand(1, [25000] * 5), "log"),
        (changed_hand(1, [25000, 25000, 25000, 10**7]), "scores"),
        (changed_hand(4, "11"), "hand"),
        (changed_hand(4, [20]), "hand"),
        (changed_hand(4, [54]), "hand"),
        (changed_hand(5, {}), "takes"),
        (changed_hand(5, [48]), "takes"),
        (changed_hand(5, [60]), "takes"),
        (changed_hand(5, ["c1112"]), "takes"),
        (changed_hand(5, ["c111213p"]), "takes"),
        (changed_hand(5, ["m111213"]), "takes"),
        (changed_hand(5, ["x111213"]), "takes"),
        (changed_hand(5, ["p48４８48"]), "takes"),
        (changed_hand(6, [61]), "discards"),
        (changed_hand(6, [10]), "discards"),
        (changed_hand(6, [None]), "discards"),
        (changed_hand(6, ["r"]), "discards"),
        (changed_hand(6, ["r0"]), "discards"),
        (changed_hand(6, ["f44"]), "discards"),
        (changed_hand(6, ["a393939"]), "discards"),
        (changed_hand(16, []), "result"),
        (changed_hand(16, [1]), "result"),
        (changed_hand(16, ["和了"]), "result"),
        (changed_hand(16, ["和了", [0]]), "result"),
        (changed_hand(16, ["和了", [0], [0]]), "result"),
        (changed_hand(16, ["和了", [0], [0, 0], [0]]), "result"),
        (changed_hand(16, ["和了", [0], [0, 4]]), "result"),
        (changed_hand(16, ["和了", [0], [0, 1], [0], [2, 3]]), "result"),
        (changed_hand(16, ["和了", [0], [0, 1], [0], [0, 1]]), "result"),
        (changed_hand(16, ["和了", [0], [0, 0], [0], [1, 1]]), "result"),
    ],
)
def test_values_that_cannot_be_are_refused_in_a_json_hand(hand: Any, where: str) -> None:
    refused = refusal(tenhou6(hand))
    assert (refused.problem, refused.values) == (LogProblem.BROKEN_VALUE, {"where": where})


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"log": {}}, "log"),
        ({"name": None}, "name"),
        ({"name": [1, "b", "c", "d"]}, "name"),
        ({"name": ["\ud800", "b", "c", "d"]}, "name"),
        ({"name": ["\n", "b", "c", "d"]}, "name"),
        ({"sc": {}}, "sc"),
        ({"sc": [1, 2, 3]}, "sc"),
        ({"sc": [400.5, 0, 0, 0, 0, 0, 0, 0]}, "sc"),
        ({"sc": [400, "0", 0, 0, 0, 0, 0, 0]}, "sc"),
        ({"sc": [400, True, 0, 0, 0, 0, 0, 0]}, "sc"),
        ({"sc": [400, 10**30, 0, 0, 0, 0, 0, 0]}, "sc"),
        ({"sc": [400, 1e300, 0, 0, 0, 0, 0, 0]}, "number"),
        ({"sc": [400, float("nan"), 0, 0, 0, 0, 0, 0]}, "NaN"),
        ({"rate": 1500}, "rate"),
        ({"rate": [1500]}, "rate"),
        ({"rate": [1500, 1500, 1500, -(10**6)]}, "rate"),
    ],
)
def test_values_that_cannot_be_are_refused_in_a_json_log(changes: dict[str, Any], where: str) -> None:
    refused = refusal(json.dumps(json.loads(tenhou6(hand_json(DRAW))) | changes).encode())
    assert (refused.problem, refused.values) == (LogProblem.BROKEN_VALUE, {"where": where})
