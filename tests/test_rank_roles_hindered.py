"""Rank roles against the odds: missing rights, a full server, cut connections, restarts, two processes."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from bot import outbox as outbox_worker
from bot.sandbox import Permission
from ratings.models import GameState
from ratings.store import tables
from tests.club_evening import Evening
from tests.correction_help import play
from tests.role_help import GAME, KYUU, NEWCOMER, OTHER, allow, look, roles_made, switch, waiting, wears

DRESSED = [[KYUU], [NEWCOMER], [NEWCOMER], [NEWCOMER], []]
BARE: list[list[str]] = [[], [], [], [], []]
ROLES, ROLE, WORN = r"/guilds/\d+/roles$", r"/guilds/\d+/roles/\d+$", r"/members/\d+/roles/\d+$"


async def said_all(evening: Evening) -> None:
    """Let the time pass after which letters come back, and find none about roles left when all are done."""
    await evening.store.write(_come_back)
    evening.bot.worker.wake()
    await evening.quiet()
    assert await waiting(evening.store, evening.id) == []


def _come_back(connection: sa.Connection) -> None:
    connection.execute(sa.update(tables.outbox).where(tables.outbox.c.done_at.is_(None)).values(due_at=0))


async def test_without_the_right_roles_wait_and_nothing_else_does(evening: Evening) -> None:
    answer = await switch(evening)
    assert "I am not allowed to\nManage Roles in this server, which rank roles need" in answer
    await play(evening, GAME)
    assert wears(evening) == BARE
    assert len(evening.titles("announcements")) == 1
    problems = await waiting(evening.store, evening.id)
    assert [error for _, error in problems] == ["Undeliverable: the bot lacks Manage Roles"] * 4
    # What waits for one member is one letter, however often his rank changes meanwhile.
    await evening.report(GAME | {"Ann": "30100", "Борис": "45200"})
    await evening.approve(2)
    await evening.quiet()
    assert len(await waiting(evening.store, evening.id)) == 4
    assert "Manage Roles in this server" in await look(evening)
    await allow(evening)
    assert "I am not allowed to" not in await look(evening)
    await evening.quiet()
    assert wears(evening) == [[KYUU], [KYUU], [NEWCOMER], [NEWCOMER], []]
    assert await waiting(evening.store, evening.id) == []


async def test_a_right_given_late_is_noticed_without_a_word(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_worker, "CLOSED_CHANNEL_PAUSE", 0.1)
    await switch(evening)
    await evening.report(GAME)
    await evening.approve(1)
    await allow(evening)
    await evening.discord.until(lambda: wears(evening) == DRESSED)


async def test_a_right_taken_away_in_between_is_no_harm(evening: Evening) -> None:
    await allow(evening)
    await switch(evening)
    await play(evening, GAME)
    await allow(evening, yes=False)
    await evening.report(OTHER)
    await evening.approve(2)
    await evening.quiet()
    assert wears(evening) == DRESSED
    await allow(evening)
    await look(evening)
    await evening.quiet()
    assert wears(evening) == [[KYUU], [NEWCOMER], [NEWCOMER], [KYUU], [NEWCOMER]]


async def test_a_role_above_the_bots_waits_until_it_is_moved(evening: Evening) -> None:
    await allow(evening)
    await switch(evening)
    await play(evening, GAME)
    (role,) = [role for role in roles_made(evening) if role["name"] == KYUU]
    await evening.discord.edit_role(role, position=9)
    told = f"give and take <@&{role['id']}>, until my own role stands above in the list of roles"
    assert told in await look(evening)
    await evening.report(OTHER)
    await evening.approve(2)
    await evening.quiet()
    # Dora keeps what she has until she can be given the other; Emi gets hers.
    assert wears(evening) == [[KYUU], [NEWCOMER], [NEWCOMER], [NEWCOMER], [NEWCOMER]]
    ((who, error),) = await waiting(evening.store, evening.id)
    assert who == int(evening.users["Dora"]["id"])
    assert error is not None
    assert error.startswith("Undeliverable: a rank role cannot be given or taken: 403 Forbidden")
    await evening.discord.edit_role(role, position=1)
    assert "I am not allowed to" not in await look(evening)
    await evening.quiet()
    assert wears(evening, "Dora") == [[KYUU]]


async def test_a_full_server_is_told_and_waits(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    await allow(evening)
    while len(evening.guild["roles"]) < 249:
        evening.discord.world.add_role(evening.guild, "Crowd")
    last = await evening.discord.create_role(evening.guild, "Last")
    await switch(evening)
    await play(evening, GAME)
    assert wears(evening) == BARE
    assert f"the role {KYUU} cannot be made: the server has 250 roles, as many as Discord allows" in caplog.text
    assert await evening.state(1) is GameState.APPROVED
    assert [role["name"] for role in roles_made(evening)] == []
    # The bot knows the roles that it was told of; the whole list comes with a new session.
    await evening.stop_bot()
    await evening.start_bot()
    assert "make another rank role: the server has 250 roles, as many as Discord allows" in await look(evening)
    await evening.quiet()
    await evening.discord.delete_role(last)
    assert "I am not allowed to" not in await look(evening)
    await evening.quiet()
    # There was room for one role, and the rank of the oldest letter has got it.
    assert wears(evening) == [[KYUU], [], [], [], []]


async def test_newcomers_at_one_table_share_one_role(evening: Evening) -> None:
    await allow(evening)
    await switch(evening)
    # The gateway is late: the bot does not hear of the roles that it has made.
    evening.discord.faults.lose("GUILD_ROLE_CREATE", times=2)
    await play(evening, GAME)
    assert wears(evening) == DRESSED
    assert sorted(role["name"] for role in roles_made(evening)) == sorted([KYUU, NEWCOMER])


async def test_two_processes_make_one_role(evening: Evening) -> None:
    await allow(evening)
    await play(evening, GAME)
    making = evening.discord.faults.hold("POST", ROLES)
    await switch(evening)
    await making.reached
    async with evening.second_bot():
        # The letter that the first process holds comes to the second when its lease is over.
        await evening.discord.until(lambda: wears(evening) == DRESSED)
        deleting = evening.discord.faults.hold("DELETE", ROLE)
        making.release()
        async with asyncio.timeout(30):
            await deleting.reached
        assert len(roles_made(evening)) == 3
        deleting.release()
        await evening.discord.until(lambda: len(roles_made(evening)) == 2)
        await said_all(evening)
    assert wears(evening) == DRESSED


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("path", [ROLES, WORN])
async def test_cut_connections_leave_nobody_without_his_role(evening: Evening, path: str, done: bool) -> None:
    await allow(evening)
    await switch(evening)
    evening.discord.faults.cut("POST" if path is ROLES else "PUT", path, times=6, done=done)
    await evening.report(GAME)
    await evening.approve(1)
    await evening.discord.until(lambda: wears(evening) == DRESSED, timeout=15)
    await said_all(evening)
    assert len(roles_made(evening)) == 2


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize(("method", "path"), [("POST", ROLES), ("PUT", WORN), ("GET", r"/members/\d+$")])
async def test_a_restart_in_the_middle(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, method: str, path: str, done: bool
) -> None:
    monkeypatch.setattr(outbox_worker, "PATIENCE", 0.05)
    await allow(evening)
    await play(evening, GAME)
    held = evening.discord.faults.hold(method, path, done=done)
    await switch(evening)
    await held.reached
    await evening.stop_bot()
    held.release()
    await evening.start_bot()
    await evening.discord.until(lambda: wears(evening) == DRESSED, timeout=15)
    await said_all(evening)
    assert len(roles_made(evening)) == 2


async def test_a_role_deleted_while_it_is_given_is_made_again(evening: Evening) -> None:
    await allow(evening)
    await switch(evening)
    await play(evening, GAME)
    (role,) = [role for role in roles_made(evening) if role["name"] == NEWCOMER]
    held = evening.discord.faults.hold("PUT", WORN)
    await evening.report(OTHER)
    await evening.approve(2)
    await held.reached
    await evening.discord.delete_role(role)
    held.release()
    dressed = [[KYUU], [NEWCOMER], [NEWCOMER], [KYUU], [NEWCOMER]]
    await evening.discord.until(lambda: wears(evening) == dressed)
    await said_all(evening)
    assert len(roles_made(evening)) == 2


async def test_an_administrator_needs_no_right_of_its_own(evening: Evening) -> None:
    role = evening.discord.world.bot_role(evening.guild)
    await evening.discord.edit_role(role, permissions=Permission.ADMINISTRATOR)
    assert "I am not allowed to" not in await switch(evening)
    await play(evening, GAME)
    assert wears(evening) == DRESSED
