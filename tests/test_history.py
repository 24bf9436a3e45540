"""Histories and comparisons: what they are made of, how charts are drawn, and what members see."""

from __future__ import annotations

import asyncio
import struct
import sys
import threading
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.charting import PNG, PROGRAM, ChartFailed, Charts
from bot.render.charts import HEIGHT, WIDTH, Curve, Drawing, Figures, Point, history_drawing
from bot.texts import texts_for
from ratings import club, ledger
from ratings.models import Person, SystemName, WonBy
from ratings.queries import boards
from ratings.queries.history import LONGEST_RANKING, Measure, Step, head_to_heads, histories
from ratings.statistics import HeadToHead
from ratings.store import Store
from ratings.systems.russian import Ranking
from ratings.tournaments import ledger as tournaments
from ratings.tournaments import players as entrants
from ratings.tournaments import rankings
from tests.club_evening import Evening, reply
from tests.correction_help import GAME, OTHER, play
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    approve,
    choose,
    hand,
    report,
    standing,
    submit,
    submit_hand,
    this_years_card,
)
from tests.ranking_help import hold, players

JSON = dict[str, Any]
TABLE = (ANN, BORIS, CHIAKI, DORA)
DAY = 24 * 3600


async def course(store: Store, person: Person, measure: Measure, guild: int = GUILD, now: int = NOW) -> list[Step]:
    """A member's history."""
    (found,) = await store.read(histories, guild, [person.discord_id], measure, now)
    return found


async def beside(store: Store, first: Person, second: Person, measure: Measure, guild: int = GUILD) -> HeadToHead:
    """How two members did together."""
    (found,) = await store.read(head_to_heads, guild, [first.discord_id, second.discord_id], measure)
    return found


async def merge(store: Store, record: Person, into: Person) -> None:
    """Make somebody's record count as somebody else's."""
    first, second = await store.write(club.player_ids, GUILD, [record, into])
    proposal = await store.read(ledger.propose_merge, GUILD, first, second)
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def test_a_history_is_in_the_order_of_rating_at_the_times_of_play(store: Store) -> None:
    late = await submit(store, report(played_at=NOW - 100))
    early = await submit(store, report((10_000, 20_000, 30_000, 40_000), played_at=NOW - 5000))
    unranked = await submit(store, report(ranked=False, played_at=NOW - 50))
    last = await submit(store, report(played_at=NOW - 10))
    for game in (late, early, unranked, last):
        await approve(store, game)
    rank = await course(store, ANN, Measure.RANK_4P)
    assert [step.at for step in rank] == [NOW - 100, NOW - 100, NOW - 10]
    assert [(step.rank, step.value) for step in rank] == [(1, 0), (1, 0), (2, 0)]
    now = await standing(store, ANN)
    assert now is not None
    rating = await course(store, ANN, Measure.RATING_4P)
    assert rating[0] == Step(NOW - 100, 1530.0)
    assert rating[-1].value == now.rating
    assert len(rating) == now.games == 3
    assert await course(store, ANN, Measure.RATING_3P) == []
    assert await course(store, ANN, Measure.RANK_4P, NEIGHBOURS) == []
    assert await course(store, EMI, Measure.RANK_4P) == []


async def test_a_corrected_game_leaves_the_history(store: Store) -> None:
    first = await approve(store, await submit(store, report()))
    await approve(store, await submit(store, report((30_000, 40_000, 20_000, 10_000))))
    proposal = await store.read(ledger.propose_void, GUILD, first.id, "slip")
    await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)
    (step,) = await course(store, BORIS, Measure.RATING_4P)
    assert step.value == 1530.0


async def test_three_players_and_american_hands_have_histories_of_their_own(store: Store) -> None:
    ids = await this_years_card(store)
    await approve(store, await submit(store, report((50_000, 35_000, 20_000))))
    await approve(store, await submit_hand(store, hand(ids["Three bends"], won_by=WonBy.SELF_PICK)))
    (three,) = await course(store, ANN, Measure.RANK_3P)
    (american,) = await course(store, ANN, Measure.AMERICAN)
    profile = await store.read(boards.profile, GUILD, SystemName.NMJL, ANN.discord_id)
    assert profile is not None
    assert (three.rank, three.value) == (1, 0)
    assert american.value == profile.standing.rating
    assert american.rank is None


async def test_both_accounts_of_one_person_have_one_history(store: Store) -> None:
    await approve(store, await submit(store, report()))
    await approve(store, await submit(store, report((40_000, 30_000, 20_000, 10_000), (EMI, BORIS, CHIAKI, DORA))))
    await merge(store, EMI, ANN)
    mine = await course(store, ANN, Measure.RATING_4P)
    assert mine == await course(store, EMI, Measure.RATING_4P)
    assert len(mine) == 2
    assert (await beside(store, EMI, BORIS, Measure.RATING_4P)).together == 2


async def test_head_to_head_counts_all_games_at_one_table(store: Store) -> None:
    for told in (
        report((45_200, 30_100, 15_700, 9_000)),
        report((10_000, 40_000, 30_000, 20_000), ranked=False),
        report((40_000, 30_000, 20_000, 10_000), (ANN, EMI, CHIAKI, DORA)),
        report((50_000, 35_000, 20_000)),
    ):
        await approve(store, await submit(store, told))
    await submit(store)
    found = await beside(store, ANN, BORIS, Measure.RANK_4P)
    # 55.2 against 10.1 (first place takes the oka), then −40 against 50.
    places, points = Fraction(1 - 3, 2), Fraction(55_200 - 10_100 - 40_000 - 50_000, 2)
    assert (found.together, found.ahead, found.behind, found.ties) == (2, 1, 1, 0)
    assert found.place_difference == places
    assert found.points_difference == points
    assert await beside(store, BORIS, ANN, Measure.RATING_4P) == HeadToHead(2, 1, 1, -places, -points)
    assert (await beside(store, ANN, BORIS, Measure.RANK_3P)).together == 1
    assert (await beside(store, BORIS, EMI, Measure.RANK_4P)).together == 0
    assert (await beside(store, ANN, BORIS, Measure.RANK_4P, NEIGHBOURS)).together == 0


async def test_shared_places_are_ties(store: Store) -> None:
    await choose(store, shared_places=True)
    await approve(store, await submit(store, report((30_000, 30_000, 20_000, 20_000))))
    found = await beside(store, ANN, BORIS, Measure.RANK_4P)
    assert (found.ahead, found.behind, found.ties) == (0, 0, 1)
    assert found.place_difference == 0


async def test_in_american_hands_whoever_wins_comes_in_ahead(store: Store) -> None:
    ids = await this_years_card(store)
    for winner in (ANN, BORIS, BORIS, CHIAKI, None):
        line = None if winner is None else ids["Three bends"]
        await approve(store, await submit_hand(store, hand(line, winner=winner, won_by=WonBy.UNRECORDED)))
    found = await beside(store, ANN, BORIS, Measure.AMERICAN)
    assert (found.together, found.ahead, found.behind, found.ties) == (5, 1, 2, 2)
    assert found.points_difference is None


# --- tournament ratings ---

CUPS = (
    (date(2020, 3, 1), {"Анна": 1, "Белла": 12, "Вера": 30, "Галя": 40}),
    (date(2023, 3, 5), {"Анна": 2, "Белла": 10, "Вера": 31}),
    (date(2023, 9, 3), {"Анна": 20, "Белла": 1, "Галя": 3}),
    (date(2024, 6, 2), {"Анна": 1, "Вера": 2, "Галя": 25}),
    (date(2025, 2, 2), {"Анна": 7, "Белла": 8, "Вера": 9, "Галя": 10}),
)
TODAY = date(2025, 11, 30)
AFTERNOON = int(datetime(2025, 11, 30, 15, tzinfo=UTC).timestamp())
ANNA, BELLA = Person(101, "Аня"), Person(102, "Белла")


async def cups(store: Store) -> dict[str, int]:
    """Some years of tournaments; two of the players are members. The ids by name."""
    for number, (day, places) in enumerate(CUPS):
        await hold(store, GUILD, f"Cup {number}", day, places)
    ids = await players(store, GUILD)
    await store.write(entrants.link, GUILD, ids["Анна"], ANNA)
    await store.write(entrants.link, GUILD, ids["Белла"], BELLA)
    return ids


async def test_a_tournament_rating_is_that_of_the_table_on_each_day(store: Store) -> None:
    ids = await cups(store)
    listed = 0
    for person, name in ((ANNA, "Анна"), (BELLA, "Белла")):
        steps = await course(store, person, Measure.RR, now=AFTERNOON)
        known = {datetime.fromtimestamp(step.at, UTC).date(): step.value for step in steps}
        assert list(known) == sorted(known)
        for number in range(0, LONGEST_RANKING.days + 1, 23):
            day = TODAY - timedelta(number)
            view = await store.read(rankings.ranking, GUILD, Ranking.RR, day)
            rows = [row.rating for row in view.table.rows if row.player_id == ids[name]]
            listed += len(rows)
            assert rows == [known[max(each for each in known if each <= day)] for _ in rows]
            assert rows or day not in known
        # Of today there is a step for whoever is listed, whether or not the rating moved.
        assert (TODAY in known) == (person is ANNA)
        assert all(before != after for before, after in pairwise(list(known.values())[:-1]))
    assert listed > 40
    assert await course(store, ANNA, Measure.ONLINE, now=AFTERNOON) == []
    assert await course(store, KAI, Measure.RR, now=AFTERNOON) == []


async def test_tournaments_together_are_those_that_both_finished(store: Store) -> None:
    await cups(store)
    await hold(store, GUILD, "Night online", date(2025, 3, 2), {"Аня": 2, "Белла": 1}, online=True)
    await hold(store, GUILD, "Filled up", date(2025, 4, 6), {"Аня": 2, "Белла": 1}, replacements=("Белла",))
    await store.write(tournaments.remove, GUILD, 2, KAI, NOW)
    live = await beside(store, ANNA, BELLA, Measure.RR)
    assert (live.together, live.ahead, live.behind) == (3, 2, 1)
    assert live.place_difference == Fraction(11 - 19 + 1, 3)
    assert live.points_difference is None
    assert (await beside(store, ANNA, BELLA, Measure.ONLINE)).behind == 1


# --- drawing ---

TEXTS, TOKYO = texts_for(None), ZoneInfo("Asia/Tokyo")
SLOW = (sys.executable, "-c", "import sys; sys.stdin.read(); sys.stdout.write('x'); sys.stdout.flush(); input()")


def drawing() -> Drawing:
    """A small chart."""
    points = [Point(1_700_000_000 + DAY * day, 1500 + 10 * day) for day in range(5)]
    return history_drawing(TEXTS, "R", Curve("千秋", points), Figures(), TOKYO)


async def test_a_chart_is_drawn_outside_of_this_process() -> None:
    threads: list[str] = []

    def lay_out() -> Drawing:
        threads.append(threading.current_thread().name)
        return drawing()

    png = await Charts().draw(lay_out)
    assert png[:8] == PNG
    assert struct.unpack(">II", png[16:24]) == (WIDTH, HEIGHT)
    assert png == drawing().png()
    assert threads != ["MainThread"]


async def test_one_chart_is_drawn_at_a_time() -> None:
    charts, running, most = Charts(), 0, 0

    def lay_out() -> Drawing:
        nonlocal running, most
        running += 1
        most = max(most, running)
        found = drawing()
        running -= 1
        return found

    assert len(set(await asyncio.gather(*(charts.draw(lay_out) for _ in range(4))))) == 1
    assert most == 1


@pytest.mark.parametrize(
    "program",
    [
        (sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"),
        (sys.executable, "-c", "raise SystemExit('no such library')"),
        (sys.executable, "-c", "print('not a picture')"),
        ("/nowhere/python", "-c", ""),
    ],
)
async def test_a_program_that_fails_is_no_picture_and_the_next_one_is(program: tuple[str, ...]) -> None:
    charts = Charts(program=program)
    with pytest.raises(ChartFailed):
        await charts.draw(drawing)
    charts._program = PROGRAM
    assert (await charts.draw(drawing))[:8] == PNG


async def test_a_program_that_hangs_is_ended_at_the_deadline() -> None:
    charts = Charts(deadline=0.3, program=SLOW)
    with pytest.raises(ChartFailed):
        await charts.draw(drawing)
    assert charts._process is None


async def test_closing_ends_what_is_being_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    charts, started = Charts(program=(sys.executable, "-c", "input()")), asyncio.Event()
    start = asyncio.create_subprocess_exec

    async def watched(*args: Any, **options: Any) -> asyncio.subprocess.Process:
        process = await start(*args, **options)
        asyncio.get_running_loop().call_soon(started.set)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", watched)
    drawn = asyncio.create_task(charts.draw(drawing))
    await started.wait()
    await charts.close()
    with pytest.raises(ChartFailed):
        await drawn
    with pytest.raises(ChartFailed):
        await charts.draw(drawing)


# --- on Discord ---


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
    await evening.discord.until(lambda: bool(interaction.reply and interaction.reply["attachments"]))
    assert not interaction.ephemeral
    cog: Any = evening.bot.get_cog("HistoryCog")
    cog.charts._program = (sys.executable, "-c", "raise SystemExit(1)")
    failed = await evening.as_("Ann").slash("history", evening.channels["mahjong"])
    await evening.discord.until(lambda: bool(failed.reply and failed.reply["content"]))
    assert "could not be drawn" in reply(failed)["content"]
