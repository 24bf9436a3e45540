"""Somebody asks to be forgotten: nothing tells who it was, and nobody else's figures move."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.letters import APPROVE
from ratings import club, ledger
from ratings.models import Person, Refusal, Standing, SystemName
from ratings.queries import boards, games
from ratings.queries.boards import Board, Order
from ratings.store import Store, cards, outbox
from ratings.store.tables import accounts, ladder_bans, log_seats, metadata, player_aliases, players
from ratings.store.tables import outbox as letters
from ratings.tournaments import players as tournament_players
from tests.breaking import untouched_when_broken
from tests.club_evening import Club, Evening
from tests.correction_help import GAME, confirm, play, said
from tests.ledger_help import (
    ANN,
    BORIS,
    CHIAKI,
    DORA,
    EMI,
    GUILD,
    KAI,
    NOW,
    american_figures,
    another,
    approve,
    count,
    everything,
    hand,
    place_at,
    reject,
    report,
    standing,
    submit,
    submit_hand,
    this_years_card,
)
from tests.people_help import (
    NINA,
    board,
    choice,
    command,
    derived,
    forget,
    found,
    is_clean,
    meant,
    merge,
    record,
    refused,
)

# Somebody whose account and name cannot stand in a database by chance, and whatever would tell of him.
GONE = Person(1_577_055_687_358_283_888, "Zoë Vanishing")
MARKS = ("zoë vanishing", "vanishing, zoë", "zora v", "zoenyan", "19990777", str(GONE.discord_id))


async def leave_traces(store: Store, lines: dict[str, int]) -> None:
    """Write somebody's name wherever it can stand."""
    table = (GONE, BORIS, CHIAKI, DORA)
    played = await approve(store, await submit(store, report(players=table, reporter=GONE)), by=GONE)
    won = hand(lines["Three bends"], players=table, winner=GONE, discarder=BORIS)
    await approve(store, await submit_hand(store, won))
    wrong = await reject(store, await submit(store, report(players=table)), reason="ask zoë vanishing about East")
    reason = f"says <@{GONE.discord_id}>"
    proposal = await store.study(ledger.propose_void, GUILD, played.id, reason)
    await store.write(ledger.carry_out, GUILD, proposal, GONE, NOW)
    await merge(store, Person(41, "Zora V"), GONE, reason="Zora V is Zoë Vanishing")
    await store.write(_leave_traces, await record(store, GONE), played.id, wrong.id)


def _leave_traces(connection: sa.Connection, player: int, played: int, wrong: int) -> None:
    tournament_players.add_alias(connection, GUILD, player, "Vanishing, Zoë")
    described = {"country": "NL", "ema_number": "19990777"}
    connection.execute(sa.update(players).where(players.c.id == player).values(described))
    linked = {"guild_id": GUILD, "player_id": player, "site": "tenhou", "linked_by": player, "linked_at": NOW}
    connection.execute(sa.insert(accounts).values(**linked, name="zoenyan"))
    told = {column.name: 0 for column in log_seats.columns if column.name not in ("game_id", "seat", "name")}
    for seat, name in enumerate(("zoenyan", "bo")):
        connection.execute(sa.insert(log_seats).values(game_id=played, seat=seat, name=name, **told))
    ban = {"guild_id": GUILD, "player_id": player, "banned_by": player, "banned_at": NOW, "lifted_at": NOW}
    connection.execute(sa.insert(ladder_bans).values(**ban, reason="zoenyan shared an account"))
    due = connection.execute(sa.select(letters.c.id).where(letters.c.game_id == wrong).limit(1)).scalar_one()
    outbox.defer(connection, due, NOW, "Forbidden: Zoë Vanishing closed her DMs")
    cards.hang(connection, GUILD, played, 41, 4001)


async def test_nothing_tells_who_a_forgotten_person_was(store: Store, lines: dict[str, int]) -> None:
    await leave_traces(store, lines)
    others = [await standing(store, person) for person in (BORIS, CHIAKI, DORA)]
    hands = await american_figures(store, BORIS, CHIAKI, DORA)
    figures = await derived(store)
    stored = repr(await everything(store)).lower()
    assert [mark for mark in MARKS if mark not in stored] == []
    await forget(store, GONE)
    stored = repr(await everything(store)).lower()
    assert [mark for mark in MARKS if mark in stored] == []
    for left in ("'… is …'", "'ask … about east'", "'says <@…>'", "'… shared an account'", "'bo'"):
        assert left in stored
    assert await derived(store) == figures
    assert [await standing(store, person) for person in (BORIS, CHIAKI, DORA)] == others
    assert await american_figures(store, BORIS, CHIAKI, DORA) == hands
    assert await is_clean(store)
    page = await store.read(games.page, GUILD, None, 0, 10)
    assert all(game.people[0] == Person(0, "") for game in page.games)


async def test_nothing_is_left_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    log = file.with_name("club.db-wal")
    traces = [mark.encode() for mark in (*MARKS, "zoë before")] + [GONE.discord_id.to_bytes(8, "big")]
    async with another(f"sqlite+aiosqlite:///{file}") as store:
        await record(store, Person(GONE.discord_id, "Zoë Before"))
        await leave_traces(store, await this_years_card(store))
        held = in_small_letters(log.read_bytes())
        assert [trace for trace in traces if trace not in held] == []
        await forget(store, GONE)
    assert not log.exists()
    held = in_small_letters(file.read_bytes())
    assert "Борис".encode() in held
    assert [trace for trace in traces if trace in held] == []
    with closing(sqlite3.connect(file)) as database:
        dump = "\n".join(database.iterdump()).lower()
    assert [mark for mark in MARKS if mark in dump] == []


def in_small_letters(held: bytes) -> bytes:
    """What a file holds, with the capitals of these names made small."""
    return held.replace(b"Z", b"z").replace(b"V", b"v").replace(b"B", b"b")


# Columns of text that cannot hold a name of a person, because we write them or because they name something else.
NAMELESS = {
    "accounts.site",
    "american_wins.won_by",
    "card_lines.name",
    "card_lines.section",
    "corrections.after",
    "corrections.before",
    "corrections.kind",
    "corrections.rank_moves",
    "decisions.verdict",
    "game_logs.fingerprint",
    "game_logs.format",
    "game_logs.length",
    "game_logs.lobby",
    "game_logs.log_id",
    "game_logs.unranked",
    "games.fingerprint",
    "games.kind",
    "games.length",
    "games.lobby",
    "games.state",
    "games.system",
    "memos.name",
    "memos.value",
    "outbox.kind",
    "penalties.offence",
    # It says nothing by itself, and the others' ratings need it.
    "players.assumed_country",
    "players.country",
    "ranking_days.day",
    "ranking_days.since_day",
    "settings_changes.name",
    "settings_changes.value",
    "standings.system",
    "tournament_changes.after",
    "tournament_changes.before",
    "tournament_changes.kind",
    "tournament_changes.last_day",
    "tournament_results.score",
    "tournaments.country",
    "tournaments.first_day",
    "tournaments.last_day",
    "tournaments.name",
    "tournaments.stages",
}
EMPTIED = {
    "accounts.name",
    "log_seats.name",
    "player_aliases.key",
    "player_aliases.name",
    "players.ema_number",
    "players.name",
    "tournament_changes.facts",
}
STRUCK_OUT = {
    "corrections.reason",
    "ladder_bans.reason",
    "outbox.error",
    "rejection_reasons.reason",
    "tournament_changes.reason",
}


def test_forgetting_knows_every_column_that_may_hold_a_name() -> None:
    texts = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, sa.Text)
    }
    assert texts == NAMELESS | EMPTIED | STRUCK_OUT


@pytest.mark.parametrize(
    ("name", "reason", "left"),
    [
        ("Ann", "Ann, ann and ANNs friend Hannah", "…, … and ANNs friend Hannah"),
        ("千秋", "千秋さんの試合", "…さんの試合"),
        ("a.b*", "a.b* and aXb*", "… and aXb*"),
        ("Борис 2", "борис 2 и борис 23", "… и борис 23"),
    ],
)
async def test_a_name_is_struck_out_as_a_word(store: Store, name: str, reason: str, left: str) -> None:
    person = Person(51, name)
    await reject(store, await submit(store, report(players=(person, BORIS, EMI, DORA))), reason=reason)
    await reject(store, await submit(store, report(players=(BORIS, person, EMI, DORA))), reason="none of it")
    await forget(store, person)
    reasons = (await everything(store))["rejection_reasons"]
    assert [row[3] for row in reasons] == [left, "none of it"]


async def test_whoever_comes_back_is_somebody_new(store: Store) -> None:
    game = await approve(store, await submit(store))
    old = await record(store, ANN)
    await forget(store, ANN)
    await approve(store, await submit(store))
    new = await record(store, ANN)
    assert new != old
    mine = await standing(store, ANN)
    assert mine is not None
    assert mine.games == 1
    assert (await store.read(games.by_id, GUILD, game.id)).people[0] == Person(0, "")
    assert await is_clean(store)


async def test_an_admin_may_have_himself_forgotten(store: Store) -> None:
    await approve(store, await submit(store), by=KAI)
    await forget(store, KAI, by=KAI)
    assert "Kai" not in repr(await everything(store))
    assert await store.read(club.known_person, GUILD, KAI.discord_id) is None


async def test_nobody_means_a_forgotten_person(store: Store) -> None:
    await approve(store, await submit(store))
    ann, boris = await record(store, ANN), await record(store, BORIS)
    proposal = await store.study(ledger.propose_merge, GUILD, ann, await record(store, EMI))
    await forget(store, ANN)
    assert await found(store, "") == ["Dora", "Emi", "Kai", "Борис", "千秋"]
    assert await meant(store, f"player:{ann}") == ([], [])
    for work, ids in (
        (ledger.propose_merge, (ann, boris)),
        (ledger.propose_merge, (boris, ann)),
        (ledger.propose_forget, (ann, NOW)),
    ):
        assert (await refused(store, work, GUILD, *ids)).refusal is Refusal.UNKNOWN_PLAYER
    with pytest.raises(ledger.Stale):
        await store.write(ledger.carry_out, GUILD, proposal, KAI, NOW)


async def test_all_records_of_one_person_are_forgotten(store: Store) -> None:
    await approve(store, await submit(store, report(players=(NINA, BORIS, CHIAKI, DORA))))
    await merge(store, NINA, ANN)
    await forget(store, NINA)
    stored = repr((await everything(store))["players"])
    assert "Ann" not in stored
    assert "Nina" not in stored


async def test_boards_leave_forgotten_people_out(store: Store) -> None:
    ladder = Board(SystemName.TENHOU_4P, Order.RANK)
    crowd = [Person(100 + n, f"member {n:02}") for n in range(20)]
    # Pairs share a place, so that a gap in it would show.
    await place_at(store, {person: Standing(n // 2, 10, 1500.0 + n // 2, 9) for n, person in enumerate(crowd)})
    for person in (crowd[0], crowd[7], crowd[10], crowd[11], crowd[19]):
        await forget(store, person)
    left = [person for n, person in enumerate(crowd) if n not in (0, 7, 10, 11, 19)]
    for which in (ladder, Board(SystemName.TENHOU_4P, Order.RATING)):
        rows: list[boards.BoardRow] = []
        for number in range(4):
            page = await store.read(boards.board_page, GUILD, which, number, 4)
            assert (page.number, page.pages, page.total) == (number, 4, 15)
            rows += page.rows
        assert {row.name for row in rows} == {person.name for person in left}
        for index, row in enumerate(rows):
            better = [other for other in rows if other.standing.rating > row.standing.rating]
            assert row.place == 1 + len(better)
            assert await store.read(boards.position, GUILD, which, row.discord_id) == index
    top = await store.read(boards.profile, GUILD, SystemName.TENHOU_4P, crowd[18].discord_id)
    assert top is not None
    assert (top.rating_place, top.rated) == (1, 15)
    last = await store.read(boards.profile, GUILD, SystemName.TENHOU_4P, crowd[1].discord_id)
    assert last is not None
    assert (last.rating_place, last.rated) == (15, 15)


async def test_forgetting_happens_or_does_not(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await approve(store, await submit(store, report(players=(GONE, BORIS, CHIAKI, DORA))))
    for place in ("_strike_out", "cards_naming"):
        place = f"ratings.ledger.forgetting.{place}"
        await untouched_when_broken(store, monkeypatch, place, lambda: forget(store, GONE))
    await forget(store, GONE)
    assert await count(store, player_aliases) == 0


# ---- on Discord ----------------------------------------------------------------------------------------


async def test_the_story_of_somebody_who_asks_to_be_forgotten(evening_on_each_engine: Evening) -> None:
    story = evening_on_each_engine
    await play(story, GAME)
    await story.report(GAME)
    pending = await story.card_ready(2)
    others = [person(story, name) for name in ("Борис", "千秋")]
    standings = [await standing(story.store, each, guild=story.id) for each in others]
    figures = await derived(story.store)
    story.discord.world.remove_member(story.guild, story.users["Ann"])
    (value,) = (await choice(story, "forget", "player", "ann")).values()
    question = await command(story, "forget", player=value)
    assert "Forget \u2068Ann\u2069?" in said(question)
    for words in (
        "cannot be undone",
        "The name, the Discord account",
        "The games stay",
        "everybody else's figures stay exactly",
        "cards of games are drawn anew",
        "posted in channels stays there until somebody deletes it",
    ):
        assert words in said(question)
    assert "\u2068Ann\u2069" in await board(story)
    done = said(await confirm(story, "Kai", question))
    assert "A member is forgotten" in done
    assert "\u2068Ann\u2069" not in done
    await story.quiet()
    for number in (1, 2):
        text = str(story.card(number))
        assert "\u2068Ann\u2069" not in text
        assert "a former member" in text
    shown = await board(story)
    assert "\u2068Ann\u2069" not in shown
    assert "3 players" in shown
    stored = repr(await everything(story.store))
    assert "'Ann'" not in stored
    assert story.users["Ann"]["id"] not in stored
    assert [await standing(story.store, each, guild=story.id) for each in others] == standings
    assert await derived(story.store) == figures
    # The pending game can still be decided, and she may come back as somebody new.
    await story.as_("Kai").react(pending, APPROVE)
    await story.card_says(2, "approved")
    story.discord.world.add_member(story.guild, story.users["Ann"])
    await story.report(GAME)
    await story.approve(3)
    assert "\u2068Ann\u2069" in await board(story)
    mine = await standing(story.store, person(story, "Ann"), guild=story.id)
    assert mine is not None
    assert mine.games == 1
    assert await is_clean(story.store, story.id)


def person(where: Club, name: str) -> Person:
    """A member as the ledger knows him."""
    return Person(int(where.users[name]["id"]), name)
