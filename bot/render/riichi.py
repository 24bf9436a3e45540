"""A riichi game as a card shows it: who placed where, and what it does to rank and R."""

from __future__ import annotations

from bot.render import words
from bot.render.names import safe_name
from bot.texts import Texts
from ratings.ledger import RiichiOutcome
from ratings.logs import LogFormat, Unranked
from ratings.models import RiichiGame
from ratings.queries.games import GameRecord
from ratings.queries.records import AttachedLog
from ratings.settings import ClubSettings
from ratings.systems import tenhou

__all__ = ["closed_to", "lines", "result"]


def lines(
    texts: Texts,
    game: GameRecord,
    facts: RiichiGame,
    outcome: RiichiOutcome,
    settings: ClubSettings,
    *,
    steps: bool = True,
) -> list[str]:
    """What was played, then a line a player from first place to last, and one with what it does to him."""
    told = [heading(texts, game, facts, outcome, settings)]
    if game.log is not None:
        told.append(" · ".join([f"-# {_log(texts, game.log)}", *_says(texts, game.log, facts)]))
    told.append("")
    return told + seat_lines(texts, game, facts, outcome, steps and words.moves_ratings(game.state))


def result(texts: Texts, game: GameRecord, facts: RiichiGame, places: tuple[int, ...]) -> str:
    """One line for a list of games: the players from first place to last, with their scores."""
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    return ", ".join(
        f"{safe_name(texts, game.people[seat].name, 16)} {words.score(facts.scores[seat])}" for seat in order
    )


def heading(
    texts: Texts, game: GameRecord, facts: RiichiGame, outcome: RiichiOutcome, settings: ClubSettings
) -> str:
    """Length, players, when it was played, and what it counts as."""
    parts = [
        words.length_name(texts, facts.length).capitalize(),
        words.system_name(texts, facts.system),
        words.moment(game.played_at, settings.zone),
    ]
    if outcome.lobby is None:
        parts.append(texts.gettext("unranked"))
    elif not words.moves_ratings(game.state):
        parts += [] if facts.lobby is None else [words.lobby_name(texts, facts.lobby)]
    elif facts.lobby is None:
        lobby = words.lobby_name(texts, outcome.lobby)
        parts.append(texts.gettext("counts as {lobby}, chosen by the players' ranks", lobby=lobby))
    else:
        parts.append(texts.gettext("counts as {lobby}", lobby=words.lobby_name(texts, outcome.lobby)))
    if facts.sticks:
        sticks = texts.ngettext("{number} riichi stick left", "{number} riichi sticks left", facts.sticks)
        parts.append(sticks)
    return " · ".join(parts)


def seat_lines(
    texts: Texts, game: GameRecord, facts: RiichiGame, outcome: RiichiOutcome, steps: bool
) -> list[str]:
    """A line a player from first place to last, and with `steps` another with what it does to rank and R."""
    lines = []
    for seat in sorted(range(len(game.people)), key=lambda seat: (outcome.places[seat], seat)):
        lines.append(
            f"**{words.ordinal(texts, outcome.places[seat])}** {words.wind(seat)} "
            f"**{safe_name(texts, game.people[seat].name)}** {words.score(facts.scores[seat])} "
            f"({words.final_points(outcome.final_points[seat])}){_chips(texts, game, seat)}"
        )
        if outcome.steps and steps:
            lines.append(f"-# {_step(texts, outcome.steps[seat], len(game.people))}")
    return lines


def _chips(texts: Texts, game: GameRecord, seat: int) -> str:
    """How many chips a seat won or lost, where that was told."""
    if not game.chips:
        return ""
    return " · " + texts.gettext("chips {number}", number=words.signed(game.chips[seat]))


def _log(texts: Texts, log: AttachedLog) -> str:
    """That a game has its log, with a link to watch it if it is on Tenhou."""
    name = texts.gettext("with its game log")
    if log.log_id is not None and log.format is not LogFormat.MAHJONG_SOUL:
        name = f"[{name}](https://tenhou.net/0/?log={log.log_id})"
    return f"📎 {name}"


def _says(texts: Texts, log: AttachedLog, facts: RiichiGame) -> list[str]:
    """What a log says of the game, where the game is told otherwise."""
    says = []
    if log.length is not facts.length:
        says.append(words.length_name(texts, log.length))
    if facts.ranked and log.unranked is not None:
        says += [texts.gettext("unranked"), _why_unranked(texts, log.unranked)]
    elif log.unranked is None and not facts.ranked:
        says.append(texts.gettext("ranked"))
    if log.lobby is not None and facts.lobby not in (None, log.lobby):
        says.append(words.lobby_name(texts, log.lobby))
    return [texts.gettext("**its log: {says}**", says=", ".join(says))] if says else []


def _why_unranked(texts: Texts, why: Unranked) -> str:
    return {
        Unranked.OTHER_SITE: texts.gettext("not on Tenhou"),
        Unranked.PRIVATE_LOBBY: texts.gettext("private lobby"),
        Unranked.CUSTOM_RULES: texts.gettext("rules of its own"),
        Unranked.PARLOUR: texts.gettext("parlour game"),
        Unranked.AGAINST_BOTS: texts.gettext("with computer players"),
        Unranked.OTHER_VERSION: texts.gettext("of an unknown version"),
        Unranked.UNKNOWN: texts.gettext("of an unknown lobby"),
    }[why]


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


def closed_to(texts: Texts, game: GameRecord, outcome: RiichiOutcome) -> str:
    """Who at the table could not enter the lobby that the report names; a log shows that they did."""
    if outcome.lobby is None or not words.moves_ratings(game.state):
        return ""
    if game.log is not None and game.log.lobby is outcome.lobby:
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
