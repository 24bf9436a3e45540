"""The results of a tournament as a file: what is wrong with a bad one, and what to know about a good one."""

from __future__ import annotations

from collections.abc import Callable

from bot.texts import Texts
from ratings import resultsfile
from ratings.resultsfile import Problem, ProblemKind, ResultsFile

__all__ = ["notes", "sentence", "sheet_read"]


def sentence(texts: Texts, problem: Problem, quote: Callable[[str], str]) -> str:
    """A problem with its row; `quote` makes what stands in the file fit to be printed where this goes."""
    told = (
        _of_file(texts, problem.kind)
        or _of_parts(texts, problem, quote)
        or _of_header(texts, problem, quote)
        or _of_place(texts, problem, quote)
        or _of_player(texts, problem, quote)
        or _of_cell(texts, problem, quote)
    )
    if problem.row is None:
        return told
    return texts.gettext("Row {row}: {problem}", row=problem.row, problem=told)


def notes(texts: Texts, file: ResultsFile, quote: Callable[[str], str]) -> list[str]:
    """What somebody who sent a good file should know about how it was read; often nothing."""
    told = []
    if file.sheet is not None:
        told.append(sheet_read(texts, file.sheet, quote))
    if file.worked_out:
        told.append(
            texts.gettext(
                "The file has no places, so I worked them out: more games first, then the higher score; players "
                "who are level in both share a place."
            )
        )
    if file.ignored:
        columns = ", ".join(f"“{quote(heading)}”" for heading in file.ignored)
        told.append(
            texts.ngettext(
                "I took nothing from the column {columns}.",
                "I took nothing from {number} columns: {columns}.",
                len(file.ignored),
                columns=columns,
            )
        )
    return told


def _of_file(texts: Texts, kind: ProblemKind) -> str | None:
    """What keeps a file from being read at all; None for other problems."""
    match kind:
        case ProblemKind.EMPTY_FILE:
            return texts.gettext("There are no results in the file.")
        case ProblemKind.TOO_LARGE:
            return texts.gettext(
                "The file is too large: I take at most {rows} rows, {columns} columns and {megabytes} MB.",
                rows=f"{resultsfile.MOST_ROWS:,}",
                columns=resultsfile.MOST_COLUMNS,
                megabytes=resultsfile.LARGEST_FILE // 1_000_000,
            )
        case ProblemKind.UNPACKS_TOO_LARGE:
            return texts.gettext(
                "The workbook would unpack to more than {megabytes} MB, so I did not open it. Copy the results "
                "into a new workbook and send that one.",
                megabytes=resultsfile.LARGEST_UNPACKED // 1_000_000,
            )
        case ProblemKind.NOT_TEXT:
            return texts.gettext(
                "This is neither a workbook (.xlsx) nor a text whose letters I can make out. Save the results as "
                "“CSV UTF-8” and send that file."
            )
        case ProblemKind.OLD_WORKBOOK:
            return texts.gettext(
                "This is a workbook in the old format (.xls) or one with a password. Save it as .xlsx without a "
                "password and send that file."
            )
        case ProblemKind.UNREADABLE_WORKBOOK:
            return texts.gettext(
                "The file is no workbook that I can read; it may be damaged. Open it in a spreadsheet program, "
                "save it as .xlsx or as “CSV UTF-8”, and send that file."
            )
        case _:
            return None


def sheet_read(texts: Texts, sheet: str, quote: Callable[[str], str]) -> str:
    """Which of several sheets was read."""
    return texts.gettext("The workbook has several sheets; I read “{sheet}”.", sheet=quote(sheet))


def _of_parts(texts: Texts, problem: Problem, quote: Callable[[str], str]) -> str | None:
    """What keeps a file from being the results of one tournament, all in one place; None for other problems."""
    match problem.kind:
        case ProblemKind.SEVERAL_SHEETS:
            return texts.gettext(
                "More than one sheet may be the results: {sheets}. Leave one of them in the workbook, or hide the "
                "others.",
                sheets=quote(problem.text),
            )
        case ProblemKind.SCORES_OF_SOME:
            return texts.gettext(
                "The file has no places, and the scores of {some} players alone, so I cannot work the places of "
                "{number} out. Add a column with the places.",
                some=problem.text,
                number=problem.number,
            )
        case _:
            return None


def _of_header(texts: Texts, problem: Problem, quote: Callable[[str], str]) -> str | None:
    """What keeps columns or cells from being told apart; None for other problems."""
    text = quote(problem.text)
    match problem.kind:
        case ProblemKind.NO_HEADER:
            return texts.gettext(
                "I know none of these columns: {found}. The header must name them in English or Russian, such as "
                "place, player, score, games, country, EMA number, replacement and Discord.",
                found=text,
            )
        case ProblemKind.NO_PLAYER_COLUMN:
            return texts.gettext(
                "No column has the players' names; there are {found}. Call it player or ФИО, or call two of them "
                "first name and last name.",
                found=text,
            )
        case ProblemKind.NO_PLACE_COLUMN:
            return texts.gettext(
                "No column has the places, and none the scores; there are {found}. Call it place or место, or "
                "else score or очки.",
                found=text,
            )
        case ProblemKind.DOUBLE_COLUMN:
            return texts.gettext(
                "The columns “{first}” and “{second}” mean the same. Take one of them out, or give it a heading "
                "of its own.",
                first=text,
                second=quote(problem.column),
            )
        case ProblemKind.BAD_QUOTES:
            return texts.gettext("The cells cannot be told apart. Do the quotation marks pair up?")
        case ProblemKind.TOO_MANY_CELLS:
            return texts.gettext(
                "The row has {cells} cells, but the header has {columns}. A cell with a comma or a semicolon in "
                "it must stand in quotation marks.",
                cells=problem.number,
                columns=text,
            )
        case _:
            return None


def _of_place(texts: Texts, problem: Problem, quote: Callable[[str], str]) -> str | None:
    """What is wrong with a place; None for other problems."""
    text = quote(problem.text)
    match problem.kind:
        case ProblemKind.NO_PLACE:
            return texts.gettext("The place is missing.")
        case ProblemKind.BAD_PLACE:
            return texts.gettext(
                "“{text}” is no place. Write a whole number from 1; a shared place may also be written as 2-3 or "
                "2=.",
                text=text,
            )
        case ProblemKind.HIGH_PLACE:
            return texts.ngettext(
                "Place {place} cannot be: the file has {number} player.",
                "Place {place} cannot be: the file has only {number} players.",
                problem.number,
                place=text,
            )
        case ProblemKind.BEYOND_LAST:
            return texts.ngettext(
                "Place {place} cannot be: {number} player took part.",
                "Place {place} cannot be: only {number} players took part.",
                problem.number,
                place=text,
            )
        case ProblemKind.MISSING_PLACE:
            return texts.gettext(
                "Nobody has place {missing}, and yet somebody has place {place}.",
                missing=problem.number,
                place=text,
            )
        case ProblemKind.IMPOSSIBLE_PLACE:
            return texts.gettext(
                "Place {place} cannot be: a shared place takes up several, as in 1, 2, 2, 4, so the next one here "
                "is {next}.",
                place=text,
                next=problem.number,
            )
        case _:
            return None


def _of_player(texts: Texts, problem: Problem, quote: Callable[[str], str]) -> str | None:
    """What is wrong with who a player is; None for other problems."""
    text = quote(problem.text)
    match problem.kind:
        case ProblemKind.NO_NAME:
            return texts.gettext("The player's name is missing.")
        case ProblemKind.LONG_TEXT:
            return texts.gettext(
                "“{text}…” is too long: a name has at most {longest} characters.",
                text=text,
                longest=resultsfile.LONGEST_TEXT,
            )
        case ProblemKind.SAME_PLAYER:
            return texts.gettext(
                "{name} is in row {row} already. If they are two people, tell them apart in a column EMA number "
                "or Discord.",
                name=text,
                row=problem.number,
            )
        case ProblemKind.SAME_EMA_NUMBER:
            return texts.gettext(
                "The EMA number {ema_number} is in row {row} already.", ema_number=text, row=problem.number
            )
        case ProblemKind.BAD_EMA_NUMBER:
            return texts.gettext("“{text}” is no EMA number, which has eight digits.", text=text)
        case ProblemKind.BAD_COUNTRY:
            return texts.gettext(
                "I know no country “{text}”. Write its code (RU or RUS) or its name in English or Russian.",
                text=text,
            )
        case ProblemKind.ROUNDED_DISCORD_ID:
            return texts.gettext(
                "“{text}” is a Discord id whose last digits the spreadsheet has rounded away. Format the cell as "
                "text and enter the id again.",
                text=text,
            )
        case _:
            return None


def _of_cell(texts: Texts, problem: Problem, quote: Callable[[str], str]) -> str:
    """What is wrong with a number, a yes or no, or whatever a cell may hold."""
    text, column = quote(problem.text), quote(problem.column)
    match problem.kind:
        case ProblemKind.FORMULA:
            told = texts.gettext(
                "“{text}” in the column “{column}” is a formula. Put its value in its place.",
                text=text,
                column=column,
            )
        case ProblemKind.DATE:
            told = texts.gettext(
                "In the column “{column}” the spreadsheet has made a date, {text}, of what was entered. Format "
                "the cell as text and enter it again.",
                text=text,
                column=column,
            )
        case ProblemKind.NO_SCORE:
            told = texts.gettext("The score is missing; without it I cannot work out the places.")
        case ProblemKind.BAD_SCORE:
            told = texts.gettext("“{text}” is no score. Write a number such as 45200 or 45.2.", text=text)
        case ProblemKind.AMBIGUOUS_SCORE:
            told = texts.gettext(
                "“{text}” can be read in two ways: as thousands or with three decimals. Write it without a mark "
                "between thousands, or with one decimal more.",
                text=text,
            )
        case ProblemKind.NO_GAMES:
            told = texts.gettext(
                "The number of games is missing. Other players have one, so I cannot work out the places without "
                "it."
            )
        case ProblemKind.BAD_GAMES:
            told = texts.gettext("“{text}” is no number of games.", text=text)
        case ProblemKind.BAD_REPLACEMENT:
            told = texts.gettext(
                "“{text}” in the column “{column}” is neither yes nor no.", text=text, column=column
            )
    return told
