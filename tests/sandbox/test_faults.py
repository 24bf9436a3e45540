"""The local Discord misbehaves when asked to: on REST, on the gateway, and in between."""

from __future__ import annotations

import asyncio
import time

import aiohttp
import discord
import pytest

from bot.sandbox import LocalDiscord
from bot.sandbox.sessions import reset
from tests.sandbox.conftest import Club, build_club, point_discord_at, settle
from tests.sandbox.sample import APPROVE, SampleBot

MESSAGES = r"/messages$"


def contents(club: Club) -> list[str]:
    return [m["content"] for m in club.discord.world.history(club.channel)]


async def send(club: Club, content: str = "x") -> discord.Message:
    return await club.bot.text_channel(club.channel).send(content)


@pytest.mark.parametrize(("done", "left"), [(False, []), (True, ["x"])])
async def test_error_before_or_after_the_effect(club: Club, done: bool, left: list[str]) -> None:
    club.discord.faults.fail("POST", MESSAGES, status=503, done=done)
    with pytest.raises(discord.DiscordServerError):
        await send(club)
    assert contents(club) == left
    assert club.discord.requests[-1].status == 503
    await send(club, "next")
    assert contents(club) == [*left, "next"]


@pytest.mark.parametrize(("done", "left"), [(False, []), (True, ["x"])])
async def test_connection_cut_before_or_after_the_effect(club: Club, done: bool, left: list[str]) -> None:
    club.discord.faults.cut("POST", MESSAGES, done=done)
    with pytest.raises((aiohttp.ClientError, OSError)):
        await send(club)
    assert contents(club) == left
    assert club.discord.requests[-1].status is None


async def test_rate_limit_is_waited_out(club: Club) -> None:
    club.discord.faults.rate_limit("POST", MESSAGES, retry_after=0.1, times=2)
    start = time.monotonic()
    await send(club)
    assert time.monotonic() - start >= 0.2
    assert contents(club) == ["x"]


@pytest.mark.parametrize(("done", "meanwhile"), [(False, []), (True, ["x"])])
async def test_held_request(club: Club, done: bool, meanwhile: list[str]) -> None:
    hold = club.discord.faults.hold("POST", MESSAGES, done=done)
    sending = asyncio.create_task(send(club))
    await hold.reached
    assert contents(club) == meanwhile
    hold.release()
    await sending
    assert contents(club) == ["x"]


async def test_request_held_before_its_effect_dies_with_its_sender(club: Club) -> None:
    hold = club.discord.faults.hold("POST", MESSAGES)
    sending = asyncio.create_task(send(club, "lost"))
    await hold.reached
    sending.cancel()
    await asyncio.wait([sending])
    await club.end()
    hold.release()
    await club.run(SampleBot())
    await send(club, "next")
    assert contents(club) == ["next"]


async def test_buckets_answer_429_and_the_client_waits(quiet: Club) -> None:
    quiet.discord.buckets = True
    await quiet.run()
    message = await send(quiet)
    start = time.monotonic()
    for emoji in "🀄✅❌":
        await message.add_reaction(emoji)
    assert time.monotonic() - start >= 0.45
    assert [r.status for r in quiet.discord.requests if "reactions" in r.path].count(204) == 3


async def reacted(club: Club) -> list[str]:
    """Reactions that reach the bot for one given by Ann."""
    message = await send(club)
    stored = club.discord.world.message(message.id)
    assert stored is not None
    club.bot.reactions.clear()
    await club.ann.react(stored, APPROVE)
    await settle(club)
    return [str(event.emoji) for event in club.bot.reactions]


async def test_repeated_and_lost_events(club: Club) -> None:
    club.discord.faults.repeat("MESSAGE_REACTION_ADD")
    assert await reacted(club) == [APPROVE, APPROVE]
    club.discord.faults.lose("MESSAGE_REACTION_ADD")
    assert await reacted(club) == []
    assert await reacted(club) == [APPROVE]


@pytest.mark.parametrize("abrupt", [False, True])
async def test_resume_replays_what_was_missed(club: Club, abrupt: bool) -> None:
    message = await send(club)
    stored = club.discord.world.message(message.id)
    assert stored is not None
    gate = club.discord.faults.hold("GET", "^/gateway/$")
    await club.discord.drop_gateway(abrupt=abrupt)
    await gate.reached
    assert not club.discord.connected
    await club.ann.react(stored, APPROVE)
    gate.release()
    await club.discord.until(lambda: club.discord.gateway.resumed == 1)
    await settle(club)
    assert [str(event.emoji) for event in club.bot.reactions] == [APPROVE]
    assert club.bot.resumes == 1
    assert club.discord.gateway.identified == 1


async def test_refused_resume_makes_a_new_session(club: Club) -> None:
    await club.discord.drop_gateway(resumable=False)
    await club.discord.until(lambda: club.discord.gateway.identified == 2, timeout=30)
    await settle(club)
    assert club.bot.resumes == 0


async def test_gateway_refused_at_first(quiet: Club) -> None:
    quiet.discord.faults.refuse_gateway()
    # discord.py 2.7.1 does not survive a refusal of its very first connection.
    with pytest.raises(AttributeError, match="sequence"):
        await quiet.run()
    await quiet.run(SampleBot())
    assert quiet.discord.connected


async def identify(session: aiohttp.ClientSession, club: Club) -> aiohttp.ClientWebSocketResponse:
    ws = await session.ws_connect(club.discord.gateway_url)
    await ws.send_json({"op": 2, "d": {"token": club.discord.token, "intents": 1}})
    await club.discord.ready()
    return ws


async def test_close_codes_are_recorded(quiet: Club) -> None:
    async with aiohttp.ClientSession() as session:
        ws = await identify(session, quiet)
        await ws.close(code=1000)
        await quiet.discord.until(lambda: quiet.discord.closes == [1000])
        assert not quiet.discord.connected
        ws = await identify(session, quiet)
        connection = ws._response.connection
        assert connection is not None
        reset(connection.transport)
        await quiet.discord.until(lambda: quiet.discord.closes == [1000, 1006])


async def test_bot_that_closes_is_gone(club: Club) -> None:
    await club.end()
    await club.discord.until(lambda: len(club.discord.closes) == 1)
    assert not club.discord.connected


async def test_two_bots_get_every_event_and_one_answers(club: Club) -> None:
    other = SampleBot()
    running = asyncio.create_task(other.start(club.discord.token))
    await club.discord.until(lambda: club.discord.gateway.identified == 2)
    i = await club.ann.slash("setup club zone", club.channel, time_zone="UTC")
    await asyncio.wait(
        [asyncio.create_task(b.failed.wait()) for b in (club.bot, other)],
        return_when=asyncio.FIRST_COMPLETED,
        timeout=30,
    )
    assert len(i.replies) == 1
    errors = [*club.bot.errors, *other.errors]
    assert ["40060" in str(error) for error in errors] == [True]
    await other.close()
    await running


async def test_wrong_token(quiet: Club) -> None:
    with pytest.raises(discord.LoginFailure):
        await quiet.bot.login("wrong")


async def test_privileged_intents_are_off_unless_asked_for(quiet: Club) -> None:
    intents = discord.Intents(guilds=True, members=True)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await quiet.run(SampleBot(intents))


async def test_members_intent_brings_members(monkeypatch: pytest.MonkeyPatch) -> None:
    server = LocalDiscord(privileged_intents=True)
    await server.start()
    point_discord_at(server, monkeypatch)
    intents = discord.Intents(guilds=True, members=True, guild_messages=True, message_content=True)
    club = await build_club(server, SampleBot(intents))
    await club.run()
    guild = club.bot.get_guild(int(club.guild["id"]))
    assert guild is not None
    assert {m.name for m in guild.members} == {"club-owner", "tenbou", "ann", "bob"}
    newcomer = server.world.add_user("new")
    joined = club.bot.wait_for("member_join", timeout=30)
    said = club.bot.wait_for("message", timeout=30)
    await server.join(club.guild, newcomer)
    await club.ann.say(club.channel, "hello")
    assert (await joined).name == "new"
    assert (await said).content == "hello"
    await club.end()
    await server.stop()


async def test_until_says_what_it_waited_for(club: Club) -> None:
    with pytest.raises(TimeoutError, match=r"len\(club.discord.closes\) > 99"):
        await club.discord.until(lambda: len(club.discord.closes) > 99, timeout=0.01)


@pytest.mark.parametrize("compressed", [True, False])
async def test_frames_plain_and_compressed(quiet: Club, compressed: bool) -> None:
    async with aiohttp.ClientSession() as session:
        query = "?v=10&encoding=json" + ("&compress=zlib-stream" if compressed else "")
        async with session.ws_connect(quiet.discord.gateway_url + query) as ws:
            frame = await ws.receive()
            assert frame.type is (aiohttp.WSMsgType.BINARY if compressed else aiohttp.WSMsgType.TEXT)
            await ws.send_json({"op": 2, "d": {"token": "wrong", "intents": 1}})
            while not ws.closed:
                await ws.receive()
            assert ws.close_code == 4004
