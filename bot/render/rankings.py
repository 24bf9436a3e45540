"""The rankings of tournament players: their tables, and what other sights of them have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import discord

from bot.render.names import safe_name
from bot.render.tournament_facts import ranking_name
from bot.texts import Texts
from ratings.systems.russian import (
    WINDOW_DAYS,
    Change,
    Maximal,
    Ranking,
    RankingRules,
    Row,
    Tournament,
    Weight,
    alike,
)
from ratings.tournaments.rankings import RankingView

__all__ = [
    "COLOUR",
    "GREY",
    "STAR",
    "coefficient_text",
    "coefficients",
    "extent",
    "points_text",
    "ratings_text",
    "table",
    "tournament_name",
    "weight_text",
    "who_is_listed",
]

COLOUR, GREY = 0x2E86AB, 0x80848E
# Marks the tournaments whose coefficients are the maximal ones.
STAR = "★"
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
NAME_COLUMNS = 40
MOST_DECIMALS = 6


def table(texts: Texts, view: RankingView, number: int, size: int, mine: int | None = None) -> discord.Embed:
    """Page `number` (from 0) of a ranking, `size` lines to a page; the line of the place `mine` stands out."""
    name, rows = ranking_name(texts, view.ranking), view.table.rows
    embed = discord.Embed(
        title=texts.gettext("{ranking} on {day}", ranking=name, day=view.table.day), colour=COLOUR
    )
    shown = slice(number * size, (number + 1) * size)
    lines = [
        _line(texts, row, text, view.names, row.place == mine)
        for row, text in list(zip(rows, ratings_text(rows), strict=True))[shown]
    ]
    if not lines:
        lines = [
            texts.gettext(
                "Nobody is in this ranking on that day. An admin brings the results of tournaments with "
                "/tournament import, and /ranking why tells in which rankings a tournament counts."
            )
        ]
    embed.description = "\n".join([*lines, "", f"-# {who_is_listed(texts, view.ranking, view.rules)}"])
    if view.table.maximal:
        title = texts.gettext("{star} Maximal coefficients, W × A", star=STAR)
        leading = (each.tournament_id for each in view.table.maximal)
        named = {held: tournament_name(texts, view.tournaments[held], view.numbers) for held in leading}
        lines = coefficients(texts, view.table.maximal, view.table.maxk, view.tournaments, named)
        embed.add_field(name=title, value="\n".join(lines), inline=False)
    pages = -(-len(rows) // size)
    parts = [texts.ngettext("{number} player", "{number} players", len(rows))]
    if pages > 1:
        parts.append(texts.gettext("page {page} of {pages}", page=number + 1, pages=pages))
    first = view.table.day - timedelta(days=WINDOW_DAYS - 1)
    parts.append(texts.gettext("tournaments from {first} to {last}", first=first, last=view.table.day))
    return embed.set_footer(text=" · ".join(parts))


def _line(texts: Texts, row: Row, rating: str, names: Mapping[int, str], mine: bool) -> str:
    place = MEDALS.get(row.place, f"`{row.place}.`")
    results = texts.ngettext("{number} result", "{number} results", row.results)
    name = safe_name(texts, names.get(row.player_id, ""))
    return f"{place} **{name}** {rating} · {results}{' ◀' if mine else ''}"


def ratings_text(rows: Sequence[Row]) -> list[str]:
    """The ratings of a table as whole numbers, with decimals where neighbours could not be told apart."""
    ratings = [alike(row.rating) for row in rows]
    distinct = list(dict.fromkeys(ratings))
    beside = zip(distinct, [None, *distinct], [*distinct[1:], None], strict=False)
    told = {rating: _told_apart(rating, others) for rating, *others in beside}
    return [told[rating] for rating in ratings]


def _told_apart(rating: float, others: Sequence[float | None]) -> str:
    for decimals in range(MOST_DECIMALS):
        text = f"{rating:.{decimals}f}"
        if all(other is None or f"{other:.{decimals}f}" != text for other in others):
            break
    return text


def who_is_listed(texts: Texts, which: Ranking, rules: RankingRules) -> str:
    """Whom a ranking lists, in a line."""
    if which is Ranking.ONLINE or not rules.home_players_only:
        return texts.gettext(
            "Listed are players of every country with at least two results of the last two years."
        )
    return texts.gettext(
        "Listed are players from {country} with at least two results of the last two years.",
        country=rules.home_country,
    )


def tournament_name(
    texts: Texts, tournament: Tournament, numbers: Mapping[int, int], columns: int = NAME_COLUMNS
) -> str:
    """A tournament by the club's number and its name."""
    return f"#{numbers.get(tournament.id, 0)} {safe_name(texts, tournament.name, columns)}"


def coefficients(
    texts: Texts,
    maximal: Sequence[Maximal],
    maxk: float,
    tournaments: Mapping[int, Tournament],
    names: Mapping[int, str],
) -> list[str]:
    """The tournaments that form the maximal coefficients, heaviest first, and their sum; `names` are theirs."""
    lines = []
    for each in maximal:
        day = tournaments[each.tournament_id].last_day.isoformat()
        weight, value = coefficient_text(each.hundredths / 100), coefficient_text(each.value)
        product = f"{weight} × {each.sevenths}/7 = {value}"
        lines.append(f"{names[each.tournament_id]} · {day} · {product}")
    missing = round(maxk - sum(each.value for each in maximal))
    if missing:
        lines.append(
            texts.ngettext(
                "{number} tournament is missing and counts 1",
                "{number} tournaments are missing and count 1 each",
                missing,
            )
        )
    return [*lines, texts.gettext("Sum: {sum}", sum=coefficient_text(maxk))]


def weight_text(weight: Weight) -> str:
    """W with what it is made of: participants, and hanchan."""
    hanchan = f"{weight.k_hanchan:.2f}"
    if weight.k_mean_hanchan is not None:
        hanchan = f"({hanchan} + {coefficient_text(weight.k_mean_hanchan)}) / 2"
    return f"{coefficient_text(weight.total)} ({weight.k_participants:.2f} + {hanchan})"


def coefficient_text(value: float) -> str:
    """W, W × A or a sum of them: exact if it can be, else to a millionth.

    Points are up to a thousand times as large: with fewer digits a formula would not come out at the hundredth
    that is shown.
    """
    return _hundredths_or_more(value, 6)


def points_text(value: float) -> str:
    """Points as a part of a formula: exact if they can be, else with two digits more than the hundredths that
    come out of it."""
    return _hundredths_or_more(value, 4)


def _hundredths_or_more(value: float, most: int) -> str:
    whole, _, decimals = f"{value:.{most}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"


def extent(change: Change) -> tuple[int, float]:
    """How much there is to tell of a mover: of those in both tables most, the farther the more; of those who left
    less, and of newcomers least, the more the higher their ratings."""
    before, after = change.before, change.after
    if before is None or after is None:
        row = before or after
        return (int(after is None), 0.0 if row is None else row.rating)
    return (2, abs(after.rating - before.rating))
