"""The replay: figures that somebody tampered with are found and put right, by the operator or by an admin."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
import termios
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot import replay
from bot.config import Config
from bot.exits import ExitCode, Stop
from bot.sandbox import Interaction
from ratings import club, ledger
from ratings.models import GameState, Length, SystemName, Verdict
from ratings.queries.games import GameRecord
from ratings.store import Store
from ratings.store.tables import decisions, games, outcomes, players, seats, standings
from tests.benchmarks.sample import PLAYERS, sittings
from tests.club_evening import Club, Evening, reply
from tests.ledger_help import (
    BORIS,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    Gate,
    Snapshot,
    another,
    approve,
    at_gate,
    everything,
    hand,
    report,
    submit,
    submit_hand,
)

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 20
MANY = 3_000
SCORES = ((40000, 30000, 20000, 10000), (10000, 20000, 30000, 40000), (31000, 29000, 24000, 16000))
GAME = {"Ann": "45200", "Борис": "30100", "千秋": "15700", "Dora": "9000"}
Tampering = Callable[[sa.Connection, list[int]], None]


@pytest.fixture
async def season(store: Store, lines: dict[str, int]) -> list[int]:
    """A club with a few games of each kind, the last of them voided; the games' ids."""
    played = [await approve(store, await submit(store, report(scores))) for scores in SCORES]
    played += [
        await approve(store, await submit(store, report((50000, 35000, 20000)))),
        await approve(store, await submit(store, report(ranked=False))),
        await approve(store, await submit_hand(store, hand(lines["Three bends"], discarder=BORIS))),
        await approve(store, await submit(store)),
    ]
    await correct(store, played[-1])
    return [game.id for game in played]


async def correct(store: Store, game: GameRecord) -> None:
    """Void a game."""
    proposal = await store.study(ledger.propose_void, game.guild_id, game.id, "it was a joke")
    await store.write(ledger.carry_out, game.guild_id, proposal, KAI, NOW)


async def derived(store: Store) -> Snapshot:
    """Every stored figure."""
    return {name: rows for name, rows in (await everything(store)).items() if name in ("outcomes", "standings")}


async def replayed(database: str, *, check: bool = False, one: int | None = None) -> ExitCode:
    """Do what `python -m bot replay` does, in this process."""
    return await replay.run(Config(database_url=database), check=check, club=one)


def one_of(game: int, seat: int) -> sa.ColumnElement[bool]:
    """The stored row of a seat."""
    return sa.and_(outcomes.c.game_id == game, outcomes.c.seat == seat)


def of(connection: sa.Connection, name: str, system: SystemName) -> sa.ColumnElement[bool]:
    """The standing of somebody."""
    known = sa.select(players.c.id).where(players.c.name == name, players.c.guild_id == GUILD)
    return sa.and_(standings.c.player_id == connection.execute(known).scalar_one(), standings.c.system == system)


def tamper_rating(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(outcomes).where(one_of(ids[0], 1)).values(rating=1777.25))


def tamper_place(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(outcomes).where(one_of(ids[4], 0)).values(place=4))


def tamper_hand(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(outcomes).where(one_of(ids[5], 0)).values(points=31))


def lose_a_row(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.delete(outcomes).where(one_of(ids[1], 2)))


def lose_a_game(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.delete(outcomes).where(outcomes.c.game_id == ids[3]))


def add_a_row(connection: sa.Connection, ids: list[int]) -> None:
    ann = sa.select(players.c.id).where(players.c.name == "Ann").scalar_subquery()
    connection.execute(sa.insert(outcomes).values(game_id=ids[1], seat=4, player_id=ann, place=5))


def keep_a_voided_game(connection: sa.Connection, ids: list[int]) -> None:
    ann = sa.select(players.c.id).where(players.c.name == "Ann").scalar_subquery()
    row = {"game_id": ids[6], "seat": 0, "player_id": ann, "place": 1, "final_points": 50000}
    connection.execute(sa.insert(outcomes).values(row))


def tamper_standing(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.update(standings).where(of(connection, "Ann", SystemName.TENHOU_3P)).values(rank=19))


def lose_a_standing(connection: sa.Connection, ids: list[int]) -> None:
    connection.execute(sa.delete(standings).where(of(connection, "Борис", SystemName.NMJL)))


def add_a_standing(connection: sa.Connection, ids: list[int]) -> None:
    player = connection.execute(sa.select(players.c.id).where(players.c.name == "Kai")).scalar_one()
    row = {"guild_id": GUILD, "system": SystemName.NMJL, "player_id": player}
    connection.execute(sa.insert(standings).values(**row, rank=0, points=8, rating=1.5, games=2))


TAMPERED: dict[Tampering, str] = {
    tamper_rating: "game #1, South (Борис), rating: stored 1777.25, replayed 1510.0",
    tamper_place: "game #5, East (Ann), place: stored 4, replayed 1",
    tamper_hand: "game #6, Ann, points: stored 31, replayed ",
    lose_a_row: "game #2, West (千秋), final_points: stored nothing, replayed 10000",
    lose_a_game: "game #4, West (千秋), place: stored nothing, replayed 3",
    add_a_row: "game #2, seat 5 (Ann), place: stored 5, replayed nothing",
    keep_a_voided_game: "game #7, East (Ann), final_points: stored 50000, replayed nothing",
    tamper_standing: "tenhou-3p, rank: stored 19, replayed 1",
    lose_a_standing: "nmjl, games: stored nothing, replayed 1",
    add_a_standing: "nmjl, points: stored 8, replayed nothing",
}


@pytest.mark.parametrize("tampering", TAMPERED)
async def test_a_figure_that_was_tampered_with_is_found_and_put_right(
    store: Store,
    database: str,
    season: list[int],
    capsys: pytest.CaptureFixture[str],
    tampering: Tampering,
) -> None:
    right = await derived(store)
    await store.write(tampering, season)
    wrong = await everything(store)
    assert {name: wrong[name] for name in right} != right
    assert await replayed(database, check=True) == ExitCode.FAILURE
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said[:-1] if line.startswith(f"club {GUILD}: ") and TAMPERED[tampering] in line]
    assert said[-1].startswith(f"club {GUILD}: 6 games replayed; figures of ")
    assert said[-1].endswith(" differ.")
    assert await everything(store) == wrong
    assert await replayed(database) == ExitCode.OK
    assert capsys.readouterr().out.endswith(" were put right.\n")
    assert await derived(store) == right
    assert await replayed(database, check=True) == ExitCode.OK
    clean = f"club {GUILD}: 6 games replayed, every stored figure is what they give.\n"
    assert capsys.readouterr().out == clean


async def test_a_clean_club_is_left_alone(
    store: Store, database: str, season: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    before = await everything(store)
    assert await replayed(database) == ExitCode.OK
    assert "every stored figure is what they give" in capsys.readouterr().out
    assert await everything(store) == before


async def test_all_that_is_derived_can_be_dropped(store: Store, database: str, season: list[int]) -> None:
    right = await derived(store)
    for table in (outcomes, standings):
        await store.write(_execute, sa.delete(table))
    assert await replayed(database) == ExitCode.OK
    assert await derived(store) == right


async def test_one_club_is_replayed_and_its_neighbours_are_not(
    store: Store, database: str, season: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = await approve(store, await submit(store, guild=NEIGHBOURS))
    right = await derived(store)
    await store.write(tamper_rating, season)
    await store.write(tamper_rating, [theirs.id])
    assert await replayed(database, one=GUILD) == ExitCode.OK
    assert str(NEIGHBOURS) not in capsys.readouterr().out
    assert await replayed(database, one=GUILD, check=True) == ExitCode.OK
    assert await replayed(database, check=True) == ExitCode.FAILURE
    lines = capsys.readouterr().out.splitlines()
    assert f"club {NEIGHBOURS}: 1 game replayed; figures of 1 game and 0 standings differ." in lines
    await replayed(database)
    assert await derived(store) == right


async def test_a_club_nobody_knows(store: Store, database: str, season: list[int]) -> None:
    with pytest.raises(Stop, match="no club 4711 in this database") as stop:
        await replayed(database, one=4711)
    assert stop.value.code == ExitCode.UNKNOWN_CLUB


async def test_a_database_without_clubs(store: Store, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await replayed(database, check=True) == ExitCode.OK
    assert capsys.readouterr().out == "There is no club in this database yet.\n"


async def test_pending_games_of_whoever_moved_are_drawn_again(
    store: Store, database: str, season: list[int]
) -> None:
    await submit(store)
    before = await everything(store)
    await store.write(tamper_standing, season)
    await replayed(database)
    after = await everything(store)
    assert len(after["outbox"]) == len(before["outbox"]) + 1
    assert {name for name in after if after[name] != before[name]} == {"outbox", "memos"}


# ---- as a process --------------------------------------------------------------------------------------


async def start(database: str, folder: Path, *command: str, stdout: int = PIPE, stderr: int = PIPE) -> Process:
    """Start a command of ours in an empty folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TENBOU_", "DISCORD_"))}
    environment = kept | {"PYTHONPATH": str(ROOT), "DATABASE_URL": database}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, cwd=folder, env=environment, stdout=stdout, stderr=stderr
    )


async def ended(process: Process) -> tuple[int, str, str]:
    """Wait for the end: the exit code, and what was written to stdout and stderr."""
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, (out or b"").decode(), (err or b"").decode()


async def test_the_command(store: Store, database: str, season: list[int], tmp_path: Path) -> None:
    await store.write(tamper_rating, season)
    code, out, err = await ended(await start(database, tmp_path, "bot", "replay", "--check"))
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        f"club {GUILD}: {TAMPERED[tamper_rating]}",
        f"club {GUILD}: 6 games replayed; figures of 1 game and 0 standings differ.",
    ]
    code, out, err = await ended(await start(database, tmp_path, "bot", "replay", "--club", str(GUILD)))
    assert (code, err) == (0, "")
    assert out == f"club {GUILD}: 6 games replayed; figures of 1 game and 0 standings were put right.\n"
    code, out, err = await ended(await start(database, tmp_path, "bot", "replay", "--club", "1"))
    assert (code, out) == (8, "")
    assert err.startswith("tenbou: There is no club 1 ")


async def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    nowhere = f"sqlite:///{tmp_path}/no/such/folder/club.db"
    code, _, err = await ended(await start(nowhere, tmp_path, "bot", "replay"))
    assert code == ExitCode.NO_DATABASE
    assert err.startswith("tenbou: The database cannot be opened")


async def test_a_bar_on_a_terminal_alone(store: Store, database: str, season: list[int], tmp_path: Path) -> None:
    terminal, end = os.openpty()
    termios.tcsetwinsize(end, (24, 100))
    os.set_blocking(terminal, False)
    try:
        code, out, _ = await ended(await start(database, tmp_path, "bot", "replay", stderr=end))
        shown = os.read(terminal, 100_000).decode()
    finally:
        os.close(terminal)
        os.close(end)
    assert code == 0
    assert f"club {GUILD}:" in shown
    assert " games" in shown
    assert out == f"club {GUILD}: 6 games replayed, every stored figure is what they give.\n"


async def test_whoever_reads_the_differences_may_stop_reading(
    store: Store, database: str, season: list[int], tmp_path: Path
) -> None:
    for table in (outcomes, standings):
        await store.write(_execute, sa.delete(table))
    reading, writing = os.pipe()
    os.close(reading)
    process = await start(database, tmp_path, "bot", "replay", "--check", stdout=writing)
    os.close(writing)
    assert await ended(process) == (1, "", "")


@asynccontextmanager
async def held(database: str, folder: Path, place: str, *options: str) -> AsyncIterator[Process]:
    """A replay that waits at a place until a signal comes."""
    process = await start(database, folder, "tests.held_replay", place, "replay", *options)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            first = await process.stdout.readline()
            assert first == b"held\n", first + await ended(process)  # type: ignore[operator]
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


@pytest.fixture
async def two_clubs(tmp_path: Path) -> AsyncIterator[tuple[str, Store, Snapshot, Snapshot]]:
    """Two clubs in an SQLite file, both tampered with: the address, the store, the right figures, the wrong."""
    address = f"sqlite+aiosqlite:///{tmp_path / 'clubs.db'}"
    async with another(address) as store:
        ids = [(await approve(store, await submit(store, guild=guild))).id for guild in (GUILD, NEIGHBOURS)]
        right = await derived(store)
        for game in ids:
            await store.write(tamper_rating, [game])
        yield address, store, right, await derived(store)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("options", [(), ("--check",)], ids=["replay", "check"])
async def test_a_signal_in_the_middle_of_the_games(
    two_clubs: tuple[str, Store, Snapshot, Snapshot],
    tmp_path: Path,
    number: signal.Signals,
    options: tuple[str, ...],
) -> None:
    address, store, _, wrong = two_clubs
    async with held(address, tmp_path, "plan", *options) as process:
        process.send_signal(number)
        code, out, err = await ended(process)
    assert (code, out) == (ExitCode.STOPPED, "")
    assert err == "tenbou: The replay was stopped; clubs it had not come to the end of are as they were.\n"
    assert await derived(store) == wrong


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_while_figures_are_written(
    two_clubs: tuple[str, Store, Snapshot, Snapshot], tmp_path: Path, number: signal.Signals
) -> None:
    address, store, right, wrong = two_clubs
    async with held(address, tmp_path, "write") as process:
        process.send_signal(number)
        code, out, _ = await ended(process)
    assert code == ExitCode.STOPPED
    assert out == f"club {GUILD}: 1 game replayed; figures of 1 game and 0 standings were put right.\n"
    after = await derived(store)
    assert after not in (right, wrong)
    assert await replayed(address, one=GUILD, check=True) == ExitCode.OK
    assert await replayed(address, one=NEIGHBOURS, check=True) == ExitCode.FAILURE


@pytest.mark.parametrize("place", ["plan", "write"])
async def test_killed_in_the_middle(
    two_clubs: tuple[str, Store, Snapshot, Snapshot], tmp_path: Path, place: str
) -> None:
    address, store, right, wrong = two_clubs
    async with held(address, tmp_path, place) as process:
        process.kill()
        assert (await ended(process))[0] == -signal.SIGKILL
    assert await derived(store) == wrong
    assert await replayed(address) == ExitCode.OK
    assert await derived(store) == right


# ---- while games are decided ---------------------------------------------------------------------------


class Interfering:
    """Something that happens right after each of the next replays of a club, before it can be written down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int, work: Callable[[], Any]) -> None:
        self.looks = 0
        self._times = times
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._look = replay.look
        monkeypatch.setattr(replay, "look", self)

    def __call__(self, *arguments: Any) -> replay.Finding:
        found = self._look(*arguments)
        self.looks += 1
        if self.looks <= self._times:
            asyncio.run_coroutine_threadsafe(self._work(), self._loop).result(PATIENCE)
        return found


@pytest.mark.parametrize("times", range(replay.ATTEMPTS + 1))
async def test_games_are_decided_meanwhile(
    store: Store, database: str, season: list[int], monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    await store.write(tamper_rating, season)
    async with another(database) as bots:

        async def play() -> None:
            await approve(bots, await submit(bots))

        interfering = Interfering(monkeypatch, times, play)
        assert await replayed(database) == ExitCode.OK
    assert interfering.looks == times + 1
    monkeypatch.undo()
    assert await replayed(database, check=True) == ExitCode.OK
    assert len((await derived(store))["outcomes"]) == 23 + 4 * times


async def test_a_restless_club_is_not_held_up_by_the_bot(
    store: Store, season: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.write(tamper_rating, season)

    async def play() -> None:
        await approve(store, await submit(store))

    Interfering(monkeypatch, 1_000, play)
    with pytest.raises(ledger.Stale):
        await replay.put_right(store, GUILD)


# ---- from Discord --------------------------------------------------------------------------------------


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
    for table in (outcomes, standings):
        await played.store.write(_execute, sa.delete(table))
    answer = told(await admin_replay(played, check=True))
    lines = [line for line in answer.splitlines() if line.startswith("- ")]
    assert len(lines) == 10
    assert answer.endswith("… and more; python -m bot replay --check lists everything.")
    # Afterwards there is nothing to list any more.
    assert told(await admin_replay(played)).endswith("… and more.")


async def test_a_long_name_does_not_hide_the_ladder(played: Evening) -> None:
    name = "A name as long as Discord allows" * 3
    await played.store.write(_execute, sa.update(players).where(players.c.name == "Ann").values(name=name))
    await played.store.write(_execute, sa.update(standings).values(rank=19))
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
    assert f"Stored figures of {MANY:,} games" in told(interaction).replace("3000", "3,000")
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


def _execute(connection: sa.Connection, statement: sa.Executable) -> None:
    connection.execute(statement)
