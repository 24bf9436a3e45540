"""Which tournaments count towards which rating, from their own facts (docs/rules.md, seed 002)."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import NamedTuple

from ratings.systems.russian.facts import Ranking, RankingRules, Tournament

__all__ = ["Exclusion", "exclusion", "least"]


class Exclusion(StrEnum):
    """The rule that keeps a tournament out of a rating."""

    ONLINE = "online"
    NOT_ONLINE = "not_online"
    ABROAD = "abroad"
    NO_HOME_PLAYER = "no_home_player"
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_FEW_HANCHAN = "too_few_hanchan"
    UNKNOWN_HANCHAN = "unknown_hanchan"
    NOT_ACCREDITED = "not_accredited"
    NOT_OPEN = "not_open"


class _Least(NamedTuple):
    participants: int
    hanchan: int


# Seed 002, "Requirements for rating tournaments", "Common russian riichi rating" and "Online rating".
_LEAST = {Ranking.RR: _Least(16, 4), Ranking.CRR: _Least(12, 3), Ranking.ONLINE: _Least(12, 3)}
_RR_SINCE = date(2018, 1, 1)
_LEAST_OPEN_SHARE = 50


def least(ranking: Ranking) -> tuple[int, int]:
    """The participants and the hanchan that a tournament needs to count, from 2018 on."""
    return _LEAST[ranking]


def exclusion(
    tournament: Tournament, ranking: Ranking, rules: RankingRules, home_player: bool
) -> Exclusion | None:
    """The first rule that keeps `tournament` out of `ranking`, None when it counts.

    `home_player` says whether a player of the home country took part: official EMA events abroad count for RR
    and CRR with one, whatever their size. Other tournaments abroad do not. At home RR asks for size alone
    until 2017, by the last day, and from 2018 for hanchan and accreditation as well.
    """
    if ranking is Ranking.ONLINE:
        return _shortage(tournament, ranking) if tournament.online else Exclusion.NOT_ONLINE
    if tournament.online:
        return Exclusion.ONLINE
    if tournament.country != rules.home_country:
        if not tournament.ema:
            return Exclusion.ABROAD
        return None if home_player else Exclusion.NO_HOME_PLAYER
    return _shortage(tournament, ranking) or _missing_accreditation(tournament, ranking)


def _shortage(tournament: Tournament, ranking: Ranking) -> Exclusion | None:
    least = _LEAST[ranking]
    if tournament.participants < least.participants:
        return Exclusion.TOO_FEW_PLAYERS
    if _before_2018(tournament, ranking) or tournament.distance >= least.hanchan:
        return None
    return Exclusion.UNKNOWN_HANCHAN if tournament.distance_is_assumed else Exclusion.TOO_FEW_HANCHAN


def _missing_accreditation(tournament: Tournament, ranking: Ranking) -> Exclusion | None:
    if ranking is not Ranking.RR or _before_2018(tournament, ranking):
        return None
    if not tournament.accredited:
        return Exclusion.NOT_ACCREDITED
    if tournament.open_share is not None and tournament.open_share < _LEAST_OPEN_SHARE:
        return Exclusion.NOT_OPEN
    return None


def _before_2018(tournament: Tournament, ranking: Ranking) -> bool:
    return ranking is Ranking.RR and tournament.last_day < _RR_SINCE
