"""REST routes for guilds, channels, members, roles and users."""

from __future__ import annotations

from typing import Any

from bot.sandbox.calls import Call, Route, as_snowflake
from bot.sandbox.errors import Refused, invalid_form
from bot.sandbox.gateway import matches_name
from bot.sandbox.objects import Json, public_channel, public_member, public_user
from bot.sandbox.permissions import Permission
from bot.sandbox.world import role_height

__all__ = ["ROUTES"]

MOST_ROLES = 250


def get_me(call: Call) -> Json:
    """The bot's own user."""
    return {**public_user(call.bot), "verified": True, "mfa_enabled": True, "email": None, "flags": 0}


def get_application(call: Call) -> Json:
    """The bot's application."""
    return {
        "id": call.world.application_id,
        "name": call.bot["username"],
        "icon": None,
        "description": "",
        "summary": "",
        "type": None,
        "bot": public_user(call.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "",
        "owner": public_user(call.bot),
        "team": None,
        "flags": call.hub.gateway.application_flags,
        "rpc_origins": [],
        "redirect_uris": [],
        "integration_types_config": {"0": {}},
        "approximate_guild_count": len(call.world.guilds),
    }


def get_gateway(call: Call) -> Json:
    """Where the gateway is."""
    return {"url": call.hub.gateway.url}


def get_gateway_bot(call: Call) -> Json:
    """Where the gateway is, and how many shards and starts the bot may have."""
    limit = {
        "total": 1000,
        "remaining": 1000 - call.hub.gateway.identified,
        "reset_after": 0,
        "max_concurrency": 1,
    }
    return {"url": call.hub.gateway.url, "shards": 1, "session_start_limit": limit}


def get_user(call: Call) -> Json:
    """A user."""
    return public_user(call.user())


def open_dm(call: Call) -> Json:
    """The DM channel with a user; whether the user takes messages shows only when one is sent."""
    user = call.world.users.get(as_snowflake(call.fields().get("recipient_id")))
    if user is None:
        raise Refused(10013)
    if user["id"] == call.bot["id"]:
        raise Refused(50033)
    return public_channel(call.world.dm_channel(user))


def get_guild(call: Call) -> Json:
    """A guild."""
    left_out = (
        "members",
        "channels",
        "threads",
        "presences",
        "voice_states",
        "joined_at",
        "large",
        "unavailable",
    )
    shown = {key: value for key, value in call.guild().items() if key not in left_out}
    count = shown.pop("member_count")
    if call.query.get("with_counts") in ("1", "true", "True"):
        shown.update(approximate_member_count=count, approximate_presence_count=count)
    return shown


def get_channels(call: Call) -> list[Json]:
    """The channels of a guild."""
    return list(call.guild()["channels"])


def get_channel(call: Call) -> Json:
    """A channel."""
    return public_channel(call.channel())


def get_roles(call: Call) -> list[Json]:
    """The roles of a guild."""
    return list(call.guild()["roles"])


def create_role(call: Call) -> Json:
    """Make a role; the bot cannot give it rights that it does not have."""
    guild, body = call.guild(), call.fields()
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    name, permissions = body.get("name") or "new role", str(body.get("permissions") or 0)
    if not isinstance(name, str) or len(name) > 100:
        raise invalid_form([("name", "Must be 100 or fewer in length.")])
    if not permissions.isdecimal():
        raise invalid_form([("permissions", f'Value "{permissions[:40]}" is not a number.')])
    if int(permissions) & ~call.world.guild_permissions(guild, call.bot):
        raise Refused(50013)
    if len(guild["roles"]) >= MOST_ROLES:
        raise Refused(30005)
    given = body.get("colors") or {"primary_color": body.get("color")}
    colour, second, third = (given.get(f"{key}_color") for key in ("primary", "secondary", "tertiary"))
    looks = {
        "color": colour or 0,
        "colors": {"primary_color": colour or 0, "secondary_color": second, "tertiary_color": third},
        "hoist": bool(body.get("hoist")),
        "mentionable": bool(body.get("mentionable")),
    }
    return call.hub.actions.create_role(guild, name, int(permissions), looks=looks)


def delete_role(call: Call) -> None:
    """Delete a role below the bot's own."""
    guild = call.guild()
    call.hub.actions.delete_role(_need_above(call, guild, call.params["role"]))


def get_member(call: Call) -> Json:
    """A member."""
    return public_member(call.member(call.guild()))


def get_members(call: Call) -> list[Json]:
    """The members of a guild by id; needs the members intent to be switched on."""
    guild = call.guild()
    if not call.hub.gateway.privileged:
        raise Refused(50001)
    limit, after = call.limit(1, 1000), int(as_snowflake(call.query.get("after", "0")))
    members = sorted(guild["members"], key=lambda m: int(m["user"]["id"]))
    return [public_member(m) for m in members if int(m["user"]["id"]) > after][:limit]


def search_members(call: Call) -> list[Json]:
    """The members whose name begins with ``query``."""
    guild, limit = call.guild(), call.limit(1, 1000)
    query = call.query.get("query", "")
    if not query:
        raise invalid_form([("query", "This field is required")])
    return [public_member(m) for m in guild["members"] if matches_name(m, query)][:limit]


def edit_member(call: Call) -> Json:
    """Change a member's roles or nickname."""
    guild = call.guild()
    member, body = call.member(guild), call.fields()
    if "roles" in body:
        wanted = [as_snowflake(i) for i in body["roles"] or ()]
        for role_id in set(wanted) ^ set(member["roles"]):
            _need_above(call, guild, role_id)
        call.hub.actions.set_roles(guild, member["user"], wanted)
    if "nick" in body:
        _rename(call, guild, member, body["nick"])
    return public_member(member)


def edit_own_member(call: Call) -> Json:
    """Change the bot's own nickname."""
    guild = call.guild()
    call.need_in_guild(guild, Permission.CHANGE_NICKNAME)
    nick = call.fields().get("nick")
    return public_member(call.hub.actions.rename(guild, call.bot, _nick(nick)))


def _rename(call: Call, guild: Json, member: Json, nick: Any) -> None:
    call.need_in_guild(guild, Permission.MANAGE_NICKNAMES)
    user = member["user"]
    if call.world.top_height(guild, user) >= call.world.top_height(guild, call.bot):
        raise Refused(50013)
    call.hub.actions.rename(guild, user, _nick(nick))


def _nick(nick: Any) -> str | None:
    if nick is not None and (not isinstance(nick, str) or len(nick) > 32):
        raise invalid_form([("nick", "Must be 32 or fewer in length.")])
    return nick or None


def _need_above(call: Call, guild: Json, role_id: str) -> Json:
    """The role, if the bot may give and take it: MANAGE_ROLES, and lower than the bot's highest role."""
    role = call.world.role(guild, role_id)
    if role is None:
        raise Refused(10011)
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    fixed = role["managed"] or role["id"] == guild["id"]
    if fixed or role_height(role) >= call.world.top_height(guild, call.bot):
        raise Refused(50013)
    return role


def add_role(call: Call) -> None:
    """Give a member a role."""
    guild = call.guild()
    member, role = call.member(guild), _need_above(call, guild, call.params["role"])
    if role["id"] not in member["roles"]:
        call.hub.actions.set_roles(guild, member["user"], [*member["roles"], role["id"]])


def remove_role(call: Call) -> None:
    """Take a role from a member."""
    guild = call.guild()
    member, role = call.member(guild), _need_above(call, guild, call.params["role"])
    if role["id"] in member["roles"]:
        kept = [i for i in member["roles"] if i != role["id"]]
        call.hub.actions.set_roles(guild, member["user"], kept)


def leave_guild(call: Call) -> None:
    """Let the bot leave."""
    call.hub.actions.bot_leaves(call.guild())


_GUILD = "/guilds/{guild}"

ROUTES = [
    Route("GET", "/users/@me", get_me),
    Route("POST", "/users/@me/channels", open_dm),
    Route("DELETE", "/users/@me/guilds/{guild}", leave_guild),
    Route("GET", "/users/{user}", get_user),
    Route("GET", "/oauth2/applications/@me", get_application),
    Route("GET", "/applications/@me", get_application),
    Route("GET", "/gateway", get_gateway),
    Route("GET", "/gateway/bot", get_gateway_bot),
    Route("GET", "/channels/{channel}", get_channel),
    Route("GET", _GUILD, get_guild),
    Route("GET", f"{_GUILD}/channels", get_channels),
    Route("GET", f"{_GUILD}/roles", get_roles),
    Route("POST", f"{_GUILD}/roles", create_role),
    Route("DELETE", f"{_GUILD}/roles/{{role}}", delete_role),
    Route("GET", f"{_GUILD}/members", get_members),
    Route("GET", f"{_GUILD}/members/search", search_members),
    Route("PATCH", f"{_GUILD}/members/@me", edit_own_member),
    Route("GET", f"{_GUILD}/members/{{user}}", get_member),
    Route("PATCH", f"{_GUILD}/members/{{user}}", edit_member),
    Route("PUT", f"{_GUILD}/members/{{user}}/roles/{{role}}", add_role),
    Route("DELETE", f"{_GUILD}/members/{{user}}/roles/{{role}}", remove_role),
]
