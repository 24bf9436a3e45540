"""What the bot and people may do, by roles and overwrites."""

from __future__ import annotations

import io

import discord
import pytest

from bot.sandbox import LocalDiscord, Permission, SandboxRefusal, overwrite
from tests.sandbox.conftest import Club, build_club, deny, send
from tests.sandbox.sample import APPROVE, SampleBot

MISSING = [
    (Permission.VIEW_CHANNEL, 50001),
    (Permission.SEND_MESSAGES, 50013),
]


@pytest.mark.parametrize(("permission", "code"), MISSING)
async def test_sending_needs_permissions(club: Club, permission: Permission, code: int) -> None:
    await deny(club, permission)
    with pytest.raises(discord.Forbidden) as refused:
        await club.bot.text_channel(club.channel).send("x")
    assert refused.value.code == code


async def test_reply_needs_the_history(club: Club) -> None:
    message, _ = await send(club)
    await deny(club, Permission.READ_MESSAGE_HISTORY)
    with pytest.raises(discord.Forbidden) as refused:
        await message.reply("x")
    assert refused.value.code == 160002
    with pytest.raises(discord.Forbidden):
        await message.add_reaction(APPROVE)
    assert [m async for m in message.channel.history()] == []


async def test_embeds_are_dropped_without_embed_links(club: Club) -> None:
    await deny(club, Permission.EMBED_LINKS)
    channel = club.bot.text_channel(club.channel)
    message = await channel.send("text", embed=discord.Embed(title="x"))
    assert message.embeds == []
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send(embed=discord.Embed(title="x"))
    assert refused.value.code == 50013


async def test_files_need_attach_files(club: Club) -> None:
    await deny(club, Permission.ATTACH_FILES)
    with pytest.raises(discord.Forbidden) as refused:
        await club.bot.text_channel(club.channel).send(file=discord.File(io.BytesIO(b"x"), "x.txt"))
    assert refused.value.code == 50013


async def test_first_reaction_needs_add_reactions(club: Club) -> None:
    message, stored = await send(club)
    await deny(club, Permission.ADD_REACTIONS, Permission.MANAGE_MESSAGES)
    with pytest.raises(discord.Forbidden):
        await message.add_reaction(APPROVE)
    await club.ann.react(stored, APPROVE)
    await message.add_reaction(APPROVE)
    with pytest.raises(discord.Forbidden):
        await message.remove_reaction(APPROVE, discord.Object(int(club.ann.user["id"])))


async def test_roles_need_the_right_and_a_higher_place(club: Club) -> None:
    world = club.discord.world
    rank = world.add_role(club.guild, "Shodan")
    high = world.add_role(club.guild, "Owner's", position=9)
    guild = club.bot.get_guild(int(club.guild["id"]))
    assert guild is not None
    member = await guild.fetch_member(int(club.bob.user["id"]))
    with pytest.raises(discord.Forbidden):
        await member.add_roles(discord.Object(int(rank["id"])))
    bot_role = world.bot_role(club.guild)
    await club.discord.edit_role(bot_role, permissions=int(bot_role["permissions"]) | Permission.MANAGE_ROLES)
    await member.add_roles(discord.Object(int(rank["id"])))
    stored = world.member(club.guild, club.bob.user)
    assert stored is not None
    assert stored["roles"] == [rank["id"]]
    await member.remove_roles(discord.Object(int(rank["id"])))
    assert stored["roles"] == []
    for role in (high, bot_role):
        with pytest.raises(discord.Forbidden) as refused:
            await member.add_roles(discord.Object(int(role["id"])))
        assert refused.value.code == 50013


async def test_person_without_rights(club: Club) -> None:
    await club.discord.set_overwrites(
        club.channel, [overwrite(club.bob.user, deny=Permission.SEND_MESSAGES | Permission.ADD_REACTIONS)]
    )
    message, stored = await send(club)
    with pytest.raises(SandboxRefusal, match="write here"):
        await club.bob.say(club.channel, "x")
    with pytest.raises(SandboxRefusal, match="add a reaction"):
        await club.bob.react(stored, APPROVE)
    await message.add_reaction(APPROVE)
    await club.bob.react(stored, APPROVE)
    await club.discord.kick(club.guild, club.bob.user)
    with pytest.raises(SandboxRefusal):
        await club.bob.unreact(stored, APPROVE)


async def test_each_permission_rule_of_a_channel() -> None:
    club = await build_club(LocalDiscord(), SampleBot())
    world, channel = club.discord.world, club.channel
    everyone, admin = club.guild["roles"][0], club.admin_role
    view, write, attach = Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES, Permission.ATTACH_FILES
    owner = world.users[club.guild["owner_id"]]
    channel["permission_overwrites"] = [overwrite(everyone, deny=view)]
    assert world.permissions(club.bob.user, channel) == 0
    assert club.discord.person(club.guild, owner).can(channel, Permission.ADMINISTRATOR)
    channel["permission_overwrites"].append(overwrite(admin, allow=view, deny=write))
    assert club.ann.can(channel, view)
    assert not club.ann.can(channel, attach)
    channel["permission_overwrites"].append(overwrite(club.ann.user, allow=write))
    assert club.ann.can(channel, write | attach)
    admin["permissions"] = str(int(Permission.ADMINISTRATOR))
    channel["permission_overwrites"].append(overwrite(club.ann.user, deny=view))
    assert club.ann.can(channel, view)
    await club.bot.close()
