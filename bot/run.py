"""From start to stop: open the store, connect (again, if the first try fails), and end cleanly on a signal."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Tenbou, point_at
from bot.config import Config
from bot.exits import ExitCode, Stop
from ratings.store import Store, StoreTooNew, StoreUnreachable
from ratings.store.engine import async_url

__all__ = ["open_store", "run"]

log = logging.getLogger(__name__)

LONGEST_BACKOFF = 300.0


async def run(config: Config) -> ExitCode:
    """Run the bot until SIGTERM or SIGINT. Raises Stop when it cannot start."""
    if config.discord_token is None or not config.discord_token.get_secret_value().strip():
        raise Stop(
            ExitCode.BAD_TOKEN,
            "There is no bot token: put it into the environment variable DISCORD_TOKEN (README.md tells where it "
            "comes from).",
        )
    _set_up_logging(config)
    point_at(config)
    ending = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    store = await open_store(config)
    try:
        await _stay_connected(config, store, ending)
    finally:
        await store.close()
    log.info("Stopped.")
    return ExitCode.OK


async def _stay_connected(config: Config, store: Store, ending: asyncio.Event) -> None:
    """Connect and stay. discord.py reconnects by itself, but for the very first connection, and it cannot
    start the same client twice."""
    for attempt in range(1, config.connect_attempts + 1):
        client = Tenbou(config, store)
        problem = await _serve(client, config, ending)
        if ending.is_set():
            return
        if problem is None or client.was_ready:
            # The session ran and ended for good; a supervisor may start it anew.
            raise Stop(ExitCode.NO_GATEWAY, f"Discord ended the connection: {problem or 'without a reason'}.")
        if attempt == config.connect_attempts:
            break
        pause = min(LONGEST_BACKOFF, config.connect_backoff * 2 ** (attempt - 1))
        log.warning("Discord cannot be reached (%s); trying again in %.0f s.", problem, pause)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), pause)
            return
    raise Stop(
        ExitCode.NO_GATEWAY,
        f"Discord could not be reached in {config.connect_attempts} attempts; the last one said: {problem}.",
    )


async def _serve(client: Tenbou, config: Config, ending: asyncio.Event) -> Exception | None:
    """Run one client until it ends or is told to; the answer is what ended it, if it was not us.

    Raises Stop when trying again cannot help.
    """
    assert config.discord_token is not None  # noqa: S101 - `run` has checked it
    serving = asyncio.create_task(client.start(config.discord_token.get_secret_value().strip()))
    told = asyncio.create_task(ending.wait())
    try:
        await asyncio.wait({serving, told}, return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            # While discord.py reads, its own close would reach Discord as 4000, a connection to be resumed.
            serving.cancel()
        await serving
    except asyncio.CancelledError:
        serving.cancel()
        if not ending.is_set():
            raise
    except discord.LoginFailure:
        raise Stop(
            ExitCode.BAD_TOKEN,
            "Discord refuses the bot token: copy a fresh one from the developer portal into DISCORD_TOKEN.",
        ) from None
    except (commands.ExtensionError, app_commands.CommandSyncFailure):
        # A fault of the program, which no connection would mend.
        raise
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
        if isinstance(error, discord.ConnectionClosed) and error.code == 4004:
            raise Stop(ExitCode.BAD_TOKEN, "Discord refuses the bot token at the gateway.") from None
        return error
    except AttributeError as error:
        # discord.py 2.7.1 stumbles over its missing websocket when the first connection fails.
        if client.was_ready or "sequence" not in str(error):
            raise
        return ConnectionError("the gateway did not accept the connection")
    finally:
        told.cancel()
        await client.close()
    return None


async def open_store(config: Config, *, existing: bool = False) -> Store:
    """Open the database that the configuration names; an SQLite file is made unless it must be `existing`. Raises
    Stop when that is not possible."""
    if existing:
        await asyncio.to_thread(_check_file, config.database_url)
    try:
        return await Store.open(config.database_url)
    except StoreTooNew as error:
        raise Stop(
            ExitCode.DATABASE_TOO_NEW,
            f"The database was written by a newer Tenbou (revision {error.found}, this one knows up to "
            f"{error.newest}): install the newer program.",
        ) from None
    except StoreUnreachable as error:
        raise Stop(ExitCode.NO_DATABASE, f"The database cannot be opened: {error}.") from None


def _check_file(address: str) -> None:
    url = async_url(address)
    if url.get_backend_name() == "sqlite" and not os.path.exists(url.database or ""):
        raise Stop(
            ExitCode.NO_SUCH_DATABASE,
            f"There is no database {url.database}: give database_url, or DATABASE_URL, the address of one that "
            "is there.",
        )


def _set_up_logging(config: Config) -> None:
    discord.utils.setup_logging(level=getattr(logging, config.log_level.upper()), root=True)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    logging.getLogger("discord.client").addFilter(_without_traceback)
    logging.getLogger("alembic").setLevel(max(logging.WARNING, logging.root.level))
    # At debug level these would write down whole requests, tokens of interactions among them, or every row.
    for name in ("discord.http", "discord.webhook", "discord.gateway", "aiosqlite"):
        logging.getLogger(name).setLevel(max(logging.INFO, logging.root.level))


def _without_traceback(record: logging.LogRecord) -> bool:
    """What the network does to a connection is worth a line, not a traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)):
        record.msg = f"{record.getMessage()} ({error})"
        record.args = record.exc_info = record.exc_text = None
    return True
