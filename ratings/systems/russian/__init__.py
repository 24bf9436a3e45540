"""The three Russian tournament ratings: RR, CRR and Online (seed 002; docs/rules.md settles what the text leaves
open).

Nothing is kept between tournaments: a rating at a date is computed from all results of the last two years.
`gather` lays out the results that count in one rating; `table`, `series`, `explain`, `changes` and `forecast` work
on what it gives.
"""

from __future__ import annotations

from ratings.systems.russian.changes import Cause, Change, Event, Moment, Share, changes
from ratings.systems.russian.coefficients import (
    SEVENTHS,
    WINDOW_DAYS,
    Weight,
    ageing,
    base_rank,
    in_window,
    k_hanchan,
    k_participants,
    months_between,
    weight_at,
    weights,
)
from ratings.systems.russian.eligibility import Exclusion, exclusion, least
from ratings.systems.russian.explanation import Explanation, explain
from ratings.systems.russian.facts import (
    PART_B_RESULTS,
    PlainResult,
    Player,
    Ranking,
    RankingFacts,
    RankingRules,
    Result,
    Stage,
    Tournament,
)
from ratings.systems.russian.forecast import Prospect, forecast
from ratings.systems.russian.parts import part_a_count
from ratings.systems.russian.pool import CountedResult, Pool, gather
from ratings.systems.russian.table import Maximal, Row, Table, alike, moving_days, series, table

__all__ = [
    "PART_B_RESULTS",
    "SEVENTHS",
    "WINDOW_DAYS",
    "Cause",
    "Change",
    "CountedResult",
    "Event",
    "Exclusion",
    "Explanation",
    "Maximal",
    "Moment",
    "PlainResult",
    "Player",
    "Pool",
    "Prospect",
    "Ranking",
    "RankingFacts",
    "RankingRules",
    "Result",
    "Row",
    "Share",
    "Stage",
    "Table",
    "Tournament",
    "Weight",
    "ageing",
    "alike",
    "base_rank",
    "changes",
    "exclusion",
    "explain",
    "forecast",
    "gather",
    "in_window",
    "k_hanchan",
    "k_participants",
    "least",
    "months_between",
    "moving_days",
    "part_a_count",
    "series",
    "table",
    "weight_at",
    "weights",
]
