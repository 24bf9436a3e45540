"""Accounts on other sites and bans from the ladder, as members and admins read them."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.render import words
from bot.render.names import safe_name, safe_text
from bot.texts import Texts
from ratings.ledger import AccountFault, BadAccount, Claim
from ratings.ledger.accounts import LONGEST_ACCOUNT
from ratings.models import Person, Site
from ratings.queries.accounts import Account, AccountPage, Ban, BanPage, ClaimNews
from ratings.reading import UnreadableMoment

__all__ = [
    "account_list",
    "all_accounts",
    "bad_account",
    "bad_end",
    "ban_list",
    "banned",
    "claim_post",
    "claimed",
    "linked",
    "over_already",
    "site_name",
    "unbanned",
    "unlinked",
]

COLOUR, RED, GREY = 0x2E86AB, 0xC0392B, 0x7F8C8D
DESCRIPTION = 4096  # characters in a description
ACCOUNTS = 40  # accounts of one member that are listed


def site_name(texts: Texts, site: Site) -> str:
    """A site in the reader's words and in Japanese."""
    return {
        Site.TENHOU: texts.gettext("Tenhou (天鳳)"),
        Site.MAHJONG_SOUL: texts.gettext("Mahjong Soul (雀魂)"),
    }[site]


def bad_account(texts: Texts, error: BadAccount) -> str:
    """Why no member can have an account of that name."""
    site, name = site_name(texts, error.site), safe_text(error.name[:60])
    match error.fault:
        case AccountFault.EMPTY:
            return texts.gettext("The name of the account is empty. Nothing was changed.")
        case AccountFault.LONG:
            return texts.gettext(
                "“{name}” is too long: names on {site} have up to {limit} characters. Nothing was changed.",
                name=name,
                site=site,
                limit=LONGEST_ACCOUNT[error.site],
            )
        case AccountFault.UNPRINTABLE:
            return texts.gettext("That name has characters that no name on {site} can have.", site=site)
        case AccountFault.GUEST:
            return texts.gettext(
                "Every guest on {site} plays as “{name}”, so it cannot be one member's account. Nothing was "
                "changed.",
                name=name,
                site=site,
            )
        case AccountFault.COMPUTER:
            return texts.gettext(
                "Computer players on {site} are called “{name}”, so it cannot be a member's account. Nothing was "
                "changed.",
                name=name,
                site=site,
            )


def linked(texts: Texts, site: Site, account: str, member: str) -> str:
    """An account is bound to a member."""
    return texts.gettext(
        "“{account}” on {site} is the account of {member}: /report log knows the name from now on.",
        account=safe_name(texts, account),
        site=site_name(texts, site),
        member=safe_name(texts, member),
    )


def claimed(texts: Texts, site: Site, claim: Claim, is_admin: bool) -> str:
    """An account is somebody else's, who is named to admins only."""
    name, where, holder = safe_name(texts, claim.account), site_name(texts, site), safe_name(texts, claim.holder)
    if not is_admin:
        return texts.gettext(
            "“{account}” on {site} is bound to another member already, so nothing was changed. One account is one "
            "member's; the admins are told, and can sort it out with you.",
            account=name,
            site=where,
        )
    if claim.id is None:
        return texts.gettext(
            "“{account}” on {site} is bound to {holder} already, so nothing was changed. /account unlink takes it "
            "from {holder}; if both play on it, it is a shared account, which is forbidden in ranked games.",
            account=name,
            site=where,
            holder=holder,
        )
    return texts.gettext(
        "“{account}” on {site} is bound to {holder} already, so nothing was changed. It is put before the admins "
        "as possible account sharing; /account unlink takes it from {holder}.",
        account=name,
        site=where,
        holder=holder,
    )


def unlinked(texts: Texts, site: Site, account: str, member: str) -> str:
    """An account was taken from a member."""
    return texts.gettext(
        "“{account}” on {site} is not the account of {member} any more. Games stay as they are.",
        account=safe_name(texts, account),
        site=site_name(texts, site),
        member=safe_name(texts, member),
    )


def account_list(texts: Texts, member: str, accounts: Sequence[Account]) -> discord.Embed:
    """The accounts of one member."""
    title = texts.gettext("Accounts of {member}", member=safe_name(texts, member))
    embed = discord.Embed(title=title, colour=COLOUR)
    shown = accounts[:ACCOUNTS]
    lines = [f"**{safe_name(texts, each.name)}** · {site_name(texts, each.site)}" for each in shown]
    if left := len(accounts) - len(lines):
        lines.append(texts.ngettext("… and {number} more", "… and {number} more", left))
    if not lines:
        lines = [texts.gettext("There are none yet. /account link adds one.")]
    embed.description = "\n".join(lines)
    return embed


def all_accounts(texts: Texts, page: AccountPage) -> discord.Embed:
    """A page of all accounts that are bound in the club."""
    embed = discord.Embed(title=texts.gettext("Accounts of the club's members"), colour=COLOUR)
    lines = [
        f"**{safe_name(texts, each.name)}** · {site_name(texts, each.site)} · {_who(texts, each.holder)}"
        for each in page.accounts
    ]
    embed.description = "\n".join(lines) or texts.gettext("There are none yet. /account link adds one.")
    if page.pages > 1:
        embed.set_footer(text=_pages(texts, page.number, page.pages))
    return embed


def claim_post(texts: Texts, claim: ClaimNews) -> discord.Embed:
    """What the admins read when a member claims an account that is another's."""
    zone = claim.settings.zone
    embed = discord.Embed(title=texts.gettext("Possible account sharing"), colour=RED)
    embed.description = texts.gettext(
        "{claimant} claims the account “{account}” on {site}, which has been bound to {holder} since {moment}. "
        "Nothing was changed: it is for you to sort out.",
        claimant=_who(texts, claim.claimant),
        account=safe_name(texts, claim.account),
        site=site_name(texts, claim.site),
        holder=_who(texts, claim.holder),
        moment=words.moment(claim.linked_at, zone),
    )
    advice = texts.gettext(
        "If the wrong member has it, /account unlink frees it and /account link binds it anew. An account with "
        "which several play ranked games is shared, and that is forbidden; /ladder ban keeps a member out of "
        "ranked games."
    )
    embed.add_field(name=texts.gettext("What you can do"), value=advice, inline=False)
    return embed.set_footer(text=f"account claim #{claim.id}")


def banned(texts: Texts, member: str, until: int | None) -> str:
    """A member was banned."""
    name = safe_name(texts, member)
    if until is None:
        return texts.gettext(
            "{name} is banned from the ladder until somebody lifts the ban with /ladder unban. Past games stay, "
            "and unranked games can be reported.",
            name=name,
        )
    return texts.gettext(
        "{name} is banned from the ladder until <t:{until}:f> (for you). Past games stay, and unranked games can "
        "be reported.",
        name=name,
        until=until,
    )


def over_already(texts: Texts, until: int) -> str:
    """The end of a ban is in the past."""
    return texts.gettext("<t:{until}:f> (for you) is over already. Nothing was changed.", until=until)


def bad_end(texts: Texts, error: UnreadableMoment, zone: str) -> str:
    """The end of a ban could not be read, and how it is written."""
    return texts.gettext(
        "I cannot read “{text}” as the end of a ban. Write it like 2026-12-31, 31.12. or tomorrow 18:00 ({zone} "
        "time). Nothing was changed.",
        text=safe_text(error.text),
        zone=zone,
    )


def unbanned(texts: Texts, member: str) -> str:
    """A ban was lifted."""
    return texts.gettext("The ban of {name} is lifted.", name=safe_name(texts, member))


def ban_list(texts: Texts, page: BanPage, now: int) -> discord.Embed:
    """A page of all bans there were, those in force first."""
    embed = discord.Embed(title=texts.gettext("Bans from the ladder"), colour=GREY)
    lines = [line for ban in page.bans for line in _ban(texts, ban, page, now)]
    embed.description = "\n".join(lines)[:DESCRIPTION] or texts.gettext("Nobody was ever banned.")
    footer = [texts.gettext("{holding} of {total} in force", holding=page.holding, total=page.total)]
    if page.pages > 1:
        footer.append(_pages(texts, page.number, page.pages))
    return embed.set_footer(text=" · ".join(footer))


def _ban(texts: Texts, ban: Ban, page: BanPage, now: int) -> list[str]:
    zone = page.settings.zone
    spoken = texts.gettext(
        "banned by {admin}, {moment}", admin=safe_name(texts, ban.by), moment=words.moment(ban.at, zone)
    )
    parts = [spoken]
    if ban.until is not None:
        parts.append(texts.gettext("until {moment}", moment=words.moment(ban.until, zone)))
    if ban.lifted_at is not None:
        lifted = texts.gettext(
            "lifted by {admin}, {moment}",
            admin=safe_name(texts, ban.lifted_by or ""),
            moment=words.moment(ban.lifted_at, zone),
        )
        parts.append(lifted)
    mark = "🚫" if ban.in_force(now) else "▫️"
    reason = safe_text(" ".join(ban.reason.split()))
    return [f"{mark} {_who(texts, ban.person)} · {' · '.join(parts)}", f"> {reason}"]


def _who(texts: Texts, person: Person) -> str:
    """Somebody by name and, if he is on Discord, by a mention, which tells namesakes apart."""
    name = f"**{safe_name(texts, person.name)}**"
    return f"{name} (<@{person.discord_id}>)" if person.discord_id else name


def _pages(texts: Texts, number: int, pages: int) -> str:
    return texts.gettext("page {page} of {pages}", page=number + 1, pages=pages)
