"""Accounts on Tenhou and Mahjong Soul: an account is one player's alone (seed 003, "Account sharing policy")."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from ratings import club
from ratings.models import Person, Refusal, Refused, Site
from ratings.queries.people import records_counting_as
from ratings.store import outbox
from ratings.store.tables import account_claims, accounts, players

__all__ = [
    "LONGEST_ACCOUNT",
    "AccountFault",
    "BadAccount",
    "Claim",
    "account_name",
    "is_computer",
    "link_account",
    "name_in_log",
    "record_of",
    "unlink_account",
]

LONGEST_ACCOUNT = {Site.TENHOU: 8, Site.MAHJONG_SOUL: 40}  # characters

# Names that many go by, as they are compared when nothing is made of full width or letter case.
_GUESTS = {Site.TENHOU: {"noname", "ゲスト"}, Site.MAHJONG_SOUL: set[str]()}
_COMPUTERS = {Site.TENHOU: {"cpu"}, Site.MAHJONG_SOUL: {"ai"}}


class AccountFault(StrEnum):
    """Why nobody can have an account of that name."""

    EMPTY = "empty"
    LONG = "long"
    UNPRINTABLE = "unprintable"
    GUEST = "guest"
    COMPUTER = "computer"


class BadAccount(ValueError):
    """A name that cannot be the name of one player's account on `site`; `name` is as it was compared."""

    def __init__(self, fault: AccountFault, site: Site, name: str) -> None:
        super().__init__(f"{name!r} is no account on {site}: {fault}")
        self.fault = fault
        self.site = site
        self.name = name


@dataclass(frozen=True, slots=True)
class Claim:
    """An account that is another player's was wanted for somebody; `holder` is the name of the former. The `id` is
    that of what the admins are told, None if one of them wanted it for somebody else and so knows."""

    id: int | None
    site: Site
    account: str
    holder: str


def name_in_log(text: str) -> str:
    """An account's name as it is compared: composed, without spaces around it. Sites tell letter cases apart."""
    return unicodedata.normalize("NFC", text.strip())


def account_name(site: Site, text: str) -> str:
    """The name as it is compared. Raises BadAccount for one that no account of one player has: nothing, more
    than the site allows, what cannot be printed, and the names of guests and of computer players."""
    name = name_in_log(text)
    everywhere = unicodedata.normalize("NFKC", name).casefold()
    fault = None
    if not name:
        fault = AccountFault.EMPTY
    elif len(name) > LONGEST_ACCOUNT[site]:
        fault = AccountFault.LONG
    elif any(unicodedata.category(character) in ("Cc", "Co", "Cs", "Zl", "Zp") for character in name):
        fault = AccountFault.UNPRINTABLE
    elif everywhere in _GUESTS[site]:
        fault = AccountFault.GUEST
    elif everywhere in _COMPUTERS[site]:
        fault = AccountFault.COMPUTER
    if fault is not None:
        raise BadAccount(fault, site, name)
    return name


def is_computer(site: Site, text: str) -> bool:
    """Whether computer players go by this name."""
    try:
        account_name(site, text)
    except BadAccount as error:
        return error.fault is AccountFault.COMPUTER
    return False


def record_of(connection: sa.Connection, guild_id: int, someone: Person, now: int) -> int:
    """The id of somebody's own record, made where there is none; the club's name for him stays."""
    club.lock(connection, guild_id, now)
    known = club.known_person(connection, guild_id, someone.discord_id)
    return club.player_ids(connection, guild_id, [known or someone])[0]


def link_account(
    connection: sa.Connection, guild_id: int, player_id: int, site: Site, name: str, by: Person, now: int
) -> Claim | None:
    """Bind an account to a player. If it is another's, nothing is bound: the claim is returned and, if the player
    himself makes it, written down and put before the admins, once for each who claims it. For somebody else only
    admins bind accounts. Linking one's own account again changes nothing.

    Raises BadAccount for a name that cannot be one.
    """
    club.lock(connection, guild_id, now)
    name = account_name(site, name)
    (author,) = club.player_ids(connection, guild_id, [by])
    counted = club.counted_as(connection, guild_id, [player_id, author])
    player_id = counted[player_id]
    holder = players.alias("holder")
    row = connection.execute(
        sa.select(accounts.c.id, holder.c.id.label("holder_id"), holder.c.name.label("holder"))
        .join(players, players.c.id == accounts.c.player_id)
        .join(holder, holder.c.id == sa.func.coalesce(players.c.merged_into, players.c.id))
        .where(accounts.c.guild_id == guild_id, accounts.c.site == site, accounts.c.name == name)
        .where(accounts.c.unlinked_at.is_(None))
    ).one_or_none()
    if row is None:
        fresh = {"guild_id": guild_id, "player_id": player_id, "site": site, "name": name}
        connection.execute(sa.insert(accounts).values(fresh | {"linked_by": author, "linked_at": now}))
        return None
    if row.holder_id == player_id:
        return None
    his_own = counted[author] == player_id
    claim_id = _claim(connection, guild_id, row.id, player_id, now) if his_own else None
    return Claim(claim_id, site, name, row.holder)


def _claim(connection: sa.Connection, guild_id: int, account_id: int, player_id: int, now: int) -> int:
    """The id of a player's claim of an account. Only the first one is told to the admins."""
    his = account_claims.c.claimed_by.in_(records_counting_as(player_id))
    same = (account_claims.c.account_id == account_id, his)
    known = connection.execute(sa.select(sa.func.min(account_claims.c.id)).where(*same)).scalar()
    if known is not None:
        return int(known)
    claim = {"guild_id": guild_id, "account_id": account_id, "claimed_by": player_id, "claimed_at": now}
    new = sa.insert(account_claims).values(claim).returning(account_claims.c.id)
    claim_id = int(connection.execute(new).scalar_one())
    outbox.enqueue_about(connection, guild_id, outbox.Kind.CLAIM, now, claim_id=claim_id)
    return claim_id


def unlink_account(
    connection: sa.Connection, guild_id: int, player_id: int, site: Site, name: str, by: Person, now: int
) -> None:
    """Take an account from a player. Raises Refused (NO_ACCOUNT) if it is not his."""
    club.lock(connection, guild_id, now)
    (author,) = club.player_ids(connection, guild_id, [by])
    player_id = club.counted_as(connection, guild_id, [player_id])[player_id]
    taken = connection.execute(
        sa.update(accounts)
        .where(accounts.c.guild_id == guild_id, accounts.c.site == site, accounts.c.name == name_in_log(name))
        .where(accounts.c.player_id.in_(records_counting_as(player_id)), accounts.c.unlinked_at.is_(None))
        .values(unlinked_by=author, unlinked_at=now)
    )
    if not taken.rowcount:
        raise Refused(Refusal.NO_ACCOUNT, name=name)
