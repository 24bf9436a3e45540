"""The card of a reported game: what was played, and what approval would do or did."""

from __future__ import annotations

import discord

from bot.render import american, riichi, words
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.ledger import AmericanOutcome, Matter, RiichiOutcome
from ratings.models import AmericanGame, GameState, RiichiGame
from ratings.queries.games import Card, GameRecord
from ratings.settings import ClubSettings

__all__ = ["COLOURS", "body", "game_card", "jump_url", "mark_of", "repeats"]

COLOURS = {GameState.PENDING: 0xE0A526, GameState.APPROVED: 0x3BA55D, GameState.REJECTED: 0xC0392B}


def mark_of(game: GameRecord, kind: str) -> str:
    """The footer by which a post about a game is found again: the same however often it is drawn."""
    return f"#{game.number} · {kind}"


def jump_url(card: Card) -> str:
    """A link that opens the message of a card."""
    return f"https://discord.com/channels/{card.guild_id}/{card.channel_id}/{card.message_id}"


def game_card(texts: Texts, matter: Matter) -> discord.Embed:
    """The card as the game stands now."""
    game, settings = matter.game, matter.settings
    reported = texts.gettext(
        "Reported by {name}, {moment}",
        name=safe_name(texts, game.reporter.name),
        moment=words.moment(game.reported_at, settings.zone),
    )
    embed = discord.Embed(
        title=_title(texts, game),
        description="\n".join([*body(texts, matter), "", reported]),
        colour=COLOURS[game.state],
    )
    if isinstance(matter.outcome, RiichiOutcome) and (closed := riichi.closed_to(texts, game, matter.outcome)):
        embed.add_field(name=texts.gettext("Not open to everyone"), value=closed, inline=False)
    if game.repeats is not None:
        embed.add_field(name=texts.gettext("Possible duplicate"), value=repeats(texts, game), inline=False)
    for name, value in _ruling(texts, game, settings):
        embed.add_field(name=name, value=value, inline=False)
    return embed.set_footer(text=mark_of(game, "card"))


def body(texts: Texts, matter: Matter) -> list[str]:
    """The lines of a card that tell the game: what was played, by whom, and what it does."""
    game, facts, outcome = matter.game, matter.game.facts, matter.outcome
    if isinstance(facts, AmericanGame) and isinstance(outcome, AmericanOutcome):
        return american.lines(texts, game, facts, outcome, matter.settings)
    assert isinstance(facts, RiichiGame)  # noqa: S101 - games and outcomes come in pairs
    assert isinstance(outcome, RiichiOutcome)  # noqa: S101
    return riichi.lines(texts, game, facts, outcome, matter.settings)


def _title(texts: Texts, game: GameRecord) -> str:
    if game.state is GameState.PENDING:
        return texts.gettext("Game #{number} is waiting for approval", number=game.number)
    if game.state is GameState.APPROVED:
        return texts.gettext("Game #{number} is approved", number=game.number)
    return texts.gettext("Game #{number} is rejected", number=game.number)


def repeats(texts: Texts, game: GameRecord) -> str:
    """Which recent game a report repeats, as a sentence with a link."""
    label = texts.gettext("game #{number}", number=game.repeats)
    if game.repeats_card is not None:
        label = f"[{label}]({jump_url(game.repeats_card)})"
    if isinstance(game.facts, AmericanGame):
        return texts.gettext("The same player won with the same line at the same table in {game}.", game=label)
    return texts.gettext("The same players had the same scores in {game}.", game=label)


def _ruling(texts: Texts, game: GameRecord, settings: ClubSettings) -> list[tuple[str, str]]:
    ruling = game.decision
    if game.state is GameState.PENDING or ruling is None:
        return [(texts.gettext("Admins"), texts.gettext("React ✅ to approve or ❌ to reject."))]
    name, when = safe_name(texts, ruling.by), words.moment(ruling.at, settings.zone)
    if game.state is GameState.APPROVED:
        return [(texts.gettext("Approved"), texts.gettext("By {name}, {moment}", name=name, moment=when))]
    fields = [(texts.gettext("Rejected"), texts.gettext("By {name}, {moment}", name=name, moment=when))]
    if ruling.reason:
        fields.append((texts.gettext("Reason"), safe_text(ruling.reason)))
    return fields
