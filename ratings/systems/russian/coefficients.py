"""What a result weighs: the tournament coefficient W, the base rank R and the ageing A (seed 002).

W is kept in hundredths and A in sevenths, both whole numbers, so that nothing is rounded on the way.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from ratings.systems.russian.facts import Tournament

__all__ = [
    "SEVENTHS",
    "WINDOW_DAYS",
    "Weight",
    "ageing",
    "base_rank",
    "base_ranks",
    "in_window",
    "k_hanchan",
    "k_participants",
    "months_between",
    "sevenths_on",
    "turning_days",
    "weight_at",
    "weights",
]

# "The last two years", as days: a result counts for the last time 729 days after the tournament ended.
WINDOW_DAYS = 730
FULL_MONTHS, LAST_MONTHS, MONTHS_PER_STEP = 12, 24, 2
SEVENTHS = 7

# How many, and what each adds to the coefficient, in hundredths.
HANCHAN_BANDS = ((8, 20), (4, 15), (4, 10), (4, 5))
GROUP = 4
GROUP_BANDS = ((15, 10), (15, 5), (15, 1))


@dataclass(frozen=True, slots=True)
class Weight:
    """W of a tournament, or of those who left it after one of its stages, and what it was made of.

    `participants` is how many got at least this far and `hanchan` what they played. `k_mean_hanchan` is the
    mean coefficient of the hanchan of all participants, None where everybody played the same number.
    """

    participants: int
    hanchan: int
    k_participants: float
    k_hanchan: float
    k_mean_hanchan: float | None
    hundredths: float

    @property
    def total(self) -> float:
        """W."""
        return self.hundredths / 100


def k_hanchan(hanchan: int) -> float:
    """The coefficient of the number of hanchan, 0 to 2.8 (seed 002, "Number of hanchans")."""
    return _hanchan_hundredths(hanchan) / 100


def k_participants(participants: int) -> float:
    """The coefficient of the number of participants, 0 to 2.4; whole groups of four count (seed 002, "Number of
    participants")."""
    return _participants_hundredths(participants) / 100


def weights(tournament: Tournament) -> tuple[Weight, ...]:
    """W for everybody, or with cut-offs for each stage that was somebody's last, first stage first.

    Seed 002, "Tournament coefficient":

        W = K(participants) + K(hanchan)

    and where not all played the same number, as the Russian federation does it:

        W = K(participants) + (K(hanchan of this player) + mean of K(hanchan) over all participants) / 2
    """
    size = tournament.participants
    crowd = _participants_hundredths(size)
    if not tournament.stages:
        length = _hanchan_hundredths(tournament.distance)
        return (Weight(size, tournament.distance, crowd / 100, length / 100, None, float(crowd + length)),)
    reached = [participants for participants, _ in tournament.stages]
    played = [sum(hanchan for _, hanchan in tournament.stages[: end + 1]) for end in range(len(reached))]
    lengths = [_hanchan_hundredths(hanchan) for hanchan in played]
    left = [here - further for here, further in zip(reached, [*reached[1:], 0], strict=True)]
    mean = sum(length * players for length, players in zip(lengths, left, strict=True)) / size
    return tuple(
        Weight(here, hanchan, crowd / 100, length / 100, mean / 100, crowd + (length + mean) / 2)
        for here, hanchan, length in zip(reached, played, lengths, strict=True)
    )


def weight_at(stages: Sequence[Weight], place: int) -> Weight:
    """The W of who finished at `place`: that of the last stage he got to."""
    return next(weight for weight in reversed(stages) if place <= weight.participants)


def base_rank(place: int, participants: int) -> float:
    """R, from 1000 for the first place to 0 for the last (seed 002, "Player's base rank"). Not rounded.

    The only participant gets 1000. Raises ValueError for a place that is not from 1 to `participants`.
    """
    if not 1 <= place <= participants:
        raise ValueError(f"There is no place {place} among {participants} participants.")
    return base_ranks(participants)[place - 1]


@lru_cache(maxsize=1024)
def base_ranks(participants: int) -> tuple[float, ...]:
    """R by place, first place first."""
    if participants == 1:
        return (1000.0,)
    return tuple(1000 * behind / (participants - 1) for behind in range(participants - 1, -1, -1))


def months_between(last_day: date, day: date) -> int:
    """Whole calendar months from `last_day` to `day`.

    A month is full on the same day of the month, or on the month's last day where there is no such day.
    """
    months = 12 * (day.year - last_day.year) + day.month - last_day.month
    full = day.day >= last_day.day or day.day == monthrange(day.year, day.month)[1]
    return months if full else months - 1


def ageing(months: int) -> int:
    """A in sevenths: 7 below twelve months, one less from then on every two months (seed 002, "Results
    extinction")."""
    if months < FULL_MONTHS:
        return SEVENTHS
    return max(0, SEVENTHS - 1 - (months - FULL_MONTHS) // MONTHS_PER_STEP)


def in_window(last_day: date, day: date) -> bool:
    """Whether a tournament that ended on `last_day` counts on `day`: from that day on, for 730 days."""
    return 0 <= (day - last_day).days < WINDOW_DAYS


def sevenths_on(last_day: date, day: date) -> int:
    """A in sevenths on `day`, 0 outside the window; inside it is never 0."""
    return ageing(months_between(last_day, day)) if in_window(last_day, day) else 0


def turning_days(last_day: date) -> tuple[date, ...]:
    """The days on which a tournament enters, ages by a seventh, and leaves."""
    steps = [_months_later(last_day, months) for months in range(FULL_MONTHS, LAST_MONTHS, MONTHS_PER_STEP)]
    return (last_day, *steps, last_day + timedelta(days=WINDOW_DAYS))


def _months_later(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _hanchan_hundredths(hanchan: int) -> int:
    return _in_bands(hanchan, HANCHAN_BANDS)


def _participants_hundredths(participants: int) -> int:
    return _in_bands(participants // GROUP, GROUP_BANDS)


def _in_bands(count: int, bands: tuple[tuple[int, int], ...]) -> int:
    total = 0
    for size, each in bands:
        total += each * min(count, size)
        count -= min(count, size)
    return total
