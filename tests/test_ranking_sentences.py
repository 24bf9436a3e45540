"""The rankings in words: every cause and every step, the formula, the post of the day, the verdicts."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from bot.render import ranking_explanation, ranking_news, ranking_outlook
from bot.render import rankings as drawing
from bot.texts import texts_for
from ratings.settings import ClubSettings
from ratings.systems import russian
from ratings.systems.russian import (
    Cause,
    Change,
    Event,
    Exclusion,
    Player,
    Ranking,
    RankingFacts,
    RankingRules,
    Row,
    Share,
    Stage,
    Tournament,
)
from ratings.tournaments.days import RankingNews
from ratings.tournaments.rankings import ChangesView, Explained, Verdict
from ratings.tournaments.readers import TournamentRecord
from tests.ranking_help import MARCH, WIDE, details, plain

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


def explained(places: dict[int, int], *held: Tournament, which: Ranking = Ranking.RR) -> Explained:
    """How Anna's rating comes about from her places by tournament."""
    facts = RankingFacts(
        {each.id: each for each in held},
        [(number, 1, place, True) for number, place in places.items()],
        {1: Player(1, "RU", "Anna")},
    )
    pool = russian.gather(facts, which)
    table = russian.table(pool, date(2025, 6, 30))
    return Explained(
        explanation=russian.explain(pool, 1, table.day),
        rules=RankingRules(),
        row=table.rows[0],
        players=1,
        name="Anna",
        listable=True,
        tournaments=pool.tournaments,
        numbers={each.id: each.id for each in held},
    )


def cup(number: int, **told: Any) -> Tournament:
    """A tournament for the rules."""
    return details(f"Cup {number}", **told).tournament(number)


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
    assert "W 2.73 (0.70 + (1.90 + 2.16) / 2) × R 703.70" in shown.description


OLD, NEW = Share(2.6, 7, 5, 40), Share(2.6, 6, 5, 40)
WHOLE = Share(2.6, 7, None, 40)
CAUSES = [
    (Event.ENTERED, False, None, OLD, "#1 Cup 1 entered, place 5/40"),
    (Event.ENTERED, True, None, WHOLE, "the maximal coefficients: #1 Cup 1 entered"),
    (Event.AGED, False, OLD, NEW, "#1 Cup 1 aged from 7/7 to 6/7"),
    (Event.AGED, True, WHOLE, Share(2.6, 6, None, 40), "the maximal coefficients: #1 Cup 1 aged from 7/7 to 6/7"),
    (Event.LEFT, False, NEW, None, "#1 Cup 1 left the window of two years"),
    (Event.LEFT, True, WHOLE, None, "the maximal coefficients: #1 Cup 1 left the window of two years"),
    (Event.CORRECTED, False, None, OLD, "a correction added #1 Cup 1, place 5/40"),
    (Event.CORRECTED, True, None, WHOLE, "the maximal coefficients: #1 Cup 1 counts after a correction"),
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
    listed, _, pages = ranking_news.changes(TEXTS, view, 0)
    assert pages > 3
    assert len(listed.description or "") <= DESCRIPTION


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


def verdict(exclusion: Exclusion | None, sevenths: int = 7, has_results: bool = True) -> str:
    """What is said of a tournament of 2025-03-30 on 2025-06-30."""
    record = TournamentRecord(1, 1, details("Cup"), False, ())
    told = Verdict(Ranking.RR, exclusion, sevenths, has_results)
    shown = ranking_outlook.why(TEXTS, record, [told], RankingRules(), date(2025, 6, 30))
    return (shown.description or "").split("\n")[2]


def test_every_verdict_in_words() -> None:
    for exclusion in Exclusion:
        assert verdict(exclusion).startswith("❌ **RR**: ")
    assert len({verdict(exclusion) for exclusion in Exclusion}) == len(Exclusion)
    assert verdict(None) == "✅ **RR**: it counts; at 3 months its A is 7/7."
    assert verdict(None, sevenths=0) == "❌ **RR**: it is more than two years old."
    assert verdict(None, has_results=False) == (
        "❌ **RR**: it would count, but nobody whom the ranking lists has a result in it."
    )
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
        "-# W = K(participants) + K(hanchan) = 3.18 (0.70 + (2.80 + 2.16) / 2)",
        "-# W = 2.73 (0.70 + (1.90 + 2.16) / 2) for those who left after 10 hanchan",
    ]
