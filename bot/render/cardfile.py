"""The club's card of American mahjong: its pages, what an import did, and what is wrong with a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import discord

from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings import cardfile
from ratings.cardfile import Problem, ProblemKind
from ratings.queries.cards import CardLine

__all__ = ["bad_card", "imported", "no_card", "page", "sentence", "year_choice"]

COLOUR, GREEN, RED = 0x2E86AB, 0x3BA55D, 0xD64545
# What a description may hold, less the words before and after the list of problems in any language.
ROOM = 4096 - 596
# A letter of a name takes two columns at most; a card's names are shown whole.
NAME_COLUMNS = 2 * cardfile.LONGEST_LINE


def page(
    texts: Texts, year: int, active: int | None, lines: Sequence[CardLine], number: int, size: int
) -> discord.Embed:
    """Page `number` (from 0) of a year's card, `size` lines to a page; `lines` are all lines of the card."""
    pages = -(-len(lines) // size)
    title = texts.gettext("The card of {year}", year=year)
    if year == active:
        title += " · " + texts.gettext("active")
    embed = discord.Embed(title=title, colour=COLOUR)
    told = []
    for _, group in groupby(_by_section(lines)[number * size : (number + 1) * size], lambda line: line.section):
        section = list(group)
        name = safe_name(texts, section[0].section, NAME_COLUMNS)
        told.append(f"**{name}** ×{section[0].line.section_multiplier:g}")
        told += [_line(texts, line) for line in section]
    told.append("-# " + texts.gettext("C: concealed only · X: may be exposed"))
    embed.description = "\n".join(told)
    footer = texts.ngettext("{number} line", "{number} lines", len(lines))
    if pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=number + 1, pages=pages)
    return embed.set_footer(text=footer)


def _by_section(lines: Sequence[CardLine]) -> list[CardLine]:
    """The lines with those of a section together; sections and lines otherwise in the card's order."""
    first: dict[str, int] = {}
    for line in lines:
        first.setdefault(line.section, len(first))
    return sorted(lines, key=lambda line: first[line.section])


def _line(texts: Texts, line: CardLine) -> str:
    mark = "C" if line.line.concealed_only else "X"
    pairs = " · " + texts.gettext("no jokers") if line.line.singles_and_pairs else ""
    return f"`{line.line.points:>3} {mark}` {safe_name(texts, line.name, NAME_COLUMNS)}{pairs}"


def year_choice(texts: Texts, year: int, lines: int, active: int | None) -> str:
    """A year as autocomplete offers it."""
    counted = texts.ngettext("{number} line", "{number} lines", lines)
    return f"{year} · {counted}" + (" · " + texts.gettext("active") if year == active else "")


def no_card(texts: Texts, year: int | None, years: Sequence[int]) -> str:
    """There is no card to show: none of this year, or (None) no active one; `years` are those there are."""
    if not years:
        return texts.gettext(
            "The club has no card yet. An admin imports one with /card import: a CSV file with the columns "
            "{columns}. docs/example-card.csv, which comes with me, shows how it looks.",
            columns=", ".join(cardfile.COLUMNS),
        )
    listed = ", ".join(map(str, years))
    if year is None:
        return texts.gettext(
            "No card is active. The club has these: {years}. Name one of them in the option year, or let an admin "
            "choose one with /card activate.",
            years=listed,
        )
    return texts.gettext(
        "The club has no card of {year}. It has these: {years}. An admin adds another with /card import.",
        year=year,
        years=listed,
    )


def imported(texts: Texts, counts: Mapping[int, int], active: int, activated: bool) -> discord.Embed:
    """What an import wrote: lines by year; which card is active, and whether the import made it so."""
    embed = discord.Embed(title=texts.gettext("The card is imported"), colour=GREEN)
    told = []
    for year, lines in sorted(counts.items()):
        told.append(texts.ngettext("{year}: {number} line", "{year}: {number} lines", lines, year=year))
    told.append("")
    if activated:
        told.append(
            texts.gettext("The club had no active card, so that of {year} is active from now on.", year=active)
        )
    elif active in counts:
        told.append(texts.gettext("The card of {year} is the active one.", year=active))
    else:
        told.append(
            texts.gettext(
                "The card of {active} is still the active one. /card activate {year} changes that.",
                active=active,
                year=max(counts),
            )
        )
    embed.description = "\n".join(told)
    return embed


def bad_card(texts: Texts, problems: Sequence[Problem]) -> tuple[discord.Embed, str | None]:
    """Every problem of a file that was not taken, by row.

    In an embed; if not all fit, those that do, and the complete list as text for an attachment.
    """
    title = texts.ngettext(
        "The card is not imported: {number} problem", "The card is not imported: {number} problems", len(problems)
    )
    embed = discord.Embed(title=title, colour=RED)
    shown, length = [], 0
    for problem in problems:
        told = sentence(texts, problem, safe_text(problem.text))
        length += len(told) + 1
        if length > ROOM:
            break
        shown.append(told)
    advice = texts.gettext("Nothing was changed. Correct the file and import it again.")
    rest, complete = len(problems) - len(shown), None
    if rest:
        shown.append(
            texts.ngettext(
                "… and {number} more problem; the attached file lists them all.",
                "… and {number} more problems; the attached file lists them all.",
                rest,
            )
        )
        complete = "\n".join([title, "", *(sentence(texts, each, each.text) for each in problems), "", advice, ""])
    embed.description = "\n".join([*shown, "", advice])
    return embed, complete


def sentence(texts: Texts, problem: Problem, quote: str) -> str:
    """A problem with its row; `quote` is its particular as it may be printed where this goes."""
    told = _of_file(texts, problem.kind, quote) or _of_row(texts, problem.kind, quote)
    if problem.row is None:
        return told
    return texts.gettext("Row {row}: {problem}", row=problem.row, problem=told)


def _of_file(texts: Texts, kind: ProblemKind, quote: str) -> str | None:
    """What keeps a file or a row from being read at all; None for other problems."""
    match kind:
        case ProblemKind.EMPTY_FILE:
            return texts.gettext("There are no lines in the file.")
        case ProblemKind.TOO_LARGE:
            return texts.gettext(
                "The file is too large: a card has at most {rows} rows and {megabytes} MB.",
                rows=f"{cardfile.MOST_ROWS:,}",
                megabytes=cardfile.LARGEST_FILE // 1_000_000,
            )
        case ProblemKind.NOT_TEXT:
            return texts.gettext("This is not text in UTF-8. Save the card as “CSV UTF-8” and send that file.")
        case ProblemKind.NO_HEADER:
            columns = ", ".join(cardfile.COLUMNS)
            return texts.gettext("The first row must name the columns: {columns}.", columns=columns)
        case ProblemKind.MISSING_COLUMN:
            return texts.gettext("The column “{column}” is missing.", column=quote)
        case ProblemKind.DOUBLE_COLUMN:
            return texts.gettext("There are two columns “{column}”.", column=quote)
        case ProblemKind.BAD_QUOTES:
            return texts.gettext("The cells cannot be told apart. Do the quotation marks pair up?")
        case ProblemKind.WRONG_CELLS:
            return texts.gettext("The row has {cells} cells, which is not as many as the header has.", cells=quote)
        case _:
            return None


def _of_row(texts: Texts, kind: ProblemKind, quote: str) -> str:
    """What is wrong with a cell, or with a line beside the others."""
    match kind:
        case ProblemKind.BAD_YEAR:
            first, last = cardfile.YEARS[0], cardfile.YEARS[-1]
            told = texts.gettext(
                "“{text}” is not a year from {first} to {last}.", text=quote, first=first, last=last
            )
        case ProblemKind.NO_SECTION:
            told = texts.gettext("The section has no name.")
        case ProblemKind.NO_LINE:
            told = texts.gettext("The line has no name.")
        case ProblemKind.LONG_NAME:
            told = texts.gettext(
                "“{text}” is too long: a section has at most {section} characters, a line {line}.",
                text=quote,
                section=cardfile.LONGEST_SECTION,
                line=cardfile.LONGEST_LINE,
            )
        case ProblemKind.BAD_POINTS:
            least, most = cardfile.POINTS[0], cardfile.POINTS[-1]
            told = texts.gettext(
                "“{text}” is not a whole number of points from {least} to {most}.",
                text=quote,
                least=least,
                most=most,
            )
        case ProblemKind.BAD_MULTIPLIER:
            told = texts.gettext(
                "“{text}” is not a multiplier from {least} to {most}.",
                text=quote,
                least=f"{cardfile.LOWEST_MULTIPLIER:g}",
                most=f"{cardfile.HIGHEST_MULTIPLIER:g}",
            )
        case ProblemKind.BAD_FLAG:
            told = texts.gettext("“{text}” is neither yes nor no.", text=quote)
        case ProblemKind.DUPLICATE_LINE:
            told = texts.gettext("The line “{text}” is in this section and year already.", text=quote)
        case ProblemKind.SECTION_CONFLICT:
            told = texts.gettext("The section “{text}” has another multiplier further up.", text=quote)
        case ProblemKind.FORMULA:
            told = texts.gettext("“{text}” is a formula, not a name.", text=quote)
    return told
