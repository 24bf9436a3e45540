"""/tournament show, list and export: everything there is to know, in pages, and back into a file."""

from __future__ import annotations

from typing import Any

from ratings.resultsfile import read_results
from tests.answer_help import attached, embed
from tests.club_evening import Evening, reply
from tests.resultsfile_help import text_file
from tests.tournament_evening import CAST, DAY, EARLIER, FILES, act, bring, described, field, lines, said, two_cups


async def test_a_tournament_is_shown_with_all_there_is_to_know(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True, ema=True, country="Japan")
    await act(evening, "tournament edit", tournament="1", hanchan=9, reason="recount")
    await act(evening, "tournament result", tournament="1", player=CAST[3], place=4, replacement=True)
    await act(evening, "tournament undo", tournament="1")
    shown = await act(evening, "tournament show", by="Dora", tournament="Кубок Невы")
    assert not shown.ephemeral
    assert embed(shown)["title"] == "#1 \u2068Кубок Невы\u2069"
    assert described(shown) == [
        f"{DAY} · JP · at the table · 4 players · 9 hanchan · official EMA event · not accredited",
        "",
        "`  1.` Анна Белова · RU · 45.5 · 8 games",
        "`  2.` Boris Green · GB · 1.5 · 8 games",
        "`  3.` Clara Weiß · DE · −10 · 8 games",
        "`  4.` Дина Юрьева · RU · −37 · 6 games",
    ]
    assert field(shown, "Counts in") == [
        "✅ RR: it counts in full.",
        "✅ CRR: it counts in full.",
        "➖ Online: it was not played online.",
    ]
    done = field(shown, "What was done")
    assert [line.split("` ")[1] for line in done if line.startswith("`")] == [
        "Kai: took a change back",
        "Kai: changed a result · taken back since",
        "Kai: edited the facts",
        "Kai: imported 4 results",
    ]
    assert "-# hanchan: 8 → 9" in done
    assert "-# “recount”" in done
    assert "-# Дина Юрьева: place 4, score −37, 6 games → place 4, score −37, 6 games, replacement player" in done
    await act(evening, "tournament remove", tournament="1")
    shown = await act(evening, "tournament show", by="Dora", tournament="#1")
    assert embed(shown)["title"].endswith("· removed")
    assert field(shown, "Counts in") == ["It is removed and counts nowhere; /tournament restore brings it back."]


async def test_three_hundred_players_and_a_long_trail_are_paged(evening: Evening) -> None:
    rows = [("place", "player", "country"), *((place, f"Игрок {place:03}", "RU") for place in range(1, 301))]
    await bring(evening, text_file(*rows), new_players=True, accredited=True)
    for hanchan in range(9, 24):
        await act(
            evening, "tournament edit", tournament="1", hanchan=hanchan, reason=f"**{hanchan}** " + "x" * 400
        )
    shown = await act(evening, "tournament show", tournament="1")
    assert embed(shown)["footer"]["text"].startswith("300 results · page 1 of ")
    seen, done = [], []
    pages = int(embed(shown)["footer"]["text"].rsplit(" ", 1)[1])
    for page in range(1, pages + 1):
        assert f"page {page} of {pages}" in embed(shown)["footer"]["text"]
        seen += [line.split("Игрок ")[1][:3] for line in described(shown) if line.startswith("`")]
        done += [
            line
            for each in embed(shown)["fields"]
            if each["name"] == "What was done"
            for line in each["value"].splitlines()
            if line.startswith("`")
        ]
        if page < pages:
            await evening.as_("Dora").click(reply(shown), label="▶")
    assert seen == [f"{place:03}" for place in range(1, 301)]
    assert len(done) == 16
    listed = await act(evening, "tournament list")
    assert described(listed)[0] == "`#1` **Кубок Невы**"


NASTY = (
    "*" * 100,
    "[x](https://e.org) <@&123456789012345678> @everyone `牌`",
    "\u202e" + "_~|" * 30,
    "Z̸" * 49,
    "🀄" * 60,
    "千" * 100,
)


async def test_names_with_markup_emoji_and_no_end_are_shown_letter_for_letter(evening: Evening) -> None:
    rows: list[tuple[Any, ...]] = [("place", "player", "country", "score", "games")]
    rows += [
        (place, f"{name[:96]} {place}", "RU", "-1234567.123456", 99) for place, name in enumerate(NASTY * 7, 1)
    ]
    name = "_*~`|<@&123456789012345678>" * 3
    done = await bring(
        evening,
        text_file(*rows),
        name=name,
        new_players=True,
        first_day=f"{EARLIER}",
        hanchan=18,
        stages="42x9 9x9",
    )
    assert embed(done)["title"] == "Tournament #1 is imported"
    for place in range(1, 7):
        long = "*" * 96 + f" {[1, 7, 13, 19, 25, 31][place - 1]}"
        await act(evening, "tournament edit", tournament="1", name=f"{name[:90]}{place}", reason="`" * 500)
        await act(evening, "tournament unresult", tournament="1", player=long)
    shown = await act(evening, "tournament show", tournament="1")
    pages = int(embed(shown)["footer"]["text"].rsplit(" ", 1)[1])
    text = ""
    for page in range(1, pages + 1):
        text += embed(shown)["description"]
        if page < pages:
            await evening.as_("Dora").click(reply(shown), label="▶")
    assert "@everyone" not in text
    assert "\\[x\\]\\(https\\://e.org\\)" in text
    for command, options in (
        ("tournament list", {}),
        ("tournament export", {"tournament": "1"}),
        ("players show", {"player": NASTY[4] + " 5"}),
        ("tournament show", {"tournament": "*" * 100}),
        ("players show", {"player": "`" * 100}),
    ):
        answer = await act(evening, command, **options)
        assert answer.reply is not None, command
    unknown = [("place", "player"), *((place, f"{name[:90]} {-place}") for place, name in enumerate(NASTY * 7, 1))]
    answer = await bring(evening, text_file(*unknown), name="Second")
    assert "is not imported: 42 problems" in embed(answer)["title"]


async def test_what_is_chosen_is_offered_while_typing(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "tournament remove", tournament="1")
    kai, channel = evening.as_("Kai"), evening.channels["mahjong"]

    async def offered(command: str, option: str, text: str = "") -> list[tuple[str, str]]:
        return [(each["name"], each["value"]) for each in await kai.autocomplete(command, channel, option, text)]

    assert await offered("tournament show", "tournament") == [
        (f"#2 Autumn · {DAY}", "t:2"),
        (f"#1 Spring · {EARLIER} · removed", "t:1"),
    ]
    assert await offered("tournament edit", "tournament") == [(f"#2 Autumn · {DAY}", "t:2")]
    assert await offered("tournament restore", "tournament") == [(f"#1 Spring · {EARLIER} · removed", "t:1")]
    assert await offered("tournament show", "tournament", "#1") == [(f"#1 Spring · {EARLIER} · removed", "t:1")]
    ((name, value),) = await offered("tournament result", "player", "игрок 07")
    assert name == "Игрок 07 · RU · 1 tournament · not on Discord"
    done = await act(evening, "tournament result", tournament="t:2", player=value, place=7, score="5")
    assert described(done)[1] == "Игрок 07: place 7 → place 7, score 5"
    everybody = [name for name, _ in await offered("tournament result", "player")]
    assert "Kai · 0 tournaments" in everybody
    # Whoever has an account needs no link.
    unlinked = [name for name, _ in await offered("players link", "player")]
    assert unlinked == [name for name in everybody if name.endswith("not on Discord")]
    assert len(unlinked) == 16


async def test_a_name_of_several_tournaments_is_asked_back(evening: Evening) -> None:
    await two_cups(evening)
    await act(evening, "tournament edit", tournament="1", name="Autumn")
    answer = await act(evening, "tournament show", tournament="autumn")
    assert said(answer) == (
        "Several tournaments are called “autumn”: #2 Autumn, #1 Autumn. Choose it while you type, or write its "
        "number. Nothing has changed."
    )
    near = await act(evening, "tournament show", tournament="Autum")
    assert "Do you mean one of these: #2 Autumn, #1 Autumn?" in said(near)
    none = await act(evening, "tournament show", tournament="t:77")
    assert said(none).startswith("I know no tournament “t\\:77”; /tournament list shows all.")


async def test_an_export_goes_back_in(evening: Evening) -> None:
    await bring(evening, FILES["comma.csv"], new_players=True)
    await act(evening, "players link", player=CAST[0], member=evening.users["Ann"])
    await act(evening, "tournament result", tournament="1", player=CAST[3], place=4, replacement=True)
    before = await lines(evening)
    exported = await act(evening, "tournament export", by="Dora", tournament="1")
    assert said(exported).splitlines() == [
        f"**Кубок Невы** · {DAY} · RU · at the table · 4 players · 8 hanchan · not accredited",
        "4 results",
        "/tournament import reads the file back; these facts go into its options.",
    ]
    name, data = attached(evening, exported)
    assert name == "tournament-1.csv"
    assert [row.replacement for row in read_results(data).rows] == [False, False, False, True]
    await act(evening, "tournament remove", tournament="1")
    done = await bring(evening, data)
    assert embed(done)["title"] == "Tournament #2 is imported"
    assert described(done)[2] == "4 results · 1 replacement player"
    assert await lines(evening, 2) == before
    assert attached(evening, await act(evening, "tournament export", tournament="2"))[1] == data
    await act(evening, "tournament unresult", tournament="2", player=CAST[1])
    partial = await act(evening, "tournament export", tournament="2")
    assert "The results are not complete (3 of 4)." in said(partial)
