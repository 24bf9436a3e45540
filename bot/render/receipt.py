"""The private answer to a report: what was understood, and where it goes."""

from __future__ import annotations

import discord

from bot.render.card import COLOURS, body, repeats
from bot.texts import Texts
from ratings.ledger import Submission
from ratings.models import GameState

__all__ = ["chips_of_nobody", "no_chips", "receipt", "seat_names"]


def seat_names(texts: Texts) -> list[str]:
    """The seats from East."""
    return [texts.gettext("East"), texts.gettext("South"), texts.gettext("West"), texts.gettext("North")]


def no_chips(texts: Texts) -> str:
    """Chips were told of in a club that does not play for them."""
    return texts.gettext(
        "This club does not play for chips, so nothing was written down. Leave the chips out; an admin can switch "
        "them on with /settings set chips yes."
    )


def chips_of_nobody(texts: Texts) -> str:
    """North has chips but no player."""
    return texts.gettext(
        "North has chips but no player. Nothing was written down; please add north, or leave the chips out for a "
        "three-player game."
    )


def receipt(texts: Texts, submission: Submission, reachable: bool) -> discord.Embed:
    """What the reporter sees of his report; `reachable` says whether the card can be posted."""
    game, settings = submission.game, submission.matter.settings
    lines = [*body(texts, submission.matter), ""]
    if not reachable:
        lines.append(
            texts.gettext(
                "I cannot post its card where this club approves games, so it waits. "
                "An admin can decide it with /games decide, or choose another channel with /setup."
            )
        )
    elif settings.approvals_channel is None:
        lines.append(
            texts.gettext(
                "Its card goes to this channel, where an admin approves it with ✅. "
                "No approvals channel has been chosen yet: an admin can do that with /setup."
            )
        )
    else:
        channel = f"<#{settings.approvals_channel}>"
        lines.append(texts.gettext("Its card goes to {channel}, where an admin approves it.", channel=channel))
    if game.twin is not None:
        advice = texts.gettext("If this is the same game, an admin can reject this report.")
        lines.append(f"⚠️ {repeats(texts, game.facts, game.twin)} {advice}")
    return discord.Embed(
        title=texts.gettext("Game #{number} is reported", number=game.number),
        description="\n".join(lines),
        colour=COLOURS[GameState.PENDING],
    )
