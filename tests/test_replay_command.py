"""/admin replay on the local Discord: an admin checks and puts right, and boards go on meanwhile."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import sqlalchemy as sa

from bot import replay
from bot.sandbox import Interaction
from ratings import club, ledger
from ratings.models import GameState, Length, SystemName, Verdict
from ratings.store.tables import decisions, games, players, seats, standings
from tests.benchmarks.history import forget_figures
from tests.benchmarks.sample import PLAYERS, sittings
from tests.breaking import execute
from tests.club_evening import Club, Evening, reply
from tests.correcting import derived
from tests.correction_help import GAME
from tests.ledger_help import NOW, Gate, approve, at_gate, submit
from tests.processes import PATIENCE
from tests.replay_help import Interfering, tamper_rating

MANY = 3_000


async def admin_replay(where: Club, *, by: str = "Kai", **options: Any) -> Interaction:
    """Somebody gives the command."""
    return await where.as_(by).slash("admin replay", where.channels["mahjong"], **options)


def told(interaction: Interaction) -> str:
    """What the answer says."""
    answer = reply(interaction)
    return "\n".join([answer["content"], *(embed["description"] for embed in answer["embeds"])]).strip()


@pytest.fixture
async def played(evening: Evening) -> Evening:
    """A club with one approved game."""
    await evening.report(GAME)
    await evening.approve(1)
    return evening


async def test_an_admin_checks_and_puts_right(played: Evening) -> None:
    right = await derived(played.store)
    assert told(await admin_replay(played)) == "1 game was replayed. Every stored figure is what the games give."
    await played.store.write(tamper_rating, [(await played.game(1)).id])
    checked = await admin_replay(played, check=True)
    assert checked.ephemeral
    assert "1 game and 0 standings are not what the games give. Nothing was changed" in told(checked)
    assert "game \\#1, South \\(Борис\\), rating\\: stored 1777.25, replayed 1510.0" in told(checked)
    assert await derived(played.store) != right
    assert "1 game and 0 standings were not what the games give, and have been put right" in told(
        await admin_replay(played)
    )
    assert await derived(played.store) == right


async def test_ten_differences_are_enough_for_a_message(played: Evening) -> None:
    await played.store.write(forget_figures)
    answer = told(await admin_replay(played, check=True))
    lines = [line for line in answer.splitlines() if line.startswith("- ")]
    assert len(lines) == 10
    assert answer.endswith("… and more; python -m bot replay --check lists everything.")
    # Afterwards there is nothing to list any more.
    assert told(await admin_replay(played)).endswith("… and more.")


async def test_a_long_name_does_not_hide_the_ladder(played: Evening) -> None:
    name = "A name as long as Discord allows" * 3
    await played.store.write(execute, sa.update(players).where(players.c.name == "Ann").values(name=name))
    await played.store.write(execute, sa.update(standings).values(rank=19))
    checked = told(await admin_replay(played, check=True))
    assert checked.count("tenhou\\-4p, rank\\: stored 19") == 4
    assert "A name as long as Discord allows" in checked


async def test_members_may_not(played: Evening) -> None:
    await played.store.write(tamper_rating, [(await played.game(1)).id])
    wrong = await derived(played.store)
    assert "Only admins" in told(await admin_replay(played, by="Ann"))
    assert await derived(played.store) == wrong


async def test_an_admin_of_a_restless_club_is_told(played: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await played.store.write(tamper_rating, [(await played.game(1)).id])

    async def play() -> None:
        await approve(played.store, await submit(played.store, guild=played.id))

    Interfering(monkeypatch, 1_000, play)
    assert "try again at a quieter moment" in told(await admin_replay(played))


async def test_boards_and_reports_are_served_while_many_games_are_replayed(
    evening_on_each_engine: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = evening_on_each_engine
    await evening.store.write(fill, evening.id)
    gate = Gate()
    plan = ledger.plan_replay

    def held_plan(connection: sa.Connection, guild_id: int, progress: Any) -> ledger.Plan:
        seen = itertools.count()

        def show(games: int) -> None:
            if games and next(seen) == 0:
                gate.wait()

        return plan(connection, guild_id, show)

    monkeypatch.setattr(ledger, "plan_replay", held_plan)
    monkeypatch.setattr("bot.answers.SOON", 0.01)
    replaying = await at_gate(admin_replay(evening), gate)
    board = await evening.as_("Emi").slash("leaderboard", evening.channels["mahjong"])
    await evening.discord.until(lambda: board.reply, PATIENCE)
    assert "Nobody is on this board yet" in told(board)
    reported = await evening.report(GAME)
    await evening.discord.until(lambda: reported.reply, PATIENCE)
    assert f"#{MANY + 1}" in reply(reported)["embeds"][0]["title"]
    await evening.card_ready(MANY + 1)
    interaction = await replaying
    assert interaction.thinking
    assert not interaction.replies
    gate.open()
    await evening.discord.until(lambda: interaction.reply, PATIENCE)
    assert f"Stored figures of {MANY:,} games" in told(interaction)
    board = await evening.as_("Emi").slash("leaderboard", evening.channels["mahjong"])
    await evening.discord.until(lambda: board.reply, PATIENCE)
    assert f"{PLAYERS} players" in reply(board)["embeds"][0]["footer"]["text"]
    assert (await evening.store.study(replay.look, evening.id)).clean


def fill(connection: sa.Connection, guild_id: int) -> None:
    """Write many games down that were approved long ago, without a figure."""
    club.lock(connection, guild_id, NOW)
    people = [{"guild_id": guild_id, "discord_id": 1000 + n, "name": f"member {n}"} for n in range(PLAYERS)]
    connection.execute(sa.insert(players), people)
    known = sa.select(players.c.id).where(players.c.discord_id.between(1000, 1000 + PLAYERS))
    ids = list(connection.execute(known.order_by(players.c.discord_id)).scalars())
    tables = sittings(MANY)
    shared = {
        "guild_id": guild_id,
        "kind": "riichi",
        "state": GameState.APPROVED,
        "length": Length.HANCHAN,
        "sticks": 0,
        "ranked": 1,
        "played_at": NOW,
        "reported_at": NOW,
        "reported_by": ids[0],
        "report_channel_id": 1,
        "system": SystemName.TENHOU_4P,
    }
    rows = [shared | {"number": n, "interaction_id": n, "fingerprint": str(n)} for n in range(1, MANY + 1)]
    connection.execute(sa.insert(games), rows)
    listed = sa.select(games.c.id).where(games.c.guild_id == guild_id).order_by(games.c.number)
    played = list(connection.execute(listed).scalars())
    sat = [
        {"game_id": game, "seat": seat, "player_id": ids[player], "score": score}
        for game, table in zip(played, tables, strict=True)
        for seat, (player, score) in enumerate(zip(table.players, table.scores, strict=True))
    ]
    connection.execute(sa.insert(seats), sat)
    decided = {"guild_id": guild_id, "verdict": Verdict.APPROVE, "decided_by": ids[0], "decided_at": NOW}
    connection.execute(
        sa.insert(decisions), [decided | {"game_id": game, "settings_version": 0} for game in played]
    )
    approval = sa.select(decisions.c.id).where(decisions.c.game_id == games.c.id).scalar_subquery()
    connection.execute(sa.update(games).where(games.c.guild_id == guild_id).values(approval_id=approval))
