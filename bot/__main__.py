"""The command line: `python -m bot run` runs the bot, `sandbox` tries it on a local Discord, `replay` works out
all figures anew."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from bot.exits import ExitCode, Stop

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks for; the result is the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "sandbox":
            # Imported here: the running bot has no use for the local Discord.
            from bot.sandbox.run import run as run_sandbox

            return asyncio.run(run_sandbox(options.database, options.port))
        from bot.config import load

        if options.command == "replay":
            from bot.replay import run as run_replay

            return asyncio.run(run_replay(load(options.config), check=options.check, club=options.club))
        from bot.run import run

        return asyncio.run(run(load(options.config)))
    except Stop as stop:
        print(f"tenbou: {stop}", file=sys.stderr)  # noqa: T201
        return stop.code
    except KeyboardInterrupt:
        return ExitCode.STOPPED if options.command == "replay" else ExitCode.OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Tenbou keeps score for mahjong clubs.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run the bot")
    replay = commands.add_parser("replay", help="work out all ranks and ratings anew from the games")
    replay.add_argument("--check", action="store_true", help="only compare; exit code 1 if anything differs")
    replay.add_argument("--club", type=int, metavar="GUILD_ID", help="one club (default: all)")
    for command in (run, replay):
        command.add_argument(
            "--config", type=Path, help="configuration file (default: config.toml if it is there)"
        )
    sandbox = commands.add_parser("sandbox", help="try the bot on a local Discord, without an account")
    sandbox.add_argument("--database", type=Path, help="keep the club in this SQLite file")
    sandbox.add_argument("--port", type=int, default=8710, help="port of the page (default: 8710)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
