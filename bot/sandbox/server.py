"""The local Discord: one server on loopback with REST, gateway and attachments, and the people on it."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from bot.sandbox.faults import GATEWAY_PATH
from bot.sandbox.hub import Checker, Hub
from bot.sandbox.objects import Json
from bot.sandbox.people import Person
from bot.sandbox.rest import PREFIX, Rest
from bot.sandbox.world import World, normal_overwrite

__all__ = ["LocalDiscord"]


class LocalDiscord(Hub):
    """Discord for one bot, on this machine.

    Parameters
    ----------
    token: the bot's token; any other is refused.
    check: a further check of every request, e.g. against Discord's API description; an error answers 400.
    privileged_intents: whether the members, presences and message content intents are switched on.
    buckets: whether message posts and reactions are rate limited.
    world: an existing state to serve; by default an empty one.
    """

    def __init__(
        self,
        token: str = "sandbox-token",  # noqa: S107 - the token of a server that only this machine can reach
        check: Checker | None = None,
        *,
        privileged_intents: bool = False,
        buckets: bool = False,
        world: World | None = None,
    ) -> None:
        super().__init__(world or World(), token, check)
        self.gateway.privileged = privileged_intents
        self.buckets = buckets
        self.rest_url = self.gateway_url = ""
        self.port = 0
        self.app = web.Application(client_max_size=64 * 1024 * 1024)
        self.app.router.add_get(GATEWAY_PATH, self.gateway.handle)
        self.app.router.add_route("*", PREFIX + "/{path:.*}", Rest(self).handle)
        self.app.router.add_get("/attachments/{channel}/{attachment}/{filename}", self._attachment)
        self._runner: web.AppRunner | None = None

    @classmethod
    def load(cls, path: str | Path, **settings: Any) -> Self:
        """A local Discord with the state kept by ``world.save``; settings as for the class."""
        return cls(world=World.load(path), **settings)

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes a free one. Sets ``port``, ``rest_url`` and ``gateway_url``."""
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        self.port = self._runner.addresses[0][1]
        self.world.move_to(f"http://{host}:{self.port}")
        self.rest_url = f"http://{host}:{self.port}{PREFIX}"
        self.gateway_url = self.gateway.url = f"ws://{host}:{self.port}{GATEWAY_PATH}"

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        self.faults.clear()
        await self.gateway.shut()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _attachment(self, request: web.Request) -> web.Response:
        data = self.world.files.get(request.match_info["attachment"])
        if data is None:
            raise web.HTTPNotFound
        guessed = mimetypes.guess_type(request.match_info["filename"])[0]
        return web.Response(body=data, content_type=guessed or "application/octet-stream")

    # Watching

    @property
    def connected(self) -> bool:
        """Whether a bot is connected and has its guilds."""
        return any(session.live for session in self.gateway.sessions.values())

    @property
    def closes(self) -> list[int]:
        """The codes with which bots closed their gateway connections; 1006 where one just went away."""
        return self.gateway.closes

    async def ready(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109
        """Wait until a bot has identified and got its guilds."""
        await self.until(lambda: self.connected, timeout)

    async def until(self, predicate: Callable[[], Any], timeout: float = 30.0) -> Any:  # noqa: ASYNC109
        """Wait until the predicate holds, looking at every change; return what it gave.

        Raises TimeoutError, saying what was waited for.
        """
        return await self.changes.until(predicate, timeout)

    def person(self, guild: Json | None, user: Json) -> Person:
        """Act as this user, in a guild or (None) in a DM with the bot."""
        return Person(self, guild, user)

    # Living guilds: each of these tells the bot

    async def drop_gateway(self, resumable: bool = True, abrupt: bool = False) -> None:
        """Lose every gateway connection: closed with 4000, or reset (``abrupt``).

        What happens afterwards is replayed on resume; with ``resumable`` False the resume is refused.
        """
        await self.gateway.drop(resumable=resumable, abrupt=abrupt)

    async def add_guild_live(self, guild: Json) -> None:
        """Let the bot join a guild made with ``world.add_guild``."""
        self.actions.bot_joins(guild)

    async def remove_guild_live(self, guild: Json) -> None:
        """Throw the bot out of a guild."""
        self.actions.bot_leaves(guild)

    async def create_channel(self, guild: Json, name: str, overwrites: Iterable[Json] = ()) -> Json:
        """Make a channel."""
        channel = self.world.add_channel(guild, name, overwrites)
        self.actions.channel_changed(channel, "CHANNEL_CREATE")
        return channel

    async def delete_channel(self, channel: Json) -> None:
        """Delete a channel with its messages."""
        self.actions.delete_channel(channel)

    async def set_overwrites(self, channel: Json, overwrites: Iterable[Json]) -> None:
        """Replace a channel's permission overwrites (see ``permissions.overwrite``)."""
        channel["permission_overwrites"] = [normal_overwrite(entry) for entry in overwrites]
        self.actions.channel_changed(channel)

    async def create_role(self, guild: Json, name: str, permissions: int = 0, position: int = 1) -> Json:
        """Make a role."""
        return self.actions.create_role(guild, name, permissions, position)

    async def edit_role(
        self,
        role: Json,
        *,
        permissions: int | None = None,
        name: str | None = None,
        position: int | None = None,
        mentionable: bool | None = None,
    ) -> None:
        """Change a role."""
        changes = {"permissions": permissions, "name": name, "position": position, "mentionable": mentionable}
        self.actions.edit_role(role, changes)

    async def delete_role(self, role: Json) -> None:
        """Delete a role."""
        self.actions.delete_role(role)

    async def set_roles(self, guild: Json, user: Json, roles: Iterable[Json]) -> None:
        """Give a member exactly these roles."""
        self.actions.set_roles(guild, user, [role["id"] for role in roles])

    async def rename(self, guild: Json, user: Json, nick: str | None = None) -> None:
        """Change a member's nickname; None removes it."""
        self.actions.rename(guild, user, nick)

    async def join(self, guild: Json, user: Json, roles: Iterable[Json] = (), nick: str | None = None) -> None:
        """Let a user join a guild."""
        self.actions.join(guild, user, roles, nick)

    async def kick(self, guild: Json, user: Json) -> None:
        """Take a user out of a guild."""
        self.actions.leave(guild, user)

    async def delete_messages(self, messages: list[Json], *, offline: bool = False) -> None:
        """Delete messages of one channel in bulk, as a moderation bot does."""
        for message in messages:
            self.interactions.forget_message(message)
        self.actions.delete_many(messages, deliver=not offline)
