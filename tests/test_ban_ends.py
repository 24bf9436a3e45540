"""When a ban ends: days and hours as admins write them, read on the club's clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.reading import UnreadableMoment, read_end
from tests.ban_help import TOKYO, at

WEDNESDAY = at("2026-11-25 15:00")


@pytest.mark.parametrize(
    ("written", "end"),
    [
        ("2026-12-31", "2027-01-01 00:00"),
        ("31.12.2026", "2027-01-01 00:00"),
        ("31.12.", "2027-01-01 00:00"),
        ("12月31日", "2027-01-01 00:00"),
        ("1.3.", "2027-03-02 00:00"),
        ("25.11.", "2026-11-26 00:00"),
        ("24.11.", "2027-11-25 00:00"),
        ("29.2.", "2028-03-01 00:00"),
        ("today", "2026-11-26 00:00"),
        ("明日", "2026-11-27 00:00"),
        ("завтра 18:00", "2026-11-26 18:00"),
        ("tomorrow 9:30", "2026-11-26 09:30"),
        ("18:00", "2026-11-25 18:00"),
        ("15:00", "2026-11-26 15:00"),
        ("14:59", "2026-11-26 14:59"),
        ("2026-11-26 00:00", "2026-11-26 00:00"),
        ("2026-11-25 14:00", "2026-11-25 14:00"),
        ("2026-11-24", "2026-11-25 00:00"),
        ("2026-12-01T00:00Z", "2026-12-01 09:00"),
    ],
)
def test_an_end_is_read_on_the_clubs_clock(written: str, end: str) -> None:
    assert read_end(written, TOKYO, WEDNESDAY) == at(end)


@pytest.mark.parametrize(
    "written", ["yesterday", "soon", "31.2.", "11/29", "", "9999-12-31", "x" * 41, "30.2.2027"]
)
def test_what_is_no_end_is_refused(written: str) -> None:
    with pytest.raises(UnreadableMoment):
        read_end(written, TOKYO, WEDNESDAY)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2090, 1, 1)), st.integers(1, 12), st.integers(1, 28))  # noqa: DTZ001
def test_a_day_of_the_year_is_the_next_one_to_its_end(now: datetime, month: int, day: int) -> None:
    zone = ZoneInfo("Europe/Berlin")
    moment = now.replace(tzinfo=UTC)
    end = read_end(f"{day}.{month}.", zone, moment).astimezone(zone)
    assert (end.hour, end.minute) == (0, 0)
    assert moment < end <= moment + timedelta(days=367)
    last = end - timedelta(seconds=1)
    assert (last.astimezone(zone).month, last.astimezone(zone).day) == (month, day)


def test_the_clock_that_is_put_forward_ends_a_day_all_the_same() -> None:
    # In Beirut midnight itself is skipped on the last Sunday of March.
    beirut = ZoneInfo("Asia/Beirut")
    end = read_end("2027-03-27", beirut, WEDNESDAY)
    assert end == datetime(2027, 3, 27, 22, tzinfo=UTC)
