"""The Discord client: puts the parts together, listens, and answers for what goes wrong."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import permissions
from bot.card_buttons import card_buttons
from bot.config import Config
from bot.confirmations import CancelButton, Confirmations, ConfirmButton
from bot.desk import Desk
from bot.forms import receive
from bot.letters import Postman
from bot.log_menus import LeaveButton, LinkButton, SeatSelect, SubmitButton
from bot.log_report import LogReports
from bot.outbox import OutboxWorker
from bot.pages import Listings, PageButton
from bot.penalties import AdjustButton, PenaltySelect
from bot.people import Problem, person
from bot.ranking_days import RankingDays
from bot.reasons import ReasonButton, ReasonForm
from bot.render import refusals
from bot.texts import CommandTranslator, any_catalogue, texts_for
from ratings import club
from ratings.models import Refused
from ratings.settings import ClubSettings
from ratings.store import Store, memos

__all__ = ["COGS", "NotAdmin", "Tenbou", "point_at"]

log = logging.getLogger(__name__)

COGS = (
    "cogs.report",
    "cogs.leaderboard",
    "cogs.profile",
    "cogs.stats",
    "cogs.history",
    "cogs.games",
    "cogs.game",
    "cogs.players",
    "cogs.admin",
    "cogs.account",
    "cogs.ladder",
    "cogs.setup",
    "cogs.card",
    "cogs.settings",
    "cogs.tournament",
    "cogs.ranking",
    "cogs.archive",
)
FORMS = (ReasonForm,)
INTENTS = discord.Intents(guilds=True, guild_messages=True, guild_reactions=True)


class NotAdmin(app_commands.CheckFailure):
    """Whoever asked may not do what admins do."""


class Tree(app_commands.CommandTree["Tenbou"]):
    """Commands belong to clubs, so they are only answered in one; errors are explained in one place."""

    async def interaction_check(self, interaction: discord.Interaction[Tenbou], /) -> bool:
        """Refuse commands outside a guild; keep the name of whoever asks as it is shown now."""
        if interaction.guild_id is None:
            raise app_commands.NoPrivateMessage
        if interaction.type is discord.InteractionType.application_command:
            try:
                await interaction.client.remember(interaction.user, interaction.guild_id)
            except Exception:
                log.exception("A name could not be kept; the command goes on without.")
        return True

    async def on_error(
        self, interaction: discord.Interaction[Tenbou], error: app_commands.AppCommandError, /
    ) -> None:
        """Say what went wrong to whoever asked."""
        await interaction.client.explain_error(interaction, error)


class Tenbou(commands.Bot):
    """The bot. The store is opened before it and closed after it."""

    def __init__(self, config: Config, store: Store) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=INTENTS,
            tree_cls=Tree,
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            # No member lists are asked for, so nothing is worth a longer wait after the last guild.
            guild_ready_timeout=0.5,
        )
        self.config = config
        self.store = store
        self.listings = Listings()
        self.postman = Postman(self, store, card_buttons, lambda card: self.desk.catch_up.at(card))
        self.worker = OutboxWorker(store, self.postman, lease=config.outbox_lease, backoff=config.outbox_backoff)
        self.confirmations = Confirmations(store, self.worker.wake)
        self.log_reports = LogReports(self)
        self.desk = Desk(self, store, self.postman, self.worker)
        self.ranking_days = RankingDays(store, lambda id_: self.get_guild(id_) is not None, self.worker.wake)
        self._working: list[asyncio.Task[None]] = []
        self._listening = asyncio.Event()

    async def setup_hook(self) -> None:
        """Load the commands, and tell Discord about them when they have changed."""
        self.add_dynamic_items(PageButton, ReasonButton, AdjustButton, PenaltySelect, ConfirmButton, CancelButton)
        self.add_dynamic_items(SeatSelect, SubmitButton, LinkButton, LeaveButton)
        if any_catalogue():
            # Thousands of words are looked up in each of Discord's languages.
            await self.tree.set_translator(CommandTranslator())
        for name in COGS:
            await self.load_extension(name)
        await self._sync_commands()

    async def _sync_commands(self) -> None:
        translator = self.tree.translator
        payload = [
            await command.get_translated_payload(self.tree, translator)
            if translator
            else command.to_dict(self.tree)
            for command in self.tree.get_commands()
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        name = f"commands:{Route.BASE}:{self.application_id}"
        if await self.store.read(memos.recall, name) != digest:
            await self.tree.sync()
            await self.store.write(memos.memorise, name, digest)
            log.info("Discord knows the commands of this version now.")

    @property
    def was_ready(self) -> bool:
        """Whether this client has ever been connected."""
        return self._listening.is_set()

    async def wait_until_listening(self) -> None:
        """Wait for the first session to begin."""
        await self._listening.wait()

    async def on_ready(self) -> None:
        """A fresh session: say what waits, and look at what happened meanwhile."""
        self._listening.set()
        log.info("Ready as %s in %s guilds.", self.user, len(self.guilds))
        if not self._working:
            self._working = [
                asyncio.create_task(self.worker.run()),
                asyncio.create_task(self.desk.catch_up.run()),
                asyncio.create_task(self.ranking_days.run()),
            ]
        self._look_around()

    async def on_resumed(self) -> None:
        """The connection came back; what it replays may not be all that happened."""
        self._look_around()

    def _look_around(self) -> None:
        self.worker.wake()
        self.desk.catch_up.everywhere()
        self.ranking_days.wake()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A guild can be seen (again)."""
        self.worker.wake()
        self.desk.catch_up.in_guild(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps not for the first time."""
        await self.on_guild_available(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Cards in a deleted channel are gone without a word about each."""
        await self.desk.channel_deleted(channel.guild.id, channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """The same for a thread."""
        await self.desk.channel_deleted(payload.guild_id, payload.thread_id)

    def has_left(self, guild_id: int) -> bool:
        """Whether the bot is no longer in a guild, once it knows which it is in."""
        return self.is_ready() and self.get_guild(guild_id) is None

    async def on_message(self, _message: discord.Message, /) -> None:
        """Messages are not commands here."""

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Somebody reacted: the desk knows whether it means anything."""
        await self.desk.reaction(payload)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A deleted card comes again."""
        await self.desk.deleted(payload.guild_id, [payload.message_id])

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Deleted cards come again."""
        await self.desk.deleted(payload.guild_id, payload.message_ids)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms are answered here, commands and buttons by discord.py."""
        await receive(interaction, FORMS)

    async def on_error(self, event: str, /, *_args: object, **_kwargs: object) -> None:
        """Log what a listener raised; the next event is served all the same."""
        log.exception("Something went wrong while handling %s.", event)

    async def settings(self, guild_id: int) -> ClubSettings:
        """The club's settings now."""
        return await self.store.read(club.settings, guild_id)

    async def require_admin(self, interaction: discord.Interaction) -> discord.Member:
        """The member behind an interaction, if he may decide at this moment. Raises NotAdmin."""
        member = interaction.user
        if not isinstance(member, discord.Member):
            raise NotAdmin
        if not permissions.is_admin(member, await self.settings(member.guild.id)):
            raise NotAdmin
        return member

    async def explain_error(self, interaction: discord.Interaction, error: Exception) -> None:
        """Answer an interaction that failed: refusals in words, anything else with an apology and a log entry."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        texts = texts_for(interaction.locale)
        if isinstance(cause, Refused):
            answer = refusals.sentence(texts, cause)
        elif isinstance(cause, NotAdmin):
            answer = texts.gettext("Only admins can do this: members with Manage Server, or with the admin role.")
        elif isinstance(cause, Problem):
            answer = str(cause)
        elif isinstance(cause, app_commands.TransformerError):
            answer = refusals.gone(texts, cause.value)
        elif isinstance(cause, app_commands.CheckFailure):
            answer = texts.gettext("I keep score for clubs: please use my commands in a server.")
        elif isinstance(cause, discord.HTTPException) and cause.code in (10062, 40060):
            # Too late, or answered by another process that got the same event: nobody is left to answer.
            log.warning("An interaction could not be answered: %s", cause)
            return
        else:
            log.error("An interaction failed.", exc_info=cause)
            answer = texts.gettext(
                "Something went wrong on my side. Please look whether it was done all the same before you try "
                "again; if it happens twice, tell whoever runs me."
            )
        with contextlib.suppress(discord.HTTPException, aiohttp.ClientError):
            if interaction.response.is_done():
                await interaction.followup.send(answer, ephemeral=True)
            else:
                await interaction.response.send_message(answer, ephemeral=True)

    async def remember(self, user: discord.User | discord.Member, guild_id: int) -> None:
        """Keep the name a member is shown under now, if the club knows him under another."""
        known = await self.store.read(club.known_person, guild_id, user.id)
        if known is not None and known.name != user.display_name:
            await self.store.write(club.rename, guild_id, person(user))

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Let the listeners know, unless the bot is closing: discord.py has no loop for them afterwards."""
        if not self.is_closed():
            super().dispatch(event_name, *args, **kwargs)

    async def close(self) -> None:
        """Finish what is being said, then leave the gateway."""
        if self._working:
            await self.worker.stop()
            for task in self._working:
                task.cancel()
            await asyncio.gather(*self._working, return_exceptions=True)
        await super().close()


def point_at(config: Config) -> None:
    """Speak to another address than Discord's own, if the operator names one (a proxy, a local Discord)."""
    if config.api_base:
        Route.BASE = config.api_base
    if config.gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(config.gateway_url)
