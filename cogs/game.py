"""/game: one game looked up, and set right when it was wrong."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.amendments import AUTOMATIC, WALL, HandWish, RiichiWish, User, in_words, players_named, records_named
from bot.client import NotAdmin, Tenbou
from bot.confirmations import Question
from bot.game_number import GameNumber
from bot.pages import Drawn
from bot.penalties import send_list
from bot.people import home, person
from bot.render import audit as drawing
from bot.report_options import (
    LENGTHS,
    LOBBIES,
    WON,
    Chips,
    Moment,
    Score,
    find_line,
    line_choices,
    line_years,
    moment,
    typed_moment,
)
from bot.texts import texts_for
from ratings import club, ledger
from ratings.ledger import tellings
from ratings.ledger.tellings import Telling
from ratings.models import GameState, Person, Refusal, Refused
from ratings.queries import audit, games
from ratings.settings import ClubSettings

LISTING = "game"
OPEN = (GameState.PENDING, GameState.APPROVED)
LOBBY_CHOICES = [
    *LOBBIES,
    app_commands.Choice(name=locale_str("automatic: by the players' ranks"), value=AUTOMATIC),
]
THREE = 3
PLAYERS = [app_commands.Choice(name=locale_str("three: North was not there"), value=THREE)]
WON_CHOICES = [*WON, app_commands.Choice(name=locale_str("by nobody: a wall game"), value=WALL)]
AnyGame = app_commands.Transform[int, GameNumber(*GameState)]
ApprovedGame = app_commands.Transform[int, GameNumber(GameState.APPROVED)]
VoidedGame = app_commands.Transform[int, GameNumber(GameState.VOIDED)]
ClosedGame = app_commands.Transform[int, GameNumber(GameState.REJECTED, GameState.WITHDRAWN)]
OpenRiichi = app_commands.Transform[int, GameNumber(*OPEN, kind="riichi")]
OwnGame = app_commands.Transform[int, GameNumber(GameState.PENDING, own=True)]
AmendableGame = app_commands.Transform[int, GameNumber(*OPEN, kind="riichi", amends=True)]
AmendableHand = app_commands.Transform[int, GameNumber(*OPEN, kind="american", amends=True)]
OpenHand = app_commands.Transform[int, GameNumber(*OPEN, kind="american")]
Reason = app_commands.Range[str, 1, ledger.REASON_LENGTH]
Asked = discord.Interaction[Tenbou]
# Tells a game anew, from what was told, the club's settings, and the records of Discord accounts.
Tell = Callable[[Telling, ClubSettings, Mapping[int, int]], Telling]
Proposing = Callable[[sa.Connection, int, int, Any], ledger.Proposal]


@app_commands.guild_only()
class GameCog(commands.GroupCog, group_name="game", group_description=locale_str("Look a game up, or correct it")):
    """A game's history, and corrections: each is shown first, and made when it is confirmed."""

    def __init__(self, bot: Tenbou) -> None:
        super().__init__()
        self.bot = bot
        bot.listings.register(LISTING, self.draw)

    @app_commands.command(description=locale_str("A game: what it changed, and everything that was done about it"))
    @app_commands.describe(game=locale_str("The game's number"))
    async def show(self, interaction: Asked, game: AnyGame) -> None:
        """Show a game with its history."""
        await self.bot.listings.open(interaction, LISTING, str(game), private=True)

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of a game's history."""
        found = await self.bot.store.read(_history, home(interaction), int(question))
        pages = drawing.game_pages(texts_for(interaction.locale), *found)
        number = min(int(page), len(pages) - 1)
        return Drawn(pages[number], number, len(pages))

    @app_commands.command(description=locale_str("Make an approved game count as if never played (admins)"))
    @app_commands.describe(
        game=locale_str("The game's number"), reason=locale_str("Why, for everybody who looks the game up")
    )
    async def void(self, interaction: Asked, game: ApprovedGame, reason: Reason) -> None:
        """Ask for an approved game to be voided."""
        if not reason.strip():
            raise Refused(Refusal.EMPTY_REASON)
        await self._ask_as_admin(interaction, game, ledger.propose_void, reason)

    @app_commands.command(description=locale_str("Make a voided game count again (admins)"))
    @app_commands.describe(game=locale_str("The game's number"), reason=locale_str("Why"))
    async def restore(self, interaction: Asked, game: VoidedGame, reason: Reason | None = None) -> None:
        """Ask for a voided game to be restored."""
        await self._ask_as_admin(interaction, game, ledger.propose_restore, reason)

    @app_commands.command(description=locale_str("Have a rejected or withdrawn game decided after all (admins)"))
    @app_commands.describe(game=locale_str("The game's number"), reason=locale_str("Why"))
    async def reopen(self, interaction: Asked, game: ClosedGame, reason: Reason | None = None) -> None:
        """Ask for a rejected or withdrawn game to be reopened."""
        await self._ask_as_admin(interaction, game, ledger.propose_reopen, reason)

    @app_commands.command(description=locale_str("Take a wrong game log off its game (admins)"))
    @app_commands.describe(game=locale_str("The game's number"), reason=locale_str("Why"))
    async def detach(self, interaction: Asked, game: OpenRiichi, reason: Reason | None = None) -> None:
        """Ask for the log of a game to be detached."""
        await self._ask_as_admin(interaction, game, ledger.propose_detach, reason)

    @app_commands.command(description=locale_str("Take back a game that you reported, until it is decided"))
    @app_commands.describe(game=locale_str("The game's number"))
    async def withdraw(self, interaction: Asked, game: OwnGame) -> None:
        """Ask for one's own pending report to be taken back."""
        guild_id, reporter = home(interaction), person(interaction.user)

        def propose(connection: sa.Connection) -> ledger.Proposal:
            return _withdrawal(connection, guild_id, game, reporter)

        await self.bot.confirmations.ask(interaction, Question(guild_id, propose, _only(reporter)))

    @app_commands.command(
        description=locale_str("Amend a riichi game: admins, or the reporter until it is decided")
    )
    @app_commands.describe(
        game=locale_str("The game's number"),
        east=locale_str("Who sat East at the start; the score stays with the seat"),
        east_score=locale_str("Final score of East"),
        south=locale_str("Who sat South at the start"),
        south_score=locale_str("Final score of South"),
        west=locale_str("Who sat West at the start"),
        west_score=locale_str("Final score of West"),
        north=locale_str("Who sat North at the start"),
        north_score=locale_str("Final score of North"),
        length=locale_str("Hanchan (East-South) or tonpuu (East only)"),
        lobby=locale_str("The Tenhou lobby the game counts as"),
        sticks=locale_str("Riichi sticks left on the table at the end"),
        ranked=locale_str("Whether ranks and ratings move"),
        players=locale_str("If only three played: North leaves the table"),
        east_chips=locale_str("Chips (shuugi) that East won, or lost with a minus"),
        south_chips=locale_str("Chips that South won or lost"),
        west_chips=locale_str("Chips that West won or lost"),
        north_chips=locale_str("Chips that North won or lost"),
        played=locale_str("When: 21:30, yesterday 21:30, 2026-11-29 21:30"),
        reason=locale_str("Why, for everybody who looks the game up"),
    )
    @app_commands.choices(length=LENGTHS, lobby=LOBBY_CHOICES)
    @app_commands.choices(players=PLAYERS)
    async def amend(
        self,
        interaction: Asked,
        game: AmendableGame,
        east: User | None = None,
        east_score: Score | None = None,
        south: User | None = None,
        south_score: Score | None = None,
        west: User | None = None,
        west_score: Score | None = None,
        north: User | None = None,
        north_score: Score | None = None,
        length: str | None = None,
        lobby: str | None = None,
        sticks: app_commands.Range[int, 0, 20] | None = None,
        ranked: bool | None = None,
        played: Moment | None = None,
        reason: Reason | None = None,
        players: int | None = None,
        east_chips: Chips | None = None,
        south_chips: Chips | None = None,
        west_chips: Chips | None = None,
        north_chips: Chips | None = None,
    ) -> None:
        """Ask for a riichi game to be told anew; what is left out stays as it is."""
        reporter = await self._reporter_of(interaction, game)
        users = dict(enumerate((east, south, west, north)))
        written = enumerate((east_score, south_score, west_score, north_score))
        won = enumerate((east_chips, south_chips, west_chips, north_chips))
        named = players_named(*users.values())
        wish = RiichiWish(
            players={seat: user.id for seat, user in users.items() if user is not None},
            scores={seat: score for seat, score in written if score is not None},
            chips={seat: number for seat, number in won if number is not None},
            three=players == THREE,
            length=length,
            lobby=lobby,
            sticks=sticks,
            ranked=ranked,
            played_at=await self._moment(interaction, played),
        )
        texts = texts_for(interaction.locale)

        def tell(old: Telling, settings: ClubSettings, records: Mapping[int, int]) -> Telling:
            return wish.told(texts, game, old, settings, records)

        await self._ask_to_amend(interaction, game, tell, named, reason, reporter)

    @app_commands.command(
        name="amend-hand",
        description=locale_str("Amend an American hand: admins, or the reporter until it is decided"),
    )
    @app_commands.describe(
        game=locale_str("The game's number"),
        winner=locale_str("Who won"),
        line=locale_str("The line of the card: type any part of section, line or points"),
        won=locale_str("On a discard, self-picked, on a discard that nobody recorded, or by nobody"),
        jokers=locale_str("Whether the winning hand used jokers"),
        discarder=locale_str("Who discarded the winning tile"),
        concealed=locale_str("Whether the hand was declared concealed"),
        first=locale_str("If others played: everybody at the table, from first to fourth"),
        second=locale_str("Another player at the table"),
        third=locale_str("Another player at the table"),
        fourth=locale_str("Another player at the table"),
        played=locale_str("When: 21:30, yesterday 21:30, 2026-11-29 21:30"),
        reason=locale_str("Why, for everybody who looks the game up"),
    )
    @app_commands.choices(won=WON_CHOICES)
    async def amend_hand(
        self,
        interaction: Asked,
        game: AmendableHand,
        winner: User | None = None,
        line: app_commands.Range[str, 1, 100] | None = None,
        won: str | None = None,
        jokers: bool | None = None,
        discarder: User | None = None,
        concealed: bool | None = None,
        first: User | None = None,
        second: User | None = None,
        third: User | None = None,
        fourth: User | None = None,
        played: Moment | None = None,
        reason: Reason | None = None,
    ) -> None:
        """Ask for an American hand to be told anew; what is left out stays as it is."""
        reporter = await self._reporter_of(interaction, game)
        table = [user for user in (first, second, third, fourth) if user is not None]
        named = players_named(winner, discarder, *table)
        wish = HandWish(
            players=tuple(user.id for user in table),
            winner=None if winner is None else winner.id,
            line_id=None if line is None else await self._line(interaction, game, line),
            won=won,
            discarder=None if discarder is None else discarder.id,
            used_jokers=jokers,
            concealed=concealed,
            played_at=await self._moment(interaction, played),
        )
        texts = texts_for(interaction.locale)

        def tell(old: Telling, _: ClubSettings, records: Mapping[int, int]) -> Telling:
            return wish.told(texts, game, old, records)

        await self._ask_to_amend(interaction, game, tell, named, reason, reporter)

    @app_commands.command(description=locale_str("Add or take back penalties of an American hand (admins)"))
    @app_commands.describe(game=locale_str("The game's number"))
    async def penalties(self, interaction: Asked, game: OpenHand) -> None:
        """Show an admin the list of penalties of a hand."""
        await self.bot.require_admin(interaction)
        await send_list(interaction, await self.bot.store.read(ledger.adjustable, home(interaction), game))

    @amend_hand.autocomplete("line")
    async def _lines_like(self, interaction: Asked, current: str) -> list[app_commands.Choice[str]]:
        texts, number = texts_for(interaction.locale), getattr(interaction.namespace, "game", None)
        years = await self._card_years(interaction, number if isinstance(number, int) else None)
        return await line_choices(self.bot.store, texts, home(interaction), years, current)

    async def _line(self, interaction: Asked, number: int, typed: str) -> int:
        years = await self._card_years(interaction, number)
        line_id = await find_line(self.bot.store, home(interaction), years, typed)
        if line_id is None:
            raise Refused(Refusal.UNKNOWN_LINE)
        return line_id

    async def _card_years(self, interaction: Asked, number: int | None) -> list[int]:
        """The years whose cards count for a game: see `_when`; those of now as long as the game is unknown."""
        settings, played = await self.bot.settings(home(interaction)), None
        if number is not None:
            with contextlib.suppress(Refused):
                settings, played = await self.bot.store.read(_when, home(interaction), number)
        return line_years(settings, typed_moment(interaction, settings) or played)

    async def _moment(self, interaction: Asked, played: str | None) -> int | None:
        if played is None:
            return None
        settings = await self.bot.settings(home(interaction))
        return moment(texts_for(interaction.locale), settings, played, datetime.now(UTC))

    async def _reporter_of(self, interaction: Asked, number: int) -> Person | None:
        """None for an admin, who may amend any game; for others themselves. Raises Refused if it is not theirs."""
        try:
            await self.bot.require_admin(interaction)
        except NotAdmin:
            reporter = person(interaction.user)
            # Whoever may take a report back may amend it.
            await self.bot.store.read(_withdrawal, home(interaction), number, reporter)
            return reporter
        # Nobody is written down for a game that there is not.
        await self.bot.store.read(games.by_number, home(interaction), number)
        return None

    async def _ask_to_amend(
        self,
        interaction: Asked,
        number: int,
        tell: Tell,
        named: Sequence[User],
        reason: str | None,
        reporter: Person | None,
    ) -> None:
        texts, guild_id, now = texts_for(interaction.locale), home(interaction), int(time.time())

        def propose(connection: sa.Connection) -> ledger.Proposal:
            game = games.by_number(connection, guild_id, number)
            version = None if game.approval is None else game.approval.settings_version
            settings = club.settings(connection, guild_id, version)
            records = records_named(connection, texts, guild_id, named)
            with in_words(texts):
                told = tell(tellings.read(connection, game.id), settings, records)
                return ledger.propose_amend(connection, guild_id, game.id, told, now, reason, reporter)

        authorise = self.bot.require_admin if reporter is None else _only(reporter)
        members = [person(user) for user in named if isinstance(user, discord.Member)]
        await self.bot.confirmations.ask(interaction, Question(guild_id, propose, authorise, members))

    async def _ask_as_admin(
        self, interaction: Asked, number: int, proposing: Proposing, reason: str | None
    ) -> None:
        guild_id = (await self.bot.require_admin(interaction)).guild.id

        def propose(connection: sa.Connection) -> ledger.Proposal:
            game = games.by_number(connection, guild_id, number)
            return proposing(connection, guild_id, game.id, reason)

        await self.bot.confirmations.ask(interaction, Question(guild_id, propose, self.bot.require_admin))


def _only(someone: Person) -> Callable[[discord.Interaction], Awaitable[None]]:
    """Lets nobody confirm but this person."""

    async def authorise(interaction: discord.Interaction) -> None:
        if interaction.user.id != someone.discord_id:
            raise NotAdmin

    return authorise


def _history(
    connection: sa.Connection, guild_id: int, number: int
) -> tuple[ledger.Matter, list[audit.Event], audit.Background]:
    """All that is needed to show a game and what was done about it."""
    game = games.by_number(connection, guild_id, number)
    matter, events = ledger.matter(connection, guild_id, game.id), audit.trail(connection, game)
    told = [telling for event in events for telling in (event.before, event.after)]
    penalised = [event.penalty[0] for event in events if event.penalty is not None]
    return matter, events, audit.background(connection, guild_id, penalised, told)


def _when(connection: sa.Connection, guild_id: int, number: int) -> tuple[ClubSettings, datetime]:
    """The settings under which a game counts or would count, and when it was played."""
    game = games.by_number(connection, guild_id, number)
    version = None if game.approval is None else game.approval.settings_version
    return club.settings(connection, guild_id, version), datetime.fromtimestamp(game.played_at, UTC)


def _withdrawal(connection: sa.Connection, guild_id: int, number: int, reporter: Person) -> ledger.Proposal:
    game = games.by_number(connection, guild_id, number)
    return ledger.propose_withdraw(connection, guild_id, game.id, reporter)


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(GameCog(bot))
