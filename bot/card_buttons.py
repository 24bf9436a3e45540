"""What hangs under a card: a way to adjust a pending American hand, and to say why a game was rejected."""

from __future__ import annotations

import discord

from bot.penalties import AdjustButton
from bot.reasons import ReasonButton
from bot.texts import Texts
from ratings.ledger import Matter
from ratings.models import AmericanGame, GameState

__all__ = ["card_buttons"]


def card_buttons(texts: Texts, matter: Matter) -> discord.ui.View | None:
    """The buttons of a card in its present state; most cards have none."""
    game = matter.game
    view = discord.ui.View(timeout=None)
    if game.state is GameState.REJECTED:
        has_reason = game.decision is not None and game.decision.reason
        label = texts.gettext("Change the reason") if has_reason else texts.gettext("Add a reason")
        view.add_item(ReasonButton(game.id, label=label))
    elif game.state is GameState.PENDING and isinstance(game.facts, AmericanGame) and matter.settings.penalties:
        view.add_item(AdjustButton(game.id, label=texts.gettext("Adjust")))
    return view if view.children else None
