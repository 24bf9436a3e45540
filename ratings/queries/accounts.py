"""Who has which account on other sites, who claimed somebody else's, and who is banned from the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Site
from ratings.queries.people import records_of
from ratings.settings import ClubSettings
from ratings.store.tables import account_claims, accounts, ladder_bans, players

__all__ = [
    "Account",
    "AccountPage",
    "Ban",
    "BanPage",
    "ClaimNews",
    "accounts_of",
    "bans",
    "bindings",
    "claim_news",
]


@dataclass(frozen=True, slots=True)
class Account:
    """An account that is bound to somebody: since when (seconds UTC), and by whom (name as last seen)."""

    site: Site
    name: str
    holder: Person
    linked_at: int
    linked_by: str


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The accounts of page `number` (from 0) of `pages`; `total` counts them all."""

    accounts: tuple[Account, ...]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class ClaimNews:
    """Somebody claimed an account that is bound to somebody else: all that the admins are told of it."""

    id: int
    site: Site
    account: str
    holder: Person
    linked_at: int
    claimant: Person
    claimed_at: int
    settings: ClubSettings


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban from the ladder, with who spoke and who lifted it (names as last seen). Moments are seconds UTC;
    `until` is None for one that does not end by itself, `lifted_at` for one that nobody lifted."""

    person: Person
    reason: str
    by: str
    at: int
    until: int | None
    lifted_by: str | None
    lifted_at: int | None

    def in_force(self, now: int) -> bool:
        """Whether it holds at this moment."""
        return self.lifted_at is None and (self.until is None or self.until > now)


@dataclass(frozen=True, slots=True)
class BanPage:
    """The bans of page `number` (from 0) of `pages`, those in force first, then the newest; `holding` of the
    `total` are in force. `settings` are the club's now."""

    bans: tuple[Ban, ...]
    number: int
    pages: int
    total: int
    holding: int
    settings: ClubSettings


_own, _person, _author = players.alias("own"), players.alias("person"), players.alias("author")
_lifter, _claimant = players.alias("lifter"), players.alias("claimant")
_COUNTED = _person.c.id == sa.func.coalesce(_own.c.merged_into, _own.c.id)
_ACCOUNTS = (
    sa.select(
        accounts.c.site,
        accounts.c.name,
        accounts.c.linked_at,
        _person.c.discord_id,
        _person.c.name.label("holder"),
        _author.c.name.label("author"),
    )
    .join(_own, _own.c.id == accounts.c.player_id)
    .join(_person, _COUNTED)
    .join(_author, _author.c.id == accounts.c.linked_by)
    .where(accounts.c.unlinked_at.is_(None))
)


def accounts_of(connection: sa.Connection, guild_id: int, discord_id: int) -> list[Account]:
    """The accounts that are bound to a member, by site and name."""
    mine = accounts.c.player_id.in_(records_of(guild_id, discord_id))
    query = _ACCOUNTS.where(mine).order_by(accounts.c.site.desc(), accounts.c.name)
    return [_account(row) for row in connection.execute(query)]


def bindings(connection: sa.Connection, guild_id: int, number: int, size: int) -> AccountPage:
    """Page `number` (from 0) of all accounts that are bound in a club, by holder. Past the end, the last page."""
    bound = (accounts.c.guild_id == guild_id, accounts.c.unlinked_at.is_(None))
    total = connection.execute(sa.select(sa.func.count()).select_from(accounts).where(*bound)).scalar_one()
    number, pages = _page(number, total, size)
    query = _ACCOUNTS.where(accounts.c.guild_id == guild_id).order_by(
        sa.func.lower(_person.c.name), _person.c.id, accounts.c.site.desc(), accounts.c.name
    )
    rows = connection.execute(query.offset(number * size).limit(size))
    return AccountPage(tuple(_account(row) for row in rows), number, pages, total)


def claim_news(connection: sa.Connection, guild_id: int, claim_id: int) -> ClaimNews:
    """A claim of an account that was bound to somebody else."""
    row = connection.execute(
        sa.select(
            accounts.c.site,
            accounts.c.name,
            accounts.c.linked_at,
            account_claims.c.claimed_at,
            _person.c.discord_id,
            _person.c.name.label("holder"),
            _claimant.c.discord_id.label("claimant_id"),
            _claimant.c.name.label("claimant"),
        )
        .select_from(account_claims)
        .join(accounts, accounts.c.id == account_claims.c.account_id)
        .join(_own, _own.c.id == accounts.c.player_id)
        .join(_person, _COUNTED)
        .join(_claimant, _claimant.c.id == account_claims.c.claimed_by)
        .where(account_claims.c.guild_id == guild_id, account_claims.c.id == claim_id)
    ).one()
    return ClaimNews(
        id=claim_id,
        site=Site(row.site),
        account=row.name,
        holder=Person(row.discord_id or 0, row.holder),
        linked_at=row.linked_at,
        claimant=Person(row.claimant_id or 0, row.claimant),
        claimed_at=row.claimed_at,
        settings=club.settings(connection, guild_id),
    )


def bans(connection: sa.Connection, guild_id: int, number: int, size: int, now: int) -> BanPage:
    """Page `number` (from 0) of all bans there were in a club. Past the end, the last page."""
    over = sa.or_(ladder_bans.c.lifted_at.is_not(None), ladder_bans.c.until <= now)
    ended = sa.case((over, 1), else_=0)
    counts = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(1 - ended), 0))
    total, holding = connection.execute(counts.where(ladder_bans.c.guild_id == guild_id)).one()
    number, pages = _page(number, total, size)
    query = (
        sa.select(
            ladder_bans,
            _person.c.discord_id,
            _person.c.name,
            _author.c.name.label("author"),
            _lifter.c.name.label("lifter"),
        )
        .join(_own, _own.c.id == ladder_bans.c.player_id)
        .join(_person, _COUNTED)
        .join(_author, _author.c.id == ladder_bans.c.banned_by)
        .outerjoin(_lifter, _lifter.c.id == ladder_bans.c.lifted_by)
        .where(ladder_bans.c.guild_id == guild_id)
        .order_by(ended, ladder_bans.c.id.desc())
    )
    rows = connection.execute(query.offset(number * size).limit(size))
    found = tuple(_ban(row) for row in rows)
    return BanPage(found, number, pages, total, int(holding), club.settings(connection, guild_id))


def _page(number: int, total: int, size: int) -> tuple[int, int]:
    """The page there is for the one that is wanted, and how many there are."""
    pages = max(1, -(-total // size))
    return min(number, pages - 1), pages


def _account(row: Any) -> Account:
    holder = Person(row.discord_id or 0, row.holder)
    return Account(Site(row.site), row.name, holder, row.linked_at, row.author)


def _ban(row: Any) -> Ban:
    person = Person(row.discord_id or 0, row.name)
    return Ban(person, row.reason, row.author, row.banned_at, row.until, row.lifter, row.lifted_at)
