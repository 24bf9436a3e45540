"""The ledger: the only writer of games. Every public function is the work of one transaction.

A decision and everything that follows from it (placements, rating changes, standings, what must be said) are
written together or not at all; nothing here talks to Discord or asks the clock.
"""

from ratings.ledger.accounts import (
    AccountFault,
    BadAccount,
    Claim,
    account_name,
    link_account,
    record_of,
    unlink_account,
)
from ratings.ledger.bans import ban, unban
from ratings.ledger.corrections import Correction, carry_out
from ratings.ledger.decisions import REASON_LENGTH, Decision, decide, give_reason
from ratings.ledger.detaching import propose_detach
from ratings.ledger.figures import AmericanOutcome, Matter, Outcome, RiichiOutcome, matter, outcome, weigh
from ratings.ledger.logs import (
    Differing,
    LogMatch,
    Mismatch,
    against_computers,
    match_names,
    refuse_known,
    site_of,
    submit_log,
)
from ratings.ledger.penalties import adjustable, change_penalties, propose_penalties, set_penalties
from ratings.ledger.plans import Move, Plan, Stale
from ratings.ledger.proposals import (
    Proposal,
    propose_amend,
    propose_forget,
    propose_merge,
    propose_reopen,
    propose_restore,
    propose_split,
    propose_void,
    propose_withdraw,
)
from ratings.ledger.replay import (
    Difference,
    Orphans,
    clear_orphans,
    clubs,
    counted_games,
    differences,
    orphans,
    plan_replay,
    write_replay,
)
from ratings.ledger.reports import Submission, submit, submit_american

__all__ = [
    "REASON_LENGTH",
    "AccountFault",
    "AmericanOutcome",
    "BadAccount",
    "Claim",
    "Correction",
    "Decision",
    "Difference",
    "Differing",
    "LogMatch",
    "Matter",
    "Mismatch",
    "Move",
    "Orphans",
    "Outcome",
    "Plan",
    "Proposal",
    "RiichiOutcome",
    "Stale",
    "Submission",
    "account_name",
    "adjustable",
    "against_computers",
    "ban",
    "carry_out",
    "change_penalties",
    "clear_orphans",
    "clubs",
    "counted_games",
    "decide",
    "differences",
    "give_reason",
    "link_account",
    "match_names",
    "matter",
    "orphans",
    "outcome",
    "plan_replay",
    "propose_amend",
    "propose_detach",
    "propose_forget",
    "propose_merge",
    "propose_penalties",
    "propose_reopen",
    "propose_restore",
    "propose_split",
    "propose_void",
    "propose_withdraw",
    "record_of",
    "refuse_known",
    "set_penalties",
    "site_of",
    "submit",
    "submit_american",
    "submit_log",
    "unban",
    "unlink_account",
    "weigh",
    "write_replay",
]
