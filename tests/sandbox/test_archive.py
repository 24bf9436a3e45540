"""A club that was kept is the same club when it is taken up again."""

from __future__ import annotations

import io
from pathlib import Path

import discord
import pytest

from bot.sandbox import LocalDiscord, World
from tests.sandbox.conftest import Club, point_discord_at
from tests.sandbox.sample import APPROVE, SampleBot


async def test_kept_club_goes_on(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = discord.File(io.BytesIO(b"png"), "chart.png")
    message = await club.bot.text_channel(club.channel).send("kept", file=file)
    stored = club.discord.world.message(message.id)
    assert stored is not None
    await club.ann.react(stored, APPROVE)
    await club.ann.slash("setup club zone", club.channel, time_zone="not kept")
    path = tmp_path / "club.json"
    club.discord.world.save(path)
    await club.end()

    again = LocalDiscord.load(path)
    await again.start()
    point_discord_at(again, monkeypatch)
    channel, guild = again.world.channels[club.channel["id"]], again.world.guilds[club.guild["id"]]
    (kept,) = again.world.history(channel)
    assert kept["content"] == "kept"
    assert [r["count"] for r in kept["reactions"]] == [1]
    assert kept["attachments"][0]["url"].startswith(again.rest_url.removesuffix("/api/v10"))
    assert again.world.bot["id"] == club.discord.world.bot["id"]
    ann = again.person(guild, again.world.users[club.ann.user["id"]])
    assert {c["name"] for c in ann.commands(channel)} >= {"report", "setup"}
    later = Club(again, SampleBot(), guild, channel, club.admin_role, ann, ann)
    await later.run()
    i = await ann.slash("report riichi", channel, east=ann.user, score=1)
    assert i.reply is not None
    assert int(i.reply["id"]) > int(kept["id"])
    again.world.save(path)
    assert World.load(path).messages.keys() == again.world.messages.keys()
    await later.end()
    await again.stop()


def test_something_else_is_not_a_kept_club(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    for text in ("", "[]", '{"format": "other"}', '{"format": "tenbou-sandbox-1"}'):
        path.write_text(text)
        with pytest.raises(ValueError, match="kept"):
            World.load(path)
