"""The approval desk: reactions on cards become decisions, seen live or found after being away.

- ✅ or ❌ by somebody who may decide at that moment: the game is decided, once, whoever comes first.
- ✅ or ❌ by anybody else on an undecided card: the reaction is taken away, with a short note that vanishes.
- Any other emoji, any other message, the bot's own reactions: left alone.
- A card deleted before the decision comes again; a decided game's card may go.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import discord
import sqlalchemy as sa

from bot import permissions
from bot.catch_up import CatchUp
from bot.letters import APPROVE, REJECT, Postman
from bot.outbox import OutboxWorker
from bot.people import person
from bot.texts import texts_for
from ratings import club, ledger
from ratings.models import GameState, Person, Verdict
from ratings.queries import games
from ratings.settings import ClubSettings
from ratings.store import Store, cards

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["Desk"]

log = logging.getLogger(__name__)

VERDICTS = {APPROVE: Verdict.APPROVE, REJECT: Verdict.REJECT}
NOTE_SECONDS = 12


class Desk:
    """Decides games by reaction."""

    def __init__(self, client: Tenbou, store: Store, postman: Postman, worker: OutboxWorker) -> None:
        self._client = client
        self._store = store
        self._postman = postman
        self._worker = worker
        self.catch_up = CatchUp(store, self.review, backoff=client.config.outbox_backoff)

    async def reaction(self, payload: discord.RawReactionActionEvent) -> None:
        """A reaction was added somewhere."""
        verdict = _verdict(payload.emoji)
        me = self._client.user
        if verdict is None or payload.guild_id is None or me is None or payload.user_id == me.id:
            return
        try:
            await self._decide_by(payload, payload.guild_id, verdict)
        except Exception:
            # The reaction stays on the card: looking at it again takes nothing but time.
            log.exception("A reaction could not be dealt with; its card is looked at again.")
            self.catch_up.at(games.Card(payload.guild_id, payload.channel_id, payload.message_id))

    async def _decide_by(self, payload: discord.RawReactionActionEvent, guild_id: int, verdict: Verdict) -> None:
        found = await self._card(guild_id, payload.channel_id, payload.message_id)
        if found is None:
            return
        guild = self._guild(guild_id)
        member = payload.member or await _fetch_member(guild, payload.user_id)
        if member is not None and not member.bot:
            await self._judge(guild, *found, member, payload.emoji, verdict)

    async def decide(
        self, member: discord.Member, game_id: int, verdict: Verdict, reason: str | None = None
    ) -> ledger.Decision:
        """Decide a game in the name of a member whose right has been checked just now. Raises Refused."""
        guild_id, now, lease = member.guild.id, int(time.time()), self._worker.lease
        decision = await self._store.write(
            ledger.decide, guild_id, game_id, verdict, person(member), now, reason, lease
        )
        self._worker.hand_over(decision.letters, decision.matter)
        return decision

    async def _decide_card(self, member: discord.Member, card: games.Card, verdict: Verdict) -> None:
        """Decide the game that a card shows, if it still shows it at the moment of the decision."""
        guild_id, now, lease = member.guild.id, int(time.time()), self._worker.lease
        decision = await self._store.write(
            _decide_card, guild_id, card.message_id, verdict, person(member), now, lease
        )
        if decision is not None:
            self._worker.hand_over(decision.letters, decision.matter)

    async def deleted(self, guild_id: int | None, message_ids: Iterable[int]) -> None:
        """Messages were deleted: undecided games among them get a new card."""
        if guild_id is None:
            return
        for message_id in await self._store.read(games.cards_among, guild_id, list(message_ids)):
            if await self._store.write(cards.take_down, guild_id, message_id, int(time.time())):
                self._worker.wake()

    async def channel_deleted(self, guild_id: int, channel_id: int) -> None:
        """A channel was deleted: undecided games whose cards hung there get new ones elsewhere, or an alarm."""
        await self.deleted(guild_id, await self._store.read(games.cards_in, guild_id, channel_id))

    async def review(self, card: games.Card) -> None:
        """Decide a game by the reactions that are on its card now.

        Raises what discord.py and the network raise, and ClientException while the guild cannot be seen.
        """
        found = await self._card(card.guild_id, card.channel_id, card.message_id)
        if found is None or found[0].state is not GameState.PENDING or self._client.has_left(card.guild_id):
            return
        guild = self._guild(card.guild_id)
        channel = self._client.get_partial_messageable(card.channel_id, guild_id=guild.id)
        try:
            message = await channel.fetch_message(card.message_id)
        except discord.NotFound:
            await self.deleted(guild.id, [card.message_id])
            return
        except discord.Forbidden:
            await self._postman.sound_alarm(guild.id, card.channel_id, found[0].game_id)
            self._worker.wake()
            return
        # Of a ✅ and an ❌ nobody can say which came first; the rejection can be taken back more easily.
        for wanted in (Verdict.REJECT, Verdict.APPROVE):
            for reaction in message.reactions:
                if _verdict(_partial(reaction.emoji)) is wanted:
                    await self._review_reaction(guild, card, reaction, wanted)

    async def _review_reaction(
        self, guild: discord.Guild, card: games.Card, reaction: discord.Reaction, verdict: Verdict
    ) -> None:
        me = self._client.user
        for kind in discord.ReactionType:
            if not (reaction.burst_count if kind is discord.ReactionType.burst else reaction.normal_count):
                continue
            async for user in reaction.users(type=kind):
                found = await self._card(card.guild_id, card.channel_id, card.message_id)
                if found is None or found[0].state is not GameState.PENDING:
                    return
                if user.bot or (me is not None and user.id == me.id):
                    continue
                member = await _fetch_member(guild, user.id)
                if member is not None:
                    await self._judge(guild, *found, member, _partial(reaction.emoji), verdict)

    async def _judge(
        self,
        guild: discord.Guild,
        carded: games.Carded,
        settings: ClubSettings,
        member: discord.Member,
        emoji: discord.PartialEmoji,
        verdict: Verdict,
    ) -> None:
        if carded.state is not GameState.PENDING:
            return
        if permissions.is_admin(member, settings):
            await self._decide_card(member, carded.card, verdict)
            return
        channel = self._client.get_partial_messageable(carded.card.channel_id, guild_id=guild.id)
        texts = texts_for(guild.preferred_locale)
        try:
            await channel.get_partial_message(carded.card.message_id).remove_reaction(emoji, member)
            await channel.send(
                texts.gettext(
                    "{member}, only admins can approve or reject game #{number}, so I took your {emoji} away.",
                    member=member.mention,
                    number=carded.number,
                    emoji=str(emoji),
                ),
                delete_after=NOTE_SECONDS,
            )
        except discord.HTTPException as error:
            log.warning("A stray reaction on game %s could not be taken away: %s", carded.game_id, error)

    def _guild(self, guild_id: int) -> discord.Guild:
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise discord.ClientException("the guild cannot be seen yet")
        return guild

    async def _card(
        self, guild_id: int, channel_id: int, message_id: int
    ) -> tuple[games.Carded, ClubSettings] | None:
        found = await self._store.read(_carded, guild_id, message_id)
        if found is None:
            # The card may be so new that it is not written down yet.
            await self._postman.settled(channel_id)
            found = await self._store.read(_carded, guild_id, message_id)
        return found


def _carded(connection: sa.Connection, guild_id: int, message_id: int) -> tuple[games.Carded, ClubSettings] | None:
    carded = games.by_card(connection, guild_id, message_id)
    return None if carded is None else (carded, club.settings(connection, guild_id))


def _decide_card(
    connection: sa.Connection,
    guild_id: int,
    message_id: int,
    verdict: Verdict,
    by: Person,
    now: int,
    lease: float,
) -> ledger.Decision | None:
    """Decide a game by its card; None when the game was told anew since, which the reaction does not mean."""
    club.hold(connection, guild_id)
    carded = games.by_card(connection, guild_id, message_id)
    if carded is None:
        return None
    return ledger.decide(connection, guild_id, carded.game_id, verdict, by, now, None, lease)


def _verdict(emoji: discord.PartialEmoji) -> Verdict | None:
    """What an emoji asks for. Some keyboards add a variation selector that changes nothing for the eye."""
    if emoji.is_custom_emoji():
        return None
    return VERDICTS.get(emoji.name.replace("\ufe0f", ""))


def _partial(emoji: discord.PartialEmoji | discord.Emoji | str) -> discord.PartialEmoji:
    if isinstance(emoji, str):
        return discord.PartialEmoji(name=emoji)
    return discord.PartialEmoji(name=emoji.name, id=emoji.id)


async def _fetch_member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    """The member as he is now; None when he has left."""
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound:
        return None
