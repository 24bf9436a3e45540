"""A program that turns a picture, SVG on its standard input, into a PNG on its standard output.

The bot runs it for each chart: the library keeps the interpreter to itself while it works, and what it does to
memory ends with the process. It is run by its path, and imports nothing of the bot.
"""

from __future__ import annotations

import sys

from resvg_py import svg_to_bytes

__all__ = ["main"]


def main() -> None:
    """Turn the one into the other."""
    picture = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(svg_to_bytes(svg_string=picture, skip_system_fonts=True))


if __name__ == "__main__":
    main()
