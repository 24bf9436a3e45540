"""The main job, end to end: from /report to the rank-up post."""

from __future__ import annotations

from tests.club_evening import Evening, reply

GAME = {"Ann": "45200", "Борис": "30,100", "千秋": "１５７００", "Dora": "9.0k"}


async def test_an_evening_from_report_to_rank_up(evening_on_each_engine: Evening) -> None:
    evening = evening_on_each_engine
    receipt = await evening.report(GAME)
    assert receipt.ephemeral
    assert "Game #1 is reported" in reply(receipt)["embeds"][0]["title"]

    await evening.approve(1)

    await evening.discord.until(lambda: evening.posts("announcements"))
    (news,) = evening.posts("announcements")
    assert "Ann" in news["embeds"][0]["description"]
    assert "９級 (9-kyuu)" in news["embeds"][0]["description"]
