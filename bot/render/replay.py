"""What a replay found: a line for each figure that differs, and the answer to /admin replay."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render.names import plain_name, safe_text
from bot.render.receipt import seat_names
from bot.texts import Texts
from ratings.ledger import Difference
from ratings.models import SystemName

__all__ = ["MOST", "line", "report"]

# How many differences are shown on Discord.
MOST = 10
_WIDTH = 40
GREEN, AMBER = 0x3BA55D, 0xE0A526


def line(texts: Texts, difference: Difference) -> str:
    """One figure that differs, as text without formatting."""
    nothing = texts.gettext("nothing")
    return texts.gettext(
        "{where}, {figure}: stored {stored}, replayed {replayed}",
        where=_where(texts, difference),
        figure=difference.figure,
        stored=nothing if difference.stored is None else difference.stored,
        replayed=nothing if difference.replayed is None else difference.replayed,
    )


def _where(texts: Texts, difference: Difference) -> str:
    name = plain_name(texts, difference.name, _WIDTH)
    if difference.number is None or difference.seat is None:
        return texts.gettext(
            "{name} (player {id}), {system}", name=name, id=difference.player, system=difference.system
        )
    if difference.system == SystemName.NMJL:
        # A seat says nothing in American mahjong.
        return texts.gettext("game #{number}, {name}", number=difference.number, name=name)
    seats = seat_names(texts)
    seat = texts.gettext("seat {number}", number=difference.seat + 1)
    if difference.seat < len(seats):
        seat = seats[difference.seat]
    return texts.gettext("game #{number}, {seat} ({name})", number=difference.number, seat=seat, name=name)


def report(
    texts: Texts, replayed: int, wrong: tuple[int, int], found: Sequence[Difference], *, put_right: bool
) -> discord.Embed:
    """How many games were replayed, of how many games and standings (`wrong`) figures differed, the first of
    these differences, and whether they were put right."""
    played = texts.ngettext("{number:,} game was replayed.", "{number:,} games were replayed.", replayed)
    if not any(wrong):
        told = texts.gettext("Every stored figure is what the games give.")
        return discord.Embed(title=texts.gettext("Replay"), description=f"{played} {told}", colour=GREEN)
    games = texts.ngettext("{number:,} game", "{number:,} games", wrong[0])
    standings = texts.ngettext("{number:,} standing", "{number:,} standings", wrong[1])
    if put_right:
        told = texts.gettext(
            "Stored figures of {games} and {standings} were not what the games give, and have been put right:",
            games=games,
            standings=standings,
        )
    else:
        told = texts.gettext(
            "Stored figures of {games} and {standings} are not what the games give. Nothing was changed; "
            "/admin replay without check puts them right:",
            games=games,
            standings=standings,
        )
    lines = [f"- {safe_text(line(texts, each))}" for each in found[:MOST]]
    if len(found) > MOST:
        # What was put right is not to be found any more.
        lines.append(
            texts.gettext("… and more.")
            if put_right
            else texts.gettext("… and more; python -m bot replay --check lists everything.")
        )
    embed = discord.Embed(title=texts.gettext("Replay"), colour=GREEN if put_right else AMBER)
    embed.description = "\n".join([f"{played} {told}", *lines])
    return embed
