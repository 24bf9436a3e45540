"""/report: a member writes down a finished game."""

from __future__ import annotations

from datetime import UTC, datetime

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot import permissions
from bot.answers import answer, answering
from bot.client import Tenbou
from bot.people import Problem, home, person
from bot.render import receipt, refusals
from bot.texts import texts_for
from ratings import ledger
from ratings.models import Length, Lobby, Report
from ratings.reading import Unreadable, UnreadableMoment, read_moment, read_scores
from ratings.systems.riichi import STICK

LENGTHS = [app_commands.Choice(name=length.value, value=length.value) for length in Length]
LOBBIES = [
    app_commands.Choice(name=f"{lobby.value} {kanji}", value=lobby.value)
    for lobby, kanji in zip(Lobby, ("一般", "上級", "特上", "鳳凰"), strict=True)
]
Score = app_commands.Range[str, 1, 40]


@app_commands.guild_only()
class ReportCog(commands.GroupCog, group_name="report", group_description=locale_str("Report a finished game")):
    """Reports of each kind of game."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot

    @app_commands.command(description=locale_str("Report a riichi game; without North it is a three-player game"))
    @app_commands.describe(
        east=locale_str("Who sat East at the start (the first dealer)"),
        east_score=locale_str("Final score of East: 25000, 25,000, 25.0k …"),
        south=locale_str("Who sat South at the start"),
        south_score=locale_str("Final score of South"),
        west=locale_str("Who sat West at the start"),
        west_score=locale_str("Final score of West"),
        north=locale_str("Who sat North at the start; leave out for three players"),
        north_score=locale_str("Final score of North"),
        length=locale_str("Hanchan (East-South) or tonpuu (East only); the club's usual game if left out"),
        lobby=locale_str("The Tenhou lobby the game counts as; chosen by the players' ranks if left out"),
        sticks=locale_str("Riichi sticks left on the table at the end"),
        ranked=locale_str("Whether ranks and ratings move; yes if left out"),
        played=locale_str("When: 21:30, yesterday 21:30, 2026-11-29 21:30; now if left out"),
    )
    @app_commands.choices(length=LENGTHS, lobby=LOBBIES)
    async def riichi(
        self,
        interaction: discord.Interaction[Tenbou],
        east: discord.Member,
        east_score: Score,
        south: discord.Member,
        south_score: Score,
        west: discord.Member,
        west_score: Score,
        north: discord.Member | None = None,
        north_score: Score | None = None,
        length: str | None = None,
        lobby: str | None = None,
        sticks: app_commands.Range[int, 0, 20] = 0,
        ranked: bool = True,
        played: app_commands.Range[str, 1, 40] | None = None,
    ) -> None:
        """Read what was typed, write it down, and show the reporter what was understood."""
        texts, guild_id, now = texts_for(interaction.locale), home(interaction), datetime.now(UTC)
        settings = await self.bot.settings(guild_id)
        if (north is None) != (north_score is None):
            raise Problem(refusals.lonely_seat(texts, has_player=north is not None))
        members = [member for member in (east, south, west, north) if member is not None]
        written = [score for score in (east_score, south_score, west_score, north_score) if score is not None]
        try:
            expected = settings.start_score(len(members)) * len(members) - sticks * STICK
            scores = read_scores(written, expected)
            played_at = read_moment(played, settings.zone, now) if played else now
        except Unreadable as error:
            raise Problem(refusals.bad_score(texts, error, receipt.seat_names(texts))) from None
        except UnreadableMoment as error:
            raise Problem(refusals.bad_moment(texts, error, settings.time_zone)) from None
        told = Report(
            reporter=person(interaction.user),
            players=tuple(person(member) for member in members),
            scores=scores,
            length=Length(length) if length else settings.usual_length,
            lobby=Lobby(lobby) if lobby else None,
            sticks=sticks,
            ranked=ranked,
            played_at=int(played_at.timestamp()),
            channel_id=interaction.channel_id or 0,
            interaction_id=interaction.id,
        )
        worker = self.bot.worker
        writing = self.bot.store.write(ledger.submit, guild_id, told, int(now.timestamp()), worker.lease)
        submission = await answering(interaction, writing)
        worker.hand_over(submission.letters, submission.matter)
        guild, settings = interaction.guild, submission.matter.settings
        wanted = settings.approvals_channel or told.channel_id
        reachable = guild is not None and permissions.can_post(guild, wanted)
        await answer(interaction, embed=receipt.receipt(texts, submission, reachable))


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(ReportCog(bot))
