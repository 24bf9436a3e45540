"""In which rankings a tournament counts, and which rule keeps it out of the others."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.tournament_facts import ranking_name
from bot.texts import Texts
from ratings.settings import ClubSettings
from ratings.systems.russian import Exclusion, Ranking
from ratings.tournaments.rankings import Verdict

__all__ = ["verdict_lines", "why_not"]

# Seed 002, "Requirements for rating tournaments", "Common russian riichi rating" and "Online rating".
LEAST = {Ranking.RR: (16, 4), Ranking.CRR: (12, 3), Ranking.ONLINE: (12, 3)}


def verdict_lines(texts: Texts, verdicts: Sequence[Verdict], settings: ClubSettings) -> list[str]:
    """In which rankings a tournament counts, and which rule keeps it out of the others."""
    told = []
    for verdict in verdicts:
        name = ranking_name(texts, verdict.ranking)
        if verdict.exclusion is not None:
            reason = why_not(texts, verdict.exclusion, verdict.ranking, settings.home_country)
            told.append(f"➖ {name}: {reason}")
        elif verdict.sevenths == 0:
            told.append(f"➖ {name}: " + texts.gettext("it is more than two years old."))
        elif not verdict.has_results:
            told.append(f"➖ {name}: " + texts.gettext("it counts once it has results of players who are listed."))
        elif verdict.sevenths == 7:
            told.append(f"✅ {name}: " + texts.gettext("it counts in full."))
        else:
            told.append(
                f"✅ {name}: " + texts.gettext("it counts {sevenths}/7 by its age.", sevenths=verdict.sevenths)
            )
    return told


def why_not(texts: Texts, exclusion: Exclusion, ranking: Ranking, home_country: str) -> str:
    """The rule that keeps a tournament out of a ranking, as a sentence about the tournament."""
    participants, hanchan = LEAST[ranking]
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
