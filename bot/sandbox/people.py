"""What a person does in a Discord client, refused where a real client or Discord itself would refuse it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.sandbox.emoji import is_emoji
from bot.sandbox.errors import SandboxRefusal
from bot.sandbox.forms import find_button, find_select, modal_data, select_data
from bot.sandbox.hub import Hub
from bot.sandbox.interactions import NO_ANSWER, Interaction, payload
from bot.sandbox.invocations import (
    Attached,
    Resolver,
    autocomplete_data,
    find_command,
    menu_data,
    slash_data,
    usable_commands,
)
from bot.sandbox.messages import Upload, build
from bot.sandbox.objects import EPHEMERAL, Json
from bot.sandbox.permissions import Permission

__all__ = ["Person"]

_COMMAND, _COMPONENT, _AUTOCOMPLETE, _MODAL = 2, 3, 4, 5


class Person:
    """A user in a guild, or alone with the bot in a DM (``guild`` None).

    Everything raises SandboxRefusal where a real person could not do it.
    """

    def __init__(self, hub: Hub, guild: Json | None, user: Json) -> None:
        self._hub = hub
        self.guild = guild
        self.user = user

    # Looking

    def can(self, channel: Json, permission: int) -> bool:
        """Whether the person holds all these permissions in a channel."""
        return self._hub.world.permissions(self.user, channel) & permission == permission

    def commands(self, channel: Json) -> list[Json]:
        """The commands the person's client offers in a channel."""
        return usable_commands(self._hub.world, self.user, channel)

    def history(self, channel: Json) -> list[Json]:
        """The messages the person sees in a channel, ephemeral ones too, oldest first."""
        self._need(channel, Permission.VIEW_CHANNEL, "see this channel")
        world = self._hub.world
        mine = [m for m in world.messages.values() if m["channel_id"] == channel["id"] and self._may_see(m)]
        return sorted(mine, key=lambda message: int(message["id"]))

    def _may_see(self, message: Json) -> bool:
        viewer = self._hub.world.viewers.get(message["id"])
        return not message["flags"] & EPHEMERAL or viewer == self.user["id"]

    def _need(self, channel: Json, permission: int, what: str) -> None:
        if channel["id"] not in self._hub.world.channels:
            raise SandboxRefusal("This channel does not exist any more.")
        if not self.can(channel, permission):
            raise SandboxRefusal(f"{self.user['username']} may not {what}.")

    def _current(self, message: Json) -> tuple[Json, Json]:
        """The message as it is now, and its channel."""
        current = self._hub.world.message(message["id"])
        if current is None or not self._may_see(current):
            raise SandboxRefusal("This message does not exist (any more), or is not shown to this person.")
        channel = self._hub.world.channels[current["channel_id"]]
        self._need(channel, Permission.VIEW_CHANNEL, "see this channel")
        return current, channel

    # Interactions

    async def slash(self, command: str, channel: Json, /, **options: Any) -> Interaction:
        """Send a slash command, e.g. ``"report riichi"``; options by name.

        Users, channels and roles are given as their dicts, files as (file name, bytes), choices by value or
        name; None leaves an option out. Returns after the first answer, or with ``failed`` set when none came.
        """
        name, *words = command.removeprefix("/").split()
        self._need(channel, Permission.VIEW_CHANNEL, "see this channel")
        found = find_command(self._hub.world, self.user, channel, name)
        data = slash_data(found, words, options, self._resolver(channel))
        return await self._start(_COMMAND, channel, data, command_name=" ".join([name, *words]))

    async def autocomplete(
        self, command: str, channel: Json, /, option: str, text: str = "", **other_options: Any
    ) -> list[Json]:
        """Type ``text`` into an option; the choices offered. Raises SandboxRefusal when no answer came."""
        name, *words = command.removeprefix("/").split()
        found = find_command(self._hub.world, self.user, channel, name)
        resolver = self._resolver(channel)
        data = autocomplete_data(found, words, option, text, other_options, resolver)
        interaction = await self._start(_AUTOCOMPLETE, channel, data, command_name=command)
        if interaction.choices is None:
            raise SandboxRefusal("Loading options failed.")
        return interaction.choices

    async def menu(self, name: str, channel: Json, target: Json) -> Interaction:
        """Use a context menu command on a user (its dict) or a message (its dict)."""
        kind = 2 if "username" in target.get("user", target) else 3
        found = find_command(self._hub.world, self.user, channel, name, kind)
        data = menu_data(found, target, self._resolver(channel))
        return await self._start(_COMMAND, channel, data, command_name=name, context_menu=True)

    async def click(self, message: Json, *, custom_id: str | None = None, label: str | None = None) -> Interaction:
        """Press a button of a message."""
        await self._hub.take_pause()
        current, channel = self._current(message)
        button = find_button(current, custom_id, label)
        data = {"custom_id": button["custom_id"], "component_type": 2, "id": button["id"]}
        return await self._start(_COMPONENT, channel, data, message=current)

    async def choose(self, message: Json, custom_id: str, values: Iterable[Any]) -> Interaction:
        """Choose in a select menu: texts by value or label; users, roles and channels by their dicts."""
        await self._hub.take_pause()
        current, channel = self._current(message)
        select = find_select(current, custom_id)
        data = {**select_data(select, values, self._resolver(channel)), "id": select["id"]}
        return await self._start(_COMPONENT, channel, data, message=current)

    async def submit(self, interaction: Interaction, /, **fields: Any) -> Interaction:
        """Fill in and send the form that an interaction opened; fields by custom id."""
        await self._hub.take_pause()
        if interaction.modal is None:
            raise SandboxRefusal("No form is open.")
        if interaction.user["id"] != self.user["id"]:
            raise SandboxRefusal("This form is open for somebody else.")
        data = modal_data(interaction.modal, fields, self._resolver(interaction.channel))
        message = interaction.message
        return await self._start(_MODAL, interaction.channel, data, message=message)

    def _resolver(self, channel: Json) -> Resolver:
        return Resolver(self._hub.world, self.guild, channel)

    async def _start(
        self,
        kind: int,
        channel: Json,
        data: Json,
        *,
        message: Json | None = None,
        command_name: str = "",
        context_menu: bool = False,
    ) -> Interaction:
        hub, world = self._hub, self._hub.world
        interaction = Interaction(
            id=world.snowflake(),
            token=f"interaction-{world.snowflake()}",
            type=kind,
            user=self.user,
            channel=channel,
            guild=world.guild_of(channel),
            message=message,
            command_name=command_name,
            context_menu=context_menu,
        )
        hub.interactions.add(interaction)
        body = payload(world, interaction, data)
        guild_id = interaction.guild["id"] if interaction.guild else None
        hub.gateway.emit("INTERACTION_CREATE", body, guild_id=guild_id)
        hub.changes.notify()
        try:
            await hub.changes.until(lambda: interaction.acknowledged, hub.deadline)
        except TimeoutError:
            interaction.failed = NO_ANSWER
            hub.changes.notify()
        return interaction

    # Messages and reactions

    async def say(
        self, channel: Json, content: str = "", files: Iterable[Attached] = (), *, offline: bool = False
    ) -> Json:
        """Write a message. ``offline`` (here and below): the bot does not hear of it."""
        self._need(channel, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES, "write here")
        uploads = [Upload(str(n), f.filename, "application/octet-stream", f.data) for n, f in enumerate(files)]
        if not content.strip() and not uploads:
            raise SandboxRefusal("An empty message cannot be sent.")
        if len(content) > 2000:
            raise SandboxRefusal("The message is too long; 2,000 characters are the limit.")
        message = build(self._hub.world, channel, self.user, {"content": content}, uploads)
        self._hub.actions.post(message, deliver=not offline)
        return message

    async def react(self, message: Json, emoji: str, *, offline: bool = False) -> None:
        """React to a message with ``✅`` or ``name:id``."""
        await self._hub.take_pause()
        current, channel = self._current(message)
        self._need(channel, Permission.READ_MESSAGE_HISTORY, "read what was said here")
        world = self._hub.world
        if current["flags"] & EPHEMERAL:
            raise SandboxRefusal("Nobody can react to an ephemeral message.")
        if not is_emoji(emoji) and not world.knows_emoji(emoji):
            raise SandboxRefusal(f"{emoji} is not an emoji.")
        reactors = world.reactions_of(current["id"])
        if emoji not in reactors:
            self._need(channel, Permission.ADD_REACTIONS, "add a reaction here")
            if len(reactors) >= 20:
                raise SandboxRefusal("The message has 20 different reactions already.")
        self._hub.actions.react(self.user, current, emoji, deliver=not offline)

    async def unreact(self, message: Json, emoji: str, *, offline: bool = False) -> None:
        """Take the person's own reaction away."""
        await self._hub.take_pause()
        current, _ = self._current(message)
        if self.user["id"] not in self._hub.world.reactions_of(current["id"]).get(emoji, ()):
            raise SandboxRefusal(f"{self.user['username']} has not reacted with {emoji}.")
        self._hub.actions.unreact(self.user, current, emoji, deliver=not offline)

    async def clear_reactions(self, message: Json, emoji: str | None = None, *, offline: bool = False) -> None:
        """Take away everybody's reactions, or everybody's with one emoji."""
        current, channel = self._current(message)
        self._need(channel, Permission.MANAGE_MESSAGES, "remove the reactions of others")
        self._hub.actions.clear_reactions(current, emoji, deliver=not offline)

    async def delete(self, message: Json, *, offline: bool = False) -> None:
        """Delete the person's own message, or somebody else's with the right to."""
        await self._hub.take_pause()
        current, channel = self._current(message)
        if current["flags"] & EPHEMERAL:
            raise SandboxRefusal("An ephemeral message can only be dismissed.")
        if current["author"]["id"] != self.user["id"]:
            if self._hub.world.guild_of(channel) is None:
                raise SandboxRefusal("Nobody can delete the messages of others in a DM.")
            self._need(channel, Permission.MANAGE_MESSAGES, "delete the messages of others")
        self._hub.interactions.forget_message(current)
        self._hub.actions.delete(current, deliver=not offline)
