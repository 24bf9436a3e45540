"""What the club reads after a decision: rank news, and word to the reporter of a rejected game."""

from __future__ import annotations

import discord

from bot.render import words
from bot.render.card import COLOURS, jump_url, mark_of
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.ledger import RiichiOutcome
from ratings.models import CorrectionKind, GameState, SystemName
from ratings.queries.corrections import CorrectionNews, RankMove
from ratings.queries.games import GameRecord
from ratings.systems.tenhou import RankEvent

__all__ = ["alarm", "correction", "rank_news", "rejection", "rejection_reason"]

GOLD, GREEN, GREY = 0xF1C40F, 0x3BA55D, 0x7F8C8D
# As many as a description has room for.
MOST_RANKS = 20


def rank_news(texts: Texts, game: GameRecord, outcome: RiichiOutcome) -> discord.Embed:
    """Everybody whose rank a game changed, best news first."""
    order = [RankEvent.TENHOUI, RankEvent.PROMOTION, RankEvent.DEMOTION]
    moved = [
        (step.event, safe_name(texts, person.name), step.after.rank)
        for person, step in zip(game.people, outcome.steps, strict=True)
        if step.event is not None
    ]
    moved.sort(key=lambda move: order.index(move[0]))
    best = moved[0][0]
    embed = discord.Embed(
        title=_headline(texts, best),
        description="\n".join(_move(texts, *move) for move in moved),
        colour={RankEvent.TENHOUI: GOLD, RankEvent.PROMOTION: GREEN}.get(best, GREY),
    )
    if game.card is not None:
        table = words.system_name(texts, game.facts.system)
        embed.description = f"{embed.description}\n-# {_game(texts, game)} · {table}"
    return embed.set_footer(text=mark_of(game, "news"))


def correction(texts: Texts, told: CorrectionNews) -> discord.Embed:
    """Whose rank a correction changed. Nobody is congratulated: it sets right what had been said before."""
    ranks = sorted(told.moves, key=lambda move: (list(SystemName).index(move.system), -_height(move.after)))
    several = len({move.system for move in ranks}) > 1
    lines = [_corrected(texts, move, several) for move in ranks[:MOST_RANKS]]
    if left := len(ranks) - len(lines):
        lines.append(texts.ngettext("… and {number} more", "… and {number} more", left))
    lines += [] if several else [f"-# {words.system_name(texts, move.system)}" for move in ranks[:1]]
    mark = f"correction #{told.id}"
    if told.game is not None:
        mark = mark_of(told.game, f"correction {told.id}")
    embed = discord.Embed(title=texts.gettext("✏️ Correction 訂正"), colour=GREY)
    embed.description = "\n".join([_who(texts, told), "", *lines])
    if told.reason:
        embed.add_field(name=texts.gettext("Reason"), value=safe_text(told.reason), inline=False)
    return embed.set_footer(text=mark)


def _game(texts: Texts, game: GameRecord) -> str:
    """A game's number, as a link to its card if there is one."""
    label = texts.gettext("game #{number}", number=game.number)
    return label if game.card is None else f"[{label}]({jump_url(game.card)})"


def _corrected(texts: Texts, move: RankMove, tell_system: bool) -> str:
    system = f" · {words.system_name(texts, move.system)}" if tell_system else ""
    return f"{_corrected_rank(texts, safe_name(texts, move.name), move)}{system}"


def _corrected_rank(texts: Texts, name: str, move: RankMove) -> str:
    before, after = ("" if rank is None else words.rank_in_full(texts, rank) for rank in (move.before, move.after))
    if move.after is None:
        return texts.gettext("⬇️ **{name}** was {rank} and has no rank any more", name=name, rank=before)
    if move.before is None:
        return texts.gettext("⬆️ **{name}** had no rank and is **{rank}** now", name=name, rank=after)
    arrow = "⬆️" if move.after > move.before else "⬇️"
    return f"{arrow} **{name}** {before} → **{after}**"


def _height(rank: int | None) -> int:
    """By which ranks are sorted: none is below the lowest."""
    return -1 if rank is None else rank


def _who(texts: Texts, told: CorrectionNews) -> str:
    name = safe_name(texts, told.by)
    game = "" if told.game is None else _game(texts, told.game)
    match told.kind:
        case CorrectionKind.VOID:
            return texts.gettext("{name} has voided {game}.", name=name, game=game)
        case CorrectionKind.RESTORE:
            return texts.gettext("{name} has restored {game}.", name=name, game=game)
        case CorrectionKind.AMEND:
            return texts.gettext("{name} has amended {game}.", name=name, game=game)
        case CorrectionKind.MERGE:
            return texts.gettext("{name} has put two records of one person together.", name=name)
        case CorrectionKind.SPLIT:
            return texts.gettext("{name} has taken apart two records that counted as one person.", name=name)
        case _:
            return texts.gettext("{name} has set something right.", name=name)


def _headline(texts: Texts, event: RankEvent) -> str:
    if event is RankEvent.TENHOUI:
        return texts.gettext("🀄 A new Tenhoui! 天鳳位誕生")
    if event is RankEvent.PROMOTION:
        return texts.gettext("🎉 Promotion 昇段")
    return texts.gettext("Demotion 降段")


def _move(texts: Texts, event: RankEvent, name: str, rank: int) -> str:
    full = words.rank_in_full(texts, rank)
    if event is RankEvent.TENHOUI:
        return texts.gettext(
            "🎆 **{name}** has climbed every dan and is **{rank}**, the highest there is. Congratulations!",
            name=name,
            rank=full,
        )
    if event is RankEvent.PROMOTION:
        return texts.gettext("⬆️ **{name}** rose to **{rank}**. Congratulations!", name=name, rank=full)
    return texts.gettext("⬇️ **{name}** fell back to **{rank}** and will be back.", name=name, rank=full)


def rejection(texts: Texts, club: str, game: GameRecord) -> discord.Embed:
    """Tells the reporter that his game was rejected, with the reason if there is one already."""
    by = safe_name(texts, game.decision.by) if game.decision else ""
    text = texts.gettext(
        "{admin} rejected game #{number}, which you reported. No rating has moved. "
        "If something was mistyped, report it again with /report.",
        admin=by,
        number=game.number,
    )
    return _word(texts, club, game, text).set_footer(text=mark_of(game, "rejection"))


def rejection_reason(texts: Texts, club: str, game: GameRecord) -> discord.Embed:
    """Tells the reporter why his game was rejected."""
    text = texts.gettext("Why game #{number}, which you reported, was rejected:", number=game.number)
    return _word(texts, club, game, text).set_footer(text=mark_of(game, "reason"))


def _word(texts: Texts, club: str, game: GameRecord, text: str) -> discord.Embed:
    reason = game.decision.reason if game.decision else None
    if reason:
        text = f"{text}\n\n> {safe_text(reason)}"
    title = texts.gettext("{club}: game #{number}", club=safe_name(texts, club), number=game.number)
    return discord.Embed(title=title, description=text, colour=COLOURS[GameState.REJECTED])


def alarm(texts: Texts, club: str, channel_id: int, game: GameRecord) -> discord.Embed:
    """Tells the admins that cards cannot be posted where the club wants them."""
    return discord.Embed(
        title=texts.gettext("{club}: I cannot post in the approvals channel", club=safe_name(texts, club)),
        description=texts.gettext(
            "The card of game #{number} could not be posted in <#{channel}>: the channel is gone, or I may not "
            "write there. The game stays pending. An admin can decide it with /games decide, choose another "
            "channel with /setup, or let me see the channel, send messages and embed links.",
            number=game.number,
            channel=channel_id,
        ),
        colour=COLOURS[GameState.REJECTED],
    ).set_footer(text=mark_of(game, "alarm"))
