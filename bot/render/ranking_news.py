"""Who moved in the rankings, and why: the list for whoever asks, and the post of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.render.names import safe_name
from bot.render.rankings import COLOUR, coefficient_text, extent, tournament_name
from bot.render.tournament_facts import ranking_name
from bot.texts import Texts
from ratings.systems.russian import Cause, Change, Event, Share
from ratings.tournaments.days import RankingNews
from ratings.tournaments.homes import Home
from ratings.tournaments.rankings import ChangesView

__all__ = ["changes", "news"]

NAME_COLUMNS = 32
# How many movers the post of the day names for each ranking, and how many reasons a line has room for.
MOVERS, REASONS_IN_NEWS = 5, 2
# Players and characters of a page; how many reasons a player has there at most.
LINES, ROOM, REASONS = 10, 4000, 6
# Characters of a field, and of the line in it that names the newcomers; how many of them it names.
FIELD, LINE, NEWCOMERS = 1024, 240, 10


@dataclass(frozen=True, slots=True)
class _Teller:
    """Says what moved in one ranking; `reasons` is how many of them a player's line may have."""

    texts: Texts
    view: ChangesView
    reasons: int

    def change(self, change: Change) -> str:
        """A player's step, and under it what caused it."""
        own = [cause for cause in change.causes if not cause.maximal]
        common = [cause for cause in change.causes if cause.maximal]
        home = self.view.homes.players.get(change.player_id)
        told = self._cut([*(() if home is None else [self._home(home)]), *map(self._own, own)])
        mentioned = {_what(cause) for cause in own[: self.reasons]}
        if self._are_one(home, own, common):
            told.append(self.texts.gettext("and with it the maximal coefficients"))
        elif common:
            causes = [
                self._number(cause) if _what(cause) in mentioned else self._common(cause) for cause in common
            ]
            listed = ", ".join(self._cut(causes))
            told.append(self.texts.gettext("the maximal coefficients: {causes}", causes=listed))
        return f"{self._step(change)}\n-# {'; '.join(told)}" if told else self._step(change)

    def _are_one(self, home: Home | None, own: Sequence[Cause], common: Sequence[Cause]) -> bool:
        """Whether the one thing that happened to a player also moved the maximal coefficients."""
        if home is None:
            return len(own) == 1 and [_what(cause) for cause in common] == [_what(own[0])]
        return bool(common) and not own and all(self._because(cause) == home for cause in common)

    def _because(self, cause: Cause) -> Home | None:
        """The player whose country was corrected, if a tournament counts or counts no more because of that."""
        if cause.event not in (Event.COUNTS, Event.STOPPED):
            return None
        return self.view.homes.tournaments.get(cause.tournament_id)

    def _cut(self, told: list[str]) -> list[str]:
        left = len(told) - self.reasons
        if left <= 0:
            return told
        return [*told[: self.reasons], self.texts.ngettext("{number} more", "{number} more", left)]

    def _step(self, change: Change) -> str:
        texts, old, new = self.texts, change.before, change.after
        name = f"**{safe_name(texts, self.view.names.get(change.player_id, ''), NAME_COLUMNS)}**"
        if old is None and new is not None:
            told = texts.gettext(
                "joins at place {place} with {rating}", place=new.place, rating=_number(new.rating)
            )
            return f"🆕 {name} {told}"
        if new is None and old is not None:
            told = texts.gettext(
                "leaves the table (place {place}, {rating} before)", place=old.place, rating=_number(old.rating)
            )
            return f"⏏️ {name} {told}"
        assert old is not None and new is not None  # noqa: S101, PT018 - one of them there always is
        arrow = "⬆️" if new.rating > old.rating else "⬇️"
        place = f"{old.place} → {new.place}" if old.place != new.place else str(new.place)
        told = texts.gettext(
            "{before} → **{after}** ({change}), place {place}",
            before=_number(old.rating),
            after=_number(new.rating),
            change=_signed(new.rating - old.rating),
            place=place,
        )
        return f"{arrow} {name} {told}"

    def _home(self, home: Home) -> str:
        """The correction of a player's country."""
        return self.texts.gettext(
            "a correction: {player}'s country {before} → {after} by {admin}", **self._of(home)
        )

    def _turned(self, cause: Cause, home: Home) -> str:
        """What the correction of a player's country did to a tournament."""
        name = self._name(cause)
        if cause.event is Event.COUNTS:
            return self.texts.gettext(
                "{name} counts after a correction: {player}'s country {before} → {after} by {admin}",
                name=name,
                **self._of(home),
            )
        return self.texts.gettext(
            "{name} does not count after a correction: {player}'s country {before} → {after} by {admin}",
            name=name,
            **self._of(home),
        )

    def _of(self, home: Home) -> dict[str, str]:
        unknown = self.texts.gettext("unknown")
        return {
            "player": safe_name(self.texts, home.name, NAME_COLUMNS),
            "before": home.before or unknown,
            "after": home.after or unknown,
            "admin": safe_name(self.texts, home.by, NAME_COLUMNS),
        }

    def _own(self, cause: Cause) -> str:
        """What happened to a result of the player's own."""
        texts, name = self.texts, self._name(cause)
        before, after = cause.before, cause.after
        if (home := self._because(cause)) is not None:
            return self._turned(cause, home)
        if after is None:
            if cause.event is Event.CORRECTED:
                return texts.gettext("a correction took the result in {name} out", name=name)
            return self._gone(cause.event, name)
        place = f"{after.place}/{after.participants}"
        if before is None:
            if cause.event is Event.COUNTS:
                return texts.gettext("{name} counts after a correction, place {place}", name=name, place=place)
            return texts.gettext("{name} entered, place {place}", name=name, place=place)
        if cause.event is Event.AGED:
            return self._aged(name, before, after)
        if before.place != after.place:
            return texts.gettext(
                "a correction of {name}: place {before} → {after}",
                name=name,
                before=before.place,
                after=after.place,
            )
        return self._corrected(name, before, after)

    def _common(self, cause: Cause) -> str:
        """What happened to a tournament among the maximal coefficients."""
        texts, name = self.texts, self._name(cause)
        before, after = cause.before, cause.after
        if (home := self._because(cause)) is not None:
            return self._turned(cause, home)
        if after is None:
            return self._gone(cause.event, name)
        if before is None:
            if cause.event is Event.COUNTS:
                return texts.gettext("{name} counts after a correction", name=name)
            return texts.gettext("{name} entered", name=name)
        if cause.event is Event.AGED:
            return self._aged(name, before, after)
        return self._corrected(name, before, after)

    def _gone(self, event: Event, name: str) -> str:
        if event is Event.LEFT:
            return self.texts.gettext("{name} left the window of two years", name=name)
        return self.texts.gettext("{name} does not count after a correction", name=name)

    def _aged(self, name: str, before: Share, after: Share) -> str:
        return self.texts.gettext(
            "{name} aged from {before}/7 to {after}/7", name=name, before=before.sevenths, after=after.sevenths
        )

    def _corrected(self, name: str, before: Share, after: Share) -> str:
        texts = self.texts
        if before.participants != after.participants:
            return texts.gettext(
                "a correction of {name}: {before} → {after} participants",
                name=name,
                before=before.participants,
                after=after.participants,
            )
        if before.weight != after.weight:
            return texts.gettext(
                "a correction of {name}: W {before} → {after}",
                name=name,
                before=coefficient_text(before.weight),
                after=coefficient_text(after.weight),
            )
        return texts.gettext("a correction of {name}", name=name)

    def _number(self, cause: Cause) -> str:
        return f"#{self.view.numbers.get(cause.tournament_id, 0)}"

    def _name(self, cause: Cause) -> str:
        return tournament_name(self.texts, self.view.tournaments[cause.tournament_id], self.view.numbers, 32)


def changes(texts: Texts, view: ChangesView, number: int) -> tuple[discord.Embed, int, int]:
    """Page `number` (from 0) of who moved in a ranking and why, which page that is, and how many there are."""
    pages = max(1, -(-len(view.changes) // LINES))
    number = min(number, pages - 1)
    title = texts.gettext(
        "{ranking} from {since} to {until}",
        ranking=ranking_name(texts, view.ranking),
        since=view.since,
        until=view.until,
    )
    embed = discord.Embed(title=title, colour=COLOUR)
    shown = view.changes[number * LINES : (number + 1) * LINES]
    embed.description = _page(texts, view, shown) or texts.gettext(
        "Nobody moved. Ratings move when a tournament enters, ages by a seventh or leaves, and by corrections. "
        "Both days are seen with the settings that the club has now."
    )
    parts = [texts.ngettext("{number} player moved", "{number} players moved", len(view.changes))]
    if pages > 1:
        parts.append(texts.gettext("page {page} of {pages}", page=number + 1, pages=pages))
    return embed.set_footer(text=" · ".join(parts)), number, pages


def _page(texts: Texts, view: ChangesView, shown: Sequence[Change]) -> str:
    """What is told of these players, each with as many of the reasons as a page has room for."""
    for reasons in range(REASONS, -1, -1):
        text = "\n".join(map(_Teller(texts, view, reasons).change, shown))
        if len(text) <= ROOM:
            break
    return text


def news(texts: Texts, told: RankingNews) -> discord.Embed:
    """The post of the day: who moved most in each of the rankings, and why."""
    embed = discord.Embed(title=texts.gettext("📊 The rankings on {day}", day=told.day), colour=COLOUR)
    hint = texts.gettext("/ranking changes lists everybody, /ranking explain shows a rating to the last result.")
    embed.description = texts.gettext("What moved since {since}:", since=told.since) + f"\n-# {hint}"
    for view in told.views:
        embed.add_field(name=ranking_name(texts, view.ranking), value=_told(texts, view), inline=False)
    # By it the post is found again.
    return embed.set_footer(text=f"rankings {told.day}")


def _told(texts: Texts, view: ChangesView) -> str:
    """Who moved most in a ranking and why, first those whose country was corrected; and in a line of their own the
    other newcomers."""
    corrected = view.homes.players
    movers = [change for change in view.changes if change.before is not None or change.player_id in corrected]
    names = [
        view.names.get(change.player_id, "")
        for change in view.changes
        if change.before is None and change.player_id not in corrected
    ]
    joined = [_newcomers(texts, names)] if names else []
    if not movers:
        return joined[0]
    teller = _Teller(texts, view, REASONS_IN_NEWS)
    first = sorted(movers, key=lambda change: (change.player_id in corrected, extent(change)), reverse=True)
    told = [teller.change(change) for change in first[:MOVERS]]
    room = FIELD - sum(len(line) + 1 for line in joined)
    return "\n".join([_fitting(texts, told, len(movers), room), *joined])


def _newcomers(texts: Texts, names: Sequence[str]) -> str:
    """The newcomers, as many as a line has room for."""
    shown = [f"**{safe_name(texts, name, NAME_COLUMNS)}**" for name in names[:NEWCOMERS]]
    for count in range(len(shown), 0, -1):
        listed, left = ", ".join(shown[:count]), len(names) - count
        text = texts.gettext("new in the table: {names}", names=listed)
        if left:
            text = texts.ngettext(
                "new in the table: {names} and {number} more",
                "new in the table: {names} and {number} more",
                left,
                names=listed,
            )
        if len(text) <= LINE:
            break
    return f"🆕 {text}"


def _fitting(texts: Texts, lines: Sequence[str], total: int, room: int) -> str:
    """As many lines as there is room for, and how many there are besides."""
    for count in range(len(lines), 0, -1):
        left = total - count
        more = [texts.ngettext("… and {number} more", "… and {number} more", left)] if left else []
        text = "\n".join([*lines[:count], *more])
        if len(text) <= room:
            return text
    return texts.ngettext("{number} player moved", "{number} players moved", total)


def _what(cause: Cause) -> tuple[Event, int]:
    return cause.event, cause.tournament_id


def _number(value: float) -> str:
    return f"{value:.2f}"


def _signed(value: float) -> str:
    digits = 2 if abs(value) >= 0.005 else 6
    return f"{value:+.{digits}f}".replace("-", "−")
