"""Messages, nonces, mentions and DMs, as Discord keeps them."""

from __future__ import annotations

import asyncio
import io

import discord
import pytest

from bot.sandbox import Attached, Permission, SandboxRefusal
from tests.sandbox.conftest import Api, Club, deny, send
from tests.sandbox.sample import APPROVE


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


async def test_everyone_and_roles_are_pinged_with_the_right_to(club: Club) -> None:
    text = f"@everyone <@&{club.admin_role['id']}>"
    channel, everything = club.bot.text_channel(club.channel), discord.AllowedMentions.all()
    message = await channel.send(text, allowed_mentions=everything)
    assert message.mention_everyone
    assert [role.name for role in message.role_mentions] == ["Admin"]
    await deny(club, Permission.MENTION_EVERYONE)
    message = await channel.send(text, allowed_mentions=everything)
    assert not message.mention_everyone
    assert message.role_mentions == []


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
    heard = club.bot.wait_for("raw_message_delete", timeout=30)
    await club.ann.delete(stored)
    assert (await heard).message_id == int(stored["id"])
    with pytest.raises(SandboxRefusal, match="does not exist"):
        await club.ann.react(stored, APPROVE)


async def test_bulk_deletion_reaches_the_bot(club: Club) -> None:
    said = [await club.ann.say(club.channel, str(n)) for n in range(3)]
    heard = club.bot.wait_for("raw_bulk_message_delete", timeout=30)
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
