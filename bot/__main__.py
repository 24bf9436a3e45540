"""The command line: `python -m bot run` runs the bot, `sandbox` tries it on a local Discord, `replay` works out
all figures anew, `export` and `import` move a club."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from bot.exits import ExitCode, Stop

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks for; the result is the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return asyncio.run(_work(options))
    except Stop as stop:
        print(f"tenbou: {stop}", file=sys.stderr)  # noqa: T201
        return stop.code
    except KeyboardInterrupt:
        return ExitCode.OK if options.command in ("run", "sandbox") else ExitCode.STOPPED


def _work(options: argparse.Namespace) -> Coroutine[Any, Any, ExitCode]:
    """What a command does. Imported here, since none has use for what another one needs."""
    if options.command == "sandbox":
        from bot.sandbox.run import run as run_sandbox

        return run_sandbox(options.database, options.port)
    from bot.config import load

    config = load(options.config)
    if options.command == "replay":
        from bot.replay import run as run_replay

        return run_replay(config, check=options.check, club=options.club)
    if options.command in ("export", "import"):
        from bot.archiving import run_export, run_import

        if options.command == "export":
            return run_export(config, options.club, options.file, overwrite=options.overwrite)
        return run_import(config, options.file, options.club)
    from bot.run import run

    return run(config)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Tenbou keeps score for mahjong clubs.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run the bot")
    replay = commands.add_parser("replay", help="work out all ranks and ratings anew from the games")
    replay.add_argument("--check", action="store_true", help="only compare; exit code 1 if anything differs")
    replay.add_argument("--club", type=int, metavar="GUILD_ID", help="one club (default: all)")
    export = commands.add_parser("export", help="write all of a club into a file")
    export.add_argument("club", type=_guild_id, metavar="GUILD_ID", help="the id of the club's Discord server")
    export.add_argument("file", type=Path, metavar="FILE", help="club.json.gz, or another name")
    export.add_argument("--overwrite", action="store_true", help="put it in the place of a file of that name")
    bring = commands.add_parser("import", help="read a club's file into a club without games")
    bring.add_argument("file", type=Path, metavar="FILE", help="as `export` or /export writes it")
    bring.add_argument(
        "--club", type=_guild_id, metavar="GUILD_ID", help="another club (default: the one of the file)"
    )
    for command in (run, replay, export, bring):
        command.add_argument(
            "--config", type=Path, help="configuration file (default: config.toml if it is there)"
        )
    sandbox = commands.add_parser("sandbox", help="try the bot on a local Discord, without an account")
    sandbox.add_argument("--database", type=Path, help="keep the club in this SQLite file")
    sandbox.add_argument("--port", type=int, default=8710, help="port of the page (default: 8710)")
    return parser


def _guild_id(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError(f"{text} is not the id of a Discord server")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
