"""What the tests of /tournament on the local Discord share: files, commands, and reading the answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.sandbox import Interaction
from ratings.tournaments import readers
from tests.answer_help import embed
from tests.club_evening import Club, Evening, reply
from tests.ranking_help import plain, players
from tests.resultsfile_help import text_file, workbook

__all__ = [
    "CAST",
    "DAY",
    "EARLIER",
    "FILES",
    "HEADER",
    "RESULTS",
    "act",
    "bring",
    "described",
    "entered",
    "field",
    "ids",
    "lines",
    "said",
    "two_cups",
]

DAY = (datetime.now(UTC) - timedelta(3)).date()
EARLIER = DAY - timedelta(20)
CAST = ("Анна Белова", "Boris Green", "Clara Weiß", "Дина Юрьева")
HEADER = ("place", "player", "score", "games", "country")
RESULTS: list[tuple[Any, ...]] = [
    HEADER,
    (1, CAST[0], "45,5", 8, "RU"),
    (2, CAST[1], "1,5", 8, "GB"),
    (3, CAST[2], -10, 8, "DE"),
    (4, CAST[3], -37, 6, "RU"),
]
CUP = {"name": "Кубок Невы", "last_day": DAY.isoformat(), "hanchan": 8}


def _number(written: Any) -> float:
    return float(str(written).replace(",", "."))


async def act(where: Club, command: str, *, by: str = "Kai", **options: Any) -> Interaction:
    """A member uses a command."""
    return await where.as_(by).slash(command, where.channels["mahjong"], **options)


async def bring(where: Club, data: bytes, **facts: Any) -> Interaction:
    """A member, Kai unless told otherwise, imports a file as a tournament."""
    return await act(where, "tournament import", **{"file": ("results.csv", data), **CUP, **facts})


async def two_cups(evening: Evening) -> None:
    """Two tournaments of 16 players that count in RR and CRR, so that everybody has a rating."""
    rows = [HEADER[:2], *((place, f"Игрок {place:02}") for place in range(1, 17))]
    for name, day in (("Spring", EARLIER), ("Autumn", DAY)):
        done = await bring(
            evening, text_file(*rows), name=name, last_day=day.isoformat(), accredited=True, new_players=True
        )
        assert "is imported" in embed(done)["title"]


def described(interaction: Interaction) -> list[str]:
    """The lines of an answer's description, without isolates."""
    return plain(embed(interaction)["description"]).splitlines()


def field(interaction: Interaction, name: str) -> list[str]:
    """The lines of a field of an answer."""
    (found,) = [each["value"] for each in embed(interaction)["fields"] if each["name"] == name]
    return plain(found).splitlines()


def said(interaction: Interaction) -> str:
    """The words of an answer that is no embed."""
    return plain(reply(interaction)["content"])


async def lines(evening: Evening, number: int = 1, where: Club | None = None) -> list[tuple[Any, ...]]:
    """What is kept of a tournament's results."""
    record = await evening.store.read(readers.record, (where or evening).id, number)
    return [(line.line.place, line.name, line.line.score, line.line.games, line.country) for line in record.lines]


async def entered(evening: Evening) -> int:
    """How many tournaments the club has."""
    return (await evening.store.read(readers.page, evening.id, 0, 10)).total


FILES = {
    "comma.csv": text_file(*RESULTS),
    "semicolon.csv": text_file(*RESULTS, delimiter=";", newline="\r\n", encoding="utf-8-sig"),
    "tabs.tsv": text_file(*RESULTS, delimiter="\t", encoding="utf-16"),
    "book.xlsx": workbook([HEADER, *([*row[:2], _number(row[2]), *row[3:]] for row in RESULTS[1:])]),
    "russian.csv": text_file(("Место", "ФИО", "Очки", "Игры", "Страна"), *RESULTS[1:], delimiter=";"),
    "scores.csv": text_file(
        ("Игрок", "Счёт", "Сыграно игр", "Страна"),
        *((row[1], row[2], row[3], row[4]) for row in reversed(RESULTS[1:])),
        delimiter=";",
    ),
}


async def ids(evening: Evening) -> dict[str, int]:
    """The ids of the club's players by name."""
    return await players(evening.store, evening.id)
