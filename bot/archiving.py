"""`python -m bot export` and `import`: a club's file, however large. It is the one of /export and /import.

The bot may be running meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO

import sqlalchemy as sa

from bot.config import Config
from bot.exits import ExitCode, Stop
from bot.render import refusals
from bot.run import open_store
from bot.terminal import counted, say
from bot.texts import texts_for
from ratings import archive, ledger
from ratings.models import Refused

__all__ = ["run_export", "run_import"]

# Raises Stop once a signal has come.
Halt = Callable[[], None]


async def run_export(config: Config, guild_id: int, path: Path, *, overwrite: bool) -> ExitCode:
    """Write a club's file, which is there as a whole or not at all.

    Raises Stop when something is in the way at `path` (a file only without `overwrite`) or it cannot be written,
    when the database cannot be opened or does not know the club, or when a signal came.
    """
    halt = _halting("The export was stopped, and no file was written.")
    path = await asyncio.to_thread(_place, path, overwrite)
    store = await open_store(config, existing=True)
    try:
        if guild_id not in await store.read(ledger.clubs):
            raise Stop(
                ExitCode.UNKNOWN_CLUB,
                f"There is no club {guild_id} in this database: `export` takes the id of its Discord server.",
            )
        with _whole_file(path, halt, overwrite) as file:
            await store.study(archive.pour_club, guild_id, int(time.time()), file)
    finally:
        await store.close()
    say(f"club {guild_id}: written to {path}.")
    return ExitCode.OK


async def run_import(config: Config, path: Path, club: int | None) -> ExitCode:
    """Read a club's file into the club that it tells of, or into another one; all or nothing.

    Raises Stop when the file cannot be read, is too large or no club's, when the club is not empty, when the
    database cannot be opened, or when a signal came.
    """
    halt = _halting("The import was stopped, and nothing was imported.")
    told = await asyncio.to_thread(_read, path)
    guild_id = _club_of(path, told) if club is None else club
    store = await open_store(config)
    try:
        loaded = await store.rewrite(_load, guild_id, told, halt)
    except Refused as refused:
        raise Stop(ExitCode.NOT_EMPTY, refusals.sentence(texts_for(None), refused)) from None
    except archive.NewerArchive:
        raise Stop(
            ExitCode.BAD_FILE,
            f"{path} was written by a newer Tenbou: update this one first. Nothing was imported.",
        ) from None
    except archive.BadArchive:
        raise _no_club(path) from None
    finally:
        await store.close()
    say(f"club {guild_id}: imported {_outcome(loaded)}")
    return ExitCode.OK


def _halting(sentence: str) -> Halt:
    ending = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)

    def halt() -> None:
        if ending.is_set():
            raise Stop(ExitCode.STOPPED, sentence)

    return halt


def _place(path: Path, overwrite: bool) -> Path:
    """Where a file is to be. Raises Stop if something is in the way."""
    path = Path(os.path.realpath(path))
    if os.path.lexists(path) and not (overwrite and os.path.isfile(path)):
        raise _in_the_way(path)
    return path


@contextmanager
def _whole_file(path: Path, halt: Halt, overwrite: bool) -> Iterator[_File]:
    """A file beside `path` that comes to its place when all of it is written; nobody else may read it."""
    try:
        number, name = tempfile.mkstemp(".part", f".{path.name}.", path.parent)
    except OSError as error:
        raise _not_written(path, error) from None
    beside, file = Path(name), os.fdopen(number, "wb")
    try:
        yield _File(path, file, halt)
        halt()
        try:
            file.flush()
            os.fsync(number)
            _put_in_place(beside, path, overwrite)
        except FileExistsError:
            raise _in_the_way(path) from None
        except OSError as error:
            raise _not_written(path, error) from None
    finally:
        with suppress(OSError):
            file.close()
        beside.unlink(missing_ok=True)


def _put_in_place(beside: Path, path: Path, overwrite: bool) -> None:
    """Raises FileExistsError where a file came to be meanwhile that is not to be overwritten."""
    if not overwrite:
        try:
            path.hardlink_to(beside)
        except FileExistsError:
            raise
        except OSError:
            # There are file systems without links.
            if os.path.lexists(path):
                raise FileExistsError from None
        else:
            return
    beside.replace(path)


class _File:
    """What is written goes to a file, until a signal comes."""

    def __init__(self, path: Path, file: BinaryIO, halt: Halt) -> None:
        self._path = path
        self._file = file
        self._halt = halt

    def write(self, data: bytes) -> int:
        """Write some of it. Raises Stop when that is not possible, or not wanted any more."""
        self._halt()
        try:
            return self._file.write(data)
        except OSError as error:
            raise _not_written(self._path, error) from None

    def flush(self) -> None:
        """Nothing, since it is flushed in the end."""


def _read(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(archive.LARGEST_BY_COMMAND + 1)
        return archive.parse(data, archive.LARGEST_BY_COMMAND, most_rows=None)
    except OSError as error:
        raise Stop(ExitCode.BAD_FILE, f"{path} cannot be read: {error.strerror}.") from None
    except archive.TooLarge:
        most = archive.LARGEST_BY_COMMAND // 1_000_000
        raise Stop(
            ExitCode.BAD_FILE,
            f"{path} is too large: I take at most {most} MB when unpacked. Nothing was imported.",
        ) from None
    except ValueError:
        raise _no_club(path) from None


def _club_of(path: Path, told: Any) -> int:
    guild_id = told.get("guild_id") if isinstance(told, dict) else None
    if type(guild_id) is not int or not 0 < guild_id < 2**63:
        raise _no_club(path)
    return guild_id


def _load(connection: sa.Connection, guild_id: int, told: Any, halt: Halt) -> archive.Loaded:
    halt()
    now = int(time.time())
    loaded = archive.read_club(connection, guild_id, told, None, 0, now, lambda _: halt())
    halt()
    return loaded


def _outcome(loaded: archive.Loaded) -> str:
    parts = (
        counted(loaded.games, "game"),
        counted(loaded.tournaments, "tournament"),
        counted(loaded.players, "player"),
    )
    if loaded.same_figures:
        ending = "every rank and rating is what the file says"
    else:
        ending = "some ranks or ratings are not what the file says, but what its games give"
    return f"{', '.join(parts)}; {ending}."


def _in_the_way(path: Path) -> Stop:
    if os.path.isfile(path):
        sentence = f"{path} is there already: choose another name, or add --overwrite."
    else:
        sentence = f"{path} is there already, and no file: choose another name."
    return Stop(ExitCode.BAD_FILE, sentence)


def _not_written(path: Path, error: OSError) -> Stop:
    return Stop(ExitCode.BAD_FILE, f"{path} cannot be written: {error.strerror}.")


def _no_club(path: Path) -> Stop:
    return Stop(
        ExitCode.BAD_FILE,
        f"{path} is not a club's file, or it was changed or cut off on the way. Nothing was imported; take a "
        "fresh one from `python -m bot export` or from /export.",
    )
