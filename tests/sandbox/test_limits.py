"""What Discord refuses in requests is refused, with its codes and its shape of errors."""

from __future__ import annotations

import io
from typing import Any

import aiohttp
import pytest

from tests.sandbox.conftest import Api, Club

Json = dict[str, Any]


def button(**keys: Any) -> Json:
    return {"type": 2, "style": 1, "label": "x", "custom_id": "x", **keys}


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def select(**keys: Any) -> Json:
    return {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}], **keys}


def options(count: int) -> list[Json]:
    return [{"label": str(n), "value": str(n)} for n in range(count)]


def fields(count: int, **keys: Any) -> list[Json]:
    return [{"name": "n", "value": "v", **keys}] * count


BROKEN_MESSAGES: dict[str, Json] = {
    "content over 2000": {"content": "x" * 2001},
    "11 embeds": {"embeds": [{"title": "x"}] * 11},
    "title over 256": {"embeds": [{"title": "x" * 257}]},
    "description over 4096": {"embeds": [{"description": "x" * 4097}]},
    "26 fields": {"embeds": [{"fields": fields(26)}]},
    "field name over 256": {"embeds": [{"fields": fields(1, name="x" * 257)}]},
    "field value over 1024": {"embeds": [{"fields": fields(1, value="x" * 1025)}]},
    "empty field name": {"embeds": [{"fields": fields(1, name="")}]},
    "blank field value": {"embeds": [{"fields": fields(1, value=" ")}]},
    "footer over 2048": {"embeds": [{"footer": {"text": "x" * 2049}}]},
    "author over 256": {"embeds": [{"author": {"name": "x" * 257}}]},
    "6000 in all embeds": {"embeds": [{"description": "x" * 3001}] * 2},
    "image without scheme": {"embeds": [{"image": {"url": "chart.png"}}]},
    "6 rows": {"components": [row(button(custom_id=str(n))) for n in range(6)]},
    "6 buttons in a row": {"components": [row(*(button(custom_id=str(n)) for n in range(6)))]},
    "empty row": {"components": [row()]},
    "label over 80": {"components": [row(button(label="x" * 81))]},
    "custom id over 100": {"components": [row(button(custom_id="x" * 101))]},
    "custom id twice": {"components": [row(button()), row(button())]},
    "button without custom id": {"components": [row({"type": 2, "style": 1, "label": "x"})]},
    "button without a face": {"components": [row(button(label=None))]},
    "link without url": {"components": [row({"type": 2, "style": 5, "label": "x"})]},
    "url on a plain button": {"components": [row(button(url="https://example.org"))]},
    "unknown style": {"components": [row(button(style=9))]},
    "26 options": {"components": [row(select(options=options(26)))]},
    "no options": {"components": [row(select(options=[]))]},
    "option value twice": {"components": [row(select(options=options(1) * 2))]},
    "option label over 100": {"components": [row(select(options=[{"label": "x" * 101, "value": "v"}]))]},
    "more values than options": {"components": [row(select(max_values=2))]},
    "placeholder over 150": {"components": [row(select(placeholder="x" * 151))]},
    "select beside a button": {"components": [row(select(), button())]},
    "button outside a row": {"components": [button()]},
    "text input in a message": {"components": [row({"type": 4, "custom_id": "t", "style": 1, "label": "x"})]},
    "mentions both ways": {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    "nonce over 25": {"content": "x", "nonce": "x" * 26},
    "attachment without file": {"content": "x", "attachments": [{"id": 0}]},
    "v2 with content": {"content": "x", "flags": 1 << 15, "components": [{"type": 10, "content": "x"}]},
    "v2 text without the flag": {"components": [{"type": 10, "content": "x"}]},
    "reply to nothing": {"content": "x", "message_reference": {"message_id": "1"}},
}


@pytest.mark.parametrize("body", BROKEN_MESSAGES.values(), ids=BROKEN_MESSAGES.keys())
async def test_broken_message_is_refused_whole(bare: tuple[Club, Api], body: Json) -> None:
    club, api = bare
    status, answer = await api("POST", f"/channels/{club.channel['id']}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    assert answer["errors"]
    assert club.discord.world.history(club.channel) == []


LARGEST: dict[str, Json] = {
    "content of 2000": {"content": "x" * 2000},
    "embeds of 6000": {"embeds": [{"description": "x" * 3000}] * 2},
    "25 fields": {"embeds": [{"fields": fields(25)}]},
    "5 rows of 5": {
        "components": [row(*(button(custom_id=f"{r}-{n}") for n in range(5))) for r in range(5)],
    },
    "25 options": {"components": [row(select(options=options(25), max_values=25))]},
    "v2 layout": {"flags": 1 << 15, "components": [{"type": 17, "components": [{"type": 10, "content": "x"}]}]},
    "reply to nothing, lenient": {
        "content": "x",
        "message_reference": {"message_id": "1", "fail_if_not_exists": False},
    },
}


@pytest.mark.parametrize("body", LARGEST.values(), ids=LARGEST.keys())
async def test_what_just_fits_is_taken(bare: tuple[Club, Api], body: Json) -> None:
    club, api = bare
    status, message = await api("POST", f"/channels/{club.channel['id']}/messages", body)
    assert status == 200, message
    assert [m["id"] for m in club.discord.world.history(club.channel)] == [message["id"]]


async def test_errors_are_nested_by_path(bare: tuple[Club, Api]) -> None:
    club, api = bare
    body = {"embeds": [{"title": "fine"}, {"title": "x" * 257}]}
    _, answer = await api("POST", f"/channels/{club.channel['id']}/messages", body)
    assert answer["message"] == "Invalid Form Body"
    assert answer["errors"]["embeds"]["1"]["title"]["_errors"][0]["message"].startswith("Must be 256")


async def test_empty_messages(bare: tuple[Club, Api]) -> None:
    club, api = bare
    path = f"/channels/{club.channel['id']}/messages"
    assert await api.code("POST", path, {"content": "  "}) == 50006
    assert await api.code("POST", path, {}) == 50006
    _, message = await api("POST", path, {"content": "x"})
    assert await api.code("PATCH", f"{path}/{message['id']}", {"content": ""}) == 50006
    assert message["content"] == "x"


@pytest.mark.parametrize(("sizes", "status"), [([10], 200), ([10.1], 413), ([9, 9, 8], 413)])
async def test_file_sizes(bare: tuple[Club, Api], sizes: list[float], status: int) -> None:
    club, api = bare
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", "{}", content_type="application/json")
    for number, size in enumerate(sizes):
        data = io.BytesIO(bytes(int(size * 1024 * 1024)))
        form.add_field(f"files[{number}]", data, filename=f"{number}.png", content_type="image/png")
    answer_status, answer = await api("POST", f"/channels/{club.channel['id']}/messages", data=form)
    assert answer_status == status
    if status == 413:
        assert answer["code"] == 40005


def command(**keys: Any) -> Json:
    return {"name": "report", "description": "d", "type": 1, **keys}


def option(**keys: Any) -> Json:
    return {"type": 3, "name": "o", "description": "d", **keys}


BROKEN_COMMANDS: dict[str, list[Json]] = {
    "upper case": [command(name="Report")],
    "blank in the name": [command(name="a b")],
    "name over 32": [command(name="x" * 33)],
    "no description": [command(description="")],
    "description over 100": [command(description="x" * 101)],
    "bad localised name": [command(name_localizations={"ru": "Отчёт"})],
    "26 options": [command(options=[option(name=f"o{n}") for n in range(26)])],
    "option twice": [command(options=[option(), option()])],
    "required after optional": [command(options=[option(), option(name="p", required=True)])],
    "26 choices": [command(options=[option(choices=[{"name": str(n), "value": str(n)} for n in range(26)])])],
    "choice of the wrong kind": [command(options=[option(type=4, choices=[{"name": "a", "value": "a"}])])],
    "choices and autocomplete": [
        command(options=[option(autocomplete=True, choices=[{"name": "a", "value": "a"}])])
    ],
    "subcommand beside option": [command(options=[option(type=1), option(name="p")])],
    "group in a group": [command(options=[option(type=2, options=[option(type=2, options=[option(type=1)])])])],
    "over 8000 characters": [
        command(
            options=[
                option(name=f"o{n}", choices=[{"name": f"{c}" + "x" * 90, "value": "v" * 90} for c in range(25)])
                for n in range(2)
            ]
        )
    ],
    "same name twice": [command(), command()],
    "described context menu": [command(type=2)],
}


@pytest.mark.parametrize("commands", BROKEN_COMMANDS.values(), ids=BROKEN_COMMANDS.keys())
async def test_broken_commands_are_refused_whole(bare: tuple[Club, Api], commands: list[Json]) -> None:
    club, api = bare
    path = f"/applications/{club.discord.world.application_id}/commands"
    await api("PUT", path, [command(name="kept")])
    assert await api.code("PUT", path, commands) == 50035
    assert [c["name"] for c in club.discord.world.commands["global"]] == ["kept"]


async def test_number_of_commands(bare: tuple[Club, Api]) -> None:
    club, api = bare
    path = f"/applications/{club.discord.world.application_id}/commands"
    status, _ = await api("PUT", path, [command(name=f"c{n}") for n in range(100)])
    assert status == 200
    assert await api.code("PUT", path, [command(name=f"c{n}") for n in range(101)]) == 30032
    assert await api.code("POST", path, command(name="one-more")) == 30032


async def test_commands_keep_their_ids(bare: tuple[Club, Api]) -> None:
    club, api = bare
    path = f"/applications/{club.discord.world.application_id}/commands"
    _, first = await api("PUT", path, [command(), command(name="gone")])
    _, second = await api("PUT", path, [command(description="new")])
    assert second[0]["id"] == first[0]["id"]
    assert second[0]["version"] != first[0]["version"]
    assert await api.code("GET", f"{path}/{first[1]['id']}") == 10063
