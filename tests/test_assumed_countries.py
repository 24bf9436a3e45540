"""Countries that are assumed as long as nobody tells one, and what becomes of the rankings when somebody does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from bot.render import ranking_news
from bot.texts import texts_for
from ratings import club
from ratings.archive import parse, read_club, write_club
from ratings.models import Refused
from ratings.resultsfile import ResultRow, read_results
from ratings.store import Store
from ratings.systems.russian import Exclusion, Ranking
from ratings.tournaments import edits, entrants, ledger, rankings, readers
from ratings.tournaments import players as people
from ratings.tournaments.days import RankingNews
from ratings.tournaments.facts import facts_now, facts_then
from ratings.tournaments.player_log import PlayerChangeKind
from ratings.tournaments.records import Doubt, DoubtKind
from tests.answer_help import attached, embed
from tests.club_evening import Evening
from tests.ledger_help import GUILD, KAI, NEIGHBOURS, everything
from tests.player_edit_help import DAY, ZOE, correct, in_order, known, merge, moved, said, take_back, why
from tests.ranking_help import MARCH, at, details, hold, plain, players
from tests.resultsfile_help import text_file
from tests.tournament_evening import act, bring, described, two_cups
from tests.tournament_evening import said as answered

ABROAD: dict[str, Any] = {"country": "DE", "ema": True, "participants": 80}
CUP = {"Anna": 1, "Hans": 2, "Bela": 3}


async def cups(store: Store) -> dict[str, int]:
    """Two cups at home with a guest, of nobody of whom a country is told; the ids of the players."""
    await hold(store, GUILD, "Spring Cup", MARCH, CUP)
    await hold(store, GUILD, "April Open", MARCH + timedelta(7), CUP)
    return await players(store, GUILD)


async def import_rows(store: Store, rows: Sequence[ResultRow], name: str = "Euro Open", **told: Any) -> None:
    """Another admin imports rows as a tournament in Germany, unless told otherwise."""
    held = details(name, MARCH + timedelta(14), **{**ABROAD, **told})
    await store.write(ledger.import_results, GUILD, held, rows, ZOE, at(DAY), new_players=True)


async def country(store: Store, player: int) -> tuple[str | None, bool]:
    """Where a player is from, and whether that is assumed."""
    entry = await store.read(people.entry, GUILD, player)
    return entry.country, entry.country_is_assumed


async def listed(store: Store, guild: int = GUILD) -> list[str]:
    """The names in RR."""
    view = await store.read(rankings.ranking, guild, Ranking.RR, DAY)
    return [view.names[row.player_id] for row in view.table.rows]


async def test_a_told_country_goes_before_an_assumed_one(store: Store) -> None:
    hans, before = (await cups(store))["Hans"], await known(store)
    assert await country(store, hans) == ("RU", True)
    assert await listed(store) == ["Anna", "Hans", "Bela"]
    await import_rows(store, [ResultRow(2, 1, "Hans", country="DE"), ResultRow(3, 2, "Kurt", country="DE")])
    assert await country(store, hans) == ("DE", False)
    (change,) = await store.read(edits.trail, GUILD, hans)
    assert (change.kind, change.by, said(change)) == (PlayerChangeKind.FILL, "Zoe", {"country": ("RU", "DE")})
    assert await listed(store) == ["Anna", "Bela"]
    verdict, *_ = await store.read(rankings.why, GUILD, 3, DAY)
    assert verdict.exclusion is Exclusion.NO_HOME_PLAYER
    assert why(await moved(store, before)) == {"Hans": "⏏ -# a correction: Hans's country RU → DE by Zoe"}
    then = await store.read(facts_then, GUILD, DAY, before)
    assert then.players[hans].country == "RU"
    assert in_order(await store.read(facts_then, GUILD, DAY, await known(store))) == in_order(
        await store.read(facts_now, GUILD, DAY)
    )
    undone = await take_back(store, hans)
    assert said(undone) == {"country": ("DE", "RU")}
    assert await country(store, hans) == ("RU", True)
    assert (await moved(store, before)).homes.players == {}


async def test_the_post_of_the_day_names_what_was_told_as_the_cause(store: Store) -> None:
    await cups(store)
    # Abroad, with nobody from home but the guest who is taken to be.
    await import_rows(store, [ResultRow(2, 1, "Hans"), ResultRow(3, 2, "Kurt", country="DE")])
    since = await known(store)
    await import_rows(store, [ResultRow(2, 9, "Hans", country="DE")], "Second Open")
    views = await store.read(rankings.changes_of_all, GUILD, DAY, DAY, since, await known(store))
    moved_ones = tuple(view for view in views if view.changes)
    settings = await store.read(club.settings, GUILD)
    post = ranking_news.news(texts_for("en-US"), RankingNews(DAY, DAY, moved_ones, settings))
    cause = "Hans's country RU → DE by Zoe"
    for field in post.fields:
        told = plain(field.value or "").splitlines()
        assert told[1] == f"-# a correction: {cause}; and with it the maximal coefficients"
        assert told[3] == f"-# the maximal coefficients: #3 Euro Open does not count after a correction: {cause}"
    assert [field.name for field in post.fields] == ["RR", "CRR"]


async def test_a_country_that_contradicts_a_told_one_is_asked_back(store: Store) -> None:
    hans = (await cups(store))["Hans"]
    await correct(store, hans, country="DE")
    before = await everything(store)
    with pytest.raises(Refused) as caught:
        await import_rows(store, [ResultRow(2, 1, "hans", country="AT")])
    assert caught.value.values["doubts"] == (Doubt(2, DoubtKind.COUNTRY_DIFFERS, "hans", ("AT", "DE")),)
    assert await everything(store) == before
    await import_rows(store, [ResultRow(2, 1, "Hans", country="DE")])
    assert len(await store.read(edits.trail, GUILD, hans)) == 1


async def test_what_was_assumed_becomes_told_when_somebody_says_the_same(store: Store) -> None:
    ids, before = await cups(store), await known(store)
    await import_rows(store, [ResultRow(2, 1, "Anna", country="RU")])
    await correct(store, ids["Bela"], country="RU")
    for name in ("Anna", "Bela"):
        assert await country(store, ids[name]) == ("RU", False)
        (change,) = await store.read(edits.trail, GUILD, ids[name])
        assert said(change) == {"country": ("RU", "RU")}
    assert (await moved(store, before)).homes.players == {}
    with pytest.raises(Refused):
        await import_rows(store, [ResultRow(2, 1, "Anna", country="AT")], "Second Open")
    await take_back(store, ids["Bela"])
    assert await country(store, ids["Bela"]) == ("RU", True)


async def test_an_assumption_is_given_up_and_taken_back(store: Store) -> None:
    hans, before = (await cups(store))["Hans"], await known(store)
    change = await correct(store, hans, country=None)
    assert said(change) == {"assumed_country": ("RU", None)}
    assert await country(store, hans) == (None, False)
    assert why(await moved(store, before)) == {"Hans": "⏏ -# a correction: Hans's country RU → unknown by Kai"}
    await take_back(store, hans)
    assert await country(store, hans) == ("RU", True)


async def test_of_two_records_of_one_person_the_told_country_goes_first(store: Store) -> None:
    ids = await cups(store)
    await import_rows(store, [ResultRow(2, 1, "Hans Weber", country="DE")])
    other = (await players(store, GUILD))["Hans Weber"]
    await merge(store, other, ids["Hans"])
    assert await country(store, ids["Hans"]) == ("DE", False)
    assert (await store.read(facts_now, GUILD, DAY)).players[ids["Hans"]].country == "DE"
    lines = (await store.read(readers.record, GUILD, 1)).lines
    assert [(line.name, line.country, line.country_is_assumed) for line in lines[:2]] == [
        ("Anna", "RU", True),
        ("Hans", "DE", False),
    ]


async def test_who_gets_a_single_result_is_only_assumed_to_be_from_here(store: Store) -> None:
    ids = await cups(store)

    def put(connection: sa.Connection) -> int:
        player = entrants.record_of(connection, GUILD, 1, "Fresh Face")
        ledger.put_result(connection, GUILD, 1, player, {"place": 9}, KAI, at(DAY))
        return player

    assert await country(store, await store.write(put)) == ("RU", True)
    await correct(store, ids["Bela"], country=None)
    await store.write(ledger.put_result, GUILD, 1, ids["Bela"], {"place": 7}, KAI, at(DAY))
    assert await country(store, ids["Bela"]) == ("RU", True)
    assert said((await store.read(edits.trail, GUILD, ids["Bela"]))[-1]) == {"assumed_country": (None, "RU")}


async def test_an_assumption_moves_with_its_club(store: Store) -> None:
    await cups(store)
    told = parse(await store.read(write_club, GUILD, at(DAY)))
    await store.write(read_club, NEIGHBOURS, told, KAI, 55, at(DAY))
    hans = (await players(store, NEIGHBOURS))["Hans"]
    entry = await store.read(people.entry, NEIGHBOURS, hans)
    assert (entry.country, entry.country_is_assumed) == ("RU", True)
    assert await listed(store, NEIGHBOURS) == await listed(store)


async def test_secretaries_see_what_is_assumed_and_are_asked_about_what_differs(evening: Evening) -> None:
    await two_cups(evening)
    shown = await act(evening, "players show", player="Игрок 01")
    fields = {each["name"]: each["value"] for each in embed(shown)["fields"]}
    assert fields["Country"] == "RU (assumed)"
    exported = await act(evening, "tournament export", tournament="1")
    assert read_results(attached(evening, exported)[1]).rows[0].country is None
    done = await act(evening, "players edit", player="Игрок 01", country="RU")
    assert answered(done) == "**Игрок 01**\ncountry: RU, no longer only assumed"
    rows = [("place", "player", "country"), (1, "Игрок 01", "DE"), (2, "Игрок 02", "DE")]
    refused = await bring(
        evening, text_file(*rows), name="German Open", country="DE", ema=True, participants=80, new_players=True
    )
    assert described(refused)[:2] == [
        "Row 2: “Игрок 01” is from RU so far, and the file says DE. Correct the file, or what is known with "
        "/players edit.",
        "",
    ]
