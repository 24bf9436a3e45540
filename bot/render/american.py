"""An American hand as a card shows it: the line, how it was won, and what it does to ratings and total points."""

from __future__ import annotations

from dataclasses import replace

from bot.render import words
from bot.render.names import plain_name, safe_name, safe_text
from bot.texts import Texts
from ratings.ledger import AmericanOutcome
from ratings.models import AmericanGame, AmericanWin, Offence, WonBy
from ratings.queries.cards import CardLine
from ratings.queries.games import GameRecord
from ratings.settings import ClubSettings
from ratings.systems import nmjl

__all__ = ["line_choice", "line_name", "lines", "offence_name", "possible_offences", "result"]


def lines(
    texts: Texts, game: GameRecord, facts: AmericanGame, outcome: AmericanOutcome, settings: ClubSettings
) -> list[str]:
    """What was played, then each player, the winner first; penalties last."""
    told = [" · ".join([texts.gettext("American mahjong"), words.moment(game.played_at, settings.zone)])]
    if facts.win is None or game.line is None:
        told.append(texts.gettext("**Wall game**: nobody won."))
    else:
        told.append(_win(texts, game, facts.win, game.line))
    told.append("")
    winner = facts.win.winner if facts.win else None
    for seat in sorted(range(len(facts.players)), key=lambda seat: facts.players[seat] != winner):
        told += _player(texts, game, facts, outcome.steps[seat], seat)
    for player, step in zip(facts.players, outcome.steps, strict=True):
        # A penalty that the club's settings leave out of the rating is not shown as if it counted.
        if step.penalty:
            told.append(_penalties(texts, game, player))
    return told


def result(texts: Texts, game: GameRecord, facts: AmericanGame) -> str:
    """One line for a list of games: who won with what, or the players of a wall game."""
    if facts.win is not None and game.line is not None:
        name = safe_name(texts, game.name_of(facts.win.winner), 16)
        losers = [player for player in game.players if player != facts.win.winner]
        others = [safe_name(texts, game.name_of(player), 16) for player in losers]
        return texts.gettext(
            "{winner} won with {line} against {losers}",
            winner=name,
            line=safe_text(plain_name(texts, game.line.name, 24)),
            losers=", ".join(others),
        )
    players = ", ".join(safe_name(texts, person.name, 16) for person in game.people)
    return texts.gettext("wall game of {players}", players=players)


def line_name(texts: Texts, line: CardLine) -> str:
    """A line of the card as the card prints it: section, name, value, and C or X."""
    mark = "C" if line.line.concealed_only else "X"
    pairs = " · " + texts.gettext("singles and pairs") if line.line.singles_and_pairs else ""
    return f"{line.section} · {line.name} · {line.line.points} {mark}{pairs}"


def line_choice(texts: Texts, line: CardLine) -> str:
    """The same within the 100 characters of a choice, long names cut so that value and mark stay."""
    section, name = plain_name(texts, line.section, 28), plain_name(texts, line.name, 40)
    return line_name(texts, replace(line, section=section, name=name))[:100]


def possible_offences(facts: AmericanGame, player_id: int) -> list[Offence]:
    """What somebody at this table can be penalised for: only a loser can have fed the winner, and only a wall
    game ends with dead hands."""
    if facts.win is None:
        return [Offence.MISNAMED, Offence.DEAD_HAND]
    if player_id == facts.win.winner:
        return [Offence.MISNAMED]
    return [offence for offence in Offence if offence is not Offence.DEAD_HAND]


def offence_name(texts: Texts, offence: Offence) -> str:
    """A penalty in words, with what it costs."""
    cost = words.signed(nmjl.PENALTIES[offence])
    return {
        Offence.FED_TWO_EXPOSURES: texts.gettext("fed a hand with two exposures ({cost})", cost=cost),
        Offence.FED_THREE_EXPOSURES: texts.gettext("fed a hand with three exposures ({cost})", cost=cost),
        Offence.FED_TWO_ON_QUINT: texts.gettext("fed a quint hand with two exposures ({cost})", cost=cost),
        Offence.MISNAMED: texts.gettext("misnamed a discard ({cost})", cost=cost),
        Offence.MISNAMED_GAVE_MAHJONG: texts.gettext("misnamed a discard that gave mahjong ({cost})", cost=cost),
        Offence.DEAD_HAND: texts.gettext("dead hand in a wall game ({cost})", cost=cost),
    }[offence]


def _win(texts: Texts, game: GameRecord, win: AmericanWin, line: CardLine) -> str:
    parts = [f"**{safe_text(line_name(texts, line))}**"]
    if win.won_by is WonBy.SELF_PICK:
        parts.append(texts.gettext("self-picked"))
    elif win.discarder is not None:
        name = safe_name(texts, game.name_of(win.discarder))
        parts.append(texts.gettext("on a discard of {name}", name=name))
    else:
        parts.append(texts.gettext("on a discard, whose is not recorded"))
    parts.append(texts.gettext("with jokers") if win.used_jokers else texts.gettext("jokerless"))
    concealed = win.concealed or win.line.concealed_only
    parts.append(texts.gettext("concealed") if concealed else texts.gettext("exposed"))
    return " · ".join(parts)


def _player(texts: Texts, game: GameRecord, facts: AmericanGame, step: nmjl.Step, seat: int) -> list[str]:
    name = f"**{safe_name(texts, game.people[seat].name)}**"
    before, after = step.before, step.after
    change = words.rating_change(after.rating - before.rating)
    moved = f"{words.rating(before.rating, 1)} → {words.rating(after.rating, 1)} ({change})"
    if not words.moves_ratings(game.state):
        return [name]
    if facts.win is None or facts.players[seat] != facts.win.winner:
        return [f"{name} {moved}"]
    total = texts.gettext(
        "total points {before} → {after} (+{gained})",
        before=words.score(before.points),
        after=words.score(after.points),
        gained=step.points_gained,
    )
    return [f"🏆 {name} {moved}", f"-# {_steps(texts, step)}", f"-# {total}"]


def _steps(texts: Texts, step: nmjl.Step) -> str:
    """What the winner's change is made of (seed 000, "Rating")."""
    parts = [
        texts.gettext("expected score {expected}", expected=f"{step.expected or 0:.3f}"),
        texts.gettext("line {points}", points=_plain(step.line_points)),
    ]
    if step.concealed_part != step.line_points:
        bonus = words.rating_change(step.concealed_part - step.line_points)
        parts.append(texts.gettext("concealed {bonus}", bonus=bonus))
    if step.jokerless:
        parts.append(texts.gettext("jokerless +{bonus}", bonus=_plain(step.jokerless)))
    parts.append(texts.gettext("exchange {exchange}", exchange=f"+{step.exchange:.2f}"))
    if step.penalty:
        parts.append(texts.gettext("penalty {penalty}", penalty=words.signed(step.penalty)))
    return " · ".join(parts)


def _penalties(texts: Texts, game: GameRecord, player_id: int) -> str:
    theirs = [penalty for penalty in game.penalties if penalty.player_id == player_id]
    return texts.gettext(
        "⚠️ {name}: {offences}; added by {admins}",
        name=safe_name(texts, game.name_of(player_id), 16),
        offences=", ".join(offence_name(texts, penalty.offence) for penalty in theirs),
        admins=", ".join(safe_name(texts, name, 16) for name in dict.fromkeys(each.by for each in theirs)),
    )


def _plain(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
