"""Guilds that change while the bot runs."""

from __future__ import annotations

from tests.sandbox.conftest import Club


async def test_living_guild_reaches_the_bot(club: Club) -> None:
    server, bot = club.discord, club.bot
    guild = bot.get_guild(int(club.guild["id"]))
    assert guild is not None

    async def heard(event: str) -> None:
        while event not in bot.seen:
            await bot.wait_for("socket_event_type", timeout=30)
        bot.seen.clear()

    bot.seen.clear()
    channel = await server.create_channel(club.guild, "archive")
    await heard("CHANNEL_CREATE")
    assert guild.get_channel(int(channel["id"])) is not None
    await server.delete_channel(channel)
    await heard("CHANNEL_DELETE")
    assert guild.get_channel(int(channel["id"])) is None
    role = await server.create_role(club.guild, "Temporary")
    await heard("GUILD_ROLE_CREATE")
    await server.edit_role(role, name="Renamed")
    await heard("GUILD_ROLE_UPDATE")
    assert guild.get_role(int(role["id"])).name == "Renamed"  # type: ignore[union-attr]
    await server.set_roles(club.guild, club.bob.user, [role])
    await server.delete_role(role)
    await heard("GUILD_ROLE_DELETE")
    assert club.discord.world.member(club.guild, club.bob.user)["roles"] == []  # type: ignore[index]
    await server.rename(club.guild, club.discord.world.bot, "Scorer")
    await heard("GUILD_MEMBER_UPDATE")
    assert guild.me.nick == "Scorer"
    other = server.world.add_guild("Other")
    await server.add_guild_live(other)
    await heard("GUILD_CREATE")
    await server.remove_guild_live(other)
    await heard("GUILD_DELETE")
    assert [g.name for g in bot.guilds] == ["Club"]


async def test_member_events_need_the_members_intent(club: Club) -> None:
    newcomer = club.discord.world.add_user("new")
    club.bot.seen.clear()
    await club.discord.join(club.guild, newcomer)
    await club.discord.rename(club.guild, newcomer, "Newest")
    await club.discord.kick(club.guild, newcomer)
    await club.ann.slash("setup club zone", club.channel, time_zone="UTC")
    assert not [event for event in club.bot.seen if event.startswith("GUILD_MEMBER")]
