"""Leaderboards, profiles and lists of games."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import discord

from bot.render import american, riichi, statistics, words
from bot.render.card import jump_url
from bot.render.names import plain_name, safe_name, safe_text
from bot.texts import Texts
from ratings.models import GameState, Person, RiichiGame, SystemName
from ratings.queries.american import AmericanProfile
from ratings.queries.boards import Board, BoardPage, BoardRow, Order, Profile
from ratings.queries.games import GamePage, GameRecord
from ratings.settings import ClubSettings
from ratings.systems import riichi as riichi_rules

__all__ = ["STATES", "board", "game_label", "game_line", "game_list", "profile"]

COLOUR = 0x2E86AB
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
STATES = {
    GameState.PENDING: "⏳",
    GameState.APPROVED: "✅",
    GameState.REJECTED: "❌",
    GameState.VOIDED: "🚫",
    GameState.WITHDRAWN: "↩️",
}


def board(texts: Texts, which: Board, page: BoardPage, mine: int | None) -> discord.Embed:
    """One page of a leaderboard; `mine` is the index of the line that stands out."""
    embed = discord.Embed(title=_board_title(texts, which), colour=COLOUR)
    lines = [_board_line(texts, which, row, index == mine) for index, row in enumerate(page.rows)]
    embed.description = "\n".join(lines) or texts.gettext(
        "Nobody is on this board yet. Report a game with /report, and once it is approved, here you are."
    )
    parts = [texts.ngettext("{number} player", "{number} players", page.total)]
    if which.min_games > 1:
        parts.append(texts.ngettext("at least {number} game", "at least {number} games", which.min_games))
    if page.pages > 1:
        parts.append(texts.gettext("page {page} of {pages}", page=page.number + 1, pages=page.pages))
    return embed.set_footer(text=" · ".join(parts))


def _board_title(texts: Texts, which: Board) -> str:
    titles = {
        Order.RANK: texts.gettext("Tenhou rank"),
        Order.RATING: texts.gettext("R rating")
        if which.system is not SystemName.NMJL
        else texts.gettext("Rating"),
        Order.POINTS: texts.gettext("Total points"),
    }
    return f"{titles[which.order]} · {words.system_name(texts, which.system)}"


def _american_figures(texts: Texts, row: BoardRow) -> str:
    standing = row.standing
    return texts.gettext(
        "{rating} · {points} points · wins {rate}",
        rating=words.rating(standing.rating, 1),
        points=words.score(standing.points),
        rate=words.percent(row.wins, standing.games),
    )


def _board_line(texts: Texts, which: Board, row: BoardRow, mine: bool) -> str:
    place = MEDALS.get(row.place, f"`{row.place}.`")
    name = f"**{safe_name(texts, row.name)}**"
    marker = " ◀" if mine else ""
    if which.system is SystemName.NMJL:
        figures = _american_figures(texts, row)
    elif which.order is Order.RANK:
        figures = words.standing_line(texts, row.standing, which.system)
    else:
        rank = words.rank_in_full(texts, row.standing.rank)
        figures = f"R{words.rating(row.standing.rating, 1)} · {rank}"
    games = texts.ngettext("{number} game", "{number} games", row.standing.games)
    return f"{place} {name} {figures} · {games}{marker}"


def profile(
    texts: Texts, name: str, profiles: Sequence[Profile], american_figures: AmericanProfile | None
) -> discord.Embed:
    """A member's rank, R and places in each ladder he has played, and his American figures."""
    embed = discord.Embed(title=safe_name(texts, name), colour=COLOUR)
    for figures in profiles:
        embed.add_field(
            name=words.system_name(texts, figures.system).capitalize(),
            value=_figures(texts, figures),
            inline=False,
        )
    if american_figures is not None:
        title = words.system_name(texts, SystemName.NMJL)
        embed.add_field(name=title, value=_american_profile(texts, american_figures), inline=False)
    if not embed.fields:
        embed.description = texts.gettext("No approved ranked games yet.")
    return embed.set_footer(text=texts.gettext("/stats has more on riichi, with unranked games too."))


def _figures(texts: Texts, figures: Profile) -> str:
    rates = (statistics.rate(Fraction(count, figures.standing.games)) for count in figures.placed)
    lines = [*statistics.standing_lines(texts, figures), statistics.places_line(texts, figures.placed)]
    return "\n".join([*lines, texts.gettext("places {rates}", rates=" / ".join(rates))])


def _american_profile(texts: Texts, figures: AmericanProfile) -> str:
    standing = figures.standing
    lines = [
        texts.gettext(
            "**Rating {rating}** · {points} total points",
            rating=words.rating(standing.rating, 1),
            points=words.score(standing.points),
        ),
        texts.gettext(
            "{wins} of {games}, win rate {rate} (wall games count as played)",
            wins=texts.ngettext("{number} win", "{number} wins", figures.wins),
            games=texts.ngettext("{number} game", "{number} games", standing.games),
            rate=words.percent(figures.wins, standing.games),
        ),
        texts.gettext(
            "self-picked {picked} · jokerless {jokerless} · discarded into {into}",
            picked=words.percent(figures.self_picked, figures.wins),
            jokerless=words.percent(figures.jokerless, figures.wins),
            into=texts.ngettext("{number} win", "{number} wins", figures.discarded_into),
        ),
    ]
    if figures.favourite_section is not None and figures.best_line is not None:
        lines.append(
            texts.gettext(
                "favourite section {section} · best line {line}",
                section=safe_text(figures.favourite_section),
                line=safe_text(american.line_name(texts, figures.best_line)),
            )
        )
    return "\n".join(lines)


def game_list(texts: Texts, of: Person | None, page: GamePage, settings: ClubSettings) -> discord.Embed:
    """A page of games, undecided ones first."""
    title = texts.gettext("Games of {name}", name=safe_name(texts, of.name)) if of else texts.gettext("Games")
    embed = discord.Embed(title=title, colour=COLOUR)
    embed.description = "\n".join(game_line(texts, game, settings) for game in page.games) or texts.gettext(
        "No games yet. Report one with /report."
    )
    footer = texts.ngettext("{number} game", "{number} games", page.total)
    if page.pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=page.number + 1, pages=page.pages)
    return embed.set_footer(text=footer)


def game_line(texts: Texts, game: GameRecord, settings: ClubSettings) -> str:
    """A game in two lines: where it stands, its number, when and what was played, and how it ended."""
    card = game.shown_on
    number = f"#{game.number}" if card is None else f"[#{game.number}]({jump_url(card)})"
    if isinstance(game.facts, RiichiGame):
        played = words.length_name(texts, game.facts.length)
        places = riichi_rules.places(game.facts, settings.shared_places)
        players = riichi.result(texts, game, game.facts, places)
    else:
        played = words.system_name(texts, game.facts.system)
        players = american.result(texts, game, game.facts)
    when = words.moment(game.played_at, settings.zone)
    return f"{STATES[game.state]} {number} {when} · {played}\n-# {players}"


def game_label(texts: Texts, game: GameRecord) -> str:
    """A game within the 100 characters of a choice: where it stands, its number, and who played."""
    names = ", ".join(plain_name(texts, someone.name, 18) for someone in game.people)
    return f"{STATES[game.state]} #{game.number} {names}"[:100]
