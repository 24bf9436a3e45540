"""A club on a local Discord, with the sample bot running on it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord as discord_py
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.sandbox import LocalDiscord, Permission, Person, overwrite
from tests.openapi import checker
from tests.sandbox.sample import SampleBot

Json = dict[str, Any]


@dataclass(slots=True)
class Club:
    discord: LocalDiscord
    bot: SampleBot
    guild: Json
    channel: Json
    admin_role: Json
    ann: Person
    bob: Person
    runner: asyncio.Task[None] | None = None

    async def run(self, bot: SampleBot | None = None) -> None:
        """Start the bot (a new one, if given) and wait until it is ready."""
        if bot is not None:
            await self.end()
            self.bot = bot
        self.runner = asyncio.create_task(self.bot.start(self.discord.token))
        ready = asyncio.create_task(self.bot.wait_until_ready())
        await asyncio.wait([self.runner, ready], return_when=asyncio.FIRST_COMPLETED, timeout=30)
        ready.cancel()
        if self.runner.done():
            await self.runner

    async def end(self) -> None:
        """Close the bot."""
        await self.bot.close()
        if self.runner is not None:
            await asyncio.wait([self.runner])
            self.runner = None


def point_discord_at(discord: LocalDiscord, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Route, "BASE", discord.rest_url)
    patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord.gateway_url))


async def build_club(discord: LocalDiscord, bot: SampleBot) -> Club:
    world = discord.world
    guild = world.add_guild("Club")
    admin_role = world.add_role(guild, "Admin")
    ann, bob = world.add_user("ann", "Ann"), world.add_user("bob", "Bob")
    world.add_member(guild, ann, roles=[admin_role])
    world.add_member(guild, bob)
    channel = world.add_channel(guild, "mahjong")
    people = discord.person(guild, ann), discord.person(guild, bob)
    return Club(discord, bot, guild, channel, admin_role, *people)


async def deny(club: Club, *permissions: Permission) -> None:
    """Take permissions from the bot in the club's channel."""
    bits = 0
    for permission in permissions:
        bits |= permission
    bot_role = club.discord.world.bot_role(club.guild)
    await club.discord.set_overwrites(club.channel, [overwrite(bot_role, deny=bits)])


async def send(club: Club, content: str = "hello") -> tuple[discord_py.Message, Json]:
    message = await club.bot.text_channel(club.channel).send(content)
    stored = club.discord.world.message(message.id)
    assert stored is not None
    return message, stored


async def settle(club: Club) -> None:
    """Everything sent before has been handled once a later interaction is answered."""
    await club.bob.slash("setup club zone", club.channel, time_zone="UTC")


@pytest.fixture
async def quiet(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    """A club on a running server; the bot is not started yet."""
    discord = LocalDiscord(check=checker())
    await discord.start()
    point_discord_at(discord, monkeypatch)
    club = await build_club(discord, SampleBot())
    yield club
    await club.end()
    await discord.stop()


@pytest.fixture
async def club(quiet: Club) -> Club:
    """A club whose bot is ready."""
    await quiet.run()
    return quiet


class Api:
    """Requests as the bot might make them, without discord.py's own checks before."""

    def __init__(self, session: aiohttp.ClientSession, discord: LocalDiscord) -> None:
        self._session = session
        self._discord = discord

    async def __call__(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {options.pop('token', self._discord.token)}"}
        url = self._discord.rest_url + path
        if body is not None:
            options["json"] = body
        async with self._session.request(method, url, headers=headers, **options) as response:
            data = await response.read()
            return response.status, json.loads(data) if data else None

    async def fetch(self, url: str) -> tuple[int, str, bytes]:
        """Status, content type and content of any address."""
        async with self._session.get(url) as response:
            return response.status, response.content_type, await response.read()

    async def code(self, method: str, path: str, body: Any = None, **options: Any) -> int:
        """Discord's error code of the answer."""
        status, answer = await self(method, path, body, **options)
        assert status >= 400, answer
        return int(answer["code"])


@pytest.fixture
async def bare() -> AsyncIterator[tuple[Club, Api]]:
    """A club without a running bot and without the API description, and a plain client with the bot's token."""
    discord = LocalDiscord()
    await discord.start()
    async with aiohttp.ClientSession() as session:
        yield await build_club(discord, SampleBot()), Api(session, discord)
    await discord.stop()
