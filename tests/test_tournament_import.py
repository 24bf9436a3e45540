"""/tournament import: a file of each kind goes in, with the members, days and stages that it names."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.render.tournament_verdicts import verdict_text
from bot.texts import texts_for
from ratings.systems.russian import Ranking
from ratings.tournaments import players as people
from ratings.tournaments import rankings
from tests.answer_help import attached, embed
from tests.club_evening import Evening, reply
from tests.resultsfile_help import text_file
from tests.tournament_evening import (
    CAST,
    DAY,
    EARLIER,
    FILES,
    HEADER,
    act,
    bring,
    described,
    entered,
    field,
    ids,
    lines,
    said,
)


@pytest.mark.parametrize("name", FILES)
async def test_a_file_of_each_kind_goes_in(evening: Evening, name: str) -> None:
    done = await bring(evening, b"", file=(name, FILES[name]), new_players=True)
    assert done.ephemeral
    assert embed(done)["title"] == "Tournament #1 is imported"
    told = described(done)
    assert told[:3] == [
        "**Кубок Невы**",
        f"{DAY} · RU · at the table · 4 players · 8 hanchan · not accredited",
        "4 results",
    ]
    assert told[3].startswith("4 new records: ")
    assert all(player in told[3] for player in CAST)
    assert [
        (place, player, float(score), number, home) for place, player, score, number, home in await lines(evening)
    ] == [
        (1, CAST[0], 45.5, 8, "RU"),
        (2, CAST[1], 1.5, 8, "GB"),
        (3, CAST[2], -10, 8, "DE"),
        (4, CAST[3], -37, 6, "RU"),
    ]
    assert field(done, "Counts in") == [
        "➖ RR: it takes 16 players.",
        "➖ CRR: it takes 12 players.",
        "➖ Online: it was not played online.",
    ]


async def test_windows_1251_and_ties_without_places(evening: Evening) -> None:
    rows = [("Игрок", "Счёт"), ("Анна", "10,5"), ("Борис", "10,5"), ("Вера", "-21"), ("Глеб", "30")]
    done = await bring(evening, text_file(*rows, delimiter=";", encoding="cp1251"), new_players=True)
    assert described(done)[-1].startswith("The file has no places, so I worked them out")
    assert [line[:2] for line in await lines(evening)] == [(1, "Глеб"), (2, "Анна"), (2, "Борис"), (4, "Вера")]


async def test_unknown_names_are_listed_with_what_is_near_and_nothing_is_written(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    rows = [("place", "player"), (1, "Anna Belova"), (2, "green boris"), (3, "Клара Вайс"), (4, "Юрева Дина")]
    rows += [(5, "Boris Green"), (6, "_Нов*ичок_ 🀄")]
    second: dict[str, Any] = {
        "name": "Second",
        "first_day": (DAY - timedelta(1)).isoformat(),
        "country": "Germany",
        "open_share": 60,
    }
    answer = await bring(evening, text_file(*rows), **second)
    assert embed(answer)["title"] == "The tournament is not imported: 5 problems"
    assert described(answer) == [
        "Row 2: I do not know “Anna Belova”. Near it: “Анна Белова”",
        "Row 3: I do not know “green boris”. Near it: “Boris Green”",
        "Row 4: I do not know “Клара Вайс”. Near it: “Clara Weiß”",
        "Row 5: I do not know “Юрева Дина”. Near it: “Дина Юрьева”",
        "Row 7: I do not know “\\_Нов\\*ичок\\_ 🀄”.",
        "",
        "Nothing was changed.",
        "Unknown names: correct in the file what is mistyped. If a name is another spelling of a known player, "
        "/players alias makes it known. If all the others are new players, import again with new_players: True.",
    ]
    assert field(answer, "What I understood") == [
        "**Second**",
        f"{DAY - timedelta(1)} – {DAY} · DE · at the table · 6 players · 8 hanchan · not accredited · "
        "60% of the seats open",
        "6 rows of results",
    ]
    assert reply(answer)["attachments"] == []
    assert await entered(evening) == 1
    # What the answer says to do next works.
    for player, name in (("Анна Белова", "Anna Belova"), ("Boris Green", "green boris")):
        assert "from now on" in said(await act(evening, "players alias", player=player, name=name))
    rows[3], rows[4], rows[5] = (3, CAST[2]), (4, CAST[3]), (5, "Новая Игрица")
    done = await bring(evening, text_file(*rows), **{**second, "new_players": True})
    assert described(done)[3] == "2 new records: Новая Игрица, \\_Нов\\*ичок\\_ 🀄"


async def test_three_hundred_unknown_names_come_as_a_file(evening: Evening) -> None:
    rows = [("place", "player"), *((place, f"Игрок_{place} **Новый**") for place in range(1, 301))]
    answer = await bring(evening, text_file(*rows))
    shown = [line for line in described(answer) if line.startswith("Row ")]
    assert 20 < len(shown) < 300
    rest = 300 - len(shown)
    assert f"… and {rest} more problems; the attached file lists them all." in described(answer)
    name, data = attached(evening, answer)
    assert name == "import-problems.txt"
    listed = [line for line in data.decode().splitlines() if line.startswith("Row ")]
    assert listed[0] == "Row 2: I do not know “Игрок_1 **Новый**”."
    assert len(listed) == 300
    done = await bring(evening, text_file(*rows), new_players=True)
    assert described(done)[2:4][0] == "300 results"
    assert described(done)[3].startswith("300 new records: ")
    assert described(done)[3].endswith(", …")
    again = await bring(evening, text_file(*rows), name="Second")
    assert described(again)[2] == "300 results"


async def test_who_is_at_home_nowhere_is_named_in_the_answer(evening: Evening) -> None:
    done = await bring(evening, FILES["russian.csv"], new_players=True)
    assert "Nobody knows which country" not in embed(done)["description"]
    rows = [HEADER[:2], *((place, f"Guest {place}") for place in range(1, 5))]
    done = await bring(evening, text_file(*rows), name="Away", country="DE", new_players=True)
    assert (
        "Nobody knows which country they are from, so RR and CRR cannot list them: Guest 1, Guest 2, Guest 3, "
        "Guest 4. /players edit tells it."
    ) in described(done)


async def test_a_tournament_that_ends_tomorrow_counts_from_then_on(evening: Evening) -> None:
    verdict = rankings.Verdict(Ranking.RR, None, 0, False)
    english, tomorrow = texts_for("en-GB"), DAY + timedelta(1)
    assert verdict_text(english, verdict, "RU", tomorrow, DAY) == (
        False,
        f"it counts from its last day on, {tomorrow}.",
    )
    assert verdict_text(english, verdict, "RU", EARLIER, DAY) == (False, "it is more than two years old.")


async def test_members_in_a_file_are_looked_up(evening: Evening) -> None:
    user = {name: evening.users[name]["id"] for name in ("Ann", "Борис", "Dora")}
    rows = [
        ("place", "player", "discord"),
        (1, "Анна Белова", f"<@{user['Ann']}>"),
        (2, "Boris Green", user["Борис"]),
    ]
    rows += [
        (3, "Stranger", "123456789012345678"),
        (4, "Robot", evening.discord.world.bot["id"]),
        (5, "Owner", "@Owner"),
    ]
    rows += [(6, "Dora", "@Dora"), (7, "Nobody", "")]
    answer = await bring(evening, text_file(*rows))
    advice = "is no member of this server. Write a mention or an id, or leave the cell empty."
    assert described(answer)[:4] == [
        f"Row 4: “123456789012345678” {advice}",
        f"Row 5: “{evening.discord.world.bot['id']}” is a bot and cannot have played.",
        # The owner, who has set something here, is known by name; Dora is not yet.
        "Row 7: I know no member called “\\@Dora”. Write a mention or an id, or leave the cell empty.",
        "Row 8: I do not know “Nobody”.",
    ]
    assert await entered(evening) == 0
    rows = [rows[0], rows[1], rows[2], (3, "Dora", user["Dora"])]
    assert "12 players" in described(await bring(evening, text_file(*rows), participants=12))[1]
    assert [line[:2] for line in await lines(evening)] == [(1, "Ann"), (2, "Борис"), (3, "Dora")]
    entry = await evening.store.read(people.entry, evening.id, (await ids(evening))["Ann"])
    assert (entry.discord_id, entry.aliases) == (int(user["Ann"]), ("Анна Белова",))


async def test_days_stages_and_the_home_country_as_members_write_them(evening: Evening) -> None:
    await act(evening, "settings set", name="home_country", value="Germany")
    written = f"{DAY:%d.%m.%Y}"
    done = await bring(
        evening, FILES["comma.csv"], last_day=written, hanchan=12, stages="4х8, 2 × 4", new_players=True
    )
    assert described(done)[1] == f"{DAY} · DE · at the table · 4 players · stages 4×8, 2×4 · not accredited"
    yesterday = await bring(evening, FILES["comma.csv"], last_day="вчера", first_day=f"{DAY:%d.%m.}")
    assert described(yesterday)[1].startswith(f"{DAY} – ")


async def test_a_tournament_is_imported_once(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    again = await bring(evening, FILES["book.xlsx"], name="КУБОК  НЕВЫ")
    assert said(again).startswith("There is one already: tournament #1, “Кубок Невы”, ended on the same day.")
    assert await entered(evening) == 1
