"""Reactions: emoji, people, paging, and what the bot may take away."""

from __future__ import annotations

import discord
import pytest

from bot.sandbox import SandboxRefusal
from tests.sandbox.conftest import Api, Club, send, settle
from tests.sandbox.sample import APPROVE


async def test_reactions_of_people_reach_the_bot(club: Club) -> None:
    _, stored = await send(club)
    await club.ann.react(stored, APPROVE)
    await club.ann.react(stored, APPROVE)
    await club.bob.react(stored, APPROVE + "\ufe0f")
    await settle(club)
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
