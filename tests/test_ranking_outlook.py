"""What a coming tournament would bring to somebody who is not in the table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.club_evening import Evening
from tests.ranking_evening import ask, lines
from tests.ranking_help import hold


@pytest.mark.parametrize("results", [0, 1])
async def test_whoever_is_not_in_the_table_has_no_rating_to_change(evening: Evening, results: int) -> None:
    today = datetime.now(UTC).date()
    for number, player in enumerate(("Anna", "Bela")[: results + 1]):
        # Before the window Anna has a result, so that she is known.
        last_day = today - timedelta(1_000 if number == 0 else 10)
        await hold(
            evening.store, evening.id, f"Cup {number}", last_day, {"Anna": 1, player: 2} if number else {"Anna": 1}
        )
    day = (today + timedelta(20)).isoformat()
    told = lines(await ask(evening, "whatif", player="Anna", players=16, hanchan=4, date=day))
    assert told[2] == "place  rating"
    assert all(len(line.split()) == 2 for line in told[3:19])
    assert told[20].startswith(f"Today, {today}, the player is not in the table.")
    assert "keeps it" not in told[20]
    alone = "With this one result alone the table would not list the player."
    assert (alone in told[20]) == (results == 0)
