"""`python -m tests.benchmarks.fuzz_logs [count]`: break real game logs in many ways and read what is left.

Each input follows from its number alone, so a crash can be looked at again with `--first`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ratings.logs import GameLog, LogProblem, LogRefused, read_log

__all__ = ["check_game", "main", "mutated", "real_logs"]

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "logs"
LINKS = (
    "https://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1",
    "2021010217gm-00b9-0000-00000000.json",
    "log",
)

_ODD_NUMBERS = (
    b"", b"-1", b"0", b"1", b"2", b"3", b"4", b"16", b"32", b"60", b"99", b"100", b"135", b"136", b"255", b"65536",
    b"9999999999999999999999", b"1e9", b"1e999999999", b"0.1", b"-0.0", b"NaN", b"Infinity", b"0x10", b"1_0",
    b"null", "４".encode(), b"%", b"%FF", b"%00", b"&amp;",
)  # fmt: skip
_ODD_TEXTS = (
    *_ODD_NUMBERS, b"&x;", b"\x00", b"\xff\xfe", b"<!DOCTYPE x>", b"<!ENTITY x 'y'>", b"<!--", b"<INIT/>",
    b"<AGARI/>", b"<N/>", b"</mjloggm>", b"\\ud800", b"[]", b"{}", b'""', b'"r60"', b"true",
)  # fmt: skip
_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 4, 60, 99, 10**6, 10**30, 0.5, -83.6, 1e300, "", "f44", "r60", "p414141",
    "和了", "流局", "三家和了", "\ud800", "\0", [], [[]], {}, {"log": []}, [0, 0, 0], ["和了"], ["三家和了"],
    ["和了", [], [0, 1]],
)  # fmt: skip
_NUMBER = re.compile(rb"(?<=[\",\[])-?[0-9]+(?:\.[0-9]+)?(?=[\",\]])")
_SHUFFLE = re.compile(rb"<SHUFFLE[^>]*>")
_ELEMENT = re.compile(rb"<[^>]*>")
_VALUE = re.compile(rb'(?<==)"[^"]*"')
_ATTRIBUTE = re.compile(rb' [A-Za-z0-9]+="[^"]*"')


def real_logs(folder: Path = FOLDER) -> list[bytes]:
    """The logs of the index, unpacked and without the seeds of their walls; none where the folder is absent."""
    index = folder / "index.json"
    if not index.exists():
        return []
    files = [folder / entry["file"] for entry in json.loads(index.read_text(encoding="utf-8"))["files"]]
    logs = [gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in files]
    return [_SHUFFLE.sub(b"", log) for log in logs]


def mutated(logs: Sequence[bytes], number: int) -> tuple[bytes, str | None]:
    """Input `number`: one of `logs` with one to four things wrong, and a link to go with it."""
    dice = random.Random(number)
    data = dice.choice(logs)
    for _ in range(dice.randint(1, 4)):
        if dice.random() < 0.15:
            data = dice.choice(_BLIND_WAYS)(data, dice)
        else:
            data = dice.choice(_JSON_WAYS if data.startswith(b"{") else _XML_WAYS)(data, dice)
    if dice.random() < 0.05:
        data = _packed(data, dice)
    return data, dice.choice(LINKS) if dice.random() < 0.2 else None


def _place(data: bytes, dice: random.Random) -> int:
    return dice.randint(0, len(data))


def _other_bytes(data: bytes, dice: random.Random) -> bytes:
    start = _place(data, dice)
    return data[:start] + dice.randbytes(dice.randint(1, 4)) + data[start + dice.randint(0, 4) :]


def _flipped_bit(data: bytes, dice: random.Random) -> bytes:
    broken = bytearray(data or b"\0")
    broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
    return bytes(broken)


def _odd_text(data: bytes, dice: random.Random) -> bytes:
    start = _place(data, dice)
    return data[:start] + dice.choice(_ODD_TEXTS) + data[start + dice.randint(0, 3) :]


def _truncated(data: bytes, dice: random.Random) -> bytes:
    return data[: _place(data, dice)]


def _moved(data: bytes, dice: random.Random) -> bytes:
    """A slice left out, repeated or put somewhere else."""
    start, to = _place(data, dice), _place(data, dice)
    end = start + dice.randint(1, 400)
    rest = data if dice.random() < 0.5 else data[:start] + data[end:]
    return rest if dice.random() < 0.5 else rest[:to] + data[start:end] + rest[to:]


def _replaced(pattern: re.Pattern[bytes]) -> Callable[[bytes, random.Random], bytes]:
    """Something that `pattern` finds, left out, repeated, or replaced by another or by an odd number."""

    def replace(data: bytes, dice: random.Random) -> bytes:
        found = list(pattern.finditer(data))
        if not found:
            return data
        match, other = dice.choice(found), dice.choice(found)[0]
        new = dice.choice((b"", match[0] * 2, *[other] * 4, dice.choice(_ODD_NUMBERS)))
        return data[: match.start()] + new + data[match.end() :]

    return replace


def _without_attribute(data: bytes, dice: random.Random) -> bytes:
    found = list(_ATTRIBUTE.finditer(data))
    if not found:
        return data
    match = dice.choice(found)
    return data[: match.start()] + data[match.end() :]


def _other_value(data: bytes, dice: random.Random) -> bytes:
    """One value of a JSON log replaced, left out or repeated."""
    try:
        log = json.loads(data)
    except (ValueError, RecursionError):
        return data
    above, key = _spot(log, dice)
    if above is None:
        return data
    match dice.randrange(3):
        case 0:
            above[key] = dice.choice(_ODD_VALUES)
        case 1:
            del above[key]
        case _ if isinstance(above, list):
            above.insert(key, above[key])
        case _:
            above[key] = [above[key]]
    return json.dumps(log, ensure_ascii=dice.random() < 0.5).encode(errors="surrogatepass")


def _spot(log: Any, dice: random.Random) -> tuple[Any, Any]:
    """A list or object somewhere in `log`, and a key of it."""
    above, key, here = None, None, log
    while isinstance(here, list | dict) and here and (above is None or dice.random() < 0.8):
        above, key = here, dice.choice(list(here) if isinstance(here, dict) else range(len(here)))
        here = above[key]
    return above, key


def _packed(data: bytes, dice: random.Random) -> bytes:
    packed = gzip.compress(data, compresslevel=1, mtime=0)
    return packed if dice.random() < 0.5 else dice.choice((_flipped_bit, _truncated, _other_bytes))(packed, dice)


_BLIND_WAYS = (_other_bytes, _flipped_bit, _odd_text, _truncated, _moved)
_JSON_WAYS = (_replaced(_NUMBER), _other_value, _other_value)
_XML_WAYS = (_replaced(_NUMBER), _replaced(_ELEMENT), _replaced(_VALUE), _without_attribute)


def check_game(game: GameLog) -> None:
    """Assert what holds for every game that can be read."""
    assert game.players in (3, 4)
    assert sorted(seat.place for seat in game.seats) == list(range(1, game.players + 1))
    assert game.ranked == (game.lobby is not None)
    assert len(game.fingerprint) == 64
    by_place = sorted(game.seats, key=lambda seat: seat.place)
    assert [seat.final_score for seat in by_place] == sorted((seat.final_score for seat in by_place), reverse=True)
    for seat in game.seats:
        seat.name.encode()
        assert seat.hands == game.seats[0].hands > 0
        assert seat.deal_in_hands <= seat.rons_paid <= 3 * seat.deal_in_hands
        assert max(seat.wins, seat.deal_in_hands, seat.called_hands, seat.riichi_hands) <= seat.hands
        assert min(seat.kita, seat.closed_kans) >= 0
    assert sum(seat.wins_ron for seat in game.seats) == sum(seat.rons_paid for seat in game.seats)


def _read(data: bytes, link: str | None) -> LogProblem | None:
    try:
        check_game(read_log(data, link))
    except LogRefused as refused:
        return refused.problem
    return None


def main(arguments: list[str] | None = None) -> int:
    """Read so many broken logs, print what came of them, and return 1 if any made the reader crash."""
    options = _parser().parse_args(arguments)
    logs = real_logs()
    if not logs:
        print("The game logs are not beside this checkout.", file=sys.stderr)
        return 1
    outcomes: Counter[str] = Counter()
    crashes, digest, begun = 0, 0, time.monotonic()
    for number in range(options.first, options.first + options.count):
        data, link = mutated(logs, number)
        digest = zlib.crc32(data, digest)
        try:
            outcomes[_read(data, link) or "read"] += 1
        except Exception:
            crashes += 1
            print(f"Input {number} made the reader crash:\n{traceback.format_exc()}")
    seconds = time.monotonic() - begun
    refused = outcomes.total() - outcomes["read"]
    print(
        f"{options.count:,} inputs from number {options.first:,} (checksum {digest:08x}), {seconds:,.0f} seconds"
    )
    print(f"{options.count / max(seconds, 0.001):,.0f} inputs a second")
    print(f"{outcomes['read']:,} read, {refused:,} refused, {crashes:,} crashes")
    for outcome, times in outcomes.most_common():
        print(f"  {outcome}: {times:,}")
    return 1 if crashes else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fuzz_logs", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=10_000, help="inputs (default: 10000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first input (default: 0)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
