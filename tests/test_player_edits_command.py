"""/players edit and undo on the local Discord: what is answered, shown and posted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from bot import client
from bot.ranking_days import RankingDays
from bot.sandbox import Interaction
from ratings.store import Store
from ratings.tournaments import edits
from ratings.tournaments import players as people
from tests.club_evening import Evening, reply
from tests.ledger_help import choose
from tests.player_edit_help import ZOE
from tests.ranking_days_help import CUP, SPRING, Clock, keeper, unsaid
from tests.ranking_evening import ask, embed, fields, lines
from tests.ranking_help import OPEN, hold, plain, players

DAY = SPRING + timedelta(60)


async def act(evening: Evening, command: str, *, by: str = "Kai", **options: Any) -> Interaction:
    """A member, Kai unless told otherwise, uses a command of /players."""
    return await evening.as_(by).slash(f"players {command}", evening.channels["mahjong"], **options)


def said(answer: Interaction) -> list[str]:
    """The lines of an answer."""
    return plain(reply(answer)["content"]).split("\n")


async def two_cups(evening: Evening, days_ago: int = 100) -> None:
    """Two tournaments that were entered when they were over."""
    today = datetime.now(UTC).date()
    await hold(evening.store, evening.id, "Spring Cup", today - timedelta(days_ago), CUP)
    await hold(evening.store, evening.id, "April Open", today - timedelta(days_ago - 7), OPEN)


async def test_a_corrected_country_is_answered_shown_and_told_as_the_cause(
    evening_on_each_engine: Evening,
) -> None:
    evening = evening_on_each_engine
    await two_cups(evening)
    done = await act(evening, "edit", player="Bela", country="Kazakhstan", reason="a *new* passport")
    assert said(done) == ["**Bela**", "country: RU → KZ"]
    assert done.ephemeral
    assert fields(done)["Ratings"].split("\n")[0] == "**RR**: 1 player moved"
    assert "Bela: 634.71, no longer listed" in fields(done)["Ratings"]
    shown = await act(evening, "show", by="Ann", player="Bela")
    told = fields(shown)["What was done"].split("\n")
    assert told[0].endswith(" Kai: corrected the record")
    assert told[1:] == ["-# country: RU → KZ", "-# “a \\*new\\* passport”"]
    yesterday = (datetime.now(UTC).date() - timedelta(1)).isoformat()
    for which in ("rr", "crr"):
        changes = await ask(evening, "changes", ranking=which, since=yesterday)
        assert lines(changes)[0].startswith("⏏️ **Bela** leaves the table (place 2, ")
        assert lines(changes)[1:] == ["-# a correction: Bela's country RU → KZ by Kai"]
    undone = await act(evening, "undo", player="Bela")
    assert said(undone) == ["The newest correction is taken back.", "**Bela**", "country: KZ → RU"]
    assert "Bela: new, 634.71" in fields(undone)["Ratings"]
    told = fields(await act(evening, "show", by="Ann", player="Bela"))["What was done"].split("\n")
    assert told[0].endswith(" Kai: took a change back")
    assert told[1] == "-# country: KZ → RU"
    assert told[2].endswith(" Kai: corrected the record · taken back since")
    assert lines(await ask(evening, "changes", ranking="rr", since=yesterday))[0].startswith("Nobody moved.")


async def test_names_and_numbers_move_nobody_and_come_back(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "alias", player="Bela", name="Béla_1")
    done = await act(evening, "edit", player="Béla_1", ema_number="04290001", name="*Bella*")
    assert said(done) == ["**Bela**", "EMA number: unknown → 04290001", "name: Bela → \\*Bella\\*"]
    assert reply(done)["embeds"] == []
    await act(evening, "unalias", player="*Bella*", name="béla_1")
    shown = fields(await act(evening, "show", player="*Bella*"))["What was done"].split("\n")
    assert shown[1::2] == [
        "-# no longer a name: Béla\\_1",
        "-# EMA number: unknown → 04290001; name: Bela → \\*Bella\\*",
        "-# another name: Béla\\_1",
    ]
    for told in (
        ["**\\*Bella\\***", "another name: Béla\\_1"],
        ["**\\*Bella\\***", "EMA number: 04290001 → unknown", "name: \\*Bella\\* → Bela"],
        ["**Bela**", "no longer a name: Béla\\_1"],
    ):
        player = "Bela" if told[0] == "**Bela**" else "*Bella*"
        assert said(await act(evening, "undo", player=player))[1:] == told
    assert said(await act(evening, "undo", player="Bela")) == [
        "Nothing is left to undo: no correction of Bela stands any more. A link to a member stays as it is."
    ]


async def test_wrong_input_is_answered_and_changes_nothing(evening: Evening) -> None:
    await two_cups(evening)
    bela = (await players(evening.store, evening.id))["Bela"]
    await act(evening, "edit", player="Bela", name="Bella")
    await act(evening, "alias", player="Cleo", name="Bela")
    for by, command, options, words in (
        ("Kai", "undo", {"player": "Nobody"}, "I know no player “Nobody”"),
        ("Kai", "undo", {"player": "Anna"}, "Nothing is left to undo: no correction of Anna stands"),
        ("Kai", "undo", {"player": "Bella"}, "Somebody else goes by the name “Bela” already"),
        ("Kai", "edit", {"player": "Bella"}, "It is so already; nothing has changed."),
        ("Kai", "edit", {"player": "Bella", "country": "Atlantis"}, "I know no country “Atlantis”."),
        ("Ann", "undo", {"player": "Bella"}, "Only admins can do this"),
    ):
        answer = await act(evening, command, by=by, **options)
        assert answer.ephemeral
        assert said(answer)[0].startswith(words)
    assert len(await evening.store.read(edits.trail, evening.id, bela)) == 1


async def test_a_correction_that_somebody_else_made_meanwhile_is_no_second_one(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_cups(evening)
    bela = (await players(evening.store, evening.id))["Bela"]
    entry = await evening.store.read(people.entry, evening.id, bela)
    await act(evening, "edit", player="Bela", country="KZ")

    async def outdated(*_: object) -> people.Entry:
        return entry

    monkeypatch.setattr("cogs.tournament_players.the_player", outdated)
    again = await act(evening, "edit", player="Bela", country="KZ")
    assert said(again) == ["It is so already; nothing has changed."]


async def test_a_long_trail_goes_on_over_pages(evening: Evening) -> None:
    await two_cups(evening)
    bela = (await players(evening.store, evening.id))["Bela"]
    for number in range(40):
        facts = {"country": ("KZ", "RU")[number % 2]}
        await evening.store.write(edits.edit, evening.id, bela, facts, ZOE, 1_700_000_000, "x" * 80)
    shown = await act(evening, "show", player="Bela")
    count = int(embed(shown)["footer"]["text"].split(" of ")[1])
    assert count > 3
    seen = fields(shown)["What was done"]
    for _ in range(count - 1):
        await evening.as_("Kai").click(reply(shown), label="▶")
        assert fields(shown)["Country"] == "RU"
        seen += "\n" + fields(shown)["What was done"]
    assert seen.count("-# country: ") == 40
    assert "description" not in embed(shown)


# The post of the day


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which every bot of the test looks at the rankings: a day on which nothing ages."""
    standing = Clock(DAY)
    monkeypatch.setattr(client, "RankingDays", partial(RankingDays, clock=standing))
    return standing


def posts(evening: Evening) -> list[dict[str, Any]]:
    """The embeds of the posts about rankings."""
    found = [shown for post in evening.posts("announcements") for shown in post["embeds"]]
    return [shown for shown in found if shown["footer"]["text"].startswith("rankings ")]


async def test_a_restart_between_a_correction_and_the_post_changes_nothing(
    clock: Clock, evening_on_each_engine: Evening
) -> None:
    evening = evening_on_each_engine
    await hold(evening.store, evening.id, "Spring Cup", SPRING, CUP)
    await hold(evening.store, evening.id, "April Open", SPRING + timedelta(7), OPEN)
    await choose(evening.store, evening.id, ranking_posts=True)
    await evening.bot.ranking_days.round()
    await act(evening, "edit", player="Bela", country="KZ")
    await evening.stop_bot()
    clock.set(DAY + timedelta(1))
    store = await Store.open(evening.database)
    await keeper(store, clock).round()
    assert await unsaid(store, evening.id) == [(DAY + timedelta(1)).isoformat()]
    # What is told after the note is for the next post.
    bela = (await players(store, evening.id))["Bela"]
    await store.write(edits.undo, evening.id, bela, ZOE, int(clock.now))
    await store.close()
    await evening.start_bot()
    await evening.discord.until(lambda: posts(evening))
    await evening.quiet()
    clock.set(DAY + timedelta(2))
    await evening.bot.ranking_days.round()
    await evening.quiet()
    left, back = posts(evening)
    for field in left["fields"]:
        told = plain(field["value"]).split("\n")
        assert told[0].startswith("⏏️ **Bela** leaves the table")
        assert told[1:] == ["-# a correction: Bela's country RU → KZ by Kai"]
    for field in back["fields"]:
        told = plain(field["value"]).split("\n")
        assert told[0].startswith("🆕 **Bela** joins at place 2 with ")
        assert told[1:] == ["-# a correction: Bela's country KZ → RU by Zoe"]
    assert (
        [field["name"] for field in left["fields"]] == [field["name"] for field in back["fields"]] == ["RR", "CRR"]
    )
