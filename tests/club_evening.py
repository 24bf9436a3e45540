"""An evening at the club: a local Discord, a few members, and the bot, for tests that tell a story."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from pydantic import SecretStr

from bot.client import Tenbou, point_at
from bot.config import Config
from bot.letters import APPROVE, REJECT
from bot.sandbox import Interaction, LocalDiscord, Person
from ratings.models import GameState
from ratings.queries import games
from ratings.queries.games import GamePage, GameRecord
from ratings.store import Store, tables
from tests.openapi import checker

__all__ = ["Club", "Evening"]

TOKEN = "an-evening-token"
JSON = dict[str, Any]


@dataclass
class Club:
    """A guild of the local Discord with its channels and people. Kai and Rei are admins by role."""

    discord: LocalDiscord
    name: str = "Sakura"
    channels: dict[str, JSON] = field(default_factory=dict)
    users: dict[str, JSON] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.discord.world
        self.owner = world.add_user("owner", display_name="Owner")
        self.guild = world.add_guild(self.name, owner=self.owner)
        self.referee = world.add_role(self.guild, "Referee")
        for name in ("mahjong", "approvals", "announcements"):
            self.channels[name] = world.add_channel(self.guild, name)
        for name in ("Ann", "Борис", "千秋", "Dora", "Emi"):
            self.join(name)
        for name in ("Kai", "Rei"):
            self.join(name, roles=[self.referee])

    def join(self, name: str, roles: list[JSON] | None = None) -> JSON:
        """A new member of this club."""
        world = self.discord.world
        user = self.users.get(name) or world.add_user(name, display_name=name)
        world.add_member(self.guild, user, roles=roles or [])
        self.users[name] = user
        return user

    @property
    def id(self) -> int:
        return int(self.guild["id"])

    def as_(self, name: str) -> Person:
        """Act as this member."""
        user = self.owner if name == "Owner" else self.users[name]
        return self.discord.person(self.guild, user)

    async def set_up(self) -> Interaction:
        """An admin runs /setup."""
        return await self.as_("Owner").slash(
            "setup",
            self.channels["mahjong"],
            approvals=self.channels["approvals"],
            announcements=self.channels["announcements"],
            admin_role=self.referee,
        )

    async def report(
        self,
        scores: dict[str, str],
        *,
        by: str = "Ann",
        channel: str = "mahjong",
        **options: Any,
    ) -> Interaction:
        """Report a riichi game: names and scores from East."""
        seats = dict(zip(("east", "south", "west", "north"), scores.items(), strict=False))
        players = {seat: self.users[name] for seat, (name, _) in seats.items()}
        written = {f"{seat}_score": score for seat, (_, score) in seats.items()}
        return await self.as_(by).slash("report riichi", self.channels[channel], **players, **written, **options)

    def posts(self, channel: str) -> list[JSON]:
        """What is to be read in a channel, oldest first."""
        return self.discord.world.history(self.channels[channel])

    def direct_messages(self, name: str) -> list[JSON]:
        """What the bot wrote to a member in private, oldest first."""
        return self.discord.world.history(self.discord.world.dm_channel(self.users[name]))

    def titles(self, channel: str) -> list[str]:
        """The titles of the embeds in a channel, oldest first."""
        return [embed.get("title", "") for post in self.posts(channel) for embed in post["embeds"]]

    def card(self, number: int, channel: str = "approvals") -> JSON | None:
        """The card of a game, once it hangs."""
        for post in reversed(self.posts(channel)):
            for embed in post["embeds"]:
                if embed.get("footer", {}).get("text") == f"#{number} · card":
                    return post
        return None

    async def card_ready(self, number: int, channel: str = "approvals") -> JSON:
        """Wait for a pending game's card with both reactions on it."""
        await self.discord.until(lambda: len(reactions(self.card(number, channel))) >= 2)
        card = self.card(number, channel)
        assert card is not None
        return card

    async def card_says(self, number: int, words: str, channel: str = "approvals") -> JSON:
        """Wait until the card of a game has these words in its title."""
        await self.discord.until(lambda: words in card_title(self.card(number, channel)))
        card = self.card(number, channel)
        assert card is not None
        return card

    async def approve(self, number: int, *, by: str = "Kai") -> None:
        """An admin reacts ✅ and the card says so."""
        await self.as_(by).react(await self.card_ready(number), APPROVE)
        await self.card_says(number, "approved")

    async def reject(self, number: int, *, by: str = "Kai") -> None:
        """An admin reacts ❌ and the card says so."""
        await self.as_(by).react(await self.card_ready(number), REJECT)
        await self.card_says(number, "rejected")


def reply(interaction: Interaction) -> JSON:
    """The answer to an interaction; there must be one."""
    assert interaction.reply is not None
    return interaction.reply


def card_title(card: JSON | None) -> str:
    """The title of a card that may not hang yet."""
    return "" if card is None else str(card["embeds"][0]["title"])


def reactions(card: JSON | None) -> dict[str, int]:
    """The reactions of a card that may not hang yet, with their counts."""
    return {} if card is None else {each["emoji"]["name"]: each["count"] for each in card["reactions"]}


class QuickBot(Tenbou):
    """The bot without discord.py's pauses, which are for Discord's sake."""

    def __init__(self, config: Config, store: Store) -> None:
        super().__init__(config, store)
        self._connection.guild_ready_timeout = 0.05

    async def before_identify_hook(self, _shard_id: int | None, *, initial: bool = False) -> None:
        """Identify anew at once."""


class Evening(Club):
    """One club, and the bot running in this process."""

    bot: Tenbou
    store: Store
    _serving: asyncio.Task[None]

    def __init__(self, discord: LocalDiscord, database: str) -> None:
        self.database = database
        super().__init__(discord)

    @classmethod
    @contextlib.asynccontextmanager
    async def begin(cls, database: str, *, set_up: bool = True) -> AsyncIterator[Evening]:
        """Open the club, let the bot in, and close everything at the end."""
        discord = LocalDiscord(TOKEN, check=checker())
        # Stories are about what is answered; a busy machine may take longer than Discord waits.
        discord.deadline = 15.0
        await discord.start()
        try:
            club = cls(discord, database)
            await club.start_bot()
            try:
                if set_up:
                    await club.set_up()
                yield club
            finally:
                await club.stop_bot()
        finally:
            await discord.stop()

    async def start_bot(self) -> None:
        """Start the bot and wait until it listens."""
        point_at(self.config)
        self.store = await Store.open(self.database)
        self.bot = QuickBot(self.config, self.store)
        self._serving = await _serve(self.bot)

    @property
    def config(self) -> Config:
        """The bot's configuration: the local Discord, and little patience."""
        return Config(
            discord_token=SecretStr(TOKEN),
            database_url=self.database,
            api_base=self.discord.rest_url,
            gateway_url=self.discord.gateway_url,
            outbox_backoff=0.05,
            outbox_lease=2.0,
        )

    @contextlib.asynccontextmanager
    async def second_bot(self) -> AsyncIterator[Tenbou]:
        """Another process' bot on the same database, as hosts run two for a while at a deployment."""
        store = await Store.open(self.database)
        bot = QuickBot(self.config, store)
        serving = await _serve(bot)
        try:
            yield bot
        finally:
            await bot.close()
            await serving
            await store.close()

    async def stop_bot(self) -> None:
        """Stop the bot as an operator does."""
        await self.bot.close()
        await self._serving
        await self.store.close()

    async def game(self, number: int) -> GameRecord:
        """A game as the ledger has it."""
        return await self.store.read(games.by_number, self.id, number)

    async def state(self, number: int) -> GameState:
        """Where a game stands in the ledger."""
        return (await self.game(number)).state

    async def page(self) -> GamePage:
        """The newest games of the club as the ledger has them."""
        return await self.store.read(games.page, self.id, None, 0, 50)

    async def result(self, number: int) -> tuple[list[int], list[int]]:
        """The places and final points (in points) of an approved game, by seat."""
        rows = await self.store.read(_placed, (await self.game(number)).id)
        return [place for place, _ in rows], [points for _, points in rows]

    async def quiet(self) -> None:
        """Wait until everything that the ledger decided has been said, or put off."""
        async with asyncio.timeout(30):
            await self.bot.worker.idle()

    async def assert_one_decision(self, number: int) -> None:
        """The ledger has one decision about a game, and one outcome a seat if it was approved."""
        game = await self.game(number)
        decisions, outcomes = await self.store.read(_consequences, game.id)
        assert decisions == 1
        assert outcomes == (len(game.people) if game.state is GameState.APPROVED else 0)


async def _serve(bot: Tenbou) -> asyncio.Task[None]:
    """Start a bot and wait until it listens."""
    serving = asyncio.create_task(bot.start(TOKEN))
    ready = asyncio.create_task(bot.wait_until_listening())
    await asyncio.wait({ready, serving}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
    if not ready.done():
        ready.cancel()
        serving.result()
    return serving


def _placed(connection: sa.Connection, game_id: int) -> list[tuple[int, int]]:
    outcomes = tables.outcomes
    chosen = sa.select(outcomes.c.place, outcomes.c.final_points).where(outcomes.c.game_id == game_id)
    rows = connection.execute(chosen.order_by(outcomes.c.seat))
    return [(row.place, row.final_points) for row in rows]


def _consequences(connection: sa.Connection, game_id: int) -> tuple[int, int]:
    counts = [
        connection.execute(
            sa.select(sa.func.count()).select_from(table).where(table.c.game_id == game_id)
        ).scalar_one()
        for table in (tables.decisions, tables.outcomes)
    ]
    return counts[0], counts[1]
