"""The ledger: the only writer of games. Every public function is the work of one transaction.

A decision and everything that follows from it (placements, rating changes, standings, what must be said) are
written together or not at all; nothing here talks to Discord or asks the clock.
"""

from ratings.ledger.decisions import REASON_LENGTH, Decision, decide, give_reason
from ratings.ledger.figures import AmericanOutcome, Matter, Outcome, RiichiOutcome, matter, outcome, weigh
from ratings.ledger.penalties import change_penalties, set_penalties
from ratings.ledger.reports import Submission, submit, submit_american

__all__ = [
    "REASON_LENGTH",
    "AmericanOutcome",
    "Decision",
    "Matter",
    "Outcome",
    "RiichiOutcome",
    "Submission",
    "change_penalties",
    "decide",
    "give_reason",
    "matter",
    "outcome",
    "set_penalties",
    "submit",
    "submit_american",
    "weigh",
]
