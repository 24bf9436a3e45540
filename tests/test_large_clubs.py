"""Clubs whose file is larger than Discord takes: /export and /import name the commands of the program."""

from __future__ import annotations

import gzip
import sys

import pytest

from bot.sandbox import Interaction
from ratings import archive
from ratings.store.tables import games
from tests.club_evening import Club, Evening, reply
from tests.correction_help import GAME, play
from tests.ledger_help import NOW, count


def sends_at_most(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let Discord take files of so many bytes."""
    # discord.py loads cogs anew, past what `import` would find.
    monkeypatch.setattr(sys.modules["cogs.archive"], "LARGEST_FILE", size)


async def export(evening: Evening) -> Interaction:
    """An admin exports everything."""
    return await evening.as_("Kai").slash("export", evening.channels["mahjong"], what="all")


async def bring(club: Club, data: bytes) -> str:
    """An admin imports a file; the answer."""
    answer = await club.as_("Kai").slash("import", club.channels["mahjong"], file=("club.json.gz", data))
    return str(reply(answer)["content"])


async def test_a_file_too_large_to_be_sent(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(evening, GAME)
    whole = {file["filename"]: file["size"] for file in reply(await export(evening))["attachments"]}
    assert "python -m bot" not in reply(await export(evening))["content"]
    sends_at_most(monkeypatch, max(size for name, size in whole.items() if name != "club.json.gz"))
    answer = reply(await export(evening))
    assert {file["filename"] for file in answer["attachments"]} == set(whole) - {"club.json.gz"}
    assert answer["content"].endswith(
        "Too large for Discord, and left out: club.json.gz. Whoever runs me can write club.json.gz where I run: "
        f"`python -m bot export {evening.id} club.json.gz`"
    )
    sends_at_most(monkeypatch, 0)
    answer = reply(await export(evening))
    assert answer["attachments"] == []
    assert "club.json.gz" in answer["content"]


@pytest.mark.parametrize("how", ["to be sent", "when unpacked", "in rows"])
async def test_a_file_too_large_to_be_read(evening: Evening, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    data = await evening.store.read(archive.write_club, evening.id, NOW)
    if how == "to be sent":
        sends_at_most(monkeypatch, len(data) - 1)
    elif how == "when unpacked":
        data = gzip.compress(bytes(archive.LARGEST_UNPACKED + 1))
    else:
        data = gzip.compress(b'{"facts":{"games":[["id"]' + b",[1]" * archive.MOST_ROWS + b"]}}")
    told = await bring(evening, data)
    assert told.startswith("The file is too large: I take at most ")
    assert told.endswith(f"where I run: `python -m bot import --club {evening.id} club.json.gz`")
    assert await count(evening.store, games) == 0
