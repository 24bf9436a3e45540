"""A game log becomes a report: it is fetched and read, whoever sat at the table is found or asked for.

What waits for an answer lives in memory only. After a restart the menus say so, and nothing has happened.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import aiohttp
import discord
import sqlalchemy as sa

from bot import permissions
from bot.answers import answer, answering
from bot.log_menus import Draft, controls
from bot.people import Problem, home, person
from bot.render import accounts as account_drawing
from bot.render import logs as drawing
from bot.texts import Texts, texts_for
from bot.waiting import WaitingRoom
from ratings import club, ledger
from ratings.logs import LARGEST_FILE, GameLog, LogFormat, LogProblem, LogRefused, read_log
from ratings.logs.logid import find_log_id
from ratings.models import Person, Report, Site
from ratings.settings import ClubSettings

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["LogReports"]

# Seconds that Discord may take to hand over a file, and that reading one may take.
PATIENCE = 30
READING = 10


@dataclass(frozen=True, slots=True)
class Submitted:
    """A log that was written down, with the accounts that were linked or claimed by the way."""

    match: ledger.LogMatch
    linked: tuple[tuple[Person, str], ...]
    claims: tuple[ledger.Claim, ...]


class LogReports:
    """The logs that wait for names, and the way from a file to a report."""

    def __init__(self, client: Tenbou) -> None:
        self._client = client
        self._waiting = WaitingRoom[Draft]()

    async def take(
        self, interaction: discord.Interaction[Any], file: discord.Attachment, link: str | None, ranked: bool
    ) -> None:
        """Read a log and submit its game, or ask who sat at its table. Raises Refused or Problem."""
        texts = texts_for(interaction.locale)

        async def work() -> tuple[Draft, discord.Embed]:
            draft = await self._draft(texts, interaction, file, link, ranked)
            if draft.open:
                return draft, _embed(texts, draft)
            return draft, await self._submit(texts, interaction, draft)

        draft, embed = await answering(interaction, work())
        if not draft.open:
            await answer(interaction, embed=embed)
            return
        key = self._waiting.admit(draft)
        await answer(interaction, embed=embed, view=controls(texts, key, draft))

    async def choose(self, interaction: discord.Interaction[Any], key: str, seat: int, chosen: Person) -> None:
        """Note who sat in a seat."""
        texts, draft = texts_for(interaction.locale), await self._known(interaction, key)
        warning = drawing.bot_chosen(texts, chosen.name) if chosen.is_bot else None
        draft.people[seat] = None if chosen.is_bot else chosen
        await self._redraw(interaction, key, draft, warning)

    async def toggle(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Change whether the names are linked as accounts."""
        draft = await self._known(interaction, key)
        draft.link = not draft.link
        await self._redraw(interaction, key, draft)

    async def submit(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Submit the game as it has been filled in. Raises Refused; then the menus stay as they are."""
        texts, draft = texts_for(interaction.locale), await self._known(interaction, key)
        if None in draft.people:
            raise Problem(texts.gettext("Somebody is not chosen yet. Nothing was written down."))
        with self._waiting.called(key) as taken:
            if taken is None:
                raise _unknown(texts)
            await interaction.response.defer()
            embed = await self._submit(texts, interaction, taken)
        await interaction.edit_original_response(content=None, embed=embed, view=None)

    async def leave(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Drop the log; nothing happens."""
        await self._known(interaction, key)
        texts = texts_for(interaction.locale)
        with self._waiting.called(key) as draft:
            if draft is None:
                raise _unknown(texts)
            told = texts.gettext("Nothing was written down.")
            await interaction.response.edit_message(content=told, embed=None, view=None)

    async def _known(self, interaction: discord.Interaction[Any], key: str) -> Draft:
        draft = await self._waiting.find(key)
        if draft is not None and draft.asked_by == interaction.user.id:
            return draft
        raise _unknown(texts_for(interaction.locale))

    async def _redraw(
        self, interaction: discord.Interaction[Any], key: str, draft: Draft, warning: str | None = None
    ) -> None:
        texts = texts_for(interaction.locale)
        await interaction.response.edit_message(
            content=warning, embed=_embed(texts, draft), view=controls(texts, key, draft)
        )

    async def _draft(
        self,
        texts: Texts,
        interaction: discord.Interaction[Any],
        file: discord.Attachment,
        link: str | None,
        ranked: bool,
    ) -> Draft:
        zone, now = (await self._client.settings(home(interaction))).zone, int(time.time())
        log = await _read(texts, file, link, zone)
        if log.format is LogFormat.MAHJONG_SOUL and log.played_at is not None and log.played_at > now:
            # Its export has the clock of another time zone, or the day alone.
            log = replace(log, played_at=now)
        if ledger.against_computers(log):
            raise Problem(drawing.against_computers(texts))
        people, settings = await self._client.store.read(_survey, home(interaction), log)
        if sum(seat.final_score for seat in log.seats) != settings.start_score(log.players) * log.players:
            raise Problem(drawing.other_start(texts, log, settings))
        missing = tuple(seat for seat, someone in enumerate(people) if someone is None)
        return Draft(
            guild_id=home(interaction),
            asked_by=interaction.user.id,
            channel_id=interaction.channel_id or 0,
            interaction_id=interaction.id,
            log=log,
            ranked=ranked,
            people=people,
            settings=settings,
            open=missing,
            linkable=_linkable(log, missing),
        )

    async def _submit(self, texts: Texts, interaction: discord.Interaction[Any], draft: Draft) -> discord.Embed:
        worker, now, by = self._client.worker, int(time.time()), interaction.user
        settings = await self._client.settings(draft.guild_id)
        is_admin = isinstance(by, discord.Member) and permissions.is_admin(by, settings)
        links, report = draft.links(by, is_admin), draft.report(person(by), now)
        done = await self._client.store.write(
            _write, draft.guild_id, draft.log, report, links, now, worker.lease, is_admin
        )
        submission = done.match.submission
        worker.hand_over(submission.letters, submission.matter)
        linked = _told(texts, draft.log, done, is_admin)
        if done.match.attached:
            return drawing.attached(texts, submission, linked)
        wanted = submission.matter.settings.approvals_channel or submission.game.report_channel_id
        reachable = interaction.guild is not None and permissions.can_post(interaction.guild, wanted)
        return drawing.reported(texts, submission, draft.log, draft.ranked, reachable, linked)


def _unknown(texts: Texts) -> Problem:
    return Problem(
        texts.gettext(
            "I no longer know this log: it was submitted, dropped, or I was restarted. /games list shows what was "
            "reported; if the game is not there, please give /report log again."
        )
    )


async def _read(texts: Texts, file: discord.Attachment, link: str | None, zone: ZoneInfo) -> GameLog:
    """The game in a file, whose times are of this `zone` where they name none. Raises Problem."""
    link = (link or "").strip()
    try:
        if file.size > LARGEST_FILE:
            raise LogRefused(LogProblem.TOO_LARGE, limit=LARGEST_FILE)
        async with asyncio.timeout(PATIENCE):
            data = await file.read()
        async with asyncio.timeout(READING):
            log = await asyncio.to_thread(read_log, data, link or file.filename, zone)
    except LogRefused as refused:
        raise Problem(drawing.problem(texts, refused)) from None
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        raise Problem(
            texts.gettext("I did not get the file, or not to its end. Nothing was written down; please try again.")
        ) from None
    if link and log.format is not LogFormat.MAHJONG_SOUL and find_log_id(link) is None:
        raise Problem(drawing.bad_link(texts, link))
    return log


def _survey(connection: sa.Connection, guild_id: int, log: GameLog) -> tuple[list[Person | None], ClubSettings]:
    """Whoever is known at the table, and the club's settings. Raises Refused (LOG_KNOWN)."""
    ledger.refuse_known(connection, guild_id, log.fingerprint, log.log_id)
    return ledger.match_names(connection, guild_id, log), club.settings(connection, guild_id)


def _linkable(log: GameLog, seats: Sequence[int]) -> frozenset[int]:
    """The seats of these whose names can be somebody's accounts."""
    names = [seat.name for seat in log.seats]
    found = set()
    for seat in seats:
        try:
            ledger.account_name(ledger.site_of(log), names[seat])
        except ledger.BadAccount:
            continue
        if names.count(names[seat]) == 1:
            found.add(seat)
    return frozenset(found)


def _write(
    connection: sa.Connection,
    guild_id: int,
    log: GameLog,
    report: Report,
    links: Sequence[tuple[Person, str]],
    now: int,
    lease: float,
    is_admin: bool,
) -> Submitted:
    """Write the log down and link the names, all or nothing."""
    match = ledger.submit_log(connection, guild_id, log, report, now, lease, is_admin)
    site, linked, claims = ledger.site_of(log), [], []
    for who, name in links:
        (record,) = club.player_ids(connection, guild_id, [who])
        claim = ledger.link_account(connection, guild_id, record, site, name, report.reporter, now)
        if claim is None:
            linked.append((who, name))
        else:
            claims.append(claim)
    return Submitted(match, tuple(linked), tuple(claims))


def _told(texts: Texts, log: GameLog, done: Submitted, is_admin: bool) -> list[str]:
    site: Site = ledger.site_of(log)
    linked = [account_drawing.linked(texts, site, name, who.name) for who, name in done.linked]
    return linked + [account_drawing.claimed(texts, site, claim, is_admin) for claim in done.claims]


def _embed(texts: Texts, draft: Draft) -> discord.Embed:
    ranked = draft.ranked and draft.log.ranked
    return drawing.question(texts, draft.log, draft.people, draft.settings, ranked, bool(draft.linkable))
