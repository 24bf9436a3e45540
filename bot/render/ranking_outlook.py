"""Where a tournament counts, and what a place in a coming one would bring."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import discord

from bot.render.names import safe_name
from bot.render.rankings import COLOUR, GREY, weight_text, who_is_listed
from bot.render.tournament_facts import facts_line, ranking_name
from bot.render.tournament_verdicts import why_not
from bot.texts import Texts
from ratings.systems.russian import Prospect, RankingRules, months_between, weights
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
    lines += [_verdict(texts, record, verdict, rules, day) for verdict in verdicts]
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


def _verdict(texts: Texts, record: TournamentRecord, verdict: Verdict, rules: RankingRules, day: date) -> str:
    name = f"**{ranking_name(texts, verdict.ranking)}**"
    last_day = record.details.last_day
    if verdict.exclusion is not None:
        told = why_not(texts, verdict.exclusion, verdict.ranking, rules.home_country)
    elif last_day > day:
        told = texts.gettext("it counts from its last day on, {day}.", day=last_day.isoformat())
    elif not verdict.sevenths:
        told = texts.gettext("it is more than two years old.")
    elif not verdict.has_results:
        told = texts.gettext("it would count, but nobody whom the ranking lists has a result in it.")
    else:
        told = texts.ngettext(
            "it counts; at {number} month its A is {sevenths}/7.",
            "it counts; at {number} months its A is {sevenths}/7.",
            months_between(last_day, day),
            sevenths=verdict.sevenths,
        )
        return f"✅ {name}: {told}"
    return f"❌ {name}: {told}"


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
        lines = [*_prospects(texts, told.prospects, told.now.rating), *_notes(texts, told)]
    embed.description = "\n".join([facts, *lines])
    return embed


def _prospects(texts: Texts, prospects: Sequence[Prospect], now: float) -> list[str]:
    heads = (texts.gettext("place"), texts.gettext("rating"), texts.gettext("change"))
    rows = [heads]
    for each in _thinned(prospects):
        rows.append((str(each.place), f"{each.rating:.2f}", f"{each.rating - now:+.2f}".replace("-", "−")))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
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
    rating = f"{now.rating:.2f}"
    notes = [texts.gettext("Today, {day}, the rating is {rating}.", day=now.day, rating=rating)]
    keeping = [each.place for each in told.prospects if each.rating >= now.rating]
    if now.rating and keeping and keeping[-1] < len(told.prospects):
        notes.append(texts.gettext("Place {place} or better keeps it.", place=keeping[-1]))
    if told.prospects[0].results < 2:
        notes.append(texts.gettext("With this one result alone the table would not list the player."))
    return [" ".join(notes)]
