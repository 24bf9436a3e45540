"""Delivering one letter of the outbox: draws it from the ledger as it stands, and puts it where it belongs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Protocol

import discord
import sqlalchemy as sa

from bot import permissions
from bot.render import accounts as account_render
from bot.render import card as card_render
from bot.render import news, ranking_news
from bot.render.tellings import told_anew
from bot.roles import Hindered, RoleKeeper
from bot.texts import Texts, texts_for
from bot.topics import Topic
from ratings import club
from ratings.ledger import Matter, RiichiOutcome
from ratings.models import GameState
from ratings.queries import audit, games, twins
from ratings.queries.accounts import ClaimNews
from ratings.queries.corrections import CorrectionNews
from ratings.queries.people import forgotten_since
from ratings.queries.rank_roles import RankWearer
from ratings.store import Store, cards, outbox
from ratings.tournaments import days

__all__ = ["APPROVE", "REJECT", "Postman", "Undeliverable"]

log = logging.getLogger(__name__)

APPROVE, REJECT = "\N{WHITE HEAVY CHECK MARK}", "\N{CROSS MARK}"

NOBODY = discord.AllowedMentions.none()
# What Discord answers when a person cannot be written to: closed DMs, a deleted account.
REFUSED = (discord.Forbidden, discord.NotFound)
# Discord's clock and ours may differ by this much, in seconds, when an earlier post is looked for.
CLOCK_SLACK = 60


class Undeliverable(Exception):
    """Where the letter belongs, the bot cannot write; trying again soon would not help."""


class Nowhere(Undeliverable):
    """There is no channel where the letter belongs, or there is none any more."""


class Client(Protocol):
    """What a postman needs of the Discord client."""

    @property
    def user(self) -> discord.ClientUser | None: ...
    def get_guild(self, guild_id: int, /) -> discord.Guild | None: ...
    def get_partial_messageable(self, channel_id: int, *, guild_id: int) -> discord.PartialMessageable: ...
    async def create_dm(self, user: discord.Object) -> discord.DMChannel: ...


class ButtonMaker(Protocol):
    """Makes the buttons that hang under a card in its present state."""

    def __call__(self, texts: Texts, matter: Matter) -> discord.ui.View | None: ...


class Postman:
    """Knows where each kind of letter goes, and how to find out whether it has been there already."""

    def __init__(
        self, client: Client, store: Store, buttons: ButtonMaker, found: Callable[[games.Card], None]
    ) -> None:
        self._client = client
        self._store = store
        self._buttons = buttons
        self._found = found
        self._roles = RoleKeeper(store)
        self._hanging: dict[int, asyncio.Lock] = {}

    async def settled(self, channel_id: int) -> None:
        """Wait until no card in this channel is posted without being written down yet."""
        if lock := self._hanging.get(channel_id):
            async with lock:
                pass

    async def deliver(self, letter: outbox.Letter, matter: Topic) -> None:
        """Say what the letter asks for.

        Raises Undeliverable when the bot may not write where it belongs, ClientException when it does not see
        the guild, and lets through what discord.py and the network raise.
        """
        guild = self._client.get_guild(letter.guild_id)
        if guild is None or guild.unavailable:
            raise discord.ClientException("the bot is not in this guild, or does not see it yet")
        texts = texts_for(guild.preferred_locale)
        if letter.ranking_day_id is not None:
            await self._ranking(letter, guild, letter.ranking_day_id, texts)
        match matter:
            case CorrectionNews():
                await self._correction(letter, guild, matter, texts)
            case RankWearer():
                await self._dress(guild, matter, texts)
            case ClaimNews():
                embed = account_render.claim_post(texts, matter)
                # Nobody else is to read whom the admins may have to speak to.
                channels = [matter.settings.approvals_channel]
                await self._to_admins(letter, guild, matter.settings.admin_role, channels, embed)
            case Matter():
                await self._about_game(letter, guild, matter, texts)

    async def _about_game(self, letter: outbox.Letter, guild: discord.Guild, matter: Matter, texts: Texts) -> None:
        match letter.kind:
            case outbox.Kind.CARD:
                await self._card(letter, guild, matter, texts)
            case outbox.Kind.NEWS:
                await self._news(letter, guild, matter, texts)
            case outbox.Kind.REJECTION | outbox.Kind.REASON:
                await self._tell_reporter(letter, guild, matter.game, texts)
            case outbox.Kind.ALARM:
                await self._alarm(letter, guild, matter, texts)

    async def _card(self, letter: outbox.Letter, guild: discord.Guild, matter: Matter, texts: Texts) -> None:
        game, hanging = matter.game, matter.game.card
        pending = game.state is GameState.PENDING
        wanted = matter.settings.approvals_channel or game.report_channel_id
        # Whatever was amended has a note, of that amendment or of what came later.
        amended = None if game.note is None else await self._store.read(audit.amended, guild.id, game)
        embed = card_render.game_card(texts, matter, [] if amended is None else told_anew(texts, amended))
        if hanging is None:
            await self._hang(letter, guild, game, wanted, embed, self._buttons(texts, matter))
            return
        message = self._channel(guild, hanging.channel_id).get_partial_message(hanging.message_id)
        if pending and (hanging.channel_id != wanted or hanging.stale):
            # The club has moved its approvals and the card follows, or it may carry reactions to another game.
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                await message.delete()
        else:
            try:
                await message.edit(embed=embed, view=self._buttons(texts, matter))
            except discord.NotFound:
                log.info("The card of game %s is gone.", game.id)
            except discord.Forbidden as error:
                # It may still name somebody who has been forgotten since this was to be drawn.
                if not (pending or await self._store.read(forgotten_since, guild.id, letter.created_at)):
                    return
                if pending:
                    await self.sound_alarm(guild.id, hanging.channel_id, game.id)
                raise Undeliverable(str(error)) from error
            else:
                if pending and letter.attempts > 1:
                    await self._prefill(message)
                return
        await self._store.write(cards.take_down, guild.id, hanging.message_id, int(time.time()))

    async def _hang(
        self,
        letter: outbox.Letter,
        guild: discord.Guild,
        game: games.GameRecord,
        channel_id: int,
        embed: discord.Embed,
        view: discord.ui.View | None,
    ) -> None:
        async with self._hanging.setdefault(channel_id, asyncio.Lock()):
            try:
                message = await self._post(letter, guild, channel_id, embed, view=view)
            except (Undeliverable, discord.NotFound, discord.Forbidden) as error:
                if game.state is not GameState.PENDING:
                    return
                await self.sound_alarm(guild.id, channel_id, game.id)
                raise Undeliverable(str(error)) from error
            # An earlier try may have posted what the game was before a correction.
            old = letter.attempts > 1 and game.note is not None and game.note.at >= letter.created_at
            stale = await self._store.write(_hung, game, channel_id, message.id, old)
        if game.state is GameState.PENDING and not stale:
            await self._prefill(message)
            if letter.attempts > 1:
                # It may have hung for a while, with reactions that nobody knew to belong to a game.
                self._found(games.Card(guild.id, channel_id, message.id))

    async def _prefill(self, message: discord.PartialMessage | discord.Message) -> None:
        try:
            for emoji in (APPROVE, REJECT):
                await message.add_reaction(emoji)
        except discord.Forbidden:
            # Admins can still add the reactions themselves; /setup names the missing permission.
            log.warning("Reactions may not be added in channel %s.", message.channel.id)

    async def _news(self, letter: outbox.Letter, guild: discord.Guild, matter: Matter, texts: Texts) -> None:
        if not isinstance(matter.outcome, RiichiOutcome):
            return
        if matter.game.state is not GameState.APPROVED or not matter.outcome.is_news:
            # It was corrected before this could be said.
            return
        embed = news.rank_news(texts, matter.game, matter.outcome)
        wanted = matter.settings.announcements_channel
        await self._tell_club(letter, guild, [wanted, matter.game.report_channel_id], embed)

    async def _dress(self, guild: discord.Guild, wearer: RankWearer, texts: Texts) -> None:
        try:
            await self._roles.dress(guild, texts, wearer)
        except Hindered as error:
            raise Undeliverable(str(error)) from error

    async def _correction(
        self, letter: outbox.Letter, guild: discord.Guild, told: CorrectionNews, texts: Texts
    ) -> None:
        reported_in = None if told.game is None else told.game.report_channel_id
        channels = [told.settings.announcements_channel, reported_in]
        await self._tell_club(letter, guild, channels, news.correction(texts, told))

    async def _ranking(self, letter: outbox.Letter, guild: discord.Guild, day_id: int, texts: Texts) -> None:
        # What moved is worked out here, beside everything else: for a large club it takes its time.
        told = await self._store.study(days.news, guild.id, day_id)
        if told.settings.ranking_posts and told.views:
            channels = [told.settings.announcements_channel]
            await self._tell_club(letter, guild, channels, ranking_news.news(texts, told))

    async def _tell_club(
        self, letter: outbox.Letter, guild: discord.Guild, channels: Sequence[int | None], embed: discord.Embed
    ) -> None:
        """Post news in the first of these channels that is open. They wait while one is closed; where there is
        none at all, nobody is told."""
        try:
            await self._post_in_first(letter, guild, channels, embed)
        except Nowhere as error:
            log.info("Letter %s of guild %s is dropped: %s", letter.id, letter.guild_id, error)

    async def _alarm(self, letter: outbox.Letter, guild: discord.Guild, matter: Matter, texts: Texts) -> None:
        game, settings = matter.game, matter.settings
        broken = settings.approvals_channel or game.report_channel_id
        if permissions.can_post(guild, broken):
            return
        embed = news.alarm(texts, guild.name, broken, game)
        system_channel = guild.system_channel.id if guild.system_channel else None
        channels = [game.report_channel_id, settings.announcements_channel, system_channel]
        await self._to_admins(
            letter, guild, settings.admin_role, [id_ for id_ in channels if id_ != broken], embed
        )

    async def _to_admins(
        self,
        letter: outbox.Letter,
        guild: discord.Guild,
        role: int | None,
        channels: Sequence[int | None],
        embed: discord.Embed,
    ) -> None:
        """Post in the first of these channels with a ping of the admins; if none is open, write to the owner."""
        mention = None if role is None else f"<@&{role}>"
        pinged = discord.AllowedMentions(roles=[discord.Object(role)] if role else False)
        try:
            await self._post_in_first(letter, guild, channels, embed, content=mention, pinged=pinged)
        except Undeliverable:
            if guild.owner_id is None:
                raise
            try:
                await self._post_dm(letter, guild.owner_id, embed)
            except REFUSED as error:
                raise Undeliverable(str(error)) from error

    async def _tell_reporter(
        self, letter: outbox.Letter, guild: discord.Guild, game: games.GameRecord, texts: Texts
    ) -> None:
        reporter = game.reporter.discord_id
        if not reporter or game.state is not GameState.REJECTED:
            # He asked to be forgotten, or the game was reopened before this could be said.
            return
        word = news.rejection if letter.kind is outbox.Kind.REJECTION else news.rejection_reason
        embed = word(texts, guild.name, game)
        try:
            await self._post_dm(letter, reporter, embed)
        except REFUSED:
            pinged = discord.AllowedMentions(users=[discord.Object(reporter)])
            channels = [game.report_channel_id]
            await self._post_in_first(letter, guild, channels, embed, content=f"<@{reporter}>", pinged=pinged)

    async def _post_dm(self, letter: outbox.Letter, user_id: int, embed: discord.Embed) -> None:
        channel = await self._client.create_dm(discord.Object(user_id))
        await self._say(letter, channel, embed)

    async def _post_in_first(
        self,
        letter: outbox.Letter,
        guild: discord.Guild,
        channels: Sequence[int | None],
        embed: discord.Embed,
        *,
        content: str | None = None,
        pinged: discord.AllowedMentions = NOBODY,
    ) -> None:
        """Post in the first of these channels in which the bot may write. Raises Undeliverable if all are closed,
        Nowhere if there is none."""
        problem: Exception = Nowhere("there is no channel to post in")
        for channel_id in channels:
            if channel_id is None:
                continue
            try:
                await self._post(letter, guild, channel_id, embed, content=content, pinged=pinged)
            except discord.NotFound as error:
                log.info("Channel %s of guild %s is gone: %s", channel_id, guild.id, error)
            except (Undeliverable, discord.Forbidden) as error:
                problem = Undeliverable(str(error))
            else:
                return
        raise problem

    async def _post(
        self,
        letter: outbox.Letter,
        guild: discord.Guild,
        channel_id: int,
        embed: discord.Embed,
        *,
        view: discord.ui.View | None = None,
        content: str | None = None,
        pinged: discord.AllowedMentions = NOBODY,
    ) -> discord.Message:
        # Without the right to embed links Discord would take the message and drop the embed.
        if missing := permissions.missing_to_post(guild, channel_id):
            raise Undeliverable(f"missing permissions in channel {channel_id}: {', '.join(missing)}")
        return await self._say(letter, self._channel(guild, channel_id), embed, view, content, pinged)

    async def _say(
        self,
        letter: outbox.Letter,
        channel: discord.abc.Messageable,
        embed: discord.Embed,
        view: discord.ui.View | None = None,
        content: str | None = None,
        pinged: discord.AllowedMentions = NOBODY,
    ) -> discord.Message:
        if letter.kind is not outbox.Kind.CARD:
            # With it the post can be told from every other, also in a chat that two clubs share.
            embed.timestamp = datetime.fromtimestamp(letter.created_at, UTC)
        if letter.attempts > 1 and (said := await self._find(letter, channel, embed)):
            return await said.edit(content=content, embed=embed, view=view)
        nonce = f"{letter.created_at:x}-{letter.id}"
        if view is None:
            return await channel.send(content, embed=embed, nonce=nonce, allowed_mentions=pinged)
        return await channel.send(content, embed=embed, view=view, nonce=nonce, allowed_mentions=pinged)

    async def _find(
        self, letter: outbox.Letter, channel: discord.abc.Messageable, embed: discord.Embed
    ) -> discord.Message | None:
        """The post of an earlier try whose outcome is not known, by the mark in its footer."""
        since = discord.utils.time_snowflake(datetime.fromtimestamp(letter.created_at - CLOCK_SLACK, UTC))
        me = self._client.user
        try:
            async for message in channel.history(limit=200, after=discord.Object(since), oldest_first=True):
                mine = me is not None and message.author.id == me.id
                if mine and any(_same_post(letter, old, embed) for old in message.embeds):
                    return message
        except (discord.Forbidden, discord.NotFound):
            return None
        return None

    async def sound_alarm(self, guild_id: int, channel_id: int, game_id: int) -> None:
        """See to it that the admins learn, once, that the bot cannot write in a channel."""
        await self._store.write(outbox.raise_alarm, guild_id, channel_id, game_id, int(time.time()))

    def _channel(self, guild: discord.Guild, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild.id)


def _same_post(letter: outbox.Letter, old: discord.Embed, new: discord.Embed) -> bool:
    """Whether an embed in a channel is what an earlier try posted; the title of a card changes with the game."""
    if old.footer.text != new.footer.text:
        return False
    return letter.kind is outbox.Kind.CARD or (old.title, old.timestamp) == (new.title, new.timestamp)


def _hung(connection: sa.Connection, game: games.GameRecord, channel_id: int, message_id: int, old: bool) -> bool:
    """Remember the card of a game as it was drawn; True if it tells, or may have told (`old`), another game than
    the ledger by now. Then it is replaced before reactions to it can count."""
    # A correction of the game may be on its way: whichever comes second has to see the first.
    club.hold(connection, game.guild_id)
    now = games.by_id(connection, game.guild_id, game.id)
    stale = now.state is GameState.PENDING and (old or (now.facts, now.note) != (game.facts, game.note))
    cards.hang(connection, game.guild_id, game.id, channel_id, message_id, stale=stale)
    outbox.forget_alarm(connection, game.guild_id, channel_id)
    # Others that tell the same link to it, where it hangs.
    drawn = twins.naming(connection, game.id)
    drawn += [game.id] if stale or now.twin != game.twin else []
    outbox.enqueue(connection, game.guild_id, outbox.Kind.CARD, drawn, int(time.time()))
    return stale
