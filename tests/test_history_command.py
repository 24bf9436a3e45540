"""/history and /compare on the local Discord: the chart, what stands beside it, and what is refused."""

from __future__ import annotations

import struct
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.charting import PROGRAM
from bot.render.charts import HEIGHT, WIDTH
from ratings import club, ledger
from ratings.models import Person
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, OTHER, play
from tests.ledger_help import KAI, NOW
from tests.processes import PATIENCE
from tests.ranking_help import hold

JSON = dict[str, Any]


async def picture(evening: Evening, by: str, command: str, **options: Any) -> JSON:
    """The answer to a command that shows a chart, and that it does."""
    shown = reply(await evening.as_(by).slash(command, evening.channels["mahjong"], **options))
    (file,) = shown["attachments"]
    png = evening.discord.world.files[file["id"]]
    assert struct.unpack(">II", png[16:24]) == (WIDTH, HEIGHT)
    assert shown["embeds"][0]["image"]["url"] == file["url"]
    return shown


async def refused(evening: Evening, by: str, command: str, **options: Any) -> str:
    """What a command answers that has nothing to show."""
    answer = await evening.as_(by).slash(command, evening.channels["mahjong"], **options)
    assert answer.ephemeral
    return str(reply(answer)["content"])


async def test_a_history_is_a_chart_of_each_measure(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME, OTHER)
    shown = await picture(evening, "Emi", "history", member=evening.users["Ann"])
    assert shown["embeds"][0]["title"] == "\u2068Ann\u2069 · Rank points · four players"
    assert shown["attachments"][0]["description"] == "A chart: Rank points · four players, Ann"
    rating = await picture(evening, "Ann", "history", system="rating-4p", over="games")
    assert rating["embeds"][0]["title"] == "\u2068Ann\u2069 · R rating · four players"
    assert await refused(evening, "Ann", "history", system="rank-3p") == (
        "\u2068Ann\u2069 has no history here yet (Rank points · three players)."
    )


async def test_members_who_play_tournaments_have_a_history_of_those(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    await play(evening, GAME)
    ann, boris = evening.users["Ann"], evening.users["Борис"]
    assert "(Tournament rating RR)" in await refused(evening, "Ann", "history", system="rr")
    today = datetime.now(UTC).date()
    russians = dict.fromkeys(("Ann", "Борис"), "RU")
    for days_ago in (400, 200, 30):
        held = today - timedelta(days_ago)
        await hold(evening.store, evening.id, f"Cup {held}", held, {"Ann": 1, "Борис": 5}, countries=russians)
    shown = await picture(evening, "Ann", "compare", first=boris, second=ann, system="rr")
    assert shown["embeds"][0]["fields"][0]["value"].splitlines() == [
        "3 tournaments together · placed higher 0 : 3",
        "on average \u2068Ann\u2069 is 4.00 places ahead",
    ]
    assert "Tournament rating RR" in (await picture(evening, "Ann", "history", system="rr"))["embeds"][0]["title"]


async def test_a_comparison_tells_how_each_two_did(evening: Evening) -> None:
    await play(evening, GAME, OTHER)
    ann, boris, dora = (evening.users[name] for name in ("Ann", "Борис", "Dora"))
    shown = (await picture(evening, "Emi", "compare", first=ann, second=boris))["embeds"][0]
    assert shown["title"] == "\u2068Ann\u2069 – \u2068Борис\u2069 · Rank points · four players"
    assert shown["fields"][0]["value"].splitlines() == [
        "2 games together · placed higher 2 : 0",
        "on average \u2068Ann\u2069 is 1.00 places and 30.0 points ahead",
    ]
    three = await picture(evening, "Emi", "compare", first=ann, second=boris, third=dora, system="rating-4p")
    assert [field["name"] for field in three["embeds"][0]["fields"]] == [
        "\u2068Ann\u2069 – \u2068Борис\u2069",
        "\u2068Ann\u2069 – \u2068Dora\u2069",
        "\u2068Борис\u2069 – \u2068Dora\u2069",
    ]
    assert "1 games" not in three["embeds"][0]["fields"][1]["value"]


async def test_nobody_is_compared_with_himself_or_over_nothing(evening: Evening) -> None:
    await play(evening, GAME)
    ann, emi, kai = (evening.users[name] for name in ("Ann", "Emi", "Kai"))
    assert "one player here" in await refused(evening, "Dora", "compare", first=ann, second=ann)
    assert "one player here" in await refused(evening, "Dora", "compare", first=emi, second=emi)
    told = await refused(evening, "Dora", "compare", first=emi, second=kai)
    assert told == "None of them has anything to show here yet (Rank points · four players)."
    await picture(evening, "Dora", "compare", first=ann, second=kai)


async def test_two_accounts_of_one_person_are_not_compared(evening: Evening) -> None:
    await play(evening, GAME, {"Emi": "40000", "Борис": "30000", "千秋": "20000", "Dora": "10000"})
    people = [Person(int(evening.users[name]["id"]), name) for name in ("Emi", "Ann")]
    first, second = await evening.store.write(club.player_ids, evening.id, people)
    proposal = await evening.store.read(ledger.propose_merge, evening.id, first, second)
    await evening.store.write(ledger.carry_out, evening.id, proposal, KAI, NOW)
    emi, ann = evening.users["Emi"], evening.users["Ann"]
    assert "one player here" in await refused(evening, "Dora", "compare", first=emi, second=ann)
    shown = await picture(evening, "Dora", "history", member=emi)
    assert "Ann" in shown["embeds"][0]["title"]


async def test_a_chart_that_cannot_be_drawn_is_answered_in_words(evening: Evening) -> None:
    await play(evening, GAME)
    cog: Any = evening.bot.get_cog("HistoryCog")
    cog.charts._program = (sys.executable, "-c", "raise SystemExit(1)")
    assert await refused(evening, "Ann", "history") == (
        "The chart could not be drawn in time. Please try again in a moment."
    )
    cog.charts._program = PROGRAM
    await picture(evening, "Ann", "history")


async def test_a_chart_that_takes_long_is_announced(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(evening, GAME)
    monkeypatch.setattr(sys.modules["cogs.history"], "SOON", 0.0)
    interaction = await evening.as_("Ann").slash("history", evening.channels["mahjong"])
    await evening.discord.until(lambda: bool(interaction.reply and interaction.reply["attachments"]), PATIENCE)
    assert not interaction.ephemeral
    cog: Any = evening.bot.get_cog("HistoryCog")
    cog.charts._program = (sys.executable, "-c", "raise SystemExit(1)")
    failed = await evening.as_("Ann").slash("history", evening.channels["mahjong"])
    await evening.discord.until(lambda: bool(failed.reply and failed.reply["content"]), PATIENCE)
    assert "could not be drawn" in reply(failed)["content"]
