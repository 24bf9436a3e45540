"""What a person picks - channels, roles, people, files, boxes - arrives as Discord would send it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox import LocalDiscord, SandboxRefusal
from bot.sandbox.forms import modal_data, select_data
from bot.sandbox.invocations import Resolver, option_value
from tests.sandbox.conftest import Club, Json, build_club
from tests.sandbox.sample import SampleBot


@pytest.fixture
async def club() -> Club:
    return await build_club(LocalDiscord(), SampleBot())


@pytest.fixture
def resolver(club: Club) -> Resolver:
    return Resolver(club.discord.world, club.guild, club.channel)


def test_option_of_each_kind(club: Club, resolver: Resolver) -> None:
    ann, role, channel = club.ann.user, club.admin_role, club.channel

    def value(kind: int, given: Any, **more: Any) -> Any:
        return option_value({"type": kind, "name": "o", **more}, given, resolver)

    assert value(3, "text") == "text"
    assert value(4, "-25") == -25
    assert value(5, False) is False
    assert value(6, ann) == ann["id"]
    assert value(7, channel) == channel["id"]
    assert value(8, role) == role["id"]
    assert value(9, ann) == ann["id"]
    assert value(9, role) == role["id"]
    assert value(10, 2.5) == 2.5
    file = value(11, ("log.xml", b"<mjloggm/>"))
    assert resolver.resolved["attachments"][file]["size"] == 10
    assert resolver.resolved["channels"][channel["id"]]["name"] == "mahjong"
    assert resolver.resolved["roles"][role["id"]]["name"] == "Admin"
    assert resolver.resolved["members"][ann["id"]]["roles"] == [role["id"]]
    assert "user" not in resolver.resolved["members"][ann["id"]]


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ({"type": 3}, 5),
        ({"type": 3, "min_length": 3}, "ab"),
        ({"type": 3, "max_length": 1}, "ab"),
        ({"type": 4}, 1.5),
        ({"type": 4}, True),
        ({"type": 4, "min_value": 1}, 0),
        ({"type": 5}, "yes"),
        ({"type": 6}, {"id": "1", "username": "stranger"}),
        ({"type": 7}, {"id": "1", "guild_id": "2"}),
        ({"type": 8}, {"id": "1"}),
        ({"type": 10}, "much"),
        ({"type": 11}, "file"),
    ],
)
def test_option_refused(resolver: Resolver, option: Json, given: Any) -> None:
    with pytest.raises(SandboxRefusal):
        option_value({"name": "o", **option}, given, resolver)


def test_channel_of_another_kind(club: Club, resolver: Resolver) -> None:
    with pytest.raises(SandboxRefusal, match="not of the kind"):
        option_value({"type": 7, "name": "o", "channel_types": [2]}, club.channel, resolver)


def test_select_of_each_kind(club: Club, resolver: Resolver) -> None:
    def chosen(kind: int, *values: Any) -> Any:
        select = {"type": kind, "custom_id": "s", "max_values": 2}
        return select_data(select, values, resolver)["values"]

    ann, role, channel = club.ann.user, club.admin_role, club.channel
    assert chosen(5, ann) == [ann["id"]]
    assert chosen(6, role) == [role["id"]]
    assert chosen(7, ann, role) == [ann["id"], role["id"]]
    assert chosen(8, channel) == [channel["id"]]
    with pytest.raises(SandboxRefusal, match="only once"):
        chosen(5, ann, ann)


OPTIONS = [{"label": "East", "value": "e", "default": True}, {"label": "South", "value": "s"}]


def label(kind: int, **keys: Any) -> Json:
    return {"type": 18, "id": 1, "label": "x", "component": {"type": kind, "id": 2, "custom_id": "c", **keys}}


@pytest.mark.parametrize(
    ("row", "given", "sent"),
    [
        (label(4, style=1, value="before"), {}, {"value": "before"}),
        (label(4, style=1, required=False), {}, {"value": ""}),
        (label(3, options=OPTIONS), {}, {"values": ["e"]}),
        (label(3, options=OPTIONS), {"c": "South"}, {"values": ["s"]}),
        (label(3, options=OPTIONS[1:], required=False), {}, {"values": []}),
        (label(21, options=OPTIONS), {}, {"value": "e"}),
        (label(21, options=OPTIONS), {"c": "s"}, {"value": "s"}),
        (label(22, options=OPTIONS), {"c": ["East", "South"]}, {"values": ["e", "s"]}),
        (label(23), {"c": True}, {"value": True}),
        (label(23, default=True), {}, {"value": True}),
    ],
)
def test_form_field_of_each_kind(resolver: Resolver, row: Json, given: Json, sent: Json) -> None:
    data = modal_data({"custom_id": "form", "components": [row]}, given, resolver)
    field = data["components"][0]["component"]
    assert {key: field[key] for key in sent} == sent
    assert field["custom_id"] == "c"


def test_file_in_a_form(resolver: Resolver) -> None:
    form = {"custom_id": "form", "components": [{"type": 10, "content": "Rules"}, label(19)]}
    data = modal_data(form, {"c": [("log.xml", b"<mjloggm/>")]}, resolver)
    (file,) = data["components"][1]["component"]["values"]
    assert data["resolved"]["attachments"][file]["filename"] == "log.xml"
    with pytest.raises(SandboxRefusal, match="files"):
        modal_data(form, {}, resolver)


@pytest.mark.parametrize(
    ("row", "given"),
    [
        (label(4, style=1), {}),
        (label(4, style=1), {"other": "x"}),
        (label(21, options=OPTIONS[1:]), {}),
        (label(3, options=OPTIONS[1:]), {}),
        (label(22, options=OPTIONS, max_values=1), {"c": ["e", "s"]}),
    ],
)
def test_form_refused(resolver: Resolver, row: Json, given: Json) -> None:
    with pytest.raises(SandboxRefusal):
        modal_data({"custom_id": "form", "components": [row]}, given, resolver)
