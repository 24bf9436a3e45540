"""Whatever the bytes, a log is read or refused, and nothing else happens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ratings.logs import LogRefused, read_log
from tests.benchmarks.fuzz_logs import check_game, main, mutated, real_logs
from tests.log_help import (
    FINAL,
    FINAL_3P,
    HOUOU_3P,
    NAMES_3P,
    TSUMO,
    agari,
    draw,
    hand_json,
    init,
    mjlog,
    tenhou6,
)

SMALL = (
    mjlog(init(), "<T60/><D60/>", agari(0, 1), agari(2, 1), init(1), '<N who="1" m="17673"/>', draw(final=FINAL)),
    mjlog(init(players=3), '<N who="0" m="31008"/>', agari(1, 0, FINAL_3P), kind=HOUOU_3P, names=NAMES_3P),
    tenhou6(hand_json(TSUMO, takes={1: ["p414141"]}), hand_json(["三家和了"], honba=1, discards={0: ["r60"]})),
    tenhou6(hand_json(TSUMO, players=3, discards={0: ["f44"]}), players=3),
)


def reads_or_refuses(data: bytes, link: str | None = None) -> bool:
    """Whether the log was read; anything but LogRefused comes through."""
    try:
        game = read_log(data, link)
    except LogRefused:
        return False
    check_game(game)
    assert read_log(data, link) == game
    return True


@given(st.binary(max_size=400), st.none() | st.text())
@example(b"\x1f\x8b", None)
@example(b'<mjloggm ver="2.3"/>', "gm-")
def test_any_bytes_are_read_or_refused(data: bytes, link: str | None) -> None:
    assert not reads_or_refuses(data, link)


@given(st.sampled_from(["<mjloggm>", "<mjloggm ", "{", "[", '{"log": [', '{"sc": [], "log": [[', ""]), st.text())
def test_any_text_is_read_or_refused(start: str, text: str) -> None:
    assert not reads_or_refuses((start + text).encode(errors="surrogatepass"))


KEYS = ("ver", "ref", "log", "ratingc", "rule", "lobby", "dan", "rate", "sc", "name")
texts = st.text(max_size=8) | st.sampled_from(["和了", "f44", "PF3"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=20,
)


def changed_log(key: str, value: Any) -> bytes:
    return tenhou6(hand_json(TSUMO), **{key: value})


@given(st.data())
def test_any_json_value_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    reads_or_refuses(changed_log(data.draw(st.sampled_from(KEYS)), data.draw(json_values)))
    hand = hand_json(TSUMO)
    hand[data.draw(st.integers(0, len(hand) - 1))] = data.draw(json_values)
    reads_or_refuses(tenhou6(hand))


@given(st.sampled_from(SMALL), st.data())
def test_any_piece_of_a_log_is_read_or_refused(log: bytes, data: st.DataObject) -> None:
    start, end = (data.draw(st.integers(0, len(log))) for _ in range(2))
    assert reads_or_refuses(log)
    assert not reads_or_refuses(log[:end] if end < len(log) else b"")
    reads_or_refuses(log[:start] + data.draw(st.binary(max_size=6)) + log[end:])


@given(st.integers(0, 2**62))
@settings(max_examples=120)
def test_any_broken_small_log_is_read_or_refused(number: int) -> None:
    reads_or_refuses(*mutated(SMALL, number))


@given(st.integers(0, 2**62))
@settings(max_examples=60)
def test_any_broken_real_log_is_read_or_refused(number: int) -> None:
    logs = real_logs()
    if not logs:
        pytest.skip("the game logs are not beside this checkout")
    reads_or_refuses(*mutated(logs, number))


def test_the_fuzzer_counts_what_it_read(capsys: pytest.CaptureFixture[str]) -> None:
    if not real_logs():
        pytest.skip("the game logs are not beside this checkout")
    reports = []
    for _ in range(2):
        assert main(["200"]) == 0
        reports.append(capsys.readouterr().out.splitlines())
    assert reports[0][0].startswith("200 inputs from number 0 (checksum ")
    assert reports[0][2].endswith(" 0 crashes")
    # The first two lines hold the time that it took.
    assert reports[0][2:] == reports[1][2:]


def test_the_fuzzer_makes_each_input_from_its_number_alone() -> None:
    inputs = [mutated(SMALL, number) for number in range(300)]
    assert inputs[::-1] == [mutated(SMALL, number) for number in reversed(range(300))]
    outcomes = {reads_or_refuses(*one) for one in inputs}
    assert outcomes == {True, False}
