"""Charts made outside of this process: one at a time, within a deadline, and ended when the bot is closed."""

from __future__ import annotations

import asyncio
import signal
import struct
import sys
import threading
from asyncio.subprocess import Process
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.charting import DEADLINE, PNG, PROGRAM, ChartFailed, Charts
from bot.render.charts import HEIGHT, WIDTH, Curve, Drawing, Figures, Point, history_drawing
from bot.texts import texts_for

TEXTS, TOKYO = texts_for(None), ZoneInfo("Asia/Tokyo")
SLOW = (sys.executable, "-c", "import sys; sys.stdin.read(); sys.stdout.write('x'); sys.stdout.flush(); input()")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> asyncio.Queue[Process]:
    """The programs that are started from here on."""
    begun: asyncio.Queue[Process] = asyncio.Queue()
    start = asyncio.create_subprocess_exec

    async def watched(*args: Any, **options: Any) -> Process:
        process = await start(*args, **options)
        begun.put_nowait(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", watched)
    return begun


def drawing() -> Drawing:
    """A small chart."""
    points = [Point(1_700_000_000 + 86_400 * day, 1500 + 10 * day) for day in range(5)]
    return history_drawing(TEXTS, "R", Curve("千秋", points), Figures(), TOKYO)


async def test_a_chart_is_drawn_outside_of_this_process() -> None:
    threads: list[str] = []

    def lay_out() -> Drawing:
        threads.append(threading.current_thread().name)
        return drawing()

    png = await Charts().draw(lay_out)
    assert png[:8] == PNG
    assert struct.unpack(">II", png[16:24]) == (WIDTH, HEIGHT)
    assert png == drawing().png()
    assert threads != ["MainThread"]


async def test_one_chart_is_drawn_at_a_time() -> None:
    charts, running, most = Charts(), 0, 0

    def lay_out() -> Drawing:
        nonlocal running, most
        running += 1
        most = max(most, running)
        return drawing()

    async def drawn() -> bytes:
        nonlocal running
        png = await charts.draw(lay_out)
        running -= 1
        return png

    assert len(set(await asyncio.gather(*(drawn() for _ in range(4))))) == 1
    assert most == 1


@pytest.mark.parametrize(
    "program",
    [
        (sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"),
        (sys.executable, "-c", "raise SystemExit('no such library')"),
        (sys.executable, "-c", "print('not a picture')"),
        ("/nowhere/python", "-c", ""),
    ],
)
async def test_a_program_that_fails_is_no_picture_and_the_next_one_is(program: tuple[str, ...]) -> None:
    charts = Charts(program=program)
    with pytest.raises(ChartFailed):
        await charts.draw(drawing)
    charts._program = PROGRAM
    assert (await charts.draw(drawing))[:8] == PNG


async def test_a_program_that_hangs_is_ended_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch, started: asyncio.Queue[Process]
) -> None:
    clock = asyncio.timeout(None)

    def deadline(seconds: float) -> asyncio.Timeout:
        assert seconds == DEADLINE
        return clock

    charts = Charts(program=SLOW)
    monkeypatch.setattr(asyncio, "timeout", deadline)
    drawn = asyncio.create_task(charts.draw(drawing))
    process = await started.get()
    clock.reschedule(asyncio.get_running_loop().time())
    with pytest.raises(ChartFailed):
        await drawn
    assert process.returncode == -signal.SIGKILL
    assert charts._process is None


async def test_closing_ends_what_is_being_drawn(started: asyncio.Queue[Process]) -> None:
    charts = Charts(program=SLOW)
    drawn = asyncio.create_task(charts.draw(drawing))
    process = await started.get()
    await charts.close()
    with pytest.raises(ChartFailed):
        await drawn
    assert process.returncode == -signal.SIGKILL
    with pytest.raises(ChartFailed):
        await charts.draw(drawing)
    assert started.empty()
