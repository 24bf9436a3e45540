"""The commands of /tournament that correct what was entered. Whatever they do is kept, and can be taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.answers import answer, answering
from bot.client import Tenbou
from bot.people import Problem, home, person
from bot.render import tournament_deeds as drawing
from bot.render.names import safe_name
from bot.render.tournament_facts import differences, line_text, players_in
from bot.texts import texts_for
from bot.tournament_options import (
    FACTS,
    Hanchan,
    Participants,
    PlayerOption,
    Share,
    Text,
    TournamentOption,
    entrant,
    facts,
    read_score,
    the_player,
    the_tournament,
)
from ratings.models import Refusal, Refused
from ratings.queries.people import names
from ratings.tournaments import ledger
from ratings.tournaments.aftermath import Aftermath, aftermath, carry_out
from ratings.tournaments.entrants import record_of
from ratings.tournaments.readers import ChangeRecord
from ratings.tournaments.records import Line, Telling

__all__ = ["Corrections", "Tournament"]

T = TypeVar("T")

Place = app_commands.Range[int, 1, 9_999]
Games = app_commands.Range[int, 0, 999]
Score = app_commands.Range[str, 1, 40]
Reason = app_commands.Range[str, 1, ledger.REASON_LENGTH]
Tournament = app_commands.Transform[str, TournamentOption()]
Standing = app_commands.Transform[str, TournamentOption(removed=False)]
Removed = app_commands.Transform[str, TournamentOption(removed=True)]
Player = app_commands.Transform[str, PlayerOption()]
UNKNOWN = [
    app_commands.Choice(name=locale_str("the first day"), value="first_day"),
    app_commands.Choice(name=locale_str("the number of hanchan"), value="hanchan"),
    app_commands.Choice(name=locale_str("the share of open seats"), value="open_share"),
    app_commands.Choice(name=locale_str("the stages, of which there were none"), value="stages"),
]


class Corrections(commands.Cog):
    """Results one by one, facts, removal, and taking back."""

    bot: Tenbou

    @app_commands.command(description=locale_str("Enter or correct one player's result (admins)"))
    @app_commands.describe(
        tournament=locale_str("Which tournament"),
        player=locale_str("Whose result: a name, an alias or a mention"),
        place=locale_str("The place; players who share one all get the first of theirs"),
        score=locale_str("The score, in the tournament's own unit"),
        games=locale_str("How many games the player played"),
        replacement=locale_str("Whether this is a replacement player, who takes a place and is not rated"),
        new_player=locale_str("Make a record for the player, who is not known yet"),
    )
    async def result(
        self,
        interaction: discord.Interaction[Tenbou],
        tournament: Standing,
        player: Player,
        place: Place,
        score: Score | None = None,
        games: Games | None = None,
        replacement: bool | None = None,
        new_player: bool = False,
    ) -> None:
        """Give a player a place, for an admin; what is left out stays as it was."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        guild_id, by, moment = member.guild.id, person(member), int(time.time())
        told: dict[str, Any] = {"place": place, "games": games, "replacement": replacement}
        told["score"] = None if score is None else str(read_score(texts, score))
        told = {name: value for name, value in told.items() if value is not None}

        async def whole() -> tuple[int, tuple[str, Line | None, Line], Aftermath]:
            number = await the_tournament(self.bot.store, texts, guild_id, tournament)
            who = await entrant(self.bot.store, texts, member.guild, player, new_player)

            def work(connection: sa.Connection) -> tuple[str, Line | None, Line]:
                player_id = record_of(connection, guild_id, number, who)
                old, new = ledger.put_result(
                    connection, guild_id, number, player_id, told, by, moment, interaction_id=interaction.id
                )
                return names(connection, guild_id, [player_id]).get(player_id, ""), old, new

            return number, *await self._carry_out(guild_id, work, number)

        number, (name, old, new), now = await self._answering(interaction, whole())
        if old is None:
            title = texts.gettext("Tournament #{number}: a result is entered", number=number)
            step = line_text(texts, new)
        else:
            title = texts.gettext("Tournament #{number}: a result is corrected", number=number)
            step = f"{line_text(texts, old)} → {line_text(texts, new)}"
        await self._tell(interaction, title, [f"{safe_name(texts, name)}: {step}"], now)

    @app_commands.command(description=locale_str("Take one player's result out (admins)"))
    @app_commands.describe(tournament=locale_str("Which tournament"), player=locale_str("Whose result"))
    async def unresult(
        self, interaction: discord.Interaction[Tenbou], tournament: Standing, player: Player
    ) -> None:
        """Let a player have no result in a tournament, for an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        guild_id, by, moment = member.guild.id, person(member), int(time.time())
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)
        entry = await the_player(self.bot.store, texts, guild_id, player)

        def work(connection: sa.Connection) -> Line:
            return ledger.take_result_out(connection, guild_id, number, entry.id, by, moment)

        line, now = await self._change(interaction, work, number)
        title = texts.gettext("Tournament #{number}: a result is taken out", number=number)
        told = f"{safe_name(texts, entry.name)}: {line_text(texts, line)} → {line_text(texts, None)}"
        await self._tell(interaction, title, [told], now)

    @app_commands.command(description=locale_str("Correct what is told of a tournament (admins)"))
    @app_commands.describe(
        tournament=locale_str("Which tournament"),
        unknown=locale_str("A fact that is not known after all"),
        reason=locale_str("Why, for the archive"),
        **FACTS,
    )
    @app_commands.choices(unknown=UNKNOWN)
    async def edit(
        self,
        interaction: discord.Interaction[Tenbou],
        tournament: Standing,
        name: Text | None = None,
        last_day: Text | None = None,
        first_day: Text | None = None,
        hanchan: Hanchan | None = None,
        country: Text | None = None,
        online: bool | None = None,
        accredited: bool | None = None,
        open_share: Share | None = None,
        ema: bool | None = None,
        stages: Text | None = None,
        participants: Participants | None = None,
        unknown: str | None = None,
        reason: Reason | None = None,
    ) -> None:
        """Change the facts that were named, for an admin, and show how they were."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        guild_id, by, moment = member.guild.id, person(member), int(time.time())
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)
        wishes = await self._facts(
            interaction,
            name=name,
            last_day=last_day,
            first_day=first_day,
            hanchan=hanchan,
            country=country,
            online=online,
            accredited=accredited,
            open_share=open_share,
            ema=ema,
            stages=stages,
            participants=participants,
        )
        if unknown is not None:
            wishes.setdefault(unknown, () if unknown == "stages" else None)
        if not wishes:
            raise Problem(texts.gettext("Say what to correct, each fact in its option. Nothing has changed."))

        def work(connection: sa.Connection) -> tuple[Telling, Telling]:
            return ledger.edit_details(connection, guild_id, number, wishes, by, moment, reason)

        (before, after), now = await self._change(interaction, work, number)
        title = texts.gettext("Tournament #{number} is corrected", number=number)
        await self._tell(interaction, title, differences(texts, before, after, {}), now, reason)

    @app_commands.command(description=locale_str("Let a tournament count nowhere (admins)"))
    @app_commands.describe(tournament=locale_str("Which tournament"), reason=locale_str("Why, for the archive"))
    async def remove(
        self, interaction: discord.Interaction[Tenbou], tournament: Standing, reason: Reason | None = None
    ) -> None:
        """Remove a tournament, for an admin; it is kept, and can come back."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        guild_id, by, moment = member.guild.id, person(member), int(time.time())
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)

        def work(connection: sa.Connection) -> Telling:
            return ledger.remove(connection, guild_id, number, by, moment, reason)

        _, now = await self._change(interaction, work, number)
        title = texts.gettext("Tournament #{number} is removed", number=number)
        told = texts.gettext("It counts nowhere from now on. /tournament restore brings it back.")
        await self._tell(interaction, title, [told], now, reason)

    @app_commands.command(description=locale_str("Let a removed tournament count again (admins)"))
    @app_commands.describe(tournament=locale_str("Which tournament"))
    async def restore(self, interaction: discord.Interaction[Tenbou], tournament: Removed) -> None:
        """Bring a removed tournament back, for an admin."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        guild_id, by, moment = member.guild.id, person(member), int(time.time())
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)

        def work(connection: sa.Connection) -> Telling:
            return ledger.restore(connection, guild_id, number, by, moment)

        _, now = await self._change(interaction, work, number)
        title = texts.gettext("Tournament #{number} counts again", number=number)
        await self._tell(interaction, title, [], now)

    @app_commands.command(description=locale_str("Take back the newest change of a tournament (admins)"))
    @app_commands.describe(tournament=locale_str("Which tournament"))
    async def undo(self, interaction: discord.Interaction[Tenbou], tournament: Tournament) -> None:
        """Take one change back, for an admin; another undo takes back the one before."""
        texts = texts_for(interaction.locale)
        member = await self.bot.require_admin(interaction)
        guild_id, by, moment = member.guild.id, person(member), int(time.time())
        number = await the_tournament(self.bot.store, texts, guild_id, tournament)

        def work(connection: sa.Connection) -> tuple[ChangeRecord, dict[int, str]]:
            change = ledger.undo(connection, guild_id, number, by, moment, interaction_id=interaction.id)
            return change, names(connection, guild_id, players_in(change.before, change.after))

        (change, known), now = await self._change(interaction, work, number)
        title = texts.gettext("Tournament #{number}: the newest change is taken back", number=number)
        told = [] if change.before is None else differences(texts, change.after, change.before, known)
        await self._tell(interaction, title, told, now)

    async def _facts(self, interaction: discord.Interaction[Tenbou], **typed: Any) -> dict[str, Any]:
        settings = await self.bot.settings(home(interaction))
        return facts(texts_for(interaction.locale), settings, datetime.now(UTC), **typed)

    async def _change(
        self, interaction: discord.Interaction[Tenbou], work: Callable[[sa.Connection], T], number: int
    ) -> tuple[T, Aftermath]:
        """Do the work on a tournament; its answer, and how things stand after it."""
        return await self._answering(interaction, self._carry_out(home(interaction), work, number))

    async def _carry_out(
        self, guild_id: int, work: Callable[[sa.Connection], T], number: int
    ) -> tuple[T, Aftermath]:
        result, between = await self.bot.store.rewrite(carry_out, guild_id, int(time.time()), work)
        return result, await self._aftermath(guild_id, number, between)

    async def _answering(self, interaction: discord.Interaction[Tenbou], work: Coroutine[Any, Any, T]) -> T:
        try:
            return await answering(interaction, work)
        except Refused as refused:
            if refused.refusal is not Refusal.NOTHING_TO_AMEND:
                raise
            texts = texts_for(interaction.locale)
            raise Problem(texts.gettext("It is so already; nothing has changed.")) from None

    async def _aftermath(self, guild_id: int, number: int, between: tuple[int, int]) -> Aftermath:
        settings = await self.bot.settings(guild_id)
        today = datetime.now(settings.zone).date()
        return await self.bot.store.study(aftermath, guild_id, number, between, today)

    async def _tell(
        self,
        interaction: discord.Interaction[Tenbou],
        title: str,
        told: Sequence[str],
        now: Aftermath,
        reason: str | None = None,
    ) -> None:
        texts = texts_for(interaction.locale)
        await answer(interaction, embed=drawing.changed(texts, title, told, now, reason))
