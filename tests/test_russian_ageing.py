"""RR, CRR and Online: how results age by calendar months, and when they leave the window (seed 002)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from ratings.systems.russian import ageing, gather, in_window, months_between, moving_days, table
from tests.ranking_help import cup
from tests.russian_help import ANN, DAY, RR, facts_of


@pytest.mark.parametrize(
    ("ended", "day", "months"),
    [
        (date(2023, 12, 31), date(2025, 2, 27), 13),
        (date(2023, 12, 31), date(2025, 2, 28), 14),
        (date(2024, 2, 29), date(2025, 2, 27), 11),
        (date(2024, 2, 29), date(2025, 2, 28), 12),
        (date(2023, 2, 28), date(2024, 2, 28), 12),
        (date(2022, 12, 31), date(2024, 2, 28), 13),
        (date(2022, 12, 31), date(2024, 2, 29), 14),
        (date(2025, 1, 31), date(2025, 4, 29), 2),
        (date(2025, 1, 31), date(2025, 4, 30), 3),
        (date(2025, 6, 30), date(2025, 6, 30), 0),
    ],
)
def test_whole_calendar_months(ended: date, day: date, months: int) -> None:
    assert months_between(ended, day) == months


def test_seven_steps_on_the_anniversary_days() -> None:
    assert [ageing(months) for months in range(27)] == [7] * 12 + [
        left for left in range(6, 0, -1) for _ in range(2)
    ] + [0] * 3


def test_the_last_counting_day_is_729_days_on() -> None:
    for ended in (date(2023, 6, 15), date(2024, 2, 29), date(2022, 3, 1)):
        assert [in_window(ended, ended + timedelta(days)) for days in (-1, 0, 729, 730)] == [
            False,
            True,
            True,
            False,
        ]
    # With a 29 February between, day 730 is not 24 months on and would still be worth a seventh.
    assert ageing(months_between(date(2022, 6, 15), date(2024, 6, 14))) == 1


def test_the_day_a_result_leaves() -> None:
    old, fresh = cup(1, last_day=date(2023, 6, 30)), cup(2)
    pool = gather(facts_of(old, fresh, results=[(1, ANN, 1), (2, ANN, 1)]), RR)
    last = date(2023, 6, 30) + timedelta(729)
    assert last == date(2025, 6, 28)
    assert [row.results for row in table(pool, last).rows] == [2]
    assert table(pool, last).maxk == pytest.approx(2.6 + 2.6 / 7 + 2)
    assert table(pool, last + timedelta(1)).rows == ()
    assert table(pool, last + timedelta(1)).maxk == pytest.approx(2.6 + 3)


def test_a_tournament_counts_from_its_last_day_on() -> None:
    pool = gather(facts_of(cup(1), cup(2, last_day=DAY), results=[(1, ANN, 1), (2, ANN, 1)]), RR)
    assert table(pool, DAY - timedelta(1)).rows == ()
    (row,) = table(pool, DAY).rows
    assert row.rating == pytest.approx(678.18, abs=0.005)


def test_the_days_on_which_anything_moves() -> None:
    pool = gather(facts_of(cup(1, last_day=date(2023, 12, 31)), results=[(1, ANN, 1)]), RR)
    assert moving_days(pool, date(2023, 12, 1), date(2026, 1, 31)) == [
        date(2023, 12, 31),
        date(2024, 12, 31),
        date(2025, 2, 28),
        date(2025, 4, 30),
        date(2025, 6, 30),
        date(2025, 8, 31),
        date(2025, 10, 31),
        date(2025, 12, 30),
    ]
    assert moving_days(pool, date(2025, 2, 28), date(2025, 4, 30)) == [date(2025, 2, 28), date(2025, 4, 30)]
