"""The answers to interactions: which fit, in which order, and the follow-ups on their webhook."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.sandbox import Interaction
from tests.sandbox.conftest import Api, Club, Json

FIELD = {"type": 4, "custom_id": "t", "style": 1, "label": "Text", "required": False}
ROW = {"type": 1, "components": [FIELD]}
MODAL = {"title": "Form", "custom_id": "form", "components": [ROW]}


class Asked:
    """Interactions that people start, and the answers given to them by hand."""

    def __init__(self, club: Club, api: Api) -> None:
        self.club = club
        self.api = api
        self._asking: asyncio.Task[Any] | None = None

    async def start(self, act: Any) -> Interaction:
        known = set(self.club.discord.interactions.by_id)
        self._asking = asyncio.create_task(act)
        interactions = self.club.discord.interactions.by_id
        await self.club.discord.until(lambda: set(interactions) - known)
        (new,) = set(interactions) - known
        return interactions[new]

    async def slash(self) -> Interaction:
        return await self.start(self.club.ann.slash("hello", self.club.channel))

    async def answer(
        self, i: Interaction, kind: int, data: Json | None = None, query: str = ""
    ) -> tuple[int, Any]:
        body = {"type": kind, **({"data": data} if data is not None else {})}
        return await self.api("POST", f"/interactions/{i.id}/{i.token}/callback{query}", body)

    async def shown(self, data: Json) -> Interaction:
        """An interaction answered with a message."""
        i = await self.slash()
        status, answer = await self.answer(i, 4, data)
        assert status == 204, answer
        return i


@pytest.fixture
async def asked(bare: tuple[Club, Api]) -> Asked:
    club, api = bare
    option = {"type": 3, "name": "o", "description": "d", "autocomplete": True}
    commands = [
        {"name": "hello", "description": "d", "type": 1},
        {"name": "find", "description": "d", "type": 1, "options": [option]},
    ]
    await api("PUT", f"/applications/{club.discord.world.application_id}/commands", commands)
    club.discord.pause = 0.0
    return Asked(club, api)


async def test_callback_tells_what_it_made(asked: Asked) -> None:
    i = await asked.slash()
    _, answer = await asked.answer(i, 4, {"content": "x"}, "?with_response=1")
    assert answer["resource"]["type"] == 4
    assert answer["resource"]["message"]["content"] == "x"
    assert answer["interaction"]["response_message_id"] == answer["resource"]["message"]["id"]
    assert answer["resource"]["message"]["interaction_metadata"]["id"] == i.id


@pytest.mark.parametrize("kind", [1, 6, 7, 8, 99])
async def test_answers_that_do_not_fit_a_command(asked: Asked, kind: int) -> None:
    i = await asked.slash()
    status, answer = await asked.answer(i, kind, {"content": "x"})
    assert (status, answer["code"]) == (400, 50035)
    assert i.acknowledged is None


async def test_autocomplete_takes_choices_only(asked: Asked) -> None:
    club = asked.club
    i = await asked.start(club.ann.autocomplete("find", club.channel, option="o", text="a"))
    for kind in (4, 5, 9):
        assert (await asked.answer(i, kind, {"content": "x"}))[1]["code"] == 50035
    too_many = [{"name": str(n), "value": str(n)} for n in range(26)]
    for choices in (too_many, [{"name": "x" * 101, "value": "x"}], [{"name": "x", "value": "x" * 101}], None):
        assert (await asked.answer(i, 8, {"choices": choices}))[1]["code"] == 50035
    assert (await asked.answer(i, 8, {"choices": [{"name": "A", "value": "a"}]}))[0] == 204
    assert i.choices == [{"name": "A", "value": "a"}]


async def test_form_cannot_answer_a_form_nor_come_second(asked: Asked) -> None:
    opened = await asked.slash()
    assert (await asked.answer(opened, 9, MODAL))[0] == 204
    assert (await asked.answer(opened, 9, MODAL))[1]["code"] == 40060
    sent = await asked.start(asked.club.ann.submit(opened, t="東"))
    assert (await asked.answer(sent, 9, MODAL))[1]["code"] == 50035
    assert (await asked.answer(sent, 7, {"content": "x"}))[1]["code"] == 50035
    assert (await asked.answer(sent, 4, {"content": "x"}))[0] == 204


BROKEN_MODALS: dict[str, Json] = {
    "title over 45": {"title": "x" * 46},
    "no title": {"title": ""},
    "custom id over 100": {"custom_id": "x" * 101},
    "no fields": {"components": []},
    "6 fields": {"components": [{"type": 1, "components": [{**FIELD, "custom_id": str(n)}]} for n in range(6)]},
    "field twice": {"components": [ROW, ROW]},
    "label over 45": {"components": [{"type": 1, "components": [{**FIELD, "label": "x" * 46}]}]},
    "two fields in a row": {"components": [{"type": 1, "components": [FIELD, {**FIELD, "custom_id": "u"}]}]},
    "button": {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "b"}]}]},
    "value over its maximum": {
        "components": [{"type": 1, "components": [{**FIELD, "max_length": 1, "value": "xx"}]}]
    },
    "empty label": {"components": [{"type": 18, "label": "x"}]},
}


@pytest.mark.parametrize("change", BROKEN_MODALS.values(), ids=BROKEN_MODALS.keys())
async def test_broken_form(asked: Asked, change: Json) -> None:
    i = await asked.slash()
    status, answer = await asked.answer(i, 9, {**MODAL, **change})
    assert (status, answer["code"]) == (400, 50035)
    assert i.modal is None


async def test_component_edits_its_message(asked: Asked) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    shown = await asked.shown({"content": "x", "components": [{"type": 1, "components": [button]}]})
    assert shown.reply is not None
    pressed = await asked.start(asked.club.bob.click(shown.reply, label="Go"))
    assert (await asked.answer(pressed, 7, {"content": "y", "components": []}))[0] == 204
    assert shown.reply["content"] == "y"
    assert shown.reply["components"] == []
    path = f"/webhooks/{asked.club.discord.world.application_id}/{pressed.token}/messages/@original"
    assert (await asked.api("GET", path))[1]["id"] == shown.reply["id"]


async def test_followups_are_read_edited_and_deleted(asked: Asked) -> None:
    webhook = f"/webhooks/{asked.club.discord.world.application_id}"
    i = await asked.slash()
    assert await asked.api.code("POST", f"{webhook}/{i.token}", {"content": "early"}) == 10015
    await asked.answer(i, 4, {"content": "first"})
    _, second = await asked.api("POST", f"{webhook}/{i.token}", {"content": "second", "flags": 64})
    assert [m["content"] for m in i.replies] == ["first", "second"]
    path = f"{webhook}/{i.token}/messages"
    await asked.api("PATCH", f"{path}/@original", {"content": "first, edited"})
    await asked.api("PATCH", f"{path}/{second['id']}", {"content": "second, edited"})
    assert [m["content"] for m in i.replies] == ["first, edited", "second, edited"]
    assert (await asked.api("GET", f"{path}/{second['id']}"))[1]["content"] == "second, edited"
    channel_path = f"/channels/{asked.club.channel['id']}/messages/{second['id']}"
    assert await asked.api.code("GET", channel_path) == 10008
    assert (await asked.api("DELETE", f"{path}/{second['id']}"))[0] == 204
    assert (await asked.api("DELETE", f"{path}/@original"))[0] == 204
    assert i.replies == []
    assert await asked.api.code("PATCH", f"{path}/@original", {"content": "x"}) == 10008


async def test_deferred_answer_stays_as_hidden_as_announced(asked: Asked) -> None:
    i = await asked.slash()
    await asked.answer(i, 5, {"flags": 64})
    webhook = f"/webhooks/{asked.club.discord.world.application_id}/{i.token}"
    _, message = await asked.api("PATCH", f"{webhook}/messages/@original", {"content": "done"})
    assert message["flags"] == 64
    assert i.reply is not None
    assert i.reply["content"] == "done"
    assert asked.club.discord.world.history(asked.club.channel) == []


async def test_wrong_token_of_an_interaction(asked: Asked) -> None:
    i = await asked.slash()
    path = f"/interactions/{i.id}/wrong/callback"
    assert await asked.api.code("POST", path, {"type": 4, "data": {"content": "x"}}) == 10062
