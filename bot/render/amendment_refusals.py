"""Why an amendment was refused, where that has another sentence than a report would have: only what changes was
named, and the rest stands as it was told before."""

from __future__ import annotations

from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.models import Refusal, Refused

__all__ = ["self_picked", "sentence", "stranger"]


def sentence(texts: Texts, refused: Refused) -> str | None:
    """What is said of an amendment that cannot be; None if that is what is said of a report."""
    values = refused.values
    name, number = safe_name(texts, values.get("name", "")), values.get("number")
    match refused.refusal:
        case Refusal.SAME_PLAYER:
            return texts.gettext(
                "{name} would sit in two seats. Name somebody else for one of them; nothing has changed.",
                name=name,
            )
        case Refusal.NOT_AMERICAN:
            return texts.gettext(
                "Game #{number} is a riichi game; /game amend amends it. Nothing has changed.", number=number
            )
        case Refusal.TABLE_SIZE:
            return texts.gettext(
                "An American hand has two to four players. Name everybody at the table from first to fourth, or "
                "leave these out; nothing has changed."
            )
        case Refusal.WINNER_ABSENT:
            return texts.gettext(
                "{name} is the winner but would not be at the table. Name another winner, or another table from "
                "first to fourth; nothing has changed.",
                name=name,
            )
        case Refusal.DISCARDER_ABSENT:
            return texts.gettext(
                "{name} is the discarder but would not be at the table. Name another discarder, or another table "
                "from first to fourth; nothing has changed.",
                name=name,
            )
        case Refusal.DISCARDER_WON:
            return texts.gettext(
                "{name} would be the winner and the discarder. Name both anew; nothing has changed.", name=name
            )
        case Refusal.JOKERS_ON_SINGLES:
            return texts.gettext(
                "“{line}” is a singles-and-pairs line, which cannot use jokers. Amend jokers too, or choose "
                "another line; nothing has changed.",
                line=safe_text(str(values.get("line", ""))),
            )
        case _:
            return None


def self_picked(texts: Texts, number: int) -> str:
    """A discarder was named of a hand that is told as self-picked."""
    return texts.gettext(
        "Game #{number} is a self-picked hand so far, which has no discarder. If it was won on a discard, add "
        "`won: on a discard`; nothing has changed.",
        number=number,
    )


def stranger(texts: Texts, name: str) -> str:
    """Somebody was named who is no member and has never been known."""
    return texts.gettext(
        "{name} is not a member of this server and not in the club's records, so I cannot take the name here. "
        "Nothing has changed.",
        name=safe_name(texts, name),
    )
