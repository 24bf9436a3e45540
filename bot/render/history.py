"""How members came to stand where they stand, and two of them beside each other: what goes around the chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import discord

from bot.render import words
from bot.render.charts import Curve, Figures, Ladder, Point, Scale
from bot.render.names import plain_name, safe_name
from bot.render.statistics import cut
from bot.render.tournament_facts import ranking_name
from bot.texts import Texts
from ratings.models import SystemName
from ratings.queries.history import Measure, Step
from ratings.statistics import HeadToHead
from ratings.systems.russian import Ranking

__all__ = ["FILE", "comparison", "curve", "described", "history", "measure_name", "nothing", "scale"]

COLOUR = 0x2E86AB
FILE = "chart.png"
NAME_COLUMNS = 24
# R and the American rating have a decimal everywhere; tournament ratings, from 0 to 1000, have two here.
RATING_DIGITS, RANKING_DIGITS = 1, 2


def measure_name(texts: Texts, measure: Measure) -> str:
    """What a history is of."""
    if measure.system is None:
        return texts.gettext("Tournament rating {ranking}", ranking=ranking_name(texts, Ranking(measure)))
    if measure.system is SystemName.NMJL:
        return texts.gettext("American rating")
    what = texts.gettext("Rank points") if measure.on_ladder else texts.gettext("R rating")
    return f"{what} · {words.system_name(texts, measure.system)}"


def scale(measure: Measure) -> Scale:
    """The y axis of its chart."""
    if measure.on_ladder and measure.players is not None:
        return Ladder(measure.players)
    return Figures(RATING_DIGITS if measure.system is not None else RANKING_DIGITS)


def curve(name: str, steps: Sequence[Step]) -> Curve:
    """A history as a chart draws it."""
    return Curve(name, [Point(*step) for step in steps])


def nothing(texts: Texts, names: Sequence[str], measure: Measure) -> str:
    """That there is no history to show."""
    what = measure_name(texts, measure)
    if len(names) > 1:
        return texts.gettext("None of them has anything to show here yet ({what}).", what=what)
    return texts.gettext("{name} has no history here yet ({what}).", name=safe_name(texts, names[0]), what=what)


def history(texts: Texts, name: str, measure: Measure) -> discord.Embed:
    """The embed around the chart of one member."""
    title = f"{safe_name(texts, name)} · {measure_name(texts, measure)}"
    return discord.Embed(title=title, colour=COLOUR).set_image(url=f"attachment://{FILE}")


def comparison(
    texts: Texts, names: Sequence[str], measure: Measure, results: Sequence[HeadToHead]
) -> discord.Embed:
    """The embed around the chart of several members, with how each two of them did (in the order of
    `combinations`)."""
    shown = [safe_name(texts, name, NAME_COLUMNS) for name in names]
    title = f"{' – '.join(shown)} · {measure_name(texts, measure)}"
    embed = discord.Embed(title=title, colour=COLOUR)
    for (first, second), result in zip(combinations(shown, 2), results, strict=True):
        lines = _head_to_head(texts, (first, second), measure, result)
        embed.add_field(name=f"{first} – {second}", value="\n".join(lines), inline=False)
    return embed.set_image(url=f"attachment://{FILE}")


def described(texts: Texts, names: Sequence[str], measure: Measure) -> str:
    """The chart in words, for whoever cannot see it."""
    who = ", ".join(plain_name(texts, name) for name in names)
    return texts.gettext("A chart: {what}, {names}", what=measure_name(texts, measure), names=who)


def _head_to_head(texts: Texts, names: tuple[str, str], measure: Measure, result: HeadToHead) -> Iterator[str]:
    together = _together(texts, measure, result.together)
    if not result.together:
        yield together
    elif measure is Measure.AMERICAN:
        won = texts.gettext("won {ahead} : {behind}", ahead=result.ahead, behind=result.behind)
        yield f"{together} · {won}"
    else:
        higher = texts.gettext("placed higher {ahead} : {behind}", ahead=result.ahead, behind=result.behind)
        if result.ties:
            higher += ", " + texts.gettext("level {number}", number=result.ties)
        yield f"{together} · {higher}"
        yield _difference(texts, names, result)


def _together(texts: Texts, measure: Measure, together: int) -> str:
    if measure.system is None:
        return texts.ngettext("{number} tournament together", "{number} tournaments together", together)
    if measure is Measure.AMERICAN:
        return texts.ngettext("{number} hand together", "{number} hands together", together)
    return texts.ngettext("{number} game together", "{number} games together", together)


def _difference(texts: Texts, names: tuple[str, str], result: HeadToHead) -> str:
    """Who was better on average and by how much, in places and in thousands of points."""
    places, points = result.place_difference or Fraction(0), result.points_difference
    better = names[places < 0]
    if points is None:
        return texts.gettext("on average {name} is {places} places ahead", name=better, places=cut(places, 2))
    richer, more = names[points < 0], cut(points / 1000, 1)
    if richer == better:
        return texts.gettext(
            "on average {name} is {places} places and {points} points ahead",
            name=better,
            places=cut(places, 2),
            points=more,
        )
    return texts.gettext(
        "on average {name} is {places} places ahead, and {other} {points} points",
        name=better,
        places=cut(places, 2),
        other=richer,
        points=more,
    )
