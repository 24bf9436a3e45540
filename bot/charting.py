"""Charts away from the event loop: laid out in a thread, and turned into a PNG by a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.render.charts import Drawing

__all__ = ["DEADLINE", "ChartFailed", "Charts"]

log = logging.getLogger(__name__)

# Seconds from the question to the picture, the charts asked for before it included.
DEADLINE = 10.0
# Without the folder of the program in its path, whose modules have names that libraries may mean otherwise.
PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("rasterising.py")))
PNG = b"\x89PNG\r\n\x1a\n"


class ChartFailed(Exception):
    """There is no picture, because it took too long or the program that makes it failed."""


class Charts:
    """Draws one chart at a time."""

    def __init__(self, deadline: float = DEADLINE, program: Sequence[str] = PROGRAM) -> None:
        self._deadline = deadline
        self._program = tuple(program)
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._closed = False

    async def draw(self, chart: Callable[[], Drawing]) -> bytes:
        """The PNG of the chart that `chart` lays out. Raises ChartFailed, and whatever `chart` raises."""
        try:
            async with asyncio.timeout(self._deadline), self._turn:
                picture = await asyncio.to_thread(_svg, chart)
                return await self._png(picture)
        except TimeoutError:
            log.warning("A chart was not drawn within %.0f s.", self._deadline)
            raise ChartFailed from None

    async def close(self) -> None:
        """End what is being drawn; nothing is drawn any more."""
        self._closed = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _png(self, picture: bytes) -> bytes:
        if self._closed:
            raise ChartFailed
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *self._program, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            log.error("The program that draws charts cannot be started: %s", error)
            raise ChartFailed from error
        self._process = process
        try:
            png, said = await process.communicate(picture)
        finally:
            self._process = None
            await _end(process)
        if process.returncode or not png.startswith(PNG):
            words = said.decode(errors="replace").strip()
            log.error("The program that draws charts ended with %s: %s", process.returncode, words)
            raise ChartFailed
        return png


def _svg(chart: Callable[[], Drawing]) -> bytes:
    return chart().svg().encode()


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process that nobody waits for any more, and take in what is left of its pipes."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
