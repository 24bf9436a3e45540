"""How the program ends: one sentence for the operator, and a code for his supervisor."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitCode", "Stop"]


class ExitCode(IntEnum):
    """Exit codes of `python -m bot`; 2 is a command line that cannot be understood."""

    OK = 0
    FAILURE = 1
    BAD_CONFIG = 3
    BAD_TOKEN = 4
    NO_DATABASE = 5
    DATABASE_TOO_NEW = 6
    NO_GATEWAY = 7
    UNKNOWN_CLUB = 8
    STOPPED = 9
    BAD_FILE = 10
    NOT_EMPTY = 11
    NO_SUCH_DATABASE = 12


class Stop(Exception):
    """The program cannot go on. The message is one sentence that says what to do."""

    def __init__(self, code: ExitCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
