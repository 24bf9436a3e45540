"""Roles that the bot makes and deletes itself."""

from __future__ import annotations

import discord
import pytest

from bot.sandbox import Permission
from tests.openapi import checker
from tests.sandbox.conftest import Api, Club

Bare = tuple[Club, Api]


async def grant(club: Club, *permissions: Permission) -> None:
    """Give the bot's role these permissions too."""
    role = club.discord.world.bot_role(club.guild)
    bits = int(role["permissions"])
    for permission in permissions:
        bits |= permission
    await club.discord.edit_role(role, permissions=bits)


async def test_the_bot_makes_gives_and_deletes_a_role(club: Club) -> None:
    await grant(club, Permission.MANAGE_ROLES)
    guild = club.bot.get_guild(int(club.guild["id"]))
    assert guild is not None
    made = await guild.create_role(name="三段", colour=0x3BA55D, hoist=True, mentionable=True)
    stored = club.discord.world.role(club.guild, str(made.id))
    assert stored is not None
    for key, value in {"name": "三段", "permissions": "0", "color": 0x3BA55D, "hoist": True}.items():
        assert stored[key] == value
    assert stored["colors"] == {"primary_color": 0x3BA55D, "secondary_color": None, "tertiary_color": None}
    assert (made.mentionable, made.colour.value, made.is_assignable()) == (True, 0x3BA55D, True)
    while guild.get_role(made.id) is None:
        await club.bot.wait_for("guild_role_create", timeout=30)
    assert [role.name for role in await guild.fetch_roles() if role.id == made.id] == ["三段"]
    member = await guild.fetch_member(int(club.bob.user["id"]))
    await member.add_roles(made)
    assert club.discord.world.member(club.guild, club.bob.user)["roles"] == [str(made.id)]  # type: ignore[index]
    await made.delete()
    assert club.discord.world.role(club.guild, str(made.id)) is None
    assert club.discord.world.member(club.guild, club.bob.user)["roles"] == []  # type: ignore[index]
    with pytest.raises(discord.NotFound) as gone:
        await made.delete()
    assert gone.value.code == 10011


async def test_roles_cannot_be_made_without_the_right_nor_above_it(club: Club) -> None:
    guild = club.bot.get_guild(int(club.guild["id"]))
    assert guild is not None
    with pytest.raises(discord.Forbidden):
        await guild.create_role(name="Shodan")
    await grant(club, Permission.MANAGE_ROLES)
    with pytest.raises(discord.Forbidden):
        await guild.create_role(name="Shodan", permissions=discord.Permissions(ban_members=True))
    for role in (club.discord.world.bot_role(club.guild), club.guild["roles"][0]):
        with pytest.raises(discord.Forbidden):
            await guild.get_role(int(role["id"])).delete()  # type: ignore[union-attr]
    assert len(club.guild["roles"]) == 3


async def test_a_guild_has_250_roles_at_most(club: Club) -> None:
    await grant(club, Permission.MANAGE_ROLES)
    guild = club.bot.get_guild(int(club.guild["id"]))
    assert guild is not None
    for number in range(250 - len(club.guild["roles"]) - 1):
        club.discord.world.add_role(club.guild, f"role {number}")
    last = await guild.create_role(name="last")
    with pytest.raises(discord.HTTPException) as full:
        await guild.create_role(name="one more")
    assert (full.value.status, full.value.code) == (400, 30005)
    await last.delete()
    await guild.create_role(name="one more")


async def test_what_no_role_can_be_is_refused(bare: Bare) -> None:
    club, api = bare
    await grant(club, Permission.MANAGE_ROLES)
    path = f"/guilds/{club.guild['id']}/roles"
    for body in ({"name": "x" * 101}, {"name": 7}, {"permissions": "many"}, {"permissions": -1}):
        assert await api.code("POST", path, body) == 50035
    _, made = await api("POST", path, {})
    assert (made["name"], made["permissions"], made["color"]) == ("new role", "0", 0)
    _, made = await api("POST", path, {"name": "x" * 100, "color": 5, "permissions": 64})
    assert (made["permissions"], made["color"], made["colors"]["primary_color"]) == ("64", 5, 5)


def test_the_description_takes_permissions_as_text_and_nothing_odd() -> None:
    check = checker()
    if check is None:
        pytest.skip("Discord's API description is not here")
    path = "/guilds/1/roles"
    assert check("POST", path, {"name": "三段", "permissions": "0"}, "application/json") == []
    assert check("POST", path, {"name": "", "permissions": "0"}, "application/json") != []
    assert check("DELETE", f"{path}/2", None, "") == []
