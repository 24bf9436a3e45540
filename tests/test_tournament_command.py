"""/tournament on the local Discord: entered result by result, corrected, removed and undone, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from ratings.store import tables
from ratings.systems.russian import Ranking
from ratings.tournaments import rankings, readers
from tests.answer_help import embed
from tests.club_evening import Club, Evening, reply
from tests.resultsfile_help import text_file
from tests.tournament_evening import DAY, FILES, act, bring, described, field, said, two_cups


async def test_a_tournament_is_entered_result_by_result(evening: Evening) -> None:
    added = await act(evening, "tournament add", name="Club Cup", last_day="yesterday", participants=12, hanchan=3)
    assert embed(added)["title"] == "Tournament #1 is entered"
    assert field(added, "Counts in")[1] == "➖ CRR: it counts once it has results of players who are listed."
    unknown = await act(evening, "tournament result", tournament="1", player="Анна Белова", place=2)
    assert said(unknown).startswith("I know no player “Анна Белова”, nor anybody of a similar name.")
    assert said(unknown).endswith("For somebody new, add new_player: True.")
    done = await act(
        evening,
        "tournament result",
        tournament="1",
        player="Анна Белова",
        place=2,
        score="1 234,5",
        new_player=True,
    )
    assert embed(done)["title"] == "Tournament #1: a result is entered"
    assert described(done) == ["**Club Cup**", "Анна Белова: place 2, score 1234.5"]
    assert field(done, "Counts in")[1] == "✅ CRR: it counts in full."
    mention = f"<@{evening.users['Dora']['id']}>"
    await act(evening, "tournament result", tournament="t:1", player=mention, place=1)
    corrected = await act(
        evening, "tournament result", tournament="club cup", player="Анна Белова", place=3, replacement=True
    )
    assert embed(corrected)["title"] == "Tournament #1: a result is corrected"
    assert described(corrected)[1] == (
        "Анна Белова: place 2, score 1234.5 → place 3, score 1234.5, replacement player"
    )
    same = await act(evening, "tournament result", tournament="1", player="Анна Белова", place=3)
    assert said(same) == "It is so already; nothing has changed."
    near = await act(evening, "tournament result", tournament="1", player="Anna Belova", place=4)
    assert "Do you mean one of these: Анна Белова (RU)?" in said(near)
    for place, words in ((13, "There is no place 13 among 12 participants."), (1, None)):
        answer = await act(evening, "tournament result", tournament="1", player="Анна Белова", place=place)
        assert words is None or words in said(answer)
    crowded = await act(evening, "tournament result", tournament="1", player="Kai", place=2)
    assert said(crowded).startswith("Place 2 cannot be: those who share a place take up the places after it")
    bad = await act(evening, "tournament result", tournament="1", player="Kai", place=5, score="1,234")
    assert "I cannot read “1,234” as a score." in said(bad)
    out = await act(evening, "tournament unresult", tournament="1", player="Dora")
    assert described(out)[1] == "Dora: place 1 → no result"
    missing = await act(evening, "tournament unresult", tournament="1", player="Dora")
    assert said(missing) == "The player has no result in tournament #1; nothing has changed."
    robot = f"<@{evening.discord.world.bot['id']}>"
    refused = await act(evening, "tournament result", tournament="1", player=robot, place=9)
    assert "is a bot and cannot have played" in said(refused)


async def test_an_edit_shows_old_and_new_and_whose_ratings_moved(evening: Evening) -> None:
    await two_cups(evening)
    await bring(
        evening,
        text_file(("place", "player"), (1, "Игрок 16"), (2, "Игрок 01")),
        name="Winter",
        accredited=True,
        participants=16,
    )
    done = await act(
        evening,
        "tournament edit",
        tournament="Winter",
        hanchan=12,
        name="Winter *Cup*",
        last_day=f"{DAY - timedelta(1)}",
        unknown="open_share",
        reason="the **poster** says so",
    )
    assert embed(done)["title"] == "Tournament #3 is corrected"
    assert described(done) == [
        "**Winter \\*Cup\\***",
        "name: Winter → Winter \\*Cup\\*",
        f"last day: {DAY} → {DAY - timedelta(1)}",
        "hanchan: 8 → 12",
        "Reason: the \\*\\*poster\\*\\* says so",
    ]
    moved = field(done, "Ratings")
    assert moved[0] == "**RR**: 16 players moved"
    assert moved[4] == "**CRR**: 16 players moved"
    assert all("→" in line for line in (*moved[1:4], *moved[5:]))
    stages = await act(evening, "tournament edit", tournament="3", stages="16x6 4x6", unknown="hanchan")
    assert described(stages)[1:] == ["hanchan: 12 → unknown", "stages: none → 16×6, 4×6"]
    nothing = await act(evening, "tournament edit", tournament="3")
    assert said(nothing) == "Say what to correct, each fact in its option. Nothing has changed."
    wrong = await act(evening, "tournament edit", tournament="3", participants=1000)
    assert said(wrong).startswith("The stages do not fit. The first one has all 1000 participants")


async def ranking(evening: Evening) -> list[str]:
    """The names and rounded ratings of RR today."""
    view = await evening.store.read(rankings.ranking, evening.id, Ranking.RR, DAY)
    return [f"{view.names[row.player_id]} {row.rating:.0f}" for row in view.table.rows]


async def test_a_removed_tournament_moves_ratings_and_undo_brings_all_back(evening: Evening) -> None:
    await two_cups(evening)
    before = await ranking(evening)
    gone = await act(evening, "tournament remove", tournament="Autumn", reason="played by other rules")
    assert embed(gone)["title"] == "Tournament #2 is removed"
    assert described(gone)[-1] == "Reason: played by other rules"
    told = field(gone, "Ratings")
    assert [told[0], told[4]] == ["**RR**: 16 players moved", "**CRR**: 16 players moved"]
    assert [line.split(":")[0] for line in told[1:4]] == ["Игрок 01", "Игрок 02", "Игрок 03"]
    assert all(line.endswith(", no longer listed") for line in (*told[1:4], *told[5:]))
    assert await ranking(evening) == []
    refused = await act(evening, "tournament remove", tournament="2")
    assert said(refused).startswith("Tournament #2 is removed; /tournament restore brings it back.")
    undone = await act(evening, "tournament undo", tournament="2")
    assert embed(undone)["title"] == "Tournament #2: the newest change is taken back"
    assert described(undone)[-1] == "counts again"
    assert await ranking(evening) == before
    await act(evening, "tournament remove", tournament="2")
    back = await act(evening, "tournament restore", tournament="2")
    assert embed(back)["title"] == "Tournament #2 counts again"
    assert field(back, "Ratings")[0] == "**RR**: 16 players moved"
    assert field(back, "Ratings")[1] == told[1].replace(":", ": new,").removesuffix(", no longer listed")
    assert await ranking(evening) == before
    # The restoring is itself undone, and before it the removal: then nothing is left.
    for _ in range(2):
        assert "taken back" in embed(await act(evening, "tournament undo", tournament="2"))["title"]
    assert await ranking(evening) == before
    assert said(await act(evening, "tournament undo", tournament="2")).startswith(
        "Nothing is left to undo: tournament #2 stands as it was first entered."
    )


# Who may, and whose it is


CHANGES: Sequence[tuple[str, dict[str, Any]]] = (
    ("tournament import", {"file": ("x.csv", FILES["comma.csv"]), "name": "X", "last_day": "yesterday"}),
    ("tournament add", {"name": "X", "last_day": "yesterday", "participants": 8}),
    ("tournament result", {"tournament": "1", "player": "Boris Green", "place": 1}),
    ("tournament unresult", {"tournament": "1", "player": "Boris Green"}),
    ("tournament edit", {"tournament": "1", "hanchan": 1}),
    ("tournament remove", {"tournament": "1"}),
    ("tournament restore", {"tournament": "1"}),
    ("tournament undo", {"tournament": "1"}),
    ("players alias", {"player": "Boris Green", "name": "Bo"}),
    ("players unalias", {"player": "Boris Green", "name": "Bo"}),
    ("players edit", {"player": "Boris Green", "country": "FR"}),
)


async def test_members_without_the_right_look_and_change_nothing(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    before = await evening.store.read(_tables)
    for command, options in (
        *CHANGES,
        ("players link", {"player": "Boris Green", "member": evening.users["Dora"]}),
    ):
        answer = await act(evening, command, by="Dora", **options)
        assert said(answer).startswith("Only admins can do this"), command
        assert answer.ephemeral
    assert await evening.store.read(_tables) == before
    for command, options in (
        ("tournament show", {"tournament": "1"}),
        ("tournament list", {}),
        ("tournament export", {"tournament": "1"}),
        ("players show", {"player": "Boris Green"}),
    ):
        assert "Only admins" not in str(reply(await act(evening, command, by="Dora", **options)))


def _tables(connection: sa.Connection) -> list[list[tuple[Any, ...]]]:
    looked_at = [tables.tournaments, tables.tournament_results, tables.tournament_changes, tables.player_aliases]
    told = [
        [tuple(row) for row in connection.execute(sa.select(table).order_by(table.c[0]))] for table in looked_at
    ]
    people_query = sa.select(tables.players.c.id, tables.players.c.country).order_by(tables.players.c.id)
    return [*told, [tuple(row) for row in connection.execute(people_query)]]


async def test_two_clubs_have_tournaments_and_players_of_their_own(evening: Evening) -> None:
    other = Club(evening.discord, "Ume", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await bring(evening, FILES["comma.csv"], new_players=True)
    assert said(await act(other, "tournament show", tournament="1")).startswith("I know no tournament “1”")
    answer = await bring(other, FILES["comma.csv"])
    assert described(answer)[0] == "Row 2: I do not know “Анна Белова”."
    for command, options in CHANGES[2:]:
        assert said(await act(other, command, **options)).startswith("I know no "), command
    assert embed(await act(other, "tournament list"))["description"].startswith("No tournaments yet.")
    done = await bring(other, FILES["comma.csv"], new_players=True)
    assert embed(done)["title"] == "Tournament #1 is imported"
    await act(other, "tournament remove", tournament="1")
    assert not (await evening.store.read(readers.record, evening.id, 1)).removed
