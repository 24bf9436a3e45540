"""Readers of game logs: Tenhou's mjlog and the JSON of tenhou.net/6. Bytes in, a game with its figures out."""

from ratings.logs.model import GameLog, LogFormat, LogProblem, LogRefused, LogSeat, Unranked
from ratings.logs.reader import read_log
from ratings.logs.unpack import LARGEST_FILE

__all__ = [
    "LARGEST_FILE",
    "GameLog",
    "LogFormat",
    "LogProblem",
    "LogRefused",
    "LogSeat",
    "Unranked",
    "read_log",
]
