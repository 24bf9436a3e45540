"""Why something was refused, what was understood, and what to do next."""

from __future__ import annotations

import discord

from bot.render import words
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.models import GameState, Refusal, Refused
from ratings.reading import ScoreFault, Unreadable, UnreadableMoment

__all__ = ["bad_moment", "bad_score", "gone", "lonely_seat", "sentence"]


def sentence(texts: Texts, refused: Refused) -> str:
    """The ledger's refusal as a person would put it."""
    values = refused.values
    match refused.refusal:
        case Refusal.BOT_PLAYER:
            name = safe_name(texts, values["name"])
            return texts.gettext("{name} is a bot and cannot have played. Nothing was reported.", name=name)
        case Refusal.SAME_PLAYER:
            name = safe_name(texts, values["name"])
            return texts.gettext(
                "{name} cannot sit in two seats. Choose a different member for each seat; nothing was reported.",
                name=name,
            )
        case Refusal.FUTURE:
            return texts.gettext(
                "The game cannot have been played in the future (<t:{moment}:f> for you). Nothing was reported.",
                moment=values["played_at"],
            )
        case Refusal.TOO_LONG_AGO:
            return texts.gettext("Games before the year 2000 cannot be reported; please check the date.")
        case Refusal.WRONG_SUM:
            return _wrong_sum(texts, values["total"], values["expected"], values["sticks"])
        case Refusal.UNKNOWN_GAME:
            return texts.gettext("I do not know that game. /games list shows the games of this club.")
        case Refusal.ALREADY_DECIDED:
            if values["state"] is GameState.APPROVED:
                return texts.gettext(
                    "Game #{number} is approved already; nothing has changed.", number=values["number"]
                )
            return texts.gettext(
                "Game #{number} is rejected already; nothing has changed.", number=values["number"]
            )
        case Refusal.NOT_REJECTED:
            return texts.gettext("Game #{number} is not rejected, so it needs no reason.", number=values["number"])
        case Refusal.EMPTY_REASON:
            return texts.gettext("The reason is empty. Write a few words for the reporter.")
        case Refusal.LONG_REASON:
            return texts.gettext(
                "The reason has {length} characters; {limit} is the most I can keep.",
                length=values["length"],
                limit=values["limit"],
            )
        case _:
            return _american(texts, refused)


def _american(texts: Texts, refused: Refused) -> str:
    """Refusals that only American hands meet."""
    values = refused.values
    name = safe_name(texts, values.get("name", ""))
    line = safe_text(str(values.get("line", "")))
    nothing = texts.gettext("Nothing was reported.")
    match refused.refusal:
        case Refusal.TABLE_SIZE:
            return texts.gettext(
                "An American hand has two to four players, not {players}.", players=values["players"]
            )
        case Refusal.UNKNOWN_LINE:
            told = texts.gettext(
                "I do not know that line. Choose one of those offered while you type; if there are none, an admin "
                "has to import the card with /card import."
            )
        case Refusal.OTHER_YEAR:
            told = texts.gettext(
                "That line is on the card of {year}, which is not the club's current card. Choose a line of the "
                "current card, or say with played when the game took place.",
                year=values["year"],
            )
        case Refusal.DISCARDER_WON:
            told = texts.gettext("{name} cannot have discarded the tile that {name} won with.", name=name)
        case Refusal.DISCARDER_ABSENT:
            told = texts.gettext("{name} is named as the discarder but did not sit at the table.", name=name)
        case Refusal.DISCARDER_MISSING:
            told = texts.gettext(
                "The hand was won on a discard: name the discarder, or choose that the discarder is not recorded."
            )
        case Refusal.SELF_PICK_DISCARDER:
            told = texts.gettext(
                "A self-picked hand has no discarder, but {name} is named as one. Leave one of the two out.",
                name=name,
            )
        case Refusal.JOKERS_ON_SINGLES:
            told = texts.gettext("“{line}” is a singles-and-pairs line, which cannot use jokers.", line=line)
        case Refusal.EXPOSED_ON_CONCEALED:
            told = texts.gettext(
                "“{line}” can only be won concealed, so the hand cannot have been exposed. Leave concealed out.",
                line=line,
            )
        case _:
            return _desk(texts, refused)
    return f"{told} {nothing}"


def _desk(texts: Texts, refused: Refused) -> str:
    """Refusals at the approval desk and at the card."""
    values = refused.values
    match refused.refusal:
        case Refusal.CARD_IN_USE:
            named = [
                f"“{safe_text(name)}” ({safe_text(section)}, {year})"
                for year, section, name in values["lines"][:20]
            ]
            if len(values["lines"]) > len(named):
                named.append("…")
            return texts.gettext(
                "Games depend on these lines, so the import cannot change or drop them: {lines}. Leave them as "
                "they are, and import the file again; nothing was changed.",
                lines=", ".join(named),
            )
        case Refusal.NOT_PENDING:
            return texts.gettext(
                "Game #{number} is decided already; nothing has changed.", number=values["number"]
            )
        case Refusal.NOT_AMERICAN:
            return texts.gettext("Game #{number} is not an American hand.", number=values["number"])
        case Refusal.PENALTIES_OFF:
            return texts.gettext("This club does not use penalties; /settings set penalties yes switches them on.")
        case Refusal.NOT_AT_THE_TABLE:
            return texts.gettext("Only players of the game can get a penalty.")
        case Refusal.DEAD_HAND_ON_A_WIN:
            return texts.gettext("The penalty for a dead hand belongs to wall games only.")
        case _:
            return texts.gettext("That cannot be done; nothing has changed.")


def gone(texts: Texts, value: object) -> str:
    """Somebody or something chosen in a command is no longer in the server."""
    if isinstance(value, discord.abc.User):
        return texts.gettext(
            "{name} is not a member of this server any more, so I cannot take the name here. Nothing was changed.",
            name=safe_name(texts, value.display_name),
        )
    return texts.gettext(
        "What you chose is not in this server any more. Nothing was changed; please choose again."
    )


def _wrong_sum(texts: Texts, total: int, expected: int, sticks: int) -> str:
    parts = [
        texts.gettext(
            "The scores add up to {total}, but should add up to {expected}: {difference} too many.",
            total=words.score(total),
            expected=words.score(expected),
            difference=words.score(total - expected),
        )
        if total > expected
        else texts.gettext(
            "The scores add up to {total}, but should add up to {expected}: {difference} are missing.",
            total=words.score(total),
            expected=words.score(expected),
            difference=words.score(expected - total),
        )
    ]
    if sticks:
        parts.append(
            texts.ngettext(
                "I took {number} riichi stick as left on the table.",
                "I took {number} riichi sticks as left on the table.",
                sticks,
            )
        )
    elif 0 < expected - total <= 10_000 and (expected - total) % 1000 == 0:
        missing = (expected - total) // 1000
        parts.append(
            texts.ngettext(
                "If {number} riichi stick was left on the table, say so in the option sticks.",
                "If {number} riichi sticks were left on the table, say so in the option sticks.",
                missing,
            )
        )
    parts.append(texts.gettext("Nothing was reported; please check the scores."))
    return " ".join(parts)


def bad_score(texts: Texts, error: Unreadable, names: list[str]) -> str:
    """Which score could not be read, and how scores are written."""
    whose, text = names[error.index], safe_text(error.text)
    match error.reason:
        case ScoreFault.EMPTY:
            problem = texts.gettext("The score of {whose} is empty.", whose=whose)
        case ScoreFault.NOT_A_NUMBER:
            problem = texts.gettext(
                "I cannot read “{text}”, the score of {whose}, as a number.", whose=whose, text=text
            )
        case ScoreFault.NOT_HUNDREDS:
            problem = texts.gettext(
                "“{text}”, the score of {whose}, is not a whole number of hundreds.", whose=whose, text=text
            )
        case ScoreFault.TOO_LARGE:
            problem = texts.gettext(
                "“{text}”, the score of {whose}, is more than a game can give.", whose=whose, text=text
            )
    advice = texts.gettext("Write scores like 25000, 25,000, 25.0k or -5000. Nothing was reported.")
    return f"{problem} {advice}"


def bad_moment(texts: Texts, error: UnreadableMoment, zone: str) -> str:
    """The date could not be read, and how dates are written."""
    return texts.gettext(
        "I cannot read “{text}” as a date. Write it like 2026-11-29 21:30, 29.11.2026, 21:30 or yesterday 21:30 "
        "({zone} time). Nothing was reported.",
        text=safe_text(error.text),
        zone=zone,
    )


def lonely_seat(texts: Texts, has_player: bool) -> str:
    """North has a player without a score, or a score without a player."""
    if has_player:
        return texts.gettext("North has a player but no score. Nothing was reported; please add north_score.")
    return texts.gettext(
        "North has a score but no player. Nothing was reported; please add north, or leave the score out for a "
        "three-player game."
    )
