"""Leaderboards, profiles and lists of games."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render import american, riichi, words
from bot.render.card import jump_url
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.models import GameState, Person, RiichiGame, SystemName
from ratings.queries.american import AmericanProfile
from ratings.queries.boards import Board, BoardPage, BoardRow, Order, Profile
from ratings.queries.games import GamePage, GameRecord
from ratings.settings import ClubSettings
from ratings.systems import riichi as riichi_rules
from ratings.systems import tenhou

__all__ = ["board", "game_list", "profile"]

COLOUR = 0x2E86AB
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
STATES = {GameState.PENDING: "⏳", GameState.APPROVED: "✅", GameState.REJECTED: "❌"}


def board(texts: Texts, which: Board, page: BoardPage, mine: int | None) -> discord.Embed:
    """One page of a leaderboard; `mine` is the Discord id of the member whose line stands out."""
    embed = discord.Embed(title=_board_title(texts, which), colour=COLOUR)
    lines = [_board_line(texts, which, row, row.discord_id == mine) for row in page.rows]
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
    return embed


def _figures(texts: Texts, figures: Profile) -> str:
    players = len(figures.placed)
    standing = figures.standing
    target = tenhou.RANKS[standing.rank].target(players)
    lines = [f"**{words.rank_in_full(texts, standing.rank)}**"]
    if target is not None:
        lines[0] += " " + texts.gettext(
            "{points} of {target} points, {missing} to {next}",
            points=standing.points,
            target=target,
            missing=target - standing.points,
            next=words.rank_in_full(texts, standing.rank + 1),
        )
    lines.append(
        texts.gettext(
            "R{rating}, place {place} of {rated}",
            rating=words.rating(standing.rating, 1),
            place=figures.rating_place,
            rated=figures.rated,
        )
    )
    places = " + ".join(str(count) for count in figures.placed)
    games = texts.ngettext("{number} game", "{number} games", standing.games)
    lines.append(f"{places} = {games}")
    rates = [
        f"{words.ordinal(texts, place)} {100 * count / standing.games:.1f}%"
        for place, count in enumerate(figures.placed, 1)
    ]
    lines.append(" · ".join(rates))
    return "\n".join(lines)


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
    embed.description = "\n".join(_game_line(texts, game, settings) for game in page.games) or texts.gettext(
        "No games yet. Report one with /report."
    )
    footer = texts.ngettext("{number} game", "{number} games", page.total)
    if page.pages > 1:
        footer += " · " + texts.gettext("page {page} of {pages}", page=page.number + 1, pages=page.pages)
    return embed.set_footer(text=footer)


def _game_line(texts: Texts, game: GameRecord, settings: ClubSettings) -> str:
    number = f"#{game.number}" if game.card is None else f"[#{game.number}]({jump_url(game.card)})"
    if isinstance(game.facts, RiichiGame):
        played = words.length_name(texts, game.facts.length)
        places = riichi_rules.places(game.facts, settings.shared_places)
        players = riichi.result(texts, game, game.facts, places)
    else:
        played = words.system_name(texts, game.facts.system)
        players = american.result(texts, game, game.facts)
    when = words.moment(game.played_at, settings.zone)
    return f"{STATES[game.state]} {number} {when} · {played}\n-# {players}"
