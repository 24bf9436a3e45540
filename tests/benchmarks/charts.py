"""How long a chart takes and what it costs in memory: `python -m tests.benchmarks.charts`, Linux only."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.texts import texts_for
from ratings.models import Length, Lobby, Standing, TenhouRules
from ratings.systems import tenhou
from tests.benchmarks.table import Row, Sample, at_most, megabytes, milliseconds, render

__all__ = ["main", "measure"]

ROUNDS = 60
GAMES = {"a year": 500, "a long life": 100_000}
WARM_GOAL = 0.3
NAMES = ("千秋 🀄", "王小明", "김철수", "Борис")
ZONE = ZoneInfo("Asia/Tokyo")


def measure() -> list[Row]:
    """Draw in a process that does nothing else, so that its memory is that of charts."""
    command = [sys.executable, "-m", "tests.benchmarks.charts", "--draw"]
    figures = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rows = [
        Row(f"Charts of 1000 x 600 pixels, {ROUNDS} of each kind"),
        at_most("first chart, libraries and fonts opened", figures["cold"], milliseconds, WARM_GOAL),
    ]
    for label, durations in figures["warm"].items():
        ordered = sorted(durations)
        rows.append(at_most(f"{label}, median", Sample(durations).median, milliseconds, WARM_GOAL))
        rows.append(at_most(f"{label}, p95", ordered[math.ceil(0.95 * ROUNDS) - 1], milliseconds, WARM_GOAL))
    rows += [Row(f"memory, {label}", megabytes(size)) for label, size in figures["memory"].items()]
    return rows


def _draw() -> dict[str, object]:
    # A bot at rest has these loaded already.
    import_module("bot.render.boards")
    texts = texts_for(None)
    ways = {name: [_ladder(games, seed) for seed in range(4)] for name, games in GAMES.items()}
    before = _memory("VmRSS")
    from bot.render.charts import Curve, Figures, Ladder, Point, comparison_chart, history_chart

    imported = _memory("VmRSS")
    curves = {
        name: [
            Curve(player, [Point(at, standing.rating, standing.rank) for at, standing in way])
            for player, way in zip(NAMES, four, strict=True)
        ]
        for name, four in ways.items()
    }
    steps = [Point(at, standing.points, standing.rank) for at, standing in ways["a year"][0]]
    ladder = Curve(NAMES[0], steps)
    resting = _memory("VmRSS")
    cold = _seconds(lambda: history_chart(texts, "段位", ladder, Ladder(4), ZONE))
    after_first = _memory("VmRSS")
    year, life = curves["a year"], curves["a long life"]
    kinds = {
        "rank history, 500 games": lambda: history_chart(texts, "段位", ladder, Ladder(4), ZONE),
        "R history, 500 games": lambda: history_chart(texts, "R", year[0], Figures(), ZONE),
        "comparison of four, 500 games each": lambda: comparison_chart(texts, "R", year, Figures(), ZONE),
    }
    warm = {label: [_seconds(draw) for _ in range(ROUNDS)] for label, draw in kinds.items()}
    peak, after_many = _memory("VmHWM"), _memory("VmRSS")
    label = "R history, 100,000 games"
    warm[label] = [_seconds(lambda: history_chart(texts, "R", life[0], Figures(), ZONE)) for _ in range(ROUNDS)]
    memory = {
        "charts imported, none drawn": imported - before,
        "kept after the first": after_first - resting,
        f"kept after {len(kinds) * ROUNDS}": after_many - resting,
        "at the peak of any of these": peak - resting,
        "at the peak of one of 100,000 games": _memory("VmHWM") - resting,
    }
    return {"cold": cold, "warm": warm, "memory": memory}


def _seconds(draw: Callable[[], bytes]) -> float:
    started = time.perf_counter()
    draw()
    return time.perf_counter() - started


def _ladder(games: int, seed: int) -> list[tuple[int, Standing]]:
    """A player's way through games against others of his standing, some twenty hours apart."""
    chance = random.Random(seed)
    table, at, way = [tenhou.INITIAL] * 4, 1_500_000_000, []
    for _ in range(games):
        places = chance.sample(range(1, 5), 4)
        table = tenhou.rate(places, table, Lobby.TOKUJOU, Length.HANCHAN, TenhouRules.SEED)
        at += chance.randrange(0, 150_000)
        way.append((at, table[0]))
    return way


def _memory(kind: str) -> int:
    """Memory held now (VmRSS) or at the most so far (VmHWM), in bytes."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith(kind))


def main() -> None:
    """Print the figures beside their goals; with --draw, measure within this very process."""
    if "--draw" in sys.argv:
        print(json.dumps(_draw()))
    else:
        print(render(measure()))


if __name__ == "__main__":
    main()
