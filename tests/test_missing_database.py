"""Commands that work on what is there make no database of a mistyped address."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import archiving, replay
from bot.__main__ import main
from bot.config import Config
from bot.exits import ExitCode, Stop
from ratings.store import Store


def commands(config: Config, folder: Path) -> list[Coroutine[Any, Any, ExitCode]]:
    """All that work on a database that is there."""
    return [
        replay.run(config, check=True, club=None),
        replay.run(config, check=False, club=None),
        archiving.run_export(config, 700, folder / "club.json.gz", overwrite=False),
    ]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Path]:
    """A folder that is empty afterwards too."""
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_is_not_there_is_not_made(empty: Path) -> None:
    for command in commands(Config(database_url=f"sqlite:///{empty}/typo.db"), empty):
        with pytest.raises(Stop, match=r"There is no database .*typo\.db") as stop:
            await command
        assert stop.value.code == ExitCode.NO_SUCH_DATABASE


async def test_a_file_that_is_there_is_opened(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/club.db"
    await (await Store.open(address)).close()
    assert await replay.run(Config(database_url=address), check=True, club=None) == ExitCode.OK


def test_the_operator_reads_a_sentence(
    empty: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(empty)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///typo.db")
    assert main(["replay", "--check"]) == 12
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("tenbou: There is no database typo.db: give database_url")
    assert told.err.count("\n") == 1
