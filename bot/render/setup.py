"""How a club is set up, what changed, and what the bot is not allowed to do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import discord

from bot.permissions import APPROVALS, MOST_ROLES, POSTING, missing
from bot.render import words
from bot.render.names import safe_text
from bot.texts import Texts
from ratings.club import BadSetting
from ratings.models import SystemName, TenhouRules
from ratings.settings import ClubSettings

__all__ = ["bad_setting", "bad_uma", "lacks", "overview"]

GREEN, AMBER = 0x3BA55D, 0xE0A526


def overview(
    texts: Texts, settings: ClubSettings, changed: Mapping[str, tuple[Any, Any]], lacking: list[str]
) -> discord.Embed:
    """All settings, with those just changed marked, and what the bot lacks to do its work."""
    title = texts.gettext("The club is set up") if changed else texts.gettext("How the club is set up")
    embed = discord.Embed(title=title, colour=AMBER if lacking else GREEN)
    lines = []
    for names, label, value in _rows(texts, settings):
        mark = "✏️ " if any(name in changed for name in names) else ""
        lines.append(f"{mark}**{label}**: {value}")
    embed.description = "\n".join(lines)
    if lacking:
        embed.add_field(name=texts.gettext("I am not allowed to"), value="\n".join(lacking)[:1024], inline=False)
    elif settings.approvals_channel:
        ready = texts.gettext("I have every permission I need in these channels.")
        embed.add_field(name=texts.gettext("Permissions"), value=ready, inline=False)
    return embed


def _rows(texts: Texts, settings: ClubSettings) -> list[tuple[tuple[str, ...], str, str]]:
    usual = SystemName.TENHOU_4P if settings.usual_players == 4 else SystemName.TENHOU_3P
    report_channel = texts.gettext("not chosen: the channel in which a game is reported")
    live = settings.tenhou_rules is TenhouRules.LIVE
    return [
        (
            ("approvals_channel",),
            texts.gettext("Approvals"),
            f"<#{settings.approvals_channel}>" if settings.approvals_channel else report_channel,
        ),
        (
            ("announcements_channel",),
            texts.gettext("Announcements"),
            f"<#{settings.announcements_channel}>" if settings.announcements_channel else report_channel,
        ),
        (
            ("admin_role",),
            texts.gettext("Admins"),
            texts.gettext("Manage Server, or {role}", role=f"<@&{settings.admin_role}>")
            if settings.admin_role
            else texts.gettext("Manage Server; no admin role chosen"),
        ),
        (("time_zone",), texts.gettext("Time zone"), safe_text(settings.time_zone)),
        (
            ("usual_players", "usual_length"),
            texts.gettext("Usual game"),
            f"{words.length_name(texts, settings.usual_length)}, {words.system_name(texts, usual)}",
        ),
        (
            ("tenhou_rules",),
            texts.gettext("Tenhou rules"),
            texts.gettext("live: as the live site does it") if live else texts.gettext("seed: the published text"),
        ),
        (
            ("shared_places",),
            texts.gettext("Equal scores"),
            texts.gettext("share the place")
            if settings.shared_places
            else texts.gettext("the seat nearer to the first dealer is higher"),
        ),
        (
            ("sticks_to_first",),
            texts.gettext("Sticks left over"),
            texts.gettext("go to first place") if settings.sticks_to_first else texts.gettext("are shared by all"),
        ),
        *(_scoring(texts, settings, players) for players in (4, 3)),
        (
            ("rank_roles",),
            texts.gettext("Rank roles"),
            texts.gettext("none")
            if settings.rank_roles is None
            else words.system_name(texts, SystemName(settings.rank_roles)),
        ),
    ]


def _scoring(texts: Texts, settings: ClubSettings, players: int) -> tuple[tuple[str, ...], str, str]:
    system = SystemName.TENHOU_4P if players == 4 else SystemName.TENHOU_3P
    value = texts.gettext(
        "start {start}, return {target}, uma {uma}",
        start=words.score(settings.start_score(players)),
        target=words.score(settings.return_score(players)),
        uma=" ".join(words.signed(step) for step in settings.uma(players)),
    )
    names = (f"start_{players}p", f"return_{players}p", f"uma_{players}p")
    return names, words.system_name(texts, system).capitalize(), value


def lacks(
    texts: Texts, guild: discord.Guild, settings: ClubSettings, rank_roles: Collection[int] = ()
) -> list[str]:
    """One sentence for each channel in which the bot cannot do all of its work, and for what keeps it from giving
    rank roles; `rank_roles` are the ids of those it has made."""
    sentences = []
    wanted = ((settings.approvals_channel, APPROVALS), (settings.announcements_channel, POSTING))
    for channel_id, needed in wanted:
        if channel_id is None:
            continue
        channel = guild.get_channel(channel_id)
        if channel is None:
            sentences.append(texts.gettext("see the channel {channel}: it is gone", channel=f"<#{channel_id}>"))
        elif absent := missing(channel, needed):
            permissions = ", ".join(permission_name(texts, name) for name in absent)
            sentences.append(
                texts.gettext("{permissions} in {channel}", permissions=permissions, channel=channel.mention)
            )
    if settings.rank_roles is not None:
        sentences += _lacks_for_roles(texts, guild, rank_roles)
    return sentences


def _lacks_for_roles(texts: Texts, guild: discord.Guild, rank_roles: Collection[int]) -> list[str]:
    if not guild.me.guild_permissions.manage_roles:
        right = permission_name(texts, "manage_roles")
        return [texts.gettext("{permission} in this server, which rank roles need", permission=right)]
    sentences = []
    there = [role for id_ in rank_roles if (role := guild.get_role(id_)) is not None]
    if above := [role.mention for role in there if not role.is_assignable()]:
        sentences.append(
            texts.gettext(
                "give and take {roles}, until my own role stands above in the list of roles",
                roles=", ".join(above),
            )
        )
    if len(guild.roles) >= MOST_ROLES:
        sentences.append(
            texts.gettext(
                "make another rank role: the server has {number} roles, as many as Discord allows",
                number=MOST_ROLES,
            )
        )
    return sentences


def permission_name(texts: Texts, name: str) -> str:
    """A permission as Discord's settings call it."""
    return {
        "view_channel": texts.gettext("View Channel"),
        "send_messages": texts.gettext("Send Messages"),
        "embed_links": texts.gettext("Embed Links"),
        "attach_files": texts.gettext("Attach Files"),
        "read_message_history": texts.gettext("Read Message History"),
        "add_reactions": texts.gettext("Add Reactions"),
        "manage_messages": texts.gettext("Manage Messages"),
        "manage_roles": texts.gettext("Manage Roles"),
    }[name]


def bad_setting(texts: Texts, error: BadSetting) -> str:
    """A setting that cannot have this value."""
    if error.name is None:
        return texts.gettext(
            "These settings do not fit together: {problem}. Nothing was changed.", problem=error.problem
        )
    return texts.gettext(
        "The setting {name} cannot have this value: {problem}. Nothing was changed.",
        name=safe_text(error.name),
        problem=safe_text(error.problem),
    )


def bad_uma(texts: Texts, text: str, players: int) -> str:
    """An uma that could not be read."""
    example = "20 10 -10 -20" if players == 4 else "20 0 -20"
    return texts.gettext(
        "I cannot read “{text}” as an uma for {players} players. Write {players} numbers in thousands, first "
        "place first, like {example}. Nothing was changed.",
        text=safe_text(text),
        players=players,
        example=example,
    )
