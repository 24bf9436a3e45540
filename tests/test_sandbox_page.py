"""The sandbox's page, through the JSON routes that its scripts use."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.sandbox import LocalDiscord, Permission, overwrite
from bot.sandbox.web import Page
from tests.openapi import checker
from tests.sandbox.sample import SampleBot

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 40
MARKUP = '<img src=x onerror=alert(1)> & "_*Kuro*_" \u202e'


class Reader:
    """Somebody at the page: what is shown to a member, and what the member does."""

    def __init__(self, session: aiohttp.ClientSession, viewer: Json, channel: Json) -> None:
        self._session = session
        self.viewer, self.channel = viewer["id"], channel["id"]

    async def state(self) -> Json:
        where = {"viewer": self.viewer, "channel": self.channel}
        async with self._session.get("/page/state", params=where) as response:
            shown: Json = await response.json()
        return shown

    async def messages(self) -> list[Json]:
        found: list[Json] = (await self.state())["messages"]
        return found

    async def act(self, act: str, **body: Any) -> Json:
        """Do something that works."""
        status, answer = await self.ask(act, **body)
        assert status == 200, answer
        return answer

    async def refused(self, act: str, **body: Any) -> str:
        """Do something that is refused; the result is the sentence."""
        status, answer = await self.ask(act, **body)
        assert 400 <= status < 500, answer
        sentence = str(answer["error"])
        assert re.fullmatch(r"\S.*[.!?]", sentence, re.DOTALL), sentence
        return sentence

    async def ask(self, act: str, **body: Any) -> tuple[int, Json]:
        where = {"viewer": self.viewer, "channel": self.channel}
        async with self._session.post(f"/page/act/{act}", json=where | body) as response:
            return response.status, await response.json()


class Desk:
    """A club whose page is open: Ann is an admin, Bob has markup for a name."""

    def __init__(self, session: aiohttp.ClientSession, discord: LocalDiscord) -> None:
        world = discord.world
        self.session, self.discord = session, discord
        owner = world.add_user("owner", "Owner")
        self.guild = world.add_guild("Club", owner=owner)
        self.admin = world.add_role(self.guild, "Admin", permissions=Permission.MANAGE_MESSAGES)
        self.ann_user, self.bob_user = world.add_user("ann", "Ann"), world.add_user("bob", MARKUP)
        world.add_member(self.guild, self.ann_user, roles=[self.admin])
        world.add_member(self.guild, self.bob_user)
        self.channel = world.add_channel(self.guild, "mahjong")
        closed = overwrite({"id": self.guild["id"]}, deny=Permission.VIEW_CHANNEL)
        opened = overwrite(self.admin, allow=Permission.VIEW_CHANNEL)
        self.back_room = world.add_channel(self.guild, "back-room", overwrites=[closed, opened])
        self.ann = Reader(session, self.ann_user, self.channel)
        self.bob = Reader(session, self.bob_user, self.channel)

    async def report(self) -> Json:
        """Bob reports a game; the bot's answer as the page shows it to him."""
        options = {"east": self.ann_user["id"], "score": "25000", "length": "tonpuu"}
        await self.bob.act("slash", command="report riichi", options=options)
        await self.discord.until(lambda: any(m["reactions"] for m in self.discord.world.messages.values()))
        return (await self.bob.messages())[-1]


@pytest.fixture
async def quiet() -> AsyncIterator[Desk]:
    """An open page whose bot is not connected."""
    discord = LocalDiscord(check=checker())
    async with aiohttp.ClientSession() as session:
        desk = Desk(session, discord)
        Page(discord, desk.guild)
        await discord.start()
        session._base_url = yarl.URL(f"http://127.0.0.1:{discord.port}/")
        yield desk
        await discord.stop()


@pytest.fixture
async def desk(quiet: Desk, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """An open page with a bot that has a command for everything."""
    monkeypatch.setattr(Route, "BASE", quiet.discord.rest_url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(quiet.discord.gateway_url))
    bot = SampleBot()
    running = asyncio.create_task(bot.start(quiet.discord.token))
    await quiet.discord.ready()
    yield quiet
    await bot.close()
    await running


# ---- the page ------------------------------------------------------------------------------------------


async def test_the_page_needs_nothing_from_outside(quiet: Desk) -> None:
    async with quiet.session.get("/") as response:
        text = await response.text()
        policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    named = re.findall(r'(?:src|href)="(/[^"]*)"', text)
    assert len(named) >= 2
    assert not re.search(r'(?:src|href)="(?!/|data:,)', text)
    for address in named:
        async with quiet.session.get(address) as response:
            assert response.status == 200
            assert "text/" in response.headers["Content-Type"]


async def test_every_script_is_served_and_none_makes_markup_of_text(quiet: Desk) -> None:
    scripts = sorted(path.name for path in (ROOT / "bot/sandbox/page").glob("*.js"))
    assert "app.js" in scripts
    for name in scripts:
        async with quiet.session.get(f"/page/files/{name}") as response:
            text = await response.text()
            assert response.content_type == "text/javascript"
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)


@pytest.mark.parametrize("name", ["web.py", "..%2Fweb.py", "nothing.js"])
async def test_nothing_else_is_served(quiet: Desk, name: str) -> None:
    async with quiet.session.get(yarl.URL(f"/page/files/{name}", encoded=True)) as response:
        assert response.status == 404


@pytest.mark.parametrize("path", ["/", "/page/files/app.js", "/page/state", "/page/events"])
@pytest.mark.parametrize(
    "header", [{"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Origin": "http://evil.example"}]
)
async def test_pages_of_other_sites_get_nothing(quiet: Desk, path: str, header: dict[str, str]) -> None:
    async with quiet.session.get(path, headers=header) as response:
        assert response.status == 403
        assert "this machine only" in (await response.json())["error"]


async def test_other_sites_cannot_act(quiet: Desk) -> None:
    body = json.dumps({"viewer": quiet.bob.viewer, "channel": quiet.bob.channel, "command": "report riichi"})
    for header in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}):
        headers = {"Content-Type": "application/json"} | header
        async with quiet.session.post("/page/act/slash", data=body, headers=headers) as response:
            assert response.status == 403
    # A form of another site can send text without asking first, but no JSON.
    async with quiet.session.post(
        "/page/act/slash", data=body, headers={"Content-Type": "text/plain"}
    ) as response:
        assert response.status == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:8710", "[::1]:8710"])
async def test_this_machine_is_known_by_all_its_names(quiet: Desk, host: str) -> None:
    async with quiet.session.get("/page/state", headers={"Host": host, "Origin": f"http://{host}"}) as response:
        assert response.status == 200


# ---- what is shown -------------------------------------------------------------------------------------


async def test_a_member_sees_the_club_with_his_own_eyes(desk: Desk) -> None:
    ann, bob = await desk.ann.state(), await desk.bob.state()
    assert [c["name"] for c in ann["channels"] if not c["direct"]] == ["mahjong", "back-room"]
    assert [c["name"] for c in bob["channels"] if not c["direct"]] == ["mahjong"]
    assert [c["direct"] for c in bob["channels"]] == [False, True]
    roles = {member["name"]: member["roles"] for member in ann["members"] if not member["bot"]}
    assert roles == {"Owner": ["owner"], "Ann": ["Admin"], MARKUP: []}
    assert "report" in [command["name"] for command in bob["commands"]]
    assert "admin" not in [command["name"] for command in bob["commands"]]


async def test_names_arrive_as_they_are(desk: Desk) -> None:
    options = {"east": desk.bob_user["id"], "score": 100}
    await desk.ann.act("slash", command="report riichi", options=options)
    async with desk.session.get("/page/state", params={"channel": desk.channel["id"]}) as response:
        assert response.content_type == "application/json"
        shown = await response.json()
    assert MARKUP in [member["name"] for member in shown["members"]]
    assert shown["messages"][-1]["content"].startswith(MARKUP)


async def test_a_bot_that_is_away_is_said_to_be(quiet: Desk) -> None:
    state = await quiet.bob.state()
    assert state["connected"] is False
    assert state["commands"] == []


async def test_the_stream_tells_of_every_change_at_once(desk: Desk) -> None:
    where = {"viewer": desk.ann.viewer, "channel": desk.channel["id"]}
    async with asyncio.timeout(PATIENCE), desk.session.get("/page/events", params=where) as stream:
        assert stream.content_type == "text/event-stream"
        assert (await _event(stream))["messages"] == []
        await desk.report()
        seen = await _event(stream)
        while not (seen["messages"] and seen["messages"][-1]["reactions"]):
            seen = await _event(stream)
    assert seen["messages"][-1]["used"] == {"by": desk.bob.viewer, "command": "report riichi"}


async def _event(stream: aiohttp.ClientResponse) -> Json:
    while True:
        line = await stream.content.readline()
        assert line, "the stream ended"
        if line.startswith(b"data: "):
            found: Json = json.loads(line.removeprefix(b"data: "))
            return found


async def test_open_streams_do_not_hold_up_the_end(quiet: Desk) -> None:
    async with asyncio.timeout(PATIENCE), quiet.session.get("/page/events") as stream:
        await _event(stream)
        await quiet.discord.stop()
        rest = await stream.content.read()
    assert not rest.endswith(b"}")


# ---- what is done --------------------------------------------------------------------------------------


async def test_a_command_with_its_options(desk: Desk) -> None:
    message = await desk.report()
    assert message["content"] == "Ann 25000 tonpuu 2"
    assert message["embeds"][0]["title"] == "Game"
    assert message["reactions"] == [{"emoji": "✅", "count": 1, "mine": False}]
    assert message["used"] == {"by": desk.bob.viewer, "command": "report riichi"}


async def test_reactions_come_and_go(desk: Desk) -> None:
    message = await desk.report()
    await desk.ann.act("react", message=message["id"], emoji="✅")
    (seen,) = await desk.ann.messages()
    assert seen["reactions"] == [{"emoji": "✅", "count": 2, "mine": True}]
    (others,) = await desk.bob.messages()
    assert others["reactions"] == [{"emoji": "✅", "count": 2, "mine": False}]
    await desk.ann.act("unreact", message=message["id"], emoji="✅")
    (seen,) = await desk.ann.messages()
    assert seen["reactions"] == [{"emoji": "✅", "count": 1, "mine": False}]


async def test_a_button_opens_a_form_and_the_answer_is_private(desk: Desk) -> None:
    message = await desk.report()
    opened = await desk.ann.act("click", message=message["id"], custom_id="note")
    assert opened["modal"]["title"] == "Note"
    refused = await desk.bob.refused("submit", form=opened["form"], fields={"note": "mine"})
    assert "somebody else" in refused
    assert "must be filled in" in await desk.ann.refused("submit", form=opened["form"], fields={"note": ""})
    await desk.ann.act("submit", form=opened["form"], fields={"note": "<b>hello</b>"})
    answer = (await desk.ann.messages())[-1]
    assert (answer["content"], answer["ephemeral"]) == ("noted: <b>hello</b>", True)
    assert len(await desk.bob.messages()) == 1
    assert "not open any more" in await desk.ann.refused("submit", form=opened["form"], fields={"note": "again"})


async def test_a_form_with_a_menu_in_a_label(desk: Desk) -> None:
    message = await desk.report()
    opened = await desk.ann.act("click", message=message["id"], custom_id="labelled")
    await desk.ann.act("submit", form=opened["form"], fields={"kind": ["tonpuu"]})
    assert (await desk.bob.messages())[-1]["content"] == "kind: tonpuu"


async def test_menus_of_texts_and_of_people(desk: Desk) -> None:
    message = await desk.report()
    await desk.ann.act("choose", message=message["id"], custom_id="length", values=["e"])
    await desk.discord.until(
        lambda: any(m["content"] == "length: e" for m in desk.discord.world.messages.values())
    )
    people = [desk.ann.viewer, desk.bob.viewer]
    await desk.ann.act("choose", message=message["id"], custom_id="who", values=people)
    assert (await desk.bob.messages())[-1]["content"] == f"{MARKUP},Ann"


async def test_suggestions_while_typing(desk: Desk) -> None:
    asked = {"command": "setup club zone", "option": "time_zone", "text": "eur"}
    answer = await desk.bob.act("autocomplete", **asked, options={"note": "!", "time_zone": "x"})
    assert answer["choices"] == [
        {"name": "Europe/Amsterdam!", "value": "Europe/Amsterdam"},
        {"name": "Europe/Riga!", "value": "Europe/Riga"},
    ]


async def test_a_file_goes_to_the_bot_and_comes_back(desk: Desk) -> None:
    data = b"<script>alert(1)</script>"
    upload = {"name": "notes.html", "data": base64.b64encode(data).decode()}
    await desk.bob.act("slash", command="file", options={"upload": upload})
    address = (await desk.bob.messages())[-1]["embeds"][0]["image"]["url"]
    async with desk.session.get(address) as response:
        assert await response.read() == data
        assert response.headers["Content-Security-Policy"].startswith("sandbox")
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_messages_are_deleted_by_those_who_may(desk: Desk) -> None:
    message = await desk.report()
    assert message["deletable"] is False
    assert "may not delete" in await desk.bob.refused("delete", message=message["id"])
    (seen,) = await desk.ann.messages()
    assert seen["deletable"] is True
    await desk.ann.act("delete", message=message["id"])
    assert await desk.bob.messages() == []


async def test_direct_messages_are_shown_to_their_member_only(desk: Desk) -> None:
    await desk.ann.act("slash", command="whisper", options={"who": desk.bob_user["id"]})
    private = desk.discord.world.dm_channel(desk.bob_user)
    desk.bob.channel = desk.ann.channel = private["id"]
    assert [m["content"] for m in await desk.bob.messages()] == ["psst"]
    assert "psst" not in [m["content"] for m in await desk.ann.messages()]
    assert "not shown" in await desk.ann.refused("slash", command="report riichi")


# ---- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "body", "words"),
    [
        ("slash", {"command": "report riichi", "options": {"score": "1"}}, "needs the option east"),
        ("slash", {"command": "report riichi", "options": {"east": "1", "score": "1"}}, "does not exist"),
        ("slash", {"command": "report riichi", "options": {"nobody": "1"}}, "no option nobody"),
        ("slash", {"command": "report riichi", "options": ["east"]}, "by name"),
        ("slash", {"command": "nonsense"}, "not a synced command"),
        ("slash", {"command": "/ "}, "names no command"),
        ("slash", {}, "names no command"),
        ("slash", {"command": "admin"}, "not offered"),
        ("slash", {"command": "file", "options": {"upload": {"name": "x", "data": "%"}}}, "choose it again"),
        ("slash", {"viewer": "1", "command": "slow"}, "no such member"),
        ("slash", {"channel": "1", "command": "slow"}, "not shown"),
        ("click", {"message": "1", "custom_id": "note"}, "does not exist"),
        ("click", {"message": 1}, "names no message"),
        ("react", {"message": "1", "emoji": "✅"}, "does not exist"),
        ("submit", {"form": "1", "fields": {}}, "not open"),
        ("fly", {}, "Nobody can fly"),
    ],
)
async def test_what_cannot_be_done_is_said_in_a_sentence(desk: Desk, act: str, body: Json, words: str) -> None:
    assert words in await desk.bob.refused(act, **body)


async def test_a_bot_that_does_not_answer(desk: Desk) -> None:
    desk.discord.deadline = 0.05
    assert "did not respond" in await desk.bob.refused("slash", command="slow")
