"""/report: a member writes down a finished game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot import permissions
from bot import report_options as options
from bot.answers import answer, answering
from bot.client import Tenbou
from bot.people import Problem, home, person
from bot.render import receipt, refusals
from bot.report_options import LENGTHS, LOBBIES, WON, Chips, Moment, Score
from bot.texts import Texts, texts_for
from ratings import ledger
from ratings.models import AmericanReport, Length, Lobby, Report, WonBy
from ratings.reading import Unreadable, read_scores
from ratings.settings import ClubSettings
from ratings.systems.riichi import STICK

NO_WIN = {
    "winner": None,
    "line_id": None,
    "won_by": WonBy.UNRECORDED,
    "discarder": None,
    "used_jokers": False,
    "concealed": None,
}
R = TypeVar("R", Report, AmericanReport)


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
        east_chips=locale_str("Chips (shuugi) that East won, or lost with a minus; if the club plays for them"),
        south_chips=locale_str("Chips that South won or lost"),
        west_chips=locale_str("Chips that West won or lost"),
        north_chips=locale_str("Chips that North won or lost"),
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
        played: Moment | None = None,
        east_chips: Chips | None = None,
        south_chips: Chips | None = None,
        west_chips: Chips | None = None,
        north_chips: Chips | None = None,
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
        except Unreadable as error:
            raise Problem(refusals.bad_score(texts, error, receipt.seat_names(texts))) from None
        told = Report(
            reporter=person(interaction.user),
            players=tuple(person(member) for member in members),
            scores=scores,
            length=Length(length) if length else settings.usual_length,
            lobby=Lobby(lobby) if lobby else None,
            sticks=sticks,
            ranked=ranked,
            played_at=options.moment(texts, settings, played, now),
            channel_id=interaction.channel_id or 0,
            interaction_id=interaction.id,
            chips=_chips(texts, settings, len(members), (east_chips, south_chips, west_chips, north_chips)),
        )
        await self._submit(interaction, ledger.submit, told, now)

    @app_commands.command(
        description=locale_str("Report a game by its log: Tenhou's mjlog or JSON, or a Mahjong Soul export")
    )
    @app_commands.describe(
        file=locale_str("The log: mjlog, plain or gzip, or the JSON of tenhou.net/6"),
        link=locale_str("The log's link on Tenhou, for what the file does not say: the time, the lobby"),
        ranked=locale_str("No: statistics only, whatever the log says"),
    )
    async def log(
        self,
        interaction: discord.Interaction[Tenbou],
        file: discord.Attachment,
        link: app_commands.Range[str, 1, 500] | None = None,
        ranked: bool = True,
    ) -> None:
        """Read a log and report its game; whoever is not known by name in it is asked for."""
        await self.bot.log_reports.take(interaction, file, link, ranked)

    @app_commands.command(description=locale_str("Report a won hand of American mahjong"))
    @app_commands.describe(
        winner=locale_str("Who won"),
        line=locale_str("The line of the card: type any part of section, line or points"),
        won=locale_str("On a discard, self-picked, or on a discard that nobody recorded"),
        jokers=locale_str("Whether the winning hand used jokers"),
        loser=locale_str("Another player at the table"),
        second_loser=locale_str("Another player at the table"),
        third_loser=locale_str("Another player at the table"),
        discarder=locale_str("Who discarded the winning tile"),
        concealed=locale_str("Whether the hand was declared concealed; no if left out"),
        played=locale_str("When: 21:30, yesterday 21:30, 2026-11-29 21:30; now if left out"),
    )
    @app_commands.choices(won=WON)
    async def american(
        self,
        interaction: discord.Interaction[Tenbou],
        winner: discord.Member,
        line: app_commands.Range[str, 1, 100],
        won: str,
        jokers: bool,
        loser: discord.Member,
        second_loser: discord.Member | None = None,
        third_loser: discord.Member | None = None,
        discarder: discord.Member | None = None,
        concealed: bool | None = None,
        played: Moment | None = None,
    ) -> None:
        """Write a won hand down."""
        table = [member for member in (winner, loser, second_loser, third_loser) if member is not None]
        years = await self._card_years(interaction)
        win = {
            "winner": person(winner),
            "line_id": await options.find_line(self.bot.store, home(interaction), years, line),
            "won_by": WonBy(won),
            "discarder": None if discarder is None else person(discarder),
            "used_jokers": jokers,
            "concealed": concealed,
        }
        await self._report_hand(interaction, table, win, played)

    @app_commands.command(description=locale_str("Report a wall game of American mahjong: nobody won"))
    @app_commands.describe(
        first=locale_str("A player at the table"),
        second=locale_str("Another player at the table"),
        third=locale_str("Another player at the table"),
        fourth=locale_str("Another player at the table"),
        played=locale_str("When: 21:30, yesterday 21:30, 2026-11-29 21:30; now if left out"),
    )
    async def wall(
        self,
        interaction: discord.Interaction[Tenbou],
        first: discord.Member,
        second: discord.Member,
        third: discord.Member | None = None,
        fourth: discord.Member | None = None,
        played: Moment | None = None,
    ) -> None:
        """Write a wall game down."""
        table = [member for member in (first, second, third, fourth) if member is not None]
        await self._report_hand(interaction, table, NO_WIN, played)

    @american.autocomplete("line")
    async def _lines_like(
        self, interaction: discord.Interaction[Tenbou], current: str
    ) -> list[app_commands.Choice[str]]:
        texts, years = texts_for(interaction.locale), await self._card_years(interaction)
        return await options.line_choices(self.bot.store, texts, home(interaction), years, current)

    async def _card_years(self, interaction: discord.Interaction[Tenbou]) -> list[int]:
        settings = await self.bot.settings(home(interaction))
        return options.line_years(settings, options.typed_moment(interaction, settings))

    async def _report_hand(
        self,
        interaction: discord.Interaction[Tenbou],
        table: list[discord.Member],
        win: dict[str, Any],
        played: str | None,
    ) -> None:
        texts, guild_id, now = texts_for(interaction.locale), home(interaction), datetime.now(UTC)
        settings = await self.bot.settings(guild_id)
        told = AmericanReport(
            reporter=person(interaction.user),
            players=tuple(person(member) for member in table),
            played_at=options.moment(texts, settings, played, now),
            channel_id=interaction.channel_id or 0,
            interaction_id=interaction.id,
            **win,
        )
        await self._submit(interaction, ledger.submit_american, told, now)

    async def _submit(
        self,
        interaction: discord.Interaction[Tenbou],
        submit: Callable[[sa.Connection, int, R, int, float], ledger.Submission],
        told: R,
        now: datetime,
    ) -> None:
        """Write a report down, have its card posted, and show the reporter what was understood."""
        worker = self.bot.worker
        writing = self.bot.store.write(submit, home(interaction), told, int(now.timestamp()), worker.lease)
        submission = await answering(interaction, writing)
        worker.hand_over(submission.letters, submission.matter)
        wanted = submission.matter.settings.approvals_channel or submission.game.report_channel_id
        reachable = interaction.guild is not None and permissions.can_post(interaction.guild, wanted)
        texts = texts_for(interaction.locale)
        await answer(interaction, embed=receipt.receipt(texts, submission, reachable))


def _chips(texts: Texts, settings: ClubSettings, players: int, written: Sequence[int | None]) -> tuple[int, ...]:
    """The chips by seat, nothing where none were told; those of whom nothing was said won none. Raises Problem."""
    if all(number is None for number in written):
        return ()
    if not settings.chips:
        raise Problem(receipt.no_chips(texts))
    if any(number is not None for number in written[players:]):
        raise Problem(receipt.chips_of_nobody(texts))
    return tuple(number or 0 for number in written[:players])


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(ReportCog(bot))
