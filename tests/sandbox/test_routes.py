"""The smaller REST routes, asked by hand."""

from __future__ import annotations

from bot.sandbox import Permission
from tests.sandbox.conftest import Api, Club, Json

Bare = tuple[Club, Api]


async def grant(club: Club, permissions: int) -> None:
    """Give the bot's role exactly these permissions."""
    await club.discord.edit_role(club.discord.world.bot_role(club.guild), permissions=permissions)


async def test_who_and_where_the_bot_is(bare: Bare) -> None:
    club, api = bare
    world = club.discord.world
    assert (await api("GET", "/users/@me"))[1]["id"] == world.bot["id"]
    assert (await api("GET", "/applications/@me"))[1]["id"] == world.application_id
    assert (await api("GET", "/gateway"))[1]["url"] == club.discord.gateway_url
    limit = (await api("GET", "/gateway/bot"))[1]["session_start_limit"]
    assert limit["remaining"] == 1000
    assert (await api("GET", f"/channels/{club.channel['id']}"))[1]["name"] == "mahjong"
    guild = (await api("GET", f"/guilds/{club.guild['id']}?with_counts=true"))[1]
    assert guild["approximate_member_count"] == 4
    assert "members" not in guild
    assert [c["name"] for c in (await api("GET", f"/guilds/{club.guild['id']}/channels"))[1]] == ["mahjong"]
    assert len((await api("GET", f"/guilds/{club.guild['id']}/roles"))[1]) == 3
    assert (await api("DELETE", "/gateway"))[0] == 405
    assert (await api("POST", "/users/@me/channels", data="{"))[1]["code"] == 50109


async def test_dm_channels(bare: Bare) -> None:
    club, api = bare
    ann = club.ann.user
    _, first = await api("POST", "/users/@me/channels", {"recipient_id": ann["id"]})
    _, second = await api("POST", "/users/@me/channels", {"recipient_id": int(ann["id"])})
    assert first["id"] == second["id"]
    assert "dms_closed" not in first["recipients"][0]
    assert await api.code("POST", "/users/@me/channels", {"recipient_id": "1"}) == 10013
    assert await api.code("POST", "/users/@me/channels", {"recipient_id": club.discord.world.bot["id"]}) == 50033
    path = f"/channels/{first['id']}/messages"
    assert (await api("POST", path, {"content": "x"}))[0] == 200
    said = await club.discord.person(None, ann).say(first, "hello")
    assert (await api("GET", f"{path}/{said['id']}"))[1]["content"] == "hello"
    assert await api.code("DELETE", f"{path}/{said['id']}") == 50003
    await club.discord.kick(club.guild, ann)
    assert await api.code("POST", path, {"content": "x"}) == 50007


async def test_members_are_searched_and_edited(bare: Bare) -> None:
    club, api = bare
    members = f"/guilds/{club.guild['id']}/members"
    bob, world = club.bob.user["id"], club.discord.world
    assert [m["user"]["id"] for m in (await api("GET", f"{members}/search?query=bo&limit=5"))[1]] == [bob]
    assert await api.code("GET", f"{members}/search") == 50035
    assert await api.code("GET", members) == 50001
    club.discord.gateway.privileged = True
    assert len((await api("GET", f"{members}?limit=3"))[1]) == 3
    rank = world.add_role(club.guild, "Shodan")
    assert await api.code("PATCH", f"{members}/{bob}", {"roles": [rank["id"]]}) == 50013
    assert await api.code("PATCH", f"{members}/{bob}", {"nick": "B"}) == 50013
    await grant(club, Permission.MANAGE_ROLES | Permission.MANAGE_NICKNAMES | Permission.CHANGE_NICKNAME)
    _, member = await api("PATCH", f"{members}/{bob}", {"roles": [rank["id"]], "nick": "B"})
    assert (member["roles"], member["nick"]) == ([rank["id"]], "B")
    assert await api.code("PATCH", f"{members}/{bob}", {"nick": "x" * 33}) == 50035
    assert await api.code("PATCH", f"{members}/{club.guild['owner_id']}", {"nick": "B"}) == 50013
    assert (await api("PATCH", f"{members}/@me", {"nick": "Scorer"}))[1]["nick"] == "Scorer"


async def test_bot_deletes_in_bulk(bare: Bare) -> None:
    club, api = bare
    path = f"/channels/{club.channel['id']}/messages"
    said = [(await club.ann.say(club.channel, str(n)))["id"] for n in range(3)]
    assert await api.code("POST", f"{path}/bulk-delete", {"messages": said[:1]}) == 50016
    assert await api.code("POST", f"{path}/bulk-delete", {"messages": ["1", *said]}) == 50034
    assert (await api("POST", f"{path}/bulk-delete", {"messages": said[:2]}))[0] == 204
    assert [m["content"] for m in club.discord.world.history(club.channel)] == ["2"]


async def test_pins_need_their_own_permission(bare: Bare) -> None:
    club, api = bare
    said = await club.ann.say(club.channel, "x")
    path = f"/channels/{club.channel['id']}/messages/pins/{said['id']}"
    assert await api.code("PUT", path) == 50013
    await grant(club, Permission.VIEW_CHANNEL | Permission.PIN_MESSAGES)
    assert (await api("PUT", path))[0] == 204
    assert said["pinned"]
    assert (await api("DELETE", path))[0] == 204
    assert not said["pinned"]


async def test_commands_one_by_one(bare: Bare) -> None:
    club, api = bare
    path = f"/applications/{club.discord.world.application_id}/guilds/{club.guild['id']}/commands"
    body: Json = {"name": "hello", "description": "d", "default_member_permissions": 32}
    _, made = await api("POST", path, body)
    assert made["default_member_permissions"] == "32"
    assert made["guild_id"] == club.guild["id"]
    _, again = await api("POST", path, body)
    assert again["id"] == made["id"]
    _, changed = await api("PATCH", f"{path}/{made['id']}", {"description": "new"})
    assert changed["description"] == "new"
    assert await api.code("PATCH", f"{path}/{made['id']}", {"description": ""}) == 50035
    assert (await api("GET", path))[1] == [changed]
    assert (await api("DELETE", f"{path}/{made['id']}"))[0] == 204
    assert (await api("GET", path))[1] == []
    assert await api.code("PUT", "/applications/1/commands", []) == 50001


async def test_buckets_refuse_what_comes_too_fast(bare: Bare) -> None:
    club, api = bare
    club.discord.buckets = True
    path = f"/channels/{club.channel['id']}/messages"
    answers = [await api("POST", path, {"content": "x"}) for _ in range(6)]
    assert [status for status, _ in answers] == [200] * 5 + [429]
    assert 0 < answers[-1][1]["retry_after"] <= 5
    assert len(club.discord.world.history(club.channel)) == 5


async def test_bot_leaves(bare: Bare) -> None:
    club, api = bare
    assert (await api("DELETE", f"/users/@me/guilds/{club.guild['id']}"))[0] == 204
    assert await api.code("GET", f"/guilds/{club.guild['id']}") == 10004
    assert await api.code("GET", f"/channels/{club.channel['id']}") == 50001
    assert club.ann.commands(club.channel) == []
    await club.discord.add_guild_live(club.guild)
    assert (await api("GET", f"/channels/{club.channel['id']}"))[0] == 200


async def test_attachments_are_served(bare: Bare) -> None:
    club, api = bare
    club.discord.world.files["1"] = b"data"
    root = club.discord.rest_url.removesuffix("/api/v10")
    assert await api.fetch(f"{root}/attachments/2/1/chart.png") == (200, "image/png", b"data")
    assert (await api.fetch(f"{root}/attachments/2/9/chart.png"))[0] == 404
