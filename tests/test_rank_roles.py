"""Members wear the role of their rank: given, changed and taken with the figures of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from babel.messages.catalog import Catalog

from bot import permissions
from ratings.models import Person, Standing, SystemName
from tests import catalogue_help
from tests.club_evening import Club, Evening
from tests.correction_help import ask, confirm, play, said
from tests.ledger_help import place_at
from tests.people_help import command
from tests.role_help import GAME, KYUU, NEWCOMER, OTHER, allow, look, roles_made, switch, waiting, wears

ROOT = Path(__file__).resolve().parents[1]
AT_WORK = {"Ann at work": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}


@pytest.fixture
async def story(evening_on_each_engine: Evening) -> Evening:
    """A club in which roles may be given, but are not yet."""
    await allow(evening_on_each_engine)
    return evening_on_each_engine


async def placed(evening: Evening, system: SystemName, **ranks: Standing) -> None:
    """Put members on a ladder."""
    wanted = {Person(int(evening.users[name]["id"]), name): standing for name, standing in ranks.items()}
    await place_at(evening.store, wanted, system, guild=evening.id)


async def neighbours(evening: Evening, locale: str = "en-US") -> Club:
    """A second club with the same people, on the same bot."""
    other = Club(evening.discord, "Ume", users=evening.users)
    other.guild["preferred_locale"] = locale
    await evening.discord.add_guild_live(other.guild)
    await other.set_up()
    await allow(other)
    return other


async def play_next(club: Club, scores: dict[str, str], number: int) -> None:
    """One more game, reported and approved."""
    await club.report(scores)
    await club.approve(number)


# ---- switched on and off -------------------------------------------------------------------------------


async def test_switched_on_everybody_wears_his_rank(story: Evening) -> None:
    other = await neighbours(story)
    await play(story, GAME)
    await play_next(other, GAME, 1)
    await story.quiet()
    assert wears(story) == [[], [], [], [], []]
    assert "none → four players" in await switch(story)
    await story.quiet()
    assert wears(story) == [[KYUU], [NEWCOMER], [NEWCOMER], [NEWCOMER], []]
    assert wears(story, "Kai", "Rei") == [[], []]
    assert [role["permissions"] for role in roles_made(story)] == ["0", "0"]
    assert "**Rank roles**: four players" in await look(story)
    # Another club is another matter, and its decisions say nothing of roles.
    assert (wears(other), roles_made(other)) == ([[], [], [], [], []], [])
    assert "**Rank roles**: none" in await look(other)


async def test_the_other_ladder_and_none_at_all(story: Evening) -> None:
    await placed(story, SystemName.TENHOU_4P, Ann=Standing(12, 700, 1800.0, 90), Dora=Standing(0, 0, 1500.0, 1))
    await placed(story, SystemName.TENHOU_3P, Ann=Standing(11, 500, 1700.0, 50), Emi=Standing(20, 0, 2200.0, 999))
    await switch(story)
    await story.quiet()
    assert wears(story) == [["三段 (3-dan)"], [], [], [NEWCOMER], []]
    await switch(story, "tenhou-3p")
    await story.quiet()
    assert wears(story) == [["二段 (2-dan)"], [], [], [], ["天鳳位 (Tenhoui)"]]
    await switch(story, "none")
    await story.quiet()
    assert wears(story) == [[], [], [], [], []]
    assert len(roles_made(story)) == 4
    assert await waiting(story.store, story.id) == []


async def test_other_roles_are_left_alone(story: Evening) -> None:
    await play(story, GAME)
    friend = await story.discord.create_role(story.guild, "Friend")
    await story.discord.set_roles(story.guild, story.users["Ann"], [friend])
    await switch(story)
    await story.quiet()
    assert wears(story, "Ann") == [["Friend", KYUU]]
    await switch(story, "none")
    await story.quiet()
    assert wears(story, "Ann") == [["Friend"]]


# ---- games ---------------------------------------------------------------------------------------------


async def test_a_promotion_changes_the_role_with_the_news(story: Evening) -> None:
    await switch(story)
    await play_next(story, GAME, 1)
    await story.quiet()
    assert wears(story) == [[KYUU], [NEWCOMER], [NEWCOMER], [NEWCOMER], []]
    assert len(story.titles("announcements")) == 1
    await play_next(story, GAME | {"Ann": "30100", "Борис": "45200"}, 2)
    await story.quiet()
    assert len(story.titles("announcements")) == 2
    assert wears(story) == [[KYUU], [KYUU], [NEWCOMER], [NEWCOMER], []]
    # Nobody's rank changes by an unranked game, nor by one of three.
    await story.report(OTHER, ranked=False)
    await story.approve(3)
    await play_next(story, {"Emi": "50000", "Ann": "35000", "Борис": "20000"}, 4)
    await story.quiet()
    assert wears(story) == [[KYUU], [KYUU], [NEWCOMER], [NEWCOMER], []]
    assert len(roles_made(story)) == 2


async def test_a_demotion_changes_the_role(story: Evening) -> None:
    await placed(story, SystemName.TENHOU_4P, Dora=Standing(11, 10, 1500.0, 40))
    await switch(story)
    await story.quiet()
    assert wears(story, "Dora") == [["二段 (2-dan)"]]
    await play_next(story, GAME, 1)
    await story.quiet()
    assert wears(story, "Dora") == [["初段 (1-dan)"]]


async def test_who_has_left_is_skipped(story: Evening) -> None:
    await switch(story)
    await story.report(GAME)
    await story.discord.kick(story.guild, story.users["Ann"])
    await story.approve(1)
    await story.quiet()
    assert wears(story) == [[], [NEWCOMER], [NEWCOMER], [NEWCOMER], []]
    assert await waiting(story.store, story.id) == []
    # No role is made for somebody who is not there; it comes with his next change of rank.
    assert len(roles_made(story)) == 1
    await story.discord.join(story.guild, story.users["Ann"])
    await play_next(story, GAME, 2)
    await story.quiet()
    assert wears(story, "Ann") == [["８級 (8-kyuu)"]]


# ---- corrections ---------------------------------------------------------------------------------------


async def test_roles_follow_a_void_a_restoration_and_an_amendment(story: Evening) -> None:
    await switch(story)
    await play(story, GAME, OTHER)
    before = [[KYUU], [NEWCOMER], [NEWCOMER], [KYUU], [NEWCOMER]]
    assert wears(story) == before
    await confirm(story, "Kai", await ask(story, "Kai", "void", game=1, reason="not ours"))
    await story.quiet()
    # 千秋 has no rank any more, and Ann is back where she began.
    assert wears(story) == [[NEWCOMER], [NEWCOMER], [], [KYUU], [NEWCOMER]]
    await confirm(story, "Kai", await ask(story, "Kai", "restore", game=1, reason="ours after all"))
    await story.quiet()
    assert wears(story) == before
    swapped = {"east_score": GAME["千秋"], "west_score": GAME["Ann"]}
    await confirm(story, "Kai", await ask(story, "Kai", "amend", game=1, **swapped))
    await story.quiet()
    assert wears(story) == [[NEWCOMER], [NEWCOMER], [KYUU], [KYUU], [NEWCOMER]]
    await confirm(story, "Kai", await ask(story, "Kai", "amend", game=2, south=story.users["千秋"]))
    await story.quiet()
    assert wears(story, "Emi", "千秋") == [[], [KYUU]]


async def test_both_accounts_of_a_merged_member_wear_the_rank(story: Evening) -> None:
    story.join("Ann at work")
    story.join("Twin")
    await switch(story)
    await play(story, GAME, AT_WORK, {**AT_WORK, "Ann at work": "30100", "Борис": "45200"})
    both = ("Ann", "Ann at work")
    assert wears(story, *both, "Twin") == [[KYUU], [KYUU], []]
    await confirm(story, "Kai", await command(story, "merge", player="Ann at work", into="Ann"))
    await story.quiet()
    assert wears(story, *both) == [["８級 (8-kyuu)"]] * 2
    await confirm(story, "Kai", await command(story, "split", player="Ann at work"))
    await story.quiet()
    assert wears(story, *both) == [[KYUU], [KYUU]]
    # An account that has never played wears the rank as well, though nobody's rank is another by it.
    twin = {"Twin": "25000", "Emi": "25000", "Kai": "25000", "Rei": "25000"}
    await story.report(twin)
    await story.reject(4)
    for words, worn in (("merge", [[KYUU], [KYUU]]), ("split", [[KYUU], []])):
        into = {"into": "Ann"} if words == "merge" else {}
        await confirm(story, "Kai", await command(story, words, player="Twin", **into))
        await story.quiet()
        assert wears(story, "Ann", "Twin") == worn


async def test_a_forgotten_member_keeps_the_role_and_the_admin_is_told(story: Evening) -> None:
    await play(story, GAME)
    assert "keeps the role" not in said(await command(story, "forget", player="Борис"))
    await switch(story)
    await story.quiet()
    question = await command(story, "forget", player="Ann")
    assert "The account keeps the role of its rank: please take it off by hand." in said(question)
    await confirm(story, "Kai", question)
    await confirm(story, "Kai", await ask(story, "Kai", "void", game=1, reason="not ours"))
    await story.quiet()
    assert wears(story) == [[KYUU], [], [], [], []]
    assert await waiting(story.store, story.id) == []


# ---- the roles themselves ------------------------------------------------------------------------------


async def test_a_deleted_role_is_made_again_for_all_who_wore_it(story: Evening) -> None:
    await switch(story)
    await play(story, GAME)
    (old,) = [role for role in roles_made(story) if role["name"] == NEWCOMER]
    await story.discord.delete_role(old)
    assert wears(story) == [[KYUU], [], [], [], []]
    await play_next(story, OTHER, 2)
    await story.quiet()
    assert wears(story) == [[KYUU], [NEWCOMER], [NEWCOMER], [KYUU], [NEWCOMER]]
    assert len(roles_made(story)) == 2


async def test_a_renamed_role_goes_on_standing_for_the_rank(story: Evening) -> None:
    await switch(story)
    await play(story, GAME)
    (role,) = [role for role in roles_made(story) if role["name"] == NEWCOMER]
    await story.discord.edit_role(role, name="Fresh")
    await play_next(story, OTHER, 2)
    await story.quiet()
    assert wears(story) == [[KYUU], ["Fresh"], ["Fresh"], [KYUU], ["Fresh"]]


async def test_a_role_of_that_name_is_used_if_it_gives_no_right(story: Evening) -> None:
    harmless = await story.discord.create_role(story.guild, NEWCOMER)
    powerful = await story.discord.create_role(story.guild, KYUU, permissions=permissions_of(manage_guild=True))
    await switch(story)
    await play(story, GAME)
    assert wears(story) == [[KYUU], [NEWCOMER], [NEWCOMER], [NEWCOMER], []]
    worn = {role for member in story.guild["members"] for role in member["roles"]}
    assert harmless["id"] in worn
    assert powerful["id"] not in worn


def permissions_of(**granted: bool) -> int:
    return discord.Permissions(**granted).value


@pytest.fixture
def japanese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue that knows the names of two ranks."""
    catalogue = Catalog(locale="ja")
    catalogue.add("newcomer", "はじめて")
    catalogue.add("{number}-kyuu", "{number}きゅう")
    with catalogue_help.in_use(catalogue, tmp_path, monkeypatch):
        yield


async def test_roles_are_named_in_the_language_of_the_guild(japanese: None, evening: Evening) -> None:
    other = await neighbours(evening, "ja")
    await switch(other)
    await play_next(other, GAME, 1)
    await evening.quiet()
    assert wears(other) == [["９級 (9きゅう)"], *[["新人 (はじめて)"]] * 3, []]


def test_the_invitation_for_rank_roles_asks_for_one_right_more() -> None:
    needed = discord.Permissions(**dict.fromkeys([*permissions.APPROVALS, "manage_roles"], True))
    link = f"permissions={needed.value}\n"
    assert link in (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    assert link not in (ROOT / "README.md").read_text(encoding="utf-8")
