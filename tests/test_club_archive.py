"""A club as a file: what is written down can be read into an empty club, with the same figures."""

from __future__ import annotations

import gzip
import json
from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa

from ratings import club, ledger
from ratings.archive import BadArchive, Loaded, parse, read_club, write_club
from ratings.models import Offence, Refusal, Refused
from ratings.store import Store
from ratings.store.tables import corrections, games, outbox, players, standings, tournament_changes
from ratings.systems.russian import Ranking
from ratings.tournaments import ledger as cups
from ratings.tournaments import rankings
from ratings.tournaments.players import add_alias, add_player
from ratings.tournaments.records import Details
from tests.ledger_help import (
    ANN,
    BORIS,
    DORA,
    EMI,
    GUILD,
    KAI,
    NEIGHBOURS,
    NOW,
    approve,
    choose,
    everything,
    hand,
    hang_card,
    penalise,
    reject,
    report,
    submit,
    submit_hand,
    this_years_card,
)

DAY = date(2026, 11, 1)


async def _live(store: Store) -> None:
    """A club with a bit of everything."""
    lines = await this_years_card(store)
    await choose(store, penalties=True, approvals_channel=77)
    first = await approve(store, await submit(store))
    await choose(store, tenhou_rules="live", shared_places=True)
    await approve(store, await submit(store, report((30000, 30000, 25000, 15000), (BORIS, ANN, EMI, DORA))))
    await approve(store, await submit(store, report((50000, 35000, 20000))))
    await approve(store, await submit(store, report(ranked=False)))
    await reject(store, await submit(store, report((41000, 29000, 20000, 10000))))
    await submit(store, report((42000, 28000, 20000, 10000)))
    told = hand(lines["Three bends"], discarder=BORIS)
    won = await penalise(store, await submit_hand(store, told), (BORIS, Offence.MISNAMED))
    await approve(store, won)
    await _void_and_amend(store, first.id)
    await store.write(_hold_a_cup)


async def _void_and_amend(store: Store, game_id: int) -> None:
    void = await store.read(ledger.propose_void, GUILD, game_id, "a slip")
    await store.write(ledger.carry_out, GUILD, void, KAI, NOW)
    back = await store.read(ledger.propose_restore, GUILD, game_id)
    await store.write(ledger.carry_out, GUILD, back, KAI, NOW)
    told = await store.read(ledger.tellings.read, game_id)
    assert isinstance(told, ledger.tellings.RiichiTelling)
    fresh = ledger.tellings.RiichiTelling(
        **{name: getattr(told, name) for name in told.__slots__} | {"scores": (39000, 31000, 20000, 10000)}
    )
    amend = await store.read(ledger.propose_amend, GUILD, game_id, fresh, NOW)
    await store.write(ledger.carry_out, GUILD, amend, KAI, NOW)


def _hold_a_cup(connection: sa.Connection) -> None:
    people = [add_player(connection, GUILD, f"Игрок {number}", "RU") for number in range(1, 17)]
    add_alias(connection, GUILD, people[0], "Player One")
    for month in (3, 4):
        details = Details(
            name=f"Кубок {month}",
            last_day=date(2026, month, 1),
            hanchan=8,
            participants=16,
            country="RU",
            accredited=True,
        )
        number = cups.add_tournament(connection, GUILD, details, KAI, NOW)
        for place, player in enumerate(people, start=1):
            cups.put_result(connection, GUILD, number, player, {"place": place}, KAI, NOW)
    cups.undo(connection, GUILD, 2, KAI, NOW)


async def _moved(store: Store, guild: int = NEIGHBOURS) -> tuple[Loaded, Any]:
    told = parse(await store.read(write_club, GUILD, NOW))
    return await store.write(read_club, guild, told, EMI, 55, NOW), told


def _figures(connection: sa.Connection, guild_id: int) -> set[tuple[Any, ...]]:
    query = sa.select(players.c.name, *list(standings.c)[1:2], *list(standings.c)[3:])
    mine = query.join(players, players.c.id == standings.c.player_id).where(standings.c.guild_id == guild_id)
    return {tuple(row) for row in connection.execute(mine)}


def _channels(connection: sa.Connection, guild_id: int) -> set[int]:
    query = sa.select(games.c.report_channel_id).where(games.c.guild_id == guild_id)
    return set(connection.execute(query).scalars())


async def test_a_club_is_the_same_in_another_place(store: Store) -> None:
    await _live(store)
    loaded, _ = await _moved(store)
    assert await store.read(_channels, NEIGHBOURS) == {55}
    assert loaded == Loaded(games=7, tournaments=2, players=22, same_figures=True)
    assert await store.read(_figures, NEIGHBOURS) == await store.read(_figures, GUILD)
    plan = await store.read(ledger.plan_replay, NEIGHBOURS)
    assert (plan.rows, plan.cleared, plan.moves) == ([], [], [])


async def test_rankings_and_their_history_come_along(store: Store) -> None:
    await _live(store)
    await _moved(store)
    tables = [await store.read(rankings.ranking, guild, Ranking.RR, DAY) for guild in (GUILD, NEIGHBOURS)]
    shown = [[(view.names[row.player_id], row.rating) for row in view.table.rows] for view in tables]
    assert shown[0] == shown[1] != []
    await store.write(cups.undo, NEIGHBOURS, 2, KAI, NOW)


async def test_the_clubs_life_goes_on(store: Store) -> None:
    await _live(store)
    await _moved(store)
    await approve(store, await submit(store, report((26000, 25000, 24500, 24500)), guild=NEIGHBOURS))
    restored = await store.read(ledger.propose_void, NEIGHBOURS, await _first_game(store), "again")
    await store.write(ledger.carry_out, NEIGHBOURS, restored, KAI, NOW)
    plan = await store.read(ledger.plan_replay, NEIGHBOURS)
    assert (plan.rows, plan.cleared, plan.moves) == ([], [], [])


async def _first_game(store: Store) -> int:
    return await store.read(
        lambda connection: int(
            connection.execute(
                sa.select(sa.func.min(games.c.id)).where(games.c.guild_id == NEIGHBOURS)
            ).scalar_one()
        )
    )


async def test_channels_and_the_admin_role_stay_those_of_the_server(store: Store) -> None:
    await _live(store)
    await choose(store, NEIGHBOURS, approvals_channel=99, admin_role=5, tenhou_rules="live", k_factor=30.0)
    loaded, _ = await _moved(store)
    assert loaded.same_figures
    settings = await store.read(club.settings, NEIGHBOURS)
    assert (settings.approvals_channel, settings.admin_role) == (99, 5)
    assert (settings.tenhou_rules, settings.k_factor, settings.card_year) == ("live", 16.0, 2026)


async def test_people_the_club_knows_keep_their_records(store: Store) -> None:
    await _live(store)
    await choose(store, NEIGHBOURS, approvals_channel=99)
    before = await store.write(lambda connection: club.player_ids(connection, NEIGHBOURS, [KAI]))
    await _moved(store)
    assert await store.write(lambda connection: club.player_ids(connection, NEIGHBOURS, [KAI])) == before


async def test_what_a_file_tells_of_people_the_club_knows_is_kept(store: Store) -> None:
    await _live(store)
    (kai,) = await store.write(lambda connection: club.player_ids(connection, GUILD, [KAI]))
    known = sa.update(players).where(players.c.id == kai).values(country="DE", ema_number="04010001")
    await store.write(lambda connection: connection.execute(known).rowcount)
    told = parse(await store.read(write_club, GUILD, NOW))
    await store.write(read_club, NEIGHBOURS, told, KAI, 55, NOW)
    query = sa.select(players.c.country, players.c.ema_number).where(
        players.c.guild_id == NEIGHBOURS, players.c.discord_id == KAI.discord_id
    )
    rows = await store.read(lambda connection: connection.execute(query).all())
    assert [tuple(row) for row in rows] == [("DE", "04010001")]


async def test_a_pending_game_gets_a_card_in_its_new_place(store: Store) -> None:
    await submit(store)
    await _moved(store)
    query = sa.select(outbox.c.kind).where(outbox.c.guild_id == NEIGHBOURS)
    assert await store.read(lambda connection: list(connection.execute(query).scalars())) == ["card"]


async def test_a_club_with_a_card_of_its_own_takes_no_file(store: Store) -> None:
    await _live(store)
    await hang_card(store, guild=NEIGHBOURS)
    with pytest.raises(Refused) as refused:
        await _moved(store)
    assert refused.value.refusal is Refusal.NOT_EMPTY


def test_lists_of_nothing_are_not_unpacked() -> None:
    bomb = gzip.compress(b"[" + b"[]," * 2_000_000 + b"[]]")
    assert len(bomb) < 20_000
    with pytest.raises(ValueError, match=r"no \{ where"):
        parse(bomb)


async def test_a_club_that_has_played_takes_no_file(store: Store) -> None:
    await _live(store)
    await submit(store, guild=NEIGHBOURS)
    before = await everything(store)
    with pytest.raises(Refused) as refused:
        await _moved(store)
    assert refused.value.refusal is Refusal.NOT_EMPTY
    assert await everything(store) == before


async def test_archived_tellings_name_the_new_records(store: Store) -> None:
    await _live(store)
    await _moved(store)

    def named(connection: sa.Connection, guild: int) -> set[int]:
        rows = connection.execute(sa.select(corrections.c.before).where(corrections.c.guild_id == guild)).scalars()
        found = {record for text in rows if text for record in json.loads(text)["players"]}
        told = sa.select(tournament_changes.c.after).where(tournament_changes.c.guild_id == guild)
        for text in connection.execute(told).scalars():
            found |= {line[0] for line in json.loads(text)["lines"]}
        return found

    mine = await store.read(
        lambda connection: set(
            connection.execute(sa.select(players.c.id).where(players.c.guild_id == NEIGHBOURS)).scalars()
        )
    )
    assert await store.read(named, NEIGHBOURS) <= mine
    assert await store.read(named, NEIGHBOURS)


def _spoil(told: Any, *path: Any, value: Any) -> Any:
    if not path:
        return value
    step, *rest = path
    spoiled = told | {} if isinstance(told, dict) else list(told)
    spoiled[step] = _spoil(told.get(step) if isinstance(told, dict) else told[step], *rest, value=value)
    return tuple(spoiled) if isinstance(told, tuple) else spoiled


SPOILED: dict[str, tuple[tuple[Any, ...], Any]] = {
    "another format": (("format",), "chess-club"),
    "a newer version": (("version",), 2),
    "no facts": (("facts",), []),
    "a missing table": (("facts", "seats"), None),
    "other columns": (("facts", "games", 0), ("id",)),
    "a short row": (("facts", "games", 1), (1,)),
    "a text for a number": (("facts", "seats", 1, 3), "many"),
    "a number beyond the store's": (("facts", "seats", 1, 3), 2**80),
    "a bottomless telling": (("facts", "corrections", 3, 8), "[" * 100_000),
    "a yes for a number": (("facts", "seats", 1, 3), True),
    "an unknown state": (("facts", "games", 1, 3), "played"),
    "an unknown player": (("facts", "seats", 1, 2), 10**9),
    "a game nobody scored": (("facts", "seats", 1, 3), None),
    "an unknown setting": (("facts", "settings_changes", 1, 1), "colour"),
    "a broken telling": (("facts", "corrections", 3, 8), "{"),
    "no standings": (("standings",), None),
}


@pytest.mark.parametrize(("path", "value"), SPOILED.values(), ids=SPOILED.keys())
async def test_a_spoiled_file_is_refused_and_nothing_kept(store: Store, path: tuple[Any, ...], value: Any) -> None:
    await _live(store)
    told = parse(await store.read(write_club, GUILD, NOW))
    before = await everything(store)
    with pytest.raises(BadArchive):
        await store.write(read_club, NEIGHBOURS, _spoil(told, *path, value=value), EMI, 55, NOW)
    assert await everything(store) == before


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\x1f\x8b broken", b"\xff\xfe", b"[" * 100_000, gzip.compress(b"no json")], ids=range(6)
)
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any
        parse(data)


async def test_figures_that_are_not_the_files_are_told(store: Store) -> None:
    await _live(store)
    told = parse(await store.read(write_club, GUILD, NOW))
    told["standings"][0][4] += 1
    loaded = await store.write(read_club, NEIGHBOURS, told, EMI, 55, NOW)
    assert not loaded.same_figures
