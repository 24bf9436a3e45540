"""Why something about game logs, accounts, bans or chips was refused, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable

from bot.render import words
from bot.render.card import jump_url
from bot.render.names import safe_name, safe_text
from bot.render.receipt import seat_names
from bot.texts import Texts
from ratings.ledger import Differing, Mismatch
from ratings.logs import Unranked
from ratings.models import Refusal, Refused
from ratings.queries.records import Card

__all__ = ["game_label", "sentence"]


def sentence(texts: Texts, refused: Refused) -> str | None:
    """A refusal as a person would put it; None for one about something else."""
    return _of_bans(texts, refused) or _of_logs(texts, refused) or _of_others(texts, refused)


def _of_bans(texts: Texts, refused: Refused) -> str | None:
    """Refusals because of bans from the ladder; None for others."""
    values = refused.values
    name, until = safe_name(texts, values.get("name") or ""), values.get("until")
    match refused.refusal:
        case Refusal.BANNED if until is None:
            return texts.gettext(
                "{name} is banned from the ladder, so only unranked games with that player can be reported. "
                "Nothing was written down.",
                name=name,
            )
        case Refusal.BANNED:
            return texts.gettext(
                "{name} is banned from the ladder until <t:{until}:f> (for you), so only unranked games with that "
                "player can be reported. Nothing was written down.",
                name=name,
                until=until,
            )
        case Refusal.ALREADY_BANNED if until is None:
            return texts.gettext(
                "{name} is banned from the ladder already. /ladder unban lifts that ban; nothing has changed.",
                name=name,
            )
        case Refusal.ALREADY_BANNED:
            return texts.gettext(
                "{name} is banned from the ladder already, until <t:{until}:f> (for you). /ladder unban lifts "
                "that ban; nothing has changed.",
                name=name,
                until=until,
            )
        case Refusal.STILL_BANNED if until is None:
            return texts.gettext(
                "{name} is banned from the ladder, and would come back without that ban. Lift it first with "
                "/ladder unban; nothing has changed.",
                name=name,
            )
        case Refusal.STILL_BANNED:
            return texts.gettext(
                "{name} is banned from the ladder until <t:{until}:f> (for you), and would come back without that "
                "ban. Lift it first with /ladder unban, or wait until it ends; nothing has changed.",
                name=name,
                until=until,
            )
        case Refusal.NOT_BANNED:
            return texts.gettext("No ban from the ladder is in force for that player; nothing has changed.")
        case _:
            return None


def _of_logs(texts: Texts, refused: Refused) -> str | None:
    """Refusals because of what the club knows of the game of a log; None for others."""
    values = refused.values
    game = game_label(texts, values.get("number"), values.get("card"))
    match refused.refusal:
        case Refusal.LOG_KNOWN:
            return texts.gettext(
                "This log belongs to {game} already, so nothing was written down a second time.", game=game
            )
        case Refusal.LOG_ID_KNOWN:
            return texts.gettext(
                "The log of this id belongs to {game} already, and this file differs from the one known, so "
                "nothing was written down. If the first one is wrong or came with a wrong link, an admin can take "
                "it off with /game detach.",
                game=game,
            )
        case Refusal.LOG_FOR_ADMINS:
            return texts.gettext(
                "These players reported {game} by hand, and it is approved already, so only an admin can add its "
                "log. Please ask one to give it with /report log; nothing was written down.",
                game=game,
            )
        case Refusal.NO_LOG:
            return texts.gettext("There is no log to take off {game}; nothing has changed.", game=game)
        case Refusal.LOG_SETTLES:
            return texts.gettext(
                "Who sat where and what everybody scored is what the log of {game} says, so only the rest can be "
                "amended. If the log was given with the wrong members, take the game back with /game withdraw or "
                "/game void, free names that are linked to the wrong one with /account unlink, and give the log "
                "again with /report log. If the log is wrong, an admin can take it off with /game detach. Nothing "
                "has changed.",
                game=game,
            )
        case Refusal.LOG_SAYS_OTHERWISE:
            return texts.gettext(
                "The log of {game} says how long it was, in which lobby it was played, and whether it was ranked. "
                "Only an admin can amend that into something else; nothing has changed.",
                game=game,
            )
        case Refusal.LOG_DIFFERS:
            parts = [
                texts.gettext(
                    "These players reported {game} by hand, and the log does not agree with it:", game=game
                ),
                *_mismatches(texts, values.get("mismatches", ())),
                texts.gettext(
                    "Nothing was kept. /game amend sets the report right; then send the log again. If the log is "
                    "of another game, report that one by hand first, and then send its log."
                ),
            ]
            return "\n".join(parts)
        case _:
            return None


def _mismatches(texts: Texts, mismatches: Iterable[Mismatch]) -> list[str]:
    return [f"- {_mismatch(texts, each)}" for each in mismatches]


def _mismatch(texts: Texts, each: Mismatch) -> str:
    name = safe_name(texts, each.name or "")
    match each.what:
        case Differing.SCORE:
            return texts.gettext(
                "{name} has {reported} in the report and {logged} in the log.",
                name=name,
                reported=words.score(each.reported),
                logged=words.score(each.logged),
            )
        case Differing.SEAT:
            seats = seat_names(texts)
            return texts.gettext(
                "{name} sits {reported} in the report and {logged} in the log.",
                name=name,
                reported=seats[each.reported],
                logged=seats[each.logged],
            )
        case Differing.LENGTH:
            reported, logged = (words.length_name(texts, value) for value in (each.reported, each.logged))
            return _lengths_or_lobbies(texts, reported, logged)
        case Differing.LOBBY:
            reported, logged = (words.lobby_name(texts, value) for value in (each.reported, each.logged))
            return _lengths_or_lobbies(texts, reported, logged)
        case Differing.RANKED if each.logged is None:
            return texts.gettext(
                "The report is of a ranked game, but the log was given with ranked: no. Without that option the "
                "log can be attached, and the game stays ranked."
            )
        case Differing.RANKED if each.logged is Unranked.UNKNOWN:
            return texts.gettext(
                "The report is of a ranked game, which the log shows only together with its link. Give the link "
                "with the file."
            )
        case Differing.RANKED:
            return texts.gettext("The report is of a ranked game; by the log it was no ranked game of Tenhou.")


def _lengths_or_lobbies(texts: Texts, reported: str, logged: str) -> str:
    return texts.gettext("The report says {reported}, the log says {logged}.", reported=reported, logged=logged)


def _of_others(texts: Texts, refused: Refused) -> str | None:
    """Refusals because of accounts, chips, and what a club has already; None for others."""
    values = refused.values
    name = safe_text(str(values.get("name", "")))
    match refused.refusal:
        case Refusal.ACCOUNT_TAKEN:
            return texts.gettext(
                "The account “{name}” is bound to another member already. Nothing has changed, and the admins are "
                "told: one account, one member.",
                name=name,
            )
        case Refusal.NO_ACCOUNT:
            return texts.gettext(
                "The account “{name}” is not bound to that member; /account list shows which are. Nothing has "
                "changed.",
                name=name,
            )
        case Refusal.NOT_EMPTY:
            return texts.gettext(
                "This club has games, tournaments, a card, aliases or linked accounts already, and an export can "
                "only be read back into an empty one. Nothing has changed."
            )
        case Refusal.UNEVEN_CHIPS:
            return texts.gettext(
                "What some win in chips the others lose, so they must add up to 0, but these add up to {total}. "
                "Nothing was written down; please check the chips.",
                total=words.signed(values["total"]),
            )
        case _:
            return None


def game_label(texts: Texts, number: int | None, card: object) -> str:
    """A game's number, as a link to its card if it hangs somewhere."""
    label = texts.gettext("game #{number}", number=number)
    return f"[{label}]({jump_url(card)})" if isinstance(card, Card) else label
