"""Why something about a tournament or its players was refused, and what to do next."""

from __future__ import annotations

from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.models import Refusal, Refused

__all__ = ["sentence"]


def sentence(texts: Texts, refused: Refused) -> str:
    """A refusal as a person would put it."""
    told = _of_existing(texts, refused) or _of_facts(texts, refused) or _of_results(texts, refused)
    return told or _of_players(texts, refused)


def _of_existing(texts: Texts, refused: Refused) -> str | None:
    """Refusals because of the tournaments that there are; None for others."""
    number = refused.values.get("number")
    match refused.refusal:
        case Refusal.UNKNOWN_TOURNAMENT:
            return texts.gettext("I do not know that tournament. /tournament list shows those of this club.")
        case Refusal.REMOVED_TOURNAMENT:
            return texts.gettext(
                "Tournament #{number} is removed; /tournament restore brings it back. Nothing has changed.",
                number=number,
            )
        case Refusal.NOT_REMOVED:
            return texts.gettext("Tournament #{number} is not removed, so it cannot be restored.", number=number)
        case Refusal.SAME_TOURNAMENT:
            return texts.gettext(
                "There is one already: tournament #{number}, “{name}”, ended on the same day. Nothing was written "
                "down. /tournament edit and /tournament result correct it; after /tournament remove it can be "
                "imported anew.",
                number=number,
                name=safe_text(refused.values["name"]),
            )
        case Refusal.NOTHING_TO_UNDO if number is None:
            return texts.gettext(
                "Nothing is left to undo: no correction of {name} stands any more. A link to a member stays as it "
                "is.",
                name=safe_name(texts, refused.values["name"]),
            )
        case Refusal.NOTHING_TO_UNDO:
            return texts.gettext(
                "Nothing is left to undo: tournament #{number} stands as it was first entered. /tournament remove "
                "takes it out.",
                number=number,
            )
        case _:
            return None


def _of_facts(texts: Texts, refused: Refused) -> str | None:
    """Refusals because of what a tournament cannot be; None for others."""
    values = refused.values
    match refused.refusal:
        case Refusal.ENDS_FIRST:
            return texts.gettext(
                "The tournament cannot end on {last} if it began on {first}. Nothing has changed; please check "
                "both days.",
                first=values["first"].isoformat(),
                last=values["last"].isoformat(),
            )
        case Refusal.NOT_OVER:
            return texts.gettext(
                "The last day, {last}, is still to come. A tournament can be entered once it is over; nothing has "
                "changed.",
                last=values["last"].isoformat(),
            )
        case Refusal.FEW_PARTICIPANTS if values["results"] > values["participants"]:
            return texts.gettext(
                "There are {results} results, so {participants} participants are too few. Nothing has changed.",
                results=values["results"],
                participants=values["participants"],
            )
        case Refusal.FEW_PARTICIPANTS:
            return texts.gettext(
                "A tournament has at least four participants, not {participants}. Nothing has changed.",
                participants=values["participants"],
            )
        case Refusal.UNFIT_STAGES if "hanchan" in values:
            return texts.gettext(
                "The stages have {played} hanchan together, and not {hanchan}. Say them stage by stage and leave "
                "hanchan out, or the other way round. Nothing has changed.",
                played=values["played"],
                hanchan=values["hanchan"],
            )
        case Refusal.UNFIT_STAGES:
            return texts.gettext(
                "The stages do not fit. The first one has all {participants} participants, and each later one as "
                "many or fewer, as in 28x10 8x10. Nothing has changed.",
                participants=values["participants"],
            )
        case _:
            return None


def _of_results(texts: Texts, refused: Refused) -> str | None:
    """Refusals because of who took which place; None for others."""
    values = refused.values
    match refused.refusal:
        case Refusal.HIGH_PLACE:
            return texts.gettext(
                "There is no place {place} among {participants} participants. Nothing has changed; /tournament "
                "edit corrects the number of participants.",
                place=values["place"],
                participants=values["participants"],
            )
        case Refusal.CROWDED_PLACE:
            return texts.gettext(
                "Place {place} cannot be: those who share a place take up the places after it, as in 1, 2, 2, 4. "
                "Nothing has changed. To exchange places, take one of the results out first with /tournament "
                "unresult.",
                place=values["place"],
            )
        case Refusal.TWO_RESULTS:
            return texts.gettext(
                "{name} would have two results in this tournament. Nothing has changed.",
                name=safe_name(texts, values["name"]),
            )
        case Refusal.NO_RESULT:
            return texts.gettext(
                "The player has no result in tournament #{number}; nothing has changed.", number=values["number"]
            )
        case Refusal.UNKNOWN_NAMES:
            return texts.gettext(
                "I do not know everybody in the file, so nothing was written down. Import it again to see who it "
                "is."
            )
        case _:
            return None


def _of_players(texts: Texts, refused: Refused) -> str:
    """Refusals because of the names and accounts that players have."""
    values = refused.values
    name = safe_text(str(values.get("name", "")))
    match refused.refusal:
        case Refusal.NAME_TAKEN:
            return texts.gettext(
                "Somebody else goes by the name “{name}” already; /players show tells who. Nothing has changed.",
                name=name,
            )
        case Refusal.EMA_NUMBER_TAKEN:
            return texts.gettext(
                "The EMA number {number} is that of {name} already; nothing has changed.",
                number=values["number"],
                name=safe_name(texts, values["name"]),
            )
        case Refusal.NO_ALIAS:
            return texts.gettext(
                "“{name}” is no alias of this player; /players show lists them. Nothing has changed.", name=name
            )
        case Refusal.LINKED_ALREADY if values["has_record"]:
            return texts.gettext(
                "{member} has a record in this club already, so “{name}” cannot become it. /players merge lets "
                "the two count as one person; nothing has changed.",
                member=safe_name(texts, values["member"]),
                name=name,
            )
        case Refusal.LINKED_ALREADY:
            return texts.gettext(
                "“{name}” is linked to a Discord account already; nothing has changed.", name=name
            )
        case _:
            return texts.gettext("That cannot be done; nothing has changed.")
