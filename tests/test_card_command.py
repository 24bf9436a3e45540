"""/card on the local Discord: importing, showing, exporting and activating the club's cards."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.render import cardfile as drawing
from bot.sandbox import Interaction
from bot.texts import texts_for
from ratings import cardfile, club, ledger
from ratings.cardfile import CardLine, Problem, ProblemKind
from ratings.models import AmericanReport, Person, Verdict, WonBy
from ratings.queries import cards
from ratings.store import tables
from tests.answer_help import attached, embed, files_fetched, lose_files
from tests.club_evening import Club, Evening, reply

EXAMPLE = (Path(__file__).parent.parent / "docs" / "example-card.csv").read_bytes()
HEADER = "year,section,section multiplier,line,points,concealed only,singles and pairs"
SMALL = ("2026,River Steps,1,Ford,25,no,no", "2026,River Steps,1,Weir,30,no,no", "2026,Walls,1.5,Gate,40,yes,yes")

_interactions = itertools.count(1)


def csv_of(*rows: str) -> bytes:
    """A file with these rows under the header."""
    return "\n".join((HEADER, *rows)).encode()


async def bring(where: Club, data: bytes, *, by: str = "Kai", name: str = "card.csv") -> Interaction:
    """A member imports a file."""
    return await where.as_(by).slash("card import", where.channels["mahjong"], file=(name, data))


async def card(where: Club, command: str, *, by: str = "Ann", **options: Any) -> Interaction:
    """A member uses another command of the group."""
    return await where.as_(by).slash(f"card {command}", where.channels["mahjong"], **options)


async def years(evening: Evening, where: Club | None = None) -> dict[int, int]:
    """The lines of a club's cards by year."""
    return dict(await evening.store.read(cards.years, (where or evening).id))


async def active(evening: Evening, where: Club | None = None) -> int | None:
    """The year of a club's active card."""
    return (await evening.store.read(club.settings, (where or evening).id)).card_year


async def won_with(evening: Evening, name: str) -> None:
    """Ann picks the last tile of this line of the active card herself, and Kai approves."""
    year = await active(evening)
    assert year is not None
    (line,) = [each for each in await evening.store.read(cards.lines, evening.id, year) if each.name == name]
    ann, dora, kai = (Person(int(evening.users[who]["id"]), who) for who in ("Ann", "Dora", "Kai"))
    now = int(time.time())
    report = AmericanReport(
        reporter=ann,
        players=(ann, dora),
        winner=ann,
        line_id=line.id,
        won_by=WonBy.SELF_PICK,
        discarder=None,
        used_jokers=False,
        concealed=None,
        played_at=now - 60,
        channel_id=int(evening.channels["mahjong"]["id"]),
        interaction_id=next(_interactions),
    )
    game = (await evening.store.write(ledger.submit_american, evening.id, report, now)).game
    await evening.store.write(ledger.decide, evening.id, game.id, Verdict.APPROVE, kai, now)


async def test_the_example_card_goes_in_is_shown_and_comes_out_as_it_was(evening: Evening) -> None:
    done = await bring(evening, EXAMPLE)
    assert done.ephemeral
    assert embed(done)["title"] == "The card is imported"
    assert embed(done)["description"].splitlines() == [
        "2026: 40 lines",
        "",
        "The club had no active card, so that of 2026 is active from now on.",
    ]
    exported = await card(evening, "export")
    name, data = attached(evening, exported)
    assert name == "card-2026.csv"
    assert reply(exported)["content"] == "The card of 2026: 40 lines."
    assert cardfile.read_card(data) == cardfile.read_card(EXAMPLE)
    before = await evening.store.read(cards.lines, evening.id, 2026)
    again = await bring(evening, data)
    assert "The card of 2026 is the active one." in embed(again)["description"]
    assert await evening.store.read(cards.lines, evening.id, 2026) == before
    assert attached(evening, await card(evening, "export", year=2026)) == (name, data)


async def test_every_line_is_on_one_page_of_the_card_and_buttons_turn_them(evening: Evening) -> None:
    await bring(evening, EXAMPLE)
    shown = await card(evening, "show")
    assert not shown.ephemeral
    page = embed(shown)
    assert page["title"] == "The card of 2026 · active"
    assert page["footer"]["text"] == "40 lines · page 1 of 3"
    text = page["description"]
    assert text.startswith("**\u2068Lantern Street\u2069** ×1\n` 25 X` \u2068First Lamp\u2069\n")
    assert "` 35 C` \u2068Every Lamp Lit\u2069\n" in text
    assert text.endswith("-# C: concealed only · X: may be exposed")
    pages = [text]
    for turn in (2, 3):
        await evening.as_("Dora").click(reply(shown), label="▶")
        assert embed(shown)["footer"]["text"] == f"40 lines · page {turn} of 3"
        pages.append(embed(shown)["description"])
    assert "**\u2068Quiet Pairs\u2069** ×1.5\n` 50 C` \u2068Seven Quiet Pairs\u2069 · no jokers" in pages[-1]
    listed = [row for page in pages for row in page.splitlines() if row.startswith("`")]
    lines = cardfile.read_card(EXAMPLE)
    assert len(listed) == 40
    for row, line in zip(listed, lines, strict=True):
        assert f"\u2068{line.name}\u2069" in row
        assert f"{line.points} {'C' if line.concealed_only else 'X'}`" in row
        assert ("no jokers" in row) == line.singles_and_pairs


async def test_lines_of_a_section_stand_together_however_the_file_mixes_them(evening: Evening) -> None:
    await bring(evening, csv_of(SMALL[0], SMALL[2], SMALL[1]))
    text = embed(await card(evening, "show"))["description"]
    assert [text.index(name) for name in ("River Steps", "Ford", "Weir", "Walls", "Gate")] == sorted(
        text.index(name) for name in ("River Steps", "Ford", "Weir", "Walls", "Gate")
    )
    assert text.count("River Steps") == 1
    assert [line.name for line in cardfile.read_card(attached(evening, await card(evening, "export"))[1])] == [
        "Ford",
        "Gate",
        "Weir",
    ]


async def test_a_file_with_ten_different_faults_is_answered_with_all_of_them(evening: Evening) -> None:
    data = csv_of(
        "2026,Rivers,1,Ford,25,,",
        "1936,Rivers,1,Bank,25,,",
        "2026,,1,Bank,25,,",
        "2026,Rivers,1,,25,,",
        f"2026,Rivers,1,{'x' * 61},25,,",
        "2026,Rivers,1,Weir,twenty,,",
        "2026,Walls,0.05,Gate,25,,",
        "2026,Rivers,1,Mill,25,may*be*,",
        "2026,Rivers,1,ford,30,,",
        "2026,Rivers,1.5,Lock,25,,",
        "2026,Rivers,1,@everyone,25,,",
    )
    answer = await bring(evening, data)
    assert answer.ephemeral
    assert embed(answer)["title"] == "The card is not imported: 10 problems"
    assert embed(answer)["description"].splitlines() == [
        "Row 3: “1936” is not a year from 1937 to 2100.",
        "Row 4: The section has no name.",
        "Row 5: The line has no name.",
        f"Row 6: “{'x' * 40}” is too long: a section has at most 40 characters, a line 60.",
        "Row 7: “twenty” is not a whole number of points from 1 to 500.",
        "Row 8: “0.05” is not a multiplier from 0.1 to 10.",
        "Row 9: “may\\*be\\*” is neither yes nor no.",
        "Row 10: The line “ford” is in this section and year already.",
        "Row 11: The section “Rivers” has another multiplier further up.",
        "Row 12: “\\@\u200beveryone” is a formula, not a name.",
        "",
        "Nothing was changed. Correct the file and import it again.",
    ]
    assert reply(answer)["attachments"] == []
    assert await years(evening) == {}
    assert await active(evening) is None


async def test_more_faults_than_an_answer_holds_come_as_a_file(evening: Evening) -> None:
    rows = [f"2026,S,1,Line {number},_{number}_,," for number in range(cardfile.MOST_ROWS)]
    answer = await bring(evening, csv_of(*rows))
    shown = embed(answer)["description"].splitlines()
    first = "Row 2: “\\_0\\_” is not a whole number of points from 1 to 500."
    assert shown[0] == first
    told = [row for row in shown if row.startswith("Row ")]
    assert f"… and {len(rows) - len(told)} more problems; the attached file lists them all." in shown
    assert len(told) > 40
    name, data = attached(evening, answer)
    assert name == "card-problems.txt"
    title, _, *listed, _, advice = data.decode().splitlines()
    assert title == embed(answer)["title"] == "The card is not imported: 2000 problems"
    assert listed == [
        f"Row {number + 2}: “_{number}_” is not a whole number of points from 1 to 500."
        for number in range(len(rows))
    ]
    assert advice == shown[-1]


@pytest.mark.parametrize("kind", ProblemKind)
def test_every_problem_has_a_sentence_of_its_own(kind: ProblemKind) -> None:
    english = texts_for("en-GB")
    told = drawing.sentence(english, Problem(7, kind, "{text}"), "{text}")
    whole = drawing.sentence(english, Problem(None, kind, "{text}"), "{text}")
    assert told == f"Row 7: {whole}"
    assert whole.endswith((".", "?"))
    # Only kinds that say something about the particular print it.
    assert ("{text}" in whole) == ("{text}" in str(Problem(None, kind, "{text}")))
    others = {drawing.sentence(english, Problem(None, other), "") for other in ProblemKind if other is not kind}
    assert drawing.sentence(english, Problem(None, kind), "") not in others


async def test_a_file_that_is_too_large_is_not_even_fetched(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = files_fetched(monkeypatch)
    large = csv_of(SMALL[0]).ljust(cardfile.LARGEST_FILE + 1, b"\n")
    answer = await bring(evening, large, name="large.csv")
    assert "The file is too large: a card has at most 2,000 rows and 1 MB." in embed(answer)["description"]
    await bring(evening, large[:-1], name="fits.csv")
    assert fetched == ["fits.csv"]
    assert await years(evening) == {2026: 1}


async def test_a_workbook_is_answered_with_how_to_save_it(evening: Evening) -> None:
    answer = await bring(evening, b"PK\x03\x04" + bytes(200), name="card.xlsx")
    assert "Save the card as “CSV UTF-8” and send that file." in embed(answer)["description"]


async def test_a_file_that_discord_does_not_give_changes_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_files(evening, monkeypatch)
    answer = await bring(evening, EXAMPLE)
    assert "Discord did not give me the file. Nothing was changed" in reply(answer)["content"]
    assert await years(evening) == {}


async def test_a_line_that_was_won_with_stays_while_the_card_gains_others(evening: Evening) -> None:
    await bring(evening, csv_of(*SMALL))
    await won_with(evening, "Ford")
    for rows in ([SMALL[0].replace("25", "35"), *SMALL[1:]], SMALL[1:]):
        answer = await bring(evening, csv_of(*rows, "2025,Old,1,Old,25,,"))
        told = reply(answer)["content"]
        assert answer.ephemeral
        assert all(word in told for word in ("“Ford”", "River Steps", "2026", "Leave them as they are"))
        assert await years(evening) == {2026: 3}
    grown = await bring(evening, csv_of("2026,Walls,1.5,Ivy,45,no,no", *SMALL))
    assert embed(grown)["description"].splitlines()[0] == "2026: 4 lines"
    names = [line.name for line in await evening.store.read(cards.lines, evening.id, 2026)]
    assert names == ["Ivy", "Ford", "Weir", "Gate"]


async def test_the_newest_year_of_the_first_import_becomes_active_and_later_ones_wait(evening: Evening) -> None:
    first = await bring(evening, csv_of("2024,S,1,A,25,,", "2025,S,1,A,25,,", "2025,S,1,B,25,,"))
    assert embed(first)["description"].splitlines() == [
        "2024: 1 line",
        "2025: 2 lines",
        "",
        "The club had no active card, so that of 2025 is active from now on.",
    ]
    second = await bring(evening, csv_of(*SMALL))
    assert embed(second)["description"].splitlines()[-1] == (
        "The card of 2025 is still the active one. /card activate 2026 changes that."
    )
    assert await active(evening) == 2025
    assert embed(await card(evening, "show"))["title"] == "The card of 2025 · active"
    assert embed(await card(evening, "show", year=2026))["title"] == "The card of 2026"


async def test_an_active_year_without_a_card_is_no_active_card(evening: Evening) -> None:
    kai = Person(int(evening.users["Kai"]["id"]), "Kai")
    await evening.store.write(club.change_settings, evening.id, {"card_year": 1999}, kai, int(time.time()))
    assert "The club has no card yet." in reply(await card(evening, "show"))["content"]
    done = await bring(evening, csv_of(*SMALL))
    assert "so that of 2026 is active from now on" in embed(done)["description"]


async def test_an_admin_activates_a_year_and_it_is_recorded(evening: Evening) -> None:
    await bring(evening, csv_of(*SMALL, "2025,S,1,A,25,,"), by="Rei")
    offered = await evening.as_("Kai").autocomplete("card activate", evening.channels["mahjong"], "year")
    assert [(choice["name"], choice["value"]) for choice in offered] == [
        ("2026 · 3 lines · active", 2026),
        ("2025 · 1 line", 2025),
    ]
    for command in ("activate", "show", "export"):
        offered = await evening.as_("Kai").autocomplete(
            f"card {command}", evening.channels["mahjong"], "year", "25"
        )
        assert [choice["value"] for choice in offered] == [2025]
    done = await card(evening, "activate", by="Kai", year=2025)
    assert reply(done)["content"] == "The card of 2025 is active from now on."
    again = await card(evening, "activate", by="Kai", year=2025)
    assert reply(again)["content"] == "The card of 2025 is active already; nothing has changed."
    missing = await card(evening, "activate", by="Kai", year=2031)
    assert "The club has no card of 2031. It has these: 2026, 2025." in reply(missing)["content"]
    assert await active(evening) == 2025
    assert await evening.store.read(_activations) == [("Rei", "2026"), ("Kai", "2025")]


def _activations(connection: sa.Connection) -> list[tuple[str, str]]:
    changes, people = tables.settings_changes, tables.players
    query = (
        sa.select(people.c.name, changes.c.value)
        .join(people, people.c.id == changes.c.changed_by)
        .where(changes.c.name == "card_year")
        .order_by(changes.c.id)
    )
    return [(row.name, row.value) for row in connection.execute(query)]


async def test_members_without_the_right_look_and_take_but_change_nothing(evening: Evening) -> None:
    denied = await bring(evening, EXAMPLE, by="Ann")
    assert "Only admins" in reply(denied)["content"]
    assert await years(evening) == {}
    await bring(evening, csv_of(*SMALL, "2025,S,1,A,25,,"))
    denied = await card(evening, "activate", by="Ann", year=2025)
    assert "Only admins" in reply(denied)["content"]
    assert await active(evening) == 2026
    assert embed(await card(evening, "show", by="Ann"))["footer"]["text"] == "3 lines"
    assert attached(evening, await card(evening, "export", by="Ann", year=2025))[0] == "card-2025.csv"


async def test_where_there_is_no_card_the_answer_says_how_to_get_one(evening: Evening) -> None:
    for command in ("show", "export"):
        answer = await card(evening, command)
        assert answer.ephemeral
        for words in ("/card import", "docs/example-card.csv", "singles and pairs"):
            assert words in reply(answer)["content"]
    assert await evening.as_("Ann").autocomplete("card show", evening.channels["mahjong"], "year") == []
    await bring(evening, csv_of(*SMALL))
    kai = Person(int(evening.users["Kai"]["id"]), "Kai")
    await evening.store.write(club.change_settings, evening.id, {"card_year": None}, kai, int(time.time()))
    unnamed = reply(await card(evening, "show"))["content"]
    assert unnamed.startswith("No card is active. The club has these: 2026.")
    assert embed(await card(evening, "show", year=2026))["title"] == "The card of 2026"
    assert "no card of 2020" in reply(await card(evening, "export", year=2020))["content"]


async def test_two_clubs_keep_their_cards_apart(evening: Evening) -> None:
    other = Club(evening.discord, "Ume", users=evening.users)
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await bring(evening, csv_of(*SMALL))
    assert "The club has no card yet." in reply(await card(other, "show"))["content"]
    missing = await card(other, "activate", by="Rei", year=2026)
    assert "The club has no card yet." in reply(missing)["content"]
    await won_with(evening, "Ford")
    await bring(other, csv_of("2026,River Steps,1,Ford,50,,", "2023,S,1,A,25,,"), by="Rei")
    await bring(other, csv_of("2026,River Steps,1,Ford,60,,"), by="Rei")
    assert [await years(evening), await years(evening, other)] == [{2026: 3}, {2026: 1, 2023: 1}]
    assert [await active(evening), await active(evening, other)] == [2026, 2026]
    await card(other, "activate", by="Rei", year=2023)
    assert [await active(evening), await active(evening, other)] == [2026, 2023]
    assert "` 25 X` \u2068Ford\u2069" in embed(await card(evening, "show"))["description"]
    assert "` 60 X` \u2068Ford\u2069" in embed(await card(other, "show", year=2026))["description"]


async def test_the_longest_and_oddest_names_are_shown_letter_for_letter(evening: Evening) -> None:
    lines = [
        CardLine(2026, f"{number:02}{'*' * 38}", 1.0, f"{'_' * 56}{number:04}", 500, True, True)
        for number in range(15)
    ]
    lines.append(CardLine(2026, "[x](https://e.org)", 1.0, "<@&123456789012345678> `牌`", 25, False, False))
    answer = await bring(evening, cardfile.write_card(lines))
    assert embed(answer)["title"] == "The card is imported"
    shown = await card(evening, "show")
    text = embed(shown)["description"]
    for line in lines[:15]:
        assert f"**\u2068{line.section[:2]}" + "\\*" * 38 + "\u2069**" in text
        assert "\u2068" + "\\_" * 56 + f"{line.name[-4:]}\u2069" in text
    await evening.as_("Ann").click(reply(shown), label="▶")
    text = embed(shown)["description"]
    assert "\\[x\\]\\(https\\://e.org\\)" in text
    assert "\\<\\@\u200b&123456789012345678\\> \\`牌\\`" in text
