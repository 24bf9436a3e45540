"""The made-up club's tournaments: four cups of the past two years, and guests who are on no Discord."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from ratings import club
from ratings.models import Person
from ratings.resultsfile import ResultRow
from ratings.tournaments import ledger
from ratings.tournaments.records import Details

__all__ = ["hold_cups"]

GUESTS = (
    "Иванов Иван",
    "Петрова Анна",
    "Смирнов Олег",
    "Кузнецова Вера",
    "Попов Семён",
    "Соколова Яна",
    "Лебедев Пётр",
    "Козлова Ирина",
    "Новиков Глеб",
    "Морозова Ольга",
)
# Days ago, name, hanchan, whether it was accredited, whether it was played online.
CUPS = (
    (610, "Spring Cup", 8, True, False),
    (395, "Autumn Cup", 10, True, False),
    (150, "City Championship", 8, True, False),
    (40, "Winter Online Cup", 6, False, True),
)


def hold_cups(connection: sa.Connection, guild_id: int, members: Sequence[Person], by: Person, now: int) -> None:
    """Write down the results of all cups; `members` are those of the club who like to play them."""
    chance = random.Random(2024)  # noqa: S311 - made up, the same every time
    club.player_ids(connection, guild_id, members)
    names = [*(member.name for member in members), *GUESTS]
    for days_ago, name, hanchan, accredited, online in CUPS:
        day = (datetime.fromtimestamp(now, UTC) - timedelta(days=days_ago)).date()
        details = Details(
            name=name,
            first_day=day - timedelta(days=1),
            last_day=day,
            hanchan=hanchan,
            participants=len(names),
            country="RU",
            online=online,
            accredited=accredited,
            open_share=100,
        )
        chance.shuffle(names)
        rows = [
            ResultRow(row=place + 1, place=place, player=player, country="RU")
            for place, player in enumerate(names, start=1)
        ]
        ledger.import_results(connection, guild_id, details, rows, by, now, new_players=True)
