"""Reading a game log of either format."""

from __future__ import annotations

from datetime import UTC, tzinfo

from ratings.logs.logid import find_log_id
from ratings.logs.mjlog import read_mjlog
from ratings.logs.model import GameLog, LogProblem, LogRefused
from ratings.logs.tenhou6 import read_tenhou6
from ratings.logs.unpack import unpack

__all__ = ["read_log"]


def read_log(data: bytes, link: str | None = None, zone: tzinfo = UTC) -> GameLog:
    """The game in a log file: an mjlog or the JSON of tenhou.net/6, plain or packed with gzip.

    `link` is where the file came from: a Tenhou link, a log id or the file's name. It gives an mjlog the id, the
    time and the lobby number that it does not carry itself; a name without an id is as good as none,
    and an mjlog without one is marked as unranked. `zone` is the one in which an export of Mahjong Soul tells its
    time, which does not name it.

    Raises LogRefused for anything else. Games of private lobbies, with rules of their own or of other versions
    are read and marked as unranked.
    """
    text = unpack(data)
    log_id = find_log_id(link)
    if text.startswith("<"):
        return read_mjlog(text, log_id)
    if text.startswith(("{", "[")):
        return read_tenhou6(text, log_id, zone)
    raise LogRefused(LogProblem.NOT_A_LOG)
