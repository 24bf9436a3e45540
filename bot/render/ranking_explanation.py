"""A player's rating to the last result: as an embed, and as a text where an embed has no room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import discord
from wcwidth import wcswidth

from bot.render.names import plain_name, safe_name
from bot.render.rankings import (
    COLOUR,
    GREY,
    STAR,
    coefficient_text,
    coefficients,
    points_text,
    tournament_name,
    weight_text,
    who_is_listed,
)
from bot.render.tournament_facts import ranking_name
from bot.texts import Texts
from ratings.systems.russian import CountedResult, Explanation, Tournament
from ratings.tournaments.rankings import Explained

__all__ = ["explanation", "explanation_text"]

# What Discord takes: characters of a description, of a field, and of everything together.
DESCRIPTION, FIELD, EVERYTHING = 4096, 1024, 6000


def explanation(texts: Texts, told: Explained) -> tuple[discord.Embed, bool]:
    """Each result with what it weighs, the two parts and the formula; and whether that is all of it. Where it is
    not, the results are left out, and `explanation_text` has them."""
    results = [_result(texts, told, result) for result in told.explanation.results]
    embed = _embed(texts, told, results, _formulas(texts, told.explanation))
    if _fits(embed):
        return embed, True
    short = _formulas(texts, told.explanation, in_full=False)
    left_out = texts.gettext("The results are too many for a message; they are in the file, one by one.")
    return _embed(texts, told, [left_out], short), False


def _embed(
    texts: Texts, told: Explained, results: Sequence[str], formulas: Sequence[tuple[str, str]]
) -> discord.Embed:
    found = told.explanation
    embed = discord.Embed(title=_title(texts, told, safe_name(texts, told.name)), colour=COLOUR)
    embed.description = "\n".join([f"**{_verdict(texts, told)}**", *_notes(texts, told), *results])
    if not found.results:
        embed.colour = discord.Colour(GREY)
        return embed
    for name, value in formulas:
        embed.add_field(name=name, value=value, inline=False)
    leading = [told.tournaments[each.tournament_id] for each in found.maximal]
    named = {each.id: tournament_name(texts, each, told.numbers) for each in leading}
    maximal = coefficients(texts, found.maximal, found.maxk, told.tournaments, named)
    title = texts.gettext("{star} Maximal coefficients, W × A", star=STAR)
    return embed.add_field(name=title, value="\n".join(maximal), inline=False)


def _fits(embed: discord.Embed) -> bool:
    fields = [len(field.value or "") for field in embed.fields]
    return (
        len(embed.description or "") <= DESCRIPTION
        and max(fields, default=0) <= FIELD
        and len(embed) <= EVERYTHING
    )


def _title(texts: Texts, told: Explained, name: str) -> str:
    ranking = ranking_name(texts, told.explanation.ranking)
    return texts.gettext("{name}: {ranking} on {day}", name=name, ranking=ranking, day=told.explanation.day)


def _verdict(texts: Texts, told: Explained) -> str:
    found = told.explanation
    if told.row is not None:
        return texts.gettext(
            "Rating {rating}, place {place} of {players}",
            rating=_number(found.rating),
            place=told.row.place,
            players=told.players,
        )
    if found.results:
        return texts.gettext("Not in the table: it takes two results that count, and there is one.")
    return texts.gettext("Not in the table: there is no result that counts on this day.")


def _notes(texts: Texts, told: Explained) -> list[str]:
    """What is good to know where there is nothing to show."""
    if told.listable and told.explanation.results:
        return []
    return [f"-# {who_is_listed(texts, told.explanation.ranking, told.rules)}"]


def _result(texts: Texts, told: Explained, result: CountedResult) -> str:
    star = f"{STAR} " if _is_maximal(told, result) else ""
    name = tournament_name(texts, told.tournaments[result.tournament_id], told.numbers)
    head = texts.gettext(
        "{star}**{name}** · {day} · place {place}/{participants}",
        star=star,
        name=name,
        day=result.last_day.isoformat(),
        place=result.place,
        participants=result.participants,
    )
    months = texts.ngettext("{number} month", "{number} months", result.months)
    figures = texts.gettext(
        "W {weight} × R {rank} × A {sevenths}/7 ({months}) = {points}",
        weight=weight_text(result.weight),
        rank=points_text(result.base_rank),
        sevenths=result.sevenths,
        months=months,
        points=_number(result.points),
    )
    return f"{head}\n-# {figures} · {_parts(texts, told.explanation, result)}"


def _parts(texts: Texts, found: Explanation, result: CountedResult) -> str:
    """What becomes of a result: a result may be dropped from one part and count in the other."""
    in_a, in_b = result.tournament_id in found.in_part_a, result.tournament_id in found.in_part_b
    if in_a and in_b:
        return texts.gettext("✅ in A and B")
    if in_a:
        return texts.gettext("✅ in A")
    if in_b:
        return texts.gettext("✂️ dropped from A, ✅ in B")
    return texts.gettext("✂️ dropped")


def _is_maximal(told: Explained, result: CountedResult) -> bool:
    return any(each.tournament_id == result.tournament_id for each in told.explanation.maximal)


def _formulas(texts: Texts, found: Explanation, *, in_full: bool = True) -> list[tuple[str, str]]:
    """The parts and the rating, each with its formula and the numbers in it; with `in_full` every number.

    Whoever does a sum again gets what is shown, to the hundredth.
    """
    in_a = [result for result in found.results if result.tournament_id in found.in_part_a]
    in_b = [result for result in found.results if result.tournament_id in found.in_part_b]
    points_a, weight_a = points_text(found.part_a_points), coefficient_text(found.part_a_weight)
    points_b = points_text(found.part_b_points)
    if in_full:
        points_a, weight_a = _sum(in_a), " + ".join(map(_aged, in_a))
        points_b = _sum(in_b)
    missing = f" + {found.part_a_missing}" if found.part_a_missing else ""
    part_a = f"({points_a}) ÷ ({weight_a}{missing}) = **{_number(found.part_a)}**"
    if found.part_a_missing:
        told = texts.ngettext(
            "{number} result is missing: it adds 0 above and 1 below",
            "{number} results are missing: they add 0 above and 1 each below",
            found.part_a_missing,
        )
        part_a += f"\n-# {told}"
    part_b = f"({points_b}) ÷ {coefficient_text(found.maxk)} = **{_number(found.part_b)}**"
    first, second = points_text(found.part_a), points_text(found.part_b)
    rating = f"0.5 × {first} + 0.5 × {second} = **{_number(found.rating)}**"
    kept = texts.gettext("{kept} of {results} results", kept=len(in_a), results=len(found.results))
    best = texts.ngettext("the best result", "the {number} best results", len(in_b))
    return [
        (texts.gettext("Part A: sum of W × R × A ÷ sum of W × A, {kept}", kept=kept), part_a),
        (texts.gettext("Part B: sum of W × R × A ÷ maximal coefficients, {best}", best=best), part_b),
        (texts.gettext("Rating: 0.5 × A + 0.5 × B"), rating),
    ]


def _aged(result: CountedResult) -> str:
    """W × A as it is exactly."""
    weight = coefficient_text(result.weight.total)
    return weight if result.sevenths == 7 else f"{weight} × {result.sevenths}/7"


def _sum(results: Iterable[CountedResult]) -> str:
    return " + ".join(points_text(result.points) for result in results)


def _number(value: float) -> str:
    return f"{value:.2f}"


def explanation_text(texts: Texts, told: Explained) -> str:
    """The whole explanation as a text in columns."""
    found = told.explanation
    heads = (
        texts.gettext("last day"),
        texts.gettext("tournament"),
        texts.gettext("place"),
        "R",
        "W",
        texts.gettext("months"),
        "A",
        "W×A",
        "W×R×A",
        texts.gettext("part A"),
        texts.gettext("part B"),
    )
    rows = [heads, *(_row(texts, told, result) for result in found.results)]
    lines = [_title(texts, told, plain_name(texts, told.name, 80)), _verdict(texts, told), "", *_aligned(rows), ""]
    for name, value in _formulas(texts, found):
        lines += [name, *(f"  {line.removeprefix('-# ')}" for line in value.replace("**", "").split("\n")), ""]
    lines.append(texts.gettext("{star} Maximal coefficients, W × A", star=STAR))
    leading = [told.tournaments[each.tournament_id] for each in found.maximal]
    named = {each.id: _plain(texts, told, each, 80) for each in leading}
    maximal = coefficients(texts, found.maximal, found.maxk, told.tournaments, named)
    lines += [f"  {line}" for line in maximal]
    lines += ["", who_is_listed(texts, found.ranking, told.rules)]
    return "\n".join(lines) + "\n"


def _row(texts: Texts, told: Explained, result: CountedResult) -> tuple[str, ...]:
    found = told.explanation
    star = STAR if _is_maximal(told, result) else " "
    held = told.tournaments[result.tournament_id]
    yes, no = texts.gettext("yes"), texts.gettext("dropped")
    return (
        result.last_day.isoformat(),
        f"{star} {_plain(texts, told, held, 40)}",
        f"{result.place}/{result.participants}",
        points_text(result.base_rank),
        weight_text(result.weight),
        str(result.months),
        f"{result.sevenths}/7",
        coefficient_text(result.weight.total * result.sevenths / 7),
        _number(result.points),
        yes if result.tournament_id in found.in_part_a else no,
        yes if result.tournament_id in found.in_part_b else "–",
    )


def _plain(texts: Texts, told: Explained, held: Tournament, columns: int) -> str:
    return f"#{told.numbers.get(held.id, 0)} {plain_name(texts, held.name, columns)}"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows in columns: the first two to the left, the figures to the right."""
    widths = [max(wcswidth(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - wcswidth(cell))
            cells.append(cell + space if column < 2 else space + cell)
        lines.append("  ".join(cells).rstrip())
    return lines
