"""The gateway by hand: heartbeats, shards, intents, member chunks, and the close codes of bad clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox import LocalDiscord
from tests.sandbox.conftest import Club, Json, build_club
from tests.sandbox.sample import SampleBot


class Wire:
    """One websocket to the gateway."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse, token: str) -> None:
        self._ws = ws
        self._token = token

    async def send(self, op: int, data: Any = None) -> None:
        await self._ws.send_json({"op": op, "d": data})

    async def identify(self, intents: int = 1, **more: Any) -> None:
        await self.send(2, {"token": self._token, "intents": intents, **more})

    async def next(self) -> Json:
        frame: Json = await self._ws.receive_json(timeout=30)
        return frame

    async def event(self, name: str) -> Json:
        """The next event of this name."""
        while True:
            frame = await self.next()
            if frame.get("t") == name:
                data: Json = frame["d"]
                return data

    async def code(self) -> int | None:
        """The code with which the server closes."""
        while not self._ws.closed:
            await self._ws.receive(timeout=30)
        return self._ws.close_code


@pytest.fixture
async def server() -> AsyncIterator[Club]:
    discord = LocalDiscord()
    await discord.start()
    yield await build_club(discord, SampleBot())
    await discord.stop()


@pytest.fixture
async def wire(server: Club) -> AsyncIterator[Wire]:
    discord = server.discord
    async with aiohttp.ClientSession() as session, session.ws_connect(discord.gateway_url) as ws:
        opened = Wire(ws, discord.token)
        assert (await opened.next())["op"] == 10
        yield opened


async def test_heartbeat_is_acknowledged(wire: Wire) -> None:
    await wire.send(1, None)
    assert (await wire.next())["op"] == 11


async def test_ready_then_guilds(server: Club, wire: Wire) -> None:
    await wire.identify()
    ready = await wire.event("READY")
    assert [g["id"] for g in ready["guilds"]] == [server.guild["id"]]
    assert "locale" not in ready["user"]
    guild = await wire.event("GUILD_CREATE")
    assert [m["user"]["id"] for m in guild["members"]] == [server.discord.world.bot["id"]]
    assert guild["member_count"] == 4


async def test_shards_get_their_own_guilds(server: Club, wire: Wire) -> None:
    number = (int(server.guild["id"]) >> 22) % 2
    await wire.identify(shard=[1 - number, 2])
    assert (await wire.event("READY"))["guilds"] == []
    await wire.send(1)
    assert (await wire.next())["op"] == 11


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"token": "wrong", "intents": 1}, 4004),
        ({"intents": 1 << 1}, 4014),
        ({"intents": 1 << 15}, 4014),
        ({"intents": 1 << 40}, 4013),
        ({"intents": 1, "shard": [2, 2]}, 4010),
        ({}, 4002),
    ],
)
async def test_bad_identify(server: Club, wire: Wire, data: Json, code: int) -> None:
    await wire.send(2, {"token": server.discord.token, **data})
    assert await wire.code() == code
    assert server.discord.closes == []


async def test_bad_clients(wire: Wire) -> None:
    await wire.send(8, {})
    assert await wire.code() == 4003


async def test_second_identify(wire: Wire) -> None:
    await wire.identify()
    await wire.identify()
    assert await wire.code() == 4005


async def test_unknown_session_cannot_be_resumed(server: Club, wire: Wire) -> None:
    await wire.send(6, {"token": server.discord.token, "session_id": "nothing", "seq": 1})
    frame = await wire.next()
    assert (frame["op"], frame["d"]) == (9, False)


async def test_events_come_with_their_intents_only(server: Club, wire: Wire) -> None:
    await wire.identify(intents=1 << 10)
    await wire.event("READY")
    said = await server.ann.say(server.channel, "x")
    await server.ann.react(said, "✅")
    frame = await wire.next()
    assert frame["t"] == "MESSAGE_REACTION_ADD"
    assert frame["d"]["member"]["roles"] == [server.admin_role["id"]]
    assert "locale" not in frame["d"]["member"]["user"]


async def test_no_events_from_channels_out_of_sight(server: Club, wire: Wire) -> None:
    bot_role = server.discord.world.bot_role(server.guild)
    await wire.identify(intents=1 << 9)
    await wire.event("READY")
    hidden = [{"id": bot_role["id"], "type": 0, "deny": 1 << 10}]
    await server.discord.set_overwrites(server.channel, hidden)
    await server.ann.say(server.channel, "unheard")
    await server.discord.set_overwrites(server.channel, [])
    heard = await server.ann.say(server.channel, "heard")
    assert (await wire.event("MESSAGE_CREATE"))["id"] == heard["id"]


async def test_members_by_id_and_by_name(server: Club, wire: Wire) -> None:
    await wire.identify()
    ask = {"guild_id": server.guild["id"], "nonce": "n", "limit": 0}
    await wire.send(8, {**ask, "user_ids": [server.ann.user["id"], "1"]})
    chunk = await wire.event("GUILD_MEMBERS_CHUNK")
    assert [m["user"]["username"] for m in chunk["members"]] == ["ann"]
    assert (chunk["not_found"], chunk["nonce"]) == (["1"], "n")
    await wire.send(8, {**ask, "query": "BO", "limit": 5})
    chunk = await wire.event("GUILD_MEMBERS_CHUNK")
    assert [m["user"]["username"] for m in chunk["members"]] == ["bob"]
    await wire.send(8, {**ask, "query": ""})
    assert await wire.code() == 4014


async def test_late_resume_is_refused(server: Club) -> None:
    discord = server.discord
    discord.gateway.resume_window = -1.0
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(discord.gateway_url) as ws:
            first = Wire(ws, discord.token)
            await first.identify()
            ready = await first.event("READY")
            await ws.close(code=4000)
        await discord.until(lambda: discord.closes == [4000])
        async with session.ws_connect(discord.gateway_url) as ws:
            second = Wire(ws, discord.token)
            await second.next()
            await second.send(6, {"token": discord.token, "session_id": ready["session_id"], "seq": 1})
            assert (await second.next())["op"] == 9
