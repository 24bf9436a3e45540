"""What changes the world while the server runs: each act with the gateway events it causes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.sandbox.changes import Changes
from bot.sandbox.gateway import Gateway, guild_create
from bot.sandbox.intents import Intent, readable_message
from bot.sandbox.objects import (
    EPHEMERAL,
    Json,
    emoji_object,
    public_member,
    public_user,
)
from bot.sandbox.permissions import Permission
from bot.sandbox.sessions import Session
from bot.sandbox.world import World

__all__ = ["Actions"]


class Actions:
    """Acts on messages, reactions, channels, roles, members and guilds; no permission is asked here."""

    def __init__(self, world: World, gateway: Gateway, changes: Changes) -> None:
        self._world = world
        self._gateway = gateway
        self._changes = changes

    # Messages

    def post(self, message: Json, nonce: str | int | None = None, *, deliver: bool = True) -> None:
        """Put a finished message into its channel; without ``deliver``, here and below, the bot is not told."""
        channel = self._world.channels[message["channel_id"]]
        self._world.messages[message["id"]] = message
        if not message["flags"] & EPHEMERAL:
            channel["last_message_id"] = message["id"]
        if deliver and not message["flags"] & EPHEMERAL:
            self._tell_message("MESSAGE_CREATE", message, {} if nonce is None else {"nonce": nonce})
        self._changes.notify()

    def edited(self, message: Json) -> None:
        """Tell that a message has been changed."""
        if not message["flags"] & EPHEMERAL:
            self._tell_message("MESSAGE_UPDATE", message, {})
        self._changes.notify()

    def delete(self, message: Json, *, deliver: bool = True) -> None:
        """Delete a message."""
        self._world.drop_message(message["id"])
        if deliver and not message["flags"] & EPHEMERAL:
            self._tell_channel("MESSAGE_DELETE", message["channel_id"], {"id": message["id"]})
        self._changes.notify()

    def delete_many(self, messages: list[Json], *, deliver: bool = True) -> None:
        """Delete messages of one channel in bulk."""
        for message in messages:
            self._world.drop_message(message["id"])
        if deliver and messages:
            ids = [message["id"] for message in messages]
            self._tell_channel("MESSAGE_DELETE_BULK", messages[0]["channel_id"], {"ids": ids})
        self._changes.notify()

    def _tell_message(self, event: str, message: Json, extra: Json) -> None:
        world, channel = self._world, self._world.channels[message["channel_id"]]
        guild = world.guild_of(channel)
        place: Json = {"channel_type": channel["type"]}
        if guild is not None:
            place["guild_id"] = guild["id"]
            member = world.member(guild, message["author"]["id"])
            if member is not None:
                place["member"] = public_member(member, with_user=False)

        def seen_by(session: Session) -> Json:
            allowed = bool(session.intents & Intent.MESSAGE_CONTENT)
            shown = readable_message(message, world.bot["id"], allowed=allowed, direct=guild is None)
            return {**shown, **place, **extra}

        if self._bot_sees(channel):
            self._gateway.emit(event, seen_by, guild_id=guild["id"] if guild else None)

    def _tell_channel(self, event: str, channel_id: str, data: Json) -> None:
        channel = self._world.channels[channel_id]
        guild_id = channel.get("guild_id")
        place = {"channel_id": channel_id, **({"guild_id": guild_id} if guild_id else {})}
        if self._bot_sees(channel):
            self._gateway.emit(event, {**data, **place}, guild_id=guild_id)

    def _bot_sees(self, channel: Json) -> bool:
        return bool(self._world.permissions(self._world.bot, channel) & Permission.VIEW_CHANNEL)

    # Reactions

    def react(self, user: Json, message: Json, key: str, *, deliver: bool = True) -> None:
        """Add a user's reaction; a second time changes nothing."""
        users = self._world.reactions_of(message["id"]).setdefault(key, [])
        if user["id"] in users:
            return
        users.append(user["id"])
        self._world.refresh_reactions(message)
        data = {**self._reaction(user, message, key), "message_author_id": message["author"]["id"]}
        guild = self._world.guild_of(self._world.channels[message["channel_id"]])
        member = self._world.member(guild, user) if guild else None
        if member is not None:
            data["member"] = public_member(member)
        if deliver:
            self._tell_channel("MESSAGE_REACTION_ADD", message["channel_id"], {**data, "burst_colors": []})
        self._changes.notify()

    def unreact(self, user: Json, message: Json, key: str, *, deliver: bool = True) -> None:
        """Take a user's reaction away, if there is one."""
        users = self._world.reactions_of(message["id"]).get(key, [])
        if user["id"] not in users:
            return
        users.remove(user["id"])
        self._world.refresh_reactions(message)
        if deliver:
            data = self._reaction(user, message, key)
            self._tell_channel("MESSAGE_REACTION_REMOVE", message["channel_id"], data)
        self._changes.notify()

    def clear_reactions(self, message: Json, key: str | None = None, *, deliver: bool = True) -> None:
        """Take all reactions away, or all with one emoji."""
        reactors = self._world.reactions_of(message["id"])
        data: Json = {"message_id": message["id"]}
        event = "MESSAGE_REACTION_REMOVE_ALL"
        if key is None:
            reactors.clear()
        else:
            reactors.pop(key, None)
            event, data["emoji"] = "MESSAGE_REACTION_REMOVE_EMOJI", emoji_object(key)
        self._world.refresh_reactions(message)
        if deliver:
            self._tell_channel(event, message["channel_id"], data)
        self._changes.notify()

    @staticmethod
    def _reaction(user: Json, message: Json, key: str) -> Json:
        return {
            "user_id": user["id"],
            "message_id": message["id"],
            "emoji": emoji_object(key),
            "burst": False,
            "type": 0,
        }

    # Guilds, channels, roles, members

    def tell_guild(self, event: str, guild: Json, data: Json) -> None:
        """Send a guild's event, if the bot is in the guild."""
        if self._world.member(guild, self._world.bot) is not None:
            self._gateway.emit(event, data, guild_id=guild["id"])
        self._changes.notify()

    def tell_member(self, guild: Json, member: Json) -> None:
        """Send GUILD_MEMBER_UPDATE; the bot hears of itself without the members intent."""
        me = member["user"]["id"] == self._world.bot["id"]
        needs = None if me else Intent.GUILD_MEMBERS
        data = {**public_member(member), "guild_id": guild["id"]}
        self._gateway.dispatch("GUILD_MEMBER_UPDATE", data, guild_id=guild["id"], needs=needs)
        self._changes.notify()

    def set_roles(self, guild: Json, user: Json, role_ids: Iterable[str]) -> Json:
        """Give a member exactly these roles."""
        member = self._need_member(guild, user)
        member["roles"][:] = dict.fromkeys(role_ids)
        self.tell_member(guild, member)
        return member

    def rename(self, guild: Json, user: Json, nick: str | None) -> Json:
        """Change a member's nickname."""
        member = self._need_member(guild, user)
        member["nick"] = nick
        self.tell_member(guild, member)
        return member

    def join(self, guild: Json, user: Json, roles: Iterable[Json] = (), nick: str | None = None) -> Json:
        """Let a user join."""
        member = self._world.add_member(guild, user, roles=roles, nick=nick)
        self.tell_guild("GUILD_MEMBER_ADD", guild, {**public_member(member), "guild_id": guild["id"]})
        return member

    def leave(self, guild: Json, user: Json) -> None:
        """Take a user out of a guild; the bot itself leaves with GUILD_DELETE."""
        if user["id"] == self._world.bot["id"]:
            self.bot_leaves(guild)
            return
        self._need_member(guild, user)
        self._world.remove_member(guild, user)
        data = {"guild_id": guild["id"], "user": public_user(user)}
        self.tell_guild("GUILD_MEMBER_REMOVE", guild, data)

    def bot_joins(self, guild: Json) -> None:
        """Announce a guild to the bot, inviting it first where it is not a member."""
        if self._world.member(guild, self._world.bot) is None:
            self._world.invite_bot(guild)
        self.tell_guild("GUILD_CREATE", guild, guild_create(self._world, guild))

    def bot_leaves(self, guild: Json) -> None:
        """Throw the bot out of a guild."""
        self.tell_guild("GUILD_DELETE", guild, {"id": guild["id"]})
        self._world.remove_member(guild, self._world.bot)
        mine = [r for r in guild["roles"] if r.get("tags", {}).get("bot_id") == self._world.bot["id"]]
        guild["roles"] = [r for r in guild["roles"] if r not in mine]
        self._changes.notify()

    def create_role(
        self, guild: Json, name: str, permissions: int = 0, position: int = 1, looks: Json | None = None
    ) -> Json:
        """Make a role; ``looks`` are further fields of it."""
        role = self._world.add_role(guild, name, permissions, position)
        role.update(looks or {})
        self.tell_guild("GUILD_ROLE_CREATE", guild, {"guild_id": guild["id"], "role": role})
        return role

    def edit_role(self, role: Json, changes: dict[str, Any]) -> None:
        """Change a role's name, permissions, position or mentionable."""
        guild = self.guild_of_role(role)
        changes = {key: value for key, value in changes.items() if value is not None}
        if "permissions" in changes:
            changes["permissions"] = str(int(changes["permissions"]))
        role.update(changes)
        self.tell_guild("GUILD_ROLE_UPDATE", guild, {"guild_id": guild["id"], "role": role})

    def delete_role(self, role: Json) -> None:
        """Delete a role and take it from everybody."""
        guild = self.guild_of_role(role)
        guild["roles"] = [r for r in guild["roles"] if r["id"] != role["id"]]
        for member in guild["members"]:
            if role["id"] in member["roles"]:
                member["roles"].remove(role["id"])
        self.tell_guild("GUILD_ROLE_DELETE", guild, {"guild_id": guild["id"], "role_id": role["id"]})

    def delete_channel(self, channel: Json) -> None:
        """Delete a channel."""
        guild = self._world.guilds[channel["guild_id"]]
        self._world.remove_channel(channel)
        self.tell_guild("CHANNEL_DELETE", guild, channel)

    def channel_changed(self, channel: Json, event: str = "CHANNEL_UPDATE") -> None:
        """Tell that a channel is new or has been changed."""
        self.tell_guild(event, self._world.guilds[channel["guild_id"]], channel)

    def guild_of_role(self, role: Json) -> Json:
        """The guild a role belongs to. Raises LookupError when it is in none."""
        for guild in self._world.guilds.values():
            if any(r["id"] == role["id"] for r in guild["roles"]):
                return guild
        raise LookupError(f"No guild has the role {role['name']}.")

    def _need_member(self, guild: Json, user: Json) -> Json:
        member = self._world.member(guild, user)
        if member is None:
            raise LookupError(f"{user['username']} is not a member of {guild['name']}.")
        return member
