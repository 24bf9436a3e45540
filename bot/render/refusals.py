"""Why something was refused, what was understood, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render import account_refusals, tournament_refusals, words
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.models import GameState, Refusal, Refused
from ratings.reading import ScoreFault, Unreadable, UnreadableMoment

__all__ = ["bad_moment", "bad_score", "gone", "lonely_seat", "sentence"]

MOST_GAMES = 20


def sentence(texts: Texts, refused: Refused) -> str:
    """The ledger's refusal as a person would put it."""
    values = refused.values
    match refused.refusal:
        case Refusal.BOT_PLAYER:
            name = safe_name(texts, values["name"])
            return texts.gettext("{name} is a bot and cannot have played. Nothing was written down.", name=name)
        case Refusal.SAME_PLAYER:
            name = safe_name(texts, values["name"])
            return texts.gettext(
                "{name} cannot sit in two seats. Choose a different member for each seat; nothing was written "
                "down.",
                name=name,
            )
        case Refusal.FUTURE:
            return texts.gettext(
                "The game cannot have been played in the future (<t:{moment}:f> for you). Nothing was written "
                "down.",
                moment=values["played_at"],
            )
        case Refusal.TOO_LONG_AGO:
            return texts.gettext("A game before the year 2000 cannot be written down; please check the date.")
        case Refusal.WRONG_SUM:
            return _wrong_sum(texts, values["total"], values["expected"], values["sticks"])
        case Refusal.UNKNOWN_GAME:
            return texts.gettext("I do not know that game. /games list shows the games of this club.")
        case Refusal.ALREADY_DECIDED:
            return _already(texts, values["number"], values["state"])
        case Refusal.EMPTY_REASON:
            return texts.gettext("The reason is empty. Please write a few words.")
        case Refusal.LONG_REASON:
            return texts.gettext(
                "The reason has {length} characters; {limit} is the most I can keep.",
                length=values["length"],
                limit=values["limit"],
            )
        case _:
            return _american(texts, refused)


def _already(texts: Texts, number: int, state: GameState) -> str:
    match state:
        case GameState.APPROVED:
            return texts.gettext("Game #{number} is approved already; nothing has changed.", number=number)
        case GameState.VOIDED:
            return texts.gettext("Game #{number} is voided; nothing has changed.", number=number)
        case GameState.WITHDRAWN:
            return texts.gettext("Game #{number} is withdrawn; nothing has changed.", number=number)
        case _:
            return texts.gettext("Game #{number} is rejected already; nothing has changed.", number=number)


def _american(texts: Texts, refused: Refused) -> str:
    """Refusals that only American hands meet."""
    values = refused.values
    name = safe_name(texts, values.get("name", ""))
    line = safe_text(str(values.get("line", "")))
    nothing = texts.gettext("Nothing was written down.")
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
        case Refusal.WINNER_ABSENT:
            told = texts.gettext("{name} is named as the winner but did not sit at the table.", name=name)
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
        case Refusal.NOT_AMERICAN:
            return texts.gettext("Game #{number} is not an American hand.", number=values["number"])
        case Refusal.PENALTIES_OFF if "number" in values:
            return texts.gettext(
                "Game #{number} was approved when this club did not use penalties, so none can count with it. "
                "Nothing has changed.",
                number=values["number"],
            )
        case Refusal.PENALTIES_OFF:
            return texts.gettext("This club does not use penalties; /settings set penalties yes switches them on.")
        case Refusal.NOT_AT_THE_TABLE:
            return texts.gettext("Only players of the game can get a penalty.")
        case Refusal.DEAD_HAND_ON_A_WIN:
            return texts.gettext("The penalty for a dead hand belongs to wall games only.")
        case _:
            return _states(texts, refused)


def _states(texts: Texts, refused: Refused) -> str:
    """Refusals because of where a game stands."""
    number, state = refused.values.get("number"), refused.values.get("state")
    match refused.refusal:
        case Refusal.NOT_PENDING if state is None:
            return texts.gettext("Game #{number} is decided already; nothing has changed.", number=number)
        case Refusal.NOT_PENDING:
            return texts.gettext(
                "Game #{number} is not pending any more, so only admins can change it; nothing has changed.",
                number=number,
            )
        case Refusal.NOT_REJECTED if state is None:
            return texts.gettext("Game #{number} is not rejected, so it needs no reason.", number=number)
        case Refusal.NOT_REJECTED:
            return texts.gettext(
                "Game #{number} is neither rejected nor withdrawn, so it cannot be reopened.", number=number
            )
        case Refusal.NOT_APPROVED:
            return texts.gettext(
                "Only an approved game can be voided, and game #{number} is not; nothing has changed.",
                number=number,
            )
        case Refusal.NOT_VOIDED:
            return texts.gettext("Game #{number} is not voided, so it cannot be restored.", number=number)
        case Refusal.NOT_AMENDABLE if state is GameState.VOIDED:
            return texts.gettext(
                "Game #{number} is voided. Restore it first with /game restore; nothing has changed.",
                number=number,
            )
        case Refusal.NOT_AMENDABLE:
            return texts.gettext(
                "Game #{number} neither counts nor waits for approval. Reopen it first with /game reopen; nothing "
                "has changed.",
                number=number,
            )
        case _:
            return _corrections(texts, refused)


def _corrections(texts: Texts, refused: Refused) -> str:
    """Refusals of other corrections."""
    values, number = refused.values, refused.values.get("number")
    name, other = (safe_name(texts, values.get(key, "")) for key in ("name", "other"))
    match refused.refusal:
        case Refusal.NOT_RIICHI:
            return texts.gettext(
                "Game #{number} is an American hand; /game amend-hand amends it. Nothing has changed.",
                number=number,
            )
        case Refusal.NOTHING_TO_AMEND:
            return texts.gettext("Game #{number} says all that already; nothing has changed.", number=number)
        case Refusal.NOT_YOUR_REPORT:
            return texts.gettext(
                "Game #{number} was reported by somebody else: only the reporter and admins can change it. "
                "Nothing has changed.",
                number=number,
            )
        case Refusal.UNKNOWN_PLAYER:
            return texts.gettext("I do not know that player: this club has no such record. Nothing has changed.")
        case Refusal.ONE_RECORD:
            return texts.gettext("These two count as one person already; nothing has changed.")
        case Refusal.MERGED_ALREADY:
            return texts.gettext(
                "This record counts as somebody else's already. /players split takes them apart; nothing has "
                "changed."
            )
        case Refusal.NOT_MERGED:
            return texts.gettext("This record counts for itself already; nothing has changed.")
        case Refusal.TOGETHER:
            return _together(texts, values["games"], values.get("tournaments", ()))
        case Refusal.ONE_PERSON if values.get("name") == values.get("other"):
            return texts.gettext(
                "Two at the table of this game are one person by now: {name}. Nothing has changed.", name=name
            )
        case Refusal.ONE_PERSON:
            return texts.gettext(
                "{name} and {other} count as one person in this club, who cannot sit in two seats. Nothing was "
                "written down.",
                name=name,
                other=other,
            )
        case _:
            return account_refusals.sentence(texts, refused) or tournament_refusals.sentence(texts, refused)


def _together(texts: Texts, games: Sequence[int], tournaments: Sequence[int]) -> str:
    if not games:
        return texts.ngettext(
            "Both played in tournament {tournaments}, so they cannot be one person; nothing has changed.",
            "Both played in the tournaments {tournaments}, so they cannot be one person; nothing has changed.",
            len(tournaments),
            tournaments=_numbers(tournaments),
        )
    return texts.ngettext(
        "They sat at one table in game {games}, so they cannot be one person; nothing has changed.",
        "They sat at one table in the games {games}, so they cannot be one person; nothing has changed.",
        len(games),
        games=_numbers(games),
    )


def _numbers(numbers: Sequence[int]) -> str:
    shown = [f"#{number}" for number in numbers[:MOST_GAMES]]
    return ", ".join(shown if len(shown) == len(numbers) else [*shown, "…"])


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
    parts.append(texts.gettext("Nothing was written down; please check the scores."))
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
    advice = texts.gettext("Write scores like 25000, 25,000, 25.0k or -5000. Nothing was written down.")
    return f"{problem} {advice}"


def bad_moment(texts: Texts, error: UnreadableMoment, zone: str) -> str:
    """The date could not be read, and how dates are written."""
    return texts.gettext(
        "I cannot read “{text}” as a date. Write it like 2026-11-29 21:30, 29.11.2026, 21:30 or yesterday 21:30 "
        "({zone} time). Nothing was written down.",
        text=safe_text(error.text),
        zone=zone,
    )


def lonely_seat(texts: Texts, has_player: bool) -> str:
    """North has a player without a score, or a score without a player."""
    if has_player:
        return texts.gettext("North has a player but no score. Nothing was written down; please add north_score.")
    return texts.gettext(
        "North has a score but no player. Nothing was written down; please add north, or leave the score out "
        "for a three-player game."
    )
