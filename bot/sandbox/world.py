"""The state of the local Discord: users, guilds, channels, messages, reactions, commands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bot.sandbox import archive
from bot.sandbox.objects import (
    EPHEMERAL,
    Json,
    Snowflakes,
    channel_template,
    dm_template,
    emoji_key,
    emoji_object,
    guild_template,
    member_template,
    role_template,
    user_template,
)
from bot.sandbox.permissions import ALL, BOT_DEFAULT, EVERYONE_DEFAULT, Permission, in_channel, in_guild

__all__ = ["World", "normal_overwrite", "role_height"]

_DM_PERMISSIONS = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
)


class World:
    """Everything that exists, as Discord's own JSON objects, by id.

    The builders change the state and tell nobody; on a running server use the methods of ``LocalDiscord``,
    which also send the gateway events.
    """

    def __init__(self, bot_name: str = "tenbou") -> None:
        self.snowflake = Snowflakes()
        self.users: dict[str, Json] = {}
        self.guilds: dict[str, Json] = {}
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, Json] = {}
        self.reactors: dict[str, dict[str, list[str]]] = {}
        self.viewers: dict[str, str] = {}
        self.files: dict[str, bytes] = {}
        self.commands: dict[str, list[Json]] = {"global": []}
        self.base_url = "http://127.0.0.1"
        self.bot = self.add_user(bot_name, bot=True)

    @property
    def application_id(self) -> str:
        """The id of the bot's application, which is the bot's user id."""
        return str(self.bot["id"])

    # Builders

    def add_user(
        self,
        name: str,
        display_name: str | None = None,
        bot: bool = False,
        locale: str = "en-US",
        dms_closed: bool = False,
    ) -> Json:
        """Make a user; ``locale`` is the language of the client, ``dms_closed`` refuses the bot's DMs."""
        user = user_template(self.snowflake(), name, display_name, bot=bot)
        user.update(locale=locale, dms_closed=dms_closed)
        self.users[user["id"]] = user
        return user

    def add_guild(
        self, name: str, owner: Json | None = None, locale: str = "en-US", bot_permissions: int = BOT_DEFAULT
    ) -> Json:
        """Make a guild with the bot in it, holding a managed role with the permissions of its invitation."""
        if owner is None:
            owner = self.add_user(f"{name.lower()}-owner", display_name=f"Owner of {name}")
        guild = guild_template(self.snowflake(), name, owner["id"], locale)
        guild["roles"].append(role_template(guild["id"], "@everyone", EVERYONE_DEFAULT, 0))
        self.guilds[guild["id"]] = guild
        self.add_member(guild, owner)
        self.invite_bot(guild, bot_permissions)
        return guild

    def invite_bot(self, guild: Json, permissions: int = BOT_DEFAULT) -> None:
        """Add the bot to a guild with its managed role."""
        role = self.add_role(guild, self.bot["username"], permissions)
        role.update(managed=True, tags={"bot_id": self.bot["id"]})
        self.add_member(guild, self.bot, roles=[role])

    def add_role(
        self, guild: Json, name: str, permissions: int = 0, position: int = 1, mentionable: bool = False
    ) -> Json:
        """Make a role; as on Discord a new one is the lowest above @everyone, unless ``position`` says more."""
        role = role_template(self.snowflake(), name, permissions, position)
        role["mentionable"] = mentionable
        guild["roles"].append(role)
        return role

    def add_member(self, guild: Json, user: Json, roles: Iterable[Json] = (), nick: str | None = None) -> Json:
        """Let a user join a guild."""
        if self.member(guild, user) is not None:
            raise ValueError(f"{user['username']} is already a member of {guild['name']}.")
        member = member_template(user, [role["id"] for role in roles], nick)
        guild["members"].append(member)
        guild["member_count"] = len(guild["members"])
        return member

    def remove_member(self, guild: Json, user: Json) -> None:
        """Take a user out of a guild."""
        guild["members"] = [m for m in guild["members"] if m["user"]["id"] != user["id"]]
        guild["member_count"] = len(guild["members"])

    def add_channel(
        self,
        guild: Json,
        name: str,
        overwrites: Iterable[Json] = (),
        type: int = 0,
        parent: Json | None = None,
    ) -> Json:
        """Make a channel in a guild (``type`` 0 text, 2 voice, 4 category, 5 announcements)."""
        shown = [normal_overwrite(entry) for entry in overwrites]
        channel = channel_template(self.snowflake(), guild["id"], name, len(guild["channels"]), shown)
        channel.update(type=type, parent_id=parent["id"] if parent else None)
        guild["channels"].append(channel)
        self.channels[channel["id"]] = channel
        return channel

    def remove_channel(self, channel: Json) -> None:
        """Delete a channel with all that was said in it."""
        guild = self.guilds[channel["guild_id"]]
        guild["channels"] = [c for c in guild["channels"] if c["id"] != channel["id"]]
        self.channels.pop(channel["id"], None)
        for message in [m for m in self.messages.values() if m["channel_id"] == channel["id"]]:
            self.drop_message(message["id"])

    def dm_channel(self, user: Json) -> Json:
        """The private channel between the bot and a user, made when first asked for."""
        for channel in self.channels.values():
            if channel["type"] == 1 and channel["recipients"][0]["id"] == user["id"]:
                return channel
        channel = dm_template(self.snowflake(), user)
        self.channels[channel["id"]] = channel
        return channel

    # Looking things up

    def member(self, guild: Json, user: Json | str) -> Json | None:
        """The member of a guild for a user or a user id."""
        user_id = user if isinstance(user, str) else user["id"]
        return next((m for m in guild["members"] if m["user"]["id"] == user_id), None)

    def role(self, guild: Json, role_id: str) -> Json | None:
        """A role of a guild by id."""
        return next((r for r in guild["roles"] if r["id"] == role_id), None)

    def bot_role(self, guild: Json) -> Json:
        """The bot's own managed role in a guild."""
        return next(r for r in guild["roles"] if r.get("tags", {}).get("bot_id") == self.bot["id"])

    def guild_of(self, channel: Json) -> Json | None:
        """The guild of a channel; None for a DM."""
        return self.guilds.get(channel.get("guild_id", ""))

    def message(self, message_id: str | int) -> Json | None:
        """A message by id, live: edits and reactions show in the same dict. None when it does not exist."""
        return self.messages.get(str(message_id))

    def history(self, channel: Json) -> list[Json]:
        """What everyone in the channel sees, oldest first; ephemeral messages are left out."""
        found = [
            m for m in self.messages.values() if m["channel_id"] == channel["id"] and not m["flags"] & EPHEMERAL
        ]
        return sorted(found, key=lambda message: int(message["id"]))

    def permissions(self, user: Json, channel: Json) -> int:
        """What a user may do in a channel; 0 for somebody who is not there."""
        guild = self.guild_of(channel)
        if guild is None:
            here = user["id"] in (channel["recipients"][0]["id"], self.bot["id"])
            return int(_DM_PERMISSIONS) if here else 0
        member = self.member(guild, user)
        return 0 if member is None else in_channel(guild, member, channel)

    def guild_permissions(self, guild: Json, user: Json) -> int:
        """What a user may do in a guild as a whole; 0 for somebody who is not a member."""
        member = self.member(guild, user)
        return 0 if member is None else in_guild(guild, member)

    def top_height(self, guild: Json, user: Json) -> tuple[int, int]:
        """The height of a member's highest role; above every role for the owner."""
        if user["id"] == guild["owner_id"]:
            return ALL, 0
        member = self.member(guild, user)
        held = member["roles"] if member else []
        return max((role_height(role) for role in guild["roles"] if role["id"] in held), default=(0, 0))

    # Messages and reactions, without events

    def drop_message(self, message_id: str) -> None:
        """Forget a message, its reactions and its files."""
        message = self.messages.pop(message_id, None)
        self.reactors.pop(message_id, None)
        self.viewers.pop(message_id, None)
        for attachment in message["attachments"] if message else ():
            self.files.pop(attachment["id"], None)

    def reactions_of(self, message_id: str) -> dict[str, list[str]]:
        """Who reacted to a message: user ids by emoji (``✅`` or ``name:id``), in the order they came."""
        return self.reactors.setdefault(message_id, {})

    def refresh_reactions(self, message: Json) -> None:
        """Bring the ``reactions`` list of a message up to date."""
        reactors = self.reactions_of(message["id"])
        for key in [key for key, users in reactors.items() if not users]:
            del reactors[key]
        message["reactions"] = [
            {
                "emoji": emoji_object(key),
                "count": len(users),
                "count_details": {"burst": 0, "normal": len(users)},
                "burst_colors": [],
                "me_burst": False,
                "me": self.bot["id"] in users,
            }
            for key, users in reactors.items()
        ]

    def knows_emoji(self, key: str) -> bool:
        """Whether a custom emoji ``name:id`` exists in some guild of the bot."""
        return any(emoji_key(emoji) == key for guild in self.guilds.values() for emoji in guild["emojis"])

    def move_to(self, base_url: str) -> None:
        """Serve attachments from here; the addresses in kept messages follow."""
        for message in self.messages.values():
            _readdress(message, self.base_url, base_url)
        self.base_url = base_url

    # Keeping

    def save(self, path: str | Path) -> None:
        """Write the whole state as JSON (ephemeral messages are not kept, as on Discord)."""
        archive.write(self.__dict__, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> World:
        """Read a state written by ``save``. Raises ValueError when the file is not one."""
        world = cls()
        state: dict[str, Any] = archive.read(Path(path))
        world.__dict__.update(state)
        return world


def role_height(role: Json) -> tuple[int, int]:
    """How high a role stands: by its position, and of equal ones the older is higher."""
    return int(role["position"]), -int(role["id"])


def normal_overwrite(entry: Json) -> Json:
    """An overwrite with its bits as text, the way Discord writes them."""
    return {**entry, "allow": str(int(entry.get("allow", 0))), "deny": str(int(entry.get("deny", 0)))}


def _readdress(value: Any, old: str, new: str) -> None:
    """Change the addresses of attachments anywhere in a message."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            _readdress(inner, old, new)
        elif isinstance(inner, str) and inner.startswith(f"{old}/attachments/"):
            value[key] = new + inner.removeprefix(old)
