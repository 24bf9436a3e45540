"""Tournaments as files on Discord: fetching one, finding out who its rows are, importing it, and exporting it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import sqlalchemy as sa

from bot.people import Problem, person
from bot.render.tournament_files import Rejected
from bot.texts import Texts
from ratings.models import Person, Refusal, Refused
from ratings.queries.people import mentioned
from ratings.resultsfile import LARGEST_FILE, BadResults, ProblemKind, ResultRow, ResultsFile, read_results
from ratings.resultsfile import Problem as RowProblem
from ratings.settings import ClubSettings
from ratings.tournaments import ledger, players, readers
from ratings.tournaments.aftermath import carry_out
from ratings.tournaments.checks import vet
from ratings.tournaments.entrants import Entrants, identify
from ratings.tournaments.names import key_of
from ratings.tournaments.records import Details, Doubt, DoubtKind

if TYPE_CHECKING:
    from bot.client import Tenbou

__all__ = ["Import", "NotImported", "export_rows", "import_file", "member_of", "new_details"]

# Seconds that Discord may take to hand over a file, and reading it.
PATIENCE = 30
# Accounts unknown to the club that are looked up for one file.
MOST_STRANGERS = 100


class NotImported(Exception):
    """A file was not imported, and nothing was written."""

    def __init__(self, rejected: Rejected) -> None:
        super().__init__(f"{len(rejected.troubles)} problems")
        self.rejected = rejected


@dataclass(frozen=True, slots=True)
class Import:
    """What an import did; `between` are the newest changes of tournaments before and after it."""

    done: ledger.Imported
    file: ResultsFile
    between: tuple[int, int]


def new_details(settings: ClubSettings, facts: Mapping[str, Any], participants: int) -> Details:
    """A new tournament: what was said of it, and what is to be assumed of the rest.

    Nothing being said, it was in the home country, and its first stage, if it had stages, had everybody.
    """
    stages = facts.get("stages", ())
    assumed = {
        "country": settings.home_country,
        "participants": stages[0].participants if stages else participants,
    }
    return Details(**{**assumed, **facts})


async def import_file(
    bot: Tenbou,
    texts: Texts,
    member: discord.Member,
    file: discord.Attachment,
    facts: Mapping[str, Any],
    new_players: bool,
) -> Import:
    """Write down the tournament with all results of a file. Raises NotImported, Refused or Problem."""
    guild, now = member.guild, int(time.time())
    settings = await bot.settings(guild.id)
    # How many took part is seen when the file is read.
    told = new_details(settings, facts, 0)
    if file.size > LARGEST_FILE:
        raise NotImported(Rejected((RowProblem(None, ProblemKind.TOO_LARGE),), told))
    data = await _fetched(texts, file)
    try:
        read = await _read(texts, data, told.participants)
    except BadResults as bad:
        others = await _doubts_of_bad(bot, guild.id, bad, new_players)
        raise NotImported(Rejected((*bad.problems, *others), told, sheet=bad.sheet)) from None
    details = new_details(settings, facts, len(read.rows))
    await bot.store.read(vet, guild.id, details, len(read.rows), now)
    members, strangers = await _members(bot, texts, guild, read.rows)
    missing = {doubt.row for doubt in strangers}
    rows = [row for row in read.rows if row.row not in missing]
    entrants = await bot.store.study(identify, guild.id, rows, members, new_players)
    if doubts := (*strangers, *entrants.doubts):
        raise NotImported(Rejected(doubts, details, len(read.rows), read.sheet))

    def work(connection: sa.Connection) -> ledger.Imported:
        return ledger.import_results(
            connection, guild.id, details, read.rows, person(member), now, new_players=new_players, members=members
        )

    try:
        done, between = await bot.store.rewrite(carry_out, guild.id, now, work)
    except Refused as refused:
        if refused.refusal is not Refusal.UNKNOWN_NAMES:
            raise
        # Somebody changed a name at this very moment.
        late = refused.values["doubts"]
        raise NotImported(Rejected(late, details, len(read.rows), read.sheet)) from None
    return Import(done, read, between)


async def _fetched(texts: Texts, file: discord.Attachment) -> bytes:
    try:
        async with asyncio.timeout(PATIENCE):
            return await file.read()
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        raise Problem(
            texts.gettext("Discord did not give me the file. Nothing was changed; please send it again.")
        ) from None


async def _read(texts: Texts, data: bytes, participants: int) -> ResultsFile:
    """What a file says; `participants` are those who were told of, or 0. Raises BadResults, or Problem if it takes
    too long."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.to_thread(read_results, data, participants)
    except TimeoutError:
        raise Problem(
            texts.gettext(
                "I could not read the file in {number} seconds, so nothing was changed. Copy the results into a "
                "new file and send that one.",
                number=PATIENCE,
            )
        ) from None


async def _doubts_of_bad(bot: Tenbou, guild_id: int, bad: BadResults, new_players: bool) -> list[Doubt]:
    """Whom nobody knows in a file that is not taken anyway, so that all of it can be corrected at once."""
    entrants: Entrants = await bot.store.study(identify, guild_id, bad.players, {}, new_players)
    return [doubt for doubt in entrants.doubts if doubt.kind in (DoubtKind.UNKNOWN, DoubtKind.SEVERAL)]


async def _members(
    bot: Tenbou, texts: Texts, guild: discord.Guild, rows: Sequence[ResultRow]
) -> tuple[dict[int, Person], list[Doubt]]:
    """The members that rows (by number) name, and the rows whose member is nobody or a bot."""
    members: dict[int, Person] = {}
    doubts = []
    naming = [(row.row, row.discord) for row in rows if row.discord]
    by_id, by_name = await bot.store.read(_acquaintances, guild.id) if naming else ({}, {})
    strange = {each for _, text in naming if (each := mentioned(text)) is not None and each not in by_id}
    if len(strange) > MOST_STRANGERS:
        told = texts.gettext(
            "The file names {number} Discord accounts that this club does not know yet, and I look up at most "
            "{most} at once. Leave some of the cells empty; /players link binds those players to their accounts "
            "later. Nothing was changed.",
            number=len(strange),
            most=MOST_STRANGERS,
        )
        raise Problem(told)
    fetched = {discord_id: await member_of(texts, guild, discord_id) for discord_id in sorted(strange)}
    for row, text in naming:
        discord_id = mentioned(text)
        if discord_id is None:
            found = by_name.get(key_of(text.removeprefix("@")))
        else:
            found = by_id.get(discord_id) or fetched[discord_id]
        if found is None or found.is_bot:
            doubts.append(Doubt(row, DoubtKind.BOT if found else DoubtKind.NO_MEMBER, text))
        else:
            members[row] = found
    return members, doubts


async def member_of(texts: Texts, guild: discord.Guild, discord_id: int) -> Person | None:
    """A member of the server; None if there is none with this id. Raises Problem if Discord does not say."""
    try:
        async with asyncio.timeout(PATIENCE):
            return person(guild.get_member(discord_id) or await guild.fetch_member(discord_id))
    except discord.NotFound:
        return None
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        raise Problem(
            texts.gettext("Discord did not tell me who the members are. Nothing was changed; please try again.")
        ) from None


def _acquaintances(connection: sa.Connection, guild_id: int) -> tuple[dict[int, Person], dict[str, Person]]:
    """The people with an account whom the club knows, by Discord id and by name."""
    known = players.directory(connection, guild_id)
    by_id = {discord_id: Person(discord_id, known.names[record]) for discord_id, record in known.accounts.items()}
    by_record = {record: by_id[discord_id] for discord_id, record in known.accounts.items()}
    by_name = {key: by_record[record] for key, record in known.players.items() if record in by_record}
    return by_id, by_name


def export_rows(
    connection: sa.Connection, guild_id: int, number: int, texts: Texts
) -> tuple[readers.TournamentRecord, list[ResultRow]]:
    """A tournament, and its results as rows of a file under names that mean these players.

    Raises Refused (UNKNOWN_TOURNAMENT).
    """
    record = readers.record(connection, guild_id, number)
    known = players.directory(connection, guild_id)
    unmistakable: dict[int, str] = {}
    for key, player_id in known.players.items():
        unmistakable.setdefault(player_id, known.shown[key])
    rows = []
    for shown in record.lines:
        name = shown.name
        if known.players.get(key_of(name)) != shown.player_id:
            name = unmistakable.get(shown.player_id, name)
        rows.append(
            ResultRow(
                row=0,
                place=shown.line.place,
                player=name or texts.gettext("former player {number}", number=shown.player_id),
                country=None if shown.country_is_assumed else shown.country,
                ema_number=shown.ema_number,
                games=shown.line.games,
                score=None if shown.line.score is None else Decimal(shown.line.score),
                replacement=shown.line.replacement,
                discord=None if shown.discord_id is None else str(shown.discord_id),
            )
        )
    return record, rows
