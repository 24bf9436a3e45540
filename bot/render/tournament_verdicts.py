"""In which rankings a tournament counts, and which rule keeps it out of the others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot.render.tournament_facts import ranking_name
from bot.texts import Texts
from ratings.systems.russian import SEVENTHS, Exclusion, Ranking, least
from ratings.tournaments.rankings import Verdict

__all__ = ["verdict_lines", "verdict_text", "why_not"]


def verdict_lines(
    texts: Texts, verdicts: Sequence[Verdict], home_country: str, last_day: date, day: date
) -> list[str]:
    """In which rankings a tournament that ended on `last_day` counts on a day, and which rule keeps it out of the
    others."""
    told = []
    for verdict in verdicts:
        counts, text = verdict_text(texts, verdict, home_country, last_day, day)
        told.append(f"{'✅' if counts else '➖'} {ranking_name(texts, verdict.ranking)}: {text}")
    return told


def verdict_text(texts: Texts, verdict: Verdict, home_country: str, last_day: date, day: date) -> tuple[bool, str]:
    """Whether a tournament counts on a day, and a sentence about it."""
    if verdict.exclusion is not None:
        return False, why_not(texts, verdict.exclusion, verdict.ranking, home_country)
    if last_day > day:
        return False, texts.gettext("it counts from its last day on, {day}.", day=last_day.isoformat())
    if verdict.sevenths == 0:
        return False, texts.gettext("it is more than two years old.")
    if not verdict.has_results:
        return False, texts.gettext("it counts once it has results of players who are listed.")
    if verdict.sevenths == SEVENTHS:
        return True, texts.gettext("it counts in full.")
    return True, texts.gettext("it counts {sevenths}/7 by its age.", sevenths=verdict.sevenths)


def why_not(texts: Texts, exclusion: Exclusion, ranking: Ranking, home_country: str) -> str:
    """The rule that keeps a tournament out of a ranking, as a sentence about the tournament."""
    participants, hanchan = least(ranking)
    return {
        Exclusion.ONLINE: texts.gettext("it was played online."),
        Exclusion.NOT_ONLINE: texts.gettext("it was not played online."),
        Exclusion.ABROAD: texts.gettext(
            "it was not in {country} and was no official EMA event.", country=home_country
        ),
        Exclusion.NO_HOME_PLAYER: texts.gettext("nobody from {country} took part.", country=home_country),
        Exclusion.TOO_FEW_PLAYERS: texts.gettext("it takes {number} players.", number=participants),
        Exclusion.TOO_FEW_HANCHAN: texts.gettext("it takes {number} hanchan.", number=hanchan),
        Exclusion.UNKNOWN_HANCHAN: texts.gettext(
            "it takes {number} hanchan, and nobody said how many were played.", number=hanchan
        ),
        Exclusion.NOT_ACCREDITED: texts.gettext("the federation did not accredit it."),
        Exclusion.NOT_OPEN: texts.gettext("fewer than half of its seats were open to everybody."),
    }[exclusion]
