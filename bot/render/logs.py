"""Game logs as people see them: what was understood, who is still to be named, and why a file is none."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render import words
from bot.render.card import COLOURS, body
from bot.render.names import plain_name, safe_name, safe_text
from bot.render.receipt import receipt
from bot.texts import Texts
from ratings.ledger import Submission
from ratings.logs import GameLog, LogFormat, LogProblem, LogRefused, LogSeat, Unranked
from ratings.models import GameState, Person
from ratings.settings import ClubSettings

__all__ = [
    "against_computers",
    "attached",
    "bad_link",
    "bot_chosen",
    "choice",
    "other_start",
    "problem",
    "question",
    "reported",
]

NAME = 24  # columns of a name
KILOBYTE = 1_000


def problem(texts: Texts, refused: LogRefused) -> str:
    """Why a file cannot be read as a game log, and what can be done."""
    told = _of_files(texts, refused) or _of_logs(texts, refused)
    nothing = texts.gettext("Nothing was written down.")
    return f"{told} {nothing}"


def _of_files(texts: Texts, refused: LogRefused) -> str | None:
    """What is wrong with a file, whatever it holds; None for other problems."""
    size = words.score(int(refused.values.get("limit", 0)) // KILOBYTE)
    match refused.problem:
        case LogProblem.TOO_LARGE:
            return texts.gettext(
                "The file is too large for a game log: {limit} kB is the most I take.", limit=size
            )
        case LogProblem.UNPACKS_TOO_LARGE:
            return texts.gettext(
                "The file is too large for a game log once it is unpacked: {limit} kB is the most I take.",
                limit=size,
            )
        case LogProblem.PACKED_TWICE:
            return texts.gettext("The file is packed twice. Unpack it once, and send what comes out.")
        case LogProblem.NOT_UTF8:
            return texts.gettext(
                "The file is not in UTF-8, as game logs are. Save it as it comes from the site, without changing "
                "its encoding."
            )
        case LogProblem.NOT_A_LOG:
            return texts.gettext(
                "That is no game log. I read Tenhou's mjlog, plain or packed with gzip, the JSON of tenhou.net/6, "
                "and Mahjong Soul exports in that form."
            )
        case LogProblem.DAMAGED:
            return texts.gettext(
                "The file is damaged, so I cannot read it as a game log. Please download it again."
            )
        case LogProblem.DOCTYPE:
            return texts.gettext(
                "The file has a DOCTYPE or entities, which no game log has and I do not read. Please send the log "
                "as it comes from the site."
            )
        case LogProblem.TOO_DEEP | LogProblem.TOO_MANY_PARTS:
            return texts.gettext("The file is built in a way in which no game log is built, so I do not read it.")
        case _:
            return None


def _of_logs(texts: Texts, refused: LogRefused) -> str:
    """What is wrong with the game in a log."""
    match refused.problem:
        case LogProblem.CUT_OFF:
            return texts.gettext(
                "The log is cut off: the game in it has no end. Download it again once the game is over."
            )
        case LogProblem.SEVERAL_GAMES:
            return texts.gettext("There is more than one game in the file. Please send each log on its own.")
        case LogProblem.WRONG_TABLE:
            return texts.gettext("The game in the log was not played by three or four players.")
        case LogProblem.OTHER_GAME:
            return texts.gettext(
                "The log is of another game than the link or the file's name says. Please send the log and the "
                "link of one game."
            )
        case _:
            where = safe_text(str(refused.values.get("where", "")))
            return texts.gettext("The log has a value that cannot be, at “{where}”.", where=where)


def against_computers(texts: Texts) -> str:
    """Somebody at the table was no person."""
    return texts.gettext(
        "Computer players sat at this table, so it is no game of the club's members. Nothing was written down."
    )


def other_start(texts: Texts, log: GameLog, settings: ClubSettings) -> str:
    """The game of the log was played with other starting scores than the club's."""
    return texts.gettext(
        "The final scores of the log add up to {total}, but the games of this club begin with {start} each and "
        "add up to {expected}. Nothing was written down.",
        total=words.score(sum(seat.final_score for seat in log.seats)),
        start=words.score(settings.start_score(log.players)),
        expected=words.score(settings.start_score(log.players) * log.players),
    )


def bad_link(texts: Texts, link: str) -> str:
    """There is no id of a game in what was given as the link."""
    return texts.gettext(
        "I find no log id of Tenhou in “{link}”. A link looks like "
        "`https://tenhou.net/0/?log=2026112921gm-00a9-0000-0123abcd`; without one, leave the option out. Nothing "
        "was written down.",
        link=safe_text(link[:200]),
    )


def bot_chosen(texts: Texts, name: str) -> str:
    """A bot was chosen for a seat."""
    return texts.gettext("{name} is a bot and cannot have played. Choose a member.", name=safe_name(texts, name))


def choice(texts: Texts, seat: int, found: LogSeat) -> str:
    """What a menu asks for: the seat, the name in the log and the score, since names may be alike."""
    return texts.gettext(
        "{seat} {name}, {score}: who is that?",
        seat=words.wind(seat),
        name=plain_name(texts, found.name, NAME),
        score=words.score(found.final_score),
    )


def question(
    texts: Texts,
    log: GameLog,
    people: Sequence[Person | None],
    settings: ClubSettings,
    ranked: bool,
    may_link: bool,
) -> discord.Embed:
    """What was understood of a log, and what is still to be said: who sat where nobody is known."""
    lines = [_heading(texts, log, settings, ranked), ""]
    for seat, (found, person) in enumerate(zip(log.seats, people, strict=True)):
        who = "❔" if person is None else f"**{safe_name(texts, person.name)}**"
        name, score = safe_name(texts, found.name, NAME), words.score(found.final_score)
        lines.append(f"{words.wind(seat)} {name} {score} → {who}")
    asked = texts.gettext("Choose who sat in each seat whose name no member has linked, then submit.")
    if None not in people:
        asked = texts.gettext("Everybody is named. Submit if it is right, or choose anew.")
    lines += ["", asked]
    names = [seat.name for seat in log.seats]
    if len(set(names)) < len(names):
        alike = texts.gettext("Two at this table have one name: seat and score tell them apart.")
        lines.append(alike)
    if may_link:
        advice = texts.gettext(
            "I can keep the names as accounts of those you choose, so that I know them next time. You can link "
            "your own name; those of others are linked only if you are an admin."
        )
        lines.append(f"-# {advice}")
    lines += _remarks(texts, log, ranked)
    title = texts.gettext("Who sat where in this game log?")
    return discord.Embed(title=title, description="\n".join(lines), colour=COLOURS[GameState.PENDING])


def _heading(texts: Texts, log: GameLog, settings: ClubSettings, ranked: bool) -> str:
    players = texts.gettext("four players") if log.players == 4 else texts.gettext("three players")
    parts = [words.length_name(texts, log.length).capitalize(), players]
    if log.played_at is not None:
        parts.append(words.moment(log.played_at, settings.zone))
    if log.lobby is not None and ranked:
        parts.append(words.lobby_name(texts, log.lobby))
    else:
        parts.append(texts.gettext("unranked"))
    return " · ".join(parts)


def reported(
    texts: Texts, submission: Submission, log: GameLog, ranked: bool, reachable: bool, linked: Sequence[str]
) -> discord.Embed:
    """What the reporter sees of a game that was written down from its log; `linked` tells of names linked by the
    way."""
    embed = receipt(texts, submission, reachable)
    embed.description = "\n".join([embed.description or "", *_remarks(texts, log, ranked), *linked])
    return embed


def attached(texts: Texts, submission: Submission, linked: Sequence[str]) -> discord.Embed:
    """What whoever brought a log sees when its game had been reported by hand and agrees with it."""
    number = submission.game.number
    agrees = texts.gettext(
        "These players had reported the game by hand, and everything agrees: seats, scores and length. The log "
        "adds the figures of its hands to the statistics."
    )
    return discord.Embed(
        title=texts.gettext("The log is attached to game #{number}", number=number),
        description="\n".join([*body(texts, submission.matter), "", agrees, *linked]),
        colour=COLOURS[submission.game.state],
    )


def _remarks(texts: Texts, log: GameLog, ranked: bool) -> list[str]:
    """What a log leaves open, or makes of the game."""
    told = []
    if ranked and log.unranked is not None:
        told.append(_why_unranked(texts, log.unranked))
    if log.played_at is None:
        told.append(
            texts.gettext(
                "The log does not say when it was played, so I take this moment; /game amend corrects it."
            )
        )
    if ranked and log.unranked is Unranked.UNKNOWN:
        told.append(
            texts.gettext(
                "The link to the log makes it a ranked game if it was one, and tells the time: give the file "
                "again with its link, after /game withdraw if the game is reported already."
            )
        )
    elif log.played_at is None and log.format is not LogFormat.MAHJONG_SOUL:
        told.append(texts.gettext("A link to the log would say it: next time, give it with the file."))
    return told


def _why_unranked(texts: Texts, why: Unranked) -> str:
    match why:
        case Unranked.OTHER_SITE:
            reason = texts.gettext("It was not played on Tenhou.")
        case Unranked.PRIVATE_LOBBY:
            reason = texts.gettext("It was played in a private lobby.")
        case Unranked.CUSTOM_RULES:
            reason = texts.gettext("It was played with rules of its own.")
        case Unranked.PARLOUR:
            reason = texts.gettext("It was a parlour game (雀荘).")
        case Unranked.AGAINST_BOTS:
            reason = texts.gettext("Computer players took part.")
        case Unranked.OTHER_VERSION:
            reason = texts.gettext("Its log is of a version I do not know.")
        case Unranked.UNKNOWN:
            reason = texts.gettext("The log alone does not say which lobby it was played in.")
    counts = texts.gettext("So it counts for the statistics only, and moves neither rank nor R.")
    return f"{reason} {counts}"
