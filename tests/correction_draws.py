"""What the corrections' stateful test draws from: reports, other tellings of a game, and settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from ratings.ledger.tellings import AmericanTelling, Telling
from ratings.models import AmericanReport, Length, Lobby, Offence, Person, Report, Verdict, WonBy
from ratings.settings import ClubSettings
from ratings.systems import riichi
from tests.ledger_help import ANN, BORIS, CARD, CHIAKI, DORA, EMI, REI, hand, report

__all__ = [
    "HandPlay",
    "Play",
    "RiichiPlay",
    "plays",
    "seldom",
    "told_anew",
    "verdicts",
    "wishes",
    "with_records",
    "won",
]

PEOPLE = (ANN, BORIS, CHIAKI, DORA, EMI, REI, Person(23, "Tomo"), Person(24, "Uma"))


@dataclass(frozen=True)
class RiichiPlay:
    """A riichi game somebody reports; the last score is what the others leave."""

    people: tuple[Person, ...]
    wild: list[int]
    left: int
    length: Length
    lobby: Lobby | None
    ranked: bool

    def told(self, rules: ClubSettings) -> Report:
        """The report."""
        return report(
            _scores(self.wild, len(self.people), self.left, rules),
            self.people,
            reporter=self.people[0],
            length=self.length,
            lobby=self.lobby,
            sticks=self.left,
            ranked=self.ranked,
        )


@dataclass(frozen=True)
class HandPlay:
    """An American hand somebody reports, and what the admins penalise: a seat and an offence each."""

    people: tuple[Person, ...]
    line: int
    won_by: WonBy | None
    used_jokers: bool
    concealed: bool
    sins: list[tuple[int, Offence]]

    def told(self, lines: Sequence[int]) -> AmericanReport:
        """The report, with the ids of the lines of the card."""
        is_won = self.won_by is not None
        return hand(
            lines[self.line] if is_won else None,
            players=self.people,
            winner=self.people[-1] if is_won else None,
            won_by=self.won_by or WonBy.UNRECORDED,
            discarder=self.people[0] if self.won_by is WonBy.DISCARD else None,
            used_jokers=self.used_jokers and not CARD[self.line].singles_and_pairs,
            concealed=self.concealed or None,
            reporter=self.people[0],
        )


Play = RiichiPlay | HandPlay


def tables(smallest: int) -> st.SearchStrategy[tuple[Person, ...]]:
    """Up to four of the people, in any order."""
    return st.integers(smallest, 4).flatmap(
        lambda size: st.permutations(PEOPLE).map(lambda people: tuple(people[:size]))
    )


# Few different scores, so that equal ones are common.
scores = st.lists(st.integers(-20, 60).map(lambda thousands: thousands * 1000), min_size=3, max_size=3)
sticks = st.integers(0, 2)
lobbies = st.sampled_from((None, *Lobby))
sins = st.lists(st.tuples(st.integers(0, 1), st.sampled_from(Offence)), max_size=3, unique=True)
plays = st.one_of(
    st.builds(
        RiichiPlay,
        people=tables(3),
        wild=scores,
        left=sticks,
        length=st.sampled_from(Length),
        lobby=lobbies,
        ranked=st.sampled_from((True, True, True, False)),
    ),
    st.builds(
        HandPlay,
        people=tables(2),
        line=st.sampled_from(range(len(CARD))),
        won_by=st.none() | st.sampled_from(WonBy),
        used_jokers=st.booleans(),
        concealed=st.booleans(),
        sins=sins,
    ),
)
# None: for now the game stays undecided.
verdicts = st.sampled_from((*[Verdict.APPROVE] * 5, Verdict.REJECT, None))
seldom = st.sampled_from((False, False, False, False, True))
wishes = st.sampled_from(
    [
        {"tenhou_rules": "live"},
        {"tenhou_rules": "seed"},
        {"shared_places": True},
        {"shared_places": False},
        {"sticks_to_first": False},
        {"uma_4p": [30, 10, -10, -30], "uma_3p": [15, 0, -15]},
        {"start_4p": 30000, "start_3p": 40000},
        {"starting_rating": 1500.0},
        {"starting_rating": 999.9},
        {"k_factor": 32.5},
        {"jokerless_bonus": 7, "concealed_bonus_multiplier": 0.35},
        {"discard_penalty_multiplier": 3.3},
        {"section_multipliers": True, "jokerless_doubles": True},
        {"section_multipliers": False, "jokerless_doubles": False},
        {"penalties": True},
        {"penalties": False},
    ]
)


def told_anew(
    data: st.DataObject, told: Telling, records: Sequence[int], lines: Sequence[int], rules: ClubSettings
) -> Telling:
    """Another telling of a game: other players, seats, figures, or nothing new at all."""
    table = list(told.players)
    change = data.draw(st.sampled_from(("swap", "swap", "seats", "size", "details", "details")))
    moved: dict[int, int] = {}
    if change == "swap":
        gone = data.draw(st.sampled_from(table))
        moved[gone] = data.draw(st.sampled_from([record for record in records if record != gone]))
        table = [moved.get(record, record) for record in table]
    elif change == "seats":
        turn = data.draw(st.sampled_from(range(1, len(table))))
        table = table[turn:] + table[:turn]
    elif change == "size" and len(table) == 4:
        table.pop()
    elif change == "size":
        table.append(data.draw(st.sampled_from(records)))
    played_at = told.played_at - data.draw(st.sampled_from((0, 0, 0, 60)))
    told = replace(told, players=tuple(table), played_at=played_at)
    if isinstance(told, AmericanTelling):
        stays = change in ("swap", "seats")
        return _with_winners(told, lambda record: moved.get(record, record)) if stays else _won(data, told, lines)
    if change == "details":
        length, lobby = data.draw(st.sampled_from(Length)), data.draw(lobbies)
        told = replace(told, length=length, lobby=lobby, ranked=data.draw(st.booleans()))
    if len(table) != len(told.scores) or data.draw(st.booleans()):
        left = data.draw(sticks)
        told = replace(told, sticks=left, scores=_scores(data.draw(scores), len(table), left, rules))
    return told


def _won(data: st.DataObject, told: AmericanTelling, lines: Sequence[int]) -> AmericanTelling:
    won_by = data.draw(st.none() | st.sampled_from(WonBy))
    if won_by is None:
        return AmericanTelling(told.players, None, None, WonBy.UNRECORDED, None, False, None, told.played_at)
    winner, discarder, *_ = data.draw(st.permutations(told.players))
    position = data.draw(st.sampled_from(range(len(CARD))))
    return AmericanTelling(
        told.players,
        winner,
        lines[position],
        won_by,
        discarder if won_by is WonBy.DISCARD else None,
        data.draw(st.booleans()) and not CARD[position].singles_and_pairs,
        data.draw(st.none() | st.just(True)),
        told.played_at,
    )


def won(told: Telling) -> bool:
    """Whether it is an American hand that somebody won."""
    return isinstance(told, AmericanTelling) and told.winner is not None


def with_records(told: Telling, record: Callable[[int], int]) -> Telling:
    """The same with each record in it replaced."""
    told = replace(told, players=tuple(map(record, told.players)))
    return _with_winners(told, record) if isinstance(told, AmericanTelling) else told


def _with_winners(told: AmericanTelling, record: Callable[[int], int]) -> AmericanTelling:
    winner = None if told.winner is None else record(told.winner)
    discarder = None if told.discarder is None else record(told.discarder)
    return replace(told, winner=winner, discarder=discarder)


def _total(size: int, left: int, rules: ClubSettings) -> int:
    return rules.start_score(size) * size - riichi.STICK * left


def _scores(wild: list[int], size: int, left: int, rules: ClubSettings) -> tuple[int, ...]:
    others = wild[: size - 1]
    return (*others, _total(size, left, rules) - sum(others))
