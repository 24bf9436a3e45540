"""Where a tournament counts, and what a place in a coming one would bring."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import discord

from bot.render.names import safe_name
from bot.render.rankings import COLOUR, GREY, weight_text, who_is_listed
from bot.render.tournament_facts import facts_line, ranking_name
from bot.render.tournament_verdicts import verdict_lines, why_not
from bot.texts import Texts
from ratings.systems.russian import Explanation, Prospect, RankingRules, weights
from ratings.tournaments.rankings import Forecast, Verdict
from ratings.tournaments.readers import TournamentRecord

__all__ = ["what_if", "why"]

MOST_PLACES = 20


def why(
    texts: Texts, record: TournamentRecord, verdicts: Sequence[Verdict], rules: RankingRules, day: date
) -> discord.Embed:
    """In which of the rankings a tournament counts on a day, and which rule keeps it out of the others."""
    counts = any(verdict.exclusion is None and verdict.has_results and verdict.sevenths for verdict in verdicts)
    title = f"#{record.number} {safe_name(texts, record.details.name, 80)}"
    embed = discord.Embed(title=title, colour=COLOUR if counts else GREY)
    lines = [facts_line(texts, record.details), ""]
    lines += verdict_lines(texts, verdicts, rules.home_country, record.details.last_day, day)
    if counts:
        *earlier, final = weights(record.details.tournament(record.id))
        told = texts.gettext("W = K(participants) + K(hanchan) = {weight}", weight=weight_text(final))
        lines += ["", f"-# {told}"]
        for stage in earlier:
            told = texts.gettext(
                "W = {weight} for those who left after {hanchan} hanchan",
                weight=weight_text(stage),
                hanchan=stage.hanchan,
            )
            lines.append(f"-# {told}")
    embed.description = "\n".join(lines)
    return embed


def what_if(texts: Texts, told: Forecast) -> discord.Embed:
    """The rating that each place in a coming tournament would bring, beside the one of today."""
    name, ranking = safe_name(texts, told.name), ranking_name(texts, told.ranking)
    day = told.coming.last_day.isoformat()
    title = texts.gettext("{name}: {ranking} after a tournament on {day}", name=name, ranking=ranking, day=day)
    embed = discord.Embed(title=title, colour=COLOUR if told.prospects else GREY)
    (weight,) = weights(told.coming)
    facts = texts.gettext(
        "{players} players, {hanchan} hanchan: W = {weight}",
        players=told.coming.participants,
        hanchan=told.coming.distance,
        weight=weight_text(weight),
    )
    if told.exclusion is not None:
        reason = why_not(texts, told.exclusion, told.ranking, told.rules.home_country)
        lines = [
            texts.gettext("Such a tournament would not count in {ranking}: {why}", ranking=ranking, why=reason)
        ]
    elif not told.listable:
        lines = [who_is_listed(texts, told.ranking, told.rules)]
    else:
        lines = [*_prospects(texts, told.prospects, told.now), *_notes(texts, told)]
    embed.description = "\n".join([facts, *lines])
    return embed


def _prospects(texts: Texts, prospects: Sequence[Prospect], now: Explanation) -> list[str]:
    """The rating by place, and how far it would move for somebody who has one."""
    rows = [[texts.gettext("place"), texts.gettext("rating"), texts.gettext("change")]]
    for each in _thinned(prospects):
        change = f"{each.rating - now.rating:+.2f}".replace("-", "−")
        rows.append([str(each.place), f"{each.rating:.2f}", change])
    if not now.listed:
        rows = [row[:2] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return ["```", *lines, "```"]


def _thinned(prospects: Sequence[Prospect]) -> list[Prospect]:
    """The first places, then fewer and fewer, and the last one."""
    count = len(prospects)
    if count <= MOST_PLACES:
        return list(prospects)
    shown = {round((count - 1) * (step / (MOST_PLACES - 1)) ** 2) for step in range(MOST_PLACES)}
    return [prospects[index] for index in sorted(shown | {0, 1, 2})]


def _notes(texts: Texts, told: Forecast) -> list[str]:
    now = told.now
    if now.listed:
        rating = f"{now.rating:.2f}"
        notes = [texts.gettext("Today, {day}, the rating is {rating}.", day=now.day, rating=rating)]
    else:
        notes = [texts.gettext("Today, {day}, the player is not in the table.", day=now.day)]
    keeping = [each.place for each in told.prospects if each.rating >= now.rating]
    if now.listed and keeping and keeping[-1] < len(told.prospects):
        notes.append(texts.gettext("Place {place} or better keeps it.", place=keeping[-1]))
    if told.prospects[0].results < 2:
        notes.append(texts.gettext("With this one result alone the table would not list the player."))
    return [" ".join(notes)]
