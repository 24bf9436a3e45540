"""/leaderboard: who stands where."""

from __future__ import annotations

import discord
import sqlalchemy as sa
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Tenbou
from bot.pages import MINE, Drawn
from bot.people import Problem, home
from bot.render import boards as drawing
from bot.texts import texts_for
from ratings.models import SystemName
from ratings.queries import boards
from ratings.queries.boards import Board, Order

LINES = 15
LISTING = "board"
AMERICAN = {"american-rating": Order.RATING, "american-points": Order.POINTS}
ORDERS = [
    app_commands.Choice(name=locale_str("Tenhou rank"), value=Order.RANK.value),
    app_commands.Choice(name=locale_str("R rating"), value=Order.RATING.value),
    app_commands.Choice(name=locale_str("American rating"), value="american-rating"),
    app_commands.Choice(name=locale_str("American total points"), value="american-points"),
]
SYSTEMS = {4: SystemName.TENHOU_4P, 3: SystemName.TENHOU_3P}
PLAYERS = [
    app_commands.Choice(name=locale_str("four players"), value=4),
    app_commands.Choice(name=locale_str("three players"), value=3),
]


class LeaderboardCog(commands.Cog):
    """The boards of each rating system."""

    def __init__(self, bot: Tenbou) -> None:
        self.bot = bot
        bot.listings.register(LISTING, self.draw, has_mine=True)

    @app_commands.command(description=locale_str("Who leads: Tenhou rank, R, American rating or total points"))
    @app_commands.guild_only()
    @app_commands.describe(
        board=locale_str("What counts; Tenhou rank (rank, then points) if left out"),
        players=locale_str("Four or three players; the club's usual game if left out"),
        min_games=locale_str("Only players with at least so many rated games"),
    )
    @app_commands.choices(board=ORDERS)
    @app_commands.choices(players=PLAYERS)
    async def leaderboard(
        self,
        interaction: discord.Interaction[Tenbou],
        board: str = Order.RANK.value,
        players: int | None = None,
        min_games: app_commands.Range[int, 1, 1000] = 1,
    ) -> None:
        """Show the first page."""
        if board in AMERICAN:
            chosen = Board(SystemName.NMJL, AMERICAN[board], min_games)
        else:
            if players is None:
                players = (await self.bot.settings(home(interaction))).usual_players
            chosen = Board(SYSTEMS[players], Order(board), min_games)
        await self.bot.listings.open(interaction, LISTING, _question(chosen))

    async def draw(self, interaction: discord.Interaction, question: str, page: str) -> Drawn:
        """Draw a page of the board that `question` names."""
        texts, guild_id, board = texts_for(interaction.guild_locale), home(interaction), _board(question)
        if page == MINE:
            found = await self.bot.store.read(_my_page, guild_id, board, interaction.user.id)
            if found is None:
                raise Problem(
                    texts.gettext(
                        "You are not on this board yet: it takes an approved ranked game, or more of them."
                    )
                )
            shown, mine = found
        else:
            shown, mine = await self.bot.store.read(boards.board_page, guild_id, board, int(page), LINES), None
        embed = drawing.board(texts, board, shown, mine)
        return Drawn(embed, shown.number, shown.pages)


def _question(board: Board) -> str:
    return f"{board.system}/{board.order}/{board.min_games}"


def _my_page(
    connection: sa.Connection, guild_id: int, board: Board, discord_id: int
) -> tuple[boards.BoardPage, int] | None:
    """The page with a member's line, and which of its lines that is; None when he is not on the board."""
    ahead = boards.position(connection, guild_id, board, discord_id)
    if ahead is None:
        return None
    return boards.board_page(connection, guild_id, board, ahead // LINES, LINES), ahead % LINES


def _board(question: str) -> Board:
    system, order, min_games = question.split("/")
    return Board(SystemName(system), Order(order), int(min_games))


async def setup(bot: Tenbou) -> None:
    """Add the cog."""
    await bot.add_cog(LeaderboardCog(bot))
