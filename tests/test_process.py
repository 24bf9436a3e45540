"""The program as an operator meets it: exit codes, signals, and one clear sentence for what is wrong."""

from __future__ import annotations

import signal
import socket
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.exits import ExitCode
from bot.sandbox import LocalDiscord
from ratings.store import Store
from tests.bot_process import TOKEN, BotProcess
from tests.openapi import checker


@pytest.fixture
async def discord() -> AsyncIterator[LocalDiscord]:
    """A local Discord with one guild."""
    local = LocalDiscord(TOKEN, check=checker())
    await local.start()
    local.world.add_guild("Sakura")
    yield local
    await BotProcess.bury()
    await local.stop()


def one_sentence(written: str) -> str:
    """The last line, which is all that may be said to the operator; never a traceback."""
    assert "Traceback" not in written
    return written.strip().splitlines()[-1]


async def test_no_token(tmp_path: Path) -> None:
    bot = await BotProcess.start(tmp_path, DISCORD_TOKEN="")
    code, written = await bot.ended()
    assert code == ExitCode.BAD_TOKEN
    assert "DISCORD_TOKEN" in one_sentence(written)


async def test_a_refused_token(tmp_path: Path, discord: LocalDiscord) -> None:
    bot = await BotProcess.start(tmp_path, discord, DISCORD_TOKEN="not-the-right-one")
    code, written = await bot.ended()
    assert code == ExitCode.BAD_TOKEN
    assert "refuses the bot token" in one_sentence(written)
    assert "not-the-right-one" not in written


async def test_a_key_nobody_knows(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('log_levl = "info"\n')
    code, written = await (await BotProcess.start(tmp_path)).ended()
    assert code == ExitCode.BAD_CONFIG
    assert "Did you mean log_level?" in one_sentence(written)


async def test_an_address_nobody_answers(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    nowhere = f"http://127.0.0.1:{port}/api/v10"
    bot = await BotProcess.start(tmp_path, TENBOU_API_BASE=nowhere, TENBOU_CONNECT_ATTEMPTS="2")
    code, written = await bot.ended()
    assert code == ExitCode.NO_GATEWAY
    assert "could not be reached in 2 attempts" in one_sentence(written)


async def test_a_gateway_that_never_opens(tmp_path: Path, discord: LocalDiscord) -> None:
    discord.faults.refuse_gateway(times=100)
    code, written = await (await BotProcess.start(tmp_path, discord, TENBOU_CONNECT_ATTEMPTS="2")).ended()
    assert code == ExitCode.NO_GATEWAY
    assert "could not be reached in 2 attempts" in one_sentence(written)


async def test_a_gateway_that_opens_at_the_third_try(tmp_path: Path, discord: LocalDiscord) -> None:
    discord.faults.refuse_gateway(times=2)
    bot = await BotProcess.ready(tmp_path, discord)
    code, written = await bot.stop()
    assert code == ExitCode.OK
    assert "Traceback" not in written


async def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    bot = await BotProcess.start(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/no/such/folder/club.db")
    code, written = await bot.ended()
    assert code == ExitCode.NO_DATABASE
    assert "cannot be opened" in one_sentence(written)


async def test_a_database_server_that_is_not_there(tmp_path: Path) -> None:
    bot = await BotProcess.start(tmp_path, DATABASE_URL="postgresql://nobody:secret-word@127.0.0.1:1/club")
    code, written = await bot.ended()
    assert code == ExitCode.NO_DATABASE
    assert "secret-word" not in written
    one_sentence(written)


async def test_a_database_of_a_newer_program(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    await (await Store.open(f"sqlite+aiosqlite:///{file}")).close()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    code, written = await (await BotProcess.start(tmp_path)).ended()
    assert code == ExitCode.DATABASE_TOO_NEW
    assert "newer Tenbou" in one_sentence(written)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_cleanly(tmp_path: Path, discord: LocalDiscord, number: signal.Signals) -> None:
    bot = await BotProcess.ready(tmp_path, discord)
    code, written = await bot.stop(number)
    assert code == ExitCode.OK
    assert discord.closes == [1000]
    assert TOKEN not in written


async def test_debug_logs_hold_no_token(tmp_path: Path, discord: LocalDiscord) -> None:
    bot = await BotProcess.ready(tmp_path, discord, TENBOU_LOG_LEVEL="debug")
    _, written = await bot.stop()
    assert TOKEN not in written
