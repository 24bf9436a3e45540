"""The statistics block of a player (seed 003): rates, averages, months and totals, in figures as Tenhou's client
shows them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import discord

from bot.render import words
from bot.render.names import safe_name
from bot.texts import Texts
from ratings.models import SystemName
from ratings.queries.boards import Profile
from ratings.settings import ClubSettings
from ratings.statistics import Statistics
from ratings.systems import tenhou

__all__ = ["block", "cut", "mean_score", "nothing", "pages", "places_line", "rate", "standing_lines"]

COLOUR = 0x2E86AB
# Months to a page.
MONTHS = 6
NOTHING = "–"


def cut(value: Fraction, digits: int) -> str:
    """A number with so many decimals and without its sign; what is beyond them is cut off, as the client does."""
    whole, rest = divmod(int(abs(value) * 10**digits), 10**digits)
    return f"{whole:,}.{rest:0{digits}}"


def rate(value: Fraction | None) -> str:
    """A rate with three decimals: .379, 1.000; a dash for 0 of 0."""
    return NOTHING if value is None else cut(value, 3).removeprefix("0")


def mean_score(value: Fraction | None) -> str:
    """A mean of final points (in points), in thousands with one decimal: +20.9."""
    return NOTHING if value is None else _signed(value / 1000, 1)


def _mean_place(value: Fraction | None) -> str:
    return NOTHING if value is None else cut(value, 2)


def _signed(value: Fraction, digits: int) -> str:
    text = cut(value, digits)
    if not text.strip("0.,"):
        return f"±{text}"
    return f"{'+' if value > 0 else '−'}{text}"


def _total(points: int) -> str:
    """A sum of final points (in points), in thousands; points beyond the hundreds are shown when there are any."""
    return _signed(Fraction(points, 1000), 3 if points % 100 else 1)


def _money(value: Fraction) -> str:
    """An amount, with two decimals unless it is whole."""
    return _signed(value, 2).removesuffix(".00")


def nothing(texts: Texts, name: str, players: int) -> str:
    """That a member has no games of this size."""
    if players == 4:
        return texts.gettext("{name} has no approved games with four players yet.", name=safe_name(texts, name))
    return texts.gettext("{name} has no approved games with three players yet.", name=safe_name(texts, name))


def pages(found: Statistics) -> int:
    """How many pages the months of these statistics take."""
    return max(1, -(-len(found.months) // MONTHS))


def standing_lines(texts: Texts, figures: Profile) -> list[str]:
    """A member's rank with its points, and his R with its place."""
    players = 4 if figures.system is SystemName.TENHOU_4P else 3
    standing = figures.standing
    rank = f"**{words.rank_in_full(texts, standing.rank)}**"
    target = tenhou.RANKS[standing.rank].target(players)
    if target is not None:
        rank += " " + texts.gettext(
            "{points} of {target} points, {missing} to {next}",
            points=standing.points,
            target=target,
            missing=target - standing.points,
            next=words.rank_in_full(texts, standing.rank + 1),
        )
    rating = texts.gettext(
        "R{rating}, place {place} of {rated}",
        rating=words.rating(standing.rating, 1),
        place=figures.rating_place,
        rated=figures.rated,
    )
    return [rank, rating]


def places_line(texts: Texts, placed: tuple[int, ...] | list[int]) -> str:
    """Games by place and together: 3 + 2 + 1 + 0 = 6 games."""
    games = texts.ngettext("{number} game", "{number} games", sum(placed))
    return f"{' + '.join(str(count) for count in placed)} = {games}"


def block(
    texts: Texts, name: str, figures: Profile | None, found: Statistics, settings: ClubSettings, page: int
) -> discord.Embed:
    """All of a member's statistics at tables of one size, with page `page` (from 0) of the months.

    `figures` is None before his first ranked game.
    """
    table = texts.gettext("four players") if found.players == 4 else texts.gettext("three players")
    title = texts.gettext("Statistics of {name} · {table}", name=safe_name(texts, name), table=table)
    embed = discord.Embed(title=title, colour=COLOUR)
    embed.description = "\n".join(_head(texts, figures, found))
    embed.add_field(name=texts.gettext("Places (順位)"), value="\n".join(_places(texts, found)))
    embed.add_field(name=texts.gettext("Hands"), value="\n".join(_hands(texts, found)))
    title = texts.gettext("Total / mean (通算 / 平均)")
    embed.add_field(name=title, value="\n".join(_totals(texts, found, settings)), inline=False)
    embed.add_field(name=texts.gettext("Months"), value="\n".join(_months(texts, found, page)), inline=False)
    footer = texts.gettext("months by the club's clock ({zone})", zone=settings.time_zone)
    if (last := pages(found)) > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=page + 1, pages=last)
    return embed.set_footer(text=footer)


def _head(texts: Texts, figures: Profile | None, found: Statistics) -> Iterator[str]:
    if figures is None:
        yield texts.gettext("No ranked games yet, so no rank and no R.")
    else:
        yield from standing_lines(texts, figures)
    games = texts.ngettext("{number} game (対戦数)", "{number} games (対戦数)", found.games)
    if found.unranked:
        games += ", " + texts.ngettext("{number} of them unranked", "{number} of them unranked", found.unranked)
    yield games


def _line(label: str, figure: str) -> str:
    # The figure first: so they stand below each other, however a label wraps.
    return f"`{figure}` {label}"


def _places(texts: Texts, found: Statistics) -> Iterator[str]:
    labels = (
        texts.gettext("1st (１位率)"),
        texts.gettext("2nd (２位率)"),
        texts.gettext("3rd (３位率)"),
        texts.gettext("4th (４位率)"),
    )
    for place in range(1, found.players + 1):
        yield _line(labels[place - 1], rate(found.rate_of_place(place)))
    yield _line(texts.gettext("tobi (飛び率)"), rate(found.tobi_rate))
    yield _line(texts.gettext("average score (平均得点)"), mean_score(found.average_final_points))
    yield _line(texts.gettext("average place (平均順位)"), _mean_place(found.average_place))


def _hands(texts: Texts, found: Statistics) -> Iterator[str]:
    yield _line(texts.gettext("win (和了率)"), rate(found.win_rate))
    yield _line(texts.gettext("deal-in (放銃率)"), rate(found.deal_in_rate))
    yield _line(texts.gettext("call (副露率)"), rate(found.call_rate))
    yield _line(texts.gettext("riichi (立直率)"), rate(found.riichi_rate))
    hands = texts.ngettext("{number} hand", "{number} hands", found.hands.dealt)
    rests = texts.ngettext(
        "on {hands} of {number} game with a log",
        "on {hands} of {number} games with a log",
        found.logged,
        hands=hands,
    )
    yield f"-# {rests}"


def _totals(texts: Texts, found: Statistics, settings: ClubSettings) -> Iterator[str]:
    value, games = settings.chip_value, max(1, found.games)
    chips_told = settings.chips or found.games_with_chips > 0

    def both(label: str, total: str, mean: str) -> str:
        return f"{label} **{total}** / {mean}"

    score = _total(found.final_points)
    yield both(texts.gettext("score (得点)"), score, mean_score(found.average_final_points))
    yield both(texts.gettext("place (順位)"), f"{found.places:,}", _mean_place(found.average_place))
    if chips_told:
        mean = NOTHING if found.average_chips is None else _signed(found.average_chips, 1)
        yield both(texts.gettext("chips (祝儀)"), words.signed(found.chips), mean)
    if settings.stake:
        income = found.income(value, settings.stake)
        yield both(texts.gettext("income (収支)"), _money(income), _money(income / games))
    total = _total(found.total_points(value))
    yield both(texts.gettext("total (総合)"), total, mean_score(found.average_total(value)))
    if chips_told and found.games_with_chips < found.games:
        told = texts.ngettext(
            "chips were told of {chips} of {number} game",
            "chips were told of {chips} of {number} games",
            found.games,
            chips=found.games_with_chips,
        )
        yield f"-# {told}"
    top, upper, last = map(rate, (found.top_rate, found.upper_half_rate, found.last_rate))
    yield texts.gettext(
        "top (トップ率) **{top}** · upper half (連対率) **{upper}** · last (ラス率) **{last}**",
        top=top,
        upper=upper,
        last=last,
    )


def _months(texts: Texts, found: Statistics, page: int) -> Iterator[str]:
    newest_first = sorted(found.months, reverse=True)
    for year, month in newest_first[page * MONTHS : (page + 1) * MONTHS]:
        yield f"{year}-{month:02} · {places_line(texts, found.months[year, month])}"
