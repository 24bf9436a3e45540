"""Slash commands, autocomplete, buttons, menus and forms, as people use them."""

from __future__ import annotations

import pytest

from bot.sandbox import SandboxRefusal
from tests.sandbox.conftest import Club
from tests.sandbox.sample import APPROVE, ZONES, SampleBot


async def report(club: Club) -> dict[str, object]:
    i = await club.ann.slash("report riichi", club.channel, east=club.bob.user, score=1)
    assert i.reply is not None
    return i.reply


async def test_subcommand_gets_its_options_and_answers(club: Club) -> None:
    i = await club.ann.slash("report riichi", club.channel, east=club.bob.user, score=31000, length="East only")
    assert i.acknowledged == 4
    assert i.reply is not None
    assert i.reply["content"] == "Bob 31000 tonpuu 1"
    assert i.reply["embeds"][0]["title"] == "Game"
    assert not i.ephemeral
    assert i.latency is not None
    assert i.latency < 1
    assert club.discord.world.history(club.channel) == [i.reply]
    message = i.reply
    await club.discord.until(lambda: message["reactions"])
    assert message["reactions"][0]["emoji"]["name"] == APPROVE
    assert message["reactions"][0]["me"]


async def test_resolved_member_brings_roles(club: Club) -> None:
    i = await club.bob.slash("report riichi", club.channel, east=club.ann.user, score=1)
    assert i.reply is not None
    assert i.reply["content"] == "Ann 1 - 2"


async def test_ephemeral_answer_is_seen_by_its_reader_only(club: Club) -> None:
    i = await club.ann.slash("setup club zone", club.channel, time_zone="UTC")
    assert i.ephemeral
    assert i.reply is not None
    assert club.discord.world.history(club.channel) == []
    assert club.ann.history(club.channel) == [i.reply]
    assert club.bob.history(club.channel) == []
    with pytest.raises(SandboxRefusal):
        await club.bob.click(i.reply, label="anything")


async def test_autocomplete_sees_the_typed_text_and_the_other_options(club: Club) -> None:
    choices = await club.ann.autocomplete("setup club zone", club.channel, option="time_zone", text="EUR")
    assert [c["value"] for c in choices] == [z for z in ZONES if z.startswith("Europe")]
    choices = await club.ann.autocomplete(
        "setup club zone", club.channel, option="time_zone", text="tokyo", note="!"
    )
    assert [c["name"] for c in choices] == ["Asia/Tokyo!"]


async def test_button_opens_a_form_and_the_form_is_answered(club: Club) -> None:
    opened = await club.bob.click(await report(club), label="Add a note")
    assert opened.acknowledged == 9
    assert opened.modal is not None
    sent = await club.bob.submit(opened, note="東風戦")
    assert sent.reply is not None
    assert sent.reply["content"] == "noted: 東風戦"
    assert sent.ephemeral


@pytest.mark.parametrize("note", ["", "x" * 41])
async def test_form_field_keeps_its_bounds(club: Club, note: str) -> None:
    opened = await club.bob.click(await report(club), custom_id="note")
    with pytest.raises(SandboxRefusal, match="note"):
        await club.bob.submit(opened, note=note)


async def test_labelled_select_in_a_form(club: Club) -> None:
    opened = await club.bob.click(await report(club), custom_id="labelled")
    sent = await club.bob.submit(opened, kind="East only")
    assert sent.reply is not None
    assert sent.reply["content"] == "kind: tonpuu"


async def test_button_edits_its_message_and_a_disabled_one_cannot_be_pressed(club: Club) -> None:
    message = await report(club)
    pressed = await club.bob.click(message, custom_id="lock")
    assert pressed.acknowledged == 7
    assert message["content"] == "locked"
    with pytest.raises(SandboxRefusal, match="disabled"):
        await club.bob.click(message, custom_id="lock")


async def test_select_menu(club: Club) -> None:
    message = await report(club)
    chosen = await club.bob.choose(message, "length", ["East"])
    assert chosen.acknowledged == 6
    await club.discord.until(lambda: chosen.reply)
    assert chosen.reply is not None
    assert chosen.reply["content"] == "length: e"
    with pytest.raises(SandboxRefusal, match="offered: East, South"):
        await club.bob.choose(message, "length", ["North"])
    with pytest.raises(SandboxRefusal, match="Between 1 and 1"):
        await club.bob.choose(message, "length", ["East", "South"])


async def test_user_select_menu(club: Club) -> None:
    i = await club.bob.choose(await report(club), "who", [club.ann.user, club.bob.user])
    assert i.reply is not None
    assert i.reply["content"] == "Ann,Bob"


async def test_deferred_answer_fills_its_placeholder(club: Club) -> None:
    i = await club.ann.slash("defer", club.channel, hidden=True)
    assert i.acknowledged == 5
    assert i.thinking
    assert i.ephemeral
    assert i.replies == []
    club.bot.gate.set()
    await club.discord.until(lambda: len(i.replies) == 2)
    assert [m["content"] for m in i.replies] == ["thought", "and more"]
    assert i.replies[0]["flags"] & 64
    assert not i.thinking


async def test_attachment_goes_there_and_back(club: Club) -> None:
    i = await club.ann.slash("file", club.channel, upload=("log.png", b"\x89PNG data"))
    assert i.reply is not None
    attachment = i.reply["attachments"][0]
    assert club.discord.world.files[attachment["id"]] == b"\x89PNG data"
    assert i.reply["embeds"][0]["image"]["url"] == attachment["url"]


async def test_context_menu(club: Club) -> None:
    i = await club.ann.menu("Profile", club.channel, club.bob.user)
    assert i.reply is not None
    assert i.reply["content"] == "profile of Bob"


async def test_languages_reach_the_bot(club: Club) -> None:
    club.ann.user["locale"] = "ja"
    await club.discord.edit_role(club.admin_role, permissions=1 << 5)
    i = await club.ann.slash("admin", club.channel)
    assert i.reply is not None
    assert i.reply["content"] == "ja en-US"


async def test_a_client_refuses_what_was_not_offered(club: Club) -> None:
    ann, channel, bob = club.ann, club.channel, club.bob.user
    refusals = {
        "not a synced command": ann.slash("nothing", channel),
        "no subcommand": ann.slash("report chess", channel),
        "needs a subcommand": ann.slash("report", channel),
        "needs the option score": ann.slash("report riichi", channel, east=bob),
        "no option west": ann.slash("report riichi", channel, east=bob, score=1, west=bob),
        "between -200000 and 200000": ann.slash("report riichi", channel, east=bob, score=200_001),
        "whole number": ann.slash("report riichi", channel, east=bob, score="many"),
        "must be a user": ann.slash("report riichi", channel, east="bob", score=1),
        "not a choice": ann.slash("report riichi", channel, east=bob, score=1, length="long"),
        "not offered to ann": ann.slash("admin", channel),
        "no autocomplete": ann.autocomplete("report riichi", channel, option="score", text="1"),
    }
    before = len(club.discord.interactions.by_id)
    for words, act in refusals.items():
        with pytest.raises(SandboxRefusal, match=words):
            await act
    assert len(club.discord.interactions.by_id) == before


async def test_command_needs_sight_of_the_channel(club: Club) -> None:
    everyone = club.guild["roles"][0]
    await club.discord.set_overwrites(club.channel, [{"id": everyone["id"], "type": 0, "deny": 1 << 10}])
    with pytest.raises(SandboxRefusal, match="see this channel"):
        await club.ann.slash("defer", club.channel)


async def test_late_answer(club: Club) -> None:
    club.discord.deadline = 0.05
    i = await club.ann.slash("slow", club.channel)
    assert i.failed == "The application did not respond"
    club.bot.gate.set()
    await club.discord.until(lambda: club.discord.requests[-1].status == 404)
    assert i.replies == []
    await until_failed(club.bot)
    assert "10062" in str(club.bot.errors[0])


async def test_late_autocomplete(quiet: Club) -> None:
    quiet.discord.deadline = 0.05
    await quiet.run()
    quiet.discord.faults.hold("POST", "/callback$")
    with pytest.raises(SandboxRefusal, match="Loading options failed"):
        await quiet.ann.autocomplete("setup club zone", quiet.channel, option="time_zone", text="")


async def test_second_answer(club: Club) -> None:
    i = await club.ann.slash("twice", club.channel)
    await club.discord.until(lambda: club.discord.requests[-1].status == 400)
    await until_failed(club.bot)
    assert "40060" in str(club.bot.errors[0])
    assert len(i.replies) == 1


async def test_token_runs_out(club: Club) -> None:
    i = await club.ann.slash("defer", club.channel)
    club.discord.token_lifetime = 0.0
    club.bot.gate.set()
    await until_failed(club.bot)
    assert "50027" in str(club.bot.errors[0])
    assert i.replies == []


async def test_buttons_of_an_earlier_run_still_work(club: Club) -> None:
    message = await report(club)
    await club.end()
    await club.run(SampleBot())
    opened = await club.bob.click(message, label="Add a note")
    assert opened.modal is not None


async def until_failed(bot: SampleBot) -> None:
    await bot.failed.wait()
