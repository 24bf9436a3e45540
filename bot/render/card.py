"""The card of a reported game: what was played, and what approval would do or did."""

from __future__ import annotations

import discord

from bot.render import words
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.ledger import Outcome
from ratings.models import GameState
from ratings.queries.games import Card, GameRecord
from ratings.settings import ClubSettings
from ratings.systems import tenhou

__all__ = ["COLOURS", "game_card", "heading", "jump_url", "mark_of", "seat_lines"]

COLOURS = {GameState.PENDING: 0xE0A526, GameState.APPROVED: 0x3BA55D, GameState.REJECTED: 0xC0392B}


def mark_of(game: GameRecord, kind: str) -> str:
    """The footer by which a post about a game is found again: the same however often it is drawn."""
    return f"#{game.number} · {kind}"


def jump_url(card: Card) -> str:
    """A link that opens the message of a card."""
    return f"https://discord.com/channels/{card.guild_id}/{card.channel_id}/{card.message_id}"


def game_card(texts: Texts, game: GameRecord, outcome: Outcome, settings: ClubSettings) -> discord.Embed:
    """The card as the game stands now."""
    embed = discord.Embed(
        title=_title(texts, game),
        description="\n".join([heading(texts, game, outcome, settings), "", *seat_lines(texts, game, outcome)]),
        colour=COLOURS[game.state],
    )
    if closed := _closed_to(texts, game, outcome):
        embed.add_field(name=texts.gettext("Not open to everyone"), value=closed, inline=False)
    if game.repeats is not None:
        embed.add_field(name=texts.gettext("Possible duplicate"), value=_repeats(texts, game), inline=False)
    for name, value in _ruling(texts, game, settings):
        embed.add_field(name=name, value=value, inline=False)
    reported = texts.gettext(
        "Reported by {name}, {moment}",
        name=safe_name(texts, game.reporter.name),
        moment=words.moment(game.reported_at, settings.zone),
    )
    embed.description = f"{embed.description}\n\n{reported}"
    return embed.set_footer(text=mark_of(game, "card"))


def heading(texts: Texts, game: GameRecord, outcome: Outcome, settings: ClubSettings) -> str:
    """Length, players, when it was played, and what it counts as."""
    facts = game.facts
    parts = [
        words.length_name(texts, facts.length).capitalize(),
        words.system_name(texts, facts.system),
        words.moment(game.played_at, settings.zone),
    ]
    if outcome.lobby is None:
        parts.append(texts.gettext("unranked"))
    elif facts.lobby is None:
        lobby = words.lobby_name(texts, outcome.lobby)
        parts.append(texts.gettext("counts as {lobby}, chosen by the players' ranks", lobby=lobby))
    else:
        parts.append(texts.gettext("counts as {lobby}", lobby=words.lobby_name(texts, outcome.lobby)))
    if facts.sticks:
        sticks = texts.ngettext("{number} riichi stick left", "{number} riichi sticks left", facts.sticks)
        parts.append(sticks)
    return " · ".join(parts)


def seat_lines(texts: Texts, game: GameRecord, outcome: Outcome) -> list[str]:
    """Two lines a player from first place to last: the result, and what it does to rank and R."""
    lines = []
    for seat in sorted(range(len(game.people)), key=lambda seat: (outcome.places[seat], seat)):
        lines.append(
            f"**{words.ordinal(texts, outcome.places[seat])}** {words.wind(seat)} "
            f"**{safe_name(texts, game.people[seat].name)}** {words.score(game.facts.scores[seat])} "
            f"({words.final_points(outcome.final_points[seat])})"
        )
        if outcome.steps and game.state is not GameState.REJECTED:
            lines.append(f"-# {_step(texts, outcome.steps[seat], len(game.people))}")
    return lines


def _step(texts: Texts, step: tenhou.Step, players: int) -> str:
    before, after = step.before, step.after
    change = words.signed(step.rank_delta)
    target = tenhou.RANKS[after.rank].target(players)
    points = "" if target is None else f" {after.points}/{target}"
    if step.event is None:
        rank = f"{words.rank_in_full(texts, after.rank)}{points} ({change})"
    else:
        arrow = "⬇️" if step.event is tenhou.RankEvent.DEMOTION else "⬆️"
        rank = (
            f"{words.rank_in_full(texts, before.rank)} {arrow} "
            f"**{words.rank_in_full(texts, after.rank)}**{points} ({change})"
        )
    moved = words.rating_change(after.rating - before.rating)
    return f"{rank} · R {words.rating(before.rating)} → {words.rating(after.rating)} ({moved})"


def _title(texts: Texts, game: GameRecord) -> str:
    if game.state is GameState.PENDING:
        return texts.gettext("Game #{number} is waiting for approval", number=game.number)
    if game.state is GameState.APPROVED:
        return texts.gettext("Game #{number} is approved", number=game.number)
    return texts.gettext("Game #{number} is rejected", number=game.number)


def _closed_to(texts: Texts, game: GameRecord, outcome: Outcome) -> str:
    """Who at the table could not enter the lobby that the report names."""
    if outcome.lobby is None or game.state is GameState.REJECTED:
        return ""
    closed = [
        safe_name(texts, person.name)
        for person, step in zip(game.people, outcome.steps, strict=True)
        if outcome.lobby not in tenhou.open_lobbies(step.before)
    ]
    if not closed:
        return ""
    lobby = words.lobby_name(texts, outcome.lobby)
    return texts.gettext("On Tenhou, {lobby} would not let in {names}.", lobby=lobby, names=", ".join(closed))


def _repeats(texts: Texts, game: GameRecord) -> str:
    label = texts.gettext("game #{number}", number=game.repeats)
    if game.repeats_card is not None:
        label = f"[{label}]({jump_url(game.repeats_card)})"
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
