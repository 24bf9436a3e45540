"""A tournament as a file: why one was not imported, row by row, and what an import did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import discord

from bot.render import resultsfile as wording
from bot.render.names import safe_name, safe_text
from bot.render.tournament_deeds import add_lines, changed
from bot.render.tournament_facts import facts_line
from bot.texts import Texts
from ratings.queries.people import mentioned
from ratings.resultsfile import Problem, ProblemKind, ResultsFile
from ratings.tournaments.aftermath import Aftermath
from ratings.tournaments.entrants import LOOKED_UP
from ratings.tournaments.ledger import Imported
from ratings.tournaments.readers import TournamentRecord
from ratings.tournaments.records import Details, Doubt, DoubtKind

__all__ = ["Rejected", "bad_import", "doubt_sentence", "exported", "imported"]

RED = 0xD64545
# What a description may hold, less the words around the list of problems in any language.
ROOM = 4096 - 1396
NAMES = 15


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file that was not imported: what was wrong with it or is not known of its rows, what the tournament would
    be, and how many rows the file has, if that could be read; `sheet` names the sheet that was, of several.

    Nothing being said of participants, there are 0 of a file that could not be read.
    """

    troubles: Sequence[Problem | Doubt]
    details: Details
    rows: int = 0
    sheet: str | None = None


def bad_import(texts: Texts, rejected: Rejected) -> tuple[discord.Embed, str | None]:
    """Why a file was not imported, by row, and what to do next.

    In an embed; if not all fits, what does, and the complete list as text for an attachment.
    """
    troubles = sorted(rejected.troubles, key=lambda trouble: trouble.row or 0)
    title = texts.ngettext(
        "The tournament is not imported: {number} problem",
        "The tournament is not imported: {number} problems",
        len(troubles),
    )
    embed = discord.Embed(title=title, colour=RED)
    shown, length = [], 0
    for trouble in troubles:
        told = _sentence(texts, trouble, _quoted)
        length += len(told) + 1
        if length > ROOM:
            break
        shown.append(told)
    advice = _advice(texts, troubles)
    complete = None
    if rest := len(troubles) - len(shown):
        shown.append(
            texts.ngettext(
                "… and {number} more problem; the attached file lists them all.",
                "… and {number} more problems; the attached file lists them all.",
                rest,
            )
        )
        listed = [_sentence(texts, trouble, str) for trouble in troubles]
        complete = "\n".join([title, "", *listed, "", *advice, ""])
    embed.description = "\n".join([*shown, "", *advice])
    add_lines(embed, texts.gettext("What I understood"), _understood(texts, rejected))
    return embed, complete


def _quoted(text: str) -> str:
    """What stands in a file, in one line and without effect."""
    return safe_text(" ".join(text.split()))


def _sentence(texts: Texts, trouble: Problem | Doubt, quote: Callable[[str], str]) -> str:
    if isinstance(trouble, Problem):
        return wording.sentence(texts, trouble, quote)
    return texts.gettext("Row {row}: {problem}", row=trouble.row, problem=doubt_sentence(texts, trouble, quote))


def doubt_sentence(texts: Texts, doubt: Doubt, quote: Callable[[str], str]) -> str:
    """Why it is not known who a row is; `quote` makes names fit to be printed where this goes."""
    text = quote(doubt.text)
    near = " · ".join(f"“{quote(name)}”" for name in doubt.near)
    match doubt.kind:
        case DoubtKind.UNKNOWN if near:
            return texts.gettext("I do not know “{name}”. Near it: {near}", name=text, near=near)
        case DoubtKind.UNKNOWN:
            return texts.gettext("I do not know “{name}”.", name=text)
        case DoubtKind.SEVERAL:
            return texts.gettext(
                "Several players go by “{name}”. Name the member in a column Discord, write the EMA number that "
                "the club knows in a column EMA number, or give one of the players an alias and write that.",
                name=text,
            )
        case DoubtKind.TWICE:
            return texts.gettext("“{name}” is the player of row {row} already.", name=text, row=doubt.other)
        case DoubtKind.TWO_RECORDS:
            return texts.gettext(
                "“{name}” is a player who is not on Discord, but {member} has a record too. If they are one "
                "person, /players merge lets them count as one.",
                name=text,
                member=near,
            )
        case DoubtKind.OTHER_MEMBER:
            return texts.gettext(
                "“{name}” is another member than {member}, whom the row names. Correct the name or the member.",
                name=text,
                member=near,
            )
        case DoubtKind.NO_MEMBER if mentioned(doubt.text) is None:
            return texts.gettext(
                "I know no member called “{text}”. Write a mention or an id, or leave the cell empty.", text=text
            )
        case DoubtKind.NO_MEMBER:
            return texts.gettext(
                "“{text}” is no member of this server. Write a mention or an id, or leave the cell empty.",
                text=text,
            )
        case DoubtKind.BOT:
            return texts.gettext("“{text}” is a bot and cannot have played.", text=text)
        case _:
            return _contradiction(texts, doubt, text, near)


def _contradiction(texts: Texts, doubt: Doubt, text: str, near: str) -> str:
    """What a row says otherwise than what is known of a player."""
    match doubt.kind:
        case DoubtKind.EMA_TAKEN:
            return texts.gettext(
                "The EMA number of “{name}” is that of {owner} already. Correct the number; if they are one "
                "person, /players alias makes the name known.",
                name=text,
                owner=near,
            )
        case DoubtKind.EMA_DIFFERS:
            return texts.gettext(
                "“{name}” has the EMA number {number} so far. Correct the one in the file, or the known one with "
                "/players edit.",
                name=text,
                number=", ".join(doubt.near),
            )
        case DoubtKind.COUNTRY_DIFFERS:
            return texts.gettext(
                "“{name}” is from {known} so far, and the file says {country}. Correct the file, or what is known "
                "with /players edit.",
                name=text,
                country=doubt.near[0],
                known=doubt.near[1],
            )
        case _:
            raise ValueError(doubt.kind)


def _advice(texts: Texts, troubles: Sequence[Problem | Doubt]) -> list[str]:
    """What to do next."""
    told = [texts.gettext("Nothing was changed.")]
    kinds = {trouble.kind for trouble in troubles}
    unknown = sum(trouble.kind is DoubtKind.UNKNOWN for trouble in troubles)
    if unknown > LOOKED_UP:
        told.append(
            texts.gettext(
                "Names near the unknown ones are told for the first {number}, and not for {more} more.",
                number=LOOKED_UP,
                more=unknown - LOOKED_UP,
            )
        )
    if DoubtKind.UNKNOWN in kinds:
        told.append(
            texts.gettext(
                "Unknown names: correct in the file what is mistyped. If a name is another spelling of a known "
                "player, /players alias makes it known. If all the others are new players, import again with "
                "new_players: True."
            )
        )
    if kinds & {ProblemKind.HIGH_PLACE, ProblemKind.MISSING_PLACE}:
        told.append(
            texts.gettext(
                "If more people played than the file has, say how many with participants, and import it again."
            )
        )
    if kinds - {DoubtKind.UNKNOWN}:
        told.append(texts.gettext("Correct the file and import it again."))
    return told


def _understood(texts: Texts, rejected: Rejected) -> list[str]:
    told = [f"**{safe_name(texts, rejected.details.name, 60)}**", facts_line(texts, rejected.details)]
    if rejected.rows:
        told.append(texts.ngettext("{number} row of results", "{number} rows of results", rejected.rows))
    if rejected.sheet is not None:
        told.append(wording.sheet_read(texts, rejected.sheet, _quoted))
    return told


def imported(texts: Texts, done: Imported, file: ResultsFile, now: Aftermath) -> discord.Embed:
    """What an import did: the tournament, its players, the new records, and whose ratings moved."""
    title = texts.gettext("Tournament #{number} is imported", number=done.number)
    results = texts.ngettext("{number} result", "{number} results", len(now.record.lines))
    if replacements := sum(line.line.replacement for line in now.record.lines):
        results += " · " + texts.ngettext(
            "{number} replacement player", "{number} replacement players", replacements
        )
    told = [facts_line(texts, now.record.details), results]
    if done.new_players:
        told.append(
            texts.ngettext(
                "{number} new record: {names}",
                "{number} new records: {names}",
                len(done.new_players),
                names=_names(texts, done.new_players),
            )
        )
    if done.linked:
        told.append(texts.gettext("Linked to their Discord accounts: {names}", names=_names(texts, done.linked)))
    if done.homeless:
        told.append(
            texts.gettext(
                "Nobody knows which country they are from, so RR and CRR cannot list them: {names}. /players edit "
                "tells it.",
                names=_names(texts, done.homeless),
            )
            if now.settings.home_players_only
            else texts.gettext(
                "Nobody knows which country they are from: {names}. /players edit tells it.",
                names=_names(texts, done.homeless),
            )
        )
    return changed(texts, title, [*told, *wording.notes(texts, file, _quoted)], now)


def _names(texts: Texts, names: Sequence[str]) -> str:
    shown = [safe_name(texts, name, 24) for name in names[:NAMES]]
    return ", ".join([*shown, *(["…"] if len(names) > NAMES else [])])


def exported(texts: Texts, record: TournamentRecord) -> str:
    """What goes with an exported file: the facts that are not in it, and how it is read back."""
    details = record.details
    told = [
        f"**{safe_name(texts, details.name, 60)}** · {facts_line(texts, details)}",
        texts.ngettext("{number} result", "{number} results", len(record.lines)),
    ]
    told.append(texts.gettext("/tournament import reads the file back; these facts go into its options."))
    if len(record.lines) < details.participants:
        told.append(
            texts.gettext(
                "The results are not complete ({results} of {players}). Give the import participants: {players}.",
                results=len(record.lines),
                players=details.participants,
            )
        )
    return "\n".join(told)
