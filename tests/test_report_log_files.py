"""/report log of files that are none, too large, slow or late; and every real log becomes a game."""

from __future__ import annotations

import asyncio
import gzip
import threading
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest

import bot.answers
import bot.log_report
from ratings.logs import LARGEST_FILE, GameLog
from tests import real_logs
from tests.answer_help import files_fetched
from tests.club_evening import Evening, reply
from tests.correction_help import said
from tests.ledger_help import riichi
from tests.log_help import FINAL, HOUOU, TSUMO, agari, hand_json, init, mjlog, tenhou6
from tests.report_log_help import FRESH, LINK, MEMBERS, TAGS, choose_all, linked, log, submit, told

ENTITY = b'<!DOCTYPE m [<!ENTITY a "b">]>' + FRESH


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        (b"hello", {}, "That is no game log"),
        (b"", {}, "That is no game log"),
        (FRESH[:-40], {}, "cut off"),
        (gzip.compress(FRESH)[:60] + b"xxxx" + gzip.compress(FRESH)[64:], {}, "damaged"),
        (mjlog(init(), names=TAGS), {}, "cut off"),
        (gzip.compress(FRESH)[:-9], {}, "cut off"),
        (gzip.compress(b"<" + b"a" * 3_000_000), {}, "too large for a game log once it is unpacked: 1,000 kB"),
        (ENTITY, {}, "DOCTYPE or entities"),
        (FRESH.decode().encode("utf-16"), {}, "not in UTF-8"),
        (FRESH + FRESH, {}, "more than one game"),
        (b"[" * 5000 + b"]" * 5000, {}, "no game log is built"),
        (FRESH, {"link": LINK.replace("00a9", "00b9")}, "of another game than the link"),
        (tenhou6(hand_json(TSUMO)), {"link": LINK}, "of another game than the link"),
        (FRESH, {"link": "my best game"}, "no log id of Tenhou in “my best game”"),
        (mjlog(init(), agari(0, 0, FINAL), kind=HOUOU & ~1), {"name": "game.mjlog"}, "Computer players"),
        (mjlog(init(), agari(0, 0, FINAL.replace("400", "500"))), {}, "add up to 110,000"),
        (mjlog(init(), agari(7, 0, FINAL)), {}, "a value that cannot be"),
    ],
)
async def test_other_files_are_refused_in_a_sentence(
    evening: Evening, data: bytes, options: dict[str, Any], sentence: str
) -> None:
    answer = await told(evening, data, **options)
    assert sentence in answer
    assert answer.rstrip().endswith("Nothing was written down.")
    assert (await evening.page()).total == 0


async def test_a_file_that_is_too_large_is_not_even_fetched(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = files_fetched(monkeypatch)
    answer = await told(evening, b"x" * (LARGEST_FILE + 1))
    assert "The file is too large for a game log: 1,000 kB is the most I take." in answer
    assert fetched == []


async def test_a_file_that_cannot_be_fetched_is_asked_for_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(_file: discord.Attachment) -> bytes:
        raise TimeoutError

    monkeypatch.setattr(discord.Attachment, "read", read)
    assert "I did not get the file" in await told(evening)


async def test_a_file_that_comes_slowly_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    here, fetch = asyncio.Event(), discord.Attachment.read

    async def read(file: discord.Attachment) -> bytes:
        await here.wait()
        return await fetch(file)

    monkeypatch.setattr(discord.Attachment, "read", read)
    monkeypatch.setattr(bot.answers, "SOON", 0.05)
    await linked(evening)
    interaction = await log(evening)
    assert interaction.thinking
    here.set()
    await evening.discord.until(lambda: interaction.replies)
    assert "Game #1 is reported" in said(reply(interaction))


async def test_a_file_that_takes_too_long_to_read_is_given_up(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()

    def read_log(_data: bytes, _link: str | None, _zone: ZoneInfo) -> GameLog:
        free.wait(20)
        raise AssertionError

    monkeypatch.setattr(bot.log_report, "read_log", read_log)
    monkeypatch.setattr(bot.log_report, "READING", 0.05)
    answer = await told(evening)
    free.set()
    assert "not to its end" in answer


async def test_every_real_log_becomes_a_game(evening: Evening) -> None:
    seats = 0
    for number, file in enumerate(real_logs.index(), 1):
        data = real_logs.read(file["file"])
        question = reply(await log(evening, data, name=file["file"]))
        await choose_all(evening, question, *MEMBERS[: file["players"]])
        assert f"Game #{number} is reported" in await submit(evening, question), file["file"]
        game = await evening.game(number)
        expected = file["expected"]
        assert list(riichi(game).scores) == [each["final_score"] for each in expected], file["file"]
        await evening.approve(number)
        places, _ = await evening.result(number)
        assert places == [each["place"] for each in expected], file["file"]
        seats += len(expected)
    assert seats > 40
