"""Corrections are shown before they are made: whoever asked sees what would move, and confirms or not.

What waits for a button lives in memory only. After a restart the button says so, and nothing has happened.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
import sqlalchemy as sa

from bot.answers import answer, answered, answering
from bot.key_button import KeyButton
from bot.people import Problem, person
from bot.render import corrections as drawing
from bot.render import refusals
from bot.texts import Texts, texts_for
from bot.waiting import WaitingRoom
from ratings import club, ledger
from ratings.models import Person, Refused
from ratings.queries import audit, people
from ratings.queries.audit import Background
from ratings.store import Store

__all__ = ["CancelButton", "ConfirmButton", "Confirmations", "Question"]

# How often a correction is worked out anew, and how often it is shown anew, before the club waits for it.
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Question:
    """A correction somebody has asked for: how it is worked out, and who may make it at this moment.

    `named` are the people it names. Whoever of them has no record yet gets one before it is worked out, and keeps
    it whatever comes of it, like those whose game is reported."""

    guild_id: int
    propose: Callable[[sa.Connection], ledger.Proposal]
    authorise: Callable[[discord.Interaction], Awaitable[object]]
    named: Sequence[Person] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that was shown (so often already), and marks of what was shown: of all of it, and of what it does
    to the game and to ranks. A plan may be large, so it is not kept but made anew."""

    question: Question
    shown: bytes
    gist: bytes
    times: int = 1


@dataclass(frozen=True, slots=True)
class Drawn:
    """A proposal, worked out and as it is shown."""

    proposal: ledger.Proposal
    background: Background
    embed: discord.Embed
    shown: bytes
    gist: bytes


class Confirmations:
    """The corrections that wait for a word of whoever asked for them."""

    def __init__(self, store: Store, made: Callable[[], None]) -> None:
        self._store = store
        self._made = made
        self._waiting = WaitingRoom[Waiting]()

    async def ask(self, interaction: discord.Interaction[Any], question: Question) -> None:
        """Show what a correction would move, with a button to make it. Raises Refused if it cannot be made."""
        drawn = await answering(interaction, self._work_out(texts_for(interaction.locale), question))
        view = self._buttons(interaction, Waiting(question, drawn.shown, drawn.gist))
        await answer(interaction, embed=drawn.embed, view=view)

    async def confirm(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Make the correction, if its question is still known and whoever confirms may."""
        texts = texts_for(interaction.locale)
        if (found := await self._waiting.find(key)) is not None:
            await found.question.authorise(interaction)
        with self._waiting.called(key) as waiting:
            if waiting is None:
                raise _unknown(texts)
            await interaction.response.defer()
            try:
                await self._make(interaction, waiting)
            except (Refused, Problem) as error:
                told = refusals.sentence(texts, error) if isinstance(error, Refused) else str(error)
                await interaction.edit_original_response(content=told, embed=None, view=None)

    async def cancel(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Drop a question; nothing happens."""
        texts = texts_for(interaction.locale)
        await self._waiting.find(key)
        with self._waiting.called(key) as waiting:
            if waiting is None:
                raise _unknown(texts)
            told = texts.gettext("Nothing was changed.")
            await interaction.response.edit_message(content=told, embed=None, view=None)

    async def _make(self, interaction: discord.Interaction[Any], waiting: Waiting) -> None:
        """Make the correction if it still is what was shown, or show what it would be now.

        In a club that never rests, the club waits for it in the end, and ranks alone must be as shown."""
        texts, question, by = texts_for(interaction.locale), waiting.question, person(interaction.user)
        for _ in range(0 if waiting.times > ATTEMPTS else ATTEMPTS):
            drawn = await self._work_out(texts, question)
            if drawn.shown != waiting.shown:
                await self._ask_again(interaction, waiting, drawn)
                return
            try:
                made = await self._store.rewrite(_carry_out, question, drawn, by)
            except ledger.Stale:
                continue
            await self._tell(interaction, drawn, *made)
            return
        drawn, done = await self._store.rewrite(_at_once, texts, waiting, by)
        if done is None:
            await self._ask_again(interaction, waiting, drawn)
        else:
            await self._tell(interaction, drawn, *done)

    async def _work_out(self, texts: Texts, question: Question) -> Drawn:
        """What a correction would be."""
        if question.named:
            await self._acquaint(question.guild_id, question.named)
        return await self._store.study(_draw, texts, question)

    async def _acquaint(self, guild_id: int, named: Sequence[Person]) -> None:
        """Give records to those who have none yet."""
        accounts = [someone.discord_id for someone in named]
        known = await self._store.read(people.records_by_account, guild_id, accounts)
        if strangers := [someone for someone in named if someone.discord_id not in known]:
            await self._store.write(_make_records, guild_id, strangers)

    async def _tell(
        self,
        interaction: discord.Interaction[Any],
        drawn: Drawn,
        correction: ledger.Correction,
        background: Background,
    ) -> None:
        self._made()
        embed = drawing.done(texts_for(interaction.locale), drawn.proposal, correction, background)
        await interaction.edit_original_response(content=None, embed=embed, view=None)

    async def _ask_again(self, interaction: discord.Interaction[Any], waiting: Waiting, drawn: Drawn) -> None:
        texts = texts_for(interaction.locale)
        told = texts.gettext(
            "Meanwhile something else was decided or corrected, and nothing was changed yet. This is how it would "
            "be now:"
        )
        again = replace(waiting, shown=drawn.shown, gist=drawn.gist, times=waiting.times + 1)
        view = self._buttons(interaction, again)
        await interaction.edit_original_response(content=told, embed=drawn.embed, view=view)

    def _buttons(self, interaction: discord.Interaction[Any], waiting: Waiting) -> discord.ui.View:
        key = self._waiting.admit(waiting)
        texts = texts_for(interaction.locale)
        view = discord.ui.View(timeout=None)
        view.add_item(ConfirmButton(key, texts.gettext("Do it")))
        view.add_item(CancelButton(key, texts.gettext("Leave it")))
        return view


def _unknown(texts: Texts) -> Problem:
    return Problem(
        texts.gettext(
            "I no longer know what this was about: it was done, dropped, or I was restarted. "
            "/game show tells how a game stands; give the command again if you still want it."
        )
    )


def _draw(connection: sa.Connection, texts: Texts, question: Question) -> Drawn:
    """Work out what a correction would be, and how it is shown."""
    proposal = question.propose(connection)
    background = _background(connection, question.guild_id, proposal)
    embed = drawing.preview(texts, proposal, background)
    return Drawn(proposal, background, embed, *_marks(texts, proposal, background))


def _marks(texts: Texts, proposal: ledger.Proposal, background: Background) -> tuple[bytes, bytes]:
    """Marks of all that a correction does, and of what it does to the game and to ranks. How people are called and
    where cards hang is no matter."""
    game, twin = proposal.game, proposal.twin
    facts = (
        proposal.kind,
        None if game is None else (game.state, game.facts, game.played_at),
        (proposal.before, proposal.after, proposal.facts),
        (proposal.player_id, proposal.into_id, proposal.family),
        (proposal.penalties_added, proposal.penalties_removed),
    )
    also = (
        proposal.reason,
        proposal.tournaments,
        None if twin is None else twin.number,
        drawing.nameless(texts, proposal, background),
    )
    ranks = sorted(
        (move.system, move.player_id, move.before and move.before.rank, move.after and move.after.rank)
        for move in proposal.plan.moves
        if move.changes_rank
    )
    return _mark(facts, also), _mark(facts, ranks)


def _mark(*told: object) -> bytes:
    """A short mark of values, equal for equal ones."""
    return hashlib.sha256(repr(told).encode()).digest()


def _make_records(connection: sa.Connection, guild_id: int, strangers: Sequence[Person]) -> None:
    club.lock(connection, guild_id, int(time.time()))
    club.player_ids(connection, guild_id, strangers)


def _carry_out(
    connection: sa.Connection, question: Question, drawn: Drawn, by: Person
) -> tuple[ledger.Correction, Background]:
    correction = ledger.carry_out(connection, question.guild_id, drawn.proposal, by, int(time.time()))
    return correction, _background(connection, question.guild_id, drawn.proposal)


def _at_once(
    connection: sa.Connection, texts: Texts, waiting: Waiting, by: Person
) -> tuple[Drawn, tuple[ledger.Correction, Background] | None]:
    """Work a correction out and make it while the club waits; None, and nothing is done, if it would do something
    else to the game or to ranks than was shown."""
    club.hold(connection, waiting.question.guild_id)
    drawn = _draw(connection, texts, waiting.question)
    if drawn.gist != waiting.gist:
        return drawn, None
    return drawn, _carry_out(connection, waiting.question, drawn, by)


def _background(connection: sa.Connection, guild_id: int, proposal: ledger.Proposal) -> Background:
    """What is needed to draw a proposal: its game under the settings under which it counts, counted or would."""
    told, game = (proposal.before, proposal.after), proposal.game
    approval = proposal.approval or (None if game is None else game.approval)
    version = None if approval is None else approval.settings_version
    return audit.background(connection, guild_id, proposal.people, told, version)


class ConfirmButton(KeyButton, template=r"confirm:(?P<key>[\w-]{8,40})"):
    """Makes the correction that was shown."""

    prefix = "confirm"
    style = discord.ButtonStyle.danger

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Confirm."""
        confirmations: Confirmations = interaction.client.confirmations
        await confirmations.confirm(interaction, self.key)


class CancelButton(KeyButton, template=r"cancel:(?P<key>[\w-]{8,40})"):
    """Leaves everything as it is."""

    prefix = "cancel"

    @answered
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Cancel."""
        confirmations: Confirmations = interaction.client.confirmations
        await confirmations.cancel(interaction, self.key)
