"""`python -m bot export` and `import`: a file that is whole or not there, a club that is read in whole or not."""

from __future__ import annotations

import asyncio
import errno
import gzip
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot import replay
from bot.archiving import run_export, run_import
from bot.config import Config
from bot.exits import ExitCode, Stop
from ratings import archive, club
from ratings.store import Store
from ratings.store.tables import players, settings_changes
from tests.ledger_help import (
    EMI,
    GUILD,
    NEIGHBOURS,
    NOW,
    Gate,
    another,
    at_gate,
    choose,
    everything,
)
from tests.processes import PATIENCE, environment
from tests.replay_help import play_season

IMPORTED = "7 games, 0 tournaments, 6 players; every rank and rating is what the file says."


@pytest.fixture
async def season(store: Store, lines: dict[str, int]) -> list[int]:
    """The games' ids of a club with a few games of each kind."""
    return await play_season(store, lines)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    made = tmp_path / "exports"
    made.mkdir()
    return made


async def put_out(database: str, path: Path, guild: int = GUILD, *, overwrite: bool = False) -> ExitCode:
    """Do what `python -m bot export` does, in this process."""
    return await run_export(Config(database_url=database), guild, path, overwrite=overwrite)


async def bring_in(database: str, path: Path, club: int | None = None) -> ExitCode:
    """Do what `python -m bot import` does, in this process."""
    return await run_import(Config(database_url=database), path, club)


async def stops(doing: Any) -> tuple[ExitCode, str]:
    """How a command ends that cannot go on."""
    with pytest.raises(Stop) as stopped:
        await doing
    return stopped.value.code, str(stopped.value)


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(os.listdir(folder))


async def told(store: Store, guild: int = GUILD) -> Any:
    """What a club's file tells, but for the moment at which it was written."""
    return archive.parse(await store.read(archive.write_club, guild, NOW)) | {"written_at": None}


# ---- export --------------------------------------------------------------------------------------------


async def test_the_file_is_the_one_of_export_and_nobody_elses_to_read(
    store: Store, database: str, season: list[int], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "club.json.gz"
    assert await put_out(database, path) == ExitCode.OK
    assert capsys.readouterr().out == f"club {GUILD}: written to {path}.\n"
    assert archive.parse(path.read_bytes()) | {"written_at": None} == await told(store)
    assert names(folder) == [path.name]
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_file_is_overwritten_only_if_asked(
    store: Store, database: str, season: list[int], folder: Path
) -> None:
    path = folder / "club.json.gz"
    path.write_text("an old one")
    code, sentence = await stops(put_out(database, path))
    assert (code, sentence) == (
        ExitCode.BAD_FILE,
        f"{path} is there already: choose another name, or add --overwrite.",
    )
    assert path.read_text() == "an old one"
    link = folder / "link"
    link.symlink_to(path)
    assert (await stops(put_out(database, link)))[0] == ExitCode.BAD_FILE
    assert await put_out(database, link, overwrite=True) == ExitCode.OK
    assert link.is_symlink()
    assert archive.parse(path.read_bytes())["guild_id"] == GUILD
    assert names(folder) == [path.name, link.name]


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
async def test_a_file_that_comes_to_be_meanwhile_is_left_alone(
    database: str, season: list[int], folder: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", fails(errno.EPERM))
    path, pour = folder / "club.json.gz", archive.pour_club

    def pours_late(*arguments: Any) -> None:
        pour(*arguments)
        path.write_text("somebody was faster")

    with monkeypatch.context() as patch:
        patch.setattr(archive, "pour_club", pours_late)
        assert (await stops(put_out(database, path)))[0] == ExitCode.BAD_FILE
    assert path.read_text() == "somebody was faster"
    path.unlink()
    assert await put_out(database, path) == ExitCode.OK
    assert names(folder) == [path.name]


def fails(number: int) -> Any:
    """Something of the operating system that fails."""

    def fail(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    return fail


async def test_a_full_disk_leaves_the_old_file(
    database: str, season: list[int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "club.json.gz"
    path.write_text("an old one")
    monkeypatch.setattr(os, "fsync", fails(errno.ENOSPC))
    code, sentence = await stops(put_out(database, path, overwrite=True))
    assert (code, sentence) == (ExitCode.BAD_FILE, f"{path} cannot be written: No space left on device.")
    assert (names(folder), path.read_text()) == ([path.name], "an old one")


async def test_a_place_where_no_file_can_be(database: str, season: list[int], folder: Path) -> None:
    code, sentence = await stops(put_out(database, folder, overwrite=True))
    assert (code, sentence) == (
        ExitCode.BAD_FILE,
        f"{folder} is there already, and no file: choose another name.",
    )
    code, sentence = await stops(put_out(database, folder / "missing" / "club.json.gz"))
    assert code == ExitCode.BAD_FILE
    assert sentence.endswith(" cannot be written: No such file or directory.")


async def test_a_club_nobody_knows(database: str, season: list[int], folder: Path) -> None:
    code, sentence = await stops(put_out(database, folder / "club.json.gz", NEIGHBOURS))
    assert code == ExitCode.UNKNOWN_CLUB
    assert sentence.startswith(f"There is no club {NEIGHBOURS} ")
    assert names(folder) == []


async def test_a_signal_ends_an_export_without_a_trace(
    database: str, season: list[int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, pour = Gate(), archive.pour_club

    def pours_late(*arguments: Any) -> None:
        gate.wait()
        pour(*arguments)

    monkeypatch.setattr(archive, "pour_club", pours_late)
    running = await at_gate(put_out(database, folder / "club.json.gz"), gate)
    assert len(names(folder)) == 1
    signal.raise_signal(signal.SIGTERM)
    await asyncio.sleep(0)
    gate.open()
    assert await stops(running) == (ExitCode.STOPPED, "The export was stopped, and no file was written.")
    assert names(folder) == []


# ---- import --------------------------------------------------------------------------------------------


async def test_a_club_goes_back_to_its_server_or_to_another(
    store: Store, database: str, season: list[int], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, elsewhere = folder / "club.json.gz", f"sqlite+aiosqlite:///{folder / 'other.db'}"
    await put_out(database, path)
    capsys.readouterr()
    assert await bring_in(elsewhere, path) == ExitCode.OK
    assert capsys.readouterr().out == f"club {GUILD}: imported {IMPORTED}\n"
    assert await bring_in(database, path, NEIGHBOURS) == ExitCode.OK
    assert capsys.readouterr().out == f"club {NEIGHBOURS}: imported {IMPORTED}\n"
    async with another(elsewhere) as other:
        for at, guild in ((other, GUILD), (store, NEIGHBOURS)):
            assert (await at.study(replay.look, guild)).clean
            moved = await told(at, guild)
            for name, rows in (await told(store))["facts"].items():
                assert len(moved["facts"][name]) == len(rows)


async def test_a_club_that_is_not_empty_takes_no_file(
    store: Store, database: str, season: list[int], folder: Path
) -> None:
    path = folder / "club.json.gz"
    await put_out(database, path)
    before = await everything(store)
    code, sentence = await stops(bring_in(database, path))
    assert code == ExitCode.NOT_EMPTY
    assert "can only be read back into an empty one" in sentence
    assert await everything(store) == before


async def test_channels_stay_the_clubs_and_what_is_put_back_stands_under_whoever_chose_it(
    store: Store, database: str, season: list[int], folder: Path
) -> None:
    await choose(store, approvals_channel=77, announcements_channel=78, k_factor=40.0)
    await store.write(club.change_settings, NEIGHBOURS, {"approvals_channel": 99, "k_factor": 20.0}, EMI, NOW)
    path = folder / "club.json.gz"
    await put_out(database, path)
    assert await bring_in(database, path, NEIGHBOURS) == ExitCode.OK
    rules = await store.read(club.settings, NEIGHBOURS)
    assert (rules.approvals_channel, rules.announcements_channel, rules.k_factor) == (99, None, 40.0)
    changes = (settings_changes.c.name, settings_changes.c.value, players.c.name)
    query = sa.select(*changes).join(players, players.c.id == settings_changes.c.changed_by)
    mine = query.where(settings_changes.c.guild_id == NEIGHBOURS).order_by(settings_changes.c.id)
    made = [tuple(row) for row in await store.read(lambda connection: connection.execute(mine).all())]
    assert made[:4] == [
        ("approvals_channel", "99", "Emi"),
        ("k_factor", "20.0", "Emi"),
        ("approvals_channel", "null", "Emi"),
        ("k_factor", "16.0", "Emi"),
    ]
    assert sorted(made[-2:]) == [("announcements_channel", "null", "Kai"), ("approvals_channel", "99", "Kai")]


NO_CLUBS = {
    "no json": b"The players of the evening",
    "cut off": gzip.compress(b"{}" * 100)[:-9],
    "no table": b"[]",
    "no server": b'{"format":"tenbou-club","version":1,"facts":{}}',
    "a server that is none": b'{"format":"tenbou-club","version":1,"guild_id":true,"facts":{}}',
    "too large a server": b'{"format":"tenbou-club","version":1,"guild_id":%d,"facts":{}}' % 2**63,
    "another version": b'{"format":"tenbou-club","version":0,"guild_id":800,"facts":{}}',
    "no facts": b'{"format":"tenbou-club","version":1,"guild_id":800,"facts":{}}',
}


@pytest.mark.parametrize("data", NO_CLUBS.values(), ids=NO_CLUBS.keys())
async def test_what_is_no_club_is_said_to_be_none(store: Store, database: str, folder: Path, data: bytes) -> None:
    path = folder / "club.json.gz"
    path.write_bytes(data)
    code, sentence = await stops(bring_in(database, path))
    assert code == ExitCode.BAD_FILE
    assert sentence.startswith(f"{path} is not a club's file")
    assert not any((await everything(store)).values())


async def test_a_file_that_cannot_be_read(database: str, folder: Path) -> None:
    code, sentence = await stops(bring_in(database, folder / "missing"))
    assert (code, sentence) == (
        ExitCode.BAD_FILE,
        f"{folder / 'missing'} cannot be read: No such file or directory.",
    )
    assert (await stops(bring_in(database, folder)))[0] == ExitCode.BAD_FILE


async def test_more_is_taken_than_on_discord_but_not_everything(
    store: Store, database: str, season: list[int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "club.json.gz"
    await put_out(database, path)
    unpacked = len(gzip.decompress(path.read_bytes()))
    monkeypatch.setattr(archive, "LARGEST_UNPACKED", unpacked - 1)
    monkeypatch.setattr(archive, "LARGEST_BY_COMMAND", unpacked - 1)
    code, sentence = await stops(bring_in(database, path, NEIGHBOURS))
    assert code == ExitCode.BAD_FILE
    assert " is too large: " in sentence
    monkeypatch.setattr(archive, "LARGEST_BY_COMMAND", unpacked)
    assert await bring_in(database, path, NEIGHBOURS) == ExitCode.OK


async def test_figures_that_are_not_the_files_are_told(
    database: str, season: list[int], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "club.json.gz"
    await put_out(database, path)
    spoiled = json.loads(gzip.decompress(path.read_bytes()))
    spoiled["standings"][0][4] += 1
    path.write_text(json.dumps(spoiled))
    assert await bring_in(database, path, NEIGHBOURS) == ExitCode.OK
    assert "some ranks or ratings are not what the file says" in capsys.readouterr().out


async def test_a_signal_ends_an_import_and_nothing_is_kept(
    store: Store, database: str, season: list[int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "club.json.gz"
    await put_out(database, path)
    before, gate, read = await everything(store), Gate(), archive.read_club

    def reads_late(*arguments: Any) -> archive.Loaded:
        loaded = read(*arguments)
        gate.wait()
        return loaded

    monkeypatch.setattr(archive, "read_club", reads_late)
    running = await at_gate(bring_in(database, path, NEIGHBOURS), gate)
    signal.raise_signal(signal.SIGINT)
    await asyncio.sleep(0)
    gate.open()
    assert await stops(running) == (ExitCode.STOPPED, "The import was stopped, and nothing was imported.")
    assert await everything(store) == before


# ---- the command line ----------------------------------------------------------------------------------


async def run(database: str, folder: Path, *command: str) -> tuple[int, str, str]:
    """Run `python -m bot …`: the exit code, and what it wrote to stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", *command),
        cwd=folder,
        env=environment(DATABASE_URL=database),
        stdout=PIPE,
        stderr=PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def test_the_commands(database: str, season: list[int], folder: Path) -> None:
    path = folder / "club.json.gz"
    assert await run(database, folder, "export", str(GUILD), "club.json.gz") == (
        0,
        f"club {GUILD}: written to {path}.\n",
        "",
    )
    code, out, err = await run(database, folder, "export", str(GUILD), "club.json.gz")
    assert (code, out) == (ExitCode.BAD_FILE, "")
    assert err == f"tenbou: {path} is there already: choose another name, or add --overwrite.\n"
    assert (await run(database, folder, "export", "--overwrite", str(GUILD), "club.json.gz"))[0] == 0
    assert (await run(database, folder, "import", "club.json.gz"))[0] == ExitCode.NOT_EMPTY
    moved = await run(database, folder, "import", "--club", str(NEIGHBOURS), "club.json.gz")
    assert moved == (0, f"club {NEIGHBOURS}: imported {IMPORTED}\n", "")
    code, _, err = await run(database, folder, "export", "Sakura", "club.json.gz")
    assert code == 2
    assert "Sakura is not the id of a Discord server" in err
