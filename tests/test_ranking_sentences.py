"""The rankings in words: every cause and every step, the formula, the post of the day, the verdicts."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from bot.render import ranking_explanation, ranking_news, ranking_outlook, tournament_deeds
from bot.render import rankings as drawing
from bot.texts import texts_for
from ratings.settings import ClubSettings
from ratings.systems.russian import (
    Cause,
    Change,
    Event,
    Exclusion,
    Ranking,
    RankingRules,
    Row,
    Share,
    Stage,
)
from ratings.tournaments.days import RankingNews
from ratings.tournaments.rankings import ChangesView, Verdict
from ratings.tournaments.readers import TournamentRecord
from tests.ranking_help import MARCH, WIDE, cup, details, explained, plain

TEXTS = texts_for("en-US")
FIELD, DESCRIPTION, EVERYTHING = 1024, 4096, 6000


def test_neighbours_that_round_alike_are_told_apart() -> None:
    def rows(*ratings: float) -> list[Row]:
        return [Row(place, place, rating, 0.0, 0.0, 2) for place, rating in enumerate(ratings, 1)]

    assert drawing.ratings_text(rows(800.0, 700.4, 700.2, 600.0)) == ["800", "700.4", "700.2", "600"]
    assert drawing.ratings_text(rows(700.004, 700.001, 700.001)) == ["700.004", "700.001", "700.001"]
    assert drawing.ratings_text(rows(700.0, 700.0)) == ["700", "700"]
    assert drawing.ratings_text(rows(500.0000004, 500.0000001)) == ["500.00000", "500.00000"]
    assert drawing.ratings_text([]) == []


def test_a_result_may_be_dropped_from_one_part_and_count_in_the_other() -> None:
    small = [cup(number, participants=16, hanchan=4) for number in range(2, 11)]
    told = explained({1: 120, **{each.id: 3 for each in small}}, cup(1, participants=180, hanchan=20), *small)
    shown, complete = ranking_explanation.explanation(TEXTS, told)
    assert complete
    assert shown.description is not None
    ends = [line.rsplit(" · ", 1)[1] for line in shown.description.split("\n") if line.startswith("-#")]
    assert ends == ["✂️ dropped from A, ✅ in B", *["✅ in A and B"] * 3, *["✅ in A"] * 6]
    text = ranking_explanation.explanation_text(TEXTS, told)
    assert sum(line.endswith("dropped     yes") for line in text.split("\n")) == 1


def test_cut_offs_show_in_the_weight() -> None:
    staged = cup(1, participants=28, hanchan=None, stages=(Stage(28, 10), Stage(8, 10)))
    shown, _ = ranking_explanation.explanation(TEXTS, explained({1: 9, 2: 1}, staged, cup(2)))
    assert shown.description is not None
    assert "W 2.728571 (0.70 + (1.90 + 2.157143) / 2) × R 703.7037" in shown.description


OLD, NEW = Share(2.6, 7, 5, 40), Share(2.6, 6, 5, 40)
WHOLE = Share(2.6, 7, None, 40)
CAUSES = [
    (Event.ENTERED, False, None, OLD, "#1 Cup 1 entered, place 5/40"),
    (Event.ENTERED, True, None, WHOLE, "the maximal coefficients: #1 Cup 1 entered"),
    (Event.AGED, False, OLD, NEW, "#1 Cup 1 aged from 7/7 to 6/7"),
    (Event.AGED, True, WHOLE, Share(2.6, 6, None, 40), "the maximal coefficients: #1 Cup 1 aged from 7/7 to 6/7"),
    (Event.LEFT, False, NEW, None, "#1 Cup 1 left the window of two years"),
    (Event.LEFT, True, WHOLE, None, "the maximal coefficients: #1 Cup 1 left the window of two years"),
    (Event.COUNTS, False, None, OLD, "#1 Cup 1 counts after a correction, place 5/40"),
    (Event.COUNTS, True, None, WHOLE, "the maximal coefficients: #1 Cup 1 counts after a correction"),
    (Event.STOPPED, False, OLD, None, "#1 Cup 1 does not count after a correction"),
    (Event.STOPPED, True, WHOLE, None, "the maximal coefficients: #1 Cup 1 does not count after a correction"),
    (Event.CORRECTED, False, OLD, None, "a correction took the result in #1 Cup 1 out"),
    (Event.CORRECTED, True, WHOLE, None, "the maximal coefficients: #1 Cup 1 does not count after a correction"),
    (Event.CORRECTED, False, OLD, Share(2.6, 7, 4, 40), "a correction of #1 Cup 1: place 5 → 4"),
    (Event.CORRECTED, False, OLD, Share(2.6, 7, 5, 41), "a correction of #1 Cup 1: 40 → 41 participants"),
    (Event.CORRECTED, False, OLD, Share(2.8, 7, 5, 40), "a correction of #1 Cup 1: W 2.60 → 2.80"),
    (
        Event.CORRECTED,
        True,
        WHOLE,
        Share(2.8, 7, None, 40),
        "the maximal coefficients: a correction of #1 Cup 1: W 2.60 → 2.80",
    ),
    (Event.CORRECTED, False, OLD, Share(2.6, 5, 5, 40), "a correction of #1 Cup 1"),
]


def moved(*changes: Change, names: dict[int, str] | None = None, held: int = 1) -> ChangesView:
    """Who moved in RR."""
    cups = {number: cup(number) for number in range(1, held + 1)}
    numbers = {number: number for number in cups}
    return ChangesView(
        Ranking.RR, date(2025, 6, 1), date(2025, 6, 2), changes, names or {1: "Anna"}, cups, numbers
    )


def row(rating: float, place: int = 1) -> Row:
    """A line of a table."""
    return Row(place, 1, rating, rating, rating, 2)


@pytest.mark.parametrize(("event", "maximal", "before", "after", "words"), CAUSES)
def test_every_cause_in_words(
    event: Event, maximal: bool, before: Share | None, after: Share | None, words: str
) -> None:
    change = Change(1, row(500, 3), row(510.5, 2), (Cause(event, 1, maximal, before, after),))
    shown, _, _ = ranking_news.changes(TEXTS, moved(change), 0)
    assert plain(shown.description or "") == (f"⬆️ **Anna** 500.00 → **510.50** (+10.50), place 3 → 2\n-# {words}")


def test_steps_in_words() -> None:
    cause = Cause(Event.LEFT, 1, False, OLD, None)
    for before, after, words in (
        (row(500), row(499.5), "⬇️ **Anna** 500.00 → **499.50** (−0.50), place 1"),
        (row(500), row(500.001), "⬆️ **Anna** 500.00 → **500.00** (+0.001000), place 1"),
        (None, row(400, 7), "🆕 **Anna** joins at place 7 with 400.00"),
        (row(400, 7), None, "⏏️ **Anna** leaves the table (place 7, 400.00 before)"),
    ):
        shown, _, _ = ranking_news.changes(TEXTS, moved(Change(1, before, after, (cause,))), 0)
        assert plain(shown.description or "").split("\n")[0] == words


def test_many_causes_are_cut() -> None:
    own = [Cause(Event.AGED, number, False, OLD, NEW) for number in range(1, 10)]
    common = [Cause(Event.AGED, number, True, OLD, NEW) for number in range(8, 20)]
    shown, _, _ = ranking_news.changes(TEXTS, moved(Change(1, row(5), row(4), (*own, *common)), held=20), 0)
    told = plain(shown.description or "")
    assert told.count("aged") == 12
    assert "; 3 more; the maximal coefficients: #8 Cup 8 aged" in told
    assert told.endswith(", 6 more")


def test_what_was_told_of_a_players_own_results_is_not_told_again() -> None:
    own = [Cause(Event.AGED, number, False, OLD, NEW) for number in (1, 2)]
    common = [Cause(Event.AGED, number, True, OLD, NEW) for number in (2, 3)]
    shown, _, _ = ranking_news.changes(TEXTS, moved(Change(1, row(5), row(4), (*own, *common)), held=3), 0)
    assert plain(shown.description or "").split("\n")[1] == (
        "-# #1 Cup 1 aged from 7/7 to 6/7; #2 Cup 2 aged from 7/7 to 6/7; "
        "the maximal coefficients: #2, #3 Cup 3 aged from 7/7 to 6/7"
    )


# The post of the day


def test_the_post_names_the_farthest_movers_and_fits() -> None:
    names = {number: f"{number:02}{WIDE}"[:32] for number in range(1, 40)}
    cups = {number: details(WIDE * 2).tournament(number) for number in range(1, 20)}
    causes = tuple(
        Cause(Event.CORRECTED, number, maximal, OLD, Share(2.8, 7, 9, 41))
        for maximal in (False, True)
        for number in range(1, 10)
    )
    causes += tuple(Cause(Event.ENTERED, number, True, None, WHOLE) for number in range(10, 20))
    changes = tuple(Change(number, row(500), row(500 + number * (-1) ** number), causes) for number in names)
    view = ChangesView(
        Ranking.RR, date(2025, 6, 1), date(2025, 6, 2), changes, names, cups, dict.fromkeys(cups, 10**6)
    )
    told = RankingNews(date(2025, 6, 2), date(2025, 6, 1), (view, view, view), ClubSettings())
    shown = ranking_news.news(TEXTS, told)
    assert len(shown) <= EVERYTHING
    for field in shown.fields:
        assert field.value is not None
        assert len(field.value) <= FIELD
        assert "**39" in plain(field.value).split("\n")[0]
        assert "more" in field.value.split("\n")[-1]
    assert shown.footer.text == "rankings 2025-06-02"
    for number in range(4):
        listed, _, pages = ranking_news.changes(TEXTS, view, number)
        assert pages == 4
        assert len(listed.description or "") <= DESCRIPTION
        assert plain(listed.description or "").count("a correction of #1000000") >= len(
            changes[number * 10 :][:10]
        )


def test_the_post_of_a_few_movers_names_them_all() -> None:
    changes = [
        Change(number, row(500), row(500 + number), (Cause(Event.AGED, 1, False, OLD, NEW),)) for number in (1, 2)
    ]
    view = moved(*changes, names={1: "Anna", 2: "Bela"})
    shown = ranking_news.news(TEXTS, RankingNews(view.until, view.since, (view,), ClubSettings()))
    (field,) = shown.fields
    told = plain(field.value or "").split("\n")
    assert [line.split("**")[1] for line in told[::2]] == ["Bela", "Anna"]
    assert len(told) == 4


def test_the_post_tells_of_real_movers_first_and_names_the_newcomers_in_a_line() -> None:
    why = (Cause(Event.ENTERED, 1, False, None, OLD),)
    names = {number: f"Player {number}" for number in range(1, 10)}
    newcomers = [Change(number, None, row(900 - number, number), why) for number in range(1, 4)]
    movers = [Change(number, row(500), row(500 + number), why) for number in (4, 5)]
    left = Change(6, row(700), None, (Cause(Event.LEFT, 1, False, OLD, None),))
    view = moved(*newcomers, *movers, left, names=names)
    (field,) = ranking_news.news(TEXTS, RankingNews(view.until, view.since, (view,), ClubSettings())).fields
    told = plain(field.value or "").split("\n")
    assert [line.split("**")[1] for line in told[:6:2]] == ["Player 5", "Player 4", "Player 6"]
    assert told[6:] == ["🆕 new in the table: **Player 1**, **Player 2**, **Player 3**"]
    # The answer to a correction has the same order.
    biggest = [plain(line).split(":")[0] for line in tournament_deeds.moves(TEXTS, [view])[1:]]
    assert biggest == ["Player 5", "Player 4", "Player 6"]


@pytest.mark.parametrize("name", ["Anna", WIDE, "*" * 32])
def test_many_newcomers_are_counted_and_leave_room_for_the_movers(name: str) -> None:
    causes = tuple(
        Cause(Event.CORRECTED, number, maximal, OLD, NEW) for maximal in (False, True) for number in (1, 2)
    )
    newcomers = [Change(number, None, row(900), causes) for number in range(1, 101)]
    names = dict.fromkeys(range(1, 110), name)
    for movers in ([], [Change(number, row(500), row(501), causes) for number in range(101, 110)]):
        view = moved(*newcomers, *movers, names=names, held=2)
        (field,) = ranking_news.news(TEXTS, RankingNews(view.until, view.since, (view,), ClubSettings())).fields
        told = (field.value or "").split("\n")
        assert len(field.value or "") <= FIELD
        assert told[-1].startswith("🆕 new in the table: **")
        shown = told[-1].count("**") // 2
        assert told[-1].endswith(f" and {100 - shown} more")
        assert told[0].startswith("⬆️" if movers else "🆕")


def test_a_page_of_movers_draws_nobody_else() -> None:
    asked: set[int] = set()

    class Names(dict[int, str]):
        def get(self, key: int, default: Any = None) -> Any:
            asked.add(key)
            return super().get(key, default)

    cause = Cause(Event.AGED, 1, True, WHOLE, Share(2.6, 6, None, 40))
    changes = [Change(number, row(500), row(400), (cause,)) for number in range(1, 2001)]
    view = moved(*changes, names=Names({number: f"Player {number}" for number in range(1, 2001)}))
    shown, number, pages = ranking_news.changes(TEXTS, view, 42)
    assert (number, pages) == (42, 200)
    assert plain(shown.description or "").count("Player") == 10
    assert asked == set(range(421, 431))
    assert ranking_news.changes(TEXTS, view, 10**6)[1] == 199


def verdict(exclusion: Exclusion | None, sevenths: int = 7, has_results: bool = True) -> str:
    """What is said of a tournament of 2025-03-30 on 2025-06-30."""
    record = TournamentRecord(1, 1, details("Cup"), False, ())
    told = Verdict(Ranking.RR, exclusion, sevenths, has_results)
    shown = ranking_outlook.why(TEXTS, record, [told], RankingRules(), date(2025, 6, 30))
    return (shown.description or "").split("\n")[2]


def test_every_verdict_in_words() -> None:
    for exclusion in Exclusion:
        assert verdict(exclusion).startswith("➖ RR: ")
    assert len({verdict(exclusion) for exclusion in Exclusion}) == len(Exclusion)
    assert verdict(None) == "✅ RR: it counts in full."
    assert verdict(None, sevenths=5) == "✅ RR: it counts 5/7 by its age."
    assert verdict(None, sevenths=0) == "➖ RR: it is more than two years old."
    assert verdict(None, has_results=False) == "➖ RR: it counts once it has results of players who are listed."
    early = ranking_outlook.why(
        TEXTS,
        TournamentRecord(1, 1, details("Cup"), False, ()),
        [Verdict(Ranking.RR, None, 0, True)],
        RankingRules(),
        MARCH - timedelta(1),
    )
    assert "it counts from its last day on, 2025-03-30." in (early.description or "")


def test_why_tells_the_weight_of_those_who_left_early() -> None:
    record = TournamentRecord(
        1, 1, details("Cup", participants=28, hanchan=None, stages=(Stage(28, 10), Stage(8, 10))), False, ()
    )
    shown = ranking_outlook.why(
        TEXTS, record, [Verdict(Ranking.RR, None, 7, True)], RankingRules(), date(2025, 6, 30)
    )
    assert (shown.description or "").split("\n")[-2:] == [
        "-# W = K(participants) + K(hanchan) = 3.178571 (0.70 + (2.80 + 2.157143) / 2)",
        "-# W = 2.728571 (0.70 + (1.90 + 2.157143) / 2) for those who left after 10 hanchan",
    ]
