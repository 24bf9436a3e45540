"""`python -m tests.benchmarks`: measure, and print the figures beside their goals."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sqlite3
import sys
import tempfile
from pathlib import Path

from tests.benchmarks import correcting, database, posting, rankings, rating, starting
from tests.benchmarks.table import Row, render

__all__ = ["main"]

NAMES = ("posting", "starting", "rating", "database", "correcting", "rankings")


def main(arguments: list[str] | None = None) -> None:
    """Measure what was asked for and print one table. Figures are for people: none of them is an error."""
    options = _parser().parse_args(arguments)
    rows: list[Row] = []
    for name in [options.only] if options.only else NAMES:
        print(f"measuring {name} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            rows += _measure(name, options.rounds, Path(folder))
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} processors\n")
    print(render(rows))


def _measure(name: str, rounds: int, folder: Path) -> list[Row]:
    match name:
        case "posting":
            return asyncio.run(posting.measure(rounds, folder))
        case "starting":
            return asyncio.run(starting.measure(folder))
        case "rating":
            return rating.measure()
        case "correcting":
            return asyncio.run(correcting.measure(folder))
        case "rankings":
            return asyncio.run(rankings.measure(folder))
        case _:
            return asyncio.run(database.measure(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure Tenbou's speed.")
    parser.add_argument("--rounds", type=_rounds, default=500, help="rounds of posting (default: 500)")
    parser.add_argument("--only", choices=NAMES, help="measure this alone")
    return parser


def _rounds(text: str) -> int:
    if (rounds := int(text)) < 1:
        raise argparse.ArgumentTypeError("at least one round")
    return rounds


if __name__ == "__main__":
    main()
