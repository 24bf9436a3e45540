"""What an amendment changes, in words: each particular of a game as it was told and as it is told anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.render import american, words
from bot.render.names import plain_name, safe_name, safe_text
from bot.render.receipt import seat_names
from bot.texts import Texts
from ratings.ledger import tellings
from ratings.ledger.tellings import AmericanTelling, Penalised, RiichiTelling, Telling
from ratings.models import WonBy
from ratings.queries.audit import Amended, Background

__all__ = ["differences", "penalty_name", "told_anew"]

NAME = 24


def differences(
    texts: Texts, before: Telling, after: Telling, background: Background, recorded: Sequence[Penalised] = ()
) -> list[str]:
    """A line for each particular that two tellings of a game give otherwise, and for each of the `recorded`
    penalties that fits one of them alone."""
    if isinstance(before, RiichiTelling) and isinstance(after, RiichiTelling):
        lines = [*_seats(texts, before, after, background), *_riichi(texts, before, after)]
    else:
        assert isinstance(before, AmericanTelling)  # noqa: S101 - a game is told anew as what it was
        assert isinstance(after, AmericanTelling)  # noqa: S101
        lines = list(_american(texts, before, after, background))
    if before.played_at != after.played_at:
        zone = background.settings.zone
        old, new = (words.moment(each.played_at, zone) for each in (before, after))
        lines.append(_line(texts.gettext("Played"), old, new))
    counted, counting = (tellings.counting(told, recorded) for told in (before, after))
    for each in counting:
        if each not in counted:
            penalty = penalty_name(texts, each, background)
            lines.append(texts.gettext("Penalty of {penalty}: **counts again**", penalty=penalty))
    for each in counted:
        if each not in counting:
            penalty = penalty_name(texts, each, background)
            lines.append(texts.gettext("Penalty of {penalty}: **counts no more**", penalty=penalty))
    return lines


def told_anew(texts: Texts, amended: Amended) -> list[str]:
    """A line for each particular that a game was reported with and has no more."""
    return differences(texts, amended.before, amended.after, amended.background)


def penalty_name(texts: Texts, penalty: Penalised, background: Background) -> str:
    """Whose penalty it is, and for what."""
    record, offence = penalty
    return f"{_name(texts, record, background)}, {american.offence_name(texts, offence)}"


def _line(what: str, old: str, new: str) -> str:
    return f"{what}: {old} → **{new}**"


def _seats(texts: Texts, before: RiichiTelling, after: RiichiTelling, background: Background) -> Iterator[str]:
    for seat, name in enumerate(seat_names(texts)):
        old, new = (_seat(texts, told, seat, background) for told in (before, after))
        if old != new:
            yield _line(name, old, new)


def _seat(texts: Texts, told: RiichiTelling, seat: int, background: Background) -> str:
    if seat >= len(told.players):
        return texts.gettext("nobody")
    return f"{_name(texts, told.players[seat], background)} {words.score(told.scores[seat])}"


def _chips(texts: Texts, before: RiichiTelling, after: RiichiTelling) -> Iterator[str]:
    for seat, name in enumerate(seat_names(texts)):
        old, new = (words.signed(told.chips[seat]) if seat < len(told.chips) else "–" for told in (before, after))
        if old != new:
            yield _line(texts.gettext("Chips of {seat}", seat=name), old, new)


def _riichi(texts: Texts, before: RiichiTelling, after: RiichiTelling) -> Iterator[str]:
    if before.length != after.length:
        old, new = (words.length_name(texts, told.length) for told in (before, after))
        yield _line(texts.gettext("Length"), old, new)
    if before.lobby != after.lobby:
        automatic = texts.gettext("by the players' ranks")
        old, new = (
            automatic if told.lobby is None else words.lobby_name(texts, told.lobby) for told in (before, after)
        )
        yield _line(texts.gettext("Lobby"), old, new)
    if before.sticks != after.sticks:
        yield _line(texts.gettext("Riichi sticks left"), str(before.sticks), str(after.sticks))
    if before.ranked != after.ranked:
        old, new = (_yes_no(texts, told.ranked) for told in (before, after))
        yield _line(texts.gettext("Ranked"), old, new)
    yield from _chips(texts, before, after)


def _american(
    texts: Texts, before: AmericanTelling, after: AmericanTelling, background: Background
) -> Iterator[str]:
    for what, old, new in (
        (texts.gettext("At the table"), _table(texts, before, background), _table(texts, after, background)),
        (texts.gettext("Winner"), _winner(texts, before, background), _winner(texts, after, background)),
        (texts.gettext("Line"), _card_line(texts, before, background), _card_line(texts, after, background)),
        (texts.gettext("Won"), _won(texts, before, background), _won(texts, after, background)),
        (texts.gettext("Jokers"), _jokers(texts, before), _jokers(texts, after)),
        (texts.gettext("Concealed"), _concealed(texts, before), _concealed(texts, after)),
    ):
        if old != new:
            yield _line(what, old, new)


def _table(texts: Texts, told: AmericanTelling, background: Background) -> str:
    return ", ".join(_name(texts, player, background) for player in told.players)


def _winner(texts: Texts, told: AmericanTelling, background: Background) -> str:
    return texts.gettext("nobody") if told.winner is None else _name(texts, told.winner, background)


def _card_line(texts: Texts, told: AmericanTelling, background: Background) -> str:
    line = None if told.line_id is None else background.lines.get(told.line_id)
    return "–" if line is None else safe_text(plain_name(texts, american.line_name(texts, line), 80))


def _won(texts: Texts, told: AmericanTelling, background: Background) -> str:
    if told.winner is None:
        return "–"
    if told.won_by is WonBy.SELF_PICK:
        return texts.gettext("self-picked")
    if told.discarder is None:
        return texts.gettext("on a discard, whose is not recorded")
    return texts.gettext("on a discard of {name}", name=_name(texts, told.discarder, background))


def _jokers(texts: Texts, told: AmericanTelling) -> str:
    return "–" if told.winner is None else _yes_no(texts, told.used_jokers)


def _concealed(texts: Texts, told: AmericanTelling) -> str:
    return "–" if told.winner is None else _yes_no(texts, bool(told.concealed))


def _yes_no(texts: Texts, value: bool) -> str:
    return texts.gettext("yes") if value else texts.gettext("no")


def _name(texts: Texts, player: int, background: Background) -> str:
    return safe_name(texts, background.names[player], NAME)
