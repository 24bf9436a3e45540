"""Messages, reactions, DMs, roles and permissions, as Discord keeps them."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import discord
import pytest

from bot.sandbox import Attached, Permission, SandboxRefusal, overwrite
from tests.sandbox.conftest import Api, Club, build_club
from tests.sandbox.sample import APPROVE, SampleBot

Json = dict[str, Any]


async def deny(club: Club, *permissions: Permission) -> None:
    """Take permissions from the bot in the club's channel."""
    bits = 0
    for permission in permissions:
        bits |= permission
    bot_role = club.discord.world.bot_role(club.guild)
    await club.discord.set_overwrites(club.channel, [overwrite(bot_role, deny=bits)])


async def send(club: Club, content: str = "hello") -> tuple[discord.Message, Json]:
    message = await club.bot.text_channel(club.channel).send(content)
    stored = club.discord.world.message(message.id)
    assert stored is not None
    return message, stored


async def test_message_with_embed_and_file_then_edited(club: Club) -> None:
    embed = discord.Embed(title="Chart").set_image(url="attachment://chart.png")
    file = discord.File(io.BytesIO(b"png"), filename="chart.png", description="ratings")
    message = await club.bot.text_channel(club.channel).send("look", embed=embed, file=file)
    (stored,) = club.discord.world.history(club.channel)
    assert stored["attachments"][0]["description"] == "ratings"
    assert await message.attachments[0].read() == b"png"
    await message.edit(content="look again", attachments=[])
    assert stored["content"] == "look again"
    assert stored["attachments"] == []
    assert stored["edited_timestamp"]
    await message.delete()
    assert club.discord.world.history(club.channel) == []


async def test_history_is_paged(club: Club) -> None:
    channel = club.bot.text_channel(club.channel)
    sent = [await channel.send(str(n)) for n in range(5)]
    assert [m.content async for m in channel.history(limit=2)] == ["4", "3"]
    assert [m.content async for m in channel.history(before=sent[3], limit=2)] == ["2", "1"]
    assert [m.content async for m in channel.history(after=sent[1], limit=2)] == ["2", "3"]
    around = [m.content async for m in channel.history(around=sent[2], limit=3)]
    assert sorted(around) == ["1", "2", "3"]


async def test_reply_names_its_message(club: Club) -> None:
    message, _ = await send(club)
    answer = await message.reply("indeed")
    assert answer.reference is not None
    assert answer.reference.message_id == message.id


async def test_mentions_ping_only_where_allowed(club: Club) -> None:
    text = f"<@{club.ann.user['id']}> <@{club.bob.user['id']}> @everyone"
    _, stored = await send(club, text)
    assert stored["mentions"] == []
    assert not stored["mention_everyone"]
    ann = discord.Object(int(club.ann.user["id"]))
    allowed = discord.AllowedMentions(users=[ann], everyone=False, roles=False)
    message = await club.bot.text_channel(club.channel).send(text, allowed_mentions=allowed)
    assert [user.name for user in message.mentions] == ["ann"]


async def test_words_of_others_are_blank_without_the_content_intent(club: Club) -> None:
    heard: list[discord.Message] = []
    arrived = asyncio.Event()

    @club.bot.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message)
        if len(heard) == 3:
            arrived.set()

    await club.ann.say(club.channel, "secret", files=[Attached("hand.txt", b"123m")])
    await club.ann.say(club.channel, f"<@{club.discord.world.bot['id']}> hello")
    await send(club, "mine")
    await asyncio.wait_for(arrived.wait(), 5)
    blank, mention, own = heard
    assert (blank.content, blank.attachments) == ("", [])
    assert mention.content.endswith("hello")
    assert own.content == "mine"
    fetched = await club.bot.text_channel(club.channel).fetch_message(blank.id)
    assert fetched.content == ""


async def test_reactions_of_people_reach_the_bot(club: Club) -> None:
    _, stored = await send(club)
    await club.ann.react(stored, APPROVE)
    await club.ann.react(stored, APPROVE)
    await club.bob.react(stored, APPROVE + "\ufe0f")
    while len(club.bot.reactions) < 2:
        await club.bot.wait_for("raw_reaction_add")
        await asyncio.sleep(0)
    first, second = club.bot.reactions
    assert isinstance(first.member, discord.Member)
    assert [role.id for role in first.member.roles[1:]] == [int(club.admin_role["id"])]
    assert str(second.emoji) == APPROVE + "\ufe0f"
    assert [r["count"] for r in stored["reactions"]] == [1, 1]
    await club.ann.unreact(stored, APPROVE)
    assert [r["emoji"]["name"] for r in stored["reactions"]] == [APPROVE + "\ufe0f"]
    with pytest.raises(SandboxRefusal, match="has not reacted"):
        await club.ann.unreact(stored, APPROVE)


async def test_offline_reactions_are_found_by_asking(club: Club) -> None:
    message, stored = await send(club)
    club.bot.seen.clear()
    await club.ann.react(stored, APPROVE, offline=True)
    await club.bob.react(stored, APPROVE, offline=True)
    fetched = await message.channel.fetch_message(message.id)
    (reaction,) = fetched.reactions
    assert {user.name async for user in reaction.users()} == {"ann", "bob"}
    assert "MESSAGE_REACTION_ADD" not in club.bot.seen


async def test_reactors_are_paged_by_id(bare: tuple[Club, Api]) -> None:
    club, api = bare
    world = club.discord.world
    _, message = await api("POST", f"/channels/{club.channel['id']}/messages", {"content": "x"})
    stored = world.messages[message["id"]]
    people = [world.add_user(f"p{n}") for n in range(5)]
    for user in reversed(people):
        club.discord.actions.react(user, stored, APPROVE)
    path = f"/channels/{club.channel['id']}/messages/{message['id']}/reactions/%E2%9C%85"
    _, page = await api("GET", f"{path}?limit=3")
    assert [u["username"] for u in page] == ["p0", "p1", "p2"]
    _, page = await api("GET", f"{path}?limit=3&after={page[-1]['id']}")
    assert [u["username"] for u in page] == ["p3", "p4"]
    assert (await api("GET", f"{path}?type=1"))[1] == []


async def test_bot_removes_reactions(club: Club) -> None:
    message, stored = await send(club)
    await message.add_reaction(APPROVE)
    await club.ann.react(stored, APPROVE)
    await message.remove_reaction(APPROVE, discord.Object(int(club.ann.user["id"])))
    assert stored["reactions"][0]["count"] == 1
    await message.clear_reaction(APPROVE)
    assert stored["reactions"] == []
    await club.ann.react(stored, "👍🏽")
    await message.clear_reactions()
    assert stored["reactions"] == []


async def test_twenty_different_reactions(club: Club) -> None:
    message, stored = await send(club)
    for number in range(20):
        await club.ann.react(stored, chr(0x1F600 + number))
    with pytest.raises(discord.HTTPException) as refused:
        await message.add_reaction(APPROVE)
    assert refused.value.code == 30010
    await message.add_reaction("\U0001f600")
    with pytest.raises(SandboxRefusal, match="20"):
        await club.bob.react(stored, APPROVE)


@pytest.mark.parametrize("text", ["hello", "✅✅", "name:123", "1"])
async def test_what_is_no_emoji(club: Club, text: str) -> None:
    message, stored = await send(club)
    with pytest.raises(discord.HTTPException) as refused:
        await message.add_reaction(text)
    assert refused.value.code == 10014
    with pytest.raises(SandboxRefusal):
        await club.ann.react(stored, text)


@pytest.mark.parametrize(
    "text", ["✅", "❌", "❤\ufe0f", "👍🏽", "🇯🇵", "1\ufe0f\u20e3", "👨\u200d👩\u200d👧", "🀄"]
)
async def test_what_is_an_emoji(club: Club, text: str) -> None:
    message, stored = await send(club)
    await message.add_reaction(text)
    assert stored["reactions"][0]["emoji"]["name"] == text


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


async def test_messages_of_others(club: Club) -> None:
    said = await club.ann.say(club.channel, "mine")
    message = await club.bot.text_channel(club.channel).fetch_message(int(said["id"]))
    with pytest.raises(discord.Forbidden) as refused:
        await message.edit(content="yours")
    assert refused.value.code == 50005
    await deny(club, Permission.MANAGE_MESSAGES)
    with pytest.raises(discord.Forbidden) as refused:
        await message.delete()
    assert refused.value.code == 50013
    await club.discord.set_overwrites(club.channel, [])
    await message.delete()


async def test_people_delete_what_they_may(club: Club) -> None:
    _, stored = await send(club)
    with pytest.raises(SandboxRefusal, match="delete the messages of others"):
        await club.bob.delete(stored)
    await club.discord.edit_role(club.admin_role, permissions=int(Permission.MANAGE_MESSAGES))
    club.bot.seen.clear()
    await club.ann.delete(stored)
    await club.bot.wait_for("raw_message_delete", timeout=5)
    with pytest.raises(SandboxRefusal, match="does not exist"):
        await club.ann.react(stored, APPROVE)


async def test_bulk_deletion_reaches_the_bot(club: Club) -> None:
    said = [await club.ann.say(club.channel, str(n)) for n in range(3)]
    heard = asyncio.create_task(club.bot.wait_for("raw_bulk_message_delete", timeout=5))
    await asyncio.sleep(0)
    await club.discord.delete_messages(said)
    event = await heard
    assert event.message_ids == {int(m["id"]) for m in said}


async def test_unknown_things(bare: tuple[Club, Api]) -> None:
    club, api = bare
    channel, guild, ann = club.channel["id"], club.guild["id"], club.ann.user["id"]
    stranger = club.discord.world.add_user("stranger")["id"]
    assert await api.code("GET", "/channels/1") == 10003
    assert await api.code("GET", f"/channels/{channel}/messages/1") == 10008
    assert await api.code("GET", "/guilds/1") == 10004
    assert await api.code("GET", f"/guilds/{guild}/members/1") == 10013
    assert await api.code("GET", f"/guilds/{guild}/members/{stranger}") == 10007
    assert await api.code("PUT", f"/guilds/{guild}/members/{ann}/roles/1") == 10011
    assert await api.code("GET", "/users/1") == 10013
    assert await api.code("POST", "/webhooks/1/nothing", {"content": "x"}) == 10015
    assert await api("GET", "/nothing") == (404, {"message": "404: Not Found", "code": 0})
    assert (await api("GET", "/users/@me", token="wrong"))[0] == 401


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


async def test_direct_messages(club: Club) -> None:
    i = await club.ann.slash("whisper", club.channel, who=club.bob.user)
    assert i.reply is not None
    assert i.reply["content"] == "sent"
    direct = club.discord.world.dm_channel(club.bob.user)
    assert [m["content"] for m in club.discord.world.history(direct)] == ["psst"]
    alone = club.discord.person(None, club.bob.user)
    j = await alone.slash("whisper", direct, who=club.bob.user)
    assert j.reply is not None
    with pytest.raises(SandboxRefusal, match="not offered"):
        await alone.slash("report riichi", direct, east=club.bob.user, score=1)


async def test_closed_direct_messages(club: Club) -> None:
    club.discord.deadline = 0.1
    club.bob.user["dms_closed"] = True
    await club.ann.slash("whisper", club.channel, who=club.bob.user)
    await club.bot.failed.wait()
    error = club.bot.errors[0]
    assert isinstance(error, discord.Forbidden)
    assert error.code == 50007


async def test_repeated_nonce_gives_the_first_message(club: Club) -> None:
    channel = club.bot.text_channel(club.channel)
    first = await channel.send("once", nonce="card-1")
    again = await channel.send("once", nonce="card-1")
    other = await channel.send("once", nonce="card-2")
    assert first.id == again.id != other.id
    assert len(club.discord.world.history(club.channel)) == 2
    club.discord.nonce_window = 0.0
    assert (await channel.send("once", nonce="card-1")).id != first.id


async def test_living_guild_reaches_the_bot(club: Club) -> None:
    server, bot = club.discord, club.bot
    guild = bot.get_guild(int(club.guild["id"]))
    assert guild is not None

    async def heard(event: str) -> None:
        while event not in bot.seen:
            await bot.wait_for("socket_event_type", timeout=5)
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
    from bot.sandbox import LocalDiscord

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
